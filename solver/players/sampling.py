"""Playing by random games: Monte-Carlo tree search, for any game and any number of players.

`Sampling` searches a position until a limit of nodes (games played) or seconds, or until the position is proven. Where
a position follows the one that was searched before, what the tree holds below it is kept; after `forget` the same
position, number of games and seed give the same move. The work is done in `solver.native.sampling`, in portions between
which time is looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.model.state import Move, State
from interpreter.wording import expected
from solver.entries import Entries, Line
from solver.players.deepening import Found, Limit
from solver.report import Report

EXPLORING = 0.7
"""How much is given for what was seldom tried: the constant of UCT, for points from 0 to 1."""
NODES = 1 << 20
"""Nodes that there is room for."""
LONGEST = 2_000
"""Moves after which a random game is broken off."""
_DEEPEST = 400
_PORTION = 0.05
"""Seconds between two looks at the clock; less where less is left."""
_PLIES_KEPT = 8
"""Plies after the last search over which its tree is followed."""


class Sampling:
    """Searches positions of a game by random games; keeps its tree for the positions that follow."""

    def __init__(self, entries: Entries, *, exploring: float = EXPLORING, nodes: int = NODES) -> None:
        from solver.native import sampling

        self.entries, self.exploring = entries, exploring
        self._native = sampling
        self._tree = entries.numbers(nodes, sampling.NODE)
        self._moves = entries.numbers(nodes, entries.move_width)
        self._places: Any = None
        """An array to work on while a tree is cut, once one is."""
        self._used = self._kept = 0
        """How many nodes the tree has, and how many of them it had when the last search began."""
        self._root: State | None = None
        """The position of the tree's root; None where the tree is not to be used again."""
        self._past: list[State] = []
        """The positions before it that matter there."""
        self._left: set[Move] = set()
        """The moves that were left out at the root."""

    def forget(self) -> None:
        """Drop the tree, so that the next search does not depend on those before."""
        self._root = None

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
               progress: Callable[[Report], None] | None = None, losing: Sequence[Move] = ()) -> Found:
        """The move that was tried most, or one that is proven to win; a limit of plies has no meaning here.

        `history` has the positions before it, where the rules say what a repetition does. Moves that are known to be
        `losing` are not tried in this position; there must be others. An interruption ends the search where it is.
        Raises RuleError where a rule fails.
        """
        pause = float("inf") if progress is None else _PORTION
        for found in self.improve(state, limit, history=history, seed=seed, losing=losing, pause=pause):
            if progress is not None:
                progress(found.report)
        return found

    def improve(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
                losing: Sequence[Move] = (), pause: float = 0.3) -> Iterator[Found]:
        """The same again and again, so many seconds apart; what comes last is the answer."""
        if state.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        while True:
            found = None
            for found in self._improve(state, limit, history, seed, losing, pause):
                if found is not None:
                    yield found
            if found is not None:
                return

    def _improve(self, state: State, limit: Limit, history: Sequence[State], seed: int,
                 losing: Sequence[Move], pause: float) -> Iterator[Found | None]:
        """None at the end where there was too little room, and the search is to begin again."""
        native, entries = self._native, self.entries
        tree = self._tree
        layout, rules = entries.kernel.assembled.layout, entries.game.rules
        settings = entries.numbers(native.SETTINGS)
        past = [before for before in history if before != state] if entries.cyclic else []
        for place, number in ((native.TO_MOVE, layout.to_move), (native.OUTCOME, layout.outcome),
                              (native.FAILURE, layout.failed), (native.PLAYERS, entries.players),
                              (native.CYCLIC, entries.cyclic), (native.HISTORY, len(past)), (native.LIMIT, LONGEST)):
            settings[place] = number
        settings[native.REPEATING] = {"loses": native.LOSES, "forbidden": native.FORBIDDEN}.get(
            rules.repetition, native.DRAWS)
        self._plant(state, history, past, losing)
        counters = entries.numbers(native.COUNTERS)
        counters[native.USED] = self._used
        chance = entries.words(1)
        chance[0] = seed & (1 << 62) - 1
        rows, root = entries.words(2, entries.width), entries.row(state)
        arguments: tuple[Any, ...] = (
            entries.offer, entries.step, entries.value_of, entries.pack_row, entries.random_game, root, rows,
            entries.entry_rows(), entries.scratch(), entries.numbers(entries.room, entries.move_width),
            entries.numbers(entries.move_width), tree, self._moves, entries.numbers(_DEEPEST + 2),
            entries.words(_DEEPEST + 2, entries.packed_width), entries.packed(past), chance, counters, settings,
            self.exploring)
        started = told = time.perf_counter()
        cut = ""
        most = limit.nodes or 1 << 62
        portion = 64
        if losing and tree[0, native.FIRST] >= 0:
            self._leave_out(losing)
        elif losing:
            portion = 1  # so many games until the moves are there
        try:
            while True:
                clock = time.perf_counter()
                ended = native.sample(*arguments, min(most, int(counters[native.PLAYED]) + portion))
                now = time.perf_counter()
                self._used = int(counters[native.USED])
                if ended == native.FAIL:
                    self.forget()
                    entries.make_room(rows[0])
                    yield None
                    return
                if ended == native.FULL:
                    raise MemoryError(f"the position has more moves than the tree has room for ({len(tree):,} nodes)")
                if portion == 1:
                    self._leave_out(losing)
                if ended == native.DONE or counters[native.PLAYED] >= most:
                    break
                if limit.time is not None and now - started >= limit.time:
                    cut = limit.cut(now - started, f"at {int(counters[native.PLAYED]):,} of {most:,} games")
                    break
                if now - told >= pause:
                    told = now
                    yield self._found(state, counters, now - started)
                left = _PORTION if limit.time is None else limit.time - (now - started)
                portion = max(8, int(portion * min(4.0, min(_PORTION, left) / max(now - clock, 1e-6))))
        except KeyboardInterrupt:
            pass
        yield self._found(state, counters, time.perf_counter() - started, cut)

    def _plant(self, state: State, history: Sequence[State], past: list[State], losing: Sequence[Move]) -> None:
        """Have the tree begin at a position: with what is below it, where it follows the last one, else anew."""
        native, tree = self._native, self._tree
        node = self._place(state, history, past, losing)
        self._root, self._past, self._left = state, past, set(losing)
        if node is None:
            tree[0] = 0
            tree[0, native.FIRST] = -1
            tree[0, native.MOVER] = -1
            self._used = 1
        elif node > 0:
            if self._places is None:
                self._places = self.entries.numbers(len(tree))
            self._used = int(native.keep_below(tree, self._moves, self._places, node, self._used))
        self._kept = self._used

    def _place(self, state: State, history: Sequence[State], past: list[State], losing: Sequence[Move]) -> int | None:
        """The node of a position in the tree; None where it has none that says what it would say without the tree."""
        if self._root is None:
            return None
        if self._root == state:
            return 0 if self._past == past and self._left <= set(losing) else None
        way = [before for before in history[-_PLIES_KEPT:] if before != state]
        if self._root not in way:
            return None
        begin = len(way) - way[::-1].index(self._root)
        if self.entries.cyclic and past[: len(past) - (len(way) - begin) - 1] != self._past:
            return None
        native, entries = self._native, self.entries
        rows, packed = entries.words(1, entries.width), entries.words(2, entries.packed_width)
        node, before = 0, self._root
        for after in (*way[begin:], state):
            node = int(native.child_of(entries.step, entries.pack_row, entries.row(before), entries.row(after), rows,
                                       entries.entry_rows(), entries.scratch(), self._tree, self._moves, packed, node))
            if node < 0:
                return None
            before = after
        return node

    def _leave_out(self, losing: Sequence[Move]) -> None:
        """Have moves of the root never be tried again."""
        native, tree, left_out = self._native, self._tree, set(losing)
        first = int(tree[0, native.FIRST])
        for child in range(first, first + int(tree[0, native.COUNT])):
            if self.entries.move(self._moves[child]) in left_out:
                tree[child, native.PROVEN] = native.ILLEGAL
                tree[child, native.VISITS] = 0

    def _found(self, state: State, counters: Any, seconds: float, cut: str = "") -> Found:
        native, tree = self._native, self._tree
        line = self._line(state)
        first = self._best(0, state.to_move)
        proof = int(tree[0, native.PROVEN])
        winner = None if proof == native.OPEN else -1 if proof == native.DRAWN else proof - native.WON
        if first is None:  # not one game was played
            line = [self.entries.game.engine.legal(state)[0]]
            share = 0.5
        else:
            share = int(tree[first, native.POINTS]) / (2 * max(int(tree[first, native.VISITS]), 1))
        score = f"{share:.1%}"
        if winner is not None:
            score = expected(self.entries.game.outcome_name(winner) or "draw")
        report = Report(
            "mcts", int(counters[native.USED]) - self._kept, seconds, score, Line(self.entries, state).texts(line),
            leaves=int(counters[native.PLAYED]), ends=int(counters[native.ENDS]),
            simulated=int(counters[native.SIMULATED]),
            pruned={"proofs": int(counters[native.PROOFS]), "repetition": int(counters[native.LOOPS]),
                    "rules that take moves back": int(counters[native.TAKEN_BACK])},
            table={"places": len(tree), "used": int(counters[native.USED])}, cut=cut)
        return Found(line[0], round(1000 * share), winner, None, report)

    def _best(self, node: int, mover: int) -> int | None:
        """The child of a node that is proven best, else the one that was visited most."""
        native, tree = self._native, self._tree
        first = int(tree[node, native.FIRST])
        if first < 0:
            return None
        kids = tree[first : first + int(tree[node, native.COUNT])]

        def rank(place: int) -> tuple[int, float]:
            proof, visits = int(kids[place, native.PROVEN]), int(kids[place, native.VISITS])
            if proof == native.WON + mover:
                return 3, visits
            if proof == native.OPEN:
                return 2, visits
            if proof == native.DRAWN:
                return 2, visits
            return (1 if proof >= native.WON else 0), visits

        best = max(range(len(kids)), key=rank, default=None)
        return None if best is None else first + best

    def shares(self) -> dict[Move, float]:
        """What the tree's games expect of each move of its root: 1 for a win of the mover, 0 for a loss.

        A draw is 0.5; moves that were never tried are left out.
        """
        native, tree = self._native, self._tree
        first = int(tree[0, native.FIRST])
        kids = range(first, first + int(tree[0, native.COUNT])) if first >= 0 else range(0)
        return {self.entries.move(self._moves[kid]): int(tree[kid, native.POINTS]) / (2 * int(tree[kid, native.VISITS]))
                for kid in kids if tree[kid, native.VISITS]}

    def _line(self, state: State) -> list[Move]:
        """The moves that were tried most, one after the other."""
        native, tree = self._native, self._tree
        found: list[Move] = []
        node: int | None = 0
        while node is not None:
            first = int(tree[node, native.FIRST])
            mover = state.to_move if first < 0 else int(tree[first, native.MOVER])
            node = self._best(node, mover)
            if node is None or (found and tree[node, native.VISITS] == 0):
                break
            found.append(self.entries.move(self._moves[node]))
        return found


def length_of_games(entries: Entries, state: State, games: int) -> float:
    """How many plies so many random games from a position last, on average. Raises RuleError where a rule fails."""
    plies = 0
    seed = 0
    while seed < games:
        row = entries.row(state)
        length = int(entries.random_game(row, seed, LONGEST, entries.entry_rows(), entries.scratch(),
                                         entries.numbers(entries.move_width)))
        if length < 0:
            entries.make_room(row)
            continue
        seed += 1
        plies += length
    return plies / games
