"""What the page shows: sections of a few words and of commands, which are run.

A section is data; another command is another entry.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """A command; `slow` if it takes seconds or needs an extra, `varies` if it shows times."""

    command: str
    slow: bool = False
    varies: bool = False


@dataclass(frozen=True)
class Section:
    """A heading, what there is to say, and what is shown."""

    title: str
    words: str
    runs: tuple[Run, ...] = ()


SCORE = "captious score hasty.jsonl --references references.jsonl"
META = "captious meta custom --judgements ratings.jsonl"

SECTIONS = (
    Section(
        "Help",
        "Without arguments the command shows what there is; `captious help COMMAND` shows a "
        "command's options with examples.",
        (Run("captious"),),
    ),
    Section(
        "Mistakes",
        "A mistake is one line that says what is wrong and what may be meant. The exit code is 2, "
        "and nothing is written.",
        (
            Run("captious scroe hasty.jsonl"),
            Run("captious score hasty.jsonl --metrcs bleu"),
            Run("captious critic trian"),
            Run("captious score hasty.jsonl careful.jsonl"),
            Run("captious doctor --format jsn"),
            Run("captious metrics metoer"),
            Run(f'{SCORE} --metrics "cider_d(sigam=4)"'),
            Run(f"{SCORE} --metrics bleu --df coco-val2014"),
            Run("captious score absent.jsonl"),
            Run("captious score hasty.jsonl"),
            Run(f"{SCORE} --output no/where.csv"),
            Run(f"{SCORE} --output hasty.jsonl"),
            Run(f"{SCORE} --quiet --verbose"),
        ),
    ),
    Section(
        "Metrics",
        "The list fits a hundred columns. With a name it tells all of one metric: columns, range, "
        "what it needs, parameters, variants, and commands to copy.",
        (Run("captious metrics"), Run("captious metrics cider_d"), Run("captious metrics leic")),
    ),
    Section(
        "Notes and warnings",
        "What is no result goes to standard error, and `--quiet` is silent. A warning says that "
        "a number is probably not what was meant. Images that no metric named looks at are given "
        "to `captious_image`; `photos/` here has a grey square for each image.",
        (
            Run(f"{SCORE} --metrics cider_d"),
            Run(f"{SCORE} --metrics cider_d --quiet"),
            Run(f"{SCORE} --metrics rouge_l --images photos", slow=True),
        ),
    ),
    Section(
        "What takes so long",
        "On a terminal a bar shows what is being done, how much of it, and the time that is left: "
        "references parsed and encoded, images encoded, candidates scored. Bars are shown for work "
        "of more than a second. `--verbose` tells what is read and loaded, what the cache had, and "
        "how long each stage took; in Python the same goes to the logger `captious`.",
        (Run(f"{SCORE} --metrics spice --verbose", varies=True),),
    ),
    Section(
        "Scores of your own beside metrics",
        "`ratings.jsonl` was made up for this page: the captions of two systems, a rating, and a "
        "column `mine` with scores of a metric of one's own. `--own-scores` puts columns of the "
        "file into the table, `--versus` tests one against a metric, `--df` gives CIDEr its "
        "document frequencies.",
        (
            Run(f"{META} --own-scores mine --metrics cider_d --df coco-val2014"),
            Run(f"{META} --versus mine,rouge_l"),
            Run(f"{META} --versus mine,yours"),
        ),
    ),
)
