"""The page of the command line: what is typed, and what the terminal shows."""
