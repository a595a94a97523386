"""Every exact method on random small games from Hypothesis: the methods agree with each other and with brute force."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, example, given, settings

import dslgame
from interpreter.errors import RuleError
from interpreter.game import Game
from solver.budget import Budget, OutOfBudget
from solver.drivers.weak import search_on_kernel
from solver.game_space import GameSpace, solve_game
from solver.solve import Solution, solve_by_search
from solver.space import DRAW
from solver.strong import Strong
from tests.random_games import TooMany, brute_force, rule_files

MOST = 400
"""Games with more positions are tested with compiled kernels only."""

ROUND_AND_ROUND = """game "Round and round"

players X, O
board square(2, 3)
pieces x of X, o of O

start:
    "a1" := x
    "b1" := o

move place(c in empty):
    c := own

move take(c in mine, d in neighbours(c) and theirs):
    d := own
    c := empty

win opponent when count(theirs) > count(mine) + 1
lose mover when count(mine) = 3
no moves loses
repetition draws
"""
"""246 positions up to symmetry, in which a search along lines of play runs in circles for hours."""


def outcome(game: Game, solution: Solution[Any, Any]) -> str | None:
    """The winner's name."""
    return game.outcome_name(solution.winner)


def values(solution: Solution[Any, Any]) -> Counter[object]:
    """The value of each first move, as a multiset."""
    return Counter((value.move, value.winner) for value in solution.moves)


def expected(text: str) -> str:
    """The value of a game by playing all lines. A cycle is a draw where no rule says otherwise."""
    cyclic = "step" in text or "take" in text or "turn(" in text
    if cyclic and "repetition" not in text:
        text += "repetition draws\n"
    try:
        return brute_force(dslgame.loads(text).start())
    except TooMany:
        assume(False)
        raise


def small(game: Game, most: int) -> GameSpace:
    """The game's space; Hypothesis rejects the game if it has too many positions."""
    space = GameSpace(game)
    try:
        Strong(space, Budget(nodes=most)).enumerate_until()
    except (OutOfBudget, RuleError):
        assume(False)
    assume(space.root.outcome is None)
    return space


def all_agree(text: str, *, native: bool, most: int) -> None:
    """Compare all methods on a game whose values do not depend on history."""
    game = dslgame.loads(text)
    space = small(game, most)
    strong = solve_game(game, method="strong", engine="interpreter")
    by_definition = solve_by_search(space, Budget(), "asked for")
    assert values(by_definition) == values(strong)
    proofs = search_on_kernel(space, Budget(), "asked for", native=native, method="proof", remoteness=False)
    assert proofs.complete
    assert values(proofs) == values(strong)
    alone = search_on_kernel(space, Budget(), "asked for", native=native, method="proof", remoteness=False,
                             value_only=True)
    assert (alone.complete, alone.winner) == (True, strong.winner)
    limit = Budget(nodes=(40 if space.acyclic else 10) * most)
    plain = search_on_kernel(space, limit, "asked for", native=native, remoteness=True)
    if space.acyclic:
        assert plain.complete
    for found, exact in zip(plain.moves, strong.moves, strict=True):
        if found.winner is not None:
            assert found.winner == exact.winner
        if found.remoteness is not None:
            assert found.remoteness == exact.remoteness
    if native:
        by_kernel = solve_game(game, method="strong", engine="kernel")
        assert [(move.winner, move.remoteness) for move in by_kernel.moves] == [
            (move.winner, move.remoteness) for move in strong.moves]
    assert outcome(game, strong) == expected(text)


@pytest.mark.parametrize("proof", [True, False])
@pytest.mark.parametrize("value_only", [True, False])
def test_search_that_goes_round_ends_with_the_values_of_all_positions(proof: bool, value_only: bool) -> None:
    """A search that runs in circles ends by enumerating all positions; it says so and has the same values."""
    game = dslgame.loads(ROUND_AND_ROUND)
    found = search_on_kernel(GameSpace(game), Budget(), "asked for", native=False,
                             method="proof" if proof else "alphabeta", value_only=value_only)
    exact = solve_game(game, method="strong", engine="interpreter")
    assert (found.complete, found.winner, found.method) == (True, DRAW, "strong")
    assert (found.moves, found.positions) == (exact.moves, exact.positions)
    assert found.reason.startswith("asked for; play can go round in circles")
    assert found.report is not None
    assert found.report.nodes > 500


@pytest.mark.parametrize("most", [100, 4_000])
def test_search_that_goes_round_among_too_many_positions_stops_at_its_limit(most: int,
                                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that runs in circles, with less room than positions, stops at its limit and claims nothing."""
    monkeypatch.setattr("solver.drivers.closing._MOST", most)
    game = dslgame.loads(ROUND_AND_ROUND)
    found = search_on_kernel(GameSpace(game), Budget(nodes=3_000), "asked for", native=False, method="proof")
    assert found.complete == (most > 246)
    assert (found.winner == DRAW) == found.complete


def history_agrees(text: str) -> None:
    """Compare the solver with brute force where values depend on history."""
    game = dslgame.loads(text)
    small(game, MOST)
    result = expected(text)
    solution = solve_game(game, nodes=200_000)
    assume(solution.complete)
    assert outcome(game, solution) == result


@settings(max_examples=6, deadline=None)
@example(ROUND_AND_ROUND)
@given(rule_files(repetitions=("", "repetition draws\n")))
def test_exact_methods_agree(text: str) -> None:
    """All methods agree, with kernels as plain Python."""
    all_agree(text, native=False, most=300 if text is ROUND_AND_ROUND else 80)


@pytest.mark.parametrize("rule", ["repetition loses\n", "repetition forbidden\n", "repetition loses at third\n",
                                  "repetition draws at third\n", "repetition forbidden at third\n"])
def test_values_with_history_are_those_of_brute_force(rule: str) -> None:
    """Values agree where a repetition loses or is forbidden."""
    check(rule, 6)


def check(rule: str, examples: int) -> None:
    """Check some random games with a repetition rule."""

    @settings(max_examples=examples, deadline=None)
    @given(rule_files(repetitions=(rule,)))
    def run(text: str) -> None:
        try:
            history_agrees(text)
        except RuleError:  # only repeating moves are left and no rule covers that, for both
            assume(False)

    run()


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(rule_files(repetitions=("", "repetition draws\n")))
def test_exact_methods_agree_on_many_games(text: str) -> None:
    """All methods agree, on more and larger games."""
    all_agree(text, native=False, most=MOST)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@example(ROUND_AND_ROUND)
@given(rule_files(repetitions=("", "repetition draws\n")))
def test_compiled_exact_methods_agree(text: str) -> None:
    """All methods agree with compiled kernels and strong solving by the kernel."""
    all_agree(text, native=True, most=2000)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["repetition loses\n", "repetition forbidden\n", "repetition loses at third\n",
                                  "repetition draws at third\n", "repetition forbidden at third\n"])
def test_values_with_history_on_hundreds_of_games(rule: str) -> None:
    """Values agree on more games."""
    check(rule, 35)
