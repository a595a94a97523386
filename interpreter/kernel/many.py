"""Batches of positions: applies a kernel's functions to arrays of rows, on several cores.

`Batch.of(game)` compiles; `states` are NumPy arrays of uint64, a row for each position in the layout of
`interpreter.compiler.lowering.layout`. Rows are divided among threads, which run in parallel because kernels release
the interpreter lock. Results do not depend on the number of threads: every row has its own seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import attrs

from interpreter.arrays import Numbers, Truths, Words
from interpreter.compiler.lowering.layout import GOING
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import By, Kernel
from interpreter.kernel.numbering import Numbering
from interpreter.kernel.plain import FIRST_FACTOR, SECOND_FACTOR, STEP
from interpreter.model.state import State
from interpreter.model.state_maps import StateMap
from interpreter.semantics.limits import MOST_MOVES, too_many_moves_of

_LEAST = 32
"""The least number of rows of one job of a thread."""
_SHARES = 4
"""The number of jobs per thread that rows are divided into, as rows differ in the time they take."""
_ROOM = 1 << 14
"""The initial room for moves."""
_CHANCE = 0x6368616E6365
"""Combined with the seed, so that the sequences of chance differ from those of the players' random moves."""
_TRIES = 200
"""The most games that are started for each wanted position to find one that lasts long enough."""


def seeds_of(seed: int, count: int) -> Words:
    """Seeds for `count` games: the words that SplitMix64 generates from a seed. uint64[count]."""
    import numpy as np

    return scrambled(np.uint64(int(seed) % (1 << 64)) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(STEP))


def chance_seeds(seed: int, count: int) -> Words:
    """Seeds of the sequences of chance for `count` games, independent of those of `seeds_of`."""
    return seeds_of(int(seed) ^ _CHANCE, count)


def scrambled(words: Words) -> Words:
    """The random words that SplitMix64 outputs for the given states."""
    import numpy as np

    words = (words ^ words >> np.uint64(30)) * np.uint64(FIRST_FACTOR)
    words = (words ^ words >> np.uint64(27)) * np.uint64(SECOND_FACTOR)
    return words ^ words >> np.uint64(31)


@lru_cache(maxsize=4)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="dslgame")


@attrs.frozen(eq=False)
class Listed:
    """The legal moves of many positions: those of position i are `moves[offsets[i]:offsets[i + 1]]`.

    A move is a row of int64: the number of its rule, the number of its values, the values, and unused padding.
    """

    moves: Numbers
    offsets: Numbers

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> Numbers:
        """The moves of one position."""
        if not -len(self) <= number < len(self):
            raise IndexError(f"position {number} of {len(self)}")
        number %= len(self)
        return self.moves[self.offsets[number] : self.offsets[number + 1]]

    @property
    def counts(self) -> Numbers:
        """The number of legal moves of each position."""
        return self.offsets[1:] - self.offsets[:-1]


