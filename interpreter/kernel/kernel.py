"""Kernels: a game's rules compiled to functions on rows.

`Kernel.of(game)` compiles; `kernel.row(state)` and `kernel.state(row)` convert between interpreter states and rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import attrs

from interpreter.compiler.emit.python import function_text
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.kernel_compiler import Assembled, KernelCompiler
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.game import Game
from interpreter.hooks import Hooks
from interpreter.kernel import loading
from interpreter.model.state import Move, State
from interpreter.model.state_maps import StateMap
from interpreter.remembered import remembered
from interpreter.semantics.limits import MOST_MOVES, too_many_moves_of

if TYPE_CHECKING:
    from interpreter.patterns.matching import Book, Proposed

_FIRST_ROOM, _FIRST_PLAIN_ROOM = 512, 64
By = Literal["all", "rotation", "without players"]
"""The images among which the least is chosen: those under all claimed symmetries; under those of them that do not swap
the players; under all, but with the same player to move where players swap their pieces."""


class _Ruleset:
    """A game's rules as a dictionary key: equal for games read from the same text with the same parameters."""

    __slots__ = ("ignore_ends", "rules")

    def __init__(self, game: Game) -> None:
        self.rules, self.ignore_ends = game.rules, game.engine.ignore_ends

    def __hash__(self) -> int:
        return hash((self.rules.source.text, *self.rules.params.values(), self.ignore_ends))

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, _Ruleset) and self.ignore_ends == other.ignore_ends
                and self.rules.source.text == other.rules.source.text and self.rules == other.rules)


_Lowered = dict[tuple[Passes, int], tuple[Hooks | None, Assembled]]
"""The lowered forms of some rules, by passes and hooks."""


@lru_cache(maxsize=16)
def _lowered(_ruleset: _Ruleset) -> _Lowered:
    """The cached lowered forms of some rules without hooks and patterns.

    Lowering takes 30 to 500 ms. Solvers, searches and players of one game have a kernel each, and programs reload
    games: a fifth of the time of the default tests was spent lowering, a third of that on rules already lowered.
    """
    return {}


@remembered
def _lowered_with_hooks(_game: Game) -> _Lowered:
    """The same with hooks, which belong to one game, as their tables are made for it."""
    return {}


