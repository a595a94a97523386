"""Solvers against a naive implementation of the definition of a value, on random and on small hand-made games."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.budget import Budget, OutOfBudget
from solver.errors import Refused
from solver.perft import divide, perft
from solver.solve import VALUED, solve
from solver.space import DRAW
from solver.strong import Strong

# ---- spaces


class Graph:
    """Positions 0, 1, ..., each with a mover and an outcome or successors; the root is 0.

    `twin` makes two mirrored copies of all but the root: a position is then (number, side), an edge keeps or changes
    the side, and the two sides are the same by symmetry.
    """

    def __init__(self, players: int, movers: list[int], outcomes: list[int | None], edges: list[list[tuple[int, bool]]],
                 *, twin: bool = False, merge: bool = True, acyclic: bool = False) -> None:
        self.players = players
        self.movers, self.outcomes, self.edges = movers, outcomes, edges
        self.twin, self.merge, self.acyclic = twin, merge, acyclic

    def unmerged(self) -> Graph:
        """The same space without merging by symmetry."""
        return Graph(self.players, self.movers, self.outcomes, self.edges,
                     twin=self.twin, merge=False, acyclic=self.acyclic)

    def __repr__(self) -> str:
        lists = f"{self.movers}, {self.outcomes}, {self.edges}"
        return f"Graph({self.players}, {lists}, twin={self.twin}, acyclic={self.acyclic})"

    def start(self) -> tuple[int, int]:
        return (0, 0)

    def outcome(self, state: tuple[int, int]) -> int | None:
        return self.outcomes[state[0]]

    def to_move(self, state: tuple[int, int]) -> int:
        return self.movers[state[0]]

    def successors(self, state: tuple[int, int]) -> list[tuple[tuple[int, int, int], tuple[int, int]]]:
        number, side = state
        if self.outcomes[number] is not None:
            return []
        sides = [0, 1] if self.twin and number == 0 else [side]
        found = []
        for place, (target, cross) in enumerate(self.edges[number]):
            for here in sides:
                there = here ^ int(cross) if self.twin and target else 0
                found.append(((place, here, there), (target, there)))
        return found

    def canonical(self, state: tuple[int, int]) -> tuple[int, int]:
        return (state[0], 0) if self.merge else state

    def orbit_size(self, state: tuple[int, int]) -> int:
        return 2 if self.merge and self.twin and state[0] else 1


@st.composite
def graphs(draw: st.DrawFn, *, cycles: bool = True) -> Graph:
    """Small spaces with extra turns, dead draws, shared and repeated successors, symmetry and, if asked for, cycles."""
    players = draw(st.sampled_from([2, 2, 2, 1]))
    count = draw(st.integers(1, 9))
    movers = [draw(st.integers(0, players - 1)) for _ in range(count)]
    ends = st.sampled_from([DRAW, *range(players)])
    outcomes: list[int | None] = []
    edges: list[list[tuple[int, bool]]] = []
    for number in range(count):
        low = 0 if cycles else number + 1
        over = low >= count or (number > 0 and draw(st.integers(0, 2)) == 0)
        outcomes.append(draw(ends) if over else None)
        targets = st.tuples(st.integers(min(low, count - 1), count - 1), st.booleans())
        edges.append([] if over else draw(st.lists(targets, min_size=1, max_size=3)))
    return Graph(players, movers, outcomes, edges, twin=draw(st.booleans()), acyclic=not cycles)


class TicTacToe:
    """Three in a row on 3x3 with its eight symmetries."""

    players = 2
    acyclic = True
    rows = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    turn = (6, 3, 0, 7, 4, 1, 8, 5, 2)
    mirror = (2, 1, 0, 5, 4, 3, 8, 7, 6)

    def start(self) -> str:
        return "." * 9

    def outcome(self, state: str) -> int | None:
        for a, b, c in self.rows:
            if state[a] == state[b] == state[c] != ".":
                return "XO".index(state[a])
        return None if "." in state else DRAW

    def to_move(self, state: str) -> int:
        return (9 - state.count(".")) % 2

    def successors(self, state: str) -> list[tuple[int, str]]:
        if self.outcome(state) is not None:
            return []
        piece = "XO"[self.to_move(state)]
        return [(cell, state[:cell] + piece + state[cell + 1:]) for cell in range(9) if state[cell] == "."]

    def orbit(self, state: str) -> set[str]:
        found = set()
        for start in (state, "".join(state[cell] for cell in self.mirror)):
            for _ in range(4):
                found.add(start)
                start = "".join(start[cell] for cell in self.turn)
        return found

    def canonical(self, state: str) -> str:
        return min(self.orbit(state))

    def orbit_size(self, state: str) -> int:
        return len(self.orbit(state))


Heaps = tuple[tuple[int, ...], int]


@attrs.frozen
class Nim:
    """Take 1 to 3 from one heap; whoever takes the last wins. A state is the sorted heaps and the player to move."""

    heaps: tuple[int, ...]
    players: int = 2
    acyclic: bool = True

    def start(self) -> Heaps:
        return tuple(sorted(self.heaps)), 0

    def outcome(self, state: Heaps) -> int | None:
        return None if any(state[0]) else 1 - state[1]

    def to_move(self, state: Heaps) -> int:
        return state[1]

    def successors(self, state: Heaps) -> list[tuple[tuple[int, int], Heaps]]:
        heaps, player = state
        return [((place, taken), (tuple(sorted((*heaps[:place], heap - taken, *heaps[place + 1:]))), 1 - player))
                for place, heap in enumerate(heaps) for taken in range(1, min(3, heap) + 1)]

    def canonical(self, state: Heaps) -> Heaps:
        return state

    def orbit_size(self, state: Heaps) -> int:
        return 1


@attrs.frozen
class Chase:
    """Two tokens on a row step left or right in turn; whoever reaches the other token or the own exit wins.

    Positions can repeat.
    """

    cells: int
    first: int
    second: int
    exit: int = -1
    players: int = 2
    acyclic: bool = False

    def start(self) -> tuple[int, int, int]:
        return self.first, self.second, 0

    def outcome(self, state: tuple[int, int, int]) -> int | None:
        if state[0] == state[1]:
            return 1 - state[2]
        return next((player for player in (0, 1) if state[player] == self.exit), None)

    def to_move(self, state: tuple[int, int, int]) -> int:
        return state[2]

    def successors(self, state: tuple[int, int, int]) -> list[tuple[int, tuple[int, int, int]]]:
        if self.outcome(state) is not None:
            return []
        first, second, player = state
        found = []
        for step in (-1, 1):
            cell = (first, second)[player] + step
            if 0 <= cell < self.cells:
                found.append((step, (cell, second, 1) if player == 0 else (first, cell, 0)))
        return found

    def canonical(self, state: tuple[int, int, int]) -> tuple[int, int, int]:
        return state

    def orbit_size(self, state: tuple[int, int, int]) -> int:
        return 1


@attrs.frozen
class Bush:
    """A tree with `width` moves at each position down to `depth`; whoever plays move 0, from ply 2 on, wins."""

    width: int
    depth: int
    players: int = 2
    acyclic: bool = True

    def start(self) -> tuple[int, ...]:
        return ()

    def outcome(self, state: tuple[int, ...]) -> int | None:
        if state and state[-1] == 0 and len(state) > 1:
            return (len(state) - 1) % 2
        return DRAW if len(state) == self.depth else None

    def to_move(self, state: tuple[int, ...]) -> int:
        return len(state) % 2

    def successors(self, state: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        return [] if self.outcome(state) is not None else [(move, (*state, move)) for move in range(self.width)]

    def canonical(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return state

    def orbit_size(self, state: tuple[int, ...]) -> int:
        return 1


class Hex:
    """A connection game on 4x4 as bitboards, with the half turn: so large that move ordering matters to a search."""

    players = 2
    acyclic = True
    size = 4

    def __init__(self) -> None:
        size = self.size
        steps = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1))
        self.near = [sum(1 << (row + down) * size + column + right for down, right in steps
                         if 0 <= row + down < size and 0 <= column + right < size)
                     for row in range(size) for column in range(size)]
        top = (1 << size) - 1
        left = sum(1 << row * size for row in range(size))
        self.sides = ((top, top << size * (size - 1)), (left, left << size - 1))

    def start(self) -> tuple[int, int, int, int]:
        return 0, 0, 0, -1

    def joined(self, stones: int, cell: int, player: int) -> bool:
        group = frontier = 1 << cell
        while frontier:
            here = frontier & -frontier
            frontier ^= here
            fresh = self.near[here.bit_length() - 1] & stones & ~group
            group |= fresh
            frontier |= fresh
        return all(group & side for side in self.sides[player])

    def outcome(self, state: tuple[int, int, int, int]) -> int | None:
        return None if state[3] < 0 else state[3]

    def to_move(self, state: tuple[int, int, int, int]) -> int:
        return state[2]

    def successors(self, state: tuple[int, int, int, int]) -> list[tuple[int, tuple[int, int, int, int]]]:
        stones, player = state[:2], state[2]
        found = []
        for cell in range(self.size ** 2) if state[3] < 0 else ():
            if not (stones[0] | stones[1]) >> cell & 1:
                own = stones[player] | 1 << cell
                winner = player if self.joined(own, cell, player) else -1
                found.append((cell, (stones[0] if player else own, own if player else stones[1], 1 - player, winner)))
        return found

    def turned(self, stones: int) -> int:
        return int(f"{stones:016b}"[::-1], 2)

    def canonical(self, state: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        return min(state, (self.turned(state[0]), self.turned(state[1]), state[2], state[3]))

    def orbit_size(self, state: tuple[int, int, int, int]) -> int:
        return 1 if (self.turned(state[0]), self.turned(state[1])) == state[:2] else 2


# ---- the definition

State = Any
"""A state of the space under test."""


def all_states(space: Any) -> list[State]:
    """All positions that are reachable from the root, not merged by symmetry."""
    found, new = {space.start()}, [space.start()]
    while new:
        new = list({after for state in new for _, after in space.successors(state)} - found)
        found.update(new)
    return list(found)


def definition(space: Any) -> dict[State, tuple[int, int | None]]:
    """Every position's winner and remoteness: the least n within which a player can force a win, tried for every n."""
    states = all_states(space)

    @cache
    def forces(state: State, player: int, plies: int) -> bool:
        if space.outcome(state) is not None or plies == 0:
            return bool(space.outcome(state) == player)
        answers = (forces(after, player, plies - 1) for _, after in space.successors(state))
        return any(answers) if space.to_move(state) == player else all(answers)

    values: dict[State, tuple[int, int | None]] = {}
    for state in states:
        values[state] = next(((player, plies) for plies in range(len(states)) for player in range(space.players)
                              if forces(state, player, plies)), (DRAW, None))
    drawn = [state for state in states if values[state][0] == DRAW]
    for state in drawn:
        values[state] = (DRAW, shortest_way(space, state, set(drawn)))
    return values


