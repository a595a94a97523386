"""Playing by random games: Monte-Carlo tree search, for any game and any number of players.

`MonteCarloSearch` searches a position until a limit of nodes (games played) or seconds, or until the position is
proven. Where a position follows the one that was searched before, the tree below it is kept; after `forget` the same
position, number of games and seed give the same move, unless several threads search. `solver.native.mcts` does the
work, in portions between which the clock is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.arrays import Numbers, Words
from interpreter.model.state import Move, State
from interpreter.wording import expected
from solver.entries import Entries, Line
from solver.native import functions, mcts, runtime
from solver.native import mcts_state as native
from solver.native.functions import Records
from solver.native.learned import FIXED
from solver.native.ordering import HISTORY
from solver.native.records import anew, native_records, value_of, values_in_all, values_of_all
from solver.native.shared_tree import CLAIMS
from solver.players.iterative_deepening import Found, Limit, interrupted
from solver.players.tree_threads import TreeThreads, seed_of
from solver.report import Report

if TYPE_CHECKING:
    from solver.learning.trained import Trained

EXPLORING = 0.7
"""How much is given for what was seldom tried: the constant of UCT, for points from 0 to 1."""
NODES = 1 << 20
"""Nodes that there is room for."""
LONGEST = 2_000
"""Moves after which a random game is broken off."""
_DEEPEST = 400
_MOST_OUTCOMES = 509
"""Moves of chance that are kept of a position, where it has more; an odd number, so that few weights have it as their
sum."""
_SAMPLED = 100
"""Random games by which is found what ends are worth."""
_PORTION = 0.05
"""Seconds between two looks at the clock; less where less is left."""
_PLIES_KEPT = 8
"""Plies after the last search over which its tree is followed."""


@attrs.frozen
class MctsOptions:
    """What a search expects of moves besides the games in which it tried them; see `solver.native.mcts`."""

    exploring: float = EXPLORING
    rave: int = 0
    """As many games with a move count as much as those in which it was made later; 0 where these do not count.

    Not where a repetition has a meaning in random games, which are played move by move then and would not see it, and
    not in games with chance.
    """
    minimax: float = 0.0
    """The share of minimax by the game's `value` in what a move is worth, from 0 to 1."""
    widening: int = 0
    """How many moves of a position are tried at first, the best by what is known of them; 0 for all."""
    playout: int = LONGEST
    """Moves after which a random game is broken off, and judged by the game's `value`."""


