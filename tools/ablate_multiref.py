"""The ablation of Yi et al. (2020) with the encoder that ships, on one benchmark.

    python tools/ablate_multiref.py flickr8k-expert --data D
    python tools/ablate_multiref.py composite --data D --lines bertscore TBR --layer 4

T is the threshold, B the combination of references, R the recall without stop words, cat their
concatenation. All lines share one encoding of the captions.
"""

from __future__ import annotations

import argparse

from captious.meta import evaluate
from captious.metrics.base import Metric
from captious.metrics.bertscore.bertscore import BertScore
from captious.metrics.bertscore.multiref import BertScoreMultiref
from captious.metrics.unigram_multiref import UnigramMultiref


def lines(layer: int | None, beta: float | None) -> dict[str, Metric]:
    """Every line of the paper's tables 2 and 3, and the released variants."""
    ours = {"layer": layer, "beta": beta}
    return {
        "bertscore": _named("bertscore", BertScore, layer=layer),
        "bertscore_idf": _named("bertscore_idf", BertScore, layer=layer, idf=True),
        "T": _named("T", BertScoreMultiref, pooling="best", remove_stop_words=False, **ours),
        "T+cat+R": _named("T+cat+R", BertScoreMultiref, pooling="concatenated", **ours),
        "TB": _named("TB", BertScoreMultiref, remove_stop_words=False, **ours),
        "TBR": _named("TBR", BertScoreMultiref, **ours),
        "TBR_released": _named("TBR_released", BertScoreMultiref, variant="released", **ours),
        "unigram": _named("unigram", UnigramMultiref),
        "unigram_released": _named("unigram_released", UnigramMultiref, variant="released"),
    }


def _named(name: str, kind: type[Metric], **options: object) -> Metric:
    """A metric under a name of its own, so that several settings can be scored together."""
    columns = (name, *(f"{name}{column.removeprefix(kind.name)}" for column in kind.columns[1:]))
    metric: Metric = type(name, (kind,), {"name": name, "columns": columns})(**options)
    return metric


def main() -> None:
    """Print one row a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmark")
    parser.add_argument("--data", required=True)
    parser.add_argument("--protocol", default="standard")
    parser.add_argument("--lines", nargs="+", choices=list(lines(None, None)))
    parser.add_argument("--layer", type=int)
    parser.add_argument("--beta", type=float)
    options = parser.parse_args()
    every = lines(options.layer, options.beta)
    chosen = [every[name] for name in options.lines or every]
    print(evaluate(options.benchmark, chosen, data=options.data, protocol=options.protocol))


if __name__ == "__main__":
    main()
