"""The COCO toolkit's class names, arguments and return values, for existing evaluation code."""
