"""Training callbacks that score a model on validation batches after each epoch."""
