"""A space of packed positions, expanded by the game's kernel run as plain Python: no compilation is needed.

`PackedSpace` is a `solver.space.Space` to enumerate; `PackedValues` looks up the values found with it for states of the
interpreter. It expands positions four to ten times as fast as the interpreter, which remains the definition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from interpreter.compiler.lowering.layout import GOING
from interpreter.compiler.lowering.packing import Field
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.plain import lists
from interpreter.model import ranges
from interpreter.model.state import Move, State
from solver.maxn import MaxN
from solver.strong import Strong, Value, best_line

if TYPE_CHECKING:
    from solver.game_space import GameSpace

Key = tuple[int, ...]
"""The words of a packed position that is the least of its images under the symmetries."""
_ROOM, _MOST_ROOM = 64, 1 << 20
"""The initial and the largest capacity of the move list."""
_MOST_BITS = 1000.0
"""Above this many bits the number of positions counts as infinite: a float cannot hold much more than 2 ** 1000."""
_MOST_KNOWN = 1 << 17
"""The most rows in each player's cache, some 300 bytes each."""


class _Functions(NamedTuple):
    """The functions of a plain kernel, looked up once; see `interpreter.compiler.runtime.searches`."""

    unpack: Callable[..., Any]
    offer: Callable[..., int]
    act: Callable[..., int]
    outcome: Callable[..., int]
    stuck: Callable[..., int]
    least: Callable[..., int]
    pack: Callable[..., Any]


class _Places(NamedTuple):
    """The indices of the words of a row that are read after each move, and the row's width; see `Layout`."""

    to_move: int
    outcome: int
    seats: int
    failed: int
    width: int