def shortest_way(space: Any, state: State, drawn: set[State]) -> int | None:
    """The fewest plies through drawn positions to a drawn end; None where there is none."""
    here, seen, plies = {state}, {state}, 0
    while here:
        if any(space.outcome(place) is not None for place in here):
            return plies
        here = {after for place in here for _, after in space.successors(place)} & drawn - seen
        seen |= here
        plies += 1
    return None


def tree(space: Any, state: State, depth: int) -> tuple[list[int], int]:
    """The numbers of sequences of each length from 0 to depth, and of finished games, by walking the whole tree."""
    counts = [1] + [0] * depth
    games = int(space.outcome(state) is not None)
    if depth:
        for _, after in space.successors(state):
            below, ended = tree(space, after, depth - 1)
            games += ended
            for place, number in enumerate(below, start=1):
                counts[place] += number
    return counts, games


# ---- values


METHODS = ("strong", "alphabeta")
graph_spaces = st.one_of(graphs(), graphs(), graphs(cycles=False))


@pytest.mark.parametrize("method", METHODS)
@given(space=graph_spaces)
@settings(max_examples=400, deadline=None)
def test_values_are_those_of_the_definition(method: str, space: Graph) -> None:
    """Both methods find the values of the root and of each move; alpha-beta knows no remoteness of a draw."""
    values = definition(space.unmerged())
    expected = dict(values)
    if method == "alphabeta":
        expected = {state: (winner, None if winner == DRAW else plies) for state, (winner, plies) in values.items()}
    solution = solve(space, method=method)
    assert solution.complete
    assert solution.to_move == space.to_move(space.start())
    if space.outcome(space.start()) is None:
        assert (solution.winner, solution.remoteness) == expected[space.start()]
    moves = space.successors(space.start())
    assert [value.move for value in solution.moves] == [move for move, _ in moves]
    for value, (_, after) in zip(solution.moves, moves, strict=True):
        winner, plies = expected[after]
        assert (value.winner, value.remoteness) == (winner, None if plies is None else plies + 1)


