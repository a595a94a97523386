"""Proofs from the rules that all play ends: which games, near misses, and the quantities that moves use up."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dslgame
from dsl.diagnostics import GameFileError
from dslgame import bundled
from dslgame.testing import check_game
from interpreter.analysis.termination import RankingFunction
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import PASS, SWAP, State
from solver.budget import Budget, OutOfBudget
from solver.engines import table_solver
from solver.game_space import GameSpace, solve_game
from solver.strong import Strong
from tests.discovery import one_in
from tests.random_games import rule_files

CYCLIC = ["ataxx", "brandubh", "chain_reaction", "dodgem", "english_draughts", "five_field_kono", "fox_and_hounds",
          "go", "hare_and_hounds", "lights_out", "lines_of_action", "mu_torere", "nine_mens_morris", "pong_hau_ki",
          "shift_tac_toe", "sliding_puzzle", "teeko", "three_mens_morris", "tower_of_hanoi"]
"""Bundled games in which positions can repeat."""
ENDING = {
    "amazons": ["empty"], "breakthrough": ["empty", "height"], "chomp": ["height"], "clobber": ["empty"],
    "connect_four": ["empty"], "cram": ["empty"], "domineering": ["empty"], "dots_and_boxes": ["empty"],
    "kayles": ["empty"], "knightthrough": ["empty", "height"], "konane": ["empty", "height"],
    "nim": ["stones"], "order_and_chaos": ["empty"], "snort": ["empty"], "toads_and_frogs": ["height"],
    "ultimate_tic_tac_toe": ["empty"], "wythoff": ["height"],
    "battleship": ["fired", "empty", "height"], "fibonacci_nim": ["empty"], "knights_tour": ["empty", "knight"],
    "n_queens": ["empty"], "quarto": ["empty", "given"], "reversi": ["empty"], "slither": ["empty"],
    "subtract_a_square": ["empty"], "unlur": ["empty", "black_is"],
}
"""Bundled games that are proven to end, with the quantities that their moves use up."""
HEAD = """game "Walk"
players White, Black
board square(3, 3)
pieces white of White, black of Black
start:
    bottom := white
    top := black
"""

PHASED = """game "Bid"
players White, Black
board square(3, 3)
pieces white of White, black of Black
var leader in players or none
var rank in 0..3 = 2
move bid(c in empty - edges) when leader = none:
    c := white
move claim when leader = none:
    leader := mover
move lift when rank = 2 and leader != none:
    rank := 3 if mover = White else 1
move place(c in empty) when leader != none:
    c := white if leader = mover else black
