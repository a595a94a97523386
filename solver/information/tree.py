"""The sequence form of a game: each player's information states and moves, and the payoffs of the ends.

A *sequence* is a move of a player in one of the player's information states, with all own moves before it. Sequences
are numbered, and 0 is the empty one. With perfect recall, the sequences of its ends determine a game: `payoffs[s, t]`
is the sum of the payoffs of all ends with the sequences s of the first and t of the second player, each weighted by its
chance probability (von Stengel 1996, "Efficient computation of behavior strategies"). Information states follow from
the `hidden` declarations: see `interpreter.semantics.hidden`. Players may remember less than all they saw; the game
that is solved here has perfect recall. The repetition rule ends histories as it ends games, or leaves moves out.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import attrs
import numpy as np

from interpreter.arrays import Numbers
from interpreter.model.state import Move, State
from solver.budget import MOST_HISTORIES
from solver.errors import Refused, TooLarge
from solver.expected.utility import unequal

if TYPE_CHECKING:
    from interpreter.game import Game

ESTIMATED_AFTER = 20_000
"""Histories after which the number of all is estimated."""
_MORE = "; `dslgame solve --nodes N` sets another limit"
_WALKS = 101
"""The number of random walks of the estimate."""
_VAST = 1e18
"""Where a walk's estimate is cut off: more than can be gone through."""
_REMEMBERED = 200_000
"""The most positions whose moves, or whose views, are cached: many histories reach the same position."""


@attrs.frozen(eq=False)
class InformationState:
    """An information state: histories in which a player is to move and which the player cannot tell apart."""

    number: int
    parent: int
    """The sequence that leads to it: that of the player's last move, 0 where there is none."""
    first: int
    """The sequence of its first move; the other moves have the numbers that follow."""
    moves: tuple[str, ...]
    key: int
    """The number of what the player remembers: see `SequenceForm.memory`."""
    example: State
    """One of the positions that the player cannot tell apart here."""


@attrs.frozen(eq=False)
class Treeplex:
    """The information states of one player, sorted by the number of own moves before them."""

    states: tuple[InformationState, ...]
    parents: Numbers
    """[states] The sequence that leads to each state."""
    firsts: Numbers
    """[states + 1] The first sequence of each state, and one past the last."""
    levels: tuple[tuple[int, int], ...]
    """For each number of own moves before a state, the first state of that level and one past the last."""

    @property
    def sequences(self) -> int:
        """The number of sequences, with the empty one."""
        return int(self.firsts[-1])


@attrs.frozen(eq=False)
class SequenceForm:
    """A game of one or two players in sequence form, with the payoffs to the first player."""

    players: tuple[Treeplex, Treeplex]
    rows: Numbers
    """[ends] The sequences of the first player; ends with the same two sequences are merged."""
    columns: Numbers
    """[ends] The sequences of the second player."""
    worth: tuple[Fraction, ...]
    """[ends] The sums of the payoffs of the merged ends, weighted by their chance probabilities."""
    nodes: int
    """The number of histories, with the ends."""
    memory: tuple[Memory, Memory]


@attrs.define(eq=False)
class Memory:
    """Numbers what a player remembers: each number stands for an earlier one and one more event; 0 for nothing."""

    after: dict[tuple[int, State | tuple[int, Move]], int] = attrs.field(factory=dict)
    """The new number by the earlier one and the event: a view, or an own move marked by -1."""

    def seen(self, before: int, view: State) -> int:
        """The number of what is remembered after a view."""
        return self.after.setdefault((before, view), len(self.after) + 1)

    def moved(self, before: int, move: Move) -> int:
        """The number of what is remembered after an own move."""
        return self.after.setdefault((before, (-1, move)), len(self.after) + 1)


@attrs.frozen(eq=False)
class _Found:
    """An information state during the traversal, before sequences are numbered."""

    parent: tuple[int, int]
    """The information state and the index of the move that lead to it; (-1, 0) where there is none."""
    depth: int
    moves: tuple[Move, ...]
    key: int
    example: State


@attrs.define(eq=False)
class _Visit:
    """A history: its last position, with what both players know and did."""

    state: State
    known: tuple[int, int]
    """The numbers of what the players remember."""
    views: tuple[State, State]
    last: tuple[tuple[int, int], tuple[int, int]]
    """For each player, the information state and the index of the last own move."""
    depths: tuple[int, int]
    chance: Fraction
    before: tuple[State, ...] = ()
    """The positions before the last one, where the game has a repetition rule."""


