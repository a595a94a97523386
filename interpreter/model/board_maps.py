"""Symmetries of a board: maps of the board onto itself, the groups that they generate, and automorphisms of graphs.

A `BoardMap` maps cells, and with them sets of cells, directions, rows and columns. Boards on a lattice take their maps
from integer matrices about the centre of their cells (`dsl.boards`); an explicit graph takes them from a search for its
automorphisms.

A map of the board is not yet a symmetry of the game: whether the rules allow it, or need the players swapped with it,
is decided elsewhere. `interpreter.boards` makes the maps; `generate` lists a whole group, for all images of a position.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import factorial, prod
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    import networkx

LARGEST_GROUP = 10_000
"""The most maps that `generate` lists, and the greatest order of a graph's automorphism group; more is refused."""
LARGEST_GRAPH = 1000
"""The most cells of a graph whose automorphisms are searched for, as that needs the distances between all pairs."""

_IDENTITY = "identity"
_LOOKED_UP_MEANWHILE = 4
"""The number of bytes of a set that are looked up in the time of mapping one cell."""


class BoardError(ValueError):
    """Something is wrong with the board that a game asks for; the message is for the game's author."""


@attrs.frozen
class BoardMap:
    """An automorphism of a board: a bijection of its cells that preserves neighbours. Equality ignores the name."""

    name: str = attrs.field(eq=False)
    cells: tuple[int, ...]
    """The image of each cell."""
    directions: tuple[int, ...]
    """The index of each direction's image: a step, then the map, equals the map, then a step in the image direction."""
    row_sets: tuple[int, ...] = attrs.field(eq=False, repr=False)
    """The board's rows, as bitmasks; empty if it has none."""
    column_sets: tuple[int, ...] = attrs.field(eq=False, repr=False)
    """The board's columns, likewise."""

    @cached_property
    def rows(self) -> tuple[int, ...] | None:
        """The index of each row's image; None unless every row is mapped onto a row. A row without cells stays."""
        return self._images_of(self.row_sets)

    @cached_property
    def columns(self) -> tuple[int, ...] | None:
        """The index of each column's image; None unless every column is mapped onto a column."""
        return self._images_of(self.column_sets)

    def of_set(self, mask: int) -> int:
        """Return the image of a set of cells, all of them on the board.

        A set of few cells is mapped cell by cell, and one that lacks few by its complement: sets of ten cells of 1,296
        take 4 microseconds instead of 14.
        """
        size, tables = len(self.cells), self._tables
        few = len(tables) // _LOOKED_UP_MEANWHILE
        count = mask.bit_count()
        if count < few:
            return self._one_by_one(mask)
        if size - count < few:
            whole = (1 << size) - 1
            return whole ^ self._one_by_one(whole ^ mask)
        image = 0
        for table, byte in zip(tables, mask.to_bytes(len(tables), "little"), strict=True):
            image |= table[byte]
        return image

    def _one_by_one(self, mask: int) -> int:
        """The image of a set, mapped cell by cell."""
        image = 0
        while mask:
            lowest = mask & -mask
            image |= 1 << self.cells[lowest.bit_length() - 1]
            mask ^= lowest
        return image

    def then(self, other: BoardMap) -> BoardMap:
        """Return the composition of this map, applied first, and the other."""
        names = [name for name in (self.name, other.name) if name != _IDENTITY]
        return attrs.evolve(
            self,
            name=" then ".join(names) or _IDENTITY,
            cells=tuple(map(other.cells.__getitem__, self.cells)),
            directions=tuple(map(other.directions.__getitem__, self.directions)),
        )

    def inverse(self) -> BoardMap:
        """Return the inverse map."""
        return attrs.evolve(
            self,
            name=_IDENTITY if self.name == _IDENTITY else f"inverse of {self.name}",
            cells=_inverse(self.cells),
            directions=_inverse(self.directions),
        )

    @cached_property
    def _tables(self) -> tuple[tuple[int, ...], ...]:
        """For each group of 8 cells, the images of its 256 subsets, for one look-up instead of eight."""
        tables = []
        for first in range(0, len(self.cells), 8):
            table = [0]
            for image in self.cells[first : first + 8]:
                table += [smaller | 1 << image for smaller in table]
            tables.append(tuple(table))
        return tuple(tables)

    def _images_of(self, sets: tuple[int, ...]) -> tuple[int, ...] | None:
        index = {mask: k for k, mask in enumerate(sets)}
        images = [index.get(self.of_set(mask), -1) if mask else k for k, mask in enumerate(sets)]
        return None if -1 in images else tuple(images)


def identity(size: int, directions: int, row_sets: tuple[int, ...], column_sets: tuple[int, ...]) -> BoardMap:
    """Return the identity map of a board with `size` cells and `directions` directions."""
    return BoardMap(_IDENTITY, tuple(range(size)), tuple(range(directions)), row_sets, column_sets)


