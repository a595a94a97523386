"""The compiler's runtime functions for keys and for the table of earlier positions, compared with their definitions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.lowering.batch import fixed_words
from interpreter.compiler.runtime import history, keys
from interpreter.compiler.runtime.game import POSITION, VALUES_FROM, WIDTH
from interpreter.compiler.runtime.types import rows, scramble

ALL = (1 << 64) - 1
ROWS = st.lists(st.integers(0, ALL), min_size=WIDTH, max_size=WIDTH)
KNOWN: dict[str, Any] = {
    "size": 64, "pieces": 2, "words": 1, "of_piece": fixed_words(1, 128), "layers": 1, "link_at": [2],
    "link_words": [1], "of_link": [fixed_words(2, 64)], "of_number": fixed_words(3, POSITION - VALUES_FROM)}
"""A board of 64 cells with one piece and one kind of link, as rows of `interpreter.compiler.runtime.game` allow."""


def key(row: list[int]) -> int:
    """The key by its definition."""
    found = 0
    for cell in range(64):
        found ^= KNOWN["of_piece"][64 + cell] if row[1] >> cell & 1 else 0
        found ^= KNOWN["of_link"][0][cell] if row[2] >> cell & 1 else 0
    for place in range(VALUES_FROM, POSITION):
        found ^= scramble((row[place] + KNOWN["of_number"][place - VALUES_FROM]) & ALL)
    return found


@given(ROWS)
def test_key(row: list[int]) -> None:
    """A key is the xor of the words of everything on the board."""
    assert keys.key(row, **KNOWN) == key(row)


@given(ROWS, ROWS, st.lists(st.booleans(), min_size=WIDTH, max_size=WIDTH))
def test_key_change(one: list[int], other: list[int], same: list[bool]) -> None:
    """A key is updated by the difference of two positions."""
    after = [here if kept else there for here, there, kept in zip(one, other, same, strict=True)]
    assert key(one) ^ keys.key_change(one, after, **KNOWN) == key(after)


@given(st.lists(st.integers(0, 40) | st.just(7), max_size=12), st.sampled_from([16, 64]), st.sampled_from([1, 2, 12]))
def test_history(seen: list[int], slots: int, most: int) -> None:
    """The table counts how often each key was inserted, up to a limit, and contains no other keys."""
    scratch = 5
    with pytest.MonkeyPatch.context() as patched:
        for name in ("key", "repetition_key"):
            patched.setattr(history, name, lambda row: row[0] << 1)  # keys of which many want one slot
        patched.setattr(history, "PLAYING", scratch + -(-slots // WIDTH))
        table = rows(scratch + -(-slots // WIDTH), WIDTH)
        for place, number in enumerate(seen):
            there = min(seen[:place].count(number), most)
            assert history.remember(table, [number], 0, slots) == there
            assert history.remember(table, [number], most, slots) == there
        assert all(history.remember(table, [number], 0, slots) == min(seen.count(number), most) for number in range(41))
        history.forget(table)
        assert not any(history.remember(table, [number], 0, slots) for number in range(41))
