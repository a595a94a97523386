"""Positions in as few words as their values need, and the functions of a kernel's text that pack and unpack rows.

What stands on a cell takes the bits of a piece's number, a plane of bits for each; a variable the bits of how many
values it can have; who is to move, the turn, the outcome and the seats theirs. Nothing lies across two words. Packing
is exact: two positions are equal if and only if their packed words are, so a table of packed words needs no other
proof that it found the right position. What a kernel keeps besides the position is left out, and 0 after unpacking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.kernel.ranges import values_of
from interpreter.kernel.writer import text_of

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly

_WORD = 64


@attrs.frozen
class Field:
    """Where a value of so many bits stands: in which packed word, and from which bit on."""

    word: int
    shift: int
    bits: int

    def of(self, words: Sequence[int]) -> int:
        """The value in a packed position."""
        return int(words[self.word]) >> self.shift & (1 << self.bits) - 1


@attrs.frozen
class Packing:
    """How the positions of a kernel are packed."""

    width: int
    """How many words a packed position has."""
    planes: tuple[tuple[Field, ...], ...]
    """For each bit of a piece's number the field of each word of a set of cells."""
    links: tuple[Field, ...]
    """For each word of links, one kind after the other, its field."""
    values: tuple[tuple[Field, int], ...]
    """For each place among the variables its field and what is added to the value: 0 then stands for none."""
    to_move: Field
    """Holds the player to move."""
    turn: Field
    """Holds the number of moves made, as far as it counts."""
    outcome: Field
    """Holds the outcome + 2: 0 while the game goes on, 1 for a draw, 2 and more for the winner."""
    seats: Field
    """Holds whether seats are exchanged."""
    bits: int
    """How many bits of all words are used."""

    @classmethod
    def of(cls, assembly: Assembly) -> Packing:
        """The packing of a game's positions."""
        rules, board, layout = assembly.rules, assembly.board, assembly.program.layout
        sizes: list[int] = []
        planes = (layout.pieces - 1).bit_length()
        cell_words = _parts(board.size)
        for _ in range(planes):
            sizes += cell_words
        for layer in board.layers:
            sizes += _parts(len(layer.pairs))
        lows: list[int] = []
        for kind, many in zip(rules.variables, assembly.program.evaluator.sizes, strict=True):
            values = values_of(kind.sort, rules, board)
            assert values is not None  # a variable's sort
            sizes += [len(values).bit_length()] * many  # one value more than there are: none
            lows += [1 - values.start] * many
        players = len(rules.players)
        seated = any(pie.by_seats for pie in rules.pies)
        sizes += [(players - 1).bit_length(), assembly.turns.bit_length(), (players + 1).bit_length(), int(seated)]
        fields = _placed(sizes)
        rest = iter(fields)
        found_planes = tuple(tuple(next(rest) for _ in cell_words) for _ in range(planes))
        links = tuple(next(rest) for words in layout.link_words for _ in range(words))
        found_values = tuple((next(rest), low) for low in lows)
        to_move, turn, outcome, seats = rest
        width = 1 + max(field.word for field in fields)
        return cls(width, found_planes, links, found_values, to_move, turn, outcome, seats, sum(sizes))


def _parts(size: int) -> list[int]:
    """The bits in each word of a set of so many."""
    return [min(_WORD, size - start) for start in range(0, size, _WORD)]


def _placed(sizes: Sequence[int]) -> list[Field]:
    """Fields of these sizes, each where it first fits, the large ones first."""
    used: list[int] = []
    found = [Field(0, 0, 0)] * len(sizes)
    for place in sorted(range(len(sizes)), key=lambda place: -sizes[place]):
        size = sizes[place]
        if not size:
            continue
        word = next((k for k, bits in enumerate(used) if bits + size <= _WORD), len(used))
        if word == len(used):
            used.append(0)
        found[place] = Field(word, used[word], size)
        used[word] += size
    return found


def texts(assembly: Assembly, packing: Packing) -> list[str]:
    """The functions `pack` and `unpack`."""
    return [_pack(assembly, packing), _unpack(assembly, packing)]


def _shifted(text: str, by: int, sign: str = "<<") -> str:
    return f"({text} {sign} {by})" if by else text


