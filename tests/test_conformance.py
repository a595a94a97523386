"""What holds for every game: each file in `games/` is found and held to this, at its own params and at those of its
perft file.

Random play is Hypothesis's, so that a failure shrinks to a short game. Nothing here knows a game.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl import meaning
from dsl.sorts import BOOLEAN, CELL, DIRECTION, PIECE, PLAYER, Enumerated, Integer
from dslgame import perft_files
from dslgame.perft_files import Expected
from interpreter.engine import Engine
from interpreter.game import Game, Position, examine
from interpreter.state import DRAW, Move, State
from interpreter.symmetries import StateMap, canonical
from interpreter.trial import try_out
from tests.discovery import GameCase, found_cases, found_counts, found_games

CASES = found_cases()
EXAMPLES = settings(max_examples=settings().max_examples // 10)
LONGEST = 150
"""Plies after which a random game is left; some games can go on for ever."""
QUICK = {"perft": 500_000, "nodes": 1_000_000, "positions": 10_000, "positions merged": 10_000}
"""Counts up to this are made by default, larger ones when slow tests are asked for."""

for_every_game = pytest.mark.parametrize("case", CASES, ids=str)


# ---- playing


def played(data: st.DataObject, game: Game, longest: int = LONGEST) -> list[Position]:
    """The positions of a random game, the first and the last included."""
    positions = [game.start()]
    while not positions[-1].over and len(positions) <= longest:
        legal = positions[-1].legal()
        move = legal[data.draw(st.integers(0, len(legal) - 1), label="move")]
        positions.append(positions[-1].play(move))
    return positions


def played_some(data: st.DataObject, game: Game, longest: int = LONGEST) -> Position:
    """A position somewhere in a random game."""
    length = data.draw(st.integers(0, longest), label="length")
    return played(data, game, length)[-1]


def test_games_are_found() -> None:
    """The suite looks where the games are."""
    assert found_games()
    assert {case.path for case in CASES} == set(found_games())


# ---- the file


@for_every_game
def test_file_has_no_errors_and_no_warnings(case: GameCase) -> None:
    """Nothing is said about a game that comes with the project."""
    game, diagnostics = examine(case.source, dict(case.params))
    assert diagnostics == []
    assert game is not None
    assert game.params.items() >= dict(case.params).items()


@pytest.mark.parametrize("path", found_games(), ids=lambda path: path.stem)
def test_play_finds_nothing_wrong_with_the_game(path: Path) -> None:
    """What `dslgame check` looks for: ranges, endless cascades, dead rules, symmetries that the rules do not have."""
    assert [item for item in try_out(GameCase(path).load()) if item.severity != "note"] == []


@for_every_game
def test_file_has_a_perft_file(case: GameCase) -> None:
    """Counts from elsewhere hold the game down."""
    assert perft_files.read(case.perft_path)


@for_every_game
def test_game_starts_unfinished(case: GameCase) -> None:
    """There is something to play, and nothing was played."""
    start = case.load().start()
    assert not start.over
    assert start.outcome is None
    assert start.moves()
    assert start.history == ()
    assert start.played == ()
    assert start.to_move == start.game.players[0]


# ---- moves


@for_every_game
@EXAMPLES
@given(data=st.data())
def test_every_legal_move_applies_and_no_ended_game_has_one(case: GameCase, data: st.DataObject) -> None:
    """Legal moves are those with a successor, in the same order; there are none exactly when the game is over."""
    game = case.load()
    for position in played(data, game):
        engine, state = game.engine, position.state
        moves = engine.legal(state)
        assert (moves == []) == position.over == (position.outcome is not None)
        assert len(set(moves)) == len(moves)
        assert engine.successors(state) == [(move, engine.apply(state, move)) for move in moves]
        assert None not in [after for _, after in engine.successors(state)]
        assert engine.legal(state) == moves


@for_every_game
@EXAMPLES
@given(data=st.data())
def test_every_text_reads_back_to_its_move(case: GameCase, data: st.DataObject) -> None:
    """No two moves share a text in any of the ways to write them, in capitals or not; reading undoes writing."""
    game = case.load()
    position = played_some(data, game)
    legal = position.legal()
    meant: dict[str, set[Move]] = {}
    for move in legal:
        readings = list(game.notation.readings(position.state, move))
        assert readings[0] == game.notation.write(position.state, move)
        for text in readings:
            assert text
            assert not any(character.isspace() or character == ";" for character in text)
            meant.setdefault(text, set()).add(move)
            meant.setdefault(text.casefold(), set()).add(move)
    assert {text: moves for text, moves in meant.items() if len(moves) != 1} == {}
    assert list(position.moves()) == [game.notation.write(position.state, move) for move in legal]
    if legal:
        move = data.draw(st.sampled_from(legal), label="read")
        for text in game.notation.readings(position.state, move):
            assert game.notation.read(position.state, text, legal) == [move]
            assert position.find(text) == position.find(f" {text} ") == position.find(text.swapcase()) == move
            assert position.play(text) == position.play(move)


# ---- positions


@for_every_game
@EXAMPLES
@given(data=st.data())
def test_every_cell_holds_one_thing_and_every_variable_is_in_its_range(case: GameCase, data: st.DataObject) -> None:
    """The sets of cells of a state are disjoint and together the board; values are of their sorts."""
    game = case.load()
    for position in played(data, game):
        together = 0
        for cells in position.state.pieces:
            assert together & cells == 0
            together |= cells
        assert together == game.board.everything
        assert len(position.state.values) == sum(game.engine.evaluator.sizes)
        for number, kind in enumerate(game.rules.variables):
            for value in game.variable_values(position.state, number):
                assert kind.or_none if value is None else value in possible_values(game, kind)
        assert position.state.to_move in range(len(game.players))
        assert position.outcome in (None, "draw", *game.players)
        if not game.rules.pie:
            assert position.state.turn == 0


def possible_values(game: Game, kind: meaning.VariableKind) -> range:
    """What a variable can hold, none aside."""
    if isinstance(kind.sort, Integer):
        return range(kind.sort.low, kind.sort.high + 1)
    if isinstance(kind.sort, Enumerated):
        return range(len(kind.sort.values))
    return {
        BOOLEAN: range(2),
        CELL: range(game.board.size),
        PIECE: range(len(game.rules.pieces)),
        PLAYER: range(len(game.players)),
        DIRECTION: range(len(game.board.directions)),
    }[kind.sort]


@for_every_game
@EXAMPLES
@given(data=st.data())
def test_going_back_gives_the_same_positions(case: GameCase, data: st.DataObject) -> None:
    """Play changes no earlier position: each still equals itself replayed and has the same moves as then."""
    game = case.load()
    positions = played(data, game)
    legal_then = [position.legal() for position in positions]
    states = [position.state for position in positions]
    last = positions[-1]
    assert list(last.history) == states[:-1]
    again = game.start()
    for number, (position, text) in enumerate(zip(positions, (*last.played, None), strict=True)):
        assert position.history == tuple(states[:number])
        assert position.played == last.played[:number]
        assert again == position
        assert hash(again) == hash(position)
        assert again.state == states[number]
        if text is not None:
            again = again.play(text)
    for position, legal in reversed(list(zip(positions, legal_then, strict=True))):
        assert position.legal() == legal
    for position, state in zip(positions, states, strict=True):
        assert (position == last) == (state == last.state)


@for_every_game
@EXAMPLES
@given(data=st.data())
def test_different_positions_have_different_texts(case: GameCase, data: st.DataObject) -> None:
    """The one-line text tells the content, the variables and the player to move apart; the drawing never fails."""
    game = case.load()
    content_of: dict[str, tuple[object, ...]] = {}
    for position in played(data, game):
        states = [position.state, *(after for _, after in game.engine.successors(position.state)[:30])]
        for state in states:
            text = game.position_text(state)
            assert "\n" not in text
            assert content_of.setdefault(text, state[:3]) == state[:3]
        drawing = str(position)
        assert drawing == game.drawing(position.state)
        assert all(row == row.rstrip() for row in drawing.splitlines())
        assert isinstance(position.value(), int)


# ---- symmetry


def maps_of(game: Game) -> list[StateMap]:
    """The declared symmetries."""
    return [element for _, maps in game.declared for element in maps]


@for_every_game
@EXAMPLES
@given(data=st.data())
def test_rules_are_closed_under_each_declared_symmetry(case: GameCase, data: st.DataObject) -> None:
    """What can follow the image of a position is the images of what can follow it.

    Of ended games the outcome alone must agree: a cascade may be broken off at different cells.
    """
    game = case.load()
    state = played_some(data, game).state
    followers = successors(game.engine, state)
    for element in maps_of(game):
        image = element.of_state(state)
        expected = Counter(decisive(element.of_state(after)) for after in followers)
        assert Counter(map(decisive, successors(game.engine, image))) == expected
        assert (image.outcome is None) == (state.outcome is None)


def decisive(state: State) -> State | int:
    """What of a state must have an image: all of it, or the outcome."""
    return state if state.outcome is None else state.outcome


@for_every_game
@EXAMPLES
@given(data=st.data())
def test_all_images_of_a_position_have_one_representative(case: GameCase, data: st.DataObject) -> None:
    """`canonical` gives an image of the position, the same for every image, and itself again."""
    game = case.load()
    position = played_some(data, game)
    representative = canonical(position.state, game.symmetries)
    images = [element.of_state(position.state) for element in game.symmetries]
    assert images[0] == position.state
    assert representative in images
    assert {canonical(image, game.symmetries) for image in images} == {representative}
    assert position.canonical().state == representative
    assert position.canonical().canonical() == position.canonical()


@for_every_game
def test_symmetries_are_a_group(case: GameCase) -> None:
    """Every product of two symmetries is one of them, and those that fix the first position are closed as well."""
    game = case.load()
    start = game.start()
    sample = start
    for _ in range(3):
        if not sample.over:
            sample = sample.play(sample.legal()[-1])
    images = {element.of_state(sample.state) for element in game.symmetries}
    assert {element.of_state(image) for element in maps_of(game) for image in images} <= images
    fixing = game.fixing(start.state)
    assert fixing[0] is game.symmetries[0]
    assert all(element.of_state(start.state) == start.state for element in fixing)
    assert len(game.symmetries) % len(fixing) == 0


# ---- counts


def successors(engine: Engine, state: State) -> list[State]:
    """The states after one move, one for each move."""
    return [after for _, after in engine.successors(state)]


def levels(engine: Engine, state: State) -> Iterator[Counter[State]]:
    """The states after 0, 1, 2, ... moves, each with the number of ways to it; equal states are counted together."""
    level = Counter({state: 1})
    yield level
    while True:
        following: Counter[State] = Counter()
        for before, ways in level.items():
            for after in successors(engine, before):
                following[after] += ways
        level = following
        yield level


def reachable(engine: Engine, state: State, maps: tuple[StateMap, ...]) -> int:
    """How many states can be reached, one for each set of images."""
    found = {canonical(state, maps)}
    waiting = [state]
    while waiting:
        for after in successors(engine, waiting.pop()):
            representative = canonical(after, maps)
            if representative not in found:
                found.add(representative)
                waiting.append(representative)
    return len(found)


def counted(game: Game, expected: Expected) -> int:
    """The game's own count of what a perft file expects."""
    position = game.start()
    for text in expected.moves:
        position = position.play(text)
    state = position.state
    engine = game.endless if expected.ignore_ends else game.engine
    if expected.depth or expected.kind in ("perft", "nodes"):
        totals = [level.total() for level in islice(levels(engine, state), expected.depth + 1)]
        return totals[-1] if expected.kind == "perft" else sum(totals)
    merged = expected.kind == "positions merged"
    return reachable(engine, state, game.fixing(state) if merged else game.symmetries[:1])


