"""What the pre-gen paper reports: probabilities of references that predict how captions score."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

from captious.papers.declaration import run_procedure
from captious.papers.exhibit import Claim, Exhibit, Paper, Reason

if TYPE_CHECKING:
    from captious.papers.result import Table

PREGEN = Paper(
    "pregen",
    "Pre-gen metrics",
    "Tanti et al. 2018",
    "Pre-gen metrics: Predicting caption quality metrics without generating captions",
    tables=0,
    figures=6,
)
CAPTIONERS = 36  # whose strata are the paper's rows
PLACES = ("1", "2", "3", "4", "5")
POST_GEN = ("METEOR", "CIDEr", "SPICE", "WMD")
TOP_FOUR = tuple(f"mean_{image}_normcount_prefix0" for image in ("max", "mean", "join", "sum"))
FIFTH = {
    "CIDEr": "mean_min_count_filter0",
    "METEOR": "mean_mean_count_prefix0",
    "SPICE": "geomean_min_pplx_filter0",
    "WMD": "mean_join_count_prefix0",
}

# Figure 1: the probability of every word of a small vocabulary at each place of a sentence.
SENTENCE = "a dog eating a pine cone <END>"
VOCABULARY = {
    "<END>": (0.022, 0.003, 0.008, 0.024, 0.003, 0.015, 0.743),
    "a": (0.714, 0.001, 0.005, 0.580, 0.001, 0.020, 0.007),
    "at": (0.005, 0.016, 0.027, 0.048, 0.016, 0.010, 0.017),
    "cone": (0.029, 0.000, 0.032, 0.002, 0.000, 0.739, 0.002),
    "cow": (0.007, 0.017, 0.015, 0.054, 0.017, 0.015, 0.029),
    "dog": (0.018, 0.438, 0.020, 0.020, 0.438, 0.009, 0.003),
    "eating": (0.008, 0.002, 0.364, 0.020, 0.002, 0.018, 0.019),
    "feet": (0.003, 0.002, 0.015, 0.001, 0.002, 0.011, 0.011),
    "grass": (0.030, 0.015, 0.032, 0.010, 0.015, 0.013, 0.021),
    "nipping": (0.034, 0.005, 0.019, 0.023, 0.005, 0.019, 0.035),
    "of": (0.034, 0.009, 0.028, 0.053, 0.009, 0.027, 0.024),
    "on": (0.032, 0.012, 0.030, 0.006, 0.012, 0.012, 0.001),
    "pine": (0.027, 0.454, 0.027, 0.053, 0.454, 0.033, 0.016),
    "plays": (0.012, 0.016, 0.340, 0.049, 0.016, 0.031, 0.019),
    "pounces": (0.003, 0.006, 0.021, 0.026, 0.006, 0.002, 0.020),
    "the": (0.014, 0.003, 0.013, 0.018, 0.003, 0.009, 0.025),
    "with": (0.008, 0.001, 0.002, 0.013, 0.001, 0.016, 0.010),
}
MATRIX = Exhibit(
    PREGEN.figure(1),
    "probability of every word at each position of a reference",
    (
        run_procedure(
            "examples.read_probability_matrix",
            sentence=SENTENCE,
            vocabulary=VOCABULARY,
            published=(0.714, 0.438, 0.364, 0.580, 0.454, 0.739, 0.743),
        ),
    ),
    (
        Claim(
            "the correct word often has the highest probability, but not always",
            lambda tables: [row[2] for row in tables[0].rows] == ["yes", "no", *["yes"] * 5],
        ),
    ),
    tolerance=0.002,
    notes=(
        "The figure's matrix, read as a captioner's output. The published numbers are the "
        "probabilities of the sentence's own words in figure 2. The columns of the matrix, given "
        "to three digits, sum to 1 within .001.",
    ),
)

# Figure 2: each word's probability, and whether it is the highest of the vocabulary.
IMAGES = (
    (
        ((0.711, True), (0.507, True), (0.380, True), (0.563, True), (0.577, True),
         (0.352, False), (0.557, True), (0.574, True), (0.268, False), (0.615, True)),
        ((0.711, True), (0.507, True), (0.369, False), (0.561, True), (0.605, True),
         (0.384, True), (0.520, True)),
    ),
    (
        ((0.714, True), (0.438, False), (0.364, True), (0.580, True), (0.454, True),
         (0.739, True), (0.743, True)),
        ((0.714, True), (0.438, False), (0.340, False), (0.592, True), (0.536, True),
         (0.454, True), (0.739, True), (0.743, True)),
    ),
)  # fmt: skip
TIERS = Exhibit(
    PREGEN.figure(2),
    "how four tiers turn word probabilities into one number",
    (
        run_procedure(
            "examples.compute_tiers",
            images=IMAGES,
            published={
                "tier 1": (5.0, 2.0, 1.0, 1.0),
                "tier 2": (0.500, 0.286, 0.286, 0.250),
                "tier 3": (0.500, 0.286),
                "tier 4": (0.393,),
            },
        ),
    ),
    (
        Claim(
            "the first tier keeps prefixes of 5, 2, 1 and 1 words, as the figure shows",
            lambda tables: [cell.value for cell in tables[0].measurements[:4]] == [5, 2, 1, 1],
        ),
    ),
    tolerance=0.001,
    reasons=(
        Reason(
            "A slip in the figure: it shows prefixes of one word for both captions of the second "
            "image, which is right by the paper's definition, but then counts two words in each. "
            "With one word, the values are 1/7 and 1/8, and the result of the example is .321 "
            "instead of .393.",
            (
                *(f"tier 2, image 2, caption {n}: their share of its words" for n in (1, 2)),
                "tier 3, image 2: the largest share",
                "tier 4, the mean over images",
            ),
            is_slip=True,
        ),
    ),
)

STRATA = Exhibit(
    PREGEN.figure(3),
    "how a test set is divided into strata by CIDEr",
    (
        run_procedure(
            "pregen.split_captioners",
            example=(0.580695, 0.505971, 0.443425, 0.25617, 0.14919, 0.113116, 0.03518, 0.025599),
            published=(0.263, 0.447, 0.081),
        ),
    ),
    (
        Claim(
            "splits into 1 to 5 strata give 15 times as many rows as there are captioners",
            lambda tables: (
                tables[2].value("rows", "number") == 15 * tables[2].value("captioners", "number")
            ),
        ),
    ),
    tolerance=0.001,
    notes=(
        "The figure averages the scores of captions within the whole set and numbers strata from "
        "the best. The released code starts with the worst and recomputes CIDEr within each "
        "stratum, with the stratum's own document frequencies. The two columns show the "
        "difference.",
    ),
)


RELATION_NOTES = (
    "The published numbers are R² over all data that the authors released; the paper itself gives "
    "only CIDEr's, rounded. `filter0` is that of the released code. R² of our WMD, which uses "
    "other word vectors, is not compared; with vectors scaled to the length of theirs it is.",
)


def _upper_half_is_better(tables: Sequence[Table], posts: Sequence[str]) -> bool:
    lower, upper = "rows below the median", "rows above"
    return all(tables[0].value(post, lower) < tables[0].value(post, upper) for post in posts)


def _linear_within(tables: Sequence[Table]) -> str:
    """How linear the relation is within each data set and architecture."""
    r2 = [value for row in tables[-1].rows for value in row[2:] if isinstance(value, float)]
    return (
        'The paper observes "a broadly linear relationship" whatever the architecture and the data '
        "set, and sets no bound by which that could be judged. Within each, R² is "
        f"{min(r2):.3f} to {max(r2):.3f}, the median {statistics.median(r2):.3f} (last table)."
    )


def _overall_claim(number: float) -> Claim:
    return Claim(
        f"the overall correlation has an R² of {number:g}",
        lambda tables: round(tables[0].value("CIDEr", "R²"), 2) == number,
    )


PERPLEXITY = Exhibit(
    PREGEN.figure(4),
    "perplexity against post-gen metrics by data set and architecture",
    (run_procedure("pregen.relate_metric", metric="perplexity"),),
    (
        _overall_claim(0.76),
        Claim(
            "perplexity performs somewhat poorly on low scoring captions (R² is lower in the rows "
            "below a post-gen metric's median than in those above, for all four)",
            lambda tables: _upper_half_is_better(tables, POST_GEN),
        ),
    ),
    tolerance=0.005,
    notes=RELATION_NOTES,
)
BEST = Exhibit(
    PREGEN.figure(6),
    "the best pre-gen metric against post-gen metrics by data set and architecture",
    (run_procedure("pregen.relate_metric", metric=TOP_FOUR[0]),),
    (
        _overall_claim(0.94),
        Claim(
            "there is some evidence of non-linearity at the lower ends, especially for CIDEr and "
            "WMD (R² is lower in the rows below their median than in those above)",
            lambda tables: _upper_half_is_better(tables, ("CIDEr", "WMD")),
        ),
    ),
    tolerance=0.005,
    notes=(_linear_within, *RELATION_NOTES),
)


def _ranking(table: Table, post: str) -> list[str]:
    """The pre-gen metrics of a post-gen metric, the best first."""
    return [str(row[2]) for row in table.rows if row[0] == post]


def _r2(table: Table, places: Sequence[str]) -> list[float]:
    rows = (", ".join(map(str, row[:3])) for row in table.rows if row[1] in places)
    return [table.value(row, "R²") for row in rows]


def _p_value(r2: float) -> float:
    """How likely so high a correlation is by chance, on either side, by Fisher's z."""
    z = math.atanh(math.sqrt(r2)) * math.sqrt(CAPTIONERS - 3) if r2 < 1 else math.inf
    return math.erfc(z / math.sqrt(2))


