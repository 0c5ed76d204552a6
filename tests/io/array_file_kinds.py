"""A small file of each kind, as its own writer writes it, and what is read out of one in use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from captious.corpus import ReferenceColumns
from captious.images.vectors import CaptionVectors, ImageScaling, ImageVectors
from captious.meta.robustness.captioned_images import _read_features
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.metrics.learned.captious_image import ImageModel, ImageProjection
from captious.metrics.learned.network import Network, new_network
from captious.metrics.learned.published import NNEVAL
from captious.metrics.learned.weights import LearnedModel, Scaling, load_model
from captious.metrics.leic.critic import Critic, load_critic
from captious.metrics.leic.fusion import CountSketch
from captious.metrics.leic.recipe import BILINEAR, CriticRecipe
from captious.papers.measurements.store import Store
from captious.pregen.files import read_probabilities, write_probabilities
from captious.pregen.probabilities import WordProbabilities
from captious.samples import References
from captious.text.analysis import Analysis
from captious.text.domain import FILE as DOMAIN
from captious.text.domain import Domain
from captious.text.english.hypernyms import FILE as BROADER
from captious.text.english.hypernyms import Hypernyms
from captious.text.language import NOUN, VERB
from captious.text.parser.network import FILE as PARSER
from captious.text.parser.parser import Parser
from captious.text.vectors.word_vectors import WordVectors
from captious.text.vocabulary import Vocabulary
from captious.text.word_order import FIRST_KNOWN, WordOrder, disorder
from captious.training.checkpoint import Checkpoint
from tests.made_up.tiny_domain import tiny_domain

NAMES = ["a.jpg", "b.jpg", "犬.jpg"]
WORDS = ["dog", "runs", "naïve"]
CAPTIONS = ["a dog runs", "dog dog runs a", "", "naïve dogs"]


def numbers(*shape: int) -> Any:
    return np.random.default_rng(0).normal(size=shape)


def write_image_vectors(path: Path) -> None:
    ImageVectors.of(NAMES, numbers(3, 4)).write(path)


def write_caption_vectors(path: Path) -> None:
    CaptionVectors.of(CAPTIONS[:2], numbers(2, 4)).write(path)


def read_caption_vectors(path: Path) -> Any:
    return CaptionVectors.read(path).vectors


def read_image_vectors(path: Path) -> Any:
    return ImageVectors.read(path).vectors


def read_features(path: Path) -> Any:
    return _read_features(path, NAMES[:2])


def write_word_vectors(path: Path) -> None:
    WordVectors.of("own", WORDS, numbers(3, 5).astype(np.float32)).save(path)


def write_word_vectors_in_bytes(path: Path) -> None:
    WordVectors.quantize("own", WORDS, numbers(3, 5)).save(path)


def read_word_vectors(path: Path) -> Any:
    vectors = WordVectors.load(path)
    rows = vectors.rows([*WORDS, "cat"])
    known = vectors.at(rows[rows >= 0])
    return known / np.sqrt((known**2).sum(axis=1, keepdims=True))


def write_word_order(path: Path) -> None:
    table = np.full((FIRST_KNOWN + 2,) * 3, 20, np.uint8)
    classes = {word: FIRST_KNOWN + place % 2 for place, word in enumerate(WORDS)}
    WordOrder.of(classes, table, np.array([1.0, 0.0, 0.0, 2.0, 1.5])).save(path)


def read_word_order(path: Path) -> Any:
    return disorder(Analysis(CAPTIONS), WordOrder.load(path))


def write_domain(path: Path) -> None:
    DOMAIN.write(path, tiny_domain().contents())


def read_domain(path: Path) -> Any:
    domain = Domain.load(path)
    placed = domain.space.of_words([*WORDS, "cat", "zz"])
    return np.append(disorder(Analysis(CAPTIONS), domain.order), placed)


def write_broader_words(path: Path) -> None:
    senses = np.array([[0, 1], [2, -1], [-1, -1]], np.int32)
    above = np.array([[0, 2], [1, 2]], np.int32)
    BROADER.write(path, {"words": WORDS, "nouns": senses, "verbs": senses[::-1], "above": above})


def read_broader_words(path: Path) -> Any:
    table = Hypernyms.load(path)
    parts = [table.with_hypernyms(word, part) for word in WORDS for part in (NOUN, VERB)]
    return np.array([sum(part) for part in parts], np.float64)


def write_parser(path: Path) -> None:
    sizes: dict[Any, Any] = {
        "words": 3, "tags": 2, "labels": 2, "lemmas": 1, "words and unknown": 4, "word": 3,
        "subwords": 8, "subword": 2, "word and subword": 5, "word gates": 12, "word states": 4,
        "projection": 3, "state": 2, "gates": 8, "states": 4, "arc": 3, "label": 4,
    }  # fmt: skip
    lists = {
        "words": WORDS,
        "tags": ["NN", "VB"],
        "labels": ["root", "det"],
        "lemmas": ["dogs\tn\tdog"],
    }
    arrays: dict[str, Any] = {
        member.name: numbers(*(sizes.get(dim, dim) for dim in member.dims or ())).astype(np.float16)
        for member in PARSER.members
        if member.name not in lists
    }
    PARSER.write(path, {**arrays, **lists})


def read_parser(path: Path) -> Any:
    parsed = Parser.load(path).parse_all([caption.split() for caption in CAPTIONS])
    return np.array([head for caption in parsed for each in caption for head in each.heads])


def write_frequencies(path: Path) -> None:
    DocumentFrequencies.collect([["a dog runs", "dogs run"], ["a cat"]]).save(path)


def read_frequencies(path: Path) -> Any:
    frequencies = DocumentFrequencies.load(path)
    columns = ReferenceColumns.of([CAPTIONS[:2]])
    references = References(columns.captions, columns.offsets, "ptb")
    DocumentFrequencies.merge([frequencies])
    return frequencies.lookup(references.analysis)


def write_weights(path: Path) -> None:
    scaling = Scaling(np.linspace(-1, 1, 8), np.linspace(0.5, 2, 8))
    LearnedModel(NNEVAL, scaling, new_network(8, (5,), 0), {"made": ["by hand", 1]}).save(path)


def read_weights(path: Path) -> Any:
    model = load_model(path)
    for feature in model.feature_set.features:
        assert feature.key is not None
    return model.scores(numbers(4, 8))


def a_checkpoint() -> Checkpoint:
    network = new_network(8, (5,), 0)
    return Checkpoint.fresh([*network.weights, *network.biases], "key", ("loss", "tau"))


def write_checkpoint(path: Path) -> None:
    state = a_checkpoint()
    state.steps = 7
    state.add({"loss": 0.5, "tau": 0.125}, is_best=True)
    state.write(path)


def read_checkpoint(path: Path) -> Any:
    state = a_checkpoint().resume(path)
    network = Network(tuple(state.kept[:2]), tuple(state.kept[2:]))
    return network.probabilities(numbers(4, 8)) + state.best_point["tau"]


def write_sight(path: Path) -> None:
    single = numbers(4, 3).astype(np.float32)
    places = {
        name: ImageProjection(single, single[:, 0], single[0]) for name in ("words", "encoder")
    }
    ImageModel(places, numbers(4), numbers(3)).save(path)


def read_sight(path: Path) -> Any:
    sight = ImageModel.load(path)
    vectors = numbers(2, 4).astype(np.float32)
    places = np.concatenate(
        [each.project_images(vectors) for each in sight.places.values()], axis=1
    )
    return places.sum() + sight.with_references.sum() + sight.alone.sum()


def write_critic(path: Path, fusion: str = "mlp") -> None:
    recipe = CriticRecipe(size=3, hidden=5, sketch=16, fusion=fusion)
    context = recipe.context_size
    shapes = {
        "words.weight": (5, 4), "memory.weight_ih_l0": (12, 4), "memory.weight_hh_l0": (12, 3),
        "memory.bias_ih_l0": (12,), "memory.bias_hh_l0": (12,), "image.weight": (3, 6),
        "image.bias": (3,), "output.bias": (2,),
    }  # fmt: skip
    if fusion == BILINEAR:
        shapes["output.weight"] = (2, 16)
    else:
        shapes |= {"hidden.weight": (5, context + 3), "hidden.bias": (5,), "output.weight": (2, 5)}
    weights = {name: numbers(*shape).astype(np.float32) for name, shape in shapes.items()}
    chance = np.random.default_rng(0)
    sketches = (CountSketch.random(context, 16, chance), CountSketch.random(3, 16, chance))
    scaling = ImageScaling(numbers(6).astype(np.float32), np.full(6, 0.1, np.float32))
    critic = Critic.of(recipe, weights, Vocabulary(tuple(WORDS)), scaling, sketches, {"by": "hand"})
    critic.save(path)


def write_bilinear_critic(path: Path) -> None:
    write_critic(path, BILINEAR)


def read_critic(path: Path) -> Any:
    critic = load_critic(path)
    captions = critic.encode_captions([["a", "dog", "runs"], ["naïve"]])
    context = critic.project_references(captions)
    if critic.recipe.uses_images:
        width = critic.arrays["image.weight"].shape[1]
        context = context + critic.project_images(
            critic.encode_images(np.ones((2, width), np.float32))
        )
    return critic.fusion.margins(context, critic.project_candidates(captions))


def write_captioner(path: Path) -> None:
    from captious.captioners.captioner import Captioner
    from captious.captioners.decoder import Decoder, Shape

    shape = Shape("merge", 3, 5, 4)
    assert asdict(shape)["width"] == 4
    Captioner(ImageScaling.none(4), Decoder(shape), Vocabulary(tuple(WORDS))).save(path)


def read_captioner(path: Path) -> Any:
    from captious.captioners.captioner import load_captioner

    captioner = load_captioner(path)
    width = captioner.decoder.shape.width
    seen = captioner.scale_images(ImageVectors.of(["a"], numbers(1, width)))
    return seen.vectors.sum() + sum(each.sum() for each in captioner.decoder.arrays().values())


def write_word_probabilities(path: Path) -> None:
    shares = np.linspace(0, 1, 6)
    words = WordProbabilities(
        shares, shares > 0.5, np.array([0, 2, 5, 6]), np.array([0, 1, 3]), ("a", "b")
    )
    write_probabilities(path, words)


def read_word_probabilities(path: Path) -> Any:
    return read_probabilities(path).probabilities


def write_kept(path: Path) -> None:
    Store(path.parent).add(path.stem, {"curve": numbers(3, 2), "captions": np.array(CAPTIONS)})


def read_kept(path: Path) -> Any:
    Store(path.parent).get(path.stem)  # results may be anything, and a damaged file is none
    return np.zeros(1)


class Agreed(str):
    """A fingerprint that is equal to any, as that of a file made on purpose would be."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = str.__hash__


