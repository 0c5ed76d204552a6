"""SPICE under the toolkit's names."""
