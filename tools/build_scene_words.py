"""Build the lists of words that name a person and words that name a scene, from WordNet.

    python tools/build_scene_words.py WORDNET CAPTIONS... [--output FOLDER]

WORDNET is the folder with WordNet 3.0's `data.noun` and `index.noun`. A noun is kept where its
first, most frequent sense lies below one of the synsets named here and where it occurs in the
captions given often enough. Errors of the rule are corrected by hand, below. Files
of captions are JSON or JSON lines, where every string with a blank in it is taken for a caption, or
text of which the part behind the first tab is taken; each may be gzipped. The same input gives the
same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from captious.text.tokenizer.tokenizer import tokenize  # noqa: E402

MIN_COUNT = 20  # occurrences in the captions

# Lemma and number of the sense under which all nouns are taken.
ROOTS = {
    "person": (("person", 1), ("people", 1)),
    "scene": (
        ("location", 1),
        ("structure", 1),
        ("geological_formation", 1),
        ("body_of_water", 1),
        ("way", 6),
        ("land", 4),
        ("facility", 1),
    ),
}
# Words whose sense in captions is not their first one in WordNet.
ADDED: dict[str, str] = {
    "person": """
        biker climber driver female male police skydiver
    """,
    "scene": """
        arena course court deck dirt floor forest grass gravel ice intersection market mud path
        pavement platform pool puddle ramp rock sand school sky snow square stage subway surf
        water wood woods yard
    """,
}
# Words that captions use otherwise (adjectives, things, relations in space), and plurals.
LEFT_OUT: dict[str, str] = {
    "person": """
        aged ancient antique batman bikers blind boarder boxer broad brownie bunny calculator
        captive carrier chased closer coaster colonial colored comforter comic contemporary
        controller conveyor crazy cream cub cutter dalmatian dead diner divider drunk dry dummy
        elderly ethnic extra fed few forward free gay gourmet great grind handicapped hanger
        have heavy homeless hood hotdog jumper keeper lost lovely lush ma macaroni major maker
        mannequin maroon married metropolitan miami mickey modern mohawk monitor national native
        natural neutral ordinary oriental ostrich ottoman pacifier peoples picker picket planter
        plunger poor pop potter prey primitive printer private pro professional public quad
        quiche rake regular religious rocker roman ruler rustic same server shaker shepherd
        shrimp silly smoothie speaker squirt straight stroller super swiss tackle taco temporary
        thai tiger toaster trailer vegetarian victorian virgin washer whale white
    """,
    "scene": """
        airline angle backside banister bar barrel barren base beat bedside ben border bottom
        bounds cab caboose cage cape cell center central climb common compartment corner crack
        crest cross crust cubicle cupboard dairy dell desktop destination dig direction dive
        dollhouse downhill draw drawer edge end exterior fencing flat flies forefront frame
        front go-cart grate grating grill ha hammock handrail here hole hoop horizon hurdle
        incline inside interior john laboratory ladder left location locker main midair middle
        midst narrow open opening outdoors outlet outside partition parts pipe place plant
        plywood position post prop quarters rack rail railing rapid reach region roads rooms
        rough sands sash scene seat see setting shallow sheet short side silhouette site
        somewhere source spire spot stalls state steep steeple steps stretch structure surround
        tee there thick tip toilet top transportation trough tube underside unknown uphill
        upside vault vaulting ways works
    """,
}


class NounHierarchy:
    """WordNet's nouns: the synsets of each lemma, and the hypernyms of each synset."""

    def __init__(self, folder: Path) -> None:
        self.synsets: dict[str, list[str]] = {}
        for fields in _read_records(folder / "index.noun"):
            self.synsets[fields[0]] = fields[-int(fields[2]) :]
        self._parents: dict[str, list[str]] = {}
        for fields in _read_records(folder / "data.noun"):
            first = 4 + 2 * int(fields[3], 16)  # the number of pointers stands behind the words
            pointers = fields[first + 1 : first + 1 + 4 * int(fields[first])]
            self._parents[fields[0]] = [
                target
                for kind, target in zip(pointers[::4], pointers[1::4], strict=True)
                if kind == "@"
            ]

    def is_hyponym_of(self, synset: str, roots: set[str]) -> bool:
        """Whether a synset is one of the roots or lies below one."""
        queue, seen = [synset], {synset}
        while queue:
            current = queue.pop()
            if current in roots:
                return True
            queue += [parent for parent in self._parents[current] if parent not in seen]
            seen.update(self._parents[current])
        return False


def _read_records(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):  # the licence
            yield line.split(" | ")[0].split()


def read_captions(path: Path) -> Iterator[str]:
    """The captions of a file."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    name = path.name.removesuffix(".gz")
    if name.endswith(".json"):
        yield from _iter_strings(json.loads(text))
    elif name.endswith(".jsonl"):
        for line in text.splitlines():
            yield from _iter_strings(json.loads(line))
    else:
        for line in text.splitlines():
            yield line.partition("\t")[2]


def _iter_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if " " in value:
            yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _iter_strings(part)


def select_words(nouns: NounHierarchy, counts: Counter[str], kind: str) -> list[str]:
    """Select the words of one kind, in alphabetical order."""
    roots = {nouns.synsets[lemma][sense - 1] for lemma, sense in ROOTS[kind]}
    found = {
        lemma
        for lemma, synsets in nouns.synsets.items()
        if counts[lemma] >= MIN_COUNT and nouns.is_hyponym_of(synsets[0], roots)
    }
    return sorted((found | set(ADDED[kind].split())) - set(LEFT_OUT[kind].split()))


def main() -> None:
    """Count words, select those of each kind and write the lists."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("captions", type=Path, nargs="+")
    shipped = ROOT / "src" / "captious" / "resources" / "scenes"
    parser.add_argument("--output", type=Path, default=shipped)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for path in options.captions:
        for caption in read_captions(path):
            counts.update(tokenize(caption))
    nouns = NounHierarchy(options.wordnet)
    options.output.mkdir(parents=True, exist_ok=True)
    for kind in ROOTS:
        words = select_words(nouns, counts, kind)
        (options.output / f"{kind}_words.txt").write_bytes("\n".join(words).encode())
        print(f"{kind}: {len(words)} words")


if __name__ == "__main__":
    main()
