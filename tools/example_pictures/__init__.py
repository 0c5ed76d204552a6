"""Flat little scenes for the examples, drawn shape by shape."""
