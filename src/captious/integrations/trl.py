"""CaptionReward: a metric as a reward function of TRL's trainers.

GRPOTrainer(model, reward_funcs=CaptionReward("cider_d", df="coco-val2014"), ...)
"""

from __future__ import annotations

from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.integrations.argument_checks import caption_of, references_of
from captious.integrations.rewards import DEFAULT_KEPT_SETS, Rewards
from captious.registry import Names


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
            known = ", ".join(short_repr(name) for name in columns) or "none"
            what = (
                "completions" if completions is None else f"a column {short_repr(self.references)}"
            )
            raise InputError(
                f"{self.column}: a reward needs {what}; there are columns {known} (name yours: "
                "`references=...`)"
            )
        given = list(columns[self.references])
        if len(given) != len(completions):
            raise InputError(
                f"{self.column}: {len(completions)} completions but {len(given)} rows of "
                f"{short_repr(self.references)}"
            )
        rows = [row for row, references in enumerate(given) if references is not None]
        captions = [caption_of(completions[row], f"completion {row}") for row in rows]
        sets = [
            tuple(references_of(given[row], f"column {self.references!r}, row {row}"))
            for row in rows
        ]
        rewards: list[float | None] = [None] * len(given)
        for row, reward in zip(rows, self.rewards(captions, sets), strict=True):
            rewards[row] = reward
        return rewards
