"""The page of all benchmarks: what is run, on what machine, and how it is shown."""
