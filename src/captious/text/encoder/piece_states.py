"""The pieces of captions and their vectors of length 1, encoded once an analysis."""

from __future__ import annotations

from captious.text.analysis import Analysis
from captious.text.encoder.encoder import Encoder, Floats, TokenStates, unit

_AT_ONCE = 1 << 16  # vectors scaled together, so that no second copy of all is made


def piece_states(analysis: Analysis, encoder: Encoder, layer: int) -> TokenStates:
    """Every caption's pieces after a layer of an encoder, scaled to length 1."""

    def encoded() -> TokenStates:
        found = encoder.token_states(analysis.captions, layer)
        _scale(found.states)
        return found

    return analysis.once(("piece states", encoder.fingerprint, layer), encoded)


def _scale(states: Floats) -> None:
    for start in range(0, len(states), _AT_ONCE):
        states[start : start + _AT_ONCE] = unit(states[start : start + _AT_ONCE])
