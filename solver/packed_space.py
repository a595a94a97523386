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
"""Positions after a move that there is room for at first, and at most."""


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
    _room: int = 0
    _after: Any = None
    """Where the positions after a move are written, with what is noted of them and what the kernel works on."""

    def __attrs_post_init__(self) -> None:
        self.players, self.acyclic = self.game_space.players, self.game_space.acyclic
        self._elements = self.kernel.elements(self.game_space.maps)
        self._make_room(_ROOM)

    @classmethod
    def of(cls, space: GameSpace) -> PackedSpace:
        """The packed positions of a game's space. Raises NotLowered where the compiler has no words for a rule."""
        return cls(space, Kernel.of(space.game, native=False))

    def _make_room(self, room: int) -> None:
        parts = self.kernel.assembled
        width = parts.layout.width
        self._room = room
        self._after = (_rows(room, parts.packing.width), [0] * room, [0] * room, [0], [0], [0] * width,
                       _rows(room, width), _rows(room, parts.move_width), _rows(room, parts.entry_width),
                       _rows(parts.scratch, width), _rows(3, width))

    # ---- a space

    def start(self) -> Key:
        """The root."""
        return self.key(self.game_space.root)

    def successors(self, state: Key) -> list[tuple[int, Key]]:
        """The numbers of the legal moves with the positions they lead to. Raises RuleError where a rule fails."""
        expand = self.kernel.functions["expand_tiers"]
        while True:
            found, same, ranks, counts, failed, *working = self._after
            if expand([state], 0, 1, self._elements, found, same, ranks, counts, failed, *working) == 1:
                break
            self._failed(state)
        many = counts[0]
        keys = [(move, tuple(found[move])) for move in range(many)]
        if len(self._elements) > 1:
            for move, key in keys:
                if same[move] > 1:
                    self._same[key] = same[move]
        return keys

    def _failed(self, state: Key) -> None:
        """Make room where there was too little; else raise the rule's error."""
        failed = self._after[4]
        code, failed[0] = failed[0], 0
        if code <= 1:
            if self._room >= _MOST_ROOM:
                raise MemoryError(f"a position has more than {_MOST_ROOM:,} moves")
            self._make_room(self._room * 4)
            return
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