def forged(read: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """A reader of files whose fingerprints are right, whatever they hold."""

    def read_forged(path: Path) -> Any:
        with (
            patch.object(Critic, "fingerprint", Agreed()),
            patch.object(Network, "fingerprint", Agreed()),
            patch("captious.captioners.captioner.fingerprint", lambda arrays: Agreed()),
        ):
            return read(path)

    return read_forged


# Name of the kind, what writes one, and what reads and uses one; captioners need PyTorch.
KINDS: dict[str, tuple[Callable[[Path], None], Callable[[Path], Any]]] = {
    "image vectors": (write_image_vectors, read_image_vectors),
    "caption vectors": (write_caption_vectors, read_caption_vectors),
    "image features": (write_image_vectors, read_features),
    "word vectors": (write_word_vectors, read_word_vectors),
    "word vectors in bytes": (write_word_vectors_in_bytes, read_word_vectors),
    "word order": (write_word_order, read_word_order),
    "domain": (write_domain, read_domain),
    "broader words": (write_broader_words, read_broader_words),
    "parser": (write_parser, read_parser),
    "document frequencies": (write_frequencies, read_frequencies),
    "learned weights": (write_weights, read_weights),
    "checkpoint": (write_checkpoint, read_checkpoint),
    "sight": (write_sight, read_sight),
    "critic": (write_critic, read_critic),
    "bilinear critic": (write_bilinear_critic, read_critic),
    "captioner": (write_captioner, read_captioner),
    "forged weights": (write_weights, forged(read_weights)),
    "forged critic": (write_critic, forged(read_critic)),
    "forged bilinear critic": (write_bilinear_critic, forged(read_critic)),
    "forged captioner": (write_captioner, forged(read_captioner)),
    "word probabilities": (write_word_probabilities, read_word_probabilities),
    "kept results": (write_kept, read_kept),
}
