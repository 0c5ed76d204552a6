"""Checks of candidates, references and their ids for problems that distort scores."""
