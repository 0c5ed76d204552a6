"""The COCO toolkit's Penn Treebank tokenizer."""
