"""Captions, references and metrics as frameworks pass them, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from captious.errors import InputError, short_repr
from captious.registry import Names, Selection, select_and_warn
from captious.text.languages import ENGLISH

ASSISTANT = "assistant"


def as_caption(given: Any, where: str) -> str:
    """A caption: a text, or the assistant's last message of a conversation."""
    if isinstance(given, str):
        return given
    if isinstance(given, Iterable) and not isinstance(given, Mapping):
        messages = list(given)
        if messages and all(isinstance(message, Mapping) for message in messages):
            answers = [each.get("content") for each in messages if each.get("role") == ASSISTANT]
            if not answers:
                raise InputError(f"{where}: a conversation without a message of the {ASSISTANT}")
            return _message_text(answers[-1], where)
    raise InputError(f"{where}: text or a conversation, not {short_repr(given)}")


def _message_text(content: Any, where: str) -> str:
    """A message's text, which may be in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = "".join(part for part in parts if isinstance(part, str)) if any(parts) else None
    if not isinstance(content, str):
        raise InputError(f"{where}: a message without text")
    return content


def as_references(given: Any, where: str) -> list[str]:
    """An image's references: one text, or several in a list, a tuple or an array."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, bytes | Mapping | set | frozenset) or not isinstance(given, Iterable):
        raise InputError(f"{where}: a list of texts, not {short_repr(given)}")
    references = list(given)
    if not references:
        raise InputError(f"{where}: no references; give at least one")
    for reference in references:
        if not isinstance(reference, str):
            raise InputError(f"{where}: a reference is text, not {short_repr(reference)}")
    return references


def select_per_sample_metrics(
    metrics: Names, options: Mapping[str, Any], language: str = ENGLISH
) -> Selection:
    """The given metrics; none of them may depend on which samples are scored together."""
    selection = select_and_warn(metrics, options, language)
    for metric in selection.metrics:
        if metric.needs_whole_corpus:
            raise InputError(
                f"{metric.name}: its document frequencies, and so its scores, would depend on "
                "which samples are scored together; give document frequencies: df='coco-val2014', "
                "or a file made by `captious df`"
            )
    return selection
