"""Operations on sets of cells in plain Python, compared with Python's sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.runtime import sets
from tests.runtime import cells_of, mask_of, masks, table_of, words_of

WORDS = st.sampled_from([1, 2, 3, 9])


@given(data=st.data(), words=WORDS)
def test_what_two_sets_give(data: st.DataObject, words: int) -> None:
    one, other = data.draw(masks(64 * words)), data.draw(masks(64 * words))
    a, b = words_of(one, words), words_of(other, words)
    assert mask_of(sets.both(a, b)) == one & other
    assert mask_of(sets.either(a, b)) == one | other
    assert mask_of(sets.minus(a, b)) == one & ~other
    assert sets.equal(a, b) == (one == other)
    assert sets.some(a) == (one != 0)
    assert sets.count(a) == one.bit_count()
    assert not sets.some(sets.nothing(words))


@given(data=st.data(), words=WORDS)
def test_the_cells_of_a_set_by_their_numbers(data: st.DataObject, words: int) -> None:
    mask = data.draw(masks(64 * words))
    a, cells = words_of(mask, words), sorted(cells_of(mask))
    assert [sets.pick(a, k) for k in range(len(cells))] == cells
    assert not cells or sets.first(a) == cells[0]
    cell = data.draw(st.integers(0, 64 * words - 1))
    assert sets.has(a, cell) == (cell in cells)
    assert mask_of(sets.single(cell, words)) == 1 << cell
    assert [sets.word_of(a, k) for k in range(words)] == list(a)


@given(data=st.data(), words=WORDS, by=st.integers(0, 200))
def test_sets_are_shifted_as_one_number(data: st.DataObject, words: int, by: int) -> None:
    by = min(by, 64 * words - 1)
    mask = data.draw(masks(64 * words))
    a, whole = words_of(mask, words), (1 << 64 * words) - 1
    assert mask_of(sets.up(a, by)) == mask << by & whole
    assert mask_of(sets.down(a, by)) == mask >> by
    assert sets.moved(a, by) == sets.up(a, by)
    assert sets.moved(a, -by) == sets.down(a, by)


@given(data=st.data(), words=WORDS)
def test_sets_in_rows_and_tables(data: st.DataObject, words: int) -> None:
    found = data.draw(st.lists(masks(64 * words), min_size=1, max_size=4))
    row = table_of(found, words)
    number = data.draw(st.integers(0, len(found) - 1))
    cell = data.draw(st.integers(0, 64 * words - 1))
    assert mask_of(sets.of_table(row, number, words)) == found[number]
    assert mask_of(sets.at(row, number * words, words)) == found[number]
    assert sets.set_at(row, number * words, words) == sets.at(row, number * words, words)
    assert sets.holds(row, number * words, cell) == (found[number] >> cell & 1 == 1)
    new = data.draw(masks(64 * words))
    sets.store(row, number * words, words_of(new, words))
    assert row == table_of([*found[:number], new, *found[number + 1:]], words)
