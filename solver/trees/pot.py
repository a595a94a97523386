"""`.pot` files: trees of games whose moves are numbered 0, 1, 2, ... and whose positions are a few digits.

There is no header, and nodes are in pre-order. A node is a byte for its label, eight bytes for its position (a number,
little-endian, with the decimal digits of all cells and variables after a 5), and its children, as many as there are
moves, each a node or `#`. The label of a leaf is 0 for a draw, 1 or 2 for the winner, 3 for a draw in which both have
won, 4 for a repeated position; that of an inner node is F or S for the player who wins, D for a draw, L for a draw by
repetition, X for unknown. Reading plays the moves, and refuses a file that contradicts the rules, with the offset.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from dsl.resolve.sorts import Integer
from interpreter.game import Game
from interpreter.kernel.numbering import Numbering
from interpreter.model.state import DRAW, State, WorkingState
from solver.trees import labels as labelling
from solver.trees.files import BadTree
from solver.trees.labels import Labels
from solver.trees.pruning import Pruned
from solver.trees.tree import Tree

ABSENT = ord("#")
_MARK = 5
_INNER = {labelling.DRAW: "D", labelling.REPEATED: "L"}


class NotForPot(ValueError):
    """A game or a tree cannot be written as `.pot`; the text says why."""


@attrs.frozen(eq=False)
class Node:
    """A node as read from a file."""

    label: str
    code: int
    children: tuple[Node | None, ...]


def name_of(path: tuple[str, ...], level: int, *, pruned: bool) -> str:
    """The usual name of a file: P if it is pruned, the path, and the level counted from the game's start.

    Other characters of the notation than letters and digits are left out, and long paths are cut.
    """
    moves = re.sub(r"[^A-Za-z0-9]", "", "".join(path))[:200]
    return f"{'P' if pruned else ''}{moves}_{level}.pot"


def moves_of(game: Game) -> int:
    """How many children a node has, one for each move. Raises NotForPot where the format cannot hold the game."""
    numbering = Numbering.of(game)
    digits = game.board.size + len(game.engine.start().values)
    small = all(isinstance(kind.sort, Integer) and kind.sort.low >= 0 and kind.sort.high <= 9 and not kind.or_none
                for kind in game.rules.variables)
    if numbering is None or digits > 18 or len(game.rules.pieces) > 10 or not small or game.board.layers:
        raise NotForPot(f"{game.title} cannot be written as .pot: positions must be at most 18 digits")
    return numbering.count


def code_of(state: State) -> int:
    """The number that encodes a position."""
    table = WorkingState(state)
    cells = sum(state.pieces).bit_length()
    digits = "".join(str(table.piece_at(cell)) for cell in range(cells))
    return int(str(_MARK) + digits + "".join(str(value) for value in state.values))


def slot(text: str, moves: int) -> int:
    """The index of a move among a node's children. Raises NotForPot where it is not a number below `moves`."""
    if not text.isdecimal() or int(text) >= moves:
        raise NotForPot(f"the move '{text}' cannot be written as .pot: moves must be numbers below {moves}")
    return int(text)


# ---- writing


def write(tree: Tree, labels: Labels | None = None, pruned: Pruned | None = None) -> Iterator[bytes]:
    """Yield an unmerged tree as the bytes of a file, with labels of inner nodes if they are given. Raises NotForPot."""
    if tree.unfolding is None:
        raise NotForPot("a .pot file holds an unmerged tree: leave out the merging of positions")
    game, nodes = tree.game, tree.nodes()
    moves = moves_of(game)
    firsts = nodes.first_edges
    absent = b"#"
    stack: list[int] = [0]
    while stack:
        node = stack.pop()
        if node < 0:
            yield absent
            continue
        state = tree.state(node)
        yield _label(tree, node, state, labels).encode() + struct.pack("<Q", code_of(state))
        children = [-1] * moves
        for edge in range(int(firsts[node]), int(firsts[node + 1])):
            if pruned is None or pruned.edges[edge]:
                text = game.notation.write(state, tree.positions.move(int(nodes.edge[edge])))
                children[slot(text, moves)] = int(nodes.target[edge])
        stack.extend(reversed(children))


