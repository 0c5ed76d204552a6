"""Train the large dependency parser, which imitates the trees that SPICE reads.

It does not ship: the small parser learns from it (`tools/distill_parser.py`). Needs PyTorch (`pip
install torch numpy`). A run that was killed goes on with `--resume`.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "src"))

from parser_training.data import (  # noqa: E402
    ROOT_LABEL,
    Spellings,
    Vocabulary,
    lemma_exceptions,
    make_batches,
    read_trees,
)
from parser_training.evaluation import compare_with_corenlp, evaluate  # noqa: E402
from parser_training.export import pack_weights, weights_of_teacher  # noqa: E402
from parser_training.network import ParserNetwork, Sizes, loss_of  # noqa: E402
from parser_training.schedule import learning_rate  # noqa: E402
from parser_training.teacher import Teacher  # noqa: E402


def train(options: argparse.Namespace) -> None:
    """Train, choosing nothing but when to stop by the held-out slice, and write the weights."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    shuffler = random.Random(options.seed)
    splits = read_trees(options.data)
    print({split: len(trees) for split, trees in splits.items()}, flush=True)
    sizes = Sizes(
        options.word, options.subword, options.lower, options.upper, options.arc, options.label
    )  # fmt: skip
    vocabulary = Vocabulary.of_trees(splits["train"], options.least_count, options.buckets)
    words = (word for trees in splits.values() for tree in trees for word in tree.words)
    spellings = Spellings(words, vocabulary)
    network = ParserNetwork(sizes, vocabulary, options.dropout)
    # A second network holds the running mean of the weights: better than the last ones.
    mean = ParserNetwork(sizes, vocabulary, 0.0)
    mean.load_state_dict(network.state_dict())
    print(f"{sum(weight.numel() for weight in network.parameters()):,} weights", flush=True)
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=options.rate, betas=(0.9, 0.98), weight_decay=options.decay
    )
    lemmas = lemma_exceptions(splits["train"])
    dev = make_batches(splits["dev"], spellings, vocabulary, 8000)
    root = vocabulary.label_id[ROOT_LABEL]
    shuffler.shuffle(splits["train"])
    steps_an_epoch = len(make_batches(splits["train"], spellings, vocabulary, options.tokens))
    steps = steps_an_epoch * options.epochs
    step = first_epoch = 0
    checkpoint = Path(options.checkpoint)
    if options.resume and checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(saved["network"])
        mean.load_state_dict(saved["mean"])
        optimizer.load_state_dict(saved["optimizer"])
        step, first_epoch = saved["step"], saved["epoch"]
        torch.set_rng_state(saved["random"])
        print(f"going on after epoch {first_epoch}", flush=True)
    started = time.monotonic()
    network.train()
    for epoch in range(first_epoch, options.epochs):
        shuffler = random.Random(options.seed * 1000 + epoch)
        shuffler.shuffle(splits["train"])
        batches = make_batches(splits["train"], spellings, vocabulary, options.tokens)
        shuffler.shuffle(batches)
        total = 0.0
        for number, batch in enumerate(batches, start=1):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(step, steps, options.rate)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=not options.full_precision):
                loss = loss_of(network, batch, spellings, options.word_dropout)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            keep = min(options.mean, (1 + step) / (10 + step))
            with torch.no_grad():
                torch._foreach_lerp_(list(mean.parameters()), list(network.parameters()), 1 - keep)
            total += float(loss.detach())
            if number % 100 == 0:
                seconds = time.monotonic() - started
                loss_so_far = total / number
                print(f"  step {step}/{steps} loss {loss_so_far:.4f} {seconds:.0f} s", flush=True)
        tag, unlabelled, labelled = evaluate(mean, dev, spellings, root)
        print(
            f"epoch {epoch + 1} loss {total / len(batches):.4f} held out: tags {tag:.4f} "
            f"UAS {unlabelled:.4f} LAS {labelled:.4f} {time.monotonic() - started:.0f} s",
            flush=True,
        )
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
        state = {
            "network": network.state_dict(),
            "mean": mean.state_dict(),
            "optimizer": optimizer.state_dict(),
            "step": step,
            "epoch": epoch + 1,
            "random": torch.get_rng_state(),
        }
        torch.save(state, checkpoint.with_suffix(".new"))
        checkpoint.with_suffix(".new").replace(checkpoint)  # a kill leaves the old one whole
    options.out.parent.mkdir(parents=True, exist_ok=True)
    mean.eval()
    some = make_batches(splits["train"][:5000], spellings, vocabulary, 8000)
    with torch.no_grad():
        inputs = [mean.read(batch.spelling, spellings)[2].flatten(0, 1) for batch in some]
    arrays = weights_of_teacher(mean, torch.cat(inputs).numpy(), options.projection)
    np.savez_compressed(options.out, **pack_weights(arrays, vocabulary, lemmas))
    print(f"wrote {options.out} ({options.out.stat().st_size:,} bytes)")
    shares = compare_with_corenlp(Teacher(options.out).parse_all, options.data)
    print("test:", ", ".join(f"{name} {share:.4f}" for name, share in shares.items()))


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    training = REPOSITORY / "tools" / "parser_training"
    add = parser.add_argument
    data = REPOSITORY / ".." / "shared" / "data" / "silver" / "captions.jsonl.gz"
    add("--data", type=Path, default=data, help="captions with CoreNLP's trees")
    add("--out", type=Path, default=training / "teacher.npz", help="the weights file to write")
    add("--checkpoint", default="build/parser_checkpoint.pt", help="what --resume reads")
    add("--resume", action="store_true", help="go on with the checkpoint, if there is one")
    add("--epochs", type=int, default=15, help="how often the training data is read")
    add("--tokens", type=int, default=4000, help="words a batch")
    add("--rate", type=float, default=3e-3, help="highest learning rate")
    add("--decay", type=float, default=0.01, help="weight decay")
    add("--mean", type=float, default=0.998, help="decay of the running mean of the weights")
    add("--dropout", type=float, default=0.15, help="dropout")
    add("--word-dropout", type=float, default=0.01, help="how often any word is hidden")
    add("--least-count", type=int, default=3, help="rarer words have no vector of their own")
    add("--word", type=int, default=128, help="width of a word's vector")
    add("--subword", type=int, default=96, help="width of the vector of its pieces")
    add("--buckets", type=int, default=8192, help="hash buckets of the pieces")
    add("--lower", type=int, default=192, help="width of the lower LSTM, each direction")
    add("--upper", type=int, default=160, help="width of the upper LSTM, each direction")
    add("--projection", type=int, default=160, help="width of the layer put between them at last")
    add("--arc", type=int, default=160, help="width of the arc scorer")
    add("--label", type=int, default=192, help="width of the label scorer")
    add("--full-precision", action="store_true", help="compute in float32, not bfloat16")
    add("--threads", type=int, default=2, help="processor threads")
    add("--seed", type=int, default=1, help="seed")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
