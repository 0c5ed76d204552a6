"""Files opened, read and written: whole or not at all, with errors that say where."""
