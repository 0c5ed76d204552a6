"""Why single numbers of NNEval's and LCEval's tables are not the papers'.

Figures here were measured with `captious meta` and `captious robustness`, or with the networks of
the tables; where the cause is not known, it is said what was tried. A network's are of seed 0.
"""

from __future__ import annotations

from captious.experiments.exhibit import Reason


def chains(fare: str, *rows: str) -> Reason:
    """Of networks that read chains as the text has them; `fare` says how the others do."""
    return Reason(
        "Chains of heads are counted as the paper's text has them, which is not how its numbers "
        f"came about (table 6). {fare}",
        rows,
    )


# PASCAL-50S.
TO_THE_FIRST = (
    "Counted for the first caption of a pair they give 69.3 to 71.6 over five draws of references, "
    "which is what the paper has; for the second, 64.4 to 66.1."
)
TO_THE_SECOND = (
    "Counted for the second caption of a pair they give 64.4 to 66.1 over five draws of "
    "references, 65.3 on average, which is what the paper has; for the first, 69.3 to 71.6."
)


def on_pascal(ties: str) -> tuple[Reason, ...]:
    """Of hand-made metrics on PASCAL-50S; `ties` says which way of counting them fits."""
    return (
        Reason(
            "The draw of references. Over ten draws of five it has 51.5 to 57.1, and the one here "
            "is the lowest of them.",
            ("ROUGE-L",),
            ("HC",),
        ),
        Reason(
            "Unknown; tried: ten draws of five references (HC 57.1 to 59.7, MM 60.1 to 63.4), ties "
            "for either caption (.2 more or less), all 50 references (HC 60.1), and the labels of "
            "48 votes (HC 63.7, MM 65.5), with which BLEU and ROUGE-L are far off. The scores are "
            "the toolkit's.",
            ("METEOR",),
            ("HC", "MM"),
        ),
        Reason(
            "Ties. SPICE gives both captions one score in 38 % of these pairs, each of which "
            f"counts one half here. {ties}",
            ("SPICE",),
            ("MM",),
        ),
    )


OTHER_VECTORS = Reason(
    "Other word vectors: the paper's WMD reads word2vec's of Google News, ours GloVe's. On "
    "PASCAL-50S the draw of references is not the cause: six draws have 87.1 to 88.6 in HM.",
    ("WMD",),
)
# A range over seeds says nothing of which images happened to be judged.
BY_IMAGES = (
    "The published number lies within, or at the edge of, the 95 % interval of one seed over "
    "what was judged, drawn anew ({interval}), which is wider than the range over seeds here."
)

# ABSTRACT-50S: 200 pairs of captions of clip-art scenes.
NAMES_WEIGH_MOST = (
    "`mike` and `jenny`, the children of nearly every scene, are in no caption of COCO's "
    "validation images, whose document frequencies CIDEr takes: no word weighs more."
)
ON_ABSTRACT = (
    Reason(
        "The paper's METEOR decides 48.5 % of HC and 46.5 % of HI, as tossing a coin does (43 to "
        "57 % in 95 of 100 times), and is among the best everywhere else: scores and captions were "
        "probably out of step. Ours has 85.5 to 94.5 over five draws of references.",
        ("METEOR",),
    ),
    Reason(
        "Unknown; tried: 1, 5, 10, 20 and 48 references (81.0, 91.0, 92.5, 93.5 and 95.8), five "
        "draws of five (89.2 to 92.5), and ties as errors (89.8).",
        ("SPICE",),
    ),
    Reason(
        f"Document frequencies, in part. {NAMES_WEIGH_MOST} With the benchmark's own frequencies "
        "CIDEr has 92.0 to 95.5 over five draws, and SPIDEr as much; with COCO's 75.0 to 83.5 and "
        "78.5 to 87.0. The paper's CIDEr fits COCO's, its SPIDEr neither; SPICE with a tenth of "
        "CIDEr, as networks read it, would have 88.0 to 90.5.",
        ("SPIDEr",),
    ),
    Reason(
        f"Document frequencies. {NAMES_WEIGH_MOST} With the benchmark's own the network of seed 0 "
        "has 86.5 and not 76.0; 86.5 is what the paper has.",
        ("Lexical",),
    ),
    chains("Counted as published, the same features agree.", "Syntactic", "Sem-Syn"),
    chains(
        "Counted as published, the same features have 76.5 to 86.0 by seed.",
        "Syn-Lex",
    ),
    Reason(
        "What it was trained against: with people's captions of other images alone it has 91.5 "
        "(seed 0).",
        ("Sem-Lex",),
    ),
    Reason(
        "What it was trained against, and document frequencies: with people's captions of other "
        "images alone it has 88.5, and 91.0 with chains as published (the interval is ±4); the "
        "benchmark's own frequencies make 83.5 of the latter 86.0.",
        ("LCEval", "LCEval, chains as published"),
    ),
)

