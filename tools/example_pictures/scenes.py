"""The scenes, by the ids that the examples' captions have."""

from __future__ import annotations

import math
from collections.abc import Callable

from example_pictures.canvas import Canvas

DARK, WHITE = "#2b2d42", "#fffaf0"


def beach_dog() -> Canvas:
    """A brown dog runs on the beach with a stick in its mouth."""
    scene = Canvas("#8fd3f4", "#e8f7ff")
    scene.circle("#ffe08a", 245, 38, 20)
    for x, y, size in ((60, 40, 12), (75, 36, 16), (92, 41, 11), (160, 58, 8), (171, 55, 11)):
        scene.ellipse(WHITE, x, y, size * 1.3, size * 0.7)
    scene.box("#2a9dc4", 0, 92, 300, 130)
    for x in range(-6, 310, 24):
        scene.bow("#7fd0e6", 2, (x, 104), (x + 8, 98), (x + 16, 104))
        scene.bow("#7fd0e6", 2, (x + 11, 116), (x + 19, 110), (x + 27, 116))
    scene.hill("#f6fbfb", (0, 122), (70, 132), (150, 124), (230, 134), (300, 126))
    scene.hill("#f3d9a4", (0, 127), (70, 137), (150, 129), (230, 139), (300, 131))
    scene.ellipse("#dcbf87", 148, 178, 56, 5)
    for x, y in ((30, 160), (250, 170), (70, 186), (270, 190), (205, 190)):
        scene.ellipse("#dcbf87", x, y, 5, 1.6)
    fur, far = "#8a5a33", "#6f4626"
    scene.limb(far, 8, (118, 150), (104, 160), (96, 172))
    scene.limb(far, 8, (172, 150), (184, 160), (194, 170))
    scene.bow(fur, 6, (112, 138), (92, 134), (88, 114))
    scene.limb(fur, 27, (122, 142), (170, 138))
    scene.limb(fur, 9, (124, 150), (124, 164), (112, 175))
    scene.limb(fur, 9, (168, 150), (174, 164), (186, 174))
    scene.limb(fur, 17, (172, 134), (188, 120))
    scene.ellipse(fur, 192, 114, 15, 13)
    scene.ellipse(fur, 206, 119, 11, 7.5)
    scene.ellipse(DARK, 215, 116, 3.2, 2.8)
    scene.leaf(far, (184, 104), (172, 124), 9)
    scene.circle(WHITE, 196, 110, 3.4)
    scene.circle(DARK, 197, 110, 2.1)
    scene.limb("#5b3a1e", 4, (188, 131), (234, 119))
    scene.limb("#5b3a1e", 3, (224, 121), (230, 113))
    scene.limb("#e05a47", 5, (176, 122), (187, 132))
    return scene


