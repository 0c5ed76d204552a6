"""Train the small dependency parser that ships, which learns from the large one.

The large parser (`tools/train_parser.py`) reads captions of people, of captioning systems and of
language models, none of them from the folder of comparisons. The small one learns its
probabilities of tags, heads and labels, and CoreNLP's trees where there are some.

Needs PyTorch (`pip install torch numpy`); the parser itself runs on NumPy alone. A run that was
killed goes on with `--resume`.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch
from tabulate import tabulate
from torch import nn

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "src"))

from captious.text.parser.parser import Parser  # noqa: E402
from parser_training.data import (  # noqa: E402
    ROOT_LABEL,
    Spellings,
    Tree,
    Vocabulary,
    frequent_words,
    make_batches,
    read_trees,
)
from parser_training.evaluation import compare_with_corenlp, evaluate  # noqa: E402
from parser_training.export import pack_weights, weights_of_student  # noqa: E402
from parser_training.lessons import LessonBook, loss_of_student, write_lessons  # noqa: E402
from parser_training.schedule import learning_rate  # noqa: E402
from parser_training.sentences import collect_sentences, read_captions_of_comparisons  # noqa: E402
from parser_training.student import Student, StudentSizes  # noqa: E402
from parser_training.teacher import Teacher  # noqa: E402

SAVED_EVERY = 1000  # steps
PRINTED_EVERY = 100


def prepare_lessons(
    options: argparse.Namespace, teacher: Teacher, splits: dict[str, list[Tree]]
) -> None:
    """Write what the teacher says of all sentences."""
    trees = {tuple(tree.words): tree for tree in splits["train"]}
    held_out = {tuple(tree.words) for split in ("dev", "test") for tree in splits[split]}
    left_out = read_captions_of_comparisons(options.comparisons)
    sentences = collect_sentences(options.data, left_out) | set(trees)
    sentences -= held_out | left_out
    words = sorted({word for sentence in sentences for word in sentence})
    print(f"{len(sentences):,} sentences of {sum(map(len, sentences)):,} words", flush=True)
    spellings = Spellings(words, teacher.vocabulary)
    write_lessons(options.lessons, teacher.teach(sorted(sentences), spellings, trees), words)


def train(options: argparse.Namespace) -> None:
    """Train for a fixed number of steps, and write the running mean of the weights."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    trees = options.data / "silver" / "captions.jsonl.gz"
    splits = read_trees(trees)
    teacher = Teacher(options.teacher)
    if not options.lessons.exists():
        prepare_lessons(options, teacher, splits)
    book = LessonBook(options.lessons)
    vocabulary = Vocabulary(
        frequent_words(book.counts, options.least_count),
        teacher.vocabulary.tags,
        teacher.vocabulary.labels,
        options.buckets,
        book.counts,
    )
    held_out_words = [word for tree in splits["dev"] for word in tree.words]
    spellings = Spellings([*book.words, *held_out_words], vocabulary)
    book.number_words(spellings)
    sizes = StudentSizes(
        options.word, options.subword, options.word_states, options.projection, options.lstm,
        options.arc, options.label,
    )  # fmt: skip
    network = Student(sizes, vocabulary, options.dropout)
    # A second network holds the running mean of the weights: better than the last ones.
    mean = Student(sizes, vocabulary, 0.0)
    mean.load_state_dict(network.state_dict())
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=options.rate, betas=(0.9, 0.98), weight_decay=options.decay
    )
    dev = make_batches(splits["dev"], spellings, vocabulary, 8000)
    root = vocabulary.label_id[ROOT_LABEL]
    step = 0
    if options.resume and options.checkpoint.exists():
        saved = torch.load(options.checkpoint, weights_only=True)
        network.load_state_dict(saved["network"])
        mean.load_state_dict(saved["mean"])
        optimizer.load_state_dict(saved["optimizer"])
        torch.set_rng_state(saved["random"])
        step = saved["step"]
        print(f"going on after step {step}", flush=True)
    steps_an_epoch = len(book.order(0, options.tokens))
    steps = steps_an_epoch * options.epochs
    started, total = time.monotonic(), 0.0
    network.train()
    while step < steps:
        epoch, done = divmod(step, steps_an_epoch)
        for batch in book.batches(book.order(epoch, options.tokens)[done:]):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(step, steps, options.rate)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = loss_of_student(network, batch, spellings, options.word_dropout)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            keep = min(options.mean, (1 + step) / (10 + step))
            with torch.no_grad():
                torch._foreach_lerp_(list(mean.parameters()), list(network.parameters()), 1 - keep)
            total += float(loss.detach())
            if step % PRINTED_EVERY == 0:
                seconds = time.monotonic() - started
                print(
                    f"  step {step}/{steps} loss {total / PRINTED_EVERY:.4f} {seconds:.0f} s",
                    flush=True,
                )
                total = 0.0
            if step % SAVED_EVERY == 0 or step == steps:
                tag, unlabelled, labelled = evaluate(mean, dev, spellings, root)
                print(
                    f"held out: tags {tag:.4f} UAS {unlabelled:.4f} LAS {labelled:.4f}", flush=True
                )
                state = {
                    "network": network.state_dict(),
                    "mean": mean.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "random": torch.get_rng_state(),
                    "step": step,
                }
                options.checkpoint.parent.mkdir(parents=True, exist_ok=True)
                torch.save(state, options.checkpoint.with_suffix(".new"))
                # A kill leaves the old one whole.
                options.checkpoint.with_suffix(".new").replace(options.checkpoint)
    mean.eval()
    weights = pack_weights(weights_of_student(mean), vocabulary, teacher.lists["lemmas"])
    np.savez_compressed(options.out, **weights)
    print(f"wrote {options.out} ({options.out.stat().st_size:,} bytes)")
    parsers = {"large": teacher.parse_all, "small": Parser.load(options.out).parse_all}
    rows = [{"test": name, **compare_with_corenlp(each, trees)} for name, each in parsers.items()]
    print(tabulate(rows, headers="keys", floatfmt=".4f"))


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    resources = REPOSITORY / "src" / "captious" / "resources" / "parser"
    shared = REPOSITORY / ".." / "shared"
    add = parser.add_argument
    add("--data", type=Path, default=shared / "data", help="captions, some with CoreNLP's trees")
    add("--comparisons", type=Path, default=shared / "parity", help="captions to leave out")
    add("--teacher", type=Path, default=REPOSITORY / "tools" / "parser_training" / "teacher.npz",
        help="weights of the large parser")  # fmt: skip
    add("--lessons", type=Path, default="build/parser_lessons.npz",
        help="what the large parser says; written where it is missing")  # fmt: skip
    add("--out", type=Path, default=resources / "parser.npz", help="the weights file to write")
    add("--checkpoint", type=Path, default="build/small_parser.pt", help="what --resume reads")
    add("--resume", action="store_true", help="go on with the checkpoint, if there is one")
    add("--epochs", type=int, default=6, help="how often the lessons are read")
    add("--tokens", type=int, default=4000, help="words a batch")
    add("--rate", type=float, default=3e-3, help="highest learning rate")
    add("--decay", type=float, default=0.01, help="weight decay")
    add("--mean", type=float, default=0.998, help="decay of the running mean of the weights")
    add("--dropout", type=float, default=0.02, help="dropout")
    add("--word-dropout", type=float, default=0.005, help="how often any word is hidden")
    add("--least-count", type=int, default=6, help="rarer words have no vector of their own")
    add("--word", type=int, default=128, help="width of a word's vector")
    add("--subword", type=int, default=64, help="width of the vector of its pieces")
    add("--buckets", type=int, default=8192, help="hash buckets of the pieces")
    add("--word-states", type=int, default=192, help="width of the first layer, each direction")
    add("--projection", type=int, default=96, help="width of the layer between")
    add("--lstm", type=int, default=80, help="width of the LSTM, each direction")
    add("--arc", type=int, default=64, help="width of the arc scorer")
    add("--label", type=int, default=64, help="width of the label scorer")
    add("--threads", type=int, default=2, help="processor threads")
    add("--seed", type=int, default=1, help="seed")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
