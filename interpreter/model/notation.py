"""Moves as text: written by the game's `notation`, read back by comparing with the texts of the legal moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import permutations, product

import attrs

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELL, DIRECTION, PIECE, PLAYER, Enumerated
from interpreter.boards import Board
from interpreter.model.state import PASS, SWAP, Move, State, WorkingState
from interpreter.semantics.evaluate import Evaluator
from interpreter.semantics.functions import Function

MOST_REMEMBERED = 10_000
"""The most moves whose texts are remembered: reading a move on 19x19 takes a third of the time with them."""


class Notation:
    """Writes and reads the moves of one game on one board."""

    def __init__(self, rules: hir.Rules, board: Board, evaluator: Evaluator) -> None:
        self.rules = rules
        self.board = board
        self._templates: dict[int, list[list[str | tuple[Function, hir.Field]]]] = {
            PASS: [["pass"]], SWAP: [["swap"]],
        }
        self._choices: dict[int, tuple[hir.Choice, ...]] = {PASS: (), SWAP: ()}
        self._proceed: dict[int, hir.Proceed | None] = {PASS: None, SWAP: None}
        sizes = []
        for number, templates in rules.notations.items():
            self._templates[number] = [
                [part if isinstance(part, str) else (evaluator.compile(part.term), part) for part in template]
                for template in templates
            ]
            sizes += [part.slot for template in templates for field in template if isinstance(field, hir.Field)
                      for part in hir.walk(field.term)
                      if isinstance(part, (hir.Local, hir.Binding, hir.Let))]
        for number, rule in enumerate(rules.moves):
            self._choices[number], self._proceed[number] = whole_choices(rule)
        slots = [slot for choices in self._choices.values() for choice in choices for slot in choice.slots]
        self._size = 1 + max([*sizes, *slots], default=0)
        self._fixed = {number for number, templates in self._templates.items() if self._proceed[number] is None
                       and all(isinstance(part, str) or isinstance(part[1].term, hir.Local)
                               for template in templates for part in template)}
        """The rules whose moves are written the same in every state."""
        self._readings: dict[Move, tuple[str, ...]] = {}
        """A cache of what moves of these rules are written as."""
        self._steps: dict[tuple[int, int, int], Step] = {}
        """A cache by rule, number of choices given, and index of the first value."""

    def write(self, state: State, move: Move) -> str:
        """Write a move that is made in a state."""
        return self._written(state, move, self._templates[move.rule][0])

    def readings(self, state: State, move: Move) -> Iterable[str]:
        """Every text that means the move: all templates, unordered choices in any order; `write`'s text first."""
        if move.rule not in self._fixed:
            return self._all_readings(state, move)
        result = self._readings.get(move)
        if result is None:
            result = tuple(self._all_readings(state, move))
            if len(self._readings) < MOST_REMEMBERED:
                self._readings[move] = result
        return result

    def _all_readings(self, state: State, move: Move) -> Iterator[str]:
        for template in self._templates[move.rule]:
            for values in self.orders(move):
                yield self._written(state, Move(move.rule, values), template)

    def read(self, state: State, text: str, legal: Sequence[Move]) -> list[Move]:
        """The legal moves that a text means: none or one, more only where a notation is ambiguous.

        Exact texts take precedence; if none matches, the comparison ignores case.
        """
        wanted = text.strip()
        result = [move for move in legal if wanted in self.readings(state, move)]
        if result:
            return result
        folded = wanted.casefold()
        return [move for move in legal if any(reading.casefold() == folded for reading in self.readings(state, move))]

    def orders(self, move: Move) -> Iterable[tuple[int, ...]]:
        """The values of a move in every permitted order: those of unordered choices are permuted."""
        stretches = [stretch for step in self.steps(move) for stretch in step.stretches]
        if not stretches:
            return [move.values]
        orders = []
        for arranged in product(*(permutations(move.values[start:stop]) for start, stop in stretches)):
            values = list(move.values)
            for (start, stop), part in zip(stretches, arranged, strict=True):
                values[start:stop] = part
            orders.append(tuple(values))
        return orders

    def steps(self, move: Move) -> Iterator[Step]:
        """Yield the steps of a move: one, or several where it continues by a rule."""
        rule, given, at = move.rule, 0, 0
        while True:
            step = self._steps.get((rule, given, at))
            if step is None:
                step = self._steps[rule, given, at] = Step(rule, given, at, self._choices[rule][given:])
            yield step
            at += step.count
            onward = self._proceed[rule]
            if onward is None or at >= len(move.values):
                return
            rule, given = onward.rule, len(onward.given)

    def _written(self, state: State, move: Move, template: Sequence[str | tuple[Function, hir.Field]]) -> str:
        """Write the first step by a template; further steps are written by the first template of their rules."""
        table = WorkingState(state)
        text = ""
        before: list[int | None] = []
        onward: hir.Proceed | None = None
        for step in self.steps(move):
            bound: list[int | None] = [None] * self._size
            if onward is not None:
                firsts = self._choices[step.rule][: step.given]
                for local, choice in zip(onward.given, firsts, strict=True):
                    bound[choice.slots[0]] = before[local.slot]
                template = self._rest(step)
            values = move.values[step.start : step.start + step.count]
            for slot, value in zip(step.slots, values, strict=False):
                bound[slot] = value
            if len(values) < step.count:  # a further choice was not made
                template = _before(template, set(step.slots[len(values):]))
            text += "".join(part if isinstance(part, str) else self.value_text(part[1], part[0](table, bound))
                            for part in template)
            before, onward = bound, self._proceed[step.rule]
        return text

    def _rest(self, step: Step) -> Sequence[str | tuple[Function, hir.Field]]:
        """The part of a rule's template that writes a further step: what follows the choices that it is given."""
        template = self._templates[step.rule][0]
        new = set(step.slots)
        last = -1
        for at, part in enumerate(template):
            if isinstance(part, str):
                continue
            if any(isinstance(term, hir.Local) and term.slot in new for term in hir.walk(part[1].term)):
                break
            last = at
        return template[last + 1 :]

    def value_text(self, field: hir.Field, value: int | None) -> str:
        """A value as the notation writes it: a cell's name, a piece's glyph or sign, a player's name, a number."""
        if value is None:
            return "none"
        sort = field.term.sort
        if sort == CELL:
            return self.board.names[value]
        if sort == PIECE:
            piece = self.rules.pieces[value]
            return self.rules.empty_glyph if value == 0 else piece.sign or piece.glyph
        if sort == PLAYER:
            return self.rules.players[value]
        if sort == DIRECTION:
            return self.board.directions[value]
        if sort == BOOLEAN:
            return "yes" if value else "no"
        if isinstance(sort, Enumerated):
            return sort.values[value]
        if field.style in ("a", "A"):
            return _letters(value, field.style)
        return str(value + 1 if field.style == "1" else value)


