"""The sorts of parameters that are called the same in all functions of a kernel, so that they need no annotation."""

from __future__ import annotations

from typing import Final

from interpreter.compiler.ir import INT, LINE, LINES, PAGES, ROW, ROWS, WORD, Sort

_ROWS_OF_POSITIONS = "S T U B P row"
_SETS = "cells within goal start region extra fresh whole window"
_NUMBERS = ("mover who player n k e c d at place way piece link size least depth length layer first last limit games "
            "x_sum y_sum bulk group kept g to i")
USUAL: Final[dict[str, Sort]] = {
    **dict.fromkeys(_ROWS_OF_POSITIONS.split(), ROW), **dict.fromkeys(_NUMBERS.split(), INT),
    "X": ROWS, "E": LINES, "M": LINES, "EE": PAGES, "V": LINE, "m": LINE, "seed": WORD, "key_": WORD, "states": ROWS,
    "counts": LINE, "chosen": LINE, "elements": LINE,
}


def usual_sorts(cells: Sort) -> dict[str, Sort]:
    """The sorts of usual parameters, of boards whose sets of cells are of a sort."""
    return {**USUAL, **dict.fromkeys(_SETS.split(), cells)}
