"""Mutants of games, patterns and page requests end in messages: some here, 100,000 by `pytest -m thorough`.

`DSLGAME_MUTANTS` sets the number for the thorough test; `python -m tests.mutants` runs them in parts.
"""

from __future__ import annotations

import os
import random

import pytest

from tests import mutants

MANY = int(os.environ.get("DSLGAME_MUTANTS", "100000"))


def check(first: int, count: int) -> None:
    """Check that `count` mutants do no harm and that all kinds occur, refused and accepted."""
    found, failures = mutants.run(first, count)
    assert not failures, "see with: python -m tests.mutants --show --count 1 --first NUMBER"
    assert found.total() == count
    assert {"game refused", "game played", "pattern refused", "pattern matched", "page refused", "page answered"} <= {
        *found}


def test_some_mutants_end_in_messages() -> None:
    check(0, 300)


@pytest.mark.slow
def test_thousands_of_mutants_end_in_messages() -> None:
    check(1_000_000, 2_500)


@pytest.mark.thorough
def test_a_hundred_thousand_mutants_end_in_messages() -> None:
    check(0, MANY)


def test_a_mutant_that_fails_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness reports an exception and a mutant that does not end."""
    def broken(chance: random.Random) -> str:
        raise KeyError("lost")

    def endless(chance: random.Random) -> str:
        while True:
            pass

    monkeypatch.setattr(mutants, "KINDS", dict.fromkeys(mutants.KINDS, broken))
    found, failures = mutants.run(5, 3)
    assert found == {"failed": 3}
    ((place, numbers),) = failures.items()
    assert place.startswith("test_mutants.py:")
    assert place.endswith("KeyError: 'lost'")
    assert numbers == [5, 6, 7]
    monkeypatch.setattr(mutants, "KINDS", dict.fromkeys(mutants.KINDS, endless))
    monkeypatch.setattr(mutants, "SECONDS", 0.05)
    if hasattr(__import__("signal"), "setitimer"):
        ((place, _),) = mutants.run(5, 1)[1].items()
        assert "TooSlow: more than 0.05 s" in place


def test_mutants_follow_from_their_numbers() -> None:
    assert [mutants.check(number) for number in range(20)] == [mutants.check(number) for number in range(20)]
