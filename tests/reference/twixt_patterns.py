"""A naive matcher of TwixT patterns: the moves that classic patterns propose, from the rule text and the classic file.

It shares no code with the project. Pegs and links are sets of holes (row, column). The ends of chains are found by
shortest paths from side to side: an empty hole costs 1 and an own peg 0, and a path takes knight's steps that are links
or, if one of their holes is empty, that no link crosses. A pattern is a list of lines of text.
"""

from __future__ import annotations

from itertools import product

Hole = tuple[int, int]
KNIGHT = [(a * x, b * y) for a, b in ((1, 2), (2, 1)) for x in (1, -1) for y in (1, -1)]


def crosses(one: tuple[Hole, Hole], other: tuple[Hole, Hole]) -> bool:
    """Whether two links cross, by the sides on which their ends lie; links that share an end do not cross."""
    if set(one) & set(other):
        return False

    def side(a: Hole, b: Hole, c: Hole) -> int:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


class Board:
    """A position: the pegs of each player (0 joins top and bottom, 1 left and right), and the links."""

    def __init__(self, rows: int, columns: int, pegs: tuple[set[Hole], set[Hole]], links: set[frozenset[Hole]]) -> None:
        self.rows, self.columns, self.pegs, self.links = rows, columns, pegs, links
        corners = set(product((0, rows - 1), (0, columns - 1)))
        self.holes = set(product(range(rows), range(columns))) - corners

    def empty(self) -> set[Hole]:
        return self.holes - self.pegs[0] - self.pegs[1]

    def sides(self, player: int) -> tuple[set[Hole], set[Hole]]:
        if player == 0:
            return {h for h in self.holes if h[0] == 0}, {h for h in self.holes if h[0] == self.rows - 1}
        return {h for h in self.holes if h[1] == 0}, {h for h in self.holes if h[1] == self.columns - 1}

    def allowed(self, player: int) -> set[Hole]:
        """The empty holes in which a player may put a peg."""
        one, other = self.sides(1 - player)
        return self.empty() - one - other

    def possible(self, a: Hole, b: Hole) -> bool:
        """Whether a link between two holes a knight's step apart could be set: it is new, and no link crosses it."""
        return (a in self.holes and b in self.holes and frozenset((a, b)) not in self.links
                and not any(crosses((a, b), tuple(link)) for link in self.links))  # type: ignore[arg-type]

    def costs(self, player: int, start: set[Hole]) -> dict[Hole, int]:
        """For each hole, the fewest empty holes on a path to it from a side, itself included (Dijkstra)."""
        own, free = self.pegs[player], self.allowed(player)
        found: dict[Hole, int] = {}
        level = {h: int(h in free) for h in start & (own | free)}
        while level:
            hole = min(level, key=lambda h: level[h])
            found[hole] = level.pop(hole)
            for step in KNIGHT:
                other = hole[0] + step[0], hole[1] + step[1]
                if other in found or other not in own | free:
                    continue
                linked = frozenset((hole, other)) in self.links
                if not linked and ((hole in own and other in own) or not self.possible(hole, other)):
                    continue
                cost = found[hole] + int(other in free)
                if cost < level.get(other, 10**9):
                    level[other] = cost
        return found

    def ends(self, player: int) -> list[tuple[Hole, int]]:
        """The pegs that shortest paths enter from an empty hole, each with the side (0 or 1) the path comes from."""
        sides = self.sides(player)
        found = []
        before = [self.costs(player, side) for side in sides]
        free = self.allowed(player)
        for which in (0, 1):
            near, far = before[which], before[1 - which]
            ways = [cost for hole, cost in near.items() if hole in sides[1 - which]]
            for peg in self.pegs[player]:
                for step in KNIGHT:
                    hole = peg[0] + step[0], peg[1] + step[1]
                    if (ways and peg in far and hole in free and hole in near and self.possible(peg, hole)
                            and near[hole] + far[peg] == min(ways)):
                        found.append((peg, which))
                        break
        return found

    def proposed(self, patterns: list[tuple[str, list[str]]], player: int) -> set[Hole]:
        """The holes that patterns, each a head and its lines, propose to a player."""
        found = set()
        for head, lines in patterns:
            whose = player if head.lower().startswith("off") else 1 - player
            for peg, which in self.ends(whose):
                for mirror in (1,) if head.split()[0].lower().endswith("s") else (1, -1):
                    hole = self.matched(lines, player, whose, peg, which, mirror)
                    if hole is not None:
                        found.add(hole)
        return found

    def matched(self, lines: list[str], player: int, whose: int, peg: Hole, which: int, mirror: int) -> Hole | None:
        """The hole that a pattern proposes at a peg and a side; None if the pattern does not match."""

        def at(x: str, y: str) -> Hole:
            across, ahead = int(x) * mirror, int(y)
            # `across` points right when facing the goal.
            if whose == 0:
                return (peg[0] - ahead, peg[1] + across) if which == 0 else (peg[0] + ahead, peg[1] - across)
            return (peg[0] - across, peg[1] - ahead) if which == 0 else (peg[0] + across, peg[1] + ahead)

        chosen = None
        for line in lines:
            word, *numbers = line.split()
            holes = [at(*numbers[k : k + 2]) for k in range(0, len(numbers), 2)]
            if any(hole not in self.holes for hole in holes):
                return None
            first = holes[0]
            linked = any(first in link for link in self.links)
            good = {
                "free": first in self.empty(), "own": first in self.pegs[player], "opp": first in self.pegs[1 - player],
                "strong": linked, "nstrong": not linked, "set": first in self.allowed(player),
                "bposs": len(holes) == 2 and self.possible(*holes),
                "bexist": len(holes) == 2 and frozenset(holes) in self.links,
            }[word.lower()]
            if not good:
                return None
            if word.lower() == "set":
                chosen = first
        return chosen
