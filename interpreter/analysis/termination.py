"""Proof that the position graph has no cycle, by a lexicographic ranking function that every move decreases.

The components are numbers of pieces (empty cells included) and sums of variables that no rule raises; a move that
lowers one of them can never be undone. Each move rule is analysed for each player, and for each piece that may stand on
the chosen cells; once all these cases decrease some quantity, one quantity after another, the position graph has no
cycle: for example, each `generate` uses up empty cells, which `transform` leaves unchanged, and `transform` uses up
neutral pieces. Where counts do not suffice, `interpreter.analysis.movement` provides heights: a piece that only moves
ahead loses height with each step; then `interpreter.analysis.phases` handles variables that go through phases.

A pass decreases nothing. Where a player passes for lack of moves (`no moves passes`), another player has a move, and is
to move before the same player again: so passes alone never close a cycle.

The analysis is conservative: False means "not proved", not "has cycles". Solvers use it to choose a method, and use the
quantities, in the order in which they were found, to process positions tier by tier: no move leads to an earlier tier.
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
"""The most quantities added that only some moves decrease: with many, tiers hold few positions each."""
_MOST_TERMS = 200_000
"""The most terms evaluated by the analysis of movement."""
_MOST_CASES = 40
"""A rule whose chosen cells may hold pieces in more combinations than this is a single case for each player."""


@attrs.frozen
class RankingFunction:
    """A quantity of a position that changes in one direction only."""

    number: int
    """A piece's index (0: empty), or -1 - the number of a variable whose values are summed."""
    falls: bool
    """Whether it never rises; else it never falls."""
    heights: tuple[tuple[int, ...], ...] = ()
    """For each piece its height on each cell, where the quantity is the sum of heights; else empty."""
    phases: tuple[tuple[int | None, int], ...] = ()
    """The heights of the variable's values, `None` first where it may be none, where the quantity is these; else empty.
    """

    def text(self, rules: hir.Rules) -> str:
        """The quantity's name: `height`, or that of the piece or variable, as `empty` or `count`."""
        if self.heights:
            return "height"
        return rules.pieces[self.number].name if self.number >= 0 else rules.variables[-1 - self.number].name


@attrs.frozen
class Descent:
    """A lexicographic ranking function: a move that leaves all earlier quantities unchanged never reverses one."""

    quantities: tuple[RankingFunction, ...]
    complete: bool
    """Whether every move changes one of them (or is a swap of sides, or a pass for lack of moves), so that no position
    can repeat."""


@attrs.frozen(eq=False)
class _Case:
    """A rule applied by one player, with given pieces on the chosen cells."""

    rule: hir.Move | hir.Forced
    mover: int
    held: dict[int, int]
    """The piece on each chosen cell, by slot, as bit masks."""
    change: Change


def descent(rules: hir.Rules, board: Board) -> Descent:
    """The ranking functions that the moves of a game decrease."""
    forced = [case for rule in (*rules.after, *rules.forced) for case in _cases(rules, board, rule)]
    pieces = range(len(rules.pieces)) if len(rules.pieces) > 1 else ()  # without pieces all cells stay empty
    numbers = [*pieces, *(-1 - number for number in range(len(hir.said_variables(rules))))]
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
    """Whether passes alone may repeat a position: where players may choose to pass, or turns are not in plain rotation.
    """
    if rules.passing is not None:
        return True
    return rules.no_moves == "passes" and bool(rules.order or rules.again or rules.together
                                               or any(rule.is_chance for rule in rules.moves))


def _phases(rules: hir.Rules, board: Board, moves: Sequence[_Case],
            forced: Sequence[_Case]) -> tuple[RankingFunction | None, list[_Case]]:
    """A variable that goes through phases it never returns to, and the moves that advance it; (None, []) if none."""
    for variable in phases.variables(rules, board):
        ways = {(case.rule, case.mover): phases.ways(variable, case.rule, case.mover) for case in (*moves, *forced)}
        heights = phases.heights(variable, ways.values())
        done = [case for case in moves if phases.lowers(ways[case.rule, case.mover], heights)]
        if done:
            return RankingFunction(-1 - variable.number, True, phases=tuple(heights.items())), done
    return None, []


