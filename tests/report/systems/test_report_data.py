"""What a report shows, gathered from results: true to what scoring and explaining say."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import captious
from captious.corpus import Corpus
from captious.report.browser.contents import Contents
from captious.report.systems.caption_words import CaptionWords
from captious.report.systems.report_data import ReportOptions, build_contents, measure
from captious.result import Result
from captious.samples import References

THINGS = "dog cat horse man woman bus bench beach street".split()
COLOURS = ("red ", "", "two ", "large ", "")
REFERENCES = {
    f"image {number}": [
        f"a {COLOURS[number % 5]}{THINGS[number % 9]} on a {THINGS[number % 7]}"
        + " with a ball" * (number % 2),
        f"the {THINGS[number % 9]} is near the {THINGS[number % 4]} today",
    ]
    for number in range(40)
}
METRICS = "bleu,rouge_l,cider_d(df=coco-val2014),spice,captious"
TITLES = [
    "words in references",
    "rarest word in references",
    "objects in references",
    "relations in references",
    "words in caption",
]
WANTED = ReportOptions(resamples=50)
DOCUMENTS = "document_frequencies"  # of which COCO's were named


def result(shift: int, metrics: str = METRICS) -> Result:
    candidates = {
        image: f"a {THINGS[(number + shift) % 9]} on a {THINGS[number % 7]}"
        + " today" * (number % 2)
        for number, image in enumerate(REFERENCES)
    }
    return captious.score(candidates, REFERENCES, metrics)


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    return {"ours": result(0), "theirs": result(2)}


@pytest.fixture(scope="module")
def contents(results: dict[str, Result]) -> Contents:
    return build_contents(results, WANTED)


def test_samples_have_their_captions_scores_and_references(
    results: dict[str, Result], contents: Contents
) -> None:
    assert list(contents.ids) == list(REFERENCES)
    assert contents.references == list(REFERENCES.values())
    for series in contents.series:
        scored = results[series.name]
        assert scored.captions is not None
        assert series.captions == scored.captions.candidates
        assert list(series.scores) == list(scored.columns)
        for name, scores in series.scores.items():
            assert scores.tolist() == scored.samples[name].tolist()


@pytest.mark.slow
def test_words_are_those_that_explain_finds(contents: Contents) -> None:
    for series in contents.series:
        assert series.captions and series.unsupported and series.missing and contents.references
        for row in range(0, 40, 5):
            explained = captious.explain(series.captions[row], contents.references[row])
            assert series.unsupported[row] == explained.unsupported
            assert series.missing[row] == explained.missing
            assert series.sentences is not None and series.sentences[row] == ()


def test_sentences_are_those_that_explain_finds() -> None:
    caption = "A dog runs on the beach. A cat sleeps on a sofa."
    sets = [["A dog is at the sea. The sky is blue."], ["a dog"]]
    captions, images = [caption, "a cat"], np.arange(2)
    references = References.of(Corpus.of(captions, sets).references)
    found = CaptionWords.of(captions, images, references, explained=True).sentences
    assert found is not None
    explained = captious.explain(caption, sets[0]).sentences
    assert list(found[0]) == [(each.sentence, each.chance) for each in explained]
    assert found[1] == ()


def test_scene_graphs_where_spice_was_scored(contents: Contents) -> None:
    assert contents.reference_scenes is not None
    assert ("dog", "red") in contents.reference_scenes[0]
    assert contents.series[0].scenes is not None
    assert contents.series[0].scenes[18] == [("dog",), ("woman",), ("dog", "on", "woman")]
    objects = next(each for each in contents.attributes if each.name == "objects in references")
    graph = captious.scene_graph(REFERENCES["image 0"])
    assert objects.values[0] == len(graph.objects)


def test_kinds_of_captions(results: dict[str, Result], contents: Contents) -> None:
    assert [way.title for way in contents.bucketings] == TITLES
    by_length = contents.bucketings[-1].buckets
    assert [(each.label, each.counts) for each in by_length] == [
        ("5", (20, 20)),
        ("6 and more", (20, 20)),
    ]
    for way in contents.bucketings:
        for bucket in way.buckets:
            assert bucket.count >= 10
            for estimates in bucket.scores.values():
                assert len(estimates) == 2


def test_measures_are_called_as_papers_call_them(contents: Contents) -> None:
    labels = {each.name: each.label for each in contents.measures}
    assert labels["bleu_4"] == "BLEU-4"
    assert labels["cider_d"] == "CIDEr-D"
    assert labels["captious"] == "Captious"
    cider = measure("cider_d")
    assert (cider.low, cider.high) == (0, 10)
    mine = measure("somebody's own")
    assert (mine.low, mine.high, mine.label) == (None, None, "somebody's own")


def test_provenance_has_signature_and_commands(
    results: dict[str, Result], contents: Contents
) -> None:
    made = contents.made
    assert made.version == captious.__version__
    stated = results["ours"].with_intervals(resamples=50).signature
    assert list(made.signatures) == [stated]
    (command,) = made.commands
    assert command.startswith("captious score CANDIDATES --references REFERENCES --metrics 'bleu(")


def test_the_command_gives_the_same_metrics_back(contents: Contents) -> None:
    import shlex

    words = shlex.split(contents.made.commands[0])
    again = result(0, words[words.index("--metrics") + 1])
    assert again.with_intervals(resamples=50).signature == contents.made.signatures[0]


def test_findings_of_each_system(results: dict[str, Result]) -> None:
    shouted = dict.fromkeys(REFERENCES, "<b>A DOG</b> [image]")
    markup = captious.score(shouted, REFERENCES, METRICS)
    contents = build_contents({"ours": results["ours"], "loud": markup}, WANTED)
    found = [each for each in contents.findings if each.series == "loud"]
    expected = [each for each in captious.check(shouted, REFERENCES) if each.name != DOCUMENTS]
    assert [each.what for each in found] == [each.what for each in expected]
    assert set(found[0].examples) <= set(contents.ids)


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_few_documents_finding_only_where_scores_use_own_frequencies(contents: Contents) -> None:
    own = build_contents({"ours": result(0, "cider_d")}, WANTED)
    assert any("document frequencies" in each.what for each in own.findings)
    assert not any("document frequencies" in each.what for each in contents.findings)


def test_scores_without_captions() -> None:
    bare = replace(result(0, "bleu"), captions=None)
    contents = build_contents({"ours": bare}, WANTED)
    assert contents.series[0].captions is None
    assert contents.references is None and contents.images is None
    assert not contents.bucketings and not contents.findings
    assert "no captions were kept" in contents.made.notes[0]


def test_one_system_with_captions_and_one_without() -> None:
    bare = replace(result(2, "bleu"), captions=None)
    contents = build_contents({"bare": bare, "ours": result(0, "bleu")}, WANTED)
    assert contents.series[0].captions is None
    assert contents.series[1].unsupported is not None
    assert contents.references == list(REFERENCES.values())
    assert contents.made.notes[0].startswith("no captions were kept with the scores of bare;")


def test_candidates_without_references() -> None:
    alone = replace(
        result(0, "bleu"), captions=Corpus.of_candidates(dict.fromkeys(REFERENCES, "a"))
    )
    contents = build_contents({"ours": alone}, WANTED)
    assert contents.references is None
    assert contents.series[0].captions == ["a"] * 40
    assert "no references were kept with the scores" in contents.made.notes


def test_another_language_is_neither_explained_nor_parsed() -> None:
    references = {number: ["一只狗在跑", "狗在沙滩上"] for number in range(12)}
    scored = captious.score(dict.fromkeys(range(12), "一只猫"), references, "bleu", language="zh")
    contents = build_contents({"ours": scored}, replace(WANTED, scenes="yes"))
    assert contents.series[0].unsupported is None
    assert contents.series[0].scenes is None
    assert "unsupported words and scene graphs are known of English alone" in contents.made.notes
    assert contents.made.commands[0].split(" --language ")[1].startswith("zh")


def test_scenes_option_forces_or_suppresses_scene_graphs() -> None:
    with_graphs = build_contents({"ours": result(0, "bleu")}, replace(WANTED, scenes="yes"))
    assert with_graphs.reference_scenes is not None
    without = build_contents({"ours": result(0, "bleu")}, replace(WANTED, scenes="no"))
    assert without.reference_scenes is None and not without.made.notes
    unasked = build_contents({"ours": result(0, "bleu")}, WANTED)
    assert unasked.reference_scenes is None
    assert "SPICE" in unasked.made.notes[0]


def test_many_captions_are_parsed_only_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from captious.report.systems import caption_data

    monkeypatch.setattr(caption_data, "MAX_PARSED_CAPTIONS", 50)
    contents = build_contents({"ours": result(0, "spice")}, WANTED)
    assert contents.reference_scenes is None
    assert "--scenes yes does" in contents.made.notes[0]
    asked = build_contents({"ours": result(0, "spice")}, replace(WANTED, scenes="yes"))
    assert asked.reference_scenes is not None


def test_note_on_systems_scored_against_other_references() -> None:
    others = {image: ["something else"] for image in REFERENCES}
    second = captious.score(dict.fromkeys(REFERENCES, "a dog"), others, "bleu")
    contents = build_contents({"ours": result(0, "bleu"), "theirs": second}, WANTED)
    assert "theirs was scored against other references than are shown" in contents.made.notes


def test_several_captions_of_an_image() -> None:
    scorer = captious.Scorer({1: ["a dog"], 2: ["a cat"]}, "bleu")
    one = scorer.score(["a dog", "dogs", "a cat"], [1, 1, 2])
    two = scorer.score(["a cat", "a", "b"], [2, 1, 1])
    contents = build_contents({"one": one, "two": two}, WANTED)
    assert list(contents.ids) == ["1", "1", "2"]
    assert contents.references == [["a dog"], ["a dog"], ["a cat"]]
    assert contents.series[1].captions == ["a", "b", "a cat"]


@pytest.mark.parametrize(
    "captions", [[""], ["<script>alert(1)</script> \"' \u202e 😀"], ["\udc80 half a character"]]
)
def test_a_single_odd_caption(captions: list[str], tmp_path: Path) -> None:
    scored = captious.score(captions, [["a dog"]], "bleu,spice")
    captious.write_report({"odd": scored}, tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 1000


def test_unknown_signature_is_noted(results: dict[str, Result]) -> None:
    strange = {name: replace(each, signature="") for name, each in results.items()}
    contents = build_contents(strange, WANTED)
    assert not contents.made.signatures and not contents.made.commands
    assert "taken for English" in contents.made.notes[0]


def test_nothing_to_report(tmp_path: Path) -> None:
    with pytest.raises(captious.CaptiousError, match="nothing to report"):
        captious.write_report({}, tmp_path / "page.html")
    one = {"ours": result(0, "bleu")}
    with pytest.raises(captious.CaptiousError, match=r"name the file \.html"):
        captious.write_report(one, tmp_path / "page.pdf")
    with pytest.raises(captious.CaptiousError, match="unknown choice of scenes 'perhaps'"):
        captious.write_report(one, tmp_path / "page.html", scenes="perhaps")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_equal_results_give_equal_pages(results: dict[str, Result], tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        captious.write_report(results, tmp_path / name, resamples=20)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_user_scores_have_no_bounds() -> None:
    from captious.comparison.score_files import PrecomputedScores
    from captious.metrics.base import mean_statistics

    mine = PrecomputedScores("mine")
    values = np.linspace(-5, 300, 40)
    given = Result(list(REFERENCES), (mine,), ("mine",), {"mine": mean_statistics(values)})
    contents = build_contents({"ours": given}, WANTED)
    assert contents.measures[0].low is None
    assert not any(map(math.isnan, contents.series[0].scores["mine"]))
