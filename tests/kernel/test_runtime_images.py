"""The compiler's runtime functions for images in plain Python, compared with the definition of an image."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.lowering.images import Kind
from interpreter.compiler.lowering.layout import join, split
from interpreter.compiler.passes.images import stride, table_of
from interpreter.compiler.runtime import images
from interpreter.compiler.runtime.game import FAILED, POSITION, TO_MOVE, TURN, WIDTH
from tests.runtime import records_of

PIECES = 3
"""Empty and one piece of each player, one word each: what a row of `interpreter.compiler.runtime.game` has room for."""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A board of up to 64 cells, a permutation of its cells, and a position."""
    size = draw(st.integers(1, 64))
    goals = tuple(draw(st.permutations(range(size))))
    holding = [draw(st.integers(0, PIECES - 1)) for _ in range(size)]
    numbers = [draw(st.integers(0, 1)), draw(st.integers(0, 3)), draw(st.integers(-2, 1)), draw(st.integers(0, 1))]
    return Case(goals, holding, numbers, draw(st.sampled_from([0, 4, 8])), draw(st.booleans()), draw(st.booleans()))


@attrs.frozen
class Case:
    """A symmetry and a position."""

    goals: tuple[int, ...]
    holding: list[int]
    """The piece on each cell."""
    numbers: list[int]
    """The player to move, the turn, the outcome and the seats."""
    step: int
    """The number of cells per table lookup, or 0 for none."""
    swapping: bool
    """Whether the symmetry swaps the players and their pieces."""
    from_empty: bool

    @property
    def row(self) -> list[int]:
        """The row of the position."""
        return row_of(self.holding, self.numbers)

    @property
    def image(self) -> list[int]:
        """The row of the image, by definition."""
        holding = [0] * len(self.goals)
        for cell, piece in enumerate(self.holding):
            holding[self.goals[cell]] = (0, 2, 1)[piece] if self.swapping else piece
        to_move, turn, outcome, seats = self.numbers
        if self.swapping:
            to_move = 1 - to_move
            outcome = 1 - outcome if outcome >= 0 else outcome
        return row_of(holding, [to_move, turn, outcome, seats])

    @property
    def known(self) -> dict[str, Any]:
        """The constants of the functions: symmetry 0 is the identity, symmetry 1 that of the case."""
        size = len(self.goals)
        sets = Kind.of("cells", 1, range(PIECES), [tuple(range(size)), self.goals])
        wide = stride(sets, self.step) if self.step else size
        return {
            "kinds": 1, "pieces": PIECES, "set_words": [1], "sizes": [size], "starts": [0], "steps": [self.step],
            "strides": [wide], "places": [[number * wide for number in sets.which]],
            "subsets": [table_of(sets, self.step) if self.step else []],
            "goals": [[goal for image in sets.images for goal in image]],
            "sources": [0, 1, 2, *((0, 2, 1) if self.swapping else (0, 1, 2))],
            "from_empty": self.from_empty and not self.step, "every": [(1 << size) - 1],
            "swaps": [0, int(self.swapping)], "value_count": 0, "converting": False, "value_from": [], "value_at": [],
            "value_low": [], "values": [], "missing": [], "pile_from": 0, "pile_bits": 1}

    @property
    def write_image(self) -> Callable[..., None]:
        """The function that writes an image."""
        return partial(images.write_image, unbounded=False, **records_of(images.write_image, self.known))

    def order(self, *, staying: bool) -> Callable[..., int]:
        """The function that compares an image with a position."""
        return partial(images.order_early, staying=staying, **records_of(images.order_early, self.known))


def row_of(holding: list[int], numbers: list[int]) -> list[int]:
    """The row of a position."""
    sets = [sum(1 << cell for cell, there in enumerate(holding) if there == piece) for piece in range(PIECES)]
    return [*sets, *numbers, 0]


def less(one: list[int], other: list[int]) -> int:
    """Compare two rows: negative if `one` comes first, 0 if they are equal."""
    return (one[:POSITION] > other[:POSITION]) - (one[:POSITION] < other[:POSITION])


