"""Share of drawn rows beyond each boundary of each loop.

Run it with `python -m tests._internal.loops.boundaries`.
"""

from dataclasses import dataclass

from tabulate import tabulate

from tests._internal.loops.differential.every import TRIALS
from tests._internal.loops.differential.trial import Trial


@dataclass(frozen=True)
class Share:
    """How many of a trial's rows lie beyond a boundary."""

    what: str
    boundary: int
    rows_beyond: int
    rows: int


def shares(trial: Trial) -> list[Share]:
    """One for each boundary of a trial's loops."""
    sizes = [row for problem in (*trial.short(), *trial.long()) for row in trial.sizes(problem)]
    return [
        Share(what, boundary, sum(row[what] > boundary for row in sizes), len(sizes))
        for what, boundaries in trial.boundaries.items()
        for boundary in boundaries
    ]


def main() -> None:
    """Print the table."""
    rows = [
        [", ".join(trial.loops), s.rows, f"{s.what} > {s.boundary:,}", 100 * s.rows_beyond / s.rows]
        for trial in TRIALS
        for s in shares(trial)
    ]
    header = ["loops", "rows drawn", "boundary", "% beyond"]
    print(tabulate(rows, header, floatfmt=".1f", intfmt=","))


if __name__ == "__main__":
    main()
