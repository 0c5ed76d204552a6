"""Critics: what they learn from, and how."""