def train_tunnel() -> Canvas:
    """A yellow train comes out of a tunnel between two mountains."""
    scene = Canvas("#9ad0ec", "#eef8fb")
    scene.polygon("#8aa6b8", (30, 150), (120, 18), (205, 150))
    scene.polygon(WHITE, (96, 53), (120, 18), (143, 53), (130, 46), (119, 56), (108, 47))
    scene.polygon("#7593a7", (140, 150), (225, 34), (310, 150))
    scene.polygon(WHITE, (205, 61), (225, 34), (245, 61), (232, 54), (224, 63), (215, 55))
    scene.hill("#7fb069", (0, 78), (70, 66), (150, 132), (230, 146), (300, 120))
    scene.hill("#6a9f58", (0, 150), (150, 158), (300, 148))
    for x, y in ((14, 80), (34, 74), (232, 148), (262, 139), (284, 130)):
        scene.box("#6b4a2b", x - 1.5, y, x + 1.5, y + 10)
        scene.polygon("#3f7d4e", (x - 9, y + 3), (x, y - 22), (x + 9, y + 3))
    stone, joint = "#a89f91", "#857c70"
    scene.ellipse(stone, 78, 128, 46, 48)
    scene.box(stone, 32, 126, 124, 172)
    scene.ellipse("#26262e", 78, 130, 34, 36)
    scene.box("#26262e", 44, 128, 112, 172)
    for step in range(9):
        angle = math.pi * step / 8
        inner, outer = (
            (78 - (34 + far) * math.cos(angle), 130 - (36 + far) * math.sin(angle))
            for far in (0, 12)
        )
        scene.limb(joint, 1.2, inner, outer)
    scene.box("#8d8478", 0, 172, 300, 182)
    for x in range(2, 300, 16):
        scene.box("#5d4632", x, 176, x + 9, 181)
    scene.box("#4a4a52", 0, 172, 300, 175)
    for left, right in ((50, 138), (142, 226)):
        scene.box("#f4c430", left, 118, right, 166, 7)
        scene.box("#d9a413", left, 150, right, 158)
        scene.box("#f7e08a", left + 4, 114, right - 4, 121, 3)
        for x in range(left + 9, right - 14, 20):
            scene.box("#bfe6f5", x, 127, x + 13, 142, 2)
        for x in (left + 16, right - 18):
            scene.circle(DARK, x, 167, 7)
            scene.circle("#b8b8c0", x, 167, 2.6)
    scene.box("#5a5a62", 137, 152, 143, 157)
    scene.polygon("#f4c430", (222, 122), (240, 140), (243, 166), (220, 166))
    scene.polygon("#bfe6f5", (224, 127), (236, 141), (224, 141))
    scene.circle("#fff6c9", 239, 152, 3.4)
    for strip in range(13):  # the train is still dark where it comes from
        scene.veil("#26262e", 1 - strip / 13, 112, 172, 50 + 2 * strip, 52 + 2 * strip)
    return scene


def kitchen_cat() -> Canvas:
    """A black cat sits on the counter and looks into the sink."""
    scene = Canvas("#f4e3c8")
    for row in range(7):
        for column in range(-1, 13):
            left = column * 26 + (row % 2) * 13
            scene.box("#eed7b2", left, row * 18, left + 25, row * 18 + 17, 1)
    scene.box("#7a5c3e", 196, 14, 284, 92, 3)
    scene.box("#a9dcf0", 202, 20, 278, 86)
    scene.circle("#fff2b8", 262, 36, 9)
    scene.polygon("#8ec07c", (202, 86), (202, 70), (225, 60), (250, 72), (278, 64), (278, 86))
    scene.box("#7a5c3e", 238, 20, 242, 86)
    scene.box("#7a5c3e", 202, 51, 278, 55)
    scene.box("#dfe7ea", 0, 132, 300, 144, 2)
    scene.box("#5f8f8b", 0, 144, 300, 200)
    for left in (8, 108, 208):
        scene.box("#6fa19d", left, 152, left + 84, 208, 4)
        scene.circle("#e9d8a6", left + 74, 166, 3)
    scene.box("#9fb2b9", 150, 128, 246, 134, 3)
    scene.polygon("#c4d1d6", (156, 134), (240, 134), (232, 158), (164, 158))
    scene.ellipse("#8aa0a8", 198, 134, 38, 4)
    scene.limb("#8b9aa1", 7, (222, 130), (222, 98))
    scene.bow("#8b9aa1", 7, (222, 98), (214, 76), (196, 94))
    scene.box("#75858c", 191, 94, 201, 100, 2)
    scene.leaf("#58b4d8", (196, 104), (196, 114), 4)
    scene.circle("#58b4d8", 196, 113, 2.6)
    scene.box("#d1603d", 22, 104, 44, 132, 3)
    for x, y in ((24, 84), (33, 76), (43, 85)):
        scene.leaf("#4f8a4f", (33, 106), (x, y), 5)
    black, edge = "#22222b", "#3a3a48"
    scene.bow(black, 8, (84, 128), (50, 134), (58, 104))
    scene.ellipse(black, 104, 112, 27, 22)
    scene.limb(black, 24, (112, 112), (124, 86))
    scene.limb(black, 9, (124, 104), (127, 129))
    scene.limb(black, 9, (116, 106), (116, 129))
    scene.limb(edge, 1.2, (121, 108), (121.5, 130))
    scene.ellipse(black, 130, 70, 19, 17)
    scene.polygon(black, (114, 66), (116, 42), (130, 56))
    scene.polygon(black, (130, 55), (145, 44), (147, 66))
    scene.polygon("#d88c9a", (118, 58), (119, 48), (125, 55))
    scene.polygon("#d88c9a", (136, 54), (143, 49), (144, 58))
    scene.ellipse("#c9e265", 130, 69, 4.4, 5)
    scene.ellipse("#c9e265", 142, 70, 4, 5)
    scene.ellipse(black, 131.5, 70.5, 1.7, 3.8)
    scene.ellipse(black, 143.2, 71.5, 1.5, 3.8)
    scene.polygon("#d88c9a", (136, 77), (141, 77.5), (138, 80))
    for y in (78, 81):
        scene.limb("#b9b9c6", 0.8, (142, y), (157, y + 2))
        scene.limb("#b9b9c6", 0.8, (127, y), (112, y + 3))
    scene.ellipse(black, 120, 130, 12, 4.5)
    return scene


