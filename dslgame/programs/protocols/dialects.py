"""What protocols say of single games: the letters of columns, komi, scores and handicaps.

The data are in `games/protocols`, beside the games: `DIALECTS` in a module with the protocol's name. The packages know
no game by name; a game without a dialect has its own names for cells, and neither komi nor handicap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from string import ascii_lowercase

import attrs

from dslgame import bundled
from interpreter.game import Game, Position

FOLDER = Path(__file__).resolve().parents[3] / "games" / "protocols"
_CELL = re.compile(r"([A-Za-z])(\d+)")


def no_handicap(size: int, number: int) -> tuple[str, ...]:
    """The handicap of games that have none."""
    return ()


@attrs.frozen
class Dialect:
    """What a protocol says of a game, known by its title."""

    title: str
    letters: str = ascii_lowercase
    """The letters of the columns, in order."""
    komi: str = ""
    """The param with the points that the second player gets; '' where there is none."""
    parts: int = 1
    """By how many the komi and the score of the rules are larger than those of the protocol: 2 for half points."""
    score: str = ""
    """The definition whose value at the end is the first player's lead; '' where there is none."""
    handicap: Callable[[int, int], tuple[str, ...]] = no_handicap
    """The cells of the stones that the first player is given, by the size of the board and their number, which is
    between 2 and the number of its columns; () where there is no place for them."""
    rules: tuple[str, ...] = ()
    """Commands that tell engines the rules, for engines that know these commands."""
    cleanup: str = ""
    """The command for a move in the place of a pass, by which engines that would agree on dead stones capture them."""

    def written(self, move: str) -> str:
        """A move of the game's notation, as the protocol writes it."""
        found = _CELL.fullmatch(move)
        if found is None or self.letters == ascii_lowercase:
            return move
        return self.letters[ascii_lowercase.index(found[1].lower())].upper() + found[2]

    def read(self, text: str) -> str:
        """A move as the protocol writes it, in the game's notation; a text that is no move for a column that the
        protocol does not have.
        """
        found = _CELL.fullmatch(text)
        if found is None or self.letters == ascii_lowercase:
            return text
        column = self.letters.find(found[1].lower())
        return f"{ascii_lowercase[column]}{found[2]}" if column >= 0 else f"{text} (there is no column {found[1]})"

    def labelled(self, line: str, columns: int) -> str:
        """A line of a drawn board: the names of the columns as the protocol has them, other lines as they are."""
        if line.split() != list(ascii_lowercase[:columns]):
            return line
        return line.translate(str.maketrans(ascii_lowercase[: len(self.letters)], self.letters))

    @property
    def komi_kinds(self) -> str:
        """Which komi the rules can have, for people."""
        return "none" if not self.komi else "whole points only" if self.parts == 1 else (
            f"komi in steps of {1 / self.parts:g}")

    def komi_of(self, game: Game) -> str:
        """The komi of a game as a number; '' where it has none."""
        return f"{game.params[self.komi] / self.parts:g}" if self.komi in game.params else ""

    def with_komi(self, points: float) -> dict[str, int] | None:
        """The param for a komi; {} for none in games without, None where the rules cannot have it."""
        if not self.komi:
            return {} if points == 0 else None
        parts = points * self.parts
        return {self.komi: int(parts)} if parts == int(parts) else None

    def lead(self, position: Position) -> Fraction | None:
        """The first player's lead in points; None where the rules have no score."""
        value = position.game.defined(self.score, position.state) if self.score else None
        return None if value is None else Fraction(value, self.parts)


def dialect_of(protocol: str, game: Game) -> Dialect:
    """What a protocol says of a game."""
    path = FOLDER / f"{protocol}.py"
    known: Mapping[str, Dialect] = {} if not path.is_file() else {
        item.title: item for item in bundled.module_at(path).DIALECTS}
    return known.get(game.title, Dialect(game.title))
