"""Public forms of JSON: each is known by its structure, and becomes rows of named values.

Forms of whole documents come first, then forms of single rows, which a file of lines may have too.
They are tried in the order of the tables; a file's name never matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from captious.errors import InputError
from captious.io.column_roles import DOCUMENTED_NAMES
from captious.io.input_tables import MISSING, InputTable, LazyColumns, describe, format_names

Row = dict[str, Any]
Roles = Mapping[str, tuple[str, ...]]


class DocumentForm(NamedTuple):
    """A form of a whole document: how it is known, and its rows with the numbers users count by."""

    name: str  # for a note; none where the form is a documented one
    is_form: Callable[[Any], bool]
    rows: Callable[[Any], Iterable[tuple[int, Any]]]
    unit: str  # of what is counted
    roles: Roles = MappingProxyType({})


class RowForm(NamedTuple):
    """A form of rows: the names that make it known, and what a row becomes."""

    name: str
    names: frozenset[str]
    row: Callable[[Row], Row]
    roles: Roles


def _is_object_with(document: Any, name: str) -> bool:
    return isinstance(document, dict) and name in document


def _is_karpathy(document: Any) -> bool:
    if not _is_object_with(document, "images") or not isinstance(document["images"], list):
        return False
    first = next(iter(document["images"]), None)
    return isinstance(first, dict) and "sentences" in first


def _is_msr_vtt(document: Any) -> bool:
    return _is_object_with(document, "sentences") and _is_object_with(document, "videos")


def _is_by_id(document: Any) -> bool:
    """Whether an object leads from ids to captions, and is not a single row of named values."""
    return (
        isinstance(document, dict)
        and len(document) > 0
        and document.keys().isdisjoint(_NAMES_IN_ROWS)
        and all(isinstance(value, str | list) for value in document.values())
    )


def _number_rows(name: str) -> Callable[[Any], Iterator[tuple[int, Any]]]:
    """Rows that stand in a list of a document."""
    return lambda document: enumerate(_list_in(document, name), 1)


def _list_in(document: Row, name: str, where: str = "") -> list[Any]:
    value = document.get(name, MISSING)
    if not isinstance(value, list):
        raise InputError(f"{where}{name!r} must be a list, found {describe(value)}")
    return value


def _karpathy_rows(document: Row) -> Iterator[tuple[int, Row]]:
    """One row a sentence, with what is known of its image."""
    for number, image in enumerate(document["images"], 1):
        if not isinstance(image, dict):
            raise InputError(f"image {number}: must be an object, found {describe(image)}")
        of_image = {name: image[name] for name in _KARPATHY_NAMES if name in image}
        for sentence in _list_in(image, "sentences", f"image {number}: "):
            said = sentence.get("raw", MISSING) if isinstance(sentence, dict) else sentence
            yield number, {**of_image, "raw": said}


def _msr_vtt_rows(document: Row) -> Iterator[tuple[int, Row]]:
    """One row a sentence, with the split of its video."""
    splits = {
        video["video_id"]: video["split"]
        for video in _list_in(document, "videos")
        if isinstance(video, dict)
        and isinstance(video.get("video_id"), str)
        and isinstance(video.get("split"), str)
    }
    for number, sentence in enumerate(_list_in(document, "sentences"), 1):
        video = sentence.get("video_id") if isinstance(sentence, dict) else None
        if isinstance(video, str) and video in splits:
            sentence = {**sentence, "split": splits[video]}
        yield number, sentence


def _rows_by_id(document: Row) -> Iterator[tuple[int, Row]]:
    """One row a caption, of an object from ids to captions; a caption may stand in an object."""
    for number, (image, value) in enumerate(document.items(), 1):
        several = value if isinstance(value, list) else [value]
        if not several:
            raise InputError(
                f"entry {number}: {image!r} is an empty list; an id needs at least one caption, "
                "and a document of another form at least one row"
            )
        for each in several:
            caption = each.get("caption", MISSING) if isinstance(each, dict) else each
            yield number, {"id": image, "caption": caption}


def _lmms_eval_row(row: Row) -> Row:
    """What a caption task's figures were made of; else the response beside the target.

    Names stay those of the log, since a note says what was read.
    """
    logged = next(
        (value for value in row.values() if isinstance(value, dict) and "pred" in value), None
    )
    if logged is None:
        names, values = ("doc_id", "filtered_resps", "target"), row
    else:
        values = {"doc_id": row.get("doc_id"), **logged}
        names = (next(name for name in _LMMS_EVAL_IDS if name in values), "pred", "answer")
    image, said, meant = names
    made = {image: values.get(image), said: _unwrap(values.get(said))}
    return made | ({meant: values[meant]} if meant in values else {})


def _unwrap(value: Any) -> Any:
    """A response, which may stand in lists of one."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value


