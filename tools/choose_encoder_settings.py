"""Which layer and which threshold suit an encoder, judged by training captions alone.

    python tools/choose_encoder_settings.py D/coco/captions_train2014.json.gz --states build/states
    python tools/choose_encoder_settings.py CAPTIONS --states build/states --model mpnet

The rule is in docs/metrics/bertscore_multiref.md: of every setting, how often a caption that fits
its image scores higher than a wrong caption of any image, over three kinds of wrong captions. No
human judgement is looked at.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from captious import Scorer
from captious.metrics.base import Metric
from captious.metrics.bertscore.bertscore import BertScore
from captious.metrics.bertscore.multiref import BertScoreMultiref
from captious.metrics.parameters import PAPER, RELEASED
from captious.text.encoder.encoder import Encoder, load_encoder
from captious.text.encoder.onnx_encoder import OnnxEncoder
from encoder_sweep.cached_states import CachedStates
from encoder_sweep.named_metrics import create_named_metric
from encoder_sweep.wrong_captions import KINDS, Trial, build_trial, read_pool

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(20))


def win_rates(metrics: Sequence[Metric], trial: Trial) -> Iterator[dict[str, float]]:
    """Yield per metric how often right captions outscore wrong ones, by kind of wrong caption."""
    images = np.arange(len(trial.references)).tolist()
    scorer = Scorer(dict(enumerate(trial.references)), metrics, cache=False)
    caption_sets = {"right": trial.right, **trial.wrong}
    candidates = [caption for captions in caption_sets.values() for caption in captions]
    result = scorer.score(candidates, images * len(caption_sets))
    for metric in metrics:
        right, *wrong = np.split(result.samples[metric.columns[0]], len(caption_sets))
        yield {kind: win_rate(right, other) for kind, other in zip(trial.wrong, wrong, strict=True)}


def win_rate(right: NDArray[np.float64], wrong: NDArray[np.float64]) -> float:
    """Return the share of pairs in which the right score is higher; a tie counts one half."""
    ordered = np.sort(wrong)
    below = np.searchsorted(ordered, right, "left") + np.searchsorted(ordered, right, "right")
    return float(below.mean() / 2 / len(wrong))


def build_metrics(encoder: Encoder, layer: int) -> dict[tuple[str, float], Metric]:
    """Build every metric of a layer, by variant and threshold."""
    layer_options = {"model": encoder, "layer": layer}
    return {
        ("bertscore", 0.0): create_named_metric("bertscore", BertScore, **layer_options),
        **{
            (kind, beta): create_named_metric(
                f"{kind} {beta}", BertScoreMultiref, beta=beta, variant=kind, **layer_options
            )
            for kind in (PAPER, RELEASED)
            for beta in THRESHOLDS
        },
    }


def mean_win_rate(by_kind: Mapping[str, float]) -> float:
    """Return the mean over the kinds of wrong captions."""
    return float(np.mean([by_kind[kind] for kind in KINDS]))


def main() -> None:
    """Print one line per setting, then the setting that each variant's rule chooses."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("captions", type=Path, help="COCO's training captions")
    parser.add_argument("--states", type=Path, required=True, help="a folder to keep states in")
    parser.add_argument("--model", help="the folder of an encoder, if not the one that ships")
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--layers", type=int, nargs="+")
    options = parser.parse_args()
    inner = load_encoder(options.model)
    assert isinstance(inner, OnnxEncoder), "an encoder that tools/export_encoder.py wrote"
    layers = options.layers or list(range(inner.layers + 1))
    trial = build_trial(read_pool(options.captions), options.images)
    print(f"{len(trial.right)} images")
    encoder = CachedStates(inner, options.states, layers)
    encoder.cache(trial.captions)
    best: dict[str, tuple[float, int, float]] = {}
    for layer in layers:
        metrics = build_metrics(encoder, layer)
        rates = win_rates(list(metrics.values()), trial)
        for (kind, beta), by_kind in zip(metrics, rates, strict=True):
            row = "  ".join(f"{name} {share:.4f}" for name, share in by_kind.items())
            print(
                f"layer {layer:2}  {kind:9}  beta {beta:.2f}  {row}  {mean_win_rate(by_kind):.4f}"
            )
            best[kind] = max(best.get(kind, (0.0, 0, 0.0)), (mean_win_rate(by_kind), layer, beta))
    for kind, (highest, layer, beta) in best.items():
        print(f"{kind}: layer {layer}, beta {beta:.2f} ({highest:.4f})")


if __name__ == "__main__":
    main()
