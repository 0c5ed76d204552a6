"""Captions in the public forms that are known by their structure, and tables with guessed names."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

from captious.io.caption_tables import ReadOptions
from captious.io.captions import read_candidates, read_corpus, read_references
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kind import Kind
from tests.fuzz.kinds.captions_in_files import CHEAP, SAMPLES

BY_ID = {str(image): caption for image, (caption, _) in SAMPLES.items()}
ALL = {str(image): references for image, (_, references) in SAMPLES.items()}
KARPATHY = {
    "dataset": "coco",
    "images": [
        {
            "cocoid": image,
            "filename": f"{image}.jpg",
            "imgid": image - 1,
            "split": "test",
            "sentences": [{"raw": caption, "tokens": caption.split()} for caption in references],
        }
        for image, (_, references) in SAMPLES.items()
    ],
}
MSR_VTT = {
    "videos": [{"video_id": str(image), "split": "test", "id": image} for image in SAMPLES],
    "sentences": [
        {"video_id": str(image), "caption": caption, "sen_id": place}
        for image, (_, references) in SAMPLES.items()
        for place, caption in enumerate(references)
    ],
}
VATEX = [
    {"videoID": str(image), "enCap": references, "chCap": ["狗"]}
    for image, (_, references) in SAMPLES.items()
]
LOGS = [
    {
        "doc_id": image,
        "target": "",
        "filtered_resps": [caption],
        "coco_CIDEr": {"pred": caption, "answer": references, "image_id": image},
    }
    for image, (caption, references) in SAMPLES.items()
]
WIDE = "file_name;prediction;caption_1;caption_2\n" + "".join(
    f"{image}.jpg;{caption};{';'.join((references * 2)[:2])}\n"
    for image, (caption, references) in SAMPLES.items()
)
TOKENS = "".join(
    f"{image}#{place}\t{caption}\n"
    for image, (_, references) in SAMPLES.items()
    for place, caption in enumerate(references)
)
LINES = "".join(f"{caption}\n" for caption, _ in SAMPLES.values())
FIRSTS = "".join(f"{references[0]}\n" for _, references in SAMPLES.values())


def _files(**files: Any) -> Files:
    """Contents by name, of which the last `_` stands for a point."""
    return {
        ".".join(name.rsplit("_", 1)): (
            content.encode() if isinstance(content, str) else json.dumps(content).encode()
        )
        for name, content in files.items()
    }


def _read(candidates: str, *references: str, repeated: bool = False) -> Reader:
    def read(folder: Path) -> None:
        paths = [folder / name for name in references]
        read_corpus(folder / candidates, paths, ReadOptions(repeated=repeated))

    return Reader(read)


def _references(name: str) -> Reader:
    return Reader(lambda folder: read_references(folder / name))


def _of_references(name: str, document: Any, ending: str = "json") -> Kind:
    """A form of references, beside candidates by id."""
    references = f"references.{ending}"
    return FileKind(
        f"captions-{name}",
        2.0,
        partial(_files, candidates_json=BY_ID, **{f"references_{ending}": document}),
        [
            _read("candidates.json", references),
            _read("candidates.json", references, repeated=True),
            _references(references),
            Command(f"score @candidates.json --references @{references} {CHEAP} --format json"),
        ],
    )


def _self_contained(name: str, file: str, document: Any) -> Kind:
    """A form that has candidates and references."""
    return FileKind(
        f"captions-{name}",
        2.0,
        partial(_files, **{file.replace(".", "_"): document}),
        [
            _read(file),
            Reader(lambda folder: read_candidates(folder / file)),
            Command(f"score @{file} {CHEAP} --repeated --format json"),
        ],
    )


KINDS: list[Kind] = [
    _of_references("karpathy", KARPATHY),
    _of_references("msr-vtt", MSR_VTT),
    _of_references("vatex", VATEX),
    _of_references("by-id", ALL),
    _of_references("flickr-tokens", TOKENS, "txt"),
    _self_contained("lmms-eval", "logs.json", LOGS),
    _self_contained("lmms-eval-lines", "logs.jsonl", "\n".join(map(json.dumps, LOGS))),
    _self_contained("wide", "wide.csv", WIDE),
    FileKind(
        "captions-lines",
        3.0,
        partial(_files, said_txt=LINES, first_txt=FIRSTS, second_txt=FIRSTS),
        [
            _read("said.txt", "first.txt", "second.txt"),
            Command(f"score @said.txt {CHEAP} --format json --references @first.txt @second.txt"),
        ],
    ),
]
