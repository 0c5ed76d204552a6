"""Caption vectors, trained on captions alone with a contrastive loss."""
