"""Random expressions of the language, with their meaning.

Hypothesis draws an expression as a pair: its text, and a Python function of the bound names that gives its value on
the sample board of `tests.probe`. Sets are frozensets of cell names, and the values are computed without any code of
the project.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping

import attrs
from hypothesis import strategies as st

Value = object  # an int, a bool, a cell's name or None, or a frozenset of names
Meaning = Callable[[Mapping[str, Value]], Value]

NAMES = [f"{column}{row}" for row in "321" for column in "abc"]
CELLS = frozenset(NAMES)
BOARD = {"a1": "red", "b1": "red", "c1": "blue", "b2": "blue", "a3": "stone"}
PIECES = ("red", "stone", "own")
"""The regions below that are also names of pieces."""
STEPS = {
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
"""The changes of a name's letter and number by a step."""


def holding(*pieces: str) -> frozenset[str]:
    return frozenset(name for name, piece in BOARD.items() if piece in pieces)


REGIONS = {
    "cells": CELLS,
    "empty": CELLS - holding("red", "blue", "stone"),
    "occupied": holding("red", "blue", "stone"),
    "mine": holding("red"),
    "theirs": holding("blue"),
    "red": holding("red"),
    "stone": holding("stone"),
    "own": holding("red"),
    "top": frozenset(name for name in NAMES if name[1] == "3"),
    "left": frozenset(name for name in NAMES if name[0] == "a"),
    "corners": frozenset({"a1", "a3", "c1", "c3"}),
    "edges": CELLS - {"b2"},
}


def stepped(cell: str | None, way: str) -> str | None:
    if cell is None:
        return None
    right, up = STEPS[way]
    there = f"{chr(ord(cell[0]) + right)}{int(cell[1]) + up}"
    return there if there in CELLS else None


def ahead(cell: str | None, way: str, steps: int) -> str | None:
    if cell is None:
        return None
    right, up = STEPS[way]
    column, row = "abc".index(cell[0]) + steps * right, int(cell[1]) + steps * up
    return f"{'abc'[column]}{row}" if 0 <= column < 3 and 1 <= row <= 3 else None


def near(some: frozenset[str]) -> frozenset[str]:
    found = {stepped(cell, way) for cell in some for way in ("north", "east", "south", "west")}
    return frozenset(cell for cell in found if cell is not None)


def grown(cell: str | None, inside: frozenset[str]) -> frozenset[str]:
    reached = frozenset({cell}) & inside if cell is not None else frozenset()
    while (wider := reached | (near(reached) & inside)) != reached:
        reached = wider
    return reached


def union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(cell for one in sets for cell in one)


def ray(cell: str | None, way: str, inside: frozenset[str]) -> frozenset[str]:
    found = []
    while (cell := stepped(cell, way)) is not None and cell in inside:
        found.append(cell)
    return frozenset(found)


@attrs.frozen
class Expression:
    """A text, and its value as a function of the bound names."""

    text: str
    meaning: Meaning

    def __repr__(self) -> str:
        return self.text


def as_set(value: Value) -> frozenset[str]:
    """A cell or a set as a set; None is the empty set."""
    if isinstance(value, frozenset):
        return value
    return frozenset() if value is None else frozenset({str(value)})


def number(value: Value) -> int:
    assert isinstance(value, int)
    return value


def cell_of(value: Value) -> str | None:
    assert value is None or isinstance(value, str)
    return value


