"""Playing well where a game is too large to solve: alpha-beta, one ply deeper each time, with the game's `value`.

`Deepening` searches a position until a limit of plies, nodes or seconds, or until the end of every line is seen. The
same position, limit and seed give the same move and count, unless the limit is a time or several threads search. The
work is done in `solver.native.pvs`, in portions between which time is looked at and whoever waits is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.arrays import Numbers
from interpreter.model.state import Move, State
from interpreter.wording import expected
from solver.entries import Entries, Line
from solver.native import pvs, runtime
from solver.native import pvs_state as native
from solver.native.functions import Lines
from solver.native.ordering import HISTORY
from solver.native.records import native_records, value_of
from solver.native.scores import INFINITE, MOST, WIN
from solver.players.lazy_smp import BUSY, Helpers
from solver.report import Deepened, Report

if TYPE_CHECKING:
    from solver.learning.trained import Trained

MOST_PLIES = 100
"""No search goes deeper."""
PLIES_BEFORE_SWAP = 3
"""No search goes deeper for a move after which sides may be swapped: all moves are looked at, to find a fair one."""
_PORTION = 0.05
"""Seconds between two looks at the clock."""
_FIRST_PORTION = 64
BEGUN = 0.6
"""The share of its seconds after which a search begins no further depth: few of these would be searched whole."""
TABLE_MIB = 64
"""Memory of the transposition table."""
LONG = 16
"""The table has fingerprints of packed positions of more words, and others themselves. It has room for eight times as
many then where they take 50 words."""
FINGERPRINT = 2
"""Words of a fingerprint."""


@attrs.frozen
class Limit:
    """How far a search goes: the first limit that is met ends it; None for none."""

    plies: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    """The time for the search: the next depth is not begun where it would hardly be searched in what is left."""
    begun: float = BEGUN
    """The share of the seconds after which no deeper search is begun."""
    ceiling: float | None = None
    """Seconds after which the search is cut off, wherever it is, which its report says."""
    processor: bool = False
    """Whether seconds are the processor's, of the thread that searches, not the clock's."""

    def now(self) -> float:
        """The time by which seconds are counted."""
        return time.thread_time() if self.processor else time.perf_counter()

    def shared(self, threads: int) -> Limit:
        """What each of so many threads may take: nodes, and seconds of the processor, are divided among them."""
        if threads == 1:
            return self
        seconds = self.seconds / threads if self.seconds is not None and self.processor else self.seconds
        return attrs.evolve(self, nodes=None if self.nodes is None else -(-self.nodes // threads), seconds=seconds)

    @property
    def time(self) -> float | None:
        """Seconds after which the search ends for certain, None for none."""
        return min((seconds for seconds in (self.seconds, self.ceiling) if seconds is not None), default=None)

    def cut(self, seconds: float, done: str) -> str:
        """What a report says of a search that took so long, where it was the ceiling that ended it; '' else."""
        at_ceiling = self.ceiling is not None and seconds >= self.ceiling and self.time == self.ceiling
        return f"after {self.ceiling:g} s, {done}" if at_ceiling else ""

    def __attrs_post_init__(self) -> None:
        """Refuse what no search could keep to."""
        for name, number in attrs.asdict(self).items():
            if number is not None and number is not False and number <= 0:
                raise ValueError(f"the limit {name} is {number}, expected more than 0")


@attrs.frozen
class Choosing:
    """Which moves a search looks at. All of them need no patterns; where patterns propose none, all are looked at."""

    which: str = "all"
    """`all`; `proposed`: those that patterns propose; `proposed first`: all, and these before the others; `by chance`:
    some."""
    width: int | None = None
    """At most so many in a position, the best by the patterns; None for all. Moves by chance need it."""


@attrs.frozen
class Margins:
    """By plies that are left, from 1 on: the least and the most that a search adds to a value, in most positions.

    `solver.players.margins` measures them.
    """

    pairs: tuple[tuple[int, int], ...] = ()
    whole: bool = attrs.field(default=True, eq=False)
    """Whether no limit of time ended the measuring, which another machine may not meet."""

    def table(self, entries: Entries) -> Lines:
        """int64[plies + 1, 2] for `solver.native.pvs`; of no plies where nothing is left out."""
        result = entries.numbers(len(self.pairs) + 1 if self.pairs else 0, 2)
        for plies, pair in enumerate(self.pairs, 1):
            result[plies] = pair
        return result


@attrs.frozen
class Found:
    """What a search found in a position."""

    move: Move
    score: int
    """For the player to move: the game's `value` at the end of the best line, or `WIN` less plies."""
    winner: int | None
    """Who wins by force, -1 for a draw; None where it was not seen."""
    remoteness: int | None
    """Plies to that end."""
    report: Report


