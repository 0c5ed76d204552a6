"""A CLIP of a few thousand random weights, saved as Hugging Face saves one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

WORDS = ["a", "photo", "depicts", "dog", "cat", "runs"]


def save_tiny_clip(folder: Path, window: int = 12, seed: int = 0) -> None:
    """Write model and tokenizer; a word that is known is one token."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    pieces, merges = [*letters, *(f"{letter}</w>" for letter in letters)], []
    for word in WORDS[1:]:
        parts = [*word[:-1], f"{word[-1]}</w>"]
        while len(parts) > 1:
            merge = f"{parts[0]} {parts[1]}"
            parts = [parts[0] + parts[1], *parts[2:]]
            if merge not in merges:
                merges.append(merge)
                pieces.append(parts[0])
    pieces = list(dict.fromkeys([*pieces, "<|startoftext|>", "<|endoftext|>"]))
    (folder / "vocab.json").write_text(json.dumps({name: row for row, name in enumerate(pieces)}))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges, ""]))
    tokenizer = transformers.CLIPTokenizer(
        vocab=str(folder / "vocab.json"),
        merges=str(folder / "merges.txt"),
        model_max_length=window,
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    ends = {"bos_token_id": len(pieces) - 2, "eos_token_id": len(pieces) - 1}
    layers = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    config = transformers.CLIPConfig(
        text_config={
            **layers,
            **ends,
            "vocab_size": len(pieces),
            "max_position_embeddings": window,
        },
        vision_config={**layers, "image_size": 16, "patch_size": 8},
        projection_dim=8,
    )
    transformers.CLIPModel(config).save_pretrained(folder)
    said = {
        "size": {"shortest_edge": 20},
        "image_mean": [0.5, 0.4, 0.3],
        "image_std": [0.2, 0.25, 0.5],
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(said))
