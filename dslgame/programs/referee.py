"""One game between two contestants: whose turn it is, the clock, which moves are legal, and who forfeits why.

`play` makes a game of it whatever the contestants do: what they do wrong is a `Failed`, and the game is the other's.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import attrs

from dslgame.programs.channels import Deadline
from dslgame.programs.failures import KINDS, Failed
from dslgame.programs.processes import check_interrupted
from interpreter.errors import IllegalMove
from interpreter.game import Game, Position
from interpreter.happening import drawn

SLACK = 0.1
"""Seconds that a move may take longer than is allowed, for the way there and back."""
STARTING = 60.0
"""Seconds for a program to start, and to be told of a game."""
TELLING = 10.0
"""Seconds for a program to take note of a move."""


@attrs.frozen
class Clock:
    """How long players may think, in seconds; None where that is not bounded."""

    move: float | None = None
    game: float | None = None
    """For all moves of a player in a game."""

    def allowed(self, spent: float) -> float | None:
        """The time for a move, when so much was spent in the game before."""
        left = None if self.game is None else max(0.0, self.game - spent)
        bounds = [bound for bound in (self.move, left) if bound is not None]
        return min(bounds) if bounds else None


class Contestant:
    """One who plays games; what is not said otherwise does nothing. Methods raise Failed."""

    needs_start = False
    """Whether it cannot be given moves that were made before it plays."""
    alone = False
    """Whether there can only be one of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._notes: list[str] = []

    def note(self, text: str) -> None:
        """Have something noted with the game that is played, which is no failure, such as a command that is refused."""
        self._notes.append(text)

    @property
    def running(self) -> bool:
        """Whether it runs on from the game before; then it may be found to have ended since."""
        return False

    def take_notes(self) -> list[str]:
        """What was noted since the last time."""
        result, self._notes = self._notes, []
        return result

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """A game begins, with the moves in `position.played` made already."""

    def choose(self, position: Position, deadline: Deadline) -> str:
        """A move as a text."""
        raise NotImplementedError

    def notify(self, position: Position, *, own: bool) -> None:
        """A move was made, the last in `position.played`; whether by this one."""

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """The game is over; `winner` is a side, None for a draw."""

    def processor(self) -> float | None:
        """Seconds of the processor that it has used so far, None where that cannot be seen. One that thinks in this
        process is measured by it."""
        return time.process_time()

    def remarks(self) -> list[str]:
        """What a reader of the game's record should know of how it was played, as sentences about this one."""
        return []

    def stop(self) -> None:
        """Something went wrong: whatever runs is ended, so that the next game begins afresh."""

    def close(self) -> None:
        """No more games."""
        self.stop()


@attrs.frozen
class Played:
    """A game that was played."""

    moves: tuple[str, ...]
    """All moves, those of the opening included."""
    winner: int | None
    """A side; None for a draw."""
    end: str
    """"rules", "length", or the kind of failure."""
    reason: str
    """A sentence, where not the rules ended the game."""
    forfeits: tuple[int, ...]
    """The sides that forfeited."""
    seconds: tuple[float, ...]
    """How long each side thought."""
    processor: tuple[float | None, ...] = ()
    """Seconds of the processor that each side used for it; None where that could not be seen."""
    notes: tuple[str, ...] = ()
    """What went wrong besides."""


class _Over(Exception):
    """A side forfeits."""

    def __init__(self, side: int, failure: Failed) -> None:
        super().__init__(failure.message)
        self.side, self.failure = side, failure


def play(game: Game, players: Sequence[Contestant], opening: Sequence[str], clock: Clock, *, seeds: Sequence[int],
         longest: int) -> Played:
    """Play a game, the contestant of each side in the sides' order: one may have several sides.

    Where one fails, the other contestant wins. Raises IllegalMove for an opening, and RuleError.
    """
    position = game.start()
    for move in opening:
        position = position.play(move)
    seconds = [0.0] * len(players)
    table = _Table(game, players, clock, seconds)
    end, reason = "rules", ""
    forfeits: list[int] = []
    winner: int | None = None
    try:
        position = table.start(position, seeds)
        while not position.over and len(position.played) < longest:
            position = table.ply(position)
        if position.over:
            outcome = position.state.outcome
            winner = None if outcome is None or outcome < 0 else outcome
        else:
            end, reason = "length", f"{longest:,} moves were played"
    except _BothOver as both:
        end, forfeits = next(iter(both.failures.values())).kind, [*both.failures]
        reason = "; ".join(table.sentence(side, failure) for side, failure in both.failures.items())
    except _Over as over:
        end, winner = over.failure.kind, table.other(over.side)
        forfeits = [] if end == "resignation" else [over.side]
        position, reason = table.position, table.sentence(over.side, over.failure)
    except BaseException:
        for player in players:
            player.stop()
        raise
    notes = table.end(position, winner, reason, forfeits)
    notes = [f"{player.name}: {note}" for player in players for note in player.take_notes()] + notes
    return Played(position.played, winner, end, reason, tuple(forfeits), tuple(seconds), tuple(table.processor),
                  tuple(notes))


class _BothOver(Exception):
    """Nobody can begin."""

    def __init__(self, failures: Mapping[int, Failed]) -> None:
        super().__init__()
        self.failures = failures


