"""Build the table of broader words from WordNet.

    python tools/build_broader_words.py WORDNET [--output FILE]

WORDNET is the folder with WordNet 3.0's `data.noun`, `index.noun`, `data.verb` and `index.verb`.
Kept are the first senses of every noun and verb of one word, in WordNet's order, which is that of
frequency, and all senses above them. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from captious.text.english.hypernyms import FILE, NO_SENSE, SENSES, SHIPPED  # noqa: E402
from captious.text.language import NOUN, VERB  # noqa: E402

HYPERNYM_POINTERS = {"@", "@i"}  # WordNet's signs for a broader sense, and for what an instance is
Sense = tuple[str, str]  # part of speech and WordNet's number


def read_entries(path: Path) -> Iterator[list[str]]:
    """Yield each entry's fields without its gloss; skip the licence, whose lines start blank."""
    for line in path.read_text(encoding="latin-1").splitlines():
        if not line.startswith(" "):
            yield line.partition("|")[0].split()


def read_senses(folder: Path, part_of_speech: str) -> dict[str, list[Sense]]:
    """Return the first senses of each word."""
    senses = {}
    for fields in read_entries(folder / f"index.{part_of_speech}"):
        word, count = fields[0], int(fields[2])
        if "_" not in word:
            senses[word] = [(part_of_speech, number) for number in fields[-count:][:SENSES]]
    return senses


def read_hypernyms(folder: Path, part_of_speech: str) -> dict[Sense, list[Sense]]:
    """Return the direct hypernyms of each sense."""
    above = {}
    for fields in read_entries(folder / f"data.{part_of_speech}"):
        pointers = fields[4 + 2 * int(fields[3], 16) :]
        quadruples = [pointers[1 + 4 * place :][:4] for place in range(int(pointers[0]))]
        above[(part_of_speech, fields[0])] = [
            (part_of_speech, number)
            for sign, number, _, _ in quadruples
            if sign in HYPERNYM_POINTERS
        ]
    return above


def main() -> None:
    """Read WordNet, number its words and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wordnet", type=Path, help="the folder of WordNet's files")
    parser.add_argument("--output", type=Path, default=SHIPPED, help="the file to write")
    options = parser.parse_args()
    by_kind = {kind: read_senses(options.wordnet, kind) for kind in (NOUN, VERB)}
    above = {**read_hypernyms(options.wordnet, NOUN), **read_hypernyms(options.wordnet, VERB)}
    words = sorted({word for senses in by_kind.values() for word in senses})
    numbers: dict[Sense, int] = {}
    waiting = [sense for senses in by_kind.values() for each in senses.values() for sense in each]
    for sense in waiting:
        if sense not in numbers:
            numbers[sense] = len(numbers)
            waiting += above[sense]
    rows = {
        kind: np.array(
            [
                ([numbers[sense] for sense in senses.get(word, ())] + [NO_SENSE] * SENSES)[:SENSES]
                for word in words
            ],
            np.int32,
        )
        for kind, senses in by_kind.items()
    }
    links = sorted((numbers[sense], numbers[broad]) for sense in numbers for broad in above[sense])
    options.output.parent.mkdir(parents=True, exist_ok=True)
    contents = {"words": words, "nouns": rows[NOUN], "verbs": rows[VERB]}
    FILE.write(options.output, {**contents, "above": np.array(links, np.int32)})
    print(f"{len(words):,} words, {len(numbers):,} senses, {len(links):,} links")


if __name__ == "__main__":
    main()
