"""Lines, spans and counts that no position of a game's board reaches: seen on the board, without playing.

`unreachable(game)` looks at each question for so many cells, with `interpreter.analysis.bounds` on a board that may
hold anything anywhere, and warns where the answer is no in every position. What the params switch off is left out: a
question behind `rows > 3 and ...` is not asked on a board of three rows. `interpreter.analysis.dynamic_checks` calls
this.
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
"""So many terms are looked at for each question; where there are more, nothing is said of it."""
_COUNTING = ("exactly", "at least")


def unreachable(game: Game) -> list[Diagnostic]:
    """A warning for each question of a game's rules that asks for more cells than there can ever be."""
    result: dict[Diagnostic, int] = {}
    players = range(len(game.rules.players))
    for mover in players:
        look = _Look(game.rules, game.board, mover)
        for item in dict.fromkeys(look.rules_of_play()):
            result[item] = result.get(item, 0) + 1
    return [item for item, times in result.items() if times == len(players)]


@attrs.define(eq=False)
class _Look:
    """Looks at all rules, for one player as the mover."""

    rules: hir.Rules
    board: Board
    mover: int
    known: BoardBounds = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.known = BoardBounds(self.rules, self.mover, board=self.board, left=_MOST_TERMS)

    def rules_of_play(self) -> Iterator[Diagnostic]:
        """What is found in moves, forced rules, conditions and ends."""
        rules = self.rules
        items = [*rules.moves, *rules.after, *rules.forced, *rules.illegal, *rules.again, *rules.passes, rules.passing,
                 *rules.pies, rules.ranking, *rules.ends]
        for item in items:
            self.known.bound.clear()
            yield from self.within(item)

    def within(self, node: object) -> Iterator[Diagnostic]:
        """What is found in a part of the rules and everything inside it, but for what the params switch off."""
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
        """What a parameter of a definition stands for, where that is known."""
        try:
            self.known.bound[term.slot] = self.known.of(term.value)
        except Unclear:
            self.known.bound.pop(term.slot, None)

    def question(self, term: hir.Expr) -> str:
        """What is wrong with a question, or ''. Raises Unclear."""
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
        """For a line of at least so many cells of a set."""
        most = self.known.cells(cells).most
        longest = 0
        while longest < length and self.board.has_line(most, longest + 1):
            longest += 1
        if longest >= length:
            return ""
        return f"{length:.0f} cells never stand in a line here, expected at most {longest}"

    def count(self, operator: str, left: hir.Expr, right: hir.Expr) -> str:
        """For a count compared with a number."""
        one, other = self.number(left), self.number(right)
        if compared(operator, one, other) is not False:
            return ""
        counted = one if _counts(left) else other
        shown = f"{counted.low:.0f}" if counted.low == counted.high else f"{counted.low:.0f} to {counted.high:.0f}"
        return f"this never holds: what is counted is {shown}"

    def number(self, term: hir.Expr) -> Interval:
        """The range of a number: by the board, and by its sort."""
        value = self.known.of(term)
        low, high = value if isinstance(value, Interval) else (-inf, inf)
        if isinstance(term.sort, Integer):
            low, high = max(low, term.sort.low), min(high, term.sort.high)
        return Interval(low, high)

    def size(self, domain: hir.Expr) -> float:
        """How many elements a set has at most."""
        if domain.sort == CELLS:
            return self.known.cells(domain).most.bit_count()
        value = None if isinstance(domain, hir.Numbers) else self.known.of(domain)
        return value.most.bit_count() if isinstance(value, CellBounds) else inf


def _counts(term: hir.Expr) -> bool:
    """Whether a number is a count, or one with something added."""
    if isinstance(term, hir.Arithmetic):
        return term.operator in ("+", "-") and (_counts(term.left) or _counts(term.right))
    return isinstance(term, hir.Apply | hir.Aggregate) and WORDS[
        term.function if isinstance(term, hir.Apply) else term.kind].form is Form.COUNT


def _settled(condition: hir.Expr) -> bool | None:
    """Whether the params alone make a condition true or false; None where it asks anything of the board."""
    asking = hir.Quantified | hir.Aggregate | hir.Closure | hir.Cheapest | hir.Apply
    if condition.sort != BOOLEAN or any(isinstance(part, asking) for part in hir.walk(condition)):
        return None
    return certainly(condition)
