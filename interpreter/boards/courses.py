"""Tracks on a board: sequences of cells, open or going round, each in its two ways.

A course is what a game file calls a track. It goes through places, 0 to n-1, each on a cell; a cell can lie at several
places. Where one stretch of its declaration ends and the next begins, there is a bend. `Board.courses` has each
declared track twice: at an even number as it is declared, at the next one the other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import attrs

from interpreter.boards.sets import mask_of


@attrs.frozen(eq=False)
class Course:
    """A track in one way."""

    name: str
    cells: tuple[int, ...]
    """The cell at each place."""
    bends: tuple[bool, ...]
    """For each place whether the step from it to the next one is a bend; that from the last one leads to the first."""
    cyclic: bool

    @cached_property
    def everything(self) -> int:
        """The set of its cells."""
        return mask_of(self.cells)

    @cached_property
    def places(self) -> Mapping[int, tuple[int, ...]]:
        """For each of its cells the places at which it lies."""
        result: dict[int, tuple[int, ...]] = {}
        for index, cell in enumerate(self.cells):
            result[cell] = (*result.get(cell, ()), index)
        return result

    @property
    def twice(self) -> int | None:
        """A cell that lies at several places, where there is one."""
        return next((cell for cell, places in self.places.items() if len(places) > 1), None)

    def ahead(self, cell: int, steps: int) -> int:
        """Return the cell so many steps after the first place of one, -1 past an end and for cells beside the track."""
        if cell not in self.places:
            return -1
        place = self.places[cell][0] + steps
        if self.cyclic:
            place %= len(self.cells)
        return self.cells[place] if 0 <= place < len(self.cells) else -1

    def walk(self, place: int) -> Iterator[tuple[int, int]]:
        """The cells after a place up to the end, or once round up to the place itself, with the bends passed."""
        passed = 0
        for step in range(1, len(self.cells)):
            at = place + step
            if at >= len(self.cells) and not self.cyclic:
                return
            passed += self.bends[(at - 1) % len(self.cells)]
            yield self.cells[at % len(self.cells)], passed

    def back(self) -> Course:
        """The same track the other way."""
        count = len(self.cells)
        return Course(self.name, self.cells[::-1], tuple(self.bends[(count - 2 - index) % count]
                                                         for index in range(count)), self.cyclic)

    def same_as(self, other: Course) -> bool:
        """Whether both go through the same cells with the same bends, wherever a cyclic one begins."""
        if len(self.cells) != len(other.cells) or self.cyclic != other.cyclic:
            return False
        own, others = list(zip(self.cells, self.bends, strict=True)), list(zip(other.cells, other.bends, strict=True))
        if not self.cyclic:
            return own == others
        return any(own == others[first:] + others[:first] for first in range(len(others)))


def ray_along(course: Course, cell: int, within: int) -> int:
    """The cells of a set that are met from a cell on, up to the first that is not in it, from each of its places."""
    result = 0
    for place in course.places.get(cell, ()):
        for other, _ in course.walk(place):
            if not within >> other & 1:
                break
            result |= 1 << other
    return result


def reach_along(course: Course, cell: int, through: int, bends: int) -> int:
    """The cells of a set from a cell on, and the first that is not in it, that come after so many bends at least."""
    result = 0
    for place in course.places.get(cell, ()):
        for other, passed in course.walk(place):
            if passed >= bends:
                result |= 1 << other
            if not through >> other & 1:
                break
    return result


def around(course: Course, cell: int, through: int) -> int:
    """What is reached along a track, either way, after one bend at least."""
    return reach_along(course, cell, through, 1) | reach_along(course.back(), cell, through, 1)
