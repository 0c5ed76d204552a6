"""The parts of `tools/train_parser.py`."""
