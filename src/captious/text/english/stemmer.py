"""English stems by the Porter2 algorithm, in the edition that METEOR 1.5 carries.

Snowball has changed its English stemmer since (exceptions and suffixes were added), and a stem that
differs changes METEOR's matches: hence an implementation of that edition's published rules here.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_SPECIAL = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
    **{word: word for word in ["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"]},
}
_FINISHED = frozenset(
    ["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"]
)
_REGION_PREFIXES = ("gener", "commun", "arsen")
_DOUBLES = frozenset(["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"])
_BEFORE_LI = frozenset("cdeghkmnrt")

# What a suffix turns into, if it lies behind the first region's start.
_STEP_2 = dict(
    rule.split(">")
    for rule in """tional>tion enci>ence anci>ance abli>able entli>ent izer>ize ization>ize
    ational>ate ation>ate ator>ate alism>al aliti>al alli>al fulness>ful ousli>ous ousness>ous
    iveness>ive iviti>ive biliti>ble bli>ble ogi>og fulli>ful lessli>less li>""".split()
)
_STEP_3 = dict(
    rule.split(">")
    for rule in """tional>tion ational>ate alize>al icate>ic iciti>ic ical>ic ful> ness>
    ative>""".split()
)
_STEP_4 = frozenset(
    "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split()
)


def stem(word: str) -> str:
    """The stem of a lower-case English word."""
    if len(word) < 3:
        return word
    if word in _SPECIAL:
        return _SPECIAL[word]
    word = _mark_consonant_y(word.removeprefix("'"))
    first, second = _regions(word)
    word = _plural(_possessive(word))
    if word not in _FINISHED:
        word = _past_and_gerund(word, first)
        if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
            word = word[:-1] + "i"
        word = _derivation(word, first)
        word = _adjective(word, first, second)
        word = _residue(word, second)
        word = _final_letter(word, first, second)
    return word.replace("Y", "y")


def _mark_consonant_y(word: str) -> str:
    """Write Y for a y that is no vowel: at the start, or after a vowel."""
    if "y" not in word:
        return word
    letters = list(word)
    for position, letter in enumerate(letters):
        if letter == "y" and (position == 0 or letters[position - 1] in _VOWELS):
            letters[position] = "Y"
    return "".join(letters)


def _regions(word: str) -> tuple[int, int]:
    """Where the regions begin in which most suffixes must lie."""
    for prefix in _REGION_PREFIXES:
        if word.startswith(prefix):
            first = len(prefix)
            break
    else:
        first = _after_vowel_and_consonant(word, 0)
    return first, _after_vowel_and_consonant(word, first)


def _after_vowel_and_consonant(word: str, start: int) -> int:
    for position in range(start + 1, len(word)):
        if word[position] not in _VOWELS and word[position - 1] in _VOWELS:
            return position + 1
    return len(word)


def _longest_suffix(word: str, suffixes: frozenset[str] | dict[str, str], longest: int) -> str:
    for size in range(min(longest, len(word)), 0, -1):
        if word[-size:] in suffixes:
            return word[-size:]
    return ""


def _ends_in_short_syllable(word: str) -> bool:
    if len(word) < 2 or word[-1] in _VOWELS or word[-2] not in _VOWELS:
        return False
    return len(word) == 2 or (word[-1] not in "wxY" and word[-3] not in _VOWELS)


def _has_vowel(part: str) -> bool:
    return not _VOWELS.isdisjoint(part)


def _possessive(word: str) -> str:
    for suffix in ("'s'", "'s", "'"):
        if word.endswith(suffix):
            return word[: -len(suffix)]
    return word


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _past_and_gerund(word: str, first: int) -> str:
    for suffix in ("eedly", "eed"):
        if word.endswith(suffix):
            start = len(word) - len(suffix)
            return word[:start] + "ee" if start >= first else word
    for suffix in ("ingly", "edly", "ing", "ed"):
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            if not _has_vowel(rest):
                return word
            if rest.endswith(("at", "bl", "iz")):
                return rest + "e"
            if rest[-2:] in _DOUBLES:
                return rest[:-1]
            if len(rest) == first and _ends_in_short_syllable(rest):
                return rest + "e"
            return rest
    return word


def _derivation(word: str, first: int) -> str:
    suffix = _longest_suffix(word, _STEP_2, 7)
    rest = word[: len(word) - len(suffix)]
    if (
        not suffix
        or len(rest) < first
        or (suffix == "ogi" and not rest.endswith("l"))
        or (suffix == "li" and rest[-1:] not in _BEFORE_LI)
    ):
        return word
    return rest + _STEP_2[suffix]


def _adjective(word: str, first: int, second: int) -> str:
    suffix = _longest_suffix(word, _STEP_3, 7)
    rest = word[: len(word) - len(suffix)]
    if not suffix or len(rest) < (second if suffix == "ative" else first):
        return word
    return rest + _STEP_3[suffix]


def _residue(word: str, second: int) -> str:
    suffix = _longest_suffix(word, _STEP_4, 5)
    rest = word[: len(word) - len(suffix)]
    if len(rest) < second or (suffix == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest


def _final_letter(word: str, first: int, second: int) -> str:
    rest = word[:-1]
    if word.endswith("e"):
        in_reach = len(rest) >= second or (len(rest) >= first and not _ends_in_short_syllable(rest))
        return rest if in_reach else word
    if word.endswith("ll") and len(rest) >= second:
        return rest
    return word
