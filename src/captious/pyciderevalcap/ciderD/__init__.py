"""CIDEr-D under the names of pyciderevalcap."""
