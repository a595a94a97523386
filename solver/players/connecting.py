"""Monte-Carlo tree search for games of connection, by virtual connections, circuit currents and random games.

`ConnectingSearch` searches a position until it reaches a limit of nodes (visited positions) or seconds, or proves the
position. It reuses the subtree of a position that follows the last one searched. After `forget` the same position,
number of nodes and seed give the same move, unless several threads search. `solver.native.connecting` runs the search
in batches of positions; the clock is read between batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from interpreter.arrays import Numbers
from interpreter.model.state import Move, State
from interpreter.wording import expected
from solver.connection_board import EXPLORING, ConnectionBoard, cells_of, usable
from solver.entries import Entries, Line
from solver.native import connecting as native
from solver.native import runtime
from solver.native.records import Arrays, value_of, values_in_all, values_of_all
from solver.native.shared_tree import OPEN, indices
from solver.players.batches import Batches
from solver.players.found import Found, interrupted
from solver.players.limits import Limit
from solver.players.tree_threads import TreeThreads
from solver.report import Report
from solver.seeds import seed_of

_Worked: TypeAlias = tuple[ConnectionBoard, native.Search]
NODES = 1 << 20
"""The capacity of the tree, in nodes."""


class ConnectingSearch:
    """Searches positions of a game of connection, and keeps its tree for the positions that follow."""

    def __init__(self, entries: Entries, *, exploring: float = EXPLORING, nodes: int = NODES,
                 filling: bool = True, threads: int = 1) -> None:
        """Compile every function that searches call.

        `filling` fills in cells that no longer matter. `threads` is the number of threads that search each tree. Raises
        ValueError where the game is not shown to be a game of connection."""
        connection = usable(entries.game)
        if connection is None:
            raise ValueError("connecting is for games in which each player joins two regions, by placing stones; "
                             f"{entries.game.title} is not shown to be one")
        runtime.make_ready(native.search, native.keep_below)
        self.entries, self.connection, self.exploring, self.filling = entries, connection, exploring, filling
        arrays = Arrays(native=True)
        self._boards = [ConnectionBoard.of(entries.game, connection, arrays) for _ in range(threads)]
        self._tree, self._spare = arrays.records(native.Node, nodes), arrays.records(native.Node, nodes)
        self._used = self._kept = 0
        """The number of nodes in the tree, and how many of them it had when the last search began."""
        self._root: State | None = None
        """The position of the tree's root; None where the tree must not be reused."""

    def forget(self) -> None:
        """Drop the tree, so that the next search does not depend on earlier ones."""
        self._root = None

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
               halted: Numbers | None = None) -> Found:
        """Return the move with the most visits, or one that is proven to win; a limit of plies is ignored.

        `history` holds the earlier positions. Another thread stops the search by writing a nonzero value to `halted`
        (int64[1]), and so does an interruption; the search then returns its result so far.
        """
        if state.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        self._plant(state, history)
        cells = cells_of(state, self.connection, self.entries.game.board.size)
        threads, given, stop = len(self._boards), limit, self.entries.numbers(1)
        limit = limit.shared(threads)
        searches = [board.search(cells, self._tree, self.exploring, self.filling, threads=threads)
                    for board in self._boards]
        if halted is not None:
            searches[0] = searches[0]._replace(halted=halted)
        own, last = searches[0], self._last(state, history)
        own.used[0] = self._used
        for number, begun in enumerate(search.state[0] for search in searches):
            begun.chance, begun.mover, begun.last = seed_of(seed, number), state.to_move, last
        first, *others = zip(self._boards, searches, strict=True)
        helpers = TreeThreads(_play, [(board, search._replace(used=own.used, claims=own.claims, halted=stop))
                                      for board, search in others], stop, waiting=native.WAITING)
        batches = Batches(helpers, first, own, lambda: value_of(own.state, native.State, "played"), limit)
        cut, stopped = "", False
        try:
            for _ in batches:
                pass
            if batches.late:
                looked = values_in_all((search.state for search in searches), native.State)["played"]
                cut = limit.cut(batches.spent, f"at {looked:,} of {given.nodes or 0:,} positions")
        except KeyboardInterrupt:
            stopped = True
        except Exception:
            self.forget()  # threads may have added nodes that `_used` does not count
            raise
        counts = values_in_all((search.state for search in searches), native.State)
        self._used = min(int(own.used[0]), len(self._tree))
        found = self._found(state, counts, batches.spent, cut)
        return interrupted(found) if stopped else found

    def _last(self, state: State, history: Sequence[State]) -> int:
        """The cell that the last move took; -1 where that is not known."""
        before = next((before for before in reversed(history) if before != state), None)
        if before is None:
            return -1
        new = state.pieces[0] ^ before.pieces[0]
        return new.bit_length() - 1 if new.bit_count() == 1 else -1

    def _plant(self, state: State, history: Sequence[State]) -> None:
        """Make a position the root: keep its subtree where the tree contains it, else start a new tree."""
        node = self._place(state, history)
        self._root = state
        if node is None:
            root = self._tree[0]
            root.children, root.visits, root.proven, root.wins = 0, 0, OPEN, 0.0
            self._used = self._kept = 1
        elif node > 0:
            keep_below = runtime.compiled_entry(native.keep_below)
            self._used = self._kept = keep_below(self._tree, node, self._spare, 0)
            self._tree, self._spare = self._spare, self._tree

    def _place(self, state: State, history: Sequence[State]) -> int | None:
        """The node of a position in the tree; None where it has none that is expanded and not proven."""
        way = [*history, state]
        if self._root is None or self._root not in way:
            return None
        node = 0
        for before, after in zip(way[way.index(self._root):], way[way.index(self._root) + 1:], strict=False):
            if before != after:
                cell = (before.pieces[0] ^ after.pieces[0]).bit_length() - 1
                found = next((child for child in self._children(node) if int(self._tree[child].cell) == cell), None)
                if found is None:
                    return None
                node = found
        known = self._tree[node]
        return node if known.proven == OPEN and known.children else None

    def _children(self, node: int) -> range:
        """The children of a node; empty where it is not expanded."""
        return indices(int(self._tree[node].children))

    def _best(self, node: int) -> int | None:
        """The child of a node that is best by proof, then by visits, then by prior."""
        children = self._children(node)
        known = values_of_all(self._tree, children, "proven", "visits", "prior")
        return max(children, default=None, key=lambda child: known[child - children.start])

    def _line(self, state: State) -> list[Move]:
        """The principal variation by visits."""
        moves = {move.values[0]: move for move in self.entries.game.engine.legal(state)}
        result: list[Move] = []
        node = self._best(0)
        while node is not None and (not result or self._tree[node].visits > 0):
            result.append(moves[int(self._tree[node].cell)])
            node = self._best(node)
        return result

    def _found(self, state: State, counts: dict[str, int], seconds: float, cut: str) -> Found:
        tree, first, line = self._tree, self._best(0), self._line(state)
        proof, share = int(tree[0].proven), 0.5
        if first is None:  # no position was visited
            line = [self.entries.game.engine.legal(state)[0]]
        elif tree[first].visits:
            share = float(tree[first].wins) / int(tree[first].visits)
        winner = None if proof == OPEN else state.to_move if proof == native.LOST else 1 - state.to_move
        score = f"{share:.1%}" if winner is None else expected(self.entries.game.outcome_name(winner) or "draw")
        report = Report(
            "connecting", self._used - self._kept, seconds, score, Line(self.entries, state).texts(line),
            leaves=counts["played"], simulated=counts["simulated"],
            pruned={"proofs": counts["proofs"], "virtual connections": counts["left_out"],
                    "cells filled in": counts["filled"]},
            table={"places": len(tree), "used": self._used}, cut=cut)
        return Found(line[0], round(1000 * share), winner, None, report)


def _play(worked: _Worked, until: int) -> int:
    """Search until `until` positions are visited, and return why the search ended."""
    made, own = worked
    return runtime.compiled_entry(native.search)(made.board, made.net, made.circuit, made.ground, own, until)
