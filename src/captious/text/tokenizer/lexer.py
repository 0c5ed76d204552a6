"""The Penn Treebank lexer: cuts a caption into tokens, longest match first.

The rules need only a handful of classes of characters, so a caption is first *sketched*: every
character becomes the representative of its class, position by position, and the rules are
matched against the sketch. That keeps the rules short and independent of the Unicode version of
the running Python: the reference tokenizer knows the letters of Unicode 6 and drops younger ones.
"""

# ruff: noqa: RUF001 - look-alike characters are what the rules are about

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from captious.text.english import ENGLISH
from captious.text.tokenizer.rules import (
    ABBREVIATION,
    NUMBER_AHEAD,
    PLAIN_QUOTES,
    RULES_BY_FIRST,
    SITE_END,
    SPELLED_OUT,
    Form,
    Rule,
    Runs,
)

_SPELLED = ENGLISH.orthography

# What the COCO toolkit removes after tokenization. Its list also names -LRB- and its kin, but it
# compares after lower-casing, so those stay.
PUNCTUATION = frozenset(("''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"))

_AMPERSAND = re.compile("&amp;", re.IGNORECASE)
_WHITE_SPACE = re.compile(r"\s")
# A blank takes with it the white space behind it, which then begins no address.
_WHITE_RUN = re.compile("[ \t\n\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029\u00a0\u2000-\u200a\u3000]+")
_DECLARATION = re.compile(r"<[!?][A-Za-z-]")
_AFTER_KEPT_PERIOD = frozenset(",;:、")
_ASCII_LETTERS_AND_DIGITS = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

# Pairs that can begin nothing longer; long runs of them are common in junk.
_PAIRS = {"<<": "<<", "''": ""}
_AFTER_ENTITY_SIGN = _ASCII_LETTERS_AND_DIGITS | {"#"}
_FILE_FIRST = _ASCII_LETTERS_AND_DIGITS | {"é", "٣"}
_SITE_FIRST = frozenset(
    "abcdefghijklmnopqrstuvwxyz#%&*+~\0\u00a0\u2003é\u0301\u00ad٣§—‐‘’“…€¢£¼½¾⅓⅔⁄²₂‚„‟、"
)


# --- classes of characters ------------------------------------------------------------------------
# They were found by asking the reference tokenizer about each character of the Basic Multilingual
# Plane in seventeen contexts.
_LETTER = "\u00e9"
_MARK = "\u0301"  # joins a word like a letter, but never follows a digit or a hyphen
_DIGIT = "\u0663"
_SYMBOL = "\u00a7"  # a token of its own
_NOTHING = "\0"  # ends the token before it and leaves no trace: emoji, for example
_SUPERSCRIPT = "\u00b2"
_SUBSCRIPT = "\u2082"
_DASH = "\u2014"
_HYPHEN = "\u2010"  # joins words as "-" does, but leaves no trace alone
_OPENING = "\u2018"
_CLOSING = "\u2019"  # the apostrophe of word processors
_QUOTE = "\u201c"
_EURO = "\u20ac"
_THIN_SPACE = "\u2003"

_FIRST_LISTED = 0xA0

