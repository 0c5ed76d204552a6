"""Findings of `captious check` on real captions: of people, machines, large models, translators.

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
    found_rows, share_rows = [], []
    for name, candidates, references in read_real_sets(data):
        references = {image: references[image] for image in candidates}
        findings = captious.check(candidates, references)
        facts = findings.facts
        listed = ", ".join(
            f"{finding.name} ({finding.severity}, {100 * finding.share:.1f}%)"
            for finding in findings
        )
        found_rows.append(
            [
                name,
                f"{facts['samples']:,}",
                f"{facts['words']:.1f}",
                f"{facts['reference_words']:.1f}",
                f"{facts['kept']:.3f}",
                listed or "nothing",
            ]
        )
        share_rows.append(
            [name, *(f"{share:.4f}" for share in _measure_shares(candidates, references))]
        )
    header = ["captions", "samples", "words", "references' words", "CIDEr-D keeps", "found"]
    print(render_table(header, found_rows, "markdown"))
    columns = ["most frequent", "copies", "broken off", "openings", "answers", "seem foreign"]
    print(f"\n{render_table(['captions', *columns], share_rows, 'markdown')}")
    return 0


def _measure_shares(candidates: Captions, references: dict[Any, list[str]]) -> list[float]:
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
    max_count = count_captions(evidence)[1].max() / len(evidence)
    return [float(max_count), *(float(each.mean()) for each in flags)]


def read_real_sets(data: Path) -> Iterator[Set]:
    """Yield every data set: name, candidates and references by image."""
    coco = _coco(data / "coco")
    test = [int(image) for image in _json(data / "coco" / "karpathy_test_ids.json")]
    for path in sorted((data / "coco" / "systems_val2014").glob("*.json.gz")):
        captions = {row["image_id"]: row["caption"] for row in _json(path)}
        test_captions = {image: captions[image] for image in test}
        yield f"COCO, {path.name.removesuffix('.json.gz')}", test_captions, coco
    yield "COCO, people, left out", *_hold_out_first({image: coco[image] for image in test})
    yield "COCO, people, among references", {image: coco[image][0] for image in test}, coco
    yield "Flickr8k, people, left out", *_hold_out_first(_flickr8k(data / "flickr8k"))
    rows = _json(data / "discourse_foil" / "discourse_foil.json.gz")
    by_image = {int(row["image_id"]): row for row in rows if row["image_id"].isdigit()}
    descriptions = {image: row["caption"] for image, row in by_image.items() if image in coco}
    yield "descriptions by large models", descriptions, coco
    with_hallucinations = {image: by_image[image]["hall_caption"] for image in descriptions}
    yield "descriptions, others", with_hallucinations, coco
    sounds = _json(data / "audiocaps_eval" / "audiocaps_eval.json.gz")
    audio_references = {row["audio_id"]: row["references"] for row in sounds}
    for part, place in (("HM", 1), ("MM_1", 0)):
        audio_captions = {row["audio_id"]: row[part][place] for row in sounds if row.get(part)}
        yield f"AudioCaps, machines ({part})", audio_captions, audio_references
    for language in LANGUAGES:
        start = data / "wmt16_daseg" / "DAseg.newstest2016"
        lines, references = (
            Path(f"{start}.{kind}.{language}-en").read_text(encoding="utf-8").splitlines()
            for kind in ("mt-system", "reference")
        )
        sets = {place: [line] for place, line in enumerate(references)}
        yield f"WMT16, {language} to English", dict(enumerate(lines)), sets


def _hold_out_first(captions: dict[Any, list[str]]) -> tuple[Captions, dict[Any, list[str]]]:
    """Split off each image's first caption as a candidate; the others are its references."""
    others = {image: texts[1:] for image, texts in captions.items()}
    return {image: texts[0] for image, texts in captions.items()}, others


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
