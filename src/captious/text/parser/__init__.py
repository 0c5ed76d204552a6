"""Dependency trees of captions."""
