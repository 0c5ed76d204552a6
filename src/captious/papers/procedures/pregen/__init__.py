"""What is measured for the figures of the pre-gen paper."""
