"""The captions that `tools/train_caption_vectors.py` and other trainers learn from."""