@given(cases())
def test_write_image(case: Case) -> None:
    """Pieces move with their cells, and players are exchanged if the symmetry swaps them."""
    found = [99] * WIDTH
    case.write_image(case.row, 1, found)
    assert found == case.image


@given(cases(), st.data())
def test_order_early(case: Case, data: st.DataObject) -> None:
    """An image is compared with a position without being written."""
    other = data.draw(st.sampled_from([case.row, case.image]) | cases().map(lambda found: found.row))
    assert case.order(staying=False)(case.row, 1, [0] * WIDTH, other) == less(case.image, other)
    kept = [*case.image[:TO_MOVE], other[TO_MOVE], *case.image[TURN:]]
    assert case.order(staying=True)(case.row, 1, [0] * WIDTH, other) == less(kept, other)


@given(cases(), st.data())
def test_order_after_image(case: Case, data: st.DataObject) -> None:
    """An image is compared with a position after it is written."""
    other = data.draw(st.sampled_from([case.row, case.image]) | cases().map(lambda found: found.row))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(images, "image", case.write_image)
        patched.setattr(images, "less", lambda one, two: less(one, two) < 0)
        for staying in (False, True):
            kept = [*case.image[:TO_MOVE], case.row[TO_MOVE], *case.image[TURN:]] if staying else case.image
            assert images.order_after_image(case.row, 1, [0] * WIDTH, other, staying) == less(kept, other)


@given(cases(), st.booleans())
def test_least_of_images(case: Case, swapped: bool) -> None:
    """The least image is found, with the number of symmetries that give it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(images, "image", case.write_image)
        patched.setattr(images, "image_order", case.order(staying=False))
        found = [99] * WIDTH
        many = images.least_of_images(case.row, found, [0] * WIDTH, [1, 0] if swapped else [0, 1], 0, 2)
    every = [case.row, case.row, case.image]  # the position itself, and by the identity
    assert found[:POSITION] == min(row[:POSITION] for row in every)
    assert many == sum(row[:POSITION] == found[:POSITION] for row in every)


@given(cases())
def test_least_of_recoloured(case: Case) -> None:
    """The least image is found with the player to move unchanged."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(images, "image", case.write_image)
        patched.setattr(images, "recoloured_order", case.order(staying=True))
        found = [99] * WIDTH
        images.least_of_recoloured(case.row, found, [0] * WIDTH, [1], 0, 1)
    kept = [*case.image[:TO_MOVE], case.row[TO_MOVE], *case.image[TURN:]]
    assert found == min(case.row, kept)


@given(st.lists(st.integers(0, (1 << 200) - 1), min_size=2, max_size=2), st.integers(1, 200), st.sampled_from([4, 8]),
       st.randoms())
