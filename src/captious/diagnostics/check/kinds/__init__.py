"""One module a finding: a function that looks at the evidence and says what it found, if any."""
