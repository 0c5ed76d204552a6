"""Build METEOR's tables from an installed pycocoevalcap.

    python tools/build_meteor_tables.py CAPTIONS... [--output FOLDER]
    python tools/build_meteor_tables.py --full --output FOLDER

The first form keeps the paraphrases whose words all occur in the captions given, or are inflected
forms of such words, or numbers or signs: this is what ships with the package. The second keeps the
whole table. Files of captions are JSON or JSON lines, where every string with a blank in it is
taken for a caption, or text of which the part behind the first tab is taken; each may be gzipped.
The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.util
import json
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from captious.text.english.stemmer import stem  # noqa: E402
from captious.text.english.synonyms import SHIPPED, Synonyms  # noqa: E402
from captious.text.meteor.normalizer import is_plain, normalize  # noqa: E402
from captious.text.meteor.tables import (  # noqa: E402
    FORMAT,
    FUNCTION_WORD,
    PLAIN_TOKEN,
    fingerprint,
)
from captious.text.tokenizer.tokenizer import tokenize_all  # noqa: E402

NUMBER = re.compile("[0-9]+(st|nd|rd|th|s)?")  # 1000, 15th, 1980s

Phrase = tuple[str, ...]
Paraphrases = dict[Phrase, list[Phrase]]


class TableFolder:
    """Output folder of the tables: writes arrays and lists of lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        # Written again at the end: tables that are half built are not mistaken for tables.
        (path / "about.json").unlink(missing_ok=True)

    def array(self, name: str, values: Any, dtype: str) -> None:
        """Write numbers, little-endian, checked to fit their type."""
        array = np.asarray(values)
        limits = np.iinfo(dtype)
        if array.size and not limits.min <= array.min() <= array.max() <= limits.max:
            raise SystemExit(f"{name}: {array.min()} to {array.max()} do not fit {dtype}")
        np.save(self.path / f"{name}.npy", array.astype(np.dtype(dtype).newbyteorder("<")))

    def lines(self, name: str, lines: Iterable[str]) -> None:
        """Write a list of words, one a line, no line end after the last."""
        (self.path / f"{name}.txt").write_bytes("\n".join(lines).encode())


def main() -> None:
    """Read the arguments, build the tables, print what was built."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("captions", nargs="*", type=Path, help="files of captions")
    parser.add_argument("--full", action="store_true", help="keep every paraphrase")
    parser.add_argument(
        "--output", type=Path, default=SHIPPED, help="folder (default: %(default)s)"
    )
    options = parser.parse_args()
    if not options.full and not options.captions:
        parser.error("name files of captions, or give --full")
    if options.full and options.output.resolve() == SHIPPED:
        parser.error("--full needs --output: the whole table is not what ships")

    meteor = find_meteor_folder()
    folder = TableFolder(options.output)
    caption_words = read_vocabulary(options.captions)
    with zipfile.ZipFile(meteor / "meteor-1.5.jar") as jar:
        write_wordnet(folder, jar)
        function_words = read_lines(jar, "function/english.words")
    table = meteor / "data" / "paraphrase-en.gz"
    if not options.full:
        table_words = {
            word for pair in read_phrase_pairs(table) for phrase in pair for word in phrase
        }
        caption_words |= find_inflected_forms(table_words, caption_words, Synonyms(folder.path))
        caption_words |= find_numbers_and_signs(table_words)
    paraphrases = read_paraphrases(table, None if options.full else caption_words)
    words, one_byte = order_words_by_frequency(paraphrases, caption_words)
    write_words(folder, words, set(function_words))
    write_paraphrases(folder, paraphrases, words, one_byte)
    about = {
        "fingerprint": fingerprint(folder.path),
        "format": FORMAT,
        "paraphrases": "all" if options.full else "captions",
        "paraphrase_pairs": sum(map(len, paraphrases.values())),
        "stems": len({stem(word) for word in words}),
        "synsets": len(Synonyms(folder.path).numbers),
        "words": len(words),
        "one_byte_words": one_byte,
    }
    text = json.dumps(about, indent=1, sort_keys=True) + "\n"
    (folder.path / "about.json").write_text(text, encoding="utf-8", newline="\n")
    print_record(folder.path)


def find_meteor_folder() -> Path:
    """Find pycocoevalcap's METEOR folder without importing the package."""
    spec = importlib.util.find_spec("pycocoevalcap")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pycocoevalcap is not installed: pip install pycocoevalcap==1.2")
    return Path(next(iter(spec.submodule_search_locations))) / "meteor"


