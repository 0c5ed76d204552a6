"""Pre-gen metrics with the real PyTorch, Lightning and transformers, where they are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.pregen import (
    BEST,
    HuggingFaceAdapter,
    LogitsAdapter,
    PregenMeter,
    PregenWatch,
    WordProbabilities,
    lightning_callback,
    pregen_scores,
    trainer_callback,
)
from captious.pregen.inputs import logits_to_probabilities

torch = pytest.importorskip("torch")

VOCABULARY, WORDS = 11, 5


@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_tensors_of_any_precision(kind: Any) -> None:
    given = torch.tensor([[0.5, 0.25], [0.125, 0.0]], dtype=kind, requires_grad=True)
    first = torch.tensor([[True, False], [True, False]])
    words = WordProbabilities.of(
        given, first, lengths=torch.tensor([2, 1]), images=torch.tensor([3, 3])
    )
    assert words.probabilities.tolist() == [0.5, 0.25, 0.125]
    assert words.images == (3,)


@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.bfloat16])
def test_logits_of_tensors_are_those_of_arrays(kind: Any) -> None:
    torch.manual_seed(0)
    logits = torch.randn(3, WORDS, VOCABULARY, requires_grad=True).to(kind)
    targets = torch.randint(-1, VOCABULARY, (3, WORDS))
    found = logits_to_probabilities(logits, targets)
    expected = logits_to_probabilities(logits.detach().double().numpy(), targets.numpy())
    assert found[0] == pytest.approx(expected[0], rel=1e-5)
    assert (found[1] == expected[1]).all() and (found[2] == expected[2]).all()
    softmax = logits.detach().double().softmax(-1)
    at = targets.clamp(min=0)[..., None]
    there = (targets >= 0).numpy()
    assert found[0][there] == pytest.approx(softmax.gather(-1, at)[..., 0].numpy()[there], rel=1e-5)


class Captioner(torch.nn.Module):  # type: ignore[misc, name-defined]
    """The smallest captioner: an image's vector and the word before foretell the next word."""

    def __init__(self) -> None:
        super().__init__()
        self.words = torch.nn.Embedding(VOCABULARY, 8)
        self.picture = torch.nn.Linear(4, 8)
        self.out = torch.nn.Linear(8, VOCABULARY)
        self.dropout = torch.nn.Dropout(0.5)

    def forward(self, picture: Any, before: Any) -> Any:
        return self.out(self.dropout(self.words(before) + self.picture(picture)[:, None]))


def batches() -> Iterator[dict[str, Any]]:
    torch.manual_seed(1)
    for image in range(3):
        targets = torch.randint(2, VOCABULARY, (2, WORDS))
        targets[1, 3:] = -100
        before = torch.roll(targets, 1, dims=1).clamp(min=0)
        before[:, 0] = 0
        yield {
            "picture": torch.randn(2, 4),
            "before": before,
            "targets": targets,
            "images": torch.tensor([image, image]),
        }


ADAPTER = LogitsAdapter(lambda model, batch: model(batch["picture"], batch["before"]))


def test_adapter_of_a_pytorch_function() -> None:
    model = Captioner()
    data = list(batches())
    watch = PregenWatch(data, ADAPTER, "all")
    scores = watch(model)
    assert scores == watch(model)  # without dropout
    assert model.training and all(p.grad is None for p in model.parameters())
    meter = PregenMeter("all")
    with torch.no_grad():
        model.eval()
        for batch in data:
            p = model(batch["picture"], batch["before"]).softmax(-1)
            at = batch["targets"].clamp(min=0)
            meter.update(
                p.gather(-1, at[..., None])[..., 0],
                p.argmax(-1) == at,
                mask=batch["targets"] >= 0,
                images=batch["images"],
            )
    assert meter.compute() == pytest.approx(scores, rel=1e-5)


