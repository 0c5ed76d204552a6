"""Whether critics tell people's captions from machines', by context and fusion: LEIC's figure 5."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from captious.critic.recipe import BOTH, CONTEXTS, FUSIONS, MACHINE, SAMPLED
from captious.experiments.critic_recipes import AUGMENTATION, LEIC_PAPER
from captious.experiments.critics import DEV, Critics, TrainedCritic
from captious.experiments.experiment import Experiment
from captious.experiments.kept import key_of, key_of_texts
from captious.experiments.result import Cell, Finding, Panel, Table
from captious.experiments.workbench import Workbench
from captious.scorer import Scorer
from captious.version import __version__

PEOPLE, OTHER = "people", "people, of other images"
GROUPS = (PEOPLE, MACHINE, SAMPLED, OTHER)


def capability(bench: Workbench) -> Finding:
    """Mean scores of each critic for people's and for machines' captions."""
    critics = Critics(bench)
    judged = JudgedByCritics(critics)
    rows: list[list[Cell]] = []
    drawn: dict[str, dict[str, float]] = {}
    for label, against in AUGMENTATION.items():
        for context in CONTEXTS:
            for fusion in FUSIONS:
                if context != BOTH and label == "without":
                    continue  # the paper varies context and fusion with augmentation only
                means = judged.means(critics.trained(against.recipe(context, fusion)))
                shown = [means[group] for group in GROUPS]
                rows.append([context, fusion, label, *shown, performance(means)])
                short = "" if label != "without" else ", without"
                drawn[f"{context}, {fusion}{short}"] = means
    return Finding(
        "capability",
        "How well critics tell people's captions from machines'",
        (
            Table.of(
                f"Mean score by whose captions, of {len(critics.people(DEV)):,} validation images "
                f"of Flickr8k, and performance ({LEIC_PAPER}, equation 10)",
                ["context", "fusion", "augmentation", *GROUPS, "performance"],
                rows,
                texts=3,
            ),
        ),
        tuple(
            Panel(
                title,
                f"mean score of {said}",
                "mean score of people's captions",
                {name: ((means[group], means[PEOPLE]),) for name, means in drawn.items()},
                joined=False,
            )
            for title, said, group in (
                ("People and machines", "machines' captions", MACHINE),
                ("The image and another", "people's captions of other images", OTHER),
            )
        ),
        (
            "Performance is what equation 10 makes of people's and of machines' best captions, "
            "each half of it: the mean of the scores of the former and of 1 less those of the "
            "latter. Captions drawn by chance (sampled) and people's captions of other images are "
            "no part of it. A person's caption is scored beside the others of its image, all else "
            "beside all of them. In the plot, critics that tell captions apart are at the top "
            "left.",
            f"Machines are those that the critics learnt from, {', '.join(critics.captioners)}, "
            "of images that neither they nor the critics were trained on (both stopped by them). "
            "With augmentation: machines' captions, captions drawn by chance, and people's made "
            "worse by the three transformations, in the shares of the critics that ship, and their "
            "contexts to be found among others; without: machines' alone. The paper's figure has "
            "bars and no numbers.",
        ),
    )


def performance(means: dict[str, float]) -> float:
    """Equation 10, people's and machines' captions in equal numbers."""
    return (means[PEOPLE] + 1 - means[MACHINE]) / 2


class JudgedByCritics:
    """Captions of the validation images by whose they are, for critics to score."""

    def __init__(self, critics: Critics) -> None:
        self._bench = critics.bench
        people = critics.people(DEV)
        self._names = list(people)
        self._references: list[list[str]] = []
        self._images: list[str] = []  # of each set of references
        self._captions: list[str] = []
        self._sets: list[int] = []  # of references, of each caption
        self._groups: list[str] = []
        for name, own in people.items():
            for place, caption in enumerate(own):
                self._references.append([*own[:place], *own[place + 1 :]])
                self._images.append(name)
                self._add(PEOPLE, caption)
        written = {kind: critics.machines(DEV, kind) for kind in (MACHINE, SAMPLED)}
        for place, (name, own) in enumerate(people.items()):
            self._references.append(own)
            self._images.append(name)
            # Half the images away, so that no two are each other's by chance.
            far = self._names[(place + max(1, len(self._names) // 2)) % len(self._names)]
            for group, captions in (
                *((kind, by_image[name]) for kind, by_image in written.items()),
                (OTHER, people[far]),
            ):
                for caption in captions:
                    self._add(group, caption)
        self._vectors = critics.vectors.take(self._images)

    def _add(self, group: str, caption: str) -> None:
        """A caption beside the references that were added last."""
        self._captions.append(caption)
        self._sets.append(len(self._references) - 1)
        self._groups.append(group)

    @cached_property
    def _key(self) -> str:
        texts = (text for own in self._references for text in own)
        places = [self._sets, self._groups, self._vectors.fingerprint]
        return key_of(key_of_texts(self._captions), key_of_texts(texts), places)

    def means(self, critic: TrainedCritic) -> dict[str, float]:
        """The mean score of each group."""
        metric, kept = critic.metric(self._vectors), self._bench.kept
        key = f"critic-{key_of(self._key, metric.signature(), __version__)}"
        if "scores" not in kept.get(key):
            found = Scorer(self._references, [metric]).score(self._captions, self._sets)
            kept.add(key, {"scores": found.samples[metric.name]})
        scores, groups = kept.get(key)["scores"], np.array(self._groups)
        return {group: float(scores[groups == group].mean()) for group in GROUPS}


CAPABILITY = Experiment(
    "capability",
    "LEIC figure 5, equation 10",
    "whether critics tell people's captions from machines', by context and fusion",
    capability,
    trains=True,
    draws=True,
)
