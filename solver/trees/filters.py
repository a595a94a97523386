"""Filters that leave moves and positions out of a tree, written as conditions in the language of the game's file.

`read_filter(game, "some (edges and mine)")` leaves out moves after which the condition holds, with `mover` for the
player who moved; `read_filter(game, "left: no (row(r) and occupied)")` leaves out moves of the rule `left` before which
it holds, with the rule's names for the move's values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from dsl import hir
from dsl.diagnostics import Diagnostic
from dsl.resolve.declarations import resolve_condition
from dsl.resolve.sorts import BOOLEAN
from dsl.syntax.parser import parse
from interpreter.build import make_engine
from interpreter.game import Game
from interpreter.model.state import Move, State, WorkingState
from interpreter.semantics.functions import Function

_OF_MOVE = re.compile(r"\s*([A-Za-z_][A-Za-z_0-9]*)\s*:(?!=)\s*(.*)", re.DOTALL)


class FilterError(ValueError):
    """A filter is invalid; the text explains it to its author."""


@attrs.frozen(eq=False)
class Filter:
    """A condition for leaving moves out; `rule` is the number of the move rule that it applies to, -1 for all."""

    text: str
    rule: int
    condition: hir.Condition
    ask: Function

    def leaves_out(self, game: Game, before: State, move: Move, after: State) -> bool:
        """Whether a move from one state to another is left out."""
        if self.rule < 0:
            return bool(self.ask(game.engine.just_moved(after, before), [None] * self.condition.slots))
        if move.rule != self.rule:
            return False
        bound: list[int | None] = [None] * self.condition.slots
        slots = [slot for choice in choices_of(game.rules.moves[self.rule]) for slot in choice.slots]
        for slot, value in zip(slots, move.values, strict=False):
            if slot < len(bound):
                bound[slot] = value
        return bool(self.ask(WorkingState(before), bound))


def read_filter(game: Game, text: str) -> Filter:
    """Parse a filter. Raises FilterError."""
    match = _OF_MOVE.fullmatch(text)
    name, words = (match[1], match[2]) if match else ("", text)
    result = resolve_condition(parse(game.rules.source).file, game.params, words, name)
    if isinstance(result, Diagnostic):
        phrase = result.phrase.removeprefix(f"in '{{{words}}}': ")
        raise FilterError(f"in the filter '{text}': {phrase}" + (f"; {result.help}" if result.help else ""))
    number = [rule.name for rule in game.rules.moves].index(name) if name else -1
    return Filter(text, number, result, game.engine.evaluator.compile(result.term))


def choices_of(rule: hir.Move) -> Sequence[hir.Choice]:
    """All choices of a rule, including those of its later steps."""
    result, body = list(rule.choices), rule.body
    while body and isinstance(body[-1], hir.Then):
        result += body[-1].choices
        body = body[-1].body
    return result


def without_moves(game: Game, filters: Sequence[Filter]) -> Game | None:
    """Return a game for the kernel, with the filters in its rules; None where that could change ends, or is impossible.

    A filter of moves becomes a guard of the rule's last choice, one of positions an `illegal when`.
    """
    if not filters:
        return game
    rules = game.rules
    if rules.no_moves or rules.passing is not None or rules.pies or any(
            isinstance(part, hir.NoMoves) for part in hir.walk_rules(rules)):
        return None
    moves = list(rules.moves)
    illegal = list(rules.illegal)
    for item in filters:
        if item.rule < 0:
            illegal.append(item.condition)
            continue
        rule = moves[item.rule]
        if not rule.choices or len(choices_of(rule)) > len(rule.choices) or (
                rule.body and isinstance(rule.body[-1], hir.Proceed)):
            return None
        span = rule.span
        refused = hir.Not(item.condition.term, sort=BOOLEAN, span=span)
        last = rule.choices[-1]
        guard = refused if last.guard is None else hir.All((last.guard, refused), sort=BOOLEAN, span=span)
        moves[item.rule] = attrs.evolve(rule, choices=(*rule.choices[:-1], attrs.evolve(last, guard=guard)),
                                        slots=max(rule.slots, item.condition.slots))
    changed = attrs.evolve(rules, moves=tuple(moves), illegal=tuple(illegal))
    engine = make_engine(changed, game.board, game.engine.swap)
    return Game(changed, game.board, engine, game.declared, game.symmetries)