@given(space=graph_spaces)
@settings(max_examples=300, deadline=None)
def test_every_reachable_position_can_be_looked_up(space: Graph) -> None:
    """The table has a value for every reachable position, also for images by symmetry, and none for others."""
    solution = solve(space, method="strong")
    assert solution.strong is not None
    for state, (winner, plies) in definition(space.unmerged()).items():
        value = solution.strong.value(state)
        assert value is not None
        assert (value.winner, value.remoteness) == (winner, plies)
    assert solution.strong.value((99, 0)) is None


@given(space=graph_spaces)
@settings(max_examples=300, deadline=None)
def test_counts_are_those_of_the_graph(space: Graph) -> None:
    """The solver counts positions with and without merging, wins, losses and draws, and detects cycles."""
    solution = solve(space, method="strong")
    plain = space.unmerged()
    states = all_states(plain)
    assert solution.positions == len(states)
    assert solution.positions_merged == len({space.canonical(state) for state in states})
    drawn_graph = networkx.DiGraph([(state, after) for state in states for _, after in plain.successors(state)])
    assert solution.cyclic == (not networkx.is_directed_acyclic_graph(drawn_graph))
    names = Counter({"win": 0, "lose": 0, "draw": 0})
    for state, (winner, _) in definition(plain).items():
        drawn = winner == DRAW and space.players > 1
        names["draw" if drawn else "win" if winner == space.to_move(state) else "lose"] += 1
    assert solution.strong is not None
    assert solution.strong.tally() == dict(names)


