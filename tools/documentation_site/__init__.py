"""The documentation as a site: what the pages of docs/ become before Sphinx reads them."""
