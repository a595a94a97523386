"""Matches and tournaments: who plays whom when, from which openings, and the games that are still to be played.

Every pair plays each opening twice with sides changed, then the next; games are numbered round by round, so that a
match that is interrupted, or made longer, goes on by its log.
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
    """Games of each pair."""
    openings: Sequence[tuple[str, ...]] = ((),)
    move: float | None = None
    """Seconds for a move."""
    time: float | None = None
    """Seconds for a player's moves in a game."""
    seed: int = 0
    longest: int = 1_000
    gauntlet: bool = False
    """Whether the first player plays all others, and these do not play each other."""
    test: SequentialTest | None = None
    """What ends a match of two before all its games are played."""

    def decided(self, log: Log) -> bool:
        """Whether the games played end the match."""
        return self.test is not None and self.test.state(self.players[0].name, log.games).verdict != "open"

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Who plays whom."""
        numbers = range(len(self.players))
        return [(0, other) for other in numbers[1:]] if self.gauntlet else list(combinations(numbers, 2))

    def pairings(self) -> list[Pairing]:
        """All games in their order."""
        result: list[Pairing] = []
        for turn in range(self.rounds):
            opening = self.openings[turn // seatings(self.game) % len(self.openings)]
            for one, other in self.pairs:
                result.append(Pairing(len(result), seated(self.game, one, other, turn), tuple(opening)))
        return result

    @property
    def setting(self) -> Setting:
        """What all games have in common."""
        source = self.game.rules.source
        return Setting(source.name, source.text, self.game.params,
                       [(player.name, player.text) for player in self.players], self.move, self.time, self.seed,
                       self.longest)

    def head(self) -> dict[str, Any]:
        """What the log says of the match."""
        return {
            "game": self.game.title, "file": self.game.rules.source.name, "rules": self.game.rules.source.text,
            "params": self.game.params,
            "players": [{"name": player.name, "player": player.text} for player in self.players],
            "clock": {"move": self.move, "game": self.time}, "seed": self.seed, "longest": self.longest,
            "gauntlet": self.gauntlet,
        }


def seatings(game: Game) -> int:
    """In how many ways two contestants are seated, one after another, so that both have every side as often."""
    sides = len(set(game.sides))
    return 2 if sides == 2 else 2 * sides


def seated(game: Game, one: int, other: int, turn: int) -> tuple[int, ...]:
    """Who of two contestants has which seat in a turn: one has a single side, allies together, and the other the rest.

    The single side goes round, and in every second turn the two change places.
    """
    if turn % 2:
        one, other = other, one
    sides = sorted(set(game.sides))
    single = sides[turn // 2 % len(sides)] if len(sides) > 2 else sides[0]
    return tuple(one if side == single else other for side in game.sides)


def left(plan: Plan, log: Log) -> list[Pairing]:
    """The games that are not in the log. Raises BadLog where the log's are not of this plan."""
    pairings = {pairing.number: pairing for pairing in plan.pairings()}
    names = [player.name for player in plan.players]
    for record in log.games:
        pairing = pairings.pop(record["number"], None)
        if pairing is None:
            continue
        players = [names[number] for number in pairing.players]
        if list(record["players"].values()) != players or tuple(record["opening"]) != pairing.opening:
            raise BadLog(f"game {record['number']} of the log was played from another opening or by others: give "
                         "another file, or the same openings")
    return list(pairings.values())


def listen(plan: Plan) -> dict[int, socket.socket]:
    """The sockets to which players connect, by the players' numbers. Raises OSError, with the address."""
    result: dict[int, socket.socket] = {}
    try:
        for number, player in enumerate(plan.players):
            if player.kind == "tcp":
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


def run(plan: Plan, log: Log, *, workers: int, told: Callable[[dict[str, Any]], None]) -> bool:
    """Play what is left of a match, and keep each game; whether it was played to its end.

    Ctrl-C ends it, and SIGTERM, with all programs that play in it and all that they started.

    Raises BadLog, ValueError or NotLowered where a player cannot play the game, OSError, and WorkerEnded.
    """
    pairings = left(plan, log)
    if not pairings or plan.decided(log):
        return True
    listening = listen(plan)
    alone = bool(listening)  # programs that connect by themselves come one by one
    workers = 1 if alone else min(workers, len(pairings))
    try:
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
    """Play games, here or by workers, and keep each, until they decide."""
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
    """Make the levels here first: what they cannot play is told once, and what is compiled is compiled once."""
    for number, player in enumerate(plan.players):
        if player.kind == "level":
            arena.player(number)


def _keep(log: Log, record: dict[str, Any], told: Callable[[dict[str, Any]], None]) -> None:
    log.add(record)
    told(record)
