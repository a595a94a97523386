"""Values of positions and choices of moves for the page: `solver.players.analysis` within the page's limits.

Values come in rounds, each with more time than the one before, so that the page soon shows something and then improves
it. Positions, memory and seconds are all bounded. Rules from the page are solved by the interpreter; searches compile
them in memory only, so that a page leaves no files.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from dslgame.web.positions import Kept, game_key
from dslgame.web.request_schema import Asked, Job, Playing, Refused, Valuing
from interpreter.game import Game, Position
from interpreter.happening import drawn
from interpreter.model.state import Move, State
from solver.choice import named
from solver.errors import Refused as NoStrategies
from solver.game_space import solve_game
from solver.information.strategies import Behaviour, Strategies
from solver.players.analysis import Analyst
from solver.players.choice import Player
from solver.players.judge import Analysis
from solver.players.kinds import check_level
from solver.players.levels import Level
from solver.players.strategies import strategies_in_time
from solver.solve import Solved

if TYPE_CHECKING:
    from interpreter.hooks import Hooks

Plain = dict[str, Any]
ROUNDS = (0.2, 2.0, 6.0)
"""Seconds for the values of moves, by round; the first round does not wait for rules to be compiled.

Another round as long as the last follows where two searches could estimate the values and it is not known which is
better: they first play each other, which takes some seconds.
"""
MOVING = 3.0
"""Seconds for a move of the solver."""
SOLVING = 1.0
"""Seconds to solve a position whose tree is drawn."""
MEMORY = 1_500
"""MiB that a worker may use for solving."""
TABLE_MIB = 32
"""MiB of a search's transposition table; the tables of several games are kept."""
MOST_SCORE = 10**9
BLIND = "ismcts seconds=2"
"""The level for games in which players do not see everything."""
PERSON, SOLVER, RANDOM = "person", "solver", "random"
LEVELS = {
    "strong": ("mcts seconds=2", "search, 2 s a move"),
    "quick": ("mcts nodes=300", "search, quick"),
    "ahead": ("alphabeta plies=3", "3 plies ahead"),
    "patterns": ("patterns plies=3", "3 plies ahead, by patterns"),
    "informed": (BLIND, "by what it knows, 2 s"),
}
"""The levels of computer players by key, each with the name that the page shows."""


WARMING = """\
game "Warming up"
players A, B
board square(1, 2)
pieces a of A, b of B
move place(c in empty):
    c := own
draw when no empty
value count(mine)
"""
"""A tiny game to search in, so that the searches are compiled, which happens once on a machine."""


