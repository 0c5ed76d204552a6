"""Modules that only serve other modules: arrays, compiled loops, argument checks, progress."""
