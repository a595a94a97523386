"""Static check for lines, spans and counts that no position on a game's board can reach.

`unreachable(game)` evaluates each condition on a number of cells, with `interpreter.analysis.bounds` on a board where
any cell may hold anything, and warns where it is false in every position. Conditions that the params disable are
skipped: one behind `rows > 3 and ...` is not checked on a board of three rows. `interpreter.analysis.dynamic_checks`
calls this.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import attrs

from dsl import hir
from dsl.checks.bounds import CellBounds, Interval, certainly, compared
from dsl.diagnostics import Diagnostic, warning
from dsl.resolve.sorts import BOOLEAN, CELLS, Integer
from dsl.words import WORDS, Form
from interpreter.analysis.bounds import BoardBounds, Unclear
from interpreter.boards import Board
from interpreter.game import Game

_MOST_TERMS = 100_000
"""The most terms evaluated for each condition; a condition that needs more is not reported."""
_COUNTING = ("exactly", "at least")


def unreachable(game: Game) -> list[Diagnostic]:
    """A warning for each condition of a game's rules that asks for more cells than there can ever be."""
    result: dict[Diagnostic, int] = {}
    players = range(len(game.rules.players))
    for mover in players:
        look = _Look(game.rules, game.board, mover)
        for item in dict.fromkeys(look.rules_of_play()):
            result[item] = result.get(item, 0) + 1
    return [item for item, times in result.items() if times == len(players)]


@attrs.define(eq=False)
class _Look:
    """Checks all rules, with one player as the mover."""

    rules: hir.Rules
    board: Board
    mover: int
    known: BoardBounds = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.known = BoardBounds(self.rules, self.mover, board=self.board, left=_MOST_TERMS)

    def rules_of_play(self) -> Iterator[Diagnostic]:
        """Findings in moves, forced rules, conditions and ends."""
        rules = self.rules
        items = [*rules.moves, *rules.after, *rules.forced, *rules.illegal, *rules.again, *rules.passes, rules.passing,
                 *rules.pies, rules.ranking, *rules.ends]
        for item in items:
            if item is None or self.mover not in rules.movers(item):
                continue
            self.known.bound.clear()
            yield from self.within(item)

    def within(self, node: object) -> Iterator[Diagnostic]:
        """Findings in a part of the rules and everything inside it, except for what the params disable."""
        if isinstance(node, hir.IfElse | hir.If) and (settled := _settled(node.condition)) is not None:
            yield from self.within(node.yes if settled else node.no)
            return
        inside = list(hir.parts(node))
        if not isinstance(node, hir.Any | hir.Not) and any(
                isinstance(part, hir.Expr) and _settled(part) is False for part in inside):
            return
        if isinstance(node, hir.Let):
            self.bind(node)
        if isinstance(node, hir.Expr):
            self.known.left = _MOST_TERMS
            try:
                phrase = self.question(node)
            except Unclear:
                phrase = ""
            if phrase:
                yield warning("G318", phrase, node.span, help="take a smaller number or a larger board")
        for part in inside:
            yield from self.within(part)

    def bind(self, term: hir.Let) -> None:
        """Bind a parameter of a definition to its bounds, where these are known."""
        try:
            self.known.bound[term.slot] = self.known.of(term.value)
        except Unclear:
            self.known.bound.pop(term.slot, None)

    def question(self, term: hir.Expr) -> str:
        """The message for a condition that never holds, or ''. Raises Unclear."""
        match term:
            case hir.Apply(function=function, arguments=(cells, length)) if WORDS[function].along_lines:
                return self.line(cells, self.number(length).low)
            case hir.Apply(function="spans", arguments=(_, length)):
                least, widest = self.number(length).low, max(len(self.board.rows), len(self.board.columns))
                if least > widest:
                    return f"nothing spans {least:.0f} rows or columns here, expected at most {widest}"
            case hir.Comparison(operator=operator, left=left, right=right) if _counts(left) or _counts(right):
                return self.count(operator, left, right)
            case hir.Quantified(kind=kind, number=number, binding=binding) if kind in _COUNTING:
                most = self.size(binding.domain)
                if number > most:
                    return f"there are never {number} to fulfil this, expected at most {most:.0f}"
        return ""

    def line(self, cells: hir.Expr, length: float) -> str:
        """The message for a line of at least `length` cells of a set, or ''."""
        most = self.known.cells(cells).most
        longest = 0
        while longest < length and self.board.has_line(most, longest + 1):
            longest += 1
        if longest >= length:
            return ""
        return f"{length:.0f} cells never stand in a line here, expected at most {longest}"

    def count(self, operator: str, left: hir.Expr, right: hir.Expr) -> str:
        """The message for a count compared with a number, or ''."""
        one, other = self.number(left), self.number(right)
        if compared(operator, one, other) is not False:
            return ""
        counted = one if _counts(left) else other
        shown = f"{counted.low:.0f}" if counted.low == counted.high else f"{counted.low:.0f} to {counted.high:.0f}"
        return f"this never holds: what is counted is {shown}"

    def number(self, term: hir.Expr) -> Interval:
        """The range of a number, by the bounds and by its sort."""
        value = self.known.of(term)
        low, high = value if isinstance(value, Interval) else (-inf, inf)
        if isinstance(term.sort, Integer):
            low, high = max(low, term.sort.low), min(high, term.sort.high)
        return Interval(low, high)

    def size(self, domain: hir.Expr) -> float:
        """The most elements that a set can have."""
        if domain.sort == CELLS:
            return self.known.cells(domain).most.bit_count()
        value = None if isinstance(domain, hir.Numbers) else self.known.of(domain)
        return value.most.bit_count() if isinstance(value, CellBounds) else inf


def _counts(term: hir.Expr) -> bool:
    """Whether a number is a count, or a sum or difference with a count in it."""
    if isinstance(term, hir.Arithmetic):
        return term.operator in ("+", "-") and (_counts(term.left) or _counts(term.right))
    return isinstance(term, hir.Apply | hir.Aggregate) and WORDS[
        term.function if isinstance(term, hir.Apply) else term.kind].form is Form.COUNT


def _settled(condition: hir.Expr) -> bool | None:
    """The truth value of a condition that the params alone decide; None where it depends on the board."""
    asking = hir.Quantified | hir.Aggregate | hir.Closure | hir.Cheapest | hir.Apply
    if condition.sort != BOOLEAN or any(isinstance(part, asking) for part in hir.walk(condition)):
        return None
    return certainly(condition)
