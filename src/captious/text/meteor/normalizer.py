"""METEOR's own normalization of a caption (its option ``-norm``, English, punctuation kept).

METEOR splits and rewrites text that the toolkit has tokenized already: ``t-shirt`` becomes two
words, ``'s`` becomes ``'`` and ``s``, ``u.s.`` becomes ``us``. The rules below are applied in
METEOR's order, because later rules see what earlier ones left behind.
"""

from __future__ import annotations

import re

from captious.text.english import ENGLISH

# METEOR spells out its letters instead of asking Unicode.
_ALPHA = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e"
    "\u0400-\u04ff\u0500-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_ALNUM = "0-9" + _ALPHA
# Java's \s, which is ASCII only, unlike Python's.
_SPACE = r" \t\n\x0b\f\r"

_SYMBOL = re.compile(rf"[^{_ALNUM}{_SPACE}.'`,\-\u2018\u2019]")
_DOTS = re.compile(r"\.{2,}")
# Tried from a run's beginning alone: a run without an end would be tried from each of its places.
_DOTS_WRITTEN_OUT = re.compile(r"(?<!DOT)(?:DOT)+MULTI")
_LAST_DOT = re.compile(r"DOTMULTI\.([^.])")
_COMMAS = (
    re.compile(r"([^0-9]),([^0-9])"),
    re.compile(r"([0-9]),([^0-9])"),
    re.compile(r"([^0-9]),([0-9])"),
)
_SINGLE_QUOTE = re.compile(r"[`\u2018\u2019]")
_DOUBLE_QUOTE = re.compile(r"[\u201c\u201d]|''")
_HYPHEN = re.compile(rf"([{_ALNUM}.])-([{_ALNUM}])")
_APOSTROPHES = (
    (re.compile(rf"([^{_ALPHA}])'([^{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([^{_ALPHA}0-9])'([{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([{_ALPHA}])'([^{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([{_ALPHA}])'([{_ALPHA}])"), r"\1 '\2"),
    (re.compile(r"([0-9])'(s)"), r"\1 '\2"),
)
_LETTER = re.compile(f"[{_ALPHA}]")
_LOWER_START = re.compile("[a-z]")
_DIGIT_START = re.compile("[0-9]")
_DELIMITERS = re.compile(r"[ \t\n\r\f]+")
_SPACES = re.compile(r"[ \u2000-\u200a\u202f\u205f\u3000\xa0]+")
# What String.trim strips in Java: every character up to the space.
_TRIMMED = "".join(map(chr, range(0x21)))
_CONTROLS = frozenset(_TRIMMED) - {" "}

# Words that keep a final full stop, and those that keep it before a number only. METEOR's list is
# case-sensitive, so that few of them meet the toolkit's lower-cased tokens.
_KEEP_STOP = ENGLISH.orthography.METEOR_ABBREVIATIONS
_KEEP_STOP_BEFORE_NUMBER = ENGLISH.orthography.METEOR_ABBREVIATIONS_BEFORE_NUMBERS

# A token made of these alone stays as it is, wherever it stands.
_PLAIN = re.compile(r"[a-z0-9]+")
_COMMA_EDGES = ","
_QUOTE_EDGES = "'`\u2018\u2019"


def normalize(text: str) -> list[str]:
    """Split a line of text into METEOR's words."""
    line = _SYMBOL.sub(r" \g<0> ", f" {text} ")
    # Several dots hide behind a word until the end. The word is METEOR's own: it shows if a caption
    # contains it, in capitals.
    line = _DOTS.sub(lambda dots: " " + "DOT" * len(dots[0]) + "MULTI ", line)
    while "DOTMULTI." in line:
        line = _LAST_DOT.sub(r"DOTDOTMULTI \1", line)
        line = line.replace("DOTMULTI.", "DOTDOTMULTI")
    for comma in _COMMAS:
        line = comma.sub(r"\1 , \2", line)
    line = _SINGLE_QUOTE.sub("'", line)
    line = _DOUBLE_QUOTE.sub(' " ', line)
    line = line.replace("\u2013", "-").replace("--", "-")
    line = _HYPHEN.sub(r"\1 \2", line)
    for apostrophe, spaced in _APOSTROPHES:
        line = apostrophe.sub(spaced, line)
    line = _split_final_stops(_words(line))
    line = _DOTS_WRITTEN_OUT.sub(lambda dots: "." * ((len(dots[0]) - 5) // 3), line)
    return _words(_SPACES.sub(" ", line).strip(_TRIMMED).lower())


def is_plain(token: str) -> bool:
    """Whether a token is one METEOR word, unchanged, in any context (a quick test)."""
    return _PLAIN.fullmatch(token) is not None


def edge_context(token: str) -> tuple[bool, bool, bool, bool, bool]:
    """Return how a token's edges interact with its neighbours.

    The answer is (starts with a comma, ends with one, starts with a quote, ends with one, depends
    on whatever stands beside it). METEOR's patterns consume the blank between tokens, so two
    commas or two quotes on either side of one blank are treated unlike one; and whether a final
    full stop is split off depends on the next word. So does an empty token's effect, for it lets
    its neighbours meet; and control characters are words inside a caption, but nothing at its
    ends. Everything else is decided within the token.
    """
    return (
        token.startswith(tuple(_COMMA_EDGES)),
        token.endswith(tuple(_COMMA_EDGES)),
        token.startswith(tuple(_QUOTE_EDGES)),
        token.endswith(tuple(_QUOTE_EDGES)),
        token.endswith(".") or not token or not _CONTROLS.isdisjoint(token),
    )


def _words(line: str) -> list[str]:
    return [word for word in _DELIMITERS.split(line) if word]


def _split_final_stops(words: list[str]) -> str:
    pieces = []
    for position, word in enumerate(words):
        following = words[position + 1] if position + 1 < len(words) else ""
        if len(word) > 1 and word.endswith("."):
            stem = word[:-1]
            if "." in stem and _LETTER.search(stem):
                word = word.replace(".", "")
            elif not (
                stem in _KEEP_STOP
                or _LOWER_START.match(following)
                or (stem in _KEEP_STOP_BEFORE_NUMBER and _DIGIT_START.match(following))
            ):
                word = stem + " ."
        pieces.append(word)
    return " ".join(pieces) + " "
