"""A few images with captions made up for tests of robustness."""

import numpy as np

from captious.meta.robustness.captioned_images import CaptionedImages

CAPTIONS = {
    "beach": [
        "A young man is running on the beach.",
        "A man runs along the sandy shore with a dog.",
        "A man and his dog are near the ocean.",
    ],
    "street": [
        "A woman walks on the street.",
        "A woman carries a bag through the city.",
        "The lady is crossing a busy street.",
    ],
    "snow": [
        "Two boys are playing in the snow.",
        "Two boys throw snowballs in front of a house.",
        "Some boys are fighting in the deep snow.",
    ],
    "field": [
        "A group of soccer players run across a green field.",
        "Several girls play soccer on the grass.",
        "Girls are chasing a ball on a field.",
    ],
    "stage": [
        "A young man is singing on a stage.",
        "A singer performs in the theater.",
        "A man with a guitar sings on the stage.",
    ],
    "walk": [
        "A woman walks a dog on the beach.",
        "A woman and her dog stroll along the shore.",
        "A brown dog with its owner.",
    ],
}


def made_up(features: bool = True) -> CaptionedImages:
    """Six images; features lie on a half circle, so that neighbours in order are nearest."""
    angles = np.linspace(0, 3, len(CAPTIONS))
    places = np.column_stack([np.cos(angles), np.sin(angles)])
    return CaptionedImages.of(CAPTIONS, places if features else None)
