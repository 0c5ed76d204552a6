"""The ablation of Yi et al. (2020) on one benchmark, for layers and thresholds of an encoder.

    python tools/ablate_multiref.py flickr8k-expert --data D
    python tools/ablate_multiref.py composite --data D --lines TBR --layers 4 5 --betas .5 .6
    python tools/ablate_multiref.py flickr8k-expert --data D --model mpnet --layers 8 --states KEPT

T is the threshold, B the combination of references, R the recall without stop words, cat their
concatenation. With `--states`, states are kept in a folder and all layers encoded at once; without
layers and thresholds, every line has its defaults.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from captious.io.output_tables import render_table
from captious.meta import evaluate
from captious.meta.evaluation import Evaluation
from captious.meta.task import Task, read_task
from captious.metrics.base import Metric
from captious.metrics.bertscore.bertscore import BertScore
from captious.metrics.bertscore.multiref import BertScoreMultiref
from captious.metrics.unigram_multiref import UnigramMultiref
from captious.text.encoder.encoder import Encoder, load_encoder
from captious.text.encoder.onnx_encoder import OnnxEncoder
from encoder_sweep.cached_states import CachedStates
from encoder_sweep.named_metrics import create_named_metric

# Every line of the paper's tables 2 and 3, and the released variants.
WITHOUT_THRESHOLD = {"bertscore": {}, "bertscore_idf": {"idf": True}}
WITH_THRESHOLD: dict[str, dict[str, object]] = {
    "T": {"pooling": "best", "remove_stop_words": False},
    "T+cat+R": {"pooling": "concatenated"},
    "TB": {"remove_stop_words": False},
    "TBR": {},
    "TBR_released": {"variant": "released"},
}
WITHOUT_ENCODER = {"unigram": {}, "unigram_released": {"variant": "released"}}
LINES = (*WITHOUT_THRESHOLD, *WITH_THRESHOLD, *WITHOUT_ENCODER)


def build_metrics(
    chosen: Sequence[str], model: Encoder | None, layer: int | None, betas: Sequence[float | None]
) -> Iterator[Metric]:
    """Yield the metrics of the chosen table lines for one layer, each under a distinct name."""
    of_layer = {"model": model, "layer": layer}
    for name in chosen:
        if name in WITHOUT_THRESHOLD:
            yield create_named_metric(name, BertScore, **of_layer, **WITHOUT_THRESHOLD[name])
        elif name in WITHOUT_ENCODER:
            yield create_named_metric(name, UnigramMultiref, **WITHOUT_ENCODER[name])
        else:
            for beta in betas:
                label = name if beta is None else f"{name}, beta {beta:g}"
                settings = {**of_layer, "beta": beta, **WITH_THRESHOLD[name]}
                yield create_named_metric(label, BertScoreMultiref, **settings)


def cached_encoder(task: Task, model: str | None, folder: Path, layers: Sequence[int]) -> Encoder:
    """Return an encoder that reads the states of a task's captions from a folder."""
    inner = load_encoder(model)
    assert isinstance(inner, OnnxEncoder), "an encoder that tools/export_encoder.py wrote"
    encoder = CachedStates(inner, folder, layers)
    judgements = task.judgements
    encoder.cache(
        [*chain.from_iterable(judgements.captions), *chain.from_iterable(judgements.references)]
    )
    return encoder


def table_rows(evaluation: Evaluation, layer: int | None) -> Iterator[list[str]]:
    """Yield one row per metric: both taus, or each category's accuracy and their mean."""
    for row in evaluation.agreements.rows:
        yield [
            "default" if layer is None else str(layer),
            row.metric,
            *(f"{value:.3f}" for value in row.values.values()),
        ]


def main() -> None:
    """Print one row per line and layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmark")
    parser.add_argument("--data", required=True)
    parser.add_argument("--protocol", default="standard")
    parser.add_argument("--references", type=int, help="so many, 0 for all; else the protocol's")
    parser.add_argument("--lines", nargs="+", choices=LINES, default=LINES)
    parser.add_argument("--model", help="the folder of an encoder, if not the one that ships")
    parser.add_argument("--layers", type=int, nargs="+", default=[None])
    parser.add_argument("--betas", type=float, nargs="+", default=[None])
    parser.add_argument("--states", type=Path, help="a folder to keep states in")
    parser.add_argument("--only-encode", action="store_true", help="keep the states, and no more")
    options = parser.parse_args()
    task = read_task(options.benchmark, data=options.data, protocol=options.protocol)
    if options.references is not None:
        task = task.under(replace(task.protocol, references=options.references or None))
    encoder = load_encoder(options.model) if options.model else None
    if options.states:
        encoder = cached_encoder(task, options.model, options.states, options.layers)
    if options.only_encode:
        return
    rows: list[list[str]] = []
    names: list[str] = []
    for layer in options.layers:
        metrics = list(build_metrics(options.lines, encoder, layer, options.betas))
        evaluation = evaluate(task, metrics, resamples=0)
        names = ["layer", "line", *evaluation.agreements.rows[0].values]
        rows += table_rows(evaluation, layer)
    print(task.protocol)
    print(render_table(names, rows, "text"))


if __name__ == "__main__":
    main()
