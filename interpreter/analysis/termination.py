"""Showing that a game cannot come back to a position: a quantity that every move uses up.

Looks for numbers of pieces (empty cells included) and sums of variables that no rule raises; a move that lowers one of
them can never be undone. Each move rule is looked at for each player, and for each piece that may stand on the cells
chosen; when all these cases are accounted for, one quantity after another, the position graph has no cycle: say, each
`generate` uses up empty cells, which `transform` leaves alone, and `transform` uses up neutral pieces. Where numbers
are not enough, `interpreter.analysis.movement` is asked for heights: a piece that only goes ahead comes down with each
step; then `interpreter.analysis.phases` for variables that go through phases.

A pass uses up nothing. Where it is made for want of a move (`no moves passes`), somebody else has one then, whose turn
comes before the same player's again: so passes alone never lead back.

The analysis is cautious: False means "not shown", not "has cycles". Solvers use it to choose a method, and the
quantities, in the order in which they were found, to take positions tier by tier: no move leads to an earlier tier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import inf, prod

import attrs

from dsl import hir
from dsl.checks.bounds import plain
from dsl.checks.reads import reads_position
from dsl.resolve.sorts import CELL, CELLS
from interpreter.analysis import phases
from interpreter.analysis.bounds import BoardBounds, Unclear
from interpreter.analysis.change import Change
from interpreter.analysis.knowledge import Knowledge
from interpreter.analysis.movement import Changes, changes_of, heights
from interpreter.boards import Board, members
from interpreter.effects import EFFECTS

_FURTHER = 3
"""Quantities that are named of those which only some moves use up: with many, tiers hold few positions each."""
_MOST_TERMS = 200_000
"""Terms that are looked at to see which ways pieces go, at most."""
_MOST_CASES = 40
"""A rule whose chosen cells may hold pieces in more ways than this is one case for each player."""


@attrs.frozen
class RankingFunction:
    """Something that can be counted in a position and that no move takes back."""

    number: int
    """A piece's index (0: empty), or -1 - the number of a variable whose values are added up."""
    falls: bool
    """Whether it never rises; else it never falls."""
    heights: tuple[tuple[int, ...], ...] = ()
    """For each piece its height on each cell, where the sum of heights is meant."""
    phases: tuple[tuple[int | None, int], ...] = ()
    """Values of the variable, `None` first where it may be none, with their heights, where these are meant."""

    def text(self, rules: hir.Rules) -> str:
        """Its name: `empty`, `count`, `height`."""
        if self.heights:
            return "height"
        return rules.pieces[self.number].name if self.number >= 0 else rules.variables[-1 - self.number].name


@attrs.frozen
class Descent:
    """Quantities in the order of their weight: where all before it stay as they are, none is taken back."""

    quantities: tuple[RankingFunction, ...]
    complete: bool
    """Whether every move changes one of them (or is a swap of sides, or a pass for want of a move), so that no position
    can come back."""


@attrs.frozen(eq=False)
class _Case:
    """A rule as one player applies it, with certain pieces on the cells chosen."""

    rule: hir.Move | hir.Forced
    mover: int
    held: dict[int, int]
    """For slots of chosen cells the pieces there, as bit masks."""
    change: Change


