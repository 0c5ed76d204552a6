"""What captions, ids and file names cannot do to a terminal, a table or a drawing."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from captious.cli.main import main
from captious.errors import escape_control_chars
from captious.io.output_tables import render_table

HOSTILE = "\x1b[31mred\r\x9b2J \u202e evil \u2028 \x01 \x7f\x08"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a dog", "a dog"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("\x9b\x85\u2028\ud800\U000e0041", r"\x9b\x85\u2028\ud800\U000e0041"),
        ("ein Mädchen\u3000犬\xa0\U0001f468\u200d\U0001f469", None),
    ],
)
def test_hidden_characters_are_shown_and_others_left_alone(text: str, shown: str | None) -> None:
    assert escape_control_chars(text) == (text if shown is None else shown)
    assert escape_control_chars("a\nb", kept="\n") == "a\nb"


def is_harmless(text: str) -> bool:
    return all(letter == "\n" or letter.isprintable() for letter in text)


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
def test_table_cells_escape_separators(format: str) -> None:
    rows = [["a|b", HOSTILE], ["a\nb", r"c\|d"]]
    table = render_table(["x|y", "z\n"], rows, format)
    assert is_harmless(table)
    plain = render_table(["x", "y"], [["a", "b"], ["c", "d"]], format)
    assert len(table.splitlines()) == len(plain.splitlines())


def test_markdown_shows_what_was_written() -> None:
    cells = ["a|b", r"a\|b", "<script>", "`code`", "*bold* _it_", "bleu_4", "[a](b)", "&lt;"]
    table = render_table(["what"], [[cell] for cell in cells], "markdown")
    shown = [line[1:-1].strip() for line in table.splitlines()[2:]]
    assert shown == [
        r"a\|b", r"a\\\|b", r"\<script>", r"\`code\`", r"\*bold\* \_it\_", "bleu_4",
        r"\[a\](b)", r"\&lt;",
    ]  # fmt: skip


def test_latex_specials_are_escaped() -> None:
    table = render_table(["what"], [["a & b_c $ # { } ~ ^ \\ %"]], "latex")
    (row,) = [line for line in table.splitlines() if line.startswith(" a")]
    assert r"a \& b\_c \$ \# \{ \}" in row and r"\%" in row and "textbackslash" in row


@pytest.mark.parametrize("format", ["text", "json", "markdown", "latex"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["graph", f"a dog {HOSTILE} runs"],
        ["explain", f"a dog {HOSTILE}", f"a cat {HOSTILE}"],
        ["score", f"{HOSTILE}.json"],
        ["score", f"{HOSTILE}.csv", "--output", f"{HOSTILE}.xyz"],
        ["compare", f"{HOSTILE}.json", f"{HOSTILE}.json"],
        ["train", HOSTILE, "--data", HOSTILE, "--human", HOSTILE],
        ["nonsense", HOSTILE],
        ["metrics", HOSTILE],
    ],
)
def test_printed_text_contains_no_control_sequences(
    arguments: list[str], format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--format", format]) in (0, 2)
    captured = capsys.readouterr()
    assert is_harmless(captured.out) and is_harmless(captured.err)
    assert captured.out or captured.err


def test_file_names_in_notes_and_warnings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "\x1b[31mred\u202e.jsonl"
    (tmp_path / name).write_text('{"id": "\\u001b]0;title\\u0007", "candidate": "a dog"}\n')
    assert main(["score", name]) == 2
    captured = capsys.readouterr().err
    assert is_harmless(captured) and r"\x1b[31mred\u202e.jsonl" in captured


def test_drawing_is_valid_svg_for_any_caption(tmp_path: Path) -> None:
    from captious.report.scene_graph_rendering import draw_scene_graph
    from captious.text.scene.scene_graph import SceneGraph

    words = ["<b>", "a&b", 'q"uote', "\x1b", "\u202e", "\x00", "\ud800", "\ufffe"]
    drawn = draw_scene_graph(SceneGraph.of([(word,) for word in words]))
    root = ElementTree.fromstring(drawn)
    assert is_harmless(drawn)
    shown = {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"<b>", "a&b", 'q"uote', r"\x1b", r"\u202e", r"\x00"} <= shown


@pytest.mark.filterwarnings("ignore:Glyph")
def test_plot_is_valid_svg_for_any_names(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from captious.report.plots.canvas import figure_for

    title = "a \x1b[31m name\x01 \u202e <b> & more"
    with figure_for(tmp_path / "plot.svg", 4, 3, title) as figure:
        figure.subplots().set_yticks([0.0], ["\x1b[2J"])
    root = ElementTree.parse(tmp_path / "plot.svg").getroot()
    shown = {"".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {r"a \x1b[31m name\x01 \u202e <b> & more", r"\x1b[2J"} <= shown
