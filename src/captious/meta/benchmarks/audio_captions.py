"""Audio captions: which of two captions of a clip is better, by four votes, in two benchmarks.

AudioCaps-Eval and Clotho-Eval have one form (Zhou et al. 2022, FENSE), which any file may have: a
list of clips, each with its `references` and with pairs by group. `HC` is two people's captions of
the clip, `HI` one of it and one of another clip, `HM` a person's and a machine's, and `MM_1`,
`MM_2` and so on are two machines'.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.io.input_tables import describe
from captious.io.inputs import is_file, read_text
from captious.io.json import decode_json
from captious.meta.benchmarks.benchmark import PREFERENCES, Benchmark, Files
from captious.meta.benchmarks.columns import text_or_stop
from captious.meta.judgements import Preferences
from captious.meta.protocol import ACCURACY, PAIRS

GROUPS = ("HC", "HI", "HM", "MM")
MAX_VOTES = 1000  # on a pair
SOURCE = (
    "Zhou et al. 2022 (https://github.com/blmoistawinde/fense, branch experiment-code, folder "
    "dataset)"
)


def read(files: Files, name: str) -> Preferences:
    """Read all pairs that more votes decide for one caption than for the other.

    The file is in the folder that was named, or is what was named.
    """
    path = files.folder if is_file(files.folder) else files.find(name)
    clips = decode_json(read_text(path), str(path))
    if not isinstance(clips, list):
        raise InputError(f"{path}: expected a list of clips, found {describe(clips)}")
    pairs: list[tuple[str, str]] = []
    references: list[list[str]] = []
    images: list[Any] = []
    groups: list[str] = []
    votes: list[list[float]] = []
    for place, clip in enumerate(clips, 1):
        try:
            captions = [text_or_stop(each) for each in _require_list(clip["references"])]
            if not captions:
                raise ValueError("no references")
            clip_name = text_or_stop(clip.get("audio_id", str(place)))
            for key, entry in clip.items():
                group = key.partition("_")[0]
                if group not in GROUPS or entry is None or entry == []:
                    continue
                first, second, *_, votes_on_pair = _require_list(entry)
                pairs.append((text_or_stop(first), text_or_stop(second)))
                votes.append([_parse_vote(each) for each in _require_list(votes_on_pair)])
                references.append(captions)
                images.append(clip_name)
                groups.append(group)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise InputError(
                f"{path}: clip {place} is not one of references and pairs with votes "
                f"({type(error).__name__}: {' '.join(str(error).split())[:200]})"
            ) from None
    return _drop_undecided(str(path), pairs, references, images, groups, votes)


def _drop_undecided(
    path: str,
    pairs: list[tuple[str, str]],
    references: list[list[str]],
    images: list[Any],
    groups: list[str],
    votes: list[list[float]],
) -> Preferences:
    """Return the pairs that votes decide."""
    most = max(map(len, votes), default=0)
    if most > MAX_VOTES:
        raise InputError(f"{path}: {most:,} votes on one pair; at most {MAX_VOTES:,}")
    columns = np.full((len(votes), most), np.nan)
    for row, given in zip(columns, votes, strict=True):
        row[: len(given)] = given
    balance = (columns == 1).sum(axis=1) - (columns == 0).sum(axis=1)
    if not balance.any():
        raise InputError(f"{path}: no pair of {', '.join(GROUPS)} that votes decide")
    preferred = (balance > 0).astype(np.int64)
    everything = Preferences(pairs, references, images, preferred, groups, votes=columns)
    return everything.take(np.flatnonzero(balance))


def _require_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"a list expected, found {describe(value)}")
    return value


def _parse_vote(value: Any) -> float:
    """Convert 1 for the first caption and -1 for the second to 0 and 1."""
    if value not in (1, 0, -1) or isinstance(value, bool):
        raise ValueError(f"a vote is 1, -1 or 0, not {describe(value)}")
    return (1 - float(value)) / 2


AUDIOCAPS_EVAL, CLOTHO_EVAL = (
    Benchmark(
        f"{name.lower()}-eval",
        f"{name}-Eval: the better of two captions of a sound, four votes a pair",
        PREFERENCES,
        (f"{name.lower()}_eval.json",),
        (f"{name.lower()}_eval", "fense"),
        SOURCE,
        partial(read, name=f"{name.lower()}_eval.json"),
        # Zhou et al. 2022, whose total is of all pairs.
        common_choices={"statistic": ACCURACY, "own": "drop_reference", "average": PAIRS},
    )
    for name in ("AudioCaps", "Clotho")
)