def descent(rules: hir.Rules, board: Board) -> Descent:
    """The quantities that the moves of a game use up."""
    forced = [case for rule in (*rules.after, *rules.forced) for case in _cases(rules, board, rule)]
    numbers = [*range(len(rules.pieces)), *(-1 - number for number in range(len(hir.said_variables(rules))))]
    quantities = [RankingFunction(number, falls) for number in numbers for falls in (True, False)]
    result: list[RankingFunction] = []
    ways = _Movement(rules, board)
    moves = [case for rule in rules.moves if not rule.is_step for case in _cases(rules, board, rule)]
    open_moves = moves
    while open_moves:
        never_back = [quantity for quantity in quantities if quantity not in result and all(
            _top(case.change, quantity) <= 0 for case in (*open_moves, *forced))]
        used = {quantity: [case for case in open_moves if _top(case.change, quantity) < 0] for quantity in never_back}
        best = max(never_back, key=lambda quantity: len(used[quantity]), default=None)
        if best is not None and used[best]:
            done = used[best]
        else:
            best, done = ways.descent(open_moves, forced)
            if best is None:
                best, done = _phases(rules, board, open_moves, forced)
        if best is None:
            named = {quantity.number for quantity in result if not quantity.heights}
            further = {quantity.number: quantity for quantity in reversed(never_back) if quantity.number not in named
                       and any(_bottom(case.change, quantity) < 0 for case in (*moves, *forced))}
            result += [*reversed(further.values())][:_FURTHER]
            break
        result.append(best)
        open_moves = [case for case in open_moves if case not in done]
    return Descent(tuple(result), not open_moves and not _passes_lead_back(rules))


def _passes_lead_back(rules: hir.Rules) -> bool:
    """Whether passes alone may lead to a position again: where players choose to, or the turn does not go round."""
    if rules.passing is not None:
        return True
    return rules.no_moves == "passes" and bool(rules.order or rules.again or rules.together
                                               or any(rule.is_chance for rule in rules.moves))


def _phases(rules: hir.Rules, board: Board, moves: Sequence[_Case],
            forced: Sequence[_Case]) -> tuple[RankingFunction | None, list[_Case]]:
    """A variable that only goes on to values from which it never comes back, and the moves that bring it on."""
    for variable in phases.variables(rules, board):
        ways = {(case.rule, case.mover): phases.ways(variable, case.rule, case.mover) for case in (*moves, *forced)}
        heights = phases.heights(variable, ways.values())
        done = [case for case in moves if phases.lowers(ways[case.rule, case.mover], heights)]
        if done:
            return RankingFunction(-1 - variable.number, True, phases=tuple(heights.items())), done
    return None, []


def _top(change: Change, quantity: RankingFunction) -> float:
    """The most that a change takes back of a quantity."""
    low, high = change.of(quantity.number)
    return high if quantity.falls else -low


def _bottom(change: Change, quantity: RankingFunction) -> float:
    """The least that a change takes back of a quantity."""
    low, high = change.of(quantity.number)
    return low if quantity.falls else -high


def _cases(rules: hir.Rules, board: Board, rule: hir.Move | hir.Forced) -> Iterator[_Case]:
    """The cases of a rule that there may be, each with the change that it makes."""
    for mover in range(len(rules.players)):
        contents = Knowledge(rules, mover, board=board)
        if rule.when is not None and not contents.assume(rule.when):
            continue
        if not all(contents.choose(choice) for choice in rule.choices):
            continue
        cells = [hir.Local(slot, name, sort=CELL, span=choice.span) for choice in rule.choices
                 if choice.domain.sort == CELLS for slot, name in zip(choice.slots, choice.names, strict=True)]
        held = [members(contents.of_cell(cell)) for cell in cells]
        if prod(map(len, held)) > _MOST_CASES:
            yield _Case(rule, mover, {}, Watch(rules, contents, list(rule.choices)).block(rule.body))
            continue
        for pieces in product(*held):
            known = contents.copy()
            known.known.update((cell, 1 << piece) for cell, piece in zip(cells, pieces, strict=True))
            masks = {cell.slot: 1 << piece for cell, piece in zip(cells, pieces, strict=True)}
            yield _Case(rule, mover, masks, Watch(rules, known, list(rule.choices)).block(rule.body))


