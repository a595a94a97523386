"""Games and positions as a worker has them: loaded from what a job names, and kept for the next request.

A job names its game (a file, or a text with its rules), its params, where the game began and all moves since. Nothing
is remembered but for speed: positions are kept by all of that, so that two people's games are never mixed. Hooks are
not loaded, so that no text runs code.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

import attrs

from dsl.diagnostics import Diagnostic, GameFileError, error
from dsl.syntax.source import Source, Span, Unreadable, read
from dslgame.web.request_schema import Asked, At, Job, Refused
from interpreter.errors import IllegalMove, RuleError
from interpreter.game import Game, Position, examine
from interpreter.model.state import Move

MOST_GAMES = 48
MOST_MOVES = 300_000
"""Positions are kept as long as their legal moves are not more than this in all."""
KEPT_AT_END = 8
"""Of the positions of a game that was not known, so many are kept."""
TEXT_NAME = "the rules"
"""What the text of a page is called in messages."""

_Kept = TypeVar("_Kept")


class Kept(Generic[_Kept]):
    """The things that were used last, by their keys, as long as their weights are not more than `most` in all."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.weight = 0
        self._there: OrderedDict[Hashable, tuple[_Kept, int]] = OrderedDict()

    def get(self, key: Hashable) -> _Kept | None:
        """The thing of a key, which is then the newest; None where it is not kept."""
        result = self._there.get(key)
        if result is None:
            return None
        self._there.move_to_end(key)
        return result[0]

    def put(self, key: Hashable, value: _Kept, weight: int = 1) -> None:
        """Keep a thing; the oldest go where there is too much."""
        _, before = self._there.pop(key, (None, 0))
        self._there[key] = value, weight
        self.weight += weight - before
        while self.weight > self.most and len(self._there) > 1:
            _, (_, freed) = self._there.popitem(last=False)
            self.weight -= freed

    def made(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """The thing of a key, made where it is not kept."""
        result = self.get(key)
        if result is None:
            result = make()
            self.put(key, result)
        return result


@attrs.frozen
class Reached:
    """A position, and the move that led to it; None at a start."""

    position: Position
    move: Move | None = None


_Examined = tuple[Source, Game | None, list[Diagnostic]]


class Games:
    """The games and positions that jobs name."""

    def __init__(self) -> None:
        self._games: Kept[_Examined] = Kept(MOST_GAMES)
        self._positions: Kept[Reached] = Kept(MOST_MOVES)

    def examined(self, job: Job[Asked]) -> _Examined:
        """A job's rules with the game they make, or None, and everything found in them."""
        return self._games.made(game_key(job), lambda: _examine(job))

    def game(self, job: Job[Asked]) -> Game:
        """A job's game. Raises GameFileError where there is an error in its rules, or in the params."""
        source, game, result = self.examined(job)
        if game is None:
            raise GameFileError(source, [item for item in result if item.severity == "error"])
        return game

    def reached(self, job: Job[At]) -> Reached:
        """A job's position: its moves from its start, those known already not played again.

        Raises GameFileError, ImpossiblePosition, and Refused for a move that is not legal or by which a rule fails.
        """
        key, start, moves = game_key(job), job.asked.start, tuple(job.asked.moves)
        for known in range(len(moves), -1, -1):
            reached = self._positions.get((key, start, moves[:known]))
            if reached is not None:
                break
        else:
            known, game = 0, self.game(job)
            reached = Reached(game.start() if start is None else game.read_position(start))
            self._positions.put((key, start, ()), reached, _weight(reached))
        for number in range(known, len(moves)):
            try:
                move = reached.position.find(moves[number])
                reached = Reached(reached.position.play(move), move)
            except IllegalMove as problem:
                raise Refused(400, "move", str(problem), legal=number) from None
            except RuleError as problem:
                raise failing(problem, legal=number) from None
            if len(moves) - number <= KEPT_AT_END:
                self._positions.put((key, start, moves[: number + 1]), reached, _weight(reached))
        return reached

    def keep(self, job: Job[At], reached: Reached) -> None:
        """Keep what one more move leads to from a job's position."""
        key = game_key(job), job.asked.start, (*job.asked.moves, reached.position.played[-1])
        self._positions.put(key, reached, _weight(reached))


def _weight(reached: Reached) -> int:
    """What a position takes: its legal moves, which it keeps."""
    try:
        return 1 + len(reached.position.legal())
    except RuleError:
        return 1


def failing(problem: RuleError, *, legal: int | None = None) -> Refused:
    """The refusal where a rule of the game fails."""
    return Refused(400, "rule", f"a rule of the game fails (line {problem.span.line}): {problem.phrase}", legal=legal)


def game_key(job: Job[Asked]) -> tuple[Any, ...]:
    """What makes two jobs be of the same game: the text or the file as it is now, and the params."""
    params = tuple(sorted(job.asked.params.items()))
    if job.asked.text is not None:
        return "text", job.asked.text, params
    try:
        status = os.stat(job.path)
        return "file", job.path, status.st_mtime_ns, status.st_size, params
    except OSError:
        return "file", job.path, 0, 0, params


def source_of(job: Job[Asked]) -> Source | Unreadable:
    """The rules that a job names, not looked at."""
    if job.asked.text is not None:
        return Source(TEXT_NAME, job.asked.text)
    result = read(job.path)
    return result if isinstance(result, Unreadable) else Source(job.asked.game or "", result.text)


def _examine(job: Job[Asked]) -> _Examined:
    source = source_of(job)
    if isinstance(source, Unreadable):
        return Source(job.asked.game or "", ""), None, [error(source.code, source.phrase, Span.at(source.line, 1))]
    game, diagnostics = examine(source, job.asked.params)
    return source, game, diagnostics
