"""Data shipped with the package; PROVENANCE.md says where each file comes from."""