def _label(tree: Tree, node: int, state: State, labels: Labels | None) -> str:
    if state.outcome == DRAW:
        return "3" if _both_win(tree.game, state) else "0"
    if state.outcome is not None:
        return str(state.outcome + 1)
    if tree.nodes().loops[node]:
        return "4"
    value = 0 if labels is None else int(labels.value[node])
    if value in (labelling.WIN, labelling.LOSE):
        return "FS"[state.to_move ^ (value == labelling.LOSE)]
    return _INNER.get(value, "X")


def _both_win(game: Game, state: State) -> bool:
    """Whether the conditions of both players' wins hold."""
    result = set()
    table = WorkingState(state)
    for end in game.rules.ends:
        if end.kind == "win" and end.player is not None:
            asked = game.engine.evaluator.compile(end.condition.term)
            if asked(table, [None] * end.condition.slots):
                result.add(end.player)
    return len(result) > 1


# ---- reading


def read(game: Game, data: bytes, name: str, root: State | None = None) -> Node:
    """Read the nodes of a file, and check each position against the rules. Raises BadTree and NotForPot."""
    reader = _Reader(game, data, name)
    start = game.engine.start() if root is None else root
    result = reader.tree(start)
    if reader.place != len(data):
        raise BadTree(name, reader.place, f"the tree is over, and {len(data) - reader.place} bytes follow")
    if result is None:
        raise BadTree(name, 0, "the file is an absent node, expected a tree")
    return result


@attrs.frozen(eq=False)
class _Open:
    """A node whose children are being read."""

    label: str
    code: int
    after: Mapping[int, State]
    """What the numbers of the legal moves lead to; none where the game is over."""
    children: list[Node | None] = attrs.field(factory=list)


class _Reader:
    def __init__(self, game: Game, data: bytes, name: str) -> None:
        self.game, self.data, self.name = game, data, name
        self.moves = moves_of(game)
        self.place = 0
        self.legal: dict[State, Mapping[int, State]] = {}

    def successors(self, state: State) -> Mapping[int, State]:
        """The successor of a state by each legal move's number."""
        if state not in self.legal:
            self.legal[state] = {slot(self.game.notation.write(state, move), self.moves): after
                                 for move, after in self.game.engine.successors(state)}
        return self.legal[state]

    def tree(self, root: State) -> Node | None:
        """The node that begins here, with all below it; None for an absent one.

        Nodes whose children are being read lie on a stack, as a tree may be deeper than calls can be.
        """
        open_nodes: list[_Open] = []
        here: _Open | None = self._node(root)
        result: Node | None = None
        while True:
            if here is not None and len(here.children) < self.moves:
                open_nodes.append(here)
                here = self._node(here.after.get(len(here.children)))
                continue
            result = None if here is None else Node(here.label, here.code, tuple(here.children))
            if not open_nodes:
                return result
            here = open_nodes.pop()
            here.children.append(result)

    def _node(self, state: State | None) -> _Open | None:
        """Read the label and position of the next node; None for an absent one. `state` is its state by the rules."""
        at = self.place
        if at >= len(self.data):
            raise BadTree(self.name, at, "the file ends, expected a node")
        first = self.data[at]
        if first == ABSENT:
            self.place += 1
            return None
        if chr(first) not in "X01234FSDL":
            raise BadTree(self.name, at, f"found the byte 0x{first:02x}, expected a label or '#'")
        if at + 9 > len(self.data):
            raise BadTree(self.name, len(self.data), "the file ends within a position")
        (code,) = struct.unpack_from("<Q", self.data, at + 1)
        if state is None:
            raise BadTree(self.name, at, "there is a node after a move that is not legal")
        if code != code_of(state):
            raise BadTree(self.name, at + 1, f"the position is {code}, expected {code_of(state)}")
        self.place += 9
        return _Open(chr(first), code, self.successors(state) if state.outcome is None else {})


def write_again(node: Node | None) -> bytes:
    """The bytes of a file with nodes that were read."""
    parts: list[bytes] = []
    stack: list[Any] = [node]
    while stack:
        here = stack.pop()
        if here is None:
            parts.append(b"#")
            continue
        parts.append(here.label.encode() + struct.pack("<Q", here.code))
        stack.extend(reversed(here.children))
    return b"".join(parts)
