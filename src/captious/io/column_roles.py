"""Which columns are ids, candidates and references: from their names alone, before any row is read.

The documented names are taken as they are. Other names that people use are guesses: what was
guessed is reported in one line, and where two columns could be meant, that is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from captious.errors import InputError, short_repr
from captious.io.input_tables import InputTable, OptionFormatter, as_command_option, format_names

ID, CANDIDATE, REFERENCES, IMAGE = "id", "candidate", "references", "image"
ROLES = (ID, CANDIDATE, REFERENCES, IMAGE)
LINE = "line"  # the only column of a file of plain lines
NAME_SEPARATOR = "+"  # between names of columns that hold one reference each

# Documented names, the first that is there counts. COCO's annotations have an `id` of their own
# beside the image's.
DOCUMENTED_NAMES: dict[str, tuple[str, ...]] = {
    ID: ("image_id", "id"),
    CANDIDATE: ("candidate", "caption"),
    REFERENCES: ("references", "reference", "caption"),
    IMAGE: ("image",),
}
# Names that are guessed at, in any case and with any mark between words. Those of the first line
# are clear about what they hold; the others are tried where none of these is there.
GUESSED_NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    ID: (
        tuple(
            "imageid img_id imgid cocoid coco_id video_id videoid audio_id audioid youtube_id "
            "clip_id sound_id sample_id question_id doc_id uid key".split()
        ),
        tuple(
            "file_name filename image image_name image_file image_path img file video audio path "
            "name".split()
        ),
    ),
    CANDIDATE: (
        tuple(
            "prediction predicted pred predicted_caption caption_predicted pred_caption "
            "caption_pred hypothesis hyp hypo generated generated_caption generated_text "
            "generation model_output decoded candidate_caption candidates output response".split()
        ),
        tuple("answer result text sentence description".split()),
    ),
    REFERENCES: (
        tuple(
            "refs ref gts gt ground_truth ground_truths groundtruth captions reference_captions "
            "reference_caption gt_caption gt_captions encap human_captions".split()
        ),
        tuple("targets target answers label labels sentences sentence raw comment text".split()),
    ),
}
# Columns of one reference each: `ref1, ref2`, `reference_1`, `caption_5`.
_NUMBERED_REFERENCE = re.compile(
    r"(refs?|references?|captions?|gts?|ground_?truths?|sentences?|comments?|raw|texts?|targets?)"
    r"_?\d{1,4}"
)
Columns = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True)
class ColumnRoles:
    """The columns of each role; `guesses` are those that no document and no user named."""

    id: str | None
    candidate: str | None
    references: tuple[str, ...]
    image: str | None
    guesses: tuple[str, ...] = ()

    def note(self, form: str, option: OptionFormatter = as_command_option) -> str | None:
        """A note on all columns, if the form or one of them is not a documented one."""
        if not form and not self.guesses:
            return None
        columns: dict[str, tuple[str, ...]] = {
            ID: (self.id,) if self.id is not None else (),
            CANDIDATE: (self.candidate,) if self.candidate is not None else (),
            REFERENCES: self.references,
        }
        parts = [
            f"{role} from {_format_columns(names)}" for role, names in columns.items() if names
        ]
        kind = f"{form}, " if form else ""
        return f"{kind}{', '.join(parts)} (others: {option('columns')})"


def find_columns(
    path: Any,
    names: Iterable[str],
    wanted_roles: Sequence[str],
    columns: Columns | None = None,
    roles: Mapping[str, tuple[str, ...]] | None = None,
    option: OptionFormatter = as_command_option,
) -> ColumnRoles:
    """The columns of roles: those that a user named, a known form's, or by their names.

    A role that no column has is None.
    """
    search = _Search(path, list(names), dict(columns or {}), dict(roles or {}), option)
    candidate = search.find(CANDIDATE) if CANDIDATE in wanted_roles else None
    references = search.find_references(candidate) if REFERENCES in wanted_roles else ()
    image_id = search.find(ID, excluded=(candidate, *references))
    image = search.find_documented(IMAGE, excluded=(image_id, candidate, *references))
    return ColumnRoles(image_id, candidate, references, image, tuple(search.guesses))


def is_header(names: Sequence[str]) -> bool:
    """Whether cells look like the names of columns of captions, and not like captions."""
    normalized = set(map(_normalize_name, names))
    caption_names = {*DOCUMENTED_NAMES[CANDIDATE], *DOCUMENTED_NAMES[REFERENCES]}
    caption_names.update(*GUESSED_NAMES[CANDIDATE], *GUESSED_NAMES[REFERENCES])
    id_names = {*DOCUMENTED_NAMES[ID]}.union(*GUESSED_NAMES[ID])
    caption_columns = sum(
        name in caption_names or bool(_NUMBERED_REFERENCE.fullmatch(name)) for name in normalized
    )
    has_ids = not id_names.isdisjoint(normalized)
    return caption_columns > 1 or (caption_columns == 1 and has_ids)


def parse_columns_option(text: str) -> dict[str, str]:
    """Parse `--columns id=name,candidate=text,references=first+second`."""
    columns: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        role, equals, name = part.partition("=")
        if not equals or not name.strip() or role.strip() in columns:
            raise InputError(
                f"--columns {short_repr(part)}: write id=NAME,candidate=NAME,references=NAME, "
                "each once"
            )
        columns[role.strip()] = name.strip()
    check_roles(columns)
    return columns


def check_roles(columns: Columns) -> None:
    """Raise an error for an unknown role, or for something that is no column's name."""
    for role, given in columns.items():
        if role not in ROLES:
            raise InputError(f"columns: no {short_repr(role)}; there are {', '.join(ROLES)}")
        several = isinstance(given, list | tuple) and all(isinstance(name, str) for name in given)
        if not several and not isinstance(given, str):
            raise InputError(f"columns: {role} from a column's name, not {short_repr(given)}")


