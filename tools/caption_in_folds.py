"""Caption Flickr8k's training images with weak captioners that have not seen them.

    python tools/caption_in_folds.py DATA --output RUNS/in_folds

For each run, such as `init_0`, one captioner learns from every second training image and captions
the others, and a second one the other way round: none captions an image that it learned from. Each
stops early, after the first epoch whose captions of the dev images have a CIDEr-D of .3 or more.
The folder gets a file of captions a run, `init_0.json`, and its figures; `captious reproduce lceval
--captioners RUNS` trains networks on them. A run that is done is skipped and one that was stopped
goes on. Needs PyTorch; one core is enough.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from captious._internal.backends.pytorch import import_torch
from captious.captioners.captioner import Captioner, load_captioner
from captious.captioners.examples import Examples
from captious.captioners.generation import generate
from captious.captioners.recipe import ARCHITECTURES, CaptionerRecipe, default_recipe
from captious.io.formats import write_columns
from captious.training.captioners.training import train
from train_captioners import BEAM, Flickr8k, print_with_time

FOLDS = 2
ENOUGH_CIDER_D = 0.3  # of a captioner's captions of the dev images, to stop
MAX_EPOCHS = 8


def fold_images(data: Flickr8k, fold: int) -> list[str]:
    """The training images of a fold: every second one."""
    return list(data.captions["train"])[fold::FOLDS]


def train_weak_captioner(
    data: Flickr8k, recipe: CaptionerRecipe, fold: int, folder: Path
) -> tuple[Captioner, dict[str, Any]]:
    """Train on all folds but one until captions are good enough; also return the figures."""
    folder.mkdir(parents=True, exist_ok=True)
    unseen = set(fold_images(data, fold))
    seen = {name: texts for name, texts in data.captions["train"].items() if name not in unseen}
    examples, validation = Examples.of(seen, data.vectors), data.examples("dev")
    for epoch in range(1, MAX_EPOCHS + 1):
        path = folder / f"epoch_{epoch:02}.npz"
        if not path.exists():
            train(
                examples,
                validation,
                replace(recipe, epochs=epoch),
                checkpoint=folder / "checkpoint.npz",
                keep_epochs=folder,
            )
        captioner = load_captioner(path)
        scores = data.score("dev", data.generate(captioner, "dev", BEAM))
        print_with_time(f"{folder.name}: epoch {epoch}: dev CIDEr-D {scores['cider_d']:.3f}")
        if scores["cider_d"] >= ENOUGH_CIDER_D:
            break
    return captioner, {"epoch": epoch, "dev": scores}


def caption_run(data: Flickr8k, recipe: CaptionerRecipe, output: Path, name: str) -> None:
    """Write the captions of all training images by the captioners of one run."""
    captions: dict[str, str] = {}
    figures: dict[str, Any] = {"recipe": recipe.to_dict(), "beam": BEAM, "folds": []}
    for fold in range(FOLDS):
        captioner, of_fold = train_weak_captioner(
            data, recipe, fold, output / "folds" / f"{name}_fold_{fold}"
        )
        images = data.vectors.take(fold_images(data, fold))
        texts = [one.caption for one in generate(captioner, images, beam=BEAM)]
        captions |= dict(zip(images.names, texts, strict=True))
        figures["folds"].append(of_fold)
    ordered = {image: captions[image] for image in data.captions["train"]}
    figures["train"] = {**data.score("train", list(ordered.values()))}
    figures["different"] = len(set(ordered.values()))
    (output / "folds" / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n")
    # Last, as it is what says that the run is done.
    write_columns(
        output / f"{name}.json", {"id": list(ordered), "candidate": list(ordered.values())}
    )
    print_with_time(f"{name}: {figures['train']}, {figures['different']} different captions")


def main() -> None:
    """Run all that is not done, seed by seed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--architectures", nargs="+", choices=ARCHITECTURES, default=ARCHITECTURES)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    options = parser.parse_args()
    import_torch().set_num_threads(1)
    data = Flickr8k(options.data / "flickr8k")
    for seed, architecture in product(options.seeds, options.architectures):
        name = f"{architecture}_{seed}"
        if not (options.output / f"{name}.json").exists():
            recipe = default_recipe(architecture, half=True, seed=seed)
            caption_run(data, recipe, options.output, name)


if __name__ == "__main__":
    main()
