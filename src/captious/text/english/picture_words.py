"""English words for what pictures show: people, places, colours, numbers and sizes."""

from __future__ import annotations

from functools import lru_cache

from captious.resources import RESOURCES

SHIPPED = RESOURCES / "scenes"

# What people are many of: "a group of people" is one person phrase, "a group" another.
GROUPS = frozenset(
    "audience band bunch class couple crew crowd family gang group line number pair row team "
    "trio".split()
)
PLURALS = frozenset({"people", "police"})  # that have no -s
# Words for a person or a place of any kind: put for another one they make nothing wrong.
GENERIC_NOUNS = frozenset(
    "adult area background ground human individual landscape member people person somebody "
    "someone terrain youngster youth".split()
)
# Words that captions of one image use for one thing: such a word is no wrong one for the other.
INTERCHANGEABLE = tuple(
    frozenset(words.split())
    for words in (
        "boy child kid baby toddler infant youngster",
        "girl child kid baby toddler infant youngster",
        "man guy gentleman male dude father dad husband",
        "woman lady female girl mother mom wife bride",
        "boy son brother male",
        "girl daughter sister female",
        "biker bicyclist bicycler cyclist rider motorcyclist",
        "player athlete footballer goalie quarterback catcher batter pitcher competitor",
        "water ocean sea lake river pool pond stream creek surf bay fountain waterfall puddle",
        "beach shore sand coast coastline seashore shoreline ocean sea",
        "grass field lawn yard park meadow pasture backyard garden",
        "street road sidewalk pavement city town downtown lane highway crosswalk boulevard",
        "path trail road track walkway dirt",
        "mountain hill cliff rock mountainside hillside slope ridge peak",
        "snow ice slope mountain hill",
        "forest wood woods jungle woodland",
        "room kitchen bedroom house home office building",
        "store shop restaurant market cafe mall building",
        "building house wall city",
        "stage theater theatre auditorium",
        "stadium arena court rink gym field track",
    )
)
# A scene is what a caption places things at.
PLACE_PREPOSITIONS = frozenset(
    "above across against along alongside among around at atop before behind beneath beside "
    "between by down from in inside into near off on onto outside over past through throughout "
    "to toward towards under underneath up upon within".split()
)
# "In the middle of the street": the street is the scene.
PLACE_PARTS = frozenset(
    "back base bottom center centre corner edge end front inside middle out outside side top "
    "view".split()
)

# Attributes of SPICE's categories.
COLOURS = frozenset(
    """black brown blue red yellow pink gray grey green dark light white cream orange purple maroon
    beige violet""".split()
)
NUMBERS = frozenset("one two three four five six seven eight nine ten".split())
SIZES = frozenset(
    """baby illimitable scrawny beefy immeasurable short big immense sizable bony infinitesimal
    skeletal boundless lanky skimpy brawny large skinny broad lean slender bulky life-size slim
    chunky limitless small colossal little squat compact mammoth stocky corpulent massive stout
    cosmic meager strapping cubby measly sturdy curvy microscopic tall elfin mini teensy emaciated
    miniature teeny endless minuscule teeny-tiny enormous minute teeny-weeny epic narrow thick
    expansive obese thickset extensive outsized thin fat oversize tiny fleshy overweight titanic
    full-size paltry towering gargantuan petite trifling gaunt pint-size trim giant plump tubby
    gigantic pocket-size undersized grand portly underweight great pudgy unlimited heavy puny vast
    hefty rotund wee huge scanty whopping hulking scraggy wide""".split()
)


@lru_cache(maxsize=2)
def nouns_for(kind: str) -> frozenset[str]:
    """The nouns that name a `person` or a `scene`, from WordNet."""
    return frozenset((SHIPPED / f"{kind}_words.txt").read_text(encoding="utf-8").split())
