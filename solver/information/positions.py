"""Caches the moves, successors and views of positions, and samples positions that fit a player's knowledge.

`Steps` plays by a game's kernel, or by the interpreter where there is none. `Fitting` samples positions in which a
player can be, from what the player knows alone: the own moves and the views, in their order
(`interpreter.semantics.hidden.Knowledge`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import attrs

from interpreter.compiler.lowering.errors import NotLowered
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import Move, State

_REMEMBERED = 50_000
"""The most entries in the caches of moves, views and successors; when one is full, all three are cleared."""
_LONGEST = 2_000
"""The most moves of a random playout."""
_UNSEEN = 500
"""The most moves of others and of chance between two own moves."""
_TRIES = 20
"""Random continuations tried for each position that is wanted."""


@attrs.frozen
class Ways:
    """The legal moves of a position that is not over."""

    moves: tuple[Move, ...]
    weights: tuple[int, ...]
    """The relative weight of each chance move; () where a player chooses."""

    def draw(self, dice: Random) -> Move:
        """Draw a random move: a chance move by its weight, a player's move uniformly."""
        return dice.choices(self.moves, self.weights)[0] if self.weights else dice.choice(self.moves)


class Steps:
    """Caches the moves, successors and views of a game's positions. Raises RuleError where a rule fails."""

    def __init__(self, game: Game, *, kept: bool = True) -> None:
        """Use the game's kernel, if it has one; compiled rules are stored on disk, unless `kept` is false."""
        self.game, self._chance = game, game.engine.chance
        try:
            self._kernel: Kernel | None = Kernel.of(game, kept=kept)
        except NotLowered:
            self._kernel = None
        self._ways: dict[State, Ways] = {}
        self._after: dict[tuple[State, Move], State | None] = {}
        self._views: dict[tuple[State, int], State] = {}

    def ways(self, state: State) -> Ways:
        """The legal moves of a position that is not over, cached."""
        result = self._ways.get(state)
        if result is None:
            moves = tuple(self.game.engine.legal(state) if self._kernel is None else self._kernel.legal(state))
            drawn = bool(moves) and moves[0].rule in self._chance.rules
            result = Ways(moves, tuple(self._chance.weight(state, move) for move in moves) if drawn else ())
            self._keep(len(self._ways))
            self._ways[state] = result
        return result

    def after(self, state: State, move: Move) -> State:
        """The position after a legal move."""
        key = state, move
        result = self._after.get(key)
        if result is None:
            result = self.game.engine.apply(state, move) if self._kernel is None else self._kernel.after(state, move)
            assert result is not None  # the move is legal
            self._keep(len(self._after))
            self._after[key] = result
        return result

    def view(self, state: State, player: int) -> State:
        """The position as a player sees it."""
        key = state, player
        result = self._views.get(key)
        if result is None:
            self._keep(len(self._views))
            result = self._views[key] = self.game.observer.view(state, player)
        return result

    def end(self, state: State, dice: Random) -> State:
        """The last position of a random playout, which is not over where it takes more than `_LONGEST` moves."""
        if state.outcome is None and self._kernel is not None:
            row = self._kernel.row(state)
            self._kernel.play_out(row, dice.getrandbits(63), _LONGEST)
            return self._kernel.state(row)
        for _ in range(_LONGEST):
            if state.outcome is not None:
                break
            state = self.after(state, self.ways(state).draw(dice))
        return state

    def _keep(self, count: int) -> None:
        """Clear all caches where one has `_REMEMBERED` entries."""
        if count >= _REMEMBERED:
            self._ways.clear()
            self._after.clear()
            self._views.clear()


class Fitting:
    """Samples positions in which a player can be to move, given what the player knows.

    Samples are played on from each own move to the next: others and chance move at random, among the moves after which
    the player sees what was seen in the game. All samples are therefore possible, and likelier the more ways lead to
    them. The true position is never used.
    """

    def __init__(self, steps: Steps, player: int, seed: int, count: int) -> None:
        self.steps, self.player, self.seed, self.many = steps, player, seed, count
        self._stages: list[list[State]] = []
        """For each own decision so far, sampled positions in which the player is to move."""
        self._events: list[Sequence[State | Move]] = []
        """For each own decision so far, the events since the decision before it."""

    def positions(self, events: Sequence[State | Move], legal: Sequence[Move]) -> list[State]:
        """Sample positions that fit the events and have exactly these legal moves; [] where none is found."""
        parts = _split(events)
        known = 0
        while known < min(len(parts), len(self._events)) and self._events[known] == parts[known]:
            known += 1
        del self._stages[known:], self._events[known:]
        for back in (0, 1, 3, len(parts)):
            first = max(0, min(len(self._stages), len(parts) - 1 - back))
            del self._stages[first:], self._events[first:]
            for number in range(first, len(parts)):
                last = number == len(parts) - 1
                result = self._stage(number, parts[number], set(legal) if last else None, back)
                if not result:
                    break
                self._stages.append(result)
                self._events.append(parts[number])
            if len(self._stages) == len(parts):
                return self._stages[-1]
        return []

    def _stage(self, number: int, events: Sequence[State | Move], legal: set[Move] | None, back: int) -> list[State]:
        """Sample positions for one more own decision, from those of the decision before and the events since."""
        dice = Random(f"{self.seed} {number} {back}")
        begin = self._stages[-1] if number else [self.steps.game.engine.start()]
        count, result = self.many * (1 + back), []
        for _ in range(_TRIES * count):
            state = self._carried(dice.choice(begin), events, dice)
            if state is not None and (legal is None or legal == set(self.steps.ways(state).moves)):
                result.append(state)
                if len(result) == count:
                    break
        return result

    def _carried(self, state: State, events: Sequence[State | Move], dice: Random) -> State | None:
        """Play a position on at random to the next own decision; None where that does not fit the events."""
        steps, player, at = self.steps, self.player, 0
        seen = steps.view(state, player)
        if isinstance(events[0], Move):
            if events[0] not in steps.ways(state).moves:
                return None
            state = steps.after(state, events[0])
        at = 1
        if not isinstance(events[0], Move):
            if events[0] != seen:
                return None
        else:
            view = steps.view(state, player)
            if view != seen:
                if at == len(events) or events[at] != view:
                    return None
                at += 1
                seen = view
        for _ in range(_UNSEEN):
            if state.outcome is not None:
                return None
            ways = steps.ways(state)
            if state.to_move == player and not ways.weights:
                return state if at == len(events) else None
            follower = self._follower(state, ways, seen, events[at] if at < len(events) else None, dice)
            if follower is None:
                return None
            state = follower
            view = steps.view(state, player)
            at += view != seen
            seen = view
        return None

    def _follower(self, state: State, ways: Ways, seen: State, coming: State | Move | None,
                  dice: Random) -> State | None:
        """A random successor that the player sees as before, or as the next event; None where there is none."""
        moves, weights = list(ways.moves), list(ways.weights)
        while moves:
            place = dice.choices(range(len(moves)), weights)[0] if weights else dice.randrange(len(moves))
            after = self.steps.after(state, moves.pop(place))
            if weights:
                weights.pop(place)
            if self.steps.view(after, self.player) in (seen, coming):
                return after
        return None


def _split(events: Sequence[State | Move]) -> list[Sequence[State | Move]]:
    """Split events into those up to the first own decision, then each own move with the views after it."""
    places = [0, *(index for index, event in enumerate(events) if isinstance(event, Move)), len(events)]
    return [tuple(events[first:last]) for first, last in pairwise(places)]