def generate(maps: Iterable[BoardMap], *, limit: int = LARGEST_GROUP) -> tuple[BoardMap, ...]:
    """Return every map of the group that some maps of one board generate, the identity first.

    Takes at least one map (`Board.identity` will do). The search is breadth-first, so that the maps come in the order
    of their shortest products of given maps. Raises BoardError when the group has more than `limit` maps.
    """
    generators = tuple(maps)
    if not generators:
        raise ValueError("no maps given: a group needs a board, so give at least its identity")
    start = attrs.evolve(generators[0].then(generators[0].inverse()), name=_IDENTITY)
    result = {start: None}
    waiting = deque(result)
    while waiting:
        element = waiting.popleft()
        for generator in generators:
            product = element.then(generator)
            if product not in result:
                if len(result) == limit:
                    raise BoardError(f"these symmetries make more than {limit} maps of the board, too many to use")
                result[product] = None
                waiting.append(product)
    return tuple(result)


# -- explicit graphs ----------------------------------------------------------------------------------------


def automorphisms(graph: networkx.Graph, *, limit: int = LARGEST_GROUP) -> tuple[tuple[int, ...], ...]:
    """Return generators of the automorphism group of a graph on nodes 0..n-1, each as the images of the nodes.

    The search follows the chain of stabilisers of nodes 0, 1, ... At each level, from the last up, it looks for one
    automorphism to each node that the level's node may be mapped to while all nodes before it are fixed. The product of
    the orbits' sizes is the order of the group, so that the group is never listed. An asymmetric graph has no
    generators. Raises BoardError when the order exceeds `limit`, or the graph has more than LARGEST_GRAPH nodes.
    """
    import networkx

    size = len(graph)
    if size > LARGEST_GRAPH:
        raise BoardError(f"this graph has {size} cells, expected at most {LARGEST_GRAPH} to find its symmetries")
    twins = Counter(frozenset(graph[node]) for node in range(size))  # nodes with the same neighbours can be exchanged
    if prod(factorial(min(count, 20)) for count in twins.values()) > limit:
        raise BoardError(f"this graph has more than {limit} symmetries, too many to use")
    distances = dict(networkx.all_pairs_shortest_path_length(graph))

    def refined(colours: Sequence[int], fixed: int) -> list[tuple[int, int]]:
        return [(colours[node], distances[fixed].get(node, -1)) for node in range(size)]

    # colours[level][node]: nodes of different colours cannot be exchanged while nodes 0..level-1 are fixed
    colours = [_numbered([(graph.degree[node], 0) for node in range(size)])]
    for node in range(size):
        colours.append(_numbered(refined(colours[-1], node)))

    generators: list[tuple[int, ...]] = []
    order = 1
    for level in reversed(range(size)):
        orbit = {level}
        before = refined(colours[level], level)
        for target in range(level + 1, size):
            if target in orbit or colours[level][target] != colours[level][level]:
                continue
            result = _isomorphism(graph, before, refined(colours[level], target))
            if result is not None:
                generators.append(result)
                orbit = _orbit(level, generators)
        order *= len(orbit)
        if order > limit:
            raise BoardError(f"this graph has more than {limit} symmetries, too many to use")
    return tuple(generators)


def _isomorphism(
    graph: networkx.Graph, before: list[tuple[int, int]], after: list[tuple[int, int]]
) -> tuple[int, ...] | None:
    """Find an automorphism that maps each node to one whose label in `after` is the node's in `before`, else None."""
    import networkx

    if sorted(before) != sorted(after):
        return None
    first, second = networkx.Graph(graph.edges), networkx.Graph(graph.edges)
    first.add_nodes_from((node, {"label": label}) for node, label in enumerate(before))
    second.add_nodes_from((node, {"label": label}) for node, label in enumerate(after))
    same_label = networkx.isomorphism.categorical_node_match("label", None)
    matcher = networkx.isomorphism.GraphMatcher(first, second, node_match=same_label)
    result: dict[int, int] | None = next(matcher.isomorphisms_iter(), None)
    return None if result is None else tuple(result[node] for node in range(len(before)))


def _orbit(node: int, generators: Sequence[tuple[int, ...]]) -> set[int]:
    orbit, waiting = {node}, [node]
    while waiting:
        here = waiting.pop()
        for generator in generators:
            if generator[here] not in orbit:
                orbit.add(generator[here])
                waiting.append(generator[here])
    return orbit


def _numbered(labels: Sequence[tuple[int, int]]) -> list[int]:
    number = {label: k for k, label in enumerate(sorted(set(labels)))}
    return [number[label] for label in labels]


def _inverse(images: tuple[int, ...]) -> tuple[int, ...]:
    result = [0] * len(images)
    for source, image in enumerate(images):
        result[image] = source
    return tuple(result)