class _Table:
    """Where the contestants sit."""

    def __init__(self, game: Game, players: Sequence[Contestant], clock: Clock, seconds: list[float]) -> None:
        self.game, self.players, self.clock, self.seconds = game, players, clock, seconds
        self.processor: list[float | None] = [0.0] * len(players)
        self.position: Position = game.start()
        self.dice = Random(0)
        """What moves of chance are drawn by."""

    def other(self, side: int) -> int:
        """A side of the other contestant."""
        names = [player.name for player in self.players]
        return next((index for index, name in enumerate(names) if name != names[side]), 1 - side)

    def sentence(self, side: int, failure: Failed) -> str:
        """What a side did wrong."""
        return f"{self.players[side].name} ({self.game.players[side]}) {KINDS[failure.kind]}: {failure.message}"

    def start(self, position: Position, seeds: Sequence[int]) -> Position:
        """Tell both that the game begins."""
        self.position = position
        self.dice = Random(sum(seed * 31**index for index, seed in enumerate(seeds)))
        failures: dict[int, Failed] = {}
        for side, player in enumerate(self.players):
            try:
                self._begin(player, position, side, seeds[side])
            except Failed as problem:
                failures[side] = problem
        if failures and not {player.name for player in self.players} - {self.players[side].name for side in failures}:
            raise _BothOver(failures)
        for side, failure in failures.items():
            raise _Over(side, failure)
        return position

    def _begin(self, player: Contestant, position: Position, side: int, seed: int) -> None:
        """Tell one that the game begins; what ended since the game before is started anew, which is noted."""
        ran = player.running
        try:
            player.begin(position, side, self.clock, seed)
        except Failed as problem:
            if not ran or problem.kind != "crash":
                raise
            player.stop()
            player.note(f"was started anew, as it {problem.message} after the game before")
            player.begin(position, side, self.clock, seed)

    def ply(self, position: Position) -> Position:
        """Let the side to move make a move, and tell both."""
        if position.by_chance:
            return self._tell(position.play(drawn(position, self.dice)), None)
        side = position.state.to_move
        position.legal()  # found by the rules, and by no player's clock
        allowed = self.clock.allowed(self.seconds[side])
        used, clock = self.players[side].processor(), time.monotonic()
        try:
            text = self.players[side].choose(position, Deadline(None if allowed is None else allowed + SLACK))
        except Failed as failure:
            self._count(side, used, clock)
            raise _Over(side, self._told_time(failure, allowed)) from None
        check_interrupted()
        taken = self._count(side, used, clock)
        if allowed is not None and taken > allowed + SLACK:
            raise _Over(side, Failed("time", f"{taken:.2f} s for a move, {allowed:.2f} s were left"))
        try:
            self.position = position = position.play(text)
        except IllegalMove as problem:
            raise _Over(side, Failed("illegal", f"{text.strip()[:200]!r} in ply {len(position.played) + 1}: "
                                                f"{problem.reason}")) from None
        return self._tell(position, side)

    def _count(self, side: int, used: float | None, clock: float) -> float:
        """Note the time of a move that was begun at `clock` with so much of the processor used; the time taken."""
        taken = time.monotonic() - clock
        self.seconds[side] += taken
        now, before = self.players[side].processor(), self.processor[side]
        self.processor[side] = None if now is None or used is None or before is None else before + now - used
        return taken

    def _tell(self, position: Position, side: int | None) -> Position:
        """Tell all of a move, the side that made it first; None for one of chance."""
        self.position = position
        others = (other for other in range(len(self.players)) if other != side)
        for number in others if side is None else (side, *others):
            try:
                self.players[number].notify(position, own=number == side)
            except Failed as failure:
                if not position.over:
                    raise _Over(number, failure) from None
                self.players[number].stop()
        return position

    def _told_time(self, failure: Failed, allowed: float | None) -> Failed:
        """A failure to answer in time, with the time that was allowed."""
        if failure.kind != "time" or allowed is None:
            return failure
        whole = "" if self.clock.game is None or allowed == self.clock.move else " that were left for the game"
        return Failed("time", f"no answer within {allowed:.3g} s{whole}")

    def end(self, position: Position, winner: int | None, reason: str, forfeits: Sequence[int]) -> list[str]:
        """Tell both how the game ended; what goes wrong then is noted only."""
        notes = []
        for side, player in enumerate(self.players):
            notes += [f"{player.name} ({self.game.players[side]}): {remark}" for remark in player.remarks()]
            if side in forfeits:
                player.stop()
                continue
            try:
                player.end(position, side, winner, reason)
            except Failed as failure:
                notes.append(f"after the game {self.sentence(side, failure)}")
                player.stop()
        return notes


def as_object(played: Played, game: Game, names: Sequence[str], opening: Sequence[str]) -> dict[str, Any]:
    """A game as plain values, as logs have it; `names` of the contestants by side."""
    sides = game.players
    return {
        "players": dict(zip(sides, names, strict=True)),
        "opening": list(opening), "moves": list(played.moves),
        "outcome": "draw" if played.winner is None else sides[played.winner],
        "winner": None if played.winner is None else names[played.winner],
        "end": played.end, "reason": played.reason, "forfeits": [names[side] for side in played.forfeits],
        "seconds": dict(zip(sides, (round(part, 4) for part in played.seconds), strict=True)),
        "processor": dict(zip(sides, (part if part is None else round(part, 4) for part in played.processor),
                              strict=True)),
        "notes": list(played.notes),
    }
