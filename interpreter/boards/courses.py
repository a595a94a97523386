"""Tracks on a board: open or cyclic sequences of cells, each in both directions.

A course is a track of the game file in one direction. It has places, 0 to n-1, each on a cell; a cell can be at several
places. Where one stretch of the declaration ends and the next begins, there is a bend. `Board.courses` has each
declared track twice: at an even index as declared, at the next index reversed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import attrs

from interpreter.boards.sets import mask_of


@attrs.frozen(eq=False)
class Course:
    """A track in one direction."""

    name: str
    cells: tuple[int, ...]
    """The cell at each place."""
    bends: tuple[bool, ...]
    """For each place, whether the step to the next one is a bend; the last place steps to the first."""
    cyclic: bool

    @cached_property
    def everything(self) -> int:
        """The set of the track's cells."""
        return mask_of(self.cells)

    @cached_property
    def places(self) -> Mapping[int, tuple[int, ...]]:
        """For each of the track's cells, its places."""
        result: dict[int, tuple[int, ...]] = {}
        for index, cell in enumerate(self.cells):
            result[cell] = (*result.get(cell, ()), index)
        return result

    @property
    def twice(self) -> int | None:
        """A cell that is at several places, None if there is none."""
        return next((cell for cell, places in self.places.items() if len(places) > 1), None)

    def ahead(self, cell: int, steps: int) -> int:
        """Return the cell `steps` places after a cell's first place; -1 past an end, and for cells off the track."""
        if cell not in self.places:
            return -1
        place = self.places[cell][0] + steps
        if self.cyclic:
            place %= len(self.cells)
        return self.cells[place] if 0 <= place < len(self.cells) else -1

    def walk(self, place: int) -> Iterator[tuple[int, int]]:
        """Yield each cell after a place with the number of bends passed, to the end, or once round without the place.
        """
        passed = 0
        for step in range(1, len(self.cells)):
            at = place + step
            if at >= len(self.cells) and not self.cyclic:
                return
            passed += self.bends[(at - 1) % len(self.cells)]
            yield self.cells[at % len(self.cells)], passed

    def back(self) -> Course:
        """The same track in the other direction."""
        count = len(self.cells)
        return Course(self.name, self.cells[::-1], tuple(self.bends[(count - 2 - index) % count]
                                                         for index in range(count)), self.cyclic)

    def same_as(self, other: Course) -> bool:
        """Whether both have the same cells and bends in the same order, regardless of where a cyclic one begins."""
        if len(self.cells) != len(other.cells) or self.cyclic != other.cyclic:
            return False
        own, others = list(zip(self.cells, self.bends, strict=True)), list(zip(other.cells, other.bends, strict=True))
        if not self.cyclic:
            return own == others
        return any(own == others[first:] + others[:first] for first in range(len(others)))


def ray_along(course: Course, cell: int, within: int) -> int:
    """The cells after each place of a cell along a track, up to the first outside a set, which is excluded."""
    result = 0
    for place in course.places.get(cell, ()):
        for other, _ in course.walk(place):
            if not within >> other & 1:
                break
            result |= 1 << other
    return result


def reach_along(course: Course, cell: int, through: int, bends: int) -> int:
    """The cells after each place of a cell, up to and including the first outside a set, after at least `bends` bends.
    """
    result = 0
    for place in course.places.get(cell, ()):
        for other, passed in course.walk(place):
            if passed >= bends:
                result |= 1 << other
            if not through >> other & 1:
                break
    return result


def around(course: Course, cell: int, through: int) -> int:
    """The cells reached along a track, in either direction, after at least one bend."""
    return reach_along(course, cell, through, 1) | reach_along(course.back(), cell, through, 1)
