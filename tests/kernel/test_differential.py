"""`tests.differential`: some random rules by every engine, and that it finds engines that play otherwise."""

from __future__ import annotations

import attrs
import pytest

import dslgame
from dsl.diagnostics import GameFileError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import Move, State
from solver import game_space
from solver.solve import Solution
from tests import differential
from tests.varied_games import varied

FEW, MANY = 12, 300


def agree(first: int, games: int, compiled: int = 0) -> differential.Run:
    """Compare some games; fail where an engine differs."""
    with differential.running() as run:
        for seed in range(first, first + games):
            run.one(seed, compiled=bool(compiled) and seed % compiled == 0)
    assert run.differences == []
    assert run.done["games"] > games / 2
    return run


def test_every_engine_plays_some_random_games_alike() -> None:
    """Some games of all kinds; a thousand are compared by hand."""
    run = agree(0, FEW)
    assert run.done["kernel"] > FEW / 2
    assert run.done["solver"] > 0


@pytest.mark.slow
def test_every_engine_plays_many_random_games_alike() -> None:
    """More games, with some in machine code, in an environment and in OpenSpiel."""
    agree(200, 60, 30)


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(4))
def test_every_engine_plays_hundreds_of_random_games_alike(part: int) -> None:
    """As many as a day's change of the compiler deserves."""
    agree(10_000 + part * MANY, MANY, 50)


def test_random_games_are_of_all_kinds() -> None:
    """Each kind of rules occurs, and the checker accepts most games."""
    kinds, accepted, games = set[str](), 0, 60
    for seed in range(games):
        kinds.update(differential.kinds(varied(seed)))
        try:
            dslgame.loads(varied(seed))
            accepted += 1
        except GameFileError:
            continue
    assert kinds == {
        *("1 player", "2 players", "3 players", "4 players", "with teams", "with chance", "with hidden cards"),
        *("with piles", "moved together", "with payoffs", "with repetition", "with forced rules", "with a turn order"),
        *("with turns again", "with illegal moves", "with large numbers", "with further choices")}
    assert accepted > 0.8 * games


def test_a_kernel_that_plays_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel whose every third state has another player to move differs in some game."""
    plain = Kernel.after

    def after(kernel: Kernel, state: State, move: Move) -> State | None:
        found = plain(kernel, state, move)
        return found if found is None or sum(found.pieces) % 3 else found._replace(to_move=0)

    monkeypatch.setattr(Kernel, "after", after)
    with differential.running() as run:
        for seed in range(FEW):
            run.one(seed)
    assert any(": kernel: " in difference for difference in run.differences)


def test_a_solver_that_values_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that takes a win for a draw differs."""
    game = dslgame.loads('game "Won"\nplayers A, B\nboard square(1, 2)\npieces x of A, o of B\n'
                         "move place(c in empty):\n    c := own\nwin mover when no empty\n")
    plain = game_space.solve_game

    def solve(game: Game) -> Solution[State, Move]:
        return attrs.evolve(plain(game), winner=-1)

    assert differential.by_solver(game, 1)
    monkeypatch.setattr(game_space, "solve_game", solve)
    with pytest.raises(differential.Differs, match="winner: -1, expected 1"):
        differential.by_solver(game, 1)
