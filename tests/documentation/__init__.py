"""Every example of the documentation is run, or says why not."""
