"""Results computed for a game are cached as long as the game is in use."""

from __future__ import annotations

import gc
from weakref import ref

import attrs
import pytest

import dslgame
from dslgame import bundled
from interpreter.analysis.hopes import hoping
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.kernel.kernel import Kernel
from interpreter.remembered import remembered


class Key:
    """A key of the cache."""


def test_each_object_is_asked_about_once() -> None:
    """The answer None is cached, an exception is not."""
    asked: list[Key] = []

    @remembered
    def answer(key: Key) -> None:
        asked.append(key)
        if len(asked) == 1:
            raise ValueError("no answer yet")

    one, other = Key(), Key()
    with pytest.raises(ValueError, match="no answer yet"):
        answer(one)
    for key in (one, other, one, other):
        answer(key)
    assert asked == [one, one, other]


def test_rules_are_lowered_once_for_a_game() -> None:
    """Kernels of one game share the lowered rules; other passes, hooks or compiler stages are lowered separately."""
    game = dslgame.load("hexplode", side=2)
    one, other = Kernel.of(game, native=False), Kernel.of(game, native=False)
    assert one.assembled is other.assembled
    assert one is not other
    assert Kernel.of(game, native=False, passes=Passes.none()).assembled is not one.assembled
    assert Kernel.of(game, native=False, until="unused").assembled is not one.assembled
    hooks = bundled.hooks_of(game)
    assert hooks is bundled.hooks_of(game)
    hooked = Kernel.of(game, native=False, hooks=hooks)
    assert hooked.text != one.text
    assert Kernel.of(game, native=False, hooks=hooks).assembled is hooked.assembled


def test_games_of_the_same_rules_are_lowered_once() -> None:
    """Reloaded games share the lowered rules; other params, and rules changed after reading, do not."""
    game, same, other = dslgame.load("hex", size=3), dslgame.load("hex", size=3), dslgame.load("hex", size=4)
    kernel = Kernel.of(game, native=False)
    assert Kernel.of(same, native=False).assembled is kernel.assembled
    assert Kernel.of(other, native=False).text != kernel.text
    endless = attrs.evolve(same, engine=same.endless)
    assert Kernel.of(endless, native=False).text != kernel.text
    changed = attrs.evolve(same, rules=attrs.evolve(same.rules, no_moves="draws", ends=()))
    assert Kernel.of(changed, native=False).text != kernel.text


def test_games_that_nobody_uses_are_freed() -> None:
    """The cache does not keep games alive."""
    game = dslgame.load("hex", size=3)
    Kernel.of(game, native=False)
    hopeful = hoping(game)
    assert hopeful is not None
    assert hopeful is hoping(game)
    Kernel.of(hopeful, native=False)
    left = ref(game), ref(hopeful)
    del game, hopeful
    gc.collect()
    assert [found() for found in left] == [None, None]
