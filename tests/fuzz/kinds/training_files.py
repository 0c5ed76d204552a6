"""Captions and judgements of a user's own, to train a learned metric on."""

from __future__ import annotations

import json

from tests.fuzz.file_kind import Command, FileKind, Files
from tests.fuzz.kind import Kind
from tests.fuzz.kinds.captions_in_files import format_rows

RECIPE = 'feature = ["bleu_1"]\n[training]\nhidden = []\nepochs = 1\nbatch = 64\n'
NOUNS = ("dog", "cat", "boy", "girl", "bus")
TRAIN = "train @mine.toml --human @people.jsonl --references 1 --output @out.npz --quiet"


def _captions(image: int) -> list[str]:
    noun = NOUNS[image % len(NOUNS)]
    return [f"a {noun} near {image} trees", f"the {noun} by the trees, {image} in all"]


def _files() -> Files:
    human = [{"id": image, "references": _captions(image)} for image in range(24)]
    system = [{"image_id": image, "caption": f"a {NOUNS[image % 3]}"} for image in range(24)]
    judged = [
        {"candidate": f"a {noun} {place}", "references": [f"the {noun}"], "rating": place,
         "image": f"judged {place}"}
        for place, noun in enumerate(NOUNS)
    ]  # fmt: skip
    preferred = [
        {"candidates": [f"a {noun}", "a tree"], "references": [f"the {noun}"], "preferred": 0}
        for noun in NOUNS
    ]
    return {
        "mine.toml": RECIPE.encode(),
        "people.jsonl": format_rows(human, ".jsonl"),
        "system.json": json.dumps(system).encode(),
        "ratings.jsonl": format_rows(judged, ".jsonl"),
        "pairs.jsonl": format_rows(preferred, ".jsonl"),
    }


KINDS: list[Kind] = [
    FileKind(
        "training-files",
        0.3,
        _files,
        [
            Command(f"{TRAIN} --machine @system.json", ("out.npz", "out.md")),
            Command(f"{TRAIN} --judgements @ratings.jsonl", ("out.npz", "out.md")),
            Command(f"{TRAIN} --judgements @pairs.jsonl", ("out.npz", "out.md")),
        ],
        needs=("torch",),
        spared=("mine.toml",),  # damaged recipes may ask for any number of epochs
    ),
]
