"""The examples of docs/integrations.md run, each with the real library (harnesses made up)."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import captious
from tests.integrations.captions import CANDIDATES, REFERENCES
from tests.places import DOCS

pytestmark = pytest.mark.filterwarnings("ignore")  # what libraries warn of is not our concern

PAGE = (DOCS / "integrations.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
Names = dict[str, Any]


def run(title: str, **given: Any) -> Names:
    """Run a section's examples with these names; what they defined."""
    blocks = re.findall(r"```python\n(.*?)```", SECTIONS[title], re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, given)
    return given


def test_every_section_has_a_test() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    for title in SECTIONS:
        assert re.sub(r"\W+", "_", title).lower() in tested, title


def test_torchmetrics() -> None:
    pytest.importorskip("torchmetrics")
    batches = [(CANDIDATES[:9], REFERENCES[:9]), (CANDIDATES[9:20], REFERENCES[9:20])]
    found = run("torchmetrics", batches=batches)["metric"].compute()
    expected = captious.score(CANDIDATES[:20], REFERENCES[:20], "cider_d,captious").corpus
    assert {name: score.item() for name, score in found.items()} == expected


def test_hugging_face_evaluate() -> None:
    pytest.importorskip("evaluate")
    names = run("Hugging Face evaluate", candidates=CANDIDATES, references=REFERENCES)
    both = names["both"].compute(predictions=CANDIDATES, references=REFERENCES)
    assert both == captious.score(CANDIDATES, REFERENCES, "cider_d,captious,meteor").corpus


@pytest.mark.slow
def test_hugging_face_datasets_and_ray_data(monkeypatch: pytest.MonkeyPatch) -> None:
    datasets, ray = pytest.importorskip("datasets"), pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    columns: dict[str, list[Any]] = {"caption": CANDIDATES, "references": REFERENCES}
    # A cluster of its own, also where another test's cluster runs on this machine.
    ray.init(
        "local", num_cpus=2, include_dashboard=False, configure_logging=False, log_to_driver=False
    )
    try:
        names = run(
            "Hugging Face datasets and Ray Data",
            dataset=datasets.Dataset.from_dict(columns),
            rows=ray.data.from_items(
                [{name: columns[name][row] for name in columns} for row in range(10)]
            ),
        )
        found = sorted(names["scored"].take_all(), key=lambda row: CANDIDATES.index(row["caption"]))
    finally:
        ray.shutdown()
    expected = captious.score(CANDIDATES, REFERENCES, "captious").samples["captious"]
    assert [row["captious"] for row in found] == expected[:10].tolist()
    assert len(names["kept"]) == (expected > 0.5).sum() > 0


@pytest.mark.slow
def test_lightning(tmp_path: Path) -> None:
    torch, lightning = pytest.importorskip("torch"), pytest.importorskip("lightning")

    class Module(lightning.LightningModule):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(()))

        def captions(self, batch: Any) -> list[str]:
            return [CANDIDATES[image] for image in batch]

        def training_step(self, batch: Any, _: Any) -> Any:
            return self.weight**2

        def validation_step(self, batch: Any, _: Any) -> None:
            pass

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

    names = run(
        "Lightning",
        module=Module(),
        train_batches=torch.utils.data.DataLoader([0, 1]),
        val_batches=torch.utils.data.DataLoader(range(20), batch_size=6),
        val_references=REFERENCES[:20],
        quiet={
            "logger": False,
            "accelerator": "cpu",
            "enable_progress_bar": False,
            "enable_model_summary": False,
            "enable_checkpointing": False,
            "default_root_dir": tmp_path,
        },
    )
    expected = captious.score(CANDIDATES[:20], REFERENCES[:20], "cider_d").corpus["cider_d"]
    assert [scores["cider_d"] for scores in names["watch"].history] == [expected] * 2


