"""Every metric that is a definition, by name; those that were trained are in `learned`."""

from __future__ import annotations

from captious.metrics.base import Metric
from captious.metrics.bertscore.bertscore import BertScore
from captious.metrics.bertscore.multiref import BertScoreMultiref
from captious.metrics.bleu import Bleu
from captious.metrics.cider.cider import Cider
from captious.metrics.cider.cider_d import CiderD
from captious.metrics.clipscore import ClipScore
from captious.metrics.consensus.consensus import Consensus
from captious.metrics.consensus.encoder_consensus import EncoderConsensus
from captious.metrics.consensus.parts import ConsensusParts
from captious.metrics.form import Form
from captious.metrics.hwcm import Hwcm, HwcmDep
from captious.metrics.meteor.meteor import Meteor
from captious.metrics.mowe import Mowe
from captious.metrics.ngram_precision import NgramPrecision
from captious.metrics.rouge_l import RougeL
from captious.metrics.spice.spice import Spice
from captious.metrics.spider import Spider
from captious.metrics.unigram_multiref import UnigramMultiref
from captious.metrics.unigram_recall import UnigramRecall
from captious.metrics.wmd import Wmd

METRICS: dict[str, type[Metric]] = {
    metric.name: metric
    for metric in (
        Bleu,
        RougeL,
        Meteor,
        Cider,
        CiderD,
        Spice,
        Spider,
        NgramPrecision,
        UnigramRecall,
        Wmd,
        Mowe,
        Hwcm,
        HwcmDep,
        BertScore,
        BertScoreMultiref,
        UnigramMultiref,
        Consensus,
        ConsensusParts,
        EncoderConsensus,
        Form,
        ClipScore,
    )
}

_OF_COLUMN = {column: metric for metric in METRICS.values() for column in metric.columns}


def metric_of_column(column: str) -> type[Metric] | None:
    """The metric that a column of scores belongs to."""
    return _OF_COLUMN.get(column)