def tulip_field() -> Canvas:
    """Rows of red and yellow tulips in front of a windmill."""
    scene = Canvas("#8ecae6", "#f1faee")
    for x, y, size in ((52, 34, 13), (70, 30, 18), (90, 35, 12), (150, 52, 9), (163, 49, 12)):
        scene.ellipse(WHITE, x, y, size * 1.3, size * 0.65)
    scene.hill("#9cc48a", (0, 106), (90, 98), (180, 108), (300, 100))
    scene.polygon("#e9dcc9", (205, 108), (212, 52), (240, 52), (248, 108))
    scene.polygon("#d3c2a8", (230, 108), (229, 52), (240, 52), (248, 108))
    scene.polygon("#a4452c", (208, 53), (226, 34), (244, 53))
    scene.box("#6b4a2b", 220, 90, 232, 108, 5)
    scene.box("#7fb2c9", 221, 66, 231, 76, 2)
    hub = (226.0, 48.0)
    for turn in range(4):
        angle = math.radians(25 + 90 * turn)
        along, aside = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
        corners = [
            (hub[0] + along[0] * far + aside[0] * off, hub[1] + along[1] * far + aside[1] * off)
            for far, off in ((10, 1), (44, 1), (44, 10), (10, 10))
        ]
        scene.polygon(WHITE, *corners)
        tip = (hub[0] + along[0] * 45, hub[1] + along[1] * 45)
        scene.limb("#6b4a2b", 2, hub, tip)
    scene.circle("#6b4a2b", *hub, 4)
    scene.box("#5f9950", 0, 108, 300, 200)
    for step in range(1, 10):  # from the far rows to the near ones
        colours = ("#d62839", "#ef5562") if step % 2 else ("#f6bd1f", "#ffdd66")
        size = 2.0 + 9.5 * (step / 9) ** 1.6
        y = 108 + 92 * (step / 9) ** 1.7 - size * 0.9
        start = size * (1.4 if step % 2 else 0.4)
        for place in range(int(300 / (size * 2.1)) + 3):
            tulip(scene, place * size * 2.1 - start, y, size, colours)
    return scene


def tulip(scene: Canvas, x: float, y: float, size: float, colours: tuple[str, str]) -> None:
    """A flower of three petals on its stem."""
    scene.limb("#3f7a3a", max(0.8, size / 5), (x, y), (x, min(200, y + size * 1.9)))
    if size > 4:
        leaf = (x, y + size * 1.8), (x + size * 0.9, y + size * 0.4)
        scene.leaf("#4c8a44", *leaf, size / 5)
    dark, light = colours
    scene.ellipse(dark, x, y, size * 0.62, size * 0.82)
    rim = ((-0.62, 0), (-0.62, -1), (-0.3, -0.55), (0, -1.08), (0.3, -0.55), (0.62, -1), (0.62, 0))
    scene.polygon(dark, *((x + size * across, y + size * down) for across, down in rim))
    shine = (x - size * 0.2, y + size * 0.6), (x - size * 0.2, y - size * 0.5)
    scene.leaf(light, *shine, size / 6)


