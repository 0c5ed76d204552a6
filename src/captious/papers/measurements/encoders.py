"""Encoders that remember: captions that several metrics read are encoded once, for all layers."""

from __future__ import annotations

from collections.abc import Sequence

from captious.text.encoder.encoder import Encoder, Floats, Ints, TokenStates

MOST_BYTES = 3 << 30  # of states; then the oldest go


class RememberingEncoder(Encoder):
    """Another encoder, with the states of its latest captions after some layers."""

    def __init__(self, encoder: Encoder, layers: Sequence[int]) -> None:
        self._encoder = encoder
        self._kept_layers = [encoder.checked_layer(layer) for layer in layers]
        self._kept: dict[tuple[str, ...], dict[int, TokenStates]] = {}
        self.name, self.layers = encoder.name, encoder.layers
        self.window, self.width = encoder.window, encoder.width

    @property
    def fingerprint(self) -> str:
        """The other's: scores do not depend on what is remembered."""
        return self._encoder.fingerprint

    def token_states(self, captions: Sequence[str], layer: int | None = None) -> TokenStates:
        """One vector a piece, after a layer, encoded or remembered."""
        layer = self.checked_layer(layer)
        if layer not in self._kept_layers:
            return self._encoder.token_states(captions, layer)
        key = tuple(captions)
        if key not in self._kept:
            states = self._encoder.states_of_layers(captions, self._kept_layers)
            self._kept[key] = dict(zip(self._kept_layers, states, strict=True))
            while len(self._kept) > 1 and self._size() > MOST_BYTES:
                del self._kept[next(iter(self._kept))]
        kept = self._kept[key][layer]
        # Whoever asks may scale them in place.
        return TokenStates(kept.pieces, kept.states.copy())

    def piece_names(self) -> Sequence[str]:
        """Every piece as text, by number."""
        return self._encoder.piece_names()

    def _size(self) -> int:
        return sum(each.states.nbytes for kept in self._kept.values() for each in kept.values())

    def _cut(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        return self._encoder._cut(captions)

    def _states(self, pieces: Ints, layers: Sequence[int]) -> Sequence[Floats]:
        return self._encoder._states(pieces, layers)
