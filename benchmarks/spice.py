"""SPICE without Java: cold, with the references in the cache, and beside the original.

The original needs CoreNLP 3.6.0, which pycocoevalcap does not bring: name a folder with its jars
(`stanford-corenlp-3.6.0.jar`, `stanford-corenlp-3.6.0-models.jar`) with `--corenlp`. It reads some
20 captions a second and core, so it is given fewer.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tabulate import tabulate

from coco_toolkit import HERE, Captions, sample_captions, tokenized

JARS = ("stanford-corenlp-3.6.0.jar", "stanford-corenlp-3.6.0-models.jar")


def run_captious(captions: Path, cache: Path) -> dict[str, Any]:
    """One fresh process with its cache in a folder."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, HERE / "task.py", "captious", "spice", captions],
        capture_output=True,
        check=False,
        env={**os.environ, "CAPTIOUS_CACHE": str(cache)},
    )
    if done.returncode:
        sys.exit(f"captious failed:\n{done.stderr.decode()}")
    return {**json.loads(done.stdout), "whole": time.perf_counter() - start}


def run_original(captions: Captions, corenlp: Path, folder: Path) -> dict[str, Any]:
    """The toolkit's own command, in a copy of its folder that has CoreNLP's jars."""
    found = importlib.util.find_spec("pycocoevalcap")
    if found is None or found.submodule_search_locations is None:
        sys.exit("pycocoevalcap is not installed: pip install 'captious[bench]'")
    home = folder / "original"
    shutil.copytree(Path(found.submodule_search_locations[0]) / "spice", home)
    for jar in corenlp.glob("*.jar"):
        shutil.copy(jar, home / "lib")
    rows = [
        {"image_id": number, "test": candidate, "refs": references}
        for number, (candidate, references) in enumerate(
            zip(captions["candidates"], captions["references"], strict=True)
        )
    ]
    (folder / "in.json").write_text(json.dumps(rows))
    command = ["java", "-Xmx8G", "-jar", "spice-1.0.jar", str(folder / "in.json")]
    command += ["-cache", str(folder / "lmdb"), "-out", str(folder / "out.json")]
    (folder / "lmdb").mkdir()
    start = time.perf_counter()
    done = subprocess.run([*command, "-subset", "-silent"], cwd=home, check=False)
    if done.returncode:
        sys.exit("the original failed; it needs the jars named, and Java 8 to 14")
    seconds = time.perf_counter() - start
    scores = [row["scores"]["All"]["f"] for row in json.loads((folder / "out.json").read_text())]
    return {"whole": seconds, "score": statistics.mean(scores)}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared/data/coco")
    parser.add_argument("--system", default="vinyals2017")
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--corenlp", type=Path, help="a folder with CoreNLP 3.6.0's jars")
    parser.add_argument("--original-size", type=int, default=500, help="samples for the original")
    options = parser.parse_args()
    for jar in JARS if options.corenlp else ():
        if not (options.corenlp / jar).exists():
            sys.exit(f"{options.corenlp / jar}: not there; --corenlp names the folder of the jars")

    captions = sample_captions(options.data, options.system, options.size)
    # The references alone, each scored against itself, fill a cache without the candidates.
    alone = {**captions, "candidates": [several[0] for several in captions["references"]]}
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        raw, references = folder / "raw.json", folder / "references.json"
        raw.write_text(json.dumps(captions))
        references.write_text(json.dumps(alone))
        cold, warm = [], []
        for repeat in range(options.repeats):
            cold.append(run_captious(raw, folder / f"cold{repeat}"))
            run_captious(references, folder / f"warm{repeat}")
            warm.append(run_captious(raw, folder / f"warm{repeat}"))
        for kind, runs in (("cold", cold), ("references in the cache", warm)):
            medians = [
                statistics.median(run[what] for run in runs) for what in ("seconds", "whole")
            ]
            megabytes = max(run["megabytes"] for run in runs)
            rows.append([kind, options.size, *medians, megabytes, runs[0]["scores"]["spice"]])
        if options.corenlp:
            fewer = {part: values[: options.original_size] for part, values in captions.items()}
            taken = run_original(tokenized(fewer), options.corenlp, folder)
            few = folder / "few.json"
            few.write_text(json.dumps(fewer))
            ours = run_captious(few, folder / "few")
            size = len(fewer["candidates"])
            rows.append(["cold, as many as the original", size, ours["seconds"], ours["whole"],
                         ours["megabytes"], ours["scores"]["spice"]])  # fmt: skip
            rows.append(["original", size, None, taken["whole"], None, taken["score"]])
            print(f"the original takes {taken['whole'] / ours['whole']:.0f} times as long\n")
    print(f"captions of {options.system} x 5 references, {os.cpu_count()} cores, medians of")
    print(f"{options.repeats} fresh processes: seconds (imports done), and of the whole process\n")
    header = ["spice", "samples", "seconds", "whole", "peak MB", "score"]
    print(tabulate(rows, header, floatfmt=("", "d", ".2f", ".2f", ".0f", ".4f")))


if __name__ == "__main__":
    main()
