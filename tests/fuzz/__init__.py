"""Seeded, time-boxed damage to everything that Captious reads: `python -m tests.fuzz --help`.

Every input is a function of a seed, a kind and a number, so that any failure can be had again. What
counts as a failure is said in `oracle.py` and nowhere else.
"""
