"""Train the dependency parser that imitates the trees SPICE reads.

Needs PyTorch (`pip install torch numpy`); the parser itself runs on NumPy alone. A run that was
killed goes on with `--resume`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as functions
from torch import Tensor, nn

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "src"))

from captious.text.lemmatizer import by_rule, word_class  # noqa: E402
from captious.text.parser import Parser  # noqa: E402
from captious.text.word_features import subword_buckets  # noqa: E402

ROOT_LABEL = "root"


class Sizes(NamedTuple):
    """The widths that decide what the network can learn and what it costs."""

    word: int
    subword: int
    buckets: int
    lower: int
    upper: int
    arc: int
    label: int


class Tree(NamedTuple):
    """One sentence of the training data."""

    words: list[str]
    tags: list[str]
    lemmas: list[str]
    heads: list[int]
    labels: list[str]


class Vocabulary:
    """The words, tags and labels that the network knows, and the spelling of every word seen."""

    def __init__(self, trees: list[Tree], least_count: int, buckets: int) -> None:
        counts = Counter(word for tree in trees for word in tree.words)
        known = sorted(word for word, count in counts.items() if count >= least_count)
        self.words = known
        self.tags = sorted({tag for tree in trees for tag in tree.tags})
        self.labels = sorted({label for tree in trees for label in tree.labels})
        self.word_id = {word: number for number, word in enumerate(known, start=1)}
        self.tag_id = {tag: number for number, tag in enumerate(self.tags)}
        self.label_id = {label: number for number, label in enumerate(self.labels)}
        self.counts = counts
        self.buckets = buckets


class Spellings:
    """Every distinct word of a set of trees: its number in the vocabulary and its pieces."""

    def __init__(self, trees: list[Tree], vocabulary: Vocabulary) -> None:
        self.number = {
            word: number
            for number, word in enumerate(sorted({word for tree in trees for word in tree.words}))
        }
        pieces = [subword_buckets(word, vocabulary.buckets) for word in self.number]
        longest = max(map(len, pieces))
        self.word = torch.tensor([vocabulary.word_id.get(word, 0) for word in self.number])
        self.pieces = torch.tensor([piece + [0] * (longest - len(piece)) for piece in pieces])
        self.weight = torch.tensor(
            [[1 / len(piece)] * len(piece) + [0.0] * (longest - len(piece)) for piece in pieces]
        )
        self.count = torch.tensor([float(vocabulary.counts[word]) for word in self.number])


class Batch(NamedTuple):
    """Sentences of one length: no padding, so nothing to mask. All are (length, sentences)."""

    spelling: Tensor
    tags: Tensor
    heads: Tensor
    labels: Tensor


class ParserNetwork(nn.Module):
    """Two bidirectional LSTMs, a tagger between them, and scorers of arcs and of labels."""

    def __init__(self, sizes: Sizes, words: int, tags: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.word = nn.Embedding(words + 1, sizes.word)
        self.subword = nn.Embedding(sizes.buckets, sizes.subword)
        nn.init.normal_(self.word.weight, std=0.3)
        nn.init.normal_(self.subword.weight, std=0.6)
        with torch.no_grad():
            self.word.weight[0] = 0
        self.lower = nn.LSTM(sizes.word + sizes.subword, sizes.lower, bidirectional=True)
        self.lower_tag = nn.Linear(2 * sizes.lower, tags)
        self.upper = nn.LSTM(2 * sizes.lower + tags, sizes.upper, bidirectional=True)
        for lstm in (self.lower, self.upper):
            for name, weight in lstm.named_parameters():
                if name.startswith("weight_hh"):
                    for gate in weight.chunk(4):
                        nn.init.orthogonal_(gate)
                elif name.startswith("weight_ih"):
                    nn.init.xavier_uniform_(weight)
                else:
                    nn.init.zeros_(weight)
        self.tag = nn.Linear(2 * sizes.lower + 2 * sizes.upper, tags)
        self.arc_dependent = nn.Linear(2 * sizes.upper, sizes.arc)
        self.arc_head = nn.Linear(2 * sizes.upper, sizes.arc)
        self.arc = nn.Linear(sizes.arc, sizes.arc, bias=False)
        self.arc_prior = nn.Linear(sizes.arc, 1, bias=False)
        self.arc_root = nn.Parameter(torch.randn(sizes.arc) * 0.1)
        self.label_dependent = nn.Linear(2 * sizes.upper, sizes.label)
        self.label_head = nn.Linear(2 * sizes.upper, sizes.label, bias=False)
        self.label_root = nn.Parameter(torch.randn(sizes.label) * 0.1)
        self.label = nn.Linear(sizes.label, labels)
        self.dropout = dropout

    def drop(self, values: Tensor) -> Tensor:
        """Drop a unit for the whole sentence at once."""
        if not self.training:
            return values
        mask = torch.empty(1, *values.shape[1:], dtype=values.dtype).bernoulli_(1 - self.dropout)
        return values * mask / (1 - self.dropout)

    def embed(self, spelling: Tensor, spellings: Spellings, word_dropout: float) -> Tensor:
        """Embed words by their own vector beside the mean of their pieces' vectors."""
        distinct, where = torch.unique(spelling, return_inverse=True)
        pieces = self.subword(spellings.pieces[distinct])
        pieces = (pieces * spellings.weight[distinct].unsqueeze(-1)).sum(1)[where]
        word = spellings.word[spelling]
        if self.training:
            # Rare words are hidden more often: what is said of the unknown word and of the pieces
            # has to be learnt from words that are as rare as those to come.
            hide = word_dropout + 0.3 / (0.3 + spellings.count[spelling])
            word = word.masked_fill(torch.rand(word.shape) < hide, 0)
        return torch.cat([self.word(word), pieces], -1)

    def forward(
        self, spelling: Tensor, spellings: Spellings, word_dropout: float, heads: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Score tags (twice), arcs (dependent, head; head 0 is the root), labels; and the heads."""
        lower, _ = self.lower(self.drop(self.embed(spelling, spellings, word_dropout)))
        lower = self.drop(lower)
        lower_tags = self.lower_tag(lower).float()
        guess = torch.softmax(lower_tags, -1).to(lower.dtype)
        upper, _ = self.upper(torch.cat([lower, guess], -1))
        upper = self.drop(upper)
        tags = self.tag(torch.cat([lower, upper], -1))
        dependent = self.drop(functions.relu(self.arc_dependent(upper)))
        head = self.drop(functions.relu(self.arc_head(upper)))
        root = self.arc_root.to(head.dtype).expand(1, head.shape[1], -1)
        head = torch.cat([root, head])
        arcs = torch.einsum("ibk,jbk->bij", self.arc(dependent), head)
        arcs = arcs.float() + self.arc_prior(head).squeeze(-1).T.float()[:, None]
        length = spelling.shape[0]
        own = torch.zeros(length, length + 1, dtype=torch.bool)
        own[torch.arange(length), torch.arange(1, length + 1)] = True
        arcs = arcs.masked_fill(own, -1e9)
        if heads is None:
            heads = arcs.argmax(-1).T
        label_head = self.label_head(upper)
        root = self.label_root.to(label_head.dtype).expand(1, label_head.shape[1], -1)
        label_head = torch.cat([root, label_head])
        chosen = label_head.gather(0, heads.unsqueeze(-1).expand(-1, -1, label_head.shape[2]))
        labels = self.label(self.drop(functions.relu(self.label_dependent(upper) + chosen)))
        return lower_tags, tags.float(), arcs, labels.float(), heads


def read_trees(path: Path) -> dict[str, list[Tree]]:
    """Read the sentences by split; one in sixty captions of the training split is held out."""
    splits: dict[str, list[Tree]] = {"train": [], "dev": [], "test": []}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            split = "dev" if row["split"] == "train" and number % 60 == 7 else row["split"]
            for sentence in row["sentences"]:
                parts = (sentence[part] for part in Tree._fields)
                splits[split].append(Tree(*parts))
    return splits


def make_batches(
    trees: list[Tree], spellings: Spellings, vocabulary: Vocabulary, tokens: int
) -> list[Batch]:
    """Put sentences of one length together, about `tokens` words at a time."""
    by_length: dict[int, list[Tree]] = {}
    for tree in trees:
        by_length.setdefault(len(tree.words), []).append(tree)
    batches = []
    for length, alike in sorted(by_length.items()):
        step = max(1, tokens // length)
        for start in range(0, len(alike), step):
            part = alike[start : start + step]
            columns = (
                [[spellings.number[word] for word in tree.words] for tree in part],
                # What the training split does not hold counts as wrong: it has no number.
                [[vocabulary.tag_id.get(tag, -1) for tag in tree.tags] for tree in part],
                [tree.heads for tree in part],
                [[vocabulary.label_id.get(label, -1) for label in tree.labels] for tree in part],
            )
            batches.append(Batch(*(torch.tensor(column).T.contiguous() for column in columns)))
    return batches


def loss_of(network: ParserNetwork, batch: Batch, spellings: Spellings, hide: float) -> Tensor:
    """Sum the losses of tags, arcs and labels."""
    lower_tags, tags, arcs, labels, _ = network(batch.spelling, spellings, hide, batch.heads)
    return (
        0.4 * functions.cross_entropy(lower_tags.flatten(0, 1), batch.tags.flatten())
        + functions.cross_entropy(tags.flatten(0, 1), batch.tags.flatten())
        + functions.cross_entropy(arcs.flatten(0, 1), batch.heads.T.flatten())
        + functions.cross_entropy(labels.flatten(0, 1), batch.labels.flatten())
    )


@torch.no_grad()
def evaluate(
    network: ParserNetwork, batches: list[Batch], spellings: Spellings, root: int
) -> tuple[float, float, float]:
    """Measure tags, unlabelled and labelled arcs, each word's best head by itself."""
    network.eval()
    right = np.zeros(3)
    total = 0
    for batch in batches:
        _, tags, _, labels, heads = network(batch.spelling, spellings, 0.0, None)
        not_root = labels.clone()
        not_root[..., root] = -1e9
        label = torch.where(heads == 0, root, not_root.argmax(-1))
        good = heads == batch.heads
        right += [
            float((tags.argmax(-1) == batch.tags).sum()),
            float(good.sum()),
            float((good & (label == batch.labels)).sum()),
        ]
        total += heads.numel()
    network.train()
    tag, unlabelled, labelled = (right / total).tolist()
    return tag, unlabelled, labelled


def learning_rate(step: int, steps: int, peak: float) -> float:
    """Rise for a twentieth of the steps, then fall along a cosine."""
    warm = max(1, steps // 20)
    if step < warm:
        return peak * (step + 1) / warm
    return peak * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm))))


