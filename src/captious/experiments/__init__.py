"""The papers' experiments, each as data and one function that gives tables and curves."""