@attrs.define
class _Movement:
    """What cases do to pieces on their cells, each looked at once and only where that is needed."""

    rules: hir.Rules
    board: Board
    left: int = _MOST_TERMS
    """How many terms may still be looked at."""
    known: dict[_Case, Changes | None] = attrs.field(factory=dict)

    def descent(self, moves: Sequence[_Case], forced: Sequence[_Case]) -> tuple[RankingFunction | None, list[_Case]]:
        """The sum of heights, and the moves that certainly lower it; (None, []) where there is no such move."""
        if self.board.unbounded:
            return None, []
        clear: list[Changes] = []
        for case in (*moves, *forced):
            change = self._of(case)
            if change is None:
                return None, []
            clear.append(change)
        result = heights(self.board, len(self.rules.pieces), clear)
        done = [case for case, change in zip(moves, clear, strict=False) if change.lowers(result)]
        size = self.board.size
        rows = tuple(tuple(result[start : start + size]) for start in range(0, len(result), size))
        return (RankingFunction(0, True, rows), done) if done else (None, [])

    def _of(self, case: _Case) -> Changes | None:
        """What a case does; None where that is not clear."""
        if case not in self.known:
            known = BoardBounds(self.rules, case.mover, board=self.board, left=self.left)
            try:
                self.known[case] = changes_of(known, case.rule, case.held)
            except Unclear:
                self.known[case] = None
            self.left = known.left
        return self.known[case]