def test_pregen_metrics_improve_during_training() -> None:
    torch.manual_seed(0)
    model, data = Captioner(), list(batches())
    watch = PregenWatch(data, ADAPTER, [BEST, "perplexity"])
    watch(model)
    adam = torch.optim.Adam(model.parameters(), 0.05)
    for _ in range(60):
        for batch in data:
            adam.zero_grad()
            logits = ADAPTER.forward(model, batch)
            torch.nn.functional.cross_entropy(
                logits.flatten(0, 1), batch["targets"].flatten()
            ).backward()
            adam.step()
    watch(model)
    before, after = watch.history
    assert after[BEST] > before[BEST]
    assert after["geomean_join_pplx_none"] < before["geomean_join_pplx_none"]
    assert watch.best() == 1


@pytest.mark.filterwarnings("ignore")  # what Lightning warns of is not our concern
def test_the_real_lightning(tmp_path: Path) -> None:
    lightning = pytest.importorskip("lightning")

    class Module(lightning.LightningModule):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.captioner = Captioner()

        def training_step(self, batch: Any, _: Any) -> Any:
            return torch.nn.functional.cross_entropy(
                ADAPTER.forward(self.captioner, batch).flatten(0, 1), batch["targets"].flatten()
            )

        def validation_step(self, batch: Any, _: Any) -> None:
            pass

        def configure_optimizers(self) -> Any:
            return torch.optim.Adam(self.parameters(), 0.05)

    data = list(batches())
    adapter = LogitsAdapter(lambda module, batch: ADAPTER.forward(module.captioner, batch))
    watch = PregenWatch(data, adapter)
    trainer = lightning.Trainer(
        max_epochs=3,
        callbacks=[
            lightning_callback(watch),
            lightning.pytorch.callbacks.ModelCheckpoint(tmp_path, monitor=BEST, mode="max"),
        ],
        logger=False,
        accelerator="cpu",
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=tmp_path,
    )
    loader = torch.utils.data.DataLoader(data, batch_size=None)
    trainer.fit(Module(), loader, loader)
    assert len(watch.history) == 3
    assert float(trainer.callback_metrics[BEST]) == pytest.approx(watch.history[-1][BEST])
    best = trainer.checkpoint_callback.best_model_score
    assert float(best) == pytest.approx(max(scores[BEST] for scores in watch.history))


def encoder_decoder(transformers: Any) -> Any:
    """A tiny image-to-text model that knows nothing."""
    encoder = transformers.ViTConfig(
        image_size=8, patch_size=4, hidden_size=8, num_hidden_layers=1, num_attention_heads=1,
        intermediate_size=8,
    )  # fmt: skip
    decoder = transformers.GPT2Config(
        vocab_size=VOCABULARY, n_positions=16, n_embd=8, n_layer=1, n_head=1,
        add_cross_attention=True, is_decoder=True, bos_token_id=0, eos_token_id=1,
    )  # fmt: skip
    config = transformers.VisionEncoderDecoderConfig.from_encoder_decoder_configs(encoder, decoder)
    config.decoder_start_token_id, config.pad_token_id = 0, 2
    return transformers.VisionEncoderDecoderModel(config)


def decoder_only(transformers: Any) -> Any:
    """A tiny GIT, which reads image and caption in one row."""
    vision = {"image_size": 8, "patch_size": 4, "hidden_size": 8, "num_hidden_layers": 1,
              "num_attention_heads": 1, "intermediate_size": 8}  # fmt: skip
    config = transformers.GitConfig(
        vision_config=vision, vocab_size=VOCABULARY, hidden_size=8, num_hidden_layers=1,
        num_attention_heads=1, intermediate_size=8, max_position_embeddings=16, bos_token_id=0,
        eos_token_id=1, pad_token_id=2,
    )  # fmt: skip
    return transformers.GitForCausalLM(config)


