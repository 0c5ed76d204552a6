"""Human judgements of captions: a user's files, and folders of the benchmarks."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from captious.io.where_image2 import read_systems
from captious.meta.benchmarks import BENCHMARKS
from captious.meta.benchmarks.custom import read_aspects, read_judgements
from captious.meta.benchmarks.wmt16_daseg import KINDS as PARTS
from captious.meta.benchmarks.wmt16_daseg import LANGUAGES
from tests.fuzz import arrays, odd_values
from tests.fuzz.damage import damage_bytes
from tests.fuzz.file_damage import damage_file
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kind import Kind
from tests.fuzz.kinds.captions_in_files import format_rows
from tests.fuzz.kinds.vectors_in_files import npz

QUICK = "--metrics bleu_1 --resamples 0 --no-cache --format json"
RATED = [
    {"candidate": f"a {word} dog", "references": [f"a {word} dog", "a dog runs"],
     "rating": [place, 5 - place], "image": place // 2, "group": "x", "mine": place / 3,
     "fluency": place % 3 or None, "relevance": [1, place]}
    for place, word in enumerate(("red", "small", "big", "brown", "old"))
]  # fmt: skip
PREFERRED = [
    {"candidates": [f"a {word} dog", "a cat"], "references": ["a dog runs", f"a {word} dog"],
     "preferred": place % 2, "image": word, "mine": [place, 1]}
    for place, word in enumerate(("red", "small", "big", "brown"))
]  # fmt: skip
VOTED = [row | {"preferred": [0, 1, place % 2, 0.5]} for place, row in enumerate(PREFERRED)]
OWN_SCORES = [{"id": place, "mine": place / 3} for place in range(len(RATED))]
CAPTIONS = [f"{name}.jpg#{place}\tA {word} {name} runs ." for name in "abc"
            for place, word in enumerate(("red", "small", "big", "brown", "old"))]  # fmt: skip
VAL2014 = {
    "annotations": [
        {"image_id": image, "caption": f"a {word} dog {image}"}
        for image in (1, 2, 3)
        for word in ("red", "small", "big")
    ]
}
TEAMS = ("NeuralTalk", "m-RNN", "Human")


def _text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _flickr8k() -> Files:
    judgements = [
        f"{a}.jpg\t{b}.jpg#{place}\t{{}}"
        for a, b, place in (("a", "b", 0), ("b", "c", 2), ("c", "a", 1), ("a", "a", 3))
    ]
    return {
        "Flickr8k.token.txt": _text(CAPTIONS),
        "ExpertAnnotations.txt": _text(
            [line.format(f"{1 + i % 4}\t{1 + i % 3}\t2") for i, line in enumerate(judgements)]
        ),
        "CrowdFlowerAnnotations.txt": _text(
            [line.format(f"0.5\t{i}\t{3 - i}") for i, line in enumerate(judgements)]
        ),
    }


def _judged_images() -> Files:
    names = np.array([f"{image}.jpg" for image in dict.fromkeys(row["image"] for row in RATED)])
    features = np.random.default_rng(0).random((len(names), 1280)).astype(np.float32)
    return {"mine.json": format_rows(RATED, ".json"), "i.npz": npz(files=names, features=features)}


def _composite() -> Files:
    rows = [
        {"image_id": name, "caption": f"caption {i}", "human_rating": 5 - i, "refs": ["r", "s"]}
        for name in "xyz"
        for i in range(3)
    ]
    return {"composite.jsonl": format_rows(rows, ".jsonl")}


def _matlab(variables: dict[str, Any]) -> bytes:
    from scipy.io import savemat

    stream = io.BytesIO()
    savemat(stream, variables)
    return stream.getvalue()


def _struct(**fields: list[Any]) -> Any:
    length = len(next(iter(fields.values())))
    array = np.empty((1, length), dtype=[(name, object) for name in fields])
    for name, values in fields.items():
        for place, value in enumerate(values):
            array[name][0, place] = value
    return array


def _cells(*texts: str) -> Any:
    array = np.empty((1, len(texts)), dtype=object)
    array[0] = [np.array([text]) for text in texts]
    return array


def _pairs() -> dict[str, Any]:
    return {
        "new_input": _struct(
            name=[np.array([f"i{i}.jpg"]) for i in range(3)],
            sent1=[np.array([f"first {i}"]) for i in range(3)],
            sent2=[np.array([f"second {i}"]) for i in range(3)],
        ),
        "category": np.array([[1, 3, 4]]),
        "result": _struct(
            result=[np.array([row], np.int8) for row in ([1, 1, -1], [-1, -1, 1], [1, 1])]
        ),
    }


def _fifty_references() -> dict[str, Any]:
    return {
        "train_sent_final": _struct(
            name=[np.array([f"https://x/i{i}.jpg"]) for i in range(3)],
            sentences=[_cells(*(f"reference {j} of {i}" for j in range(6))) for i in range(3)],
        )
    }


def _pascal() -> Files:
    rows = [
        {"image": f"VOC/i{i}.jpg", "captions": ["first", "second"], "label": i % 2,
         "references": [f"reference {j} of {i}" for j in range(3)]}
        for i in range(3)
    ]  # fmt: skip
    return {
        "pascal_50s.json": _json({"HC": rows[:2], "HM": rows[2:]}),
        "pair_pascal.mat": _matlab(_pairs()),
        "pascal50S.mat": _matlab(_fifty_references()),
    }


def _abstract() -> Files:
    """Two pairs of captions of each scene, which share one; and votes of a user's."""
    scenes = [f"i{i}.png" for i in range(3)]
    rows = [{"image_id": scene, "caption": f"c {j}"} for scene in scenes for j in range(4)]
    firsts, seconds = (
        [{"image_id": scene, "caption": text} for text in both for scene in scenes]
        for both in (("a dog", "the dog"), ("the dog", "c 1"))
    )
    votes = [
        {"image_id": scene, "candidates": ["a", "b"], "preferred": 1, "group": "HC"}
        for scene in scenes
    ]
    return {
        "abstract_candsB.json": _json(firsts),
        "abstract_candsC.json": _json(seconds),
        "abstract48S.json": _json(rows),
        "abstract_votes.json": _json(votes),
    }


