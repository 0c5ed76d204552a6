"""The files that the documentation's examples name: small ones, made up."""

from __future__ import annotations

import csv
import gzip
import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from captious import score
from captious.pregen import WordProbabilities, write_probabilities
from tests.cli.command import captious
from tests.documentation import judgement_files
from tests.made_up import flickr8k
from tests.places import EXAMPLES, ROOT

Captions = Mapping[str, str]
References = Mapping[str, Sequence[str]]
FIRST_ID = 391895  # of images as COCO has them


def build(folder: Path) -> None:
    """Write everything into a folder."""
    shutil.copytree(EXAMPLES, folder / "examples")
    _command_line_files(folder)
    captions = {name: _rows(f"{name}.jsonl", "candidate") for name in ("careful", "hasty")}
    references = _rows("references.jsonl", "references")
    _coco_forms(folder, captions["careful"], captions["hasty"], references)
    _tables(folder, captions["careful"], references)
    _objects(folder, references)
    for name in ("dog", "cat"):
        shutil.copy(EXAMPLES / "pictures" / "beach-dog.png", folder / "photos" / f"{name}.png")
    judgement_files.build(folder, captions, references)
    flickr8k.written(folder / "benchmarks")
    (folder / "benchmarks" / "flickr8k").rename(folder / "flickr8k")
    for path in (folder / "flickr8k").iterdir():
        shutil.copy(path, folder)
    _machines(folder)
    _vectors(folder)
    for name, system in (("a", "results.json"), ("b", "theirs.json")):
        _scored(folder, system, f"{name}.csv")
    for name, system in (("ours", "results.json"), ("theirs", "theirs.json")):
        _scored(folder, system, f"scores/{name}.csv")


def names() -> dict[str, Any]:
    """The names that examples in Python have without defining them."""
    candidates = _rows("careful.jsonl", "candidate")
    references = _rows("references.jsonl", "references")
    metrics = ["bleu", "cider_d", "captious"]
    other = score(_rows("hasty.jsonl", "candidate"), references, metrics)
    return {
        "__name__": "__main__",
        "candidates": candidates,
        "references": references,
        "other": other,
    }


def _command_line_files(folder: Path) -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from command_line_page.files import prepare
    finally:
        sys.path.pop(0)
    prepare(folder, EXAMPLES)


def _scored(folder: Path, candidates: str, output: str) -> None:
    (folder / output).parent.mkdir(exist_ok=True)
    words = f"score {candidates} --references nocaps_val_4500_captions.json --by domain"
    words += f" --metrics rouge_l,bleu_4 --output {output} --quiet"
    assert captious(*words.split(), cwd=folder).returncode == 0


def _coco_forms(folder: Path, ours: Captions, theirs: Captions, references: References) -> None:
    """Results and annotations as COCO has them, under the names that examples give them."""
    ids = {image: number for number, image in enumerate(references, FIRST_ID)}
    for name, captions in (
        ("results.json", ours),
        ("ours.json", ours),
        ("candidates.json", ours),
        ("a.json", ours),
        ("run7/part-1.json", ours),
        ("theirs.json", theirs),
        ("b.json", theirs),
        ("theirs/part-1.json", theirs),
    ):
        rows = [{"image_id": ids[image], "caption": text} for image, text in captions.items()]
        _write(folder / name, json.dumps(rows))
    annotations = [
        {"image_id": ids[image], "id": ids[image] * 10 + place, "caption": text}
        for image, texts in references.items()
        for place, text in enumerate(texts)
    ]
    images = [
        {"id": number, "domain": ("in-domain", "out-domain")[number % 2]} for number in ids.values()
    ]
    document = json.dumps({"images": images, "annotations": annotations})
    for name in (
        "captions.json",
        "captions_val2014.json",
        "captions_train2014.json",
        "captions_train.json",
        "references.json",
        "nocaps_val_4500_captions.json",
    ):
        _write(folder / name, document)
    more = [{"image_id": number, "caption": "something is seen here"} for number in ids.values()]
    _write(folder / "more.json", json.dumps({"annotations": more}))


