"""Which columns are ids, candidates and references: from their names alone, before any row is read.

The documented names are taken as they are. Other names that people use are guesses: what was
guessed is said in one line, and where two columns could be meant, that is an error.
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
# say clearly what they hold; the others are looked at where none of these is there.
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
        """What a note says of all columns, if the form or one of them is no documented one."""
        if not form and not self.guesses:
            return None
        columns: dict[str, tuple[str, ...]] = {
            ID: (self.id,) if self.id is not None else (),
            CANDIDATE: (self.candidate,) if self.candidate is not None else (),
            REFERENCES: self.references,
        }
        said = [f"{role} from {_format_columns(names)}" for role, names in columns.items() if names]
        kind = f"{form}, " if form else ""
        return f"{kind}{', '.join(said)} (others: {option('columns')})"


def find_columns(
    path: Any,
    names: Iterable[str],
    wanted: Sequence[str],
    columns: Columns | None = None,
    roles: Mapping[str, tuple[str, ...]] | None = None,
    option: OptionFormatter = as_command_option,
) -> ColumnRoles:
    """The columns of the wanted roles: those that a user named, a known form's, or by their names.

    A role that no column has is None; whether that matters is for others to say.
    """
    search = _Search(path, list(names), dict(columns or {}), dict(roles or {}), option)
    candidate = search.one(CANDIDATE) if CANDIDATE in wanted else None
    references = search.references(candidate) if REFERENCES in wanted else ()
    image_id = search.one(ID, but=(candidate, *references))
    image = search.documented(IMAGE, but=(image_id, candidate, *references))
    return ColumnRoles(image_id, candidate, references, image, tuple(search.guesses))


def is_header(names: Sequence[str]) -> bool:
    """Whether cells look like the names of columns of captions, and not like captions."""
    forms = set(map(_normalize_name, names))
    of_captions = {*DOCUMENTED_NAMES[CANDIDATE], *DOCUMENTED_NAMES[REFERENCES]}
    of_captions.update(*GUESSED_NAMES[CANDIDATE], *GUESSED_NAMES[REFERENCES])
    of_ids = {*DOCUMENTED_NAMES[ID]}.union(*GUESSED_NAMES[ID])
    has_captions = not of_captions.isdisjoint(forms) or any(
        map(_NUMBERED_REFERENCE.fullmatch, forms)
    )
    several = (
        sum(bool(_NUMBERED_REFERENCE.fullmatch(form)) or form in of_captions for form in forms) > 1
    )
    return has_captions and (several or not of_ids.isdisjoint(forms))


def parse_columns_option(text: str) -> dict[str, str]:
    """What `--columns id=name,candidate=said,references=one+two` says."""
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
    """Stop at what is no role, or no column's name."""
    for role, given in columns.items():
        if role not in ROLES:
            raise InputError(f"columns: no {short_repr(role)}; there are {', '.join(ROLES)}")
        several = isinstance(given, list | tuple) and all(isinstance(name, str) for name in given)
        if not several and not isinstance(given, str):
            raise InputError(f"columns: {role} from a column's name, not {short_repr(given)}")


class _Search:
    """Columns looked for one role after another; what was guessed is kept."""

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
        self._forms = {name: _normalize_name(name) for name in names}
        self.guesses: list[str] = []

    def one(self, role: str, but: Sequence[str | None] = ()) -> str | None:
        """The column of a role; none if there is none."""
        documented = self.documented(role, but)
        if documented is None:
            return self._guessed(role, but)
        if documented == "caption" and role == CANDIDATE and not self._named(role):
            self._check_alone(role, documented, self._meant(GUESSED_NAMES[role][0], but))
        return documented

    def documented(self, role: str, but: Sequence[str | None] = ()) -> str | None:
        """The column of a role that a user named, a known form has, or the documentation names."""
        named = self._named(role)
        if len(named) > 1:
            raise InputError(
                f"{self._path}: {role} from several columns, {_format_columns(named)}; name one"
            )
        return named[0] if named else self._first(DOCUMENTED_NAMES[role], but)

    def references(self, candidate: str | None) -> tuple[str, ...]:
        """The column of references, or several that hold one each.

        Beside candidates, names that could be anything are not taken for references.
        """
        # No caption is a reference of its own.
        named = tuple(name for name in self._named(REFERENCES) if name != candidate)
        documented = self._first(("references", "reference"), (candidate,))
        if named or documented is not None:
            return named or (str(documented),)
        groups: dict[str, list[str]] = {}
        for name in self._names:
            if _NUMBERED_REFERENCE.fullmatch(self._forms[name]):
                groups.setdefault(re.sub(r"_?\d+$", "", self._forms[name]), []).append(name)
        clear = (*DOCUMENTED_NAMES[REFERENCES], *GUESSED_NAMES[REFERENCES][0])
        single = self._meant(clear, (candidate,))
        possible = [*([name] for name in single), *groups.values()]
        if possible:
            chosen, *others = possible
            self._check_alone(REFERENCES, chosen[0], [other[0] for other in others])
            if candidate is not None or chosen != ["caption"]:
                self.guesses += chosen
            return tuple(chosen)
        guessed = self._guessed(REFERENCES, ()) if candidate is None else None
        return () if guessed is None else (guessed,)

    def _named(self, role: str) -> tuple[str, ...]:
        """What a user named that is there, or what a known form says."""
        there = matching_columns(self._names, self._given.get(role, ()))
        if there:
            return there
        return tuple(name for name in self._roles.get(role, ()) if name in self._forms)[:1]

    def _first(self, names: Sequence[str], but: Sequence[str | None]) -> str | None:
        return next((name for name in names if name in self._forms and name not in but), None)

    def _meant(self, forms: Sequence[str], but: Sequence[str | None]) -> tuple[str, ...]:
        """The columns whose names have one of these forms."""
        return tuple(name for name in self._names if self._forms[name] in forms and name not in but)

    def _guessed(self, role: str, but: Sequence[str | None]) -> str | None:
        for forms in (DOCUMENTED_NAMES[role], *GUESSED_NAMES[role]):
            meant = self._meant(forms, but)
            if meant:
                self._check_alone(role, meant[0], meant[1:])
                self.guesses.append(meant[0])
                return meant[0]
        return None

    def _check_alone(self, role: str, name: str, others: Sequence[str]) -> None:
        if others:
            raise InputError(
                f"{self._path}: {role} could be {short_repr(name)} or "
                f"{short_repr(others[0])}; rename one, "
                f"or say which when scoring: {self._option('columns', **{role: name})}"
            )


def missing_column_error(table: InputTable, role: str) -> InputError:
    """What to say where no column has a role."""
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
    """What a user named that no column is called: of `ref1+ref9` each by itself."""
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
    """A name without what never matters: case, and which mark stands between words."""
    return re.sub(r"[\s_.\-]+", "_", name[:100].strip()).lower()


def _format_columns(names: Sequence[str]) -> str:
    """Columns as a note names them."""
    return (
        short_repr(names[0])
        if len(names) == 1
        else f"{short_repr(names[0])} to {short_repr(names[-1])}"
    )
