"""CIDEr, CIDEr-D, and the document frequencies that both need."""