RANKING = Exhibit(
    PREGEN.figure(5),
    "the five pre-gen metrics that best predict each post-gen metric",
    (run_procedure("pregen.rank_metrics", top=5),),
    (
        Claim(
            "the best four are the same for all post-gen metrics, "
            + ", ".join(f"`{name}`" for name in TOP_FOUR),
            lambda tables: all(
                tuple(_ranking(tables[0], post)[:4]) == TOP_FOUR for post in POST_GEN
            ),
        ),
        Claim(
            "the fifth differs for each post-gen metric, "
            + ", ".join(f"{post}: `{name}`" for post, name in FIFTH.items()),
            lambda tables: all(_ranking(tables[0], post)[4] == FIFTH[post] for post in POST_GEN),
        ),
        Claim(
            "all R² are above .8",
            lambda tables: all(r2 > 0.8 for r2 in _r2(tables[0], PLACES)),
        ),
        Claim(
            "the best four have R² of .9 or more",
            lambda tables: all(r2 >= 0.9 for r2 in _r2(tables[0], PLACES[:4])),
        ),
        Claim(
            "all correlations are significant at p < .001 (by Fisher's z, even if all strata of a "
            f"captioner count as one: n = {CAPTIONERS})",
            lambda tables: all(_p_value(r2) < 0.001 for r2 in _r2(tables[0], PLACES)),
        ),
    ),
    tolerance=0.005,
    notes=(
        "The paper ranks by R² over all data, as its text says; the figure's caption mentions "
        "averages over architectures and data sets, but means scores from all of them. The last "
        "table follows the caption literally.",
        *RELATION_NOTES,
    ),
)