class Thinker:
    """Analyses positions and chooses moves; caches the analysts, players and strategies of the last games."""

    def __init__(self) -> None:
        self._analysts: Kept[Analyst] = Kept(3)
        self._players: Kept[Player] = Kept(4)
        self._strategies: Kept[Strategies] = Kept(4)

    def analyst(self, job: Job[Asked], game: Game) -> Analyst:
        """The cached analyst of a game. Rules from the page have no hooks, and are solved by the interpreter."""
        drafted = job.asked.text is not None
        return self._analysts.made(game_key(job), lambda: Analyst(
            game, _hooks_of(job), kept=not drafted, engine="interpreter" if drafted else "auto", memory=MEMORY,
            table_mib=TABLE_MIB, patterns=None if drafted else patterns_of(job, game)))

    def improving(self, job: Job[Valuing], position: Position) -> Iterator[Plain]:
        """Yield the improving values of all legal moves during a round."""
        if not position.game.observer.sees_all:
            yield self.mixture(job, position)
            return
        yield from self._round(job, position)

    def _round(self, job: Job[Valuing], position: Position) -> Iterator[Plain]:
        analyst, last = self.analyst(job, position.game), len(ROUNDS) - 1
        round_ = job.asked.round
        for result in analyst.improve(position, seconds=ROUNDS[min(round_, last)], comparing=round_ > last,
                                      compiling=round_ > 0 or check_sampled(position)):
            more = not result.exact and (round_ < last or (round_ == last and analyst.undecided))
            yield plain(result, more=more or not result.final)

    def mixture(self, job: Job[Asked], position: Position) -> Plain:
        """The probability of each move in a strategy that depends only on what the player to move knows.

        The strategy is read from the file beside the game's, or computed where the game is small. Raises Refused where
        there is none.
        """
        game = position.game
        if position.by_chance:
            raise Refused(400, "values", "chance makes the next move")
        try:
            strategies = self._strategies.made(game_key(job), lambda: _strategies(job, game))
        except (NoStrategies, ValueError) as problem:
            raise Refused(400, "values", f"{game.unseen}, so that no move has a value by itself, and no strategy is "
                                         f"known: {problem}") from None
        behaviour = strategies.at(position)
        if behaviour is None:
            raise Refused(400, "values", f"the strategy says nothing of what {position.to_move} knows here")
        return mixed(position, strategies, behaviour)

    def solved(self, job: Job[Asked], position: Position) -> Solved[State, Move] | None:
        """The values of all positions below one, where they can be found within `SOLVING` seconds; else None."""
        game = position.game
        if position.over or len(game.players) != 2 or game.rules.has_chance or not game.observer.sees_all:
            return None
        return self.analyst(job, position.game).tabulate(position, seconds=SOLVING)

    def choose(self, job: Job[Playing], position: Position, chance: random.Random,
               part: Callable[[Move, str], bool] = lambda move, remark: True) -> tuple[Move, str]:
        """The move of a kind of player, and a remark on it; moves found so far go to `part`, which says whether to go
        on. Raises Refused for a kind that cannot play.

        No match between searches is played for a move, as `improve` would where none is known: it can take a minute.
        """
        from interpreter.compiler.lowering.errors import NotLowered

        kind = job.asked.player
        if position.by_chance:
            return drawn(position, chance), ""
        if kind == RANDOM:
            return chance.choice(position.legal()), ""
        if kind == SOLVER and not position.game.observer.sees_all:
            kind = "informed"
        if kind == SOLVER and position.game.rules.has_chance:
            player = Level.of(f"solver seconds={MOVING:g}").player(position.game, seed=chance.randrange(1 << 30))
            found_best = player.choose(position)
            return found_best.move, found_best.basis
        if kind == SOLVER:
            for result in self.analyst(job, position.game).improve(position, seconds=MOVING, every=False,
                                                                   comparing=False, seed=chance.randrange(1 << 30)):
                if not part(result.best.move, result.basis):
                    break
            return result.best.move, result.basis
        if kind not in LEVELS:
            raise Refused(400, "request", f"there is no player '{kind}'")
        try:
            part(chance.choice(position.legal()), "by chance, as the search was not ready in time")
            player = self._players.made((game_key(job), kind), lambda: self._player(job, position.game, kind, chance))
            choice = player.choose(position)
        except (NotLowered, ValueError, GameFileError) as problem:
            raise Refused(400, "player", f"this player cannot play this game: {problem}") from None
        return choice.move, choice.reason or (choice.basis if kind == "informed" else "")

    def _player(self, job: Job[Asked], game: Game, kind: str, chance: random.Random) -> Player:
        return Level.of(LEVELS[kind][0]).player(game, seed=chance.randrange(1 << 30), hooks=_hooks_of(job),
                                                kept=job.asked.text is None,
                                                patterns=lambda game: patterns_of(job, game))

    def warm_up(self) -> None:
        """Search and solve a game of two moves, so that the searches and the solver are compiled."""
        game = Game.of(Source("warming up", WARMING))
        for kind in ("mcts", "alphabeta"):
            Level.of(f"{kind} nodes=2").player(game).choose(game.start())
        solve_game(game, game.start().state, engine="kernel")


def _hooks_of(job: Job[Asked]) -> Hooks | None:
    """The hooks that come with a bundled game; None for rules from the page."""
    from dslgame import bundled

    return None if job.asked.text is not None else bundled.hooks_for(job.path)


