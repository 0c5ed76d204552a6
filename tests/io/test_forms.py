"""Files as people have them: every public form, in its exact shape with made-up captions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from captious.corpus import Corpus
from captious.errors import CaptiousWarning, InputError
from captious.io.caption_tables import ReadOptions
from captious.io.captions import read_corpus, read_references

KARPATHY = {
    "dataset": "coco",
    "images": [
        {
            "filepath": "val2014", "filename": "COCO_val2014_000000000042.jpg", "imgid": 0,
            "split": "test", "cocoid": 42, "sentids": [1, 2],
            "sentences": [
                {"tokens": ["a", "dog"], "raw": "A dog.", "imgid": 0, "sentid": 1},
                {"tokens": ["the", "dog"], "raw": "The dog!", "imgid": 0, "sentid": 2},
            ],
        },
        {
            "filepath": "train2014", "filename": "COCO_train2014_000000000007.jpg", "imgid": 1,
            "split": "train", "cocoid": 7, "sentids": [3],
            "sentences": [{"tokens": ["a", "cat"], "raw": "A cat.", "imgid": 1, "sentid": 3}],
        },
    ],
}  # fmt: skip
MSR_VTT = {
    "info": {"year": "2016"},
    "videos": [
        {"category": 9, "url": "…", "video_id": "video42", "split": "test", "id": 0},
        {"category": 1, "url": "…", "video_id": "video7", "split": "train", "id": 1},
    ],
    "sentences": [
        {"caption": "a dog", "video_id": "video42", "sen_id": 0},
        {"caption": "a cat", "video_id": "video7", "sen_id": 1},
        {"caption": "the dog", "video_id": "video42", "sen_id": 2},
    ],
}
VATEX = [
    {"videoID": "abc_000122_000132", "enCap": ["a dog", "the dog"], "chCap": ["狗", "一只狗"]},
    {"videoID": "xyz_000001_000011", "enCap": ["a cat"], "chCap": ["猫"]},
]
LOGGED = {"answer": ["a dog", "the dog"], "pred": "a brown dog", "image_id": 42, "id": 3}
LMMS_EVAL = [
    {
        "doc_id": 0, "doc": {"question_id": "COCO_val2014_42.jpg", "id": 3}, "target": "…",
        "arguments": ["Describe it."], "resps": [["a brown dog"]],
        "filtered_resps": ["a brown dog"], "doc_hash": "a1", "prompt_hash": "b2",
        "target_hash": "c3", "coco_Bleu_4": LOGGED, "coco_CIDEr": LOGGED,
    }
]  # fmt: skip
CLOTHO = (
    "file_name,caption_1,caption_2,caption_3,caption_4,caption_5\n"
    'Rain.wav,"Rain falls, hard.",Rain,It rains,Water,Drops\n'
    "Dog.wav,A dog barks,Barking,A bark,Dog,\n"
)
AUDIOCAPS = (
    "audiocap_id,youtube_id,start_time,caption\n"
    "97151,vfY_TJq7n_U,130,Rustling occurs\n"
    "97152,vfY_TJq7n_U,130,Ducks quack\n"
)
FLICKR = "42.jpg#0\tA dog .\n42.jpg#1\tThe dog .\n7.jpg#0\tA cat .\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], Path]:
    def write(name: str, content: Any) -> Path:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            path.write_bytes(text.encode())
        return path

    return write


Write = Callable[[str, Any], Path]


def read(
    candidates: Path, *references: Path, told: int = 0, **how: Any
) -> tuple[Corpus, list[str]]:
    """A corpus, and the notes, of which there must be so many."""
    notes: list[str] = []
    corpus = read_corpus(candidates, references, ReadOptions(report=notes.append, **how))
    assert len(notes) == told and not any("\n" in note for note in notes), notes
    return corpus, notes


def test_karpathys_splits(write: Write) -> None:
    references = write("dataset_coco.json", KARPATHY)
    corpus, notes = read(write("c.json", {"42": "a brown dog"}), references, told=1)
    assert corpus.references.captions == ["A dog.", "The dog!"]
    assert (corpus.references.ids, corpus.unused_references) == (["42"], 1)
    assert "Karpathy's splits, id from 'cocoid', references from 'raw'" in notes[0]
    assert (
        read(write("c.json", {"42": "x"}), references, told=1, split="test")[0].unused_references
        == 0
    )
    with pytest.raises(InputError, match=r"id '42' has no references in .* ids such as '7'"):
        read(write("c.json", {"42": "x"}), references, split="train")
    with pytest.raises(InputError, match=r"no split 'dev'; there are: 'test', 'train'"):
        read(write("c.json", {"42": "x"}), references, split="dev")
    named = write("c.json", {"COCO_val2014_000000000042.jpg": "x"})
    assert len(read(named, references, told=1, columns={"id": "filename"})[0]) == 1


def test_karpathys_flickr_has_no_cocoid(write: Write) -> None:
    images = [{k: v for k, v in image.items() if k != "cocoid"} for image in KARPATHY["images"]]  # type: ignore[attr-defined]
    references = write("dataset_flickr8k.json", {"images": images, "dataset": "flickr8k"})
    candidates = write("c.json", {"COCO_train2014_000000000007.jpg": "x"})
    assert read(candidates, references, told=1)[0].references.captions == ["A cat."]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"images": [{"sentences": "x"}]}, "image 1: 'sentences' must be a list, found str"),
        ({"images": [{"sentences": []}, 3]}, "image 2: must be an object, found int 3"),
        ({"images": [{"cocoid": 1, "sentences": [{"tokens": []}]}]}, "image 1: id 1: no refer"),
        ({"images": [{"sentences": [{"raw": "x"}]}]}, "no column 'image_id' or 'id'"),
        ({"images": [{"cocoid": None, "sentences": [{"raw": "x"}]}]}, "an id must be text"),
    ],
)  # fmt: skip
def test_damaged_karpathy_splits_are_errors_with_their_place(
    write: Write, change: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_references(write("r.json", change))


def test_msr_vtt(write: Write) -> None:
    references = write("test_videodatainfo.json", MSR_VTT)
    candidates = write("c.csv", "video_id,prediction\nvideo42,a brown dog\n")
    corpus, notes = read(candidates, references, told=2)
    assert corpus.references.captions == ["a dog", "the dog"] and "MSR-VTT" in notes[1]
    assert read(candidates, references, told=2, split="test")[0].unused_references == 0
    broken = write("r.json", {**MSR_VTT, "sentences": "x"})
    with pytest.raises(InputError, match="'sentences' must be a list"):
        read(candidates, broken)
    odd = {"videos": [3, {"video_id": []}], "sentences": [3]}
    with pytest.raises(InputError, match="sentence 1: expected an object"):
        read(candidates, write("r.json", odd))


def test_vatex(write: Write) -> None:
    references = write("vatex_validation_v1.0.json", VATEX)
    candidates = write("c.jsonl", '{"videoID": "abc_000122_000132", "caption": "dog"}')
    corpus, notes = read(candidates, references, told=2)
    assert corpus.references.captions == ["a dog", "the dog"]
    assert "references from 'enCap'" in notes[1]
    chinese, _ = read(candidates, references, told=2, columns={"references": "chCap"})
    assert chinese.references.captions == ["狗", "一只狗"]


def test_clotho_and_what_dcase_submits(write: Write) -> None:
    candidates = write("c.csv", "file_name,caption_predicted\nDog.wav,a dog\nRain.wav,rain\n")
    corpus, notes = read(candidates, write("clotho.csv", CLOTHO), told=2)
    assert corpus.references.captions[:4] == ["A dog barks", "Barking", "A bark", "Dog"]
    assert len(corpus.references.captions) == 9  # an empty cell is no reference
    assert "candidate from 'caption_predicted'" in notes[0]
    assert "id from 'file_name', references from 'caption_1' to 'caption_5'" in notes[1]


def test_audiocaps(write: Write) -> None:
    candidates = write("c.csv", "youtube_id,caption\nvfY_TJq7n_U,ducks\n")
    corpus, notes = read(candidates, write("test.csv", AUDIOCAPS), told=2)
    assert corpus.references.captions == ["Rustling occurs", "Ducks quack"]
    assert "id from 'youtube_id'" in notes[1]


@pytest.mark.parametrize("name", ["log.jsonl", "log.json", "older.json"])
def test_logs_of_lmms_eval(write: Write, name: str) -> None:
    rows: Any = LMMS_EVAL if name == "log.json" else {"args": {}, "logs": LMMS_EVAL}
    path = write(name, "\n".join(map(json.dumps, LMMS_EVAL)) if name == "log.jsonl" else rows)
    corpus, notes = read(path, told=1)
    assert (corpus.candidates, corpus.references.ids) == (["a brown dog"], [42])
    assert corpus.references.captions == ["a dog", "the dog"] and "lmms-eval" in notes[0]
    read_from = "id from 'image_id', candidate from 'pred', references from 'answer'"
    assert read_from in notes[0]


def test_a_log_without_a_caption_tasks_figures_has_response_and_target(write: Write) -> None:
    row = {"doc_id": 5, "target": "a dog", "resps": [["x"]], "filtered_resps": [["x"]]}
    corpus, _ = read(write("log.jsonl", json.dumps(row)), told=1)
    assert (corpus.references.ids, corpus.references.captions) == ([5], ["a dog"])
    odd = {**row, "filtered_resps": ["x", "y"]}
    with pytest.raises(InputError, match="id 5: 'filtered_resps' must be a string, found list"):
        read(write("log.jsonl", json.dumps(odd)))
    passed = {**row, "coco_passthrough": {"pred": ["x"], "image_id": 42}}
    references = write("r.json", {"42": ["a"]})
    assert read(write("log.jsonl", json.dumps(passed)), references, told=1)[0].references.ids == [
        42
    ]


def test_flickrs_tokens(write: Write) -> None:
    candidates = write("c.json", {"42.jpg": "a brown dog"})
    corpus, notes = read(candidates, write("Flickr8k.token.txt", FLICKR), told=1)
    assert corpus.references.captions == ["A dog .", "The dog ."]
    assert "Flickr's tokens" in notes[0]


@pytest.mark.parametrize(
    "document",
    [
        {"42": "a dog", "7": "a cat"},
        {"42": ["a dog"], "7": ["a cat"]},
        {"42": [{"caption": "a dog"}], "7": [{"image_id": 7, "caption": "a cat"}]},
    ],
)
def test_objects_from_ids_to_captions(write: Write, document: Any) -> None:
    corpus, _ = read(write("c.json", document), write("r.json", document))
    assert (corpus.candidates, corpus.references.ids) == (["a dog", "a cat"], ["42", "7"])


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"42": 3}, "expected a list of rows"),
        ({"42": []}, "entry 1: '42' is an empty list; an id needs at least one caption"),
        ({"images": []}, "entry 1: 'images' is an empty list.* at least one row"),
        ({"annotations": []}, "no samples; the file has no rows"),
        ({"42": [3]}, "entry 1: id '42': 'caption' must be a string, found int 3"),
        ({"42": [{}]}, "'caption' must be a string, found nothing"),
        ({"42": None, "7": "x"}, "expected a list of rows"),
        # One row where a list of them belongs is not four ids.
        ({"id": "1", "candidate": "x", "references": ["y"]}, "expected a list of rows"),
    ],
)
def test_other_json_objects_are_refused(write: Write, document: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(write("c.json", document), write("r.json", {"42": "x"}))


def test_repeated_id_in_an_object_is_an_error(write: Write) -> None:
    for text in ('{"42": "a", "42": "b"}', '{"42": [{"caption": "a", "caption": "b"}]}'):
        with pytest.raises(InputError, match=r"'(42|caption)' occurs twice"):
            read(write("c.json", text), write("r.json", {"42": "x"}))


def test_lines_beside_files_of_lines_as_sacrebleu_takes_them(write: Write) -> None:
    candidates = write("c.txt", "a dog\r\n\r\nx\u2028y\x00\r\n")
    first = write("r1.txt", b"\xef\xbb\xbfthe dog\ntwo men\nx")
    second = write("r2.txt", "\nmen\n\n")
    corpus, _ = read(candidates, first, second)
    assert corpus.candidates == ["a dog", "", "x\u2028y\x00"]
    assert corpus.references.ids == [0, 1, 2]
    assert corpus.references.captions == ["the dog", "two men", "men", "x"]  # none for empty lines
    short = write("r3.txt", "x\n")
    with pytest.raises(InputError, match=r"r3.txt: 1 rows, but .*c.txt has 3"):
        read(candidates, first, short)
    with pytest.raises(InputError, match=r"c.txt: id 2 has no references in .*r4.txt"):
        read(candidates, write("r4.txt", "x\ny\n\n"))
    with pytest.raises(InputError, match=r"c.txt has no ids and .*r.json has"):
        read(candidates, write("r.json", {"0": "x"}))
    with pytest.raises(InputError, match="no column 'references'"):
        read(candidates)
    with pytest.raises(InputError, match="no samples"):
        read(write("empty.txt", ""), first)


def test_several_files_of_references_are_joined_by_id(write: Write) -> None:
    candidates = write("c.json", {"a": "x", "b": "y"})
    corpus, _ = read(
        candidates, write("r.json", {"a": ["1", "2"], "b": "3"}), write("s.json", {"b": "4"})
    )
    assert corpus.references.captions == ["1", "2", "3", "4"]


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_delimiters_are_detected(write: Write, delimiter: str) -> None:
    header = ["id", "candidate", "ref1", "ref2"]
    rows = [header, ["1", "a dog, brown", "a dog", "the dog"], ["2", '"b" c', "x", ""]]
    lines = "\r\n".join(delimiter.join(row) for row in rows).replace('"b" c', '"""b"" c"')
    corpus, notes = read(write("c.csv", b"\xef\xbb\xbf" + lines.encode()), told=1)
    assert corpus.candidates == ["a dog, brown", '"b" c']
    assert corpus.references.captions == ["a dog", "the dog", "x"]
    assert "between cells" in notes[0]


