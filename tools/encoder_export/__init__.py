"""What `tools/export_encoder.py` is made of: a graph written node by node, and the networks."""
