"""Data shipped with the package; PROVENANCE.md says where each file comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from captious.errors import InputError, short_repr
from captious.io.inputs import is_file

RESOURCES = Path(__file__).parent
LEARNED = RESOURCES / "learned"  # the weights of learned metrics and critics, by name


@dataclass(frozen=True)
class Shelf:
    """Files of one kind: those that ship, by name, and a user's own, by path."""

    folder: Path
    what: str  # as errors call them
    how: str  # to come by one's own

    @property
    def names(self) -> list[str]:
        """The names of those that ship."""
        return sorted(path.stem for path in self.folder.glob("*.npz"))

    def name_of(self, given: str | Path) -> str:
        """How a file is called: by its name alone if it ships, else as its folder has it."""
        path = Path(given)
        return path.stem if path.parent == self.folder else path.name

    def find(self, name: str | Path) -> tuple[Path, int]:
        """The file of a shipped name, or else a file by its path, and when it was last changed."""
        if not isinstance(name, str | Path):
            raise InputError(f"{self.what} are a name or a file, not {short_repr(name)}")
        shipped = self.folder / f"{name}.npz"
        try:
            path = shipped if is_file(shipped) else Path(name)
            return path, path.stat().st_mtime_ns
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"{name}: no {self.what} of this name or file ({reason}); "
                f"shipped: {', '.join(self.names)}; {self.how}"
            ) from None
