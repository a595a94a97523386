"""Compares the interpreter with OpenSpiel on the games that both have: perft counts and random games.

`tests/openspiel` adapts OpenSpiel's games to the interface of the references. Here OpenSpiel computes its counts in the
test; `games/*.perft` holds them as numbers. The tests are skipped where OpenSpiel is not installed.
"""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.model.state import State
from interpreter.semantics.engine import Engine
from tests.discovery import Oracle, OracleCase, found_oracle_cases
from tests.lockstep import hold
from tests.reference.rules import Rules

pytest.importorskip("pyspiel")

SECONDS = 0.25
"""Time for the random games of one game against OpenSpiel, all its cases together."""
CASES = found_oracle_cases("openspiel")
DEFAULT = 1
"""The number of cases of each game that are not slow tests."""


def cases() -> list[object]:
    """The cases as test parameters; all but the first of each game are slow tests."""
    found: list[object] = []
    for case in CASES:
        number = [other for other in CASES if other.oracle == case.oracle].index(case)
        slow = number >= DEFAULT
        found.append(pytest.param(case, id=str(case), marks=[pytest.mark.slow] if slow else []))
    return found


@pytest.mark.parametrize("case", cases())
def test_every_ply_is_as_openspiel_has_it(case: OracleCase) -> None:
    """Compare legal moves, the player to move, the outcome, and the cells if the adapter reads them."""
    hold(case, SECONDS)


# ---- counts


def their_perft(rules: Rules[Any], state: Any, depth: int) -> int:
    """OpenSpiel's number of move sequences of this length; moves of the last ply are counted, not played."""
    if depth == 0:
        return 1
    moves = rules.moves(state)
    return len(moves) if depth == 1 else sum(their_perft(rules, rules.after(state, move), depth - 1) for move in moves)


def our_perft(engine: Engine, state: State, depth: int) -> int:
    """The same walk over our states."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(engine.legal(state))
    return sum(our_perft(engine, after, depth - 1) for _, after in engine.successors(state))


COUNTS = {
    "connect_four": ({}, [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]),
    "hex": ({"size": 4}, [16, 240, 3360, 43680, 524160, 5765760]),
    "tic_tac_toe": ({}, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
}
"""Params and the counts of OpenSpiel 2.0.2, from depth 1."""


def marks_of(count: int) -> list[pytest.MarkDecorator]:
    """The marks of a test, by how long its count takes."""
    if count > 1_000_000:
        return [pytest.mark.thorough]
    return [pytest.mark.slow] if count > 16_000 else []


@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        pytest.param(name, depth, count, marks=marks_of(count), id=f"{name} perft {depth}")
        for name, (_, counts) in COUNTS.items()
        for depth, count in enumerate(counts, start=1)
    ],
)
def test_perft_is_openspiels(name: str, depth: int, count: int) -> None:
    """OpenSpiel and the interpreter both walk the tree, to depths at which games have ended."""
    case = OracleCase(Oracle("openspiel", name), tuple(COUNTS[name][0].items()))
    engine, rules = case.game().engine, case.rules()
    assert our_perft(engine, engine.start(), depth) == count
    assert their_perft(rules, rules.start(), depth) == count


@pytest.mark.parametrize(("name", "params", "depth"), [
    ("connect_four", {"rows": 4, "columns": 4}, 6),
    ("connect_four", {"rows": 4, "columns": 5, "length": 3}, 6),
    ("hex", {"size": 5}, 3),
])
def test_perft_is_openspiels_on_other_boards(name: str, params: dict[str, int], depth: int) -> None:
    """OpenSpiel and the interpreter agree on boards for which no counts are listed."""
    case = OracleCase(Oracle("openspiel", name), tuple(params.items()))
    engine, rules = case.game().engine, case.rules()
    assert our_perft(engine, engine.start(), depth) == their_perft(rules, rules.start(), depth)
