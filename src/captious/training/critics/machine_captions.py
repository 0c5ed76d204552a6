"""Machine captions for critics: captioners' beam-search and sampled captions of images."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from captious._internal.backends.pytorch import import_torch, single_thread
from captious.captioners.captioner import Captioner
from captious.captioners.generation import Progress, generate, sample
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.metrics.leic.recipe import MACHINE, SAMPLED

BEAM, TEMPERATURE = 3, 1.0
FILE = "captioner.npz"  # of a run with a folder of its own
# A function of a captioner, images, a seed and a progress callback: one caption per image.
Writer = Callable[[Captioner, ImageVectors, int, Progress | None], list[str]]


def captioner_files(folder: str | Path) -> dict[str, Path]:
    """The captioners in a folder by name: `NAME.npz`, and `NAME/captioner.npz`."""
    folder = Path(folder)
    files = {path.stem: path for path in sorted(folder.glob("*.npz"))}
    for path in sorted(folder.glob(f"*/{FILE}")):
        if path.parent.name in files:
            raise InputError(f"{folder}: two captioners are named {path.parent.name!r}; rename one")
        files[path.parent.name] = path
    if not files:
        raise InputError(
            f"{folder}: no captioners in it, *.npz or */{FILE}; train some with `captious "
            "captioner train`"
        )
    return files


def best_captions(
    captioner: Captioner, images: ImageVectors, seed: int = 0, progress: Progress | None = None
) -> list[str]:
    """Write one caption of each image by beam search, which is deterministic."""
    with single_thread(import_torch()):
        written = generate(captioner, images, beam=BEAM, progress=progress)
    return [caption.caption for caption in written]


def sampled_captions(
    captioner: Captioner, images: ImageVectors, seed: int = 0, progress: Progress | None = None
) -> list[str]:
    """Write one caption of each image, its words sampled by their probability."""
    with single_thread(import_torch()):
        written = sample(captioner, images, temperature=TEMPERATURE, seed=seed, progress=progress)
    return [caption.caption for (caption,) in written]


WRITERS: dict[str, Writer] = {MACHINE: best_captions, SAMPLED: sampled_captions}


def write_machine_captions(
    captioners: Mapping[str, Captioner],
    images: ImageVectors,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, dict[str, list[str]]]:
    """Write one caption per captioner, by kind and image, in the order of the captioners.

    Each captioner draws with a seed of its own: the first with `seed`, the next with one more.
    """
    if not captioners:
        raise InputError("no captioners to write captions")
    by_kind: dict[str, dict[str, list[str]]] = {}
    for kind, write in WRITERS.items():
        captions_by_captioner = [
            write(captioner, images, seed + place, progress)
            for place, captioner in enumerate(captioners.values())
        ]
        by_image = zip(*captions_by_captioner, strict=True)
        by_kind[kind] = {
            name: list(captions) for name, captions in zip(images.names, by_image, strict=True)
        }
    return by_kind