def _pack(assembly: Assembly, packing: Packing) -> str:
    layout = assembly.program.layout
    parts: list[list[str]] = [[] for _ in range(packing.width)]

    def add(field: Field, text: str) -> None:
        if field.bits:
            parts[field.word].append(_shifted(text, field.shift))

    for bit, fields in enumerate(packing.planes):
        for part, field in enumerate(fields):
            pieces = [f"S[{piece * layout.words + part}]" for piece in range(1, layout.pieces) if piece >> bit & 1]
            add(field, pieces[0] if len(pieces) == 1 else f"({' | '.join(pieces)})")
    starts = [start + part for start, many in zip(layout.links, layout.link_words, strict=True) for part in range(many)]
    for place, field in zip(starts, packing.links, strict=True):
        add(field, f"S[{place}]")
    add(packing.to_move, "S[TO_MOVE]")
    add(packing.turn, "S[TURN]")
    add(packing.outcome, "word(number(S[OUTCOME]) + 2)")
    add(packing.seats, "S[SEATS]")
    lines = [f"P[{place}] = {' | '.join(texts) or 'EMPTY'}" for place, texts in enumerate(parts)]
    if packing.values:
        where, shift, low, _, missing = _value_tables(assembly, packing)
        lines += [f"for k in range({len(packing.values)}):", "    value_ = number(S[VALUES_FROM + k])",
                  f"    if value_ != {missing}[k]:",
                  f"        P[{where}[k]] |= word(value_ + {low}[k]) << {shift}[k]"]
    return text_of("pack", "S, P", "Write a position in as few words as its values need.", lines)


def _value_tables(assembly: Assembly, packing: Packing) -> tuple[str, str, str, str, str]:
    tables = assembly.program.tables
    return (tables.table("packed_at", [field.word for field, _ in packing.values]),
            tables.table("packed_shift", [field.shift for field, _ in packing.values]),
            tables.table("packed_low", [low for _, low in packing.values]),
            tables.table("packed_mask", [(1 << field.bits) - 1 for field, _ in packing.values]),
            tables.table("none_value", list(assembly.program.layout.missing)))


def _unpack(assembly: Assembly, packing: Packing) -> str:
    layout, everything = assembly.program.layout, assembly.board.everything

    def field_text(field: Field, words: str = "P") -> str:
        if not field.bits:
            return "EMPTY"
        text = _shifted(f"{words}[{field.word}]", field.shift, ">>")
        return f"({text} & word(0x{(1 << field.bits) - 1:x}))" if field.bits < _WORD else text

    lines = []
    for part in range(layout.words):
        full = f"word(0x{everything >> _WORD * part & (1 << _WORD) - 1:x})"
        bits = [f"bit_{number}" for number in range(len(packing.planes))]
        lines += [f"{name} = {field_text(fields[part])}" for name, fields in zip(bits, packing.planes, strict=True)]
        for piece in range(1, layout.pieces):
            terms = [name if piece >> number & 1 else f"~{name}" for number, name in enumerate(bits)]
            lines.append(f"S[{piece * layout.words + part}] = {' & '.join(terms)}")
        lines.append(f"S[{part}] = {' & '.join([full, *(f'~{name}' for name in bits)])}")
    starts = [start + part for start, many in zip(layout.links, layout.link_words, strict=True) for part in range(many)]
    lines += [f"S[{place}] = {field_text(field)}" for place, field in zip(starts, packing.links, strict=True)]
    if packing.values:
        where, shift, low, mask, missing = _value_tables(assembly, packing)
        lines += [f"for k in range({len(packing.values)}):",
                  f"    value_ = number((P[{where}[k]] >> {shift}[k]) & word({mask}[k]))",
                  "    if value_ == 0:", f"        value_ = {missing}[k]", "    else:", f"        value_ -= {low}[k]",
                  "    S[VALUES_FROM + k] = word(value_)"]
    lines += [f"S[TO_MOVE] = {field_text(packing.to_move)}", f"S[TURN] = {field_text(packing.turn)}",
              f"S[OUTCOME] = word(number({field_text(packing.outcome)}) - 2)",
              f"S[SEATS] = {field_text(packing.seats)}", "for k in range(POSITION, WIDTH):", "    S[k] = EMPTY"]
    return text_of("unpack", "P, S", "Write the row of a packed position.", lines)

