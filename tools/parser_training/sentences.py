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
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


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


def _strings(value: Any) -> Iterator[str]:
    """Yield all strings in what a JSON file has."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)


def read_captions_of_comparisons(folder: Path) -> set[Words]:
    """Return the captions, tokenized, in the JSON files of a folder of the originals' answers."""
    texts: set[str] = set()
    for path in sorted(folder.rglob("*.json*")):
        content = read_rows(path) if ".jsonl" in path.name else _read_json(path)
        texts.update(text for text in _strings(content) if " " in text)
    return {tuple(words) for words in tokenize_all(sorted(texts))}


def collect_sentences(data: Path, left_out: Iterable[Words]) -> set[Words]:
    """Return the distinct sentences of all captions but those left out."""
    captions = sorted(set(_captions(data)))
    tokens = {tuple(words) for words in tokenize_all(captions)} - set(left_out)
    return {tuple(sentence) for words in tokens for sentence in split_sentences(words)}