def hot_air_balloons() -> Canvas:
    """Colorful hot air balloons float over a valley at dawn."""
    scene = Canvas("#6d6fb0", "#ffd6a5")
    scene.circle("#fff1c9", 150, 128, 26)
    scene.hill("#c58fa0", (0, 128), (60, 104), (110, 140), (170, 138), (235, 100), (300, 126))
    scene.hill("#a4708c", (0, 150), (80, 136), (150, 162), (215, 132), (300, 154))
    for x, top, wide in ((28, 112, 9), (52, 126, 7), (262, 118, 10), (236, 136, 6)):
        foot, neck = wide * 1.8, wide / 2
        corners = ((x - foot, 176), (x - neck, top), (x + neck, top), (x + foot, 176))
        scene.polygon("#8d5f7e", *corners)
        scene.ellipse("#70476a", x, top, wide * 0.9, 3.5)
    scene.hill("#704a6c", (0, 172), (90, 162), (160, 178), (230, 164), (300, 176))
    scene.hill("#4d3453", (0, 190), (120, 180), (220, 192), (300, 184))
    balloon(scene, 88, 62, 34, ("#e4572e", "#fff3d6"))
    balloon(scene, 206, 44, 24, ("#2e86ab", "#f6c85f"))
    balloon(scene, 150, 96, 15, ("#76b041", "#fff3d6"))
    balloon(scene, 254, 86, 17, ("#c43e6b", "#ffd9a0"))
    balloon(scene, 34, 104, 12, ("#f6c85f", "#7b4ba0"))
    return scene


def balloon(scene: Canvas, x: float, y: float, size: float, colours: tuple[str, str]) -> None:
    """A balloon in stripes of two colours, with its basket."""
    basket = y + size * 1.75
    for aside in (-0.3, 0.3):
        top, bottom = (x + size * aside, y + size), (x + size * aside * 0.6, basket)
        scene.limb("#6b4a2b", max(0.6, size / 30), top, bottom)
    # Stripes one over the other, each narrower: a round above, a funnel below.
    for colour, wide, neck in ((0, 1.0, 0.28), (1, 0.74, 0.2), (0, 0.4, 0.1)):
        scene.ellipse(colours[colour], x, y, size * wide, size)
        corners = ((-0.86 * wide, 0.5), (0.86 * wide, 0.5), (neck, 1.3), (-neck, 1.3))
        funnel = [(x + size * across, y + size * down) for across, down in corners]
        scene.polygon(colours[colour], *funnel)
    scene.box("#8a5a33", x - size * 0.2, basket, x + size * 0.2, basket + size * 0.3, size / 14)


