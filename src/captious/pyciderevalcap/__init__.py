"""The names of pyciderevalcap: CIDEr and CIDEr-D as self-critical training calls them."""