def lemma_exceptions(trees: list[Tree]) -> list[str]:
    """The words whose lemma the rules get wrong: word, class, lemma."""
    seen: dict[tuple[str, str], Counter[str]] = {}
    for tree in trees:
        for word, tag, lemma in zip(tree.words, tree.tags, tree.lemmas, strict=True):
            kind = word_class(tag)
            # An underscore is a trace of CoreNLP's own tables: the word was not understood.
            if kind is not None and "_" not in lemma:
                seen.setdefault((word, kind), Counter())[lemma] += 1
    usual = {key: lemmas.most_common(1)[0][0] for key, lemmas in seen.items()}
    return sorted(
        f"{word}\t{kind}\t{lemma}"
        for (word, kind), lemma in usual.items()
        if by_rule(word, kind) != lemma
    )


def weights_of(network: ParserNetwork, vocabulary: Vocabulary, lemmas: list[str]) -> dict[str, Any]:
    """Name the arrays as the NumPy forward pass reads them: inputs to the left of matrices."""
    state = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    arrays: dict[str, Any] = {"word": state["word.weight"], "subword": state["subword.weight"]}
    for layer in ("lower", "upper"):
        for direction, suffix in (("forward", ""), ("backward", "_reverse")):
            name = f"{layer}_{direction}"
            arrays[f"{name}_input"] = state[f"{layer}.weight_ih_l0{suffix}"].T
            arrays[f"{name}_state"] = state[f"{layer}.weight_hh_l0{suffix}"].T
            arrays[f"{name}_bias"] = (
                state[f"{layer}.bias_ih_l0{suffix}"] + state[f"{layer}.bias_hh_l0{suffix}"]
            )
    for name in ("lower_tag", "tag", "arc_dependent", "arc_head", "label_dependent", "label"):
        arrays[name] = state[f"{name}.weight"].T
        arrays[f"{name}_bias"] = state[f"{name}.bias"]
    for name in ("arc", "arc_prior", "label_head"):
        arrays[name] = state[f"{name}.weight"].T
    arrays["arc_root"] = state["arc_root"]
    arrays["label_root"] = state["label_root"]
    arrays = {name: np.ascontiguousarray(array, np.float16) for name, array in arrays.items()}
    for name, strings in (
        ("words", vocabulary.words),
        ("tags", vocabulary.tags),
        ("labels", vocabulary.labels),
        ("lemmas", lemmas),
    ):
        arrays[name] = np.frombuffer("\n".join(strings).encode(), np.uint8)
    return arrays


