"""Showing that a game cannot come back to a position: a quantity that every move uses up.

Looks for numbers of pieces (empty cells included) and sums of variables that no rule raises; a move rule that lowers
one of them can never be undone. When every move rule is accounted for, one quantity after another, the position graph
has no cycle: say, each `generate` uses up empty cells, which `transform` leaves alone, and `transform` uses up neutral
pieces.

The analysis is cautious: False means "not shown", not "has cycles". Solvers use it to choose a method, and the
quantities, in the order in which they were found, to take positions tier by tier: no move leads to an earlier tier.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import attrs

from dsl import meaning
from dsl.contents import Contents, Pieces
from dsl.sorts import CELL, Integer

Interval = tuple[float, float]
_ZERO: Interval = (0, 0)
_ANY: Interval = (-inf, inf)
_FURTHER = 3
"""Quantities that are named of those which only some moves use up: with many, tiers hold few positions each."""


@attrs.define
class Change:
    """How much a rule changes each quantity: numbers of pieces by index, sums of variables as -1 - number."""

    by: dict[int, Interval] = attrs.field(factory=dict)

    def of(self, quantity: int) -> Interval:
        """The change of one quantity."""
        return self.by.get(quantity, _ZERO)

    def add(self, quantity: int, low: float, high: float) -> None:
        """Add a further change of a quantity."""
        before = self.of(quantity)
        self.by[quantity] = (before[0] + low, before[1] + high)

    def plus(self, other: Change) -> None:
        """Add all changes of another."""
        for quantity, (low, high) in other.by.items():
            self.add(quantity, low, high)

    def perhaps(self, times: float = 1) -> Change:
        """The change when this happens up to `times` times, or not at all."""
        return Change({q: (min(0, low * times if low else 0), max(0, high * times if high else 0))
                       for q, (low, high) in self.by.items()})

    def hull(self, other: Change) -> Change:
        """The change when either of two happens."""
        both = {*self.by, *other.by}
        return Change({q: (min(self.of(q)[0], other.of(q)[0]), max(self.of(q)[1], other.of(q)[1])) for q in both})


@attrs.frozen
class Quantity:
    """Something that can be counted in a position and that no move takes back."""

    number: int
    """A piece's index (0: empty), or -1 - the number of a variable whose values are added up."""
    falls: bool
    """Whether it never rises; else it never falls."""

    def text(self, rules: meaning.Rules) -> str:
        """Its name: `empty`, `count`."""
        return rules.pieces[self.number].name if self.number >= 0 else rules.variables[-1 - self.number].name


@attrs.frozen
class Descent:
    """Quantities in the order of their weight: where all before it stay as they are, none is taken back."""

    quantities: tuple[Quantity, ...]
    complete: bool
    """Whether every move changes one of them (or is a swap of sides), so that no position can come back."""


def is_acyclic(rules: meaning.Rules) -> bool:
    """Whether it is shown that no position can come back."""
    return descent(rules).complete


def descent(rules: meaning.Rules) -> Descent:
    """The quantities that the moves of a game use up."""
    moves = [_change(rules, rule) for rule in rules.moves]
    forced = [_change(rules, rule) for rule in rules.forced]
    numbers = [*range(len(rules.pieces)), *(-1 - number for number in range(len(rules.variables)))]
    quantities = [Quantity(number, falls) for number in numbers for falls in (True, False)]
    found: list[Quantity] = []
    open_moves = moves
    while open_moves:
        never_back = [quantity for quantity in quantities if quantity not in found and all(
            _top(change, quantity) <= 0 for change in (*open_moves, *forced))]
        used = {quantity: [change for change in open_moves if _top(change, quantity) < 0] for quantity in never_back}
        best = max(never_back, key=lambda quantity: len(used[quantity]), default=None)
        if best is None or not used[best]:
            further = [quantity for quantity in never_back
                       if any(_bottom(change, quantity) < 0 for change in (*open_moves, *forced))]
            found += further[:_FURTHER]
            break
        found.append(best)
        open_moves = [change for change in open_moves if not any(change is other for other in used[best])]
    return Descent(tuple(found), not open_moves and rules.passing is None and rules.no_moves != "passes")


def _top(change: Change, quantity: Quantity) -> float:
    """The most that a change takes back of a quantity."""
    low, high = change.of(quantity.number)
    return high if quantity.falls else -low


def _bottom(change: Change, quantity: Quantity) -> float:
    """The least that a change takes back of a quantity."""
    low, high = change.of(quantity.number)
    return low if quantity.falls else -high


def _change(rules: meaning.Rules, rule: meaning.Move | meaning.Forced) -> Change:
    """The change that one application of a rule makes, whoever moves."""
    result: Change | None = None
    for mover in range(len(rules.players)):
        contents = Contents(rules, mover)
        if rule.when is not None and not contents.assume(rule.when):
            continue
        if not all(contents.choose(choice) for choice in rule.choices):
            continue
        watch = _Watch(rules, contents, list(rule.choices))
        change = watch.block(rule.body)
        result = change if result is None else result.hull(change)
    return result or Change()


