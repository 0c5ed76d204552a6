"""The examples of every page run, one after the other, and print what the page shows.

Those that need torch run where it is installed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.documentation import example_files
from tests.documentation.blocks import PAGES, RUN, SHOWN, Block, blocks_of
from tests.documentation.shell import commands_of, matches, run, transcript_of
from tests.places import ROOT, SHARED

# Pages whose examples need more than files, and the tests that run these.
ELSEWHERE = {
    "docs/command_line.md": "tests/tools/test_command_line_page.py",
    "docs/integrations.md": "tests/integrations/test_page.py",
}
COMMANDS = ("console", "sh")


def _to_run(page: Path) -> list[Block]:
    return [block for block in blocks_of(page) if block.language in RUN and not block.not_run]


def _has_commands(page: Path) -> bool:
    """Whether it speaks of files: then it gets some."""
    return any(block.language in COMMANDS for block in blocks_of(page))


def _pages() -> list[Any]:
    """Pages with examples; those with commands take seconds."""
    pages = []
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        blocks = _to_run(page)
        if blocks and name not in ELSEWHERE:
            slow = _has_commands(page)
            pages.append(pytest.param(page, id=name, marks=[pytest.mark.slow] if slow else []))
    return pages


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that examples name."""
    folder = tmp_path_factory.mktemp("documentation") / "world"
    folder.mkdir()
    example_files.build(folder)
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
@pytest.mark.parametrize("page", _pages())
def test_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    blocks = _to_run(page)
    folder = tmp_path / "page"
    if _has_commands(page):
        shutil.copytree(request.getfixturevalue("world"), folder)
    else:
        folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    names = example_files.names()
    for block in blocks:
        if _can_run(block):
            with _real_data(folder, block.data) if block.data else contextlib.nullcontext():
                _run(block, folder, names)


def _can_run(block: Block) -> bool:
    """Whether all that it needs is there."""
    packages = not block.needs or importlib.util.find_spec(block.needs) is not None
    return packages and (not block.data or (SHARED / "data" / block.data).is_dir())


def _run(block: Block, folder: Path, names: dict[str, Any]) -> None:
    if block.language == "python":
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block.text, block.place, "exec"), names)
    else:
        _check_commands(block, folder)


@contextlib.contextmanager
def _real_data(folder: Path, name: str) -> Iterator[None]:
    """Real data in the place of made-up ones, for one block."""
    (folder / name).rename(folder / "made_up")
    (folder / name).symlink_to(SHARED / "data" / name)
    yield
    (folder / name).unlink()
    (folder / "made_up").rename(folder / name)


def _check_commands(block: Block, folder: Path) -> None:
    if block.language == "sh":
        for command in commands_of(block.text):
            code, _, errors = run(command, folder)
            assert code == 0, f"{block.place}: {command}\n{errors}"
        return
    for command, shown in transcript_of(block.text):
        code, printed, errors = run(command, folder)
        alike = matches(shown, printed) or matches(shown, errors + printed)
        assert alike, f"{block.place}: {command}\n{errors}{printed}"
        assert code == (2 if shown.startswith("captious: error") else 0), f"{block.place}: {errors}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_says_what_it_is(page: Path) -> None:
    for block in blocks_of(page):
        assert block.language in (*RUN, *SHOWN), f"{block.place}: {block.language!r}"


@pytest.mark.parametrize("page, tests", ELSEWHERE.items())
def test_pages_run_elsewhere_have_tests(page: str, tests: str) -> None:
    assert Path(page).name in (ROOT / tests).read_text(encoding="utf-8")


def test_differing_output_is_detected() -> None:
    assert matches("a [...]\nz", "a b\n\nc\nz\n")
    assert not matches("a [...]\nz", "a b\ny\n")
    assert not matches("0.1", "0.11")
    assert list(transcript_of("$ one \\\n  more\nx\ny\n$ two\n")) == [
        ("one \\\n  more", "x\ny"),
        ("two", ""),
    ]
    assert list(commands_of("# no\na \\\n  b\ncat > x <<'END'\n1\nEND\nc\n")) == [
        "a \\\n  b",
        "cat > x <<'END'\n1\nEND",
        "c",
    ]