@pytest.mark.parametrize("method", METHODS)
@given(space=graph_spaces)
@settings(max_examples=200, deadline=None)
def test_symmetry_changes_no_value(method: str, space: Graph) -> None:
    """Merging by symmetry changes no value of the root or of a move, and never increases the number of positions."""
    merged, plain = solve(space, method=method), solve(space.unmerged(), method=method)
    assert (merged.winner, merged.remoteness) == (plain.winner, plain.remoteness)
    assert [(move.winner, move.remoteness) for move in merged.moves] == [
        (move.winner, move.remoteness) for move in plain.moves]
    assert merged.positions_merged <= plain.positions_merged


@pytest.mark.parametrize("method", METHODS)
@given(space=graph_spaces, nodes=st.integers(1, 10))
@settings(max_examples=400, deadline=None)
def test_what_is_said_past_a_limit_is_true(method: str, space: Graph, nodes: int) -> None:
    """A limit may leave a winner or a remoteness unknown, but never makes one wrong."""
    values = definition(space.unmerged())
    solution = solve(space, method=method, nodes=nodes)
    claims: list[tuple[int | None, ...]] = [(solution.winner, solution.remoteness, *values[space.start()])]
    for value, (_, after) in zip(solution.moves, space.successors(space.start()), strict=True):
        winner, plies = values[after]
        claims.append((value.winner, value.remoteness, winner, None if plies is None else plies + 1))
    for said_winner, said_plies, true_winner, true_plies in claims:
        assert said_winner in (None, true_winner)
        assert said_plies in (None, true_plies)
    if not solution.complete:
        assert f"the limit of {nodes} positions is reached" in solution.reason


