"""Loops that NumPy can't take: plain Python that is compiled where there is a C compiler.

Each loop is one readable source with its C types in a `.pxd` beside it, and gives the same numbers
compiled or not. Arguments are memory views of arrays (`array.data`) with the types named there.
"""

from types import ModuleType

LOOPS = (
    "chunks",
    "directions",
    "lcs",
    "mean_vectors",
    "meteor_aligner",
    "meteor_matches",
    "meteor_phrases",
    "mover",
    "ngrams",
    "patience",
    "projective",
    "support",
    "transport",
)


def is_compiled(module: ModuleType) -> bool:
    """Whether this loop runs as compiled code."""
    return not (module.__file__ or "").endswith(".py")
