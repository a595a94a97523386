"""Iterative deepening for games that are too large to solve: alpha-beta with the game's `value` at the leaves.

`Deepening` searches a position until a limit of plies, nodes or seconds, or until it has searched every line to its
end. The same position, limit and seed give the same move and node count, unless the limit is a time or several threads
search. `solver.native.pvs` does the work, in batches; between them the clock is checked and progress is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.arrays import Numbers
from interpreter.model.state import Move, State
from interpreter.wording import expected
from solver.entries import Entries, Line
from solver.interruptions import deferred
from solver.native import pvs, runtime
from solver.native import pvs_state as native
from solver.native.functions import Lines
from solver.native.ordering import HISTORY
from solver.native.records import native_records, value_of
from solver.native.scores import INFINITE, MOST, WIN
from solver.players.found import Found
from solver.players.lazy_smp import BUSY, Helpers
from solver.players.limits import Limit
from solver.report import Deepened, Report
from solver.seeds import seed_of

if TYPE_CHECKING:
    from solver.learning.trained import Trained

MOST_PLIES = 100
"""The largest depth of a search."""
PLIES_BEFORE_SWAP = 3
"""The largest depth of a search for a move after which the opponent may swap sides: it considers all moves, to find a
fair one."""
_FIRST_BATCH = 64
TABLE_MIB = 64
"""Memory of the transposition table, in MiB."""
LONG = 16
"""The most words of a packed position that the table stores as it is; of longer ones it stores a fingerprint. At 50
words a position, the table then has room for eight times as many."""
FINGERPRINT = 2
"""Words of a fingerprint."""


@attrs.frozen
class Choosing:
    """Which moves a search considers. `all` needs no patterns; where patterns propose no move, all are considered."""

    which: str = "all"
    """`all`; `proposed`: those that patterns propose; `proposed first`: all, the proposed ones before the others; `by
    chance`: a random choice of `width` moves."""
    width: int | None = None
    """The most moves of a position, the best by the patterns; None for all. `by chance` needs it."""


@attrs.frozen
class Margins:
    """By remaining depth, from 1 on: the least and the most that a search adds to the value, in most positions.

    `solver.players.margins` measures them.
    """

    pairs: tuple[tuple[int, int], ...] = ()
    whole: bool = attrs.field(default=True, eq=False)
    """Whether the measurement ran to its end, not to a time limit, which depends on the machine."""

    def table(self, entries: Entries) -> Lines:
        """The margins as int64[plies + 1, 2] for `solver.native.pvs`; int64[0, 2] where there are none."""
        result = entries.numbers(len(self.pairs) + 1 if self.pairs else 0, 2)
        for plies, pair in enumerate(self.pairs, 1):
            result[plies] = pair
        return result


class Deepening:
    """Searches positions of a game; keeps its transposition table from one search to the next."""

    def __init__(self, entries: Entries, *, table_mib: int = TABLE_MIB, choosing: Choosing | None = None,
                 valued: bool = True, trained: Trained | None = None, late: int = 0,
                 margins: Margins | None = None, threads: int = 1) -> None:
        """Compile the functions that searches call, and allocate the transposition table.

        Without `valued` every position that is not over counts 0, so that only forced results are found. A `trained`
        value replaces the game's `value`. Moves after the first `late` of a position are searched with reduced depth
        first, and with full depth only where they seem better than the others; 0 for no reductions. Positions whose
        value is too far outside of the window, by the `margins`, are cut off. `threads` threads search together, as
        `lazy_smp` describes.
        """
        self.choosing = choosing or Choosing()
        self.valued, self.late = valued, late
        self.margins = margins or Margins()
        self.threads, self.helpers = threads, Helpers(threads - 1)
        if entries.players > 2:
            raise ValueError(f"the game has {entries.players} players; alpha-beta plays games for one or two")
        runtime.make_ready(pvs.search)
        self.entries = entries
        from solver.learning.trained import no_network

        self.learned = no_network(entries) if trained is None or not valued else trained.network(
            entries, MOST_PLIES + 2)
        places = 1 << 12
        self._fingerprinted = entries.packed_width > LONG
        width = (FINGERPRINT if self._fingerprinted else entries.packed_width) + native.EXTRA
        while places * 2 * 8 * width <= table_mib << 20:
            places *= 2
        self._table = entries.words(places, width)
        self._history = entries.numbers(2 * HISTORY)
        self._used = 0
        self._age = 0
        self._past: list[State] = []

    @property
    def keeps(self) -> bool:
        """Whether table entries are valid in the search of another position: not where the result depends on how often
        positions occurred before."""
        return not (self.entries.cyclic and self.entries.game.rules.repetition is not None)

    def forget(self) -> None:
        """Clear the transposition table and the history tables, so that the next search does not depend on earlier
        ones."""
        self._table[:] = 0
        self._history[:] = 0
        self.helpers.forget()
        self._used = self._age = 0

    def value(self, state: State) -> int:
        """The static evaluation of a position that is not over, for its player to move."""
        run = _Run(self, state, Limit(plies=1), (), 0, None, 1, ())
        return int(runtime.compiled_entry(pvs.value_at_root)(run.functions[3], run.own))

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
               progress: Callable[[Report], None] | None = None, first: int = 1,
               losing: Sequence[Move] = (), halted: Numbers | None = None) -> Found:
        """Search for the best move of a position that is not over, within a limit.

        `history` has the positions before it, needed where the rules have a repetition rule; `progress` is called after
        each portion. The first iteration searches `first` plies deep. Moves known to be `losing` are not searched at
        the root; there must be others. Another thread stops the search by writing a number other than 0 to `halted`
        (int64[1]); an interruption (KeyboardInterrupt) stops it too, and its report says so. Raises RuleError where a
        rule fails.
        """
        if state.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        outgrowing = self.entries.outgrowing(state)
        losing = (*losing, *self.entries.forbidden(state, history))
        while True:
            run = _Run(self, state, limit, history, seed, progress, first, losing, outgrowing, halted)
            result = run.find()
            if result is not None:
                return result


class _Run:
    """One search."""

    def __init__(self, search: Deepening, state: State, limit: Limit, history: Sequence[State], seed: int,
                 progress: Callable[[Report], None] | None, first: int, losing: Sequence[Move],
                 outgrowing: Sequence[Move] = (), halted: Numbers | None = None) -> None:
        self.search, self.state, self.progress = search, state, progress
        self.given, self.limit = limit, limit.shared(search.threads)
        self.left_out, self.outgrowing = (*losing, *outgrowing), outgrowing
        entries = self.entries = search.entries
        self.most = min(limit.plies or MOST_PLIES, MOST_PLIES)
        self.first = min(first, self.most)
        levels = self.most + 2
        room = entries.room
        width = entries.move_width + 2  # patterns add their number and their priority
        repetition = entries.game.repetition
        past = [before for before in repetition.spent(history) if before != state] if entries.cyclic else []
        before = history[-1] if history and history[-1] != state else state
        packed = entries.words(levels, entries.packed_width)
        self.own = native.Search(
            rows=entries.words(levels, entries.width), before=entries.row(before)[None, :],
            others=entries.numbers(room, width), entries=entries.entry_rows(), scratch=entries.scratch(),
            moves=entries.numbers(levels, room, width), order=entries.numbers(levels, room),
            frames=native_records(native.Frame, levels), killers=entries.numbers(levels, 2), history=search._history,
            packed=packed, keys=entries.words(levels, FINGERPRINT) if search._fingerprinted else packed,
            table=search._table,
            lines=entries.numbers(levels, levels, width), lengths=entries.numbers(levels), past=entries.packed(past),
            left_out=self._left_out(), busy=entries.words(BUSY if search.threads > 1 else 1),
            halted=entries.numbers(1) if halted is None else halted,
            counts=native_records(native.Counts, 1), state=native_records(native.State, 1),
            settings=native_records(native.Settings, 1), learned=search.learned, margins=search.margins.table(entries))
        self.own.rows[0] = entries.row(state)
        entries.pack_row(self.own.rows[0], self.own.packed[0])
        self._fix_settings(seed, past)
        self.selective = self._choose()
        module = runtime.module("pvs", native=True)
        proposing = search.choosing.which in ("proposed", "proposed first")
        self.functions = (entries.offer, entries.candidates if proposing else module.none_proposed, entries.step,
                          entries.value_of if search.valued else module.no_value, entries.pack_row)
        self.started = limit.now()
        self.line = Line(entries, state)
        self.depths: list[Deepened] = []
        self.best: tuple[int, tuple[Move, ...]] | None = None
        """The score and the principal variation found last."""
        self.whole = True
        """Whether the last depth was completed; otherwise moves that it did not search may be better."""
        self.used_before = search._used
        self.complete = False
        """Whether every line was searched to the end of the game."""
        self.cut = ""
        """Where the ceiling of the limit cut the search off; '' where it did not."""
        self.interrupted = False

    def _fix_settings(self, seed: int, past: list[State]) -> None:
        """Set the settings that stay the same during the search, and clear the table where it does not apply any more.
        """
        search, entries, settings = self.search, self.entries, self.own.settings[0]
        layout, rules = entries.kernel.assembled.layout, entries.game.rules
        search._age = (search._age + 1) & 0xFF
        settings.to_move, settings.outcome, settings.failure = layout.to_move, layout.outcome, layout.failed
        settings.outgrown = entries.outgrown
        settings.late, settings.fingerprinted = search.late, int(search._fingerprinted)
        settings.players, settings.cyclic = entries.players, int(entries.cyclic)
        settings.repeating = entries.repeating
        settings.stuck = {"loses": 1, "wins": 2}.get(rules.no_moves or "", 0)
        settings.age, settings.seed, settings.history = search._age, seed_of(seed), len(past)
        ruled = not search.keeps
        if ruled and rules.repetition != "draws" and entries.game.repetition.simple:
            settings.table = native.ESTIMATES if search.valued else native.ORDER
        if ruled and search._past != past:  # entries may be valid for another history only
            search._past = past
            search._table[:] = 0
            search._used = 0

    def _left_out(self) -> Lines:
        """The moves that are not searched at the root, a row for each; one row with no move where there are none."""
        result: Lines = self.entries.numbers(max(1, len(self.left_out)), self.entries.move_width)
        result[0, 0] = native.NO_MOVE
        for line, move in zip(result, self.left_out, strict=False):
            line[:] = self.entries.kernel.coded(move)
        return result

    def _choose(self) -> bool:
        """Set which moves the search considers, and return whether it leaves any out."""
        settings, choosing = self.own.settings[0], self.search.choosing
        which = {"all": native.EVERY, "proposed": native.PROPOSED, "proposed first": native.PROPOSED_FIRST,
                 "by chance": native.BY_CHANCE}[choosing.which]
        settings.choosing = settings.choosing_first = which
        settings.width = choosing.width or 0
        if which == native.PROPOSED and self._may_be_swapped():
            settings.choosing_first = native.EVERY
            self.most = min(self.most, PLIES_BEFORE_SWAP)
        return which in (native.PROPOSED, native.BY_CHANCE)

    def _may_be_swapped(self) -> bool:
        """Whether the opponent may swap sides next, so that the search must find a fair move instead of the best."""
        game = self.entries.game
        if not game.rules.pies:
            return False
        after = game.engine.apply(self.state, game.engine.legal(self.state)[0])
        return after is not None and after.outcome is None and game.engine.swap_rule(after) is not None

    def find(self) -> Found | None:
        """Run the iterative deepening; None where the arrays were too small, so that the caller must start again."""
        helpers = self.search.helpers
        try:
            with deferred(self.own.halted):
                try:
                    helpers.begin(self.own, self._search, self.first, self.most, self.limit.nodes)
                    enough = self._deepen()
                finally:
                    helpers.end()
        except KeyboardInterrupt:
            enough = self.interrupted = True
        helpers.check()
        if not enough:
            return None
        self._take_deepest()
        if self.best is None:  # no move has a score yet: take the first legal one
            self.best = 0, (self._first_move(),)
        return self._found()

    def _first_move(self) -> Move:
        """The first legal move that is not left out; if none, the first that does not outgrow the arrays."""
        legal = self.entries.game.engine.legal(self.state)
        return next((move for left in (self.left_out, self.outgrowing) for move in legal if move not in left), legal[0])

    def _deepen(self) -> bool:
        """Search deeper and deeper until a limit or a decided result; False where the arrays were too small."""
        state, root = self.own.state[0], self.own.frames[0]
        for depth in range(self.first, self.most + 1):
            before, clock, last = self._nodes(), self.limit.now(), self.best
            root.depth, root.alpha, root.beta = depth, -INFINITE, INFINITE
            state.status, state.ply = native.ENTER, 0
            whole = self._run()
            if whole and self._lost_by_choice():
                state.status, state.ply = native.ENTER, 0
                whole = self._run()
            if whole is None:
                return False
            if whole or (root.best > -INFINITE and root.best_move != 0):
                self._take()
                self.whole = whole
            if self.best is not None:
                self._note_depth(depth, self._nodes() - before, self.limit.now() - clock, whole)
            if not whole and last is not None and last[0] >= -MOST and self.best is not None and (
                    self.best[0] < -MOST):
                self._avoid_loss(last[0])
            if not whole or self.best is None or self._settled():
                break
        return True

    def _avoid_loss(self, score: int) -> None:
        """Play a move whose search was not completed, as all whose search was lose; `score` is that of the last depth.
        """
        root, order = self.own.frames[0], self.own.order[0]
        first = int(root.child) if int(self.own.state[0].ply) > 0 else int(root.next)
        left = sorted(range(first, int(root.count)), key=lambda index: (index >= int(root.next), -int(order[index])))
        for index in left:
            move = self.entries.move(self.own.moves[0, index])
            if self.entries.after(self.state, move) is not None:
                self.best = score, (move,)
                return

    def _note_depth(self, depth: int, nodes: int, seconds: float, whole: bool) -> None:
        """Record the result of a depth for the report."""
        assert self.best is not None
        self.depths.append(Deepened(depth, nodes, seconds, self._score_text(self.best[0]), self._texts(self.best[1]),
                                    whole))

    def _take_deepest(self) -> None:
        """Take the result of a helper thread that searched deeper, or found a forced result or every line's end."""
        deepest = self.search.helpers.deepest
        if deepest is None or self._decided():
            return
        ends = deepest.complete or abs(deepest.score) > MOST
        if self.depths and not ends and deepest.depth < self.depths[-1].depth + self.depths[-1].whole:
            return
        self.depths = [depth for depth in self.depths if depth.depth < deepest.depth]
        self.best = deepest.score, tuple(self.entries.move(move) for move in deepest.line)
        self.whole, self.complete = True, deepest.complete
        self._note_depth(deepest.depth, deepest.nodes, deepest.seconds, True)

    def _lost_by_choice(self) -> bool:
        """If only proposed moves were searched at the root, and none or only losing ones, make the root search all
        moves; whether it must be searched again."""
        settings, root = self.own.settings[0], self.own.frames[0]
        if settings.choosing_first != native.PROPOSED or (root.best >= -MOST and self.own.lengths[0] > 0):
            return False
        settings.choosing_first = native.PROPOSED_FIRST
        root.alpha, root.beta = -INFINITE, INFINITE
        return True

    def _search(self, own: native.Search, limit: int) -> int:
        """Search with the arrays `own` until `limit` nodes were visited in all; see `solver.native.pvs.search`."""
        return runtime.compiled_entry(pvs.search)(*self.functions, own, limit)

    def _run(self) -> bool | None:
        """Search one depth, and return whether it was completed within the limit; None where the arrays were too small.
        """
        most = self.limit.nodes or 1 << 62
        batch = _FIRST_BATCH
        try:
            while True:
                goal = min(most, self._nodes() + batch)
                clock = self.limit.now()
                state = self._search(self.own, goal)
                now = self.limit.now()
                if state == native.DONE:
                    return True
                if state == native.FAIL:
                    self.entries.make_room(self.own.rows[int(self.own.state[0].failed)])
                    return None
                if self._nodes() >= most or int(self.own.halted[0]):
                    return False
                if self.limit.time is not None and now - self.started >= self.limit.time:
                    self.cut = self.limit.cut(now - self.started, self._progress())
                    return False
                if self.progress is not None:
                    self.progress(self._report())
                batch = self.limit.batch(batch, now - clock, now - self.started, _FIRST_BATCH)
        except KeyboardInterrupt:
            self.interrupted = True
            return False

    def counts(self) -> dict[str, int]:
        """The counts of all threads together so far."""
        return self.search.helpers.counts(self.own)

    def _nodes(self) -> int:
        """Positions that this thread searched so far."""
        return value_of(self.own.counts, native.Counts, "nodes")

    def _progress(self) -> str:
        """The depth and the node count that the search has reached, as text."""
        plies, nodes = self.given.plies, self.given.nodes
        depth = f"in depth {int(self.own.frames[0].depth)}" + ("" if plies is None else f" of {plies}")
        return depth if nodes is None else f"{depth}, at {self.counts()['nodes']:,} of {nodes:,} nodes"

    def _take(self) -> None:
        """Take over the root's score and principal variation."""
        length = int(self.own.lengths[0])
        moves = tuple(self.entries.move(self.own.lines[0, index]) for index in range(length))
        if moves:
            self.best = int(self.own.frames[0].best), moves
            self.complete = bool(self.own.frames[0].complete)

    def _decided(self) -> bool:
        """Whether the last depth was completed with a forced result, or with every line searched to its end."""
        return self.best is not None and self.whole and (self.complete or abs(self.best[0]) > MOST)

    def _settled(self) -> bool:
        """Whether to stop deepening: the result is decided, or too little time is left for another depth."""
        if self._decided():
            return True
        spent = self.limit.now() - self.started
        return self.limit.seconds is not None and spent > self.limit.begun * self.limit.seconds

    # ---- results

    def _ending(self, score: int) -> tuple[int, int] | None:
        """Who wins by force, and in how many plies; None where the search found no forced result."""
        mover = self.state.to_move
        if abs(score) <= MOST or (self.selective and abs(score) != WIN - 1):
            return None
        if score > 0:
            return mover, WIN - score
        if self.outgrowing or not self.whole:
            return None  # moves that were not searched may not lose
        return (1 - mover if self.entries.players == 2 else -1), WIN + score

    def _score_text(self, score: int) -> str:
        ending = self._ending(score)
        if ending is not None:
            name = self.entries.game.outcome_name(ending[0]) or "draw"
            return f"{'cannot be won' if name == 'draw' else expected(name)} in {ending[1]}"
        if abs(score) > MOST:  # among the moves that were searched
            return f"{'wins' if score > 0 else 'loses'} in {WIN - abs(score)}, it seems"
        return f"{score:+,}" if score else "0"

    def _texts(self, moves: tuple[Move, ...]) -> tuple[str, ...]:
        return self.line.texts(moves)

    def _report(self) -> Report:
        counts = self.counts()
        score, line = (self._score_text(self.best[0]), self._texts(self.best[1])) if self.best else ("", ())
        return Report(
            "alphabeta", counts["nodes"], self.limit.now() - self.started, score, line,
            leaves=counts["leaves"] + counts["ends"], ends=counts["ends"],
            moves=counts["offered"],
            pruned={"bounds": counts["cuts"], "bounds at the first move": counts["first_cuts"],
                    "the table": counts["table_cuts"], "the value": counts["foreseen"],
                    "repetition": counts["loops"],
                    "rules that take moves back": counts["taken_back"]},
            table={"places": len(self.search._table),
                   "used": min(self.used_before + counts["stored"], len(self.search._table)),
                   "asked": counts["probes"], "hits": counts["hits"],
                   "replaced": counts["replaced"]},
            depths=tuple(self.depths), interrupted=self.interrupted, cut=self.cut)

    def _found(self) -> Found:
        assert self.best is not None
        self.search._used = self.used_before + self.counts()["stored"]
        score, line = self.best
        ending: tuple[int | None, int | None] | None = self._ending(score)
        followed = self.depths and self.depths[-1].whole and self.complete
        if ending is None and followed and not self.outgrowing and not self.interrupted:
            ending = -1, None  # every line was searched to its end
        winner, remoteness = ending or (None, None)
        return Found(line[0], score, winner, remoteness, self._report())
