"""Check for leaks of hidden information: legal moves that differ between positions that the player cannot distinguish.

`leaks(game)` visits the first histories of a game, breadth first, then some random ones, and compares the legal moves
of players with equal knowledge. `interpreter.analysis.dynamic_checks` calls it for games with hidden information.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator

import attrs

from dsl import hir
from dsl.diagnostics import Diagnostic, warning
from interpreter.game import Game
from interpreter.model.state import Move, State
from interpreter.semantics.hidden import Knowledge

MOST_HISTORIES = 3_000
"""The most histories visited breadth first."""
RANDOM_GAMES = 40
LONGEST_GAME = 60
"""The most plies of a random game."""
SHOWN = 8
"""The most moves of a game that a finding shows."""


@attrs.define(eq=False)
class _History:
    """A history of a game. The players' knowledge is computed on demand, as most histories are never visited."""

    state: State
    last: tuple[_History, Move] | None = None
    """The game one move shorter, and that move; None at the start."""
    _known: dict[int, Knowledge] = attrs.field(factory=dict)

    def known(self, game: Game, player: int) -> Knowledge:
        """The knowledge of a player after this history."""
        if player not in self._known:
            if self.last is None:
                self._known[player] = Knowledge.begun(game.observer, player, self.state)
            else:
                before, move = self.last
                self._known[player] = before.known(game, player).after(game.observer, before.state, move, self.state)
        return self._known[player]

    def texts(self, game: Game) -> tuple[str, ...]:
        """The moves in the game's notation."""
        if self.last is None:
            return ()
        before, move = self.last
        return (*before.texts(game), game.notation.write(before.state, move))


def leaks(game: Game, *, seed: int = 1) -> list[Diagnostic]:
    """A warning for each move rule that leaks information; none where all players see everything."""
    if game.observer.sees_all:
        return []
    seen: dict[Knowledge, tuple[frozenset[Move], _History]] = {}
    result: dict[int, Diagnostic] = {}
    for history in _histories(game, random.Random(seed)):
        state = history.state
        moves = frozenset(game.engine.legal(state))
        if any(map(game.observer.of_chance, moves)):
            continue
        player = state.to_move
        before, other = seen.setdefault(history.known(game, player), (moves, history))
        for move in before ^ moves:
            if move.rule not in result:
                here, there = (history, other) if move in moves else (other, history)
                result[move.rule] = _finding(game, move, player, here, there)
    return list(result.values())


def _finding(game: Game, move: Move, player: int, here: _History, there: _History) -> Diagnostic:
    """The warning for a move that is legal in one of two positions that look the same to the player."""
    who, text = game.players[player], game.notation.write(here.state, move)
    phrase = f"the legal moves tell {who} what is hidden: '{text}' is one of them after {_shown(game, here)}, " \
             f"and not after {_shown(game, there)}, which {who} cannot tell apart"
    rule: hir.Condition | hir.Move = game.rules.moves[move.rule] if move.rule >= 0 else (
        game.rules.passing or game.rules.moves[-1])
    return warning("G335", phrase, rule.span, help="let the player choose among all that may be so, and say in the "
                   "effects what happens where it is not")


def _shown(game: Game, history: _History) -> str:
    texts = history.texts(game)
    if not texts:
        return "no move"
    return "'" + " ".join(texts if len(texts) <= SHOWN else ["...", *texts[-SHOWN:]]) + "'"


def _histories(game: Game, chance: random.Random) -> Iterator[_History]:
    """Histories of unfinished games: the first ones breadth first, then those of random games."""
    first = _History(game.engine.start())
    queue, left = deque([first]), MOST_HISTORIES
    while queue and left > 0:
        history = queue.popleft()
        if history.state.outcome is not None:
            continue
        left -= 1
        yield history
        queue.extend(_History(state, (history, move)) for move, state in game.engine.successors(history.state))
    if not queue:
        return
    for _ in range(RANDOM_GAMES):
        history = first
        for _ in range(LONGEST_GAME):
            if history.state.outcome is not None:
                break
            yield history
            move, state = chance.choice(game.engine.successors(history.state))
            history = _History(state, (history, move))
