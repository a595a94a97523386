"""Queries of a solution in a folder of any file system, of which single blocks are read on demand."""

from __future__ import annotations

import json
import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

import attrs

from dsl.diagnostics import GameFileError
from interpreter.arrays import Numbers
from interpreter.game import Game
from interpreter.kernel import plain
from interpreter.kernel.kernel import Kernel, NotLowered
from interpreter.model.state import Move, State
from solver.cluster import files
from solver.cluster.containers import Container, Damaged, Object
from solver.cluster.coordinator import MANIFEST, WORK
from solver.cluster.job import FORMAT, space_of
from solver.cluster.runs import BLOCK
from solver.cluster.store import Store
from solver.errors import Refused
from solver.game_space import GameSpace
from solver.native import sorted_keys, sorting
from solver.strong import Value, best_line
from solver.tables.codes import value_of
from solver.tables.saved import identity_of

_MOST_BLOCKS = 256
"""The number of decoded blocks of positions that are kept in memory."""
Key = tuple[int, ...]


@attrs.frozen(eq=False)
class _Part:
    """A part's directory of blocks."""

    container: Container
    count: int
    first: list[Key]
    starts: list[int]
    """The offset of each block in the payload, and the end of the last one."""
    checksums: list[int]

    @classmethod
    def of(cls, container: Container) -> _Part:
        words = int(container.about["words"])
        rows = list(struct.iter_unpack(f"<{words + 2}Q", container.array("directory").tobytes()))
        end = int(container.listed["payload"][1][0])
        return cls(container, int(container.about["count"]), [row[:words] for row in rows],
                   [*(row[words] for row in rows), end], [row[words + 1] for row in rows])

    def block(self, number: int) -> list[Key]:
        """Read and decode the positions of a block. Raises Damaged."""
        content = self.container.bytes_of("payload", self.starts[number], self.starts[number + 1])
        if zlib.crc32(content) != self.checksums[number]:
            raise Damaged(f"its block {number} has another checksum")
        count = min(BLOCK, self.count - number * BLOCK)
        keys = plain.rows(count, len(self.first[0]))
        directory = plain.rows(1, len(self.first[0]) + 2)  # the content begins with the block
        sorted_keys.decode(content, directory, 0, 1, BLOCK, keys)  # type: ignore[arg-type]  # bytes are read as arrays
        return [tuple(key) for key in keys]


