"""CaptionWatch: generates captions of validation images and scores them, epoch by epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.callbacks.watch import Watch
from captious.corpus import Captions, ReferenceSets, as_list
from captious.errors import InputError, short_repr
from captious.registry import Names
from captious.result import Result
from captious.scorer import Scorer

Generate = Callable[[Any, Any], Captions]


class CaptionWatch(Watch):
    """The callback for a plain training loop: `watch(model)` generates captions and scores them.

    `generate(model, batch)` returns a batch's captions: a list in the order of `references`, or a
    dict by id if `references` is one. References are analysed once. Each metric comes with the ends
    of its 95% confidence interval: `cider_d`, `cider_d_low`, `cider_d_high`.

    If several processes train one model, only the first generates captions and sends the scores to
    the others. Set `first_process_alone` to False for sharded models (FSDP, ZeRO-3).
    """

    prefix = "val/"

    @check_arguments
    def __init__(
        self,
        batches: Iterable[Any],
        generate: Generate,
        references: ReferenceSets,
        metrics: Names = ("cider_d", "captious"),
        *,
        first_process_alone: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(batches)
        self.generate = generate
        self.scorer = Scorer(references, metrics, **options)
        self.first_process_alone = first_process_alone
        self.captions: list[str] | dict[Any, str] = []  # of the last call
        self.result: Result | None = None  # and what scoring gave

    def measure(self, model: Any, batches: Iterator[Any]) -> dict[str, float]:
        """Scores and intervals of the captions of all batches."""
        self.captions = _join_batches([self.generate(model, batch) for batch in batches])
        self.result = self.scorer.score(self.captions)
        scores: dict[str, float] = {}
        for name, score in self.result.corpus.items():
            low, high = self.result.interval(name)
            scores |= {name: score, f"{name}_low": low, f"{name}_high": high}
        return scores


class Generated:
    """`generate` for Hugging Face models: calls `model.generate` and decodes its output.

    `processor` is a tokenizer or a processor with `batch_decode`; `inputs` names the entries of a
    batch that the model gets; `ids` the entry with the image ids, unless references are a list.
    Further options go to `model.generate`. If the model repeats its prompt, the prompt is removed.
    """

    @check_arguments
    def __init__(
        self,
        processor: Any,
        inputs: Sequence[str] = ("pixel_values",),
        *,
        ids: str | None = None,
        **options: Any,
    ) -> None:
        self.processor, self.inputs, self.ids, self.options = processor, inputs, ids, options

    def __call__(self, model: Any, batch: Mapping[str, Any]) -> list[str] | dict[Any, str]:
        """A batch's captions."""
        absent = [name for name in (*self.inputs, self.ids) if name and name not in batch]
        if absent:
            raise InputError(f"a batch has no {short_repr(absent[0])}; it has {', '.join(batch)}")
        tokens = model.generate(**{name: batch[name] for name in self.inputs}, **self.options)
        prompt = batch["input_ids"] if "input_ids" in self.inputs else None
        # Decoders continue their prompt; encoder-decoder models start a new sequence.
        if prompt is not None and not getattr(model.config, "is_encoder_decoder", False):
            length = prompt.shape[1]
            if bool((tokens[:, :length] == prompt).all()):
                tokens = tokens[:, length:]
        decoded = self.processor.batch_decode(tokens, skip_special_tokens=True)
        captions = [caption.strip() for caption in decoded]
        if self.ids is None:
            return captions
        ids = batch[self.ids]
        ids = ids.tolist() if hasattr(ids, "tolist") else list(ids)
        return dict(zip(ids, captions, strict=True))


def _join_batches(batches: Sequence[Captions]) -> list[str] | dict[Any, str]:
    """Join the captions of all batches, which are all lists or all dicts."""
    by_id = [batch for batch in batches if isinstance(batch, Mapping)]
    if not by_id:
        return [caption for batch in batches for caption in as_list(batch, "captions")]
    if len(by_id) < len(batches):
        raise InputError("captions are lists in some batches and dicts in others; give one kind")
    captions: dict[Any, str] = {}
    for batch in by_id:
        twice = captions.keys() & batch.keys()
        if twice:
            raise InputError(f"id {short_repr(min(twice, key=str))}: generated in two batches")
        captions |= batch
    return captions
