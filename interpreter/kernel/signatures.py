"""The Numba types of the kernel entries that searches call, the same for every game, so that solvers compile once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numba import types

from interpreter.compiler import ir
from interpreter.kernel.machine_code import Entry

ROW: Any = types.uint64[::1]
ROWS: Any = types.uint64[:, ::1]
LINE: Any = types.int64[::1]
LINES: Any = types.int64[:, ::1]
WORD: Any = types.uint64
NUMBER: Any = types.int64


def _of(*arguments: Any) -> Any:
    return types.FunctionType(NUMBER(*arguments))


_OF_SORTS: dict[ir.Sort, Any] = {ir.ROW: ROW, ir.ROWS: ROWS, ir.LINE: LINE, ir.LINES: LINES, ir.WORD: WORD,
                                 ir.INT: NUMBER, ir.PAGES: types.int64[:, :, ::1], ir.BOOL: types.boolean,
                                 ir.Array(ir.BOOL): types.boolean[::1]}


def of_sorts(sorts: Sequence[ir.Sort]) -> Any:
    """The Numba signature of an entry, from the sorts of its parameters."""
    return NUMBER(*[_OF_SORTS[sort] for sort in sorts])


# Numba's documented protocol for functions that it did not compile.
types.WrapperAddressProtocol.register(Entry)
Entry.typed = staticmethod(of_sorts)


EXPAND = _of(ROW, ROWS, LINES, LINES, ROWS)
"""expand(state, child_rows, move_rows, entries, scratch)"""
OFFER = _of(ROW, LINES, LINES, ROWS)
"""offer(state, move_rows, entries, scratch)"""
CANDIDATES = _of(ROW, ROW, LINES, LINES, ROWS)
"""candidates(state, before, proposal_rows, entries, scratch)"""
PACK = _of(ROW, ROW)
"""pack_row(state, packed) and unpack_row(packed, state)"""
PACK_LEAST = _of(ROW, ROW, LINE, ROWS)
"""pack_least(state, packed, elements, spares)"""
STEP = _of(ROW, LINE, LINES, ROWS)
"""step(state, move, entries, scratch)"""
VALUE_OF = _of(ROW)
"""value_of(state)"""
RANDOM_GAME = _of(ROW, types.uint64, NUMBER, LINES, ROWS, LINE)
"""random_game(state, seed, limit, entries, scratch, move)"""
WEIGH = _of(ROW, LINES, NUMBER, LINE)
"""weigh(state, move_rows, many, shares)"""
PAYOFF_OF = _of(ROW, NUMBER)
"""payoff_of(state, player)"""
