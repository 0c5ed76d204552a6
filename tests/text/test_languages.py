"""Codes of languages, and the tokenizer of each."""

from __future__ import annotations

from typing import Any

import pytest

from captious.errors import InputError
from captious.text.analysis import TOKENIZERS
from captious.text.languages import CODES, TOKENIZERS_BY_LANGUAGE, language_code, tokenizer_for


@pytest.mark.parametrize(
    ("given", "code"),
    [("de", "de"), ("DE", "de"), ("pt-BR", "pt"), ("zh_Hant_TW", "zh"), ("eng", "en"),
     ("fil", "fil"), ("jpn", "ja")],
)  # fmt: skip
def test_language_codes_are_recognized(given: str, code: str) -> None:
    assert language_code(given) == code


@pytest.mark.parametrize("given", ["", "german", "xx", "d", "de-", "d\u0435", None, 3, "en\n"])
def test_invalid_language_codes_are_errors(given: Any) -> None:
    with pytest.raises(InputError, match="ISO 639"):
        language_code(given)


def test_every_language_has_a_tokenizer() -> None:
    assert set(TOKENIZERS_BY_LANGUAGE) <= CODES
    assert {tokenizer_for(code) for code in CODES} == {"ptb", "zh", "char", "intl"}
    assert {tokenizer_for(code) for code in CODES} <= set(TOKENIZERS)
    assert tokenizer_for("zh", "char") == "char"
