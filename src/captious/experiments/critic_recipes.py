"""The critics of LEIC's experiments: as few as serve all of them, each trained once."""

from __future__ import annotations

from dataclasses import dataclass

from captious.critic.recipe import MACHINE, CriticRecipe

LEIC_PAPER = "Cui et al. 2018"
EPOCHS, PATIENCE = 8, 2


@dataclass(frozen=True)
class Against:
    """What a critic learns to tell from people's captions, and whether to find contexts, too."""

    others: dict[str, float]
    contrast: float = 0.0

    def recipe(self, context: str, fusion: str) -> CriticRecipe:
        """The recipe of one critic."""
        return CriticRecipe(
            context=context,
            fusion=fusion,
            others=dict(self.others),
            contrast=self.contrast,
            epochs=EPOCHS,
            patience=PATIENCE,
            half=True,
        )


_USUAL = CriticRecipe()
AUGMENTED = Against(dict(_USUAL.others), _USUAL.contrast)  # as the critics that ship
MACHINES_ALONE = Against({MACHINE: 1.0})
OTHER_IMAGES = Against({"random_caption": 1.0})  # people's captions of those: the paper's table 1

AUGMENTATION = {"with augmentation": AUGMENTED, "without": MACHINES_ALONE}