def _coco_2015() -> Files:
    board = [
        {"team": {"name": team}, "results": json.dumps({f"q{m}": m + i / 10 for m in range(1, 6)})}
        for i, team in enumerate(TEAMS)
    ]
    judgements = {
        f"systems_2015/{team}.json": _json(
            [{"image_id": image, "caption": f"a dog {team}"} for image in (1, 2)]
        )
        for team in TEAMS
    }
    return {
        "cap_challenge2015.json": _json(board),
        "captions_val2014.json": _json(VAL2014),
        **judgements,
    }


def _wmt() -> Files:
    lines = {"mt-system": ["one", "two", "three"], "reference": ["uno", "due", "uno"],
             "human": ["0.5", "-1.25", "0"]}  # fmt: skip
    return {
        f"DAseg.newstest2016.{part}.{pair}": _text(lines[part])
        for pair in LANGUAGES
        for part in PARTS
    }


def _foil() -> Files:
    entries = {
        str(place): {"image_file": f"COCO_val2014_{1 + place % 3:012}.jpg", "caption": "a red dog",
                     "foil": "a red cat"}
        for place in range(3)
    }  # fmt: skip
    return {"foil-it.json": _json(entries), "captions_val2014.json": _json(VAL2014)}


def _sugarcrepe() -> Files:
    from captious.meta.benchmarks.forced_choice import SUGARCREPE_GROUPS

    entries = {
        str(place): {"filename": f"{1 + place:012}.jpg", "caption": "a red dog",
                     "negative_caption": "a red cat"}
        for place in range(2)
    }  # fmt: skip
    files = {f"{group}.json": _json(entries) for group in SUGARCREPE_GROUPS}
    return {**files, "captions_val2014.json": _json(VAL2014)}


def _hat() -> Files:
    rows = [
        {"caption": f"a {word} dog",
         "grounding": [["a", False], [word, place % 2 == 0], ["dog.", False]],
         "image_path": f"COCO_val2014_{place:012}.jpg", "references": ["a dog runs", "a red dog"]}
        for place, word in enumerate(("red", "small", "big", "brown"))
    ]  # fmt: skip
    return {"hat_trainval.json": _json(rows)}


