"""Data of a report on one or several systems, collected from their results."""