def check_sampled(position: Position) -> bool:
    """Whether a game has chance, so that its moves have values from random games.

    Raises Refused where chance makes the next move.
    """
    if position.by_chance:
        raise Refused(400, "values", "chance makes the next move")
    return position.game.rules.has_chance


def _strategies(job: Job[Asked], game: Game) -> Strategies:
    """The strategies from the file beside a game's, else computed ones. Raises NoStrategies, ValueError."""
    from dslgame import bundled

    return (bundled.strategies_beside(game, job.path) if job.path else None) or strategies_in_time(game)


def mixed(position: Position, strategies: Strategies, behaviour: Behaviour) -> Plain:
    """A player's strategy in an information state, as plain values like those of an analysis."""
    shares = dict(zip(behaviour.moves, behaviour.probabilities, strict=True))
    best, mover = max(shares, key=shares.__getitem__), position.to_move
    worth = strategies.exact or f"{strategies.expected:.4f}"
    return {
        "exact": True, "reason": "", "positions": 0, "to_move": position.state.to_move, "depth": 0, "games": 0,
        "line": [], "best": best, "basis": "by a strategy", "by": "strategy", "proven": False, "more": False,
        "method": None, "lines": [],
        "strategy": f"How often {mover} makes each move by a strategy, which goes by what {mover} knows. "
                    f"The game is worth {worth} to {position.game.players[0]}.",
        "values": [{"move": move, "winner": None, "plies": None, "estimate": None, "score": None, "probability": share}
                   for move, share in shares.items()],
    }


def patterns_of(job: Job[Asked], game: Game) -> Source | None:
    """The patterns that come with a game file; for rules from the page, those of the bundled game with their title."""
    from dslgame import bundled

    return bundled.patterns_for(game, job.path or None)


def players() -> list[dict[str, str]]:
    """The kinds of players, each with its key and the name that the page shows."""
    named = [(PERSON, "a person"), (SOLVER, "the solver"), *((key, title) for key, (_, title) in LEVELS.items()),
             (RANDOM, "random moves")]
    return [{"key": key, "title": title} for key, title in named]


def able(job: Job[Asked], game: Game) -> list[str]:
    """The keys of the kinds of players that can play a game."""
    result = [PERSON, SOLVER]
    for key, (level, _) in LEVELS.items():
        kind = level.split()[0]
        with suppress(ValueError):
            check_level(kind, game)
            if kind != "patterns" or patterns_of(job, game) is not None:
                result.append(key)
    return [*result, RANDOM]


def plain(result: Analysis, *, more: bool) -> Plain:
    """An analysis as plain values; a winner is a player's number, -1 for a draw, less for several outcomes, null if
    unknown.

    `more` says whether the next round may know more.
    """
    return {
        "exact": result.exact, "reason": result.reason, "positions": result.positions, "to_move": result.side,
        "depth": result.depth, "games": result.games,
        "line": list(result.line), "best": result.best.text, "basis": result.basis, "by": result.measure,
        "proven": result.proven, "more": more,
        "method": None if not result.solved_by else {"name": result.solved_by,
                                                     "summary": named(result.solved_by).summary},
        "values": [{"move": item.text, "winner": item.winner, "plies": item.remoteness,
                    "estimate": result.shares.get(item.move), "score": _held(result.scores.get(item.move))}
                   for item in result.moves],
        "lines": [{"move": line.judged.text, "winner": line.judged.winner, "plies": line.judged.remoteness,
                   "estimate": (result.shares.get(line.judged.move)
                                if line.score is line.judged.winner is None else None),
                   "score": _held(line.score), "depth": line.depth, "games": line.games, "line": list(line.line)}
                  for line in result.lines],
    }


def _held(score: int | None) -> int | None:
    """A score, clamped to what a page can hold; those of forced ends exceed it."""
    return None if score is None else max(-MOST_SCORE, min(MOST_SCORE, score))
