"""How English is written: abbreviations, contractions, and words with which sentences begin.

The Penn Treebank's lists were settled by asking the reference tokenizer; METEOR has its own.
"""

from __future__ import annotations

from collections.abc import Mapping

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
