"""A game's positions as packed words, by its kernel run as plain Python: nothing has to be compiled.

`PackedSpace` is a `solver.space.Space` for enumerating; `PackedValues` answers for the interpreter's states what was
found out with it. Positions are expanded four to ten times as fast as by the interpreter, which remains the definition.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.errors import RuleError
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.layout import GOING
from interpreter.state import Move, State
from solver.strong import Strong, Value, best_line

if TYPE_CHECKING:
    from solver.game_space import GameSpace

Key = tuple[int, ...]
"""The words of a packed position, the least of its images."""
_ROOM, _MOST_ROOM = 64, 1 << 20
"""Moves of a position that there is room for at first, and at most."""
_MOST_KNOWN = 1 << 17
"""Rows that are kept for each player: some 300 bytes each."""


def _rows(count: int, width: int) -> list[list[int]]:
    return [[0] * width for _ in range(count)]


@attrs.define(eq=False)
class PackedSpace:
    """The positions of a game from a root on, packed, and merged by the symmetries that leave the root as it is."""

    game_space: GameSpace
    kernel: Kernel
    """A plain one."""
    players: int = attrs.field(init=False)
    acyclic: bool = attrs.field(init=False)
    _elements: Any = attrs.field(init=False)
    _same: dict[Key, int] = attrs.field(factory=dict)
    """How many of the symmetries leave a position as it is, where that is more than the identity alone."""
    _known: list[dict[Key, Key]] = attrs.field(init=False)
    """For each player the rows that its moves left, before the outcome was looked at, with the position that each is.
    The same row comes after several moves: its outcome and its images are worked out once."""
    _room: int = 0
    _moves: Any = None
    """Where moves are listed, the entries that they are listed from, and the rows that the kernel works on."""
    _entries: Any = None
    _working: Any = None
    _images: Any = None

    def __attrs_post_init__(self) -> None:
        self.players, self.acyclic = self.game_space.players, self.game_space.acyclic
        self._elements = self.kernel.elements(self.game_space.maps)
        self._known = [{} for _ in range(self.players)]
        self._make_room(_ROOM)

    @classmethod
    def of(cls, space: GameSpace) -> PackedSpace:
        """The packed positions of a game's space. Raises NotLowered where the compiler has no words for a rule."""
        return cls(space, Kernel.of(space.game, native=False))

    def _make_room(self, room: int) -> None:
        parts = self.kernel.assembled
        width = parts.layout.width
        self._room = room
        self._moves, self._entries = _rows(room, parts.move_width), _rows(room, parts.entry_width)
        self._working, self._images = _rows(parts.scratch, width), _rows(2, width)

    # ---- a space

    def start(self) -> Key:
        """The root."""
        return self.key(self.game_space.root)

    def successors(self, state: Key) -> list[tuple[int, Key]]:
        """The numbers of the legal moves with the positions they lead to. Raises RuleError where a rule fails."""
        if self.outcome(state) is not None:
            return []
        functions, layout = self.kernel.functions, self.kernel.assembled.layout
        act, working, moves, failed = functions["act"], self._working, self._moves, layout.failed
        row = [0] * layout.width
        functions["unpack_row"](state, row)
        many = functions["offer"](row, moves, self._entries, working)
        if many < 0:
            return self._failed(state, row)
        known = self._known[row[layout.to_move] ^ row[layout.seats]]
        found: list[tuple[int, Key]] = []
        for number in range(many):
            after = row[:]
            if act(after, moves[number], working):
                continue
            left = tuple(after)
            key = known.get(left)
            if key is None:
                key = self._position(after, row)
                if after[failed]:
                    return self._failed(state, after)
                if len(known) >= _MOST_KNOWN:
                    known.clear()
                known[left] = key
            found.append((number, key))
        if not found:
            functions["stuck_outcome"](row)
            if row[failed]:
                return self._failed(state, row)
        return found

    def _position(self, after: list[int], before: list[int]) -> Key:
        """The position that a row is which a move left; whether a rule failed stands in the row then."""
        functions, layout = self.kernel.functions, self.kernel.assembled.layout
        mover = before[layout.to_move] ^ before[layout.seats]
        if not after[layout.failed]:
            after[layout.outcome] = functions["outcome"](after, mover, self._entries, self._working)
        if after[layout.failed]:
            return ()
        image, other = self._images
        same = functions["least_image"](after, image, other, self._elements, 1, len(self._elements))
        packed = [0] * self.kernel.assembled.packing.width
        functions["pack_row"](image, packed)
        key = tuple(packed)
        if same > 1:
            self._same[key] = same
        return key

    def _failed(self, state: Key, row: list[int]) -> list[tuple[int, Key]]:
        """The successors with more room where there was too little; else raises the rule's error."""
        code = row[self.kernel.assembled.layout.failed]
        if code <= 1:
            if self._room >= _MOST_ROOM:
                raise MemoryError(f"a position has more than {_MOST_ROOM:,} moves")
            self._make_room(self._room * 4)
            return self.successors(state)
        found = self.state(state)
        self.game_space.successors(found)  # says more
        problem: Any = self.kernel.assembled.problem(code, "a rule fails", self.game_space.game.rules.moves[0].span)
        problem.source = problem.source or self.game_space.game.rules.source
        problem.position = problem.position or self.game_space.game.drawing(found)
        raise problem

    def outcome(self, state: Key) -> int | None:
        """None while the game goes on, else the winner's number, or DRAW."""
        found = self.kernel.assembled.packing.outcome.of(state)
        return found - 2 if found else None

    def to_move(self, state: Key) -> int:
        """The number of the player to move."""
        return self.kernel.assembled.packing.to_move.of(state)

    def canonical(self, state: Key) -> Key:
        """The position itself: it is the least of its images."""
        return state

    def orbit_size(self, state: Key) -> int:
        """How many positions are the same by symmetry."""
        return len(self._elements) // self._same.get(state, 1)

    # ---- random games

    def random_game(self, chance: random.Random, longest: int) -> list[int]:
        """How many legal moves each position of a random game from the root on has, a finished one none.

        A game in which a rule fails ends there.
        """
        kernel, parts = self.kernel, self.kernel.assembled
        outcome, found = parts.layout.outcome, list[int]()
        row = kernel.row(self.game_space.root)
        while len(found) < longest:
            try:
                moves = [] if row[outcome] != GOING else kernel.moves(row)
                found.append(len(moves))
                if not moves or not kernel.apply(row, moves[chance.randrange(len(moves))]):
                    break
            except RuleError:
                break
        return found

    # ---- states

    def key(self, state: State) -> Key:
        """The least of a state's images, packed."""
        key, same, _ = self.kernel.pack_least(state, self._elements)
        if same > 1:
            self._same[key] = same
        return key

    def state(self, key: Key) -> State:
        """The state of a packed position."""
        row = self.kernel.start()
        self.kernel.functions["unpack_row"](key, row)
        return self.kernel.state(row)


@attrs.frozen(eq=False)
class PackedValues:
    """The values of all positions that can be reached, for the interpreter's states; see `solver.solve.Solved`."""

    space: PackedSpace
    strong: Strong[Key, int]

    def value(self, state: State) -> Value | None:
        """The value of any reachable state; None for one that is not."""
        return self.strong.value(self.space.key(state))

    def unmerged(self) -> int:
        """How many positions there are without merging by symmetry."""
        return self.strong.unmerged()

    def tally(self) -> dict[str, int]:
        """How many positions, unmerged, the player to move wins, loses and draws; finished ones included."""
        return self.strong.tally()

    def longest(self) -> int:
        """The largest remoteness."""
        return self.strong.longest()

    def cyclic(self) -> bool:
        """Whether a position can come back."""
        return self.strong.cyclic()

    def line(self, state: State, limit: int = 200) -> Iterator[Move]:
        """Best play from a state: the winner hurries, the loser delays, a draw heads for its end."""
        return best_line(self.space.game_space, self.value, state, limit)