def read_lines(jar: zipfile.ZipFile, name: str) -> list[str]:
    """Read the lines of a text file inside the jar."""
    return jar.read(name).decode("utf-8").splitlines()


def read_vocabulary(files: list[Path]) -> set[str]:
    """Return METEOR's tokens of the captions in some files."""
    tokens = {token for file in files for text in read_captions(file) for token in text.split()}
    words: set[str] = set()
    for token in sorted(tokens):
        # The toolkit drops full stops and splits clitics off before METEOR sees a caption.
        apart = token.replace("n't", " n't ").replace("'", " '").rstrip(".")
        words.update(normalize(token), normalize(apart), normalize(token.rstrip(".")))
    return words


def read_captions(file: Path) -> Iterator[str]:
    """Read the captions of a file in lower case."""
    name = file.name.removesuffix(".gz")
    raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    text = raw.decode("utf-8")
    if name.endswith(".json"):
        yield from iter_strings(json.loads(text))
    elif name.endswith(".jsonl"):
        for line in text.splitlines():
            yield from iter_strings(json.loads(line))
    else:
        for line in text.splitlines():
            yield line.partition("\t")[2].lower()


def iter_strings(value: Any) -> Iterator[str]:
    """Yield every string with a blank in it, anywhere in a JSON value."""
    if isinstance(value, str):
        if " " in value:
            yield value.lower()
    elif isinstance(value, dict):
        for item in value.values():
            yield from iter_strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from iter_strings(item)


def write_wordnet(folder: TableFolder, jar: zipfile.ZipFile) -> None:
    """METEOR's extract of WordNet: words in order of their bytes, synsets by position."""
    # WordNet's licence wants its text to go with every copy.
    (folder.path / "COPYING.WORDNET").write_bytes(jar.read("synonym/COPYING.WORDNET"))
    lines = read_lines(jar, "synonym/english.synsets")
    synsets = {
        word: sorted(map(int, numbers.split()))
        for word, numbers in zip(lines[::2], lines[1::2], strict=True)
    }
    numbers = sorted({number for row in synsets.values() for number in row})
    index = {number: position for position, number in enumerate(numbers)}
    words = sorted(synsets, key=str.encode)
    folder.lines("wordnet_words", words)
    folder.array("synset_numbers", numbers, "int32")
    folder.array("wordnet_synsets", [index[n] for word in words for n in synsets[word]], "int32")
    lengths = [0, *(len(synsets[word]) for word in words)]
    folder.array("wordnet_synset_offsets", np.cumsum(lengths), "int32")

    lines = read_lines(jar, "synonym/english.exceptions")
    bases: dict[str, list[str]] = {}
    for base, forms in zip(lines[::2], lines[1::2], strict=True):
        for form in forms.split():
            bases.setdefault(form, []).append(base)
    folder.lines("wordnet_exceptions", (" ".join([form, *bases[form]]) for form in sorted(bases)))


def read_phrase_pairs(table: Path) -> Iterator[tuple[Phrase, Phrase]]:
    """Yield (phrase, paraphrase) from lines of probability, phrase, paraphrase."""
    with gzip.open(table, "rt", encoding="utf-8", newline="\n") as lines:
        for _probability in lines:
            yield tuple(next(lines).split()), tuple(next(lines).split())


def find_inflected_forms(table_words: set[str], words: set[str], synonyms: Synonyms) -> set[str]:
    """Words of the table that are forms of given words, by WordNet: a caption may well use them."""
    others = table_words - words
    return {word for word in others if not words.isdisjoint(synonyms.base_forms(word))}


def find_numbers_and_signs(words: set[str]) -> set[str]:
    """Return numbers, ordinals, decades and signs that reach METEOR's aligner unchanged.

    A caption may quote any of them, whatever other captions quoted.
    """
    quotable = sorted(
        word for word in words if NUMBER.fullmatch(word) or not any(map(str.isalpha, word))
    )
    tokens = tokenize_all(quotable)
    return {
        word for word, own in zip(quotable, tokens, strict=True) if own == [word] == normalize(word)
    }


