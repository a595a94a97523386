"""Expected values as exact fractions, for small graphs: without rounding, and proven by the equations they solve.

The positions of a strongly connected component are solved together: the best moves by the approximate values give
linear equations, which are solved exactly, and moves are improved until no other move is better. Components are solved
from the end of the game to its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import networkx

from interpreter.arrays import Reals
from solver.expected.graph import NATURE, OVER, Graph

MOST_POSITIONS = 20_000
"""The most positions of a graph that is solved exactly."""
_MOST_TOGETHER = 150
"""The most positions of a strongly connected component."""
_MOST_BITS = 2_000
"""The most bits of a denominator."""
_AGAINST_NO_END = 8
"""The most times that the equations of a component are solved, with better moves each time."""


def exact_values(graph: Graph, low: Reals, high: Reals) -> list[Fraction] | None:
    """The exact value of each position to the first player; None for too many positions or too long fractions.

    `low` and `high` (float64[n]) are bounds of all values; a solution outside of them is rejected.
    """
    if len(graph) > MOST_POSITIONS:
        return None
    result: list[Fraction | None] = [None] * len(graph)
    links = networkx.DiGraph()
    links.add_nodes_from(range(len(graph)))
    starts, kids = graph.starts.tolist(), graph.kids.tolist()
    for index in range(len(graph)):
        links.add_edges_from((index, kid) for kid in kids[starts[index]:starts[index + 1]])
    work = _Exact(graph, starts, kids, graph.shares.tolist(), ((low + high) / 2).tolist(), result)
    for group in networkx.strongly_connected_components(links):  # in reverse topological order
        if not work.solve(sorted(group)):
            return None
    values = [value for value in result if value is not None]
    inside = all(bottom - 1e-9 <= value <= top + 1e-9 for value, bottom, top in zip(values, low, high, strict=True))
    return values if inside else None


class _Exact:
    """Solves components one after another, and holds the values found so far."""

    def __init__(self, graph: Graph, starts: Sequence[int], kids: Sequence[int], shares: Sequence[int],
                 near: Sequence[float], result: list[Fraction | None]) -> None:
        self.graph, self.starts, self.kids, self.shares, self.near, self.found = (
            graph, starts, kids, shares, near, result)

    def after(self, place: int) -> list[tuple[int, Fraction]]:
        """The successors of a position, each with its probability; 1 for a player's moves."""
        first, last = self.starts[place], self.starts[place + 1]
        whole = sum(self.shares[first:last])
        return [(self.kids[k], Fraction(self.shares[k], whole) if whole else Fraction(1)) for k in range(first, last)]

    def solve(self, group: Sequence[int]) -> bool:
        """Find the values of a strongly connected component; return whether that was possible."""
        if len(group) == 1 and group[0] not in self.kids[self.starts[group[0]]:self.starts[group[0] + 1]]:
            self.found[group[0]] = value = self._by_followers(group[0])
            return value is not None and value.denominator.bit_length() <= _MOST_BITS
        if len(group) > _MOST_TOGETHER:
            return False
        choices = {place: self._nearest(place) for place in group if self.graph.movers[place] != NATURE}
        for _ in range(_AGAINST_NO_END):
            values = self._solved(group, choices)
            if values is None:
                return False
            for place, value in zip(group, values, strict=True):
                self.found[place] = value
            better = {place: kid for place in choices if (kid := self._better(place)) is not None}
            if not better:
                return True
            choices |= better
        return False

    def _by_followers(self, place: int) -> Fraction | None:
        mover = int(self.graph.movers[place])
        if mover == OVER:
            return Fraction(float(self.graph.payoffs[place]))
        after = [(self._known(kid), chance) for kid, chance in self.after(place)]
        if mover == NATURE:
            return sum((value * chance for value, chance in after), Fraction(0))
        return (max if mover == 0 else min)(value for value, _ in after)

    def _known(self, place: int) -> Fraction:
        result = self.found[place]
        assert result is not None  # it is in this component or in an earlier one
        return result

    def _nearest(self, place: int) -> int:
        """The best successor by the approximate values."""
        kids = [kid for kid, _ in self.after(place)]
        return (max if self.graph.movers[place] == 0 else min)(kids, key=lambda kid: self.near[kid])

    def _better(self, place: int) -> int | None:
        """The best successor by the exact values; None where it is no better than the chosen one."""
        mover, value = int(self.graph.movers[place]), self._known(place)
        best = (max if mover == 0 else min)((kid for kid, _ in self.after(place)), key=self._known)
        return best if self._known(best) != value else None

    def _solved(self, group: Sequence[int], choices: dict[int, int]) -> list[Fraction] | None:
        """Solve the equations of the chosen moves; None without a unique solution, or where fractions grow too long."""
        places = {place: number for number, place in enumerate(group)}
        rows: list[list[Fraction]] = []
        for place in group:
            row = [Fraction(0)] * (len(group) + 1)
            row[places[place]] += 1
            after = self.after(place) if place not in choices else [(choices[place], Fraction(1))]
            for kid, chance in after:
                if kid in places:
                    row[places[kid]] -= chance
                else:
                    row[-1] += chance * self._known(kid)
            rows.append(row)
        return _eliminated(rows)


def _eliminated(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Solve equations by Gauss-Jordan elimination, the right side last in each row; None as in `_solved`."""
    for at in range(len(rows)):
        pivot = next((row for row in range(at, len(rows)) if rows[row][at]), None)
        if pivot is None:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        factor = rows[at][at]
        rows[at] = [value / factor for value in rows[at]]
        if max(value.denominator.bit_length() for value in rows[at]) > _MOST_BITS:
            return None
        for other in range(len(rows)):
            scale = rows[other][at]
            if other != at and scale:
                rows[other] = [value - scale * taken if taken else value
                               for value, taken in zip(rows[other], rows[at], strict=True)]
    return [row[-1] for row in rows]