def test_sets_of_many_words(cells: list[int], size: int, step: int, random: Any) -> None:
    """Moving a set of several words by table equals moving it member by member."""
    goals = list(range(size))
    random.shuffle(goals)
    words = -(-size // 64)
    whole = cells[0] & ((1 << size) - 1)
    expected = sum(1 << goals[cell] for cell in range(size) if whole >> cell & 1)
    row = split(whole, words)
    sets = Kind.of("cells", words, [0], [tuple(goals)])
    table, wide = table_of(sets, step), stride(sets, step)
    assert join([images.image_word(row, 0, part * wide, table, size, step) for part in range(words)]) == expected
    for from_empty in (False, True):
        found = [99] * words
        images.move_members(row, 0, 0, found, 0, goals, words, from_empty, split((1 << size) - 1, words))
        assert join(found) == expected


@given(st.lists(st.integers(0, 3), min_size=8, max_size=8), st.lists(st.integers(0, 3), min_size=8, max_size=8),
       st.sampled_from([0, 1, 9]))
def test_comes_less(one: list[int], other: list[int], most: int) -> None:
    """Sets are compared from their last word, in a loop or unrolled, and then numbers."""
    def key(row: list[int]) -> list[int]:
        return [row[1], row[0], row[2], *row[3:POSITION]]

    assert images.comes_less(one, other, 2, [0, 2], [2, 1], most) == (key(one) < key(other))


@given(st.lists(st.integers(-1, 5), min_size=4, max_size=4), st.integers(0, 1))
def test_image_value(row: list[int], g: int) -> None:
    """A value comes from its index; values that a symmetry maps are converted, except a missing value."""
    value_from, changed = [0, 1, 1, 0], [5, 4, 3, 2, 1, 0]
    known = {"value_count": 2, "value_from": value_from, "value_at": [-1, -1, 0, -1], "value_low": [0] * 4,
             "values": changed, "missing": [-1, -1], "pile_from": 2, "pile_bits": 1}
    padded = [0, 0, 0, *row]
    for k in range(2):
        old = row[value_from[g * 2 + k]]
        converted = changed[old] if g == 1 and k == 0 and old != -1 else old
        for converting, expected in ((True, converted), (False, old)):
            given = records_of(images.image_value, {**known, "converting": converting})
            assert images.image_value(padded, g, k, **given) == expected


@given(st.lists(st.integers(1, 6), max_size=16), st.permutations(range(1, 7)))
def test_pieces_in_a_pile_have_images_each(pile: list[int], images_of: list[int]) -> None:
    """A pile has one digit per piece, and each digit is mapped; another symmetry uses another part of the table."""
    covered = sum(piece << 3 * place for place, piece in enumerate(pile))
    expected = sum(images_of[piece - 1] << 3 * place for place, piece in enumerate(pile))
    known = {"value_count": 2, "converting": True, "value_from": [0, 1, 1, 0], "value_at": [-1, -1, -1, 2],
             "value_low": [0] * 4, "values": [9, 9, 0, *images_of], "missing": [-1, -1], "pile_from": 1, "pile_bits": 3}
    padded = [0, 0, 0, covered, 0, 0, 0]
    given = records_of(images.image_value, known)
    assert images.image_value(padded, 1, 1, **given) == expected
    assert images.image_value([0, 0, 0, 0, covered, 0, 0], 0, 1, **given) == covered


@pytest.mark.parametrize("groups", [1, 2])
def test_canonical_of_row(groups: int) -> None:
    """The symmetries used are those that hold for the position."""
    asked: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(images, "claimed", lambda _: 1)
        patched.setattr(images, "least_image", lambda *given: asked.append(given[4:]))
        assert images.canonical_of_row([0] * WIDTH, [0] * WIDTH, groups, 5, [1, 2, 3, 4, 5], [0, 2, 5], True) == 0
        found = [1] * WIDTH
        images.canonical_of_row([0] * WIDTH, found, 1, 0, [], [], False)
    assert asked == [(2, 5) if groups == 2 else (0, 5)]
    assert found == [0] * WIDTH


def test_entries_stop_where_a_rule_fails() -> None:
    """Canonical forms of a batch stop at the first row in which a condition fails."""
    failing = [0] * WIDTH
    failing[FAILED] = 3
    states = [[0] * WIDTH, failing, [0] * WIDTH]
    made = [[9] * WIDTH for _ in states]

    def copied(row: list[int], to: list[int], *_: object) -> int:
        to[:] = row
        return 1

    with pytest.MonkeyPatch.context() as patched:
        for name in ("canonical_row", "canonical_among", "least_image", "least_recoloured"):
            patched.setattr(images, name, copied)
        patched.setattr(images, "claimed", lambda _: 0)
        assert images.canonical_many(states, 0, 3, made) == 1
        assert images.canonical_many(states, 2, 3, made) == 3
        counts = [0, 0, 0]
        assert images.canonical_among_many(states, 0, 3, [0, 1], made, counts) == 3
        assert counts == [1, 1, 1]
        for staying in (False, True):
            assert images.least_many(states, 0, 3, made, staying, [1], [0], [1]) == 1
    assert made[0] == states[0]
