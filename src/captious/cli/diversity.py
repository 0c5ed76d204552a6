"""Diversity of captions: its options, and its measurement beside scores."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from typing import Any

from captious.cli.options import AddOption
from captious.cli.output import note
from captious.corpus import Corpus, ReferenceColumns, id_text
from captious.diagnostics.diversity.diversity import Diversities
from captious.diagnostics.diversity.measuring import diversities
from captious.diagnostics.diversity.self_cider import SelfCider
from captious.errors import InputError
from captious.io.caption_tables import ReadOptions
from captious.io.training_captions import read_training_captions
from captious.metrics.names import DIVERSITY, normalize_name
from captious.metrics.parameters import make_metric
from captious.result import Result
from captious.signature import Address, Signature, parse_addresses
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import PERCENTILE
from captious.text.languages import ENGLISH

PER_SAMPLE_OPTIONS = (
    "output",
    "by",
    "images",
    "report",
)  # options that ask for something of each sample


def declare_training(add_option: AddOption) -> None:
    """Add what diversity alone looks at."""
    add_option(
        "--training",
        "captions that the systems were trained on, in a file of any form: diversity reports the "
        "share of novel captions",
        metavar="FILE",
    )


class DiversityMeasurement:
    """The diversity that a command was asked for: checked, and the training set read, at once."""

    def __init__(self, options: argparse.Namespace, address: Address) -> None:
        given = {} if options.df is None else {"df": options.df}
        self._self_cider = make_metric(SelfCider, address, given)
        reading = ReadOptions(report=partial(note, options))
        path = options.training
        self._training = None if path is None else read_training_captions(path, reading)
        self._drawn: dict[str, Any] = {
            "method": options.interval or PERCENTILE,
            "resamples": options.resamples or RESAMPLES,
            "seed": getattr(options, "seed", SEED),
        }

    def measure(
        self, systems: Mapping[str, Corpus], tokenizer: str | None, language: str
    ) -> Diversities:
        """What the systems' captions are like."""
        return diversities(
            systems,
            training=self._training,
            references=_references(systems),
            df=self._self_cider.df,
            variant=self._self_cider.variant,
            tokenizer=tokenizer,
            language=language,
            **self._drawn,
        )

    def measure_results(self, results: Mapping[str, Result]) -> Diversities:
        """The same of results that kept their captions, cut as the scores' signatures say."""
        cuts = {_tokenizer_and_language(result.signature) for result in results.values()}
        if len(cuts) > 1:
            raise InputError(
                "--diversity: the systems were scored with different tokenizers or languages; "
                "score them alike"
            )
        captions: dict[str, Corpus] = {}
        for name, result in results.items():
            if result.captions is None:
                raise InputError(
                    f"{name}: no captions beside the scores, which --diversity needs; score again "
                    "without --no-captions"
                )
            captions[name] = result.captions
        return self.measure(captions, *cuts.pop())


def split_off_diversity(
    options: argparse.Namespace,
) -> tuple[str | None, DiversityMeasurement | None]:
    """The metrics without the group `diversity`, and that group if it is among them.

    Where nothing else was asked for, no metrics are left, and options of samples are errors.
    """
    addresses = [] if options.metrics is None else list(parse_addresses(options.metrics))
    asked = [each for each in addresses if normalize_name(each.name) == DIVERSITY]
    if not asked:
        if options.training is not None:
            raise InputError("--training: only diversity uses it; add diversity to --metrics")
        return options.metrics, None
    if len(asked) > 1:
        raise InputError(f"{DIVERSITY}: asked for twice; score twice to compare settings")
    others = ",".join(str(each) for each in addresses if each not in asked)
    for name in PER_SAMPLE_OPTIONS if not others else ():
        if getattr(options, name, None) is not None:
            raise InputError(
                f"--{name}: {DIVERSITY} alone scores no samples; name metrics, too, or leave it out"
            )
    return others, DiversityMeasurement(options, asked[0])


def _references(systems: Mapping[str, Corpus]) -> ReferenceColumns | None:
    """The references of all images that any system describes."""
    by_id: dict[str, list[str]] = {}
    for corpus in systems.values():
        columns = corpus.references
        by_id |= zip(map(id_text, columns.ids), columns.sets(), strict=True)
    if not any(by_id.values()):
        return None
    return ReferenceColumns.joined(list(by_id), list(by_id.values()))


def _tokenizer_and_language(signature: str) -> tuple[str | None, str]:
    """The tokenizer and the language of scores; the usual ones where nothing says so."""
    try:
        stated = Signature.parse(signature)
    except InputError:
        return None, ENGLISH
    return stated.tokenizer, stated.language or ENGLISH
