"""What each paper's tables and figures show, as data; nothing here computes anything."""
