"""Random seeds of searches: the same for the same seed and position, others for other positions and threads."""

from __future__ import annotations

from interpreter.game import Position
from interpreter.kernel.plain import scramble

_APART, _PRIME = 0xD1342543DE82EF95, 1_000_003


def seed_at(seed: int, position: Position) -> int:
    """The seed for a search of one position of a game that is played with `seed`."""
    return seed * _PRIME + len(position.played)


def seed_of(seed: int, number: int = 0) -> int:
    """The seed of one of several threads, in the 62 bits that kernels take; number 0 is the main thread, which keeps
    `seed`."""
    return (scramble(seed + number * _APART & (1 << 64) - 1) if number else seed) & (1 << 62) - 1
