"""Rules that tell what a player must not know: legal moves that differ where the player cannot tell positions apart.

`leaks(game)` goes through the first histories of a game, breadth first, then through some random ones, and compares the
moves of players who know the same. `interpreter.analysis.dynamic_checks` calls it for games that hide something.
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
"""Histories gone through breadth first."""
RANDOM_GAMES = 40
LONGEST_GAME = 60
"""Plies of a random game."""
SHOWN = 8
"""Moves of a game that a finding shows."""


@attrs.define
class _History:
    """A game so far, with what each player knows."""

    state: State
    known: tuple[Knowledge, ...]
    texts: tuple[str, ...]


def leaks(game: Game, *, seed: int = 1) -> list[Diagnostic]:
    """A warning for each rule of which the moves tell something; nothing where all players see everything."""
    if game.observer.sees_all:
        return []
    seen: dict[Knowledge, tuple[frozenset[Move], _History]] = {}
    found: dict[int, Diagnostic] = {}
    for history in _histories(game, random.Random(seed)):
        state = history.state
        moves = frozenset(game.engine.legal(state))
        if any(map(game.observer.of_chance, moves)):
            continue
        player = state.to_move
        before, other = seen.setdefault(history.known[player], (moves, history))
        for move in before ^ moves:
            if move.rule not in found:
                here, there = (history, other) if move in moves else (other, history)
                found[move.rule] = _finding(game, move, player, here, there)
    return list(found.values())


def _finding(game: Game, move: Move, player: int, here: _History, there: _History) -> Diagnostic:
    """For a move that can be chosen in one of two positions that look the same."""
    who, text = game.players[player], game.notation.write(here.state, move)
    phrase = f"the legal moves tell {who} what is hidden: '{text}' is one of them after {_shown(here)}, and not " \
             f"after {_shown(there)}, which {who} cannot tell apart"
    rule: hir.Condition | hir.Move = game.rules.moves[move.rule] if move.rule >= 0 else (
        game.rules.passing or game.rules.moves[-1])
    return warning("G335", phrase, rule.span, help="let the player choose among all that may be so, and say in the "
                   "effects what happens where it is not")


def _shown(history: _History) -> str:
    texts = history.texts
    if not texts:
        return "no move"
    return "'" + " ".join(texts if len(texts) <= SHOWN else ["...", *texts[-SHOWN:]]) + "'"


def _histories(game: Game, chance: random.Random) -> Iterator[_History]:
    """Games that are not over: the first ones breadth first, then random ones."""
    start = game.engine.start()
    known = tuple(Knowledge.begun(game.observer, player, start) for player in range(len(game.players)))
    first = _History(start, known, ())
    queue, left = deque([first]), MOST_HISTORIES
    while queue and left > 0:
        history = queue.popleft()
        if history.state.outcome is not None:
            continue
        left -= 1
        yield history
        queue.extend(_after(game, history, move, state) for move, state in game.engine.successors(history.state))
    if not queue:
        return
    for _ in range(RANDOM_GAMES):
        history = first
        for _ in range(LONGEST_GAME):
            if history.state.outcome is not None:
                break
            yield history
            history = _after(game, history, *chance.choice(game.engine.successors(history.state)))


def _after(game: Game, history: _History, move: Move, state: State) -> _History:
    """A game one move longer."""
    known = tuple(item.after(game.observer, history.state, move, state) for item in history.known)
    return _History(state, known, (*history.texts, game.notation.write(history.state, move)))
