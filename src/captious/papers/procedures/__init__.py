"""Measurements that are no grid of cells: each gives tables or curves of its own."""
