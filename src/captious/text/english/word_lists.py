"""English word lists: spelling, closed classes, words for what pictures show, and stop words.

The Penn Treebank's lists of abbreviations were settled by asking the reference tokenizer; METEOR
has its own. The closed classes are those by which CoreNLP 3.6.0 and SPICE 1.0 read captions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from captious.resources import RESOURCES

# --- spelling -----------------------------------------------------------------------------------
# After one of these a sentence may end.
SENTENCE_FINAL_ABBREVIATIONS = frozenset(
    """al ala apr ariz ark assn aug az bhd bldg blvd bros calif co colo conn corp cos ct dak dec
    del esq est etc ext feb fla fri ga ill inc ind intl jan jr jul jun kan kans ky la ltd mar mass
    md mich minn miss mo mon mont neb nev nov oct okla ore pa penn plc ppte ppty pte ptes pty ptys
    rd rt sep sept seq sq sr sys tel tenn tex thu tue tues univ va vt wash wed wis wisc wyo
    ph.d ed.d""".split()
)
OTHER_ABBREVIATIONS = frozenset(
    """adj adm adv alex asst atty attys ave brig capt cf cie cmdr col cpl dept det dr drs elec ens
    ft gen gov govs hon insp invt jos lt maj messrs mfg mlle mme mr mrs ms msgr mt mtg natl pfc ph
    pres prof pvt rep reps rev sen sens sfc sgt spc st ste supt vs wm""".split()
)
ABBREVIATIONS_BEFORE_NUMBERS = frozenset("art ca fig figs no nos op pp prop".split())
ABBREVIATIONS = SENTENCE_FINAL_ABBREVIATIONS | OTHER_ABBREVIATIONS | ABBREVIATIONS_BEFORE_NUMBERS
# Words of the first two sets that need a capital, or must not be all in capitals, to count.
CAPITALISED_ABBREVIATIONS = frozenset("ark az del ill la mass miss ore pa tex wash".split())
NEVER_ALL_CAPITALS = frozenset("mfg mtg ppte ppty pte ptes pty ptys".split())

METEOR_ABBREVIATIONS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ") | frozenset(
    """Adj Adm Adv Asst Bart Bldg Brig Bros Capt Cmdr Col Comdr Con Corp Cpl DR Dr Drs Ens Gen
    Gov Hon Hr Hosp Insp Lt MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms Msgr Op Ord Pfc Ph Prof
    Pvt Rep Reps Res Rev Rt Sen Sens Sfc Sgt Sr St Supt Surg v vs i.e rev e.g Nos Nr""".split()
)
METEOR_ABBREVIATIONS_BEFORE_NUMBERS = frozenset(["No", "Art", "pp"])

CLITICS: tuple[str, ...] = ("s", "m", "d", "ll", "re", "ve")
JOINED_WORDS: Mapping[str, str] = {
    "cannot": "can",
    "gimme": "gim",
    "gonna": "gon",
    "gotta": "got",
    "lemme": "lem",
    "wanna": "wan",
}
WITH_APOSTROPHE_BEHIND: tuple[str, ...] = ("d", "j", "l", "ol", "dunkin", "somethin")
WITH_APOSTROPHE_INSIDE: tuple[str, ...] = (
    "c'est",
    "c'mon",
    "e'er",
    "ev'ry",
    "li'l",
    "nat'l",
    "s'mores",
)
WITH_APOSTROPHE_BEFORE: tuple[str, ...] = ("em", "till", "til", "cause")

SENTENCE_OPENERS = tuple(
    """a about according additionally after an as at but earlier he her here however if in it last
    many more mr. ms. now once one other our she since so some such that the their then there these
    they this we what when while yet you""".split()
)


# --- closed classes -----------------------------------------------------------------------------
SINGULAR_PRONOUNS = frozenset(
    "he she it him her his its i me my himself herself itself myself hers one".split()
)
INDEFINITE_ARTICLES = frozenset({"a", "an"})

QUANTIFIERS = frozenset(
    """lots many several plenty tons dozens multitudes mountains loads pairs tens hundreds
    thousands millions billions trillions""".split()
)
QUANTIFIERS_AFTER_ARTICLE = frozenset(
    """lot assortment number couple bunch handful litany sheaf slew dozen series variety multitude
    wad clutch wave mountain array spate string ton range plethora heap sort form kind type version
    bit pair triple total""".split()
)
QUANTIFIERS_BEFORE_ARTICLE = frozenset(
    """some all both neither everyone nobody one two three four five six seven eight nine ten
    hundred thousand million billion trillion""".split()
)

PREPOSITIONS_OF_TWO_WORDS = frozenset(
    """across_from along_with alongside_of apart_from as_for as_from as_of as_per as_to aside_from
    away_from based_on close_by close_to compared_to compared_with contrary_to depending_on
    except_for exclusive_of far_from followed_by inside_of irrespective_of near_to next_to off_of
    out_of outside_of owing_to preliminary_to preparatory_to previous_to prior_to pursuant_to
    regardless_of subsequent_to thanks_to together_with""".split()
)
GOVERNING_PREPOSITIONS = frozenset(
    """apart_from as_from aside_from away_from close_by close_to contrary_to far_from near_to
    next_to out_of outside_of pursuant_to regardless_of together_with""".split()
)
PREPOSITIONS_OF_THREE_WORDS = frozenset(
    """by_means_of in_accordance_with in_addition_to in_case_of in_front_of in_lieu_of in_place_of
    in_spite_of on_account_of on_behalf_of on_top_of with_regard_to with_respect_to""".split()
)
ADDING_CONJUNCTIONS = frozenset({"as_well_as", "but_also"})
EXCLUDING_CONJUNCTIONS = frozenset({"rather_than", "instead_of", "but_rather", "but_not", "not"})

# Articles and the like, and prepositions that are no adverbs: a caption that ends so breaks off.
NON_FINAL_WORDS = frozenset(
    "a an the and or of with from into onto at their its his my your our every than".split()
)


# --- what pictures show -------------------------------------------------------------------------
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


@cache
def nouns_for(kind: str) -> frozenset[str]:
    """The nouns that name a `person` or a `scene`, from WordNet."""
    return frozenset(
        (RESOURCES / "scenes" / f"{kind}_words.txt").read_text(encoding="utf-8").split()
    )


# Words that say how a sentence is built rather than what is in the picture.
STOP_WORDS_NAME = "spacy-3.8.7"  # as signatures give it


@cache
def read_stop_words() -> frozenset[str]:
    """Return spaCy's stop words for English; their file holds its version and its licence."""
    path = RESOURCES / "stop_words" / "english.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