def train(options: argparse.Namespace) -> None:
    """Train, choosing nothing but when to stop by the held-out slice, and write the weights."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    shuffler = random.Random(options.seed)
    splits = read_trees(options.data)
    print({split: len(trees) for split, trees in splits.items()}, flush=True)
    sizes = Sizes(
        options.word, options.subword, options.buckets, options.lower, options.upper,
        options.arc, options.label,
    )  # fmt: skip
    vocabulary = Vocabulary(splits["train"], options.least_count, options.buckets)
    spellings = Spellings([tree for trees in splits.values() for tree in trees], vocabulary)
    network = ParserNetwork(
        sizes, len(vocabulary.words), len(vocabulary.tags), len(vocabulary.labels), options.dropout
    )
    # A second network holds the running mean of the weights: better than the last ones.
    mean = ParserNetwork(
        sizes, len(vocabulary.words), len(vocabulary.tags), len(vocabulary.labels), 0.0
    )
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
    np.savez_compressed(options.out, **weights_of(mean, vocabulary, lemmas))
    print(f"wrote {options.out} ({options.out.stat().st_size:,} bytes)")
    report(options.out, options.data)


def report(weights: Path, data: Path) -> None:
    """Measure the parser as it will run, NumPy and well-formed trees, on the test split."""
    rows = []
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["split"] == "test"]
    parsed = Parser.load(weights).parse_all([row["caption"].split(" ") for row in rows])
    right = Counter[str]()
    for row, sentences in zip(rows, parsed, strict=True):
        golden = [Tree(*(sentence[part] for part in Tree._fields)) for sentence in row["sentences"]]
        right["captions"] += 1
        if [list(sentence.words) for sentence in sentences] != [tree.words for tree in golden]:
            continue
        right["cut alike"] += 1
        for sentence, tree in zip(sentences, golden, strict=True):
            arcs = zip(sentence.heads, tree.heads, sentence.labels, tree.labels, strict=True)
            judged = [(head == true, label == label_true) for head, true, label, label_true in arcs]
            right["words"] += len(judged)
            right["tags"] += sum(map(str.__eq__, sentence.tags, tree.tags))
            right["lemmas"] += sum(map(str.__eq__, sentence.lemmas, tree.lemmas))
            right["UAS"] += sum(head for head, _ in judged)
            right["LAS"] += sum(head and label for head, label in judged)
    print(f"test: {right['cut alike'] / right['captions']:.4f} of captions cut alike, of these")
    for name in ("tags", "lemmas", "UAS", "LAS"):
        print(f"{name} {right[name] / right['words']:.4f}")


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    resources = REPOSITORY / "src" / "captious" / "resources" / "parser"
    add = parser.add_argument
    data = REPOSITORY / ".." / "shared" / "data" / "silver" / "captions.jsonl.gz"
    add("--data", type=Path, default=data, help="captions with CoreNLP's trees")
    add("--out", type=Path, default=resources / "parser.npz", help="the weights file to write")
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
    add("--arc", type=int, default=160, help="width of the arc scorer")
    add("--label", type=int, default=192, help="width of the label scorer")
    add("--full-precision", action="store_true", help="compute in float32, not bfloat16")
    add("--threads", type=int, default=2, help="processor threads")
    add("--seed", type=int, default=1, help="seed")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
