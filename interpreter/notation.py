"""Moves as text: written by the game's `notation`, read back by comparing with what the legal moves are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product

from dsl import meaning
from dsl.sorts import BOOLEAN, CELL, DIRECTION, PIECE, PLAYER, Enumerated
from interpreter.boards import Board
from interpreter.evaluate import Evaluator, Function
from interpreter.state import PASS, SWAP, Move, State, Table


class Notation:
    """Writes and reads the moves of one game on one board."""

    def __init__(self, rules: meaning.Rules, board: Board, evaluator: Evaluator) -> None:
        self.rules = rules
        self.board = board
        self._templates: dict[int, list[list[str | tuple[Function, meaning.Field]]]] = {
            PASS: [["pass"]], SWAP: [["swap"]],
        }
        self._slots: dict[int, tuple[int, ...]] = {PASS: (), SWAP: ()}
        self._unordered: dict[int, list[tuple[int, int]]] = {PASS: [], SWAP: []}
        sizes = []
        for number, templates in rules.notations.items():
            self._templates[number] = [
                [part if isinstance(part, str) else (evaluator.compile(part.term), part) for part in template]
                for template in templates
            ]
            sizes += [part.slot for template in templates for field in template if isinstance(field, meaning.Field)
                      for part in meaning.walk(field.term)
                      if isinstance(part, (meaning.Local, meaning.Binding, meaning.Let))]
        for number, rule in enumerate(rules.moves):
            choices = list(_choices(rule.choices, rule.body))
            self._slots[number] = tuple(slot for choice in choices for slot in choice.slots)
            self._unordered[number] = _stretches(choices)
        self._size = 1 + max([*sizes, *(slot for slots in self._slots.values() for slot in slots)], default=0)

    def write(self, state: State, move: Move) -> str:
        """The text of a move that is made in a state."""
        return self._written(state, move, self._templates[move.rule][0])

    def readings(self, state: State, move: Move) -> Iterator[str]:
        """Every text that means the move: all templates, unordered choices in any order; the written one first."""
        for template in self._templates[move.rule]:
            for values in self._orders(move):
                yield self._written(state, Move(move.rule, values), template)

    def read(self, state: State, text: str, legal: Sequence[Move]) -> list[Move]:
        """The legal moves that a text means: none or one, more only where a notation is ambiguous.

        Exact texts first; failing that, capital and small letters are not told apart.
        """
        wanted = text.strip()
        found = [move for move in legal if wanted in self.readings(state, move)]
        if found:
            return found
        folded = wanted.casefold()
        return [move for move in legal if any(reading.casefold() == folded for reading in self.readings(state, move))]

    def _orders(self, move: Move) -> Iterable[tuple[int, ...]]:
        stretches = self._unordered[move.rule]
        if not stretches:
            return [move.values]
        orders = []
        for arranged in product(*(permutations(move.values[start:stop]) for start, stop in stretches)):
            values = list(move.values)
            for (start, stop), part in zip(stretches, arranged, strict=True):
                values[start:stop] = part
            orders.append(tuple(values))
        return orders

    def _written(self, state: State, move: Move, template: Sequence[str | tuple[Function, meaning.Field]]) -> str:
        table = Table(state)
        bound: list[int | None] = [None] * self._size
        for slot, value in zip(self._slots[move.rule], move.values, strict=True):
            bound[slot] = value
        return "".join(
            part if isinstance(part, str) else self.value_text(part[1], part[0](table, bound)) for part in template
        )

    def value_text(self, field: meaning.Field, value: int | None) -> str:
        """A value as the notation writes it: a cell's name, a piece's glyph, a player's name, a number."""
        if value is None:
            return "none"
        sort = field.term.sort
        if sort == CELL:
            return self.board.names[value]
        if sort == PIECE:
            return self.rules.empty_glyph if value == 0 else self.rules.pieces[value].glyph
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


def _choices(choices: tuple[meaning.Choice, ...], body: tuple[meaning.Effect, ...]) -> Iterator[meaning.Choice]:
    """All choices of a move, the further ones after the first."""
    yield from choices
    if body and isinstance(body[-1], meaning.Then):
        yield from _choices(body[-1].choices, body[-1].body)


def _stretches(choices: Iterable[meaning.Choice]) -> list[tuple[int, int]]:
    """Where among a move's values unordered choices stand."""
    found, at = [], 0
    for choice in choices:
        if len(choice.slots) > 1:
            found.append((at, at + len(choice.slots)))
        at += len(choice.slots)
    return found


def _letters(value: int, first: str) -> str:
    """0, 1, ... as a, b, ..., z, aa, ab, ..."""
    text = ""
    value += 1
    while value > 0:
        value, rest = divmod(value - 1, 26)
        text = chr(ord(first) + rest) + text
    return text
