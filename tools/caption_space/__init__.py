"""The parts of `tools/train_caption_vectors.py`."""
