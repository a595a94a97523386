"""Levels of play, and the players that they make: "alphabeta plies=4", "mcts seconds=1", "solver", "random".

`Level.of(text)` reads a level, `level.player(game)` makes a player of a game, `player.choose(position)` its move. With
the same seed a player makes the same moves in the same positions, unless its limit is a time.
"""

from __future__ import annotations

import random
from typing import Protocol

import attrs

from dsl.diagnostics import did_you_mean
from interpreter.game import Game, Position
from interpreter.hooks import Hooks
from interpreter.state import Move
from solver.players.deepening import TABLE_MIB, Deepening, Limit
from solver.players.judge import Judge, best
from solver.players.sampling import Sampling
from solver.report import Report

SOLVER_NODES = 60_000
"""How many positions a solver looks at for a move, where its level does not say."""
SECONDS = 1.0
"""How long a search takes for a move, where its level does not say."""

_LIMITS: dict[str, tuple[str, ...]] = {
    "random": (), "solver": ("nodes",), "alphabeta": ("plies", "nodes", "seconds"),
    "mcts": ("nodes", "seconds"),
}
"""The kinds of players, and which limits each can have."""
KINDS = tuple(_LIMITS)


@attrs.frozen
class Choice:
    """The move that a player chose, and what it knows of it."""

    move: Move
    text: str
    """The move as it is written."""
    winner: int | None = None
    """Who wins by force after it, -1 for a draw; None where that was not seen."""
    remoteness: int | None = None
    """Plies to that end, this move included."""
    reason: str = ""
    """Why more is not known, where a solver was asked."""
    report: Report | None = None
    """What a search did."""


class Player(Protocol):
    """Chooses moves in one game."""

    def choose(self, position: Position) -> Choice:
        """A move in a position that is not over."""


@attrs.frozen
class Level:
    """How well somebody plays: by which method, and how far it may look for each move."""

    kind: str
    plies: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, text: str) -> Level:
        """The level that a text means: a kind, then limits. Raises ValueError, which says what is wrong."""
        words = text.replace(",", " ").split()
        if not words:
            raise ValueError(f"expected a level such as 'alphabeta plies=4'; the kinds are {', '.join(KINDS)}")
        kind = words[0].casefold()
        if kind not in _LIMITS:
            hint, _ = did_you_mean(kind, KINDS)
            raise ValueError(f"found '{words[0]}'; {hint or 'expected ' + _listed(KINDS)}")
        found: dict[str, float] = {}
        for word in words[1:]:
            name, _, number = word.partition("=")
            allowed = _LIMITS[kind]
            if name not in allowed:
                expected = f"expected {_listed([f'{limit}=N' for limit in allowed])}" if allowed else "it has no limits"
                raise ValueError(f"found '{word}' after '{kind}'; {expected}")
            if name in found:
                raise ValueError(f"'{name}' is given twice in '{text}'")
            try:
                found[name] = float(number) if name == "seconds" else int(number)
            except ValueError:
                raise ValueError(f"found '{word}', expected a number, as in {name}=4") from None
            if not 0 < found[name] < float("inf"):
                raise ValueError(f"found '{word}', expected more than 0")
        plies, nodes, seconds = found.get("plies"), found.get("nodes"), found.get("seconds")
        return cls(kind, None if plies is None else int(plies), None if nodes is None else int(nodes), seconds)

    def __str__(self) -> str:
        limits = [f"{name}={getattr(self, name):g}" for name in ("plies", "seconds") if getattr(self, name) is not None]
        limits += [f"nodes={self.nodes}"] if self.nodes is not None else []
        return " ".join([self.kind, *limits])

    def player(self, game: Game, *, seed: int = 0, hooks: Hooks | None = None) -> Player:
        """A player of a game at this level. Raises ValueError where the level is not for such a game."""
        match self.kind:
            case "random":
                return RandomPlayer(seed)
            case "solver":
                return SolvingPlayer(game, self.nodes or SOLVER_NODES, seed)
        return SearchingPlayer(game, self, seed, hooks)


def _table_mib(level: Level) -> int:
    """The memory of a table that has room for all that a level looks at; it is emptied for each move."""
    return TABLE_MIB if level.nodes is None else min(TABLE_MIB, 1 + (level.nodes >> 13))


def _listed(words: tuple[str, ...] | list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class RandomPlayer:
    """Plays any legal move, each as likely as any other."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, position: Position) -> Choice:
        """A legal move."""
        move = self._chance.choice(position.legal())
        return Choice(move, position.game.notation.write(position.state, move))


class SolvingPlayer:
    """Plays perfectly where it can work out the position within its limit, and else as well as it knows."""

    def __init__(self, game: Game, nodes: int, seed: int) -> None:
        self.judge = Judge(game, nodes)
        self._chance = random.Random(seed)

    def choose(self, position: Position) -> Choice:
        """A best move as far as is known."""
        chosen = best(self.judge.values(position), position, self._chance)
        return Choice(chosen.move, chosen.text, chosen.winner, chosen.remoteness, self.judge.reason)


class SearchingPlayer:
    """Plays what a search finds; alpha-beta keeps its table from move to move, where its limit is a time.

    Raises NotLowered where the compiler has no words for a rule, ValueError where alpha-beta cannot play the game.
    """

    def __init__(self, game: Game, level: Level, seed: int, hooks: Hooks | None) -> None:
        from solver.entries import Entries

        self.level, self.seed = level, seed
        seconds = level.seconds
        if level.plies is None and level.nodes is None and seconds is None:
            seconds = SECONDS
        self._limit = Limit(level.plies, level.nodes, seconds)
        entries = Entries.of(game, hooks)
        self._search: Deepening | Sampling = (
            Deepening(entries, table_mib=_table_mib(level)) if level.kind == "alphabeta" else Sampling(entries))

    def choose(self, position: Position) -> Choice:
        """The move that the search finds best."""
        if self._limit.seconds is None and isinstance(self._search, Deepening):
            self._search.forget()
        found = self._search.search(position.state, self._limit, history=position.history,
                                    seed=self.seed * 1_000_003 + len(position.played))
        text = position.game.notation.write(position.state, found.move)
        return Choice(found.move, text, found.winner, found.remoteness, report=found.report)
