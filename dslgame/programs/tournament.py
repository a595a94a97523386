"""Schedules and runs matches and tournaments: the pairings, their openings, and the games that are still to play.

Every pair plays each opening twice with sides swapped, then the next opening. Games are numbered round by round, so
that a match that was interrupted, or is extended, continues from its log.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import combinations
from typing import Any

import attrs

from dslgame.programs.arena import Arena, Pairing, Setting
from dslgame.programs.processes import end_all, ended_by_signals, undisturbed
from dslgame.programs.records import BadLog, Log
from dslgame.programs.sequential import SequentialTest
from dslgame.programs.specifications import Specification
from dslgame.programs.workers import play_all
from interpreter.game import Game


@attrs.frozen
class Plan:
    """A match of two, or a tournament of more."""

    game: Game
    players: tuple[Specification, ...]
    rounds: int
    """The number of games of each pair."""
    openings: Sequence[tuple[str, ...]] = ((),)
    move: float | None = None
    """Seconds for a move; None for no limit."""
    time: float | None = None
    """Seconds for all moves of a player in a game; None for no limit."""
    seed: int = 0
    longest: int = 1_000
    gauntlet: bool = False
    """Whether the first player plays all others, and these do not play each other."""
    test: SequentialTest | None = None
    """A sequential test that may end a match of two before all its games are played."""

    def decided(self, log: Log) -> bool:
        """Whether the sequential test is decided by the games in the log."""
        return self.test is not None and self.test.state(self.players[0].name, log.games).verdict != "open"

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of players, by number, that play each other."""
        numbers = range(len(self.players))
        return [(0, other) for other in numbers[1:]] if self.gauntlet else list(combinations(numbers, 2))

    def pairings(self) -> list[Pairing]:
        """All games in the order in which they are played."""
        result: list[Pairing] = []
        for turn in range(self.rounds):
            opening = self.openings[turn // seatings(self.game) % len(self.openings)]
            for one, other in self.pairs:
                result.append(Pairing(len(result), seated(self.game, one, other, turn), tuple(opening)))
        return result

    @property
    def setting(self) -> Setting:
        """The setting that all games share."""
        source = self.game.rules.source
        return Setting(source.name, source.text, self.game.params,
                       [(player.name, player.text) for player in self.players], self.move, self.time, self.seed,
                       self.longest)

    def head(self) -> dict[str, Any]:
        """The description of the match for the first line of the log."""
        return {
            "game": self.game.title, "file": self.game.rules.source.name, "rules": self.game.rules.source.text,
            "params": self.game.params,
            "players": [{"name": player.name, "player": player.text} for player in self.players],
            "clock": {"move": self.move, "game": self.time}, "seed": self.seed, "longest": self.longest,
            "gauntlet": self.gauntlet,
        }


def seatings(game: Game) -> int:
    """The number of games after which both contestants have had every side equally often."""
    sides = len(set(game.sides))
    return 2 if sides == 2 else 2 * sides


def seated(game: Game, one: int, other: int, turn: int) -> tuple[int, ...]:
    """The contestant of each seat in a turn: one contestant has a single side, with all its allies, the other the rest.

    With more than two sides the single side rotates. In every second turn the contestants are swapped.
    """
    if turn % 2:
        one, other = other, one
    sides = sorted(set(game.sides))
    single = sides[turn // 2 % len(sides)] if len(sides) > 2 else sides[0]
    return tuple(one if side == single else other for side in game.sides)


def left(plan: Plan, log: Log) -> list[Pairing]:
    """The games that are not in the log yet. Raises BadLog where games of the log do not fit the plan."""
    pairings = {pairing.number: pairing for pairing in plan.pairings()}
    names = [player.name for player in plan.players]
    for record in log.games:
        pairing = pairings.pop(record["number"], None)
        if pairing is None:  # of a longer match
            fits = {*record["players"].values()} <= {*names}
        else:
            players = [names[number] for number in pairing.players]
            fits = [*record["players"].values()] == players and tuple(record["opening"]) == pairing.opening
        if not fits or tuple(record["players"]) != plan.game.players:
            raise BadLog(f"game {record['number'] + 1} of the log was played from another opening or by others: give "
                         "another file, or the same openings")
    return list(pairings.values())


def listen(plan: Plan) -> dict[int, socket.socket]:
    """Open the sockets that players connect to, by the players' numbers. Raises OSError, with the address."""
    result: dict[int, socket.socket] = {}
    try:
        for number, player in enumerate(plan.players):
            if player.kind.connects:
                try:
                    family = socket.AF_INET6 if ":" in player.host else socket.AF_INET
                    result[number] = socket.create_server((player.host, player.port), family=family, backlog=16)
                except OSError as problem:
                    raise OSError(problem.errno, problem.strerror, f"{player.host}:{player.port}") from None
    except BaseException:
        for listening in result.values():
            listening.close()
        raise
    return result


def run(plan: Plan, log: Log, *, workers: int, told: Callable[[dict[str, Any]], None],
        waiting: Callable[[Specification, int], None] = lambda player, port: None) -> bool:
    """Play the games left of a match, and log each; False where it was interrupted.

    `told` is called with each game, `waiting` with each player that somebody has to connect to a port.

    Ctrl-C, SIGTERM and SIGHUP end the match, with all programs that play in it and all processes that they started.

    Raises BadLog, ValueError or NotLowered where a player cannot play the game, OSError, and WorkerEnded.
    """
    pairings = left(plan, log)
    if not pairings or plan.decided(log):
        return True
    listening = listen(plan)
    alone = bool(listening)  # programs that connect to a port can play only one game at a time
    workers = 1 if alone else min(workers, len(pairings))
    try:
        for number, socket_ in listening.items():
            if not plan.players[number].command:
                waiting(plan.players[number], socket_.getsockname()[1])
        arena = Arena(plan.setting, listening)
        with ended_by_signals():
            try:
                _play(plan, log, arena, pairings, workers, told)
                return True
            except KeyboardInterrupt:
                with undisturbed():
                    arena.stop()
                return False
            finally:
                with undisturbed():
                    arena.close()
                    end_all()
    finally:
        for socket_ in listening.values():
            socket_.close()


def _play(plan: Plan, log: Log, arena: Arena, pairings: Sequence[Pairing], workers: int,
          told: Callable[[dict[str, Any]], None]) -> None:
    """Play games, in this process or by workers, and log each, until the sequential test is decided."""
    if workers == 1:
        played: Iterator[dict[str, Any]] = map(arena.play, pairings)
    else:
        _check(arena, plan)
        played = play_all(plan.setting, pairings, workers)
    try:
        for record in played:
            _keep(log, record, told)
            if plan.decided(log):
                return
    finally:
        if isinstance(played, Generator):
            played.close()  # ends the workers


def _check(arena: Arena, plan: Plan) -> None:
    """Create the levels in this process first, so that errors are raised once, and kernels are compiled once."""
    for number, player in enumerate(plan.players):
        if player.kind.name == "level":
            arena.player(number)


def _keep(log: Log, record: dict[str, Any], told: Callable[[dict[str, Any]], None]) -> None:
    log.add(record)
    told(record)