# Runs of one class from U+00A0 on: a letter for the class, then the length in base 36.
_RUNS = (
    "_1S9L2S9L1S4L5S1LnS1LvS1LcqM4LcMeL5M7L1M1L1M3lL5M1L2M2L4S1_5M2L1S1L3_1L1_1Lk_1L2bM1L3v_1M5_2"
    "L4e_9L12_2L1M6_1L13_1S2_6M19S1M1S1M2S1M2S1M1_8Lr_5L3S2_bS4_2S7_7S1M6S1_2S2L17Mk_1DaS4L2M1L2r"
    "S1L1MfL2M7L2DaL3M2L1Se_1M1L1M1LuMtL2hMbL1_eDaLxM9L2S3_1L1_5Lm_4L1_9L1_3L1_nLp_1zL1_1Lb_2bM4"
    "L1i_2M1L1Mh_1L1M5_2LaM2S2Da_1L7_1L7_1M3_1L8_2L2_2Lm_1L7_1L1_3L4_2M1L1M7_2M2_2M3L1_8M1_4L2_1"
    "L3M2_2DaL2_fM3_1L6_4L2_2Lm_1L7_1L2_1L2_1L2_2M1_1Mi_9L4_1L1_7Da_2L3_cM3_1L9_1L3_1Lm_1L7_1L2_1"
    "L5_2M1L1MiL1_fL2_4Da_lL8_2L2_2Lm_1L7_1L2_1L5_3L1_uL2_1L3_4Da_1L1_gM1L1_1L6_3L3_1L4_3L2_1L1_1"
    "L2_3L2_3L3_3Lc_4M5_3M3_1M4_2L1_lDa_hM3_1L8_1L3_1Ln_1La_1L5_3L1Mp_1L2_6L2_4Da_lL8_1L3_1Ln_1La"
    "_1L5_3L1_wL1_1L2_4Da_1L2_iL8_1L3_1L15_2L1M7_1M3_5L1_hL2_4Da_aL6_5Li_3Lo_1L9_1L1_2L7_1mL1cM1"
    "L2M7_4S1L7M8S1Da_13L2_1L1_2L2_1L1_2L1_6L4_1L7_1L3_1L1_1L1_2L2_1L4M1L2M9L1_2L5_1L1_1M6_2Da_2"
    "L4_wL1_vDa_mL8_1L10_rL5_37L17_kL1Da_6L6_4L4_3L1_3L2_7L3_4Ld_cL1_1Da_6L12_1L1_5L1_2L17_1L99_1"
    "L4_2L7_1L1_1L4_2L15_1L4_2Lx_1L4_2L7_1L1_1L4_2Lf_1L1l_1L4_2L1v_11Lg_gL2d_cLh8_2Lh_1Lq_5L23_l"
    "Ld_1L4_eLi_eLi_eLd_1L3_fL1g_zL1_4L1_3Da_12Da_6L2g_8L15_1L1_5L1y_aLt_15DaLu_2L5_bL18_lL7_8Da"
    "_12Ln_9L1h_17Da_6Da_dL1_2lL1b_hL7_4Da_15Lu_dL2DaL18_qL10_sDa_3L3DaL10_2zL4_1L4_3L2_9L5c_1s"
    "L7q_2L6_2L12_2L6_2L8_1L1_1L1_1L1_1Lv_2L1h_1L7S1L1_3L3_1L7_3L4_2L6_4Ld_5L3_1L7_pSe_cSc_2S5_1a"
    "L1_8S5LbS5_1Ld_7S1_2jS2L1S4L1S2LaS1L1S3L5S6L1S1L1S1L1S1L4S1LbS2L4S5L5S4L1S1_5Sa_10L2_bS228"
    "L1b_1L1b_1L3p_6L4_3L2_cL12_1L1_5L1_2L1k_7L1_gLn_9L7_1L7_1L7_1L7_1L7_1L7_1L7_1L7_28L1_cxS2_2"
    "L2_bS1_uL5_5L2_4L2e_6L3_1L2iS1L4_5L15_3L2m_hLr_1hLg_e8L52u_22Lg5p_1fLwd_1vL1a_2L7h_3LgDaL2_k"
    "L1b_gLp_8L1y_1dL9_2L2v_2L4_1L4_cLb_25La_1L3_1L4_1Ln_tL1g_eL1e_sDa_oL6_3L1_4DaLs_aLn_pLt_7L1b"
    "_sL1Da_12L15_nL3_1L8_4Da_6Ln_3L1_5L1c_1L1_3L2_2L5_2L1_1L1_oL3_2Lb_7L3_cL6_2L6_2L6_9L7_1L7_41"
    "Lz_dDa_6L8mc_cLn_4L1d_6isLa6_2L2y_12L7_cL5_5L1_1La_1Ld_1L5_1L1_1L2_1L2_1L30_xLa3_iL1s_2L1i"
    "_14Lc_38L5_1L3r_4SfDaS7LqS6LqSbL2h_3L6_2L6_2L6_2L3_3S2_3S2_p"
)
_RUN = re.compile("([A-Z_])([0-9a-z]+)")
_CLASS_BY_CODE = {"L": _LETTER, "M": _MARK, "D": _DIGIT, "S": _SYMBOL, "_": _NOTHING}

# Characters with a meaning of their own, as "representative: members".
_SPECIAL_CHARACTERS = {
    " ": "\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029",
    "\t": "\t",
    "\u00a0": "\u00a0",
    _THIN_SPACE: (
        "\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
    ),
    "\u00ad": "\u00ad",
    _SUPERSCRIPT: "\u00b2\u00b3\u00b9\u2070\u2074\u2075\u2076\u2077\u2078\u2079",
    _SUBSCRIPT: "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089",
    _DASH: "\x96\x97\u2013\u2014\u2015",
    _HYPHEN: "\u2010\u2011\u058a",
    _OPENING: "\x91\u2018\u201b",
    _CLOSING: "\x92\u2019",
    _QUOTE: "\x93\x94\u00ab\u00bb\u201c\u201d\u2039\u203a",
    _EURO: "\x80\u00a4\u20a0\u20ac",
    "\u066b": "\u066b\u066c",
    **{itself: itself for itself in "\u00a2\u00a3\u00bc\u00bd\u00be\u2153\u2154\u2044\u2026\u3001"},
    **{itself: itself for itself in "\u201a\u201e\u201f"},
}


