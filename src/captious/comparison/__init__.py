"""Many systems in one table: who is best, how surely, and who differs from whom."""
