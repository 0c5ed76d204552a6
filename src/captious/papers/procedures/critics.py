"""LEIC's critics: captions told apart, and curves of scores as captions are made worse."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain

import numpy as np

from captious.images.vectors import ImageVectors
from captious.meta.robustness.pathological import STRENGTHS
from captious.metrics.leic.recipe import MACHINE
from captious.papers.declaration import CROP, FLICKR8K, AnyMetric, TrainedCritic
from captious.papers.measurements.caption_datasets import CAPTION_DATASETS, DEV, CaptionDataset
from captious.papers.measurements.critics import (
    MAX_EPOCHS,
    CriticTrainer,
    CriticTraining,
    critic_recipe,
    describe_training,
)
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.scoring import DeclarationScorer
from captious.papers.measurements.store import hash_parts, hash_texts
from captious.papers.result import Panel, PartResult, Table, Value
from captious.scorer import Scorer
from captious.version import __version__

PEOPLE, OTHER = "people", "people, other images"


def measure_capability(
    experiment: Experiment,
    critics: Mapping[tuple[str, str, str], TrainedCritic],
    dataset_name: str = FLICKR8K,
    split: str = DEV,
) -> PartResult:
    """Mean scores of critics, by context, fusion and augmentation, for each group of captions.

    Critics of a view of the images that the data do not have are left out.
    """
    dataset = CAPTION_DATASETS[dataset_name](experiment)
    captions = CaptionsByGroup(dataset, split)
    rows: list[list[Value]] = []
    means_by_critic: dict[str, dict[str, float]] = {}
    best_epochs: list[int] = []
    for (context, fusion, label), critic in critics.items():
        if critic.view != CROP and not dataset.has_view(critic.view):
            continue
        recipe = critic_recipe(critic.context, critic.fusion, critic.negatives)
        trained = CriticTrainer(experiment, dataset_name, critic.view).train(recipe)
        best_epochs.append(trained.epoch)
        means = captions.means(trained, critic.view)
        group_means = [means[group] for group in captions.groups]
        rows.append([context, fusion, label, *group_means, performance(means)])
        suffix = ", unaugmented" if label == "without" else ""
        means_by_critic[f"{context}, {fusion}{suffix}"] = means
    table = Table(
        f"Mean score by whose captions, of {len(dataset.people(split)):,} {split} images "
        f"of {dataset_name}, and performance (equation 10)",
        ["context", "fusion", "augmentation", *captions.groups, "performance"],
        rows,
        texts=3,
    )
    panels = tuple(
        Panel(
            title,
            f"mean score of {whose}",
            "mean score of people's captions",
            {name: ((means[group], means[PEOPLE]),) for name, means in means_by_critic.items()},
            joined=False,
        )
        for title, whose, group in (
            ("People and machines", "machines' captions", MACHINE),
            ("The image and another", "people's captions of other images", OTHER),
        )
    )
    machines = ", ".join(dataset.machine_captions(split, MACHINE))
    settings = (
        describe_training(experiment, dataset_name),
        f"systems, {dataset_name}: {machines}",
        f"{best_epochs.count(MAX_EPOCHS)} of {len(best_epochs)} critics on {dataset_name} have "
        "their lowest validation loss in the last epoch allowed",
    )
    return PartResult((table,), panels, settings)


def performance(means: dict[str, float]) -> float:
    """Equation 10, people's and machines' captions in equal numbers."""
    return (means[PEOPLE] + 1 - means[MACHINE]) / 2


class CaptionsByGroup:
    """Captions of a split's images by whose they are, for critics to score."""

    def __init__(self, dataset: CaptionDataset, split: str = DEV) -> None:
        self._dataset = dataset
        self.groups = (PEOPLE, *dataset.kinds, OTHER)
        people = dataset.people(split)
        self._names = list(people)
        self._references: list[list[str]] = []
        self._images: list[str] = []  # of each set of references
        self._captions: list[str] = []
        self._sets: list[int] = []  # of references, of each caption
        self._groups: list[str] = []
        for name, captions in people.items():
            for place, caption in enumerate(captions):
                self._references.append([*captions[:place], *captions[place + 1 :]])
                self._images.append(name)
                self._add(PEOPLE, caption)
        machine_captions = {kind: dataset.machines(split, kind) for kind in dataset.kinds}
        for place, (name, references) in enumerate(people.items()):
            self._references.append(references)
            self._images.append(name)
            # Half the images away, so that no two are each other's by chance.
            other_image = self._names[(place + max(1, len(self._names) // 2)) % len(self._names)]
            for group, captions in (
                *((kind, by_image[name]) for kind, by_image in machine_captions.items()),
                (OTHER, people[other_image]),
            ):
                for caption in captions:
                    self._add(group, caption)
        self._vectors: dict[str, ImageVectors | None] = {}

    def _add(self, group: str, caption: str) -> None:
        """A caption beside the references that were added last."""
        self._captions.append(caption)
        self._sets.append(len(self._references) - 1)
        self._groups.append(group)

    @cached_property
    def _key(self) -> str:
        texts = chain.from_iterable(self._references)
        return hash_parts(hash_texts(self._captions), hash_texts(texts), [self._sets, self._groups])

    def _image_vectors(self, view: str) -> ImageVectors | None:
        """One view's vectors of the image of each set of references."""
        if view not in self._vectors:
            vectors = self._dataset.image_vectors(view)
            self._vectors[view] = None if vectors is None else vectors.take(self._images)
        return self._vectors[view]

    def means(self, critic: CriticTraining, view: str = CROP) -> dict[str, float]:
        """The mean score of each group by a critic that sees one view of the images."""
        vectors, store = self._image_vectors(view), self._dataset.experiment.store
        metric = critic.metric(vectors)
        seen = "" if vectors is None else vectors.fingerprint
        key = f"critic-{hash_parts(self._key, seen, metric.signature(), __version__)}"
        if "scores" not in store.get(key):
            result = Scorer(self._references, [metric]).score(self._captions, self._sets)
            store.add(key, {"scores": result.samples[metric.name]})
        scores, groups = store.get(key)["scores"], np.array(self._groups)
        return {group: float(scores[groups == group].mean()) for group in self.groups}


def draw_score_curves(
    experiment: Experiment,
    metrics: Mapping[str, Mapping[str, AnyMetric]],
    kinds: Mapping[str, str],
    dataset_name: str = FLICKR8K,
) -> PartResult:
    """A panel for each set of metrics and each kind of worsening; areas stand after names."""
    scoring = DeclarationScorer(experiment)
    panels = []
    for what, by_name in metrics.items():
        rows = {
            name: scoring.robustness_row(each, "pathological", dataset_name)
            for name, each in by_name.items()
        }
        for kind, title in kinds.items():
            curves = {
                f"{name.removeprefix('critic, ')}  {row['auc'][kind]:.3f}": tuple(
                    zip(map(float, STRENGTHS), row["curves"][kind], strict=True)
                )
                for name, row in rows.items()
            }
            panels.append(
                Panel(
                    f"{title[0].upper()}{title[1:]}: {what}",
                    "strength, %",
                    "score, that of people's captions = 1",
                    curves,
                )
            )
    return PartResult(panels=tuple(panels))
