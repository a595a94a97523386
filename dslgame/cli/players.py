"""Who plays a side in `dslgame play`: a person, or a player of some level. People and what they type are in `play`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dslgame import bundled
from dslgame.cli.common import doing
from dslgame.cli.output import progress

if TYPE_CHECKING:
    import random

    from interpreter.game import Game, Position
    from solver.players.judge import Judge, Judged
    from solver.players.levels import Choice, Level, Player

PERSON = "person"


def seat(game: Game, level: Level, chance: random.Random, nodes: int, judge: Judge) -> Player:
    """The player of a level; solvers share a judge, and look at `nodes` positions unless their level says how many."""
    from solver.players.levels import SolvingPlayer

    seed = chance.randrange(1 << 30)
    if level.kind == "solver":
        player = SolvingPlayer(game, level.nodes or nodes, seed)
        if player.judge.nodes == judge.nodes:
            player.judge = judge
        return player
    if level.kind == "random":
        return level.player(game, seed=seed)
    with doing("compiling the rules"), progress("compiling the rules"):
        return bundled.player(game, level, seed=seed)


def chosen(player: Player, position: Position) -> Choice:
    """The move of a player, while a terminal shows that it thinks."""
    with doing("thinking"), progress("thinking"):
        return player.choose(position)


def unsure(choice: Choice) -> str:
    """Why a player does not know more of the move that it chose, as a sentence without its full stop."""
    if choice.report is not None:
        return choice.reason[:1].upper() + choice.reason[1:]
    return f"The solver does not know what is best here: {choice.reason}"


def judged(judge: Judge, position: Position) -> list[Judged]:
    """What every move leads to, while a terminal shows that it is worked out."""
    with doing("thinking"), progress("thinking"):
        return judge.values(position)
