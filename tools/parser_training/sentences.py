"""The sentences that the small parser learns from, without any that a comparison uses."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from captious.text.parser.sentence_splitter import split_sentences
from captious.text.tokenizer.tokenizer import tokenize_all

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

Words = tuple[str, ...]


def read_rows(path: Path) -> list[Any]:
    """Read a compressed file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _read_json(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def _captions(data: Path) -> Iterator[str]:
    """Yield people's captions, those of nine systems, and the long ones of language models."""
    coco = data / "coco"
    for row in _read_json(coco / "captions_train2014.json.gz")["annotations"]:
        yield row["caption"]
    for row in read_rows(data / "flickr30k" / "captions.jsonl.gz"):
        yield from row["captions"]
    # The images that comparisons with people's judgements are made on stay unseen.
    test_images = set(json.loads((coco / "karpathy_test_ids.json").read_text(encoding="utf-8")))
    for path in sorted((coco / "systems_val2014").glob("*.json.gz")):
        for row in _read_json(path):
            if row["image_id"] not in test_images:
                yield row["caption"]
    for row in read_rows(data / "vlm_captions" / "vlm_captions.jsonl.gz"):
        if row["image_id"] not in test_images:
            # Once as SPICE reads it, its sentences run together, and once one by one.
            yield row["caption"]
            yield from _SENTENCE_END.split(row["caption"])


def collect_sentences(data: Path, left_out: Iterable[str]) -> set[Words]:
    """Return the distinct sentences of all captions but those left out (given as tokens)."""
    captions = sorted(set(_captions(data)))
    tokens = {tuple(words) for words in tokenize_all(captions)} - {
        tuple(caption.split(" ")) for caption in left_out
    }
    return {tuple(sentence) for words in tokens for sentence in split_sentences(words)}
