"""Read models from files: word probabilities, generated captions and references."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from captious.errors import InputError, short_repr
from captious.io.caption_tables import ReferencesById
from captious.io.captions import read_candidates
from captious.pregen.files import read_probabilities
from captious.pregen.post_gen import GeneratedCaptions, StratumScorer
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.search_table import MODEL_KEYS
from captious.registry import Names

ONLY_RUN = "1"  # of a model whose file has no number


def model_keys(name: str, dataset: str) -> dict[str, str]:
    """Return the keys of a model in a table: `init_2` is run 2 of `init`."""
    architecture, _, run = name.rpartition("_")
    if not (architecture and run.isdecimal()):
        architecture, run = name, ONLY_RUN
    return dict(zip(MODEL_KEYS, (dataset, architecture, run), strict=True))


@dataclass(frozen=True)
class ModelFiles:
    """Files of a model's word probabilities and of its captions of the same images."""

    probabilities: str
    candidates: str

    @property
    def name(self) -> str:
        """The file's name without its endings: `init_2` of `init_2.npz` or `init_2.jsonl.gz`."""
        return Path(self.probabilities).name.partition(".")[0]

    def keys(self, dataset: str) -> dict[str, str]:
        """Return the model's keys in a table."""
        return model_keys(self.name, dataset)


@dataclass(frozen=True, eq=False)
class Model:
    """A captioner on a test set: one caption and some references for each image of `words`."""

    words: WordProbabilities
    captions: list[str]
    references: list[list[str]]
    unused: int  # captions of other images


class Scorers:
    """Scores models' captions; consecutive models on one test set share its references.

    References take longest to analyse.
    """

    def __init__(self, metrics: Names, tokenizer: str) -> None:
        self.metrics, self.tokenizer = metrics, tokenizer
        self._last: StratumScorer | None = None

    def of(self, model: Model) -> GeneratedCaptions:
        """A model's captions, to be scored in strata."""
        if self._last is None or self._last.references != model.references:
            self._last = StratumScorer(model.references, self.metrics, tokenizer=self.tokenizer)
        return self._last.of(model.captions)


def pair_model_files(probabilities: Sequence[str], candidates: Sequence[str]) -> list[ModelFiles]:
    """Pair files in the same order, and check that no model is named twice."""
    if len(probabilities) != len(candidates):
        raise InputError(
            f"{len(probabilities)} files of probabilities but {len(candidates)} of candidates; "
            "give one for each, in the same order"
        )
    models = [ModelFiles(*pair) for pair in zip(probabilities, candidates, strict=True)]
    places: dict[tuple[str, ...], ModelFiles] = {}
    for model in models:
        key = tuple(model.keys("").values())
        if key in places:
            raise InputError(
                f"{model.probabilities}: the same model as {places[key].probabilities}, by its "
                "name; name files ARCHITECTURE_RUN, as init_2.npz"
            )
        places[key] = model
    return models


def read_model(files: ModelFiles, references: ReferencesById | None, where: str) -> Model:
    """Read a model; without references of `where`, those of its file of candidates."""
    words = read_probabilities(files.probabilities)
    if words.images is None:
        raise InputError(
            f"{files.probabilities}: images have no names by which captions could be matched; "
            "write it again with the array `images`"
        )
    images = list(map(str, words.images))
    written = read_candidates(files.candidates)
    if references is None:
        references, where = written.references, files.candidates
    if references is None:
        raise InputError(
            f"{files.candidates}: no column 'references'; add one, or name a file with --references"
        )
    _check_all(images, written.captions, files, files.candidates, "caption")
    _check_all(images, references, files, where, "references")
    return Model(
        words,
        [written.captions[image] for image in images],
        [references[image] for image in images],
        len(written.captions) - len(images),
    )


def _check_all(
    images: Collection[str],
    known: Mapping[str, object],
    files: ModelFiles,
    where: str,
    what: str,
) -> None:
    absent = [image for image in images if image not in known]
    if absent:
        others = f" (and {len(absent) - 1} more images)" if len(absent) > 1 else ""
        raise InputError(
            f"{where}: no {what} of image {short_repr(absent[0])}{others}, which "
            f"{files.probabilities} "
            "has; ids must be the same in all files"
        )