@attrs.define(eq=False)
class Kernel:
    """A game's rules, compiled."""

    game: Game
    assembled: Assembled
    functions: Mapping[str, Any]
    native: bool
    room: int = _FIRST_ROOM
    """The room for entries, and for moves; grows when it is too small."""
    _plain: Mapping[str, Any] | None = attrs.field(default=None, repr=False)
    _kept: list[Any] = attrs.field(factory=list, repr=False)
    _kept_room: int = 0

    @classmethod
    def of(cls, game: Game, *, native: bool = True, passes: Passes | None = None, hooks: Hooks | None = None,
           patterns: Book | None = None, kept: bool = True, until: str = "") -> Kernel:
        """The kernel of a game, with some functions replaced by hooks; with patterns it has `proposals` as well.

        Compiled code is cached on disk, unless it is for this process alone (`kept=False`). `until` names a step of the
        compiler (`interpreter.compiler.pipeline.STEPS`) to stop after, for a kernel that is read, not played.

        Raises NotLowered, with the reason, where the compiler does not support a rule; HookError where a hook does not
        fit the game. A kernel also raises NotLowered during play, where a move is longer than there is room for.
        """
        passes = passes or Passes()
        if native and passes.sliding_attacks and not loading.deposits():
            passes = attrs.evolve(passes, sliding_attacks=False)
        known: _Lowered = {}
        if patterns is None and not until:
            known = _lowered(_Ruleset(game)) if hooks is None else _lowered_with_hooks(game)
        _, assembled = known.get((passes, id(hooks)), (hooks, None))
        if assembled is None:
            assembled = KernelCompiler(
                game.rules, game.board, game.engine.swap, passes, game.symmetries, endless=game.engine.ignore_ends,
                hooks=hooks, game=game, patterns=patterns, until=until).assembled()
            known[passes, id(hooks)] = hooks, assembled
        functions = loading.as_native(assembled, kept=kept) if native else loading.as_plain(assembled)
        return cls(game, assembled, functions, native, _FIRST_ROOM if native else _FIRST_PLAIN_ROOM)

    def as_plain(self) -> Kernel:
        """The same kernel in plain Python, without lowering the rules again."""
        if not self.native:
            return self
        return Kernel(self.game, self.assembled, loading.as_plain(self.assembled), False, _FIRST_PLAIN_ROOM)

    @property
    def text(self) -> str:
        """The kernel's Python text."""
        return self.assembled.text

    @property
    def representing(self) -> str:
        """The text of the functions that pack a position's least image: packed positions agree where it is the same."""
        names = {"pack", "least", "least_image", "image", "tier"}
        return "\n\n".join(function_text(function) for function in self.assembled.module.functions
                           if function.name in names)

    # ---- rows and states

    def row(self, state: State) -> Any:
        """The row of a state."""
        layout = self.assembled.layout
        values = layout.row(state)
        if not self.native:
            return values
        import numpy as np

        result = np.zeros(layout.width, np.uint64)
        result[: layout.position] = [value & ((1 << 64) - 1) for value in values[: layout.position]]
        return result

    def state(self, row: Any) -> State:
        """The state of a row."""
        layout = self.assembled.layout
        return layout.state([int(value) for value in row[: layout.position]])

    def start(self) -> Any:
        """The row of the game's start."""
        return self.row(self.game.engine.start())

    def _array(self, count: int, width: int) -> Any:
        if not self.native:
            from interpreter.kernel import plain

            return plain.lists(count, width)
        import numpy as np

        return np.zeros((count, width), np.int64)

    def _entries(self) -> Any:
        if self.native:
            return self._array(self.room, self.assembled.entry_width)
        return self._plain_entries(0)

    def _plain_entries(self, level: int) -> Any:
        """Entries as lists, which are reused, as allocating them takes longer than most calls."""
        if self._kept_room != self.room:
            self._kept.clear()
            self._kept_room = self.room
        while len(self._kept) <= level:
            self._kept.append(self._array(self.room, self.assembled.entry_width))
        return self._kept[level]

    def _failed(self, row: Any) -> bool:
        """Whether a call has to be repeated with more room for moves, which is enlarged; raises where a rule failed.

        Raises RuleError, also where there are more moves than `interpreter.semantics.limits` allows, or NotLowered
        where a move is longer than a kernel's can be.
        """
        code = int(row[self.assembled.layout.failed])
        row[self.assembled.layout.failed] = 0
        if code == 1:
            self.room *= 4
            if self.room > MOST_MOVES:
                self.room = MOST_MOVES
                raise too_many_moves_of(self.game.rules, self.game.board.size)
            return True
        if code:
            raise self.assembled.problem(code, "a rule fails", self.game.rules.moves[0].span)
        return False

    # ---- playing

    def proposed(self, state: State, before: State | None = None) -> list[Proposed]:
        """The moves that the kernel's patterns propose, as `interpreter.patterns.Book.proposed` gives them.

        Raises RuleError where a rule fails.
        """
        from interpreter.patterns.matching import Proposed

        width = self.assembled.move_width
        while True:
            row = self.row(state)
            result = self._array(self.room, width + 2)
            count = self.functions["proposals"](row, self.row(before or state), result, self._entries())
            if not self._failed(row):
                return [Proposed(self.move(item), int(item[width]), int(item[width + 1])) for item in result[:count]]

    def moves(self, row: Any) -> Any:
        """The legal moves of a position, a row for each: the rule, the number of values, the values.

        Raises RuleError where a rule fails.
        """
        while True:
            result = self._array(self.room, self.assembled.move_width)
            count = self.functions["list_moves"](row, self._entries(), result)
            if not self._failed(row):
                return result[:count]

    def legal(self, state: State) -> list[Move]:
        """The legal moves of a state, as the interpreter's `Move` objects."""
        return [self.move(result) for result in self.moves(self.row(state))]

    def move(self, result: Any) -> Move:
        """The interpreter's `Move` of a kernel's move."""
        return Move(int(result[0]), tuple(int(value) for value in result[2 : 2 + int(result[1])]))

    def coded(self, move: Move) -> Any:
        """The kernel's move, a row of int64, of an interpreter's `Move`."""
        result = self._array(1, self.assembled.move_width)[0]
        result[0], result[1] = move.rule, len(move.values)
        for index, value in enumerate(move.values):
            result[2 + index] = value
        return result

    def apply(self, row: Any, move: Any) -> bool:
        """Play a move on a row, which changes; whether it was legal. Raises RuleError where a rule fails."""
        while True:
            before = row[:]
            if self.native:
                before = before.copy()
            code = self.functions["apply_move"](row, move, self._entries())
            if not self._failed(row):
                return bool(code == 0)
            row[:] = before

    def after(self, state: State, move: Move) -> State | None:
        """The state after a move; None where a rule rejects the move."""
        row = self.row(state)
        return self.state(row) if self.apply(row, self.coded(move)) else None

    def play_out(self, row: Any, seed: int, limit: int = 1 << 30) -> int:
        """Play random moves until the game is over or `limit` were played; the number played. The row changes.

        A repetition rule counts positions from the row's on: those before it are not known.
        """
        import numpy as np

        start = row[:] if not self.native else row.copy()
        while True:
            number = np.uint64(seed) if self.native else seed
            plies = self.functions["play_out"](row, number, limit, self._entries())
            if not self._failed(row):
                return int(plies)
            row[:] = start

    def drawn(self, state: State, seed: int) -> State:
        """The state after a random move."""
        row = self.row(state)
        self.play_out(row, seed, 1)
        return self.state(row)

    def play_outs(self, games: int, seed: int = 0, *, start: Any = None, limit: int = 1 << 30) -> tuple[int, list[int]]:
        """Play random games; their total number of moves, and the numbers of draws, wins of each player and unfinished
        games.
        """
        import numpy as np

        row = self.start() if start is None else start
        while True:
            results = self._array(1, len(self.game.players) + 2)[0]
            number = np.uint64(seed) if self.native else seed
            plies = self.functions["play_outs"](row, number, limit, games, self._entries(), results)
            if not self._failed(row):
                return int(plies), [int(value) for value in results]

    def perft(self, depth: int, *, bulk: bool = False, start: Any = None) -> tuple[list[int], int]:
        """The number of move sequences of each length up to a depth, and of games that end by then (0 with `bulk`).

        With `bulk` the last moves are counted and not played.
        """
        row = self.start() if start is None else start
        while True:
            entries: Any
            counts: Any
            ended: Any
            if self.native:
                import numpy as np

                entries = np.zeros((depth + 1, self.room, self.assembled.entry_width), np.int64)
                counts, ended = np.zeros(depth + 1, np.int64), np.zeros(1, np.int64)
            else:
                from interpreter.kernel import plain

                entries = [self._plain_entries(level) for level in range(depth + 1)]
                counts, ended = plain.line(depth + 1), plain.line(1)
            self.functions["perft"](row, depth, bulk, entries, counts, ended)
            if not self._failed(row):
                return [int(value) for value in counts[:depth]], int(ended[0])

    def value(self, state: State) -> int:
        """The game's `value` of a state for the player to move; 0 where the file gives none."""
        row = self.row(state)
        result = int(self.functions["value_of"](row))
        self._failed(row)
        return result

    def payoffs(self, state: State) -> tuple[int, ...]:
        """The payoff of a finished game to each player, in a game that declares payoffs. Raises RuleError."""
        row = self.row(state)
        result = tuple(int(self.functions["payoff_of"](row, player)) for player in range(len(self.game.players)))
        self._failed(row)
        return result

    def key(self, state: State) -> int:
        """A 64-bit key: equal states have equal keys, in every process, and different states almost never."""
        return self._key(self.row(state))

    def canonical_key(self, state: State, among: Sequence[StateMap] | None = None) -> int:
        """The key of the least image: the same for all images of a state."""
        return self._key(self._least(state, among)[0])

    def _key(self, row: Any) -> int:
        if not self.native:
            return int(self.functions["key"](row))
        import numpy as np

        keys = np.zeros(1, np.uint64)
        self.functions["key_many"](row[None], 0, 1, keys)
        return int(keys[0])

    def canonical(self, state: State, among: Sequence[StateMap] | None = None, by: By = "all") -> State:
        """The least image of a state under the symmetries claimed for it and selected by `by`, or under those `among`.

        Raises RuleError where a symmetry's condition fails.
        """
        name = None if among is not None else self.images_entry(by)
        if name is None:
            return self.state(self._least(state, among)[0])
        import numpy as np

        row, image = self.row(state), self.row(state)
        states, images = (np.array([row]), np.array([image])) if self.native else ([row], [image])
        self.functions[name](states, 0, 1, images)
        self._failed(states[0])
        return self.state(images[0])

    def images_entry(self, by: By) -> str | None:
        """The name of the entry for the least images by `by`; None where these are all claimed symmetries."""
        if by == "all" or not any(element.swapping for element in self.game.symmetries):
            return None
        return "rotated_many" if by == "rotation" else "recoloured_many"

    def orbit_size(self, state: State, among: Sequence[StateMap]) -> int:
        """The number of images of a state under a group of symmetries."""
        return len(among) // self._least(state, among)[1]

    def elements(self, maps: Sequence[StateMap]) -> Any:
        """The numbers of some of the game's symmetries, as an array for `canonical_among`."""
        numbers = {element.key: number for number, element in enumerate(self.game.symmetries)}
        result = self._array(1, len(maps))[0]
        for index, element in enumerate(maps):
            result[index] = numbers[element.key]
        return result

    @property
    def plain(self) -> Mapping[str, Any]:
        """The functions as plain Python, which answer a few calls faster than compiling the native ones takes."""
        if self._plain is None:
            self._plain = loading.as_plain(self.assembled) if self.native else self.functions
        return self._plain

    def pack_least(self, state: State, elements: Iterable[int]) -> tuple[tuple[int, ...], int, int]:
        """The least image of a state under some symmetries, packed; how many of them fix it; the image's tier."""
        parts = self.assembled
        result, functions = [0] * parts.packing.width, self.plain
        same = functions["pack_least"](parts.layout.row(state), result, [int(number) for number in elements],
                                       [[0] * parts.layout.width for _ in range(3)])
        return tuple(result), int(same), int(functions["tier_of"](result))

    def _least(self, state: State, among: Sequence[StateMap] | None) -> tuple[Any, int]:
        """The row of the least image, and the number of symmetries in `among` that give it (0 without `among`)."""
        row, image, count = self.row(state), self.row(state), 0
        if among is None:
            self.functions["canonical_row"](row, image)
        else:
            count = self.functions["canonical_among"](row, image, self.row(state), self.elements(among))
        self._failed(row)
        return image, int(count)


__all__ = ["By", "Kernel", "NotLowered"]
