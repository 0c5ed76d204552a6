"""Libraries that run networks: ONNX Runtime, PyTorch and Hugging Face."""
