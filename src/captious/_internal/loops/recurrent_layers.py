"""One step of the parser's recurrent layers, for a batch of sentences, but for the tanh.

A sigmoid is (1 + tanh of half its argument) / 2: gates come as such a tanh, and states leave
doubled (see `captious.text.parser.lstm`). Arguments are arrays: with numbers of a memory view,
plain Python would compute in double precision.
"""

from __future__ import annotations

from typing import Any

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import nogil
except ImportError:
    from captious._internal.loops.interrupts import nogil


def add_word_gates(table: Any, way: Any, words: Any, before: Any, gates: Any) -> None:
    """Write the sum of what each word gives to its own gates, and the word before it to them.

    A row of the table has the word's own gates, forward and backward (`way` 0 and 1), then those
    of the next word. Gates are those of `update_word_cells`.
    """
    with nogil:
        size = gates.shape[1]
        own = way * size
        following = own + 2 * size
        for sentence in range(len(words)):
            word = words[sentence]
            earlier = before[sentence]
            for k in range(size):
                gates[sentence, k] = table[word, own + k] + table[earlier, following + k]


def update_word_cells(gates: Any, cells: Any, states: Any, step: Any, way: Any) -> None:
    """Write a step's states of the quasi-recurrent layer.

    Gates have each sentence's new values, what keeps the old ones, and what lets them out.
    """
    one = 1.0  # typed: a literal would make the sum double precision
    half = 0.5
    with nogil:
        width = cells.shape[1]
        first = way * width
        for sentence in range(len(cells)):
            for k in range(width):
                new = gates[sentence, k]
                old = cells[sentence, k]
                change = (old - new) * gates[sentence, width + k]
                cell = ((old + new) + change) * half
                cells[sentence, k] = cell
                states[step, sentence, first + k] = (gates[sentence, 2 * width + k] + one) * cell


def update_lstm_cells(gates: Any, cells: Any) -> None:
    """Write a step's cells of the LSTM.

    Gates have what lets each sentence's new values in, what keeps the old ones, what lets them out,
    and the new values.
    """
    one = 1.0  # typed: a literal would make the sum double precision
    half = 0.5
    with nogil:
        width = cells.shape[1]
        for sentence in range(len(cells)):
            for k in range(width):
                added = (gates[sentence, k] + one) * gates[sentence, 3 * width + k]
                kept = cells[sentence, k] * (gates[sentence, width + k] + one)
                cells[sentence, k] = (kept + added) * half


def write_lstm_states(
    gates: Any, opened: Any, read: Any, depth: Any, states: Any, step: Any, way: Any
) -> None:
    """Write a step's states of the LSTM, from the tanh of its cells, for it and the next step."""
    one = 1.0
    with nogil:
        width = opened.shape[1]
        first = way * width
        for sentence in range(len(opened)):
            for k in range(width):
                state = opened[sentence, k] * (gates[sentence, 2 * width + k] + one)
                read[sentence, depth + k] = state
                states[step, sentence, first + k] = state
