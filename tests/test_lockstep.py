"""The five games beside their reference implementations: Hypothesis plays both, and every ply must agree.

`tests/reference` is written from the rule texts and imports nothing of the project. `test_openspiel` does the same
against OpenSpiel, `test_conformance` holds every game to what needs no second implementation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dslgame import IllegalMove, Position
from interpreter.game import Game
from tests.discovery import FOLDER
from tests.reference import connect_four, hex, nex, shift_tac_toe, tic_tac_toe
from tests.reference.rules import DRAW, Rules


class Nex(nex.Reference):
    """The file reads a transform with the neutral first as well; the reference knows that of a generate only."""

    def canonical_text(self, text: str) -> str:
        given_first = re.fullmatch(r"(\?[a-z]\d+)([BW][a-z]\d+[BW][a-z]\d+)", text)
        return super().canonical_text(given_first[2] + given_first[1] if given_first else text)


# The state's type differs from reference to reference, and nothing here looks inside.
REFERENCES: dict[str, type[Rules[Any]]] = {
    "tic_tac_toe": tic_tac_toe.Reference,
    "connect_four": connect_four.Reference,
    "hex": hex.Reference,
    "nex": Nex,
    "shift_tac_toe": shift_tac_toe.Reference,
}

PARAMS: dict[str, Mapping[str, st.SearchStrategy[int]]] = {
    "tic_tac_toe": {},
    "connect_four": {"rows": st.integers(1, 7), "columns": st.integers(1, 8), "length": st.integers(2, 5)},
    "hex": {"size": st.integers(1, 7)},
    "nex": {"rows": st.integers(2, 5), "columns": st.integers(2, 5)},
    "shift_tac_toe": {"reach": st.integers(1, 9)},
}

LONGEST = 120
"""Plies after which a game is left."""

for_each_reference = pytest.mark.parametrize("name", REFERENCES)


@cache
def game_of(name: str, params: tuple[tuple[str, int], ...]) -> Game:
    """The game of a file in `games/`."""
    return dslgame.load(FOLDER / f"{name}.game", **dict(params))


@attrs.define
class Pair:
    """One game played twice: by its file, and by its reference."""

    rules: Rules[Any]
    state: Any
    position: Position
    seen: set[Any] = attrs.field(factory=set)
    """What the reference says must come again for a position to be repeated."""
    repeated: bool = False

    @classmethod
    def start(cls, name: str, params: Mapping[str, int]) -> Pair:
        rules = REFERENCES[name](**params)
        pair = cls(rules, rules.start(), game_of(name, tuple(params.items())).start())
        pair.seen.add(pair.key())
        return pair

    def key(self) -> Any:
        return self.rules.key(self.state) if isinstance(self.rules, shift_tac_toe.Reference) else None

    def play(self, text: str) -> None:
        """The same move in both."""
        self.state, self.position = self.rules.play(self.state, text), self.position.play(text)
        if (key := self.key()) is not None:
            self.repeated = key in self.seen
            self.seen.add(key)

    def outcome(self) -> str | None:
        """The reference's, with the draw by repetition that it leaves to its caller."""
        outcome = self.rules.outcome(self.state)
        return DRAW if outcome is None and self.repeated else outcome

    def moves(self) -> list[str]:
        """The reference's moves."""
        return [] if self.outcome() is not None else self.rules.moves(self.state)

    def check(self) -> None:
        """Both show the same."""
        assert sorted(self.position.moves()) == sorted(self.moves())
        assert self.position.pieces == self.rules.board(self.state)
        shown = {name: list(v) if isinstance(v, tuple) else v for name, v in self.position.variables.items()}
        assert shown == self.rules.variables(self.state)
        assert self.position.outcome == self.outcome()
        assert self.position.over == (self.outcome() is not None)
        assert self.position.to_move == self.rules.to_move(self.state)


def drawn_pair(data: st.DataObject, name: str) -> Pair:
    """A game at drawn params, before the first move."""
    params = {param: data.draw(values, label=param) for param, values in PARAMS[name].items()}
    return Pair.start(name, params)


def play_on(data: st.DataObject, pair: Pair, longest: int, *, check: bool = False) -> None:
    """Random moves until the end or the bound."""
    for _ in range(longest):
        moves = pair.moves()
        if not moves:
            break
        pair.play(moves[data.draw(st.integers(0, len(moves) - 1), label="move")])
        if check:
            pair.check()


