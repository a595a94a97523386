"""Referees one game between two contestants: asks for moves, keeps the clock, checks moves and decides forfeits.

`play` always returns a game, whatever the contestants do: a `Failed` of one of them wins the game for the other.
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
from interpreter.model.state import DRAW

SLACK = 0.1
"""Seconds that a move may exceed its time, to allow for communication."""
STARTING = 60.0
"""Seconds for a program to start, and to set up a game."""
TELLING = 10.0
"""Seconds for a program to acknowledge a move."""


@attrs.frozen
class Clock:
    """The time limits of players in seconds; None for no limit."""

    move: float | None = None
    game: float | None = None
    """The limit for all moves of a player in a game."""

    def allowed(self, spent: float) -> float | None:
        """The time for the next move of a player that has spent `spent` seconds in the game; None for no limit."""
        left = None if self.game is None else max(0.0, self.game - spent)
        bounds = [bound for bound in (self.move, left) if bound is not None]
        return min(bounds) if bounds else None


class Contestant:
    """A player of a match. Methods that a subclass does not override do nothing, except `choose`. Methods raise Failed.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._notes: list[str] = []

    def note(self, text: str) -> None:
        """Add a note to the record of the current game: something that is not a failure, such as a refused command."""
        self._notes.append(text)

    @property
    def running(self) -> bool:
        """Whether its program still runs from the game before, so that it may turn out to have ended since."""
        return False

    def take_notes(self) -> list[str]:
        """Return the notes since the last call, and clear them."""
        result, self._notes = self._notes, []
        return result

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """Begin a game, in which the moves in `position.played` are already made."""

    def choose(self, position: Position, deadline: Deadline) -> str:
        """Return a move as text."""
        raise NotImplementedError

    def notify(self, position: Position, *, own: bool) -> None:
        """Take note of a move, the last in `position.played`; `own` if this contestant made it."""

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """Take note of the end of the game; `winner` is a side, None for a draw."""

    def processor(self) -> float | None:
        """The processor time in seconds that it has used so far; None where it cannot be measured.

        The default is that of this process.
        """
        return time.process_time()

    def remarks(self) -> list[str]:
        """Sentences about how this contestant played, for the notes of the game's record."""
        return []

    def stop(self) -> None:
        """End whatever runs after a failure, so that the next game starts afresh."""

    def close(self) -> None:
        """End the contestant after its last game."""
        self.stop()


@attrs.frozen
class Played:
    """A game that was played."""

    moves: tuple[str, ...]
    """All moves, including those of the opening."""
    winner: int | None
    """A side; None for a draw."""
    end: str
    """"rules", "length", or the kind of failure."""
    reason: str
    """A sentence about the end, where the rules did not end the game."""
    forfeits: tuple[int, ...]
    """The sides that forfeited."""
    seconds: tuple[float, ...]
    """The thinking time of each side."""
    processor: tuple[float | None, ...] = ()
    """The processor time in seconds that each side used for its moves; None where it could not be measured."""
    notes: tuple[str, ...] = ()
    """Notes and remarks of the contestants, and failures after the end of the game."""


class _Over(Exception):
    """Ends the game by the failure of a side."""

    def __init__(self, side: int, failure: Failed) -> None:
        super().__init__(failure.message)
        self.side, self.failure = side, failure


def play(game: Game, players: Sequence[Contestant], opening: Sequence[str], clock: Clock, *, seeds: Sequence[int],
         longest: int) -> Played:
    """Play a game; `players` has the contestant of each side, where one contestant may have several sides.

    Where one fails, the other contestant wins. Raises IllegalMove for the opening, and RuleError where a rule fails.
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
    """Ends the game where no contestant can begin it."""

    def __init__(self, failures: Mapping[int, Failed]) -> None:
        super().__init__()
        self.failures = failures


class _Table:
    """The state of a game that is played: its contestants, position, clock and dice."""

    def __init__(self, game: Game, players: Sequence[Contestant], clock: Clock, seconds: list[float]) -> None:
        self.game, self.players, self.clock, self.seconds = game, players, clock, seconds
        self.processor: list[float | None] = [0.0] * len(players)
        self.position: Position = game.start()
        self.dice = Random(0)
        """The random numbers that draw chance moves."""

    def other(self, side: int) -> int:
        """A side of the other contestant, known by its name."""
        names = [player.name for player in self.players]
        return next((index for index, name in enumerate(names) if name != names[side]), 1 - side)

    def sentence(self, side: int, failure: Failed) -> str:
        """Describe the failure of a side in a sentence."""
        return f"{self.players[side].name} ({self.game.players[side]}) {KINDS[failure.kind]}: {failure.message}"

    def start(self, position: Position, seeds: Sequence[int]) -> Position:
        """Begin the game for all contestants."""
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
        """Begin the game for one contestant; restart it, with a note, if its program ended after the game before."""
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
        """Ask the side to move for a move, or draw a chance move, and notify all contestants; the position after it."""
        if position.by_chance:
            return self._tell(position.play(drawn(position, self.dice)), None)
        side = position.state.to_move
        position.legal()  # computed now, so that no player's clock pays for it
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
        """Add the time of a side's move to its totals; the seconds taken.

        `clock` and `used` are the monotonic time and the processor time of the contestant before the move.
        """
        taken = time.monotonic() - clock
        self.seconds[side] += taken
        now, before = self.players[side].processor(), self.processor[side]
        self.processor[side] = None if now is None or used is None or before is None else before + now - used
        return taken

    def _tell(self, position: Position, side: int | None) -> Position:
        """Notify all contestants of the last move, first the side that made it (None for chance); the position."""
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
        """Add the allowed time to the message of a time failure; other failures are unchanged."""
        if failure.kind != "time" or allowed is None:
            return failure
        whole = "" if self.clock.game is None or allowed == self.clock.move else " that were left for the game"
        return Failed("time", f"no answer within {allowed:.3g} s{whole}")

    def end(self, position: Position, winner: int | None, reason: str, forfeits: Sequence[int]) -> list[str]:
        """Tell all contestants how the game ended; remarks, and failures that no longer count, as notes."""
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
    """The record of a game as plain values, as in logs; `names` are those of the contestants by side."""
    sides = game.players
    return {
        "players": dict(zip(sides, names, strict=True)),
        "opening": list(opening), "moves": list(played.moves),
        "outcome": game.outcome_name(DRAW if played.winner is None else game.sides[played.winner]),
        "winner": None if played.winner is None else names[played.winner],
        "end": played.end, "reason": played.reason, "forfeits": [names[side] for side in played.forfeits],
        "seconds": dict(zip(sides, (round(part, 4) for part in played.seconds), strict=True)),
        "processor": dict(zip(sides, (part if part is None else round(part, 4) for part in played.processor),
                              strict=True)),
        "notes": list(played.notes),
    }