class MonteCarloSearch:
    """Searches positions of a game by random games; keeps its tree for the positions that follow."""

    def __init__(self, entries: Entries, *, options: MctsOptions | None = None, nodes: int = NODES,
                 trained: Trained | None = None, threads: int = 1) -> None:
        """Compiles all that searches will call, those that go on with a tree as well.

        What was `trained` values positions instead of the game's `value`. So many `threads` search each tree. Raises
        ValueError where there is neither value, and minimax or random games that are broken off need one.
        """
        runtime.make_ready(mcts.search, mcts.keep_below, mcts.child_of)
        self.options = options or MctsOptions()
        judged = self.options.minimax > 0 or self.options.playout < LONGEST
        if judged and entries.game.rules.value is None and trained is None:
            raise ValueError(f"minimax and playout go by the game's 'value'; {entries.game.title} has none, and none "
                             "was trained")
        self.entries, self.threads = entries, threads
        from solver.learning.trained import SCALE, no_network

        self.learned = no_network(entries) if trained is None or not judged else trained.network(entries, 1)
        self._scale = 0 if not judged else SCALE if trained is not None else scale_of_value(entries)
        self._tree = native_records(native.Node, nodes)
        self._moves = entries.numbers(nodes, entries.move_width)
        self._places: functions.Line | None = None
        """An array to work on while a tree is cut, once one is."""
        self._used = self._kept = 0
        """How many nodes the tree has, and how many of them it had when the last search began."""
        self._root: State | None = None
        """The position of the tree's root; None where the tree is not to be used again."""
        self._past: list[State] = []
        """The positions before it that matter there."""
        self._left: set[Move] = set()
        """The moves that were left out at the root."""
        self._outgrowing: tuple[Move, ...] = ()
        """Those of them that outgrow the board."""
        rules = entries.game.rules
        self._sees_repetitions = entries.cyclic and (not rules.has_chance or bool(rules.repetition))
        """Whether a position that comes back ends a game: with chance it says nothing unless the rules do."""
        self._worths = 0, 1
        """What ends are worth, where the file says so: in most of some random games from the tree's root."""

    def forget(self) -> None:
        """Drop the tree, so that the next search does not depend on those before."""
        self._root = None

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
               progress: Callable[[Report], None] | None = None, losing: Sequence[Move] = (),
               halted: Numbers | None = None) -> Found:
        """The move that was tried most, or one that is proven to win; a limit of plies has no meaning here.

        `history` has the positions before it, where the rules say what a repetition does. Moves that are known to be
        `losing` are not tried in this position; there must be others. Another thread ends the search where it is by
        writing anything but 0 in `halted` (int64[1]), an interruption too. Raises RuleError where a rule fails.
        """
        pause = float("inf") if progress is None else _PORTION
        for result in self.improve(state, limit, history=history, seed=seed, losing=losing, pause=pause,
                                   halted=halted):
            if progress is not None:
                progress(result.report)
        return result

    def improve(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
                losing: Sequence[Move] = (), pause: float = 0.3, halted: Numbers | None = None) -> Iterator[Found]:
        """The same again and again, so many seconds apart; what comes last is the answer."""
        if state.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        self._outgrowing = self.entries.outgrowing(state)
        left_out = (*losing, *self._outgrowing)
        while True:
            result = None
            for result in self._improve(state, limit, history, seed, left_out, pause, halted):
                if result is not None:
                    yield result
            if result is not None:
                return

    def _improve(self, state: State, limit: Limit, history: Sequence[State], seed: int,
                 losing: Sequence[Move], pause: float, halted: Numbers | None) -> Iterator[Found | None]:
        """None at the end where there was too little room, and the search is to begin again."""
        entries, tree = self.entries, self._tree
        repetition = entries.game.repetition
        past = [before for before in repetition.spent(history) if before != state] if self._sees_repetitions else []
        self._plant(state, history, past, losing)
        own = native.Search(
            rows=entries.words(3, entries.width), entries=entries.entry_rows(), scratch=entries.scratch(),
            offered=entries.numbers(entries.room, entries.move_width), move=entries.numbers(entries.move_width),
            tree=tree, moves=self._moves, path=entries.numbers(_DEEPEST + 2),
            used=entries.numbers(1), claims=entries.numbers(CLAIMS),
            halted=entries.numbers(1) if halted is None else halted,
            made=entries.numbers(2 * HISTORY), known=entries.numbers(2 * HISTORY), keys=entries.numbers(entries.room),
            packed=entries.words(_DEEPEST + 2, entries.packed_width), past=entries.packed(past),
            sides=self._sides(), shares=entries.numbers(entries.room), worths=entries.numbers(entries.players),
            counts=native_records(native.Counts, 1), state=native_records(native.State, 1),
            settings=self._settings(len(past)), learned=self.learned)
        own.used[0] = self._used
        own.state[0].chance = seed & (1 << 62) - 1
        functions = (entries.offer, entries.step, entries.value_of, entries.pack_row, entries.random_game,
                     *_of_chance(entries))
        root, search = entries.row(state), runtime.compiled_entry(mcts.search)
        given, limit = limit, limit.shared(self.threads)

        def games(own: native.Search, until: int) -> int:
            return search(*functions, root, own, self.options.exploring, until)

        def counts() -> dict[str, int]:
            return values_in_all((own.counts, *(other.counts for other in helpers.others)), native.Counts)

        def found(cut: str = "") -> Found:
            self._used = min(int(own.used[0]), len(tree))
            return self._found(state, counts(), limit.now() - started, cut)

        stop = entries.numbers(1)
        helpers = TreeThreads(games, [_beside(own, number, stop) for number in range(1, self.threads)], stop,
                              waiting=native.WAITING, failing=native.FAIL)
        started = told = limit.now()
        cut = ""
        most = limit.nodes or 1 << 62
        portion = 1
        unlisted = bool(losing) and tree[0].first < 0  # there are moves to be left out only after the first game
        if losing and not unlisted:
            self._leave_out(losing)
        try:
            while True:
                clock = limit.now()
                played = value_of(own.counts, native.Counts, "played")
                goal = min(most, played + portion)
                alone = self.threads == 1 or not played  # the root is expanded by one
                ended = games(own, goal) if alone else helpers.play(own, goal, most)
                played = value_of(own.counts, native.Counts, "played")
                now = limit.now()
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
                if ended == native.DONE or played >= most or int(own.halted[0]):
                    break
                if limit.time is not None and now - started >= limit.time:
                    cut = limit.cut(now - started, f"at {counts()['played']:,} of {given.nodes or 0:,} games")
                    break
                if now - told >= pause:
                    told = now
                    yield found()
                left = _PORTION if limit.time is None else limit.time - (now - started)
                portion = max(1, math.ceil(portion * min(4.0, min(_PORTION, left) / max(now - clock, 1e-6))))
        except KeyboardInterrupt:
            yield interrupted(found(cut))
            return
        except Exception:
            self.forget()  # threads may have grown the tree further than is known
            raise
        yield found(cut)

    def _sides(self) -> functions.Line:
        """For each player the one by whose number the player wins."""
        result = self.entries.numbers(self.entries.players)
        for player, side in enumerate(self.entries.game.sides):
            result[player] = side
        return result

    def _settings(self, history: int) -> Records[native.Settings]:
        """What is fixed in a search after so many positions."""
        entries, rules = self.entries, self.entries.game.rules
        layout, result = entries.kernel.assembled.layout, native_records(native.Settings, 1)
        settings = result[0]
        settings.to_move, settings.outcome, settings.failure = layout.to_move, layout.outcome, layout.failed
        settings.outgrown = entries.outgrown
        settings.players, settings.cyclic = entries.players, int(self._sees_repetitions)
        settings.chance, settings.paying = _MOST_OUTCOMES * rules.has_chance, int(entries.game.payoffs.declared)
        settings.low, settings.high = self._worths
        settings.repeating = entries.repeating
        settings.history, settings.limit = history, self.options.playout
        settings.rave = 0 if rules.has_chance or (self._sees_repetitions and rules.repetition) else self.options.rave
        settings.minimax, settings.widening = round(1000 * self.options.minimax), self.options.widening
        settings.scale, settings.threads = self._scale, self.threads
        return result

    def _children(self, node: int) -> range:
        """The children of a node; none where it has not been expanded."""
        first = int(self._tree[node].first)
        return range(first, first + int(self._tree[node].count)) if first >= 0 else range(0)

    def _plant(self, state: State, history: Sequence[State], past: list[State], losing: Sequence[Move]) -> None:
        """Have the tree begin at a position: with what is below it, where it follows the last one, else anew."""
        tree = self._tree
        node = self._place(state, history, past, losing)
        self._root, self._past, self._left = state, past, set(losing)
        if node is None:
            root = tree[0]
            root.count = root.visits = root.points = root.proven = 0
            root.later_visits = root.later_points = root.code = root.worth = 0
            root.first = root.mover = -1
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
        """The node of a position in the tree; None where it has none that says what it would say without the tree."""
        if self._root is None:
            return None
        if self._root == state:
            return 0 if self._past == past and self._left <= set(losing) else None
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
        return node

    def _leave_out(self, losing: Sequence[Move]) -> None:
        """Have moves of the root never be tried again."""
        left_out = set(losing)
        for child in self._children(0):
            if self.entries.move(self._moves[child]) in left_out:
                self._tree[child].proven = native.ILLEGAL
                self._tree[child].visits = 0

    def _found(self, state: State, counts: Mapping[str, int], seconds: float, cut: str = "") -> Found:
        tree = self._tree
        line = self._line(state)
        first = self._best(0, state.to_move)
        proof = int(tree[0].proven)
        winner = None if proof == native.OPEN else -1 if proof == native.DRAWN else proof - native.WON
        if self._outgrowing and winner != state.to_move:
            winner = None  # others may be better
        if first is None:  # not one game was played
            legal = self.entries.game.engine.legal(state)
            line = [next((move for move in legal if move not in self._outgrowing), legal[0])]
            share = 0.5
        else:
            share = int(tree[first].points) / (native.WHOLE * max(int(tree[first].visits), 1))
        low, high = self._worths
        score = f"{low + share * (high - low):.2f}" if self.entries.game.payoffs.declared else f"{share:.1%}"
        if winner is not None:
            score = expected(self.entries.game.outcome_name(winner) or "draw")
        report = Report(
            "mcts", self._used - self._kept, seconds, score, Line(self.entries, state).texts(line),
            leaves=counts["played"], ends=counts["ends"], simulated=counts["simulated"],
            pruned={"proofs": counts["proofs"], "repetition": counts["loops"],
                    "rules that take moves back": counts["taken_back"]},
            table={"places": len(tree), "used": self._used}, cut=cut)
        return Found(line[0], round(1000 * share), winner, None, report)

    def _best(self, node: int, mover: int) -> int | None:
        """The child of a node that is proven best, else the one that was visited most."""
        return max(self._children(node), key=self._ranks(node, mover).__getitem__, default=None)

    def _ranks(self, node: int, mover: int) -> dict[int, tuple[int, float]]:
        """For each child of a node how good it is for who moves there."""
        def rank(known: Mapping[str, int]) -> tuple[int, float]:
            proof, visits = known["proven"], known["visits"]
            if proof == native.WON + mover:
                return 3, visits
            if proof in (native.OPEN, native.DRAWN):
                return 2, visits
            return (1 if proof >= native.WON else 0), visits

        children = self._children(node)
        return dict(zip(children, map(rank, values_of_all(self._tree, native.Node, children)), strict=True))

    def shares(self) -> dict[Move, float]:
        """What the tree's games expect of each move of its root: 1 for a win of the mover, 0 for a loss.

        A draw is 0.5; moves that were never tried are left out.
        """
        tree = self._tree
        whole = native.WHOLE
        return {self.entries.move(self._moves[child]): int(tree[child].points) / (whole * int(tree[child].visits))
                for child in self._children(0) if tree[child].visits}

    def best(self, state: State, count: int) -> Iterator[tuple[Move, int, tuple[str, ...]]]:
        """So many of the best moves of the root, which is this state: how often each was tried, and its line."""
        writing, ranks = Line(self.entries, state), self._ranks(0, state.to_move)
        for child in sorted(ranks, key=ranks.__getitem__, reverse=True)[:count]:
            if self._tree[child].visits:
                yield (self.entries.move(self._moves[child]), int(self._tree[child].visits),
                       writing.texts(self._line(state, child)))

    def _line(self, state: State, first: int | None = None) -> list[Move]:
        """The moves that were tried most, one after the other, to where chance decides; from one of the root's."""
        result: list[Move] = []
        node, chance = self._best(0, state.to_move) if first is None else first, self.entries.game.rules.has_chance
        while node is not None and (not result or self._tree[node].visits > 0):
            result.append(self.entries.move(self._moves[node]))
            children = self._children(node)
            if not children or (chance and self._tree[children.start].code > 0):
                break
            node = self._best(node, int(self._tree[children.start].mover))
        return result


