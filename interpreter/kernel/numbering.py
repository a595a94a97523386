"""A fixed action space: numbers for moves that do not depend on the position, for reinforcement learning.

The number of a move is that of its rule's first action plus the index of its values among all combinations that its
choices can take in any position. Swapping and passing come last. Many actions may never be legal; a game whose moves
have no fixed length, or too many values, has no numbering.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from dsl import hir
from dsl.resolve.sorts import CELLS, Integer
from interpreter.boards import Board
from interpreter.game import Game
from interpreter.model.ranges import values_of
from interpreter.model.state import PASS, SWAP, Move

MOST_ACTIONS = 1 << 14
"""The default limit for the number of actions."""
MOST_LISTED = 512
"""The default number of actions where they are numbers in the list of legal moves."""


@attrs.frozen(eq=False)
class Numbering:
    """The action space of a game: a bijection between moves and action numbers."""

    count: int
    offsets: tuple[int, ...]
    """The first action of each rule, of swapping, of passing."""
    lows: tuple[tuple[int, ...], ...]
    """For each rule, and for swapping and passing, the least value of each of its choices."""
    sizes: tuple[tuple[int, ...], ...]
    """The number of values of each choice."""
    strides: tuple[tuple[int, ...], ...]
    """The stride of each choice: by how much the action number grows when its value grows by 1."""

    @classmethod
    def of(cls, game: Game, most: int = MOST_ACTIONS) -> Numbering | None:
        """The numbering of a game; None where moves have no fixed length, or there are more than `most` actions."""
        domains: list[list[range]] = []
        for rule in game.rules.moves:
            values = list(_domains(game, rule.choices, rule.body))
            if None in values:
                return None
            domains.append([domain for domain in values if domain is not None])
        alone = [bool(game.rules.pies), game.rules.passing is not None or game.rules.no_moves == "passes"]
        longest = max(len(result) for result in domains)
        offsets, lows, sizes, strides, count = [], [], [], [], 0
        for result in [*domains, *([] for _ in alone)]:
            offsets.append(count)
            many, steps = 1, [0] * len(result)
            for place in reversed(range(len(result))):
                steps[place] = many
                many *= len(result[place])
            count += many if len(offsets) <= len(domains) else int(alone[len(offsets) - len(domains) - 1])
            filling = (0,) * (longest - len(result))
            lows.append((*(domain.start for domain in result), *filling))
            sizes.append(tuple(len(domain) for domain in result))
            strides.append((*steps, *filling))
            if count > most:
                return None
        return cls(count, tuple(offsets), tuple(lows), tuple(sizes), tuple(strides))

    @property
    def rules(self) -> int:
        """The number of move rules."""
        return len(self.offsets) - 2

    def number(self, move: Move) -> int:
        """The action of a move."""
        rule = move.rule if move.rule >= 0 else len(self.offsets) + move.rule
        return self.offsets[rule] + sum(
            (value - low) * stride for value, low, stride in zip(move.values, self.lows[rule], self.strides[rule],
                                                                 strict=False))

    def move(self, number: int) -> Move:
        """The move of an action. Raises IndexError where there is no such action."""
        if not 0 <= number < self.count:
            raise IndexError(f"action {number}, expected 0 to {self.count - 1}")
        rule = max(index for index, offset in enumerate(self.offsets) if offset <= number)
        rest = number - self.offsets[rule]
        if rule >= self.rules:
            return Move({0: SWAP, 1: PASS}[rule - self.rules])
        values = []
        for low, stride, _ in zip(self.lows[rule], self.strides[rule], self.sizes[rule], strict=False):
            values.append(low + rest // stride)
            rest %= stride
        return Move(rule, tuple(values))


def _domains(game: Game, choices: Sequence[hir.Choice], body: Sequence[hir.Effect]) -> Iterator[range | None]:
    """The ranges of values of a move's choices, in order; None where the move proceeds by another rule, or may end
    before all choices are made."""
    for choice in choices:
        for _ in choice.slots:
            yield _domain(game, choice.domain)
    last = body[-1] if body else None
    if isinstance(last, hir.Then) and last.condition is not None:
        yield None
    elif isinstance(last, hir.Then):
        yield from _domains(game, last.choices, last.body)
    elif isinstance(last, hir.Proceed):
        yield None


def _domain(game: Game, domain: hir.Expr) -> range | None:
    board: Board = game.board
    if isinstance(domain, hir.Listing) and domain.values:
        return range(min(domain.values), max(domain.values) + 1)
    if isinstance(domain, hir.Numbers):
        low, high = domain.low.sort, domain.high.sort
        return range(low.low, high.high + 1) if isinstance(low, Integer) and isinstance(high, Integer) else None
    if domain.sort == CELLS:
        return range(board.size)
    return values_of(getattr(domain.sort, "element", None), game.rules, board)


__all__ = ["MOST_ACTIONS", "Numbering"]
