"""Writes a game as an ES module, with which web pages and Node programs play it without Python.

The module is self-contained: it has `support.js`, the facts of the game, and the functions of its kernel that the class
`Game` of `support.js` calls. Random games per second of processor time, with Node 20 and with the kernel in plain
Python: 282,000 and 33,800 on 9 cells, 13,600 and 224 on 64 cells with captures, 26,500 and 1,340 on 121 cells that are
joined, 81,300 and 3,670 with cascades on 19 cells, 194 and 15 with tracks on 1,296.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Final

from dsl import hir
from dsl.checks.reads import reads
from dsl.resolve.sorts import BOOLEAN, CELL, DIRECTION, PIECE, PLAYER, Enumerated, Integer, SetOf, Sort
from dsl.words import Reads
from interpreter.analysis.dependence import free_slots
from interpreter.compiler.emit.javascript import SAFE_BITS, emitted, support_text
from interpreter.compiler.emit.javascript_text import halves
from interpreter.compiler.lowering.refusals import bits_of_numbers
from interpreter.errors import RuleError
from interpreter.model.notation import whole_choices
from interpreter.model.state import PASS, SWAP, WorkingState

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import Assembled
    from interpreter.game import Game

ENTRIES: Final = ("list_moves", "apply_move", "play_out")
"""The kernel functions that the class `Game` of `support.js` calls."""
_BIG_KERNEL: Final = """// numbers can be past 2**53 - 1 here, so that these functions calculate with BigInts
const kernel = {
  list_moves: (...given) => Number(list_moves(...given)),
  apply_move: (...given) => Number(apply_move(...given)),
  play_out: (position, seed, seedHigh, limit, entries) =>
    Number(play_out(position, seed, seedHigh, BigInt(limit), entries)),
};"""
MOST_TEXTS: Final = 1 << 14
"""The greatest number of texts in the table of a part of a notation."""
_SORTS: Final[dict[Sort, str]] = {
    CELL: "cell", PIECE: "piece", PLAYER: "player", DIRECTION: "direction", BOOLEAN: "boolean"}

_Part = str | dict[str, object]


def game_module(game: Game, assembled: Assembled) -> str:
    """Write a game's kernel as a self-contained ES module that exports `game`, an instance of `Game` of `support.js`.

    Raises IRError where the kernel has a function that JavaScript cannot call, such as a hook.
    """
    params = ", ".join(f"{name}={value}" for name, value in game.params.items())
    title = f"{game.title} ({params})" if params else game.title
    head = ["/**", f" * {title.replace('*/', '* /')}: what dslgame made of its rules.", " *",
            " * import { game } from this file; what it can do is said below, at the class Game.", " */"]
    big = bits_of_numbers(game.rules, game.board.size) > SAFE_BITS
    lines = [f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},"
             for name, value in _facts(game, assembled).items()]
    last = [_BIG_KERNEL if big else f"const kernel = {{ {', '.join(ENTRIES)} }};", "", "/** The game. */",
            "export const game = new Game(kernel, facts);", "export default game;"]
    support = re.sub(r"^export (?=function|let)", "", support_text().rstrip(), flags=re.MULTILINE)
    parts = [head, [support], ["// ---- the game"], ["const facts = {", *lines, "};"],
             [emitted(assembled.module, ENTRIES, big=big)], last]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _facts(game: Game, assembled: Assembled) -> dict[str, object]:
    """The facts of a game that the support needs: `Facts` in `support.js`."""
    rules, board, layout, evaluator = game.rules, game.board, assembled.layout, game.engine.evaluator
    piles = evaluator.piles
    return {
        "title": game.title,
        "params": dict(game.params),
        "players": list(rules.players),
        "pieces": [{"name": piece.name, "glyph": rules.empty_glyph if number == 0 else piece.glyph,
                    "sign": rules.empty_glyph if number == 0 else piece.sign or piece.glyph}
                   for number, piece in enumerate(rules.pieces)],
        "cells": list(board.names),
        "places": [[round(x, 4), round(y, 4)] for x, y in board.places],
        "directions": list(board.directions),
        "rules": [{"name": rule.name, "values": [_sort(sort) for sort in _slots(rule).values()],
                   "notation": _notation(game, number), "onward": _onward(game, number)}
                  for number, rule in enumerate(rules.moves)],
        "passing": _whole_text(game, PASS, "pass"),
        "swapping": _whole_text(game, SWAP, "swap"),
        "variables": [
            {"name": kind.name, "start": layout.values + first, "none": list(layout.missing[first : first + size])}
            for kind, first, size in zip(hir.said_variables(rules), evaluator.offsets, evaluator.sizes, strict=False)],
        "piles": {"start": layout.values + piles.start, "parts": len(piles.kinds),
                  "bits": max((kind.bits for kind in piles.kinds), default=0)} if piles else {
                      "start": 0, "parts": 0, "bits": 0},
        "start": [int(half) for value in layout.row(game.engine.start()) for half in halves(value)],
        "failures": list(assembled.failures),
        "layout": {"words": layout.words, "toMove": layout.to_move, "outcome": layout.outcome, "failed": layout.failed,
                   "entryWidth": assembled.entry_width, "moveWidth": assembled.move_width},
    }


# ---- moves as text


def _slots(rule: hir.Move) -> dict[int, Sort]:
    """The slots of a rule's own choices, in the order of a move's values, with the sorts of the values chosen there."""
    choices, _ = whole_choices(rule)
    return {slot: choice.domain.sort.element if isinstance(choice.domain.sort, SetOf) else choice.domain.sort
            for choice in choices for slot in choice.slots}


def _sort(sort: Sort) -> str | list[str]:
    """The name of a sort in the support; for an enumerated sort, its values."""
    return list(sort.values) if isinstance(sort, Enumerated) else _SORTS.get(sort, "number")


def _notation(game: Game, number: int) -> list[_Part] | None:
    """The notation of a rule's moves, where it depends on their values alone; else None."""
    rule = game.rules.moves[number]
    _, onward = whole_choices(rule)
    if onward is not None and not {local.slot for local in onward.given} <= _slots(rule).keys():
        return None
    parts = [_part(game, _slots(rule), part) for part in game.rules.notations[number][0]]
    known = [part for part in parts if part is not None]
    return known if len(known) == len(parts) else None