def test_tabs_with_quotes_and_without(write: Write) -> None:
    bare = 'id\tcandidate\treference\n1\t"stop" it says\tx\n2\t"open\ty\n3\tend"\tz\n'
    corpus, _ = read(write("c.tsv", bare))
    assert corpus.candidates == ['"stop" it says', '"open', 'end"']
    quoted = 'id\tcandidate\treference\n1\t"a\tb\nc"\tx\n2\t"say ""hi"""\ty\n'
    assert read(write("c.tsv", quoted))[0].candidates == ["a\tb\nc", 'say "hi"']
    with pytest.raises(InputError, match="line 2: 2 cells under a header of 3"):
        read(write("c.tsv", "id\tcandidate\treference\n1\tx\n"))


def test_table_in_a_text_file_is_detected_with_a_note(write: Write) -> None:
    candidates = write("c.json", {"42.jpg": "x"})
    corpus, notes = read(
        candidates, write("captions.txt", "image,caption\n42.jpg,A dog .\n"), told=1
    )
    assert corpus.references.captions == ["A dog ."] and "the text is CSV" in notes[0]
    rows = '{"id": "42.jpg", "reference": "x"}\n'
    assert "the text is JSONL" in read(candidates, write("r.txt", rows), told=1)[1][0]


def test_reference_cells_may_hold_one_text_or_a_list_as_text(write: Write) -> None:
    rows = [
        {"id": 1, "candidate": "x", "references": "a dog"},
        {"id": 2, "candidate": "x", "references": '["b", "c"]'},
        {"id": 3, "candidate": "x", "references": "['d', \"e's\"]"},
    ]
    assert read(write("c.json", rows))[0].references.captions == ["a dog", "b", "c", "d", "e's"]
    table = 'id,candidate,references\n1,x,a dog\n2,x,"[\'d\', ""e\'s""]"\n3,x,5\n'
    assert read(write("c.csv", table))[0].references.captions == ["a dog", "d", "e's", "5"]
    with pytest.raises(InputError, match="line 2: id '1': 'references' must be"):
        read(write("c.csv", 'id,candidate,references\n1,x,"[""a"", b]"\n'))


