"""How many tags, heads and labels are right, while training and in the end."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import torch

from captious.text.parser.parser import Parser

from .data import Batch, Spellings, Tree
from .network import ParserNetwork


@torch.no_grad()  # type: ignore[untyped-decorator]
def evaluate(
    network: ParserNetwork, batches: list[Batch], spellings: Spellings, root: int
) -> tuple[float, float, float]:
    """Measure tags, unlabelled and labelled arcs, each word's best head by itself."""
    network.eval()
    right = np.zeros(3)
    total = 0
    for batch in batches:
        _, tags, _, labels, heads = network(batch.spelling, spellings, 0.0, None)
        not_root = labels.clone()
        not_root[..., root] = -1e9
        label = torch.where(heads == 0, root, not_root.argmax(-1))
        good = heads == batch.heads
        right += [
            float((tags.argmax(-1) == batch.tags).sum()),
            float(good.sum()),
            float((good & (label == batch.labels)).sum()),
        ]
        total += heads.numel()
    network.train()
    tag, unlabelled, labelled = (right / total).tolist()
    return tag, unlabelled, labelled


def report(weights: Path, data: Path) -> None:
    """Measure the parser as it will run, NumPy and well-formed trees, on the test split."""
    rows = []
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["split"] == "test"]
    parsed = Parser.load(weights).parse_all([row["caption"].split(" ") for row in rows])
    right = Counter[str]()
    for row, sentences in zip(rows, parsed, strict=True):
        golden = [Tree(*(sentence[part] for part in Tree._fields)) for sentence in row["sentences"]]
        right["captions"] += 1
        if [list(sentence.words) for sentence in sentences] != [tree.words for tree in golden]:
            continue
        right["cut alike"] += 1
        for sentence, tree in zip(sentences, golden, strict=True):
            arcs = zip(sentence.heads, tree.heads, sentence.labels, tree.labels, strict=True)
            judged = [(head == true, label == label_true) for head, true, label, label_true in arcs]
            right["words"] += len(judged)
            right["tags"] += sum(map(str.__eq__, sentence.tags, tree.tags))
            right["lemmas"] += sum(map(str.__eq__, sentence.lemmas, tree.lemmas))
            right["UAS"] += sum(head for head, _ in judged)
            right["LAS"] += sum(head and label for head, label in judged)
    print(f"test: {right['cut alike'] / right['captions']:.4f} of captions cut alike, of these")
    for name in ("tags", "lemmas", "UAS", "LAS"):
        print(f"{name} {right[name] / right['words']:.4f}")
