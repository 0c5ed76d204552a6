"""CaptionReward under TRL's own GRPOTrainer, with a tiny model made for the test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import captious
from captious.integrations import CaptionReward

WORDS = "a dog cat man runs sleeps on the beach grass . describe image".split()
REFERENCES = [["a dog runs on the beach", "the dog runs"], ["a cat sleeps on the grass"]]


def tokenizer(transformers: Any) -> Any:
    """Each word a token."""
    tokenizers = pytest.importorskip("tokenizers")
    numbers = {word: number for number, word in enumerate(["<pad>", "<end>", "<unk>", *WORDS])}
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(numbers, unk_token="<unk>"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="<end>", unk_token="<unk>"
    )


def tiny_model(transformers: Any, words: Any) -> Any:
    """A GPT-2 that knows nothing."""
    config = transformers.GPT2Config(
        vocab_size=len(words), n_positions=32, n_embd=16, n_layer=1, n_head=2, bos_token_id=1,
        eos_token_id=1, pad_token_id=0,
    )  # fmt: skip
    return transformers.GPT2LMHeadModel(config)


def config(trl: Any, folder: Path, max_steps: int) -> Any:
    """Eight completions a step, without files and without network."""
    return trl.GRPOConfig(
        output_dir=str(folder),
        max_steps=max_steps,
        per_device_train_batch_size=8,
        num_generations=4,
        max_completion_length=6,
        learning_rate=0.02,
        lr_scheduler_type="constant",
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=False,
        disable_tqdm=True,
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_real_grpo_trainer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    datasets = pytest.importorskip("datasets")
    trl = pytest.importorskip("trl")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    torch.manual_seed(0)
    words = tokenizer(transformers)
    calls: list[tuple[list[str], list[list[str]], list[float | None]]] = []

    class RecordingReward(CaptionReward):
        def __call__(self, prompts: Any = None, completions: Any = None, **columns: Any) -> Any:
            rewards = super().__call__(prompts, completions, **columns)
            calls.append((completions, columns["references"], rewards))
            return rewards

    trainer = trl.GRPOTrainer(
        tiny_model(transformers, words),
        reward_funcs=[RecordingReward("rouge_l"), CaptionReward("cider_d", df="coco-val2014")],
        args=config(trl, tmp_path, max_steps=25),
        train_dataset=datasets.Dataset.from_dict(
            {"prompt": ["describe image"] * 2, "references": REFERENCES}
        ),
        processing_class=words,
    )
    trainer.train()
    assert len(calls) == 25
    for completions, references, rewards in calls:
        expected = captious.score(completions, references, "rouge_l").samples["rouge_l"]
        assert rewards == expected.tolist()
    history = [row for row in trainer.state.log_history if "rewards/rouge_l/mean" in row]
    assert all("rewards/cider_d/mean" in row for row in history)
    means = [row["rewards/rouge_l/mean"] for row in history]
    assert sum(means[-5:]) > sum(means[:5])  # it learns to say what is rewarded
