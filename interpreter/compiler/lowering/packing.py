"""Packs positions into as few words as their values need, and makes the tables of the functions that pack and unpack.

The piece on a cell takes the bits of its number, one plane of bits for each; a variable takes the bits for its number
of values; the player to move, the turn, the outcome and the seats take theirs. No field crosses a word boundary.
Packing is exact: two positions are equal if and only if their packed words are, so a table of packed words needs no
other proof that it found the right position. What a kernel keeps besides the position is left out, and is 0 after
unpacking.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import attrs

from interpreter.compiler.library import Given
from interpreter.compiler.lowering.layout import split
from interpreter.model.ranges import values_of

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

_WORD = 64


@attrs.frozen
class Field:
    """The place of a value in a packed position: its word, its first bit and its number of bits."""

    word: int
    shift: int
    bits: int

    def of(self, words: Sequence[int]) -> int:
        """Extract the value from a packed position."""
        return int(words[self.word]) >> self.shift & (1 << self.bits) - 1


@attrs.frozen
class Packing:
    """How the positions of a kernel are packed."""

    width: int
    """The number of words of a packed position."""
    planes: tuple[tuple[Field, ...], ...]
    """For each bit of a piece's number the field of each word of a set of cells."""
    links: tuple[Field, ...]
    """The field of each word of links, one kind after the other."""
    values: tuple[tuple[Field, int], ...]
    """For each place among the variables its field and what is added to the value, so that 0 stands for none."""
    to_move: Field
    """Holds the player to move."""
    turn: Field
    """Holds the number of moves made, as far as it counts."""
    outcome: Field
    """Holds the outcome + 2: 0 while the game goes on, 1 for a draw, 2 and more for the winner."""
    seats: Field
    """Holds whether seats are exchanged."""
    bits: int
    """The number of bits that are used in all words."""

    @classmethod
    def of(cls, compiler: KernelCompiler) -> Packing:
        """The packing of a game's positions."""
        rules, board, layout = compiler.rules, compiler.board, compiler.program.layout
        sizes: list[int] = []
        planes = (layout.pieces - 1).bit_length()
        cell_words = _parts(board.size)
        for _ in range(planes):
            sizes += cell_words
        for layer in board.layers:
            sizes += _parts(len(layer.pairs))
        lows: list[int] = []
        for kind, count in zip(rules.variables, compiler.program.evaluator.sizes, strict=True):
            values = values_of(kind.sort, rules, board)
            assert values is not None  # a variable's sort
            sizes += [len(values).bit_length()] * count  # one value more than there are: none
            lows += [1 - values.start] * count
        players = len(rules.players)
        seated = any(pie.by_seats for pie in rules.pies)
        sizes += [(players - 1).bit_length(), compiler.last_turn.bit_length(), (players + 1).bit_length(), int(seated)]
        fields = _placed(sizes)
        rest = iter(fields)
        found_planes = tuple(tuple(next(rest) for _ in cell_words) for _ in range(planes))
        links = tuple(next(rest) for words in layout.link_words for _ in range(words))
        found_values = tuple((next(rest), low) for low in lows)
        to_move, turn, outcome, seats = rest
        width = 1 + max(field.word for field in fields)
        return cls(width, found_planes, links, found_values, to_move, turn, outcome, seats, sum(sizes))


def _parts(size: int) -> list[int]:
    """The number of bits in each word of a set of at most `size` members."""
    return [min(_WORD, size - start) for start in range(0, size, _WORD)]


def _placed(sizes: Sequence[int]) -> list[Field]:
    """Fields of these sizes, placed first-fit, the large ones first."""
    used: list[int] = []
    result = [Field(0, 0, 0)] * len(sizes)
    for place in sorted(range(len(sizes)), key=lambda place: -sizes[place]):
        size = sizes[place]
        if not size:
            continue
        word = next((k for k, bits in enumerate(used) if bits + size <= _WORD), len(used))
        if word == len(used):
            used.append(0)
        result[place] = Field(word, used[word], size)
        used[word] += size
    return result


def define(compiler: KernelCompiler) -> None:
    """Add the functions `pack` and `unpack` to a kernel."""
    library, layout, packing = compiler.program.library, compiler.program.layout, compiler.packing
    known = {**planes_of(packing, layout.words), **_values(compiler), **_fields(compiler)}
    starts = list(range(layout.words * layout.pieces, layout.values))  # of the words of links
    last = (packing.to_move, packing.turn, packing.outcome, packing.seats)
    every = compiler.board.everything
    library.define("packed_row", "pack", width=packing.width, **known)
    library.define(
        "unpacked_row", "unpack", pieces=layout.pieces, every=split(every, layout.words), links=len(starts),
        link_at=starts, link_word=[field.word for field in packing.links],
        link_shift=[field.shift for field in packing.links], link_bits=[field.bits for field in packing.links],
        last_word=[field.word for field in last], last_shift=[field.shift for field in last],
        last_bits=[field.bits for field in last], **known)


def planes_of(packing: Packing, words: int) -> dict[str, Given]:
    """The tables of planes (`interpreter.compiler.runtime.packing`); a plane of no bits where there are no pieces."""
    fields = [field for plane in packing.planes for field in plane] or [Field(0, 0, 0)] * words
    return {"planes": max(len(packing.planes), 1), "plane_word": [field.word for field in fields],
            "plane_shift": [field.shift for field in fields], "plane_bits": [field.bits for field in fields]}


def _values(compiler: KernelCompiler) -> dict[str, Given]:
    """The tables of the places of the variables' values."""
    tables, fields = compiler.program.tables, compiler.packing.values
    if not fields:
        none = dict.fromkeys(("value_word", "value_shift", "value_low", "value_mask", "missing"), "")
        return {"value_count": 0, **none}
    return {"value_count": len(fields),
            "value_word": tables.table("packed_at", [field.word for field, _ in fields]),
            "value_shift": tables.table("packed_shift", [field.shift for field, _ in fields]),
            "value_low": tables.table("packed_low", [low for _, low in fields]),
            "value_mask": tables.table("packed_mask", [(1 << field.bits) - 1 for field, _ in fields]),
            "missing": tables.table("none_value", list(compiler.program.layout.missing))}


def _fields(compiler: KernelCompiler) -> dict[str, Given]:
    """The words of a row that make up each packed word, without variables: their places, shifts, and what is added."""
    layout, packing = compiler.program.layout, compiler.packing
    result: list[list[tuple[int, int, int]]] = [[] for _ in range(packing.width)]

    def add(field: Field, place: int, plus: int = 0) -> None:
        if field.bits:
            result[field.word].append((place, field.shift, plus))

    for bit, fields in enumerate(packing.planes):
        for part, field in enumerate(fields):
            for piece in range(1, layout.pieces):
                if piece >> bit & 1:
                    add(field, piece * layout.words + part)
    starts = list(range(layout.words * layout.pieces, layout.values))  # of the words of links
    for place, field in zip(starts, packing.links, strict=True):
        add(field, place)
    add(packing.to_move, layout.to_move)
    add(packing.turn, layout.turn)
    add(packing.outcome, layout.outcome, 2)
    add(packing.seats, layout.seats)
    every = [part for parts in result for part in parts]
    return {"first_source": list(accumulate(map(len, result), initial=0)), "source": [place for place, _, _ in every],
            "shift": [shift for _, shift, _ in every], "plus": [plus for _, _, plus in every]}
