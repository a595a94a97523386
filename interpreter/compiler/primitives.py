"""The primitives that every kernel can call: bit operations of processors, random numbers, and array allocation.

Each target defines them: `interpreter.kernel.plain` and `interpreter.kernel.native` for Python,
`interpreter/compiler/emit/support.js` for JavaScript.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from interpreter.compiler.ir import BOOL, INT, LINE, LINES, NOTHING, ROW, ROWS, WORD, Array, Product, Sort, Vector


@attrs.frozen
class Primitive:
    """The signature of a primitive."""

    parameters: tuple[Sort | None, ...]
    """None for a parameter that can have several sorts; `gives` then checks which."""
    gives: Callable[[Sequence[Sort]], Sort | None]
    """Returns the sort of the result for arguments of some sorts; None where these are not accepted."""

    def sort(self, arguments: Sequence[Sort]) -> Sort | None:
        """The sort of the result; None where such arguments are not accepted."""
        if len(arguments) != len(self.parameters) or any(
                wanted is not None and wanted != given
                for wanted, given in zip(self.parameters, arguments, strict=True)):
            return None
        return self.gives(arguments)


def _fixed(result: Sort, *parameters: Sort) -> Primitive:
    return Primitive(parameters, lambda _: result)


def _number(arguments: Sequence[Sort]) -> Sort | None:
    return INT if arguments[0] in (INT, WORD) else None


def _word(arguments: Sequence[Sort]) -> Sort | None:
    return WORD if arguments[0] in (INT, WORD) else None


def _length(arguments: Sequence[Sort]) -> Sort | None:
    return INT if isinstance(arguments[0], Array) else None


def _vectors(result: Sort | None = None) -> Callable[[Sequence[Sort]], Sort | None]:
    """Make `gives` for primitives whose first argument is a vector, all vectors of one sort: `result` or that sort."""
    def gives(arguments: Sequence[Sort]) -> Sort | None:
        first = arguments[0]
        same = all(not isinstance(sort, Vector) or sort == first for sort in arguments)
        return (result or first) if isinstance(first, Vector) and same else None

    return gives


def _of_words(arguments: Sequence[Sort]) -> Sort | None:
    return Vector(len(arguments[0].items)) if isinstance(arguments[0], Product) else None


def _like_last(arguments: Sequence[Sort]) -> Sort | None:
    return arguments[-1] if isinstance(arguments[-1], Vector) else None


def _written(arguments: Sequence[Sort]) -> Sort | None:
    return NOTHING if arguments[0] in (ROW, LINE) and isinstance(arguments[2], Vector) else None


PRIMITIVES: dict[str, Primitive] = {
    "number": Primitive((None,), _number),
    "word": Primitive((None,), _word),
    "len": Primitive((None,), _length),
    "abs": _fixed(INT, INT),
    "min": _fixed(INT, INT, INT),
    "max": _fixed(INT, INT, INT),
    "popcount": _fixed(INT, WORD),
    "lowest": _fixed(INT, WORD),
    "highest": _fixed(INT, WORD),
    "nth": _fixed(INT, WORD, INT),
    "extract": _fixed(WORD, WORD, WORD),
    "deposit": _fixed(WORD, WORD, WORD),
    "scramble": _fixed(WORD, WORD),
    "stir": _fixed(WORD, WORD),
    "below": _fixed(INT, WORD, INT),
    "row": _fixed(ROW, INT),
    "rows": _fixed(ROWS, INT, INT),
    "line": _fixed(LINE, INT),
    "numbers": _fixed(LINES, INT, INT),
}
"""The primitives of all kernels."""
OF_VECTORS: dict[str, Primitive] = {
    "both": Primitive((None, None), _vectors()),
    "either": Primitive((None, None), _vectors()),
    "minus": Primitive((None, None), _vectors()),
    "equal": Primitive((None, None), _vectors(BOOL)),
    "some": Primitive((None,), _vectors(BOOL)),
    "count": Primitive((None,), _vectors(INT)),
    "shift": Primitive((None, INT), _vectors()),
    "of_words": Primitive((None,), _of_words),
    "single": Primitive((INT, None), _like_last),
    "read": Primitive((None, INT, None), _like_last),
    "write": Primitive((None, INT, None), _written),
}
"""Further primitives of kernels whose sets are vectors."""
SUPPOSITIONS: dict[str, Primitive] = {
    "suppose_on": _fixed(NOTHING, ROW, INT, INT),
    "suppose_filled": _fixed(NOTHING, ROW, INT),
    "suppose_apart": _fixed(NOTHING, INT, INT),
}
"""Assumptions that lowering states, without an effect: that a cell of a row holds a given piece, or any piece, and that
two cells are different. `interpreter.compiler.passes.known_contents` uses and removes them before emission."""
CONSTANTS: dict[str, tuple[int, Sort]] = {"ONE": (1, WORD), "EMPTY": (0, WORD), "FULL": ((1 << 64) - 1, WORD)}
"""Named words that every target defines."""


def primitives_for(cells: Sort) -> dict[str, Primitive]:
    """The primitives of kernels whose sets of cells are of a sort."""
    return {**PRIMITIVES, **SUPPOSITIONS, **OF_VECTORS} if isinstance(cells, Vector) else {**PRIMITIVES, **SUPPOSITIONS}