_NAMES_IN_ROWS = frozenset(name for names in DOCUMENTED_NAMES.values() for name in names)
_KARPATHY_NAMES = ("cocoid", "filename", "imgid", "split")
_LMMS_EVAL_IDS = ("image_id", "video_id", "question_id", "id", "doc_id")

BY_ID = DocumentForm("", _is_by_id, _rows_by_id, "entry")
COCO = DocumentForm(
    "",
    lambda document: _is_object_with(document, "annotations"),
    _number_rows("annotations"),
    "annotation",
)
DOCUMENT_FORMS = (
    COCO,
    DocumentForm(
        "Karpathy's splits",
        _is_karpathy,
        _karpathy_rows,
        "image",
        {"id": ("cocoid", "filename"), "references": ("raw",), "candidate": ("raw",)},
    ),
    DocumentForm(
        "MSR-VTT",
        _is_msr_vtt,
        _msr_vtt_rows,
        "sentence",
        {"id": ("video_id",), "references": ("caption",), "candidate": ("caption",)},
    ),
    DocumentForm(
        "a log of lmms-eval",
        lambda document: _is_object_with(document, "logs"),
        _number_rows("logs"),
        "log",
    ),
    BY_ID,
)
ROW_FORMS = (
    RowForm(
        "a log of lmms-eval",
        frozenset({"doc_id", "filtered_resps"}),
        _lmms_eval_row,
        {
            "id": _LMMS_EVAL_IDS,
            "candidate": ("pred", "filtered_resps"),
            "references": ("answer", "target"),
        },
    ),
)


def form_of(document: Any) -> DocumentForm | None:
    """The first form that a document has."""
    return next((form for form in DOCUMENT_FORMS if form.is_form(document)), None)


def table_of_document(path: Any, document: Any) -> InputTable:
    """The rows of a JSON document: a list of them, or one of the forms above."""
    if isinstance(document, list):
        return table_of_rows(path, document, "row", range(1, len(document) + 1))
    if not isinstance(document, dict):
        raise InputError(f"{path}: expected a list of rows, found {describe(document)}")
    form = form_of(document)
    if form is None:
        raise InputError(
            f"{path}: expected a list of rows, COCO's object with 'annotations', an object from "
            f"ids to captions or another form that docs/files.md lists; found an object with "
            f"{format_names(document)}"
        )
    try:
        numbered = list(form.rows(document))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    numbers, rows = [number for number, _ in numbered], [row for _, row in numbered]
    table = table_of_rows(path, rows, form.unit, numbers, form)
    return _add_image_columns(table, document.get("images")) if form is COCO else table


def _add_image_columns(table: InputTable, images: Any) -> InputTable:
    """COCO's captions with what is said of their images, such as the domains of nocaps."""
    known = [row for row in images if isinstance(row, dict)] if isinstance(images, list) else []
    names = dict.fromkeys(name for image in known for name in image if name not in table.columns)
    if "image_id" not in table.columns or not names:
        return table

    def column(name: str) -> list[Any]:
        if name in table.columns:
            return table.columns[name]
        of_image = {str(image.get("id")): image.get(name, MISSING) for image in known}
        return [of_image.get(str(image), MISSING) for image in table.columns["image_id"]]

    return replace(table, columns=LazyColumns([*table.columns, *names], column))


def table_of_rows(
    path: Any,
    rows: list[Any],
    unit: str,
    numbers: Any,
    document_form: DocumentForm | None = None,
) -> InputTable:
    """Rows of named values as columns, in whichever form of rows they are."""
    table = InputTable.of_rows(path, rows, unit, numbers)
    row_form = next((form for form in ROW_FORMS if form.names <= table.columns.keys()), None)
    if row_form is not None:
        made = InputTable.of_rows(path, map(row_form.row, rows), unit, numbers)
        return replace(made, form=row_form.name, roles=row_form.roles)
    if document_form is None:
        return table
    return replace(table, form=document_form.name, roles=document_form.roles)
