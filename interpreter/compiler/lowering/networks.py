"""Chooses the functions of a kernel that answer questions about networks, and gives them their tables.

A kind of network is "cell" for cells with their neighbours, "track" for tiles with tracks of a player, and the name of
links with "#" and their layer's number for cells with links. `interpreter.compiler.runtime.networks` has the functions.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.compiler.lowering.module_builder import ModuleBuilder


class Networks:
    """The functions with which one kernel answers questions about networks."""

    def __init__(self, program: ModuleBuilder) -> None:
        self.program, self.sets, self.library = program, program.sets, program.library
        self._names: dict[tuple[str, str], str] = {}

    def function(self, kind: str, question: str) -> str:
        """The name of the function that answers a basic question, of which others are composed."""
        if (kind, question) not in self._names:
            self._names[kind, question] = self._function(kind, question)
        return self._names[kind, question]

    def _function(self, kind: str, question: str) -> str:
        label = kind.partition("#")[0]
        match question:
            case "to" | "with":
                return self._next(kind, label, question)
            case "cells":
                return self.library.put("track_cells", pieces=len(self.program.rules.pieces), **self._sides())
            case "leaving" if kind == "track":
                return self.library.put("track_leaving", pieces=len(self.program.rules.pieces), **self._sides())
            case "leaving":
                return self.library.put("leaving", f"{label}_leaving")
            case "around" if kind == "cell":
                return self.library.put("cell_around", neighbours_of=self.sets.neighbours_function)
            case "around":
                return self.library.put("around", f"{label}_around", joined_with=self.function(kind, "with"))
            case "reached" if kind == "cell":
                return self.library.put("cell_reached", flooded=self.sets.flood_function)
            case "reached":
                return self.library.put("reached", f"{label}_reached", to=self.function(kind, "to"))
        raise AssertionError(question)

    def answering(self, kind: str, question: str, put: Callable[[Networks, str, str], str]) -> str:
        """The name of a function that traverses whole networks of a kind, which is put into the library once.

        `put` takes this object, the kind and the name for the function; it is given by words,
        `interpreter.words.networks`.
        """
        if (kind, question) not in self._names:
            self._names[kind, question] = put(self, kind, f"{kind.partition('#')[0]}_{question}")
        return self._names[kind, question]

    def _sides(self) -> dict[str, str | int]:
        """The table of whose track is at each side of each piece, and how many sides there are."""
        sides, count = self.program.sides()
        return {"sides": sides, "count": count}

    def _next(self, kind: str, label: str, question: str) -> str:
        """The function that gives the cells that a cell is joined to, or could be."""
        program, wish = self.program, f"{label}_joined_{question}"
        if kind == "cell":
            return self.library.put(f"cell_joined_{question}", near=self.sets.near_table())
        if kind == "track":
            if question == "with":
                return self.library.put("track_joined_with", to=self.function(kind, "to"))
            return self.library.put("track_joined_to", steps=self.sets.steps_table(),
                                    piece_on=program.piece_function(), **self._sides())
        if label == "cut":
            return self._across(int(kind.partition("#")[2]), wish, question)
        layer = int(kind.partition("#")[2])
        there, tables = program.link_there(layer), program.link_tables(layer)
        if question == "with":
            return self.library.put("link_joined_with", wish, there=there, crossed_by=program.crossed(layer), **tables)
        return self.library.put("link_joined_to", wish, there=there, **tables)

    def _across(self, variable: int, wish: str, question: str) -> str:
        """The function that gives the neighbours of a cell across borders where a variable does not hold."""
        tables, across = self.program.tables, self.program.board.across
        return self.library.put(
            f"cut_joined_{question}", wish, begin=self.program.variable(variable)[0],
            starts=tables.table("across_from", [0, *accumulate(map(len, across))]),
            numbers=tables.table("across_border", [border for row in across for border, _ in row] or [0]),
            ends=tables.table("across_end", [end for row in across for _, end in row] or [0]))
