"""A worker's games and positions: loaded from what a job names, and cached for the next request.

A job names its game (a file, or a text with its rules), its params, the starting position and all moves since. The
caches serve speed only: positions are keyed by all of that, so that two people's games are never mixed. Hooks are not
loaded, so that no text runs code.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

import attrs

from dsl.diagnostics import Diagnostic, GameFileError, error
from dsl.syntax.source import Source, Span, Unreadable, read
from dslgame.web.request_schema import Asked, At, Job, Refused
from dslgame.web.saved import when_saved
from interpreter.errors import IllegalMove, RuleError
from interpreter.game import Game, Position, examine
from interpreter.model.state import Move

MOST_GAMES = 48
MOST_MOVES = 300_000
"""The most legal moves of all cached positions together."""
KEPT_AT_END = 8
"""The number of last positions that are cached when moves are replayed."""
TEXT_NAME = "the rules"
"""The name of a page's text in messages."""

_Kept = TypeVar("_Kept")


class Kept(Generic[_Kept]):
    """A least-recently-used cache whose values have a total weight of at most `most`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.weight = 0
        self._there: OrderedDict[Hashable, tuple[_Kept, int]] = OrderedDict()

    def get(self, key: Hashable) -> _Kept | None:
        """The value of a key, marked as the newest; None where it is not cached."""
        result = self._there.get(key)
        if result is None:
            return None
        self._there.move_to_end(key)
        return result[0]

    def put(self, key: Hashable, value: _Kept, weight: int = 1) -> None:
        """Store a value, and evict the oldest ones where the total weight is too large."""
        _, before = self._there.pop(key, (None, 0))
        self._there[key] = value, weight
        self.weight += weight - before
        while self.weight > self.most and len(self._there) > 1:
            _, (_, freed) = self._there.popitem(last=False)
            self.weight -= freed

    def made(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """The value of a key, made and stored where it is not cached."""
        result = self.get(key)
        if result is None:
            result = make()
            self.put(key, result)
        return result


@attrs.frozen
class Reached:
    """A position, and the move that led to it; None for a starting position."""

    position: Position
    move: Move | None = None


_Examined = tuple[Source, Game | None, list[Diagnostic]]


class Games:
    """Caches the games and positions that jobs name."""

    def __init__(self) -> None:
        self._games: Kept[_Examined] = Kept(MOST_GAMES)
        self._positions: Kept[Reached] = Kept(MOST_MOVES)

    def examined(self, job: Job[Asked]) -> _Examined:
        """A job's rules, the game they make (None where they have errors), and their diagnostics."""
        return self._games.made(game_key(job), lambda: _examine(job))

    def game(self, job: Job[Asked]) -> Game:
        """A job's game. Raises GameFileError where there is an error in its rules, or in the params."""
        source, game, result = self.examined(job)
        if game is None:
            raise GameFileError(source, [item for item in result if item.severity == "error"])
        return game

    def reached(self, job: Job[At]) -> Reached:
        """A job's position, replayed from the longest cached prefix of its moves.

        Raises GameFileError, ImpossiblePosition, and Refused for a move that is illegal or makes a rule fail.
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
        """Cache the position after one more move from a job's position."""
        key = game_key(job), job.asked.start, (*job.asked.moves, reached.position.played[-1])
        self._positions.put(key, reached, _weight(reached))


def _weight(reached: Reached) -> int:
    """The weight of a position in the cache: the number of its legal moves, which it stores, plus 1."""
    try:
        return 1 + len(reached.position.legal())
    except RuleError:
        return 1


def failing(problem: RuleError, *, legal: int | None = None) -> Refused:
    """The refusal for a rule of the game that fails."""
    return Refused(400, "rule", f"a rule of the game fails (line {problem.span.line}): {problem.phrase}", legal=legal)


def game_key(job: Job[Asked]) -> tuple[Any, ...]:
    """The cache key of a job's game: its text, or its file with the stamp, and the params."""
    params = tuple(sorted(job.asked.params.items()))
    if job.asked.text is not None:
        return "text", job.asked.text, params
    return "file", job.path, when_saved(job.path), params


def source_of(job: Job[Asked]) -> Source | Unreadable:
    """The rules that a job names, unparsed."""
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
