"""Train the critics that ship as `leic`: of image and reference, and of the reference alone.

    python tools/train_leic.py --captioners RUNS [--data DATA]

RUNS holds captioners as `tools/train_captioners.py` leaves them: their captions of Flickr8k's
training and dev images, the best and drawn ones, are what critics learn to tell from people's,
beside people's captions of other images, permuted words and random words. Epochs are chosen on the
dev images; `leic_as_released`, which is trained when it is named, keeps its last. No test image and
no human judgement is read. Some ten minutes a critic on one core; what was written, and every
epoch, is kept in WORK, so that a stopped command goes on when given again, to the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from captious.captioners.captioner import load_captioner
from captious.images.vectors import ImageVectors, read_image_vectors
from captious.io.atomic_files import atomic_write
from captious.io.training_captions import read_image_captions
from captious.metrics.leic.critic import Critic
from captious.metrics.leic.recipe import REFERENCE, CriticRecipe, released_recipe
from captious.metrics.parameters import PAPER, RELEASED
from captious.resources import LEARNED
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.machine_captions import captioner_files, write_machine_captions
from captious.training.critics.training import train
from captious.training.learned_metrics.model_card import card_path, write_model_card
from captious.training.loop import Progress, TrainingResult

REPOSITORY = Path(__file__).resolve().parents[1]
PARTS = ("train", "dev")
RECIPE = CriticRecipe(half=True)
CRITICS = {
    "leic": RECIPE,
    "leic_reference": replace(RECIPE, context=REFERENCE),
    "leic_released": replace(RECIPE, variant=RELEASED),
}
# Trained when named, and not shipped: the released code's whole recipe, for comparison.
COMPARED = {"leic_as_released": released_recipe(half=True)}
CAPTIONERS = {"leic_as_released": 1}  # the first: that code learns against one; others, all


def main() -> None:
    """Read, write captions, train, save."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    every = {**CRITICS, **COMPARED}
    add("names", nargs="*", help=f"only these of {', '.join(every)}")
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="with flickr8k/")
    add("--captioners", type=Path, required=True, help="the folder of tools/train_captioners.py")
    add("--work", type=Path, default=Path("leic_work"), help="for captions and checkpoints")
    add("--output", type=Path, default=LEARNED, help="the folder for weights and cards")
    add("--seed", type=int, default=0, help="of those that are compared; others have what ships")
    options = parser.parse_args()
    for name in options.names:
        if name not in every:
            parser.error(f"unknown critic {name!r}; there are: {', '.join(every)}")
    options.work.mkdir(parents=True, exist_ok=True)
    folder = options.data / "flickr8k"
    vectors = read_image_vectors(folder / "efficientnet_lite2.npz")
    people = {
        part: read_image_captions(
            folder / "Flickr8k.token.txt", folder / f"Flickr_8k.{part}Images.txt"
        )
        for part in PARTS
    }
    machines = {
        part: cached_captions(
            options.work / f"{part}.json", options.captioners, vectors, list(people[part])
        )
        for part in PARTS
    }
    for asked in options.names or CRITICS:
        recipe, name = every[asked], asked
        if asked in COMPARED and options.seed:
            recipe, name = replace(recipe, seed=options.seed), f"{asked}_{options.seed}"
        began = time.monotonic()
        captions = [
            CriticCaptions.of(
                people[part], select_captioners(machines[part], CAPTIONERS.get(asked)), vectors
            )
            for part in PARTS
        ]

        def log(at: Progress, name: str = name) -> None:
            if at.done == at.samples:
                so_far = "" if at.best is None else f", lowest dev loss before {at.best:.4f}"
                print(f"{name}: epoch {at.epoch} read{so_far}", file=sys.stderr)

        trained = train(
            captions[0],
            captions[1],
            recipe,
            checkpoint=options.work / f"{name}.npz",
            progress=log,
        )
        folder = options.output if name in CRITICS else options.work / "compared"
        folder.mkdir(exist_ok=True)
        path = folder / f"{name}.npz"
        trained.model.save(path)
        write_model_card(card_path(path), model_card(name, trained, captions))
        minutes = (time.monotonic() - began) / 60
        size = path.stat().st_size
        print(f"{name}: epoch {trained.best}, {minutes:.1f} minutes, {size:,} bytes: {path}")


