"""Pages that open in a browser: what they show, how it is packed, and the page itself."""
