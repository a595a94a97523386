"""Games that are not bundled, written in the language and compared with published numbers.

They show that the language can express chain reactions, captures along lines, moves in two steps, and sowing with
extra turns.
"""

from __future__ import annotations

from collections import Counter

import pytest

import dslgame
from interpreter.game import Game
from interpreter.model.state import State
from interpreter.semantics.engine import Engine

# ---- counting and solving, plainly


def perft(engine: Engine, state: State, depth: int) -> int:
    """The number of move sequences of the given length; transpositions are counted together."""
    level = Counter({state: 1})
    for _ in range(depth - 1):
        following: Counter[State] = Counter()
        for before, ways in level.items():
            for _, after in engine.successors(before):
                following[after] += ways
        level = following
    return sum(ways * len(engine.legal(before)) for before, ways in level.items())


def perfts(game: Game, depth: int) -> list[int]:
    """The perft counts from depth 1 to `depth`."""
    return [perft(game.engine, game.engine.start(), number) for number in range(1, depth + 1)]


def solved(engine: Engine) -> dict[State, tuple[int, int]]:
    """Map each state to (1 or -1, plies): whether the player to move wins, and in how few or how many plies.

    For games without draws and without repeated positions.
    """
    following: dict[State, list[State]] = {}
    levels = [[engine.start()]]
    seen = set(levels[0])
    while levels[-1]:
        level = []
        for state in levels[-1]:
            following[state] = [after for _, after in engine.successors(state)]
            for after in following[state]:
                if after not in seen:
                    seen.add(after)
                    level.append(after)
        levels.append(level)
    values: dict[State, tuple[int, int]] = {}
    for state in (state for level in reversed(levels) for state in level):
        if state.outcome is not None:
            values[state] = (1 if state.outcome == state.to_move else -1, 0)
            continue
        answers = [values[after] for after in following[state]]
        wins = [plies + 1 for result, plies in answers if result == -1]
        values[state] = (1, min(wins)) if wins else (-1, max(plies + 1 for _, plies in answers))
    return values


# ---- chain reactions

EXPLOSIONS = """
players Red, Blue
pieces red of Red, blue of Blue
var count[cell] in 0..12

move add(c in empty + mine):
    c := own
    count[c] += 1

forced explode(c in mine where count[c] >= degree(c)) until wiped_out:
    count[c] -= degree(c)
    c := empty if count[c] = 0
    each n in neighbours(c):
        n := own
        count[n] += 1

define wiped_out = no theirs and sum(count) > 2
win mover when wiped_out

value sum(count[c] for c in mine) - sum(count[c] for c in theirs)
"""


def hexplode(side: int) -> Game:
    head = 'game "Hexplode"\nparam side = 3 in 2..6\nboard hexagon(side)\n'
    return dslgame.loads(head + EXPLOSIONS + "symmetry all turns and mirrors\nsymmetry swapping players\n", side=side)


# Recorded on the original web application, side 2: the moves and the board after each. Cells are named by column letter
# and row number, for the original's tile_i_j; the board after a final cascade is not compared.
RECORDED = {
    "first": [
        ("b2", "b2=R1"),
        ("a1", "a1=B1 b2=R1"),
        ("c1", "a1=B1 b2=R1 c1=R1"),
        ("a1", "a1=B2 b2=R1 c1=R1"),
        ("c1", "a1=B2 b2=R1 c1=R2"),
        ("a1", "a2=B1 b1=B1 b2=B2 c1=R2"),
        ("c1", "a2=B1 b1=R2 b2=R3 c2=R1"),
        ("c1", "a2=B1 b1=R2 b2=R3 c1=B1 c2=R1"),
        ("b1", "a1=R1 a2=B1 b2=R4 c1=R2 c2=R1"),
        ("a2", "a1=R1 a2=B2 b2=R4 c1=R2 c2=R1"),
        ("b1", "a1=R1 a2=B2 b1=R1 b2=R4 c1=R2 c2=R1"),
        ("a2", "a1=B2 b1=R1 b2=B5 b3=B1 c1=R2 c2=R1"),
        ("b1", "a1=B2 b1=R2 b2=B5 b3=B1 c1=R2 c2=R1"),
        ("b2", "Blue wins"),
    ],
    "second": [
        ("b2", "b2=R1"),
        ("b1", "b1=B1 b2=R1"),
        ("a1", "a1=R1 b1=B1 b2=R1"),
        ("b1", "a1=R1 b1=B2 b2=R1"),
        ("a1", "a1=R2 b1=B2 b2=R1"),
        ("b1", "Blue wins"),
    ],
}


