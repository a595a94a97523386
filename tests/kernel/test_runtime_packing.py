"""Runtime functions that pack and unpack rows and count in packed positions, compared with their definitions."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.lowering.layout import split
from interpreter.compiler.lowering.packing import Field, _parts, _placed
from interpreter.compiler.runtime import packing
from tests.runtime import records_of

NONE = -(1 << 40)


@attrs.frozen
class Case:
    """A position with links and variables, as a row and packed."""

    size: int
    pieces: int
    holding: list[int]
    links: list[int]
    values: list[int | None]
    low: int
    numbers: list[int]
    """The player to move, the turn, the outcome and the seats."""

    @property
    def words(self) -> int:
        """The number of words of a set of cells."""
        return -(-self.size // 64)

    @property
    def planes(self) -> int:
        """The number of bits of a piece's number."""
        return (self.pieces - 1).bit_length()

    @property
    def row(self) -> list[int]:
        """The row of the position."""
        sets = [sum(1 << cell for cell, held in enumerate(self.holding) if held == piece)
                for piece in range(self.pieces)]
        return [*(part for cells in sets for part in split(cells, self.words)), *self.links,
                *(NONE if value is None else value for value in self.values), *self.numbers, 0]

    @property
    def fields(self) -> list[tuple[Field, int]]:
        """Every field with its value."""
        sizes: list[int] = []
        held: list[int] = []
        for plane in range(self.planes):
            cells = sum(1 << cell for cell, piece in enumerate(self.holding) if piece >> plane & 1)
            sizes += _parts(self.size)
            held += split(cells, self.words)
        sizes += [64] * len(self.links) + [4] * len(self.values) + [1, 2, 2, 1]
        to_move, turn, outcome, seats = self.numbers
        held += [*self.links, *(0 if value is None else value - self.low + 1 for value in self.values),
                 to_move, turn, outcome + 2, seats]
        return list(zip(_placed(sizes), held, strict=True))

    @property
    def packed(self) -> list[int]:
        """The packed position."""
        found = [0] * (1 + max(field.word for field, _ in self.fields))
        for field, value in self.fields:
            found[field.word] |= value << field.shift
        return found

    @property
    def known(self) -> dict[str, Any]:
        """The constants of the functions."""
        fields = [field for field, _ in self.fields]
        many = self.planes * self.words
        planes, links = fields[:many], fields[many : many + len(self.links)]
        values, last = fields[many + len(self.links) : -4], fields[-4:]
        return {
            "planes": self.planes, "words": self.words, "plane_word": [field.word for field in planes],
            "plane_shift": [field.shift for field in planes], "plane_bits": [field.bits for field in planes],
            "links": len(links), "link_at": [self.pieces * self.words + k for k in range(len(links))],
            "link_word": [field.word for field in links], "link_shift": [field.shift for field in links],
            "link_bits": [field.bits for field in links],
            "value_count": len(values), "value_word": [field.word for field in values],
            "value_shift": [field.shift for field in values], "value_mask": [15] * len(values),
            "value_low": [1 - self.low] * len(values), "missing": [NONE] * len(values),
            "last_word": [field.word for field in last], "last_shift": [field.shift for field in last],
            "last_bits": [field.bits for field in last]}

    def places(self, patched: pytest.MonkeyPatch) -> None:
        """Set the offsets of the row's parts."""
        values = self.pieces * self.words + len(self.links)
        first = values + len(self.values)
        places = {"VALUES_FROM": values, "TO_MOVE": first, "TURN": first + 1, "OUTCOME": first + 2,
                  "SEATS": first + 3, "POSITION": first + 4, "WIDTH": first + 5}
        for name, place in places.items():
            patched.setattr(packing, name, place)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A random position."""
    size, pieces, low = draw(st.integers(1, 130)), draw(st.integers(2, 6)), draw(st.integers(-3, 3))
    numbers = [draw(st.integers(0, 1)), draw(st.integers(0, 3)), draw(st.integers(-2, 1)), draw(st.integers(0, 1))]
    return Case(
        size, pieces, draw(st.lists(st.integers(0, pieces - 1), min_size=size, max_size=size)),
        draw(st.lists(st.integers(0, (1 << 64) - 1), max_size=2)),
        draw(st.lists(st.none() | st.integers(low, low + 14), max_size=3)), low, numbers)


@given(cases())
def test_packing(case: Case) -> None:
    """A row is packed field by field."""
    sources: list[list[tuple[int, int, int]]] = [[] for _ in case.packed]
    fields = [field for field, _ in case.fields]
    many = case.planes * case.words
    for place, field in enumerate(fields[:many]):
        bit, part = divmod(place, case.words)
        sources[field.word] += [(piece * case.words + part, field.shift, 0) for piece in range(1, case.pieces)
                                if piece >> bit & 1]
    for place, field in enumerate(fields[many : many + len(case.links)]):
        sources[field.word].append((case.pieces * case.words + place, field.shift, 0))
    first = case.pieces * case.words + len(case.links) + len(case.values)
    for place, (field, plus) in enumerate(zip(fields[-4:], (0, 0, 2, 0), strict=True)):
        sources[field.word].append((first + place, field.shift, plus))
    flat = [source for found in sources for source in found]
    packed = [99] * len(case.packed)
    with pytest.MonkeyPatch.context() as patched:
        case.places(patched)
        packing.packed_row(case.row, packed, **records_of(packing.packed_row, {
            **case.known, "width": len(packed), "first_source": list(accumulate(map(len, sources), initial=0)),
            "source": [place for place, _, _ in flat], "shift": [shift for _, shift, _ in flat],
            "plus": [plus for _, _, plus in flat]}))
    assert packed == case.packed


@given(cases())
def test_unpacking(case: Case) -> None:
    """Unpacking a packed position gives its row."""
    row = [99] * len(case.row)
    with pytest.MonkeyPatch.context() as patched:
        case.places(patched)
        packing.unpacked_row(case.packed, row, **records_of(packing.unpacked_row, {
            **case.known, "pieces": case.pieces, "every": split((1 << case.size) - 1, case.words)}))
    assert row == case.row


@given(cases(), st.data())
def test_tier(case: Case, data: st.DataObject) -> None:
    """The digits of a tier: the turn, how many of some cells hold a piece, and a falling sum of values."""
    piece = data.draw(st.integers(0, case.pieces - 1))
    cells = data.draw(st.sets(st.integers(0, case.size - 1)))
    whole = split(sum(1 << cell for cell in cells), case.words)
    parts = [(part, within) for part, within in enumerate(whole) if within]
    turn = case.fields[-3][0]
    many = sum(case.holding[cell] == piece for cell in cells)
    total = sum(0 if value is None else value - case.low + 1 for value in case.values)
    found = packing.tier_of_packed(case.packed, **records_of(packing.tier_of_packed, {
        **case.known, "counting": True, "turn_word": turn.word, "turn_shift": turn.shift, "turn_mask": 3,
        "quantities": 2, "sizes": [200, 50], "falling": [0, 1], "first_count": [0, len(parts), len(parts)],
        "count_piece": [piece] * len(parts), "count_part": [part for part, _ in parts],
        "count_cells": [within for _, within in parts], "first_value": [0, 0, len(case.values)],
        "first_phase": [-1, -1]}))
    assert found == (case.numbers[1] * 200 + many) * 50 + 49 - total
