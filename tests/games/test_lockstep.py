"""Plays every game in lockstep with its reference implementation and compares every ply.

The implementations of `tests/reference` are written from the rule texts. `test_openspiel` does the same against
OpenSpiel; `test_conformance` has the checks that need no second implementation.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dslgame import IllegalMove, Position
from dslgame.testing import check_against
from interpreter.game import Game
from tests.discovery import FOLDER, ORACLES, OracleCase, found_games, found_oracle_cases, found_oracles
from tests.lockstep import hold
from tests.reference import connect_four, hex, nex, shift_tac_toe, tic_tac_toe
from tests.reference.rules import Rules

SECONDS = 0.15
"""Time for the random games of one game against its reference, all its cases together."""
CASES = found_oracle_cases("reference")


def test_every_game_has_a_reference() -> None:
    """Every game has a reference implementation and at least one param set to play it at."""
    assert {oracle.name for oracle in found_oracles("reference")} == {path.stem for path in found_games()}
    assert {case.oracle.name for case in CASES} == {path.stem for path in found_games()}


@pytest.mark.parametrize("folder", ORACLES)
def test_every_second_implementation_has_a_game(folder: str) -> None:
    """Every module with an oracle class has a game of its name; without one it would never be run."""
    games = {path.stem for path in found_games()}
    modules = (Path(__file__).parents[1] / folder).glob("*.py")
    begins = f"class {ORACLES[folder]}("
    assert [path.stem for path in modules if begins in path.read_text("utf-8") and path.stem not in games] == []


QUICK = [next(case for case in CASES if case.oracle == oracle) for oracle in found_oracles("reference")[1::3]]
"""One game in three, at its first param set; the slow tests play all cases, and for longer."""


@pytest.mark.parametrize("case", QUICK, ids=str)
def test_every_ply_is_as_the_reference_has_it(case: OracleCase) -> None:
    """Legal moves, cells, variables, the player to move and the outcome."""
    hold(case, SECONDS)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_ply_of_more_games_is_as_the_reference_has_it(case: OracleCase) -> None:
    """Compare all cases for three times as long."""
    hold(case, 3 * SECONDS)


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_ply_of_many_games_is_as_the_reference_has_it(case: OracleCase) -> None:
    """Compare all cases for 20 s each game."""
    hold(case, 20)


# ---- random params, and texts, of some games


class Nex(nex.Reference):
    """Also reads transforms with the neutral cell first, as the file does; the reference reads only generates so."""

    def canonical_text(self, text: str) -> str:
        given_first = re.fullmatch(r"(\?[a-z]\d+)([BW][a-z]\d+[BW][a-z]\d+)", text)
        return super().canonical_text(given_first[2] + given_first[1] if given_first else text)


# The state type differs from reference to reference; the tests do not inspect states.
REFERENCES: dict[str, type[Rules[Any]]] = {
    "tic_tac_toe": tic_tac_toe.Reference,
    "connect_four": connect_four.Reference,
    "hex": hex.Reference,
    "nex": Nex,
    "shift_tac_toe": shift_tac_toe.Reference,
}

PARAMS: dict[str, dict[str, tuple[int, int]]] = {
    "tic_tac_toe": {},
    "connect_four": {"rows": (1, 7), "columns": (1, 8), "length": (2, 5)},
    "hex": {"size": (1, 7)},
    "nex": {"rows": (2, 5), "columns": (2, 5)},
    "shift_tac_toe": {"reach": (1, 9)},
}
"""The range from which each param is drawn."""


for_each_reference = pytest.mark.parametrize("name", REFERENCES)


@cache
def game_of(name: str, params: tuple[tuple[str, int], ...]) -> Game:
    """Load a bundled game."""
    return dslgame.load(FOLDER / f"{name}.game", **dict(params))


@attrs.define
class Pair:
    """One game played twice in lockstep: by its file and by its reference."""

    rules: Rules[Any]
    state: Any
    position: Position

    @classmethod
    def start(cls, name: str, params: Mapping[str, int]) -> Pair:
        """Both at the start."""
        rules = REFERENCES[name](**params)
        return cls(rules, rules.start(), game_of(name, tuple(params.items())).start())

    def play(self, text: str) -> None:
        """Play the same move in both."""
        self.state, self.position = self.rules.play(self.state, text), self.position.play(text)

    def moves(self) -> list[str]:
        """The reference's moves; none once the position is over, since the reference does not know repetitions."""
        return [] if self.position.over else self.rules.moves(self.state)


@for_each_reference
@pytest.mark.parametrize("number", range(8))
def test_every_ply_is_as_the_reference_has_it_at_any_params(name: str, number: int) -> None:
    """Compare random games at random params, which include odd boards."""
    dice = random.Random(f"{name} {number}")
    params = {param: dice.randint(low, high) for param, (low, high) in PARAMS[name].items()}
    check_against(game_of(name, tuple(params.items())), REFERENCES[name](**params), games=5, seconds=0.1)


# ---- texts


def accepted(pair: Pair, text: str) -> str | None:
    """The canonical text of a move that the reference accepts; None if it refuses the text."""
    canonical = pair.rules.canonical_text(text)
    return canonical if canonical in pair.moves() else None


