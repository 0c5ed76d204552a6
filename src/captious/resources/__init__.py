"""Data shipped with the package; PROVENANCE.md says where each file comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from captious.errors import InputError, short_repr
from captious.io.inputs import is_file

RESOURCES = Path(__file__).parent
LEARNED = RESOURCES / "learned"  # the weights of learned metrics and critics, by name


@dataclass(frozen=True)
class ResourceFiles:
    """Resource files of one kind: shipped ones by name, a user's own by path."""

    folder: Path
    what: str  # in error messages
    how_to_get: str  # a file of one's own, in error messages

    @property
    def names(self) -> list[str]:
        """The names of the shipped files."""
        return sorted(path.stem for path in self.folder.glob("*.npz"))

    def name_of(self, file: str | Path) -> str:
        """Return the name of a file: without its extension if it is shipped."""
        path = Path(file)
        return path.stem if path.parent == self.folder else path.name

    def find(self, name: str | Path) -> tuple[Path, int]:
        """Return the path of a shipped name or of a file, and its modification time."""
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
                f"shipped: {', '.join(self.names)}; {self.how_to_get}"
            ) from None
