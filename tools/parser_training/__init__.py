"""The parts of `tools/train_parser.py` and of `tools/distill_parser.py`."""