def test_rows_without_ids_are_counted(write: Write) -> None:
    rows = [{"prediction": "x", "references": ["a"]}, {"prediction": "y", "references": "b"}]
    corpus, notes = read(write("c.json", rows), told=1)
    assert corpus.references.ids == [0, 1] and "without ids, rows are counted" in notes[0]


REPEATED = [
    {"image_id": 7, "caption": "a"},
    {"image_id": 9, "caption": "b"},
    {"image_id": "7", "caption": "c"},
]


def test_repeated_ids_need_the_repeated_option(write: Write) -> None:
    candidates, references = write("c.json", REPEATED), write("r.json", {"9": "y", "7": ["x", "z"]})
    with pytest.raises(InputError, match=r"row 3: id '7' occurs twice; .* --repeated"):
        read(candidates, references)
    corpus, _ = read(candidates, references, repeated=True)
    assert corpus.candidates == ["a", "b", "c"]
    assert corpus.references.ids == [7, 9] and corpus.images.tolist() == [0, 1, 0]
    some = corpus.take([2, 1])
    assert (some.candidates, some.images.tolist()) == (["c", "b"], [0, 1])
    assert some.references.captions == ["x", "z", "y"]
    assert corpus.take([0, 2]).images.tolist() == [0, 0]
    assert corpus.without_images(["7"]).candidates == ["b"]


