from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import captious
from captious.corpus import ReferenceColumns
from captious.errors import InputError
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.samples import References


def collect(references: dict[str, list[str]] | list[list[str]]) -> DocumentFrequencies:
    columns = ReferenceColumns.of(references)
    return DocumentFrequencies.collect(References(columns.captions, columns.offsets))


def frequency(frequencies: DocumentFrequencies, ngram: str) -> int:
    """Look one n-gram up by way of an analysis that has nothing else."""
    columns = ReferenceColumns.of([[ngram]])
    counts = frequencies.lookup(References(columns.captions, columns.offsets).analysis)
    return int(counts[-1])


def test_an_image_counts_once_however_often_its_references_say_it() -> None:
    frequencies = collect([["a dog dog", "a dog"], ["a cat"], ["a dog sleeps"]])
    assert frequencies.documents == 3
    assert frequency(frequencies, "a") == 3
    assert frequency(frequencies, "dog") == 2
    assert frequency(frequencies, "a dog") == 2
    assert frequency(frequencies, "a dog sleeps") == 1
    assert frequency(frequencies, "a dog barks") == 0
    assert frequency(frequencies, "never") == 0


def test_saved_reference_frequencies_change_no_score(
    candidates: dict[str, str], references: dict[str, list[str]], tmp_path: Path
) -> None:
    path = tmp_path / "own.npz"
    collect(references).save(path)
    with pytest.warns(captious.CaptiousWarning):
        expected = captious.score(candidates, references, ["cider", "cider_d"])
    with pytest.warns(captious.CaptiousWarning):
        given = captious.score(candidates, references, ["cider", "cider_d"], df=str(path))
    for name in expected.columns:
        assert given.samples[name].tolist() == expected.samples[name].tolist()
    assert "df=own.npz@" in given.signature


def test_merged_parts_equal_the_whole(references: dict[str, list[str]]) -> None:
    ids = list(references)
    parts = [collect({i: references[i] for i in ids[start::3]}) for start in range(3)]
    merged, whole = DocumentFrequencies.merge(parts), collect(references)
    assert merged.fingerprint == whole.fingerprint


def test_leaving_out_rare_ngrams_changes_no_score(
    candidates: dict[str, str], references: dict[str, list[str]], tmp_path: Path
) -> None:
    whole = collect(references)
    compact = whole.without_rare()
    assert compact.sizes[3] < whole.sizes[3]
    with pytest.warns(captious.CaptiousWarning):
        scores = [
            captious.score(candidates, references, ["cider_d"], df=d) for d in (whole, compact)
        ]
    assert scores[0].samples["cider_d"].tolist() == scores[1].samples["cider_d"].tolist()
    with pytest.raises(InputError, match="rare n-grams were left out"):
        DocumentFrequencies.merge([whole, compact])


def test_frequencies_are_unchanged_by_save_and_load(
    references: dict[str, list[str]], tmp_path: Path
) -> None:
    frequencies = collect(references)
    frequencies.save(tmp_path / "a.npz")
    frequencies.save(tmp_path / "b.npz")
    read = DocumentFrequencies.load(tmp_path / "a.npz")
    assert read.fingerprint == frequencies.fingerprint
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize("content", [b"", b"nonsense", None])
def test_invalid_files_are_errors(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "bad.npz"
    if content is None:
        np.savez(path, format=np.int64(1))
    else:
        path.write_bytes(content)
    with pytest.raises(InputError, match="not a file of document frequencies"):
        DocumentFrequencies.load(path)


@pytest.mark.parametrize(
    "damage", [{"counts": [1]}, {"words": [10**6]}, {"documents": 0}, {"parent_steps": [9, 9]}]
)
def test_inconsistent_numbers_are_errors(
    tmp_path: Path, references: dict[str, list[str]], damage: dict[str, int | list[int]]
) -> None:
    collect(references).save(tmp_path / "sound.npz")
    with np.load(tmp_path / "sound.npz") as arrays:
        contents = dict(arrays)
    for name, value in damage.items():
        changed = np.array(value)
        contents[name] = np.resize(changed, contents[name].shape) if name == "words" else changed
    np.savez(tmp_path / "damaged.npz", **contents)
    with pytest.raises(InputError, match=r"damaged|not a file of"):
        DocumentFrequencies.load(tmp_path / "damaged.npz")


def test_few_own_images_raise_a_warning() -> None:
    with pytest.warns(captious.CaptiousWarning, match="from 1 image"):
        df = DocumentFrequencies.collect([["a dog"]])
        captious.score(["a dog"] * 2, [["a dog"]] * 2, ["cider_d"], df=df)


def test_an_unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(InputError, match="coco-val2014"):
        DocumentFrequencies.load("coco-val2041")


def test_shipped_frequencies() -> None:
    shipped = DocumentFrequencies.load("coco-val2014")
    assert shipped.documents == 40504
    assert frequency(shipped, "a") / shipped.documents > 0.95
    assert math.log(frequency(shipped, "a man riding a")) > 0
