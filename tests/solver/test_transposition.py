"""The transposition table of all searches: what it finds, and its replacement scheme."""

from __future__ import annotations

import random

import pytest

from solver.native.records import Arrays, native_records
from solver.native.transposition import (
    BUCKET,
    FILLED,
    PAIR,
    REPLACED,
    UPDATED,
    ask,
    bounds,
    claim,
    claim_single,
    digest,
    find,
    fingerprint,
    look_up,
    lower_of,
    move_entries,
    pair_digest,
    put,
    seal,
    upper_of,
    work_of,
)

ARRAYS = Arrays(False)
WIDTH = 2


def key_of(number: int) -> list[int]:
    """A random packed position of two words."""
    chance = random.Random(number)
    return [chance.getrandbits(64), chance.getrandbits(64)]


def kept(table: object, key: list[int]) -> tuple[int, int] | None:
    known = look_up(table, key, WIDTH, digest(key, WIDTH))  # type: ignore[arg-type]  # rows in plain Python
    return (lower_of(known), upper_of(known)) if known else None


def test_what_was_written_last_is_found_by_its_key_alone() -> None:
    """While there is room, the last bounds written for a key are found, also after the table has grown."""
    table = ARRAYS.words(1 << 10, WIDTH + 1)
    for number in range(100):
        key = key_of(number)
        for lower in (-number, number):
            became = put(table, key, WIDTH, digest(key, WIDTH), bounds(lower, 500, 0, 3, 1))  # type: ignore[arg-type]
            assert became == (UPDATED if lower == number and number else FILLED) or number == 0
    assert all(kept(table, key_of(number)) == (number, 500) for number in range(100))
    assert kept(table, key_of(1_000)) is None
    larger = ARRAYS.words(1 << 12, WIDTH + 1)
    assert move_entries(table, larger) == 0
    assert all(kept(larger, key_of(number)) == (number, 500) for number in range(100))
    found = ARRAYS.line((0, 0))
    assert ask(larger, key_of(7), found) == 1  # type: ignore[arg-type]
    assert list(found) == [7, 500]


def test_entry_of_which_two_threads_wrote_parts_fits_no_key() -> None:
    """An entry of which two threads wrote different words matches no key, whichever words they are."""
    for part in range(WIDTH + 1):
        table = ARRAYS.words(BUCKET, WIDTH + 1)
        one, other = key_of(1), key_of(2)
        put(table, one, WIDTH, digest(one, WIDTH), bounds(1, 2, 0, 3, 1))  # type: ignore[arg-type]
        put(table, other, WIDTH, digest(other, WIDTH), bounds(3, 4, 0, 5, 1))  # type: ignore[arg-type]
        index, _ = find(table, one, WIDTH, digest(one, WIDTH), BUCKET)  # type: ignore[arg-type]
        there, _ = find(table, other, WIDTH, digest(other, WIDTH), BUCKET)  # type: ignore[arg-type]
        table[index, part] = table[there, part]
        assert kept(table, one) is None
        assert kept(table, other) == (3, 4)


def store(table: object, number: int, effort: int, age: int) -> int:
    """Write an entry into a table of a single pair and return what became of it."""
    key = key_of(number)
    index, became = claim(table, key, WIDTH, pair_digest(key), effort, age, PAIR)  # type: ignore[arg-type]
    seal(table, index, key, WIDTH, 1 | work_of(effort, age))  # type: ignore[arg-type]
    return became


def test_pair_keeps_what_took_most_effort_in_this_search() -> None:
    """The first place keeps the entry of most effort in this search, the second the latest; older searches give way."""
    table = ARRAYS.words(PAIR, WIDTH + 1)

    def there() -> list[int]:
        found = {find(table, key_of(number), WIDTH, pair_digest(key_of(number)), PAIR)[0]: number  # type: ignore[arg-type]
                 for number in range(1, 7)}
        return [found[0], found[1]] if 1 in found else [found[0]]

    assert store(table, 1, 5, 1) == FILLED
    assert store(table, 2, 3, 1) == FILLED
    assert there() == [1, 2]
    assert store(table, 3, 4, 1) == REPLACED
    assert there() == [1, 3]
    assert store(table, 4, 9, 1) == REPLACED
    assert there() == [4, 1]
    assert store(table, 5, 2, 2) == REPLACED
    assert there() == [5, 4]
    assert store(table, 4, 1, 2) == UPDATED
    assert there() == [5, 4]


def test_single_entry_stays_where_it_took_much_more() -> None:
    """An entry is kept only if it took more than four times the effort of the new one."""
    table = ARRAYS.words(1, WIDTH + 1)
    index = claim_single(table, WIDTH, 0, 5)
    assert index == 0
    seal(table, index, key_of(1), WIDTH, 1 | work_of(5, 0))  # type: ignore[arg-type]
    assert [claim_single(table, WIDTH, 0, effort) for effort in (2, 3)] == [-1, 0]


def test_no_field_of_a_record_is_hidden_by_numpy() -> None:
    """Fields called like an attribute of NumPy's records, such as `base`, are refused."""
    class Hidden:
        base: int

    class Seen:
        begin: int

    assert native_records(Seen, 2)[1].begin == 0
    with pytest.raises(ValueError, match="attributes called base"):
        native_records(Hidden, 2)


def test_every_bit_counts_for_a_fingerprint() -> None:
    """Positions of one or two set bits have fingerprints whose words all differ."""
    words = 20

    def of(*bits: int) -> tuple[int, int]:
        packed, key = ARRAYS.words(1, words)[0], ARRAYS.words(1, 2)[0]
        for bit in bits:
            packed[bit // 64] |= 1 << bit % 64
        fingerprint(packed, key)
        return int(key[0]), int(key[1])

    size = 64 * words
    found = [of(), *(of(bit) for bit in range(size)), *(of(bit, (bit + 64) % size) for bit in range(size))]
    for half in range(2):
        assert len({pair[half] for pair in found}) == len(found)
    assert all(one != other for one, other in found)
