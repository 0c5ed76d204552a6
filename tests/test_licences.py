"""Metadata, NOTICE and PROVENANCE.md name the same licences, and every text of one ships."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from email import message_from_string
from pathlib import Path

import pytest

from captious.metrics.declarations import METRICS
from captious.metrics.parameters import PUBLISHED, RELEASED
from captious.resources import RESOURCES
from tests.places import ROOT

PYPROJECT = ROOT / "pyproject.toml"
RECORD = (RESOURCES / "PROVENANCE.md").read_text(encoding="utf-8")
FILES = re.findall(r"^\| `(.+?)` \| .+ \| (.+) \| `[0-9a-f]{64}` \|$", RECORD, re.MULTILINE)
LICENCES = {
    name: (identifier, text)
    for name, identifier, text in re.findall(
        r"^\| (.+?) \| `([\w.-]+)` \| `(LICENSE\S*)` \|$", RECORD, re.MULTILINE
    )
}
OTHERS = ("as above", "as words.txt", "facts, with their sources")
pytestmark = pytest.mark.skipif(not PYPROJECT.is_file(), reason="the source is not here")


def read_entry(name: str) -> str:
    """The value of a key of the project, as pyproject.toml spells it."""
    found = re.search(rf"^{name} = (.+)$", PYPROJECT.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def test_every_file_has_a_licence_that_is_listed() -> None:
    named: set[str] = set()
    for file, licence in FILES:
        names = {name for name in LICENCES if re.search(rf"\b{re.escape(name)}\b", licence)}
        assert names or licence in OTHERS, f"{file}: {licence}"
        named |= names
    assert named == set(LICENCES)


def test_expression_has_every_licence_of_shipped_files() -> None:
    expression = read_entry("license").strip('"')
    assert sorted(expression.split(" AND ")) == sorted(spdx for spdx, _ in LICENCES.values())


def test_texts_of_all_licences_ship() -> None:
    patterns = re.findall(r'"(.+?)"', read_entry("license-files"))
    shipped = {path for pattern in patterns for path in ROOT.glob(pattern)}
    texts = {ROOT / text for _, text in LICENCES.values()}
    assert texts | {ROOT / "NOTICE"} == shipped


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("Apache-2.0", "Apache License Version 2.0"),
        ("LGPL-2.1-only", "GNU LESSER GENERAL PUBLIC LICENSE Version 2.1"),
        ("LicenseRef-WordNet-3.0", "WordNet 3.0 Copyright 2006 by Princeton University"),
        ("CC-BY-4.0", "Creative Commons Attribution 4.0 International Public License"),
        ("MIT", "Copyright (C) 2016-2024 ExplosionAI GmbH"),
        ("PDDL-1.0", "Public Domain Dedication & License"),
    ],
)
def test_each_text_is_that_licence(identifier: str, words: str) -> None:
    (text,) = (text for spdx, text in LICENCES.values() if spdx == identifier)
    assert words in " ".join((ROOT / text).read_text(encoding="utf-8").split())


@pytest.mark.slow
def test_built_package_has_the_text_of_every_licence(tmp_path: Path) -> None:
    """Built from metadata and licences alone, without the package's code."""
    pytest.importorskip("setuptools", "77")
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "src/captious/version.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "LICENSES", tmp_path / "LICENSES")
    (tmp_path / "built").mkdir()
    build = "import setuptools.build_meta as b; b.prepare_metadata_for_build_wheel('built')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True)
    (built,) = (tmp_path / "built").glob("*.dist-info")
    metadata = message_from_string((built / "METADATA").read_text(encoding="utf-8"))
    texts = {text for _, text in LICENCES.values()} | {"NOTICE"}
    assert set(metadata.get_all("License-File", [])) == texts
    for text in texts:
        assert (built / "licenses" / text).read_bytes() == (ROOT / text).read_bytes()


def test_notice_names_everything_of_others_and_where_it_is_recorded() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for work in ("METEOR", "WordNet", "GloVe", "spaCy", "MiniLM", "EfficientNet-Lite2", "COCO"):
        assert work in notice
    for name in LICENCES:
        assert name.split(" ")[0] in notice
    (path,) = re.findall(r"\S+/PROVENANCE\.md", notice)
    assert (RESOURCES.parents[1] / path).samefile(RESOURCES / "PROVENANCE.md")


def test_record_names_paths_that_exist() -> None:
    """Those of the source are said to be such; all others are files of the package."""
    assert re.search(
        r"`tools/`, `docs/` or `src/` are in the source, not in an\s+installed", RECORD
    )
    for path in re.findall(r"(?<![\w/.])(?:tools|docs|src)/[\w/.-]*\w", RECORD):
        assert (ROOT / path).exists(), path
    for path in re.findall(r"`(\w+/[\w.-]+\.(?:md|npz|onnx|txt|json|WORDNET))`", RECORD):
        in_source = path.startswith(("LICENSES/", "docs/"))
        assert ((ROOT if in_source else RESOURCES) / path).is_file(), path


SECTION = RECORD.partition("## Weights that learned from data for research use")[2]
READERS = {
    file: set(re.findall(r"`(\w+)`", readers))
    for files, readers in re.findall(r"^\| (`.+?) \| .+ \| (`.+) \|$", SECTION, re.MULTILINE)
    for file in re.findall(r"`(.+?)`", files)
}


def test_weights_that_learned_from_research_data_are_listed() -> None:
    without = {"learned/captious.npz", "learned/captious_full.npz"}  # from COCO's captions alone
    learned = {
        file
        for file, licence in FILES
        if file.startswith("learned/") or "research use" in licence or file.endswith(".onnx")
    }
    assert {"caption_vectors/captions-384d.npz", "parser/parser.npz"} <= learned
    assert READERS.keys() == (learned | {"word_order/captions.npz"}) - without


READ_FILES = """
import sys
opened = set()
sys.addaudithook(lambda event, about: event == "open" and opened.add(str(about[0])))
import captious
from captious.resources import RESOURCES
captions, references = {"a": "a dog runs on sand"}, {"a": ["a brown dog is on the beach"]}
options = {"images": sys.argv[2]} if sys.argv[2:] else {}
captious.score(captions, references, metrics=[sys.argv[1]], **options)
start = RESOURCES.as_posix() + "/"
print(*(name[len(start):] for name in opened if name.startswith(start)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("metric", [each.name for each in METRICS.declarations])
def test_readers_of_such_weights_are_listed(metric: str, tmp_path: Path) -> None:
    """What a process that computes one metric opens, and nothing else, has its name."""
    if metric == "clipscore":
        pytest.skip("needs an encoder of the user's own")
    arguments = [metric]
    listed = {file for file, readers in READERS.items() if metric in readers}
    if any(file.endswith(".onnx") for file in listed):
        pytest.importorskip("onnxruntime")
    if "image_encoder/efficientnet-lite2.onnx" in listed:
        image = pytest.importorskip("PIL.Image")
        image.new("RGB", (64, 64), (9, 99, 200)).save(tmp_path / "a.png")
        arguments.append(str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READ_FILES, *arguments],
        check=True,
        capture_output=True,
        text=True,
    )
    read = set(done.stdout.split()) & READERS.keys()
    variants = tuple(f"_{variant}.npz" for variant in (RELEASED, PUBLISHED))
    assert read == {file for file in listed if not file.endswith(variants)}