@attrs.define(eq=False)
class PackedSpace:
    """The packed positions of a game from a root on, merged by the symmetries that fix the root."""

    game_space: GameSpace
    kernel: Kernel
    """The kernel, as plain Python."""
    players: int = attrs.field(init=False)
    acyclic: bool = attrs.field(init=False)
    sides: tuple[int, ...] = attrs.field(init=False)
    _elements: Any = attrs.field(init=False)
    _functions: _Functions = attrs.field(init=False)
    _places: _Places = attrs.field(init=False)
    _field: Field = attrs.field(init=False)
    """The field of a packed position that holds its outcome."""
    _values: tuple[tuple[int, range, int], ...] = attrs.field(init=False)
    """For each value of a variable: its index in a row, its range, and the word that stands for none."""
    _same: dict[Key, int] = attrs.field(factory=dict)
    """The number of symmetries that fix a position, for the positions fixed by more than the identity."""
    _known: list[dict[Key, Key]] = attrs.field(init=False)
    """A cache for each player: maps the rows after this player's moves, as they are before the outcome is determined,
    to their positions. Several moves can lead to the same row, whose outcome and images are computed once."""
    tried: int = 0
    """The number of moves tried on rows while sampling."""
    _room: int = 0
    _moves: Any = None
    """The move list; below it the work arrays of the kernel: the entries that moves are listed from, and rows."""
    _entries: Any = None
    _working: Any = None
    _images: Any = None
    _packed: Any = None

    def __attrs_post_init__(self) -> None:
        self.players, self.acyclic = self.game_space.players, self.game_space.acyclic
        self.sides = self.game_space.sides
        self._elements = self.kernel.elements(self.game_space.maps)
        functions, parts = self.kernel.functions, self.kernel.assembled
        self._functions = _Functions(*(functions[name] for name in (
            "unpack_row", "offer", "act", "outcome", "stuck_outcome", "least_image", "pack_row")))
        layout = parts.layout
        self._places = _Places(layout.to_move, layout.outcome, layout.seats, layout.failed, layout.width)
        self._field = parts.packing.outcome
        game = self.game_space.game
        result = [values for kind, count in zip(game.rules.variables, game.engine.evaluator.sizes, strict=True)
                  for values in (ranges.values_of(kind.sort, game.rules, game.board) or range(0),) * count]
        at = range(layout.values, layout.values + len(result))
        self._values = tuple(zip(at, result, layout.missing, strict=True))
        self._known = [{} for _ in range(self.players)]
        self._make_room(_ROOM)

    @classmethod
    def of(cls, space: GameSpace) -> PackedSpace:
        """Make the packed space of a game's space. Raises NotLowered where the compiler cannot lower a rule."""
        return cls(space, Kernel.of(space.game, native=False))

    def _make_room(self, room: int) -> None:
        parts = self.kernel.assembled
        width = parts.layout.width
        self._room = room
        self._moves, self._entries = lists(room, parts.move_width), lists(room, parts.entry_width)
        self._working, self._images = lists(parts.scratch, width), lists(2, width)
        self._packed = [0] * parts.packing.width

    # ---- a space

    def start(self) -> Key:
        """The root."""
        return self.key(self.game_space.root)

    def successors(self, state: Key) -> list[tuple[int, Key]]:
        """The numbers of the legal moves with the positions they lead to. Raises RuleError where a rule fails."""
        if self._field.of(state):
            return []
        functions, places, working, moves = self._functions, self._places, self._working, self._moves
        act, failed = functions.act, places.failed
        row = [0] * places.width
        functions.unpack(state, row)
        count = functions.offer(row, moves, self._entries, working)
        if count < 0:
            return self._failed(state, row)
        mover = row[places.to_move] ^ row[places.seats]
        known = self._known[mover]
        result: list[tuple[int, Key]] = []
        for number in range(count):
            after = row[:]
            if act(after, moves[number], working):
                continue
            left = tuple(after)
            key = known.get(left)
            if key is None:
                key = self._position(after, mover)
                if after[failed]:
                    return self._failed(state, after)
                if len(known) >= _MOST_KNOWN:
                    known.clear()
                known[left] = key
            result.append((number, key))
        if not result:
            functions.stuck(row)
            if row[failed]:
                return self._failed(state, row)
        return result

    def _position(self, row: list[int], mover: int) -> Key:
        """The position of a row that a move led to; () where a rule failed, in which case the row holds the code."""
        functions, places, elements = self._functions, self._places, self._elements
        if not row[places.failed]:
            row[places.outcome] = functions.outcome(row, mover, self._entries, self._working)
        if row[places.failed]:
            return ()
        image, other = self._images
        same = functions.least(row, image, other, elements, 1, len(elements))
        functions.pack(image, self._packed)
        key = tuple(self._packed)
        if same > 1:
            self._same[key] = same
        return key

    def _failed(self, state: Key, row: list[int]) -> list[tuple[int, Key]]:
        """Retry the successors with more room where the move list was too small; else raise the rule's error."""
        code = row[self._places.failed]
        if code <= 1:
            if self._room >= _MOST_ROOM:
                raise MemoryError(f"a position has more than {_MOST_ROOM:,} moves")
            self._make_room(self._room * 4)
            return self.successors(state)
        result = self.state(state)
        self.game_space.successors(result)  # the interpreter raises a more precise error
        problem: Any = self.kernel.assembled.problem(code, "a rule fails", self.game_space.game.rules.moves[0].span)
        problem.source = problem.source or self.game_space.game.rules.source
        problem.position = problem.position or self.game_space.game.drawing(result)
        raise problem

    def outcome(self, state: Key) -> int | None:
        """None while the game goes on, else the winner's number, or DRAW."""
        result = self._field.of(state)
        return result - 2 if result else None

    def to_move(self, state: Key) -> int:
        """The number of the player to move."""
        return self.kernel.assembled.packing.to_move.of(state)

    def canonical(self, state: Key) -> Key:
        """The position itself: it is the least of its images."""
        return state

    def orbit_size(self, state: Key) -> int:
        """The number of positions that are equivalent to this one by symmetry, itself included."""
        return len(self._elements) // self._same.get(state, 1)

    @property
    def most(self) -> float:
        """A rough upper bound on the number of positions, which limits forecasts: any piece on any cell, merged by
        symmetry."""
        parts, cells = self.kernel.assembled, self.game_space.game.board.size
        packing = parts.packing
        bits = float(packing.bits - packing.outcome.bits - len(packing.planes) * cells)
        bits += cells * math.log2(parts.layout.pieces) - math.log2(self.symmetries)
        return 2.0**bits if bits < _MOST_BITS else math.inf

    @property
    def symmetries(self) -> int:
        """The number of symmetries that fix the root, the identity included."""
        return len(self._elements)

    # ---- rows, for sampling

    def row(self, key: Key) -> list[int]:
        """The row of a packed position."""
        row = [0] * self._places.width
        self._functions.unpack(key, row)
        return row

    def mover(self, row: list[int]) -> int:
        """The number of the player to move."""
        return row[self._places.to_move] ^ row[self._places.seats]

    def moves_from(self, row: list[int]) -> list[tuple[tuple[int, ...], list[int]]]:
        """The legal moves of a row, each with the row after it before the outcome is determined; none if the game is
        over.

        Raises RuleError where a rule fails.
        """
        if row[self._places.outcome] != GOING:
            return []
        functions, working, moves = self._functions, self._working, self._moves
        count = functions.offer(row, moves, self._entries, working)
        if count < 0:
            key = [0] * len(self._packed)
            functions.pack(row, key)
            self._failed(tuple(key), row)
            return self.moves_from(self.row(tuple(key)))
        result = []
        self.tried += count
        for move in moves[:count]:
            after = row[:]
            if not functions.act(after, move, working):
                result.append((_used(move), after))
        return result

    def judged(self, left: list[int], mover: int) -> list[int]:
        """A copy of a row that a player's move led to, with its outcome determined."""
        row = left[:]
        row[self._places.outcome] = self._functions.outcome(row, mover, self._entries, self._working)
        return row

    def canonical_after(self, left: list[int], mover: int) -> Key:
        """The position of a row that a player's move led to. Raises RuleError where a rule fails."""
        row = left[:]
        key = self._position(row, mover)
        if not key:
            self._failed(self.start(), row)
        return key

    def goes_on(self, left: list[int], mover: int) -> bool:
        """Whether the game goes on in a row that a player's move led to."""
        return self.judged(left, mover)[self._places.outcome] == GOING

    def leads(self, row: list[int], move: tuple[int, ...], left: list[int]) -> bool:
        """Whether a move is legal in a row, in which the game goes on, and leads to the row `left`.

        Variables in the row may be signed or unsigned words, and are signed afterwards. False, without a call to the
        kernel, for a row that is no position because a variable is out of its range.
        """
        for place, values, none in self._values:
            value = row[place] - (1 << 64) if row[place] >> 63 > 0 else row[place]
            if value not in values and value != none:
                return False
            row[place] = value
        row[self._places.outcome] = GOING
        self.tried += 1
        after = row[:]
        if self._functions.act(after, list(move), self._working) or after != left:
            return False
        count = self._functions.offer(row, self._moves, self._entries, self._working)
        return any(_used(other) == move for other in self._moves[: max(0, count)])

    # ---- states

    def key(self, state: State) -> Key:
        """The least image of a state, packed."""
        key, same, _ = self.kernel.pack_least(state, self._elements)
        if same > 1:
            self._same[key] = same
        return key

    def state(self, key: Key) -> State:
        """The state of a packed position."""
        row = self.kernel.start()
        self.kernel.functions["unpack_row"](key, row)
        return self.kernel.state(row)


