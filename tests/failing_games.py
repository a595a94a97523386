"""Random rule files in which rules fail: steps leave the board, values are `none`, numbers leave their ranges.

`failing_files()` gives declarations for `tests.probe.loaded`. They may contain everything that a rule may do in play:
in many positions several things fail, one after another, and the failure that an engine reports depends on the order.
"""

from __future__ import annotations

import re

import attrs
from hypothesis import strategies as st

_WAYS = ("north", "east", "south", "west")
_VARIABLES = """var n in 0..9
var m in 0..9 or none
var v in 0..3 or none = 2
var kind in pieces or none
var last in cells or none
var home in cells = "b1"
var heat[cell] in 0..5
"""


@attrs.frozen
class _Drawing:
    """Draws the terms of a file; `c` is a bound cell."""

    draw: st.DrawFn

    def one_of(self, *choices: str) -> str:
        """One of some texts."""
        return self.draw(st.sampled_from(choices))

    def kind(self, depth: int, many: int) -> int:
        """The index of one of `many` forms; 0, the simplest, at depth 0."""
        return self.draw(st.integers(0, many - 1)) if depth > 0 else 0

    def cell(self, depth: int) -> str:
        """A cell, or none."""
        below = depth - 1
        match self.kind(depth, 5):
            case 0:
                return self.one_of("c", '"b2"', '"a1"', "last", "home")
            case 1:
                return f"cell({self.number(below)}, {self.number(below)})"
            case 2:
                return f"({self.cell(below)} if {self.condition(below)} else {self.cell(below)})"
        return f"{self.cell(below)}.{self.one_of(*_WAYS)}"

    def number(self, depth: int) -> str:
        """A number, or none."""
        below = depth - 1
        match self.kind(depth, 7):
            case 0:
                return self.one_of("0", "1", "3", "n", "m", "v")
            case 1:
                return f"heat[{self.cell(below)}]"
            case 2:
                return f"count({self.cells(below)})"
            case 3:
                return f"({self.number(below)} if {self.condition(below)} else {self.number(below)})"
            case 4:
                return f"sum({self.number(below)} for x{depth} in {self.cells(below)})"
            case 5:
                return f"{self.one_of('min', 'max')}({self.number(below)}, {self.number(below)})"
        return f"({self.number(below)} {self.one_of('+', '-', '*')} {self.number(below)})"

    def cells(self, depth: int) -> str:
        """A set of cells."""
        below = depth - 1
        match self.kind(depth, 6):
            case 0:
                return self.one_of("mine", "theirs", "empty", "cells", "top")
            case 1:
                return f"neighbours({self.cell(below)})"
            case 2:
                return f"{{{self.cell(below)}, {self.cell(below)}}}"
            case 3:
                return f"ray({self.cell(below)}, {self.one_of(*_WAYS)}, {self.cells(below)})"
            case 4:
                return f"({self.cells(below)} {self.one_of('+', '-')} {self.cells(below)})"
        return f"{{y{depth} in {self.cells(below)} where {self.condition(below)}}}"

    def condition(self, depth: int) -> str:
        """A condition."""
        below = depth - 1
        match self.kind(depth, 6):
            case 0:
                return self.one_of("c in top", "c is empty", "some mine", "n > 1")
            case 1:
                return f"({self.number(below)} {self.one_of('<', '>', '=', '!=')} {self.number(below)})"
            case 2:
                return f"{self.cell(below)} is {self.one_of('empty', 'mine', 'theirs')}"
            case 3:
                return f"({self.condition(below)} {self.one_of('and', 'or')} {self.condition(below)})"
            case 4:
                return f"line({self.cells(below)}, {self.number(below)})"
        return f"not {self.condition(below)}"

    def effect(self, depth: int, indent: str = "    ") -> str:
        """An effect."""
        further = indent + "    "
        match self.draw(st.integers(0, 6)):
            case 0:
                piece = self.one_of("own", "empty", "stone", "kind", f"piece({self.cell(depth)})")
                place = self.cell(depth)
                return f"{indent}{place}{'.east' * (place in ('last', 'home'))} := {piece}\n"
            case 1:
                return f"{indent}carry {self.cell(depth)} to {self.cell(depth)}\n"
            case 2:
                return f"{indent}{self.one_of('n', 'm')} := {self.number(depth)}\n"
            case 3:
                return f"{indent}{self.one_of('last', 'home')} := {self.cell(depth)}\n"
            case 4:
                return f"{indent}heat[{self.cell(depth)}] := {self.number(depth)}\n"
            case 5:
                return f"{indent}if {self.condition(depth)}:\n{self.effect(depth, further)}"
        return f"{indent}each y_{len(indent)} in {self.cells(depth)}:\n{self.effect(depth, further)}"

    def onward(self, depth: int) -> str:
        """How a move continues after effects that may fail, so that they are tried for `no moves`; often not at all."""
        way = self.draw(st.integers(0, 6))
        if way < 3:
            return ""
        parts = [self.condition(depth) for _ in range(self.draw(st.integers(0, 2)))]
        perhaps = " and ".join(parts)
        if way < 6:
            when = f" when {perhaps}" if perhaps else ""
            further = f"    then further in {self.cells(depth)}{when}:\n{self.effect(depth, ' ' * 8)}"
            if way == 5:
                further += f"        then last_one in {self.cells(depth)}:\n{self.effect(depth, ' ' * 12)}"
            return further
        given = self.one_of("go", "on")
        domains = f"c in {self.at_home(self.cells(depth))}, d in {self.cells(depth)}"
        step = f"step on({domains}):\n{self.effect(depth)}" if given == "on" else ""
        return f"    then {given}(c){' or stop' * self.draw(st.booleans())}{perhaps and f' if {perhaps}'}\n{step}"

    def without_moves(self) -> str:
        """Ends that ask whether there is a move, among others, and the rule for a player who has none."""
        asks = self.at_home(self.condition(1))
        ends = self.one_of("", "draw when no moves\n", f"win mover when no moves and {asks}\n",
                           f"lose mover when {asks} and no moves\n", f"draw when no moves for anyone or {asks}\n")
        return ends + "draw when no empty\n" + self.one_of(
            "no moves draws\n", "no moves loses\n", "no moves wins\n", "no moves passes\n")

    def at_home(self, condition: str) -> str:
        """Replace the bound cell by `home`, for a term where no cell is bound."""
        return re.sub(r"\bc\b", "home", condition)


@st.composite
def failing_files(draw: st.DrawFn) -> str:
    """Declarations of a game; the checker may refuse them."""
    drawing, depth = _Drawing(draw), draw(st.integers(1, 3))
    effects = "".join(drawing.effect(depth) for _ in range(draw(st.integers(1, 3))))
    domain = drawing.at_home(drawing.cells(depth)) if draw(st.booleans()) else "cells"
    guard = f" where {drawing.condition(depth)}" if draw(st.booleans()) else ""
    forced, taken_back, end = (draw(st.integers(0, 3)) == 3 for _ in range(3))
    onward = drawing.onward(depth)
    second = f", d in {drawing.cells(depth)}" if "then go(c)" in onward else ""
    return (f"{_VARIABLES}move go(c in {domain}{guard}{second}):\n{effects}{onward}"
            + f"forced push(c in occupied where {drawing.condition(1)}):\n{drawing.effect(1)}" * forced
            + f"illegal when {drawing.at_home(drawing.condition(1))}\n" * taken_back
            + f"win mover when {drawing.at_home(drawing.condition(depth))}\n" * end
            + drawing.without_moves())
