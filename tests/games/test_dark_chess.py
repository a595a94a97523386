"""Dark Chess against OpenSpiel: the same moves and the same views of both players in random games.

OpenSpiel draws by repetition and for insufficient material, as in chess; the comparison ends there.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import dslgame
from interpreter.game import Game
from interpreter.model.state import State

pyspiel = pytest.importorskip("pyspiel")


def ours(game: Game, state: State) -> str:
    """The board in Forsyth-Edwards notation, each empty cell written as a 1."""
    return game.position_text(state).split()[0].replace(".", "1")


def theirs(text: str) -> str:
    """The board of OpenSpiel's text, each empty cell written as a 1."""
    return re.sub(r"\d", lambda found: "1" * int(found[0]), text.split()[0])


def played(seed: int) -> int:
    """Compare a random game and return its number of plies."""
    game, dice = dslgame.load("dark_chess", patience=100), random.Random(seed)
    state, spiel = game.engine.start(), pyspiel.load_game("dark_chess(board_size=4)").new_initial_state()
    plies = 0
    while state.outcome is None and not (spiel.is_terminal() and spiel.returns()[0] == 0):
        for player in (0, 1):  # OpenSpiel's player 0 is Black
            assert ours(game, game.observer.view(state, player)) == theirs(spiel.observation_string(1 - player))
        followers: dict[str, State] = {ours(game, after): after for _, after in game.engine.successors(state)}
        found: dict[str, Any] = {}
        for action in spiel.legal_actions():
            child = spiel.child(action)
            found[theirs(str(child))] = child
        assert set(found) == set(followers)
        board = dice.choice(sorted(found))
        state, spiel, plies = followers[board], found[board], plies + 1
    if state.outcome is not None and state.outcome >= 0:
        assert spiel.is_terminal()
        assert spiel.returns()[1 - state.outcome] == 1
    return plies


def test_moves_and_sight_are_openspiels() -> None:
    """Compare two random games."""
    assert sum(played(seed) for seed in range(2)) > 10


@pytest.mark.slow
def test_moves_and_sight_are_openspiels_in_more_games() -> None:
    """Compare 38 more games, which include promotions and bare kings."""
    assert sum(played(seed) for seed in range(2, 40)) > 400
