"""Sets of cells in a kernel: one word, a tuple of words, or a vector, with the operations on them.

`Sets` builds the IR of each operation. With one word most are operators; with more they are functions of
`interpreter.compiler.runtime`, which are added to the kernel when they are first used; where sets are vectors, the
kernel imports some of them from `interpreter.kernel.wide`. On boards on which a step is the same distance in board
order from every cell, neighbours, lines and floods of whole sets are computed by shifts; elsewhere they are computed
cell by cell from tables. `Sets` chooses the function and makes its tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from interpreter.boards import Board, mask_of, members
from interpreter.compiler import ir
from interpreter.compiler.build import (
    NO_BITS,
    Given,
    binary,
    bit,
    call,
    compared,
    element,
    expr,
    has_bit,
    inverted,
    known,
    lowest,
    plus,
    popcount,
    row,
    times,
)
from interpreter.compiler.library import Library
from interpreter.compiler.lowering.layout import split
from interpreter.compiler.lowering.writer import Tables
from interpreter.compiler.operations import sorts_of

_MOST_IN_TUPLES, _MOST_SHIFTED = 12, 2
"""Sets of more words are vectors, which take a third as long to compile, but access to a single word is slower. Where
steps are shifts, sets of fewer words already are vectors: the shift of a tuple takes some instructions for each word,
that of a vector a few in all. Measured: 1.9 times as fast for lines on 225 cells, 3 times for floods on 361; 2.1 times
as slow where neighbours of 572 cells are looked up, which are not shifted."""
_IMPORTED = frozenset(("both", "count", "either", "equal", "minus", "some"))
"""The operations that kernels import where sets are vectors."""


class Sets:
    """Builds the operations on sets of cells of a board."""

    def __init__(self, board: Board, tables: Tables, known: Mapping[str, int], *, vectors: bool = True) -> None:
        self.board = board
        self.tables = tables
        self.words = -(-board.size // 64)
        self.constants: dict[str, int] = {}
        """Constant sets by name."""
        self._constant_names: dict[int, str] = {}
        self.by_shifts = bool(board.directions) and all(
            self.distance(direction) is not None for direction in range(len(board.directions)))
        """Whether steps of whole sets can be shifts: each is the same distance in board order from every cell."""
        self.wide = self.words > (_MOST_SHIFTED if vectors and self.by_shifts else _MOST_IN_TUPLES)
        """Whether sets are vectors."""
        self.cells = ir.cells_sort(self.words, vector=self.wide)
        """The sort of sets."""
        self.library = Library(self.cells, {"words": self.words, **known},
                               lambda: self.nothing, tables.name)
        """The runtime functions that the kernel uses; they may refer to the numbers in `known` by name."""
        self._made: dict[str, str] = {}
        self.asked_lines: dict[str, int] = {}
        """The functions that tell whether a set contains a straight line, by name, with the length of the line."""
        self.asked_completing: dict[str, str] = {}
        """The functions that give the cells that would complete a straight line, with those of `asked_lines`."""
        self.asked_through: dict[str, int] = {}
        """The functions that tell whether a set contains a straight line through a cell, with the line's length."""
        self.asked_joined: set[str] = set()
        """The functions that tell whether cells connect sets to one another; the sets are passed after the row, the
        cells and a player."""
        self.asked_put = self.asked_piece = ""
        """The functions that put a piece on a cell, and tell which piece is there."""
        self.asked_ray = ""
        """The function that gives the ray from a cell in a direction; "" where none is used."""
        self.asked_floods: dict[str, str] = {}
        """The functions that give all neighbours of a set (`neighbours`) and flood a region (`flood`)."""

    def _operation(self, name: str, *arguments: Given) -> ir.Expr:
        """An operation: a call of a runtime function, or of an imported one where sets are vectors."""
        if self.wide and name in _IMPORTED:
            return call(name, *arguments, gives=sorts_of(name, self.cells)[1])
        return self.called(self.library.put(name), *arguments)

    def called(self, name: str, *arguments: Given) -> ir.Call:
        """A call of a runtime function that the kernel already has."""
        return call(name, *arguments, gives=self.library.functions[name].result)

    # ---- plain operations

    @property
    def nothing(self) -> ir.Name:
        """The empty set."""
        return NO_BITS if self.words == 1 else self.constant(0, "nothing")

    @property
    def everything(self) -> ir.Name:
        """The whole board."""
        return self.constant(self.board.everything)

    def constant(self, cells: int, wish: str = "cells") -> ir.Name:
        """The name of a constant set, which is defined on first use."""
        if cells == 0 and self.words == 1:
            return NO_BITS
        if cells not in self._constant_names:
            if cells == self.board.everything:
                wish = "everywhere"
            name = self.tables.name(wish.upper())
            self._constant_names[cells] = name
            self.constants[name] = cells
        return ir.Name(self._constant_names[cells], self.cells)

    def either(self, one: ir.Expr, other: ir.Expr) -> ir.Expr:
        """The union of two sets."""
        return binary("|", one, other) if self.words == 1 else self._operation("either", one, other)

    def both(self, one: ir.Expr, other: ir.Expr) -> ir.Expr:
        """The intersection of two sets."""
        return binary("&", one, other) if self.words == 1 else self._operation("both", one, other)

    def minus(self, one: ir.Expr, other: ir.Expr) -> ir.Expr:
        """The cells of the first set that are not in the other."""
        return binary("&", one, inverted(other)) if self.words == 1 else self._operation("minus", one, other)

    def some(self, cells: ir.Expr) -> ir.Expr:
        """Whether a set is not empty."""
        return compared(cells, "!=", NO_BITS) if self.words == 1 else self._operation("some", cells)

    def equal(self, one: ir.Expr, other: ir.Expr) -> ir.Expr:
        """Whether two sets are the same."""
        return compared(one, "==", other) if self.words == 1 else self._operation("equal", one, other)

    def count(self, cells: ir.Expr) -> ir.Expr:
        """The number of cells in a set."""
        return popcount(cells) if self.words == 1 else self._operation("count", cells)

    def has(self, cells: ir.Expr, cell: Given) -> ir.Expr:
        """Whether a cell is in a set."""
        return has_bit(cells, cell) if self.words == 1 else self._operation("has", cells, cell)

    def in_row(self, row: ir.Expr, place: Given, cell: Given) -> ir.Expr:
        """Whether a cell is in the set that begins at a place of a row or table of words."""
        return has_bit(element(row, place), cell) if self.words == 1 else self._operation("holds", row, place, cell)

    def single(self, cell: Given) -> ir.Expr:
        """The set of one cell."""
        if self.words == 1:
            return bit(cell)
        if self.wide:
            return call("single", cell, self.nothing, gives=self.cells)
        return self._operation("single", cell)

    def first(self, cells: ir.Expr) -> ir.Expr:
        """The first cell of a set, which must not be empty."""
        return lowest(cells) if self.words == 1 else self._operation("first", cells)

    def pick(self, cells: ir.Expr, place: Given) -> ir.Expr:
        """The cell of a set that has `place` cells of the set before it."""
        if self.words == 1:
            return call("nth", cells, place, gives=ir.INT)
        return self._operation("pick", cells, place)

    def at(self, row: ir.Expr, place: Given) -> ir.Expr:
        """The set that begins at a place of a row or table of words."""
        if self.words == 1:
            return element(row, place)
        if self.wide:
            return call("read", row, place, self.nothing, gives=self.cells)
        start = known(expr(place))
        if start is not None:
            return ir.Tuple(tuple(element(row, start + part) for part in range(self.words)))
        return self._operation("at", row, place)

    def store(self, row: ir.Expr, place: Given, cells: ir.Expr) -> list[ir.Statement]:
        """The statements that store a set, given by a name, in a row, from a place on."""
        if self.words == 1:
            return [ir.Assign(element(row, place), cells)]
        if self.wide:
            return [ir.Evaluate(call("write", row, place, cells, gives=ir.NOTHING))]
        start = known(expr(place))
        places = [plus(place, part) if part else place for part in range(self.words)] if start is None else [
            start + part for part in range(self.words)]
        return [ir.Assign(element(row, at), element(cells, part)) for part, at in enumerate(places)]

    def table(self, wish: str, sets: Sequence[int]) -> str:
        """Add a table of sets; return its name."""
        return self.tables.table(wish, [part for cells in sets for part in split(cells, self.words)], words=True)

    def of_table(self, name: str, index: Given) -> ir.Expr:
        """The set at an index of a table of sets."""
        return self.at(row(name), index if self.words == 1 else times(index, self.words))

    def in_table(self, name: str, index: Given, cell: Given) -> ir.Expr:
        """Whether a cell is in the set at an index of a table of sets."""
        return self.in_row(row(name), index if self.words == 1 else times(index, self.words), cell)

    # ---- steps of whole sets

    def distance(self, direction: int) -> int | None:
        """The distance in board order of a step in a direction, the same from every cell; None where it differs."""
        result = {target - cell for cell, steps in enumerate(self.board.steps) if (target := steps[direction]) >= 0}
        return result.pop() if len(result) == 1 else 1 if not result else None

    def cells_before(self, direction: int, count: int) -> int:
        """The cells from which `count` steps in a direction stay on the board."""
        cells = []
        for cell in range(self.board.size):
            place = cell
            for _ in range(count):
                place = self.board.steps[place][direction] if place >= 0 else -1
            if place >= 0:
                cells.append(cell)
        return mask_of(cells)

    def moved(self, cells: ir.Expr, by: int) -> ir.Expr:
        """A set shifted by a number of cells in board order; no cell of it may leave the board."""
        if by == 0:
            return cells
        if self.words == 1:
            return binary("<<" if by > 0 else ">>", cells, abs(by))
        if self.wide:
            return call("shift", cells, by, gives=self.cells)
        name = self.library.put(*(("up", f"up_{by}") if by > 0 else ("down", f"down_{-by}")), by=abs(by))
        return self.called(name, cells)

    def _reached(self, direction: int) -> tuple[int, int]:
        """The cells that steps in a direction lead to, and their distance in board order, if steps are shifts."""
        distance, start = self.distance(direction), self.cells_before(direction, 1)
        assert distance is not None
        return start << distance if distance > 0 else start >> -distance, distance

    def came_from(self, cells: ir.Expr, direction: int) -> ir.Expr:
        """The cells from which a step in a direction leads into a set; only where steps are shifts."""
        goal, distance = self._reached(direction)
        if not goal:
            return self.nothing
        return self.moved(self.both(cells, self.constant(goal, f"reached_{self.board.directions[direction]}")),
                          -distance)

    def came_from_any(self, cells: ir.Expr, way: Given) -> ir.Expr:
        """The same for a direction that is known only at run time; for sets of one word."""
        goals, distances = zip(*map(self._reached, range(len(self.board.directions))), strict=True)
        name = self.library.put("came_from", goals=self.table("reached", goals),
                                back=self.tables.table("back_by", [max(distance, 0) for distance in distances]),
                                forth=self.tables.table("forth_by", [max(-distance, 0) for distance in distances]))
        return self.called(name, cells, way)

    def seeing(self, way: int, within: ir.Expr, goal: ir.Expr) -> ir.Expr:
        """The cells of `within` from which going in a direction inside this set leads to a goal in it."""
        board = self.board
        longest = max(len(board.ray(cell, way)) for cell in range(board.size))
        reached, distance = self._reached(way)
        name = self.library.put("seeing", f"seeing_{board.directions[way]}", back=-distance, most=max(longest - 2, 0),
                                reached=[self.constant(reached, f"reached_{board.directions[way]}")])
        return self.called(name, within, goal)

    @cached_property
    def singles(self) -> list[int]:
        """The words of the sets of a single cell, for each cell in turn."""
        return [word for cell in range(self.board.size) for word in split(1 << cell, self.words)]

    def near_table(self) -> str:
        """The table of the neighbours of each cell."""
        return self.table("near", self.board.neighbours)

    @cached_property
    def neighbours_function(self) -> str:
        """The function that gives all neighbours of the cells of a set."""
        return self.asked_floods.setdefault("neighbours", self.library.put("neighbours", near=self.near_table()))

    def neighbours(self, cells: ir.Expr) -> ir.Expr:
        """All neighbours of the cells of a set."""
        return self.called(self.neighbours_function, cells)

    @cached_property
    def flood_function(self) -> str:
        """The function that floods a region from some cells."""
        return self.asked_floods.setdefault("flood", self.library.put("flood", neighbours_of=self.neighbours_function))

    def flood(self, start: ir.Expr, region: ir.Expr) -> ir.Expr:
        """The cells of a region joined to those of a set by steps to neighbours inside the region."""
        return self.called(self.flood_function, start, region)

    # ---- lines

    def _once(self, name: str, make: Callable[[], str]) -> str:
        """The name of a runtime function, which is added with its tables only the first time."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def has_line(self, cells: ir.Expr, length: int) -> ir.Expr:
        """Whether a set contains a straight line of `length` cells."""
        name = f"has_line_{length}"

        def make() -> str:
            made = self.library.put("has_line_by_table", name, lines=self._lines_table(length),
                                    many=len(self.board.lines(length)))
            self.asked_lines[made] = length
            return made

        return self.called(self._once(name, make), cells)

    def _lines_table(self, length: int) -> str:
        return self.table(f"lines_{length}", self.board.lines(length) or [0])

    def completing(self, cells: ir.Expr, lined: str) -> ir.Expr:
        """The cells that would each complete a straight line in a set, as a function of `asked_lines` tests for."""
        length = self.asked_lines[lined]
        name = f"completing_{length}"

        def make() -> str:
            made = self.library.put("completing_by_table", name, lines=self._lines_table(length),
                                    many=len(self.board.lines(length)), everywhere=[self.everything])
            self.asked_completing[made] = lined
            return made

        return self.called(self._once(name, make), cells)

    def in_lines(self, cells: ir.Expr, length: int) -> ir.Expr:
        """The cells of a set that are part of a straight line of `length` cells inside it."""
        name = f"in_lines_{length}"
        made = self._once(name, lambda: self.library.put(
            "in_lines", name, lines=self._lines_table(length), many=len(self.board.lines(length))))
        return self.called(made, cells)

    # ---- rays

    def ray(self, cell: Given, direction: Given, within: ir.Expr) -> ir.Expr:
        """The cells passed from a cell in a direction as long as they are in a set."""
        if not self.asked_ray:
            self.asked_ray = self._ray_function()
        return self.called(self.asked_ray, cell, direction, within)

    def steps_ahead(self, cell: Given, direction: Given, number: Given) -> ir.Expr:
        """The cell a number of steps away from a cell in a direction, -1 for none."""
        count = len(self.board.directions)
        name = self.library.put("steps_ahead", steps=self.steps_table(), count=count, half=count // 2)
        return self.called(name, cell, direction, number)

    def first_seen(self, cell: Given, direction: Given, empty: ir.Expr) -> ir.Expr:
        """The first cell met from a cell in a direction that is not empty, -1 for none."""
        name = self.library.put("first_seen", steps=self.steps_table(), count=len(self.board.directions))
        return self.called(name, cell, direction, empty)

    def cells_reached(self, cell: Given, direction: Given, through: ir.Expr) -> ir.Expr:
        """The cells passed from a cell in a direction as long as they are in a set, and the first that is not in it."""
        name = self.library.put("cells_reached", steps=self.steps_table(), count=len(self.board.directions))
        return self.called(name, cell, direction, through)

    def _ray_function(self) -> str:
        board, count = self.board, len(self.board.directions)
        rays = [[board.ray(cell, way) for way in range(count)] for cell in range(board.size)]
        ordered = all(list(ray) == sorted(ray) or list(ray) == sorted(ray, reverse=True)
                      for row in rays for ray in row)
        if not ordered or self.words > 8:
            return self.library.put("ray_by_steps", "ray", steps=self.steps_table(), count=count)
        upward = [1 if any(ray and ray[0] > cell for cell, ray in enumerate(column)) else 0
                  for column in zip(*rays, strict=True)]
        return self.library.put("ray", rays=self.table("rays", [mask_of(ray) for row in rays for ray in row]),
                                upward=self.tables.table("upward", upward), count=count)

    def steps_table(self) -> str:
        """The table of steps: at (cell + 1) * directions + direction the next cell, -1 off the board or for no cell."""
        count = len(self.board.directions)
        return self.tables.table("step", [-1] * count + [step for steps in self.board.steps for step in steps])

    def has_new_line(self, row: ir.Expr, place: Given | None, cells: ir.Expr, fresh: ir.Expr, length: int) -> ir.Expr:
        """Whether a set contains a straight line of `length` cells that includes one of the cells in `fresh`.

        `place` is where the set is stored in the row, if it is.
        """
        name, count = f"has_new_line_{length}", len(self.board.directions)
        if self.board.paths or self.words == 1:
            made = self._once(name, lambda: self.library.put("has_new_line", name, through=self._line_through(length)))
        elif place is not None:
            made = self.library.put("has_new_line_at", f"{name}_at", length=length, steps=self.steps_table(),
                                    count=count)
            return self.called(made, row, place, fresh)
        else:
            made = self.library.put("has_new_line_by_steps", name, length=length, steps=self.steps_table(), count=count)
        return self.called(made, cells, fresh)

    def _line_through(self, length: int) -> str:
        """Add the function that tells whether a set has a straight line of `length` cells through a cell; its name."""
        name = f"line_{length}_through"
        lines = self.board.lines(length)
        through = [[line for line in lines if line >> cell & 1] for cell in range(self.board.size)]
        made = self.library.put(
            "line_through", name, lines=self.table(f"lines_{length}_by_cell", [
                line for row in through for line in row] or [0]),
            starts=self.tables.table(f"lines_{length}_from", [0, *accumulate(map(len, through))]))
        self.asked_through[made] = length
        return made

    def members_of(self, cells: int) -> tuple[int, ...]:
        """The cells of a constant set."""
        return members(cells)


def doublings(length: int) -> list[int]:
    """The successive shifts by which runs of a given length are found, doubling the length at each."""
    result, have = [], 1
    while have < length:
        result.append(min(have, length - have))
        have += result[-1]
    return result
