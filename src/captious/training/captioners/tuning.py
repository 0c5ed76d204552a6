"""Self-critical training: a captioner is fine-tuned to a metric as reward.

Captions are sampled from the captioner itself. Those that a metric scores above a baseline become
likelier, the others less likely (REINFORCE; Rennie et al., 2017, with the greedy caption's score as
the baseline; Luo, 2020, with the mean of the image's other samples).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious._internal.backends.pytorch import bfloat16_autocast, import_torch, single_thread
from captious._internal.checks.arguments import check_choice, check_fields, check_numbers
from captious._internal.checks.bounds import Beam, Count, Decay, Rate, Seed, Words
from captious.captioners.captioner import Captioner
from captious.captioners.decoder import Decoder
from captious.captioners.examples import PADDING
from captious.captioners.generation import (
    Choice,
    choose_greedily,
    decode_stepwise,
    generate,
    sampler,
)
from captious.errors import InputError
from captious.images.vectors import ImageVectors, SingleArray
from captious.reward import Reward, Rewards, advantages
from captious.text.vocabulary import EDGE, UNKNOWN, Vocabulary
from captious.training.captioners.training import MAX_GRADIENT_NORM
from captious.training.checkpoint import (
    Point,
    check_checkpoint,
    training_key,
    without_stopping_rule,
)
from captious.training.loop import BatchLoss, Learner, Listener, Schedule, TrainingResult, learn

if TYPE_CHECKING:
    import torch

OTHERS, GREEDY = "others", "greedy"
BASELINES = {
    OTHERS: "the mean of the image's other samples",
    GREEDY: "the greedy caption's reward",
}
MERIT = "validation_reward"
PARTS = 4  # of a batch, by length
ImageCaptions = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class TuningRecipe:
    """The reward, how captions are sampled, and the training's hyperparameters."""

    reward: str = "cider_d"  # an address, or several with weights: cider_d=1,captious=.5
    end_word: bool = False  # a caption's end is a word for the reward
    baseline: str = OTHERS
    samples: Words = 5  # drawn of each image
    longest: Words = 20  # words of a caption
    beam: Beam = 3  # of the captions by which an epoch is judged
    learning_rate: Rate = 5e-4
    decay: Decay = 0.9  # of the learning rate, from epoch to epoch
    batch: Count = 32  # images
    epochs: Count = 10
    patience: Count = 2
    seed: Seed = 0
    half: bool = False  # multiply in bfloat16 where the processor can

    def __post_init__(self) -> None:
        check_choice("unknown baseline", self.baseline, BASELINES)
        check_numbers(self)
        check_fields(self)
        if self.baseline == OTHERS and self.samples < 2:
            raise InputError(
                "samples: the baseline others needs two samples per image or more; sample more, or "
                "choose the baseline greedy"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, as written to JSON."""
        return asdict(self)


def tune(
    captioner: Captioner,
    images: ImageVectors,
    training: ImageCaptions,
    validation: ImageCaptions,
    recipe: TuningRecipe | None = None,
    *,
    checkpoint: str | Path | None = None,
    progress: Listener | None = None,
) -> TrainingResult[Captioner]:
    """Tune a copy of the captioner; keep the epoch with the highest reward on validation images.

    Its notes have the reward on the validation images before and after. With `checkpoint`, a file
    that tuning goes on from if it was stopped: the result is the same to the last bit as without.
    """
    recipe = recipe or TuningRecipe()
    check_checkpoint(checkpoint)
    decoder = Decoder(captioner.decoder.shape)
    decoder.load(captioner.decoder.arrays())
    decoder.parts.eval()
    tuned = Captioner(captioner.scaling, decoder, captioner.vocabulary)
    training_images, validation_images = (
        _RewardedImages(recipe, tuned.vocabulary, captions, images.take(list(captions)))
        for captions in (training, validation)
    )
    learner = _Learner(tuned, recipe, training_images, validation_images)
    schedule = Schedule(
        recipe.epochs, recipe.patience, recipe.learning_rate, recipe.decay, MAX_GRADIENT_NORM
    )
    with single_thread(import_torch()):  # as the loop's epochs are judged
        before = learner.validate()[MERIT]
    key = training_key(
        without_stopping_rule(recipe.to_dict()),
        training_images.reward.signature,
        list(captioner.vocabulary.words),
        *captioner.decoder.arrays().values(),
        *(
            part
            for rewarded in (training_images, validation_images)
            for part in (
                list(rewarded.captions.items()),
                tuned.scale_images(rewarded.images).vectors,
            )
        ),
    )
    result = learn(learner, schedule, key, checkpoint=checkpoint, progress=progress)
    decoder.load(dict(zip(decoder.arrays(), result.model, strict=True)))
    notes = {
        "recipe": recipe.to_dict(),
        "reward": training_images.reward.signature,
        "epoch": result.best,
        f"{MERIT}_before": before,
        MERIT: result.best_point[MERIT],
        "tuned_from": captioner.notes,
    }
    model = Captioner(tuned.scaling, decoder, tuned.vocabulary, notes)
    return TrainingResult(model, result.best, result.curve)


def log_probabilities(decoder: Decoder, vectors: torch.Tensor, words: IntArray) -> torch.Tensor:
    """Return the log-probability of each of these captions.

    The unknown word is never drawn, so that it has no share. A caption's end counts; what stands
    after it does not.
    """
    torch = import_torch()
    read = np.full_like(words, EDGE)
    read[:, 1:] = words[:, :-1]
    targets = words.copy()
    targets[:, 1:][np.cumsum(words == EDGE, 1)[:, :-1] > 0] = PADDING
    scores, _ = decoder.read(torch.from_numpy(read), decoder.initial_state(vectors))
    scores[:, :, UNKNOWN] = -torch.inf
    negative_logs = torch.nn.functional.cross_entropy(
        scores.float().flatten(0, 1),
        torch.from_numpy(targets).flatten(),
        ignore_index=PADDING,
        reduction="none",
    )
    return -negative_logs.view(targets.shape).sum(1)


class _RewardedImages:
    """Images with their vectors and references, and the reward of captions of them."""

    def __init__(
        self,
        recipe: TuningRecipe,
        vocabulary: Vocabulary,
        captions: ImageCaptions,
        images: ImageVectors,
    ) -> None:
        self.captions, self.images = captions, images
        self.reward = Reward(
            captions,
            recipe.reward,
            vocabulary=vocabulary.words_by_id,
            end=EDGE,
            end_word=recipe.end_word,
        )


class _Learner(Learner):
    """The captioner, with its training and validation images."""

    measures = (MERIT, "different", "words")
    merit = MERIT

    def __init__(
        self,
        captioner: Captioner,
        recipe: TuningRecipe,
        training_images: _RewardedImages,
        validation_images: _RewardedImages,
    ) -> None:
        self._torch = import_torch()
        self._captioner, self._decoder, self._recipe = captioner, captioner.decoder, recipe
        self._reward, self._validation_images = training_images.reward, validation_images
        self._names = np.array(training_images.images.names, dtype=object)
        self._vectors = captioner.scale_images(training_images.images).vectors
        self.weights = list(self._decoder.parts.parameters())
        self.samples = len(self._names) * recipe.samples

    def batch_losses(self, epoch: int) -> Iterator[BatchLoss]:
        """Yield batches of sampled captions; the loss is their negative reward."""
        recipe = self._recipe
        rng = np.random.default_rng([recipe.seed, epoch])
        order = rng.permutation(len(self._names))
        for start in range(0, len(order), recipe.batch):
            rows = order[start : start + recipe.batch]
            vectors = np.repeat(self._vectors[rows], recipe.samples, 0)
            numbers = rng.random((len(vectors), recipe.longest))
            words = self._generate(vectors, sampler(numbers, 1.0))
            names = self._names[rows]
            rewards = self._reward(words.reshape(len(rows), recipe.samples, -1), names)
            gains = advantages(rewards, self._greedy_rewards(rows))
            yield BatchLoss(self._loss(vectors, words, gains, rewards), len(words))

    def _greedy_rewards(self, rows: IntArray) -> Rewards | None:
        """The rewards of the images' greedy captions, if these are the baseline."""
        if self._recipe.baseline != GREEDY:
            return None
        captions = self._generate(self._vectors[rows], choose_greedily)
        rewards: Rewards = self._reward(captions, self._names[rows])
        return rewards

    def _generate(self, vectors: SingleArray, choice: Choice) -> IntArray:
        """Generate one caption for each image vector, as word ids."""
        with self._half_precision(), self._torch.inference_mode():
            generated = decode_stepwise(
                self._decoder, self._torch.from_numpy(vectors), choice, self._recipe.longest
            )
        return generated[0]

    def _loss(
        self, vectors: SingleArray, words: IntArray, gains: Rewards, rewards: Rewards
    ) -> torch.Tensor:
        """The negative mean reward, with the gradient estimated by REINFORCE."""
        torch = self._torch
        lengths = np.minimum((words != EDGE).sum(1) + 1, words.shape[1])
        estimate = torch.zeros(())
        # Captions of like length are read together: less is read after their ends.
        for part in np.array_split(np.argsort(lengths, kind="stable"), PARTS):
            if len(part):
                part_words = words[part, : lengths[part[-1]]]
                with self._half_precision():
                    logarithms = log_probabilities(
                        self._decoder, torch.from_numpy(vectors[part]), part_words
                    )
                estimate = estimate - torch.from_numpy(gains.ravel()[part]) @ logarithms
        estimate = estimate / len(words)
        return estimate - estimate.detach() - float(rewards.mean())

    def _half_precision(self) -> Any:
        """Context of half-precision products, if the recipe has them.

        What is cast for drawing has no gradient, so that reading needs a context of its own.
        """
        return bfloat16_autocast(self._torch, self._recipe.half)

    def validate(self) -> Point:
        """Return the mean reward of captions of the validation images, and their statistics."""
        recipe, validation_images = self._recipe, self._validation_images
        generated = generate(
            self._captioner, validation_images.images, beam=recipe.beam, longest=recipe.longest
        )
        captions = [each.caption for each in generated]
        rewards = validation_images.reward.of_captions(captions, validation_images.images.names)
        return {
            MERIT: float(rewards.mean(dtype=np.float64)),
            "different": len(set(captions)) / len(captions),
            "words": float(np.mean([len(caption.split()) for caption in captions])),
        }