def blip(transformers: Any) -> Any:
    """A tiny BLIP, whose text model looks at the image from the side."""
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1,
             "intermediate_size": 8}  # fmt: skip
    text = {"vocab_size": VOCABULARY, "encoder_hidden_size": 8, "max_position_embeddings": 16,
            "bos_token_id": 0, "sep_token_id": 1, "eos_token_id": 1, "pad_token_id": 2}  # fmt: skip
    config = transformers.BlipConfig(
        text_config=sizes | text, vision_config=sizes | {"image_size": 8, "patch_size": 4}
    )
    return transformers.BlipForConditionalGeneration(config)


def captioned(shifted: Any) -> Any:
    """Captions of two images: three that end with the end token (1), one shorter than the rest."""
    labels = torch.tensor([[5, 6, 7, 1], [8, 1, -100, -100], [9, 9, 3, 1]])
    batch = {"pixel_values": torch.randn(3, 3, 8, 8), "labels": labels, "images": ["a", "a", "b"]}
    if shifted:
        start = torch.zeros(3, 1, dtype=labels.dtype)
        batch["labels"] = torch.cat([start, labels], dim=1)
        batch["input_ids"] = batch["labels"].clamp(min=0)
        batch["attention_mask"] = (batch["labels"] >= 0).long()
    return batch


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", [encoder_decoder, decoder_only, blip])
def test_a_tiny_model_of_hugging_face(make: Callable[..., Any]) -> None:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    model = make(transformers).eval()
    batch = captioned(shifted=make is not encoder_decoder)
    watch = PregenWatch([batch], HuggingFaceAdapter(), "all")
    found = watch(model)
    assert watch.meter.words.lengths.tolist() == [4, 2, 4]
    assert watch.meter.words.images == ("a", "b")
    # Word by word, as a decoder would ask: each from what stands before it.
    given, first = [], []
    labels = batch["labels"] if make is encoder_decoder else batch["labels"][:, 1:]
    for row, caption in enumerate(labels):
        words, lead = [], []
        pixels = batch["pixel_values"][row : row + 1]
        sofar = [0]
        for word in caption[caption >= 0].tolist():
            name = "decoder_input_ids" if make is encoder_decoder else "input_ids"
            with torch.no_grad():
                logits = model(pixel_values=pixels, **{name: torch.tensor([sofar])}).logits[0, -1]
            words.append(float(logits.double().softmax(-1)[word]))
            lead.append(int(logits.argmax()) == word)
            sofar.append(word)
        given.append(words)
        first.append(lead)
    expected = pregen_scores(WordProbabilities.of(given, first, images=batch["images"]), "all")
    finite = [name for name in expected if np.isfinite(expected[name])]
    assert len(finite) > 300
    assert {name: found[name] for name in finite} == pytest.approx(
        {name: expected[name] for name in finite}, rel=1e-4
    )
    assert all(found[name] == np.inf for name in found if name not in finite)


@pytest.mark.filterwarnings("ignore")
def test_the_real_trainer_of_hugging_face(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    torch.manual_seed(0)
    batch = captioned(shifted=False)
    rows = [
        {"pixel_values": pixels, "labels": labels}
        for pixels, labels in zip(batch["pixel_values"], batch["labels"], strict=True)
    ]
    watch = PregenWatch([batch], HuggingFaceAdapter(), [BEST, "perplexity"])
    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path),
        num_train_epochs=3,
        learning_rate=0.05,
        eval_strategy="epoch",
        save_strategy="epoch",
        metric_for_best_model=f"eval_{BEST}",
        greater_is_better=True,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
    )
    trainer = transformers.Trainer(
        encoder_decoder(transformers),
        arguments,
        train_dataset=rows,
        eval_dataset=rows,
        callbacks=[trainer_callback(watch)],
    )
    trainer.train()
    assert len(watch.history) == 3
    assert watch.history[-1]["geomean_join_pplx_none"] < watch.history[0]["geomean_join_pplx_none"]
    assert trainer.state.best_metric == max(scores[BEST] for scores in watch.history)
    assert trainer.evaluate()[f"eval_{BEST}"] == watch.history[-1][BEST]