def test_faster_win_that_is_not_known_yet_leaves_the_remoteness_open() -> None:
    """A search stopped after it found the win in 3 but before the win in 2 reports the winner without remoteness."""
    ends: list[int | None] = [None, None, None, None, None, 1]
    edges = [[(3, False), (1, False)], [(2, False), (5, False)], [(4, False)], [(4, False)], [(5, False)], []]
    space = Graph(2, [1, 1, 0, 0, 0, 1], ends, edges, acyclic=True)
    assert solve(space, method="alphabeta").remoteness == 2
    for nodes in range(1, 7):
        solution = solve(space, method="alphabeta", nodes=nodes)
        assert (solution.winner, solution.remoteness) in ((None, None), (1, None), (1, 2))


@pytest.mark.parametrize("method", METHODS)
@given(space=graph_spaces)
@settings(max_examples=200, deadline=None)
def test_best_move_keeps_the_value(method: str, space: Graph) -> None:
    """The best move has the value and the remoteness of the root."""
    solution = solve(space, method=method)
    if not solution.moves:
        assert solution.best is None
        return
    best = next(value for value in solution.moves if value.move == solution.best)
    assert (best.winner, best.remoteness) == (solution.winner, solution.remoteness)


@given(space=graph_spaces)
@settings(max_examples=200, deadline=None)
def test_line_ends_when_the_remoteness_says(space: Graph) -> None:
    """The principal variation has as many plies as the remoteness and ends in the outcome; an endless draw has none."""
    solution = solve(space, method="strong")
    assert solution.strong is not None
    state = space.start()
    line = list(solution.strong.line(state))
    assert len(line) == (solution.remoteness or 0)
    for move in line:
        state = dict(space.successors(state))[move]
    if solution.remoteness is not None:
        assert space.outcome(state) == solution.winner


def test_draw_has_the_length_of_its_shortest_way_to_an_end() -> None:
    """A draw's remoteness is its shortest way to an end, and None without an end: in `circle` the other move loses."""
    ends: list[int | None] = [None, None, DRAW]
    either = solve(Graph(2, [0, 1, 0], ends, [[(1, False), (2, False)], [(2, False)], []]), method="strong")
    assert (either.winner, either.remoteness) == (DRAW, 1)
    assert [move.remoteness for move in either.moves] == [2, 1]
    circle = solve(Graph(2, [0, 1, 0], [None, None, 1], [[(2, False), (1, False)], [(0, False)], []]), method="strong")
    assert (circle.winner, circle.remoteness, circle.cyclic) == (DRAW, None, True)
    assert [(move.winner, move.remoteness) for move in circle.moves] == [(1, 1), (DRAW, None)]


def test_moves_to_symmetric_positions_share_a_group() -> None:
    """Nine first moves form three groups: corner, edge, centre."""
    solution = solve(TicTacToe())
    assert [move.group for move in solution.moves] == [0, 1, 0, 1, 2, 1, 0, 1, 0]


# ---- games made by hand


