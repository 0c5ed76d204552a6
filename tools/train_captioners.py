"""Train every captioner on Flickr8k: four architectures, several seeds, each epoch kept.

    python tools/train_captioners.py DATA --output DIR

DATA holds the folders `flickr8k` (captions, splits, `efficientnet_lite2.npz`) and, for comparison,
`where_image2` (captions that Tanti et al.'s captioners wrote). Each run has a folder in DIR, such
as `merge_0`, with the weights after each epoch, those of the best, what it writes of the test
images, and its figures. A run that is done is skipped and one that was stopped goes on, so the
command can be killed and given again. Needs PyTorch; one core is enough.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import captious
from captious._internal.backends.pytorch import import_torch
from captious.captioners.captioner import Captioner
from captious.captioners.examples import Examples
from captious.captioners.generation import generate
from captious.captioners.recipe import ARCHITECTURES, CaptionerRecipe, default_recipe
from captious.images.vectors import ImageVectors, read_image_vectors
from captious.io.formats import write_columns
from captious.io.output_tables import render_table
from captious.io.training_captions import read_image_captions
from captious.training.captioners.training import train
from captious.training.loop import Progress

SPLITS = {"train": "training", "dev": "validation", "test": "test"}
METRICS = ("bleu_4", "meteor", "rouge_l", "cider_d", "spice")
BEAM = 3


class Flickr8k:
    """Captions and image vectors of each split, and how captions of a split score."""

    def __init__(self, folder: Path) -> None:
        self.captions = {
            split: read_image_captions(
                folder / "Flickr8k.token.txt", folder / f"Flickr_8k.{split}Images.txt"
            )
            for split in SPLITS
        }
        self.vectors: ImageVectors = read_image_vectors(folder / "efficientnet_lite2.npz")
        self._scorers: dict[str, captious.Scorer] = {}

    def examples(self, split: str) -> Examples:
        """The examples of a split for training or validation."""
        return Examples.of(self.captions[split], self.vectors)

    def score(self, split: str, candidates: list[str]) -> dict[str, float]:
        """Corpus scores of one caption for each image of a split, in the split's order."""
        if split not in self._scorers:
            references = list(self.captions[split].values())
            self._scorers[split] = captious.Scorer(references, metrics=list(METRICS))
        found = self._scorers[split].score(candidates).corpus
        return {name: float(found[name]) for name in METRICS}

    def generate(self, captioner: Captioner, split: str, beam: int) -> list[str]:
        """Generate a captioner's captions of the images of a split."""
        images = self.vectors.take(list(self.captions[split]))
        return [one.caption for one in generate(captioner, images, beam=beam)]


def train_run(data: Flickr8k, recipe: CaptionerRecipe, folder: Path, beam: int) -> None:
    """Train one captioner, or go on with it, and write its folder."""
    (folder / "epochs").mkdir(parents=True, exist_ok=True)
    began, seconds = time.monotonic(), 0.0

    def log(at: Progress) -> None:
        nonlocal seconds
        if at.done == at.samples:
            seconds = time.monotonic() - began
            so_far = "" if at.best is None else f", best validation loss before {at.best:.4f}"
            print_with_time(f"{folder.name}: epoch {at.epoch} read after {seconds:.0f} s{so_far}")

    trained = train(
        data.examples("train"),
        data.examples("dev"),
        recipe,
        checkpoint=folder / "checkpoint.npz",
        keep_epochs=folder / "epochs",
        progress=log,
    )
    trained.model.save(folder / "captioner.npz")
    figures: dict[str, Any] = {
        "architecture": recipe.architecture,
        "seed": recipe.seed,
        "recipe": recipe.to_dict(),
        "beam": beam,
        "best": trained.best,
        "curve": list(trained.curve),
    }
    for split in ("dev", "test"):
        candidates = data.generate(trained.model, split, beam)
        columns = {"id": list(data.captions[split]), "candidate": candidates}
        write_columns(folder / f"{split}.json", columns)
        figures[split] = {
            **data.score(split, candidates),
            "different": len(set(candidates)),
            "words": float(np.mean([len(text.split()) for text in candidates])),
        }
    # Last, as it is what says that the run is done.
    (folder / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    print_with_time(
        f"{folder.name}: epoch {trained.best} of {len(trained.curve)}; test {figures['test']}"
    )


def score_published(data: Flickr8k, path: Path) -> dict[str, list[dict[str, float]]]:
    """Scores of the captions that Tanti et al.'s captioners wrote, by architecture."""
    if not path.exists():
        return {}
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        captions_of_architecture = json.load(stream)
    place = {name: number for number, name in enumerate(captions_of_architecture["images"])}
    order = [place[name] for name in data.captions["test"]]
    scores_by_architecture: dict[str, list[dict[str, float]]] = {}
    for name, captions in captions_of_architecture["captions"].items():
        architecture = name.partition("_")[0]
        if architecture in ARCHITECTURES:
            scores = data.score("test", [captions[number] for number in order])
            scores_by_architecture.setdefault(architecture, []).append(scores)
    return scores_by_architecture


def summary_table(data: Flickr8k, output: Path, compared: Path) -> str:
    """Test scores of all runs that are done, beside the published captions', as Markdown."""
    ours: dict[str, list[dict[str, float]]] = {}
    for path in sorted(output.glob("*/figures.json")):
        figures = json.loads(path.read_text())
        ours.setdefault(figures["architecture"], []).append(figures["test"])
    theirs = score_published(data, compared)
    rows = [
        [architecture, whose, str(len(runs))]
        + [_mean_and_range([scores[name] for scores in runs]) for name in METRICS]
        for architecture in ARCHITECTURES
        for whose, all_runs in (("ours", ours), ("Tanti et al.", theirs))
        if (runs := all_runs.get(architecture, []))
    ]
    return render_table(["architecture", "captions", "runs", *METRICS], rows, "markdown", 2)


def _mean_and_range(values: list[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:.3f}"
    return f"{np.mean(values):.3f} ({min(values):.3f} to {max(values):.3f})"


def print_with_time(message: str) -> None:
    """A line of the log."""
    print(f"{time.strftime('%H:%M:%S')} {message}", flush=True)


def main() -> None:
    """Run all that is not done, seed by seed, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--architectures", nargs="+", choices=ARCHITECTURES, default=ARCHITECTURES)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--beam", type=int, default=BEAM)
    options = parser.parse_args()
    import_torch().set_num_threads(1)
    data = Flickr8k(options.data / "flickr8k")
    # All architectures once before any twice, so that a look at a half-done job shows each.
    for seed, architecture in product(options.seeds, options.architectures):
        folder = options.output / f"{architecture}_{seed}"
        if not (folder / "figures.json").exists():
            recipe = default_recipe(architecture, half=True, seed=seed, epochs=options.epochs)
            train_run(data, recipe, folder, options.beam)
    table = summary_table(data, options.output, options.data / "where_image2" / "flickr8k.json.gz")
    (options.output / "table.md").write_text(table + "\n")
    print(table)


if __name__ == "__main__":
    main()
