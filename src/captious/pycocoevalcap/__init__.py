"""The COCO toolkit's class names, arguments and return values, for existing evaluation code."""

from captious.pycocoevalcap.console import quiet

__all__ = ["quiet"]