def _used(move: list[int]) -> tuple[int, ...]:
    """The part of a move that is in use: its rule, the number of its values, and the values."""
    return tuple(move[: 2 + move[1]])


@attrs.frozen(eq=False)
class PackedValues:
    """The values of all reachable positions, looked up by the interpreter's states; see `solver.solve.Solved`."""

    space: PackedSpace
    strong: Strong[Key, int]

    def value(self, state: State) -> Value | None:
        """The value of any reachable state; None for one that is not."""
        return self.strong.value(self.space.key(state))

    def unmerged(self) -> int:
        """The number of positions without merging by symmetry."""
        return self.strong.unmerged()

    def tally(self) -> dict[str, int]:
        """The numbers of unmerged positions that the player to move wins, loses and draws; finished ones included."""
        return self.strong.tally()

    def longest(self) -> int:
        """The largest remoteness."""
        return self.strong.longest()

    def cyclic(self) -> bool:
        """Whether a position can repeat."""
        return self.strong.cyclic()

    def line(self, state: State, limit: int = 200) -> Iterator[Move]:
        """Best play from a state: the winner hurries, the loser delays, and drawn play heads for a drawn end."""
        return best_line(self.space.game_space, self.value, state, limit)





@attrs.frozen(eq=False)
class ManyValues(PackedValues):
    """The values of all reachable positions of more than two players; see `solver.solve.ManySolved`."""

    strong: MaxN[Key, int]

    def who_decides(self, state: State) -> tuple[int, ...]:
        """The players whose choices between equal results decide the outcome."""
        return self.strong.who_decides(self.space.key(state))

    def forces(self, state: State) -> Mapping[int, int]:
        """What each player can force against all others."""
        return self.strong.forces(self.space.key(state))


def values_of(space: PackedSpace, strong: Strong[Key, int]) -> PackedValues:
    """Wrap the values of a solved packed space, for any number of players."""
    return ManyValues(space, strong) if isinstance(strong, MaxN) else PackedValues(space, strong)