def _discourse_foil() -> Files:
    rows = [
        {"caption": "A dog runs. It is red.", "image_id": str(place),
         "hall_caption": f"A {word} cat.", "human_corrected_hall_caption": f"A {word} dog."}
        for place, word in enumerate(("red", "small", "big", "brown"))
    ]  # fmt: skip
    return {"discourse_foil.json": _json(rows)}


def _sounds() -> Files:
    """Clips with pairs of captions, and four votes on each."""
    clips = [
        {"audio_id": f"clip{i}", "references": [f"a dog barks {i}", "barking", "a dog"],
         "HC": [f"a dog barks {i}", "barking", "ground_1", "ground_2", [1, 1, -1, 1]],
         "HI": None if i else ["barking", "rain falls", "ground_1", "idx4", [1, 1, 1, 1]],
         "MM_1": ["a dog", "a dog and a", "rl", "fc", [-1, 1, 1 - 2 * (i % 2), 1]]}
        for i in range(3)
    ]  # fmt: skip
    return {"audiocaps_eval.json": _json(clips)}


def robustness_files() -> Files:
    judgements = {
        "beach": ["A young man is running on the beach.", "A man runs with a dog near the sea."],
        "snow": ["Two boys are playing in the snow.", "Some boys fight in the deep snow."],
        "stage": ["A woman sings on a stage.", "A woman with a guitar performs in a theater."],
    }
    stream = io.BytesIO()
    np.savez(
        stream,
        files=np.array([f"{name}.jpg" for name in judgements]),
        features=np.arange(12, dtype=np.float32).reshape(3, 4),
    )
    lines = [
        f"{name}.jpg#{i}\t{text}" for name, own in judgements.items() for i, text in enumerate(own)
    ]
    return {
        "Flickr8k.token.txt": _text(lines),
        "Flickr_8k.testImages.txt": _text([f"{name}.jpg" for name in judgements]),
        "efficientnet_lite2.npz": stream.getvalue(),
    }


def _where_image2() -> Files:
    images = ["1.jpg", "2.jpg"]
    document = {"images": images, "captions": {"human_1": ["a", "b"], "init_1": ["c", "d"]}}
    return {"w.json": _json(document), "w.json.gz": gzip.compress(_json(document), 1, mtime=0)}


def damage_matlab(name: str, content: bytes, random: Random) -> bytes:
    """A MATLAB file with other variables in it; other files as usual."""
    if not name.endswith(".mat") or random.random() < 0.3:
        return damage_file(name, content, random)
    variables = _fifty_references() if "50S" in name else _pairs()
    which = random.choice(sorted(variables))
    array = variables[which]
    what = random.randrange(5)
    if what == 0:
        del variables[which]
    elif what == 1:
        variables[which] = np.array(odd_values.text(random).replace("\x00", "") or "x")
    elif what == 2 and array.dtype.names:
        field = random.choice(array.dtype.names)
        inside: Any = random.choice(
            (np.zeros((0, 0)), np.array([[1.5]]), np.array([["a", "b"]]), np.array([[np.nan]]),
             np.array([[300]]), _cells("x", "y"))
        )  # fmt: skip
        array[field][0, random.randrange(array.shape[1])] = inside
    elif array.dtype.names is None:
        variables[which] = arrays.change_array(array, random)
    else:
        variables[which] = random.choice((array[:, :0], array[:, :1], array.T, np.array([[1.0]])))
    try:
        return _matlab(variables)
    except (TypeError, ValueError, UnicodeError):
        return damage_bytes(content, random)  # which MATLAB itself cannot hold


def _benchmark(
    name: str,
    share: float,
    sound: Callable[[], Files],
    *,
    options: dict[str, Any] | None = None,
    line: str = "",
    **more: Any,
) -> Kind:
    load = BENCHMARKS[name].load
    return FileKind(
        f"benchmark-{name}",
        share,
        sound,
        [
            Reader(lambda folder: load(folder)),
            Reader(lambda folder: load(folder, **(options or {}))),
            Command(f"meta {name} --data @ {line} {QUICK}"),
        ],
        **more,
    )