class Drawing:
    """Draws expressions of each sort; `bound` are the names of cells that can be used."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.count = 0

    def pick(self, depth: int, leaves: list[str], branches: list[str]) -> str:
        return self.draw(st.sampled_from(leaves if depth <= 0 else leaves[:1] + branches))

    def fresh(self) -> str:
        self.count += 1
        return f"x{self.count}"

    def number(self, depth: int, bound: tuple[str, ...]) -> Expression:
        kind = self.pick(
            depth, ["literal"], ["+", "-", "*", "negative", "count", "abs", "min", "max", "if", "sum", "most"]
        )
        if kind == "literal":
            value = self.draw(st.integers(0, 4))
            return Expression(str(value), lambda env: value)
        if kind in ("+", "-", "*"):
            a, b = self.number(depth - 1, bound), self.number(depth - 1, bound)
            operate = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[kind]
            return Expression(f"({a} {kind} {b})", lambda env: operate(number(a.meaning(env)), number(b.meaning(env))))
        if kind == "negative":
            a = self.number(depth - 1, bound)
            return Expression(f"(-{a})", lambda env: -number(a.meaning(env)))
        if kind == "count":
            s = self.set(depth - 1, bound)
            return Expression(f"count({s})", lambda env: len(as_set(s.meaning(env))))
        if kind == "abs":
            a = self.number(depth - 1, bound)
            return Expression(f"abs({a})", lambda env: abs(number(a.meaning(env))))
        if kind in ("min", "max"):
            a, b = self.number(depth - 1, bound), self.number(depth - 1, bound)
            choose = min if kind == "min" else max
            return Expression(f"{kind}({a}, {b})", lambda env: choose(number(a.meaning(env)), number(b.meaning(env))))
        if kind == "if":
            return self.either(self.number, depth, bound)
        x, s = self.fresh(), self.set(depth - 1, bound)
        body, guard = self.number(depth - 1, (*bound, x)), self.condition(depth - 1, (*bound, x))
        total = sum if kind == "sum" else lambda values: max(values, default=0)
        word = "sum" if kind == "sum" else "max"

        def value_of(env: Mapping[str, Value]) -> Value:
            inner = [{**env, x: cell} for cell in as_set(s.meaning(env))]
            return total([number(body.meaning(one)) for one in inner if guard.meaning(one)])

        return Expression(f"{word}({body} for {x} in {s} where {guard})", value_of)

    def cell(self, depth: int, bound: tuple[str, ...]) -> Expression:
        kind = self.pick(depth, ["bound"] if bound else ["named"], ["named", "step", "next", "at", "if"])
        if kind == "bound":
            name = self.draw(st.sampled_from(bound))
            return Expression(name, lambda env: env[name])
        if kind == "named":
            name = self.draw(st.sampled_from(NAMES))
            return Expression(f'"{name}"', lambda env: name)
        if kind == "step":
            base, way = self.cell(depth - 1, bound), self.draw(st.sampled_from(sorted(STEPS)))
            return Expression(f"{base}.{way}", lambda env: stepped(cell_of(base.meaning(env)), way))
        if kind == "next":
            base, way = self.cell(depth - 1, bound), self.draw(st.sampled_from(sorted(STEPS)))
            n = self.number(depth - 1, bound)
            return Expression(f"next({base}, {way}, {n})",
                              lambda env: ahead(cell_of(base.meaning(env)), way, number(n.meaning(env))))
        if kind == "at":
            r, k = self.number(depth - 1, bound), self.number(depth - 1, bound)

            def cell_at(env: Mapping[str, Value]) -> Value:
                row, column = number(r.meaning(env)), number(k.meaning(env))
                return f"{'abc'[column]}{3 - row}" if 0 <= row < 3 and 0 <= column < 3 else None

            return Expression(f"cell({r}, {k})", cell_at)
        return self.either(self.cell, depth, bound)

    def set(self, depth: int, bound: tuple[str, ...]) -> Expression:
        kind = self.pick(
            depth,
            ["region"],
            ["cell", "+", "-", "and", "braces", "such", "neighbours", "ray", "group", "if", "row", "union"],
        )
        if kind == "region":
            name = self.draw(st.sampled_from(sorted(REGIONS)))
            return Expression(name, lambda env: REGIONS[name])
        if kind == "cell":
            return self.cell(depth - 1, bound)
        if kind in ("+", "-", "and"):
            s, t = self.set(depth - 1, bound), self.set(depth - 1, bound)
            combine = {"+": operator.or_, "-": operator.sub, "and": operator.and_}[kind]
            return Expression(f"({s} {kind} {t})", lambda env: combine(as_set(s.meaning(env)), as_set(t.meaning(env))))
        if kind == "braces":
            parts = [self.set(depth - 2, bound) for _ in range(self.draw(st.integers(0, 3)))]
            text = "{" + ", ".join(part.text for part in parts) + "}"
            if parts and all(part.text in PIECES for part in parts):
                text = f"({text} + {{}})"  # pieces alone in braces are pieces to choose from
            return Expression(text, lambda env: union(as_set(part.meaning(env)) for part in parts))
        if kind == "such":
            x, s = self.fresh(), self.set(depth - 1, bound)
            guard = self.condition(depth - 1, (*bound, x))
            return Expression(
                f"{{{x} in {s} where {guard}}}",
                lambda env: frozenset(one for one in as_set(s.meaning(env)) if guard.meaning({**env, x: one})),
            )
        if kind == "neighbours":
            s = self.set(depth - 1, bound)
            return Expression(f"neighbours({s})", lambda env: near(as_set(s.meaning(env))))
        if kind == "ray":
            base, way, s = (
                self.cell(depth - 1, bound),
                self.draw(st.sampled_from(sorted(STEPS))),
                self.set(depth - 1, bound),
            )
            return Expression(
                f"ray({base}, {way}, {s})", lambda env: ray(cell_of(base.meaning(env)), way, as_set(s.meaning(env)))
            )
        if kind == "group":
            base, s = self.cell(depth - 1, bound), self.set(depth - 1, bound)
            return Expression(
                f"group({base}, {s})", lambda env: grown(cell_of(base.meaning(env)), as_set(s.meaning(env)))
            )
        if kind == "row":
            r = self.number(depth - 1, bound)
            return Expression(
                f"row({r})", lambda env: frozenset(name for name in NAMES if 3 - int(name[1]) == number(r.meaning(env)))
            )
        if kind == "union":
            x, s = self.fresh(), self.set(depth - 1, bound)
            body = self.set(depth - 1, (*bound, x))
            return Expression(
                f"union({body} for {x} in {s})",
                lambda env: union(as_set(body.meaning({**env, x: one})) for one in as_set(s.meaning(env))),
            )
        return self.either(self.set, depth, bound)

    def condition(self, depth: int, bound: tuple[str, ...]) -> Expression:
        kind = self.pick(
            depth,
            ["truth"],
            ["number", "cells", "sets", "in", "listed", "not", "and", "or", "some set", "quantifier", "if", "joined"],
        )
        if kind == "truth":
            value = self.draw(st.booleans())
            return Expression("true" if value else "false", lambda env: value)
        if kind == "number":
            a, b = self.number(depth - 1, bound), self.number(depth - 1, bound)
            sign = self.draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
            return Expression(
                f"({a} {sign} {b})", lambda env: compared(sign, number(a.meaning(env)), number(b.meaning(env)))
            )
        if kind == "cells":
            c, d = self.cell(depth - 1, bound), self.cell(depth - 1, bound)
            sign = self.draw(st.sampled_from(["=", "!="]))
            return Expression(f"({c} {sign} {d})", lambda env: (c.meaning(env) == d.meaning(env)) == (sign == "="))
        if kind == "sets":
            s, t = self.set(depth - 1, bound), self.set(depth - 1, bound)
            whole = Expression(f"({s} + {{}})", s.meaning)  # a cell or piece would be compared as such
            return Expression(f"({whole} = {t})", lambda env: as_set(s.meaning(env)) == as_set(t.meaning(env)))
        if kind == "in":
            c, s = self.cell(depth - 1, bound), self.set(depth - 1, bound)
            word = self.draw(st.sampled_from(["in", "is", "not in", "is not"]))
            return Expression(
                f"({c} {word} {s})", lambda env: (c.meaning(env) in as_set(s.meaning(env))) == ("not" not in word)
            )
        if kind == "listed":
            a, *others = (self.number(depth - 2, bound) for _ in range(self.draw(st.integers(2, 4))))
            word = self.draw(st.sampled_from(["in", "not in"]))
            return Expression(
                f"({a} {word} {{{', '.join(other.text for other in others)}}})",
                lambda env: (a.meaning(env) in {other.meaning(env) for other in others}) == (word == "in"),
            )
        if kind == "not":
            p = self.condition(depth - 1, bound)
            return Expression(f"(not {p})", lambda env: not p.meaning(env))
        if kind in ("and", "or"):
            p, q = self.condition(depth - 1, bound), self.condition(depth - 1, bound)
            if kind == "and":
                return Expression(f"({p} and {q})", lambda env: bool(p.meaning(env)) and bool(q.meaning(env)))
            return Expression(f"({p} or {q})", lambda env: bool(p.meaning(env)) or bool(q.meaning(env)))
        if kind == "some set":
            s, word = self.set(depth - 1, bound), self.draw(st.sampled_from(["some", "no"]))
            return Expression(f"({word} {s})", lambda env: bool(as_set(s.meaning(env))) == (word == "some"))
        if kind == "joined":
            s, t, u = (self.set(depth - 1, bound) for _ in range(3))

            def are_joined(env: Mapping[str, Value]) -> Value:
                inside, start, goal = (as_set(part.meaning(env)) for part in (s, t, u))
                return any(grown(one, inside) & goal for one in start)

            return Expression(f"joined({s}, {t}, {u})", are_joined)
        if kind == "if":
            return self.either(self.condition, depth, bound)
        x, s = self.fresh(), self.set(depth - 1, bound)
        guard, body = self.condition(depth - 1, (*bound, x)), self.condition(depth - 1, (*bound, x))
        word = self.draw(
            st.sampled_from(["some", "every", "no", "exactly one", "exactly 2", "at least 2", "at most 2"])
        )

        def holds(env: Mapping[str, Value]) -> Value:
            asked = [{**env, x: one} for one in as_set(s.meaning(env))]
            answers = [bool(body.meaning(one)) for one in asked if guard.meaning(one)]
            return {
                "some": any(answers),
                "every": all(answers),
                "no": not any(answers),
                "exactly one": sum(answers) == 1,
                "exactly 2": sum(answers) == 2,
                "at least 2": sum(answers) >= 2,
                "at most 2": sum(answers) <= 2,
            }[word]

        return Expression(f"({word} {x} in {s} where {guard}: {body})", holds)

    def either(
        self, sort: Callable[[int, tuple[str, ...]], Expression], depth: int, bound: tuple[str, ...]
    ) -> Expression:
        p, a, b = self.condition(depth - 1, bound), sort(depth - 1, bound), sort(depth - 1, bound)
        return Expression(f"({a} if {p} else {b})", lambda env: a.meaning(env) if p.meaning(env) else b.meaning(env))


def compared(sign: str, a: int, b: int) -> bool:
    return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]


@st.composite
def numbers(draw: st.DrawFn) -> Expression:
    return Drawing(draw).number(draw(st.integers(1, 4)), ())


@st.composite
def conditions(draw: st.DrawFn) -> Expression:
    return Drawing(draw).condition(draw(st.integers(1, 4)), ())


@st.composite
def sets(draw: st.DrawFn) -> Expression:
    return Drawing(draw).set(draw(st.integers(1, 4)), ())


@st.composite
def single_cells(draw: st.DrawFn) -> Expression:
    return Drawing(draw).cell(draw(st.integers(1, 4)), ())
