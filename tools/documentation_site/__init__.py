"""The documentation site: prepares the pages of docs/ for Sphinx."""
