"""Trax: the reference and the game file against published counts, known games and long cascades.

Each record of `data/trax_cascades.jsonl` has the moves to a position and a further move. Either that move forces many
tiles, which the record lists by their names after the move, with the winner; or the cascade that it starts makes it
illegal. The positions were found by search.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dslgame
from interpreter.game import Game
from tests.discovery import FOLDER
from tests.reference.counting import perft
from tests.reference.trax import (
    TILES,
    Place,
    Reference,
    State,
    closed,
    column_name,
    counted_from_a1,
    entering,
    open_places,
    place_name,
)

FILE = FOLDER / "trax.game"
DATA = Path(__file__).parents[1] / "data" / "trax_cascades.jsonl"

Tiles = dict[Place, str]
Record = dict[str, Any]  # a line of the data file

CASCADES: list[Record] = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
FORCING = [record for record in CASCADES if "forced" in record]
ILLEGAL = [record for record in CASCADES if "illegal" in record]

GAMES = {
    "a loop of the opponent": (8, "@0/ B1\\ A2\\", "Black"),
    "a loop of the mover": (8, "@0/ A0\\ @1/", "White"),
    "a line across": (8, "@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+", "Black"),
    "a line down": (8, "@0+ A2+ A3+ A4+ A5+ A6+ A7+ A8+", "White"),
    "a line of the opponent": (
        8,
        "@0/ @1+ A0+ C1/ A0+ @3/ B0+ @4+ A3/ @4+ G3\\ D0+ F3/ C2+ B3+ A6+ A3\\ F2/ @3/ A2/",
        "White",
    ),
    "a winding line": (
        8,
        "@0/ @1+ A0+ C1/ A0+ @3/ B0+ @4+ A3/ @4+ G3\\ D0+ F3/ C2+ B3+ A6+ A3\\ F2/ @3/ G0/ A3/",
        "White",
    ),
    "a short line of the opponent": (4, "@0/ @1/ A0\\ C1\\ A0+ A0+", "White"),
    "a short line of the mover": (4, "@0+ B1/ B0+ C1\\ D1+ B0/", "Black"),
    "two loops": (8, "@0+ A0\\ @2\\ A3+ C2+ B3\\ C4\\ B4/ C1+ D1\\ E2\\ D3\\", "Black"),
    "a loop of the mover, a line of the opponent": (4, "@0+ A2+ @2+ C2\\ B3/ C4+ C1/ D3+ D1\\", "White"),
    "a line of the mover, a loop of the opponent": (4, "@0+ A2+ @2+ C2\\ B3/ C4+ C1/ D3+ B0+ D2\\", "Black"),
    "two lines": (4, "@0+ A0/ A0/ A0/ B3+ A0/ @4\\ A2\\ B6\\ B0\\ C8/ @4+ A6+", "White"),
}
"""The line length, the moves and the winner; the first three are published, the others come from random play."""

every_game = pytest.mark.parametrize("name", GAMES)


def frame(size: int) -> list[str]:
    """Return moves that force nothing, followed by one that forces size * size + 5 tiles.

    The moves lay a long row, a bend from its left end that encloses a gap of three by two places, and a column that
    goes down from the bend. The last move lays the first tile below the right end of the row: the cascade fills the
    square between row and column, and the gap.
    """
    row = ["@0+", *["@1/"] * (size + 3)]
    bend = ["A2\\", "A3/", "A4+", "B4/", "C4/", "D4/"]
    down = [f"D{number}/" for number in range(5, size + 2)]
    return [*row, *bend, *down, f"{column_name(size + 4)}2\\"]


# ---- the reference


def played(rules: Reference, moves: str | list[str]) -> State:
    state = rules.start()
    for move in moves.split() if isinstance(moves, str) else moves:
        state = rules.play(state, move)
    return state


def test_reference_has_the_published_perft() -> None:
    """Numbers of move sequences; a won position has no successors."""
    assert perft(Reference(), 4) == [2, 24, 432, 9568]


SIDES_TURNED = {"N": "E", "E": "S", "S": "W", "W": "N"}
SIDES_MIRRORED = {"N": "N", "E": "W", "S": "S", "W": "E"}
CALLED = {(frozenset(sides["White"]), frozenset(sides["Black"])): name for name, sides in TILES.items()}


def renamed(tile: str, side_of: dict[str, str]) -> str:
    """Return the name of a tile after its sides are renamed."""
    white, black = (frozenset(side_of[side] for side in TILES[tile][player]) for player in ("White", "Black"))
    return CALLED[white, black]


def turned(tiles: Tiles) -> Tiles:
    """Rotate by a quarter turn clockwise."""
    return {(column, -row): renamed(tile, SIDES_TURNED) for (row, column), tile in tiles.items()}


def mirrored(tiles: Tiles) -> Tiles:
    """Exchange left and right."""
    return {(row, -column): renamed(tile, SIDES_MIRRORED) for (row, column), tile in tiles.items()}


def recoloured(tiles: Tiles) -> Tiles:
    """Exchange white and black."""
    return {
        place: CALLED[frozenset(TILES[tile]["Black"]), frozenset(TILES[tile]["White"])] for place, tile in tiles.items()
    }


def shifts(tiles: Tiles) -> Iterator[Tiles]:
    yield tiles


def turns_and_mirrors(tiles: Tiles) -> Iterator[Tiles]:
    for _ in range(4):
        tiles = turned(tiles)
        yield tiles
        yield mirrored(tiles)


def all_images(tiles: Tiles) -> Iterator[Tiles]:
    for image in turns_and_mirrors(tiles):
        yield image
        yield recoloured(image)


Images = Callable[[Tiles], Iterator[Tiles]]
Form = tuple[tuple[Place, str], ...]


def representative(state: State, images: Images) -> Form:
    """Return a canonical form: the same for all images of a board, wherever it lies on the table."""
    return min(tuple(sorted(counted_from_a1(image).items())) for image in images(dict(state.tiles)))


def distinct_boards(rules: Reference, images: Images, *, wins: bool = True) -> tuple[list[int], list[int]]:
    """Count the distinct boards after 1, 2, 3 and 4 moves, and the distinct steps between consecutive levels.

    Without `wins`, boards that somebody has won are left out.
    """
    level: dict[Form, State] = {}
    for move in rules.moves(rules.start()):
        first = rules.play(rules.start(), move)
        level[representative(first, images)] = first
    boards, steps = [len(level)], []
    for _ in range(3):
        following: dict[Form, State] = {}
        found: set[tuple[Form, Form]] = set()
        for form, state in level.items():
            for move in rules.moves(state):
                after = rules.after(state, move)
                if wins or rules.outcome(after) is None:
                    following[representative(after, images)] = after
                    found.add((form, representative(after, images)))
        level = following
        boards.append(len(level))
        steps.append(len(found))
    return boards, steps


@pytest.mark.parametrize(
    ("line", "images", "wins", "boards"),
    [
        pytest.param(8, all_images, True, [2, 4, 27, 163], id="up to everything"),
        pytest.param(3, all_images, False, [2, 4, 25, 150], id="up to everything, lines of three, without wins"),
        pytest.param(8, turns_and_mirrors, True, [2, 8, 42, 318], id="up to turns and mirrors"),
        pytest.param(8, shifts, True, [2, 20, 194, 1912], id="up to shifts"),
    ],
)
def test_reference_has_the_published_boards(line: int, images: Images, wins: bool, boards: list[int]) -> None:
    """Distinct boards by level: from a notebook that draws the game graph, and from an independent program."""
    assert distinct_boards(Reference(line=line), images, wins=wins)[0] == boards


def test_reference_has_the_published_steps() -> None:
    """Edges of the game graph, its boards merged under all symmetries."""
    assert distinct_boards(Reference(), all_images)[1] == [5, 39, 353]


@every_game
def test_reference_knows_who_has_won(name: str) -> None:
    """Loops and lines win; where one move completes both players' lines or loops, the mover wins."""
    line, moves, winner = GAMES[name]
    rules = Reference(line=line)
    state = rules.start()
    for move in moves.split():
        assert rules.outcome(state) is None
        state = rules.play(state, move)
    assert rules.outcome(state) == winner


