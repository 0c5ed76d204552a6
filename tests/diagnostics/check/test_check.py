"""What a check finds in captions made for it, and that it finds nothing in ordinary ones."""

from __future__ import annotations

import json
import math
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

import captious
from captious.diagnostics.check import kinds
from captious.diagnostics.check.catalogue import CHECKS
from captious.diagnostics.check.findings import MAX_EXAMPLE_CHARS, SEVERITIES, format_percent, grade
from captious.errors import InputError
from captious.io.output_tables import FORMATS

ANIMALS = ["dog", "cat", "horse", "cow", "sheep", "bird", "bear", "zebra", "giraffe", "elephant"]
PLACES = ["a bench", "the grass", "a beach", "the street", "a hill", "a couch", "the snow",
          "a field", "the road", "a boat", "a table", "the sand"]  # fmt: skip
SCENES = [(animal, place) for animal in ANIMALS for place in PLACES]
CANDIDATES = [f"a {animal} is sitting on {place}" for animal, place in SCENES]
REFERENCES = [
    [f"a brown {animal} sits on {place}", f"one {animal} rests down on {place} today"]
    for animal, place in SCENES
]
N = len(SCENES)


def names(candidates: Any, references: Any = REFERENCES, **options: Any) -> list[str]:
    return [finding.name for finding in captious.check(candidates, references, **options)]


def test_ordinary_captions_have_no_findings() -> None:
    findings = captious.check(CANDIDATES, REFERENCES)
    assert not findings.found
    assert repr(findings) == "<Findings: nothing found>"
    assert findings.gravest is None
    assert "nothing found" in str(findings)
    assert findings.facts["samples"] == N and findings.facts["references"] == 2 * N


def test_length_reports_share_left_by_penalty() -> None:
    longer = [
        f"{caption} and it seems to be waiting there for somebody else to come back home"
        for caption in CANDIDATES
    ]
    assert {len(caption.split()) for caption in longer} == {21}
    finding = captious.check(longer, REFERENCES)["length"]
    kept = [
        sum(
            math.exp(-((len(caption.split()) - len(reference.split())) ** 2) / 72)
            for reference in references
        )
        / 2
        for caption, references in zip(longer, REFERENCES, strict=True)
    ]
    assert finding.figures["kept"] == pytest.approx(sum(kept) / N)
    assert finding.severity == "grave"
    assert finding.count == N and finding.share == 1
    assert [example.id for example in finding.examples] == [0, 1, 2]
    shorter = captious.check(["dog"] * 30, [[" ".join(["a dog runs"] * 4)]] * 30)["length"]
    assert "brevity" in shorter.advice


def test_length_penalty_equals_that_of_cider_d() -> None:
    """What is left of CIDEr-D is what the metric itself leaves, were there no penalty."""
    longer = [f"{caption} over there in the sun" for caption in CANDIDATES]
    kept = captious.check(longer, [[r[0]] for r in REFERENCES]).facts["kept"]
    pair = [[r[0]] for r in REFERENCES]
    with_penalty, without = (
        captious.score(longer, pair, f"cider_d(sigma={sigma})").samples["cider_d"]
        for sigma in (6, 1e6)
    )
    assert (with_penalty / without).mean() == pytest.approx(kept)


@pytest.mark.parametrize(
    ("change", "name", "severity"),
    [
        ("The image shows {}.", "openings", "grave"),
        ("In this picture, {}", "openings", "grave"),
        ("Sure, here is: {}", "answers", "grave"),
        ("I'm sorry, but I can't see {}", "answers", "grave"),
        ("**{}**", "markup", "grave"),
        ("- {}", "markup", "grave"),
        ("1. {}", "markup", "grave"),
        ("{}</s>", "markup", "grave"),
        ("{} UNK", "markup", "grave"),
        ("{}\nyes", "markup", "grave"),
        ('["{}"]', "markup", "grave"),
        ("{} &amp; more", "markup", "grave"),
        ("{} with a", "cut_off", "grave"),
        ("{}. It is warm. The sky is", "cut_off", "grave"),
        ("{} in a caf\u00c3\u00a9", "damage", "grave"),
        ("{} \u00e2\u20ac\u2122", "damage", "grave"),
        ("{} neben Wiese", "language", None),  # most words are English still
        ("{} grünen Wiese neben dem großen braunen Baum sitzend", "language", "grave"),
    ],
)
def test_problem_of_every_caption_is_found(change: str, name: str, severity: str | None) -> None:
    findings = captious.check([change.format(caption) for caption in CANDIDATES], REFERENCES)
    if severity is None:
        assert name not in findings
    else:
        assert findings[name].severity == severity
        assert findings[name].count == N
        assert findings[name].examples


