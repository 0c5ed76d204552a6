"""What `captious check` says of real captions: of people, machines, large models, translators.

    python tools/measure_findings.py ../shared/data

prints two tables in Markdown: what was found in each set, and the shares by which findings are
graded, so that thresholds can be seen to lie beyond what ordinary captions have.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import captious
from captious.corpus import Corpus
from captious.diagnostics.check.evidence import Evidence, seem_non_english
from captious.diagnostics.check.kinds.duplicates import are_copies, count_captions
from captious.diagnostics.check.kinds.malformed_text import are_cut_off
from captious.io.output_tables import render_table
from captious.samples import References, Samples
from captious.text.english import ENGLISH

Captions = dict[Any, str]
Set = tuple[str, Captions, dict[Any, list[str]]]
LANGUAGES = ("cs", "de", "fi", "ro", "ru", "tr")


def main(arguments: Sequence[str] | None = None) -> int:
    """Check every set, print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of data sets")
    data = parser.parse_args(arguments).data
    found, shares = [], []
    for name, candidates, references in real_sets(data):
        references = {image: references[image] for image in candidates}
        findings = captious.check(candidates, references)
        facts = findings.facts
        listed = ", ".join(f"{f.name} ({f.severity}, {100 * f.share:.1f}%)" for f in findings)
        found.append(
            [
                name,
                f"{facts['samples']:,}",
                f"{facts['words']:.1f}",
                f"{facts['reference_words']:.1f}",
                f"{facts['kept']:.3f}",
                listed or "nothing",
            ]
        )
        shares.append([name, *(f"{share:.4f}" for share in _shares(candidates, references))])
    header = ["captions", "samples", "words", "references' words", "CIDEr-D keeps", "found"]
    print(render_table(header, found, "markdown"))
    columns = ["most frequent", "copies", "broken off", "openings", "answers", "seem foreign"]
    print(f"\n{render_table(['captions', *columns], shares, 'markdown')}")
    return 0


def _shares(candidates: Captions, references: dict[Any, list[str]]) -> list[float]:
    """The shares that findings are graded by, whether anything was found or not."""
    corpus = Corpus.of(candidates, references)
    prepared = References.of(corpus.references)
    samples = Samples(corpus.candidates, np.arange(len(corpus)), prepared)
    evidence = Evidence(samples, corpus.references.ids)
    flags = (
        are_copies(evidence),
        are_cut_off(evidence),
        evidence.matching(ENGLISH.picture_opening),
        evidence.matching(ENGLISH.answer_opening),
        evidence.per_sample(seem_non_english(samples.candidates)),
    )
    most = count_captions(evidence)[1].max() / len(evidence)
    return [float(most), *(float(each.mean()) for each in flags)]


def real_sets(data: Path) -> Iterator[Set]:
    """Every set that is there, by name, its captions by image."""
    coco = _coco(data / "coco")
    test = [int(image) for image in _json(data / "coco" / "karpathy_test_ids.json")]
    for path in sorted((data / "coco" / "systems_val2014").glob("*.json.gz")):
        captions = {row["image_id"]: row["caption"] for row in _json(path)}
        some = {image: captions[image] for image in test}
        yield f"COCO, {path.name.removesuffix('.json.gz')}", some, coco
    yield "COCO, people, left out", *_left_out({image: coco[image] for image in test})
    yield "COCO, people, among references", {image: coco[image][0] for image in test}, coco
    yield "Flickr8k, people, left out", *_left_out(_flickr8k(data / "flickr8k"))
    rows = _json(data / "discourse_foil" / "discourse_foil.json.gz")
    by_image = {int(row["image_id"]): row for row in rows if row["image_id"].isdigit()}
    long = {image: row["caption"] for image, row in by_image.items() if image in coco}
    yield "descriptions by large models", long, coco
    hallucinating = {image: by_image[image]["hall_caption"] for image in long}
    yield "descriptions, others", hallucinating, coco
    sounds = _json(data / "audiocaps_eval" / "audiocaps_eval.json.gz")
    heard = {row["audio_id"]: row["references"] for row in sounds}
    for part, place in (("HM", 1), ("MM_1", 0)):
        said = {row["audio_id"]: row[part][place] for row in sounds if row.get(part)}
        yield f"AudioCaps, machines ({part})", said, heard
    for language in LANGUAGES:
        start = data / "wmt16_daseg" / "DAseg.newstest2016"
        lines, references = (
            Path(f"{start}.{kind}.{language}-en").read_text(encoding="utf-8").splitlines()
            for kind in ("mt-system", "reference")
        )
        sets = {place: [line] for place, line in enumerate(references)}
        yield f"WMT16, {language} to English", dict(enumerate(lines)), sets


def _left_out(captions: dict[Any, list[str]]) -> tuple[Captions, dict[Any, list[str]]]:
    """Each image's first caption beside its others."""
    others = {image: several[1:] for image, several in captions.items()}
    return {image: several[0] for image, several in captions.items()}, others


def _coco(folder: Path) -> dict[Any, list[str]]:
    captions: dict[Any, list[str]] = {}
    for part in ("val2014", "train2014"):
        for row in _json(folder / f"captions_{part}.json.gz")["annotations"]:
            captions.setdefault(row["image_id"], []).append(row["caption"])
    return captions


def _flickr8k(folder: Path) -> dict[Any, list[str]]:
    captions: dict[Any, list[str]] = {}
    for line in (folder / "Flickr8k.token.txt").read_text(encoding="utf-8").splitlines():
        name, _, caption = line.partition("\t")
        captions.setdefault(name.partition("#")[0], []).append(caption)
    names = (folder / "Flickr_8k.testImages.txt").read_text(encoding="utf-8").split()
    return {name: captions[name] for name in names}


def _json(path: Path) -> Any:
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


if __name__ == "__main__":
    raise SystemExit(main())
