"""What a report of judged captions shows: true to what was scored, judged and explained."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.judgements import Preferences, Ratings, Unnamed
from captious.report.browser.contents import JUDGEMENTS, Contents
from captious.report.judgements import write_report
from captious.report.judgements.report_data import ReportOptions, build_contents
from tests.made_up.judged_captions import RATINGS, preferred, rated
from tests.report.judgements.made_up import TEAMS, whole_systems

METRICS = "bleu_1,rouge_l,spice"


@pytest.fixture(scope="module")
def ratings() -> Evaluation:
    return evaluate(rated(), METRICS, resamples=40)


@pytest.fixture(scope="module")
def pairs() -> Evaluation:
    return evaluate(preferred(), METRICS, resamples=40)


@pytest.fixture(scope="module")
def contents(ratings: Evaluation) -> Contents:
    return build_contents(ratings, ReportOptions(commands=["captious meta custom"]))


def test_ratings_are_one_series_of_judged_captions(ratings: Evaluation, contents: Contents) -> None:
    assert contents.kind == JUDGEMENTS
    (series,) = contents.series
    assert series.captions is not None and contents.references is not None
    assert list(series.captions) == rated().candidates
    assert list(contents.references) == rated().references
    assert list(series.scores) == list(ratings.scores)
    for column, scores in series.scores.items():
        assert np.array_equal(scores, ratings.scores[column])
    assert list(contents.ids)[:3] == ["0-beach", "1-beach", "2-horse"]


@pytest.mark.slow
def test_words_and_scenes_are_those_of_explain_and_graph(contents: Contents) -> None:
    (series,) = contents.series
    assert series.unsupported is not None and series.missing is not None
    assert series.scenes is not None and contents.reference_scenes is not None
    for row, (candidate, references) in enumerate(
        zip(rated().candidates, rated().references, strict=True)
    ):
        explained = captious.explain(candidate, references)
        assert list(series.unsupported[row]) == explained.unsupported
        assert list(series.missing[row]) == explained.missing
        graph = captious.scene_graph(candidate)
        objects = {parts[0] for parts in series.scenes[row] if len(parts) == 1}
        assert objects == {"/".join(concept.words) for concept in graph.objects}
        assert contents.reference_scenes[row]


def test_pairs_are_two_series(pairs: Evaluation) -> None:
    contents = build_contents(pairs, ReportOptions())
    assert [series.name for series in contents.series] == ["first", "second"]
    for side, series in enumerate(contents.series):
        assert series.captions is not None and series.unsupported is not None
        assert list(series.captions) == [pair[side] for pair in preferred().pairs]
        for column, scores in series.scores.items():
            assert np.array_equal(scores, pairs.scores[column][:, side])
        candidate, references = preferred().pairs[1][side], preferred().references[1]
        assert list(series.unsupported[1]) == captious.explain(candidate, references).unsupported
    assert contents.bucketings == []


def test_provenance_has_protocol_and_command(ratings: Evaluation, contents: Contents) -> None:
    assert contents.made.signatures == [ratings.signature]
    assert contents.made.commands == ["captious meta custom"]
    assert ratings.protocol.describe() in contents.made.notes


def test_measures_have_the_bounds_of_our_metrics_unless_scores_go_beyond() -> None:
    scores = {"bleu_1": np.arange(12.0) * 10, "spice": np.arange(12.0) / 12, "mine": np.zeros(12)}
    contents = build_contents(evaluate(rated(), scores=scores, resamples=0), ReportOptions())
    bounds = {each.name: (each.low, each.high) for each in contents.measures}
    assert bounds == {"bleu_1": (None, None), "spice": (0, 1), "mine": (None, None)}
    assert [each.label for each in contents.measures] == ["BLEU-1", "SPICE", "mine"]
    assert contents.made.signatures == ["scores given|bootstrap:0,seed=0|protocol:standard"]


def test_without_spice_nothing_is_parsed() -> None:
    contents = build_contents(evaluate(rated(), "bleu_1", resamples=0), ReportOptions())
    assert contents.series[0].scenes is None and contents.reference_scenes is None
    assert any("scene graphs" in note for note in contents.made.notes)


def test_other_languages_have_no_words_explained() -> None:
    german = [f"ein Hund Nummer {row} läuft schnell über die grüne Wiese" for row in range(12)]
    references = [[f"{text} hinüber"] for text in german]
    judgements = replace(rated(), candidates=german, references=references)
    contents = build_contents(evaluate(judgements, "bleu_1", resamples=0), ReportOptions())
    (series,) = contents.series
    assert series.captions is not None and list(series.captions) == german
    assert series.unsupported is None and series.scenes is None
    assert any("English" in note for note in contents.made.notes)
    assert any("do not seem to be English" in finding.what for finding in contents.findings)


def test_findings_name_rows_and_nothing_else() -> None:
    odd = [f"{caption} zorblax" for caption in rated().candidates[1:]]
    judgements = replace(rated(), candidates=["", *odd])
    contents = build_contents(evaluate(judgements, "bleu_1", resamples=0), ReportOptions())
    empty = next(each for each in contents.findings if "no word" in each.what)
    assert empty.examples == ["0-beach"] and empty.series == "captions"
    unknown = next(each for each in contents.findings if "METEOR's tables" in each.what)
    assert unknown.examples == []  # those are words


def test_images_without_names_are_rows_by_number() -> None:
    unnamed: list[Hashable] = [Unnamed(row // 2) for row in range(12)]
    contents = build_contents(
        evaluate(replace(rated(), images=unnamed), "bleu_1", resamples=0), ReportOptions()
    )
    assert list(contents.ids) == [str(row) for row in range(12)]


def test_mean_scores_by_rating() -> None:
    people = np.repeat([1.0, 2, 3, 4], 30)
    texts = [f"caption {row}" for row in range(120)]
    judgements = Ratings(texts, [["a"]] * 120, list(range(120)), people[:, None], ["all"] * 120)
    scores = {"mine": people * 10 + np.tile([-1, 0, 1], 40)}
    contents = build_contents(evaluate(judgements, scores=scores, resamples=100), ReportOptions())
    (kinds,) = contents.bucketings
    assert [(each.label, each.count) for each in kinds.buckets] == [
        ("1", 30), ("2", 30), ("3", 30), ("4", 30),
    ]  # fmt: skip
    for rating, bucket in enumerate(kinds.buckets, 1):
        (estimated,) = bucket.scores["mine"]
        assert estimated.value == pytest.approx(10 * rating)
        assert estimated.low < 10 * rating < estimated.high
    assert (
        build_contents(evaluate(judgements, scores=scores, resamples=0), ReportOptions()).bucketings
        == []
    )


def test_unrated_captions_are_shown_and_in_no_bucket() -> None:
    people = np.array(RATINGS, dtype=float)
    people[0] = np.nan
    contents = build_contents(
        evaluate(replace(rated(), ratings=people), METRICS, resamples=20), ReportOptions()
    )
    assert len(contents.ids) == 12
    assert sum(each.count for kinds in contents.bucketings for each in kinds.buckets) in (0, 11)


def test_whole_systems_have_no_captions() -> None:
    found = whole_systems()
    contents = build_contents(found, ReportOptions())
    assert list(contents.ids) == TEAMS
    assert contents.series[0].captions is None and contents.references is None
    (rating,) = contents.attributes
    assert rating.name == "rating" and np.array_equal(rating.values, found.scores["bleu_4"])


def test_an_evaluation_without_judgements_is_refused(ratings: Evaluation, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without judgements"):
        write_report(replace(ratings, judgements=None), tmp_path / "report.html")
    assert not list(tmp_path.iterdir())


def test_a_page_is_written_and_has_everything_as_text(tmp_path: Path) -> None:
    hostile = "</script><script>document.title='owned'</script> \"quoted\" \U0001f600 \u202e"
    candidates = [hostile, *rated().candidates[1:]]
    images: list[Hashable] = [hostile, *rated().images[1:]]
    judgements = replace(rated(), candidates=candidates, images=images, groups=[hostile] * 12)
    found = evaluate(judgements, scores={hostile: np.arange(12.0)}, resamples=10)
    write_report(found, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "owned" not in page  # packed with all other text, or escaped
    with pytest.raises(InputError, match=r"name the file \.html"):
        write_report(found, tmp_path / "report.txt")


def test_pictures_are_found_by_the_images_names(ratings: Evaluation, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    for name in ("beach", "horse"):
        image.new("RGB", (8, 8), "red").save(tmp_path / f"{name}.png")
    contents = build_contents(ratings, ReportOptions(images=ImageFolder(tmp_path)))
    assert contents.images is not None
    assert [bool(address) for address in contents.images] == [True] * 4 + [False] * 8
    assert any("have no picture" in note for note in contents.made.notes)
    unnamed: list[Hashable] = [Unnamed(row) for row in range(12)]
    nameless = evaluate(replace(rated(), images=unnamed), "bleu_1", resamples=0)
    with pytest.raises(InputError, match="the judgements name none"):
        build_contents(nameless, ReportOptions(images=ImageFolder(tmp_path)))


def test_one_pair_and_one_rating_are_enough() -> None:
    one = Preferences([("a dog", "a cat")], [["a dog runs"]], ["x"], np.array([0]), ["HM"])
    assert len(build_contents(evaluate(one, "bleu_1", resamples=5), ReportOptions()).ids) == 1
    alone = Ratings(["a dog"], [["a dog runs"]], ["x"], np.array([[3.0]]), ["all"])
    assert len(build_contents(evaluate(alone, "bleu_1", resamples=5), ReportOptions()).ids) == 1
