"""The papers' tables and figures: declared here, measured in `measurements`."""
