"""What names in expressions mean: columns of the input, facts of captions, or scores."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from captious._internal.similar_names import closest_name
from captious.corpus import Corpus
from captious.diagnostics.check.evidence import seem_non_english
from captious.errors import InputError, short_repr
from captious.io.input_tables import format_names
from captious.metrics.declarations import GROUPS, METRICS
from captious.metrics.names import suggest_alternative
from captious.registry import resolve_name
from captious.samples import unique_rows
from captious.signature import Address
from captious.streaming.filtering.expression import Expression
from captious.streaming.filtering.values import Numbers, Texts, Truths, Value
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens


def _words(corpus: Corpus, tokenizer: str) -> Numbers:
    unique, rows = unique_rows(corpus.candidates)
    lengths = Analysis(unique, tokenizer).layer(Tokens).pieces.lengths
    return Numbers(lengths[rows].astype(np.float64))


def _characters(corpus: Corpus, tokenizer: str) -> Numbers:
    return Numbers(np.array([len(text) for text in corpus.candidates], np.float64))


def _reference_count(corpus: Corpus, tokenizer: str) -> Numbers:
    return Numbers(np.diff(corpus.references.offsets)[corpus.images].astype(np.float64))


def _english(corpus: Corpus, tokenizer: str) -> Truths:
    unique, rows = unique_rows(corpus.candidates)
    foreign = seem_non_english(Analysis(unique, tokenizer))[rows]
    return Truths(~foreign, np.ones_like(foreign))


def _script(corpus: Corpus, tokenizer: str) -> Texts:
    unique, rows = unique_rows(corpus.candidates)
    scripts = np.empty(len(unique), object)
    for row, caption in enumerate(unique):
        scripts[row] = main_script(caption)
    return Texts(scripts[rows])


def main_script(caption: str) -> str | None:
    """The script of most letters, of several the first one; None where there is no letter."""
    letters = Counter(filter(None, map(_script_of, unicodedata.normalize("NFKC", caption))))
    return max(letters, key=letters.__getitem__, default=None)


@lru_cache(4096)
def _script_of(letter: str) -> str | None:
    """The first word of a letter's name, which is its script in all that are written today."""
    if not letter.isalpha():
        return None
    name = re.split("[ -]", unicodedata.name(letter, "").lower())[0]
    return _IDEOGRAPHS.get(name, name) or None


_IDEOGRAPHS = {"cjk": "han", "ideographic": "han"}
FACTS: dict[str, tuple[str, Callable[[Corpus, str], Value]]] = {
    "words": ("words of the candidate, as metrics count them", _words),
    "characters": ("characters of the candidate", _characters),
    "reference_count": ("how many references the candidate has", _reference_count),
    "script": ("the script of most letters, such as 'latin', 'cyrillic' or 'han'", _script),
    "english": ("whether the candidate's words are, for the most part, English", _english),
}


@dataclass(frozen=True)
class Naming:
    """What was named: columns, facts, and for each name of a score the column that it has."""

    own: frozenset[str]
    facts: frozenset[str]
    scores: Mapping[str, str]

    @classmethod
    def of(cls, expressions: Iterable[Expression], columns: Sequence[str]) -> Naming:
        """What names mean where the input has these columns; one that means nothing is an error.

        A column of the input comes first: scores that are there already are not computed again.
        """
        own: set[str] = set()
        facts: set[str] = set()
        scores: dict[str, str] = {}
        for expression in expressions:
            for name, place in expression.names.items():
                if name in columns:
                    own.add(name)
                elif name in FACTS:
                    facts.add(name)
                else:
                    scores[name] = _column_of(name, expression, place, columns)
        return cls(frozenset(own), frozenset(facts), scores)

    def needs_scores(self, expression: Expression) -> bool:
        """Whether an expression can be worked out only once captions are scored."""
        return any(name in self.scores for name in expression.names)


def _column_of(name: str, expression: Expression, place: int, columns: Sequence[str]) -> str:
    """The column of scores that a name means."""
    try:
        address = Address.parse(name)
    except InputError:
        address = Address(name)
    if address.function or address.name.endswith(".npz"):
        return address.column
    known = resolve_name(address.name)[0]
    declared = METRICS.find(known)
    if declared is None:
        raise expression.error_at(
            place, _unknown(name, known, columns, expression.text[place] == '"')
        )
    if known in declared.columns:
        return known
    if len(declared.columns) > 1:
        raise expression.error_at(
            place,
            f"{short_repr(name)} has several columns; name one: {', '.join(declared.columns)}",
        )
    return declared.columns[0]


def _unknown(name: str, known: str, columns: Sequence[str], is_quoted: bool) -> str:
    if is_quoted and suggest_alternative(name) is None and known not in GROUPS:
        text = "'" + name.replace("'", "''") + "'"
        return (
            f"{short_repr(name)} in double quotes is a name in SQL, and no column of the input, no "
            f"fact and no metric has it; a text stands in single quotes: {text}"
        )
    if known in GROUPS:
        return (
            f"{short_repr(name)} is a group of metrics; name one of them: "
            f"{', '.join(GROUPS[known])}"
        )
    of_metrics = (column for each in METRICS.declarations for column in each.columns)
    elsewhere = suggest_alternative(name)
    if elsewhere is not None:
        return f"{short_repr(name)} is not one of our metrics; {elsewhere}"
    near = closest_name(name, (*METRICS, *of_metrics, *FACTS, *columns))
    hint = f"did you mean {short_repr(near)}?" if near else f"facts are {', '.join(FACTS)}"
    return (
        f"{short_repr(name)} is no column of the input, no fact and no metric; {hint} "
        f"(the columns are: {format_names(columns)}; `captious metrics` lists the metrics; "
        "texts stand in single quotes)"
    )