def cached_captions(
    path: Path, captioners: Path, vectors: ImageVectors, names: list[str]
) -> dict[str, dict[str, list[str]]]:
    """Read captioners' captions of images from a file, or generate and write them."""
    if not path.exists():
        loaded = {name: load_captioner(file) for name, file in captioner_files(captioners).items()}
        print(f"{path}: captions by {', '.join(loaded)}", file=sys.stderr)
        captions = write_machine_captions(loaded, vectors.take(names))
        with atomic_write(path) as stream:
            stream.write(json.dumps(captions).encode())
    stored: dict[str, dict[str, list[str]]] = json.loads(path.read_text("utf-8"))
    return stored


def select_captioners(
    machines: dict[str, dict[str, list[str]]], number: int | None
) -> dict[str, dict[str, list[str]]]:
    """Select the captions of the first captioners, or of all."""
    return {
        kind: {image: captions[:number] for image, captions in by_image.items()}
        for kind, by_image in machines.items()
    }


def model_card(name: str, trained: TrainingResult[Critic], captions: list[CriticCaptions]) -> str:
    """Return the model card of the weights."""
    recipe = trained.model.recipe
    machines = len(captions[0].machines["machine"].words) // len(captions[0].names)
    sees = "image and reference" if recipe.uses_images else "reference"
    return CARD.format(
        name=name,
        sees=sees,
        fusion=recipe.fusion,
        fingerprint=trained.model.fingerprint,
        images=len(captions[0].names),
        dev=len(captions[1].names),
        captions=len(captions[0].people.words),
        machines=f"{machines} captioner{'s' if machines > 1 else ''}",
        words=len(trained.model.vocabulary.words),
        often="all"
        if recipe.least_count == 1
        else f"those that occur {recipe.least_count} times or more",
        kept="the last" if recipe.as_released else "the one with the lowest loss on the dev images",
        recipe="\n".join(f"| {key} | {value} |" for key, value in recipe.to_dict().items()),
        curve="\n".join(
            f"| {number} | {epoch['loss']:.4f} | {epoch['validation_loss']:.4f} | "
            f"{epoch['performance']:.4f} |"
            for number, epoch in enumerate(trained.curve, 1)
        ),
        best=trained.best,
        performance=trained.best_point["performance"],
        released=AS_RELEASED if recipe.as_released else LONG if recipe.variant != PAPER else "",
    )


LONG = """- As in the released code, captions of 15 words or more have zeros for a vector.
"""
AS_RELEASED = """- As in the released code, captions of 15 words or more have zeros for a vector, in
  training and in scoring; an epoch has one caption of each image; there is no second task; the last
  epoch is kept.
- Of the released code's own data there are none here: COCO's images, ResNet-152's vectors, GloVe's
  of 300 numbers (these begin at 100), and captions of the captioners that it was run on.
"""

CARD = """# {name}

A critic after Cui et al. (2018): it reads the candidate in the context of {sees}, and
says how likely it is that a person wrote it of this image. Fusion: {fusion}. Fingerprint
{fingerprint}.

**Data.** Flickr8k's {images:,} training images with people's {captions:,} captions; of each image
one best caption and one drawn at random of {machines}, trained on the same images;
people's captions of other images; captions with words permuted or replaced. {words:,} words,
{often}. Image vectors: EfficientNet-Lite2, centre crop. No test image, no human judgement.

**Recipe**

| choice | value |
| --- | --- |
{recipe}

**Figures.** Epoch {best} was kept: {kept}. Performance is equation
10's, on the {dev:,} dev images: the mean chance given to the truth, half people's captions, half
others; at the kept epoch {performance:.3f}.

| epoch | loss | dev loss | dev performance |
| --- | --- | --- | --- |
{curve}

**Limits.**
- It was trained on few subjects (people and dogs, mostly outdoors), words and captioners, all of
  them small. Errors that no negative contains it cannot have learned.
- English captions of photographs; words after the fifteenth are ignored.
- Scores are probabilities under the mixture of captions above, not under yours.
{released}
**Rebuild**: `make critics`, which is `python tools/train_leic.py --captioners RUNS` after
`python tools/train_captioners.py DATA --output RUNS --architectures init par --seeds 0`.
"""

if __name__ == "__main__":
    main()
