"""One module per check: its `find` returns a finding, or None."""