@attrs.define
class Watch:
    """Follows the effects of one rule."""

    rules: hir.Rules
    contents: Knowledge
    choices: list[hir.Choice]
    onward: bool = True
    """Whether a move that goes on by a rule is followed."""

    def block(self, effects: Iterable[hir.Effect]) -> Change:
        """The change of effects in sequence."""
        total = Change()
        for effect in effects:
            meaning = EFFECTS[type(effect)]
            total.plus(meaning.change(self, effect))
            if meaning.changes_position:
                self.contents.changed()
        return total

    def afresh(self) -> Watch:
        """One that knows nothing of cells and chosen ones, for effects that are carried out some other time."""
        return Watch(self.rules, self.contents.afresh(), [], self.onward)

    def repeated(self, effects: Sequence[hir.Effect]) -> Change:
        """The change of effects that are carried out any number of times.

        A cell is still known after them if none of them changes one that holds what it holds.
        """
        change = self.afresh().block(effects).perhaps(inf)
        changed = self.touched(effects)
        self.contents.known = {place: held for place, held in self.contents.known.items() if not held & changed}
        return change

    def touched(self, effects: Iterable[hir.Effect]) -> int:
        """The pieces, as a bit mask, that cells may hold that effects change, whatever was before them."""
        result = 0
        for effect in effects:
            result |= EFFECTS[type(effect)].touched(self, effect)
        return result

    def chosen(self, choices: Sequence[hir.Choice]) -> Watch:
        """One for effects after further choices."""
        for choice in choices:
            self.contents.choose(choice)
        return Watch(self.rules, self.contents, list(choices), self.onward)

    def by_rule(self, rule: int) -> Change:
        """The change when the move goes on by a rule, and perhaps by those that it goes on by."""
        waiting, reached = [rule], {rule}
        while waiting:
            for part in hir.walk(self.rules.moves[waiting.pop()].body):
                if isinstance(part, hir.Proceed) and part.rule not in reached:
                    reached.add(part.rule)
                    waiting.append(part.rule)
        total = Change()
        for number in reached:
            move = self.rules.moves[number]
            contents = self.contents.afresh()
            if all(contents.choose(choice) for choice in move.choices):
                watch = Watch(self.rules, contents, list(move.choices), onward=False)
                total.plus(watch.block(move.body).perhaps(inf))
        return total

    def branch(self, effects: tuple[hir.Effect, ...]) -> Change:
        """The change of effects that may be carried out or not."""
        inner = Watch(self.rules, self.contents.copy(), self.choices, self.onward)
        return inner.block(effects)

    def put(self, cells: hir.Expr, piece: hir.Expr, guard: hir.Expr | None) -> Change:
        """The change of a piece that is put on cells."""
        pieces = self._pieces(piece)
        if cells.sort != CELL or guard is not None:
            change = self._put_all(cells, pieces)
            self.contents.known.clear()
            return change
        cells = plain(cells)
        held = self._held(cells)
        self._forget_but(cells, held)
        self.contents.known[cells] = pieces
        return self._replaced(held, pieces, 1)

    def _put_all(self, cells: hir.Expr, pieces: int) -> Change:
        """The change of a piece that is put on all cells of a set, those chosen in the rule certainly among them."""
        if cells.sort == CELL:
            return self._replaced(self._held(cells), pieces, 1)
        items = _items(cells)
        if items is None:
            held = self.contents.held(cells)
            change = self._replaced(held, pieces, inf)
            if self.contents.has_some(cells):
                change.plus(self._replaced(held, pieces, 1))
            return change
        total, certain = Change(), False
        for item in items:
            change = self._replaced(self._held(item), pieces, 1)
            first = not certain and any(isinstance(item, hir.Local) and item.slot in choice.slots
                                        for choice in self.choices)
            certain = certain or first
            total.plus(change if first else change.perhaps())
        return total

    def _pieces(self, term: hir.Expr) -> int:
        """The pieces that a term may stand for."""
        return int(self.contents.of(term).values)

    def _held(self, cell: hir.Expr) -> int:
        return self.contents.of_cell(cell)

    def _forget_but(self, cell: hir.Expr, held: int) -> None:
        """After a cell changed, what is known of another stays only if it cannot be the same cell."""
        known = self.contents.known
        for other in list(known):
            if other != cell and known[other] & held and not (isinstance(other, hir.Expr) and self._apart(cell, other)):
                known[other] = self.contents.every_piece

    def _apart(self, one: hir.Expr, other: hir.Expr) -> bool:
        """Whether two cells are certainly different: chosen unordered, or one from a set without the other."""
        if one == other:
            return False
        for choice in self.choices:
            terms = [hir.Local(slot, name, sort=CELL, span=choice.span)
                     for slot, name in zip(choice.slots, choice.names, strict=True)]
            if one in terms and other in terms:
                return True
            for cell, rest in ((one, other), (other, one)):
                if cell in terms and not reads_position(rest) and _excludes(choice.domain, rest):
                    return True
        return False

    def _replaced(self, held: int, pieces: int, times: float) -> Change:
        """One of some pieces instead of what was there, up to `times` times."""
        change = Change()
        for piece in range(len(self.rules.pieces)):
            bit = 1 << piece
            change.add(piece, (pieces == bit) - bool(held & bit), bool(pieces & bit) - (held == bit))
        return change if times == 1 else change.perhaps(times)

    def carry(self, origin: hir.Expr, destination: hir.Expr) -> Change:
        """The change of what is on one cell replacing what is on another."""
        origin, destination = plain(origin), plain(destination)
        here, there = self._held(origin), self._held(destination)
        change = self._replaced(there, 1, 1)
        if here & there and not self._apart(origin, destination):
            change = change.perhaps()
        self.contents.known.clear()
        return change


def _items(cells: hir.Expr) -> list[hir.Expr] | None:
    """The single cells that a set is given by; None where it is given otherwise."""
    if cells.sort == CELL:
        return [cells]
    if not isinstance(cells, hir.CellSet):
        return None
    parts = [_items(item) for item in cells.items]
    return [item for part in parts if part is not None for item in part] if None not in parts else None


def _excludes(domain: hir.Expr, cell: hir.Expr) -> bool:
    """Whether a set is written as something minus a cell."""
    if not isinstance(domain, hir.SetArithmetic):
        return False
    if domain.operator == "-":
        removed = domain.right
        if isinstance(removed, hir.CellSet) and cell in removed.items:
            return True
        return _excludes(domain.left, cell)
    return domain.operator == "and" and (_excludes(domain.left, cell) or _excludes(domain.right, cell))
