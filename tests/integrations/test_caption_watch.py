"""CaptionWatch in a plain loop, in two processes, under Lightning and Hugging Face's Trainer."""

from __future__ import annotations

import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import captious
from captious.errors import InputError
from captious.integrations import (
    CaptionWatch,
    Generated,
    lightning_callback,
    trainer_callback,
)
from tests.integrations.captions import CANDIDATES, REFERENCES
from tests.integrations.processes import in_two_processes

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")

COUNT = 12
BATCHES = [list(range(start, start + 4)) for start in range(0, COUNT, 4)]
TRUTH = REFERENCES[:COUNT]
NAMES = [f"{name}{end}" for name in ("cider_d", "captious") for end in ("", "_low", "_high")]


class Model:
    """A captioner that says the n-th candidates, and notices what is done to it."""

    def __init__(self) -> None:
        self.training, self.turns = True, 0

    def eval(self) -> None:
        self.training = False

    def train(self) -> None:
        self.training = True

    def say(self, images: list[int]) -> list[str]:
        assert not self.training
        return [CANDIDATES[image + self.turns] for image in images]


def test_scores_and_intervals_of_the_captions() -> None:
    model = Model()
    watch = CaptionWatch(BATCHES, lambda model, images: model.say(images), TRUTH)
    found = watch(model)
    assert model.training
    assert list(found) == NAMES
    expected = captious.score(CANDIDATES[:COUNT], TRUTH, ["cider_d", "captious"])
    for name in expected.columns:
        ends = (found[f"{name}_low"], found[f"{name}_high"])
        assert found[name] == expected.corpus[name] and ends == expected.interval(name)
    assert watch.captions == CANDIDATES[:COUNT] and watch.result is not None
    model.turns = 1
    watch(model)
    assert watch.history[0] == found != watch.history[1]


def test_captions_by_id_in_any_order() -> None:
    truth = {f"image {image}": TRUTH[image] for image in range(COUNT)}
    say = {f"image {image}": CANDIDATES[image] for image in range(COUNT)}

    def generate(model: Any, images: list[int]) -> dict[str, str]:
        return {f"image {image}": say[f"image {image}"] for image in images}

    watch = CaptionWatch(BATCHES[::-1], generate, truth, "rouge_l")
    assert watch(None)["rouge_l"] == captious.score(say, truth, "rouge_l").corpus["rouge_l"]


