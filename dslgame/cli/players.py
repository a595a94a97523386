"""The players and the analyst of `dslgame play`; the input of people is handled in `play`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dslgame import bundled
from dslgame.cli.common import doing
from dslgame.cli.output import progress

if TYPE_CHECKING:
    import random

    from interpreter.game import Game, Position
    from solver.players.analysis import Analyst
    from solver.players.choice import Choice, Player
    from solver.players.judge import Analysis
    from solver.players.levels import Level

PERSON = "person"


def seat(game: Game, level: Level, chance: random.Random, nodes: int | None, analyst: Analyst) -> Player:
    """Make the player of a level; solvers share an analyst, and their limit is `nodes` unless their level has one."""
    import attrs

    from solver.players.kinds import check_level
    from solver.players.level_players import SolvingPlayer

    seed = chance.randrange(1 << 30)
    check_level(level.kind, game)
    if level.kind == "solver" and level.endgames is None and not game.rules.has_chance:
        if level.unlimited:
            level = attrs.evolve(level, nodes=nodes)
        return SolvingPlayer(level, seed, analyst)
    if level.record.hidden:
        with doing("finding a strategy"):
            return level.player(game, seed=seed)
    with doing("compiling the rules"), progress("compiling the rules"):
        return bundled.player(game, level, seed=seed)


def analyst_of(game: Game) -> Analyst:
    """The analyst of a game, with the hooks and patterns that come with it."""
    from solver.players.analysis import Analyst

    return Analyst(game, bundled.hooks_of(game), patterns=bundled.patterns_of(game))


def chosen(player: Player, position: Position) -> Choice:
    """Let a player choose a move, with a progress line on a terminal."""
    with doing("thinking"), progress("thinking"):
        return player.choose(position)


def remark(choice: Choice) -> str:
    """The remark after a player's move: the basis of the choice, or why a search was cut off; '' for none."""
    return f" ({choice.basis})" if choice.basis else f" ({choice.reason})" if choice.reason else ""


def analysed(analyst: Analyst, position: Position, nodes: int | None) -> Analysis:
    """Analyse all moves of a position, with the best move so far as a progress line on a terminal."""
    with doing("thinking"), progress("thinking") as show:
        for result in analyst.improve(position, nodes=nodes):
            if show is not None:
                show(f"{result.best.text} ({result.basis})")
    return result
