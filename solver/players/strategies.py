"""Level strategy: plays games with hidden information by strategies that were saved or are computed first.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.game import Game, Position
from solver.errors import Refused
from solver.players.choice import Choice, check_going_on

if TYPE_CHECKING:
    from solver.information.strategies import Strategies

SMALL = 20_000
"""The most histories of a game whose strategies are computed while a user waits."""


class StrategyPlayer:
    """Draws its moves from a strategy; where the strategy has no entry, uniformly from the legal moves."""

    def __init__(self, game: Game, file: str | None, seed: int) -> None:
        """Raises ValueError where the file has no strategies for this game, or none can be computed."""
        self._chance = random.Random(seed)
        self.strategies = read_strategies(game, file) if file is not None else _found(game)

    def choose(self, position: Position) -> Choice:
        """Draw a move by the strategy's probabilities, given what the player to move knows. Raises ValueError where the
        game is over."""
        check_going_on(position)
        behaviour = self.strategies.at(position)
        texts, weights = position.moves(), None
        if behaviour is not None and sum(behaviour.probabilities) > 0:
            texts, weights = behaviour.moves, [max(0.0, share) for share in behaviour.probabilities]
        text = self._chance.choices(texts, weights)[0]
        basis = "by its strategy" if weights else "at random: its strategy never comes here"
        return Choice(position.find(text), text, basis=basis)


def read_strategies(game: Game, file: str) -> Strategies:
    """Read the strategies of a file. Raises ValueError where it has none for this game."""
    from solver.information.strategies import Strategies

    try:
        result = Strategies.open(Path(file))
    except OSError as problem:
        raise ValueError(f"{file}: {problem.strerror or problem}") from None
    except Refused as problem:
        raise ValueError(str(problem)) from None
    if result.game.rules.source.text != game.rules.source.text or result.game.params != game.params:
        raise ValueError(f"{file} has strategies of {result.game.title} with other rules or params")
    if result.root is not None:
        raise ValueError(f"{file} has strategies from another position than the start: {result.root}; a level needs "
                         "those from the start, as `dslgame solve` saves them without --moves and --position")
    return result


def strategies_in_time(game: Game) -> Strategies:
    """The strategies of a small game, as exact as a few seconds allow. Raises Refused for a larger game."""
    from solver.game_space import solve_game

    result = solve_game(game, nodes=SMALL).strategies
    assert result is not None  # the game hides something
    return result


def _found(game: Game) -> Strategies:
    """Compute strategies before the game. Raises ValueError where that is refused."""
    from solver.game_space import solve_game

    try:
        result = solve_game(game).strategies
    except Refused as problem:
        raise ValueError(f"{problem}: expected random, ismcts, or strategy file=FILE with a file that "
                         "`dslgame solve --save` wrote") from None
    assert result is not None  # the game hides something
    return result