def test_reference_lays_what_is_forced() -> None:
    """After the third move of the loop, the fourth tile is forced."""
    rules = Reference()
    assert rules.board(played(rules, "@0/ B1\\ A2\\")) == {"A1": "/w", "B1": "\\w", "A2": "\\b", "B2": "/b"}


def forced_by(rules: Reference, state: State, move: str) -> dict[str, str]:
    """The tiles that a move forces, by the names of their places after the move."""
    before = {**dict(state.tiles), **rules.laid(state, move)}
    after = closed(before)
    assert after is not None
    top, left = min(row for row, _ in after), min(column for _, column in after)
    return {
        place_name((row - top + 1, column - left + 1)): tile
        for (row, column), tile in after.items()
        if (row, column) not in before
    }


@pytest.mark.parametrize("record", FORCING, ids=lambda record: f"{len(record['forced'])} tiles")
def test_reference_forces_the_tiles_of_the_data(record: Record) -> None:
    """The forced tiles, their places, and the winner."""
    rules = Reference()
    state = played(rules, record["moves"])
    assert forced_by(rules, state, record["move"]) == record["forced"]
    assert rules.outcome(rules.play(state, record["move"])) == record["winner"]


@pytest.mark.parametrize("record", ILLEGAL, ids=lambda record: record["move"])
def test_reference_refuses_illegal_cascades(record: Record) -> None:
    """The tile fits by itself, but its cascade is illegal."""
    rules = Reference()
    state = played(rules, record["moves"])
    assert rules.laid(state, record["move"])
    with pytest.raises(ValueError, match="illegal move"):
        rules.play(state, record["move"])


