"""The pages of the site: nothing is missing, and what is generated is what the code says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import COMMANDS
from captious.metrics.declarations import METRICS
from tests.places import DOCS, ROOT
from tests.test_docs import words_of


@pytest.fixture(scope="module")
def tools() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        import documentation_site.metric_headers
        import documentation_site.notebooks
        import documentation_site.other_hosts
        import documentation_site.places
        import documentation_site.staging
        import documentation_site.tables

        yield documentation_site


@pytest.fixture(scope="module")
def site(tools: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that Sphinx reads."""
    folder = tmp_path_factory.mktemp("site") / "source"
    tools.staging.stage_pages(folder)
    return folder


def test_every_page_is_there_and_its_links_lead_somewhere(site: Path) -> None:
    pages = list(site.rglob("*.md"))
    assert len(pages) > len(list(DOCS.rglob("*.md"))) + len(COMMANDS)
    for page in pages:
        for link in re.findall(r"\[[^]]+\]\(([^) #:]+)(?:#[^) ]*)?\)", words_of(page)):
            assert (page.parent / link).exists(), f"{page.relative_to(site)}: {link}"


def test_every_page_is_in_the_navigation(site: Path) -> None:
    listed = {"index"}
    for page in site.rglob("*.md"):
        for block in re.findall(
            r":::{toctree}\n:hidden:\n\n(.*?):::", page.read_text("utf-8"), re.S
        ):
            names = (re.sub(r"^.* <(.+)>$", r"\1", line) for line in block.splitlines())
            listed |= {name.strip("/") for name in names}
    assert listed == {
        page.relative_to(site).with_suffix("").as_posix() for page in site.rglob("*.md")
    }


def test_a_page_in_no_section_is_an_error(tools: Any) -> None:
    with pytest.raises(SystemExit, match=r"navigation\.py: docs/files\.md$"):
        pages = (path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md"))
        tools.staging._check_all_are_listed([page for page in pages if page != "docs/files.md"])


def test_every_metric_has_a_header_on_one_page(tools: Any, site: Path) -> None:
    pages = [path.name for path in (DOCS / "metrics").glob("*.md") if path.name != "README.md"]
    described = [metric.name for page in pages for metric in tools.metric_headers.metrics_of(page)]
    assert sorted(described) == sorted(METRICS), (
        f"docs/which_metric.md: no row names {sorted({*METRICS} - {*described})}"
    )
    text = (site / "metrics" / "cider_d.md").read_text("utf-8")
    assert text.startswith("# CIDEr-D\n\n:::{list-table}\n")
    assert "  - 0 to 10; higher is better\n" in text
    assert "  - `coco`, `all`; scored by default\n" in text
    assert re.search(r"- `cider_d`: Flickr8k-Expert τ_c \.\d{3}, ", text)
    assert re.search(r"- `cider_d` \d\.\d s of CPU time for 5,000", text)
    assert "lower is better" in (site / "metrics" / "chair.md").read_text("utf-8")


def test_commands_have_all_their_options(site: Path) -> None:
    text = (site / "reference" / "commands" / "captioner.md").read_text("utf-8")
    assert "## captious captioner tune\n" in text
    assert "| `--reward " in text
    assert {f"{name}.md" for name in COMMANDS} < {
        path.name for path in (site / "reference" / "commands").iterdir()
    }


def test_links_and_places(tools: Any) -> None:
    places = tools.places
    assert places.site_path("docs/metrics/README.md") == "metrics/index.md"
    assert places.site_path("CONTRIBUTING.md") == "repository/CONTRIBUTING.md"
    page = "[files.md](../files.md#a)\n```\n[x](y.md)\n```\n[in](https://a.b) [c](../../C.md)"
    rewritten = places.rewrite_links(page, "docs/metrics/a.md", {"docs/files.md": "Files"}.get)
    assert rewritten.startswith("[Files](../files.md#a)\n")
    assert "```\n[x](y.md)\n```" in rewritten
    assert rewritten.endswith("[in](https://a.b) [c](../repository/C.md)")


def test_measured_tables_are_written_where_they_are_asked_for(tools: Any) -> None:
    text = tools.tables.insert_tables("a\n<!-- table: agreement of cider_d, captious -->\nb")
    lines = text.splitlines()
    assert lines[0] == "a" and lines[-1] == "b" and len(lines) == 6
    assert lines[3].startswith("| `cider_d` | 0.")


def test_requests_to_other_hosts_are_found(tools: Any, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="https://fine.org">x</a><script src="https://bad.org/x.js"></script>'
        '<link rel="x" href="//worse.org/y.css"><img src="here.png">'
    )
    (tmp_path / "b.css").write_text("@font-face { src: url(https://fonts.org/f) }")
    hosts = [request.split()[-1] for request in tools.other_hosts.find_external_requests(tmp_path)]
    assert hosts == ["bad.org", "worse.org", "fonts.org"]


def unversioned(cell: dict[str, Any]) -> str:
    """A cell without the version that signatures begin with."""
    return re.sub(r"(captious:(?:\\\\allowbreak\{\})?)\d[\w.]*", r"\1", json.dumps(cell))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
@pytest.mark.parametrize("path", sorted(DOCS.glob("notebooks/*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_show_what_their_cells_give(
    path: Path, tools: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(path.parent)
    notebook = tools.notebooks.read_notebook(path)
    for kept, now in zip(
        notebook["cells"], tools.notebooks.run_notebook(notebook)["cells"], strict=True
    ):
        assert unversioned(kept) == unversioned(now), "python tools/run_notebooks.py writes it anew"
