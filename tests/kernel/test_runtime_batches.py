"""The entries for batches of positions, in plain Python, on a minimal game.

The moves of a position are the members of its first word: entries of one form, as a set, or values one by one.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.lowering.move_forms import VALUES
from interpreter.compiler.runtime import batches
from interpreter.compiler.runtime.game import CHOICE, ENTRY_WIDTH, FAILED, MOVE_WIDTH, WIDTH
from interpreter.compiler.runtime.types import lowest, numbers, rows

FAILING = 1 << 20
"""A position with this cell fails."""
POSITIONS = st.lists(st.sets(st.integers(0, 7)), max_size=5)
RULE, LOW = 1, 2


def cells(row: list[int]) -> list[int]:
    """The values of a position's moves."""
    return [cell + LOW for cell in range(16) if row[0] >> cell & 1]


def legal(state: list[int], entries: Any, move_rows: Any, scratch: Any) -> int:
    """List the moves of a position."""
    for place, cell in enumerate(cells(state)):
        move_rows[place][:] = [RULE, 1, cell]
    state[FAILED] = 7 if state[0] & FAILING else 0
    return len(cells(state))


def offered(state: list[int], entries: Any, scratch: Any) -> int:
    """Make two entries: one with the moves of even cells, one with those of odd cells."""
    state[FAILED] = 7 if state[0] & FAILING else 0
    for e, mask in enumerate((0x5555, 0xAAAA)):
        entries[e][:CHOICE + 1] = [e, (state[0] & mask).bit_count(), 0, 0, state[0] & mask]
    return 2


def take(entries: Any, e: int, k: int, move: list[int]) -> None:
    """Write the k-th move of an entry."""
    rest = entries[e, CHOICE]
    for _ in range(k):
        rest &= rest - 1
    move[:] = [RULE, 1, lowest(rest) + LOW]


def apply(state: list[int], move: list[int], entries: Any, scratch: Any) -> int:
    """Remove a cell; removing the first cell is illegal."""
    state[FAILED] = 7 if state[0] & FAILING else 0
    state[0] ^= 1 << move[2] - LOW
    return int(move[2] == LOW)


