"""Models watched while they are trained: measured on validation batches, epoch after epoch."""
