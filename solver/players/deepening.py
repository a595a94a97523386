"""Playing well where a game is too large to solve: alpha-beta, one ply deeper each time, with the game's `value`.

`Deepening` searches a position until a limit of plies, nodes or seconds, or until the end of every line is seen. The
same position, limit and seed give the same move and count, unless the limit is a time. The work is done in
`solver.native.deepening`, in portions between which time is looked at and whoever waits is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from interpreter.model.state import Move, State
from interpreter.wording import expected
from solver.entries import Entries, Line
from solver.report import Deepened, Report

MOST_PLIES = 100
"""No search goes deeper."""
PLIES_BEFORE_SWAP = 3
"""No search goes deeper for a move after which sides may be swapped: all moves are looked at, to find a fair one."""
_PORTION = 0.05
"""Seconds between two looks at the clock."""
_FIRST_PORTION = 2_000
BEGUN = 0.6
"""The share of its seconds after which a search begins no further depth: few of these would be searched whole."""
TABLE_MIB = 64
"""Memory of the transposition table."""


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
            if number is not None and number <= 0:
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


class Deepening:
    """Searches positions of a game; keeps its table from one to the next."""

    def __init__(self, entries: Entries, *, table_mib: int = TABLE_MIB, choosing: Choosing | None = None,
                 valued: bool = True) -> None:
        """Without `valued` every position that is not over counts 0, so that only forced ends are found."""
        self.choosing = choosing or Choosing()
        self.valued = valued
        if entries.players > 2:
            raise ValueError(f"the game has {entries.players} players; alpha-beta plays games for one or two")
        from solver.native import deepening, table

        self.entries = entries
        self._native = deepening
        places = 1 << 12
        width = 8 * (entries.packed_width + table.DATA)
        while places * 2 * width <= table_mib << 20:
            places *= 2
        self._keys = entries.words(places, entries.packed_width)
        self._data = entries.numbers(places, table.DATA)
        self._history = entries.numbers(deepening.HISTORY_SIZE)
        self._used = 0
        self._age = 0
        self._past: list[State] = []

    def forget(self) -> None:
        """Empty the table, so that the next search does not depend on those before."""
        self._data[:] = 0
        self._history[:] = 0
        self._used = self._age = 0

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0,
               progress: Callable[[Report], None] | None = None, first: int = 1,
               losing: Sequence[Move] = ()) -> Found:
        """The best move of a position that is not over, as far as the limit lets it be seen.

        `history` has the positions before it, where the rules say what a repetition does; `progress` is told after each
        portion. The first search goes `first` plies deep. Moves that are known to be `losing` are not looked
        at in this position; there must be others. An interruption (KeyboardInterrupt) ends the search where it is.
        Raises RuleError where a rule fails.
        """
        if state.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        while True:
            run = _Run(self, state, limit, history, seed, progress, first, losing)
            found = run.find()
            if found is not None:
                return found


class _Run:
    """One search."""

    def __init__(self, search: Deepening, state: State, limit: Limit, history: Sequence[State], seed: int,
                 progress: Callable[[Report], None] | None, first: int, losing: Sequence[Move]) -> None:
        self.search, self.state, self.limit, self.progress = search, state, limit, progress
        self.losing = losing
        self.entries, self.native = search.entries, search._native
        native, entries = self.native, self.entries
        self.most = min(limit.plies or MOST_PLIES, MOST_PLIES)
        self.first = min(first, self.most)
        levels = self.most + 2
        room = entries.room
        width = entries.move_width + 2  # patterns add their number and their priority
        self.rows = entries.words(levels, entries.width)
        self.rows[0] = entries.row(state)
        self.moves = entries.numbers(levels, room, width)
        self.frames = entries.numbers(levels, native.FRAME)
        self.lines = entries.numbers(levels, levels, width)
        self.lengths = entries.numbers(levels)
        self.counters = entries.numbers(native.COUNTERS)
        layout = entries.kernel.assembled.layout
        settings = self.settings = entries.numbers(native.SETTINGS)
        rules = entries.game.rules
        settings[native.TO_MOVE], settings[native.OUTCOME] = layout.to_move, layout.outcome
        settings[native.FAILURE] = layout.failed
        settings[native.PLAYERS] = entries.players
        settings[native.CYCLIC] = entries.cyclic
        settings[native.REPEATING] = {"loses": native.LOSES, "forbidden": native.FORBIDDEN}.get(
            rules.repetition, native.DRAWS)
        settings[native.STUCK] = {"loses": 1, "wins": 2}.get(rules.no_moves, 0)
        search._age = (search._age + 1) & 0xFF
        settings[native.AGE], settings[native.SEED] = search._age, seed & (1 << 62) - 1
        past = [before for before in history if before != state] if entries.cyclic else []
        settings[native.HISTORY] = len(past)
        ruled = entries.cyclic and rules.repetition is not None
        settings[native.UNTABLED] = int(ruled and rules.repetition != "draws" and not search.valued)
        if ruled and search._past != past:  # what was stored may hold for another history only
            search._past = past
            search._data[:] = 0
            search._used = 0
        self.selective = self._choose()
        before = entries.words(1, entries.width)
        before[0] = entries.row(history[-1] if history and history[-1] != state else state)
        proposing = search.choosing.which in ("proposed", "proposed first")
        self.packed = entries.words(levels, entries.packed_width)
        entries.pack_row(self.rows[0], self.packed[0])
        self.arguments: tuple[Any, ...] = (
            entries.offer, entries.candidates if proposing else native.none_proposed, entries.step,
            entries.value_of if search.valued else native.no_value, entries.pack_row, self.rows, before,
            entries.numbers(room, width), entries.entry_rows(), entries.scratch(), self.moves,
            entries.numbers(levels, room), self.frames, entries.numbers(levels, 2), search._history, self.packed,
            search._keys, search._data, self.lines, self.lengths, entries.packed(past), self._left_out(),
            self.counters, settings)
        self.started = time.perf_counter()
        self.line = Line(entries, state)
        self.depths: list[Deepened] = []
        self.best: tuple[int, tuple[Move, ...]] | None = None
        """The score and the line found last."""
        self.used_before = search._used
        self.cut = ""
        """Where the ceiling of the limit ended the search."""

    def _left_out(self) -> Any:
        """The moves that are not looked at in the root; a line for each, and one of no move where there are none."""
        found = self.entries.numbers(max(1, len(self.losing)), self.entries.move_width)
        found[0, 0] = self.native.NO_MOVE
        for line, move in zip(found, self.losing, strict=False):
            line[:] = self.entries.kernel.coded(move)
        return found

    def _choose(self) -> bool:
        """Say which moves are looked at; whether some are not."""
        native, settings, choosing = self.native, self.settings, self.search.choosing
        which = {"all": native.EVERY, "proposed": native.PROPOSED, "proposed first": native.PROPOSED_FIRST,
                 "by chance": native.BY_CHANCE}[choosing.which]
        settings[native.CHOOSING] = settings[native.CHOOSING_FIRST] = which
        settings[native.WIDTH] = choosing.width or 0
        if which == native.PROPOSED and self._may_be_swapped():
            settings[native.CHOOSING_FIRST] = native.EVERY
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
        native, counters = self.native, self.counters
        for depth in range(self.first, self.most + 1):
            before, clock = int(counters[native.NODES]), time.perf_counter()
            root = self.frames[0]
            root[native.DEPTH], root[native.ALPHA], root[native.BETA] = depth, -native.INFINITE, native.INFINITE
            counters[native.STATE], counters[native.PLY] = native.ENTER, 0
            whole = self._run()
            if whole and self._lost_by_choice():
                counters[native.STATE] = native.ENTER
                whole = self._run()
            if whole is None:
                return None
            if whole or (root[native.BEST] > -native.INFINITE and root[native.BEST_MOVE] != 0):
                self._take()
            if self.best is not None:
                nodes = int(counters[native.NODES]) - before
                self.depths.append(Deepened(depth, nodes, time.perf_counter() - clock, self._score_text(self.best[0]),
                                            self._texts(self.best[1]), whole))
            if not whole or self._settled(depth):
                break
        if self.best is None:  # not one move was valued: the first one that is legal
            left = set(self.losing)
            self.best = 0, (next(move for move in self.entries.game.engine.legal(self.state) if move not in left),)
        return self._found()

    def _lost_by_choice(self) -> bool:
        """Whether all moves that were looked at lose, and there are others: from now on all are looked at first."""
        native, settings, root = self.native, self.settings, self.frames[0]
        if settings[native.CHOOSING_FIRST] != native.PROPOSED or root[native.BEST] >= -native.MOST:
            return False
        settings[native.CHOOSING_FIRST] = native.PROPOSED_FIRST
        root[native.ALPHA], root[native.BETA] = -native.INFINITE, native.INFINITE
        return True

    def _run(self) -> bool | None:
        """Search to the end of a depth. Whether that was reached within the limit; None where room was too little."""
        native, counters = self.native, self.counters
        most = self.limit.nodes or 1 << 62
        portion = _FIRST_PORTION
        try:
            while True:
                goal = min(most, int(counters[native.NODES]) + portion)
                clock = time.perf_counter()
                state = native.search(*self.arguments, goal)
                now = time.perf_counter()
                if state == native.DONE:
                    return True
                if state == native.FAIL:
                    row = self.rows[int(counters[native.FAILED])]
                    self.entries.make_room(row)
                    return None
                if counters[native.NODES] >= most:
                    return False
                if self.limit.time is not None and now - self.started >= self.limit.time:
                    self.cut = self.limit.cut(now - self.started, self._progress())
                    return False
                if self.progress is not None:
                    self.progress(self._report())
                left = _PORTION if self.limit.time is None else self.limit.time - (now - self.started)
                portion = max(64, int(portion * min(4.0, min(_PORTION, left) / max(now - clock, 1e-6))))
        except KeyboardInterrupt:
            return False

    def _progress(self) -> str:
        """How far the search is, in words."""
        plies, nodes = self.limit.plies, self.limit.nodes
        depth = f"in depth {int(self.frames[0][self.native.DEPTH])}" + ("" if plies is None else f" of {plies}")
        return depth if nodes is None else f"{depth}, at {int(self.counters[self.native.NODES]):,} of {nodes:,} nodes"

    def _take(self) -> None:
        """Note the root's score and line."""
        native = self.native
        length = int(self.lengths[0])
        moves = tuple(self.entries.move(self.lines[0, place]) for place in range(length))
        if moves:
            self.best = int(self.frames[0][native.BEST]), moves

    def _settled(self, depth: int) -> bool:
        """Whether to look deeper would change nothing: the end of all lines was seen, or there is no time for it."""
        native = self.native
        assert self.best is not None
        if self.frames[0][native.COMPLETE] or abs(self.best[0]) > native.MOST:
            return True
        spent = time.perf_counter() - self.started
        return self.limit.seconds is not None and spent > self.limit.begun * self.limit.seconds

    # ---- what was found

    def _ending(self, score: int) -> tuple[int, int] | None:
        """Who wins by force and in how many plies, where that was seen."""
        native = self.native
        mover = self.state.to_move
        if abs(score) <= native.MOST or (self.selective and abs(score) != native.WIN - 1):
            return None
        if score > 0:
            return mover, native.WIN - score
        return (1 - mover if self.entries.players == 2 else -1), native.WIN + score

    def _score_text(self, score: int) -> str:
        ending = self._ending(score)
        if ending is not None:
            name = self.entries.game.outcome_name(ending[0]) or "draw"
            return f"{'cannot be won' if name == 'draw' else expected(name)} in {ending[1]}"
        if abs(score) > self.native.MOST:  # by the moves that were looked at
            return f"{'wins' if score > 0 else 'loses'} in {self.native.WIN - abs(score)}, it seems"
        return f"{score:+,}" if score else "0"

    def _texts(self, moves: tuple[Move, ...]) -> tuple[str, ...]:
        return self.line.texts(moves)

    def _report(self) -> Report:
        native, counters = self.native, [int(number) for number in self.counters]
        score, line = (self._score_text(self.best[0]), self._texts(self.best[1])) if self.best else ("", ())
        return Report(
            "alphabeta", counters[native.NODES], time.perf_counter() - self.started, score, line,
            leaves=counters[native.LEAVES] + counters[native.ENDS], ends=counters[native.ENDS],
            moves=counters[native.OFFERED],
            pruned={"bounds": counters[native.CUTS], "bounds at the first move": counters[native.FIRST_CUTS],
                    "the table": counters[native.TABLE_CUTS], "repetition": counters[native.LOOPS],
                    "rules that take moves back": counters[native.TAKEN_BACK]},
            table={"places": len(self.search._data), "used": self.used_before + counters[native.STORED],
                   "asked": counters[native.PROBES], "hits": counters[native.HITS],
                   "replaced": counters[native.REPLACED]},
            depths=tuple(self.depths), cut=self.cut)

    def _found(self) -> Found:
        assert self.best is not None
        native = self.native
        self.search._used = self.used_before + int(self.counters[native.STORED])
        score, line = self.best
        ending: tuple[int | None, int | None] | None = self._ending(score)
        if ending is None and self.depths and self.depths[-1].whole and self.frames[0][native.COMPLETE]:
            ending = -1, None  # every line was followed to its end
        winner, remoteness = ending or (None, None)
        return Found(line[0], score, winner, remoteness, self._report())
