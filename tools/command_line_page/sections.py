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
    """A heading, a text and the commands to run."""

    title: str
    words: str
    runs: tuple[Run, ...] = ()


SCORE = "captious score hasty.jsonl --references references.jsonl"
META = "captious meta custom --judgements ratings.jsonl"

SECTIONS = (
    Section(
        "Help",
        "Without arguments, the command lists all commands; `captious help COMMAND` shows a "
        "command's options with examples.",
        (Run("captious"),),
    ),
    Section(
        "Mistakes",
        "An error is one line that says what is wrong and suggests what may be meant. The exit "
        "code is 2, and nothing is written.",
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
        "The list fits into a hundred columns. With a name, the command describes one metric: "
        "columns, range, requirements, languages, parameters, variants, and commands to copy.",
        (Run("captious metrics"), Run("captious metrics cider_d"), Run("captious metrics leic")),
    ),
    Section(
        "Names of metrics",
        "Spellings used by papers and other tools are accepted and mean what papers mean by them; "
        "if that may not be what you mean, a note says so. A metric that other tools have and "
        "Captious does not is an error that names the closest one.",
        (
            Run(f"{SCORE} --metrics CIDEr,Bleu-4 --df coco-val2014"),
            Run(f"{SCORE} --metrics cider --df coco-val2014"),
            Run(f"{SCORE} --metrics fense"),
        ),
    ),
    Section(
        "Files",
        "[files.md](files.md) describes all formats. Columns with other names than the documented "
        "ones are recognized, with a warning that says which; if two are possible, that is an "
        "error, and `--columns` selects one. `-` is standard input. Lines of text need no ids: "
        "`said.txt` has one candidate per line, and each file of references one reference per "
        "line. A repeated id is an error, unless `--repeated` says that each row is a sample.",
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
        "`captious check` reports problems that move scores: in how many captions, how serious, "
        "examples, and what to do ([check.md](check.md)). `chatty.json` imitates a chat model's "
        "captions of the same images. `captious score` warns of the most serious finding.",
        (
            Run("captious check chatty.json --references references.jsonl"),
            Run("captious score chatty.json --references references.jsonl --metrics rouge_l"),
        ),
    ),
    Section(
        "Other languages",
        "`german.jsonl` has three captions. An English-only metric is an error if it is named; a "
        "group leaves it out and says so ([languages.md](languages.md)).",
        (
            Run("captious score german.jsonl --language de --metrics meteor"),
            Run("captious score german.jsonl --language de --metrics coco"),
            Run("captious score german.jsonl --metrics rouge_l"),
        ),
    ),
    Section(
        "Notes and warnings",
        "Everything that is not a result goes to standard error; `--quiet` silences notes and "
        "warnings. A warning means that a number is probably not what was intended. If no named "
        "metric uses the images, `captious_image` is added; `photos/` here has a grey square for "
        "each image.",
        (
            Run(f"{SCORE} --metrics cider_d"),
            Run(f"{SCORE} --metrics cider_d --quiet"),
            Run(f"{SCORE} --metrics rouge_l --images photos", slow=True),
        ),
    ),
    Section(
        "What takes so long",
        "On a terminal, a progress bar shows the current stage and the remaining time: references "
        "parsed and encoded, images encoded, candidates scored. Bars appear for work of more than "
        "a second. `--verbose` reports what is read and loaded, what the cache contained, and how "
        "long each stage took; in Python, the logger `captious` gets the same messages.",
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
