"""Plain CIDEr under the names of pyciderevalcap."""
