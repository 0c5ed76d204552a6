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
            Run("captious check hasty.jsonl careful.jsonl"),
            Run("captious doctor --format jsn"),
            Run("captious metrics metoer"),
            Run(f'{SCORE} --metrics "cider_d(sigam=4)"'),
            Run(f"{SCORE} --metrics bleu --df coco-val2014"),
            Run("captious score absent.jsonl"),
            Run("captious score hasty.jsonl"),
            Run("captious score --references references.jsonl hasty.jsonl"),
            Run(f"{SCORE} --output no/where.csv"),
            Run(f"{SCORE} --output hasty.jsonl"),
            Run(f"{SCORE} --quiet --verbose"),
        ),
    ),
    Section(
        "Metrics",
        "The list fits a hundred columns. With a name it tells all of one metric: columns, range, "
        "what it needs, which languages it scores, parameters, variants, and commands to copy.",
        (Run("captious metrics"), Run("captious metrics cider_d"), Run("captious metrics leic")),
    ),
    Section(
        "Names of metrics",
        "Spellings of papers and of other tools mean what papers mean by them; where that may not "
        "be what was meant, a note says so. A metric that others have and Captious has not is an "
        "error that names what comes nearest.",
        (
            Run(f"{SCORE} --metrics CIDEr,Bleu-4 --df coco-val2014"),
            Run(f"{SCORE} --metrics cider --df coco-val2014"),
            Run(f"{SCORE} --metrics fense"),
        ),
    ),
    Section(
        "Files",
        "[files.md](files.md) has all forms. Columns by other names than the documented ones are "
        "recognised, and a note says which; where two could be meant, that is an error, and "
        "`--columns` says which to take. `-` is standard input. Lines of text need no ids: "
        "`said.txt` has a candidate a line, and each file of references one reference a line. An "
        "id that comes twice is an error, unless `--repeated` says that each is a sample.",
        (
            Run("captious score wide.csv --metrics rouge_l"),
            Run("captious score two_systems.csv --metrics rouge_l"),
            Run("captious score two_systems.csv --metrics rouge_l --columns candidate=hypothesis"),
            Run("captious score two_systems.csv --metrics rouge_l --columns candidate=caption"),
            Run("captious score - --references references.jsonl --metrics rouge_l < hasty.jsonl"),
            Run("captious score said.txt --references first.txt second.txt --metrics rouge_l"),
            Run("captious score samples.jsonl --metrics rouge_l"),
            Run("captious score samples.jsonl --metrics rouge_l --repeated"),
        ),
    ),
    Section(
        "Why a score is what it is",
        "`captious check` says what moves scores: how many captions, how grave, examples, what to "
        "do ([check.md](check.md)). `chatty.json` has what a chat model might write of the same "
        "images. `captious score` warns of the gravest finding.",
        (
            Run("captious check chatty.json --references references.jsonl"),
            Run("captious score chatty.json --references references.jsonl --metrics rouge_l"),
        ),
    ),
    Section(
        "Other languages",
        "`german.jsonl` has three captions. A metric that knows English alone is an error where it "
        "is asked for by name; a group leaves it out and says so ([languages.md](languages.md)).",
        (
            Run("captious score german.jsonl --language de --metrics meteor"),
            Run("captious score german.jsonl --language de --metrics coco"),
            Run("captious score german.jsonl --metrics rouge_l"),
        ),
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
        "Your own scores next to metrics",
        "`ratings.jsonl` was made up for this page: the captions of two systems, a rating, and a "
        "column `mine` with the scores of your own metric. `--own-scores` adds columns of the file "
        "to the table, `--versus` tests one against a metric, `--df` sets CIDEr's document "
        "frequencies.",
        (
            Run(f"{META} --own-scores mine --metrics cider_d --df coco-val2014"),
            Run(f"{META} --versus mine,CIDEr --df coco-val2014"),
            Run(f"{META} --versus mine,yours"),
        ),
    ),
)
