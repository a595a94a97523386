"""Entering a move choice by choice: the possible next choices, and the moves that the choices so far complete.

Choices are those of `dslgame.web.choosing`: `c12` a cell, `r2:3` a row, `k3:d` a column, `p4` a piece, `v1:north` a
value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import attrs

from dslgame.web.choosing import Chooser
from interpreter.game import Game, Position

ON_BOARD = "crk"
"""The first letters of choices that are made on the board."""


@attrs.frozen(slots=False)
class Situation:
    """The possible continuations of some choices."""

    options: dict[str, list[str]]
    """The possible next choices, each with the texts of the moves that it leads to, as far as these are listed."""
    complete: list[str]
    """The texts of the moves that the choices so far complete."""
    count: int
    """The number of moves that begin with the choices so far."""

    @cached_property
    def _places(self) -> dict[tuple[str, int], list[str]]:
        """The next choices that are made on the board, by letter and the number of the cell, row or column."""
        result: dict[tuple[str, int], list[str]] = {}
        for choice in self.options:
            if choice[0] in ON_BOARD:
                result.setdefault((choice[0], int(choice[1:].partition(":")[0])), []).append(choice)
        return result

    def at(self, game: Game, cell: int) -> list[str]:
        """The choices that a click on a cell can mean: the cell, its row, its column."""
        board, places = game.board, self._places
        result = places.get(("c", cell), [])
        if board.row_of:
            result = result + places.get(("r", board.row_of[cell]), []) + places.get(("k", board.column_of[cell]), [])
        return result


class Choices:
    """The choices made so far in a position."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.chosen: list[str] = []
        self._chooser = Chooser(position.game)

    def situation(self) -> Situation:
        """The continuations of the choices so far."""
        options: dict[str, list[str]] = {}
        complete: dict[str, None] = {}
        moves: set[str] = set()
        if self.position.over:
            return Situation({}, [], 0)
        for text, path in self._entries():
            steps = [str(step) for step in path[1:]]
            if steps[: len(self.chosen)] != self.chosen:
                continue
            if text is not None:
                moves.add(text)
            if len(steps) > len(self.chosen):
                options.setdefault(steps[len(self.chosen)], []).extend([] if text is None else [text])
            elif text is not None:
                complete[text] = None
        return Situation(options, list(complete), len(moves))

    def _entries(self) -> list[tuple[str | None, Sequence[int | str]]]:
        """Moves with their paths; where they are too many to be listed, beginnings of paths, with None for the move."""
        listing = self._chooser.listing(self.position)
        if listing.moves is not None:
            return [(text, path) for text, paths in listing.moves for path in paths]
        if not self.chosen:
            return [(None, path) for path in listing.next or ()]
        rules = {int(path[0]) for path in listing.next or ()}
        result: list[tuple[str | None, Sequence[int | str]]] = []
        for rule in sorted(rules):
            part = self._chooser.listing(self.position, [rule, *self.chosen])
            result += [(text, path) for text, paths in part.moves or () for path in paths]
            result += [(None, path) for path in part.next or ()]
        return result

    def choose(self, choice: str) -> str | None:
        """Make a choice; the text of the move if that completes exactly one and no further choice is possible, else
        None."""
        self.chosen.append(choice)
        situation = self.situation()
        if len(situation.complete) == 1 and not situation.options:
            return situation.complete[0]
        return None

    def back(self) -> bool:
        """Undo the last choice; False where there is none."""
        if self.chosen:
            self.chosen.pop()
            return True
        return False

    def words(self, choice: str) -> str:
        """A choice as a readable text."""
        game = self.position.game
        label = choice.partition(":")[2]
        match choice[0]:
            case "c":
                return game.board.names[int(choice[1:])]
            case "p":
                number = int(choice[1:])
                return game.piece_names[number] if number else "empty"
            case "r":
                return f"row {label}"
            case "k":
                return f"column {label}"
        return label
