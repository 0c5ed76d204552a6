import numpy as np

from captious.text.analysis import Analysis
from captious.text.ngrams import Ngrams


def ngrams_of(analysis, n):
    """Each caption's n-grams as tuples of words, read back from ids and keys."""
    words = {number: word for word, number in _vocabulary(analysis).items()}
    layers = [a.layer(Ngrams) for a in (analysis.base, analysis) if a]

    def spell(number, order):
        if order == 1:
            return (words[number],)
        layer = next(a for a in layers if number < a.orders[order - 1].size)
        key = int(layer.orders[order - 1].keys[number - layer.orders[order - 1].first_id])
        return (*spell(key >> 32, order - 1), words[key & 0xFFFFFFFF])

    ids = analysis.layer(Ngrams).orders[n - 1].ids
    rows = np.split(ids.values, ids.offsets[1:-1])
    return [[spell(int(number), n) for number in row] for row in rows]


def _vocabulary(analysis):
    from captious.text.tokens import Tokens

    base = _vocabulary(analysis.base) if analysis.base else {}
    return {**base, **analysis.layer(Tokens).vocabulary}


def expected(caption, n):
    words = caption.split()
    return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


BASE = ["a dog on a dog", "", "one", "a cat on a mat on a mat"]
ABOVE = ["a dog on a cat", "a new dog on a mat", "", "a"]


def test_ngrams_are_all_there_and_in_place():
    base = Analysis(BASE)
    above = Analysis(ABOVE, base=base)
    for n in (1, 2, 3, 4):
        assert ngrams_of(base, n) == [expected(caption, n) for caption in BASE]
        assert ngrams_of(above, n) == [expected(caption, n) for caption in ABOVE]


def test_bags_count_distinct_ngrams():
    order = Analysis(["b a b", "a"]).layer(Ngrams).orders[0]
    by_id, by_place = order.bags_by_id(), order.bags_by_place()
    assert (by_id.ngrams.values.tolist(), by_id.counts.tolist()) == ([0, 1, 0], [1, 2, 1])
    assert (by_place.ngrams.values.tolist(), by_place.counts.tolist()) == ([1, 0, 0], [2, 1, 1])
    assert by_id.ngrams.offsets.tolist() == by_place.ngrams.offsets.tolist() == [0, 2, 3]


def test_nothing_at_all():
    for order in Analysis([""]).layer(Ngrams).orders:
        assert len(order.bags_by_id().counts) == len(order.bags_by_place().counts) == 0
