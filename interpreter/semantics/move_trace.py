"""Traces a move: which forced rules applied where, what took it back, which end decided.

`explain(position, text)` plays one move and records the rules at work. `dslgame show --why` prints the result.
"""

from __future__ import annotations

import attrs

from dsl import hir
from dsl.resolve.sorts import SetOf
from dsl.syntax.source import Span
from interpreter.boards import members
from interpreter.game import Position
from interpreter.model.state import SWAP, Move
from interpreter.semantics.forced import Applied


@attrs.frozen
class Step:
    """One application of a forced rule: the rule, its line, its choices as text by name, and what changed."""

    rule: str
    line: int
    choices: dict[str, str]
    changes: dict[str, str]
    """The cells whose pieces changed, each with the piece that it holds now ('empty' for none)."""

    def __str__(self) -> str:
        chosen = ", ".join(f"{name} = {value}" for name, value in self.choices.items())
        changed = ", ".join(f"{cell} {piece}" for cell, piece in self.changes.items())
        return (f"forced {self.rule}" + f" at {chosen}" * bool(chosen) + f" (line {self.line})"
                + f": {changed}" * bool(changed))


@attrs.frozen
class Why:
    """The trace of a move."""

    move: str
    """The move in the game's notation."""
    rule: str
    """The rule that offered it: `move NAME`, `pass` or `swap`."""
    line: int
    steps: tuple[Step, ...]
    """The forced rules in the order in which they applied."""
    taken_back: str
    """The rule that took it back, `illegal when` or `repetition forbidden`, as in the file; '' for a legal move."""
    taken_back_line: int
    end: str
    """The rule that ended the game, as in the file; '' where the game goes on."""
    end_line: int
    outcome: str | None
    """None where the game goes on, "draw", or the name of the player who won."""
    board: str
    """A drawing of the board after the move, even if it was taken back."""

    @property
    def legal(self) -> bool:
        """Whether the move was not taken back."""
        return not self.taken_back


def explain(position: Position, text: str) -> Why:
    """Trace a move, also one that `illegal when` takes back.

    Raises IllegalMove for a move that no move rule offers, RuleError where a rule fails.
    """
    game, state = position.game, position.state
    candidates = list(game.engine.candidates(state))
    result = game.notation.read(state, text, candidates)
    if len(result) != 1:
        result = [position.find(text)]  # raises what is wrong with the text, or finds a pass for lack of moves
    (move,) = result
    rules = game.rules
    applied: list[Applied] = []
    raw, taken_back = game.engine.watch(state, move, applied)
    steps = tuple(Step(item.rule.name, item.rule.span.line, _choices(position, item), _changes(position, item))
                  for item in applied)
    name, span = _maker(position, move)
    after = end = None
    if taken_back is None and move not in position.legal():
        taken_back = rules.repetition_span
    if taken_back is None:
        after = position.play(move)
        end = _end(position, after)
    return Why(
        move=game.notation.write(state, move),
        rule=name,
        line=span.line,
        steps=steps,
        taken_back="" if taken_back is None else _line(position, taken_back),
        taken_back_line=0 if taken_back is None else taken_back.line,
        end="" if end is None else _line(position, end),
        end_line=0 if end is None else end.line,
        outcome=None if after is None else after.outcome,
        board=game.drawing(raw if after is None else after.state),
    )


def _maker(position: Position, move: Move) -> tuple[str, Span]:
    """The name and span of the rule that offers a move."""
    rules, first = position.game.rules, position.game.rules.moves[0].span
    if move.rule >= 0:
        return f"move {rules.moves[move.rule].name}", rules.moves[move.rule].span
    if move.rule == SWAP:
        pie = position.game.engine.swap_rule(position.state)
        return "swap", first if pie is None else pie.span
    return "pass", rules.passing.span if rules.passing is not None else rules.no_moves_span or first


def _changes(position: Position, item: Applied) -> dict[str, str]:
    """The names of the cells whose pieces changed, each with the piece that it holds now."""
    names = position.game.piece_names
    result = {}
    for piece, (before, after) in enumerate(zip(item.before, item.after, strict=True)):
        for cell in members(after & ~before):
            result[cell] = names[piece] if piece else "empty"
    return {position.game.board.names[cell]: result[cell] for cell in sorted(result)}


def _choices(position: Position, item: Applied) -> dict[str, str]:
    """The chosen values of a forced rule by name, as the notation writes them."""
    result = {}
    for choice in item.rule.choices:
        element = choice.domain.sort.element if isinstance(choice.domain.sort, SetOf) else choice.domain.sort
        for slot, name in zip(choice.slots, choice.names, strict=True):
            term = hir.Literal(None, sort=element, span=choice.span)
            result[name] = position.game.notation.value_text(hir.Field(term, ""), item.bound[slot])
    return result


def _end(position: Position, after: Position) -> Span | None:
    """The span of the rule that ended the game; None where it goes on."""
    if not after.over:
        return None
    engine, rules = position.game.engine, position.game.rules
    result = engine.ends.deciding(engine.just_moved(after.state, position.state))
    if result is not None:
        return rules.ends[result[0]].span
    repeated = position.game.repetition.holds(after.state._replace(outcome=None), after.history)
    return rules.repetition_span if repeated else rules.no_moves_span


def _line(position: Position, span: Span) -> str:
    """The first line of a rule in its file, without comment and extra spaces."""
    lines = position.game.rules.source.lines
    return " ".join(lines[span.line - 1].split("#")[0].split()) if 0 < span.line <= len(lines) else ""
