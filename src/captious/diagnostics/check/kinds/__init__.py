"""The checks by what they look at: each `find_NAME` returns a finding, or None."""
