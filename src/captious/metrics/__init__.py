"""The metrics, one file each; `registry` knows them all by name."""
