"""The interpreter beside OpenSpiel, where both know a game: the same counts, and the same random games.

`tests/openspiel` has OpenSpiel's games in the form of the references. OpenSpiel computes its counts here, in the test;
`games/*.perft` holds them as numbers. Skipped where it is not installed.
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
"""For the random games of one game with OpenSpiel, all its cases together."""
CASES = found_oracle_cases("openspiel")
DEFAULT = 1
"""Cases of a game that are played by default."""


def cases() -> list[object]:
    """The cases as parameters; the others of a game are slow tests."""
    found: list[object] = []
    for case in CASES:
        number = [other for other in CASES if other.oracle == case.oracle].index(case)
        slow = number >= DEFAULT
        found.append(pytest.param(case, id=str(case), marks=[pytest.mark.slow] if slow else []))
    return found


@pytest.mark.parametrize("case", cases())
def test_every_ply_is_as_openspiel_has_it(case: OracleCase) -> None:
    """Legal moves, the player to move and the outcome; cells where the adapter reads them."""
    hold(case, SECONDS)


# ---- counts


def their_perft(rules: Rules[Any], state: Any, depth: int) -> int:
    """How many sequences of so many moves OpenSpiel has; its successors are not made at the last move."""
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
"""As OpenSpiel 2.0.2 counts them, from depth 1."""


def marks_of(count: int) -> list[pytest.MarkDecorator]:
    """By how long a count takes."""
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
    """Walked twice, by OpenSpiel and by the interpreter, to depths at which games have ended."""
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
    """Where no numbers are written down, the two are compared."""
    case = OracleCase(Oracle("openspiel", name), tuple(params.items()))
    engine, rules = case.game().engine, case.rules()
    assert our_perft(engine, engine.start(), depth) == their_perft(rules, rules.start(), depth)
