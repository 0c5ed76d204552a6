"""Tune captioners with metrics as rewards, and see what every other metric says of them.

    python tools/tune_captioners.py DATA RUNS --output DIR

DATA holds the folder `flickr8k` (captions, splits, `efficientnet_lite2.npz`), RUNS is what
tools/train_captioners.py wrote. Each tuning has a folder in DIR, such as `init_0_cider_d_0`
(captioner, reward, seed), with its checkpoint, the tuned captioner, what it writes of the test
images, the scores of these (which `captious compare` reads) and its figures. A tuning that is done
is skipped and one that was stopped goes on. At the end stand a table of all and some captions side
by side: docs/self_critical.md has both. Needs PyTorch; one core is enough.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np

import captious
from captious._internal.backends.pytorch import import_torch
from captious.captioners.captioner import Captioner, load_captioner
from captious.captioners.generation import generate
from captious.io.formats import write_columns
from captious.io.output_tables import render_table
from captious.text.tokenizer.tokenizer import tokenize_all
from captious.training.captioners.tuning import TuningRecipe, tune
from captious.training.loop import Progress
from train_captioners import Flickr8k, print_with_time

METRICS = ("cider_d", "bleu_4", "meteor", "rouge_l", "spice", "captious", "captious_image_alone",
           "consensus", "lceval", "nneval", "leic", "form")  # fmt: skip
TUNINGS = {
    "cider_d": TuningRecipe("cider_d"),
    "cider_d_end": TuningRecipe("cider_d", end_word=True),
    "captious": TuningRecipe("captious"),
}
BEFORE = "before"
COLOURS = frozenset("red blue green yellow black white brown pink orange purple gray grey".split())
# With these few captions of people end: mostly what follows is missing.
NO_ENDINGS = frozenset("a an the and or of with in on at to from by for while as is are".split())


class TestImages(Flickr8k):
    """Captions and image vectors of each split, and the measures of captions of the test images."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._features = folder / "efficientnet_lite2.npz"
        self.test = list(self.captions["test"])

    @cached_property
    def people(self) -> list[str]:
        """The first caption of each test image, in the words that captioners write."""
        first = [captions[0] for captions in self.captions["test"].values()]
        return list(map(" ".join, tokenize_all(first)))

    @cached_property
    def _scorer(self) -> captious.Scorer:
        return captious.Scorer(
            self.captions["test"], metrics=list(METRICS), images=str(self._features)
        )

    def measure(self, captioner: Captioner, folder: Path) -> dict[str, float]:
        """Let a captioner write of the test images, and score that."""
        written = generate(captioner, self.vectors.take(self.test))
        captions = [each.caption for each in written]
        write_columns(folder / "test.json", {"id": self.test, "candidate": captions})
        result = self._scorer.score(captions, ids=self.test)
        result.save(folder / "scores.jsonl")
        return {name: float(result.corpus[name]) for name in METRICS}


def run(data: TestImages, captioner: Captioner, recipe: TuningRecipe, folder: Path) -> None:
    """Tune one captioner, or go on with it, and write its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()

    def log(at: Progress) -> None:
        if at.done == at.samples:
            best = "" if at.best is None else f", best reward before {at.best:.4f}"
            print_with_time(
                f"{folder.name}: epoch {at.epoch} after {time.monotonic() - began:.0f} s{best}"
            )

    trained = tune(
        captioner,
        data.vectors,
        data.captions["train"],
        data.captions["dev"],
        recipe,
        checkpoint=folder / "checkpoint.npz",
        progress=log,
    )
    trained.model.save(folder / "captioner.npz")
    write_figures(folder, data, trained.model, list(trained.curve))


def write_figures(
    folder: Path, data: TestImages, captioner: Captioner, curve: Sequence[Mapping[str, float]]
) -> None:
    """Measure a captioner and write its figures: last, as they say that all is done."""
    folder.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Any] = {"test": data.measure(captioner, folder), "curve": list(curve)}
    (folder / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    print_with_time(f"{folder.name}: {figures['test']}")


def describe_captions(captions: Sequence[str]) -> dict[str, str]:
    """Describe captions by the columns of the table."""
    words = [caption.split() for caption in captions]
    return {
        "length": f"{np.mean(list(map(len, words))):.1f}",
        "vocabulary": str(len(set(chain.from_iterable(words)))),
        "different": str(len(set(captions))),
        "coloured": str(sum(not COLOURS.isdisjoint(some) for some in words)),
        "repeating": str(sum(map(_repeats, words))),
        "broken off": str(sum(NO_ENDINGS.issuperset(some[-1:]) for some in words)),
    }


def _repeats(words: Sequence[str]) -> bool:
    """Whether a caption has a word of four letters or more twice."""
    long = [word for word in words if len(word) >= 4]
    return len(set(long)) < len(long)


def table(output: Path, folders: Mapping[str, str], people: Sequence[str]) -> str:
    """A row a measure, a column a captioner, and what people's captions are like, as Markdown."""
    columns: list[dict[str, str]] = []
    for folder in folders.values():
        scores = json.loads((output / folder / "figures.json").read_text())["test"]
        rounded = {name: f"{scores[name]:.3f}" for name in METRICS}
        columns.append({**rounded, **describe_captions(read_captions(output / folder))})
    columns.append({**dict.fromkeys(METRICS, ""), **describe_captions(people)})
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    return render_table(["on the test images", *folders, "people"], rows, "markdown", 1)


def read_captions(folder: Path) -> list[str]:
    """Read a captioner's captions of the test images."""
    return [row["candidate"] for row in json.loads((folder / "test.json").read_text())]


def side_by_side(output: Path, folders: Mapping[str, str], names: Sequence[str], every: int) -> str:
    """Return each captioner's caption of every n-th test image, as Markdown."""
    columns = [read_captions(output / folder) for folder in folders.values()]
    rows = [[names[place], *(column[place] for column in columns)]
            for place in range(0, len(names), every)]  # fmt: skip
    return render_table(["image", *folders], rows, "markdown", len(folders) + 1)


def main() -> None:
    """Run all that is not done, then print tables and captions."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--captioners", nargs="+", default=["init_0"])
    parser.add_argument("--tunings", nargs="+", choices=TUNINGS, default=list(TUNINGS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--epochs", type=int, default=TuningRecipe().epochs)
    parser.add_argument("--every", type=int, default=100, help="images from example to example")
    options = parser.parse_args()
    import_torch().set_num_threads(1)
    data = TestImages(options.data / "flickr8k")
    for name in options.captioners:
        captioner = load_captioner(options.runs / name / "captioner.npz")
        if not (options.output / f"{name}_{BEFORE}" / "figures.json").exists():
            write_figures(options.output / f"{name}_{BEFORE}", data, captioner, [])
        for seed, tuning in product(options.seeds, options.tunings):
            folder = options.output / f"{name}_{tuning}_{seed}"
            if not (folder / "figures.json").exists():
                chosen = {"half": True, "seed": seed, "epochs": options.epochs}
                run(data, captioner, replace(TUNINGS[tuning], **chosen), folder)
    for name, seed in product(options.captioners, options.seeds):
        tuned = {tuning: f"{name}_{tuning}_{seed}" for tuning in options.tunings}
        folders = {BEFORE: f"{name}_{BEFORE}", **tuned}
        print(f"\n{name}, seed {seed}\n\n{table(options.output, folders, data.people)}")
        print(f"\n{side_by_side(options.output, folders, data.test, options.every)}")


if __name__ == "__main__":
    main()
