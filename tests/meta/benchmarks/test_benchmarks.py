"""Benchmarks: files read as they are distributed, small ones made up and the real ones."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.io.inputs import read_tab_separated
from captious.meta.benchmarks import BENCHMARKS, find_benchmark, flickr8k
from captious.meta.benchmarks.custom import read_judgements
from captious.meta.evaluation import judged
from captious.meta.judgements import Preferences, Ratings, Unnamed
from captious.meta.presets import preset
from captious.meta.protocol import Protocol


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")


def coco_captions(captions: dict[int, list[str]]) -> str:
    rows = [{"image_id": i, "caption": c} for i, texts in captions.items() for c in texts]
    return json.dumps({"annotations": rows})


# --- made-up files ---


def _judgements_alone(path: Path, fields: int) -> Any:
    assert path.name != flickr8k.CAPTIONS
    return read_tab_separated(path, fields)


def test_flickr8k_from_its_folder_or_the_parent_plain_or_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "flickr8k"
    lines = [f"{name}.jpg#{i}\tCaption {i} of {name} ." for name in "ab" for i in range(5)]
    write(folder / "Flickr8k.token.txt.gz", "\n".join(lines) + "\n")
    write(folder / "ExpertAnnotations.txt", "a.jpg\tb.jpg#2\t1\t1\t2\na.jpg\ta.jpg#2\t4\t4\t3\n")
    write(folder / "CrowdFlowerAnnotations.txt", "b.jpg\ta.jpg#2\t0.333333333333333\t1\t2\n")
    for data in (folder, tmp_path, str(tmp_path)):
        expert = BENCHMARKS["flickr8k-expert"].load(data)
        assert isinstance(expert, Ratings)
        assert expert.candidates == ["Caption 2 of b .", "Caption 2 of a ."]
        assert expert.references[0] == [f"Caption {i} of a ." for i in range(5)]
        assert expert.images == ["a.jpg", "a.jpg"]
        assert expert.ratings.tolist() == [[1, 1, 2], [4, 4, 3]]
    with monkeypatch.context() as patched:
        patched.setattr(flickr8k, "read_tab_separated", _judgements_alone)
        crowd = BENCHMARKS["flickr8k-cf"].load(folder)
    assert isinstance(crowd, Ratings)
    assert crowd.ratings.tolist() == [[1 / 3]]
    assert (
        len(judged(BENCHMARKS["flickr8k-expert"], data=folder, protocol=Protocol(own="drop_pair")))
        == 1
    )


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    write(tmp_path / "Flickr8k.token.txt", "a.jpg#0\tA caption .\n")
    write(tmp_path / "ExpertAnnotations.txt", "a.jpg\ta.jpg#0\t1\t1\t1\na.jpg\ta.jpg#0\t1\n")
    with pytest.raises(InputError, match=r"ExpertAnnotations.txt: line 2: 3 fields"):
        BENCHMARKS["flickr8k-expert"].load(tmp_path)
    write(tmp_path / "ExpertAnnotations.txt", "a.jpg\ta.jpg#7\t1\t1\t1\n")
    with pytest.raises(InputError, match=r"line 1: Flickr8k.token.txt has no 'a.jpg#7'"):
        BENCHMARKS["flickr8k-expert"].load(tmp_path)


@pytest.mark.parametrize("name", [name for name in BENCHMARKS if name != "custom"])
def test_a_missing_file_says_where_to_get_it(tmp_path: Path, name: str) -> None:
    benchmark = BENCHMARKS[name]
    with pytest.raises(InputError, match="get it from") as caught:
        benchmark.load(tmp_path)
    message = str(caught.value)
    assert any(file in message for file in benchmark.files), f"`files` of {name}: {message}"
    assert "https://" in benchmark.source, f"`source` of {name} has no address: {benchmark.source}"
    assert benchmark.source in message and "\n" not in message


def cells(*texts: str) -> np.ndarray:
    array = np.empty((1, len(texts)), dtype=object)
    array[0] = [np.array([text]) for text in texts]
    return array


def struct(**fields: list[Any]) -> np.ndarray:
    (length,) = {len(values) for values in fields.values()}
    array = np.empty((1, length), dtype=[(name, object) for name in fields])
    for name, values in fields.items():
        for place, value in enumerate(values):
            array[name][0, place] = value
    return array


def write_pairs(path: Path, votes: list[list[int]], categories: list[int]) -> None:
    savemat = pytest.importorskip("scipy.io").savemat
    n = len(votes)
    pairs = struct(
        name=[np.array([f"i{i}.jpg"]) for i in range(n)],
        sent1=[np.array([f" first {i} "]) for i in range(n)],
        sent2=[np.array([f"second {i}"]) for i in range(n)],
    )
    results = struct(result=[np.array([row], dtype=np.int8) for row in votes])
    savemat(path, {"new_input": pairs, "category": np.array([categories]), "result": results})


def test_pascal_50s_with_either_set_of_votes(tmp_path: Path) -> None:
    savemat = pytest.importorskip("scipy.io").savemat
    write_pairs(tmp_path / "pair_pascal.mat", [[1, 1, -1], [-1, -1, 1], [1, -1]], [1, 3, 4])
    sentences = [cells(*(f"reference {j} of {i}" for j in range(60))) for i in range(3)]
    names = [np.array([f"https://somewhere/i{i}.jpg"]) for i in range(3)]
    savemat(
        tmp_path / "pascal50S.mat", {"train_sent_final": struct(name=names, sentences=sentences)}
    )
    row = {
        "image": "VOC/i1.jpg",
        "captions": ["first 1", "second 1"],
        "label": 0,
        "references": ["reference 3 of 1"],
    }
    write(tmp_path / "pascal_50s.json", json.dumps({"HM": [row]}))
    pascal = BENCHMARKS["pascal-50s"]

    few = pascal.load(tmp_path, votes=11)
    assert isinstance(few, Preferences)
    # The third pair has a vote on either side.
    assert few.pairs == [("first 0", "second 0"), ("first 1", "second 1")]
    assert few.preferred.tolist() == [0, 1]
    assert few.groups == ["HC", "HM"]
    assert few.references[1] == [f"reference {j} of 1" for j in range(50)]

    many = pascal.load(tmp_path)
    assert isinstance(many, Preferences)
    assert many.preferred.tolist() == [0]
    assert many.references == [["reference 3 of 1"]]
    assert pascal.load(tmp_path, all_references=True).references == [few.references[1]]
    drawn = judged(
        pascal, data=tmp_path, protocol=Protocol(votes=11, references=20, statistic="accuracy")
    )
    assert [len(captions) for captions in drawn.references] == [20, 20]
    with pytest.raises(InputError, match="48 or of 11 votes, not of 12"):
        pascal.load(tmp_path, votes=12)
    with pytest.raises(InputError, match="no option 'seed'; its options are: votes"):
        pascal.load(tmp_path, seed=3)


def test_a_damaged_matlab_file(tmp_path: Path) -> None:
    write(tmp_path / "pair_pascal.mat", "no such thing")
    write(tmp_path / "pascal50S.mat", "no such thing")
    with pytest.raises(InputError, match="not a valid MATLAB file"):
        BENCHMARKS["pascal-50s"].load(tmp_path, votes=11)


TEAMS = ["NeuralTalk", "m-RNN (Baidu/ UCLA)", "Montreal/Toronto", "Human"]


def write_challenge(folder: Path, files: list[str]) -> None:
    board = [
        {
            "team": {"name": team},
            "results": json.dumps({f"q{m}": m + place / 10 for m in range(1, 6)}),
        }
        for place, team in enumerate(TEAMS)
    ]
    write(folder / "cap_challenge2015.json", json.dumps(board))
    write(folder / "captions_val2014.json.gz", coco_captions({1: ["a", "b"], 2: ["c"]}))
    for name in files:
        captions = [{"image_id": i, "caption": f"{name} {i}"} for i in (1, 2)]
        write(folder / "systems_2015" / name, json.dumps(captions))


def test_coco_2015_rates_each_caption_as_its_system(tmp_path: Path) -> None:
    files = [
        "captions_val2014_NeuralTalk_results.json",
        "mRNN_Baidu_UCLA.json.gz",
        "montreal-toronto.json",
    ]
    write_challenge(tmp_path, files)
    systems = BENCHMARKS["coco-2015"].load(tmp_path)
    assert isinstance(systems, Ratings)
    assert BENCHMARKS["coco-2015"].kind == "systems"
    assert Counter(systems.groups) == dict.fromkeys(TEAMS[:3], 2)
    row = systems.groups.index("m-RNN (Baidu/ UCLA)")
    assert systems.ratings[row] == pytest.approx([1.1, 2.1, 3.1, 4.1, 5.1])
    assert systems.candidates[row] == "mRNN_Baidu_UCLA.json.gz 1"
    assert systems.references[row] == ["a", "b"]


def test_coco_2015_errors_name_the_system(tmp_path: Path) -> None:
    write_challenge(tmp_path, ["NeuralTalk.json", "Human.json"])
    load = BENCHMARKS["coco-2015"].load
    with pytest.raises(InputError, match="captions of 2 systems: a correlation needs at least 3"):
        load(tmp_path)
    folder = tmp_path / "systems_2015"
    write(folder / "dai2017.json", "[]")
    with pytest.raises(InputError, match="no team is called 'dai2017'; name the file after one of"):
        load(tmp_path)
    (folder / "dai2017.json").unlink()
    write(folder / "Montreal_Toronto.json", json.dumps([{"image_id": 1, "caption": "x"}]))
    with pytest.raises(InputError, match="image 2 is not described by all systems"):
        load(tmp_path)
    with pytest.raises(InputError, match="elsewhere: no folder with the systems' captions"):
        load(tmp_path, systems=tmp_path / "elsewhere")
    given = dict.fromkeys(TEAMS, folder / "NeuralTalk.json")
    assert len(load(tmp_path, systems=given)) == 8


def test_wmt16_counts_translations_of_one_segment_as_one_image(tmp_path: Path) -> None:
    for pair in ("cs", "de", "fi", "ro", "ru", "tr"):
        start = f"wmt16_daseg/DAseg.newstest2016.{{}}.{pair}-en"
        write(tmp_path / start.format("mt-system"), f"one {pair}\ntwo\nthree\n")
        write(tmp_path / start.format("reference"), "same\u2028line\nother\nsame\u2028line\n")
        write(tmp_path / start.format("human"), "0.5\n-1.25\n0\n")
    wmt = BENCHMARKS["wmt16-daseg"].load(tmp_path)
    assert isinstance(wmt, Ratings)
    assert Counter(wmt.groups) == dict.fromkeys(
        ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"), 3
    )
    assert wmt.images[3:6] == [Unnamed(f"de-en {line}") for line in (1, 2, 1)]
    assert wmt.candidates[3] == "one de"
    assert wmt.ratings[3:6].tolist() == [[0.5], [-1.25], [0]]
    write(tmp_path / "wmt16_daseg/DAseg.newstest2016.human.tr-en", "0.5\nx\n0\n")
    with pytest.raises(InputError, match="line 2: 'x' is not a number"):
        BENCHMARKS["wmt16-daseg"].load(tmp_path)


def test_forced_choice_finds_the_captions_of_its_images(tmp_path: Path) -> None:
    write(tmp_path / "coco" / "captions_val2014.json", coco_captions({7: ["A dog.", "It runs"]}))
    entry = {
        "image_file": "COCO_val2014_000000000007.jpg",
        "caption": "a dog .",
        "foil": "a cat .",
    }
    write(tmp_path / "foil" / "foil-it.json", json.dumps({"12": entry}))
    for data in (tmp_path, tmp_path / "foil"):
        choice = judged(BENCHMARKS["foil"], data=data, protocol=preset("standard", "foil"))
        assert isinstance(choice, Preferences)
        assert choice.pairs == [("a dog .", "a cat .")]
        assert choice.preferred.tolist() == [0]
        assert choice.references == [["It runs"]]
    write(tmp_path / "foil" / "foil-it.json", json.dumps({"12": entry | {"image_file": "8.jpg"}}))
    with pytest.raises(InputError, match="entry '12': image '8' has no captions"):
        BENCHMARKS["foil"].load(tmp_path)


CUSTOM: list[dict[str, Any]] = [
    {"candidate": "a", "references": ["r"], "rating": [1, None, 3], "group": "x"},
    {"candidate": "b", "references": ["s", "t"], "rating": 2},
    {"candidate": "c", "references": ["r"], "rating": [4, 5]},
]


def test_custom_ratings(tmp_path: Path) -> None:
    write(tmp_path / "mine.jsonl.gz", "\n".join(map(json.dumps, CUSTOM)))
    ratings = BENCHMARKS["custom"].load(tmp_path / "mine.jsonl.gz")
    assert isinstance(ratings, Ratings)
    assert ratings.candidates == ["a", "b", "c"]
    assert ratings.groups == ["x", "all", "all"]
    assert ratings.images == [
        Unnamed(row) for row in (1, 2, 1)
    ]  # the same references are of one image
    nan = np.nan
    np.testing.assert_array_equal(ratings.ratings, [[1, nan, 3], [2, nan, nan], [4, 5, nan]])


def test_custom_files_of_commas(tmp_path: Path) -> None:
    write(tmp_path / "r.csv", 'candidate,references,rating,image\na,"[""r"", ""s""]",2.5,i\n')
    ratings = read_judgements(tmp_path / "r.csv")
    assert isinstance(ratings, Ratings)
    assert (ratings.references, ratings.images) == ([["r", "s"]], ["i"])
    assert ratings.ratings.tolist() == [[2.5]]
    write(tmp_path / "p.csv", 'candidates,references,preferred\n"[""a"", ""b""]","[""r""]",1\n')
    pairs = read_judgements(tmp_path / "p.csv")
    assert isinstance(pairs, Preferences)
    assert (pairs.pairs, pairs.preferred.tolist()) == ([("a", "b")], [1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rating": "good"}, "row 1: 'rating' must be a number, found str 'good'"),
        ({"rating": None}, "row 1: 'rating' must be a number, found null"),
        ({"rating": [None]}, "row 1: nobody rated it"),
        ({"rating": []}, "row 1: nobody rated it"),
        ({"rating": True}, "row 1: 'rating' must be a number, found bool True"),
        ({"references": []}, "row 1: 'references' must be a list of text"),
        ({"candidate": 3}, "row 1: 'candidate' must be text"),
        ({"image": None}, "row 1: 'image' must be text or a whole number"),
    ],
)
def test_custom_mistakes_are_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write(tmp_path / "mine.json", json.dumps([CUSTOM[1] | change]))
    with pytest.raises(InputError, match=message):
        read_judgements(tmp_path / "mine.json")


def test_custom_preferences_are_nought_or_one(tmp_path: Path) -> None:
    row = {"candidates": ["a", "b"], "references": ["r"], "preferred": 2}
    write(tmp_path / "mine.json", json.dumps([row]))
    with pytest.raises(InputError, match="'preferred' must be 0 for the first caption or 1"):
        read_judgements(tmp_path / "mine.json")
    write(tmp_path / "mine.json", json.dumps([row | {"candidates": ["a"]}]))
    with pytest.raises(InputError, match="'candidates' must be a list of 2 texts"):
        read_judgements(tmp_path / "mine.json")
    write(tmp_path / "mine.json", json.dumps([{"references": ["r"]}]))
    with pytest.raises(InputError, match="no column 'candidate' or 'candidates'"):
        read_judgements(tmp_path / "mine.json")


def test_an_unknown_benchmark_lists_them() -> None:
    with pytest.raises(InputError, match="no benchmark 'flickr'; there are: flickr8k-expert, "):
        find_benchmark("flickr")


# --- the real files, where they are there ---

COUNTS = {
    "flickr8k-expert": ("flickr8k", {"all": 5664}),
    "flickr8k-cf": ("flickr8k", {"all": 47830}),
    "composite": ("composite", {"human": 3995, "machine/neural": 3995, "machine/graph": 3995}),
    "pascal-50s": ("pascal50s", dict.fromkeys(("HC", "HI", "HM", "MM"), 1000)),
    "wmt16-daseg": (
        "wmt16_daseg",
        dict.fromkeys(("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"), 560),
    ),
    "sugarcrepe": (
        "sugarcrepe",
        {
            "add_att": 692,
            "add_obj": 2062,
            "replace_att": 788,
            "replace_obj": 1652,
            "replace_rel": 1406,
            "swap_att": 666,
            "swap_obj": 245,
        },
    ),
    "foil": ("foil", {"all": 1000}),
    "hat": ("hat", {"choose": 198, "report": 202}),
    "discourse-foil": ("discourse_foil", {"choose": 97, "report": 105}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTS)
def test_the_standard_protocol_leaves_the_known_numbers(shared: Path, name: str) -> None:
    folder, counts = COUNTS[name]
    protocol = preset("standard", name)
    judgements = judged(BENCHMARKS[name], data=shared / "data" / folder, protocol=protocol)
    assert Counter(judgements.groups) == counts
    assert len(judged(BENCHMARKS[name], data=shared / "data", protocol=protocol)) == len(judgements)


@pytest.mark.slow
def test_flickr8k_expert_has_three_ratings_of_each(shared: Path) -> None:
    expert = BENCHMARKS["flickr8k-expert"].load(shared / "data")
    assert isinstance(expert, Ratings)
    assert expert.ratings.shape == (5822, 3)
    kept = preset("standard", "flickr8k-expert").apply(expert)
    assert kept.ratings.size == 16992
    assert set(np.unique(kept.ratings)) == {1, 2, 3, 4}


@pytest.mark.slow
def test_pascal_50s_labels_of_48_and_of_11_votes(shared: Path) -> None:
    pytest.importorskip("scipy.io")
    pascal = BENCHMARKS["pascal-50s"]
    many = pascal.load(shared / "data")
    few = pascal.load(shared / "data", votes=11)
    assert isinstance(many, Preferences)
    assert isinstance(few, Preferences)
    assert {len(captions) for captions in few.references} == {50}

    def labels(pairs: Preferences) -> dict[Any, Any]:
        captions = [tuple(map(str.strip, pair)) for pair in pairs.pairs]
        return dict(zip(zip(pairs.images, captions, strict=True), pairs.preferred, strict=True))

    ours, theirs = labels(many), labels(few)
    agreed = Counter(
        group
        for image, pair, group in zip(many.images, many.pairs, many.groups, strict=True)
        if ours[key := (image, tuple(map(str.strip, pair)))] == theirs[key]
    )
    # HC is the hardest to agree on.
    assert agreed == {"HI": 997, "HM": 984, "MM": 814, "HC": 644}
