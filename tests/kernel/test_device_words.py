"""The words, sets and random sequences of GPU threads, run in Python and compared with plain kernels."""

from __future__ import annotations

import dis
import importlib.util
import random
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from interpreter.compiler.lowering.layout import join, split
from interpreter.kernel import plain

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="needs the extra 'cuda'")
FIRST = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821)
"""The outputs of SplitMix64 from the seed 1234567, as Vigna's program and others after it print them."""


def test_random_sequences_are_splitmix64() -> None:
    """The published values; drawn numbers and bit operations equal those of plain kernels."""
    support: Any = import_module("interpreter.device.support")
    chance = random.Random(27)
    with np.errstate(over="ignore"):
        seed = np.uint64(1234567)
        for expected in FIRST:
            seed = support._stir(seed)
            assert int(support._scramble(seed)) == expected == plain.scramble(int(seed))
        for _ in range(200):
            word, mask, limit = chance.getrandbits(64), chance.getrandbits(64), chance.randint(1, 1 << 20)
            here, there = np.uint64(word), np.uint64(mask)
            assert int(support._scramble(here)) == plain.scramble(word)
            assert int(support._stir(here)) == plain.stir(word)
            assert int(support._below(here, limit)) == plain.below(word, limit)
            assert int(support._extract(here, there)) == plain.extract(word, mask)
            assert int(support._deposit(here, there)) == plain.deposit(word, mask)


@pytest.mark.parametrize("words", [2, 5, 30, 31, 64])
def test_sets_of_many_words_are_sets(words: int) -> None:
    """Sets agree with Python integers, and no function builds a list, which a GPU cannot do."""
    support: Any = import_module("interpreter.device.support")
    made: dict[str, Any] = {"word": int, "popcount": int.bit_count}
    exec(compile(support._sets_text(words), "<sets>", "exec"), made)
    made["word"] = lambda value: value % (1 << 64)
    for name in ("part_of", *support._OF_SETS):
        assert not any(step.opname.startswith(("BUILD_LIST", "LIST_")) for step in dis.get_instructions(made[name]))
    chance, cells = random.Random(words), 64 * words

    def masked(value: int) -> int:
        return value & ((1 << cells) - 1)

    for _ in range(20):
        one, two = chance.getrandbits(cells), chance.getrandbits(cells)
        a, b = made["of_words"](split(one, words)), made["of_words"](split(two, words))
        assert join(made["either"](a, b)) == one | two
        assert join(made["both"](a, b)) == one & two
        assert join(made["minus"](a, b)) == one & ~two
        assert made["count"](a) == one.bit_count()
        assert made["some"](a) == (one != 0)
        assert made["equal"](a, a)
        assert not made["equal"](a, b)
        by = chance.randint(1, cells - 1)
        assert masked(join(tuple(part % (1 << 64) for part in made["shift"](a, by)))) == masked(one << by)
        assert join(made["shift"](a, -by)) == one >> by
        cell = chance.randrange(cells)
        assert join(made["single"](cell, a)) == 1 << cell
        row = [0] * (words + 2)
        made["write"](row, 1, a)
        assert made["read"](row, 1, a) == a
        assert row[0] == row[-1] == 0