def goat_roof() -> Canvas:
    """A white goat stands on the roof of a small car."""
    scene = Canvas("#a8dadc", "#f1faee")
    scene.hill("#a7c957", (0, 120), (80, 104), (170, 122), (250, 108), (300, 118))
    for x, y, size in ((38, 92, 19), (58, 98, 14), (262, 96, 20), (284, 102, 13)):
        scene.box("#7a5c3e", x - 2, y, x + 2, 132)
        scene.circle("#6a994e", x, y, size)
    scene.box("#c9ada7", 0, 130, 300, 142)
    scene.box("#6d6875", 0, 142, 300, 200)
    for x in range(-10, 300, 52):
        scene.box("#f2e9e4", x, 178, x + 30, 182)
    scene.ellipse("#57535f", 152, 172, 92, 7)
    blue, shade = "#3d7ab8", "#2f5f92"
    scene.polygon(blue, (94, 128), (112, 98), (188, 98), (212, 128))
    scene.box(blue, 64, 124, 240, 164, 15)
    scene.box(shade, 66, 150, 238, 160, 5)
    scene.polygon("#cdeffa", (104, 126), (117, 104), (146, 104), (146, 126))
    scene.polygon("#cdeffa", (153, 126), (153, 104), (183, 104), (200, 126))
    scene.box(blue, 109, 94, 191, 102, 4)
    scene.box(WHITE, 158, 134, 170, 137, 1)
    scene.ellipse("#ffe8a3", 234, 138, 5, 7)
    scene.box("#e9ecef", 228, 154, 246, 160, 3)
    scene.box("#e9ecef", 58, 154, 76, 160, 3)
    for x in (102, 202):
        scene.circle(DARK, x, 164, 16)
        scene.circle("#ced4da", x, 164, 7.5)
    coat, far = WHITE, "#ddd5c4"
    for x in (134, 172):
        scene.limb(far, 6, (x, 72), (x + 1, 92))
    scene.limb(coat, 30, (128, 64), (166, 62))
    scene.limb(coat, 6.5, (122, 70), (121, 93))
    scene.limb(coat, 6.5, (164, 70), (165, 93))
    for x in (121, 135, 165, 173):
        scene.box("#4a4038", x - 3.4, 91, x + 3.4, 96, 1)
    scene.leaf(coat, (114, 60), (105, 44), 5)
    scene.limb(coat, 14, (172, 56), (184, 38))
    scene.ellipse(coat, 190, 32, 12, 9)
    scene.ellipse(coat, 200, 37, 9, 6.5)
    scene.leaf(far, (181, 31), (166, 35), 4.5)
    scene.bow("#8d7b68", 3.4, (186, 25), (182, 8), (170, 8))
    scene.bow("#a7937d", 3.4, (190, 24), (190, 6), (178, 4))
    scene.circle(DARK, 193, 30, 1.9)
    scene.ellipse("#d8a7a0", 207, 36, 2.2, 2.6)
    scene.leaf(coat, (196, 42), (194, 56), 3.6)
    return scene


def canoe_fog() -> Canvas:
    """Two people paddle a red canoe across a foggy lake."""
    scene = Canvas("#c9d6df", "#eef2f3")
    for x in range(0, 300, 13):
        y = 74 + 9 * math.sin(x * 0.7) + 6 * math.cos(x * 0.31)
        scene.polygon("#8fa5a8", (x - 10, 106), (x, y - 28), (x + 10, 106))
    scene.veil("#dfe7ea", 0.72, 0, 108)
    for x in (6, 22, 41, 236, 254, 272, 290):
        y = 92 + 7 * math.sin(x)
        scene.polygon("#5f7f80", (x - 13, 112), (x, y - 46), (x + 13, 112))
    scene.veil("#dfe7ea", 0.5, 0, 110)
    scene.box("#b4c8cf", 0, 110, 300, 200)
    for x, y, long in ((20, 128, 40), (200, 124, 60), (92, 186, 80), (226, 178, 44), (18, 166, 30)):
        scene.limb("#d3e0e4", 1.6, (x, y), (x + long, y))
    scene.polygon("#c98f8d", (82, 158), (222, 158), (204, 172), (98, 172))
    scene.veil("#b4c8cf", 0.35, 157, 174)
    people = ((118, "#e9b44c", "#3d5a80"), (178, "#588157", "#e07a5f"))
    for x, coat, hat in people:
        scene.limb(coat, 19, (x, 128), (x + 1, 142))
        scene.circle("#e8b793", x + 2, 107, 8.5)
        scene.ellipse(hat, x + 1, 102, 9.5, 6)
        scene.box(hat, x - 8.5, 101, x + 10.5, 104.5, 1.5)
        scene.limb("#7a5c3e", 2.6, (x + 4, 112), (x + 27, 164))
        scene.leaf("#7a5c3e", (x + 23, 154), (x + 31, 174), 4.5)
        scene.limb(coat, 6, (x + 2, 126), (x + 13, 131))
        scene.limb(coat, 6, (x, 128), (x + 8, 121))
    red, dark = "#d62828", "#a61e1e"
    scene.polygon(red, (64, 134), (92, 142), (208, 142), (238, 132), (224, 158), (82, 158))
    scene.polygon(dark, (76, 151), (230, 149), (224, 159), (82, 159))
    scene.limb("#f0d9b5", 2.6, (64, 134), (92, 142), (208, 142), (238, 132))
    scene.limb("#e7eff1", 1.8, (56, 160), (92, 162), (150, 160), (246, 161))
    return scene


