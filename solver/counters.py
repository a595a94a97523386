"""Counters whose only effect is to end the game in a draw, such as moves without a capture: variables that are `aside`.

Endgame tables leave them out. A draw in a table is a draw with the counters, as a player who holds it without them
holds it until they end the game; a win in a table is a win with them if it comes before they can end the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from dsl import hir
from interpreter.game import Game
from interpreter.model.state import State
from solver.errors import Refused


@attrs.frozen
class Counter:
    """A variable whose only effect is to end the game in a draw."""

    place: int
    """Its index among the values of a state."""
    step: int
    """The most that a move adds to it."""
    top: int
    """The largest number that a move sets it to."""
    limit: int
    """The least value at which a rule may end the game."""

    def allows(self, state: State, plies: int) -> bool:
        """Whether the counter cannot end the game within `plies` from a state."""
        return max(state.values[self.place] or 0, self.top) + plies * self.step < self.limit


def check_counters(game: Game) -> None:
    """Check that the values of a game's positions depend neither on the moves before nor on counters.

    Raises Refused where they do.
    """
    if game.looks_back not in ("", "draws"):
        raise Refused(f"{game.title}: 'repetition {game.looks_back}' makes values depend on the moves before, so that "
                      "a table of positions cannot have them")
    if counters_of(game) is None:
        names = ", ".join(kind.name for kind in game.rules.variables if kind.aside)
        raise Refused(f"{game.title}: endgames leave out variables that are 'aside', and {names} does more than count "
                      "up to a draw, as in 'draw when quiet = 100'")


def counters_of(game: Game) -> tuple[Counter, ...] | None:
    """The counters of a game: its variables that are `aside`. None where one does more than count up to a draw."""
    rules, evaluator = game.rules, game.engine.evaluator
    goes_on = any(isinstance(part, hir.Proceed) for part in hir.walk_rules(rules))
    rule_of = {id(effect): 0 if goes_on else rule for rule, move in enumerate(rules.moves)
               for effect in _once(move.body)}  # a move that goes on may combine all rules
    result = []
    for number, kind in enumerate(rules.variables):
        if not kind.aside:
            continue
        if kind.index:
            return None
        steps, tops, limits = [0 for _ in rules.moves], [0], []
        uses = sum(isinstance(part, hir.Variable) and part.number == number for part in hir.walk_rules(rules))
        for part in hir.walk_rules(rules):
            if isinstance(part, hir.SetVariable) and part.number == number:
                raised = _raised(part.value, number)
                if raised is None or (raised[0] and id(part) not in rule_of):
                    return None
                steps[rule_of.get(id(part), 0)] += raised[0]
                tops.append(raised[1])
                uses -= _uses(part.value, number)
        for end in rules.ends:
            here = _uses(end.condition.term, number)
            limit = _limit(end, number)
            if here and limit is None:
                return None
            uses -= here
            limits += [] if limit is None else [limit]
        if uses:
            return None
        result.append(Counter(evaluator.offsets[number], max(steps), max(tops), min(limits, default=1 << 60)))
    return tuple(result)


def _once(effects: Iterable[hir.Effect]) -> Iterator[hir.Effect]:
    """Yield the effects that happen at most once in a move: not those in loops, nor in the rules that it goes on by."""
    for effect in effects:
        yield effect
        if isinstance(effect, hir.If):
            yield from _once((*effect.yes, *effect.no))


def _uses(term: hir.Expr, number: int) -> int:
    """The number of times that a term reads a variable."""
    return sum(isinstance(part, hir.Variable) and part.number == number for part in hir.walk(term))


def _raised(term: hir.Expr, number: int) -> tuple[int, int] | None:
    """Bounds on the value of a term that a variable is set to; None where there are none.

    The most that it adds to the variable, and the largest number where it does not depend on the variable.
    """
    match term:
        case hir.Literal(value=bool()):
            return None
        case hir.Literal(value=int(value)):
            return 0, value
        case hir.Variable(number=asked, index=None) if asked == number:
            return 0, 0
        case hir.Arithmetic(operator="+", left=hir.Variable(number=asked, index=None),
                            right=hir.Literal(value=int(value))) if asked == number:
            return max(0, value), 0
        case hir.IfElse(yes=yes, no=no):
            return _both(_raised(part, number) for part in (yes, no))
        case hir.Apply(function="min", arguments=arguments):
            return next((result for part in arguments if not isinstance(part, hir.Literal)
                         and (result := _raised(part, number)) is not None), None)
    return None


def _both(result: Iterable[tuple[int, int] | None]) -> tuple[int, int] | None:
    pairs: Sequence[tuple[int, int] | None] = list(result)
    known = [pair for pair in pairs if pair is not None]
    return (max(step for step, _ in known), max(top for _, top in known)) if len(known) == len(pairs) else None


def _limit(end: hir.End, number: int) -> int | None:
    """The least value of a variable at which a rule ends the game in a draw; None where that is not clear."""
    match end.condition.term:
        case hir.Comparison(operator="=" | ">=", left=hir.Variable(number=asked), right=hir.Literal(value=int(value))):
            return value if asked == number and end.kind == "draw" else None
    return None