def count_parameters() -> list[object]:
    """Every expected count as a test parameter, large ones marked slow."""
    found: list[object] = []
    counts = found_counts()
    for case, item in counts:
        on_the_way = [
            other.count
            for its_case, other in counts
            if its_case == case and other.kind == item.kind and other.moves == item.moves and other.depth <= item.depth
        ]
        marks = [pytest.mark.slow] if max(on_the_way) > QUICK[item.kind] else []
        found.append(pytest.param(case, item, id=f"{case.path.stem} {item}", marks=marks))
    return found


@pytest.mark.parametrize(("case", "expected"), count_parameters())
def test_counts_are_those_of_the_perft_file(case: GameCase, expected: Expected) -> None:
    """On a mismatch: the board, and the count below each move."""
    game = case.load()
    found = counted(game, expected)
    assert found == expected.count, f"{case.perft_path.name}:{expected.line}\n{divided(game, expected)}"


def divided(game: Game, expected: Expected) -> str:
    """The position that is counted from, with the number of sequences that begin with each move."""
    position = game.start()
    for text in expected.moves:
        position = position.play(text)
    engine = game.endless if expected.ignore_ends else game.engine
    rows = [str(position)]
    if expected.depth:
        for move, after in engine.successors(position.state):
            *_, below = islice(levels(engine, after), expected.depth)
            rows.append(f"{game.notation.write(position.state, move)}: {below.total()}")
    return "\n".join(rows)