def _onward(game: Game, number: int) -> dict[str, object] | None:
    """How moves of a rule continue by another rule (`Onward` in `support.js`); None where they do not."""
    rule = game.rules.moves[number]
    _, onward = whole_choices(rule)
    if onward is None:
        return None
    target = game.rules.moves[onward.rule]
    firsts = whole_choices(target)[0][: len(onward.given)]
    own, others = list(_slots(rule)), list(_slots(target))
    count = sum(len(choice.slots) for choice in firsts)
    rest, new = 0, set(others[count:])
    for place, part in enumerate(game.rules.notations[onward.rule][0]):
        if isinstance(part, str):
            continue
        if any(isinstance(term, hir.Local) and term.slot in new for term in hir.walk(part.term)):
            break
        rest = place + 1
    return {"rule": onward.rule, "count": count, "rest": rest,
            "given": [[own.index(local.slot) if local.slot in own else -1, others.index(choice.slots[0])]
                      for local, choice in zip(onward.given, firsts, strict=True)]}


def _whole_text(game: Game, number: int, usual: str) -> str:
    """The notation of a pass or of swapping sides."""
    template = game.rules.notations.get(number, ((usual,),))[0]
    return "".join(part for part in template if isinstance(part, str)) or usual


def _part(game: Game, slots: dict[int, Sort], part: str | hir.Field) -> _Part | None:
    """A part of a notation: text, a value of the move, or a table of texts by one or several values.

    None where it depends on more than the move's values, or the table would have more than `MOST_TEXTS` texts.
    """
    if isinstance(part, str):
        return part
    places = list(slots)
    if isinstance(part.term, hir.Local) and part.term.slot in slots:
        return {"value": places.index(part.term.slot), "style": part.style}
    read = sorted(free_slots(part.term, {}))
    if reads(part.term) != Reads.NOTHING or not set(read) <= slots.keys():
        return None
    ranges = [values_of(game, slots[slot]) for slot in read]
    count = 1
    for values in ranges:
        count *= len(values)
    if count > MOST_TEXTS:
        return None
    write = _writer(game, part, max(places, default=0) + 1)
    return {"by": [{"value": places.index(slot), "low": values.start, "size": len(values)}
                   for slot, values in zip(read, ranges, strict=True)],
            "texts": [write(dict(zip(read, result, strict=True))) for result in product(*ranges)]}


def _writer(game: Game, field: hir.Field, size: int) -> Callable[[dict[int, int]], str]:
    """Make a function that writes a part of a notation for given values of slots; '' where it has no value."""
    compiled = game.engine.evaluator.compile(field.term)
    table = WorkingState(game.engine.start())
    inner = [part.slot for part in hir.walk(field.term)
             if isinstance(part, (hir.Local, hir.Binding, hir.Let))]

    def write(values: dict[int, int]) -> str:
        bound: list[int | None] = [None] * max(size, *(slot + 1 for slot in inner), 1)
        for slot, value in values.items():
            bound[slot] = value
        try:
            return game.notation.value_text(field, compiled(table, bound))
        except (RuleError, IndexError, TypeError):  # values that no move has
            return ""

    return write


def values_of(game: Game, sort: Sort) -> range:
    """The values of a sort, in order."""
    match sort:
        case Integer(low=low, high=high):
            return range(low, high + 1)
        case Enumerated(values=values):
            return range(len(values))
    counts = {CELL: game.board.size, PIECE: len(game.rules.pieces), PLAYER: len(game.rules.players),
              DIRECTION: len(game.board.directions), BOOLEAN: 2}
    return range(counts[sort])