def harbor_boats() -> Canvas:
    """Several fishing boats are tied up in a harbor at sunset."""
    scene = Canvas("#f25c54", "#ffd97d")
    scene.circle("#fff1b8", 206, 96, 25)
    for x, y, long in ((30, 34, 60), (120, 24, 50), (210, 46, 70), (70, 62, 36)):
        scene.limb("#f79d65", 6, (x, y), (x + long, y))
    scene.hill("#8c4a6b", (0, 92), (60, 80), (120, 100), (190, 110), (250, 98), (300, 104))
    scene.box("#e07a5f", 0, 106, 300, 200)
    scene.veil("#5c3c6e", 0.45, 106, 200)
    for row, y in enumerate(range(112, 200, 9)):
        scene.limb("#ffc971", 1.8, (206 - 20 + row * 1.5, y), (206 + 20 - row * 1.2, y))
    for x, y, size, hull, stripe in (
        (236, 132, 0.7, "#8d5a97", WHITE),
        (166, 144, 0.95, "#2a9d8f", "#f4f1de"),
        (76, 162, 1.25, "#1d4e89", "#ffd166"),
    ):
        fishing_boat(scene, x, y, size, hull, stripe)
    scene.polygon("#4a3040", (0, 184), (300, 176), (300, 200), (0, 200))
    for x in (26, 132, 214, 280):
        scene.box("#35222e", x, 160, x + 7, 192, 2)
    scene.bow("#d9c4a4", 1.4, (30, 166), (34, 180), (42, 160))
    scene.bow("#d9c4a4", 1.4, (135, 166), (136, 176), (136, 148))
    scene.bow("#d9c4a4", 1.4, (217, 166), (212, 170), (214, 140))
    return scene


def fishing_boat(scene: Canvas, x: float, y: float, size: float, hull: str, stripe: str) -> None:
    """A boat with a cabin, a mast and a boom."""

    def at(across: float, up: float) -> tuple[float, float]:
        return x + across * size, y - up * size

    scene.limb("#4a3040", 2 * size, at(6, 14), at(6, 78))
    scene.limb("#4a3040", 1.4 * size, at(6, 30), at(34, 58))
    for end in (at(-36, 14), at(40, 16)):
        scene.limb("#6b4a5e", 0.8 * size, at(6, 77), end)
    scene.polygon("#ef476f", at(6, 77), at(18, 72), at(6, 67))
    scene.polygon(WHITE, at(-22, 12), at(-20, 36), at(-2, 36), at(0, 12))
    scene.polygon("#c9ccd5", at(-25, 36), at(-24, 40), at(2, 40), at(1, 36))
    for across in (-17, -9):
        corners = ((across, 22), (across, 31), (across + 5, 31), (across + 5, 22))
        scene.polygon("#4f6d8f", *(at(*corner) for corner in corners))
    deck = (at(-42, 16), at(-30, 12), at(28, 12), at(46, 20))
    scene.polygon(hull, *deck, at(34, -8), at(-34, -8))
    scene.polygon(stripe, *deck, at(44, 14.5), at(28, 7), at(-31, 7), at(-40, 11))
    scene.limb("#ffe0a3", 1.2 * size, at(-36, -9), at(36, -9))


SCENES: dict[str, Callable[[], Canvas]] = {
    "beach-dog": beach_dog,
    "canoe-fog": canoe_fog,
    "goat-roof": goat_roof,
    "harbor-boats": harbor_boats,
    "hot-air-balloons": hot_air_balloons,
    "kitchen-cat": kitchen_cat,
    "train-tunnel": train_tunnel,
    "tulip-field": tulip_field,
}
