"""The functions of a kernel that answer questions about networks, chosen and given their tables.

A kind of network is "cell" for cells with their neighbours, "track" for tiles with tracks of a player, and the name of
links with "#" and their layer's number for cells with links. `interpreter.compiler.runtime.networks` has the functions.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from interpreter.compiler import ir

if TYPE_CHECKING:
    from interpreter.compiler.lowering.module_builder import ModuleBuilder


class Networks:
    """The questions that one kernel asks."""

    def __init__(self, program: ModuleBuilder) -> None:
        self.program, self.sets, self.library = program, program.sets, program.library
        self._names: dict[tuple[str, str], str] = {}

    def function(self, kind: str, question: str) -> str:
        """The name of the function that answers a question about networks of a kind; `joined` has how many sets."""
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
        return self._whole(kind, label, question)

    def _whole(self, kind: str, label: str, question: str) -> str:
        """The same for questions that go through whole networks."""
        wish, reached = f"{label}_{question}", self.function(kind, "reached")
        size = self.program.board.size
        match question.partition("_"):
            case "joined", _, many:
                goals = [f"goal_{number}" for number in range(2, int(many) + 1)]
                more = [ir.Name(goal, self.sets.cells) for goal in goals]
                return self.library.put("joined", wish, more, goals=goals, reached_from=reached)
            case "loop", _, _:
                return self.library.put("loop", wish, reached_from=reached, to=self.function(kind, "to"))
            case "spans", _, _:
                return self._spans(wish, reached, self.function(kind, "leaving"))
            case "distance", _, _ if kind == "cell":
                return self.library.put("cell_distance", reached_from=reached, size=size,
                                        neighbours_of=self.sets.neighbours_function)
            case "distance", _, _:
                return self.library.put("distance", wish, reached_from=reached, size=size,
                                        around_of=self.function(kind, "around"))
        assert question in ("ways", "arrivals")
        return self.library.put("ways", wish, arrivals=int(question == "arrivals"), reached_from=reached,
                                around_of=self.function(kind, "around"))

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

    def _spans(self, wish: str, reached: str, leaving: str) -> str:
        board, sets = self.program.board, self.sets
        ways = {way: board.directions.index(way) for way in ("north", "south", "west", "east")}
        return self.library.put(
            "spans", wish, everything=[sets.constant(board.everything)], rows=sets.table("rows", board.rows),
            row_count=board.row_count, columns=sets.table("columns", board.columns), column_count=board.column_count,
            reached_from=reached, leaving_by=leaving, **ways)
