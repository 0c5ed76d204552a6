"""Document frequencies, and vectors of words, images and captions."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import tempfile
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from captious.images.vectors import CaptionVectors, read_image_vectors
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.text.vectors.vector_files import convert_vectors
from captious.text.vectors.word_vectors import WordVectors
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kinds.captions_in_files import ROWS, SAMPLES, format_rows

SCORE = "score @rows.json --no-cache --format json"
WORDS = ("a", "dog", "cat", "bench", "on", "men", "snow", "two", "brown", "the")


def _saved_bytes(save: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.npz"
        save(path)
        return path.read_bytes()


def npz(**arrays: Any) -> bytes:
    """The bytes of an .npz."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def _rows() -> bytes:
    return format_rows(ROWS, ".json")


def _frequencies() -> Files:
    found = DocumentFrequencies.collect({image: said[1] for image, said in SAMPLES.items()})
    return {"df.npz": _saved_bytes(found.save), "rows.json": _rows()}


def _pickled_frequencies() -> Files:
    ngrams = [tuple(WORDS[:n]) for n in (1, 2, 3, 4)] + [(word,) for word in WORDS]
    contents = {"document_frequency": defaultdict(float, dict.fromkeys(ngrams, 2.0)), "ref_len": 3}
    counts = {**contents, "ref_len": np.float64(3)}
    return {
        "new.p": pickle.dumps(counts),
        "old.p": pickle.dumps(contents, 0),
        "python2.p": pickle.dumps(counts, 2),
        "rows.json": _rows(),
    }


def _word_vectors() -> Files:
    numbers = np.random.default_rng(0).normal(0, 1, (len(WORDS), 4)).astype(np.float32)
    return {"v.npz": _saved_bytes(WordVectors.of("toy", WORDS, numbers).save), "rows.json": _rows()}


def _foreign_vectors() -> Files:
    numbers = np.random.default_rng(0).normal(0, 1, (len(WORDS), 3)).astype("<f4")
    lines = [
        f"{word} {' '.join(f'{number:.4f}' for number in row)}"
        for word, row in zip(WORDS, numbers, strict=True)
    ]
    head = f"{len(WORDS)} 3"
    binary = head.encode() + b"\n"
    for word, row in zip(WORDS, numbers, strict=True):
        binary += word.encode() + b" " + row.tobytes() + b"\n"
    return {
        "glove.txt": "\n".join(lines).encode(),
        "fast.vec": "\n".join([head, *lines]).encode(),
        "fast.vec.gz": gzip.compress("\n".join([head, *lines]).encode(), 1),
        "word2vec.bin": binary,
        "word2vec.bin.gz": gzip.compress(binary, 1, mtime=0),
        "captions.txt": b"a dog on a bench\ntwo cats\n",
        "rows.json": _rows(),
    }


def image_vectors(width: int = 1280) -> bytes:
    """Vectors of the images that the sample rows are of."""
    features = np.random.default_rng(0).random((len(SAMPLES), width)).astype(np.float32)
    return npz(files=np.array([f"{image}.jpg" for image in SAMPLES]), features=features)


def _caption_vectors() -> bytes:
    texts = sorted({text for said in SAMPLES.values() for text in (said[0], *said[1])})
    features = np.random.default_rng(1).random((len(texts), 8)).astype(np.float32)
    return npz(captions=np.array(texts), features=features)


def _score_images() -> Files:
    rows = [{**row, "image": f"{row['id']}.jpg"} for row in ROWS]
    return {
        "i.npz": image_vectors(),
        "w.npz": image_vectors(),
        "rows.json": json.dumps(rows).encode(),
    }


def _clip() -> Files:
    rows = [{**row, "image": f"{row['id']}.jpg"} for row in ROWS]
    return {
        "i.npz": image_vectors(8),
        "c.npz": _caption_vectors(),
        "rows.json": json.dumps(rows).encode(),
    }


def _read_pickled(name: str, folder: Path) -> object:
    return DocumentFrequencies.load(folder / name)


def _convert(name: str, folder: Path) -> object:
    return convert_vectors(folder / name, "x")


KINDS: list[FileKind] = [
    FileKind(
        "document-frequencies",
        3.0,
        _frequencies,
        [
            Reader(lambda folder: DocumentFrequencies.load(folder / "df.npz")),
            Command(f"{SCORE} --metrics cider_d,cider --df @df.npz"),
            Command("df @df.npz @rows.json --output @out.npz --format json", ("out.npz",)),
            Command("df @df.npz --output @out.npz --compact", ("out.npz",)),
        ],
        spared=("rows.json",),
    ),
    FileKind(
        "pickled-frequencies",
        3.0,
        _pickled_frequencies,
        [
            *(
                Reader(partial(_read_pickled, name)) for name in ("new.p", "old.p", "python2.p")
            ),
            Command(f"{SCORE} --metrics cider_d,cider --df @new.p"),
            Command("df @old.p @rows.json --output @out.npz --format json", ("out.npz",)),
        ],
        spared=("rows.json",),
    ),
    FileKind(
        "word-vectors-npz",
        3.0,
        _word_vectors,
        [
            Reader(lambda folder: WordVectors.load(folder / "v.npz")),
            Command(f"{SCORE} --metrics wmd,mowe --vectors @v.npz"),
        ],
        spared=("rows.json",),
    ),
    FileKind(
        "word-vectors-foreign",
        3.0,
        _foreign_vectors,
        [
            *(
                Reader(partial(_convert, name))
                for name in ("glove.txt", "fast.vec", "fast.vec.gz", "word2vec.bin",
                             "word2vec.bin.gz")
            ),
            Command("vectors @glove.txt --output @out.npz --words @captions.txt", ("out.npz",)),
            Command("vectors @word2vec.bin --output @out.npz --words @rows.json", ("out.npz",)),
            Command("vectors @fast.vec.gz --output @out.npz --format json", ("out.npz",)),
        ],
    ),
    FileKind(
        "image-vectors",
        1.5,
        _score_images,
        [
            Reader(lambda folder: read_image_vectors(folder / "i.npz")),
            Command(f"{SCORE} --metrics leic --images @i.npz"),
            Command(f"{SCORE} --metrics captious_image --images @i.npz --whole @w.npz"),
        ],
        spared=("rows.json",),
    ),
    FileKind(
        "clip-vectors",
        1.5,
        _clip,
        [
            Reader(lambda folder: CaptionVectors.read(folder / "c.npz")),
            Command(f"{SCORE} --metrics clipscore --images @i.npz --caption-vectors @c.npz"),
        ],
        spared=("rows.json",),
    ),
]  # fmt: skip
