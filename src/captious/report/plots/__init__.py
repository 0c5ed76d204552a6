"""Plots of meta-evaluation, as PNG or SVG by the file's suffix, where matplotlib is installed.

Matplotlib is loaded when the first plot is drawn. Its global state stays as it is, and a user's own
settings do not change how a plot looks.
"""
