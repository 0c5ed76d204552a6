"""Worked examples that papers draw: corrupted captions, combined references, and pre-gen tiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from captious.meta.robustness.captioned_images import CaptionedImages
from captious.meta.robustness.pathological import other_words
from captious.metrics.bertscore.multiref import BertScoreMultiref, build_piece_sets
from captious.metrics.parameters import PAPER
from captious.metrics.pooling import COMBINED
from captious.papers.measurements.experiment import Experiment
from captious.papers.result import Measurement, PartResult, Table, Value
from captious.pregen.inputs import logits_to_probabilities
from captious.pregen.names import BEST, METRICS
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import Tiers
from captious.text.encoder.encoder import load_encoder, normalize_vectors

# Two captions of each of some images; the first is made worse.
EXAMPLE_CAPTIONS = {
    "kitchen": ["a woman cuts vegetables in a small kitchen", "someone is preparing a salad"],
    "beach": ["two dogs run along the beach after a ball", "dogs playing in the sand"],
    "street": ["a red bus stops at a crowded street corner", "people wait for a bus in the city"],
    "park": ["an old man reads a newspaper on a bench", "a man sitting in a park with a paper"],
}
EXAMPLE_STRENGTHS = (25, 100)  # per cent
SEED = 0


def corrupt_examples(experiment: Experiment, kinds: Mapping[str, str]) -> PartResult:
    """Each first caption, and what becomes of it; captions of other images have no strength."""
    data = CaptionedImages.of(EXAMPLE_CAPTIONS)
    chance = np.random.default_rng(SEED)
    changed = {
        (kind, strength): other_words(data, kind, strength, chance)
        for kind in kinds
        if kind != "random_caption"
        for strength in EXAMPLE_STRENGTHS
    }
    names = list(EXAMPLE_CAPTIONS)
    rows: list[list[Value]] = []
    for place, (name, captions) in enumerate(EXAMPLE_CAPTIONS.items()):
        row = data.rows_of_image[place][0]
        other = EXAMPLE_CAPTIONS[names[(place + 1) % len(names)]][0]
        rows.append([name, "as it was", captions[0]])
        for kind, label in kinds.items():
            if kind == "random_caption":
                rows.append([name, label, other])
        for (kind, strength), texts in changed.items():
            rows.append([name, f"{kinds[kind]}, {strength}%", texts[row]])
    header = ["image", "transformation", "caption"]
    return PartResult((Table("Captions before and after", header, rows, texts=3),))


EXAMPLE_REFERENCES = (
    "a dog runs on the beach",
    "a brown puppy is running along the shore",
    "waves break behind a running dog",
)
EXAMPLE_CANDIDATE = "a brown dog on the sand"


def combine_example_references(experiment: Experiment) -> PartResult:
    """A row a piece of the combination, with the candidate's most similar piece."""
    encoder = load_encoder()
    metric = BertScoreMultiref()
    known = metric.depends_on()
    beta = float(known["beta"])
    states = encoder.token_states([*EXAMPLE_REFERENCES, EXAMPLE_CANDIDATE], known["layer"])
    vectors = normalize_vectors(states.states)
    names, offsets = encoder.piece_names(), states.pieces.offsets
    states = type(states)(states.pieces, vectors)
    combination = build_piece_sets(
        states, tuple(range(len(EXAMPLE_REFERENCES))), COMBINED, beta, PAPER
    )
    inner = slice(int(offsets[-2]) + 1, int(offsets[-1]) - 1)
    similarity = vectors[combination.vectors] @ vectors[inner].T
    candidate_pieces = states.pieces.values[inner]
    rows: list[list[Value]] = []
    for piece, place, row in zip(
        combination.pieces.tolist(), combination.vectors.tolist(), similarity, strict=True
    ):
        best = int(np.argmax(row))
        matched = float(row[best]) > beta
        reference = int(np.searchsorted(offsets, place, "right"))
        rows.append(
            [
                names[piece],
                f"reference {reference}",
                names[int(candidate_pieces[best])] if matched else "nothing",
                float(row[best]) if matched else 0.0,
            ]
        )
    listed = "; ".join(f"({place}) {text}" for place, text in enumerate(EXAMPLE_REFERENCES, 1))
    table = Table(
        f"The combination of {listed}, beside *{EXAMPLE_CANDIDATE}*",
        ["piece", "from", "matched by", "cosine"],
        rows,
        texts=3,
    )
    return PartResult((table,), settings=(f"layer {known['layer']}, threshold {beta:g}",))


def read_probability_matrix(
    experiment: Experiment,
    sentence: str,
    vocabulary: Mapping[str, Sequence[float]],
    published: Sequence[float],
) -> PartResult:
    """The probability of each word of a sentence, whether it leads, and which word does.

    `vocabulary` has each word's probability at every place of the sentence.
    """
    words, places = list(vocabulary), sentence.split()
    matrix = np.array(list(vocabulary.values())).T
    with np.errstate(divide="ignore"):
        given, leads, _ = logits_to_probabilities(
            np.log(matrix), np.array([words.index(word) for word in places])
        )
    rows = [
        [word, Measurement(float(given[i]), published=published[i]), "yes" if leads[i] else "no",
         words[int(matrix[i].argmax())]]
        for i, word in enumerate(places)
    ]  # fmt: skip
    header = ["word", "probability", "ranked first", "the first"]
    return PartResult((Table(f"{len(places)} words to predict", header, rows),))


Word = tuple[float, bool]  # its probability, and whether it is the highest


def compute_tiers(
    experiment: Experiment,
    images: Sequence[Sequence[Sequence[Word]]],
    published: Mapping[str, Sequence[float]],
) -> PartResult:
    """What each tier makes of the captions of images, beside what the paper has there."""
    words = WordProbabilities.of(
        [[[p for p, _ in caption] for caption in image] for image in images],
        [[[first for _, first in caption] for caption in image] for image in images],
    )
    metric, tiers = METRICS[BEST], Tiers(words)
    values = {
        "tier 1": np.asarray(tiers.selected(metric.filter).counts, np.float64),
        "tier 2": tiers.sentences(metric.sentence, metric.filter),
        "tier 3": tiers.images(metric.image, metric.sentence, metric.filter),
        "tier 4": np.array([tiers.value(metric)]),
    }
    whose = {
        "tier 1": [f"image {i}, caption {c}: words of the longest prefix ranked first"
                   for i, image in enumerate(images, 1) for c, _ in enumerate(image, 1)],
        "tier 2": [f"image {i}, caption {c}: their share of its words"
                   for i, image in enumerate(images, 1) for c, _ in enumerate(image, 1)],
        "tier 3": [f"image {i}: the largest share" for i, _ in enumerate(images, 1)],
        "tier 4": ["the mean over images"],
    }  # fmt: skip
    rows: list[list[Value]] = [
        [tier, what, Measurement(float(value), published=known)]
        for tier in values
        for what, value, known in zip(whose[tier], values[tier], published[tier], strict=True)
    ]
    return PartResult((Table(f"`{BEST}`, tier by tier", ["tier", "of", "value"], rows, texts=2),))