def test_references_beside_repeated_candidates_are_the_same(write: Write) -> None:
    rows = [{"id": 1, "candidate": c, "references": ["x"]} for c in "ab"]
    corpus, _ = read(write("c.json", rows), repeated=True)
    assert corpus.references.captions == ["x"] and len(corpus) == 2
    rows[1]["references"] = ["y"]
    with pytest.raises(InputError, match="row 2: id 1 occurs again with other references"):
        read(write("c.json", rows), repeated=True)


def test_guesses_are_warnings_in_commands_without_notes(write: Write) -> None:
    with pytest.warns(CaptiousWarning, match="references from 'caption_1' to 'caption_5'"):
        assert len(read_references(write("clotho.csv", CLOTHO))) == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [("c.txt", "a dog\n"), ("c.txt", FLICKR), ("c.json", KARPATHY), ("c.json", MSR_VTT)],
)
def test_captions_alone_are_not_scored_against_themselves(
    write: Write, name: str, content: Any
) -> None:
    with pytest.raises(InputError, match="no column 'references'"):
        read(write(name, content), repeated=True)


@pytest.mark.parametrize("ending", ["csv", "tsv", "txt"])
def test_huge_cells_and_odd_characters_are_kept(write: Write, ending: str) -> None:
    huge, odd = "dog " * 500_000, "a\u202eb\x0b\x1bc"
    mark = "\t" if ending == "tsv" else ","
    rows = [["id", "candidate", "reference"], ["1", huge, "x"], ["2", odd, huge]]
    corpus, notes = read(
        write(f"c.{ending}", "\n".join(map(mark.join, rows))), told=int(ending == "txt")
    )
    assert corpus.candidates == [huge, odd] and corpus.references.captions == ["x", huge]
    assert not notes or "the text is CSV" in notes[0]
