"""The Penn Treebank lexer: cuts a caption into tokens, longest match first."""

# ruff: noqa: RUF001 - look-alike characters are what the rules are about

import re
from collections.abc import Iterator

from captious.text.tokenizer.characters import sketch
from captious.text.tokenizer.rules import (
    ABBREVIATION,
    ABBREVIATIONS_BEFORE_NUMBERS,
    CAPITALISED_ABBREVIATIONS,
    NEVER_ALL_CAPITALS,
    NUMBER_AHEAD,
    OTHER_ABBREVIATIONS,
    PLAIN_QUOTES,
    RULES_BY_FIRST,
    SENTENCE_FINAL_ABBREVIATIONS,
    SITE_END,
    SPELLED_OUT,
    Form,
    Rule,
)
from captious.text.tokenizer.runs import Runs

# What the COCO toolkit removes after tokenisation. Its list also names -LRB- and its kin, but it
# compares after lower-casing, so those stay.
PUNCTUATION = frozenset(("''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"))

_AMPERSAND = re.compile("&amp;", re.IGNORECASE)
_WHITE_SPACE = re.compile(r"\s")
_DECLARATION = re.compile(r"<[!?][A-Za-z-]")
_AFTER_KEPT_PERIOD = frozenset(",;:、")
_ASCII_LETTERS_AND_DIGITS = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

# Pairs that can begin nothing longer; long runs of them are common in junk.
_PAIRS = {"<<": "<<", "''": ""}
_AFTER_ENTITY_SIGN = _ASCII_LETTERS_AND_DIGITS | {"#"}
_FILE_FIRST = _ASCII_LETTERS_AND_DIGITS | {"é", "٣"}
_SITE_FIRST = frozenset("abcdefghijklmnopqrstuvwxyz#%&*+~\0é\u0301\u00ad٣§—‐‘’“…€¢£¼½¾⅓⅔⁄²₂‚„‟、")


def lex(text: str) -> list[str]:
    """The tokens of a caption, lower-cased, punctuation removed."""
    return [token for token in _Lexer(text).tokens() if token and token not in PUNCTUATION]


class _Lexer:
    """One caption being cut."""

    def __init__(self, text: str) -> None:
        self._text = text
        # A space at the end stands for the end of the line, which some rules look ahead to.
        self._shape = sketch(text) + " "
        self._runs = Runs(self._shape)
        self._last_angle = self._shape.rfind(">")
        # Most captions hold no address at all: then none is looked for.
        self._has_email = "@" in self._shape
        self._has_site = SITE_END.search(self._shape) is not None

    def tokens(self) -> Iterator[str]:
        """The tokens in order; empty ones stand for what leaves no trace."""
        shape, length = self._shape, len(self._text)
        position = 0
        while position < length:
            pair = _PAIRS.get(shape[position : position + 2])
            if pair is not None:
                yield pair
                position += 2
                continue
            rules = RULES_BY_FIRST.get(shape[position], ())
            if shape[position] == "&" and shape[position + 1] not in _AFTER_ENTITY_SIGN:
                rules = rules[-1:]  # no entity: only the sign itself
            end, form, middle = self._longest(position, rules)
            if end == position:
                yield SPELLED_OUT.get(shape[position], "")
                position += 1
                continue
            if form is Form.IN_TWO:
                yield self._text[position:middle].lower()
                position = middle
            yield _spell(self._text[position:end], form).lower()
            position = end

    def _longest(self, start: int, rules: tuple[Rule, ...]) -> tuple[int, Form, int]:
        """Where the token of the longest match ends, its form, and where to cut it in two."""
        shape = self._shape
        reach = end = middle = start
        form = Form.AS_IS
        for rule in rules:
            match = rule.match(shape, start)
            if match is None:
                continue
            match_end = match_reach = match.end()
            if rule.keeps_period and self._keeps_period(match_reach):
                match_end, match_reach = match_reach + 1, match_reach + 2
            elif match.lastindex and rule.form is not Form.IN_TWO:
                match_end = match.end(1)
            if match_reach > reach:
                reach, end, form = match_reach, match_end, rule.form
                middle = match.end(match.lastindex or 0)
        first = shape[start]
        if first in _FILE_FIRST or first == "<" or (self._has_site and first in _SITE_FIRST):
            for match_reach, match_end, match_form in self._other_matches(start):
                if match_reach > reach:
                    reach, end, form = match_reach, match_end, match_form
        return end, form, middle

    def _keeps_period(self, at: int) -> bool:
        after = self._shape[at : at + 2]
        return len(after) == 2 and after[0] == "." and after[1] in _AFTER_KEPT_PERIOD

    def _other_matches(self, start: int) -> Iterator[tuple[int, int, Form]]:
        """Reach, end and form of the matches that need more than a pattern."""
        first = self._shape[start]
        if first in _ASCII_LETTERS_AND_DIGITS:
            if self._has_email:
                end = self._runs.end_of_email(start)
                yield end, end, Form.AS_IS
            yield from self._abbreviations(start)
            end = self._runs.end_of_hyphenated(start)
            if end > 0:
                if self._keeps_period(end):
                    yield end + 2, end + 1, Form.WORD
                yield end, end, Form.WORD
            if first in "wW":
                end = self._runs.end_of_web_address(start)
                yield end, end, Form.AS_IS
        elif first == "<":
            if self._has_email and self._shape[start + 1] in _ASCII_LETTERS_AND_DIGITS:
                end = self._runs.end_of_email(start + 1)
                yield end, end, Form.AS_IS
            elif start < self._last_angle and _DECLARATION.match(self._shape, start):
                end = self._shape.find(">", start) + 1
                yield end, end, Form.ONE_PIECE
        if first in _FILE_FIRST:
            reach, end = self._runs.end_of_file_name(start)
            yield reach, end, Form.AS_IS
        if self._has_site and first in _SITE_FIRST:
            end = self._runs.end_of_site(start)
            yield end, end, Form.AS_IS

    def _abbreviations(self, start: int) -> Iterator[tuple[int, int, Form]]:
        abbreviation = ABBREVIATION.match(self._shape, start)
        if not abbreviation:
            return
        word, end = abbreviation.group(), abbreviation.end() + 1
        lowered = word.lower()
        if not (
            (lowered in CAPITALISED_ABBREVIATIONS and word[0].islower())
            or (lowered in NEVER_ALL_CAPITALS and word.isupper())
        ):
            if lowered in SENTENCE_FINAL_ABBREVIATIONS:
                yield end + 2, end, Form.AS_IS
            elif lowered in OTHER_ABBREVIATIONS:
                yield end, end, Form.AS_IS
        if lowered in ABBREVIATIONS_BEFORE_NUMBERS:
            number = NUMBER_AHEAD.match(self._shape, end)
            if number:
                yield number.end(), end, Form.AS_IS


def _spell(text: str, form: Form) -> str:
    """The token's spelling, before lower-casing."""
    if form is Form.DROPPED:
        return ""
    if form is Form.SPELLED_OUT:
        return SPELLED_OUT[text.lower()]
    if form is Form.PLAIN_AMPERSAND:
        return _AMPERSAND.sub("&", text)
    if form is Form.PLAIN_APOSTROPHE:
        text = text.replace("&apos;", "'")
    if form in (Form.PLAIN_APOSTROPHE, Form.PLAIN_QUOTES):
        return text.translate(PLAIN_QUOTES)
    if form is Form.ONE_PIECE:
        text = _WHITE_SPACE.sub("\u00a0", text)
        return text.replace("(", "-LRB-").replace(")", "-RRB-")
    return text.replace("\u00ad", "") if form is Form.WORD else text
