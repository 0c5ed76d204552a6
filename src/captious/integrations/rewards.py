"""Rewards: a metric's score of each completion, for any trainer and for those of TRL.

A reward does not depend on the rest of its batch.

    GRPOTrainer(model, reward_funcs=CaptionReward("cider_d", df="coco-val2014"), ...)
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Bounds
from captious._internal.locks import ForkSafeLock
from captious.corpus import ReferenceColumns
from captious.errors import InputError, short_repr
from captious.integrations.argument_checks import (
    as_caption,
    as_references,
    select_per_sample_metrics,
)
from captious.registry import Names
from captious.scorer import Scorer
from captious.text.languages import ENGLISH

ReferenceSet = tuple[str, ...]
DEFAULT_KEPT_SETS = 4096  # sets of references that stay analysed


class Block(NamedTuple):
    """Sets of references that were analysed together."""

    sets: Sequence[ReferenceSet]
    scorer: Scorer

    @classmethod
    def of(cls, sets: Sequence[ReferenceSet], metrics: Names, language: str = ENGLISH) -> Block:
        """Analyse sets, of which no two are equal; each is its own id."""
        columns = ReferenceColumns.from_sets(list(sets), sets)
        return cls(sets, Scorer(columns, metrics, language=language))


class Rewards:
    """One column of a metric, against references that come with the captions.

    The distinct sets of references of a call are analysed together, which costs a fraction of
    analysing each alone. Up to `kept` sets are remembered and not analysed again by later calls.
    `prepare` analyses the references of all training images beforehand. Thread-safe.
    """

    @check_arguments
    def __init__(
        self,
        metric: Names,
        *,
        kept: Annotated[int, Bounds(1, whole=True)] = DEFAULT_KEPT_SETS,
        language: str = ENGLISH,
        **options: Any,
    ) -> None:
        self.selection = select_per_sample_metrics(metric, options, language)
        if len(self.selection.columns) != 1:
            raise InputError(
                f"a reward is one number, not {', '.join(self.selection.columns)}; name one of them"
            )
        self.column = self.selection.columns[0]
        for each in self.selection.metrics:
            if each.needs_images:
                raise InputError(f"{each.name}: sees images, but rewards have none")
        self.kept, self.language = kept, language
        self._prepared: Block | None = None
        self._clear()

    def prepare(self, references: Iterable[Any]) -> None:
        """Analyse the references of all training images, once."""
        sets = dict.fromkeys(
            tuple(as_references(given, f"references, row {row}"))
            for row, given in enumerate(references)
        )
        self._prepared = Block.of(list(sets), self.selection, self.language)

    def rewards(self, captions: Sequence[str], references: Sequence[ReferenceSet]) -> list[float]:
        """A reward for each caption against its own references."""
        if not captions:
            return []
        scorer = self._find_or_make_scorer(list(dict.fromkeys(references)))
        rewards: list[float] = scorer.score(captions, references).samples[self.column].tolist()
        return rewards

    def _find_or_make_scorer(self, sets: list[ReferenceSet]) -> Scorer:
        """A scorer that has analysed all these sets."""
        if self._prepared is not None and self._prepared.scorer.knows(sets):
            return self._prepared.scorer
        with self._lock:
            numbers = {self._block_numbers.get(each) for each in sets}
            number = numbers.pop()
            if numbers or number is None:  # in several blocks, or in none
                number = self._next
                self._add(number, Block.of(sets, self.selection, self.language))
            self._blocks.move_to_end(number)
            return self._blocks[number].scorer

    def _add(self, number: int, block: Block) -> None:
        """Keep a block, in place of those unused for longest."""
        self._next += 1
        self._blocks[number] = block
        self._block_numbers.update(dict.fromkeys(block.sets, number))
        size = sum(len(each.sets) for each in self._blocks.values())
        while size > self.kept and len(self._blocks) > 1:
            oldest, forgotten = next(iter(self._blocks.items()))
            size -= len(forgotten.sets)
            # Last of all the block: a process forked meanwhile may lack a home, never a block.
            for each in forgotten.sets:
                if self._block_numbers.get(each) == oldest:
                    del self._block_numbers[each]
            del self._blocks[oldest]

    def _clear(self) -> None:
        self._blocks: OrderedDict[int, Block] = OrderedDict()  # the last used last
        self._block_numbers: dict[ReferenceSet, int] = {}  # the block of each set
        self._next = 0
        self._lock = ForkSafeLock()

    def __getstate__(self) -> dict[str, Any]:
        mine = ("_blocks", "_block_numbers", "_next", "_lock")  # what another process makes anew
        return {name: value for name, value in self.__dict__.items() if name not in mine}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._clear()


class CaptionReward(Rewards):
    """A reward function of TRL: called with completions and the data set's columns by name.

    `references` names the column of references: in each row a list of texts, or one text. A row
    without references (`None`) gets no reward, for training on several tasks at once. A completion
    is a text or a conversation.
    """

    @check_arguments
    def __init__(
        self,
        metric: Names = "captious",
        *,
        references: str = "references",
        kept: int = DEFAULT_KEPT_SETS,
        **options: Any,
    ) -> None:
        super().__init__(metric, kept=kept, **options)
        self.references = references
        self.__name__ = self.column  # under which TRL logs rewards

    def __call__(
        self, prompts: Any = None, completions: Any = None, **columns: Any
    ) -> list[float | None]:
        """A reward for each completion."""
        if completions is None or self.references not in columns:
            names = ", ".join(short_repr(name) for name in columns) or "none"
            what = (
                "completions" if completions is None else f"a column {short_repr(self.references)}"
            )
            raise InputError(
                f"{self.column}: a reward needs {what}; there are columns {names} (name yours: "
                "`references=...`)"
            )
        given = list(columns[self.references])
        if len(given) != len(completions):
            raise InputError(
                f"{self.column}: {len(completions)} completions but {len(given)} rows of "
                f"{short_repr(self.references)}"
            )
        rows = [row for row, references in enumerate(given) if references is not None]
        captions = [as_caption(completions[row], f"completion {row}") for row in rows]
        sets = [
            tuple(as_references(given[row], f"column {self.references!r}, row {row}"))
            for row in rows
        ]
        rewards: list[float | None] = [None] * len(given)
        for row, reward in zip(rows, self.rewards(captions, sets), strict=True):
            rewards[row] = reward
        return rewards
