"""What threads do to search one tree without locks: take room for nodes, claim a node to expand it, have it seen.

Arrays: `used` int64[1], how many nodes the tree has; `claims` int64[CLAIMS], which nodes are claimed, all 0 at first.
"""

from __future__ import annotations

from solver.native.functions import Line, add_to, exchange, inlined

CLAIMS = 1 << 10
"""Places by which threads claim nodes, each for many of them."""


@inlined
def take_room(used: Line, most: int, count: int) -> int:
    """Take room for so many nodes in a tree that has room for `most`; the first of them, -1 where there is too little.

    Where a thread finds that another took the room meanwhile, `used` may be more than `most`.
    """
    if used[0] + count > most:
        return -1
    first = add_to(used, 0, count)
    return first if first + count <= most else -1


@inlined
def claim(claims: Line, node: int) -> bool:
    """Claim a node, so that no other thread expands it; False where one may be doing so."""
    return exchange(claims, node & CLAIMS - 1, 0, 1)


@inlined
def release(claims: Line, node: int) -> None:
    """Give up a claim."""
    exchange(claims, node & CLAIMS - 1, 1, 0)


@inlined
def finish_writing(used: Line) -> None:
    """Have whoever sees what is written after this see all that was written before."""
    add_to(used, 0, 0)