def lex(text: str) -> list[str]:
    """Split a caption into tokens, in lower case and without punctuation."""
    tokens = [token for token in _Lexer(text).tokens() if token]
    if tokens and text.rstrip().lower().endswith(last := tokens[-1].rstrip()):
        tokens[-1] = last  # an address may end in a space, but the toolkit strips each line
    return [token for token in tokens if token and token not in PUNCTUATION]


class _Lexer:
    """Lexer of one caption."""

    def __init__(self, text: str) -> None:
        self._text = text
        # A space at the end stands for the end of the line, which some rules look ahead to.
        self._shape = _to_character_classes(text) + " "
        self._runs = Runs(self._shape)
        self._last_angle = self._shape.rfind(">")
        # Most captions hold no address at all: then none is looked for.
        self._has_email = "@" in self._shape
        self._has_site = SITE_END.search(self._shape) is not None

    def tokens(self) -> Iterator[str]:
        """Yield the tokens in order; dropped text is an empty token."""
        shape, length = self._shape, len(self._text)
        position = 0
        while position < length:
            pair = _PAIRS.get(shape[position : position + 2])
            if pair is not None:
                yield pair
                position += 2
                continue
            blanks = _WHITE_RUN.match(self._text, position) if shape[position] in " \t" else None
            if blanks is not None:
                position = blanks.end()
                continue
            rules = RULES_BY_FIRST.get(shape[position], ())
            if shape[position] == "&" and shape[position + 1] not in _AFTER_ENTITY_SIGN:
                rules = rules[-1:]  # no entity: only the sign itself
            end, form, middle = self._longest_match(position, rules)
            if end == position:
                yield SPELLED_OUT.get(shape[position], "")
                position += 1
                continue
            if form is Form.IN_TWO:
                yield self._text[position:middle].lower()
                position = middle
            yield _spell(self._text[position:end], form).lower()
            position = end

    def _longest_match(self, start: int, rules: tuple[Rule, ...]) -> tuple[int, Form, int]:
        """Return the end and the form of the longest match, and where to split it in two."""
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
        """Yield reach, end and form of the matches that need more than a pattern."""
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
            (lowered in _SPELLED.CAPITALISED_ABBREVIATIONS and word[0].islower())
            or (lowered in _SPELLED.NEVER_ALL_CAPITALS and word.isupper())
        ):
            if lowered in _SPELLED.SENTENCE_FINAL_ABBREVIATIONS:
                yield end + 2, end, Form.AS_IS  # a sentence may end: it looks ahead
            elif lowered in _SPELLED.OTHER_ABBREVIATIONS:
                yield end, end, Form.AS_IS
        if lowered in _SPELLED.ABBREVIATIONS_BEFORE_NUMBERS:
            number = NUMBER_AHEAD.match(self._shape, end)
            if number:
                yield number.end(), end, Form.AS_IS


def _spell(text: str, form: Form) -> str:
    """Return the token's spelling, before lower-casing."""
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


class _CharacterClasses(dict[int, str]):
    """Table for `str.translate` from characters to classes, filled on demand."""

    def __init__(self) -> None:
        super().__init__({code: chr(code) for code in range(0x20, 0x7F)})
        self.update(
            (ord(member), representative)
            for representative, members in _SPECIAL_CHARACTERS.items()
            for member in members
        )
        self._starts: list[int] = []
        self._classes = ""

    def __missing__(self, code: int) -> str:
        if not self._starts:
            self._read_runs()
        place = bisect_right(self._starts, code) - 1
        known = place >= 0 and code <= 0xFFFF
        representative = _CLASS_BY_CODE[self._classes[place]] if known else _NOTHING
        self[code] = representative
        return representative

    def _read_runs(self) -> None:
        runs = _RUN.findall(_RUNS)
        lengths = [int(length, 36) for _, length in runs]
        self._classes = "".join(code for code, _ in runs)
        self._starts = list(accumulate(lengths[:-1], initial=_FIRST_LISTED))


_CHARACTER_CLASSES = _CharacterClasses()


def _to_character_classes(text: str) -> str:
    """Return the text with each character replaced by the representative of its class."""
    return text if text.isascii() and text.isprintable() else text.translate(_CHARACTER_CLASSES)
