"""Text analysis of captions in layers, each computed once per distinct caption."""
