"""One input tried in a folder of its own, under the limits, with the verdict on it."""

from __future__ import annotations

import os
import tempfile
import traceback
from pathlib import Path
from typing import NamedTuple

from captious.io.cache import FOLDER_VARIABLE
from captious.pycocoevalcap import quiet
from tests.fuzz.kind import Case, Kind
from tests.fuzz.oracle import Hang, limits, signature_of

SECONDS_TO_SHRINK = 4.0


class Verdict(NamedTuple):
    """ACCEPTED, REFUSED or FAILED; of a failure its signature and what was seen of it."""

    outcome: str
    signature: str = ""
    detail: str = ""


FAILED = "failed"


def try_input(kind: Kind, case: Case, scratch: Path | None = None) -> Verdict:
    """Try an input in a folder with a new name, for readers cache by name; return the verdict."""
    home = Path.cwd()
    with tempfile.TemporaryDirectory(dir=scratch, prefix="case-") as name:
        folder = Path(name).resolve()
        os.chdir(folder)
        try:
            with limits():
                return Verdict(kind.run(case, folder))
        except (Exception, Hang) as error:
            return Verdict(FAILED, signature_of(error), "".join(traceback.format_exception(error)))
        finally:
            os.chdir(home)


def isolate_environment() -> None:
    """Nothing that is tried uses the user's cache, or asks elsewhere for a model that it names.

    Nor does it print what the COCO toolkit prints, thousands of times.
    """
    os.environ[FOLDER_VARIABLE] = "off"
    os.environ["HF_HUB_OFFLINE"] = "1"
    quiet()
