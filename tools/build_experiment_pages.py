"""Write docs/experiments: the papers' experiments, measured, published figures beside ours.

Features, networks and captions of captioners come from the user's cache where they are there;
PyTorch is needed for those that are not, and an hour or so for everything from nothing, with one
more for the critics of LEIC's experiments. tools/train_captioners.py trains captioners.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from captious.experiments.catalogue import EXPERIMENTS, experiments_named
from captious.experiments.declaration import Experiment
from captious.experiments.result import Finding
from captious.experiments.workbench.bench import Workbench
from captious.experiments.workbench.grids import run_experiment
from captious.report.plots.panels import plot_panels
from captious.tables import render_table
from captious.training.critics.machine_captions import captioner_files

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "experiments"
COMMAND = "python tools/build_experiment_pages.py --data DIR --captioners RUNS"
INTRODUCTION = f"""# The papers' experiments

What the papers on [NNEval](../metrics/nneval.md), [LCEval](../metrics/lceval.md) and LEIC
measured, measured again: `captious experiment NAME --data DIR` prints a page's tables, with
`--plot FILE` its plot. `DIR` is the folder of the benchmarks and of the training captions
(`coco/captions_val2014.json.gz`, `coco/systems_val2014/`, `where_image2/`, `flickr30k/`; for LEIC
`flickr8k/` with its splits and image vectors). Experiments that train need PyTorch
(`pip install 'captious[train]'`) unless their networks are in the cache already.

The papers on NNEval and LCEval trained on Flickr30k with captions of three systems that are not to
be had; here networks learn from COCO. What follows from that is on the page
[training-sets](training-sets.md). LEIC's critics learnt from COCO with captions of three captioners
and, for the correlation with people, from Flickr8k; here they learn from Flickr8k, with captions of
small captioners that `--captioners RUNS` names (`captious captioner train` writes them). All pages
were written by `{COMMAND}`.

"""


def page(experiment: Experiment, finding: Finding) -> str:
    """One experiment: title, plot, tables, notes."""
    parts = [
        f"# {finding.title}",
        f"*{experiment.paper}: {experiment.shows}.* `captious experiment {experiment.name}`",
    ]
    if finding.panels:
        name = f"plots/{experiment.name}.svg"
        plot_panels(FOLDER / name, finding.title, finding.panels)
        parts.append(f"![{finding.title}]({name})")
    for table in finding.tables:
        rendered = render_table(table.header, table.cells(), "markdown", table.texts)
        parts.append(f"**{table.title}**\n\n{rendered}")
    parts += finding.notes
    return "\n\n".join(parts) + "\n"


def linked(name: str) -> str:
    """An experiment's name, as a link where its page has been written."""
    return f"[{name}]({name}.md)" if (FOLDER / f"{name}.md").exists() else name


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these; without one, all")
    parser.add_argument("--data", type=Path, required=True, help="the folder of all data")
    parser.add_argument("--captioners", type=Path, help="the folder of captioners, for LEIC's")
    options = parser.parse_args()
    if options.captioners is not None:
        captioner_files(options.captioners)
    elif not options.names:  # said now, and not after an hour
        parser.error("all pages need --captioners")
    bench = Workbench(
        options.data,
        tell=lambda line: print(line, file=sys.stderr),
        captioners=options.captioners,
    )
    (FOLDER / "plots").mkdir(parents=True, exist_ok=True)
    for experiment in experiments_named(options.names or EXPERIMENTS):
        print(experiment.name, file=sys.stderr)
        text = page(experiment, run_experiment(experiment, bench))
        (FOLDER / f"{experiment.name}.md").write_text(text, encoding="utf-8")
    rows = [[linked(each.name), each.paper, each.shows] for each in EXPERIMENTS.values()]
    table = render_table(["experiment", "paper", "what it shows"], rows, "markdown", 3)
    (FOLDER / "README.md").write_text(f"{INTRODUCTION}{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