@pytest.mark.parametrize("size", [4, 5, 6, 9])
def test_reference_fills_large_frames(size: int) -> None:
    """The last move forces as many tiles as the square has places, and five more."""
    rules = Reference()
    *moves, last = frame(size)
    state = played(rules, moves)
    assert len(state.tiles) == len(moves)
    assert len(forced_by(rules, state, last)) == size**2 + 5


def closed_in_any_order(tiles: Tiles, chance: random.Random) -> Tiles | None:
    """Do the same as `closed`, but lay forced tiles in random order, and check legality only at the end."""
    tiles = dict(tiles)
    while True:
        entered = [(place, sides) for place in open_places(tiles) for sides in entering(tiles, place).items()]
        forced = [(place, player, sides) for place, (player, sides) in entered if len(sides) == 2]
        if not forced:
            return None if any(len(sides) > 2 for _, (_, sides) in entered) else tiles
        place, player, sides = chance.choice(forced)
        (tiles[place],) = [tile for tile in TILES if TILES[tile][player] == sides]


@pytest.mark.parametrize("record", CASCADES, ids=lambda record: record["move"])
def test_order_of_forced_tiles_does_not_matter(record: Record) -> None:
    """Any order lays the same tiles, and the same moves are illegal."""
    rules = Reference()
    state = played(rules, record["moves"])
    before = {**dict(state.tiles), **rules.laid(state, record["move"])}
    for seed in range(10):
        assert closed_in_any_order(before, random.Random(seed)) == closed(before)


@pytest.mark.slow
def test_random_games_end_and_are_even() -> None:
    """Random games end with a winner, and each colour wins 2 to 10 of the 12."""
    rules = Reference()
    winners: Counter[str | None] = Counter()
    for seed in range(12):
        chance = random.Random(seed)
        state = rules.start()
        while moves := rules.moves(state):
            state = rules.after(state, chance.choice(moves))
        winners[rules.outcome(state)] += 1
    assert winners.total() == winners["White"] + winners["Black"]
    assert 2 <= winners["White"] <= 10


def test_names_of_columns() -> None:
    """@, A to Z, AA and so on."""
    assert [column_name(column) for column in (0, 1, 26, 27, 52, 53)] == ["@", "A", "Z", "AA", "AZ", "BA"]


# ---- the game file


def game_of(line: int = 8) -> Game:
    return dslgame.load(FILE, line=line)


def test_file_has_the_published_boards() -> None:
    """Boards that differ only in their place on the table are equal; a fourth move would give 1912 of them."""
    level = {game_of().start()}
    found = []
    for _ in range(3):
        level = {position.play(move) for position in level for move in position.legal()}
        found.append(len(level))
    assert found == [2, 20, 194]


@every_game
def test_file_knows_who_has_won(name: str) -> None:
    """Compare pieces and moves of every position on the way with the reference, then the winner."""
    line, moves, winner = GAMES[name]
    rules = Reference(line=line)
    state, position = rules.start(), game_of(line).start()
    for move in moves.split():
        assert position.outcome is None
        state, position = rules.play(state, move), position.play(move)
        assert position.pieces == rules.board(state)
        assert sorted(position.moves()) == sorted(rules.moves(state))
    assert position.outcome == winner


@pytest.mark.parametrize("record", FORCING, ids=lambda record: f"{len(record['forced'])} tiles")
def test_file_forces_the_tiles_of_the_data(record: Record) -> None:
    """All tiles on the table after the move, and the winner."""
    rules = Reference()
    moves = [*record["moves"].split(), record["move"]]
    position = game_of().start()
    for move in moves:
        position = position.play(move)
    assert position.pieces == rules.board(played(rules, moves))
    assert position.pieces.items() >= record["forced"].items()
    assert position.outcome == record["winner"]


@pytest.mark.parametrize("record", ILLEGAL, ids=lambda record: record["move"])
def test_file_refuses_illegal_cascades(record: Record) -> None:
    """The move is not legal, and the legal moves are those of the reference."""
    rules = Reference()
    position = game_of().start()
    for move in record["moves"].split():
        position = position.play(move)
    assert sorted(position.moves()) == sorted(rules.moves(played(rules, record["moves"])))
    with pytest.raises(dslgame.IllegalMove):
        position.play(record["move"])


@pytest.mark.parametrize("size", [5, pytest.param(12, marks=pytest.mark.slow)])
def test_file_fills_large_frames(size: int) -> None:
    """Up to 149 forced tiles in one move."""
    rules = Reference()
    moves = frame(size)
    position = game_of().start()
    for move in moves:
        position = position.play(move)
    assert len(position.pieces) == len(moves) + size**2 + 5
    assert position.pieces == rules.board(played(rules, moves))
    assert position.outcome == rules.outcome(played(rules, moves))
