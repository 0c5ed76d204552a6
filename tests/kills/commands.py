"""Every command that writes a file or fills a cache, small enough to be killed many times."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from captious.training.learned_metrics.job import features_and_recipe
from tests.fuzz.kinds import (
    captions_in_files,
    judgements_in_files,
    paper_pages,
    pregen_files,
    vectors_in_files,
)
from tests.made_up import experiment_data as data_made_up

ANIMALS = ("dog", "cat", "horse")
RECIPE = """
name = "mine"
feature = ["bleu_1", "rouge_l"]
[training]
hidden = [4]
epochs = 40
patience = 40
batch = 16
"""


@dataclass(frozen=True)
class Command:
    """A command line in a folder of its own, and the files that it writes.

    `resumed` are files that it may leave behind unfinished, and goes on from. Where nothing is
    `written`, what it prints is what counts.
    """

    name: str
    line: str
    prepare: Callable[[Path], None]
    written: tuple[str, ...] = ()
    resumed: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


def _write_captions(folder: Path) -> None:
    rows = [
        {
            "id": i,
            "candidate": f"a {ANIMALS[i % 3]} on a bench number {i}",
            "references": [f"the {ANIMALS[i % 3]} sits on bench {i}", "an animal outside"],
        }
        for i in range(400)
    ]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "rows.csv").write_bytes(captions_in_files.format_rows(rows, ".csv"))


def _write_systems(folder: Path) -> None:
    _write_captions(folder)
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    for system, caption in (("a", "a dog outside"), ("b", "a cat on a bench")):
        said = [{"id": row["id"], "candidate": f"{caption} {row['id']}"} for row in rows]
        (folder / f"{system}.jsonl").write_text("\n".join(map(json.dumps, said)))


def _score_some(folder: Path) -> None:
    (folder / "rows.json").write_bytes(
        captions_in_files.format_rows(captions_in_files.ROWS, ".json")
    )


def _write_scores(folder: Path) -> None:
    (folder / "scores.jsonl").write_bytes(
        captions_in_files.format_rows(captions_in_files.SCORES, ".jsonl")
    )


def _write_vectors(folder: Path) -> None:
    numbers = np.random.default_rng(0).normal(0, 1, (3000, 20))
    lines = [f"w{i} " + " ".join(f"{n:.5f}" for n in row) for i, row in enumerate(numbers)]
    (folder / "v.txt").write_text("\n".join(lines))


def _write_judgements(folder: Path) -> None:
    (folder / "mine.json").write_bytes(
        captions_in_files.format_rows(judgements_in_files.RATED, ".json")
    )


def _write_robustness(folder: Path) -> None:
    for name, content in judgements_in_files.robustness_files().items():
        (folder / name).write_bytes(content)


def _write_search(folder: Path) -> None:
    (folder / "s.csv").write_bytes(captions_in_files.format_rows(pregen_files.SEARCH, ".csv"))


def _write_strata(folder: Path) -> None:
    for name, content in pregen_files.strata_files().items():
        (folder / name).write_bytes(content)


def _write_page(folder: Path) -> None:
    for name, content in paper_pages.page().items():
        (folder / name).write_bytes(content)


def _write_training(folder: Path) -> None:
    (folder / "data").mkdir()
    data_made_up.written(folder / "data")
    (folder / "mine.toml").write_text(RECIPE)
    # A recipe that is wrong would be killed for nothing.
    features_and_recipe(str(folder / "mine.toml"))


def _write_images(folder: Path) -> None:
    features = 0.1 * np.random.default_rng(0).random((48, 4))
    features[np.arange(48), np.arange(48) % 3] = 1
    names = [f"{row}.jpg" for row in range(48)]
    (folder / "i.npz").write_bytes(
        vectors_in_files.npz(files=np.array(names), features=features.astype(np.float32))
    )
    for split, own in (("train", range(36)), ("dev", range(36, 48))):
        rows = [
            {
                "id": names[i],
                "references": [f"A {ANIMALS[i % 3]} is here.", f"One {ANIMALS[i % 3]}."],
            }
            for i in own
        ]
        (folder / f"{split}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    said = [{"id": name, "candidate": f"a {ANIMALS[i % 2]}"} for i, name in enumerate(names)]
    (folder / "written.json").write_text(json.dumps(said))
    everything = [
        json.loads(line)
        for split in ("train", "dev")
        for line in (folder / f"{split}.jsonl").read_text().splitlines()
    ]
    (folder / "all.jsonl").write_text("\n".join(map(json.dumps, everything)))


def _write_captioner(folder: Path) -> None:
    from captious.captioners.captioner import Captioner
    from captious.captioners.decoder import Decoder, Shape
    from captious.images.vectors import ImageScaling
    from captious.text.vocabulary import Vocabulary

    _write_images(folder)
    words = Vocabulary(("a", *ANIMALS, "is", "here", "one"))
    decoder = Decoder(Shape("merge", 6, len(words), 4), 0)
    Captioner(ImageScaling.none(4), decoder, words, {}).save(folder / "captioner.npz")


FILTER = "--where form>.01 --dedup text --top 300 --by form --jobs 2 --chunk 100"
SCORE = "score rows.jsonl --metrics bleu,rouge_l,cider_d --quiet --format json"
SPLITS = "--captions train.jsonl --validation dev.jsonl --features i.npz"
SMALL = "--size 8 --hidden 8 --batch 20 --least-count 1 --learning-rate 0.01"
STREAMED = (
    *(f"out/part-{number:06d}.jsonl" for number in range(5)),
    "out/document_frequencies.npz",
    "out/manifest.json",
    "out/sums.npz",
)
FILTERED = (*(f"out/part-{number:06d}.jsonl" for number in range(5)), "out/manifest.json")
COMMANDS: dict[str, Command] = {
    each.name: each
    for each in (
        *(
            Command(
                f"score{ending}",
                f"{SCORE} --output out{ending}",
                _write_captions,
                (f"out{ending}",),
            )
            for ending in (".json", ".jsonl", ".csv", ".csv.gz")
        ),
        Command(
            "score.parquet",
            f"{SCORE} --output out.parquet",
            _write_captions,
            ("out.parquet",),
            needs=("pyarrow",),
        ),
        Command(
            "score-systems",
            "score a.jsonl b.jsonl --references rows.jsonl --metrics bleu "
            "--quiet --format json --output out-*.jsonl",
            _write_systems,
            ("out-a.jsonl", "out-b.jsonl"),
        ),
        *(
            Command(
                f"filter{ending}",
                f"filter rows{ending} {FILTER} --output out{ending} --quiet",
                _write_captions,
                (f"out{ending}",),
            )
            for ending in (".jsonl", ".csv")
        ),
        Command(
            "filter-parts",
            "filter rows.jsonl --where form>.01 --jobs 2 --chunk 90 --quiet "
            "--output out --format json",
            _write_captions,
            resumed=FILTERED,
        ),
        Command(
            "score-stream",
            "score rows.jsonl --stream --jobs 2 --chunk 90 --resamples 20 "
            "--metrics bleu,cider_d --output out --quiet --format json",
            _write_captions,
            resumed=STREAMED,
        ),
        Command(
            "score-stream-file",
            "score rows.jsonl --stream --jobs 1 --chunk 150 --resamples 0 "
            "--metrics rouge_l --output out.csv --quiet --format json",
            _write_captions,
            ("out.csv",),
        ),
        Command("cache", "score rows.json --metrics spice,hwcm --quiet --format json", _score_some),
        Command("df", "df rows.jsonl --output out.npz --quiet", _write_captions, ("out.npz",)),
        Command("vectors", "vectors v.txt --output out.npz --quiet", _write_vectors, ("out.npz",)),
        Command(
            "graph", "graph a.dog.on.a.bench --output out.svg --quiet", _score_some, ("out.svg",)
        ),
        Command(
            "report",
            "report scores.jsonl --resamples 20 --output out.html --quiet",
            _write_scores,
            ("out.html",),
        ),
        Command(
            "meta",
            "meta custom --judgements mine.json --metrics bleu_1,spice --resamples 50 "
            "--output out.json --quiet",
            _write_judgements,
            ("out.json",),
        ),
        Command(
            "meta-report",
            "meta custom --judgements mine.json --metrics bleu_1 --resamples 50 "
            "--report out.html --quiet",
            _write_judgements,
            ("out.html",),
        ),
        Command(
            "meta-samples",
            "meta custom --judgements mine.json --samples out.jsonl",
            _write_judgements,
            ("out.jsonl",),
        ),
        Command(
            "robustness",
            "robustness --data . --metrics bleu_1 --kind pathological --output out.json --quiet",
            _write_robustness,
            ("out.json",),
        ),
        Command(
            "pregen-search",
            "pregen search s.csv --resamples 20 --output out.jsonl --quiet",
            _write_search,
            ("out.jsonl",),
        ),
        Command(
            "pregen-strata",
            "pregen strata p.npz --candidates c.jsonl --strata 2 --quiet "
            "--post rouge_l,bleu --output out.csv",
            _write_strata,
            ("out.csv",),
        ),
        Command(
            "pregen-plots",
            "pregen search s.csv --resamples 20 --plots drawn --quiet",
            _write_search,
            needs=("matplotlib",),
        ),
        Command(
            "train",
            "train mine.toml --data data --human data/coco/captions_val2014.json.gz "
            "--mixture random_caption=1 --output out.npz --checkpoint state.npz --quiet",
            _write_training,
            ("out.npz", "out.md"),
            ("state.npz",),
            ("torch",),
        ),
        Command(
            "train-own-captions",
            "train mine.toml --human data/coco/captions_val2014.json.gz "
            "--mixture random_caption=1 --output out.npz --checkpoint state.npz --quiet",
            _write_training,
            ("out.npz", "out.md"),
            ("state.npz",),
            ("torch",),
        ),
        Command(
            "captioner-train",
            f"captioner train {SPLITS} --size 8 --epochs 6 --learning-rate "
            "0.02 --output out.npz --checkpoint state.npz --quiet",
            _write_images,
            ("out.npz",),
            ("state.npz",),
            ("torch",),
        ),
        Command(
            "captioner-tune",
            f"captioner tune captioner.npz {SPLITS} --reward rouge_l --epochs "
            "4 --longest 5 --output out.npz --checkpoint state.npz --quiet",
            _write_captioner,
            ("out.npz",),
            ("state.npz",),
            ("torch",),
        ),
        Command(
            "captioner-generate",
            "captioner generate captioner.npz --features i.npz --output out.json --quiet",
            _write_captioner,
            ("out.json",),
            needs=("torch",),
        ),
        Command(
            "captioner-probabilities",
            "captioner probabilities captioner.npz --features i.npz "
            "--captions all.jsonl --output out.npz --quiet",
            _write_captioner,
            ("out.npz",),
            needs=("torch",),
        ),
        Command(
            "critic-train",
            f"critic train {SPLITS} {SMALL} --epochs 5 --machine written.json "
            "--output out.npz --checkpoint state.npz --quiet",
            _write_images,
            ("out.npz",),
            ("state.npz",),
            ("torch",),
        ),
        Command(
            "critic-judge",
            f"critic judge written.json --references all.jsonl {SMALL} "
            "--epochs 2 --features i.npz --seeds 1 --output out.csv --quiet",
            _write_images,
            ("out.csv",),
            needs=("torch",),
        ),
        Command(
            "reproduce",
            "reproduce lceval --data data --table 6 --quiet --format json",
            _write_training,
        ),
        Command(
            "reproduce-render",
            f"reproduce {paper_pages.PAPER} --render --output . --quiet",
            _write_page,
            (f"{paper_pages.PAPER}.md", "README.md"),
            needs=("matplotlib",),
        ),
    )
}


def earlier_content(name: str) -> bytes:
    """Return the content that a file had before the run."""
    return gzip.compress(b"earlier", mtime=0) if name.endswith(".gz") else b"earlier"