@attrs.define(eq=False)
class ClusterSolution:
    """A solution made on a cluster, which answers queries from its files."""

    store: Store
    about: Object
    space: GameSpace
    """The space that was solved: the game from its root on."""
    _kernel: Kernel
    _elements: Numbers
    _parts: dict[tuple[int, int], _Part] = attrs.field(factory=dict)
    _keys: dict[tuple[int, int, int], list[Key]] = attrs.field(factory=dict)
    _values: dict[tuple[int, int, int], Container] = attrs.field(factory=dict)

    @classmethod
    def open(cls, url: str) -> ClusterSolution:
        """Open the solution in a folder. Raises Refused, which says what is wrong with it, and OSError."""
        store = Store.at(url)
        if not store.exists(MANIFEST):
            if store.exists(WORK):
                raise Refused(f"{url} holds an unfinished solution: the command that began it goes on with it")
            raise Refused(f"{url} holds no solution: there is no {MANIFEST} in it")
        about = store.read_object(MANIFEST)
        try:
            identity = about["identity"]
            space, kernel = space_of(about["source"], about["name"], identity, native=False)
            same = about["format"] == FORMAT and identity == json.loads(json.dumps(identity_of(space, kernel)))
        except (KeyError, TypeError, ValueError, GameFileError, NotLowered):
            same = False
        if not same:
            raise Refused(f"{url} was saved by another version of dslgame, for which the rules or the way positions "
                          "are packed were not the same: solve the game again")
        return cls(store, about, space, kernel, kernel.elements(space.maps))

    @classmethod
    def made(cls, store: Store, space: GameSpace, kernel: Kernel) -> ClusterSolution:
        """Open the solution that was just made of a space. Raises Refused, OSError."""
        kernel = kernel.as_plain()
        return cls(store, store.read_object(MANIFEST), space, kernel, kernel.elements(space.maps))

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self.space.game

    @property
    def merged(self) -> int:
        """The number of positions up to symmetry."""
        return int(self.about["positions_merged"])

    @property
    def size(self) -> int:
        """The size of all files in bytes."""
        return self.store.total_size()

    def value(self, state: State) -> Value | None:
        """The value of a reachable state; None for an unreachable one. Raises Refused where a file is damaged."""
        return self.space.of_table(state, self._look_up)

    def _look_up(self, state: State) -> Value | None:
        parts, functions = self._kernel.assembled, self._kernel.functions
        key, images = plain.rows(1, parts.packing.width), plain.rows(3, parts.layout.width)
        functions["pack_least"](self._kernel.row(state), key[0], self._elements, images)
        words = tuple(int(word) & (1 << 64) - 1 for word in key[0])
        tier = 0 if self.about["flat"] else int(functions["tier_of"](key[0]))
        return self._value(tier, words)

    def _value(self, tier: int, key: Key) -> Value | None:
        record = next((result for result in self.about["tiers"] if result["number"] == tier), None)
        if record is None:
            return None
        part, sizes = plain.line(1), plain.line(record["parts"])
        sorting.parts_of(plain_rows(key), 1, part, sizes)  # type: ignore[arg-type]  # as arrays are
        if part[0] not in dict(map(tuple, record["counts"])):
            return None
        result = self._part(tier, part[0])
        block = bisect_right(result.first, key) - 1
        if block < 0:
            return None
        keys = self._block(tier, part[0], block, result)
        place = bisect_left(keys, key)
        if place == len(keys) or keys[place] != key:
            return None
        return value_of(self._code(tier, part[0], block * BLOCK + place))

    def _part(self, tier: int, part: int) -> _Part:
        if (tier, part) not in self._parts:
            name = files.keys_name(tier, part)
            try:
                self._parts[tier, part] = _Part.of(self.store.open_arrays(name))
            except Damaged as problem:
                raise self.store.damaged(name, problem) from None
        return self._parts[tier, part]

    def _block(self, tier: int, part: int, number: int, result: _Part) -> list[Key]:
        if (tier, part, number) not in self._keys:
            if len(self._keys) >= _MOST_BLOCKS:
                self._keys.pop(next(iter(self._keys)))
            try:
                self._keys[tier, part, number] = result.block(number)
            except Damaged as problem:
                raise self.store.damaged(files.keys_name(tier, part), problem) from None
        return self._keys[tier, part, number]

    def _code(self, tier: int, part: int, place: int) -> int:
        batch, rest = divmod(place, int(self.about["batch"]))
        name = files.values_name(tier, part, batch)
        try:
            result = self._values.get((tier, part, batch))
            if result is None:
                result = self._values[tier, part, batch] = self.store.open_arrays(name)
            return files.value_at(result, rest)
        except Damaged as problem:
            raise self.store.damaged(name, problem) from None

    def check(self) -> int:
        """Read and verify all files of positions and values; return the number of positions.

        Raises Refused at the first damaged file, OSError.
        """
        total = 0
        for record in self.about["tiers"]:
            for part, count in record["counts"]:
                name = files.keys_name(record["number"], part)
                try:
                    result = self.store.read_arrays(name)
                    for array in result.listed:
                        result.array(array)
                except Damaged as problem:
                    raise self.store.damaged(name, problem) from None
                valued = sum(len(files.read_values(self.store, files.values_name(record["number"], part, batch)))
                             for batch in range(-(-count // int(self.about["batch"]))))
                if not valued == count == result.about["count"]:
                    raise Refused(f"{self.store.url}: {name} has {result.about['count']:,} positions, of which "
                                  f"{valued:,} have values, and {count:,} were written")
                total += count
        return total

    def unmerged(self) -> int:
        """The number of positions without merging by symmetry."""
        return int(self.about["positions"])

    def tally(self) -> dict[str, int]:
        """The numbers of positions, not merged by symmetry, that the player to move wins, loses and draws; finished
        ones are included."""
        return {name: int(self.about["tally"][name]) for name in ("win", "lose", "draw")}

    def longest(self) -> int:
        """The largest remoteness."""
        return int(self.about["longest"])

    def cyclic(self) -> bool:
        """Whether a position can repeat."""
        return bool(self.about["cyclic"])

    def line(self, state: State, limit: int = 200) -> Iterator[Move]:
        """The moves of best play from a state, `limit` at most: the winner takes the shortest win, the loser the
        longest loss, and in a draw both head for its end."""
        return best_line(self.space, self.value, state, limit)


def plain_rows(key: Key) -> plain.Grid:
    """A packed position as a grid of one row, as functions that are not compiled take it."""
    return plain.Grid([list(key)])
