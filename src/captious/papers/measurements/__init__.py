"""What carries declarations out: scores, features and networks, each computed once and kept."""
