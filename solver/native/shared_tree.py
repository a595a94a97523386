"""Lock-free operations on a search tree that threads share: allocate nodes, claim a node to expand it, publish it.

Arrays: `used` int64[1], the number of nodes of the tree; `claims` int64[CLAIMS], 1 where nodes are claimed, all 0 at
first.
"""

from __future__ import annotations

from solver.native.functions import Line, add_to, exchange, inlined

CLAIMS = 1 << 10
"""The number of claim slots; many nodes share a slot."""


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
