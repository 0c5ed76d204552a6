"""What is sound is taken: otherwise damage to it would prove nothing."""

from __future__ import annotations

import pytest

from tests.fuzz.catalogue import KINDS, is_installed
from tests.fuzz.file_kind import FileKind
from tests.fuzz.kind import ACCEPTED
from tests.fuzz.kinds.python_call_table import CALLS
from tests.fuzz.trial import FAILED, try_input

OF_FILES = [kind for kind in KINDS.values() if isinstance(kind, FileKind)]


@pytest.mark.parametrize("kind", OF_FILES, ids=lambda kind: kind.name)
def test_sound_files_are_taken(kind: FileKind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", "off")
    if not is_installed(kind):
        pytest.skip(f"needs {', '.join(kind.needs)}")
    for case in kind.sound_cases:
        verdict = try_input(kind, case)
        assert verdict.outcome == ACCEPTED, (case, verdict.detail)


def test_warnings_about_an_input_are_not_printed(recwarn: pytest.WarningsRecorder) -> None:
    kind = KINDS["captions-karpathy"]
    assert isinstance(kind, FileKind)
    for case in kind.sound_cases:
        assert try_input(kind, case).outcome == ACCEPTED
    assert [str(warning.message) for warning in recwarn] == []


@pytest.mark.parametrize("call", CALLS)
def test_usual_arguments_are_taken(call: str) -> None:
    case = {"call": call.strip(), "arguments": CALLS[call]}
    verdict = try_input(KINDS["python-calls"], case)
    # What names a file that is not there is refused.
    nothing = any("nothing" in words for words in CALLS[call].values())
    assert verdict.outcome == ACCEPTED or (nothing and verdict.outcome != FAILED), verdict.detail
