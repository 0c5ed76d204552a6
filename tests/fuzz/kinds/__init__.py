"""What is damaged: one family of inputs a file."""