def interrupted(found: Found) -> Found:
    """The same, as a search found it that an interruption ended."""
    return attrs.evolve(found, report=attrs.evolve(found.report, interrupted=True))


class Deepening:
    """Searches positions of a game; keeps its table from one to the next."""

    def __init__(self, entries: Entries, *, table_mib: int = TABLE_MIB, choosing: Choosing | None = None,
                 valued: bool = True, trained: Trained | None = None, late: int = 0,
                 margins: Margins | None = None, threads: int = 1) -> None:
        """Without `valued` every position that is not over counts 0, so that only forced ends are found.

        What was `trained` values positions instead of the game's `value`. Moves after the first `late` of a position
        are searched less deep first, and as deep as the others only where they seem better than these; 0 for none.
        Positions whose value is outside of the `margins` are not searched further. Each search is done by so many
        `threads`, as `lazy_smp` says.

        Compiles all that searches will call.
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
        """Whether what was found serves the search of another position: not where it hangs on how often positions were
        met before."""
        return not (self.entries.cyclic and self.entries.game.rules.repetition is not None)

    def forget(self) -> None:
        """Empty the table, so that the next search does not depend on those before."""
        self._table[:] = 0
        self._history[:] = 0
        self.helpers.forget()
        self._used = self._age = 0

    def value(self, state: State) -> int:
        """What a position that is not over is worth for its player to move, without a search."""
        run = _Run(self, state, Limit(plies=1), (), 0, None, 1, ())
        return int(runtime.compiled_entry(pvs.value_at_root)(run.functions[3], run.own))

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
               progress: Callable[[Report], None] | None = None, first: int = 1,
               losing: Sequence[Move] = (), halted: Numbers | None = None) -> Found:
        """The best move of a position that is not over, as far as the limit lets it be seen.

        `history` has the positions before it, where the rules say what a repetition does; `progress` is told after each
        portion. The first search goes `first` plies deep. Moves that are known to be `losing` are not looked
        at in this position; there must be others. Another thread ends the search where it is by writing anything but 0
        in `halted` (int64[1]); an interruption (KeyboardInterrupt) does so too, which its report says. Raises RuleError
        where a rule fails.
        """
        if state.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        outgrowing = self.entries.outgrowing(state)
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
        """The score and the line found last,"""
        self.whole = True
        """and whether all moves were looked at as deep: else others may be better."""
        self.used_before = search._used
        self.complete = False
        """Whether all play was followed to its end."""
        self.cut = ""
        """Where the ceiling of the limit ended the search."""
        self.interrupted = False

    def _fix_settings(self, seed: int, past: list[State]) -> None:
        """Say what is fixed in the search."""
        search, entries, settings = self.search, self.entries, self.own.settings[0]
        layout, rules = entries.kernel.assembled.layout, entries.game.rules
        search._age = (search._age + 1) & 0xFF
        settings.to_move, settings.outcome, settings.failure = layout.to_move, layout.outcome, layout.failed
        settings.outgrown = entries.outgrown
        settings.late, settings.fingerprinted = search.late, int(search._fingerprinted)
        settings.players, settings.cyclic = entries.players, int(entries.cyclic)
        settings.repeating = entries.repeating
        settings.stuck = {"loses": 1, "wins": 2}.get(rules.no_moves or "", 0)
        settings.age, settings.seed, settings.history = search._age, seed & (1 << 62) - 1, len(past)
        ruled = not search.keeps
        losing = rules.repetition != "draws" and entries.game.repetition.simple
        settings.untabled = int(ruled and losing and not search.valued)
        if ruled and search._past != past:  # what was stored may hold for another history only
            search._past = past
            search._table[:] = 0
            search._used = 0

    def _left_out(self) -> Lines:
        """The moves that are not looked at in the root; a line for each, and one of no move where there are none."""
        result: Lines = self.entries.numbers(max(1, len(self.left_out)), self.entries.move_width)
        result[0, 0] = native.NO_MOVE
        for line, move in zip(result, self.left_out, strict=False):
            line[:] = self.entries.kernel.coded(move)
        return result

    def _choose(self) -> bool:
        """Say which moves are looked at; whether some are not."""
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
        """Whether the next player may swap sides, so that no good move is wanted, but a fair one."""
        game = self.entries.game
        if not game.rules.pies:
            return False
        after = game.engine.apply(self.state, game.engine.legal(self.state)[0])
        return after is not None and after.outcome is None and game.engine.swap_rule(after) is not None

    def find(self) -> Found | None:
        """Search one ply deeper after the other; None where there was too little room and it begins again."""
        helpers = self.search.helpers
        try:
            helpers.begin(self.own, self._search, self.first, self.most, self.limit.nodes)
            enough = self._deepen()
        except KeyboardInterrupt:
            enough = self.interrupted = True
        finally:
            try:
                helpers.end()
            except KeyboardInterrupt:
                self.interrupted = True
        helpers.check()
        if not enough:
            return None
        self._take_deepest()
        if self.best is None:  # not one move was valued: the first one that is legal
            self.best = 0, (self._first_move(),)
        return self._found()

    def _first_move(self) -> Move:
        """The first legal move that is not left out, or at least can be made."""
        legal = self.entries.game.engine.legal(self.state)
        return next((move for left in (self.left_out, self.outgrowing) for move in legal if move not in left), legal[0])

    def _deepen(self) -> bool:
        """Search until a limit, or the end of all lines; False where there was too little room."""
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
        """Note what a depth found."""
        assert self.best is not None
        self.depths.append(Deepened(depth, nodes, seconds, self._score_text(self.best[0]), self._texts(self.best[1]),
                                    whole))

    def _take_deepest(self) -> None:
        """Take what a helper found, where it looked deeper, or saw the end."""
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
        """Whether all moves that were looked at lose, if any was, and there are others: now all are looked at first."""
        settings, root = self.own.settings[0], self.own.frames[0]
        if settings.choosing_first != native.PROPOSED or (root.best >= -MOST and self.own.lengths[0] > 0):
            return False
        settings.choosing_first = native.PROPOSED_FIRST
        root.alpha, root.beta = -INFINITE, INFINITE
        return True

    def _search(self, own: native.Search, limit: int) -> int:
        """Search with some arrays until so many nodes were visited; see `solver.native.pvs.search`."""
        return runtime.compiled_entry(pvs.search)(*self.functions, own, limit)

    def _run(self) -> bool | None:
        """Search to the end of a depth. Whether that was reached within the limit; None where room was too little."""
        most = self.limit.nodes or 1 << 62
        portion = _FIRST_PORTION
        try:
            while True:
                goal = min(most, self._nodes() + portion)
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
                left = _PORTION if self.limit.time is None else self.limit.time - (now - self.started)
                portion = max(64, int(portion * min(4.0, min(_PORTION, left) / max(now - clock, 1e-6))))
        except KeyboardInterrupt:
            self.interrupted = True
            return False

    def counts(self) -> dict[str, int]:
        """What all threads counted so far."""
        return self.search.helpers.counts(self.own)

    def _nodes(self) -> int:
        """Positions that this thread searched so far."""
        return value_of(self.own.counts, native.Counts, "nodes")

    def _progress(self) -> str:
        """How far the search is, in words."""
        plies, nodes = self.given.plies, self.given.nodes
        depth = f"in depth {int(self.own.frames[0].depth)}" + ("" if plies is None else f" of {plies}")
        return depth if nodes is None else f"{depth}, at {self.counts()['nodes']:,} of {nodes:,} nodes"

    def _take(self) -> None:
        """Note the root's score and line."""
        length = int(self.own.lengths[0])
        moves = tuple(self.entries.move(self.own.lines[0, index]) for index in range(length))
        if moves:
            self.best = int(self.own.frames[0].best), moves
            self.complete = bool(self.own.frames[0].complete)

    def _decided(self) -> bool:
        """Whether the last depth was searched whole, and the end was seen."""
        return self.best is not None and self.whole and (self.complete or abs(self.best[0]) > MOST)

    def _settled(self) -> bool:
        """Whether to look deeper would change nothing: the end of all lines was seen, or there is no time for it."""
        if self._decided():
            return True
        spent = self.limit.now() - self.started
        return self.limit.seconds is not None and spent > self.limit.begun * self.limit.seconds

    # ---- what was found

    def _ending(self, score: int) -> tuple[int, int] | None:
        """Who wins by force and in how many plies, where that was seen."""
        mover = self.state.to_move
        if abs(score) <= MOST or (self.selective and abs(score) != WIN - 1):
            return None
        if score > 0:
            return mover, WIN - score
        if self.outgrowing or not self.whole:
            return None  # others may not lose
        return (1 - mover if self.entries.players == 2 else -1), WIN + score

    def _score_text(self, score: int) -> str:
        ending = self._ending(score)
        if ending is not None:
            name = self.entries.game.outcome_name(ending[0]) or "draw"
            return f"{'cannot be won' if name == 'draw' else expected(name)} in {ending[1]}"
        if abs(score) > MOST:  # by the moves that were looked at
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
            ending = -1, None  # every line was followed to its end
        winner, remoteness = ending or (None, None)
        return Found(line[0], score, winner, remoteness, self._report())