@pytest.mark.parametrize(
    "ending",
    [
        "On it are:\n- A lamp\n- A book",
        "On it are: - A lamp - A book",
        "It is warm. - A lamp - A book",
        "It is warm.\n\n* A lamp\n* A book",
        "1. A lamp 2. A book",
        "It is warm.\n1. A lamp\n2. A book",
        "It is warm.\n\u2013 A lamp\n\u2013 A book",
        "It is warm.\na) A lamp\nb) A book",
    ],
)
def test_last_item_of_a_list_is_not_cut_off(ending: str) -> None:
    captions = [f"{caption}. There is a desk. {ending}" for caption in CANDIDATES]
    assert "cut_off" not in captious.check(captions, REFERENCES)
    cut = captious.check([f"{caption} on a" for caption in captions], REFERENCES)["cut_off"]
    assert cut.count == N


@pytest.mark.parametrize(
    "ending",
    [
        "On it: - A lamp - A book. The man holds a red umb",
        "The door has number 5. The other has number 12. The man walks over and hol",
        "- A lamp. - A book. The man walks over and hol",
    ],
)
def test_a_sentence_after_a_list_or_a_number_can_be_cut_off(ending: str) -> None:
    captions = [f"{caption}. There is a desk. {ending}" for caption in CANDIDATES]
    assert captious.check(captions, REFERENCES)["cut_off"].count == N


@pytest.mark.parametrize("mark", ["**warm**", "<b>warm</b>", "&amp;", "`code`", "[SEP]"])
def test_examples_of_markup_show_the_markup(mark: str) -> None:
    captions = [f"{caption} {'and so on ' * 20}{mark}{' and on' * 20}" for caption in CANDIDATES]
    for example in captious.check(captions, REFERENCES)["markup"].examples:
        assert mark in example.text
        assert example.text.startswith("...") and len(example.text) <= 100


def test_examples_of_several_lines_show_the_line_break() -> None:
    captions = [f"{caption}\n\n- {caption}" for caption in CANDIDATES]
    for example in captious.check(captions, REFERENCES)["markup"].examples:
        assert r"\n- " in example.text


def test_unknown_words_of_references_are_not_counted() -> None:
    candidates = [f"{caption} zyzzxq" for caption in CANDIDATES]
    said = [[*several[:1], f"{several[0]} zyzzxq"] for several in REFERENCES]
    found = captious.check(candidates, REFERENCES)["unknown_words"]
    assert found.count == N and "references" in found.what
    assert "unknown_words" not in captious.check(candidates, said)
    plural = [caption.replace("zyzzxq", "zyzzxqs") for caption in candidates]
    assert "unknown_words" not in captious.check(plural, said)


@pytest.mark.parametrize("change", ["**{}**", "Sure, here is: {}", "The image shows {}"])
def test_severity_falls_with_share(change: str) -> None:
    some = [change.format(CANDIDATES[0]), *CANDIDATES[1:]]
    findings = captious.check(some, REFERENCES)
    assert not findings.grave


def test_openings_of_references_are_not_reported() -> None:
    opened = [f"A photo of {caption}" for caption in CANDIDATES]
    references = [[f"A photo of {caption}" for caption in several] for several in REFERENCES]
    assert "openings" in names(opened)
    assert "openings" not in names(opened, references)


def test_copies() -> None:
    copied = [f"{references[1].upper()}!" for references in REFERENCES]
    assert captious.check(copied, REFERENCES)["copies"].count == N
    a_tenth = [copied[row] if row % 10 == 0 else CANDIDATES[row] for row in range(N)]
    assert "copies" not in names(a_tenth)


