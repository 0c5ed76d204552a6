"""SPICE without Java: cold, with the references in the cache, of long captions, and the original.

Long captions are those of some 180 words in a folder `discourse_foil`, against descriptions of some
240 words, if it is there (`--long`).

The original needs CoreNLP 3.6.0, which pycocoevalcap does not bring: name a folder with its jars
(`stanford-corenlp-3.6.0.jar`, `stanford-corenlp-3.6.0-models.jar`) with `--corenlp`. It reads some
20 captions a second and core, so it is given fewer.
"""

from __future__ import annotations

import argparse
import gzip
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

from coco_toolkit import HERE, Captions, add_sample_options, sample_captions, tokenize_captions
from processes import run_fresh
from tables import Table, add_json_option, median_and_range, show

JARS = ("stanford-corenlp-3.6.0.jar", "stanford-corenlp-3.6.0-models.jar")


def run_captious(captions: Path, cache: Path) -> dict[str, Any]:
    """One fresh process with its cache in a folder."""
    return run_fresh(
        [HERE / "task.py", "captious", "spice", captions], {"CAPTIOUS_CACHE": str(cache)}
    )


def read_long_captions(path: Path) -> Captions:
    """Captions of models, each against one description of its image."""
    rows = json.loads(gzip.decompress(path.read_bytes()))
    return {
        "candidates": [row["hall_caption"] for row in rows],
        "references": [[row["caption"]] for row in rows],
    }


def format_row(kind: str, size: int, runs: list[dict[str, Any]]) -> list[str]:
    """A row of the table: medians, and the range from the fastest to the slowest process."""
    whole, seconds, cpu = (
        sorted(run[what] for run in runs) for what in ("whole", "seconds", "cpu")
    )
    return [
        kind,
        f"{size:,}",
        median_and_range(whole),
        f"{statistics.median(seconds):.2f}",
        f"{statistics.median(cpu):.2f}",
        f"{max(run['megabytes'] for run in runs):,.0f}",
        f"{runs[0]['scores']['spice']:.4f}",
    ]


def run_original(captions: Captions, corenlp: Path, folder: Path) -> dict[str, Any]:
    """The toolkit's own command, in a copy of its folder that has CoreNLP's jars."""
    output_rows = importlib.util.find_spec("pycocoevalcap")
    if output_rows is None or output_rows.submodule_search_locations is None:
        sys.exit("pycocoevalcap is not installed: pip install 'captious[bench]'")
    home = folder / "original"
    shutil.copytree(Path(output_rows.submodule_search_locations[0]) / "spice", home)
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
    process = subprocess.run([*command, "-subset", "-silent"], cwd=home, check=False)
    if process.returncode:
        sys.exit("the original failed; it needs the jars named, and Java 8 to 14")
    seconds = time.perf_counter() - start
    scores = [row["scores"]["All"]["f"] for row in json.loads((folder / "out.json").read_text())]
    return {"whole": seconds, "score": statistics.mean(scores)}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_sample_options(parser)
    parser.add_argument(
        "--long",
        type=Path,
        default=HERE.parent.parent / "shared/data/discourse_foil/discourse_foil.json.gz",
        help="a file of long captions; left out where it is not there",
    )
    parser.add_argument("--corenlp", type=Path, help="a folder with CoreNLP 3.6.0's jars")
    parser.add_argument("--original-size", type=int, default=500, help="samples for the original")
    add_json_option(parser)
    options = parser.parse_args()
    for jar in JARS if options.corenlp else ():
        if not (options.corenlp / jar).exists():
            sys.exit(f"{options.corenlp / jar}: not there; --corenlp names the folder of the jars")

    captions = sample_captions(options.data, options.system, options.size)
    # The references alone, each scored against itself, fill a cache without the candidates.
    alone = {**captions, "candidates": [several[0] for several in captions["references"]]}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        raw, references = folder / "raw.json", folder / "references.json"
        raw.write_text(json.dumps(captions))
        references.write_text(json.dumps(alone))
        # What to score, its file, and the file to be scored before if the cache is to be filled.
        kinds: dict[str, tuple[Captions, Path, Path | None]] = {
            "nothing cached": (captions, raw, None),
            "references cached": (captions, raw, references),
        }
        if options.long.exists():
            long, path_of_long = read_long_captions(options.long), folder / "long.json"
            path_of_long.write_text(json.dumps(long))
            kinds["long captions, one reference each, nothing cached"] = (long, path_of_long, None)
        runs: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
        for repeat in range(options.repeats):
            for place, (kind, (_, path, before)) in enumerate(kinds.items()):
                cache = folder / f"cache{repeat}-{place}"
                if before:
                    run_captious(before, cache)
                runs[kind].append(run_captious(path, cache))
        rows = [
            format_row(kind, len(scored["candidates"]), runs[kind])
            for kind, (scored, _, _) in kinds.items()
        ]
        times = ""
        if options.corenlp:
            fewer = {part: values[: options.original_size] for part, values in captions.items()}
            taken = run_original(tokenize_captions(fewer), options.corenlp, folder)
            few = folder / "few.json"
            few.write_text(json.dumps(fewer))
            ours = run_captious(few, folder / "few")
            size = len(fewer["candidates"])
            rows.append(format_row("as many as the original, nothing cached", size, [ours]))
            seconds, score = f"{taken['whole']:.2f}", f"{taken['score']:.4f}"
            rows.append(["the original", f"{size:,}", seconds, "", "", "", score])
            times = f" The original takes {taken['whole'] / ours['whole']:.0f} times as long."
    about = (
        f"Captions of {options.system} with five references each, {os.cpu_count()} cores, medians"
        f" of {options.repeats} fresh processes (least and most).{times}"
    )
    header = ["SPICE", "samples", "whole process, s", "imports done, s", "CPU s"]
    show([Table(about, [*header, "peak memory, MB", "score"], rows)], options.json)


if __name__ == "__main__":
    main()