def _top(change: Change, quantity: RankingFunction) -> float:
    """The greatest change of a quantity against its direction; negative where the change is certain progress."""
    low, high = change.of(quantity.number)
    return high if quantity.falls else -low


def _bottom(change: Change, quantity: RankingFunction) -> float:
    """The least change of a quantity against its direction; negative where the change may be progress."""
    low, high = change.of(quantity.number)
    return low if quantity.falls else -high


def _cases(rules: hir.Rules, board: Board, rule: hir.Move | hir.Forced) -> Iterator[_Case]:
    """The possible cases of a rule, each with the change that it makes."""
    for mover in rules.movers(rule):
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
    """Computes how cases move pieces between cells, lazily and once for each case."""

    rules: hir.Rules
    board: Board
    left: int = _MOST_TERMS
    """The number of terms that may still be evaluated."""
    known: dict[_Case, Changes | None] = attrs.field(factory=dict)

    def descent(self, moves: Sequence[_Case], forced: Sequence[_Case]) -> tuple[RankingFunction | None, list[_Case]]:
        """The ranking function by heights, and the moves that certainly lower it; (None, []) where there are none."""
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
        """The changes of a case; None where they are not known."""
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
    """Computes the change that the effects of one rule make."""

    rules: hir.Rules
    contents: Knowledge
    choices: list[hir.Choice]
    onward: bool = True
    """Whether the rules by which a move proceeds are followed."""

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
        """A copy without knowledge of cells and choices, for effects that apply at another time."""
        return Watch(self.rules, self.contents.afresh(), [], self.onward)

    def repeated(self, effects: Sequence[hir.Effect]) -> Change:
        """The change of effects that apply any number of times.

        The contents of a cell stay known if no effect changes cells that may hold the same pieces.
        """
        change = self.afresh().block(effects).perhaps(inf)
        changed = self.touched(effects)
        self.contents.known = {place: held for place, held in self.contents.known.items() if not held & changed}
        return change

    def touched(self, effects: Iterable[hir.Effect]) -> int:
        """The pieces, as a bit mask, that the cells changed by some effects may have held."""
        result = 0
        for effect in effects:
            result |= EFFECTS[type(effect)].touched(self, effect)
        return result

    def chosen(self, choices: Sequence[hir.Choice]) -> Watch:
        """A watch for effects after further choices."""
        for choice in choices:
            self.contents.choose(choice)
        return Watch(self.rules, self.contents, list(choices), self.onward)

    def by_rule(self, rule: int) -> Change:
        """The change when the move proceeds by a rule, and possibly by the rules that this proceeds by."""
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
        """The change of effects of one branch, leaving what is known unchanged."""
        inner = Watch(self.rules, self.contents.copy(), self.choices, self.onward)
        return inner.block(effects)

    def put(self, cells: hir.Expr, piece: hir.Expr, guard: hir.Expr | None) -> Change:
        """The change when a piece is put on cells."""
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
        """The change when a piece is put on all cells of a set; cells chosen in the rule are certainly among them."""
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
        """After a cell changed, forget the contents of every other term that may denote the same cell."""
        known = self.contents.known
        for other in list(known):
            if other != cell and known[other] & held and not (isinstance(other, hir.Expr) and self._apart(cell, other)):
                known[other] = self.contents.every_piece

    def _apart(self, one: hir.Expr, other: hir.Expr) -> bool:
        """Whether two cells certainly differ: chosen by one choice, or one chosen from a set that excludes the other.
        """
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
        """The change when one of `pieces` replaces one of `held`, up to `times` times."""
        change = Change()
        for piece in range(len(self.rules.pieces)):
            bit = 1 << piece
            change.add(piece, (pieces == bit) - bool(held & bit), bool(pieces & bit) - (held == bit))
        return change if times == 1 else change.perhaps(times)

    def carry(self, origin: hir.Expr, destination: hir.Expr) -> Change:
        """The change when the contents of one cell replace those of another."""
        origin, destination = plain(origin), plain(destination)
        here, there = self._held(origin), self._held(destination)
        change = self._replaced(there, 1, 1)
        if here & there and not self._apart(origin, destination):
            change = change.perhaps()
        self.contents.known.clear()
        return change


def _items(cells: hir.Expr) -> list[hir.Expr] | None:
    """The single cells that a set lists; None where it is not such a list."""
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
