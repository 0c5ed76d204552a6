"""The authors' post-gen scores computed anew from the captions that they released."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from captious.experiments.procedures.pregen.post_gen import measure
from captious.experiments.workbench.bench import Workbench

INTRODUCTION = """
### Post-gen scores anew

The captions behind these rows were released with an earlier paper of the authors
(mtanti/where-image2), so that the post-gen scores of all 540 rows can be computed again: images in
ascending order of CIDEr, equal parts, the remainder dropped, CIDEr with each part's own document
frequencies. The authors scored the words of Karpathy's data sets and ran no tokenizer over them:
lower case, hyphens, slashes and commas as spaces, full stops, apostrophes and other marks removed
(`captious.io.where_image2.karpathy_words`), `--tokenizer whitespace`. METEOR and CIDEr then come
out but for rounding. SPICE differs by what our parser reads differently.

WMD is another metric under the same name. By their code it is exp(-d) of the nearest reference with
word2vec's vectors of Google News as long as they are, and NLTK's stop words; ours has GloVe's,
brought to length 1, and spaCy's stop words. Longer vectors make all distances longer: the length of
ours at which the mean absolute difference on Flickr8k is least is that of the last rows, on the
other data sets too. `captious reproduce pregen --data DIR` prints this with all figures of the
paper.

"""


def post_gen(data: Path) -> Iterator[str]:
    """Compute, and give the section."""
    yield INTRODUCTION
    differences, *_ = measure(Workbench(data)).tables
    yield differences.rendered("markdown") + "\n"
