"""Parts of `tools/export_encoder.py`: a graph written node by node, and the networks."""
