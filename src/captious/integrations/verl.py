"""Metrics as custom reward functions of verl, for one solution or for a batch.

    custom_reward_function.path=pkg://captious.integrations.verl
    custom_reward_function.name=compute_score
    "+custom_reward_function.reward_kwargs.metric='cider_d(df=coco-val2014)'"

With the reward manager `batch`, the name is `compute_scores`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from captious.errors import InputError
from captious.integrations.argument_checks import as_caption, as_references
from captious.integrations.rewards import Rewards
from captious.text.languages import ENGLISH

METRIC = "captious"


def compute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Any = None,
    *,
    metric: str = METRIC,
    language: str = ENGLISH,
    **others: Any,
) -> float:
    """The reward of a solution; its ground truth is a list of references, or a single one."""
    return compute_scores(
        [data_source], [solution_str], [ground_truth], metric=metric, language=language
    )[0]


def compute_scores(
    data_sources: Any,
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Any = None,
    *,
    metric: str = METRIC,
    language: str = ENGLISH,
    **others: Any,
) -> list[float]:
    """The rewards of many solutions, which is faster than one by one."""
    if len(solution_strs) != len(ground_truths):
        raise InputError(f"{len(solution_strs)} solutions but {len(ground_truths)} ground truths")
    captions = [as_caption(each, f"solution {row}") for row, each in enumerate(solution_strs)]
    sets = [
        tuple(as_references(each, f"ground truth {row}")) for row, each in enumerate(ground_truths)
    ]
    return _rewards(metric, language).rewards(captions, sets)


@lru_cache(maxsize=8)
def _rewards(metric: str, language: str) -> Rewards:
    """One for all calls of a process."""
    return Rewards(metric, language=language)