@attrs.define
class _Watch:
    """Follows the effects of one rule."""

    rules: meaning.Rules
    contents: Contents
    choices: list[meaning.Choice]
    onward: bool = True
    """Whether a move that goes on by a rule is followed."""

    def block(self, effects: Iterable[meaning.Effect]) -> Change:
        total = Change()
        for effect in effects:
            total.plus(self._effect(effect))
        return total

    def _effect(self, effect: meaning.Effect) -> Change:
        match effect:
            case meaning.SetPiece(cells=cells, piece=piece, guard=guard):
                change = self._put(cells, piece, guard)
                return change if guard is None else change.perhaps()
            case meaning.Carry(origin=origin, destination=destination):
                return self._carry(origin, destination)
            case meaning.Proceed(rule=rule):
                return self._onward(rule) if self.onward else Change()
            case meaning.Rotate():
                self.contents.known.clear()
                return Change()
            case meaning.Link():
                return Change()
            case meaning.Slide():
                self.contents.known.clear()
                return Change({piece: (-inf, 0) if piece else (0, inf) for piece in range(len(self.rules.pieces))})
            case meaning.SetVariable():
                return self._set(effect)
            case meaning.Each(body=body):
                inner = _Watch(self.rules, Contents(self.rules, self.contents.mover), [], self.onward)
                change = inner.block(body).perhaps(inf)
                self.contents.known.clear()
                return change
            case meaning.If(yes=yes, no=no):
                one, other = (self._branch(branch) for branch in (yes, no))
                self.contents.known.clear()
                return one.hull(other)
            case meaning.Then(choices=choices, body=body):
                self.contents.known.clear()
                for choice in choices:
                    self.contents.choose(choice)
                inner = _Watch(self.rules, self.contents, list(choices), self.onward)
                return inner.block(body)
        variables = [-1 - number for number in range(len(self.rules.variables))]
        return Change(dict.fromkeys([*range(len(self.rules.pieces)), *variables], _ANY))

    def _onward(self, rule: int) -> Change:
        """The change when the move goes on by a rule, and perhaps by those that it goes on by."""
        waiting, reached = [rule], {rule}
        while waiting:
            for part in meaning.walk(self.rules.moves[waiting.pop()].body):
                if isinstance(part, meaning.Proceed) and part.rule not in reached:
                    reached.add(part.rule)
                    waiting.append(part.rule)
        total = Change()
        for number in reached:
            move = self.rules.moves[number]
            contents = Contents(self.rules, self.contents.mover)
            if all(contents.choose(choice) for choice in move.choices):
                watch = _Watch(self.rules, contents, list(move.choices), onward=False)
                total.plus(watch.block(move.body).perhaps(inf))
        return total

    def _branch(self, effects: tuple[meaning.Effect, ...]) -> Change:
        inner = _Watch(self.rules, self.contents.copy(), self.choices, self.onward)
        return inner.block(effects)

    def _put(self, cells: meaning.Term, piece: meaning.Term, guard: meaning.Term | None) -> Change:
        index = self.contents.piece(piece)
        if cells.sort != CELL or guard is not None:
            change = self._replaced(self.contents.everything, index, inf if cells.sort != CELL else 1)
            self.contents.known.clear()
            return change
        held = self._held(cells)
        self._forget_but(cells, held)
        if index is not None:
            self.contents.known[cells] = frozenset((index,))
        return self._replaced(held, index, 1)

    def _held(self, cell: meaning.Term) -> Pieces:
        return self.contents.of_cell(cell)

    def _forget_but(self, cell: meaning.Term, held: Pieces) -> None:
        """After a cell changed, what is known of another stays only if it cannot be the same cell."""
        known = self.contents.known
        for other in list(known):
            if other != cell and known[other] & held and not self._apart(cell, other):
                known[other] = self.contents.everything

    def _apart(self, one: meaning.Term, other: meaning.Term) -> bool:
        """Whether two cells are certainly different: chosen unordered, or one from a set without the other."""
        for choice in self.choices:
            terms = [meaning.Local(slot, name, sort=CELL, span=choice.span)
                     for slot, name in zip(choice.slots, choice.names, strict=True)]
            if one in terms and other in terms:
                return True
            for cell, rest in ((one, other), (other, one)):
                if cell in terms and _excludes(choice.domain, rest):
                    return True
        return False

    def _replaced(self, held: Pieces, index: int | None, times: float) -> Change:
        """One piece instead of what was there, up to `times` times."""
        change = Change()
        for piece in range(len(self.rules.pieces)):
            low: float = -1 if piece in held else 0
            high: float = -1 if held == {piece} else 0
            if index is None:
                high += 1
            elif piece == index:
                low, high = low + 1, high + 1
            change.add(piece, low, high)
        return change if times == 1 else change.perhaps(times)

    def _carry(self, origin: meaning.Term, destination: meaning.Term) -> Change:
        there = self._held(destination)
        if there == {0} and not self.contents.of_cell(origin) & there:
            self.contents.known.clear()
            return Change()
        change = Change()
        for piece in range(len(self.rules.pieces)):
            if piece:
                change.add(piece, -1 if piece in there else 0, 0)
            else:
                change.add(0, 0, 1)
        self.contents.known.clear()
        return change

    def _set(self, effect: meaning.SetVariable) -> Change:
        change = _ANY
        value = effect.value
        kind = self.rules.variables[effect.number]
        if isinstance(kind.sort, Integer) and isinstance(value, meaning.Arithmetic) and value.operator in "+-":
            amount = value.right.sort
            same = value.left == meaning.Variable(effect.number, effect.index, sort=kind.sort, span=effect.span)
            if same and isinstance(amount, Integer):
                change = (amount.low, amount.high) if value.operator == "+" else (-amount.high, -amount.low)
        result = Change({-1 - effect.number: change})
        return result if effect.guard is None else result.perhaps()


def _excludes(domain: meaning.Term, cell: meaning.Term) -> bool:
    """Whether a set is written as something minus a cell."""
    if not isinstance(domain, meaning.SetArithmetic):
        return False
    if domain.operator == "-":
        removed = domain.right
        if isinstance(removed, meaning.CellSet) and cell in removed.items:
            return True
        return _excludes(domain.left, cell)
    return domain.operator == "and" and (_excludes(domain.left, cell) or _excludes(domain.right, cell))
