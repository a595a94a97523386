"""Resolves piles: their declaration, and the effects that build them and take them apart.

`declare` sets the maximum height of piles, and adds the variables that hold the pieces under the top of each; the
effects are registered with `dsl.resolve.effects`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.diagnostics import error
from dsl.resolve.sorts import ANY_INTEGER, CELL, PIECE, Covered
from dsl.syntax import rules
from dsl.syntax.source import NOWHERE

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver
    from dsl.resolve.effects import Effects
    from dsl.resolve.scope import World

HIGHEST = 128
"""The largest possible maximum height of piles."""
_BITS = 48
"""Bits of a number that hold pieces: integers of this size are exact on every target of the compiler."""


def declare(resolver: DeclarationResolver) -> None:
    """Resolve the declaration `piles`: the maximum height of piles, and the variables that hold the pieces under their
    tops."""
    world = resolver.world
    world.piles = _most(resolver)
    world.variable_kinds += _covered(world, world.piles)


def _most(resolver: DeclarationResolver) -> int:
    """The maximum height of piles by the declaration `piles`; 0 where there is none, or it is invalid."""
    item = resolver.one(rules.Piles, "'piles' declaration")
    if item is None:
        return 0
    most = resolver.constant(item.most, "the height of piles")
    if most is None:
        resolver.world.doubt("piles")
        return 0
    if not 1 <= most <= HIGHEST:
        resolver.world.doubt("piles")
        resolver.error("G261", f"piles up to {most}, expected a number in 1..{HIGHEST}", item.most.span,
                       "as many as there are pieces is always enough")
        return 0
    if not resolver.world.board.bounded:
        resolver.world.doubt("piles")
        resolver.error("G262", "an unbounded board has no piles, expected a board with fixed cells", item.span)
        return 0
    return most


def _covered(world: World, most: int) -> tuple[hir.VariableKind, ...]:
    """The variables that hold the pieces under the tops of piles of a given maximum height, the highest pieces first.
    """
    bits = max(1, (len(world.pieces) - 1).bit_length())
    result: list[hir.VariableKind] = []
    left = most - 1
    while left > 0:
        digits = min(left, _BITS // bits)
        sort = Covered(bits, digits)
        result.append(hir.VariableKind(f"pile.{len(result) + 1}", "cell", sort, False, None, span=NOWHERE))
        left -= digits
    return tuple(result)


# ---- effects


def carry_pile(effects: Effects, item: rules.CarryPile) -> hir.Effect:
    """`carry a onto b`, `carry 2 from a under b`."""
    _asked(effects, item, f"'carry ... {'under' if item.under else 'onto'} ...'", "without piles write 'carry a to b'")
    terms = effects.terms
    amount = None if item.amount is None else terms.value(item.amount, ANY_INTEGER)
    return hir.CarryPile(amount, terms.value(item.origin, CELL), terms.value(item.destination, CELL), item.under,
                         span=item.span)


def put(effects: Effects, item: rules.Put) -> hir.Effect:
    """`put own on c`."""
    _asked(effects, item, "'put'", "to put a piece on an empty cell write 'c := own'")
    piece = effects.terms.value(item.piece, PIECE)
    if isinstance(piece, hir.Literal) and piece.value == 0:
        effects.terms.report("G263", "'empty' is put on a pile, expected a piece", item.piece.span,
                             "'remove 1 from c' takes the top piece away, 'c := empty' the whole pile")
    return hir.Put(piece, effects.terms.value(item.cell, CELL), item.under, span=item.span)


def remove(effects: Effects, item: rules.Remove) -> hir.Effect:
    """`remove 2 from c`."""
    _asked(effects, item, "'remove'", "to empty a cell write 'c := empty'")
    terms = effects.terms
    return hir.Remove(terms.value(item.amount, ANY_INTEGER), terms.value(item.cell, CELL), item.under, span=item.span)


def _asked(effects: Effects, item: rules.Effect, what: str, otherwise: str) -> None:
    """Report an effect on piles in a game that has none."""
    world = effects.world
    if not world.piles and not world.doubtful("piles"):
        world.report(error("G260", f"{what} needs piles, expected a declaration such as 'piles up to 5'", item.span,
                           help=otherwise))
