"""How many tags, heads and labels are right, while training and in the end."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from captious.text.parser.parser import Sentence

from .data import Batch, Spellings, Tree
from .network import ParserNetwork, forbid_root
from .student import Student

ParseAll = Callable[[Sequence[Sequence[str]]], list[tuple[Sentence, ...]]]


@torch.no_grad()  # type: ignore[untyped-decorator]
def evaluate(
    network: ParserNetwork | Student, batches: list[Batch], spellings: Spellings, root: int
) -> tuple[float, float, float]:
    """Measure tags, unlabelled and labelled arcs, each word's best head by itself."""
    network.eval()
    right = np.zeros(3)
    total = 0
    for batch in batches:
        answers = network(batch.spelling, spellings, 0.0, None)
        label = forbid_root(answers.labels, answers.heads, root).argmax(-1)
        good = answers.heads == batch.heads
        right += [
            float((answers.tags.argmax(-1) == batch.tags).sum()),
            float(good.sum()),
            float((good & (label == batch.labels)).sum()),
        ]
        total += batch.heads.numel()
    network.train()
    tag, unlabelled, labelled = (right / total).tolist()
    return tag, unlabelled, labelled


def compare_with_corenlp(parse_all: ParseAll, data: Path) -> dict[str, float]:
    """Compare a parser, well-formed trees and all, with CoreNLP on the test split."""
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["split"] == "test"]
    parsed = parse_all([row["caption"].split(" ") for row in rows])
    right = Counter[str]()
    for row, sentences in zip(rows, parsed, strict=True):
        golden = [Tree(*(sentence[part] for part in Tree._fields)) for sentence in row["sentences"]]
        if [list(sentence.words) for sentence in sentences] != [tree.words for tree in golden]:
            continue
        right["cut alike"] += 1
        all_right = True
        for sentence, tree in zip(sentences, golden, strict=True):
            arcs = zip(sentence.heads, tree.heads, sentence.labels, tree.labels, strict=True)
            judged = [(head == true, label == label_true) for head, true, label, label_true in arcs]
            right["words"] += len(judged)
            right["tags"] += sum(map(str.__eq__, sentence.tags, tree.tags))
            right["lemmas"] += sum(map(str.__eq__, sentence.lemmas, tree.lemmas))
            right["UAS"] += sum(head for head, _ in judged)
            right["LAS"] += sum(head and label for head, label in judged)
            all_right &= all(head and label for head, label in judged)
        right["whole captions"] += all_right
    shares = {name: right[name] / right["words"] for name in ("tags", "lemmas", "UAS", "LAS")}
    shares["whole captions"] = right["whole captions"] / right["cut alike"]
    return {"cut alike": right["cut alike"] / len(rows), **shares}
