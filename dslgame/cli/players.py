"""Who plays a side in `dslgame play`: a random mover, or one that looks at the values of its moves.

A `Judge` finds the values of the moves in a position: from a solution of the whole game where that is small enough,
else by a search of that position alone, within a limit; what it does not know it says so. People are in `play`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from interpreter.game import Game, Position
    from interpreter.state import Move

Kind = Literal["person", "random", "solver"]
KINDS: tuple[Kind, ...] = ("person", "random", "solver")
