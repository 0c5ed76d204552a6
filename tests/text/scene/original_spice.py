"""What SPICE made of captions, step by step: a few written out, many read from ../shared."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from captious.text.parser.parser import Sentence
from captious.text.scene.collapsed_graph import DependencyGraph

# Captions as the original parses them: word/tag/lemma/head/relation.
NEXT_TO = (
    "a/DT/a/2/det girl/NN/girl/4/nsubj is/VBZ/be/4/aux brushing/VBG/brush/0/root "
    "her/PRP$/she/6/nmod:poss hair/NN/hair/4/dobj next/JJ/next/4/advmod to/TO/to/10/case "
    "a/DT/a/10/det bed/NN/bed/7/nmod"
)
ON_TOP_OF = (
    "a/DT/a/2/det baby/NN/baby/0/root sitting/VBG/sit/2/dep on/IN/on/5/case top/NN/top/3/nmod "
    "of/IN/of/9/case a/DT/a/9/det laptop/JJ/laptop/9/amod computer/NN/computer/5/nmod"
)
AGENT = (
    "a/DT/a/2/det bench/NN/bench/4/nsubjpass is/VBZ/be/4/auxpass shown/VBN/show/0/root "
    "in/IN/in/7/case the/DT/the/7/det dirt/NN/dirt/4/nmod by/IN/by/10/case the/DT/the/10/det "
    "house/NN/house/4/nmod"
)
TWO_PHRASES = (
    "a/DT/a/2/det meal/NN/meal/4/nsubjpass is/VBZ/be/4/auxpass served/VBN/serve/0/root "
    "in/IN/in/7/case a/DT/a/7/det bowl/NN/bowl/4/nmod and/CC/and/7/cc on/IN/on/11/case "
    "a/DT/a/11/det plate/NN/plate/7/conj"
)
TWO_PREPOSITIONS = (
    "the/DT/the/2/det people/NNS/people/3/nsubj swim/VBP/swim/0/root above/IN/above/8/case "
    "and/CC/and/4/cc under/IN/under/4/conj the/DT/the/8/det water/NN/water/3/nmod "
    "in/IN/in/11/case the/DT/the/11/det pool/NN/pool/3/nmod"
)
SHARED_SUBJECT = (
    "two/CD/two/2/nummod dogs/NNS/dog/4/nsubjpass are/VBP/be/4/auxpass covered/VBN/cover/0/root "
    "in/IN/in/6/case blankets/NNS/blanket/4/nmod and/CC/and/4/cc staring/VBG/stare/4/conj "
    "ahead/RB/ahead/8/advmod"
)
QUANTIFIER = (
    "a/DT/a/2/det couple/NN/couple/0/root of/IN/of/4/case people/NNS/people/2/nmod "
    "standing/VBG/stand/4/acl on/IN/on/9/case a/DT/a/9/det green/JJ/green/9/amod "
    "hill/NN/hill/5/nmod with/IN/with/12/case a/DT/a/12/det dog/NN/dog/9/nmod"
)
PRONOUNS = (
    "a/DT/a/2/det man/NN/man/3/nsubj lays/VBZ/lay/0/root on/IN/on/6/case a/DT/a/6/det "
    "bench/NN/bench/3/nmod while/IN/while/10/mark his/PRP$/he/9/nmod:poss dog/NN/dog/10/nsubj "
    "sits/VBZ/sit/3/advcl by/IN/by/12/case him/PRP/he/10/nmod"
)


def sentence_of(text: str) -> Sentence:
    """A sentence from word/tag/lemma/head/relation."""
    rows = [word.split("/") for word in text.split()]
    words, tags, lemmas, heads, labels = zip(*rows, strict=True)
    return Sentence(words, tags, lemmas, tuple(map(int, heads)), labels)


def named_edges(graph: DependencyGraph) -> set[tuple[str, str, str]]:
    """Edges as ../shared writes them: 5.1 is a copy of the fifth word."""
    names: list[str] = []
    for node, token in enumerate(graph.tokens):
        copies = sum(other == token for other in graph.tokens[:node])
        names.append(f"{token}.{copies}" if copies else str(token))
    return {(names[governor], label, names[child]) for governor, label, child in graph.edges}


def original_sentence(parse: dict[str, Any]) -> Sentence:
    """The original's tree."""
    return Sentence(*(tuple(parse[k]) for k in ("words", "tags", "lemmas", "heads", "labels")))


def original_edges(parse: dict[str, Any]) -> set[tuple[str, str, str]]:
    """The original's collapsed graph as edges."""
    return {(str(governor), label, str(child)) for governor, label, child in parse["graph"]}


def original_graph(parse: dict[str, Any]) -> DependencyGraph:
    """The original's collapsed graph."""
    words, tags, lemmas = (["", *parse[key]] for key in ("words", "tags", "lemmas"))
    graph = DependencyGraph(words, tags, lemmas, list(range(len(words))), [])
    nodes: dict[str, int] = {}
    for edge in parse["graph"]:
        for end in (edge[0], edge[2]):
            if str(end) not in nodes:
                token, _, copy = str(end).partition(".")
                nodes[str(end)] = graph.add_copy(int(token)) if copy else int(token)
        graph.edges.append((nodes[str(edge[0])], edge[1], nodes[str(edge[2])]))
    return graph


@lru_cache(maxsize=2)
def some_captions(shared: Path) -> tuple[dict[str, Any], ...]:
    """All captions of silver's test split, and every twentieth of parity's."""
    parity = _lines(shared / "parity" / "spice" / "captions.jsonl.gz")
    silver = _lines(shared / "data" / "silver" / "captions.jsonl.gz")
    return (
        *map(json.loads, islice(parity, 0, None, 20)),
        *(json.loads(line) for line in silver if '"split": "test"' in line),
    )


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def original_tuples(shared: Path, captions: set[str]) -> dict[str, list[tuple[str, ...]]]:
    """The original's tuples of tokenized captions."""
    lines = _lines(shared / "parity" / "spice" / "captions.jsonl.gz")
    rows = (json.loads(line) for line in lines if _caption(line) in captions)
    return {row["caption"]: [tuple(names) for names in row["tuples"]] for row in rows}


def _caption(line: str) -> str:
    """The caption of a line, without reading the rest."""
    caption: str = json.JSONDecoder().raw_decode(line, len('{"caption": '))[0]
    return caption
