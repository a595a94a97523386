"""Dark Chess beside OpenSpiel's: the same moves, and players who see the same, in random games.

OpenSpiel draws by repetition and where too little is left, as at a board of chess; there the comparison ends.
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
    """The board in the way of Forsyth and Edwards, empty cells each as a 1."""
    return game.position_text(state).split()[0].replace(".", "1")


def theirs(text: str) -> str:
    """The board of OpenSpiel's text; numbers as so many 1s."""
    return re.sub(r"\d", lambda found: "1" * int(found[0]), text.split()[0])


def played(seed: int) -> int:
    """Compare a random game; how many plies it had."""
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
    """Two games."""
    assert sum(played(seed) for seed in range(2)) > 10


@pytest.mark.slow
def test_moves_and_sight_are_openspiels_in_more_games() -> None:
    """Promotions and bare kings among them."""
    assert sum(played(seed) for seed in range(2, 40)) > 400