win mover when line(mine, 3)
draw when no empty
"""
"""A game with phases: two of its variables each have a value that, once left, never returns."""


def amount(game: Game, state: State, quantity: RankingFunction) -> int:
    """The amount of a quantity in a state, computed from its definition."""
    if quantity.heights:
        return sum(height for cells, heights in zip(state.pieces, quantity.heights, strict=True)
                   for cell, height in enumerate(heights) if cells >> cell & 1)
    if quantity.number >= 0:
        return state.pieces[quantity.number].bit_count()
    evaluator, number = game.engine.evaluator, -1 - quantity.number
    first = evaluator.offsets[number]
    if quantity.phases:
        return dict(quantity.phases)[state.values[first]]
    return sum(value or 0 for value in state.values[first : first + evaluator.sizes[number]])


def spent(game: Game, before: State, after: State) -> list[int]:
    """How much of each quantity a move uses up."""
    return [(amount(game, before, quantity) - amount(game, after, quantity)) * (1 if quantity.falls else -1)
            for quantity in game.descent.quantities]


def comes_back(game: Game, most: int = 20_000) -> bool:
    """Whether a position can repeat, by enumerating all positions."""
    strong = Strong(GameSpace(game, symmetry=False), Budget(nodes=most))
    strong.enumerate_until()
    return strong.cyclic()


@pytest.mark.parametrize("name", sorted(ENDING))
def test_games_that_end(name: str) -> None:
    """The ranking functions are as expected, in order of priority; the first one that a move changes is used up."""
    game = dslgame.load(name)
    assert [quantity.text(game.rules) for quantity in game.descent.quantities] == ENDING[name]
    assert game.acyclic
    no_move_takes_back(game, 10)


@pytest.mark.parametrize("name", CYCLIC)
def test_games_with_cycles(name: str) -> None:
    """None of these games is claimed to end."""
    assert not dslgame.load(name).acyclic


@pytest.mark.parametrize("name", one_in(6, bundled.names(), 0))
def test_no_move_takes_a_quantity_back(name: str) -> None:
    """In random play the first quantity that a move changes is used up; if play must end, each move changes one."""
    no_move_takes_back(dslgame.load(name), 60)


def no_move_takes_back(game: Game, most: int) -> None:
    """Check the quantities on up to `most` moves."""
    chance, seen = random.Random(game.title), 0
    while game.descent.quantities and seen < most:
        state = game.engine.start()
        while state.outcome is None and seen < most and (after := game.engine.successors(state)):
            for move, following in chance.sample(after, min(4, len(after))):
                changed = [number for number in spent(game, state, following) if number]
                seen += 1
                if move.rule not in (PASS, SWAP):
                    assert changed[0] > 0 if changed else not game.acyclic, f"{game.title}: {move}"
            state = chance.choice(after)[1]


@pytest.mark.parametrize("rules", [
    "move go(a in mine, b in neighbours(a) - mine):\n    carry a to b\n",
    "define ahead(c) = c.north if mover = White else c.south\n"
    "move go(a in mine, b in {ahead(a), a.east, a.west} and empty):\n    carry a to b\n",
    "define ahead(c) = c.north if mover = White else c.south\n"
    "move go(a in mine, b in {ahead(a)} and empty):\n    carry a to b\n"
    "forced back(c in mine and row(1)):\n    carry c to cell(2 if mover = White else 0, c.column)\n",
    "move on(a in white, b in {a.north} and empty):\n    carry a to b\n"
    "move back(a in white, b in {a.south} and empty) when mover = Black:\n    carry a to b\n",
    "move go(a in mine, b in {a.north, a.south} and empty where b.row = 1 or a.row = 1):\n    carry a to b\n",
    "move take(a in mine, b in theirs):\n    b := empty\n    carry a to b\n"
    "    a := black if mover = White else white\n",
    "move drop(c in empty):\n    c := own\nmove lift(c in mine):\n    c := empty\n",
    "move both(a in mine, b in theirs):\n    a := black if mover = White else white\n    b := own\n",
    "move round(a in mine, b in empty where b = a.north or a.row = 0 and b.row = 2 and b.column = a.column):\n"
    "    carry a to b\n",
    "var way in directions = north\nmove go(a in occupied, b in {a.way} and empty):\n    carry a to b\n"
    "    way := opposite(way)\n",
    "move go(a in mine):\n    carry a to a\n",
    "move go(a in mine, b in neighbours(a) and empty):\n    carry a to b\n    carry b to a\n",
    "move shift(a in mine):\n    {a, a.east} := own\nmove clear(a in mine):\n    {a} := empty\n",
    "move far(a in mine, b in leap(a, 1, 2) and empty where b.row < a.row or a.column = 0):\n    carry a to b\n",
    "move up(a in white, b in {a.north} and empty):\n    carry a to b\n    then c in white, d in {c.south} and empty:\n"
    "        carry c to d\n",
])
def test_near_misses(rules: str) -> None:
    """Moves that advance, fill or capture, but can be undone."""
    game = dslgame.loads(HEAD + rules + "no moves loses\nrepetition draws\n")
    assert comes_back(game)
    assert not game.acyclic


@pytest.mark.parametrize("rules", [
    "move go(a in mine, b in {a.north, a.northeast} - mine):\n    carry a to b\n",
    "define ahead(c, b) = b.row < c.row if mover = White else b.row > c.row\n"
    "move go(a in mine, b in leap(a, 1, 2) - mine where ahead(a, b)):\n    carry a to b\n",
    "move take(a in mine, b in neighbours(a) and theirs):\n    carry a to b\n",
    "move go(a in white, d in orthogonals where d = north or d = east, b in ray(a, d, empty)) when mover = White:\n"
    "    carry a to b\n"
    "move turn(a in white) when mover = Black:\n    a := black\n",
    "move fill(a in empty where a.north is empty):\n    {a, a.north} := own\n",
    "move clear(a in mine where a.column < 2):\n    {c in cells where c.row = a.row} := empty\n",
    "var phase in 0..2\nmove on when phase = 0:\n    phase := 1\nmove over when phase < 2:\n    phase := 2\n",
    "var one in players or none\nmove take when one = none:\n    one := mover\n"
    "move fill(c in empty) when one != none:\n    c := white if one = mover else black\n",
    "define near(c, d) = ray(c, d, theirs) if some mine else {}\nmove go(c in empty):\n    each d in orthogonals:\n"
    "        {near(c, d)} := own\n    c := own\n",
    "move drop(c in cells) when no white:\n    c := white\nmove fill(c in empty):\n    c := black\n",
])
def test_moves_without_a_way_back(rules: str) -> None:
    """Moves that advance, capture, fill or convert pieces."""
    game = dslgame.loads(HEAD + rules + "no moves loses\nrepetition draws\n")
    assert not comes_back(game)
    assert game.acyclic


def test_passing_lets_a_position_come_back() -> None:
    """Positions can repeat if players may pass, or if a player who passes keeps the turn."""
    rules = "move fill(c in empty):\n    c := own\n"
    assert dslgame.loads(HEAD + rules + "no moves draws\n").acyclic
    assert dslgame.loads(HEAD + rules + "no moves passes\ndraw when no empty\n").acyclic  # somebody has a move then
    again = dslgame.loads(HEAD + "move fill(c in empty) when mover = Black:\n    c := own\nno moves passes\n"
                          "turn again when mover = White\ndraw when no empty\n")
    assert comes_back(again)
    assert not again.acyclic
    assert not dslgame.loads(HEAD + rules + "pass\nno moves draws\n").acyclic


def test_sets_that_certainly_have_a_cell() -> None:
    """The last of n cells is in column n - 1 or later if no two share a column, and only then."""
    text = ('game "Take"\nplayers One, Two\nboard square(BOARD)\npieces stone\nstart:\n    cells := stone\n'
            "move take(k in LEAST..2 where k <= count(stone)):\n"
            "    {c in stone where c.column >= count(stone) - k} := empty\nno moves loses\n")
    ends = {(board, least): dslgame.loads(text.replace("BOARD", board).replace("LEAST", least)).acyclic
            for board in ("1, 4", "2, 4") for least in "01"}
    assert ends == {("1, 4", "0"): False, ("1, 4", "1"): True, ("2, 4", "0"): False, ("2, 4", "1"): False}


_ORIGINS = ("mine", "mine", "white", "theirs", "occupied", "mine and bottom")
_GOALS = ("{a.north}", "{a.north, a.east}", "{ahead(a)}", "{ahead(a), ahead(a).east}", "neighbours(a)", "leap(a, 1, 2)",
          "ray(a, north, empty)", "ray(a, east)", "cells", "row(a.row) - a", "column(2)", "neighbours(a) - row(a.row)")
_FILTERS = ("", " and empty", " and theirs", " - mine", " and (empty + theirs)")
_GUARDS = ("", " where b.row < a.row", " where b.column >= a.column", " where a is white or b.row > a.row",
           " where every c in row(b.row): c is empty", " where a.row = 1 or b is empty")
_EFFECTS = ("carry a to b", "carry a to b", "b := own", "a := empty", "b := empty", "a := black", "carry b to a",
            "a := piece(b)", "{a, b} := own", "row(a.row) := empty", "a := empty if b is empty",
            "if a is white:\n        carry a to b\n    else:\n        b := empty",
            "each c in neighbours(a) and theirs:\n        c := own",
            "then c in {b.north} and empty:\n        carry b to c")
_WHEN = ("", "", "", " when no white", " when no mine", " when phase = 0", " when phase != 1", " when one = none",
         " when one != none and phase < 2", " when some white and one = mover")
_PHASES = ("", "", "", "phase := 1", "phase := 2 if a is white", "phase += 1", "phase := 0", "one := mover",
           "one := none if phase = 0", "one := opponent")
_FORCED = ("", "", "", "forced fall(c in mine where c.north is theirs):\n    c.north := empty\n",
           "forced turn(c in white and top):\n    c := black\n")


@st.composite
def walks(draw: st.DrawFn) -> str:
    """Random rules by which pieces move, capture, are placed and converted."""
    text = HEAD.replace("3, 3", draw(st.sampled_from(("2, 3", "3, 2", "3, 3"))))
    text += "define ahead(c) = c.north if mover = White else c.south\nvar phase in 0..2\nvar one in players or none\n"
    for number in range(draw(st.integers(1, 2))):
        goal = draw(st.sampled_from(_GOALS)) + draw(st.sampled_from(_FILTERS))
        goal += draw(st.sampled_from(_GUARDS))
        text += f"move m{number}(a in {draw(st.sampled_from(_ORIGINS))}, b in {goal}){draw(st.sampled_from(_WHEN))}:\n"
        effects = draw(st.lists(st.sampled_from(_EFFECTS), min_size=1, max_size=3))
        effects.sort(key=lambda effect: effect.startswith("then"))
        if [effect.startswith("then") for effect in effects].count(True) > 1:
            effects.pop()
        phase = draw(st.sampled_from(_PHASES))
        text += "".join(f"    {effect}\n" for effect in ([phase, *effects] if phase else effects))
    return text + draw(st.sampled_from(_FORCED)) + "no moves loses\nrepetition draws\n"


@pytest.mark.slow
@settings(max_examples=60)
@given(st.one_of(rule_files(), walks()))
def test_games_that_are_shown_to_end_have_no_cycle(text: str) -> None:
    """Checked on random rules."""
    try:
        game = dslgame.loads(text)
        assert not (comes_back(game, 1500) and game.acyclic)
    except (GameFileError, OutOfBudget, RuleError):
        assume(False)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params"), [
    ("breakthrough", {"rows": 4, "columns": 3, "filled": 1}), ("fox_and_hounds", {"size": 4}), ("toads_and_frogs", {}),
    ("konane", {"size": 4}), ("chomp", {"rows": 3, "columns": 4}), ("slither", {"size": 3}), (PHASED, {}),
])
def test_tiers(name: str, params: dict[str, int]) -> None:
    """Solving tier by tier gives the values of solving all positions at once, also with passes and phases."""
    game = dslgame.loads(name) if name == PHASED else dslgame.load(name, **params)
    assert game.acyclic or name == "fox_and_hounds"
    one, other = (solve_game(game, method="strong", engine=engine) for engine in ("interpreter", "kernel"))
    assert one.strong is not None
    assert other.strong is not None
    assert (one.winner, one.remoteness, one.positions) == (other.winner, other.remoteness, other.positions)
    assert (one.strong.tally(), one.strong.longest()) == (other.strong.tally(), other.strong.longest())


def test_packed_tiers_are_those_of_the_definition() -> None:
    """Tiers are ordered by the amounts of the quantities that are used up, the first quantity first."""
    space = GameSpace(dslgame.load("breakthrough", rows=5, columns=3, filled=1))
    solver = table_solver(space, Budget())
    assert solver is not None
    solver.run()
    enumeration = solver.enumeration
    states, chance = [space.root], random.Random(1)
    for _ in range(200):
        after = space.successors(states[-1]) if space.outcome(states[-1]) is None else []
        states.append(chance.choice(after)[1] if after else space.root)
    amounts = [tuple(-amount(space.game, state, quantity) if quantity.falls else amount(space.game, state, quantity)
                     for quantity in space.game.descent.quantities) for state in states]
    ranks = [enumeration.represent(state)[2] for state in states]
    assert len(set(ranks)) > 10
    assert sorted(range(len(ranks)), key=ranks.__getitem__) == sorted(range(len(ranks)), key=amounts.__getitem__)


@pytest.mark.parametrize("rule", [
    'move go(c in row(1) where at.north is white):\n    at := "a1"\n    at.north := empty\n    at := c\n',
    "move go(c in row(1) where cell(count(black), count(black)) is white):\n    c := black\n"
    "    cell(count(black), count(black)) := empty\n    c := empty\n",
], ids=["a variable's cell", "a counted cell"])
def test_cells_named_by_the_position_are_forgotten_when_it_changes(rule: str) -> None:
    """Two cells with the same name at different times may hold different pieces: positions of these games repeat."""
    text = ('game "Back"\nplayers White, Black\nboard square(3, 3)\npieces white of White, black of Black\n'
            'var at in cells = "b2"\nstart:\n    top := white\n' + ("    bottom := white\n" if "count" in rule else "")
            + rule + "no moves draws\n")
    game = dslgame.loads(text)
    state, seen = game.engine.start(), set[State]()
    while state not in seen:
        seen.add(state)
        state = next(after for _, after in game.engine.successors(state))
    assert not game.acyclic


def test_empty_cells_are_no_quantity_where_there_are_no_pieces() -> None:
    """A rule that empties cells of a board without pieces changes nothing; the kernel plays such a game as well."""
    game = dslgame.loads('game "No Pieces"\nplayers South, North\nboard square(1, 3)\nvar at in cells = "b1"\n'
                         "move go(c in neighbours(at)):\n    at := c\n    mine := empty\n\nno moves loses\n")
    assert not game.descent.quantities
    check_game(game)
