"""The papers' tables and figures: declarations in `papers`, what measures them in `workbench`."""
