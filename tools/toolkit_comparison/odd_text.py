"""Made-up captions with everything that text can hold, as large models and careless files do."""

# ruff: noqa: RUF001 - look-alike characters are part of what is tried

from __future__ import annotations

import numpy as np

_PLAIN = """a a a the of on in is are with man woman people dog dogs cat plate table red large two
    standing sitting next to street holding playing quickly children's don't it's they're""".split()

# Pieces that are joined to words, with or without a blank.
_PIECES = (
    # numbers, units, times, amounts
    *("1", "12", "3.5", "1,000", "1/2", "4 1/2", "10%", "$5.99", "€20", "£7", "#1", "2nd", "1990s"),
    *("'90s", "5'10\"", "12:30", "3-4", "-7", "+1", "555-123-4567", "(02) 1234 5678", "1e-9"),
    # abbreviations, names, clitics
    *("U.S.", "a.m.", "St.", "Mr.", "No. 5", "etc.", "e.g.", "i.e.", "Ph.D.", "J. K.", "vs."),
    *("can't", "CANNOT", "gonna", "y'all", "o'clock", "rock 'n' roll", "the dogs' bowls", "AT&T"),
    # markup
    *(
        "**bold**",
        "*it*",
        "__x__",
        "# Title",
        "## 2. Part",
        "- item",
        "* item",
        "1. item",
        "> said",
    ),
    *(
        "`code`",
        "```",
        "[link](http://a.b/c)",
        "<b>",
        "</b>",
        "<br/>",
        "<!-- x -->",
        "&amp;",
        "&lt;",
    ),
    *("&nbsp;", "| a | b |", "|---|", "\\n", "\\u00e9", "{json: 1}", "$x^2$", "~~no~~", "==hl=="),
    # addresses and file names
    *(
        "http://example.com/a?b=c&d=e",
        "https://x.org",
        "www.example.com/",
        "example.com",
        "a@b.com",
    ),
    *("@someone", "#hashtag", "image_01.jpg", "C:\\dir\\x.png", "/usr/bin"),
    # quotation marks, dashes, dots
    *("“quoted”", "‘single’", '"straight"', "''two''", "``open", "«guillemets»", "it’s", "—", "–"),
    *(
        "--",
        "---",
        "...",
        "…",
        "....",
        "?!",
        "!!!",
        "?",
        ";",
        ":",
        ",",
        ",,",
        "(",
        ")",
        "[x]",
        "{y}",
    ),
    *(
        "t-shirt",
        "left/right",
        "black-and-white",
        "and/or",
        "-lrb-",
        "a-b-c-d",
        "x_y",
        ".",
        "'",
        "`",
    ),
    # scripts, symbols, emoji
    *(
        "café",
        "naïve",
        "Zürich",
        "œuvre",
        "İstanbul",
        "ǅ",
        "ﬁre",
        "Ελλάδα",
        "Привет",
        "мир",
        "שלום",
    ),
    *(
        "עולם",
        "مرحبا",
        "العالم",
        "हिन्दी",
        "ไทย",
        "你好",
        "世界",
        "日本語",
        "カタカナ",
        "한국어",
        "ａｂｃ",
    ),
    *(
        "１２３",
        "½",
        "²",
        "x²",
        "H₂O",
        "°C",
        "20°",
        "©",
        "™",
        "→",
        "•",
        "★",
        "😀",
        "👩‍👩‍👧",
        "🇩🇪",
        "❤️",
        "𝒳",
    ),
    # what can't be seen
    *("\u200b", "\u200d", "\u200e", "\u202b", "\ufeff", "\u00ad", "\u0301", "\u00a0", "\u2003"),
    *("\t", "\x01", "\x07", "\x1b[0m", "\x7f", "\x80", "\x92", "\u3000", "\ufffd", "\ue000"),
    # METEOR's own words
    *("DOTMULTI", "DOTDOTMULTI.", "dotmulti"),
)
_LONG_WORD = 300


def odd_captions(generator: np.random.Generator, count: int) -> list[str]:
    """Some captions that share pieces, so that there is something to match."""
    size = int(generator.integers(1, 30))
    shared = [_draw_piece(generator) for _ in range(size)]
    captions = []
    for _ in range(count):
        pieces = [
            shared[int(generator.integers(size))]
            if generator.random() < 0.7
            else _draw_piece(generator)
            for _ in range(int(generator.integers(0, 2 * size + 1)))
        ]
        captions.append(_join_pieces(pieces, generator))
    return captions


def _draw_piece(generator: np.random.Generator) -> str:
    kind = generator.random()
    if kind < 0.45:
        return str(generator.choice(_PLAIN))
    if kind < 0.95:
        return _PIECES[int(generator.integers(len(_PIECES)))]
    if kind < 0.96:
        letters = generator.integers(ord("a"), ord("z") + 1, int(generator.integers(1, _LONG_WORD)))
        return "".join(map(chr, letters.tolist()))
    # Any characters of the first plane, without the halves of pairs, which no file can hold.
    codes = generator.integers(0x20, 0xFFFE, int(generator.integers(1, 4))).tolist()
    return "".join(chr(code) for code in codes if not 0xD800 <= code < 0xE000)


def _join_pieces(pieces: list[str], generator: np.random.Generator) -> str:
    parts = []
    for piece in pieces:
        parts.append(piece)
        place = generator.random()
        parts.append("" if place < 0.12 else "  " if place < 0.15 else " ")
    return "".join(parts)
