"""All trials."""

from tests._internal.loops.differential.chunks import ChunkLoop
from tests._internal.loops.differential.lcs import Lcs
from tests._internal.loops.differential.meteor import Meteor
from tests._internal.loops.differential.mover import Mover
from tests._internal.loops.differential.ngrams import NgramLoops
from tests._internal.loops.differential.paraphrases import Paraphrases
from tests._internal.loops.differential.projective import Projective
from tests._internal.loops.differential.recurrent_layers import RecurrentLayers
from tests._internal.loops.differential.scene_graphs import SceneGraphLoops
from tests._internal.loops.differential.scene_rules import SceneRuleLoop
from tests._internal.loops.differential.step_counter import StepCounterTrial
from tests._internal.loops.differential.transport import Transport
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.differential.vectors import Directions, MeanVectors, Support

TRIALS: tuple[Trial, ...] = (
    ChunkLoop(),
    Lcs(),
    Directions(),
    MeanVectors(),
    Meteor(),
    Paraphrases(),
    Mover(),
    NgramLoops(),
    RecurrentLayers(),
    SceneGraphLoops(),
    SceneRuleLoop(),
    StepCounterTrial(),
    Projective(),
    Support(),
    Transport(),
)
