"""Loops that NumPy cannot express: plain Python, compiled where there is a C compiler.

Each loop is one readable source with its C types in a `.pxd` beside it, and gives the same numbers
compiled or not. Arguments are memory views of arrays (`array.data`) with the types named there, or
arrays where what is computed stays in single precision.
"""

from types import ModuleType

LOOPS = (
    "chunks",
    "lcs",
    "mean_vectors",
    "meteor_aligner",
    "meteor_matches",
    "meteor_phrases",
    "mover",
    "ngrams",
    "projective",
    "recurrent_layers",
    "row_vectors",
    "scene_graphs",
    "scene_rules",
    "step_counter",
    "transport",
    "word_support",
)


def is_compiled(module: ModuleType) -> bool:
    """Whether this loop runs as compiled code."""
    return not (module.__file__ or "").endswith(".py")
