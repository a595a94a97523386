"""Monte-Carlo tree search for players, in any game and for any number of players.

`MonteCarloSearch` searches a position until it reaches a limit of nodes (games played) or seconds, or proves the
position. It reuses the subtree of a position that follows the last one searched. After `forget` the same position,
number of games and seed give the same move, unless several threads search. `solver.native.mcts` runs the search in
batches of games; the clock is read between batches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.arrays import Numbers
from interpreter.model.state import Move, State
from interpreter.wording import expected
from solver.entries import Entries, Line
from solver.native import functions, mcts, runtime
from solver.native import mcts_state as native
from solver.native.functions import Records
from solver.native.learned import FIXED
from solver.native.ordering import HISTORY
from solver.native.records import anew, native_records, value_of, values_in_all, values_of_all
from solver.native.shared_tree import CLAIMS, OPEN, indices, is_part
from solver.players.batches import Batches
from solver.players.found import Found, interrupted
from solver.players.kinds import check_valued
from solver.players.limits import BATCH, Limit
from solver.players.tree_threads import TreeThreads
from solver.random_play import LONGEST, scale_of_value, worths_of_ends
from solver.report import Report
from solver.seeds import seed_of

if TYPE_CHECKING:
    from solver.learning.trained import Trained

EXPLORING = 0.7
"""The exploration constant of UCT, for points from 0 to 1."""
NODES = 1 << 20
"""The capacity of the tree, in nodes."""
GUIDED_EXPLORING, GUIDED_MINIMAX, TEMPERATURE = 0.4, 0.3, 0.04
"""The defaults of PUCT: its exploration constant, the weight of the minimax backup, the temperature of the priors."""
_DEEPEST = 400
_MOST_OUTCOMES = 509
"""The most chance moves that a position keeps; an odd number, so that few sums of weights equal it."""
_PLIES_KEPT = 8
"""The most plies between the last root and a position that reuses its tree."""


@attrs.frozen
class MctsOptions:
    """The settings of a search beyond plain UCT; see `solver.native.mcts`."""

    exploring: float = EXPLORING
    rave: int = 0
    """The equivalence parameter of RAVE: at this many games of a move, they weigh as much as its RAVE games (those in
    which it was made later). 0 turns RAVE off.

    Ignored where repetitions affect the result, because random games are then played move by move and would not see
    them, and in games with chance.
    """
    minimax: float = 0.0
    """The weight of the implicit minimax backup of the game's `value` in a move's worth, from 0 to 1."""
    widening: int = 0
    """How many moves of a position are tried at first, the best ones by prior knowledge; 0 for all."""
    playout: int = LONGEST
    """Moves after which a random game is cut off and scored by the game's `value`."""
    guided: bool = False
    """PUCT: prior probabilities by the game's `value` guide the search, and there are no random games."""
    temperature: float = TEMPERATURE
    """The temperature of the prior probabilities, for values from 0 to 1: the lower, the fewer moves are tried."""
    proposed: bool = False
    """Whether only moves that patterns propose are tried, and others where all of these lose; the kernel must have
    `candidates`."""

    @classmethod
    def puct(cls, *, exploring: float | None = None, minimax: float | None = None, temperature: float | None = None,
             proposed: bool = False) -> MctsOptions:
        """The settings of PUCT, with its defaults."""
        return cls(GUIDED_EXPLORING if exploring is None else exploring,
                   minimax=GUIDED_MINIMAX if minimax is None else minimax, playout=0, guided=True,
                   temperature=TEMPERATURE if temperature is None else temperature, proposed=proposed)