LARGEST = "largest difference"


def _differences_within(tables: Sequence[Table], posts: Sequence[str], bound: float) -> bool:
    place = list(tables[0].header).index(LARGEST)
    rows = [row for row in tables[0].rows if str(row[0]).startswith(tuple(posts))]
    return all(float(str(row[place])) <= bound for row in rows)


RECOMPUTED = Exhibit(
    PREGEN.section("3"),
    "post-gen scores of all 540 rows, from the captions that the authors released",
    (run_procedure("pregen.compare_post_gen_scores"),),
    (
        Claim(
            "all metrics except WMD were computed using the COCO toolkit (so METEOR and CIDEr of "
            "every row are the same here up to rounding, within 1e-12, and SPICE within .005)",
            lambda tables: (
                _differences_within(tables, ("METEOR", "CIDEr"), 1e-12)
                and _differences_within(tables, ("SPICE",), 0.005)
            ),
        ),
    ),
    tolerance=0.005,
    reasons=(
        Reason(
            "Other word vectors, all scaled to one length, which was selected on Flickr8k. On "
            "COCO, these four of twelve captioners differ by .0050 to .0056.",
            columns=("WMD, vectors of length 3.26",),
        ),
    ),
    notes=(
        "References are as in Karpathy's data sets, which the authors used for scoring: lower "
        "case; hyphens, slashes and commas replaced by spaces; no full stops, apostrophes or "
        "other punctuation (`captious.io.where_image2.karpathy_words`); split at white space. No "
        "tokenizer is applied to them.",
        "In the released code, WMD is exp(-d) of the nearest reference, with unnormalized "
        "word2vec vectors of Google News and NLTK's stop words. Ours uses GloVe vectors scaled to "
        "length 1 and spaCy's stop words, so its values have another location and a smaller "
        "spread; they are not compared. The length of our vectors for which the two are closest, "
        "by the mean absolute difference, is selected on the first data set, Flickr8k; the other "
        "data sets are compared with the same length.",
    ),
)

