"""Data frames and Arrow tables, scored and checked as files of the same columns are."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import CaptiousWarning, InputError

ROWS: dict[str, Any] = {
    "id": ["a", "b"],
    "candidate": ["a dog", "two cats"],
    "references": [["a dog runs", "the dog"], ["cats"]],
}
METRICS = ["bleu_1", "rouge_l"]


def table(library: str, columns: dict[str, Any], **how: Any) -> Any:
    module = pytest.importorskip(library)
    return module.DataFrame(columns, **how) if library == "pandas" else module.table(columns)


def expected() -> dict[str, float]:
    candidates, references = (
        dict(zip(ROWS["id"], ROWS[name], strict=True)) for name in ("candidate", "references")
    )
    return captious.score(candidates, references, METRICS).corpus


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_tables_score_as_dicts_do(library: str) -> None:
    result = captious.score(table(library, ROWS), metrics=METRICS)
    assert result.corpus == expected() and list(result.ids) == ["a", "b"]
    candidates = {name: ROWS[name] for name in ("id", "candidate")}
    references = {"id": ["b", "a", "a"], "reference": ["cats", "a dog runs", "the dog"]}
    both = captious.score(table(library, candidates), table(library, references), METRICS)
    assert both.corpus == expected()


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_columns_are_named_or_guessed_with_a_warning(library: str) -> None:
    renamed = dict(zip(("photo", "ours", "theirs"), ROWS.values(), strict=True))
    columns = {"id": "photo", "candidate": "ours", "references": "theirs"}
    assert (
        captious.score(table(library, renamed), metrics=METRICS, columns=columns).corpus
        == expected()
    )
    wide = {
        "file_name": ROWS["id"], "prediction": ROWS["candidate"],
        "ref1": ["a dog runs", "cats"], "ref2": ["the dog", None],
    }  # fmt: skip
    with pytest.warns(CaptiousWarning, match="the candidates: id from 'file_name'") as warned:
        assert captious.score(table(library, wide), metrics=METRICS).corpus == expected()
    assert warned[0].filename == __file__
    assert str(warned[0].message).endswith("(others: columns=)")
    with pytest.raises(InputError, match="the candidates: no column 'candidate'") as raised:
        captious.score(table(library, {"x": ["a"]}), metrics=METRICS)
    assert str(raised.value).endswith("say which when scoring: columns={'candidate': 'NAME'}")
    with pytest.raises(InputError, match="no column 'nowhere' for id"):
        captious.score(table(library, ROWS), metrics=METRICS, columns={"id": "nowhere"})
    with pytest.raises(InputError, match="no samples"):
        captious.score(table(library, {"id": [], "candidate": [], "references": []}))


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_tables_are_checked_as_dicts_are(library: str) -> None:
    candidates, references = (
        dict(zip(ROWS["id"], ROWS[name], strict=True)) for name in ("candidate", "references")
    )
    wanted = captious.check(candidates, references).to_dict()
    assert captious.check(table(library, ROWS)).to_dict() == wanted
    renamed = dict(zip(("photo", "ours", "theirs"), ROWS.values(), strict=True))
    columns = {"id": "photo", "candidate": "ours", "references": "theirs"}
    assert captious.check(table(library, renamed), columns=columns).to_dict() == wanted
    with pytest.warns(CaptiousWarning, match="candidate from 'prediction'") as warned:
        frame = table(library, {"prediction" if n == "candidate" else n: ROWS[n] for n in ROWS})
        assert captious.check(frame).to_dict() == wanted
    assert warned[0].filename == __file__
    # Ids that do not meet are a finding, and several candidates of one are samples.
    halves = [{name: ROWS[name] for name in ("id", kept)} for kept in ("candidate", "references")]
    halves[1]["id"] = ["a", "z"]
    found = captious.check(*(table(library, half) for half in halves))
    assert found["ids"].count == 1 and found.facts["samples"] == 1
    twice = {name: [*cells, cells[0]] for name, cells in ROWS.items()}
    assert captious.check(table(library, twice), repeated=True).facts["samples"] == 3


def test_tables_that_cannot_be_checked() -> None:
    frame = table("pandas", ROWS)
    for given, message in (
        ((frame, [["x"], ["y"]]), "need references in a table"),
        ((["a", "b"], frame), "need candidates in a table"),
        ((frame[["id", "candidate"]],), "the candidates: no references"),
        ((frame[:0],), "no samples"),
        ((frame.assign(id="a"),), "occurs twice"),
    ):
        with pytest.raises(InputError, match=message):
            captious.check(*given)
    with pytest.raises(InputError, match="are for tables"):
        captious.check(["a"], [["b"]], repeated=True)


def test_an_index_with_a_name_is_a_column() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS).set_index("id")
    assert captious.score(frame, metrics=METRICS).corpus == expected()
    frame = pandas.DataFrame({**ROWS, "references": [np.array(r) for r in ROWS["references"]]})
    assert captious.score(frame, metrics=METRICS).corpus == expected()
    frame.columns = ["id", "candidate", "id"]
    with pytest.raises(InputError, match="two columns have the same name"):
        captious.score(frame, metrics=METRICS)


def test_errors_name_the_row_of_odd_cells() -> None:
    pandas = pytest.importorskip("pandas")
    for cell, message in ((None, "row 2: id 'b': 'candidate' must be"), (5, "found int 5")):
        with pytest.raises(InputError, match=message):
            captious.score(pandas.DataFrame({**ROWS, "candidate": ["x", cell]}, dtype=object))
    with pytest.raises(InputError, match="row 1: id 'a': no references"):
        captious.score(pandas.DataFrame({**ROWS, "references": [float("nan"), "x"]}))
    with pytest.raises(InputError, match="occurs twice"):
        captious.score(pandas.DataFrame({**ROWS, "id": ["a", "a"]}))
    with pytest.raises(InputError, match="need references in a table"):
        captious.score(pandas.DataFrame(ROWS), [["x"], ["y"]])


def test_nullable_cells_are_empty_and_other_odd_values_are_errors() -> None:
    pandas = pytest.importorskip("pandas")
    rows = {
        **ROWS,
        "ref1": ["a dog runs", "cats"],
        "ref2": pandas.array(["the dog", None], "string"),
    }
    del rows["references"]
    with pytest.warns(CaptiousWarning, match="references from 'ref1' to 'ref2'"):
        assert captious.score(pandas.DataFrame(rows), metrics=METRICS).corpus == expected()
    frame = pandas.DataFrame(ROWS)
    with pytest.raises(InputError, match="need candidates in a table"):
        captious.score(["a", "b"], frame, METRICS)
    odd: Any
    for odd in ({"id": 5}, {1: "id"}, {"ids": "id"}, {"references": [3]}):
        with pytest.raises(InputError, match="columns: "):
            captious.score(frame, metrics=METRICS, columns=odd)


def test_repeated_rows_of_a_table() -> None:
    rows = {"id": ["a", "a"], "candidate": ["a dog", "cats"], "references": [["a dog"], ["a dog"]]}
    result = captious.score(table("pandas", rows), metrics=METRICS, repeated=True)
    assert result.n == 2 and list(result.ids) == ["a", "a"]


def test_columns_and_repeated_are_refused_for_lists() -> None:
    for given in ({"columns": {"id": "x"}}, {"repeated": True}):
        with pytest.raises(InputError, match="are for tables"):
            captious.score(["a"], [["b"]], metrics=METRICS, **given)


def test_one_text_is_one_reference() -> None:
    lists = captious.score(["a dog"], [["a dog runs"]], METRICS).corpus
    assert captious.score(["a dog"], ["a dog runs"], METRICS).corpus == lists
    assert captious.score({"x": "a dog"}, {"x": "a dog runs"}, METRICS).corpus == lists
    assert captious.Scorer(["a dog runs"], METRICS).score(["a dog"]).corpus == lists


@pytest.mark.slow
def test_neither_library_is_imported_without_a_table_of_it() -> None:
    code = """
import sys, captious
captious.score(["a dog"], [["a dog runs"]], ["bleu_1"])
assert not {"pandas", "pyarrow"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
@pytest.mark.parametrize(
    ("columns", "references", "said"),
    [
        ({"id": ["a"], "candidate": ["x"]}, None, "name them with references="),
        (
            {"id": ["a"], "prediction": ["x"], "hypothesis": ["y"], "references": [["z"]]},
            None,
            "say which when scoring: columns={'candidate': 'prediction'}",
        ),
        (
            {"id": ["a", "a"], "candidate": ["x", "y"], "references": [["z"], ["z"]]},
            None,
            "allow several with repeated=",
        ),
        (
            {"id": ["a"], "candidate": ["x"]},
            {"cocoid": ["b"], "references": [["z"]]},
            "others: columns={'id': 'NAME'})",
        ),
    ],
)
def test_messages_name_arguments_and_no_options_of_commands(
    library: str, columns: dict[str, Any], references: dict[str, Any] | None, said: str
) -> None:
    others = None if references is None else table(library, references)
    with pytest.raises(InputError) as raised:
        captious.score(table(library, columns), others, METRICS)
    assert said in str(raised.value) and "--" not in str(raised.value)