# ---- chance


def random_game(game: Game, seed: int) -> tuple[str, ...]:
    """The moves of a game played by dice."""
    dice = random.Random(seed)
    position = game.start()
    while not position.over and len(position.played) < LONGEST:
        position = position.play(dice.choice(position.legal()))
    return position.played


@for_every_game
def test_same_seed_plays_the_same_game(case: GameCase) -> None:
    """Moves come in the same order from two games loaded apart."""
    assert [random_game(case.load(), seed) for seed in range(3)] == [
        random_game(case.load(), seed) for seed in range(3)
    ]


def test_moves_come_in_the_same_order_in_every_process() -> None:
    """Python's hashing, which differs from process to process, does not show."""
    program = (
        "from tests.discovery import found_cases\n"
        "from tests.test_conformance import random_game\n"
        "print([random_game(case.load(), seed) for case in found_cases() for seed in range(2)])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=found_games()[0].parent.parent,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@for_every_game
@EXAMPLES
@given(data=st.data())
def test_an_ended_game_keeps_its_end(case: GameCase, data: st.DataObject) -> None:
    """A won state names a player of the game; no move changes an ended game, and playing one is refused."""
    game = case.load()
    position = played(data, game)[-1]
    if position.over:
        assert position.state.outcome == DRAW or position.state.outcome in range(len(game.players))
        for text in (position.played[-1], "nonsense", ""):
            with pytest.raises(ValueError, match="illegal move"):
                position.play(text)
