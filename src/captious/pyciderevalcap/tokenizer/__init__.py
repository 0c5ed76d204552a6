"""The tokenizer under the names of pyciderevalcap."""
