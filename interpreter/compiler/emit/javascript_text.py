"""Building blocks of JavaScript text: names of values, literals, and operators on texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.ir import NOTHING, WORD

ATOM: Final = re.compile(r"-?[\w$]+")
_RESULT: Final = re.compile(r"r\d+")
LITERAL: Final = re.compile(r"-?\d+")
_INT_FUNCTIONS: Final = {"//": "quotient", "%": "remainder", "&": "intAnd", "|": "intOr", "^": "intXor",
                         "<<": "intLeft", ">>": "intRight"}
_NUMBER_FUNCTIONS: Final = {"abs": "Math.abs", "min": "Math.min", "max": "Math.max"}
_BIG_FUNCTIONS: Final = {"//": "bigQuotient", "%": "bigRemainder", "<<": "bigLeft", "abs": "bigAbs", "min": "bigMin",
                         "max": "bigMax"}

Parts = list[str]
"""A value, as the texts of its numbers."""


@attrs.frozen
class Ints:
    """How a module calculates with numbers: as safe integers, or as BigInts, where numbers have up to 64 bits."""

    big: bool = False

    def literal(self, value: int) -> str:
        """A constant."""
        return f"{value}n" if self.big else str(value)

    def known(self, text: str) -> int | None:
        """The value of a constant; None for any other text."""
        plain = text.removesuffix("n") if self.big else text
        return int(plain) if LITERAL.fullmatch(plain) else None

    def index(self, text: str) -> str:
        """A number as one of JavaScript's, such as an index or a distance."""
        value = self.known(text)
        return text if not self.big else str(value) if value is not None else f"Number({bare(text)})"

    def made(self, text: str) -> str:
        """One of JavaScript's numbers as a number of the module."""
        return f"BigInt({bare(text)})" if self.big else text

    def of_word(self, low: str, high: str) -> str:
        """A word as a number."""
        return f"{'bigNumber' if self.big else 'number'}({low}, {high})"

    def read(self, base: str, index: str) -> str:
        """The number at a place of a row."""
        return f"{'getBig' if self.big else 'get'}({base}, {bare(index)})"

    def halves(self, text: str) -> Parts:
        """The low and the high half of a number whose text can stand twice."""
        return [f"bigLow({text})", f"bigHigh({text})"] if self.big else [f"({text} | 0)", f"high({text})"]

    def stored(self, text: str) -> Parts:
        """The halves of a number for a row, which itself cuts off what is above them."""
        return self.halves(text) if self.big else [text, f"high({text})"]

    def function(self, name: str) -> str:
        """The JavaScript function for `abs`, `min` or `max`; the same name for any other."""
        return (_BIG_FUNCTIONS if self.big else _NUMBER_FUNCTIONS).get(name, name)

    def combined(self, operator: ir.Operator, one: str, other: str) -> str:
        """An operation on numbers."""
        if operator in ("+", "-", "*") or (self.big and operator not in _BIG_FUNCTIONS):
            return f"({one} {operator} {other})"
        if self.big:
            return f"{_BIG_FUNCTIONS[operator]}({bare(one)}, {bare(other)})"
        known = int(other) if LITERAL.fullmatch(other) else -1
        if operator == "&" and 0 <= known < 1 << 31:
            return f"({one} & {known})"
        if operator == "//" and known > 0:
            return f"Math.floor({bare(one)} / {known})" if ATOM.fullmatch(one) else f"Math.floor({one} / {known})"
        return f"{_INT_FUNCTIONS[operator]}({bare(one)}, {bare(other)})"


@attrs.frozen
class Names:
    """The JavaScript names of functions and values, with the module's functions, narrow tables and kind of numbers."""

    ints: Ints
    functions: Mapping[str, ir.Function]
    narrow: frozenset[str]
    """The tables that are emitted with one element for each number, without high halves."""
    taken: frozenset[str]
    """Names that are taken, by JavaScript or by `support.js`."""
    vectors: dict[int, str] = attrs.field(factory=dict)
    """The constant vectors that occur as literals, with the names they are emitted under."""

    def of(self, name: str) -> str:
        """The JavaScript name of a value or function."""
        return f"{name}$" if name in self.taken or _RESULT.fullmatch(name) else name

    def parts(self, name: str, sort: ir.Sort) -> Parts:
        """The names of the variables of a value's numbers."""
        return [self.of(name) + suffix for suffix in suffixes(sort)]


def suffixes(sort: ir.Sort) -> Parts:
    """The suffix of a value's name for each of its numbers."""
    match sort:
        case ir.Product(items=items):
            return [f"${index}{suffix}" for index, item in enumerate(items) for suffix in suffixes(item)]
    return ["", "$h"] if sort == WORD else [] if sort == NOTHING else [""]


def halves(value: int) -> Parts:
    """The low and the high half of a word or number."""
    return [str((part + (1 << 31)) % (1 << 32) - (1 << 31)) for part in (value, value >> 32)]


@attrs.frozen
class Place:
    """An element of an array."""

    base: str
    index: str
    narrow: bool = False

    @property
    def halves(self) -> Parts:
        """The texts of its two halves."""
        if self.index.isdigit():
            return [f"{self.base}[{2 * int(self.index)}]", f"{self.base}[{2 * int(self.index) + 1}]"]
        return [f"{self.base}[2 * {self.index}]", f"{self.base}[2 * {self.index} + 1]"]


def bare(text: str) -> str:
    """Remove the parentheses around a whole text, for contexts in which it stands alone."""
    if not text.startswith("("):
        return text
    depth = 0
    for index, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if (depth == 0 and index + 1 < len(text)) or (character == "," and depth == 1):
            return text
    return text[1:-1]


def joined(setups: Sequence[str], text: str) -> str:
    """Put the setups of a text before it, by the comma operator."""
    if not setups:
        return text
    if setups[-1].startswith(f"{text} = ") and text.startswith("$"):
        *before, last = setups
        return joined(before, last.removeprefix(f"{text} = "))
    return f"({', '.join([*setups, text])})"


def bits(operator: str, one: str, other: str) -> str:
    """A bit operation on two halves, simplified for literals."""
    neutral, whole = ("-1", "0") if operator == "&" else ("0", "-1")
    if operator != "^" and whole in (one, other):
        return whole
    if one == neutral:
        return other
    return one if other == neutral else f"({one} {operator} {other})"
