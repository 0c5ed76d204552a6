"""Training of learned metrics, from caption files to weights and a model card."""
