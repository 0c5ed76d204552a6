"""Commands that write, killed at any moment: `python -m tests.kills --help`.

What was to be written is absent, as it was before, or whole; the next run gives what an undisturbed
one gives, to the last byte, and leaves nothing behind.
"""
