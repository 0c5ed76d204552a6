"""The authors' post-gen scores recomputed from the captions that they released."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from captious.papers.measurements.experiment import Experiment
from captious.papers.procedures.pregen import compare_post_gen_scores

INTRODUCTION = """
### Post-gen scores, recomputed

The captions behind these rows were released with an earlier paper of the authors
(mtanti/where-image2), so the post-gen scores of all 540 rows can be recomputed: images in ascending
order of CIDEr, equal parts, the remainder dropped, CIDEr with the document frequencies of each
part. The authors scored the words of Karpathy's data sets and applied no tokenizer to them: lower
case; hyphens, slashes and commas replaced by spaces; full stops, apostrophes and other punctuation
removed (`captious.io.where_image2.karpathy_words`), `--tokenizer whitespace`. METEOR and CIDEr are
then the same up to rounding. SPICE differs where our parser does.

WMD is a different metric of the same name. In their code it is exp(-d) of the nearest reference,
with unnormalized word2vec vectors of Google News and NLTK's stop words; ours uses GloVe vectors
scaled to length 1, and spaCy's stop words. Longer vectors make all distances longer. The last rows
use the vector length with the smallest mean absolute difference on Flickr8k, on the other data sets
as well. `captious reproduce pregen --data DIR` prints this with all figures of the paper.

"""


def post_gen_section(data: Path) -> Iterator[str]:
    """Compute, and give the section."""
    yield INTRODUCTION
    differences, *_ = compare_post_gen_scores(Experiment(data)).tables
    yield differences.render("markdown") + "\n"
