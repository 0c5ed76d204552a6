"""`captious` for a domain of one's own, from a file of captions to a metric with a card."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.cli.main import make_parser
from captious.errors import InputError, MissingDependencyError
from captious.text.domain import Domain
from captious.text.languages import ENGLISH
from captious.text.vectors.word_vectors import UNKNOWN
from captious.training.domain import captions as captions_module
from captious.training.domain import job as job_module
from captious.training.domain.captions import split_captions
from captious.training.domain.job import DomainJob, run_job
from captious.training.domain.learning import recipe_for
from captious.training.loop import Progress
from tests.places import ROOT

NAMES = [f"{first}{last}" for first in "bgkmps" for last in ("or", "al", "ip", "ug", "esk", "on")]
PATTERNS = [
    "ti {0} me {1} ne {2}",
    "mu {0} ko ti {1} sa {2}",
    "ne {2} ku ti {0} me {1}",
    "ti {1} me mu {0} ne ti {2}",
    "mu {2} sa {0} ko {1}",
    "ti {0} ko {1} ku {2}",
]
# Each thing has three names, of which none is like another.
THINGS = [NAMES[place::12] for place in range(12)]


def made_up_captions(images: int = 320, seed: int = 0, several: int = 4) -> dict[str, list[str]]:
    """Captions in a language that nothing is known of."""
    rng = np.random.default_rng(seed)
    made = {}
    for image in range(images):
        things = rng.choice(len(THINGS), 3, replace=False).tolist()
        made[f"i{image}"] = [
            pattern.format(*(THINGS[thing][rng.integers(3)] for thing in things))
            for pattern in PATTERNS[:several]
        ]
    return made


def write(path: Path, captions: dict[str, list[str]]) -> Path:
    rows = [{"id": image, "references": several} for image, several in captions.items()]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def run(*arguments: object) -> None:
    options = make_parser("train").parse_args(["train", *map(str, arguments)])
    options.run(options)


def test_splits_are_disjoint() -> None:
    captions = {**made_up_captions(1000), "few": ["ti bor", "mu bor"]}
    parts = split_captions(captions, "intl", 0)
    numbers = [len(part) for part in (parts.training, parts.validation, parts.test, parts.few)]
    assert numbers == [750, 150, 100, 1]
    every = [parts.training, parts.validation, parts.test, parts.few]
    assert sorted(name for part in every for name in part.names) == sorted(captions)
    assert parts.captions_per_image == 4
    assert parts.few.words == [[["ti", "bor"], ["mu", "bor"]]]
    assert split_captions(captions, "intl", 0).test.names == parts.test.names
    assert split_captions(captions, "intl", 1).test.names != parts.test.names


def test_as_many_captions_are_read_together_as_most_images_have() -> None:
    most = made_up_captions(900, several=6)
    assert split_captions(most, "intl", 0).captions_per_image == 5
    mixed = {
        **most,
        **{f"j{image}": each[:3] for image, each in enumerate(made_up_captions().values())},
    }
    assert split_captions(mixed, "intl", 0).captions_per_image == 3


@pytest.mark.parametrize(("images", "several"), [(299, 4), (1000, 2)])
def test_too_few_images_are_an_error(images: int, several: int) -> None:
    with pytest.raises(InputError, match=r"images with 3 captions or more.*300 such images"):
        split_captions(made_up_captions(images, several=several), "intl", 0)


def test_captions_that_are_all_the_same_are_an_error() -> None:
    with pytest.raises(InputError, match="fewer than 300 different captions of 320 images"):
        split_captions(dict.fromkeys(made_up_captions(), ["ti bor"] * 3), "intl", 0)


def test_small_domains_have_small_batches() -> None:
    assert recipe_for("de", 100, 0).batch == 64
    assert recipe_for("de", 4000, 0).batch == 500
    assert recipe_for("de", 100_000, 0).batch == 1024
    assert recipe_for(ENGLISH, 4000, 3).rate < recipe_for("de", 4000, 3).rate


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "import_torch", lambda: None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("captious", "nothing to learn from: give --captions"),
        ("captious --captions {mine} --output mine.txt", "name the file .npz"),
        ("captious --captions {mine} --data .", "--data: has no meaning for captious"),
        ("captious --captions {mine} --per-image 2", "--per-image: has no meaning for captious"),
        ("captious --captions {mine} --language klingon", "unknown language"),
        ("captious --captions {folder}/none.jsonl", "none.jsonl"),
        ("captious --captions {mine} --machine {other}", "no captions of the images in"),
        ("captious --captions {few}", "few.jsonl: 40 images with 3 captions or more"),
        ("captious --captions {mine} --checkpoint {mine}", "not a checkpoint"),
        ("lceval --captions {mine}", "--captions: has no meaning for lceval"),
        ("lceval --language de", "--language: has no meaning for lceval"),
    ],
)
def test_errors_come_before_any_work(
    arguments: str, said: str, without_torch: None, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(job_module, "learn_domain", None)
    write(tmp_path / "few.jsonl", made_up_captions(40))
    (tmp_path / "other.json").write_text(json.dumps([{"image_id": "x", "caption": "ti borka"}]))
    files = {
        "mine": write(tmp_path / "mine.jsonl", made_up_captions()),
        "few": tmp_path / "few.jsonl",
        "other": tmp_path / "other.json",
        "folder": tmp_path,
    }
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=said):
        run(*arguments.format(**files).split())
    assert sorted(tmp_path.iterdir()) == before


def test_without_torch_it_says_how_to_get_it(tmp_path: Path, monkeypatch: Any) -> None:
    def missing() -> None:
        raise MissingDependencyError("this needs PyTorch")

    monkeypatch.setattr(job_module, "import_torch", missing)
    with pytest.raises(MissingDependencyError):
        run("captious", "--captions", "mine.jsonl", "--output", tmp_path / "mine.npz")


class TestTraining:
    """What needs torch."""

    @pytest.fixture(autouse=True)
    def _torch(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("torch")
        monkeypatch.chdir(tmp_path)
        write(tmp_path / "mine.jsonl", made_up_captions())
        machine = [
            {"image_id": image, "caption": several[0]}
            for image, several in made_up_captions().items()
        ]
        (tmp_path / "machine.json").write_text(json.dumps(machine))

    def job(self, name: str = "mine.npz", **choices: Any) -> DomainJob:
        return DomainJob(Path("mine.jsonl"), Path(name), **{"language": "qaa", **choices})

    def test_a_language_is_learned_from_its_captions(self) -> None:
        told: list[Progress] = []
        outcome = run_job(self.job(machines=(Path("machine.json"),)), told.append)
        assert outcome.machine_captions == 320
        assert outcome.after.first > outcome.before.first + 0.1
        assert outcome.figures["own_caption_preferred"] > 0.8
        assert told[-1].epoch == told[-1].epochs == outcome.recipe.epochs
        card = Path("mine.md").read_text()
        assert "`captious train captious`" in card
        assert f"| found first | {outcome.after.first:.4f} |" in card
        assert Domain.load("mine.npz").language == "qaa"
        (one, two, _), (three, four, _), (five, six, _), (wrong, *_) = THINGS[:4]
        references = [[PATTERNS[place].format(one, three, five) for place in (1, 2)]] * 3
        own = PATTERNS[0].format(two, four, six)  # in other words
        other, shuffled = f"ti {wrong} me {wrong} ne {wrong}", f"me {four} ne {six} {two} ti"
        result = captious.score([own, other, shuffled], references, "mine.npz", language="qaa")
        right, wrongly, disordered = result.samples["mine"].tolist()
        assert right > wrongly + 0.3
        assert right > disordered + 0.3

    def test_same_seed_gives_same_bytes_also_after_an_interruption(self) -> None:
        run_job(self.job("one.npz"))
        run_job(self.job("two.npz", checkpoint=Path("state.npz")))
        run_job(self.job("three.npz", checkpoint=Path("state.npz")))  # all epochs are done
        one = Path("one.npz").read_bytes()
        assert Path("two.npz").read_bytes() == Path("three.npz").read_bytes() == one
        assert Path("two.md").read_text() == Path("one.md").read_text().replace("# one", "# two")
        run_job(self.job("other.npz", seed=1))
        assert Path("other.npz").read_bytes() != one

    def test_english_training_starts_from_the_shipped_space(self) -> None:
        outcome = run_job(self.job(language="en"))
        words = set(outcome.learned.domain.space.vectors.words)
        assert {"dog", "running", "bor", "kesk"} <= words
        assert (outcome.learned.domain.space.vectors.rows(["bor", "kesk"]) != UNKNOWN).all()
        assert "own_caption_preferred_before" in outcome.figures
        # Words that no caption had lie where they lay.
        near = captious.score(["dog runs"], [["dog running"]], ["consensus(domain=mine.npz)"])
        shipped = captious.score(["dog runs"], [["dog running"]], ["consensus"])
        assert near.corpus["consensus"] == pytest.approx(shipped.corpus["consensus"], abs=1e-3)

    def test_the_command_prints_settings_and_figures(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run("captious", "--captions", "mine.jsonl", "--language", "qaa", "--format", "json")
        printed = json.loads(capsys.readouterr().out)
        assert printed["settings"]["language"] == "qaa"
        assert printed["settings"]["seed"] == 0
        assert printed["figures"]["found_first"] > printed["figures"]["found_first_before"]
        assert len(printed["curve"]) == printed["settings"]["epochs"]
        assert Path("learned.npz").exists()
        assert Path("learned.md").exists()


def test_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "mine.jsonl", made_up_captions())
    page = (ROOT / "docs" / "own_domain.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(block, {})
    assert Path("mine.md").exists()


def test_the_parts_are_as_large_as_the_documentation_says() -> None:
    assert captions_module.MIN_IMAGES == 300
    assert captions_module.MIN_CAPTIONS_PER_IMAGE == 3