@pytest.mark.parametrize("name", RECORDED)
def test_hexplode_plays_as_recorded(name: str) -> None:
    """Every board of a recorded game and its winner agree."""
    position = hexplode(2).start()
    for text, board in RECORDED[name]:
        assert not position.over
        position = position.play(text)
        if position.over:
            assert f"{position.outcome} wins" == board
        else:
            counts = position.variables["count"]
            assert isinstance(counts, tuple)
            held = {cell: f"{piece[0].upper()}{counts[position.game.board.cell_named(cell) or 0]}"
                    for cell, piece in position.pieces.items()}  # fmt: skip
            assert " ".join(f"{cell}={what}" for cell, what in sorted(held.items())) == board


def test_hexplode_positions_by_ply() -> None:
    """Side 2 has 7, 42, 147, 462, 1055, 2286 different non-final positions by ply, as in an independent program."""
    engine = hexplode(2).engine
    level, counts = {engine.start()}, []
    for _ in range(6):
        level = {after for state in level for _, after in engine.successors(state) if after.outcome is None}
        counts.append(len(level))
    assert counts == [7, 42, 147, 462, 1055, 2286]


def test_hexplode_counts_only_grow() -> None:
    """Each ply that does not end the game adds one counter, and every pile stays below its number of neighbours."""
    position = hexplode(3).start()
    for number in range(30):
        moves = position.moves()
        position = position.play(moves[number * 7 % len(moves)])
        if position.over:
            break
        counts = position.variables["count"]
        assert isinstance(counts, tuple)
        piles = [count or 0 for count in counts]
        assert sum(piles) == number + 1
        assert all(pile < near.bit_count() for pile, near in zip(piles, position.game.board.neighbours, strict=True))
        occupied = sum(1 << cell for cell, pile in enumerate(piles) if pile)
        assert occupied == position.game.board.everything & ~position.state.pieces[0]
    assert position.over or sum(piles) == 30


@pytest.mark.slow
def test_hexplode_side_2_is_won_with_every_opening() -> None:
    """There are 80,561 reachable non-final positions, as in an independent program."""
    engine = hexplode(2).engine
    values = solved(engine)
    assert sum(state.outcome is None for state in values) == 80_561
    assert {values[after][0] for _, after in engine.successors(engine.start())} == {-1}


@pytest.mark.parametrize(
    ("rows", "columns", "winner", "plies"),
    [
        (2, 2, "Blue", 4),
        (2, 3, "Red", 7),
        pytest.param(2, 4, "Blue", 12, marks=pytest.mark.slow),
    ],
)
def test_chain_reaction_on_orthogonal_boards(rows: int, columns: int, winner: str, plies: int) -> None:
    """The same rules on square boards; winners and lengths agree with two independent programs."""
    game = dslgame.loads(f'game "Chain Reaction"\nboard square({rows}, {columns})\n' + EXPLOSIONS)
    result, length = solved(game.engine)[game.engine.start()]
    assert (game.players[0] if result == 1 else game.players[1], length) == (winner, plies)


# ---- captures and races; counts from OpenSpiel 2.0.2

BREAKTHROUGH = """
game "Breakthrough"

players White, Black
board square(8, 8)
pieces white of White, black of Black

start:
    {row(6), row(7)} := white
    {row(0), row(1)} := black

define ahead(c) = c.north if mover = White else c.south
define goal[White] = top
define goal[Black] = bottom

move step(c in mine, d in {ahead(c)} and empty):
    carry c to d

move slant(c in mine, d in {ahead(c).west, ahead(c).east} - mine):
    carry c to d

win mover when some (mine and goal[mover]) or no theirs
notation step "{c}{d}"
notation slant "{c}{d}"
symmetry left right mirror
symmetry top bottom mirror swapping players
"""


def test_breakthrough_counts() -> None:
    """The perft counts are 22, 484, 11132."""
    assert perfts(dslgame.loads(BREAKTHROUGH), 3) == [22, 484, 11_132]


@pytest.mark.slow
def test_breakthrough_count_to_depth_4() -> None:
    """The perft count at depth 4 is 256036."""
    game = dslgame.loads(BREAKTHROUGH)
    assert perft(game.engine, game.engine.start(), 4) == 256_036


