"""Split the toolkit's tokens into the sentences and words of CoreNLP.

SPICE hands the parser a caption that is tokenized already, and CoreNLP tokenizes it once more.
Nearly always nothing changes. The cases here are those that occur in captions: a full stop that
the first pass left on a word, initials joined by `&`, faces such as `:-)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from captious.text.english import ENGLISH

# No caption is that long; longer ones are cut, so that the time stays linear in the words.
MAX_SENTENCE_WORDS = 60

# A token without any of these stays as it is.
_MAY_CHANGE = re.compile(r"[.:;&`!?\s]|-lrb-\d")
_SENTENCE_END = re.compile(r"\.|[!?]+")
_WORD_AND_STOP = re.compile(r"([^\W\d_]{2,})\.")
_INITIALS = re.compile(r"([a-z]{1,2})&([a-z])")
_FACE = re.compile(r"([:;])(-?)(-[lr]rb-|[a-z])")
_NUMBER_IN_BRACKETS = re.compile(r"-lrb-(\d+)-rrb-(?:\xa0(\S+))?")


def split_sentences(tokens: Sequence[str]) -> list[list[str]]:
    """Split a caption's tokens into CoreNLP's sentences, none of them empty or too long."""
    if (
        len(tokens) < MAX_SENTENCE_WORDS
        and all(tokens)
        and not _MAY_CHANGE.search("\0".join(tokens))
    ):
        return [list(tokens)] if tokens else []  # nearly all captions
    sentences: list[list[str]] = [[]]
    last = len(tokens) - 1
    for position, token in enumerate(tokens):
        if not _MAY_CHANGE.search(token):
            if not token:
                continue
            words: tuple[str, ...] = (token,)
        else:
            words = tuple(_retokenize(token, is_last=position == last))
        for word in words:
            sentences[-1].append(word)
            # Marks in a row end one sentence together.
            if len(sentences[-1]) >= MAX_SENTENCE_WORDS or (
                _SENTENCE_END.fullmatch(word) and not _next_ends_sentence(tokens, position)
            ):
                sentences.append([])
    return [sentence for sentence in sentences if sentence]


def _next_ends_sentence(tokens: Sequence[str], position: int) -> bool:
    """Whether the next token ends a sentence too."""
    return position + 1 < len(tokens) and bool(_SENTENCE_END.fullmatch(tokens[position + 1]))


def _retokenize(token: str, is_last: bool) -> Iterator[str]:
    """Yield CoreNLP's words of one of the toolkit's tokens."""
    if match := _WORD_AND_STOP.fullmatch(token):
        if match[1] not in ENGLISH.orthography.ABBREVIATIONS:
            yield match[1]
            yield "."
        elif is_last and match[1] in ENGLISH.orthography.SENTENCE_FINAL_ABBREVIATIONS:
            # The stop counts twice: for the abbreviation and for the sentence.
            yield token
            yield "."
        else:
            yield token
    elif match := _INITIALS.fullmatch(token):
        yield from (match[1], "&", match[2])
    elif match := _FACE.fullmatch(token):
        yield match[1]
        # A nose and a bracket are read as a dash and what is left of the bracket.
        yield from ("--", match[3][1:-1], "-") if match[2] and len(match[3]) > 1 else (match[3],)
    elif match := _NUMBER_IN_BRACKETS.fullmatch(token):
        yield from ("-lrb-", f"{match[1]}-rrb", "-")
        if match[2]:
            yield match[2]
    elif token == "`'":
        yield from ("`", "'")
    elif token.strip():
        yield token
