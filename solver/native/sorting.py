"""Radix sort of words together with their numbers, in linear time, and partitioning of packed positions by hash.

Words are first dealt into buckets by their highest digit that varies; each bucket is then sorted by the digits below,
from the lowest up. A bucket fits into the processor's cache, which makes this twice as fast as sorting all words by one
digit after the other. The sort is stable.

Arrays: `words` and `other` uint64[n]; `numbers`, `other_numbers`, `places` of `invert` and `renumber` uint32[n];
`borders` and the other `places` int64[1 << DIGIT], or for each part; `sizes` int64[parts]; `parts` uint16[n]; `keys`
and `dealt` uint64[n, width], packed positions; `kids` uint32[moves], `which` uint8[moves].
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, number, word
from solver.native.functions import Bytes, Indices, Line, Row, Rows, Shorts, Word, compiled, inlined
from solver.native.position_set import hash_of

DIGIT = 11
"""The number of bits of the digit by which words are dealt into buckets."""
_SMALL_DIGIT = 8
"""The number of bits of a digit within a bucket: with more, there would be more places than words."""
_MANY = 1 << 12
"""More words than this are dealt into buckets first."""
_FEW = 24
"""Buckets of up to this many words are sorted by insertion."""
_PART_SHIFT = 40
"""The lowest bit of a hash that selects the part: sets of positions use the bits below."""


@inlined
def _varying(words: Row, first: int, last: int) -> Word:
    """The bits in which words differ."""
    result = word(0)
    for i in range(first, last):
        result = result | (words[i] ^ words[first])
    return result


@inlined
def _find_places(words: Row, first: int, last: int, shift: int, size: int, places: Line) -> None:
    """Write where the words with each value of the digit at `shift` belong; the first of all words goes to `first`."""
    mask = word(size - 1)
    for digit in range(size):
        places[digit] = 0
    for i in range(first, last):
        places[number((words[i] >> word(shift)) & mask)] += 1
    total = first
    for digit in range(size):
        count = places[digit]
        places[digit] = total
        total += count


@inlined
def _deal(words: Row, numbers: Indices, other: Row, other_numbers: Indices, first: int, last: int, shift: int,
          start: int, mask: Word, places: Line) -> None:
    """Move words, with their numbers, to the places of their digit; these places begin at `start` of `places`."""
    for i in range(first, last):
        digit = start + number((words[i] >> word(shift)) & mask)
        place = places[digit]
        places[digit] = place + 1
        other[place] = words[i]
        other_numbers[place] = numbers[i]


@inlined
def _put_each(words: Row, numbers: Indices, other: Row, other_numbers: Indices, first: int, last: int) -> None:
    """Insertion sort of a few words from `words` into `other`, which may be the same array."""
    for i in range(first, last):
        here = words[i]
        j = i
        mine = number(numbers[i])
        while j > first and other[j - 1] > here:
            other[j] = other[j - 1]
            other_numbers[j] = other_numbers[j - 1]
            j -= 1
        other[j] = here
        other_numbers[j] = mine


@inlined
def _by_digits(words: Row, numbers: Indices, other: Row, other_numbers: Indices, first: int, last: int,
               places: Line) -> bool:
    """Sort words by small digits, from the lowest up; whether the result is in `other`.

    The words are counted for all digits in one pass.
    """
    left = _varying(words, first, last)
    low = 0
    while low < 63 and (left >> word(low)) & word(1) == EMPTY:
        low += 1
    digits = 0
    while low + _SMALL_DIGIT * digits < 64 and left >> word(low + _SMALL_DIGIT * digits) != EMPTY:
        digits += 1
    size = 1 << _SMALL_DIGIT
    mask = word(size - 1)
    for index in range(digits * size):
        places[index] = 0
    for i in range(first, last):
        here = words[i] >> word(low)
        for digit in range(digits):
            places[digit * size + number(here & mask)] += 1
            here = here >> word(_SMALL_DIGIT)
    there = False
    for digit in range(digits):
        total = first
        for index in range(digit * size, (digit + 1) * size):
            count = places[index]
            places[index] = total
            total += count
        shift = low + _SMALL_DIGIT * digit
        if there:
            _deal(other, other_numbers, words, numbers, first, last, shift, digit * size, mask, places)
        else:
            _deal(words, numbers, other, other_numbers, first, last, shift, digit * size, mask, places)
        there = not there
    return there


@inlined
def _copy(words: Row, numbers: Indices, other: Row, other_numbers: Indices, first: int, last: int) -> None:
    for i in range(first, last):
        other[i] = words[i]
        other_numbers[i] = numbers[i]


@compiled
def sort_with_numbers(words: Row, numbers: Indices, other: Row, other_numbers: Indices, count: int, places: Line,
                      borders: Line) -> int:
    """Sort the first `count` words with their numbers; `other` and `other_numbers` are work arrays of the same size."""
    if count <= _MANY:
        if _by_digits(words, numbers, other, other_numbers, 0, count, places):
            _copy(other, other_numbers, words, numbers, 0, count)
        return count
    left = _varying(words, 0, count)
    top = 0
    while top < 64 and left >> word(top) != EMPTY:
        top += 1
    shift = max(0, top - DIGIT)
    size = 1 << DIGIT
    _find_places(words, 0, count, shift, size, borders)
    _deal(words, numbers, other, other_numbers, 0, count, shift, 0, word(size - 1), borders)
    start = 0
    for digit in range(size):
        end = borders[digit]
        if end - start <= _FEW:
            _put_each(other, other_numbers, words, numbers, start, end)
        elif not _by_digits(other, other_numbers, words, numbers, start, end, places):
            _copy(other, other_numbers, words, numbers, start, end)
        start = end
    return count


@compiled
def parts_of(keys: Rows, count: int, parts: Shorts, sizes: Line) -> int:
    """Write the part to which each position belongs by its hash, and the number of positions of each part.

    There are as many parts as `sizes` has items, a power of two.
    """
    mask = word(len(sizes) - 1)
    for part in range(len(sizes)):
        sizes[part] = 0
    for i in range(count):
        part = number((hash_of(keys, i) >> word(_PART_SHIFT)) & mask)
        parts[i] = part
        sizes[part] += 1
    return count


@compiled
def deal(keys: Rows, count: int, parts: Shorts, places: Line, dealt: Rows, numbers: Indices) -> int:
    """Group positions by their parts, with their numbers; `places` has each part's beginning, and afterwards its end.
    """
    for i in range(count):
        place = places[parts[i]]
        places[parts[i]] = place + 1
        for k in range(len(keys[0])):
            dealt[place, k] = keys[i, k]
        numbers[place] = i
    return count


@compiled
def invert(numbers: Indices, places: Indices) -> int:
    """Write the place of each number: the inverse of a permutation."""
    for i in range(len(numbers)):
        places[numbers[i]] = i
    return len(numbers)


@compiled
def renumber(kids: Indices, which: Bytes, mine: int, places: Indices) -> int:
    """Replace the `kids` whose `which` is `mine` by their new numbers in `places`; return how many there are."""
    result = 0
    for i in range(len(kids)):
        if which[i] == mine:
            kids[i] = places[kids[i]]
            result += 1
    return result
