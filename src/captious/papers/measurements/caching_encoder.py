"""Encoder with a cache: captions that several metrics read are encoded once, for all layers."""

from __future__ import annotations

from collections.abc import Sequence

from captious.text.encoder.encoder import Encoder, Floats, Ints, TokenStates

MAX_CACHE_BYTES = 3 << 30  # of states; beyond, the oldest are dropped


class CachingEncoder(Encoder):
    """Wraps an encoder and caches the states of its latest captions after some layers."""

    def __init__(self, encoder: Encoder, layers: Sequence[int]) -> None:
        self._encoder = encoder
        self._cached_layers = [encoder.resolve_layer(layer) for layer in layers]
        self._cached: dict[tuple[str, ...], dict[int, TokenStates]] = {}
        self.name, self.layers = encoder.name, encoder.layers
        self.window, self.width = encoder.window, encoder.width

    @property
    def fingerprint(self) -> str:
        """The wrapped encoder's: scores do not depend on the cache."""
        return self._encoder.fingerprint

    def token_states(self, captions: Sequence[str], layer: int | None = None) -> TokenStates:
        """Return one vector a piece, after a layer, from the cache if possible."""
        layer = self.resolve_layer(layer)
        if layer not in self._cached_layers:
            return self._encoder.token_states(captions, layer)
        key = tuple(captions)
        if key not in self._cached:
            states = self._encoder.states_of_layers(captions, self._cached_layers)
            self._cached[key] = dict(zip(self._cached_layers, states, strict=True))
            while len(self._cached) > 1 and self._size() > MAX_CACHE_BYTES:
                del self._cached[next(iter(self._cached))]
        kept = self._cached[key][layer]
        # A copy, since callers may scale states in place.
        return TokenStates(kept.pieces, kept.states.copy())

    def piece_names(self) -> Sequence[str]:
        """Every piece as text, by number."""
        return self._encoder.piece_names()

    def _size(self) -> int:
        return sum(each.states.nbytes for kept in self._cached.values() for each in kept.values())

    def _tokenize(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        return self._encoder._tokenize(captions)

    def _states(self, pieces: Ints, layers: Sequence[int]) -> Sequence[Floats]:
        return self._encoder._states(pieces, layers)