@pytest.mark.parametrize("method", METHODS)
def test_tic_tac_toe_is_a_draw(method: str) -> None:
    """Source of the counts: GamesmanClassic (5478 positions), and 765 up to symmetry as is well known."""
    solution = solve(TicTacToe(), method=method)
    assert solution.winner == DRAW
    assert all(move.winner == DRAW for move in solution.moves)
    if method == "strong":
        assert (solution.remoteness, solution.positions, solution.positions_merged) == (9, 5478, 765)
        assert solution.cyclic is False


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("heaps", [(0,), (1,), (4,), (1, 2), (2, 2), (5, 6), (1, 2, 3), (3, 4, 5), (2, 3, 6)])
def test_nim_is_won_off_balance(method: str, heaps: tuple[int, ...]) -> None:
    """The player to move loses exactly when the heaps modulo 4 cancel out (Bouton; subtraction games)."""
    balance = 0
    for heap in heaps:
        balance ^= heap % 4
    assert solve(Nim(heaps), method=method).winner == (0 if balance else 1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("space", [Chase(6, 0, 5), Chase(7, 0, 6), Chase(7, 1, 5, exit=3), Chase(8, 2, 5, exit=0)])
def test_chase_is_valued_although_positions_come_back(method: str, space: Chase) -> None:
    """Wins have their lengths, and running away for ever is a draw."""
    winner, plies = definition(space)[space.start()]
    solution = solve(space, method=method)
    assert (solution.winner, solution.remoteness) == (winner, plies)


def test_search_ends_where_nobody_can_win_and_a_branch_was_never_looked_at() -> None:
    """Two tokens that never meet: the search proves the draw instead of trying longer and longer wins."""
    circle = Graph(2, [1, 0, 0, 1], [None] * 4,
                   [[(1, False)], [(3, False), (1, False), (0, False)], [(1, True)], [(2, True), (0, True)]])
    solution = solve(circle, method="alphabeta")
    assert (solution.winner, solution.remoteness, solution.complete) == (DRAW, None, True)


@pytest.mark.slow
def test_hex_openings_by_search() -> None:
    """4 of 16 openings win (source: two independent programs); the search needs few of the 5 million positions."""
    solution = solve(Hex())
    assert solution.method == "alphabeta"
    assert "still grew fast" in solution.reason
    assert [move.move for move in solution.moves if move.winner == 0] == [3, 6, 9, 12]
    plies = [10, 10, 10, 11, 10, 10, 9, 12]
    assert [move.remoteness for move in solution.moves] == plies + plies[::-1]
    assert solution.positions_merged < 800_000


# ---- the choice of a method, limits, and what a caller sees


def test_finished_root_has_its_outcome_and_no_moves() -> None:
    """Every method returns the outcome of a finished root, without moves."""
    for method in METHODS:
        solution = solve(Graph(2, [0], [1], [[]]), method=method)
        assert (solution.winner, solution.remoteness, solution.best, solution.moves) == (1, 0, None, ())


def test_lost_puzzle_is_nobodys() -> None:
    """A puzzle is won by player 0 or by nobody, so that a lost one is a draw."""
    dead = Graph(1, [0, 0, 0], [None, DRAW, None], [[(1, False), (2, False)], [], [(2, False)]])
    for method in METHODS:
        assert solve(dead, method=method).winner == DRAW
    open_end = Graph(1, [0, 0, 0], [None, DRAW, 0], [[(1, False), (0, False), (2, False)], [], []])
    for method in METHODS:
        solution = solve(open_end, method=method)
        assert (solution.winner, solution.remoteness, solution.best) == (0, 1, (2, 0, 0))


@pytest.mark.parametrize("acyclic", [True, False])
def test_auto_searches_only_what_cannot_come_back(acyclic: bool) -> None:
    """`auto` searches a wide tree if the space is acyclic, else enumerates it up to the limit."""
    space = Bush(6, 7, acyclic=acyclic)
    solution = solve(space, nodes=None if acyclic else 40_000)
    assert solution.method == ("alphabeta" if acyclic else "strong")
    assert (solution.winner, solution.complete) == ((1, True) if acyclic else (None, False))
    assert solution.positions <= 40_010


def test_auto_enumerates_what_is_small() -> None:
    """`auto` enumerates a small tree, however wide it is."""
    solution = solve(Bush(6, 3))
    assert (solution.method, solution.reason) == ("strong", VALUED)


@pytest.mark.parametrize("method", METHODS)
def test_memory_limit_makes_the_value_unknown(method: str) -> None:
    """A limit of 1 MiB, less than Python itself takes, leaves the value unknown."""
    solution = solve(Nim((30, 29, 28)), method=method, memory=1)
    assert (solution.winner, solution.complete) == (None, False)
    assert "the limit of 1 MiB of memory is reached" in solution.reason


def test_limits_hold_while_positions_are_valued(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory limit holds during valuation too, and the root then has no value."""
    strong = Strong[Any, Any](Nim((6, 6, 6)), Budget(memory=1))
    monkeypatch.setattr("solver.budget.memory_used", lambda: 0)
    strong.enumerate_until()
    monkeypatch.setattr("solver.budget.memory_used", lambda: 2)
    monkeypatch.setattr("solver.budget._PAUSE", 0.0)
    with pytest.raises(OutOfBudget):
        strong.value_all()
    assert strong.value(strong.space.start()) is None


@pytest.mark.parametrize("method", METHODS)
def test_progress_is_told_while_solving(method: str) -> None:
    """Progress reports have a phase, and never more done than known positions."""
    told: list[tuple[int, int, str]] = []
    solve(Nim((12, 13, 14)), method=method, progress=lambda *news: told.append(news))
    assert told
    assert all(0 <= done <= known and phase for done, known, phase in told)


@pytest.mark.parametrize("method", METHODS)
def test_interrupt_passes_through(method: str) -> None:
    """KeyboardInterrupt passes through the solver, which restores the recursion limit."""

    def interrupt(done: int, known: int, phase: str) -> None:
        raise KeyboardInterrupt

    before = sys.getrecursionlimit()
    with pytest.raises(KeyboardInterrupt):
        solve(Nim((12, 13, 14)), method=method, progress=interrupt)
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize(("arguments", "text"), [
    ({"nodes": 0}, "the limit nodes is 0, expected at least 1"),
    ({"memory": -1}, "the limit memory is -1, expected at least 1"),
])
def test_impossible_limits_are_refused(arguments: dict[str, Any], text: str) -> None:
    """Invalid limits raise ValueError."""
    with pytest.raises(ValueError, match=text):
        solve(TicTacToe(), **arguments)


def test_more_than_two_players_maximise_their_own_results() -> None:
    """A space for three players is solved by method `strong`; `alphabeta` refuses it."""
    assert solve(Nim((1,), players=3)).method == "strong"
    with pytest.raises(Refused, match="it is for one or two players"):
        solve(Nim((1,), players=3), method="alphabeta")


# ---- counting


@pytest.mark.parametrize("memo", [True, False])
@given(space=graph_spaces, depth=st.integers(0, 5))
@settings(max_examples=150, deadline=None)
def test_perft_is_the_size_of_the_tree(memo: bool, space: Graph, depth: int) -> None:
    """Perft equals a naive walk of the tree: sequences by length, nodes and finished games, with and without memo."""
    counts, games = tree(space, space.start(), depth)
    found = perft(space, depth, memo=memo)
    assert found.counts == tuple(counts[1:])
    assert (found.nodes, found.games) == (sum(counts), games)


@given(space=graph_spaces, depth=st.integers(1, 5))
@settings(max_examples=150, deadline=None)
def test_divide_adds_up_to_perft(space: Graph, depth: int) -> None:
    """`divide` lists every move, and its counts add up to perft."""
    divided = divide(space, depth)
    assert [move for move, _ in divided] == [move for move, _ in space.successors(space.start())]
    assert sum(number for _, number in divided) == perft(space, depth).counts[-1]


def test_perft_of_tic_tac_toe() -> None:
    """Games that ended earlier do not count as sequences. Source: OpenSpiel; 255168 games is well known."""
    found = perft(TicTacToe(), 9)
    assert found.counts == (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
    assert (found.nodes, found.games) == (549946, 255168)


@pytest.mark.parametrize(("count", "depth"), [(perft, -1), (divide, 0)])
def test_impossible_depth_is_refused(count: Callable[..., object], depth: int) -> None:
    """`perft` refuses a negative depth, `divide` also 0."""
    with pytest.raises(ValueError, match=f"the depth is {depth}, expected"):
        count(TicTacToe(), depth)