def _custom_judgements(ending: str) -> Kind:
    name = f"mine{ending}"
    return FileKind(
        f"judgements{ending.replace('.', '-')}",
        1.0,
        lambda: {
            name: format_rows(RATED, ending),
            f"pairs{ending}": format_rows(PREFERRED, ending),
            f"votes{ending}": format_rows(VOTED, ending),
        },
        [
            Reader(lambda folder: read_judgements(folder / name)),
            Reader(lambda folder: read_judgements(folder / f"pairs{ending}")),
            Reader(lambda folder: read_judgements(folder / name, ["mine"])),
            Reader(lambda folder: read_judgements(folder / f"pairs{ending}", ["mine"])),
            Reader(lambda folder: read_judgements(folder / f"votes{ending}")),
            Reader(lambda folder: read_aspects(folder / name, ["fluency", "relevance"])),
            Command(f"meta custom --judgements @{name} {QUICK} --ratings fluency,relevance"),
            Command(f"meta custom --judgements @{name} {QUICK} --statistic acc_eq"),
            Command(f"meta custom --judgements @{name} {QUICK} --ceiling"),
            Command(f"meta custom --judgements @votes{ending} {QUICK} --weights votes --ceiling"),
            Command(f"meta custom --judgements @{name} --versus mine,bleu_1 --resamples 5 --power"),
            Command(f"meta custom --judgements @{name} {QUICK}"),
            Command(f"meta custom --judgements @pairs{ending} {QUICK}"),
            Command(f"meta custom --judgements @{name} --own-scores mine --resamples 0"),
            Command(f"meta custom --judgements @{name} {QUICK} --report @out.html", ("out.html",)),
            Command(
                f"meta custom --judgements @pairs{ending} {QUICK} --report @out.html", ("out.html",)
            ),
        ],
        needs=("pyarrow",) if ending == ".parquet" else (),
    )


KINDS: list[Kind] = [
    *map(_custom_judgements, (".json", ".jsonl", ".csv", ".parquet")),
    FileKind(
        "judged-scores",
        0.5,
        lambda: {
            "mine.json": format_rows(RATED, ".json"),
            "s.csv": format_rows(OWN_SCORES, ".csv"),
        },
        [Command("meta custom --judgements @mine.json --scores @s.csv --resamples 0")],
        spared=("mine.json",),
    ),
    FileKind(
        "judgements-seen",
        0.5,
        _judged_images,
        [Command(f"meta custom --judgements @mine.json {QUICK} --metrics leic --images @i.npz")],
    ),
    _benchmark("flickr8k-expert", 1.0, _flickr8k),
    _benchmark("flickr8k-cf", 1.0, _flickr8k),
    _benchmark("composite", 1.0, _composite),
    _benchmark("pascal-50s", 1.0, _pascal, options={"votes": 11}, line="--protocol nneval",
               damage=damage_matlab, needs=("scipy",)),
    _benchmark("abstract-50s", 1.0, _abstract),
    _benchmark("coco-2015", 0.5, _coco_2015),
    _benchmark("wmt16-daseg", 0.5, _wmt),
    _benchmark("foil", 1.0, _foil),
    _benchmark("sugarcrepe", 0.5, _sugarcrepe),
    _benchmark("hat", 1.0, _hat),
    _benchmark("discourse-foil", 0.5, _discourse_foil),
    FileKind("hat-words", 0.3, _hat, [Command("meta hat --data @ --words --resamples 0")]),
    _benchmark("audiocaps-eval", 1.0, _sounds, line="--ceiling --weights votes"),
    FileKind(
        "robustness-data",
        0.3,
        robustness_files,
        [
            Command("robustness --data @ --metrics bleu_1 --kind pathological --format json"),
            Command("robustness --data @ --metrics bleu_1 --kind all --format json"),
        ],
    ),
    FileKind(
        "where-image2",
        0.5,
        _where_image2,
        [
            Reader(lambda folder: read_systems(folder / "w.json")),
            Reader(lambda folder: read_systems(folder / "w.json.gz")),
        ],
    ),
]  # fmt: skip