@pytest.mark.slow
def test_hugging_face_trainer(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    from tests.integrations.test_trl import tokenizer

    torch.manual_seed(0)
    words = tokenizer(transformers)
    sizes = {"num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    config = transformers.VisionEncoderDecoderConfig.from_encoder_decoder_configs(
        transformers.ViTConfig(image_size=8, patch_size=4, hidden_size=8, **sizes),
        transformers.GPT2Config(
            vocab_size=len(words), n_positions=16, n_embd=8, n_layer=1, n_head=1,
            add_cross_attention=True, is_decoder=True, bos_token_id=1, eos_token_id=1,
        ),
    )  # fmt: skip
    config.decoder_start_token_id, config.pad_token_id = 1, 0
    caption = "a dog runs on the beach"
    labels = words(caption)["input_ids"] + [1]
    row = {"pixel_values": torch.ones(3, 8, 8), "labels": torch.tensor(labels)}
    names = run(
        "Hugging Face Trainer",
        model=transformers.VisionEncoderDecoderModel(config),
        tokenizer=words,
        arguments=transformers.TrainingArguments(
            output_dir=str(tmp_path),
            num_train_epochs=20,
            learning_rate=0.05,
            save_strategy="no",
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
        ),
        rows=[row] * 8,
        val_batches=[{"pixel_values": torch.ones(2, 3, 8, 8), "labels": "left out"}],
        val_references=[[caption], [f"one {caption}"]],
    )
    watch = names["watch"]
    assert watch.captions == [caption] * 2  # which it has learnt
    evaluated = [row for row in names["trainer"].state.log_history if "eval_cider_d_low" in row]
    assert len(evaluated) == len(watch.history) == 1


@pytest.mark.slow
def test_trl(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    transformers, trl = pytest.importorskip("transformers"), pytest.importorskip("trl")
    datasets = pytest.importorskip("datasets")
    from tests.integrations.test_trl import config, tiny_model, tokenizer

    words = tokenizer(transformers)
    names = run(
        "TRL",
        model=tiny_model(transformers, words),
        tokenizer=words,
        config=config(trl, tmp_path, max_steps=2),
        prompts_with_references=datasets.Dataset.from_dict(
            {"prompt": ["describe image"] * 2, "references": REFERENCES[:2]}
        ),
    )
    history = names["trainer"].state.log_history
    for name in ("cider_d", "captious"):
        assert any(f"rewards/{name}/mean" in row for row in history)


def test_verl() -> None:
    run("verl", candidates=CANDIDATES, references=REFERENCES)


def test_lmms_eval() -> None:
    names = run("lmms-eval")
    process: Callable[..., dict[str, Any]] = names["process_results"]
    documents = [
        {"question_id": f"{row}.jpg", "answer": each} for row, each in enumerate(REFERENCES)
    ]
    given = [[candidate] for candidate in CANDIDATES]
    given[5] = []  # a model that said nothing
    results = [process(doc, each) for doc, each in zip(documents, given, strict=True)]
    said = ["".join(each) for each in given]
    expected = captious.score(said, REFERENCES, "cider_d,captious").corpus
    for metric, function in (("cider_d", "cider_d"), ("captious", "captious_score")):
        assert f"- metric: {metric}\n    aggregation: !function utils.{function}" in PAGE
        assert names[function]([each[metric] for each in results]) == expected[metric]


def test_vlmevalkit(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = types.ModuleType("vlmeval.dataset.image_caption")
    package: Any = types.ModuleType("vlmeval.dataset")
    package.image_caption = module
    monkeypatch.setitem(sys.modules, "vlmeval", types.ModuleType("vlmeval"))
    monkeypatch.setitem(sys.modules, "vlmeval.dataset", package)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    run("VLMEvalKit")
    predictions = {str(row): [caption] for row, caption in enumerate(CANDIDATES)}
    answers = {str(row): captions for row, captions in enumerate(REFERENCES)}
    scores = module.COCO_Caption_Scorer(predictions, answers).compute_scores()
    expected = captious.score(CANDIDATES, REFERENCES).corpus
    assert scores == {name: 100 * score for name, score in expected.items()}