def sequence_form(game: Game, *, root: State | None = None, most: int = MOST_HISTORIES,
                  tell: Callable[[int, float | None], None] | None = None) -> SequenceForm:
    """Build the sequence form of a game from its start, or from a position that all players know.

    Raises Refused where the game has more than two players or is not zero-sum; TooLarge for more than `most`
    histories, early where so many are expected; RuleError where a rule fails. `tell` is called at each history with
    their number so far and, once it is estimated, with that of all.
    """
    return _Builder(game, most, tell).form(game.engine.start() if root is None else root)


class _Builder:
    """Traverses all histories of a game."""

    def __init__(self, game: Game, most: int, tell: Callable[[int, float | None], None] | None) -> None:
        if len(game.players) > 2:
            raise Refused(f"strategies are found for one or two players, and {game.title} has {len(game.players)}")
        self.game, self.most, self.tell = game, most, tell
        self.memory = Memory(), Memory()
        self.found: tuple[list[_Found], list[_Found]] = [], []
        self.numbers: tuple[dict[tuple[int, tuple[Move, ...]], int], dict[tuple[int, tuple[Move, ...]], int]] = {}, {}
        self.ends: dict[tuple[tuple[int, int], tuple[int, int]], Fraction] = {}
        self.nodes = 0
        self.expected: float | None = None
        self._moves: dict[State, tuple[list[tuple[Move, State]], list[Fraction]]] = {}
        self._views: tuple[dict[State, State], dict[State, State]] = {}, {}
        self._blank = game.engine.start()

    def form(self, root: State) -> SequenceForm:
        """Traverse all histories from a root, and build the sequence form."""
        views = self._view(root, 0), self._view(root, 1)
        stack = [_Visit(root, (self.memory[0].seen(0, views[0]), self.memory[1].seen(0, views[1])), views,
                        ((-1, 0), (-1, 0)), (0, 0), Fraction(1))]
        while stack:
            visit = stack.pop()
            self.nodes += 1
            if self.nodes > self.most:
                raise TooLarge(f"{self.game.title} has more than {self.most:,} histories, too many to go through"
                               f"{_MORE}")
            if self.nodes == ESTIMATED_AFTER:
                self.expected = self._estimated(root)
            if self.tell is not None:
                self.tell(self.nodes, self.expected)
            if visit.state.outcome is not None:
                self._end(visit)
            else:
                stack += self._after(visit)
        return self._numbered()

    def _estimated(self, root: State) -> float:
        """The number of histories, by random walks (Knuth, "Estimating the efficiency of backtrack programs", 1975).

        Each walk's estimate has the right mean. Raises TooLarge where half of them are ten times more than the limit:
        were there no more histories than that, a walk would come to so many with a probability of at most 0.1.
        """
        chance, found = random.Random(0), list[float]()
        for _ in range(_WALKS):
            state, before, total, weight = root, tuple[State, ...](), 1.0, 1.0
            while state.outcome is None and total < _VAST:
                successors, _ = self._successors(state)
                if self.game.repetition.result:
                    successors, before = self.game.by_repetition(state, successors, before), (*before, state)
                if not successors:
                    break
                weight *= len(successors)
                total += weight
                state = chance.choice(successors)[1]
            found.append(total)
        median = sorted(found)[_WALKS // 2]
        if median > 10 * self.most:
            number = "more than 10^18" if median >= _VAST else f"about {median:,.0f}"
            raise TooLarge(f"{self.game.title} has {number} histories by an estimate, and the limit is "
                           f"{self.most:,}{_MORE}")
        return sum(found) / _WALKS

    def _view(self, state: State, player: int) -> State:
        if player == len(self.game.players):  # a single player has an opponent that sees nothing and never moves
            return self._blank
        known = self._views[player]
        result = known.get(state)
        if result is None:
            result = self.game.observer.view(state, player)
            if len(known) < _REMEMBERED:
                known[state] = result
        return result

    def _successors(self, state: State) -> tuple[list[tuple[Move, State]], list[Fraction]]:
        """The moves with their successors, and the probabilities of chance moves; [] for players' moves."""
        result = self._moves.get(state)
        if result is None:
            engine = self.game.engine
            if engine.chance.decides(state):
                outcomes = engine.chance.outcomes(state)
                result = ([(item.move, item.state) for item in outcomes], [item.probability for item in outcomes])
            else:
                result = engine.successors(state), []
            if len(self._moves) < _REMEMBERED:
                self._moves[state] = result
        return result

    def _end(self, visit: _Visit) -> None:
        worth = self.game.payoffs.of(visit.state)
        if len(worth) > 1 and sum(worth) != 0:
            raise unequal(self.game, worth)
        if worth[0]:
            key = visit.last
            self.ends[key] = self.ends.get(key, Fraction(0)) + visit.chance * worth[0]

    def _after(self, visit: _Visit) -> list[_Visit]:
        """The histories that are one move longer than a history."""
        successors, likely = self._successors(visit.state)
        if self.game.repetition.result:
            successors = self.game.by_repetition(visit.state, successors, visit.before)
            if not successors:
                visit.state = visit.state._replace(
                    outcome=self.game.engine.ends.of_no_moves(visit.state.to_move))
                self._end(visit)
                return []
        if likely:
            return [self._next(visit, state, visit.known, visit.last, visit.depths, visit.chance * share)
                    for (_, state), share in zip(successors, likely, strict=True)]
        player = visit.state.to_move
        moves = tuple(move for move, _ in successors)
        number = self._state_of(visit, player, moves)
        result = []
        for index, (move, state) in enumerate(successors):
            known, last, depths = list(visit.known), list(visit.last), list(visit.depths)
            known[player] = self.memory[player].moved(known[player], move)
            last[player] = number, index
            depths[player] += 1
            result.append(self._next(visit, state, (known[0], known[1]), (last[0], last[1]), (depths[0], depths[1]),
                                     visit.chance))
        return result

    def _next(self, visit: _Visit, state: State, known: tuple[int, int],
              last: tuple[tuple[int, int], tuple[int, int]], depths: tuple[int, int], chance: Fraction) -> _Visit:
        """A history one move longer; each player remembers the new view where it has changed."""
        views = self._view(state, 0), self._view(state, 1)
        knows = [self.memory[player].seen(known[player], views[player]) if views[player] != visit.views[player]
                 else known[player] for player in (0, 1)]
        before = (*visit.before, visit.state) if self.game.repetition.result else ()
        return _Visit(state, (knows[0], knows[1]), views, last, depths, chance, before)

    def _state_of(self, visit: _Visit, player: int, moves: tuple[Move, ...]) -> int:
        """The number of the information state; positions with different legal moves belong to different ones."""
        key = visit.known[player], moves
        number = self.numbers[player].get(key)
        if number is None:
            number = self.numbers[player][key] = len(self.found[player])
            self.found[player].append(_Found(visit.last[player], visit.depths[player], moves, key[0], visit.state))
        return number

    def _numbered(self) -> SequenceForm:
        """The sequence form of all that was found, with sequences numbered."""
        sides = [self._treeplex(player) for player in (0, 1)]
        (one, first), (other, second) = sides
        rows = np.array([first[key[0]] for key in self.ends], dtype=np.int64)
        columns = np.array([second[key[1]] for key in self.ends], dtype=np.int64)
        return SequenceForm((one, other), rows, columns, tuple(self.ends.values()), self.nodes, self.memory)

    def _treeplex(self, player: int) -> tuple[Treeplex, dict[tuple[int, int], int]]:
        """A player's information states sorted by depth, and the numbers of the sequences."""
        result = self.found[player]
        order = sorted(range(len(result)), key=lambda number: result[number].depth)
        sequences = {(-1, 0): 0}
        states: list[InformationState] = []
        firsts, parents, levels = [1], list[int](), list[int]()
        for index, number in enumerate(order):
            item = result[number]
            first = firsts[-1]
            sequences.update({(number, move): first + move for move in range(len(item.moves))})
            parents.append(sequences[item.parent])
            firsts.append(first + len(item.moves))
            texts = tuple(self.game.notation.write(item.example, move) for move in item.moves)
            states.append(InformationState(index, parents[-1], first, texts, item.key, item.example))
            if not index or result[order[index - 1]].depth != item.depth:
                levels.append(index)
        bounds = tuple(zip(levels, [*levels, len(order)][1:], strict=True))  # none where the player never moves
        return Treeplex(tuple(states), np.array(parents, dtype=np.int64), np.array(firsts, dtype=np.int64),
                        bounds), sequences
