"""The colours of what positions are worth, the same on the page, in trees and in notebooks.

They are dark enough for white text on them and for text of their own on white (at least 4.5 to 1).
"""

from __future__ import annotations

from collections.abc import Mapping

WIN, DRAW, LOSS, GUESS, UNKNOWN = "#1a7f37", "#8a6100", "#b42318", "#5b4bb0", "#6b6558"

LABELS: Mapping[str, str] = {
    "win": WIN, "lose": LOSS, "draw": DRAW, "draw by repetition": GUESS, "unknown": UNKNOWN,
}
"""The colour of each label of a game tree; it is about the player to move."""
