"""Compare Captious' tokenizer with the Java tokenizer of the COCO toolkit, caption by caption.

Needs Java and `pip install pycocoevalcap`. Each argument is a file of captions: COCO annotations
(`{"annotations": [{"caption": ...}]}`) or COCO results (`[{"caption": ...}]`) in `.json`, or
plain text with one caption a line; each also gzipped (`.gz`).

    python tools/compare_tokenizer.py captions_val2014.json.gz
"""

import argparse
import gzip
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from captious.text.tokenizer.tokenizer import tokenize_all

JAR = Path("tokenizer") / "stanford-corenlp-3.4.1.jar"
# As the COCO toolkit lists them, after tokenization and lower-casing.
PUNCTUATION = frozenset(
    (
        *("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-"),
        *(".", "?", "!", ",", ":", "-", "--", "...", ";"),
    )
)
# The Java tokenizer begins a new line at each of these, which would shift all later captions, and
# cannot read lone surrogates.
LINE_BREAKS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")
# Java sometimes looks at the first word of the next line. A line between the captions keeps them
# apart, as they are for Captious.
SEPARATOR = "x"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how many captions are cut alike, and those that are not."""
    options = _parse(arguments)
    jar = find_jar()
    differing = 0
    for path in options.captions:
        captions = (
            list(dict.fromkeys(read_captions(path)))
            if options.unique
            else (list(read_captions(path)))
        )
        expected = java_tokens(captions, jar, adjacent=options.adjacent)
        found = tokenize_all(captions)
        unequal = [at for at, tokens in enumerate(found) if tokens != expected[at]]
        differing += len(unequal)
        equal = len(captions) - len(unequal)
        share = 100 * equal / len(captions) if captions else 100.0
        print(f"{path}: {equal:,} of {len(captions):,} captions equal ({share:.4f}%)")
        for at in unequal[: options.show]:
            print(f"  {captions[at]!r}")
            print(f"    java     {' '.join(expected[at])}")
            print(f"    captious {' '.join(found[at])}")
        if len(unequal) > options.show:
            print(f"  … and {len(unequal) - options.show:,} more")
    return 1 if differing else 0


def read_captions(path: Path) -> Iterator[str]:
    """The captions of a file, in order."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    if ".json" in path.suffixes[-2:]:
        content = json.loads(text)
        rows = content["annotations"] if isinstance(content, dict) else content
        yield from (row["caption"] for row in rows)
    else:
        yield from text.removesuffix("\n").split("\n")


def java_tokens(captions: Sequence[str], jar: Path, adjacent: bool = False) -> list[list[str]]:
    """What the Java tokenizer makes of the captions, punctuation removed."""
    lines = [LINE_BREAKS.sub(" ", caption) for caption in captions]
    between = "\n" if adjacent else f"\n{SEPARATOR}\n"
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "captions.txt"
        text.write_text(between.join(lines) + "\n", encoding="utf-8", newline="\n")
        command = ["java", "-cp", str(jar), "edu.stanford.nlp.process.PTBTokenizer"]
        command += ["-preserveLines", "-lowerCase", str(text)]
        done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"error: the Java tokenizer failed: {done.stderr.decode().strip()}")
    answers = done.stdout.decode("utf-8").split("\n")
    answers = answers[: len(captions)] if adjacent else answers[: 2 * len(captions) : 2]
    return [
        [token for token in line.rstrip().split(" ") if token and token not in PUNCTUATION]
        for line in answers
    ]


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("captions", nargs="+", type=Path, metavar="FILE", help="captions")
    parser.add_argument(
        "--show", type=int, default=20, metavar="N", help="differences to print (default: 20)"
    )
    parser.add_argument(
        "--unique", action="store_true", help="compare each different caption only once"
    )
    parser.add_argument(
        "--adjacent",
        action="store_true",
        help="give captions to Java on adjacent lines, as the COCO toolkit does",
    )
    options = parser.parse_args(arguments)
    for path in options.captions:
        if not path.is_file():
            parser.error(f"no such file: {path}")
    return options


def find_jar() -> Path:
    """The Java tokenizer; ends the program if it cannot be run."""
    if shutil.which("java") is None:
        sys.exit("error: Java is not installed: put `java` on the PATH")
    package = importlib.util.find_spec("pycocoevalcap")
    for folder in (package.submodule_search_locations or ()) if package else ():
        if (Path(folder) / JAR).is_file():
            return Path(folder) / JAR
    sys.exit("error: the Java tokenizer is not installed: run `pip install pycocoevalcap`")


if __name__ == "__main__":
    sys.exit(main())
