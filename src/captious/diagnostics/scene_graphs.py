"""The scene graph of captions, for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from captious._internal.checks.arguments import check_arguments
from captious.corpus import as_list
from captious.errors import InputError
from captious.text.analysis import Analysis
from captious.text.scene.scene_graph import SceneGraph
from captious.text.scene.scene_tuples import SceneTuples


@check_arguments
def scene_graph(captions: str | Sequence[str]) -> SceneGraph:
    """What a caption, or several of one image together, say of objects and how they relate."""
    together = [captions] if isinstance(captions, str) else as_list(captions, "captions")
    for caption in together:
        if not isinstance(caption, str):
            raise InputError(f"a caption must be a string, not {type(caption).__name__}")
    tuples = Analysis(together).layer(SceneTuples).tuples
    return SceneGraph.of(chain.from_iterable(tuples))
