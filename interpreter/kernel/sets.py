"""Sets of cells in a kernel's text: one word, a tuple of words, or a vector, with the operations that the text calls.

`Sets` gives the text of each operation. With one word most are operators; with more they are functions of
`interpreter.compiler.runtime`, which join the kernel when they are first used; with many words the kernel imports some
of them from `interpreter.kernel.wide`. On boards on which a step is the same distance in board order from every cell,
neighbours, lines and floods of whole sets are shifts; elsewhere they go from cell to cell by tables. `Sets` chooses the
function and makes its tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from interpreter.boards import Board, mask_of, members
from interpreter.compiler import ir
from interpreter.compiler.library import Library
from interpreter.kernel.layout import split
from interpreter.kernel.writer import Tables, text_of

_MOST_IN_TUPLES, _MOST_SHIFTED = 12, 2
"""Sets of more words are vectors, which take a third as long to compile; one word of them takes longer to get at. Where
steps are shifts they are vectors earlier: a shift of a tuple is some instructions a word, one of a vector a few in all.
Measured: 1.9 times as fast for lines on 225 cells, 3 times for floods on 361; 2.1 times as slow where neighbours of 572
cells are looked up, which are not shifted."""
_IMPORTED = frozenset(("both", "count", "either", "equal", "minus", "some"))
"""What kernels import whose sets are vectors."""


class Sets:
    """Texts of operations on sets of cells of a board."""

    def __init__(self, board: Board, tables: Tables, known: Mapping[str, int], *, shifts: bool = True,
                 vectors: bool = True, extracts: bool = False) -> None:
        self.board = board
        self.tables = tables
        self.extracts = extracts
        """Whether there are instructions that put the cells of a mask together."""
        self.words = -(-board.size // 64)
        self.constants: dict[str, int] = {}
        """Constant sets by name."""
        self.functions: dict[str, str] = {}
        """The texts of the functions that are used, by name, each after those it calls."""
        self._constant_names: dict[int, str] = {}
        self.by_shifts = shifts and bool(board.directions) and all(
            self._distance(direction) is not None for direction in range(len(board.directions)))
        """Whether steps of whole sets are shifts."""
        self.wide = self.words > (_MOST_SHIFTED if vectors and self.by_shifts else _MOST_IN_TUPLES)
        """Whether sets are vectors."""
        self.cells = ir.cells_sort(self.words, vector=self.wide)
        """The sort of sets."""
        self.library = Library(self.cells, {"words": self.words, **known},
                               lambda: ir.Name(self.nothing, self.cells), self._reserve)
        """The runtime functions that the kernel uses; `known` are numbers that they may name."""
        self._made: dict[str, str] = {}

    # ---- functions added when they are used

    def function(self, name: str, parameters: str, doc: str, body: Callable[[], Sequence[str]]) -> str:
        """The name of a function; it is written when first asked for."""
        if name not in self.functions and name not in self.tables.made:
            self.tables.used.add(name)
            text = text_of(name, parameters, doc, list(body()))
            self.functions[name] = text
        return name

    def _reserve(self, wish: str) -> str:
        """The name for a runtime function, which no other function has."""
        return self.tables.function(f"{wish}_2" if wish in self.functions else wish)

    def _operation(self, name: str) -> str:
        """The name of an operation: a runtime function, or imported where sets are vectors."""
        return name if self.wide and name in _IMPORTED else self.library.put(name)

    # ---- plain operations

    @property
    def nothing(self) -> str:
        """The empty set."""
        return "EMPTY" if self.words == 1 else self.constant(0, "nothing")

    def constant(self, cells: int, wish: str = "cells") -> str:
        """A constant set."""
        if cells == 0 and self.words == 1:
            return "EMPTY"
        if cells not in self._constant_names:
            if cells == self.board.everything:
                wish = "everywhere"
            name = self.tables.name(wish.upper())
            self._constant_names[cells] = name
            self.constants[name] = cells
        return self._constant_names[cells]

    def either(self, one: str, other: str) -> str:
        """What is in one of two sets."""
        if self.words == 1:
            return f"({one} | {other})"
        return f"{self._operation('either')}({one}, {other})"

    def both(self, one: str, other: str) -> str:
        """What is in both of two sets."""
        if self.words == 1:
            return f"({one} & {other})"
        return f"{self._operation('both')}({one}, {other})"

    def minus(self, one: str, other: str) -> str:
        """What is in the first set and not in the other."""
        if self.words == 1:
            return f"({one} & ~{other})"
        return f"{self._operation('minus')}({one}, {other})"

    def some(self, cells: str) -> str:
        """Whether a set has a cell."""
        if self.words == 1:
            return f"({cells} != EMPTY)"
        return f"{self._operation('some')}({cells})"

    def equal(self, one: str, other: str) -> str:
        """Whether two sets are the same."""
        if self.words == 1:
            return f"({one} == {other})"
        return f"{self._operation('equal')}({one}, {other})"

    def count(self, cells: str) -> str:
        """How many cells a set has."""
        if self.words == 1:
            return f"popcount({cells})"
        return f"{self._operation('count')}({cells})"

    def has(self, cells: str, cell: str) -> str:
        """Whether a cell is in a set."""
        if self.words == 1:
            return f"(({cells} >> {cell}) & ONE != EMPTY)"
        return f"{self._operation('has')}({cells}, {cell})"

    def in_row(self, row: str, place: str, cell: str) -> str:
        """Whether a cell is in the set that begins at a place of a row or table of words."""
        if self.words == 1:
            return f"(({row}[{place}] >> {cell}) & ONE != EMPTY)"
        return f"{self._operation('holds')}({row}, {place}, {cell})"

    def single(self, cell: str) -> str:
        """The set of one cell."""
        if self.words == 1:
            return f"(ONE << {cell})"
        if self.wide:
            return f"single({cell}, {self.nothing})"
        return f"{self._operation('single')}({cell})"

    def first(self, cells: str) -> str:
        """The first cell of a set, which has one."""
        if self.words == 1:
            return f"lowest({cells})"
        return f"{self._operation('first')}({cells})"

    def pick(self, cells: str, place: str) -> str:
        """The cell of a set with so many before it."""
        if self.words == 1:
            return f"nth({cells}, {place})"
        return f"{self._operation('pick')}({cells}, {place})"

    def at(self, row: str, place: str) -> str:
        """The set that begins at a place of a row or table of words."""
        if self.words == 1:
            return f"{row}[{place}]"
        if self.wide:
            return f"read({row}, {place}, {self.nothing})"
        if place.isdigit():
            return "(" + ", ".join(f"{row}[{int(place) + part}]" for part in range(self.words)) + ")"
        return f"{self._operation('at')}({row}, {place})"

    def store(self, row: str, place: str, cells: str) -> list[str]:
        """The lines that put a set, given by a name, into a row, from a place on."""
        if self.words == 1:
            return [f"{row}[{place}] = {cells}"]
        if self.wide:
            return [f"write({row}, {place}, {cells})"]
        if place.isdigit():
            return [f"{row}[{int(place) + part}] = {cells}[{part}]" for part in range(self.words)]
        return [f"{row}[{f'{place} + {part}' if part else place}] = {cells}[{part}]" for part in range(self.words)]

    def table(self, wish: str, sets: Sequence[int]) -> str:
        """The name of a table of sets."""
        return self.tables.table(wish, [part for cells in sets for part in split(cells, self.words)], words=True)

    def of_table(self, name: str, index: str) -> str:
        """The set at an index of such a table."""
        return self.at(name, index if self.words == 1 else f"{_bracketed(index)} * {self.words}")

    def in_table(self, name: str, index: str, cell: str) -> str:
        """Whether a cell is in the set at an index of such a table."""
        return self.in_row(name, index if self.words == 1 else f"{_bracketed(index)} * {self.words}", cell)

    # ---- steps of whole sets

    def _distance(self, direction: int) -> int | None:
        """How far a step in a direction is in board order, the same from every cell; None where it differs."""
        found = {target - cell for cell, steps in enumerate(self.board.steps) if (target := steps[direction]) >= 0}
        return found.pop() if len(found) == 1 else 1 if not found else None

    def _from(self, direction: int, many: int) -> int:
        """The cells from which one can go so many steps."""
        cells = []
        for cell in range(self.board.size):
            place = cell
            for _ in range(many):
                place = self.board.steps[place][direction] if place >= 0 else -1
            if place >= 0:
                cells.append(cell)
        return mask_of(cells)

    def moved(self, cells: str, by: int) -> str:
        """A set shifted by so many cells in board order; nothing may leave the board."""
        if by == 0:
            return cells
        if self.words == 1:
            return f"({cells} << {by})" if by > 0 else f"({cells} >> {-by})"
        if self.wide:
            return f"shift({cells}, {by})"
        name = self.library.put(*(("up", f"up_{by}") if by > 0 else ("down", f"down_{-by}")), by=abs(by))
        return f"{name}({cells})"

    def _reached(self, direction: int) -> tuple[int, int]:
        """Where steps in a direction lead, and how far each goes in board order; only where steps are shifts."""
        distance, start = self._distance(direction), self._from(direction, 1)
        assert distance is not None
        return start << distance if distance > 0 else start >> -distance, distance

    def came_from(self, cells: str, direction: int) -> str:
        """The cells from which a step in a direction leads into a set; only where steps are shifts."""
        goal, distance = self._reached(direction)
        if not goal:
            return self.nothing
        return self.moved(self.both(cells, self.constant(goal, f"reached_{self.board.directions[direction]}")),
                          -distance)

    def came_from_any(self, cells: str, way: str) -> str:
        """The same for a direction that is known only when the kernel runs; of one word."""
        goals, distances = zip(*map(self._reached, range(len(self.board.directions))), strict=True)
        name = self.library.put("came_from", goals=self.table("reached", goals),
                                back=self.tables.table("back_by", [max(distance, 0) for distance in distances]),
                                forth=self.tables.table("forth_by", [max(-distance, 0) for distance in distances]))
        return f"{name}({cells}, {way})"

    def seeing(self, way: int, within: str, goal: str) -> str:
        """The cells of a set from which one comes, going a way inside the set, to a goal in it."""
        board = self.board
        longest = max(len(board.ray(cell, way)) for cell in range(board.size))
        reached, distance = self._reached(way)
        name = self.library.put("seeing", f"seeing_{board.directions[way]}", back=-distance, most=max(longest - 2, 0),
                                reached=[self.constant(reached, f"reached_{board.directions[way]}")])
        return f"{name}({within}, {goal})"

    def near_table(self) -> str:
        """The table of the neighbours of each cell."""
        return self.table("near", self.board.neighbours)

    def _step_directions(self) -> list[int]:
        """Directions whose steps are the neighbours; empty where there is no such set of directions."""
        if not self.by_shifts:
            return []
        chosen = [
            direction for direction in range(len(self.board.directions))
            if all(steps[direction] < 0 or near >> steps[direction] & 1
                   for steps, near in zip(self.board.steps, self.board.neighbours, strict=True))]
        good = all(mask_of(steps[d] for d in chosen if steps[d] >= 0) == near
                   for steps, near in zip(self.board.steps, self.board.neighbours, strict=True))
        return chosen if good else []

    @cached_property
    def neighbours_function(self) -> str:
        """The function that gives all neighbours of the cells of a set."""
        directions = [way for way in self._step_directions() if self._from(way, 1)]
        if not directions:
            return self.library.put("neighbours", near=self.near_table())
        starts = [self.constant(self._from(way, 1), f"can_go_{self.board.directions[way]}") for way in directions]
        return self.library.put("neighbours_by_shifts", "neighbours", starts=starts,
                                distances=[self._distance(way) or 0 for way in directions])

    def neighbours(self, cells: str) -> str:
        """All neighbours of the cells of a set."""
        return f"{self.neighbours_function}({cells})"

    @cached_property
    def flood_function(self) -> str:
        """The function that floods a region from some cells."""
        return self.library.put("flood_by_shifts" if self._step_directions() else "flood", "flood",
                                neighbours_of=self.neighbours_function)

    def loop(self, cells: str, cell: str, body: Sequence[str]) -> list[str]:
        """The lines that go through the cells of a set, given by a name."""
        if self.words == 1:
            return [f"rest = {cells}", "while rest != EMPTY:", f"    {cell} = lowest(rest)", "    rest &= rest - ONE",
                    *("    " + line for line in body)]
        return ["part = 0", f"rest = {cells}[0]", "while True:",
                f"    while rest == EMPTY and part < {self.words - 1}:", "        part += 1",
                f"        rest = {cells}[part]", "    if rest == EMPTY:", "        break",
                f"    {cell} = (part << 6) + lowest(rest)", "    rest &= rest - ONE", *("    " + line for line in body)]

    def flood(self, start: str, region: str) -> str:
        """The cells of a region joined to those of a set by steps to neighbours inside the region."""
        return f"{self.flood_function}({start}, {region})"

    # ---- lines

    def _once(self, name: str, make: Callable[[], str]) -> str:
        """A runtime function's name, for which tables are made only the first time."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def has_line(self, cells: str, length: int) -> str:
        """Whether a set contains a straight line of so many cells."""
        name = f"has_line_{length}"

        def make() -> str:
            if not self.by_shifts or self.board.paths:
                return self.library.put("has_line_by_table", name, lines=self._lines_table(length),
                                        many=len(self.board.lines(length)))
            ways = range(len(self.board.directions) // 2)
            runs = [self.runs(way, length) for way in ways]
            begins = [self.constant(begin, f"begins_{self.board.directions[way]}")
                      for way, (_, begin) in zip(ways, runs, strict=True)]
            return self.library.put("has_line_by_shifts", name, backs=[back for backs, _ in runs for back in backs],
                                    each=len(runs[0][0]), begins=begins,
                                    bounded=[int(begin != self.board.everything) for _, begin in runs])

        return f"{self._once(name, make)}({cells})"

    def runs(self, direction: int, length: int) -> tuple[list[int], int]:
        """The distances by which the first cells of lines in a direction are found, and the cells where lines begin.

        These are all cells where nothing else can be so far apart as the cells of a line.
        """
        distance = self._distance(direction)
        assert distance is not None
        backs = [-distance * more for more in doublings(length)]
        start, size = self._from(direction, length - 1), self.board.size
        if any(not start >> cell & 1 and 0 <= cell + distance * (length - 1) < size for cell in range(size)):
            return backs, start
        return backs, self.board.everything

    def _lines_table(self, length: int) -> str:
        return self.table(f"lines_{length}", self.board.lines(length) or [0])

    def in_lines(self, cells: str, length: int) -> str:
        """The cells of a set that stand in a straight line of so many cells inside it."""
        name = f"in_lines_{length}"
        made = self._once(name, lambda: self.library.put(
            "in_lines", name, lines=self._lines_table(length), many=len(self.board.lines(length))))
        return f"{made}({cells})"

    # ---- rays

    def ray(self, cell: str, direction: str, within: str) -> str:
        """The cells met from a cell in a direction as long as they are in a set."""
        return f"{self._ray_function}({cell}, {direction}, {within})"

    @cached_property
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
        """The table of steps: at (cell + 1) * directions + direction the next cell, -1 for none or from none."""
        count = len(self.board.directions)
        return self.tables.table("step", [-1] * count + [step for steps in self.board.steps for step in steps])

    def has_new_line(self, row: str, place: str | None, cells: str, fresh: str, length: int) -> str:
        """Whether a set contains a straight line of so many cells, one of them among some of its cells.

        `place` is where the set stands in the row, if it does.
        """
        name, count = f"has_new_line_{length}", len(self.board.directions)
        if self.board.paths or self.words == 1:
            made = self._once(name, lambda: self.library.put("has_new_line", name, through=self._line_through(length)))
        elif place is not None:
            made = self.library.put("has_new_line_at", f"{name}_at", length=length, steps=self.steps_table(),
                                    count=count)
            return f"{made}({row}, {place}, {fresh})"
        else:
            made = self.library.put("has_new_line_by_steps", name, length=length, steps=self.steps_table(), count=count)
        return f"{made}({cells}, {fresh})"

    def _line_through(self, length: int) -> str:
        """The function that tells whether a set contains a straight line of so many cells through a cell.

        Or along the lines that it is on: of the whole lines through the cell, cells are put together into words, in
        which runs are found by shifts; else there is a table of lines of that length. Measured on a hexagon of 61
        cells: games are played 1.9 times as fast as by the table.
        """
        name = f"line_{length}_through"
        whole = self._whole_lines() if self.extracts and self.words == 1 and not self.board.paths else []
        if whole:
            table = self.table("whole_lines", [mask for masks in whole for mask in masks])
            return self.library.put("line_along", name, lines=table, each=len(whole[0]), shifts=doublings(length))
        lines = self.board.lines(length)
        through = [[line for line in lines if line >> cell & 1] for cell in range(self.board.size)]
        return self.library.put(
            "line_through", name, lines=self.table(f"lines_{length}_by_cell", [
                line for row in through for line in row] or [0]),
            starts=self.tables.table(f"lines_{length}_from", [0, *accumulate(map(len, through))]))

    def _whole_lines(self) -> list[list[int]]:
        """For each cell the whole lines through it; empty where the cells of some are not in board order."""
        board, found = self.board, []
        for cell in range(board.size):
            masks = []
            for direction in range(len(board.directions) // 2):
                behind = board.ray(cell, direction + len(board.directions) // 2)
                line = [*reversed(behind), cell, *board.ray(cell, direction)]
                if line != sorted(set(line)) and line != sorted(set(line), reverse=True):
                    return []
                masks.append(mask_of(line))
            found.append(masks)
        return found if board.directions else []

    def members_of(self, cells: int) -> tuple[int, ...]:
        """The cells of a constant set."""
        return members(cells)


def doublings(length: int) -> list[int]:
    """By how many cells runs are shifted, one after the other, to find those of some length."""
    found, have = [], 1
    while have < length:
        found.append(min(have, length - have))
        have += found[-1]
    return found


def _bracketed(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"