@attrs.define(eq=False)
class Batch:
    """A compiled game, applied to many positions at once by `threads` threads.

    Methods take `states`, uint64[positions, width]. A method that changes them in place says so; they must then be
    contiguous and writeable, as the arrays returned here are. Raises RuleError where a rule fails in some position.
    """

    kernel: Kernel
    threads: int = 1
    _room: int = _ROOM
    _start: Words | None = attrs.field(default=None, init=False)
    _tables: dict[Numbering, tuple[Numbers, ...]] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        if not self.kernel.native:
            raise ValueError("a kernel for many positions must be compiled: Kernel.of(game), native=True")
        if self.threads < 1:
            raise ValueError(f"threads={self.threads}, expected at least 1")

    @classmethod
    def of(cls, game: Game, *, threads: int = 1) -> Batch:
        """Compile a game. Raises NotLowered where the compiler does not support a rule."""
        return cls(Kernel.of(game), threads)

    @property
    def game(self) -> Game:
        """The game."""
        return self.kernel.game

    @property
    def width(self) -> int:
        """The number of words of a position."""
        return self.kernel.assembled.layout.width

    # ---- states

    def starts(self, count: int) -> Words:
        """The initial position, repeated `count` times."""
        import numpy as np

        if self._start is None:
            self._start = self.kernel.start()[None]
        return np.repeat(self._start, count, axis=0)

    def rows(self, states: Iterable[State]) -> Words:
        """The rows of interpreter states."""
        import numpy as np

        result = [self.kernel.row(state) for state in states]
        return np.array(result, np.uint64) if result else np.zeros((0, self.width), np.uint64)

    def states(self, rows: Words) -> list[State]:
        """The interpreter states of rows."""
        return [self.kernel.state(row) for row in rows]

    def outcomes(self, states: Words) -> Numbers:
        """The outcome of each game: -2 while it goes on, -1 for a draw, else the number of the player who won."""
        return self._number(states, self.kernel.assembled.layout.outcome)

    def over(self, states: Words) -> Truths:
        """Which games have ended."""
        result: Truths = self.outcomes(states) != GOING
        return result

    def to_move(self, states: Words) -> Numbers:
        """The number of the player to move in each position."""
        return self._number(states, self.kernel.assembled.layout.to_move)

    def _number(self, states: Words, place: int) -> Numbers:
        import numpy as np

        return self._checked(states)[:, place].astype(np.int64)

    # ---- rules

    def legal(self, states: Words, *, threads: int | None = None) -> Listed:
        """The legal moves of each position, in the interpreter's order."""
        import numpy as np

        states = self._checked(states)
        counts = np.zeros(len(states), np.int64)
        parts: dict[int, Numbers] = {}

        def work(first: int, last: int) -> None:
            room = self._room
            while first < last:
                result = self._moves(room)
                stopped = self.kernel.functions["legal_many"](states, first, last, self._entries(), result, counts)
                parts[first] = result[: counts[first:stopped].sum()]
                if stopped < last:
                    room = self._failed(states, stopped, room, grow=stopped == first)
                first = stopped

        self._share(work, len(states), threads)
        offsets = np.zeros(len(states) + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        moves = [parts[first] for first in sorted(parts)]
        return Listed(np.concatenate(moves) if moves else self._moves(0), offsets)

    def counts(self, states: Words, *, threads: int | None = None) -> Numbers:
        """The number of legal moves of each position."""
        import numpy as np

        counts = np.zeros(len(states), np.int64)
        self._run("count_many", states, lambda room: (self._entries(), self._moves(room), counts), threads)
        return counts

    def chosen(self, states: Words, numbers: Numbers | Sequence[int], *, threads: int | None = None) -> Numbers:
        """The legal move of each position with the given number, counted from 0 in the order of `legal`.

        Raises IndexError where a position has no such move.
        """
        import numpy as np

        numbers = np.ascontiguousarray(numbers, np.int64)
        self._same_length(states, numbers, "numbers")
        result = self._moves(len(states))
        self._run("choose_many", states, lambda room: (numbers, self._entries(), self._moves(room), result), threads)
        wrong = np.flatnonzero(result[:, 0] == -9)
        if len(wrong):
            raise IndexError(f"position {wrong[0]} has no move with number {numbers[wrong[0]]}")
        return result

    def marks(self, states: Words, numbering: Numbering, *, out: Truths | None = None,
              threads: int | None = None) -> tuple[Truths, Numbers]:
        """The mask of legal actions of each position, and the numbers of legal moves.

        The mask is bool[positions, actions of the numbering], written into `out` where that is given.
        """
        import numpy as np

        marks = np.zeros((len(states), numbering.count), np.bool_) if out is None else out
        counts = np.zeros(len(states), np.int64)
        tables = self._tables.get(numbering)
        if tables is None:
            tables = self._tables[numbering] = tuple(np.array(values, np.int64) for values in (
                numbering.offsets, numbering.lows, numbering.strides))
        self._run("mark_many", states, lambda room: (
            *tables, self._entries(), self._moves(room), marks.view(np.bool_), counts), threads)
        return marks, counts

    def apply(self, states: Words, moves: Numbers, *, threads: int | None = None) -> Truths:
        """Play a move in each position, changing `states`; whether each move was legal.

        The moves must be among those that the move rules offer. A move that an `illegal when` rule rejects leaves its
        position unchanged.
        """
        import numpy as np

        moves = np.ascontiguousarray(moves, np.int64)
        self._same_length(states, moves, "moves")
        legal = np.zeros(len(states), np.bool_)
        self._run("apply_many", states, lambda room: (moves, legal, self._entries()), threads, changing=True)
        return legal

    # ---- chance

    def by_chance(self, states: Words) -> Truths:
        """Whether chance makes the next move, for each position."""
        import numpy as np

        result = np.zeros(len(states), np.bool_)
        if self.game.rules.has_chance:
            going = np.flatnonzero(~self.over(states))
            if len(going):
                first = self.chosen(states[going], np.zeros(len(going), np.int64))[:, 0]
                result[going] = np.append([rule.is_chance for rule in self.game.rules.moves], False)[first]
        return result

    def happen(self, states: Words, seeds: Words) -> None:
        """Play random moves of chance until a player is to move or the game is over, changing `states`.

        `seeds` has the state of each game's SplitMix64 sequence; it advances by a word for every move of chance.
        """
        import numpy as np

        while True:
            places = np.flatnonzero(self.by_chance(states))
            if not len(places):
                return
            part = states[places]
            seeds[places] += np.uint64(STEP)
            self.play_out(part, scrambled(seeds[places]), limit=1)
            states[places] = part

    # ---- random play

    def seeds(self, seed: int, count: int) -> Words:
        """Seeds for `count` games; `seeds(seed, n)` begins with `seeds(seed, m)` for a smaller m."""
        return seeds_of(seed, count)

    def play_out(self, states: Words, seeds: int | Words = 0, *, limit: int | Numbers = 1 << 30,
                 threads: int | None = None) -> Numbers:
        """Play random moves until each game is over or `limit` moves were made, changing `states`; the moves made.

        `seeds` is one seed for all games, or an array with one for each; likewise `limit`.
        """
        import numpy as np

        seeds = self.seeds(int(seeds), len(states)) if np.ndim(seeds) == 0 else np.ascontiguousarray(seeds, np.uint64)
        limits = np.array(np.broadcast_to(limit, len(states)), np.int64)
        self._same_length(states, seeds, "seeds")
        plies = np.zeros(len(states), np.int64)
        self._run("play_many", states, lambda room: (seeds, limits, self._entries(), plies), threads, changing=True)
        return plies

    def play_outs(self, games: int, seed: int = 0, *, start: Words | None = None, limit: int = 1 << 30,
                  threads: int | None = None) -> tuple[int, list[int]]:
        """Play random games; their total number of moves, and the numbers of draws, wins of each player and unfinished
        games.

        They are the games of `Kernel.play_outs` with the same seed, and of `play_out` over as many starts.
        """
        row = self.kernel.start() if start is None else start
        result: list[tuple[int, list[int]]] = []

        def work(first: int, last: int) -> None:
            begun = (seed + first * STEP) % (1 << 64)
            result.append(self.kernel.play_outs(last - first, begun, start=row.copy(), limit=limit))

        self._share(work, games, threads)
        results = [sum(counts) for counts in zip(*(counts for _, counts in result), strict=True)]
        return sum(plies for plies, _ in result), results or [0] * (len(self.game.players) + 2)

    def random_positions(self, count: int, plies: int, seed: int = 0, *, over: bool = False,
                         threads: int | None = None) -> Words:
        """Positions after `plies` random moves; with `over`, games that end before are included as they ended.

        Without `over` such games are restarted. Raises ValueError where hardly any game lasts so long.
        """
        import numpy as np

        states = self.starts(count)
        seeds = self.seeds(seed, count)
        self.play_out(states, seeds, limit=plies, threads=threads)
        for _ in range(0 if over else _TRIES):
            ended = np.flatnonzero(self.over(states))
            if not len(ended):
                return states
            seeds[ended] = seeds[ended] * np.uint64(0xD1342543DE82EF95) + np.uint64(STEP)
            again = self.starts(len(ended))
            self.play_out(again, seeds[ended], limit=plies, threads=threads)
            states[ended] = again
        if not over and self.over(states).any():
            raise ValueError(f"hardly any random game of {self.game.title} goes on after {plies} moves: ask for fewer, "
                             "or for over=True")
        return states

    # ---- keys and images

    def changed_keys(self, keys: Words, before: Words, states: Words, *, threads: int | None = None) -> Words:
        """The keys of positions, updated incrementally from the keys of similar ones `before`, as those before a move.

        The result equals `keys(states)`; only what differs is hashed.
        """
        changed = keys.copy()
        self._run("key_change_many", states, lambda room: (before, changed), threads)
        return changed

    def keys(self, states: Words, *, threads: int | None = None) -> Words:
        """A 64-bit key for each position: equal positions have equal keys, in every process."""
        import numpy as np

        keys = np.zeros(len(states), np.uint64)
        self._run("key_many", states, lambda room: (keys,), threads)
        return keys

    def canonical(self, states: Words, *, among: Sequence[StateMap] | None = None, by: By = "all",
                  threads: int | None = None) -> Words:
        """The least image of each position under the symmetries claimed for it, or those of them that `by` selects.

        With `among`, a group of the game's symmetries, the least image under these, whether they are claimed or not.
        """
        name = None if among is not None else self.kernel.images_entry(by)
        if name is None:
            return self.canonical_counted(states, among, threads=threads)[0]
        import numpy as np

        images = np.zeros((len(states), self.width), np.uint64)
        self._run(name, states, lambda room: (images,), threads)
        return images

    def canonical_counted(self, states: Words, among: Sequence[StateMap] | None, *,
                          threads: int | None = None) -> tuple[Words, Numbers]:
        """The same, and how many of the symmetries in `among` give it: the number of images is smaller by this factor.
        """
        import numpy as np

        images = np.zeros((len(states), self.width), np.uint64)
        counts = np.ones(len(states), np.int64)
        if among is None:
            self._run("canonical_many", states, lambda room: (images,), threads)
        else:
            chosen = self.kernel.elements(among)
            self._run("canonical_among_many", states, lambda room: (chosen, images, counts), threads)
        return images, counts

    def canonical_keys(self, states: Words, *, among: Sequence[StateMap] | None = None, by: By = "all",
                       threads: int | None = None) -> Words:
        """The keys of the least images: equal where positions are images of each other."""
        return self.keys(self.canonical(states, among=among, by=by, threads=threads), threads=threads)

    # ---- dividing rows among threads

    def _checked(self, states: Words, *, changing: bool = False) -> Words:
        import numpy as np

        if not isinstance(states, np.ndarray) or states.dtype != np.uint64 or states.ndim != 2 or (
                states.shape[1] != self.width):
            result = f"{states.dtype} {states.shape}" if isinstance(states, np.ndarray) else type(states).__name__
            raise ValueError(f"states are {result}, expected an array of uint64 with {self.width} words in each row")
        if states.flags.c_contiguous and states.flags.writeable:
            return states
        if changing:
            raise ValueError("states that change must be writeable and lie together, such as a copy of this array")
        return states.copy()

    def _same_length(self, states: Words, others: Sized, name: str) -> None:
        if len(states) != len(others):
            raise ValueError(f"{len(others)} {name} for {len(states)} states, expected one for each")

    def _entries(self) -> Numbers:
        import numpy as np

        return np.empty((self.kernel.room, self.kernel.assembled.entry_width), np.int64)

    def _moves(self, count: int) -> Numbers:
        import numpy as np

        return np.zeros((count, self.kernel.assembled.move_width), np.int64)

    def _run(self, name: str, states: Words, arguments: Callable[[int], tuple[Words | Numbers | Truths, ...]],
             threads: int | None, *, changing: bool = False) -> None:
        """Call a kernel's entry over all rows, resuming with more room where it ran out of room."""
        states = self._checked(states, changing=changing)
        function = self.kernel.functions[name]

        def work(first: int, last: int) -> None:
            room = self._room
            while True:
                first = function(states, first, last, *arguments(room))
                if first < 0:
                    raise AssertionError(f"position {-1 - first} has a move outside of the numbering")
                if first == last:
                    return
                room = self._failed(states, first, room, grow=True)

        self._share(work, len(states), threads)

    def _failed(self, states: Words, stopped: int, room: int, *, grow: bool) -> int:
        """The room for the next call; raises RuleError where a rule failed, NotLowered where a move is too long."""
        place = self.kernel.assembled.layout.failed
        code = int(states[stopped, place])
        states[stopped, place] = 0
        if code > 1:
            problem = self.kernel.assembled.problem(code, f"a rule fails in position {stopped}",
                                                    self.game.rules.moves[0].span)
            if isinstance(problem, RuleError):
                problem.source = self.game.rules.source
            raise problem
        if not grow:
            return room
        if room > MOST_MOVES:
            raise too_many_moves_of(self.game.rules, self.game.board.size)
        self.kernel.room = max(self.kernel.room, room)
        self._room = max(self._room, room * 4)
        return self._room

    def _share(self, work: Callable[[int, int], None], count: int, threads: int | None) -> None:
        """Run `work(first, last)` over ranges of `count` rows, on several threads where there are enough rows."""
        threads = self.threads if threads is None else threads
        if threads < 1:
            raise ValueError(f"threads={threads}, expected at least 1")
        size = max(_LEAST, -(-count // (threads * _SHARES)))
        if threads == 1 or count <= size:
            if count:
                work(0, count)
            return
        pool = _pool(threads)
        jobs = [pool.submit(work, first, min(first + size, count)) for first in range(0, count, size)]
        problems = [problem for job in jobs if (problem := job.exception()) is not None]
        if problems:
            raise problems[0]


def without_aside(kernel: Kernel, states: Words) -> Words:
    """States (uint64[..., words]) with 0 for values that the repetition rule ignores; as given if there are none."""
    import numpy as np

    aside = sorted(kernel.game.repetition.aside)
    if not aside:
        return states
    result = states.copy()
    result[..., kernel.assembled.layout.values + np.array(aside)] = 0
    return result


def table_of(kernel: Kernel, numbering: Numbering) -> Numbers:
    """The moves of all actions in the kernel's format: int64[actions, move width]."""
    import numpy as np

    table = np.zeros((numbering.count, kernel.assembled.move_width), np.int64)
    for number, row in enumerate(table):
        move = numbering.move(number)
        row[0], row[1], row[2 : 2 + len(move.values)] = move.rule, len(move.values), move.values
    return table


__all__ = ["Batch", "By", "Listed", "chance_seeds", "scrambled", "seeds_of", "table_of", "without_aside"]
