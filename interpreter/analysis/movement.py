"""Possible movements of pieces under the rules, and heights of pieces whose sum no move raises.

A place is a piece on a cell, numbered piece * cells + cell; places of piece 0 stand for a removed piece. `changes_of`
enumerates the possible applications of a rule on the board, with `interpreter.analysis.bounds`, and records the ways:
from which place to which a piece may come. `heights` computes from all ways a number for each place such that the sum
over a position's pieces never rises: a piece that can get from one place to another, but not back, loses height, and so
does a piece that is removed. Places that can be reached from where new pieces are put on empty cells have height 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations

import attrs

from dsl import hir
from dsl.checks.bounds import CellBounds, OneOf
from dsl.resolve.sorts import CELLS
from interpreter.analysis.bounds import BoardBounds
from interpreter.boards import Board, members
from interpreter.effects import EFFECTS

Ways = tuple[tuple[int, int], ...]
"""For a piece that certainly leaves its place: each place where it may be, with the places it may go to, a bit mask."""


@attrs.define(eq=False)
class Changes:
    """The changes that a rule can make to pieces."""

    ways: dict[int, int] = attrs.field(factory=dict)
    """For each place the places that a piece there may go to, a bit mask."""
    made: int = 0
    """The places where a new piece may be put, a bit mask."""
    applied: set[tuple[Ways, ...]] = attrs.field(factory=set)
    """For each possible application the pieces that certainly leave their places."""

    def lowers(self, heights: list[int]) -> bool:
        """Whether each application certainly lowers the sum of heights."""
        return all(any(all(heights[start] > max((heights[end] for end in members(ends)), default=-1)
                           for start, ends in ways) for ways in result) for result in self.applied)


def changes_of(known: BoardBounds, rule: hir.Move | hir.Forced, held: Mapping[int, int]) -> Changes:
    """The changes that a rule can make, where the cells chosen for some slots hold given pieces. Raises Unclear."""
    look = Look(known, held)
    look.rule(rule)
    return look.changes


@attrs.define(eq=False)
class Look:
    """Enumerates the possible applications of one rule, and collects their changes."""

    known: BoardBounds
    held: Mapping[int, int]
    changes: Changes = attrs.field(factory=Changes)
    sure: list[Ways] = attrs.field(factory=list)
    """The pieces that certainly leave their places in the current application."""
    _onward: set[int] = attrs.field(factory=set)

    def rule(self, rule: hir.Move | hir.Forced) -> None:
        """Collect the changes of all applications of a rule."""
        self.known.bound.clear()
        if not self.known.assume(rule.when):
            return
        for _ in self.chosen(rule.choices):
            self.sure = []
            self._application(rule.body)

    def chosen(self, choices: tuple[hir.Choice, ...]) -> Iterator[None]:
        """Bind each possible combination of choices in turn, narrowing what the chosen cells may hold."""
        if not choices:
            yield
            return
        choice, known = choices[0], self.known
        on_cells = choice.domain.sort == CELLS
        for values in combinations([value for value, _ in known.elements(choice.domain)], len(choice.slots)):
            holds = list(known.may_hold)
            for slot, value in zip(choice.slots, values, strict=True):
                known.bound[slot] = value
            possible = True
            if on_cells:
                for slot, value in zip(choice.slots, values, strict=True):
                    cell = value.single
                    pieces = known.held(choice.domain, cell) & self.held.get(slot, known.every_piece)
                    known.put(cell, pieces)
                    possible = possible and pieces != 0
            if possible and known.assume(choice.guard):
                bound = dict(known.bound)
                yield from self.chosen(choices[1:])
                known.bound = bound
            known.may_hold = holds

    # ---- effects

    def _application(self, effects: tuple[hir.Effect, ...]) -> None:
        """Collect the changes of one application of the rule, or of all its continuations by a final `then`."""
        holds, bound, sure = list(self.known.may_hold), dict(self.known.bound), list(self.sure)
        last = effects[-1] if effects else None
        if isinstance(last, hir.Then) and last.condition is None:
            self.block(effects[:-1], certain=True)
            for _ in self.chosen(last.choices):
                self._application(last.body)
        else:
            self.block(effects, certain=True)
            self.changes.applied.add(tuple(self.sure))
        self.known.may_hold, self.known.bound, self.sure = holds, bound, sure

    def block(self, effects: Iterable[hir.Effect], *, certain: bool) -> None:
        """Collect the changes of effects in sequence; `certain` says whether they certainly apply."""
        for effect in effects:
            EFFECTS[type(effect)].move(self, effect, certain)

    def either(self, condition: bool | None, yes: tuple[hir.Effect, ...], no: tuple[hir.Effect, ...],
                certain: bool) -> None:
        """Collect the changes of two branches; `condition` is the truth value of their condition, None if unknown."""
        if condition is not None:
            self.block(yes if condition else no, certain=certain)
            return
        holds = list(self.known.may_hold)
        self.block(yes, certain=False)
        after, self.known.may_hold = self.known.may_hold, holds
        self.block(no, certain=False)
        self.known.may_hold = [one | other for one, other in zip(after, self.known.may_hold, strict=True)]

    def proceed(self, rule: int) -> None:
        """Collect the possible changes of a rule by which a move proceeds."""
        if rule in self._onward:
            return
        self._onward.add(rule)
        holds, bound, sure, held = self.known.may_hold, self.known.bound, self.sure, self.held
        self.known.forget()
        self.known.bound, self.held = {}, {}
        for _ in self.chosen(self.known.rules.moves[rule].choices):
            before, names = list(self.known.may_hold), dict(self.known.bound)
            self.block(self.known.rules.moves[rule].body, certain=False)
            self.known.may_hold, self.known.bound = before, names
        self.known.may_hold, self.known.bound, self.sure, self.held = holds, bound, sure, held

    # ---- places

    @property
    def _size(self) -> int:
        """The number of cells."""
        return self.known.board.size

    def put(self, cells: CellBounds, pieces: int, certain: bool) -> None:
        """Record that one of some pieces is put on each cell of a set."""
        for cell in members(cells.most):
            held = self.known.at(cell)
            ends = self._places(pieces, cell)
            for piece in members(held):
                if piece:
                    self._way(piece * self._size + cell, ends)
                else:
                    self.changes.made |= self._places(pieces & ~1, cell)
            here = bool(cells.least >> cell & 1)
            if certain and here and not held & 1:
                self.sure.append(tuple((piece * self._size + cell, ends) for piece in members(held)))
            self.known.put(cell, pieces if here and certain else held | pieces)

    def carry(self, origin: OneOf, destination: OneOf, certain: bool) -> None:
        """Record that the contents of one cell are carried to another."""
        size, holds = self._size, self.known.at
        starts, ends = members(origin.values), members(destination.values)
        carried = there = 0
        for cell in starts:
            carried |= holds(cell)
        for cell in ends:
            there |= holds(cell)
            for piece in members(holds(cell)):
                self._way(piece * size + cell, 1 << cell)
        targets = {piece: sum(1 << piece * size + cell for cell in ends) for piece in members(carried)}
        leaving: list[tuple[int, int]] = []
        for cell in starts:
            for piece in members(holds(cell)):
                self._way(piece * size + cell, targets[piece])
                leaving.append((piece * size + cell, targets[piece]))
        if certain and leaving and not carried & 1:
            self.sure.append(tuple(leaving))
        if certain and ends and not there & 1 and not origin.values & destination.values:
            self.sure.append(tuple((piece * size + cell, 1 << cell) for cell in ends for piece in members(holds(cell))))
        exact = certain and origin.values.bit_count() == destination.values.bit_count() == 1
        for cell in starts:
            self.known.put(cell, 1 if exact else holds(cell) | 1)
        for cell in ends:
            self.known.put(cell, carried if exact else holds(cell) | carried)

    def _places(self, pieces: int, cell: int) -> int:
        """The places of some pieces on a cell, a bit mask."""
        return sum(1 << piece * self._size + cell for piece in members(pieces))

    def _way(self, start: int, ends: int) -> None:
        """Record that a piece may go from one place to others."""
        if start >= self._size:
            self.changes.ways[start] = self.changes.ways.get(start, 0) | ends


# ---- heights


def heights(board: Board, pieces: int, changes: Iterable[Changes]) -> list[int]:
    """A height for each place, such that no change raises the sum of the heights of the pieces on the board."""
    total = board.size * pieces
    ways, made = [0] * total, 0
    for change in changes:
        made |= change.made
        for start, ends in change.ways.items():
            ways[start] |= ends
    gone, waiting = made | (1 << board.size) - 1, list(members(made))
    while waiting:
        further = ways[waiting.pop()] & ~gone
        gone |= further
        waiting += members(further)
    result = [0] * total
    for circle in circles({start: members(ends & ~gone) for start, ends in enumerate(ways) if not gone >> start & 1}):
        inside = sum(1 << place for place in circle)
        least = 1 + max((result[end] for place in circle for end in members(ways[place] & ~gone & ~inside)), default=0)
        for place in circle:
            result[place] = least
    return result


def circles(ways: Mapping[int, Iterable[int]]) -> Iterator[Collection[int]]:
    """The strongly connected components of the ways, in reverse topological order: each after those reachable from it.
    """
    import networkx

    condensed = networkx.condensation(networkx.DiGraph(ways))
    for number in reversed(list(networkx.topological_sort(condensed))):
        yield condensed.nodes[number]["members"]
