"""Language codes, and the default tokenizer of each language."""

from __future__ import annotations

import re

from captious.errors import InputError, short_repr

ENGLISH = "en"
# Every other language is split at spaces, punctuation and symbols.
TOKENIZERS_BY_LANGUAGE = {
    ENGLISH: "ptb",
    "zh": "zh",
    **dict.fromkeys(("ja", "th", "lo", "km", "my", "bo", "dz"), "char"),  # no spaces between words
}
DEFAULT_TOKENIZER = "intl"
# ISO 639-1. Of the thousands of codes of three letters any is taken.
CODES = frozenset(
    """aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
    de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
    ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln
    lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi
    pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
    tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu""".split()
)
# Languages whose tokenizer is not the usual one, by their codes of three letters.
CODES_OF_THREE_LETTERS = {
    **dict.fromkeys(("zho", "chi", "cmn"), "zh"),
    **dict.fromkeys(("mya", "bur"), "my"),
    **dict.fromkeys(("bod", "tib"), "bo"),
    "eng": ENGLISH,
    "jpn": "ja",
    "tha": "th",
    "lao": "lo",
    "khm": "km",
    "dzo": "dz",
}
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8}){0,3}", re.ASCII)


def language_code(language: str) -> str:
    """Return the base code of a language: `de` for `de`, `DE` or `de-AT`."""
    code = _CODE.fullmatch(language.lower()) if isinstance(language, str) else None
    base = "" if code is None else CODES_OF_THREE_LETTERS.get(code[1], code[1])
    if (len(base) == 2 and base not in CODES) or not base:
        raise InputError(
            f"unknown language {short_repr(language)}; give its code of ISO 639, such as en, de, "
            "fr or zh"
        )
    return base


def tokenizer_for(language: str, tokenizer: str | None = None) -> str:
    """Return a tokenizer if named, else the default of the language."""
    return (
        TOKENIZERS_BY_LANGUAGE.get(language, DEFAULT_TOKENIZER) if tokenizer is None else tokenizer
    )
