"""Document frequencies by the names that pyciderevalcap uses."""

from __future__ import annotations

from pathlib import Path

from captious.errors import InputError, short_repr
from captious.io.inputs import is_file
from captious.metrics.cider.document_frequencies import (
    DocumentFrequencies,
    FrequencySource,
    shipped_names,
)

CORPUS = "corpus"  # the captions' own


def load_frequencies(df: FrequencySource) -> DocumentFrequencies | None:
    """Load document frequencies by name; None for `corpus`.

    A name is that of a file `data/NAME.p`, as in pyciderevalcap; or any path of a pickle or of a
    file that `captious df` made; or that of frequencies that ship.
    """
    if df is None or df == CORPUS:
        return None
    if isinstance(df, DocumentFrequencies):
        return df
    if not isinstance(df, str | Path):
        raise InputError(f"df: 'corpus', or a name or file of frequencies, not {short_repr(df)}")
    places = [Path("data") / f"{df}.p", Path(df), Path(f"{df}.p")]
    path = next((place for place in places if is_file(place)), None)
    if path is None and str(df) not in shipped_names():
        tried = ", ".join(map(str, places))
        raise InputError(
            f"no document frequencies called {short_repr(str(df))}: neither a file ({tried}) nor "
            f"shipped ({', '.join(shipped_names())})"
        )
    return DocumentFrequencies.load(df if path is None else path)
