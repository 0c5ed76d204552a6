"""CHAIR: objects that captions mention and images do not have."""
