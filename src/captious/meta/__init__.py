"""Meta-evaluation: how well any metric agrees with people, under a stated protocol."""
