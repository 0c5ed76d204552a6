"""A loop from its source, whatever is compiled."""

import importlib.util
from pathlib import Path


def uncompiled(module):
    """The same loop as plain Python, under another name."""
    source = Path(module.__file__).parent / f"{module.__name__.rpartition('.')[2]}.py"
    spec = importlib.util.spec_from_file_location(f"uncompiled_{source.stem}", source)
    loop = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loop)
    return loop