class MonteCarloSearch:
    """Searches positions of a game by MCTS, and keeps its tree for the positions that follow."""

    def __init__(self, entries: Entries, *, options: MctsOptions | None = None, nodes: int = NODES,
                 trained: Trained | None = None, threads: int = 1) -> None:
        """Compile every function that searches call, including those that reuse a tree.

        A `trained` value function replaces the game's `value`. `threads` is the number of threads that search each
        tree. Raises ValueError where there is neither value, and `minimax` or `playout` needs one.
        """
        runtime.make_ready(mcts.search, mcts.keep_below, mcts.child_of)
        self.options = options or MctsOptions()
        judged = self.options.minimax > 0 or self.options.playout < LONGEST
        if judged:
            what = "puct goes" if self.options.guided else "minimax and playout go"
            check_valued(what, entries.game, trained)
        self.entries, self.threads = entries, threads
        from solver.learning.trained import SCALE, no_network

        self.learned = no_network(entries) if trained is None or not judged else trained.network(entries, 1)
        self._scale = 0 if not judged else SCALE if trained is not None else scale_of_value(entries)
        self._tree = native_records(native.Node, nodes)
        self._moves = entries.numbers(nodes, entries.move_width)
        self._places: functions.Line | None = None
        """A work array for compacting the tree, allocated at the first use."""
        self._used = self._kept = 0
        """The number of nodes in the tree, and how many of them it had when the last search began."""
        self._root: State | None = None
        """The position of the tree's root; None where the tree must not be reused."""
        self._past: list[State] = []
        """The earlier positions that count for repetitions at the root."""
        self._left: set[Move] = set()
        """The moves that are excluded at the root."""
        self._outgrowing: tuple[Move, ...] = ()
        """The excluded moves that outgrow the window on an unbounded board."""
        rules = entries.game.rules
        self._sees_repetitions = entries.cyclic and (not rules.has_chance or bool(rules.repetition))
        """Whether a repeated position ends a game of the search; with chance only where the rules say so."""
        self._worths = 0, 1
        """The least and the greatest payoff, sampled by random games from the tree's root, where the file declares
        payoffs."""

    def forget(self) -> None:
        """Drop the tree, so that the next search does not depend on earlier ones."""
        self._root = None

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
               progress: Callable[[Report], None] | None = None, losing: Sequence[Move] = (),
               halted: Numbers | None = None) -> Found:
        """Return the move with the most visits, or one that is proven to win; a limit of plies is ignored.

        `history` holds the earlier positions, for repetition rules. Moves that are known to be `losing` are not tried
        at the root; there must be others. Another thread stops the search by writing a nonzero value to `halted`
        (int64[1]), and so does an interruption; the search then returns its result so far. Raises RuleError where a
        rule fails.
        """
        pause = float("inf") if progress is None else BATCH
        for result in self.improve(state, limit, history=history, seed=seed, losing=losing, pause=pause,
                                   halted=halted):
            if progress is not None:
                progress(result.report)
        return result

    def improve(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
                losing: Sequence[Move] = (), pause: float = 0.3, halted: Numbers | None = None) -> Iterator[Found]:
        """Yield interim results of `search`, at least `pause` seconds apart; the last one is the answer."""
        if state.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        self._outgrowing = self.entries.outgrowing(state)
        left_out = (*losing, *self._outgrowing, *self.entries.forbidden(state, history))
        while True:
            result = None
            for result in self._improve(state, limit, history, seed, left_out, pause, halted):
                if result is not None:
                    yield result
            if result is not None:
                return

    def _improve(self, state: State, limit: Limit, history: Sequence[State], seed: int,
                 losing: Sequence[Move], pause: float, halted: Numbers | None) -> Iterator[Found | None]:
        """Yield results as `improve` does, then None where the arrays were too small and the search must restart."""
        entries, tree = self.entries, self._tree
        repetition = entries.game.repetition
        past = [before for before in repetition.spent(history) if before != state] if self._sees_repetitions else []
        self._plant(state, history, past, losing)
        own = native.Search(
            rows=entries.words(4, entries.width), entries=entries.entry_rows(), scratch=entries.scratch(),
            offered=entries.numbers(entries.room, entries.move_width + 2), move=entries.numbers(entries.move_width),
            tree=tree, moves=self._moves, path=entries.numbers(_DEEPEST + 2),
            used=entries.numbers(1), claims=entries.numbers(CLAIMS),
            halted=entries.numbers(1) if halted is None else halted,
            made=entries.numbers(2 * HISTORY), known=entries.numbers(2 * HISTORY), keys=entries.numbers(entries.room),
            packed=entries.words(_DEEPEST + 2, entries.packed_width), past=entries.packed(past),
            sides=self._sides(), shares=entries.numbers(entries.room), worths=entries.numbers(entries.players),
            counts=native_records(native.Counts, 1), state=native_records(native.State, 1),
            settings=self._settings(len(past)), learned=self.learned)
        own.rows[3] = entries.row(history[-1] if history and history[-1] != state else state)
        own.used[0] = self._used
        if losing and self.options.proposed:
            own.settings[0].proposing = native.BELOW_ROOT  # so that the losing moves are among those of the root
        own.state[0].chance = seed_of(seed)
        functions = (entries.offer, entries.step, entries.value_of, entries.pack_row, entries.random_game,
                     *_of_chance(entries),
                     entries.candidates if self.options.proposed else runtime.module("pvs", native=True).none_proposed)
        root, search = entries.row(state), runtime.compiled_entry(mcts.search)
        given, limit = limit, limit.shared(self.threads)

        def games(own: native.Search, until: int) -> int:
            return search(*functions, root, own, self.options.exploring, until)

        def counts() -> dict[str, int]:
            return values_in_all((own.counts, *(other.counts for other in helpers.others)), native.Counts)

        def found(cut: str = "") -> Found:
            self._used = min(int(own.used[0]), len(tree))
            return self._found(state, counts(), batches.spent, cut)

        stop = entries.numbers(1)
        helpers = TreeThreads(games, [_beside(own, number, stop) for number in range(1, self.threads)], stop,
                              waiting=native.WAITING, failing=native.FAIL)
        batches = Batches(helpers, own, own, lambda: value_of(own.counts, native.Counts, "played"), limit)
        told = batches.started
        unlisted = bool(losing) and not tree[0].children  # the root has no moves to exclude before the first game
        if losing and not unlisted:
            self._leave_out(losing)
        try:
            for ended in batches:
                if ended == native.FAIL:
                    self.forget()
                    entries.make_room((helpers.failed or own).rows[0])
                    yield None
                    return
                if ended == native.TREE_FULL:
                    raise MemoryError(f"the position has more moves than the tree has room for ({len(tree):,} nodes)")
                if unlisted:
                    unlisted = False
                    self._leave_out(losing)
                if ended == native.WAITING and limit.now() - told >= pause:
                    told = limit.now()
                    yield found()
        except KeyboardInterrupt:
            yield interrupted(found())
            return
        except Exception:
            self.forget()  # threads may have added nodes that `_used` does not count
            raise
        yield found(limit.cut(batches.spent, f"at {counts()['played']:,} of {given.nodes or 0:,} games")
                    if batches.late else "")

    def _sides(self) -> functions.Line:
        """For each player the number of the side whose win counts for it. int64[players]"""
        result = self.entries.numbers(self.entries.players)
        for player, side in enumerate(self.entries.game.sides):
            result[player] = side
        return result

    def _settings(self, history: int) -> Records[native.Settings]:
        """The settings of a search with `history` earlier positions."""
        entries, rules = self.entries, self.entries.game.rules
        layout, result = entries.kernel.assembled.layout, native_records(native.Settings, 1)
        settings = result[0]
        settings.to_move, settings.outcome, settings.failure = layout.to_move, layout.outcome, layout.failed
        settings.outgrown, settings.stuck = entries.outgrown, entries.stuck
        settings.players, settings.cyclic = entries.players, int(self._sees_repetitions)
        settings.chance, settings.paying = _MOST_OUTCOMES * rules.has_chance, int(entries.game.payoffs.declared)
        settings.low, settings.high = self._worths
        settings.repeating = entries.repeating
        settings.history, settings.limit = history, self.options.playout
        settings.rave = 0 if rules.has_chance or (self._sees_repetitions and rules.repetition) else self.options.rave
        settings.minimax = math.ceil(1000 * self.options.minimax)
        settings.guided, settings.temperature = int(self.options.guided), max(1, round(1000 * self.options.temperature))
        settings.proposing = native.EVERYWHERE if self.options.proposed else native.NOWHERE
        settings.widening = self.options.widening
        settings.scale, settings.threads = self._scale, self.threads
        return result

    def _children(self, node: int) -> range:
        """The children of a node; empty where it is not expanded."""
        return indices(int(self._tree[node].children))

    def _plant(self, state: State, history: Sequence[State], past: list[State], losing: Sequence[Move]) -> None:
        """Make a position the root: keep its subtree where the tree contains it, else start a new tree."""
        tree = self._tree
        node = self._place(state, history, past, losing)
        self._root, self._past, self._left = state, past, set(losing)
        if node is None:
            root = tree[0]
            root.children = root.visits = root.points = root.proven = 0
            root.later_visits = root.later_points = root.code = root.worth = 0
            root.mover = -1
            self._used = 1
            if self.entries.game.payoffs.declared:
                self._worths = worths_of_ends(self.entries, state)
        elif node > 0:
            if self._places is None:
                self._places = self.entries.numbers(len(tree))
            keep_below = runtime.compiled_entry(mcts.keep_below)
            self._used = keep_below(tree, self._moves, self._places, node, self._used)
        self._kept = 0 if node is None else self._used

    def _place(self, state: State, history: Sequence[State], past: list[State], losing: Sequence[Move]) -> int | None:
        """The node of a position in the tree; None where no node is valid for it.

        A node is not valid where other repetitions count, or moves were excluded that now may be played.
        """
        if self._root is None:
            return None
        if self._root == state:
            same = self._past == past and self._left <= set(losing)
            return 0 if same and not (losing and is_part(int(self._tree[0].children))) else None
        way = [before for before in history[-_PLIES_KEPT:] if before != state]
        if self._root not in way:
            return None
        begin = len(way) - way[::-1].index(self._root)
        if self._sees_repetitions and past[: len(past) - (len(way) - begin) - 1] != self._past:
            return None
        entries, child_of = self.entries, runtime.compiled_entry(mcts.child_of)
        row, packed = entries.words(entries.width), entries.words(2, entries.packed_width)
        node, before = 0, self._root
        for after in (*way[begin:], state):
            node = child_of(entries.step, entries.pack_row, entries.row(before), entries.row(after), row,
                            entries.entry_rows(), entries.scratch(), self._tree, self._moves, packed, node)
            if node < 0:
                return None
            before = after
        return None if losing and is_part(int(self._tree[node].children)) else node

    def _leave_out(self, losing: Sequence[Move]) -> None:
        """Exclude moves of the root from the search."""
        left_out = set(losing)
        for child in self._children(0):
            if self.entries.move(self._moves[child]) in left_out:
                self._tree[child].proven = native.ILLEGAL
                self._tree[child].visits = 0

    def _found(self, state: State, counts: Mapping[str, int], seconds: float, cut: str = "") -> Found:
        tree = self._tree
        side = self.entries.game.sides[state.to_move]
        first = self._best(0, side)
        if first is not None and not tree[first].visits:  # it was not made yet, so that it may be illegal
            ranks, allowed = self._ranks(0, side), set(self._allowed(state))
            first = max((child for child in ranks if self.entries.move(self._moves[child]) in allowed),
                        key=ranks.__getitem__, default=None)
        proof = int(tree[0].proven)
        winner = None if proof == OPEN else -1 if proof == native.DRAWN else proof - native.WON
        if self._outgrowing and winner != side:
            winner = None  # an excluded move may be better
        if first is None:  # no game was played
            line, share = [self._allowed(state)[0]], 0.5
        else:
            line = self._line(state, first)
            share = int(tree[first].points) / (native.WHOLE * max(int(tree[first].visits), 1))
        low, high = self._worths
        score = f"{low + share * (high - low):.2f}" if self.entries.game.payoffs.declared else f"{share:.1%}"
        if winner is not None:
            score = expected(self.entries.game.outcome_name(winner) or "draw")
        report = Report(
            "puct" if self.options.guided else "mcts", self._used - self._kept, seconds, score,
            Line(self.entries, state).texts(line), leaves=counts["played"], ends=counts["ends"],
            simulated=counts["simulated"],
            pruned={"proofs": counts["proofs"], "repetition": counts["loops"],
                    "rules that take moves back": counts["taken_back"]},
            table={"places": len(tree), "used": self._used}, cut=cut)
        return Found(line[0], round(1000 * share), winner, None, report)

    def _allowed(self, state: State) -> list[Move]:
        """The legal moves of the root that are not excluded; if none, those that do not outgrow the window; if none,
        all."""
        legal = self.entries.game.engine.legal(state)
        return next((allowed for left in (self._left, self._outgrowing) if (
            allowed := [move for move in legal if move not in left])), legal)

    def _best(self, node: int, side: int) -> int | None:
        """The child of a node that is best by proof, then by visits."""
        return max(self._children(node), key=self._ranks(node, side).__getitem__, default=None)

    def _ranks(self, node: int, side: int) -> dict[int, tuple[int, float]]:
        """The rank of each child of a node for the side of the player to move there: by proof, then by visits."""
        def rank(proof: int, visits: int) -> tuple[int, float]:
            if proof == native.WON + side:
                return 3, visits
            if proof in (OPEN, native.DRAWN):
                return 2, visits
            return (1 if proof >= native.WON else 0), visits

        children = self._children(node)
        known = values_of_all(self._tree, children, "proven", "visits")
        return {child: rank(*values) for child, values in zip(children, known, strict=True)}

    def shares(self) -> dict[Move, float]:
        """The mean result of each root move for the player to move: 1 for a win, 0.5 for a draw, 0 for a loss.

        Moves without visits are left out.
        """
        tree = self._tree
        whole = native.WHOLE
        return {self.entries.move(self._moves[child]): int(tree[child].points) / (whole * int(tree[child].visits))
                for child in self._children(0) if tree[child].visits}

    def best(self, state: State, count: int) -> Iterator[tuple[Move, int, tuple[str, ...]]]:
        """Yield the `count` best root moves with their visits and their lines; `state` is the root's position."""
        writing, ranks = Line(self.entries, state), self._ranks(0, self.entries.game.sides[state.to_move])
        for child in sorted(ranks, key=ranks.__getitem__, reverse=True)[:count]:
            if self._tree[child].visits:
                yield (self.entries.move(self._moves[child]), int(self._tree[child].visits),
                       writing.texts(self._line(state, child)))

    def _line(self, state: State, first: int | None = None) -> list[Move]:
        """The principal variation by visits, from the root's child `first` or the best one, up to a chance node."""
        result: list[Move] = []
        chance = self.entries.game.rules.has_chance
        node = self._best(0, self.entries.game.sides[state.to_move]) if first is None else first
        while node is not None and (not result or self._tree[node].visits > 0):
            result.append(self.entries.move(self._moves[node]))
            children = self._children(node)
            if not children or (chance and self._tree[children.start].code > 0):
                break
            node = self._best(node, int(self._tree[children.start].mover))
        return result


def _beside(own: native.Search, number: int, halted: functions.Line) -> native.Search:
    """The arrays of another thread that searches the same tree, until `halted` is nonzero."""
    result = anew(own, (*native.SHARED, *FIXED))._replace(halted=halted)
    result.rows[3] = own.rows[3]
    result.state[0].chance = seed_of(int(own.state[0].chance), number)
    return result


def _of_chance(entries: Entries) -> tuple[functions.Weigh, functions.PayoffOf]:
    """The kernel's functions for chance weights and payoffs, or stand-ins where the game has none."""
    plain = runtime.module("mcts", native=True)
    rules = entries.game.rules
    return (entries.weigh if rules.has_chance else plain.no_chance,
            entries.payoff_of if rules.payoffs else plain.no_payoff)
