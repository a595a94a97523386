"""Random games, with what measures ask of them: moves offered at each ply, what was played, and how the game ended.

Games are played by the rules themselves, each from a seed of its own, so that a game does not depend on those before it
nor on the machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import attrs

from interpreter.game import Game, Position
from interpreter.model.state import DRAW, Move, State

LONGEST = 1_000
"""Plies after which a game is left unfinished, where nobody says otherwise."""


@attrs.frozen
class Playout:
    """One game that was played to its end, or to a limit."""

    states: tuple[State, ...]
    """The states from the first to the last."""
    moves: tuple[Move, ...]
    offered: tuple[int, ...]
    """How many moves there were to choose from at each ply; 0 where chance moved."""

    @property
    def length(self) -> int:
        """Plies."""
        return len(self.moves)

    @property
    def choices(self) -> int:
        """The plies at which a player chose."""
        return sum(map(bool, self.offered))

    @property
    def outcome(self) -> int | None:
        """The winner's number, DRAW, or None where the game was left unfinished."""
        return self.states[-1].outcome

    @property
    def points(self) -> tuple[float, float]:
        """What the first and the second player have of it; a game that is left unfinished counts as a draw."""
        outcome = self.outcome
        if outcome is None or outcome == DRAW:
            return (0.5, 0.5)
        return (1.0, 0.0) if outcome == 0 else (0.0, 1.0)


@attrs.frozen
class Trace:
    """A game between equal players, with the first player's estimate in every position."""

    moves: tuple[str, ...]
    estimates: tuple[float, ...]
    winner: int | None
    """A player's number, DRAW, or None where it was left unfinished."""
    movers: tuple[int, ...]
    """Who made each move."""

    def of_winner(self) -> tuple[float, ...]:
        """The winner's estimates."""
        return self.estimates if self.winner == 0 else tuple(1 - value for value in self.estimates)


def playouts(game: Game, games: int, *, seed: int = 0, longest: int = LONGEST, plies: int | None = None,
             start: Position | None = None) -> Iterator[Playout]:
    """So many random games; with `plies` fewer, where all together have so many plies before.

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
    """One random game: a player's moves are as likely as each other, those of chance as the rules say."""
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
    """The same, where a repetition rule looks at what was played before."""
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
    """A move of chance, with its probability."""
    outcomes = list(game.engine.chance.probabilities(state))
    (result,) = chance.choices([move for move, _ in outcomes], [float(share) for _, share in outcomes])
    return result