def read_paraphrases(table: Path, vocabulary: set[str] | None) -> Paraphrases:
    """Paraphrases by phrase, in the table's order, which decides ties in the aligner."""
    paraphrases: Paraphrases = {}
    for source, target in read_phrase_pairs(table):
        if vocabulary is None or vocabulary.issuperset(source + target):
            paraphrases.setdefault(source, []).append(target)
    return paraphrases


def order_words_by_frequency(paraphrases: Paraphrases, others: set[str]) -> tuple[list[str], int]:
    """Words by id: those of paraphrases first, the most frequent ones to be written as one byte."""
    counts: Counter[str] = Counter()
    for source, targets in paraphrases.items():
        counts.update(dict.fromkeys(source, 0))
        for target in targets:
            counts.update(target)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    # Codes from one_byte on are the first of two bytes; as few as the number of words needs.
    one_byte = next(n for n in range(256, -1, -1) if n + (256 - n) * 256 >= len(words))
    return words + sorted(others.difference(counts)), one_byte


def write_words(folder: TableFolder, words: list[str], function_words: set[str]) -> None:
    """What is known of each word: stem, synsets, whether it is a function word."""
    folder.lines("words", words)
    stems = [stem(word) for word in words]
    order = {text: position for position, text in enumerate(dict.fromkeys(stems))}
    folder.lines("stems", order)
    folder.lines("function_words", sorted(function_words))
    folder.array("word_stems", [order[text] for text in stems], "int32")
    rows = Synonyms(folder.path).rows(words)
    folder.array("word_synsets", rows.values, "int32")
    folder.array("word_synset_offsets", rows.offsets, "int32")
    flags = [FUNCTION_WORD * (w in function_words) + PLAIN_TOKEN * is_plain(w) for w in words]
    folder.array("word_flags", flags, "uint8")


def write_paraphrases(
    folder: TableFolder, paraphrases: Paraphrases, words: list[str], one_byte: int
) -> None:
    """Phrases as a trie whose nodes are numbered level by level; each node's paraphrases as bytes.

    Node w of the first level is word w. The children of a node have consecutive numbers, ordered by
    word. A paraphrase is one byte, words shared with the one before it times 16 plus further words,
    then the further words.
    """
    ids = {word: position for position, word in enumerate(words)}
    sources = [tuple(ids[word] for word in source) for source in paraphrases]
    roots = 1 + max((word for source in sources for word in source), default=-1)
    node_of = [source[0] for source in sources]
    node_words = list(range(roots))
    child_starts: list[int] = []
    for depth in range(1, max(map(len, sources), default=0) + 1):
        deeper = [i for i, source in enumerate(sources) if len(source) > depth]
        children = sorted({(node_of[i], sources[i][depth]) for i in deeper})
        number = {child: len(node_words) + i for i, child in enumerate(children)}
        parents = np.array([parent for parent, _ in children], np.int64)
        here = np.arange(len(child_starts), len(node_words))
        child_starts.extend((len(node_words) + np.searchsorted(parents, here)).tolist())
        node_words.extend(word for _, word in children)
        for i in deeper:
            node_of[i] = number[node_of[i], sources[i][depth]]
    child_starts.append(len(node_words))

    targets_of = dict(zip(node_of, paraphrases.values(), strict=True))
    coded = bytearray()
    starts = [0]
    for node in range(len(node_words)):
        before: list[int] = []
        for target in targets_of.get(node, ()):
            after = [ids[word] for word in target]
            shared = 0
            while shared < min(len(before), len(after)) and before[shared] == after[shared]:
                shared += 1
            coded.append(shared * 16 + len(after) - shared)
            for word in after[shared:]:
                if word >= one_byte:
                    coded.append(one_byte + (word - one_byte) // 256)
                    coded.append((word - one_byte) % 256)
                else:
                    coded.append(word)
            before = after
        starts.append(len(coded))
    folder.array("phrase_words", node_words, "uint16")
    folder.array("phrase_children", child_starts, "int32")
    folder.array("phrase_paraphrases", starts, "int32")
    folder.array("paraphrases", np.frombuffer(bytes(coded), np.uint8), "uint8")


def print_record(path: Path) -> None:
    """Print each file's size and hash, for the record of provenance."""
    total = 0
    for file in sorted(path.iterdir()):
        content = file.read_bytes()
        total += len(content)
        print(f"{len(content):>10} {hashlib.sha256(content).hexdigest()} {file.name}")
    print(f"{total:>10} bytes in all")


if __name__ == "__main__":
    main()
