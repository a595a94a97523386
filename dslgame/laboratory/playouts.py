"""Random games with what measures need: the number of legal moves at each ply, the moves played, and the outcome.

Each game has its own seed, so that it depends neither on the games before it nor on the machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import attrs

from interpreter.game import Game, Position
from interpreter.model.state import DRAW, Move, State

LONGEST = 1_000
"""The default number of plies after which a game is left unfinished."""


@attrs.frozen
class Playout:
    """A random game that was played to its end, or to a limit."""

    states: tuple[State, ...]
    """The states from the first to the last."""
    moves: tuple[Move, ...]
    offered: tuple[int, ...]
    """The number of legal moves at each ply; 0 where chance moved."""

    @property
    def length(self) -> int:
        """The number of plies."""
        return len(self.moves)

    @property
    def choices(self) -> int:
        """The number of plies at which a player moved, not chance."""
        return sum(map(bool, self.offered))

    @property
    def outcome(self) -> int | None:
        """The winner's number, DRAW, or None where the game was left unfinished."""
        return self.states[-1].outcome

    @property
    def points(self) -> tuple[float, float]:
        """The points of the first and the second player; an unfinished game counts as a draw."""
        outcome = self.outcome
        if outcome is None or outcome == DRAW:
            return (0.5, 0.5)
        return (1.0, 0.0) if outcome == 0 else (0.0, 1.0)


@attrs.frozen
class Trace:
    """A game between equal players, with the first player's estimate of each position in which a player moves."""

    moves: tuple[str, ...]
    estimates: tuple[float, ...]
    winner: int | None
    """A player's number, DRAW, or None where it was left unfinished."""
    movers: tuple[int, ...]
    """The player to move in each estimated position but the last."""

    def of_winner(self) -> tuple[float, ...]:
        """The winner's estimates."""
        return self.estimates if self.winner == 0 else tuple(1 - value for value in self.estimates)


def playouts(game: Game, games: int, *, seed: int = 0, longest: int = LONGEST, plies: int | None = None,
             start: Position | None = None) -> Iterator[Playout]:
    """Yield `games` random games, fewer where they reach `plies` plies in total before.

    Raises RuleError where a rule fails.
    """
    spent = 0
    for number in range(games):
        if plies is not None and spent >= plies:
            return
        result = playout(game, random.Random(f"{seed} {number}"), longest=longest, start=start)
        spent += result.length
        yield result


def playout(game: Game, chance: random.Random, *, longest: int = LONGEST, start: Position | None = None) -> Playout:
    """Play one random game: players' moves are equally likely, chance moves have the probabilities of the rules."""
    position = start or game.start()
    if game.looks_back:
        return _with_history(position, chance, longest)
    engine, state = game.engine, position.state
    states = [state]
    moves: list[Move] = []
    offered: list[int] = []
    while state.outcome is None and len(moves) < longest:
        legal = engine.legal(state)
        if not legal:
            break
        nature = engine.chance.decides(state)
        move = _by_chance(game, state, chance) if nature else chance.choice(legal)
        after = engine.apply(state, move)
        assert after is not None  # the move is legal
        states.append(state := after)
        moves.append(move)
        offered.append(0 if nature else len(legal))
    return Playout(tuple(states), tuple(moves), tuple(offered))


def _with_history(position: Position, chance: random.Random, longest: int) -> Playout:
    """Play one random game whose repetition rule depends on the positions before."""
    states = [position.state]
    moves: list[Move] = []
    offered: list[int] = []
    while not position.over and len(moves) < longest:
        legal = position.legal()
        nature = position.by_chance
        move = _by_chance(position.game, position.state, chance) if nature else chance.choice(legal)
        position = position.play(move)
        states.append(position.state)
        moves.append(move)
        offered.append(0 if nature else len(legal))
    return Playout(tuple(states), tuple(moves), tuple(offered))


def _by_chance(game: Game, state: State, chance: random.Random) -> Move:
    """Draw a chance move by its probability."""
    outcomes = list(game.engine.chance.probabilities(state))
    (result,) = chance.choices([move for move, _ in outcomes], [float(share) for _, share in outcomes])
    return result