@pytest.fixture(autouse=True)
def game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the functions of the game."""
    for function in (legal, offered, take, apply):
        monkeypatch.setattr(batches, function.__name__, function)
    monkeypatch.setattr(batches, "total", lambda entries, n: sum(entries[e, 1] for e in range(n)))


def positions(found: list[set[int]], failing: int = -1) -> Any:
    """Rows of positions, one of which may fail."""
    made = rows(len(found), WIDTH)
    for place, held in enumerate(found):
        made[place][0] = sum(1 << cell for cell in held) | (FAILING if place == failing else 0)
    return made


@given(POSITIONS, st.integers(-1, 4), st.booleans())
def test_listing_counting_and_choosing(found: list[set[int]], failing: int, taken_back: bool) -> None:
    """Moves are listed position by position; work stops at a position that fails."""
    states, entries, moves = positions(found, failing), numbers(4, ENTRY_WIDTH), numbers(64, MOVE_WIDTH)
    stop = failing if 0 <= failing < len(found) else len(found)
    counts = [0] * len(found)
    assert batches.legal_many(states, 0, len(found), entries, moves, counts) == stop
    listed = [[RULE, 1, cell] for state in states[:stop] for cell in cells(state)]
    assert list(moves[: len(listed)]) == listed
    assert counts[:stop] == [len(held) for held in found[:stop]]
    counts = [0] * len(found)
    assert batches.count_many(states, 0, len(found), entries, moves, counts, taken_back) == stop
    assert counts[:stop] == [len(held) for held in found[:stop]]
    taken = numbers(len(found), MOVE_WIDTH)
    chosen = [len(held) - 1 for held in found]
    assert batches.choose_many(states, 0, len(found), chosen, entries, moves, taken, taken_back) == stop
    for place in range(stop):
        ordered = cells(states[place])
        if not taken_back:  # in the order of the entries
            ordered = sorted(ordered, key=lambda cell: (cell % 2, cell))
        assert taken[place] == [RULE, 1, ordered[-1]] if ordered else taken[place, 0] == -9


@given(POSITIONS, st.booleans(), st.booleans())
def test_marking(found: list[set[int]], taken_back: bool, alone: bool) -> None:
    """Each legal move is marked at its number; a move without a number is reported."""
    states, entries, moves = positions(found), numbers(4, ENTRY_WIDTH), numbers(64, MOVE_WIDTH)
    known: dict[str, Any] = {
        "taken_back": taken_back, "values": VALUES, "words": 1, "form_rule": [RULE, RULE], "form_low": [LOW, LOW],
        "form_alone": [int(alone), 0]}
    marks, counts = numbers(len(found), 20), [0] * len(found)
    offsets, lows, strides = [0, 3], numbers(2, 1), numbers(2, 1)
    lows[1, 0], strides[1, 0] = LOW, 2
    given = (offsets, lows, strides, entries, moves)
    assert batches.mark_many(states, 0, len(found), *given, marks, counts, **known) == len(found)
    assert [[place for place, mark in enumerate(row) if mark] for row in marks] == [
        [3 + 2 * cell for cell in sorted(held)] for held in found]
    assert counts == [len(held) for held in found]
    narrow = numbers(len(found), 3 + 2 * 7)  # has no place for the last cell
    stop = next((-1 - place for place, held in enumerate(found) if 7 in held), len(found))
    assert batches.mark_many(states, 0, len(found), *given, narrow, counts, **known) == stop


@given(st.lists(st.tuples(st.integers(0, 7), st.sets(st.integers(0, 7))), max_size=5), st.integers(-1, 4))
def test_applying(games: list[tuple[int, set[int]]], failing: int) -> None:
    """A move that is illegal or fails changes nothing."""
    states = positions([held | {cell} for cell, held in games], failing)
    before = [list(row) for row in states]
    moves, lawful = numbers(len(games), MOVE_WIDTH), [False] * len(games)
    for place, (cell, _) in enumerate(games):
        moves[place][:] = [RULE, 1, cell + LOW]
    stop = failing if 0 <= failing < len(games) else len(games)
    assert batches.apply_many(states, 0, len(games), moves, lawful, numbers(4, ENTRY_WIDTH)) == stop
    for place, (cell, _) in enumerate(games):
        if place == failing:
            assert states[place] == [*before[place][:FAILED], 7]
        elif place > stop or cell == 0:
            assert states[place] == before[place]
        else:
            assert states[place][0] == before[place][0] ^ 1 << cell
        assert lawful[place] == (place < stop and cell != 0)


def test_playing_stops_where_a_rule_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games use the seed and limit of each position."""
    def play(state: list[int], seed: int, limit: int, entries: Any, scratch: Any, move: Any) -> int:
        state[1] = seed
        state[FAILED] = 7 if state[0] & FAILING else 0
        return limit

    monkeypatch.setattr(batches, "play", play)
    states, plies = positions([{1}, {2}, {3}], 2), [0, 0, 0]
    assert batches.play_many(states, 0, 3, [5, 6, 7], [8, 9, 10], numbers(4, ENTRY_WIDTH), plies) == 2
    assert plies == [8, 9, 0]
    assert [row[1] for row in states] == [5, 6, 0]
    assert states[2][FAILED] == 7


def test_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are written, and updated to those of other positions."""
    monkeypatch.setattr(batches, "key", lambda state: state[0] * 3)
    monkeypatch.setattr(batches, "key_change", lambda state, other: state[0] * 3 ^ other[0] * 3)
    states, others, keys = positions([{1}, {2}]), positions([{3}, {4}]), [0, 0]
    assert batches.key_many(states, 0, 2, keys) == 2
    assert keys == [6, 12]
    assert batches.key_change_many(states, 1, 2, others, keys) == 2
    assert keys == [6, 48]


@given(st.integers(0, 2), st.lists(st.integers(0, 5), max_size=3))
def test_number_of(rule: int, values: list[int]) -> None:
    """The number of a move is its rule's offset plus its values as digits; negative rules come last."""
    offsets, lows, strides = [7, 70, 700], numbers(3, 3), numbers(3, 3)
    for row in strides:
        row[:] = [36, 6, 1]
    expected = offsets[rule] + sum(value * 6 ** (2 - place) for place, value in enumerate(values))
    assert batches.number_of([rule, len(values), *values], offsets, lows, strides) == expected
    assert batches.number_of([rule - 3, len(values), *values], offsets, lows, strides) == expected