# Distractions: the papers' pairs are not distributed.
DRAWN_BY_FREQUENCY = (
    "Which places replace others: here they are drawn as often as captions name them, so that most "
    "are frequent ones. Drawn evenly over nouns, CIDEr has 92.0 (docs/robustness.md)."
)
REPLACED = ("replace person", "replace scene")
ON_DISTRACTIONS = (
    Reason(
        "The printed average is not the mean of the six numbers beside it, which is 74.9.",
        ("BLEU-4",),
        ("average",),
    ),
    Reason(
        "Ties. A replaced phrase that no reference speaks of changes nothing, and a tie counts one "
        "half here; counted as errors, SPICE has 85.8, 73.8, 88.9, 90.8, 85.0 and 92.9 in the six "
        "tasks, within .022 of the paper but for a person alone, of whom more below.",
        ("SPICE",),
        (*REPLACED, "share person", "share scene", "just scene"),
    ),
    Reason(
        f"{DRAWN_BY_FREQUENCY} Nor does the printed 95.0 fit the printed average, with which it "
        "would be 82.3.",
        ("CIDEr",),
        ("replace scene",),
    ),
    Reason(
        f"{DRAWN_BY_FREQUENCY} All of these read CIDEr.",
        ("SPIDEr", "NNEval", "Lexical", "Syn-Lex", "Syn-Lex, chains as published"),
        ("replace scene",),
    ),
    Reason(
        "Ties, in part, and what is unknown: chains say nothing of a phrase that is in none, so "
        "that many scores are equal. Counted as errors they leave 77.0 and 65.8 of 84.2 and 76.7 "
        "(chains as published), still far above the printed 61.2 and 48.2. Tried: both ways of "
        "counting chains.",
        ("Syntactic", "Syntactic, chains as published"),
        REPLACED,
    ),
    Reason(
        "Which words replace others: here none that may mean the same, as `child` for `boy`, or "
        "that is true of the image. METEOR knows such words, as do vectors, and so networks that "
        "read them. Drawn without any care, even for the phrase itself, METEOR has 80.2 where a "
        "person is replaced (printed 83.7) and 75.2 where a place is (75.1).",
        (
            *("METEOR", "SPIDEr", "NNEval", "LCEval", "LCEval, chains as published"),
            *("Semantic", "Sem-Syn", "Sem-Syn, chains as published", "Sem-Lex"),
        ),
        REPLACED,
    ),
    Reason(
        "Unknown: the paper's lexical group notices a wrong person in 60.1 % of cases, though its "
        "BLEU-1, BLEU-4, ROUGE-L and CIDEr do in 83.3 to 89.9 %. Tried: ties as errors, of which "
        "there are none.",
        ("Lexical", "Syn-Lex", "Syn-Lex, chains as published"),
        ("replace person",),
    ),
    Reason(
        "Other pairs; the differences are of 2 to 4 points, to either side.",
        ("BLEU-1", "BLEU-4", "ROUGE-L", "WMD"),
        REPLACED,
    ),
    Reason(
        "Unknown: neither way of counting chains fits. A person alone is noticed in 66.6 % of "
        "cases if they are counted as the text has them, and in 93.1 % as published.",
        ("Syntactic", "Syntactic, chains as published"),
    ),
    Reason(
        "How long the phrase is: ours ends with its noun and has two words in most cases. Of two, "
        "three, and four words or more BLEU-1 decides 98.9, 95.4 and 80.8 %, ROUGE-L 91.7, 85.7 "
        "and 78.5, METEOR 97.5, 93.3 and 91.1, SPICE 88.7, 86.4 and 75.9: the paper's phrases seem "
        "to be longer.",
        (),
        ("just person", "just scene"),
    ),
    Reason(
        "Other captions: who shares a person or a place is found by rule among 1,000 images of "
        "Flickr8k, and the paper's pairs are of other images.",
        (),
        ("share person", "share scene"),
    ),
    Reason(
        "What differs in the other columns enters here. The averages that are printed for METEOR "
        "and SPICE (89.3, 83.6) are not the means of their numbers (88.8, 84.6), besides.",
        (),
        ("average", "worst"),
    ),
)

# WMT16.
TRAINED_ON_OTHERS = (
    "What networks were trained against (second table): {figures} on average with people's "
    "captions of other images alone."
)
ON_TRANSLATIONS = (
    Reason(
        "Unknown; tried: three seeds (.381 to .392), and training against people's captions of "
        "other images (.383). The printed number is that of de-en, to the last digit.",
        ("Syntactic, chains as published",),
        ("tr-en",),
    ),
    Reason(BY_IMAGES.format(interval="±.05 of a language"), ("Semantic",)),
    chains("Counted as published, all but tr-en agree.", "Syntactic"),
    chains("Counted as published, all numbers agree.", "Syn-Lex"),
    chains("Counted as published, two languages and the mean agree.", "Sem-Syn"),
    Reason(
        TRAINED_ON_OTHERS.format(
            figures="with seed 0, Lexical has .345 (published .370), Sem-Lex .350 (.350), and "
            "Sem-Syn with chains as published .342 (.300)"
        ),
        ("Lexical", "Sem-Lex", "Sem-Syn, chains as published"),
    ),
    Reason(
        TRAINED_ON_OTHERS.format(
            figures="LCEval has .358 (published .356), and .352 with chains as published (seed 0)"
        ),
        ("LCEval", "LCEval, chains as published"),
    ),
)