IN_BATCHES = "captions, greedy, in batches; CIDEr-D"
READ_ANEW = "captions, greedy, each read anew for every word; CIDEr-D"
AS_AUTHORS = "captions, greedy, with the authors' loop over the vocabulary; CIDEr-D"


HOW_THE_AUTHORS_GENERATE = (
    "The authors timed captions that are generated by their own code (`get_timings.py`, "
    "`results/timing.txt`: 28 s for `mean_max_normcount_prefix0`, 1,246 s for captions of up to 50 "
    "words, 624 s for captions of five): for every next word, 400 captions are read anew from "
    "their first word, and then each of the 8,792 words of the vocabulary becomes a candidate of "
    "its own in a Python loop. The last row follows these steps with our captioner."
)


def _describe_loop(tables: Sequence[Table]) -> str:
    """How much of the authors' way of generating captions is its loop."""
    if AS_AUTHORS not in [row[0] for row in tables[0].rows]:
        return HOW_THE_AUTHORS_GENERATE
    seconds = {way: tables[0].value(way, "seconds") for way in (READ_ANEW, AS_AUTHORS)}
    share = 1 - seconds[READ_ANEW] / seconds[AS_AUTHORS]
    return f"{HOW_THE_AUTHORS_GENERATE} There, the loop takes {share:.0%} of the time."


TIMES = Exhibit(
    PREGEN.section("1"),
    "time of a pre-gen metric compared with generating captions",
    (run_procedure("pregen_times.measure_times", published=(28.0, 20.8 * 60)),),
    (
        Claim(
            "computing a pre-gen metric takes less time than generating captions with a beam of 1 "
            "(28 seconds against 20.8 minutes)",
            lambda tables: tables[0].value(IN_BATCHES, "ratio to the first") > 1,
            "The network keeps its state here, so a word of a caption costs no more than a word of "
            "a reference, and each image has one caption but five references. With the steps of "
            "the authors' code, generating takes longer than the metric here, too (last row).",
        ),
    ),
    tolerance=5.0,
    reason=(
        "The paper's times are for the 5,000 test images of COCO, a larger captioner and a GPU; "
        "ours are for the 1,000 of Flickr8k and one CPU core. The metric reads all references, "
        "five per image."
    ),
    reasons=(
        Reason(
            "Hardware and Python. By the authors' times, a word of the vocabulary takes 2.8 µs in "
            "the loop (5,000 captions of 9.2 words and an end, 8,792 words) and 11 ns in the pass "
            "over the references, on a GPU (GeForce GTX 760); here it takes about .5 µs and, on "
            "one CPU core, 30 ns.",
            (AS_AUTHORS,),
        ),
    ),
    notes=(_describe_loop,),
    requires_pytorch=True,
)

EXHIBITS = (MATRIX, TIERS, STRATA, PERPLEXITY, RANKING, BEST, TIMES, RECOMPUTED)
