"""Situations to learn from: positions of games that a player plays against itself, each with the move that it chose.

A share of the moves is random, so that positions differ. Each game belongs as a whole to one of three parts: one to
find patterns in, one to choose among them by, and one to measure the choice on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import attrs

from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from solver.players.choice import Player

FINDING, CHOOSING, MEASURING = range(3)
"""The numbers of the parts."""
_PARTS = (FINDING, CHOOSING, FINDING, CHOOSING, MEASURING)
"""The parts of successive games, in cyclic order."""
_OPENING = 2
"""The most random moves at the start of a game."""
_RANDOM = 0.15
"""The share of moves that are random afterwards."""
_LONGEST = 400
"""Moves after which a game is broken off."""


@attrs.frozen
class Situation:
    """A position and the move that was chosen in it."""

    state: State
    before: State | None
    """The state before the last move."""
    legal: tuple[Move, ...]
    chosen: Move
    part: int


def collect(game: Game, player: Player, count: int, *, seed: int = 0,
            tell: Callable[[int, int], None] | None = None) -> tuple[list[Situation], int]:
    """Play games until there are `count` situations; return these and the number of games.

    `tell` gets the numbers of situations and of games so far. An interruption (KeyboardInterrupt), or 20 games in a row
    without a situation, end the collection with those found so far.
    """
    chance = random.Random(seed)
    result: list[Situation] = []
    games = 0
    idle = 0
    try:
        while len(result) < count and idle < 20:
            before = len(result)
            part = _PARTS[games % len(_PARTS)]
            for situation in _situations(game, player, chance, part):
                result.append(situation)
                if tell is not None:
                    tell(len(result), games)
                if len(result) >= count:
                    break
            games += 1
            idle = 0 if len(result) > before else idle + 1
    except KeyboardInterrupt:
        pass
    return result, games


def _situations(game: Game, player: Player, chance: random.Random, part: int) -> Sequence[Situation]:
    """Play one game and return its situations."""
    result = []
    position = game.start()
    for _ in range(chance.randint(0, _OPENING)):
        position = _randomly(position, chance)
    while not position.over and len(position.played) < _LONGEST:
        legal = position.legal()
        if chance.random() < _RANDOM:
            position = _randomly(position, chance)
            continue
        choice = player.choose(position)
        choice.check_interrupted()
        move = choice.move
        if len(legal) > 1 and move.rule >= 0 and not _may_be_swapped(game, position.state, move):
            before = position.history[-1] if position.history else None
            result.append(Situation(position.state, before, tuple(legal), move, part))
        position = position.play(move)
    return result


def _randomly(position: Position, chance: random.Random) -> Position:
    return position if position.over else position.play(chance.choice(position.legal()))


def _may_be_swapped(game: Game, state: State, move: Move) -> bool:
    """Whether sides may be swapped after a move, so that it is not meant to be the best one."""
    if not game.rules.pies:
        return False
    after = game.engine.apply(state, move)
    return after is not None and after.outcome is None and game.engine.swap_rule(after) is not None