@attrs.frozen(slots=False)
class Step:
    """One step of a move: its rule, the number of given choices, the index of its first value, its own choices."""

    rule: int
    given: int
    start: int
    choices: tuple[hir.Choice, ...]

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """The slots of its choices."""
        return tuple(slot for choice in self.choices for slot in choice.slots)

    @property
    def count(self) -> int:
        """The number of its values."""
        return len(self.slots)

    @cached_property
    def stretches(self) -> list[tuple[int, int]]:
        """The index ranges of its unordered choices in the move's values, as (start, stop)."""
        result, at = [], self.start
        for choice in self.choices:
            if len(choice.slots) > 1:
                result.append((at, at + len(choice.slots)))
            at += len(choice.slots)
        return result


def whole_choices(rule: hir.Move) -> tuple[tuple[hir.Choice, ...], hir.Proceed | None]:
    """All choices of a rule, further ones after the first, and the `Proceed` by which it continues, if any."""
    return _whole(rule.choices, rule.body)


def _whole(choices: tuple[hir.Choice, ...],
           body: tuple[hir.Effect, ...]) -> tuple[tuple[hir.Choice, ...], hir.Proceed | None]:
    """All choices of a rule, further ones after the first, and the `Proceed` by which it continues, if any."""
    last = body[-1] if body else None
    if isinstance(last, hir.Then):
        further, onward = _whole(last.choices, last.body)
        return choices + further, onward
    return choices, last if isinstance(last, hir.Proceed) else None


def _before(template: Sequence[str | tuple[Function, hir.Field]],
            unmade: set[int]) -> Sequence[str | tuple[Function, hir.Field]]:
    """The part of a template before the first field that reads a choice not made, and before the text next to it."""
    for at, part in enumerate(template):
        if not isinstance(part, str) and any(
                isinstance(term, hir.Local) and term.slot in unmade for term in hir.walk(part[1].term)):
            return template[: at - 1 if at and isinstance(template[at - 1], str) else at]
    return template


def _letters(value: int, first: str) -> str:
    """Write 0, 1, ... as a, b, ..., z, aa, ab, ..."""
    text = ""
    value += 1
    while value > 0:
        value, rest = divmod(value - 1, 26)
        text = chr(ord(first) + rest) + text
    return text
