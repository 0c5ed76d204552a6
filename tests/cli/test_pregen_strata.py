"""captious pregen strata: the table that it writes is the one that a search reads."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from captious.io.captions import read_candidates, read_references
from captious.pregen import WordProbabilities, pregen_scores, write_probabilities
from captious.pregen.search_table import read_search_table
from captious.pregen.strata import StratumScorer, split_into_strata
from tests.cli.command import captious
from tests.places import EXAMPLES

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # of so few images

REFERENCES = EXAMPLES / "references.jsonl"
SYSTEMS = {"terse_1": "terse.jsonl", "careful_1": "careful.jsonl", "careful_2": "hasty.jsonl"}
BEST = "mean_max_normcount_prefix0"
POST = ["meteor", "cider_d"]


def made_up_words(seed: int) -> WordProbabilities:
    """Probabilities of as many words as the references have, for each image."""
    rng = np.random.default_rng(seed)
    by_image = read_references(REFERENCES)
    lengths = {
        image: [len(text.split()) + 1 for text in texts] for image, texts in by_image.items()
    }
    return WordProbabilities.of(
        [rng.random(words) for sizes in lengths.values() for words in sizes],
        [rng.random(words) < 0.7 for sizes in lengths.values() for words in sizes],
        images=[image for image, sizes in lengths.items() for _ in sizes],
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    seeds = count()
    for name in SYSTEMS:
        write_probabilities(tmp_path / f"{name}.npz", made_up_words(next(seeds)))
    return tmp_path


def command(folder: Path, *names: str) -> list[str]:
    """The arguments for some of the systems."""
    probabilities = [str(folder / f"{name}.npz") for name in names]
    candidates = [str(EXAMPLES / SYSTEMS[name]) for name in names]
    return ["pregen", "strata", *probabilities, "--candidates", *candidates]


@pytest.mark.slow
@pytest.mark.parametrize("output", ["table.csv", "table.csv.gz", "table.jsonl", "table.json"])
def test_written_table_can_be_searched(folder: Path, output: str) -> None:
    given = [*command(folder, *SYSTEMS), "--references", str(REFERENCES), "--output", output]
    done = captious(*given, "--post", ",".join(POST), "--dataset", "toy", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "45 rows of 3 models: table" in done.stderr
    table = read_search_table(folder / output)
    assert len(table) == 3 * 15 and list(table.post) == POST and len(table.pre) == 504
    assert table.models.tolist() == [model for model in range(3) for _ in range(15)]
    assert table.keys["architecture"][14:16] == ["terse", "careful"]
    assert [table.keys["run"][row] for row in (0, 15, 30)] == ["1", "1", "2"]
    # Its rows are what the parts give one by one, infinite values too.
    words, captions = made_up_words(2), read_candidates(EXAMPLES / "hasty.jsonl").captions
    by_image = read_references(REFERENCES)
    generated = StratumScorer(list(by_image.values()), POST).score_captions(
        [captions[i] for i in by_image]
    )
    for row, (parts, stratum, images) in enumerate(split_into_strata(generated.cider), 30):
        assert table.keys["num_strata"][row] == str(parts)
        assert table.keys["stratum"][row] == str(stratum)
        assert {name: table.post[name][row] for name in POST} == generated(images)
        scores = pregen_scores(words.take_images(images), "all")
        assert {name: table.pre[name][row] for name in scores} == scores
    assert np.isinf(table.pre["sum_sum_pplx_prefix0"]).any()
    searched = captious(
        "pregen", "search", output, "--resamples", "0", "--format", "json", cwd=folder
    )
    assert searched.returncode == 0, searched.stderr
    data = json.loads(searched.stdout)
    assert (data["rows"], data["models"]) == (45, 3)


def test_two_tables_are_searched_as_one(folder: Path) -> None:
    for name, dataset in (("terse_1", "a"), ("careful_1", "b")):
        given = command(folder, name)
        done = captious(
            *given, "--references", REFERENCES, "--dataset", dataset, "--output", f"{dataset}.csv",
            "--post", "cider_d", "--strata", "3", "--metrics", f"{BEST},perplexity", cwd=folder,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    done = captious("pregen", "search", "a.csv", "b.csv", "--format", "json", cwd=folder)
    data = json.loads(done.stdout)
    assert (data["rows"], data["models"], data["kept"]) == (12, 2, 2)
    assert set(data["rankings"]["cider_d"][0]["datasets"]) == {"a", "b"}


@pytest.mark.slow
def test_the_printed_table_is_of_whole_test_sets(folder: Path) -> None:
    given = [*command(folder, "terse_1", "careful_2"), "--references", REFERENCES]
    given += ["--output", "t.csv", "--post", "cider_d", "--metrics", BEST]
    released = captious(*given, "--variant", "released", "--format", "json", "--quiet", cwd=folder)
    assert released.stderr == ""
    data = json.loads(released.stdout)
    assert data["rows"] == 30 and data["output"] == "t.csv"
    assert [model["architecture"] for model in data["models"]] == ["terse", "careful"]
    expected = pregen_scores(made_up_words(2), BEST)[BEST]
    assert data["models"][1][BEST] == pytest.approx(expected, rel=1e-12)  # in another order
    printed = captious(*given, cwd=folder).stdout
    assert f"{data['models'][0]['cider_d']:.4f}" in printed


def test_post_gen_metrics_have_addresses(folder: Path) -> None:
    given = [*command(folder, "terse_1"), "--references", REFERENCES, "--metrics", BEST]
    tables = []
    for place, post in enumerate(("cider_d(sigma=4,n=3),rouge_l", "cider_d,rouge_l")):
        done = captious(*given, "--post", post, "--output", f"{place}.csv", cwd=folder)
        assert done.returncode == 0, done.stderr
        tables.append(read_search_table(folder / f"{place}.csv").post)
    other, usual = tables
    assert list(other) == list(usual) == ["cider_d", "rouge_l"]
    assert other["rouge_l"].tolist() == usual["rouge_l"].tolist()
    assert other["cider_d"].tolist() != usual["cider_d"].tolist()


def test_captions_of_other_images_are_noted(folder: Path) -> None:
    words = made_up_words(0).take_images(np.arange(20))
    write_probabilities(folder / "few.jsonl", words)
    done = captious(
        "pregen", "strata", "few.jsonl", "--candidates", EXAMPLES / "terse.jsonl", "--references",
        REFERENCES, "--post", "cider_d", "--metrics", BEST, "--output", "t.csv", cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "terse.jsonl: 10 captions of other images" in done.stderr
    assert read_search_table(folder / "t.csv").keys["run"][0] == "1"  # no number: the only run


def test_invalid_arguments_give_a_one_line_error_and_leave_no_files(folder: Path) -> None:
    unnamed = made_up_words(0)
    arrays = {name: getattr(unnamed, name) for name in ("probabilities", "is_first")}
    offsets = {name: getattr(unnamed, name) for name in ("caption_offsets", "image_offsets")}
    write_probabilities(folder / "unnamed.npz", WordProbabilities(**arrays, **offsets))
    write_probabilities(folder / "one.npz", made_up_words(0).take_images([0]))
    terse, hasty = str(EXAMPLES / "terse.jsonl"), str(EXAMPLES / "hasty.jsonl")
    lines = Path(terse).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "short.jsonl").write_text("".join(lines[2:]), encoding="utf-8")
    good = str(folder / "terse_1.npz")
    written = ["--output", "t.csv", "--references", str(REFERENCES)]
    cases = {
        "1 files of probabilities but 2 of candidates": [good, "--candidates", terse, hasty],
        "terse_1.npz: the same model as": [good, good, "--candidates", terse, hasty],
        "unnamed.npz: images have no names": ["unnamed.npz", "--candidates", terse],
        "short.jsonl: no caption of image 'beach-dog' (and 1 more images), which": [
            good, "--candidates", "short.jsonl",
        ],
        "one.npz: 1 images cannot be split into 5 parts; give --strata": [
            "one.npz", "--candidates", terse,
        ],
        "--strata: a whole number from 1": [good, "--candidates", terse, "--strata", "0"],
        "unknown pre-gen metric": [good, "--candidates", terse, "--metrics", "mean_max"],
        "unknown metric": [good, "--candidates", terse, "--post", "cidr"],
        "unknown kind of file": [good, "--candidates", terse, "--output", "t.xyz"],
        "would be overwritten": [good, "--candidates", terse, "--output", good],
        "nothing.npz: cannot be read": ["nothing.npz", "--candidates", terse],
    }  # fmt: skip
    before = sorted(folder.iterdir())
    for message, arguments in cases.items():
        done = captious("pregen", "strata", *written, *arguments, cwd=folder)
        assert (done.returncode, done.stdout) == (2, ""), message
        assert message in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
        assert sorted(folder.iterdir()) == before
    done = captious(
        "pregen", "strata", good, "--candidates", terse, "--output", "t.csv", cwd=folder
    )
    assert "no column 'references'; add one, or name a file" in done.stderr
    (folder / "other.jsonl").write_text('{"id": "x", "references": ["a dog"]}\n')
    done = captious(
        "pregen", "strata", good, "--candidates", terse, "--references", "other.jsonl",
        "--output", "t.csv", cwd=folder,
    )  # fmt: skip
    assert "other.jsonl: no references of image 'beach-dog' (and 29 more" in done.stderr
