"""Captions, judgements, pictures, tables and models made up for tests."""
