"""Scene graphs as arrays beside those that are built one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from captious._internal.arrays.ragged import Ragged, offsets_of
from captious.metrics.spice import CATEGORY_OF, TupleCounts, tuple_counts
from captious.text.scene.merged_graphs import MergedGraphs
from captious.text.scene.scene_graph import SceneGraph
from captious.text.scene.scene_tuples import SceneTuple
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.uncompiled import Loops, in_use
from tests.metrics.spice_by_graph import matched_counts

OBJECTS = "dog puppy couch sofa lounge lavatory toilet bike bicycle motorcycle man person".split()
OBJECTS += "qqq spot place topographic_point plaza space blank rank station".split()
ATTRIBUTES = "red white clean two three large big huge crimson qq blue gloomy".split()
RELATIONS = ["on", "be on", "ride", "sit", "sit on", "drive", "push", "force", "press", "be"]

# The third object is as similar to the first as to the second, in whatever order it finds them.
TIES: list[list[SceneTuple]] = [
    [("prompt", "red"), ("spark",), ("actuate", "red")],
    [("spark", "red"), ("prompt",), ("actuate", "red")],
]
# A relation that has the last name goes before the one that is similar to it.
REPEATED: list[list[SceneTuple]] = [
    [("dog", "couch", name) for name in ("prompt", "spark", "actuate", "spark")],
    [("dog", "couch", "sparkle")],
]

Problem = tuple[list[list[SceneTuple]], list[list[SceneTuple]]]  # candidates and references


def draw_tuples(random: np.random.Generator, size: int, kinds: int) -> list[SceneTuple]:
    """Draw tuples of objects, of attributes and of relations between the first of the objects."""
    objects = [str(name) for name in random.permutation(OBJECTS)[:kinds]]
    tuples: list[SceneTuple] = []
    for _ in range(size):
        subject, other = random.choice(objects, 2).tolist()
        attribute, relation = str(random.choice(ATTRIBUTES)), str(random.choice(RELATIONS))
        whole = (subject, other, relation)
        parts: list[SceneTuple] = [(subject,), (subject, attribute), whole]
        tuples.append(parts[random.integers(3)])
    return tuples


def draw_problems(sizes: Sequence[int], seed: int) -> list[Problem]:
    """Draw graphs of one caption beside those of several."""
    random = np.random.default_rng(seed)
    return [
        (
            [draw_tuples(random, size, kinds) for kinds in (2, 5, 20)],
            [draw_tuples(random, 4 * size, kinds) for kinds in (3, 6, 20)],
        )
        for size in sizes
    ]


class SceneGraphLoops(Trial):
    """Graphs without any tuple and more; nothing else is done at any size."""

    loops = ("scene_graphs",)
    boundaries: ClassVar = {"tuples": (0, 1, 100)}

    def short(self) -> Sequence[Any]:
        cases = [(TIES, TIES), (REPEATED, REPEATED[::-1])]
        return [*draw_problems((0, 1, 3, 8, 20, 40), seed=0), *cases]

    def long(self) -> Sequence[Any]:
        return draw_problems((2, 5, 12, 60, 200), seed=1)

    def answer(self, loops: Loops, problem: Any) -> list[list[list[int]]]:
        candidates, references = problem
        size = len(candidates)
        # Each candidate beside the graph of all references, and beside that of one.
        groups = Ragged(np.r_[:size, :size], offsets_of(np.array([size, *[1] * size])))
        alone = Ragged(np.arange(size), np.arange(size + 1))
        with in_use(loops):
            theirs = MergedGraphs.of(references, groups, CATEGORY_OF)
            ours = MergedGraphs.of(candidates, alone, CATEGORY_OF, theirs)
            rows = [*range(size), *range(size)]
            counts = TupleCounts.of(ours, rows, theirs, [0] * size + [*range(1, size + 1)])
        return [part.astype(int).tolist() for part in counts]

    def check(self, problem: Any, answer: list[list[list[int]]]) -> None:
        candidates, references = problem
        together = [names for tuples in references for names in tuples]
        ours = [SceneGraph.of(tuples) for tuples in candidates] * 2
        theirs = [SceneGraph.of(together) for _ in references]
        theirs += [SceneGraph.of(tuples) for tuples in references]
        matched = [matched_counts(*pair) for pair in zip(ours, theirs, strict=True)]
        assert answer == [matched, [*map(tuple_counts, ours)], [*map(tuple_counts, theirs)]]

    def sizes(self, problem: Any) -> list[dict[str, int]]:
        return [{"tuples": len(tuples)} for tuples in problem[0] + problem[1]]
