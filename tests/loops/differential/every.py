"""All trials."""

from tests.loops.differential.chunks import ChunkLoop
from tests.loops.differential.lcs import Lcs
from tests.loops.differential.meteor import Meteor
from tests.loops.differential.mover import Mover
from tests.loops.differential.ngrams import NgramLoops
from tests.loops.differential.paraphrases import Paraphrases
from tests.loops.differential.patience import PatienceTrial
from tests.loops.differential.projective import Projective
from tests.loops.differential.transport import Transport
from tests.loops.differential.trial import Trial
from tests.loops.differential.vectors import Directions, MeanVectors, Support

TRIALS: tuple[Trial, ...] = (
    ChunkLoop(),
    Lcs(),
    Directions(),
    MeanVectors(),
    Meteor(),
    Paraphrases(),
    Mover(),
    NgramLoops(),
    PatienceTrial(),
    Projective(),
    Support(),
    Transport(),
)
