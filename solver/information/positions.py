"""What follows positions, kept for those who come to the same ones again and again; and positions that fit knowledge.

`Steps` plays by a game's kernel, or by the interpreter where there is none. `Fitting` finds positions in which a player
can be by what the player knows, and is told nothing else: the own moves and what was seen, in their order
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
"""Positions whose moves, views and successors are kept; then all are dropped."""
_LONGEST = 2_000
"""Moves after which a random game is broken off."""
_UNSEEN = 500
"""Moves of others in a row between two own ones."""
_TRIES = 20
"""Ways tried for each position that is wanted."""


@attrs.frozen
class Ways:
    """The moves of a position that goes on."""

    moves: tuple[Move, ...]
    weights: tuple[int, ...]
    """How likely chance makes each, beside the others; () where a player chooses."""

    def draw(self, dice: Random) -> Move:
        """A move of chance by its weight, one of a player as likely as any other."""
        return dice.choices(self.moves, self.weights)[0] if self.weights else dice.choice(self.moves)


class Steps:
    """Moves, successors and views of a game's positions. Raises RuleError where a rule fails."""

    def __init__(self, game: Game, *, kept: bool = True) -> None:
        """Rules that are compiled are kept on disk, unless `kept` is false."""
        self.game, self._chance = game, game.engine.chance
        try:
            self._kernel: Kernel | None = Kernel.of(game, kept=kept)
        except NotLowered:
            self._kernel = None
        self._ways: dict[State, Ways] = {}
        self._after: dict[tuple[State, Move], State | None] = {}
        self._views: dict[tuple[State, int], State] = {}

    def ways(self, state: State) -> Ways:
        """The legal moves of a position that goes on."""
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
        """The last position of a random game; one that goes on where the game is too long."""
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
        """Drop all that is kept where that is much."""
        if count >= _REMEMBERED:
            self._ways.clear()
            self._after.clear()
            self._views.clear()


class Fitting:
    """Positions in which a player can be to move, by what the player knows.

    They are carried from each own move to the next: others and chance move at random, among the moves after which the
    player sees what was seen. So positions that can be come up, the likelier the more ways lead to them; what the
    position really is, is not asked.
    """

    def __init__(self, steps: Steps, player: int, seed: int, count: int) -> None:
        self.steps, self.player, self.seed, self.many = steps, player, seed, count
        self._stages: list[list[State]] = []
        """Positions in which the player came to move, for each own move so far."""
        self._events: list[Sequence[State | Move]] = []
        """What the player knew from each own move to the next decision."""

    def positions(self, events: Sequence[State | Move], legal: Sequence[Move]) -> list[State]:
        """Some positions that fit what was seen and done, in which just these moves are legal; [] if none is found."""
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
        """Positions after one more own move and what was seen since."""
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
        """The position in which the player is to move again after what is known; None where the way does not fit."""
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
        """A position after a move of others, or of chance, after which the player sees the same, or what comes next."""
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
    """What is known, in parts: up to the first own decision, then each own move with what was seen after it."""
    places = [0, *(index for index, event in enumerate(events) if isinstance(event, Move)), len(events)]
    return [tuple(events[first:last]) for first, last in pairwise(places)]
