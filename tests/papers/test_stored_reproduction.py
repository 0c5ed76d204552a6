"""Pages written again from their numbers, and the reasons that stand on the pages."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import make_parser
from captious.errors import InputError
from captious.papers.catalogue import EXHIBITS, PAPERS
from captious.papers.exhibit import Claim, Exhibit, Reason
from captious.papers.pages import numbers_file, write_pages
from captious.papers.reproduction import Finding, Reproduction, load_reproduction
from captious.papers.result import INTERVAL, RANGE, Measurement, Panel, Table
from captious.papers.rows import LCEVAL
from captious.papers.verdicts import Assessment, Verdict, assess

PAGES = Path(__file__).parents[2] / "docs" / "papers"
WRITTEN_BEFORE: tuple[str, ...] = ()  # by a version that kept less

NEAR = Measurement(0.412, 0.402, 0.422, INTERVAL, published=0.418)
FAR = Measurement(0.3, 0.29, 0.31, RANGE, published=0.4)
TABLE = Table(
    "Scores",
    ["metric", "tau", "published", "n", "published"],
    [["a", NEAR, 0.5, 1200, None], ["b", FAR, float("nan"), None, Measurement(float("nan"))]],
    digits=2,
    percent=True,
)
EXHIBIT = Exhibit(
    LCEVAL.table(4),
    "a title",
    claims=(Claim("It is so", lambda tables: False, "It is not."),),
    reasons=(
        Reason("Of another column.", ("b",), ("n",)),
        Reason("Of this row.", ("b",)),
        Reason("Of all rows."),
    ),
    notes=("A note.", lambda tables: f"{len(tables)} table"),
)
DRAWING = Exhibit(LCEVAL.figure(1), "a drawing", drawing="It draws.")
PANEL = Panel(
    "p", "x", "y", {"c": ((1.0, 2.0), (2.0, float("nan"))), "d": ((1.0, 1.0),)}, True, ("d",)
)


def reproduction() -> Reproduction:
    measured = Finding(
        EXHIBIT,
        assess(EXHIBIT, [TABLE], quick=False),
        (TABLE,),
        (PANEL,),
        ("a setting",),
        ("A remark.",),
    )
    drawn = Finding(DRAWING, Assessment(Verdict.DRAWING))
    return Reproduction(LCEVAL, (measured, drawn), "captious reproduce lceval --data DIR")


@pytest.mark.slow
def test_rendering_stored_numbers_writes_identical_page(tmp_path: Path) -> None:
    (tmp_path / "plots").mkdir()
    paths = write_pages(tmp_path, reproduction())
    paths.append(tmp_path / "plots" / "lceval-table-4.svg")
    before = [path.read_bytes() for path in paths]
    again = load_reproduction(numbers_file(tmp_path, "lceval"), LCEVAL, (EXHIBIT, DRAWING))
    for path in paths:
        path.unlink()
    write_pages(tmp_path, again)
    assert [path.read_bytes() for path in paths] == before


def test_stored_numbers_get_current_declarations(tmp_path: Path) -> None:
    (tmp_path / "plots").mkdir()
    write_pages(tmp_path, reproduction())
    lenient = replace(EXHIBIT, tolerance=0.2, claims=(), reasons=(), notes=("Another note.",))
    again = load_reproduction(numbers_file(tmp_path, "lceval"), LCEVAL, (lenient, DRAWING))
    first = again.findings[0]
    assert first.verdict is Verdict.REPRODUCED and first.notes == ("Another note.", "A remark.")
    assert again.findings[1].verdict is Verdict.DRAWING


def test_a_number_has_the_first_reason_that_covers_it() -> None:
    text = reproduction().to_text("markdown")
    assert "Numbers that differ:\n\n- b (tau): Of this row.\n" in text
    assert "Of another column." not in text and "Of all rows." not in text
    assert "- does not hold: It is so. It is not.\n" in text
    said = json.loads(reproduction().to_text("json"))["exhibits"][0]
    assert said["reasons"] == [{"differing": {"b": ["tau"]}, "because": "Of this row."}]
    assert said["claims"][0]["because"] == "It is not."


@pytest.mark.slow
def test_summary_page_lists_reasons(tmp_path: Path) -> None:
    (tmp_path / "plots").mkdir()
    write_pages(tmp_path, reproduction())
    summary = (tmp_path / "README.md").read_text()
    assert "- **table 4**, different.\n    - b (tau): Of this row.\n" in summary
    assert '    - "It is so" does not hold: It is not.' in summary


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        lambda e: e.pop("remarks"),
        lambda e: e.update(verdict="so so"),
        lambda e: e.update(place="table 5"),
        lambda e: e.update(settings=[1]),
        lambda e: e.update(tables={}),
        lambda e: e["tables"][0].update(header=["metric", "tau"]),
        lambda e: e["tables"][0].update(digits=10**9),
        lambda e: e["tables"][0].update(digits=True),
        lambda e: e["tables"][0].update(texts=-1),
        lambda e: e["tables"][0].update(percent="no"),
        lambda e: e["tables"][0]["rows"][0].update(tau=[]),
        lambda e: e["tables"][0]["rows"][0].update(tau={"ours": "much"}),
        lambda e: e["tables"][0]["rows"][0].update(tau={"ours": 10**400}),
        lambda e: e["tables"][0]["rows"][0]["tau"].update({INTERVAL: [1]}),
        lambda e: e["panels"][0].update(curves={"c": [[1]]}),
        lambda e: e["panels"][0].update(curves={"c": []}),
        lambda e: e["panels"][0].update(curves={}),
        lambda e: e["panels"][0].update(title=3),
        lambda e: e["panels"][0].update(loose=[[]]),
    ],
)
def test_unreadable_json_is_an_error_and_writes_nothing(tmp_path: Path, damage: Any) -> None:
    (tmp_path / "plots").mkdir()
    write_pages(tmp_path, reproduction())
    path = numbers_file(tmp_path, "lceval")
    document = json.loads(path.read_text())
    damage(document["exhibits"][0])
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"lceval\.json: .*measure it again"):
        load_reproduction(path, LCEVAL, (EXHIBIT, DRAWING))


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '{"exhibits": 1}', "[" * 100_000, '{"a": "\\ud800"}']
)
def test_json_that_is_not_a_page_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lceval.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"lceval\.json: "):
        load_reproduction(path, LCEVAL, (EXHIBIT,))


def run(*arguments: object) -> None:
    options = make_parser("reproduce").parse_args(["reproduce", *map(str, arguments)])
    options.run(options)


def test_render_option_measures_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("nneval.json", "nneval.md", "README.md"):
        (tmp_path / name).write_bytes((PAGES / name).read_bytes())
    run("nneval", "--render", "--output", tmp_path)
    assert "Numbers that differ:" in capsys.readouterr().out
    for name in ("nneval.json", "nneval.md"):
        assert (tmp_path / name).read_bytes() == (PAGES / name).read_bytes()
    for wrong in (("--data", tmp_path), ("--quick",), ("--table", 1), ("--captioners", tmp_path)):
        with pytest.raises(InputError, match="--render measures nothing"):
            run("nneval", "--render", "--output", tmp_path, *wrong)
    with pytest.raises(InputError, match="--render measures nothing"):
        run("nneval", "--render")
    with pytest.raises(InputError, match="name a paper"):
        run("--render")
    with pytest.raises(InputError, match=r"yi2020\.json"):
        run("yi2020", "--render", "--output", tmp_path)


def on_pages(key: str) -> Reproduction:
    return load_reproduction(numbers_file(PAGES, key), PAPERS[key], EXHIBITS[key])


KEPT = [key for key in PAPERS if key not in WRITTEN_BEFORE]


@pytest.mark.parametrize("key", KEPT)
def test_committed_pages_match_declarations_and_explain_differences(key: str) -> None:
    again = on_pages(key)
    kept = json.loads(numbers_file(PAGES, key).read_text())
    assert json.loads(again.to_text("json")) == kept  # and so is the page, which is made of it
    for finding in again.findings:
        place, tolerance = finding.exhibit.place.label, finding.exhibit.tolerance
        numbers = [number for table in finding.tables for number in table.measurements]
        differing = sum(not number.agrees(tolerance) for number in numbers)
        explained = sum(
            len(columns)
            for table in finding.tables
            for each in finding.explain_differences(table)
            for columns in each.differing.values()
        )
        whole = finding.explanation and not finding.exhibit.reasons
        assert explained == differing or whole or finding.verdict is Verdict.IMPOSSIBLE, place
        for claim, holds in finding.assessment.claims:
            assert holds is not False or claim.reason or finding.explanation, (
                f"{place}: {claim.text}"
            )


@pytest.mark.parametrize("key", KEPT)
def test_reproduced_means_that_numbers_of_the_paper_agree(key: str) -> None:
    for finding in on_pages(key).findings:
        label, done = finding.exhibit.place.label, finding.assessment
        if finding.verdict is Verdict.REPRODUCED:
            assert done.agreeing >= 1, label
        if finding.verdict is Verdict.CLAIMS_HOLD:
            assert done.compared == 0 and any(holds for _, holds in done.claims), label


@pytest.mark.parametrize(
    ("key", "place", "verdict"),
    [
        ("lceval", "table 3", Verdict.REPRODUCED),  # vectors of ours are no claim of the paper
        ("lceval", "table 10", Verdict.CLAIMS_HOLD),
        ("lceval", "figure 7", Verdict.CLAIMS_HOLD),
        ("pregen", "figure 2", Verdict.REPRODUCED),  # the slip is the paper's
        ("pregen", "figure 6", Verdict.REPRODUCED),  # the paper sets no bound
        ("yi2020", "table 5", Verdict.CLAIMS_HOLD),
        ("yi2020", "section 4.5", Verdict.INCOMPARABLE),  # the paper's ablation is of systems
    ],
)
def test_known_exhibits_have_expected_verdicts(key: str, place: str, verdict: Verdict) -> None:
    by_place = {finding.exhibit.place.label: finding for finding in on_pages(key).findings}
    assert by_place[place].verdict is verdict


def test_no_claim_is_true_by_construction_or_not_made_by_its_paper() -> None:
    claims = [claim.text for each in EXHIBITS["lceval"] for claim in each.claims]
    assert not any("other images" in claim for claim in claims)
    assert not any("highest validation tau is kept" in claim for claim in claims)


def test_published_numbers_are_compared_with_their_own_encoder() -> None:
    """The paper has no number of MiniLM: rows of it show ours, compared with nothing."""
    for finding in on_pages("yi2020").findings:
        of_minilm = [
            cell
            for table in finding.tables
            for row in table.rows
            if "MiniLM" in table.name_of(row)
            for cell in row[table.texts :]
        ]
        if finding.verdict is Verdict.IMPOSSIBLE:
            assert not of_minilm, finding.title
        for cell in of_minilm:
            assert isinstance(cell, Measurement) and cell.published is None, finding.title
    first = on_pages("yi2020").findings[0].tables[0]
    assert first.value("BS (BERT-base), as published", "M1") == 0.807
    assert first.value("Ours (BERT-base), as published", "M1") == 0.875


VERDICT_COUNTS = re.compile(r"(\d+) (?:are )?(reproduced|claims hold|different|impossible)\b")


@pytest.mark.parametrize("page", ["README.md", "docs/README.md", "docs/trust.md"])
def test_verdict_counts_in_docs_match_pages(page: str) -> None:
    counts = Counter(str(finding.verdict) for key in KEPT for finding in on_pages(key).findings)
    text = " ".join((PAGES.parents[1] / page).read_text(encoding="utf-8").split())
    said = {verdict: int(number) for number, verdict in VERDICT_COUNTS.findall(text)}
    assert said.get("reproduced") == counts["reproduced"]
    assert said == {verdict: counts[verdict] for verdict in said}


@pytest.mark.slow
def test_every_declared_reason_is_used() -> None:
    declared = {
        reason.text for key in KEPT for exhibit in EXHIBITS[key] for reason in exhibit.reasons
    }
    said = {
        each.reason.text
        for key in KEPT
        for finding in on_pages(key).findings
        for table in finding.tables
        for each in finding.explain_differences(table)
    }
    assert declared == said
