"""Calls from Python: every documented function, with arguments of odd kinds and values.

Arguments are Python's own words, so that a failure can be read, kept, and tried by hand.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import captious
from captious import pregen
from captious.captioners.recipe import CaptionerRecipe
from captious.errors import CaptiousError
from captious.m2 import evaluation as m2_evaluation
from captious.meta import CaptionedImages, Preferences, Protocol, Ratings, evaluate, robustness
from captious.metrics.learned.features import Feature, FeatureSet
from captious.metrics.learned.metric import LearnedMetric
from captious.metrics.leic.recipe import CriticRecipe
from captious.pregen.scoring import caption_forms, log_probabilities
from captious.pregen.selection import best_epoch, selection_outcome, with_patience
from captious.pyciderevalcap.ciderD.ciderD import CiderD
from captious.pyciderevalcap.eval import CIDErEvalCap
from captious.pycocoevalcap.bleu.bleu import Bleu
from captious.pycocoevalcap.bleu.bleu_scorer import BleuScorer
from captious.pycocoevalcap.cider.cider import Cider
from captious.pycocoevalcap.cider.cider_scorer import CiderScorer
from captious.pycocoevalcap.coco import COCO
from captious.pycocoevalcap.eval import COCOEvalCap
from captious.pycocoevalcap.meteor.meteor import Meteor
from captious.pycocoevalcap.rouge.rouge import Rouge, my_lcs
from captious.pycocoevalcap.spice.spice import Spice
from captious.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from captious.pycocoevalcap.wmd.wmd import WMD
from captious.reward import Reward, advantages
from captious.training.captioners.tuning import TuningRecipe
from captious.training.learned_metrics.recipe import Recipe
from tests.fuzz import odd_values
from tests.fuzz.kind import ACCEPTED, REFUSED, Case, Kind
from tests.fuzz.kinds.python_call_table import CALLS, F3, ODD, P3, C, R
from tests.fuzz.oracle import check_folder, check_refusal, signature_of


class PythonCalls(Kind):
    """A call that works but for one or two of its arguments."""

    name = "python-calls"
    share = 10.0

    def make(self, random: Random) -> Case:
        """A function, and its arguments."""
        call = random.choice(sorted(CALLS))
        arguments = dict(CALLS[call])
        for name in random.sample(sorted(arguments), min(len(arguments), random.choice((1, 1, 2)))):
            arguments[name] = _draw_odd_words(arguments[name], random)
        return {"call": call.strip(), "arguments": arguments}

    def run(self, case: Case, folder: Path) -> str:
        """Call it, in an empty folder."""
        names = dict(_named_objects())
        try:
            values = {name: eval(words, names) for name, words in case["arguments"].items()}
        except Exception as error:
            if isinstance(error, CaptiousError) or " in " not in signature_of(error):
                return REFUSED  # by Python, before Captious is asked
            raise
        try:
            eval(case["call"], names)(**values)
        except CaptiousError as error:
            check_refusal(error)
            check_folder(folder, set())
            return REFUSED
        environment = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
        check_folder(folder, environment)
        return ACCEPTED

    def smaller(self, case: Case) -> Iterable[Case]:
        """With one argument as it should be, or simpler."""
        usual = next(words for call, words in CALLS.items() if call.strip() == case["call"])
        for name, words in case["arguments"].items():
            for other in (usual.get(name, words), "None", "0", "''", "[]"):
                simpler = len(other) < len(words) or other == usual.get(name)
                if simpler and other != words:
                    yield {**case, "arguments": {**case["arguments"], name: other}}


class MetricParameters(PythonCalls):
    """A metric with one of its parameters odd, made and used."""

    name = "metric-parameters"
    share = 3.0

    def make(self, random: Random) -> Case:
        """A metric, and a parameter."""
        name = random.choice(sorted(captious.METRICS))
        options = list(captious.METRICS[name].parameters())
        given = f"{random.choice(options)}={random.choice(ODD)}" if options else ""
        metric = f"captious.METRICS[{name!r}]({given})"
        return {
            "call": "captious.score",
            "arguments": {"candidates": C, "references": R, "metrics": metric, "cache": "False"},
        }

    def smaller(self, case: Case) -> Iterable[Case]:
        """No case is smaller: one parameter."""
        return ()


def _draw_odd_words(words: str, random: Random) -> str:
    """Other words for an argument, or the usual ones with something in them replaced."""
    chance = random.random()
    if chance < 0.6:
        return random.choice(ODD)
    if chance < 0.75:
        return repr(odd_values.value(random)).replace("nan", "float('nan')").replace("inf", "1e999")
    for usual in ("'a dog'", "'two men'", "'x'", "['a']", "0.7", "True", "1", "'a'"):
        if usual in words and random.random() < 0.5:
            return words.replace(usual, random.choice(ODD), 1)
    return random.choice(ODD)


@cache
def _named_objects() -> dict[str, Any]:
    """Return the objects that the words of a call may name."""
    from decimal import Decimal
    from fractions import Fraction

    references = {"x": ["a dog runs"], 7: ["men", "two men ski"]}
    scorer = captious.Scorer(references, ["bleu", "rouge_l"], cache=False)
    reward = Reward(references, "rouge_l", vocabulary=["", "a", "dog", "men"], end=0, cache=False)
    result = scorer.score({"x": "a dog", 7: "two men"})
    frequencies = captious.DocumentFrequencies.collect(references)
    words = pregen.WordProbabilities.of(eval(P3), eval(F3))
    coco = COCO()
    coco.dataset = {"annotations": [{"image_id": 1, "caption": "a dog"}]}
    coco.createIndex()
    made = {
        "scorer": lambda: scorer,
        "reward": lambda: reward,
        "result": lambda: result,
        "frequencies": lambda: frequencies,
        "words": lambda: words,
        "coco": lambda: coco,
    }
    named = (Bleu, Cider, Rouge, Meteor, Spice, PTBTokenizer, COCO, COCOEvalCap, BleuScorer,
             CiderScorer, CiderD, CIDErEvalCap, WMD, my_lcs, evaluate,
             robustness, Ratings, Preferences, Protocol, CaptionedImages, Feature, FeatureSet,
             LearnedMetric, Reward, advantages, Recipe, CaptionerRecipe, TuningRecipe,
             CriticRecipe, best_epoch, with_patience, selection_outcome, caption_forms,
             log_probabilities, Path, Decimal, Fraction)  # fmt: skip
    return {
        **made,
        **{each.__name__: each for each in named},
        "captious": captious,
        "m2": m2_evaluation,
        "pregen": pregen,
        "np": np,
        "os": os,
    }


KINDS: list[Kind] = [PythonCalls(), MetricParameters()]
