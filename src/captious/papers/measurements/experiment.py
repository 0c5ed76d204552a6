"""An experiment's inputs: training captions, judged captions and networks, each computed once.

Every ablation is a choice of rows and columns of the same features, so features are extracted once
for each source of training captions and each benchmark, and kept on disk column by column.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray
from captious.errors import CaptiousWarning, InputError
from captious.meta.benchmarks import find_benchmark
from captious.meta.benchmarks.benchmark import SYSTEMS
from captious.meta.evaluation import judged
from captious.meta.judgements import Judgements, judged_texts
from captious.meta.presets import preset
from captious.meta.protocol import Protocol
from captious.metrics.learned.features import Feature, FeatureSet, extract_features
from captious.metrics.learned.published import POOLED_COLUMNS, get_feature_set
from captious.metrics.learned.weights import LearnedModel, load_model
from captious.papers.declaration import Features, Mixture, Network, Task, describe_mixture
from captious.papers.measurements.sources import Sources
from captious.papers.measurements.store import Store, hash_parts, hash_texts
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.text.vectors.word_vectors import DEFAULT, WordVectors
from captious.training.learned_metrics.dataset import TrainingSet
from captious.training.learned_metrics.recipe import Recipe, recipe_named
from captious.training.learned_metrics.training import (
    BENCHMARK,
    HELD_OUT_ACCURACY,
    PROTOCOL,
    LabelledFeatures,
    learned_metric_key,
    train,
)
from captious.training.learned_metrics.validation import Validation
from captious.version import __version__


def build_feature_set(declared: Features) -> FeatureSet:
    """A feature set from its declaration."""
    feature_set = get_feature_set(declared.feature_set)
    chosen = tuple(
        feature
        for feature in feature_set.features
        if not declared.only or feature.column in declared.only
    )
    if declared.vectors:
        chosen = _with_option(chosen, "mowe", ("vectors", declared.vectors))
    if declared.chains:
        chosen = _with_option(chosen, "hwcm", ("variant", declared.chains))
    name = f"{feature_set.name}_{'_'.join(declared.only)}" if declared.only else feature_set.name
    max_references = None if declared.unlimited else feature_set.most_references
    changed = replace(feature_set, name=name, features=chosen, most_references=max_references)
    return changed.with_pool(declared.pool, POOLED_COLUMNS)


def _with_option(
    features: tuple[Feature, ...], metric: str, option: tuple[str, str]
) -> tuple[Feature, ...]:
    """The features, those of one metric with an option of it."""
    return tuple(
        replace(feature, options=(option,)) if feature.column.startswith(metric) else feature
        for feature in features
    )


def hash_samples(captions: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    """A hash of captions with their references."""
    return hash_texts(
        text
        for caption, beside in zip(captions, references, strict=True)
        for text in (caption, *beside)
    )


Texts = Callable[[], tuple[list[str], list[list[str]]]]  # captions, and the references of each

MAX_IMAGES, MAX_QUICK_IMAGES = 7000, 400  # of each source
IMAGES_PER_HELD_OUT = 10  # one of so many images of a source is not learned from
MAX_PAIRS = (
    12_000  # of a person's caption and another, that a network sees at most, as those that ship
)
CURVE = ("loss", "accuracy", "tau", HELD_OUT_ACCURACY)
MAX_QUICK_EPOCHS = 5
MAX_QUICK_ROWS = 600  # judged captions or pairs


@dataclass(frozen=True, eq=False)
class Training:
    """A network, the validation's tau at its best epoch, and the whole curve.

    The curve has one row an epoch: mean loss, share classified rightly in training, the
    validation's tau, and the share classified rightly of captions of images held out. (The papers
    report the latter of the validation set; but Flickr8k-Expert has people's captions alone.)
    """

    model: LearnedModel
    tau: float
    epoch: int
    curve: FloatArray
    weights: Path  # where the model is kept

    @property
    def accuracy(self) -> float:
        """The share of training captions that the kept network classifies rightly."""
        return float(self.curve[self.epoch - 1, 1])

    @property
    def held_out_accuracy(self) -> float:
        """The same of captions that it did not learn from."""
        return float(self.curve[self.epoch - 1, 3])


@dataclass(frozen=True, eq=False)
class Experiment:
    """Data folder, result store and settings; `quick` is a test run on few captions and epochs."""

    data: Path
    quick: bool = False
    store: Store = field(default_factory=Store.default)
    progress: Callable[[str], None] | None = None  # progress messages
    captioners: Path | None = None  # a folder of captioners, where machines' captions are wanted
    images: int = MAX_IMAGES  # of each source of training captions
    _judged: dict[Any, Judgements] = field(default_factory=dict, init=False, repr=False)
    _keys: dict[int, str] = field(default_factory=dict, init=False, repr=False)
    _networks: dict[Network, Training] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def sources(self) -> Sources:
        """The captions to train on."""
        images = MAX_QUICK_IMAGES if self.quick else self.images
        return Sources(self.data, images, captioners=self.captioners)

    def report(self, line: str) -> None:
        """Report a progress message."""
        if self.progress is not None:
            self.progress(line)

    def load_judgements(
        self, benchmark: str, protocol: str | Protocol, **options: Any
    ) -> tuple[Judgements, Protocol]:
        """Load judgements under a protocol, and the protocol; a quick run takes an even sample."""
        chosen = preset(protocol, benchmark) if isinstance(protocol, str) else protocol
        key = (benchmark, chosen, tuple(options.items()))
        if key not in self._judged:
            judgements = judged(benchmark, data=self.data, protocol=chosen, **options)
            are_systems = (
                find_benchmark(benchmark).kind == SYSTEMS
            )  # systems are compared as wholes
            if self.quick and len(judgements) > MAX_QUICK_ROWS and not are_systems:
                rows = np.linspace(0, len(judgements) - 1, MAX_QUICK_ROWS).astype(np.int64)
                judgements = judgements.take(rows)
            self._judged[key] = judgements
        return self._judged[key], chosen

    def features(
        self, feature_set: FeatureSet, benchmark: str, protocol: str | Protocol, **options: Any
    ) -> FloatArray:
        """The features of all judged captions; of pairs, two rows each."""
        judgements, _ = self.load_judgements(benchmark, protocol, **options)
        if id(judgements) not in self._keys:  # hashing captions takes a while
            self._keys[id(judgements)] = f"judged-{hash_samples(*judged_texts(judgements))}"
        key = self._keys[id(judgements)]
        return self._columns(key, feature_set, lambda: judged_texts(judgements), benchmark)

    def training_rows(
        self, feature_set: FeatureSet, mixture: Mixture, seed: int = 0, *, held_out: bool = False
    ) -> LabelledFeatures:
        """Features and labels of a mixture of sources, as many of people as not.

        Shares are of images: each gives a person's caption and one of the source. A source's last
        images are held out: they are never among the others.
        """
        total = sum(mixture.values())
        blocks = {
            name: _training_or_held_out(self.source_rows(name, feature_set), held_out)
            for name, share in mixture.items()
            if share
        }
        if not blocks:
            raise InputError("a mixture needs a source with a share above 0")
        room = min(len(rows) // 2 * total / mixture[name] for name, (rows, _) in blocks.items())
        pairs = min(float(MAX_PAIRS), room)
        parts = []
        for place, (name, (rows, is_human)) in enumerate(blocks.items()):
            number = round(pairs * mixture[name] / total)
            order = np.random.default_rng([seed, place]).permutation(len(rows) // 2)[:number]
            # Each image has two rows, one after the other: a person's caption, then the other.
            chosen = (2 * np.sort(order)[:, None] + [0, 1]).ravel()
            parts.append((rows[chosen], is_human[chosen]))
        return LabelledFeatures(
            np.concatenate([rows for rows, _ in parts]), np.concatenate([y for _, y in parts])
        )

    def validation(self, feature_set: FeatureSet) -> Validation:
        """Flickr8k-Expert as both papers take it."""
        ratings, chosen = self.load_judgements(BENCHMARK, PROTOCOL)
        features = self.features(feature_set, BENCHMARK, PROTOCOL)
        return Validation.of(features, ratings, chosen, f"{BENCHMARK} ({PROTOCOL})")

    def network(self, declared: Network) -> Training:
        """A network as declared; its recipe is that of the paper whose features it reads."""
        if declared not in self._networks:
            feature_set, negatives = build_feature_set(declared.features), dict(declared.negatives)
            self._networks[declared] = self.train_network(
                feature_set, self.recipe(declared), negatives
            )
        return self._networks[declared]

    def recipe(self, declared: Network) -> Recipe:
        """How a network is trained: as the set of features is that it reads."""
        recipe = recipe_named(declared.features.feature_set)
        return replace(
            recipe,
            hidden=recipe.hidden if declared.hidden is None else declared.hidden,
            epochs=min(recipe.epochs, MAX_QUICK_EPOCHS) if self.quick else recipe.epochs,
            seed=declared.seed,
        )

    def train_network(self, feature_set: FeatureSet, recipe: Recipe, mixture: Mixture) -> Training:
        """Train a network on a mixture, or load the stored one."""
        rows, is_human = self.training_rows(feature_set, mixture)
        held_out = self.training_rows(feature_set, mixture, held_out=True)
        validation = self.validation(feature_set)
        key = learned_metric_key(feature_set, recipe, rows, is_human, validation, held_out)
        key = hash_parts("network", key, recipe.epochs, recipe.patience, __version__)

        def learn(weights: Path) -> list[list[float]]:
            self.report(f"training {feature_set.name} against {describe_mixture(mixture)}")
            done = train(feature_set, rows, is_human, validation, recipe, held_out=held_out)
            done.model.save(weights)
            return [[point[name] for name in CURVE] for point in done.curve]

        weights, curve = self.store.load_or_train(key, "weights", load_model, learn)
        best = int(np.argmax(curve[:, 2]))
        return Training(load_model(weights), float(curve[best, 2]), best + 1, curve, weights)

    def source_rows(
        self, source: str, feature_set: FeatureSet
    ) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
        """Return the features of one source's training captions, and which are people's."""
        key = f"source-{hash_parts(self.sources.key(source))}"

        @cache
        def build() -> TrainingSet:
            self.report(f"pairing {source} with references")
            return self.sources.training_set(source)

        if "is_human" not in self.store.get(key):
            self.store.add(key, {"is_human": build().is_human})
        is_human = self.store.get(key)["is_human"]
        rows = self._columns(
            key, feature_set, lambda: (build().candidates, build().references), source
        )
        return rows, is_human

    def _columns(
        self, key: str, feature_set: FeatureSet, texts: Texts, source_name: str
    ) -> FloatArray:
        """Features, one a column; those that are not kept yet are extracted together."""
        max_references = feature_set.most_references
        names = {
            feature: hash_parts(
                feature.metric().signature(),
                feature.column,
                feature.pool,
                max_references,
                __version__,
            )
            for feature in feature_set.features
        }
        columns = self.store.get(key)
        missing = tuple(feature for feature, name in names.items() if name not in columns)
        if missing:
            self.report(f"extracting {len(missing)} features of {source_name}")
            captions, references = texts()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CaptiousWarning)
                missing_features = replace(feature_set, name="missing", features=missing)
                values = extract_features(missing_features, captions, references)
            self.store.add(key, {names[f]: values[:, place] for place, f in enumerate(missing)})
            columns = self.store.get(key)
        return np.stack([columns[name] for name in names.values()], axis=1)


def _training_or_held_out(
    block: tuple[FloatArray, npt.NDArray[np.bool_]], held_out: bool
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """The images of a block that are held out, or all others."""
    rows, is_human = block
    images = len(rows) // 2
    training = images - max(images // IMAGES_PER_HELD_OUT, 1)
    part = slice(2 * training, None) if held_out else slice(2 * training)
    return rows[part], is_human[part]


def build_protocol(task: Task) -> Protocol:
    """The protocol of a task: a paper's, perhaps with other references."""
    protocol = preset(task.protocol, task.benchmark)
    protocol = replace(protocol, joined=protocol.joined or task.joined)
    if task.references is not None:
        protocol = replace(protocol, references=task.references)
    return protocol if task.seed is None else replace(protocol, seed=task.seed)


def benchmark_options(task: Task) -> dict[str, Any]:
    """How the benchmark of a task is read."""
    return {"all_references": True} if task.all_references else {}


def vector_files(experiment: Experiment, folder: str) -> dict[str, Path | None]:
    """Vectors by name; none stands for those that ship."""
    files: dict[str, Path | None] = {DEFAULT: None, "caption space": _caption_space(experiment)}
    for path in sorted((experiment.data / folder).glob("*.npz")):
        files[WordVectors.load(path).name] = path
    return files


def _caption_space(experiment: Experiment) -> Path:
    """The caption space's vectors of the words that ship with vectors, as a file of vectors."""
    space = CaptionSpace.load()
    path = experiment.store.path(f"vectors-{space.signature.replace('@', '-')}.npz")
    if not path.is_file():
        words = WordVectors.load().words
        values = np.asarray(space.of_words(words), np.float32)
        WordVectors.of("caption-space", words, values).save(path)
    return path