# --- how texts begin that are not quite captions, as patterns ------------------------------------
_PICTURE = r"(?:image|picture|photo|photograph|pic|snapshot|scene|frame|video|clip|audio|recording)"
_SHOWS = (
    r"(?:shows|showing|depicts|depicting|features|featuring|captures|capturing|displays|displaying"
    r"|presents|presenting|portrays|portraying|illustrates|contains|showcases|showcasing|of|is)"
)
# "The image shows", "A close-up photo of", "In this picture", "This is an image of".
PICTURE_OPENING = (
    rf"\A\W*(?:(?:the|this|an?|these)\s+(?:[\w-]+\s+){{0,4}}?{_PICTURE}s?\s+{_SHOWS}\b"
    rf"|in\s+(?:the|this)\s+{_PICTURE}\b"
    rf"|(?:this|it)\s+is\s+an?\s+(?:[\w-]+\s+){{0,3}}?{_PICTURE}\b)"
)
# "Sure, here is a caption", "I'm sorry, but I can't", "Caption:".
ANSWER_OPENING = (
    r"\A\W*(?:sure|certainly|absolutely|of\s+course|okay|ok)\b\s*[,!:.]"
    r"|\A\W*here(?:'s|\u2019s|\s+is|\s+are)\s+(?:the|an?|your|some|\w+)\s+(?:\w+\s+){0,2}?"
    r"(?:caption|description|answer|sentence)s?\b"
    r"|\A\W*(?:i(?:'m|\u2019m|\s+am)\s+(?:sorry|unable|not\s+able)|sorry,|unfortunately,)"
    r"|\A\W*i\s+(?:can(?:'t|\u2019t|not|\s+not)|don(?:'t|\u2019t)|do\s+not)\s"
    r"|\A\W*as\s+an?\s+(?:ai|language\s+model|artificial)\b"
    r"|\A\W*(?:caption|description|answer|assistant|response|output)\s*:"
)
