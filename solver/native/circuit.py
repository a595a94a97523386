"""Circuit evaluation: how nearly regions are joined, as the current between them through a board of resistors.

Empty cells conduct, each of the player's groups is a single node, and the opponent's pieces are left out (Anshelevich,
Artificial Intelligence 134, 2002, after a machine of Shannon's). Virtual connections are wires as well. The more
current flows, the nearer the regions are to being joined; a cell that carries much of it matters to both players.

Arrays: see the fields of the named tuple.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.kernel.plain import EMPTY
from solver.native.functions import Line, Reals, compiled, inlined, part
from solver.native.virtual_connections import FULLS, Net

WIRES = 128
"""The most wires of a point; further ones are left out."""
SWEEPS = 12
"""The number of relaxation sweeps, after which the current is within a tenth of its limit."""
_RELAXING = 1.6
"""The relaxation factor of successive over-relaxation."""
_STEP, _TOUCH, _FAR, _GROUPS = 0.5, 1.0, 0.5, 4.0
"""The conductance between two empty cells, a group and a cell that it touches, a group and a connected cell that it
does not touch, two connected groups."""


class Circuit(NamedTuple):
    """Wires and potentials; points are those of `virtual_connections`."""

    order: Line
    """[points]: the points whose potential is unknown."""
    wires: Line
    """[points]: the number of wires of each point."""
    ends: Line
    """[points * WIRES]: the point at the other end of each wire."""
    strength: Reals
    """[points * WIRES]: the conductance of each wire."""
    total: Reals
    """[points]: the sum of the conductances of a point's wires."""
    potential: Reals
    """[points]"""
    shares: Reals
    """[2 * cells]: for each player, the share of the current that flows through each cell."""


@inlined
def _put_wire(one: int, other: int, strength: float, own: Circuit) -> None:
    if own.wires[one] >= WIRES or own.wires[other] >= WIRES:
        return
    place = one * WIRES + own.wires[one]
    own.ends[place] = other
    own.strength[place] = strength
    own.wires[one] += 1
    own.total[one] += strength
    place = other * WIRES + own.wires[other]
    own.ends[place] = one
    own.strength[place] = strength
    own.wires[other] += 1
    own.total[other] += strength


@inlined
def _put_wires(net: Net, own: Circuit) -> None:
    """Put a wire between each two empty neighbours, and one for each full connection."""
    cells, points, colour = len(net.near), len(net.anchor), net.colour
    for point in range(points):
        own.wires[point] = 0
        own.total[point] = 0.0
    for cell in range(cells):
        if colour[cell] == 0:
            for place in range(1, net.near[cell, 0] + 1):
                other = net.near[cell, place]
                if other > cell and colour[other] == 0:
                    _put_wire(cell, other, _STEP, own)
    for one in range(net.state[0].anchors):
        for point in range(points):
            index = one * points + point
            if net.full_sizes[index] == 0:
                continue
            other = net.anchor[point]
            if other < 0:
                touching = True
                for k in range(net.words):
                    touching = touching and net.full[index * FULLS, k] == EMPTY
                _put_wire(net.spots[one], point, _TOUCH if touching else _FAR, own)
            elif other > one:
                _put_wire(net.spots[one], point, _GROUPS, own)


@inlined
def _settle_potentials(count: int, own: Circuit) -> None:
    """Solve for the potentials by successive over-relaxation."""
    for sweep in range(SWEEPS):
        for place in range(count):
            point = own.order[place if sweep % 2 == 0 else count - 1 - place]
            sum_of_ends = 0.0
            first = point * WIRES
            for wire in range(first, first + own.wires[point]):
                sum_of_ends += own.strength[wire] * own.potential[own.ends[wire]]
            own.potential[point] += _RELAXING * (sum_of_ends / own.total[point] - own.potential[point])


@part
def current_of(net: Net, own: Circuit) -> float:
    """The current between the regions of the player whose connections `net` has; writes the player's `shares`."""
    cells, points, player = len(net.near), len(net.anchor), net.state[0].player
    _put_wires(net, own)
    source, sink = net.spots[0], net.spots[1]
    count = 0
    for point in range(points):
        own.potential[point] = 0.5
        if point != source and point != sink and own.total[point] > 0.0:
            own.order[count] = point
            count += 1
    own.potential[source] = 1.0
    own.potential[sink] = 0.0
    _settle_potentials(count, own)
    result = 0.0
    first = source * WIRES
    for wire in range(first, first + own.wires[source]):
        result += own.strength[wire] * (1.0 - own.potential[own.ends[wire]])
    for cell in range(cells):
        through = 0.0
        if result > 0.0 and net.colour[cell] == 0:
            first = cell * WIRES
            for wire in range(first, first + own.wires[cell]):
                through += own.strength[wire] * abs(own.potential[own.ends[wire]] - own.potential[cell])
            through *= 0.5 / result
        own.shares[player * cells + cell] = through
    return result


@compiled
def current(net: Net, own: Circuit) -> int:
    """The result of `current_of` in thousandths, for calls from Python."""
    return int(1000.0 * current_of(net, own))
