"""Notebooks: run cell by cell, and shown as pages with what their code showed.

They are run in this process, by Python alone: what a cell shows is what it printed and what its
last line is worth, as text and, where it has such a form, as HTML.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]


def read_notebook(path: Path) -> Notebook:
    """Read a notebook's file."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def to_text(notebook: Notebook) -> str:
    """Return the text of a notebook's file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def run_notebook(notebook: Notebook) -> Notebook:
    """Run all cells; return the notebook with their new outputs."""
    names: dict[str, Any] = {}
    cells, number = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            shown = list(_run_cell("".join(cell["source"]), names, number))
            cell = {**cell, "execution_count": number, "outputs": shown}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _run_cell(source: str, names: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """Run one cell in the shared namespace and return its outputs."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<notebook>", "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<notebook>", "eval"), names)
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        yield {"name": "stdout", "output_type": "stream", "text": text}
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        kind = {"output_type": "execute_result", "execution_count": number}
        yield {"data": data, "metadata": {}, **kind}


def to_markdown(notebook: Notebook) -> str:
    """Convert the notebook to Markdown."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: Mapping[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        if "data" not in output:
            yield f"```text\n{''.join(output['text']).rstrip()}\n```"
        elif "text/html" in output["data"]:
            html = "".join(output["data"]["text/html"])
            yield f'<div class="notebook-output">\n{html}\n</div>'
        else:
            yield f"```text\n{''.join(output['data']['text/plain'])}\n```"
