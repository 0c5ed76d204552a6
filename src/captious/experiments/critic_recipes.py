"""The critics of LEIC's experiments: as few as serve all of them, each trained once."""

from __future__ import annotations

from captious.critic.recipe import MACHINE, SAMPLED, CriticRecipe
from captious.text.transformations import TRANSFORMATIONS

LEIC_PAPER = "Cui et al. 2018"
EPOCHS, PATIENCE = 5, 2

# The captions that a critic learns to tell from people's, each kind with its share. The first as
# the paper's code draws them: machines', Monte Carlo samples and transformed ones in equal shares,
# and of the last as many of each transformation.
AUGMENTED = {MACHINE: 3.0, SAMPLED: 3.0, **dict.fromkeys(TRANSFORMATIONS, 1.0)}
MACHINES_ALONE = {MACHINE: 1.0}
OTHER_IMAGES = {TRANSFORMATIONS[0]: 1.0}  # people's captions of other images: the paper's table 1

AUGMENTATION = {"with augmentation": AUGMENTED, "without": MACHINES_ALONE}


def critic_recipe(context: str, fusion: str, others: dict[str, float]) -> CriticRecipe:
    """The recipe of one critic."""
    return CriticRecipe(
        context=context,
        fusion=fusion,
        others=dict(others),
        epochs=EPOCHS,
        patience=PATIENCE,
        half=True,
    )