def check_text(pair: Pair, text: str) -> None:
    """Check that both refuse a text or read it as the same move; the file ignores case and surrounding spaces."""
    meant = {accepted(pair, variant) for variant in spellings(text.strip())} - {None}
    exact = accepted(pair, text.strip())
    if not meant:
        with pytest.raises(IllegalMove) as refusal:
            pair.position.play(text)
        assert refusal.value.text == text
        assert set(refusal.value.legal) == set(pair.moves())
        return
    after = pair.position.play(text)
    assert exact is None or after.played[-1] == exact
    assert after.played[-1] in meant
    assert after.pieces == pair.rules.board(pair.rules.play(pair.state, after.played[-1]))


def spellings(text: str) -> list[str]:
    """All variants of a text with its first 12 characters in either case; a text over 30 characters as it is."""
    choices: list[str] = []
    for number, character in enumerate(text):
        both = {character, character.lower(), character.upper()} if number < 12 else {character}
        choices.append("".join(sorted(one for one in both if len(one) == 1)))
    return ["".join(parts) for parts in product(*choices)] if len(text) <= 30 else [text]


@st.composite
def texts(draw: st.DrawFn, known: list[str]) -> str:
    """Texts close to those of some moves: with a small edit, with parts reordered, or of the same letters."""
    letters = sorted({*"".join(known), *" z9?a1"})
    kind = draw(st.sampled_from(["changed", "arranged", "letters"]))
    move = draw(st.sampled_from(known))
    if kind == "letters":
        return draw(st.text(letters, max_size=9))
    if kind == "arranged":
        return "".join(draw(st.permutations(re.findall(r"[BW?]?[a-z]?[0-9]+|.", move))))
    at = draw(st.integers(0, len(move)))
    return move[:at] + draw(st.text(letters, max_size=2)) + move[at + draw(st.integers(0, 2)) :]


@for_each_reference
@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_texts_are_refused_and_accepted_as_the_reference_does(name: str, data: st.DataObject) -> None:
    """Try variations of legal moves of the current position and of the start."""
    params = {param: data.draw(st.integers(*ends), label=param) for param, ends in PARAMS[name].items()}
    pair = Pair.start(name, params)
    first = pair.moves()
    for _ in range(data.draw(st.integers(0, 12), label="plies")):
        if moves := pair.moves():
            pair.play(data.draw(st.sampled_from(moves), label="move"))
    known = sorted({*first, *pair.moves()})
    for _ in range(5):
        check_text(pair, data.draw(texts(known), label="text"))


@pytest.mark.parametrize("text", ["?c2Ba1", "Ba1?c2", "ba1?C2", " Ba1?c2\n"])
def test_nex_opening_can_be_written_in_two_orders(text: str) -> None:
    """The neutral cell may come first or last; case and surrounding spaces are ignored."""
    after = game_of("nex", ()).start().play(text)
    assert after.played == ("Ba1?c2",)
    assert after.pieces == {"a1": "black", "c2": "neutral"}


@pytest.mark.parametrize("text", ["Ba2Bb2?a1", "Bb2Ba2?a1", "?a1Ba2Bb2", "?a1Bb2Ba2"])
def test_nex_transform_can_be_written_in_four_orders(text: str) -> None:
    """The two neutral cells may come in either order, the stone that is given up first or last."""
    pair = Pair.start("nex", {})
    for move in ("Ba1?c2", "Wb1?b2", "Ba3?a2", "Wc1?c3"):
        pair.play(move)
    assert pair.position.play(text).played[-1] == "Ba2Bb2?a1"


@pytest.mark.parametrize("text", ["Wa1?c2", "Ba1?a1", "Ba1Ba2?b1", "Ba1", "?c2?a1", "Ba1Wc2", "", "Ba1?c4", "a1c2"])
def test_nex_refuses_what_is_no_opening(text: str) -> None:
    """The opponent's colour, one cell twice, a transform without neutral stones, half a move, an unknown cell."""
    with pytest.raises(IllegalMove, match=r"not among the 72 legal moves|did you mean"):
        game_of("nex", ()).start().play(text)


# ---- Shift-Tac-Toe's repetitions, which the reference does not detect


def test_shift_tac_toe_repeated_position_draws() -> None:
    """After a shift and its reverse, One is to move as at the start: the game is drawn and has no moves."""
    position = game_of("shift_tac_toe", ()).start().play("3")
    assert not position.over
    position = position.play("4")
    assert position.outcome == "draw"
    assert position.moves() == ()
    with pytest.raises(IllegalMove, match=r"illegal move '3': the game is over \(draw\)"):
        position.play("3")


def test_shift_tac_toe_same_board_with_the_other_player_to_move_is_no_repetition() -> None:
    """A piece is dropped and shifted out and the row shifted back: the board of the start, but Two is to move."""
    start = game_of("shift_tac_toe", ()).start()
    position = start.play("0").play("7").play("8")
    assert position.state.pieces == start.state.pieces
    assert position.state.values == start.state.values
    assert position.to_move == "Two"
    assert not position.over
