"""What GTP says of single games beyond their moves; see `dslgame.programs.protocols.dialects`.

GTP was made for Go, whose vertices skip the letter I, as boards of wood do. Other programs kept the protocol and not
its letters: those for Hex name the ninth column i.
"""

from __future__ import annotations

from dslgame.programs.protocols.dialects import Dialect

_FARTHEST = 12
"""From this size of the board on the handicap stones stand on the fourth line, on smaller boards on the third."""
_LEAST = 7


def _handicap(size: int, number: int) -> tuple[str, ...]:
    """The cells of `fixed_handicap`, as GNU Go, the protocol's reference, has them; () where the board has no room."""
    most = 0 if size < _LEAST else 9 if size % 2 and size > _LEAST else 4
    if not 2 <= number <= most:
        return ()
    low = 4 if size >= _FARTHEST else 3
    high, middle = size + 1 - low, (size + 1) // 2
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    centre = [(middle, middle)] if number % 2 and number > 4 else []
    places = corners[:number] + sides[: max(0, number - 4 - len(centre))] + centre
    return tuple("abcdefghijklmnopqrs"[column - 1] + str(row) for column, row in places)


DIALECTS = (
    Dialect("Go", letters="abcdefghjklmnopqrstuvwxyz", komi="komi", parts=2, score="lead", handicap=_handicap,
            rules=("kgs-rules chinese",), cleanup="kgs-genmove_cleanup"),
)
