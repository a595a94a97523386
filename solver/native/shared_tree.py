"""Operations on a search tree that threads share without locks: allocate nodes, claim, expand and publish a node, and
see whether the move of the root is settled.

The children of a node have consecutive indices. A node keeps them as one number, so that a thread that reads it once
sees the children of one expansion, also where another thread is expanding the node a second time.

Arrays: `used` int64[1], the number of nodes of the tree; `claims` int64[CLAIMS], 1 where nodes are claimed, all 0 at
first.
"""

from __future__ import annotations

from typing import Protocol

from solver.native.functions import Line, Records, add_to, exchange, inlined

CLAIMS = 1 << 10
"""The number of claim slots; many nodes share a slot."""
OPEN, NEVER = 0, -99
"""The proof of a node that is not proven, and a proof that no node has."""
_COUNT_BITS = 24


class Visited(Protocol):
    """A node of a tree search."""

    children: int
    """The children as `packed` has them; 0 where the node is not expanded."""
    visits: int
    proven: int


@inlined
def packed(first: int, count: int, part: bool) -> int:
    """The number that stands for `count` children from index `first`, which is above 0.

    `part` says that they are not all the moves of the position.
    """
    return (first << _COUNT_BITS | count) << 1 | int(part)


@inlined
def indices(children: int) -> range:
    """The indices of the children that a number stands for."""
    first = children >> _COUNT_BITS + 1
    return range(first, first + (children >> 1 & (1 << _COUNT_BITS) - 1))


@inlined
def is_part(children: int) -> bool:
    """Whether the children that a number stands for are not all the moves of the position."""
    return children & 1 != 0


@inlined
def take_room(used: Line, most: int, count: int) -> int:
    """Allocate `count` nodes in a tree with room for `most`; the first of them, -1 where there is too little room.

    Where threads compete for the last room, `used` may become greater than `most`.
    """
    if used[0] + count > most:
        return -1
    first = add_to(used, 0, count)
    return first if first + count <= most else -1


@inlined
def claim(claims: Line, node: int) -> bool:
    """Claim a node, so that no other thread expands it; False where its slot is claimed already."""
    return exchange(claims, node & CLAIMS - 1, 0, 1)


@inlined
def release(claims: Line, node: int) -> None:
    """Release the claim of a node."""
    exchange(claims, node & CLAIMS - 1, 1, 0)


@inlined
def finish_writing(used: Line) -> None:
    """Memory barrier: a thread that sees a write made after this sees all writes made before it."""
    add_to(used, 0, 0)


@inlined
def is_settled(tree: Records[Visited], node: int, goal: int, drawn: int) -> bool:
    """Whether the visits that are left until a root has `goal` of them cannot make another child the most visited one,
    unless they prove a result.

    Children that are won or lost do not count. `drawn` is the proof of a drawn node, NEVER where no game is drawn; the
    visits of a drawn child tell nothing, so that nothing is settled while it is the most visited one.
    """
    root = tree[node]
    most, second, best = 0, 0, OPEN
    for child in indices(root.children):
        proof, visits = tree[child].proven, tree[child].visits
        if proof not in (OPEN, drawn):
            continue
        if visits > most:
            most, second, best = visits, most, proof
        elif visits > second:
            second = visits
    return best != drawn and most - second > goal - root.visits
