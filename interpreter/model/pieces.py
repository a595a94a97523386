"""Constant properties of pieces: their owners and kinds."""

from __future__ import annotations

from dsl import hir


def owners(rules: hir.Rules) -> list[int]:
    """For each piece its owner, -1 for none."""
    return [-1 if piece.owner is None else piece.owner for piece in rules.pieces]


def kinds(rules: hir.Rules) -> list[int]:
    """For each piece its kind, -1 for empty and for tiles."""
    names = hir.kinds_of(rules.pieces)
    return [names.index(piece.name) if piece.name in names else -1 for piece in rules.pieces]


def pieces_by_kind(rules: hir.Rules) -> list[list[int]]:
    """For each kind, the piece of each player, -1 where the player has none."""
    of_kind, result = kinds(rules), [[-1] * len(rules.players) for _ in hir.kinds_of(rules.pieces)]
    for index, piece in enumerate(rules.pieces):
        if of_kind[index] >= 0 and piece.owner is not None:
            result[of_kind[index]][piece.owner] = index
    return result