class _Search:
    """Search for the column of one role after another; `guesses` are those that were guessed."""

    def __init__(
        self,
        path: Any,
        names: list[str],
        given: dict[str, str | Sequence[str]],
        roles: dict[str, tuple[str, ...]],
        option: OptionFormatter,
    ) -> None:
        self._path, self._names, self._option = path, names, option
        self._given, self._roles = given, roles
        self._normalized = {name: _normalize_name(name) for name in names}
        self.guesses: list[str] = []

    def find(self, role: str, excluded: Sequence[str | None] = ()) -> str | None:
        """The column of a role, or None."""
        documented = self.find_documented(role, excluded)
        if documented is None:
            return self._guess(role, excluded)
        if documented == "caption" and role == CANDIDATE and not self._given_columns(role):
            others = self._matching(GUESSED_NAMES[role][0], excluded)
            self._check_unambiguous(role, documented, others)
        return documented

    def find_documented(self, role: str, excluded: Sequence[str | None] = ()) -> str | None:
        """The column of a role that a user named, a known form has, or the documentation names."""
        given = self._given_columns(role)
        if len(given) > 1:
            raise InputError(
                f"{self._path}: {role} from several columns, {_format_columns(given)}; name one"
            )
        return given[0] if given else self._first(DOCUMENTED_NAMES[role], excluded)

    def find_references(self, candidate: str | None) -> tuple[str, ...]:
        """The column of references, or several that hold one each.

        Beside candidates, names that could be anything are not taken for references.
        """
        # No caption is a reference of its own.
        given = tuple(name for name in self._given_columns(REFERENCES) if name != candidate)
        documented = self._first(("references", "reference"), (candidate,))
        if given or documented is not None:
            return given or (str(documented),)
        groups: dict[str, list[str]] = {}
        for name in self._names:
            if _NUMBERED_REFERENCE.fullmatch(self._normalized[name]):
                groups.setdefault(re.sub(r"_?\d+$", "", self._normalized[name]), []).append(name)
        clear = (*DOCUMENTED_NAMES[REFERENCES], *GUESSED_NAMES[REFERENCES][0])
        single = self._matching(clear, (candidate,))
        possible = [*([name] for name in single), *groups.values()]
        if possible:
            chosen, *others = possible
            self._check_unambiguous(REFERENCES, chosen[0], [other[0] for other in others])
            if candidate is not None or chosen != ["caption"]:
                self.guesses += chosen
            return tuple(chosen)
        guessed = self._guess(REFERENCES, ()) if candidate is None else None
        return () if guessed is None else (guessed,)

    def _given_columns(self, role: str) -> tuple[str, ...]:
        """The columns that a user named or, without any, that of a known form."""
        there = matching_columns(self._names, self._given.get(role, ()))
        if there:
            return there
        return tuple(name for name in self._roles.get(role, ()) if name in self._normalized)[:1]

    def _first(self, names: Sequence[str], excluded: Sequence[str | None]) -> str | None:
        return next(
            (name for name in names if name in self._normalized and name not in excluded), None
        )

    def _matching(
        self, normalized: Sequence[str], excluded: Sequence[str | None]
    ) -> tuple[str, ...]:
        """The columns whose names, normalized, are among these."""
        return tuple(
            name
            for name in self._names
            if self._normalized[name] in normalized and name not in excluded
        )

    def _guess(self, role: str, excluded: Sequence[str | None]) -> str | None:
        for normalized in (DOCUMENTED_NAMES[role], *GUESSED_NAMES[role]):
            matching = self._matching(normalized, excluded)
            if matching:
                self._check_unambiguous(role, matching[0], matching[1:])
                self.guesses.append(matching[0])
                return matching[0]
        return None

    def _check_unambiguous(self, role: str, name: str, others: Sequence[str]) -> None:
        if others:
            raise InputError(
                f"{self._path}: {role} could be {short_repr(name)} or "
                f"{short_repr(others[0])}; rename one, "
                f"or say which when scoring: {self._option('columns', **{role: name})}"
            )


