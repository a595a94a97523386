"""Solvers against the definition of a value, written naively here, on small random spaces and on games made by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from functools import cache

import attrs
import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.perft import divide, perft
from solver.solve import Method, solve
from solver.space import DRAW

# ---- spaces


class Graph:
    """Positions 0, 1, ... with a mover, an outcome or successors each; the root is 0.

    `twin` makes two mirrored copies of all but the root: a position is then (number, side), an edge keeps or changes the
    side, and the two sides are the same by symmetry.
    """

    def __init__(self, players: int, movers: list[int], outcomes: list[int | None], edges: list[list[tuple[int, bool]]],
                 *, twin: bool = False, merge: bool = True, acyclic: bool = False) -> None:
        self.players = players
        self.movers, self.outcomes, self.edges = movers, outcomes, edges
        self.twin, self.merge, self.acyclic = twin, merge, acyclic

    def unmerged(self) -> Graph:
        """The same positions without their symmetry."""
        return Graph(self.players, self.movers, self.outcomes, self.edges, twin=self.twin, merge=False, acyclic=self.acyclic)

    def __repr__(self) -> str:
        return f"Graph({self.players}, {self.movers}, {self.outcomes}, {self.edges}, twin={self.twin}, acyclic={self.acyclic})"

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
    """Small spaces: extra turns, dead draws, shared and repeated successors, symmetry; cycles where asked for."""
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
    """Three in a row, with its eight symmetries."""

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


@attrs.frozen
class Nim:
    """Take 1 to 3 from one heap; who takes the last wins. A state is the sorted heaps and the player to move."""

    heaps: tuple[int, ...]
    players: int = 2
    acyclic: bool = True

    def start(self) -> tuple[tuple[int, ...], int]:
        return tuple(sorted(self.heaps)), 0

    def outcome(self, state: tuple[tuple[int, ...], int]) -> int | None:
        return None if any(state[0]) else 1 - state[1]

    def to_move(self, state: tuple[tuple[int, ...], int]) -> int:
        return state[1]

    def successors(self, state: tuple[tuple[int, ...], int]) -> list[tuple[tuple[int, int], tuple[tuple[int, ...], int]]]:
        heaps, player = state
        return [((place, taken), (tuple(sorted((*heaps[:place], heap - taken, *heaps[place + 1:]))), 1 - player))
                for place, heap in enumerate(heaps) for taken in range(1, min(3, heap) + 1)]

    def canonical(self, state: tuple[tuple[int, ...], int]) -> tuple[tuple[int, ...], int]:
        return state

    def orbit_size(self, state: tuple[tuple[int, ...], int]) -> int:
        return 1


@attrs.frozen
class Chase:
    """Two tokens on a ring with a gap between 0 and 1, stepping left or right in turn; who steps onto the other wins.

    Positions come back. With `exit` set, a player whose token stands on that cell wins as well.
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
    """Every position has `width` moves for `depth` plies; then the player who chose move 0 last wins."""

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
    """Four by four, cells as bits, with the half turn: large enough that the order of moves matters."""

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


def reachable(space) -> list[Hashable]:
    """All positions from the root on, symmetries not merged."""
    found = [space.start()]
    for state in found:
        found.extend(after for _, after in dict.fromkeys(space.successors(state)) if after not in found)
        found = list(dict.fromkeys(found)) if len(set(found)) < len(found) else found
    return found


def all_states(space) -> list[Hashable]:
    """All positions from the root on, symmetries not merged."""
    found, new = {space.start()}, [space.start()]
    while new:
        new = list({after for state in new for _, after in space.successors(state)} - found)
        found.update(new)
    return list(found)


def definition(space) -> dict[Hashable, tuple[int, int | None]]:
    """Every position's winner and remoteness: the least n within which a player can force a win, tried for every n."""
    states = all_states(space)

    @cache
    def forces(state: Hashable, player: int, plies: int) -> bool:
        if space.outcome(state) is not None or plies == 0:
            return bool(space.outcome(state) == player)
        answers = (forces(after, player, plies - 1) for _, after in space.successors(state))
        return any(answers) if space.to_move(state) == player else all(answers)

    values: dict[Hashable, tuple[int, int | None]] = {}
    for state in states:
        values[state] = next(((player, plies) for plies in range(len(states)) for player in range(space.players)
                              if forces(state, player, plies)), (DRAW, None))
    drawn = [state for state in states if values[state][0] == DRAW]
    for state in drawn:
        values[state] = (DRAW, shortest_way(space, state, {other for other in drawn}))
    return values


def shortest_way(space, state: Hashable, drawn: set[Hashable]) -> int | None:
    """Plies along drawn positions to a drawn end."""
    here, seen, plies = {state}, {state}, 0
    while here:
        if any(space.outcome(place) is not None for place in here):
            return plies
        here = {after for place in here for _, after in space.successors(place)} & drawn - seen
        seen |= here
        plies += 1
    return None


def tree(space, state: Hashable, depth: int) -> tuple[list[int], int]:
    """Sequences of each length from 0 to depth, and finished games, by walking the whole tree."""
    counts = [1] + [0] * depth
    games = int(space.outcome(state) is not None)
    if depth:
        for _, after in space.successors(state):
            below, ended = tree(space, after, depth - 1)
            games += ended
            for place, number in enumerate(below, start=1):
                counts[place] += number
    return counts, games
