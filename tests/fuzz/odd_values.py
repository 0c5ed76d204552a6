"""Values that programs stumble over: numbers, texts, and documents of them."""

from __future__ import annotations

from random import Random
from typing import Any

NUMBERS: tuple[Any, ...] = (
    0, 1, -1, 2, 3, 7, 255, 256, -128, 65535, 65536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53,
    2**63 - 1, 2**63, -(2**63), 2**64, 10**30, 10**400, 0.0, -0.0, 0.5, 1.5, -0.5, 1e-9, 1e-320,
    1e15, 1e150, 1e151, 1e300, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
TEXTS: tuple[str, ...] = (
    "", " ", "\t", "\n", "\r\n", "a\nb", "\x00", "a\x00b", "\x1b[31m", "\x7f", "\x85",
    "\u2028\u2029", "\ufeff", "\ufffe", "\ud800", "\udfff\ud800", "\U0010ffff", "é", "e\u0301",
    "\u0301"* 40, "ﬁ", "ß", "İ", "\u0131", "🙂", "👩‍👩‍👧‍👦", "🏳️‍🌈",
    "שלום עולם", "مرحبا", "\u202eabc", "中文字", "日本語の文", "ไทย",
    "हिन्दी", "zero\u200bwidth", "non\u00a0breaking", "0", "-1", "1e999", "nan", "inf",
    "NaN", "null", "None", "true", "[]", "{}", '["a"]', "'", '"', "`", "''", "``", "-LRB-", "-LSB-",
    "<unk>", "<s>", "&amp;", "<b>", "\\", "\\n", "%s", "%d", "{0}", "{}", "$(true)", "../..", "/",
    "//", ".", "..", "...", ". .", "!!!", "?!", "-", "--", "---", "--help", "-h", "@", "#", "a#b",
    "1,000", "3.14", "1/2", "$5", "50%", "u.s.", "U.S.A.", "cat's", "can't", "cannot", "gonna",
    "o'clock", "t-shirt", "mother-in-law", "a", "the", "a a a a a a a a a a a a", "dog dog dog dog",
    "of of of of", "A DOG", "x"* 300, "word "* 60, ". "* 40, "( "* 30, "a"* 5000,
    "a dog runs on the beach",
)  # fmt: skip
WORDS = (
    "a the dog cat man woman two red brown small runs sits sitting on in with and of to beach "
    "grass street bench dogs cat's t-shirt u.s. 3 , . ! ? ( ) ' `` é is was not there while behind"
).split()


def number(random: Random) -> Any:
    """A number, often an odd one."""
    return random.choice(NUMBERS) if random.random() < 0.8 else random.randint(-1000, 1000)


def text(random: Random) -> str:
    """A text: odd, or of usual words, or of letters from anywhere."""
    chance = random.random()
    if chance < 0.45:
        return random.choice(TEXTS)
    if chance < 0.75:
        return " ".join(random.choices(WORDS, k=random.randint(0, 14)))
    if chance < 0.9:
        return "".join(map(chr, random.choices(LETTERS, k=random.randint(1, 20))))
    return " ".join(
        random.choice(TEXTS) if random.random() < 0.4 else random.choice(WORDS)
        for _ in range(random.randint(1, 10))
    )


# Some of every kind of letter: ASCII and its controls, accents that combine, scripts, emoji.
LETTERS = (
    *range(0x180), *range(0x300, 0x345), *range(0x5D0, 0x5EB), *range(0x660, 0x66A),
    *range(0x2000, 0x2070), *range(0x4E00, 0x4E20), *range(0xD800, 0xD808), *range(0xFE00, 0xFE10),
    *range(0xFF00, 0xFF20), *range(0x1F600, 0x1F610), *range(0xE0000, 0xE0010),
)  # fmt: skip


def value(random: Random, depth: int = 0) -> Any:
    """A value that JSON knows (and NaN, which its parsers take, too)."""
    chance = random.random()
    if chance < 0.3:
        return number(random)
    if chance < 0.65:
        return text(random)
    if chance < 0.8 or depth > 2:
        return random.choice((None, True, False, [], {}, [[]], [None], {"": None}))
    if chance < 0.9:
        return [value(random, depth + 1) for _ in range(random.randint(0, 3))]
    return {text(random): value(random, depth + 1) for _ in range(random.randint(0, 3))}