def _tables(folder: Path, captions: Captions, references: References) -> None:
    """Rows of candidates with references, in several formats, and whole folders of such files."""
    rows: list[dict[str, Any]] = [
        {"id": image, "candidate": text, "references": references[image], "source": "web"}
        for image, text in captions.items()
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    _write(folder / "captions.jsonl", text)
    faulty = [*rows[:2], {"id": "harbor", "candidate": None}]
    _write(folder / "results.jsonl", "".join(json.dumps(row) + "\n" for row in faulty))
    (folder / "captions.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    import pandas

    (folder / "shards").mkdir()
    pandas.DataFrame(rows[:15]).to_parquet(folder / "shards" / "1.parquet")
    pandas.DataFrame(rows[15:]).to_parquet(folder / "shards" / "2.parquet")
    _csv(folder / "captions.csv", ["id", "candidate"], captions.items())
    numbered = enumerate(captions.values(), FIRST_ID)
    _csv(folder / "results.csv", ["id", "candidate"], numbered)
    third = [references[image][2] for image in captions]
    _write(folder / "third.txt", "".join(f"{line}\n" for line in third))
    wide = [
        [f"{image}.jpg", text, *references[image][:3]] for image, text in list(captions.items())[:4]
    ]
    header = ["file_name", "prediction", "ref1", "ref2", "ref3"]
    _csv(folder / "table.csv", header, wide, delimiter=";")
    two = [[*row[:2], f"{row[1]} again", *row[2:]] for row in wide]
    header = ["photo", "prediction", "hypothesis", "ref1", "ref2", "ref3"]
    _csv(folder / "other.csv", header, two)


def _objects(folder: Path, references: References) -> None:
    """What a detector saw, and a vocabulary."""
    ids = range(FIRST_ID, FIRST_ID + len(references))
    rows = [{"id": number, "objects": ["dog", "person"]} for number in ids]
    _write(folder / "seen.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    _write(folder / "mine.txt", "dog, puppy\nperson, man, woman\n")
    instances = {
        "categories": [{"id": 1, "name": "dog"}],
        "images": [{"id": number} for number in ids],
        "annotations": [{"image_id": FIRST_ID, "category_id": 1}],
    }
    _write(folder / "instances_val2014.json", json.dumps(instances))


def _machines(folder: Path) -> None:
    """What captioners wrote of the made-up Flickr8k; and one image that it has in truth."""
    with np.load(folder / "efficientnet_lite2.npz") as known:
        files, features = known["files"], known["features"]
    rows = [{"id": name, "candidate": "a dog on a tree"} for name in files]
    _write(folder / "written.json", json.dumps(rows))
    _write(folder / "drawn.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    files = np.append(files, "1056338697_4f7d7ce270.jpg")
    features = np.vstack([features, features[:1]])
    np.savez(folder / "efficientnet_lite2.npz", files=files, features=features)


def _vectors(folder: Path) -> None:
    """Word vectors, and the probabilities that a captioner gives to words."""
    words = "a the dog beach man woman on in runs with ein Hund am Strand".split()
    numbers = np.random.default_rng(0).normal(size=(len(words), 5))
    lines = (f"{word} {' '.join(map(str, row))}" for word, row in zip(words, numbers, strict=True))
    _write(folder / "glove.840B.300d.txt", "\n".join(lines) + "\n")
    vectors = ("vectors", "glove.840B.300d.txt", "--output", "fr.npz", "--quiet")
    assert captious(*vectors, cwd=folder).returncode == 0
    for name in ("probabilities.npz", "probabilities.parquet"):
        given = WordProbabilities.of([[[0.5, 0.5], [0.25]]], [[[True, False], [True]]])
        write_probabilities(folder / name, given)


def _rows(name: str, column: str) -> dict[str, Any]:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    return {row["id"]: row[column] for row in map(json.loads, lines)}


def _csv(
    path: Path, header: Sequence[str], rows: Iterable[Iterable[Any]], delimiter: str = ","
) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=delimiter).writerows([header, *rows])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
