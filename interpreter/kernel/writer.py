"""Writing a kernel's text: blocks, names, tables, and values that are computed once and used again.

A `Writer` keeps the open blocks of one function. What was computed in an open block can be used again inside it, as
long as nothing changed it (`forget`), and what does not depend on a loop can be computed before the loop (`outside`).
"""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Container, Hashable, Iterator
from contextlib import contextmanager

import attrs

from dsl.words import QUESTIONS

_STEP = "    "
_WIDTH = 114
"""Of the lines that describe a function."""
_RESERVED = frozenset((
    "act", "advance", "apply", "apply_move", "at", "both", "came_from", "canonical_among", "canonical_row", "children",
    "claimed", "close", "count", "count_moves", "draw", "either", "ends", "equal", "facing", "first", "flood", "force",
    "forget", "has", "has_move", "heads", "holds", "illegal", "image", "image_order", "key", "known", "least",
    "least_image", "legal", "less", "line", "list_moves", "may_pass", "may_swap", "minus", "moves", "neighbours",
    "next_player", "offered", "outcome", "pack", "perft", "pick", "piece_at", "play", "play_out", "play_outs", "put",
    "put_all", "quick_outcome", "ray", "remember", "settle", "single", "slide", "slot_of", "some", "stuck_ends",
    "stuck_outcome", "swap_sides", "tails", "take", "total", "tries", "unpack",
    "False", "None", "True", "abs", "len", "max", "min", "print", "range", "list", "legal", "playout",
    "of_words", "read", "set_at", "shift", "word_of", "write",
))
_FUNCTION = re.compile(r"(along|can|do|go_on|has|heads|in_lines|line|moves|sight|tails|track|tries|turn|turned)_.*"
                       rf"|.*_({'|'.join(QUESTIONS)}|between|cells|crossed|leaving|reached|through|to|with)")
"""What the functions that are named after rules and links are called."""


@attrs.define(eq=False)
class _Block:
    header: str
    loop: bool
    names: set[str] = attrs.field(factory=set)
    """The names that get their values in this block."""
    lines: list[str] = attrs.field(factory=list)
    before: list[str] = attrs.field(factory=list)
    """What stands before the header, of the same statement: an `if` with its lines before an `else`."""
    known: dict[Hashable, str] = attrs.field(factory=dict)


class Tables:
    """The constant tables of a kernel and the names of its functions; equal tables are kept once."""

    def __init__(self) -> None:
        self.values: dict[str, list[int]] = {}
        self.words: dict[str, bool] = {}
        self._names: dict[tuple[bool, tuple[int, ...]], str] = {}
        self.used: set[str] = set(_RESERVED)
        """Names that no local value may have."""
        self.made: set[str] = set()
        """Names of functions of the compiler's library."""

    def name(self, wish: str) -> str:
        """A name that no table or function has yet."""
        name, number = wish, 2
        while name in self.used:
            name, number = f"{wish}_{number}", number + 1
        self.used.add(name)
        return name

    def function(self, wish: str) -> str:
        """A name for a function of the library; those that local values avoid are free until a function has them."""
        name, number = wish, 2
        while name in self.made or (name in self.used and name not in _RESERVED):
            name, number = f"{wish}_{number}", number + 1
        self.used.add(name)
        self.made.add(name)
        return name

    def table(self, wish: str, values: list[int], *, words: bool = False) -> str:
        """The name of a table with these values, words or numbers."""
        key = words, tuple(values)
        if key not in self._names:
            name = self.name(wish.upper())
            self._names[key] = name
            self.values[name], self.words[name] = values, words
        return self._names[key]


class Writer:
    """Writes the lines of one function."""

    def __init__(self, parameters: tuple[str, ...] = (), taken: Container[str] = ()) -> None:
        self._taken = taken
        self._blocks = [_Block("", loop=False, names=set(parameters))]
        self._count: dict[str, int] = dict.fromkeys(parameters, 1)
        self.steady = True
        """Whether the position does not change while the function runs, so that values can be moved before loops."""

    @property
    def lines(self) -> list[str]:
        """What was written, at the outermost level."""
        return self._blocks[0].lines

    def line(self, text: str) -> None:
        """Write a line in the innermost block."""
        self._blocks[-1].lines.append(text)

    def fresh(self, wish: str) -> str:
        """A name not used yet in this function, for a value of the innermost block."""
        name = self._fresh(wish)
        self._blocks[-1].names.add(name)
        return name

    def _fresh(self, wish: str) -> str:
        wish = wish.rstrip("0123456789_") or "x"
        if wish in self._taken or wish in _RESERVED or keyword.iskeyword(wish) or _FUNCTION.fullmatch(wish):
            wish = f"{wish}_"
        number = self._count.get(wish, 0) + 1
        self._count[wish] = number
        return wish if number == 1 else f"{wish.rstrip('_')}_{number}"

    @contextmanager
    def block(self, header: str, *, loop: bool = False) -> Iterator[None]:
        """Write what follows inside a block."""
        self._blocks.append(_Block(header, loop))
        yield
        self._close()

    def open(self, header: str, *, loop: bool = False) -> None:
        """Begin a block that `close` ends."""
        self._blocks.append(_Block(header, loop))

    def close(self, many: int = 1) -> None:
        """End so many blocks."""
        for _ in range(many):
            self._close()

    def otherwise(self) -> None:
        """End the innermost block, an `if`, and begin its `else`."""
        block = self._blocks.pop()
        done = [*block.before, block.header, *(_STEP + line for line in block.lines or ["pass"])]
        self._blocks.append(_Block("else:", loop=False, before=done))

    def _close(self) -> None:
        block = self._blocks.pop()
        self._blocks[-1].lines += [*block.before, block.header, *(_STEP + line for line in block.lines or ["pass"])]

    @property
    def depth(self) -> int:
        """How many blocks are open."""
        return len(self._blocks)

    # ---- values used again

    def known(self, key: Hashable) -> str | None:
        """The name of a value that was computed before in a block that is still open."""
        for block in reversed(self._blocks):
            if key in block.known:
                return block.known[key]
        return None

    def know(self, key: Hashable, name: str) -> None:
        """Remember a value of the innermost block."""
        self._blocks[-1].known[key] = name

    def forget(self) -> None:
        """Something changed: nothing that was computed holds any more."""
        for block in self._blocks:
            block.known.clear()

    @contextmanager
    def outside(self, names: set[str]) -> Iterator[None]:
        """Write what follows as far out as values with these names are known, if that is before some loop."""
        place = len(self._blocks) - 1
        best = place
        while place > 0 and not names & self._blocks[place].names:
            if self._blocks[place].loop:
                best = place - 1
            place -= 1
        if not self.steady or best == len(self._blocks) - 1:
            yield
            return
        inner = self._blocks[best + 1 :]
        del self._blocks[best + 1 :]
        yield
        self._blocks += inner


def text_of(name: str, parameters: str, doc: str, body: list[str], decorator: str = "@jit") -> str:
    """The text of a function."""
    lines = [*textwrap.wrap(f'"""{doc}"""', _WIDTH), *(body or ["pass"])]
    return "\n".join([decorator, f"def {name}({parameters}):", *(_STEP + line for line in lines)]) + "\n"

