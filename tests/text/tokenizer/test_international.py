"""Tokenizers for any language: kept tokens, and sacrebleu's beside them."""

# ruff: noqa: RUF001 - letters of many scripts look alike

from __future__ import annotations

import unicodedata

import pytest

import captious
from captious.text.analysis import TOKENIZERS
from captious.text.tokenizer.international import _has_content

SENTENCES = [
    "Ein Hund läuft über die Wiese (3,5 Kilometer!), dann – endlich – schläft er.",
    "L'été, deux enfants jouent près d'une fontaine ; il fait 35,5 °C.",
    "¿Quién monta a caballo? Un niño de 10 años, ¡y su perro!",
    "Um homem segura uma prancha de surfe amarela na praia às 10:30.",
    "Собака бежит по траве, а кошка спит на диване.",
    "İstanbul'da İki ADAM köprünün altında balık tutuyor...",
    "一只棕色的狗在草地上奔跑，后面有两个人。",
    "二〇二六年，一个穿红色T恤的男人（约30岁）在骑自行车。",
    "犬が公園のベンチの上で寝ています。",
    "개 한 마리가 풀밭에서 뛰고 있다.",
    "สุนัขสีน้ำตาลวิ่งอยู่บนสนามหญ้า",
    "कुत्ता घास पर दौड़ रहा है।",
    "كلب بني يركض على العشب، وقطة نائمة.",
    "A sign that says 50% off & #1 @ $5.00 + tax",
    "Zwei Männer 1.000.000 mal; 5. Platz",
    "Rated !@0, ((5) and !!!7: 'it's' a t-shirt -- 3-4 .,5 5:30/6",
    "\U00020000\U00020001 𠮷野家 ＡＢ１．５ ①② ㄅㄆ 3–5 Ⅷ→℃ “T恤”…鿃鿄",
]
CUTS = {
    ("intl", SENTENCES[0]): "ein hund läuft über die wiese 3,5 kilometer dann endlich schläft er",
    ("intl", SENTENCES[1]): "l été deux enfants jouent près d une fontaine il fait 35,5 ° c",
    ("intl", "Schild: 50% & #1 @ $5.00 + x"): "schild 50 % & # 1 @ $ 5.00 + x",
    ("intl", "Bus Nummer 5."): "bus nummer 5",
    ("intl", "bus .5 5. e\u0301te\u0301"): "bus 5 5 été",
    ("intl", "\U0001f436\ufe0f a\u200bb ... \u2014"): "\U0001f436 a\u200bb",
    ("zh", SENTENCES[6]): "一 只 棕 色 的 狗 在 草 地 上 奔 跑 后 面 有 两 个 人",
    ("zh", "穿红色T恤(2.5米)的人"): "穿 红 色 t 恤 2.5 米 的 人",
    ("zh", "二〇二六年"): "二 〇 二 六 年",
    ("intl", "!@0 !!@0 a@0"): "@0 @ 0 a @ 0",
    ("zh", "\U00020000\U00020001狗 ＡＢ１．５ 3–5"): "\U00020000\U00020001 狗 ａ ｂ １ ５ 3 5",
    ("zh", "it's a t-shirt (3-4)"): "it's a t-shirt 3 4",
    ("char", "犬がA 2。"): "犬 が a 2",
    ("char", "น้ำ"): "น ้ ำ",
    ("whitespace", "A b."): "A b.",
    ("ptb", "A b."): "a b.",
}


def tokens(tokenizer: str, caption: str) -> list[str]:
    return TOKENIZERS[tokenizer]([caption]).words()[0]


@pytest.mark.parametrize(("tokenizer", "caption"), CUTS)
def test_stored_tokens(tokenizer: str, caption: str) -> None:
    assert tokens(tokenizer, caption) == CUTS[tokenizer, caption].split(" ")


@pytest.mark.parametrize("tokenizer", ["intl", "char", "zh"])
@pytest.mark.parametrize("caption", ["", " \t\n", "...", "\u3002", "\ufe0f\u200d", "\ud800", "\0"])
def test_captions_without_content_have_no_tokens(tokenizer: str, caption: str) -> None:
    assert tokens(tokenizer, caption) == []


@pytest.mark.parametrize("tokenizer", ["intl", "char", "zh"])
def test_captions_do_not_influence_one_another(tokenizer: str) -> None:
    together = TOKENIZERS[tokenizer](SENTENCES).words()
    assert together == [tokens(tokenizer, sentence) for sentence in SENTENCES]


@pytest.mark.parametrize("name", ["intl", "char", "zh"])
def test_words_match_sacrebleu_in_lower_case_without_punctuation(name: str) -> None:
    tokenizers = pytest.importorskip("sacrebleu.metrics.bleu")
    theirs = tokenizers._get_tokenizer(name)()
    for sentence in SENTENCES:
        # At the ends of a line sacrebleu leaves punctuation in its number; hence two words more.
        lower = f"a {unicodedata.normalize('NFC', sentence.lower())} a"
        expected = [word for word in theirs(lower).split()[1:-1] if _has_content(word)]
        assert tokens(name, sentence) == expected, sentence


def test_chinese_is_scored_by_its_characters() -> None:
    # BLEU-1 by hand: 7 of 8 characters, references of 9 and 7: the nearer one is shorter.
    result = captious.score(
        ["一只狗在草地上跑"], [["一只狗在草地上奔走", "狗在草地上跑"]], "bleu_1", language="zh"
    )
    assert result.corpus["bleu_1"] == pytest.approx(8 / 8 * 2.718281828459045 ** (1 - 9 / 8), 1e-6)
    assert "|tokenizer:zh|language:zh|" in result.signature


@pytest.mark.parametrize(("language", "tokenizer"), [("de", "intl"), ("zh", "zh"), ("ja", "char")])
def test_bleu_matches_sacrebleu(language: str, tokenizer: str) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    candidates, references = {
        "de": (
            ["Ein brauner Hund läuft über eine grüne Wiese", "Zwei Männer reiten durch den Wald"],
            [
                "Ein Hund läuft über eine grüne Wiese am See",
                "Zwei Männer reiten langsam durch Wald",
            ],
        ),
        "zh": (
            ["一只棕色的狗在草地上奔跑", "两个人骑马"],
            ["一只狗在草地上奔跑着", "两个人在骑马"],
        ),
        "ja": (["犬が公園のベンチで寝ています"], ["茶色の犬が公園のベンチの上で寝ています"]),
    }[language]
    ours = captious.score(candidates, [[each] for each in references], "bleu", language=language)
    theirs = sacrebleu.corpus_bleu(candidates, [references], tokenize=tokenizer, lowercase=True)
    assert 0 < theirs.score < 100
    assert 100 * ours.corpus["bleu_4"] == pytest.approx(theirs.score, rel=1e-6)