@pytest.mark.parametrize(
    ("generate", "message"),
    [
        (lambda _, images: ["a"] * (len(images) - 1), "9 candidates but 12 ids"),
        (lambda _, images: {0: "a"}, "id 0: generated in two batches"),
        (lambda _, images: {0: "a"} if 0 in images else ["a"], "lists in some batches"),
        (lambda _, images: "a dog", "captions must be a list"),
        (lambda _, images: [None] * len(images), "the candidate must be a string"),
        (lambda _, images: {str(image): "a" for image in images}, "no references were prepared"),
    ],
)
def test_captions_that_do_not_fit_are_named(generate: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        CaptionWatch(BATCHES, generate, TRUTH, "rouge_l")(Model())


def test_batches_that_are_used_up_and_references_that_are_none() -> None:
    with pytest.raises(InputError, match="used up"):
        CaptionWatch(iter(BATCHES), lambda model, images: [], TRUTH)
    with pytest.raises(InputError, match="no references"):
        CaptionWatch(BATCHES, lambda model, images: [], [])


class Tokens:
    """Token ids as far as Generated sees them."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows
        self.shape = (len(rows), len(rows[0]))

    def __getitem__(self, at: Any) -> Tokens:
        return Tokens([row[at[1]] for row in self.rows])

    def __eq__(self, other: object) -> Any:
        assert isinstance(other, Tokens)
        return types.SimpleNamespace(all=lambda: self.rows == other.rows)


class Decoder:
    def batch_decode(self, written: Tokens, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return ["".join(chr(96 + token) for token in row) + " " for row in written.rows]


def test_what_a_model_of_hugging_face_generates_is_decoded_without_its_prompt() -> None:
    batch = {"input_ids": Tokens([[1, 2]]), "pixel_values": "pixels", "labels": "left out"}

    def model(echoes: bool) -> Any:
        def generate(**given: Any) -> Tokens:
            assert given.pop("max_new_tokens") == 3 and set(given) <= {"input_ids", "pixel_values"}
            return Tokens([[1, 2, 3, 4]] if echoes else [[3, 4]])

        return types.SimpleNamespace(generate=generate, config=types.SimpleNamespace())

    both = Generated(Decoder(), ["input_ids", "pixel_values"], max_new_tokens=3)
    assert both(model(True), batch) == ["cd"] == both(model(False), batch)
    assert Generated(Decoder(), max_new_tokens=3)(model(True), batch) == ["abcd"]
    by_id = Generated(Decoder(), ids="names", max_new_tokens=3)
    assert by_id(model(False), {**batch, "names": ["x"]}) == {"x": "cd"}
    with pytest.raises(InputError, match="a batch has no 'names'; it has input_ids"):
        by_id(model(False), batch)


def watched_by_two(rank: int, folder: Path) -> None:
    import torch

    asked: list[int] = []

    def generate(model: Model, images: list[int]) -> list[str]:
        asked.extend(images)
        return model.say(images)

    watch = CaptionWatch(BATCHES, generate, TRUTH)
    scores = watch(Model())
    everywhere = CaptionWatch(BATCHES, generate, TRUTH, first_process_alone=False)
    assert everywhere(Model()) == scores
    found = {"scores": scores, "asked": len(asked)}
    try:
        CaptionWatch(BATCHES, lambda model, images: ["too few"], TRUTH)(Model())
    except InputError as error:
        found["error"] = str(error)
    torch.save(found, folder / f"{rank}.pt")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_first_process_generates_and_broadcasts_scores(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    in_two_processes(watched_by_two, tmp_path)
    first, second = (torch.load(tmp_path / f"{rank}.pt") for rank in (0, 1))
    assert first["scores"] == second["scores"]
    assert list(first["scores"]) == NAMES
    assert (first["asked"], second["asked"]) == (2 * COUNT, COUNT)
    assert first["error"] == "3 candidates but 12 ids; give one id for each"
    assert second["error"].startswith("the first process failed (InputError: 3 candidates")


@pytest.fixture
def learner() -> Iterator[Any]:
    """A model that learns which word to say, and says it of every image."""
    torch = pytest.importorskip("torch")

    class Learner(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.choice = torch.nn.Parameter(torch.tensor([1.0, 0.0]))

        def say(self, images: Any) -> list[str]:
            assert not self.training and not torch.is_grad_enabled()
            best = int(self.choice.argmax())
            return [("a horse", CANDIDATES[image])[best] for image in images]

        def forward(self, images: Any = None, labels: Any = None) -> Any:
            return {"loss": self.choice[0] - self.choice[1], "logits": self.choice[None]}

    yield Learner()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_real_lightning(learner: Any, tmp_path: Path) -> None:
    torch, lightning = pytest.importorskip("torch"), pytest.importorskip("lightning")

    class Module(lightning.LightningModule):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.captioner = learner

        def training_step(self, batch: Any, _: Any) -> Any:
            return self.captioner()["loss"]

        def validation_step(self, batch: Any, _: Any) -> None:
            pass

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

    watch = CaptionWatch(BATCHES, lambda module, images: module.captioner.say(images), TRUTH)
    trainer = lightning.Trainer(
        max_epochs=5,
        callbacks=[
            lightning_callback(watch, every=2),
            lightning.pytorch.callbacks.ModelCheckpoint(
                tmp_path, monitor="val/cider_d", mode="max", every_n_epochs=2
            ),
        ],
        logger=False,
        accelerator="cpu",
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=tmp_path,
    )
    loader = torch.utils.data.DataLoader([0, 1])
    trainer.fit(Module(), loader, loader)
    assert len(watch.history) == 2  # after epochs 2 and 4
    low, high = (trainer.callback_metrics[f"val/cider_d_{end}"] for end in ("low", "high"))
    assert 0 < low < trainer.callback_metrics["val/cider_d"] < high
    best = float(trainer.checkpoint_callback.best_model_score)
    assert best == pytest.approx(max(scores["cider_d"] for scores in watch.history))
    assert watch.history[1]["captious"] > watch.history[0]["captious"]
    trainer.validate(trainer.lightning_module, loader, verbose=False)
    assert len(watch.history) == 3  # asked for by itself, whatever the epoch


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_real_trainer_of_hugging_face(learner: Any, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    heard: list[dict[str, float]] = []

    class Logger(transformers.TrainerCallback):  # type: ignore[misc, name-defined]
        def on_log(self, *_: Any, logs: Any = None, **others: Any) -> None:
            heard.append(dict(logs))

    watch = CaptionWatch(BATCHES, lambda model, images: model.say(images), TRUTH)
    rows = [{"images": 0, "labels": 0}] * 2
    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path),
        num_train_epochs=4,
        learning_rate=0.3,
        eval_strategy="epoch",
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
    )
    trainer = transformers.Trainer(
        learner, arguments, train_dataset=rows, eval_dataset=rows, callbacks=[Logger()]
    )
    trainer.add_callback(trainer_callback(watch, every=2, trainer=trainer))
    trainer.train()
    assert len(watch.history) == 2
    scores = watch.history[1]
    assert any(logs.get("eval_cider_d_low") == scores["cider_d_low"] for logs in heard)
    assert any(row.get("eval_cider_d") == scores["cider_d"] for row in trainer.state.log_history)
    assert scores["captious"] > watch.history[0]["captious"] or scores == watch.history[0]
    assert trainer.evaluate()["eval_captious"] == watch.history[2]["captious"]
