"""Libraries that run networks: ONNX Runtime, PyTorch, and models by name from elsewhere."""