OTHELLO = """
game "Othello"

players Black, White
board square(8, 8)
pieces black of Black, white of White

start:
    {"d4", "e5"} := white
    {"e4", "d5"} := black

define caught(c, d) = ray(c, d, theirs) if some x in ray(c, d, theirs): x.d is mine else {}

move place(c in empty where some d in directions: some caught(c, d)):
    each d in directions:
        {caught(c, d)} := own
    c := own

no moves passes
win Black when no moves for anyone and count(black) > count(white)
win White when no moves for anyone and count(black) < count(white)
draw when no moves for anyone
symmetry half turn
symmetry diagonal mirror
"""


def test_othello_counts() -> None:
    """The perft counts are 4, 12, 56, 244, 1396."""
    assert perfts(dslgame.loads(OTHELLO), 5) == [4, 12, 56, 244, 1396]


@pytest.mark.slow
def test_othello_counts_to_depth_7() -> None:
    """8200 and 55092 are the well-known numbers. (390216 at depth 8, which takes minutes, is also reproduced.)"""
    game = dslgame.loads(OTHELLO)
    assert [perft(game.engine, game.engine.start(), depth) for depth in (6, 7)] == [8200, 55_092]


def test_othello_ends_when_nobody_can_move() -> None:
    """A forced pass is the only move listed; the final position has a winner or is a draw."""
    position = dslgame.loads(OTHELLO).start()
    number = 0
    while not position.over:
        moves = position.moves()
        assert "pass" not in moves or moves == ("pass",)
        number += 1
        position = position.play(moves[number * 5 % len(moves)])
    black, white = (list(position.pieces.values()).count(name) for name in ("black", "white"))
    assert position.outcome == ("Black" if black > white else "White" if white > black else "draw")


# ---- moves in two steps

AMAZONS = """
game "Amazons"

players White, Black
board square(10, 10)
pieces white of White, black of Black, arrow

start:
    {"a4", "d1", "g1", "j4"} := white
    {"a7", "d10", "g10", "j7"} := black

define reach(c) = union(ray(c, d, empty) for d in directions)

move queen(a in mine, b in reach(a)):
    carry a to b
    then t in reach(b):
        t := arrow

no moves loses
notation queen "{a}-{b}/{t}"
symmetry left right mirror
symmetry top bottom mirror swapping players
"""


def test_amazons_first_moves() -> None:
    """2176 moves, the well-known number; the arrow may fly back over the cell that was left."""
    position = dslgame.loads(AMAZONS).start()
    assert len(position.moves()) == 2176
    assert position.play("a4-b4/a4").pieces["a4"] == "arrow"


@pytest.mark.slow
def test_amazons_count_to_depth_2() -> None:
    """The perft count at depth 2 is 4307152, as in two independent programs."""
    game = dslgame.loads(AMAZONS)
    assert perft(game.engine, game.engine.start(), 2) == 4_307_152


# ---- sowing, captures and extra turns

KALAH = """
# Columns 0 to 5 are South's pits, 6 is South's store; 7 to 12 and 13 are North's. OpenSpiel's `mancala`.
game "Kalah"

players South, North
board square(1, 14)
pieces south of South, north of North
var seeds[column] in 0..48
var last in columns
var hand in 0..48

start:
    each k in 0..5:
        seeds[k] := 4
        seeds[k + 7] := 4

define store(p) = 6 if p = South else 13
define is_pit(p, k) = k < 6 if p = South else k > 6 and k < 13
define onward(k) = (k + 2) mod 14 if (k + 1) mod 14 = store(opponent) else (k + 1) mod 14

move sow(k in columns where is_pit(mover, k) and seeds[k] > 0):
    hand := seeds[k]
    seeds[k] := 0
    last := k

forced drop when hand > 0:
    last := onward(last)
    seeds[last] += 1
    hand -= 1
    if hand = 0 and is_pit(mover, last) and seeds[last] = 1 and seeds[12 - last] > 0:
        seeds[store(mover)] += seeds[last] + seeds[12 - last]
        seeds[last] := 0
        seeds[12 - last] := 0

turn again when last = store(mover)
no moves draws
"""


def test_kalah_counts() -> None:
    """The perft counts are 6, 35, 185, 942."""
    assert perfts(dslgame.loads(KALAH), 4) == [6, 35, 185, 942]
