"""Cells along tracks.

A track is a sequence of places, once in each of its two directions; the places of all tracks are numbered one track
after another. `after` has for each place the next one, -1 at an end; `cell_at` its cell; `bends` 1 where the step to
the next one is a bend. `first` has at cell * count + track the first of a cell's places on a track, -1 for none, and
`more` for each place the next one of the same cell on the same track.
"""

from __future__ import annotations

from interpreter.compiler.runtime.sets import either, has, nothing, single
from interpreter.compiler.runtime.types import Cells, Int, Static, Table


def cell_ahead(cell: Int, track: Int, steps: Int, first: Table, count: Static, begins: Table, lengths: Table,
               cyclic: Table, cell_at: Table) -> Int:
    """The cell `steps` steps ahead on a track, -1 beyond its ends, and where `cell` is -1 or not on the track."""
    if cell < 0:
        return -1
    place = first[cell * count + track]
    if place < 0:
        return -1
    place = place - begins[track] + steps
    if cyclic[track] == 1:
        place = place % lengths[track]
    if place < 0 or place >= lengths[track]:
        return -1
    return cell_at[begins[track] + place]


def ray_on_track(cell: Int, track: Int, within: Cells, first: Table, count: Static, more: Table, after: Table,
                 cell_at: Table, words: Static) -> Cells:
    """The cells met along a track while they are in a set; none where `cell` is -1."""
    found = nothing(words)
    if cell < 0:
        return found
    start = first[cell * count + track]
    while start >= 0:
        place = after[start]
        while place >= 0 and place != start and has(within, cell_at[place]):
            found = either(found, single(cell_at[place], words))
            place = after[place]
        start = more[start]
    return found


def reached_on_track(cell: Int, track: Int, through: Cells, least: Int, first: Table, count: Static, more: Table,
                     after: Table, cell_at: Table, bends: Table, words: Static) -> Cells:
    """The cells met along a track while they are in a set, and the first that is not, after at least `least` bends."""
    found = nothing(words)
    if cell < 0:
        return found
    start = first[cell * count + track]
    while start >= 0:
        passed = bends[start]
        place = after[start]
        while place >= 0 and place != start:
            if passed >= least:
                found = either(found, single(cell_at[place], words))
            passed += bends[place]
            place = after[place] if has(through, cell_at[place]) else -1
        start = more[start]
    return found
