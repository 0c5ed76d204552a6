"""Validation of arguments, numbers and arrays that users pass."""