def test_repeated_captions() -> None:
    third = [CANDIDATES[0] if row < N // 3 else CANDIDATES[row] for row in range(N)]
    finding = captious.check(third, REFERENCES)["repeats"]
    assert (finding.count, finding.total, finding.severity) == (N // 3, N, "grave")
    assert finding.examples[0].text == f"{N // 3} times: {CANDIDATES[0]}"
    assert "repeats" not in names(["a dog"] * 5, REFERENCES[:5])


def test_empty_captions() -> None:
    finding = captious.check(["", " ", "...", *CANDIDATES[3:]], REFERENCES)["empty"]
    assert (finding.count, finding.severity) == (3, "notable")
    assert captious.check([""] * N, REFERENCES)["empty"].severity == "grave"


def test_empty_references() -> None:
    blank = [["", " ", "...", *REFERENCES[0]], [".", "?"], *REFERENCES[2:]]
    finding = captious.check(CANDIDATES, blank)["empty_references"]
    assert (finding.count, finding.total, finding.severity) == (5, 2 * N + 3, "notable")
    assert [(example.id, example.text) for example in finding.examples] == [
        (0, "(nothing)"),
        (0, "(nothing)"),
        (0, "..."),
    ]
    assert finding.figures["images"] == 1 and "1 image with no other" in finding.what
    half = captious.check(CANDIDATES, [[*several[:1], ""] for several in REFERENCES])
    assert half["empty_references"].severity == "grave"
    assert half["empty_references"].figures["images"] == 0
    # What a finding says of CIDEr is what CIDEr does.
    scored = [
        captious.score(CANDIDATES, references, "cider_d,rouge_l").corpus
        for references in (REFERENCES, [[*several, "!", " "] for several in REFERENCES])
    ]
    assert scored[1]["cider_d"] == pytest.approx(scored[0]["cider_d"] / 2)
    assert scored[1]["rouge_l"] == scored[0]["rouge_l"]


def test_empty_references_are_counted_once_an_image() -> None:
    candidates = {0: "a dog", 1: "a cat"}
    finding = captious.check(candidates, {0: ["a dog", ""], 1: ["a cat"], 2: ["", ""]})
    assert (finding["empty_references"].count, finding["empty_references"].total) == (1, 3)


def test_unknown_words_ignore_case() -> None:
    capitals = [caption.upper() for caption in CANDIDATES]
    assert names(capitals, tokenizer="whitespace") == []
    assert "cut_off" in names([f"{caption} WITH A" for caption in CANDIDATES])


def test_few_images() -> None:
    one = captious.check(CANDIDATES[:1], REFERENCES[:1])["document_frequencies"]
    assert one.severity == "grave" and "are 0" in one.what
    few = captious.check(CANDIDATES[:99], REFERENCES[:99])["document_frequencies"]
    assert few.severity == "notable" and few.count == 99
    assert (
        "coco-val2014"
        not in captious.check(["ein Hund"], [["ein Hund"]], language="de")[
            "document_frequencies"
        ].advice
    )


def test_another_language() -> None:
    chinese = captious.check(["一只狗在草地上跑", "两个人在骑马"], [["一只狗"], ["两个人"]])
    assert chinese["language"].severity == "grave"
    assert "--language" in chinese["language"].advice
    assert "language" not in captious.check(["一只狗"], [["一只狗"]], language="zh")
    mixed = captious.check(["一只狗"], [["ein Hund"]], language="de")["language"]
    assert "Latin letters" in mixed.what
    german = [f"ein {animal} sitzt gerade auf einer nassen Wiese" for animal in ANIMALS * 3]
    finding = captious.check(german, REFERENCES[:30])["language"]
    assert finding.severity == "grave" and "references seem to be English" in finding.advice
    japanese = captious.check(["犬がベンチで寝ている"], [["ベンチに犬"]], language="ja")
    assert "language" not in japanese


def test_unknown_words() -> None:
    odd = [f"{caption} zorblax" for caption in CANDIDATES]
    finding = captious.check(odd, REFERENCES)["unknown_words"]
    assert finding.examples[0] == (f"{N} times", "zorblax")
    assert finding.figures["meteor"] == finding.figures["space"] == pytest.approx(N / finding.total)
    assert finding.unit == "words"
    odd = [f"{caption} {'zorb' * 999}" for caption in CANDIDATES]
    endless = captious.check(odd, REFERENCES)["unknown_words"]
    assert len(endless.examples[0].text) == MAX_EXAMPLE_CHARS


def test_unmatched_ids_are_a_finding() -> None:
    candidates = {f"val/{row:012}.jpg": caption for row, caption in enumerate(CANDIDATES)}
    references: dict[Any, list[str]] = dict(enumerate(REFERENCES))
    nothing = captious.check(candidates, references)
    assert [finding.name for finding in nothing] == ["ids"]
    assert nothing["ids"].count == nothing["ids"].total == N
    assert nothing["ids"].figures["would_meet"] == N
    assert "last number" in nothing["ids"].advice
    assert "no samples" in str(nothing)
    as_text = captious.check({str(row): text for row, text in enumerate(CANDIDATES)}, references)
    assert "as text" in as_text["ids"].advice
    some = captious.check({0: CANDIDATES[0], "x": "a dog"}, references)
    assert (some["ids"].count, some["ids"].total, some["ids"].figures["met"]) == (1, 2, 1)
    assert some["unused_references"].count == N - 1
    assert some["unused_references"].severity == "minor"


@pytest.mark.parametrize("format", FORMATS)
def test_every_format(format: str) -> None:
    findings = captious.check([f"**{text}** |\n_x_" for text in CANDIDATES], REFERENCES)
    text = findings.to_text(format)
    assert "markup" in text and "grave" in text
    if format == "json":
        data = json.loads(text)
        assert set(data) == {"facts", "findings"}
        assert data["findings"][0]["severity"] == "grave"
        assert {"finding", "count", "total", "share", "examples", "advice"} <= set(
            data["findings"][0]
        )
    assert repr(findings).startswith("<Findings: ")
    assert len(repr(findings)) < 100


def test_most_severe_finding_comes_first() -> None:
    findings = captious.check(["", *(f"**{text}**" for text in CANDIDATES[1:])], REFERENCES)
    order = [SEVERITIES.index(finding.severity) for finding in findings]
    assert order == sorted(order) and len(order) >= 2
    assert findings.gravest == findings.found[0]
    with pytest.raises(KeyError):
        findings["length "]


def test_order_of_samples_changes_no_number() -> None:
    candidates = [*CANDIDATES[:60], *(f"**{text}** a" for text in CANDIDATES[60:])]
    there = captious.check(candidates, REFERENCES)
    back = captious.check(candidates[::-1], REFERENCES[::-1])
    assert [(f.name, f.severity, f.count) for f in there] == [
        (f.name, f.severity, f.count) for f in back
    ]


def test_corpus_is_accepted_and_wrong_arguments_are_refused() -> None:
    corpus = captious.Corpus.of(CANDIDATES, REFERENCES)
    assert not captious.check(corpus).found
    with pytest.raises(InputError, match="references already"):
        captious.check(corpus, REFERENCES)
    with pytest.raises(InputError, match="no references given"):
        captious.check(CANDIDATES)
    with pytest.raises(InputError, match="nothing"):
        captious.check({}, {})
    with pytest.raises(InputError, match="id 'x': the candidate must be a string"):
        captious.check({"x": 3, 0: "a"}, {0: ["a"]})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cannot be written as text"):
        captious.check({10**5000: "a", 0: "a"}, {0: ["a"]})
    with pytest.raises(InputError, match="unknown tokenizer"):
        captious.check(CANDIDATES, REFERENCES, tokenizer="none")
    with pytest.raises(InputError, match="ISO 639"):
        captious.check(CANDIDATES, REFERENCES, language="klingon")


def test_every_find_function_is_a_check() -> None:
    functions = [
        (name.removeprefix("find_"), module.name)
        for module in iter_modules(kinds.__path__)
        for name in vars(import_module(f"{kinds.__name__}.{module.name}"))
        if name.startswith("find_")
    ]
    assert sorted((check.name, check.module) for check in CHECKS) == sorted(functions)


def test_grade_and_format_percent() -> None:
    assert [grade(share, 0.5, 0.1) for share in (0.0, 0.01, 0.1, 0.5)] == [
        None,
        "minor",
        "notable",
        "grave",
    ]
    assert [format_percent(x) for x in (0, 0.0001, 0.25, 0.9999, 1)] == [
        "0%",
        "less than 0.1%",
        "25.0%",
        "more than 99.9%",
        "100%",
    ]


@pytest.mark.parametrize(
    "captions",
    [
        ["Ein brauner Hund läuft über eine grüne Wiese", "Zwei Männer reiten durch den Wald"],
        ["Un chien brun court dans l'herbe verte", "Une femme en robe rouge est sur la plage"],
        ["Un perro marrón corre por la hierba verde", "Una mujer está en la playa"],
        ["Een bruine hond rent over het groene gras", "Een vrouw in een rode jurk staat op strand"],
        ["Brązowy pies biegnie po zielonej trawie", "Dwóch mężczyzn jedzie konno przez las"],
        ["Kahverengi bir köpek yeşil çimenlerde koşuyor", "İki adam ormanda ata biniyor"],
    ],
    ids=["de", "fr", "es", "nl", "pl", "tr"],
)
def test_languages_related_to_english_are_recognized(captions: list[str]) -> None:
    references = [[caption] for caption in captions]
    assert captious.check(captions, references)["language"].severity == "grave"
    assert "language" not in captious.check(captions, references, language="de")
