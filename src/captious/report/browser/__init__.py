"""HTML report pages: their contents, the packing of the data, and the page itself."""