def scale_of_value(entries: Entries, games: int = 200) -> int:
    """How far the game's `value` is from 0 on average, after some moves of so many random games; at least 1.

    Raises RuleError where a rule fails.
    """
    total, count = 0, 0
    start = entries.game.start().state
    length = max(2.0, length_of_games(entries, start, 10))
    for row, _ in _random_games(entries, start, games, lambda seed: 1 + int(seed * length / games)):
        if entries.kernel.state(row).outcome is None:
            total, count = total + abs(int(entries.value_of(row))), count + 1
    return max(1, total // max(count, 1))


def length_of_games(entries: Entries, state: State, games: int) -> float:
    """How many plies so many random games from a position last, on average; `LONGEST` where all outgrow the board.

    Raises RuleError where a rule fails.
    """
    lengths = [plies for _, plies in _random_games(entries, state, games)]
    return sum(lengths) / len(lengths) if lengths else LONGEST


def worths_of_ends(entries: Entries, state: State, games: int = _SAMPLED) -> tuple[int, int]:
    """The least and the most that an end of so many random games from a position is worth to a player.

    The least is less than the most. Raises RuleError where a rule fails.
    """
    low, high = 1 << 60, -(1 << 60)
    for row, _ in _random_games(entries, state, games):
        if entries.kernel.state(row).outcome is not None:
            worth = [int(entries.payoff_of(row, player)) for player in range(entries.players)]
            low, high = min(low, *worth), max(high, *worth)
    return (low, max(high, low + 1)) if low <= high else (0, 1)


def _random_games(entries: Entries, state: State, games: int,
                  most: Callable[[int], int] = lambda seed: LONGEST) -> Iterator[tuple[Words, int]]:
    """The rows and the plies of random games from a position, of `most` plies by their seeds, from 0 to `games` - 1.

    Those that outgrow an unbounded board are left out. Raises RuleError where a rule fails.
    """
    seed = 0
    while seed < games:
        row = entries.row(state)
        plies = int(entries.random_game(row, seed, most(seed), entries.entry_rows(), entries.scratch(),
                                        entries.numbers(entries.move_width)))
        if plies < 0 and not entries.is_outgrown(row):
            entries.make_room(row)
            continue
        seed += 1
        if plies >= 0:
            yield row, plies


def _beside(own: native.Search, number: int, halted: functions.Line) -> native.Search:
    """Arrays for another thread in the same tree, which ends where `halted` says so."""
    result = anew(own, (*native.SHARED, *FIXED))._replace(halted=halted)
    result.state[0].chance = seed_of(int(own.state[0].chance), number)
    return result


def _of_chance(entries: Entries) -> tuple[functions.Weigh, functions.PayoffOf]:
    """What tells how likely moves of chance are and what ends are worth, or what stands in for it."""
    plain = runtime.module("mcts", native=True)
    rules = entries.game.rules
    return (entries.weigh if rules.has_chance else plain.no_chance,
            entries.payoff_of if rules.payoffs else plain.no_payoff)
