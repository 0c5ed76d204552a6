"""python -m tests.fuzz: damage everything that Captious reads, and report what failed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.fuzz import regression_files
from tests.fuzz.campaign import Campaign
from tests.fuzz.catalogue import KINDS, is_installed, iter_units
from tests.fuzz.kind import Case
from tests.fuzz.trial import FAILED, isolate_environment, try_input


def main() -> int:
    """Run a campaign, or one input again; 1 if anything failed."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, help="stop after so many")
    parser.add_argument("--inputs", type=int, help="stop after so many")
    parser.add_argument("--seed", type=int, default=0, help="of all chance (default: 0)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only this kind")
    parser.add_argument("--number", type=int, help="with --kind: only this input, with all details")
    parser.add_argument("--case", type=Path, help="a kept failure, with all details")
    parser.add_argument("--keep", type=Path, help="a folder for failures, as small as may be")
    options = parser.parse_args()
    if options.case is not None:
        return _run_again(*_read_case(options.case))
    if options.number is not None:
        (name,) = options.kind
        return _run_again(name, KINDS[name].case(options.seed, options.number))
    names = options.kind or [name for name, kind in KINDS.items() if is_installed(kind)]
    if options.seconds is None and options.inputs is None:
        options.seconds = 60.0
    left_out = sorted(set(KINDS) - {name for name, kind in KINDS.items() if is_installed(kind)})
    if left_out:
        print(f"left out, for want of a package: {', '.join(left_out)}")
    campaign = Campaign(options.seed, log=lambda line: print(line, flush=True))
    try:
        campaign.run(iter_units(names, options.inputs), options.jobs, options.seconds)
    except KeyboardInterrupt:
        print("stopped")
    _print_failures(campaign, options.keep)
    return 1 if campaign.failures else 0


def _read_case(path: Path) -> tuple[str, Case]:
    found = regression_files.from_json(path.read_text(encoding="utf-8"))
    return found["kind"], found["input"]


def _run_again(name: str, case: Case) -> int:
    """Run one input again, with all details."""
    isolate_environment()
    print(regression_files.to_json(case)[:4000])
    verdict = try_input(KINDS[name], case)
    print(verdict.outcome, verdict.signature)
    print(verdict.detail)
    return 1 if verdict.outcome == FAILED else 0


def _print_failures(campaign: Campaign, folder: Path | None) -> None:
    print(campaign.table())
    print(campaign.progress())
    for key, failure in campaign.failures.items():
        print(f"\n{failure.kind} ({campaign.times[key]} times): {failure.signature}")
        print(
            f"  again: python -m tests.fuzz --seed {campaign.seed} --kind {failure.kind} "
            f"--number {failure.number}"
        )
        print(f"  {json.dumps(failure.detail.strip().splitlines()[-1][:300])}")
        if folder is not None:
            regression_files.keep(folder, failure.kind, failure.signature, failure.case)


if __name__ == "__main__":
    sys.exit(main())
