"""Diversity of systems' captions, beside the scores of `captious score` and `compare`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from typing import Any

from captious.cli.output import note
from captious.corpus import Corpus, ReferenceColumns, id_as_text
from captious.diagnostics.diversity.diversity import Diversities
from captious.diagnostics.diversity.measuring import diversities
from captious.diagnostics.diversity.self_cider import SelfCider
from captious.errors import InputError
from captious.io.caption_tables import ReadOptions
from captious.io.training_captions import read_training_captions
from captious.metrics.parameters import make_metric
from captious.result import Result
from captious.signature import Address, Signature
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import PERCENTILE
from captious.text.languages import ENGLISH


class DiversityMeasurement:
    """Measures diversity as options say; checks them and reads --training when it is made."""

    def __init__(self, options: argparse.Namespace, address: Address) -> None:
        parameters = {} if options.df is None else {"df": options.df}
        self._self_cider = make_metric(SelfCider, address, parameters)
        reading = ReadOptions(report=partial(note, options))
        path = options.training
        self._training = None if path is None else read_training_captions(path, reading)
        self._bootstrap: dict[str, Any] = {
            "method": options.interval or PERCENTILE,
            "resamples": options.resamples or RESAMPLES,
            "seed": getattr(options, "seed", SEED),
        }

    def measure(
        self, systems: Mapping[str, Corpus], tokenizer: str | None, language: str
    ) -> Diversities:
        """Measure the diversity of the systems' captions."""
        return diversities(
            systems,
            training=self._training,
            references=_join_references(systems),
            df=self._self_cider.df,
            variant=self._self_cider.variant,
            tokenizer=tokenizer,
            language=language,
            **self._bootstrap,
        )

    def measure_results(self, results: Mapping[str, Result]) -> Diversities:
        """Measure the diversity of scored captions, tokenized as the scores' signatures say."""
        tokenizations = {
            _parse_tokenizer_and_language(result.signature) for result in results.values()
        }
        if len(tokenizations) > 1:
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
        return self.measure(captions, *tokenizations.pop())


def _join_references(systems: Mapping[str, Corpus]) -> ReferenceColumns | None:
    """Join the references of all images that any system describes."""
    by_id: dict[str, list[str]] = {}
    for corpus in systems.values():
        columns = corpus.references
        by_id |= zip(map(id_as_text, columns.ids), columns.sets(), strict=True)
    if not any(by_id.values()):
        return None
    return ReferenceColumns.from_sets(list(by_id), list(by_id.values()))


def _parse_tokenizer_and_language(signature: str) -> tuple[str | None, str]:
    """Return the tokenizer and language that a signature states, or the defaults."""
    try:
        parsed = Signature.parse(signature)
    except InputError:
        return None, ENGLISH
    return parsed.tokenizer, parsed.language or ENGLISH
