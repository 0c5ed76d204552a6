"""What each paper's tables and figures show, as data; nothing that measures is imported here."""