@for_each_reference
@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_every_ply_is_as_the_reference_has_it(name: str, data: st.DataObject) -> None:
    """Legal moves, cells, variables, the player to move and the outcome."""
    pair = drawn_pair(data, name)
    pair.check()
    play_on(data, pair, LONGEST, check=True)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("connect_four", {}),
        ("connect_four", {"rows": 1, "columns": 1}),
        ("connect_four", {"rows": 1, "columns": 20, "length": 2}),
        ("connect_four", {"rows": 20, "columns": 1, "length": 20}),
        ("connect_four", {"rows": 9, "columns": 12, "length": 5}),
        ("hex", {}),
        ("hex", {"size": 1}),
        ("hex", {"size": 13}),
        ("nex", {"rows": 2, "columns": 7}),
        ("nex", {"rows": 6, "columns": 3}),
    ],
    ids=str,
)
@settings(max_examples=3)
@given(data=st.data())
def test_extreme_sizes_are_as_the_reference_has_them(name: str, params: dict[str, int], data: st.DataObject) -> None:
    """Sizes that drawing seldom reaches: the default ones, a single cell, long strips."""
    pair = Pair.start(name, params)
    pair.check()
    play_on(data, pair, LONGEST, check=True)


# ---- texts


def accepted(pair: Pair, text: str) -> str | None:
    """The canonical text of what the reference understands, None if it refuses the move."""
    canonical = pair.rules.canonical_text(text)
    return canonical if canonical in pair.moves() else None


def check_text(pair: Pair, text: str) -> None:
    """Both refuse a text, or both take it for the same move; capitals and outer spaces do not matter to the file."""
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
    """The text with each of its first letters, a dozen at most, in both cases."""
    choices: list[str] = []
    for number, character in enumerate(text):
        both = {character, character.lower(), character.upper()} if number < 12 else {character}
        choices.append("".join(sorted(one for one in both if len(one) == 1)))
    return ["".join(parts) for parts in product(*choices)] if len(text) <= 30 else [text]


@st.composite
def texts(draw: st.DrawFn, known: list[str]) -> str:
    """Texts near those of some moves: changed by a letter, parts in another order, or made of the same letters."""
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
    """Legal moves of this position and of the first, bent a little."""
    pair = drawn_pair(data, name)
    first = pair.moves()
    play_on(data, pair, data.draw(st.integers(0, 12), label="plies"))
    known = sorted({*first, *pair.moves()})
    for _ in range(5):
        check_text(pair, data.draw(texts(known), label="text"))


@pytest.mark.parametrize("text", ["?c2Ba1", "Ba1?c2", "ba1?C2", " Ba1?c2\n"])
def test_nex_opening_can_be_written_in_two_orders(text: str) -> None:
    """The notation's second form; capitals and outer spaces do not matter."""
    after = game_of("nex", ()).start().play(text)
    assert after.played == ("Ba1?c2",)
    assert after.pieces == {"a1": "black", "c2": "neutral"}


@pytest.mark.parametrize("text", ["Ba2Bb2?a1", "Bb2Ba2?a1", "?a1Ba2Bb2", "?a1Bb2Ba2"])
def test_nex_transform_can_be_written_in_four_orders(text: str) -> None:
    """The two neutrals in either order, the stone that is given up first or last."""
    pair = Pair.start("nex", {})
    for move in ("Ba1?c2", "Wb1?b2", "Ba3?a2", "Wc1?c3"):
        pair.play(move)
    assert pair.position.play(text).played[-1] == "Ba2Bb2?a1"


@pytest.mark.parametrize("text", ["Wa1?c2", "Ba1?a1", "Ba1Ba2?b1", "Ba1", "?c2?a1", "Ba1Wc2", "", "Ba1?c4", "a1c2"])
def test_nex_refuses_what_is_no_opening(text: str) -> None:
    """The other colour, one cell twice, a transform without neutrals, half a move, a cell that is not there."""
    with pytest.raises(IllegalMove, match=r"not among the 72 legal moves|did you mean"):
        game_of("nex", ()).start().play(text)


# ---- Shift-Tac-Toe's repetitions, which the reference leaves to its caller


def test_shift_tac_toe_repeated_position_draws() -> None:
    """One shifts a row, Two shifts it back, and One is to move as at the start: a draw, and no moves."""
    position = game_of("shift_tac_toe", ()).start().play("3")
    assert not position.over
    position = position.play("4")
    assert position.outcome == "draw"
    assert position.moves() == ()
    with pytest.raises(IllegalMove, match=r"illegal move '3': the game is over \(draw\)"):
        position.play("3")


def test_shift_tac_toe_same_board_with_the_other_player_to_move_is_no_repetition() -> None:
    """A piece is dropped, shifted out and the row shifted back: the first board, but Two is to move."""
    start = game_of("shift_tac_toe", ()).start()
    position = start.play("0").play("7").play("8")
    assert position.state.pieces == start.state.pieces
    assert position.state.values == start.state.values
    assert position.to_move == "Two"
    assert not position.over