def missing_column_error(table: InputTable, role: str) -> InputError:
    """The error for a table in which no column has a role."""
    wanted = " or ".join(map(repr, DOCUMENTED_NAMES[role]))
    return InputError(
        f"{table.path}: no column {wanted}; the columns are: {format_names(table.columns)}; "
        f"rename one, or say which when scoring: {table.option('columns', **{role: 'NAME'})}"
    )


def matching_columns(names: Iterable[str], given: str | Sequence[str]) -> tuple[str, ...]:
    """The columns that a user named: one, several as `ref1+ref2`, or as `ref*`."""
    names = list(names)
    there = [name for wanted in _split_names(names, given) for name in _matches(names, wanted)]
    return tuple(dict.fromkeys(there))


def unmatched_names(names: Iterable[str], given: str | Sequence[str]) -> tuple[str, ...]:
    """The names that a user gave and no column has: of `ref1+ref9` each by itself."""
    names = list(names)
    return tuple(wanted for wanted in _split_names(names, given) if not _matches(names, wanted))


def _split_names(names: Sequence[str], given: str | Sequence[str]) -> Sequence[str]:
    if not isinstance(given, str):
        return given
    return [given] if given in names else given.split(NAME_SEPARATOR)


def _matches(names: Sequence[str], wanted: str) -> list[str]:
    return [
        name for name in names if name == wanted or ("*" in wanted and fnmatchcase(name, wanted))
    ]


def _normalize_name(name: str) -> str:
    """A name in lower case, with an underscore for whatever separates its words."""
    return re.sub(r"[\s_.\-]+", "_", name[:100].strip()).lower()


def _format_columns(names: Sequence[str]) -> str:
    """Columns as a note names them."""
    return (
        short_repr(names[0])
        if len(names) == 1
        else f"{short_repr(names[0])} to {short_repr(names[-1])}"
    )
