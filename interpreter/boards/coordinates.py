"""Names of cells: templates such as `{column:a}{row:1 up}`."""

from __future__ import annotations

import re

import attrs

from interpreter.model.board_maps import BoardError


@attrs.frozen
class Counter:
    """How a template names rows, or columns: by letters or numbers, counted from either end."""

    first: str
    """The name of the first one: `a`, `A`, `@`, `0` or `1`."""
    up: bool
    """Whether counting starts at the bottom row, or at the rightmost column."""

    def text(self, index: int, count: int) -> str:
        """Write the row or column `index` of `count`; after z come aa, ab, ..."""
        number = count - 1 - index if self.up else index
        if self.first.isdigit():
            return str(number + int(self.first))
        letters = ""
        if self.first == "@":  # one before A, as the column to the left of the first
            number -= 1
            if number == -1:
                return "@"
        if number < -1:  # before the first, on a board without borders: no move names these
            return "~" * (-1 - number)
        while number >= 0:
            number, letter = divmod(number, 26)
            letters = chr(ord("A" if self.first == "@" else self.first) + letter) + letters
            number -= 1
        return letters


@attrs.frozen
class Coordinates:
    """A parsed template for the names of cells, such as `{column:a}{row:1 up}`.

    Each of `{row:F}` and `{column:F}` occurs in it once, F being `a`, `A`, `0`, `1` or `@` (the character before A),
    then ` up` where counting starts at the bottom row or the rightmost column. On a hexagon rows are counted within
    their column.
    """

    template: str
    row: Counter
    column: Counter

    @classmethod
    def parse(cls, template: str) -> Coordinates:
        """Parse a template. Raises BoardError when it is not as described above."""
        if any(character.isspace() or character == ";" for character in re.sub(r"\{[^{}]*\}", "", template)):
            raise BoardError(f"coordinates {template!r} contain a space or ';', expected none: they separate moves")
        counters: dict[str, Counter] = {}
        for field in re.findall(r"\{[^{}]*\}|[{}]", template):
            match = re.fullmatch(r"\{(row|column):([aA01@])( up)?\}", field)
            if match is None:
                raise BoardError(
                    f"coordinates {template!r} have the field {field!r}, expected for instance {{row:1}}, {{row:1 up}},"
                    " {column:a}, {column:A} or {column:0}"
                )
            axis, first, up = match.groups()
            if axis in counters:
                raise BoardError(f"coordinates {template!r} name the {axis} twice, expected it once")
            counters[axis] = Counter(first, up is not None)
        for axis in ("row", "column"):
            if axis not in counters:
                raise BoardError(f"coordinates {template!r} leave out the {axis}, expected one field {{{axis}:...}}")
        return cls(template, counters["row"], counters["column"])

    def name(self, row: str, column: str) -> str:
        """Make a cell's name from the texts of its row and column."""
        return re.sub(r"\{(row|column)[^}]*\}", lambda match: row if match[1] == "row" else column, self.template)
