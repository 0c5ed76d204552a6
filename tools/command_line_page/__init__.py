"""The page of the command line: commands and their output."""
