"""Encoders of Hugging Face by name or path; need `transformers` and torch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from captious._internal.backends.pytorch import (
    NO_REMOTE_CODE,
    SAFE_WEIGHTS,
    explain_load_errors,
    import_transformers,
    weights_hash,
)
from captious._internal.locks import ForkSafeLock
from captious.errors import InputError
from captious.text.encoder.encoder import Encoder, Floats, Ints, load_encoder

# Captions that torch is given at once, filled up: its products may round by the number of rows.
BATCH_ROWS = 4
_UNLIMITED_TOKENS = 1 << 20  # tokenizers without a limit report a larger number
# These split the first word differently unless a space precedes it.
_PREFIX_SPACE_TOKENIZERS = ("roberta", "gpt2")


class HuggingFaceEncoder(Encoder):
    """Encoder with one special token at each end of a caption, such as BERT and RoBERTa."""

    def __init__(self, model: str) -> None:
        self.name = model
        self._torch, transformers = import_transformers(f"{model}: an encoder of one's own")
        how = "give the name of the one that ships, all-minilm-l6-v2, or the folder of a model"
        with explain_load_errors(model, "encoder", how):
            self._tokenizer = self._load_tokenizer(transformers.AutoTokenizer)
            self._model = transformers.AutoModel.from_pretrained(model, **SAFE_WEIGHTS).eval()
        if len(self._tokenizer("")["input_ids"]) != 2:
            raise InputError(
                f"{model}: adds other special tokens than one at each end of a caption"
            )
        self.layers = int(self._model.config.num_hidden_layers)
        positions = int(getattr(self._model.config, "max_position_embeddings", _UNLIMITED_TOKENS))
        limit = int(self._tokenizer.model_max_length)
        # RoBERTa counts positions from 2, so that its configuration says 514 and its tokenizer 512.
        self.window = min(limit, positions) if limit < _UNLIMITED_TOKENS else positions
        self._lock = ForkSafeLock()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (load_encoder, (self.name,))

    def _load_tokenizer(self, factory: Any) -> Any:
        tokenizer = factory.from_pretrained(self.name, **NO_REMOTE_CODE)
        if any(kind in type(tokenizer).__name__.lower() for kind in _PREFIX_SPACE_TOKENIZERS):
            tokenizer = factory.from_pretrained(self.name, add_prefix_space=True, **NO_REMOTE_CODE)
        return tokenizer

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the weights and of the vocabulary."""
        return weights_hash(self._model, "\n".join(self.piece_names()))

    def piece_names(self) -> Sequence[str]:
        """Return every piece as text."""
        names: list[str] = self._tokenizer.convert_ids_to_tokens(range(len(self._tokenizer)))
        return names

    def _tokenize(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        rows, shortened = [], 0
        for caption in captions:
            # What UTF-8 cannot say, such as half a surrogate pair, is no text to a tokenizer.
            text = caption.strip().encode("utf-8", "replace").decode()
            row = self._tokenizer(text, truncation=True, max_length=self.window + 1)["input_ids"]
            if len(row) > self.window:
                row = [*row[: self.window - 1], row[-1]]
                shortened += 1
            rows.append(row)
        return rows, shortened

    def _states(self, pieces: Ints, layers: Sequence[int]) -> Sequence[Floats]:
        parts = [
            self._states_of_batch(pieces[start : start + BATCH_ROWS], layers)
            for start in range(0, len(pieces), BATCH_ROWS)
        ]
        return [np.concatenate(layer) for layer in zip(*parts, strict=True)]

    def _states_of_batch(self, pieces: Ints, layers: Sequence[int]) -> list[Floats]:
        """Return the states of at most `BATCH_ROWS` captions."""
        full = np.concatenate([pieces, np.repeat(pieces[:1], BATCH_ROWS - len(pieces), axis=0)])
        # One caller at a time: torch has threads of its own.
        with self._lock, self._torch.no_grad():
            ids = self._torch.from_numpy(full)
            outputs = self._model(
                input_ids=ids,
                attention_mask=self._torch.ones_like(ids),
                output_hidden_states=True,
            )
        states = (outputs.hidden_states[layer].float().numpy() for layer in layers)
        return [layer[: len(pieces)] for layer in states]
