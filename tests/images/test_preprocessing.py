"""Views: the middle of a picture as large as the network reads it, or all of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.images.encoder import EfficientNetLite2
from captious.images.preprocessing import Recipe, check_view
from tests.made_up.toy_images import Image, noise


def unscaled(side: int, resized: float, **options: Any) -> Recipe:
    return Recipe(side, resized, (0.0,) * 3, (1.0,) * 3, **options)


def test_crop_of_an_image_of_the_right_size() -> None:
    image = noise(48, 32)
    seen = unscaled(20, 32).pixels(image).transpose(1, 2, 0)
    assert seen.tolist() == np.asarray(image)[6:26, 14:34].tolist()


def test_colours_are_scaled_by_channel() -> None:
    recipe = Recipe(1, 1, (1.0, 2.0, 3.0), (2.0, 4.0, 8.0))
    seen = recipe.pixels(Image.new("RGB", (5, 5), (3, 10, 19)))
    assert seen.tolist() == [[[1.0]], [[2.0]], [[2.0]]]


def test_crop_is_the_centre_of_the_resized_image() -> None:
    image = noise(500, 333).resize((500, 333))
    whole = image.resize((446, 297), Image.Resampling.BICUBIC)
    cut = np.asarray(whole.crop((93, 18, 353, 278)), np.float32).transpose(2, 0, 1)
    seen = unscaled(260, 260 / 0.875).pixels(image)
    assert np.abs(seen - cut).mean() < 1
    assert np.abs(seen - cut).max() < 12


def test_whole_view_resizes_the_image() -> None:
    image = Image.new("RGB", (100, 10), "black")
    image.paste("white", (0, 0, 10, 10))
    recipe = unscaled(10, 10)
    assert recipe.pixels(image, "whole")[:, :, 0].min() > 200
    assert recipe.pixels(image, "crop").max() == 0


@pytest.mark.slow
def test_sides_are_rounded_as_configured() -> None:
    image = noise(447, 297)
    ours, theirs = (
        unscaled(260, 297, as_torchvision=said).pixels(image).transpose(1, 2, 0)
        for said in (False, True)
    )
    # 187 columns are over: 93 to the left, or 93.5 rounded to even.
    assert ours.tolist() == np.asarray(image)[18:278, 93:353].tolist()
    assert theirs.tolist() == np.asarray(image)[18:278, 94:354].tolist()


@pytest.mark.parametrize("size", [(1, 1), (1, 5000), (5000, 1), (2, 3)])
@pytest.mark.parametrize("view", ["crop", "whole"])
def test_images_of_odd_shapes(size: tuple[int, int], view: str) -> None:
    seen = EfficientNetLite2.recipe.pixels(Image.new("RGB", size, (255, 127, 127)), view)
    assert seen.shape == (3, 260, 260) and seen.dtype == np.float32
    assert (seen[0] == 1).all() and (seen[1:] == 0).all()


def test_unknown_views_and_interpolations_are_errors() -> None:
    with pytest.raises(InputError, match="crop, whole"):
        check_view("middle")
    with pytest.raises(InputError, match="unknown interpolation"):
        unscaled(1, 1, interpolation="magic")
