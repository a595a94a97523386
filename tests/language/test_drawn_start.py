"""`start as`: what a drawn start sets, and the errors where it does not fit."""

from __future__ import annotations

import pytest

from dsl.diagnostics import GameFileError
from interpreter.kernel.kernel import Kernel
from tests.probe import PLACE, loaded

PIECES = {"a1": "red", "b1": "red", "b3": "blue", "c2": "stone"}


def board_of(*parts: str, board: str = "square(3, 3)") -> dict[str, str]:
    """The pieces at the start."""
    return dict(loaded(*parts, PLACE, board=board).start().pieces)


@pytest.mark.parametrize("drawing", [".B./..S/RR.", "1B1/2S/RR1", "1B./..S/RR."])
def test_rows_from_the_top(drawing: str) -> None:
    """Pieces are written as their glyphs; a number is that many empty cells."""
    assert board_of(f'start as "{drawing}"') == PIECES


def test_effects_come_after_the_drawing() -> None:
    """Effects can change what the drawing set, and variables."""
    game = loaded('start as "3/3/RR1":\n    "b1" := empty\n    "c3" := blue\n    seen := 2', "var seen in 0..3",
                  PLACE, "draw when seen = 3")
    assert dict(game.start().pieces) == {"a1": "red", "c3": "blue"}
    kernel = Kernel.of(game, native=False)
    assert kernel.state(kernel.start()) == game.start().state


def test_pieces_of_each_and_empty_as_shown() -> None:
    """The first player's piece has the upper-case letter; a digit used as a glyph stands for its piece."""
    game = loaded("pieces man of each", 'start as "_m/1M"', "show man as \"M\"", 'show empty as "_"',
                  "show red as \"1\"", PLACE.replace("own", "man[mover]"), board="square(2, 2)")
    assert dict(game.start().pieces) == {"b2": "Blue man", "a1": "red", "b1": "Red man"}
    assert game.start().text.startswith("_m/1M ")


@pytest.mark.parametrize(("drawing", "message"), [
    ("3/3", "2 rows are drawn, expected 3"),
    ("3/4/3", "row '4' has 4 cells, expected 3"),
    ("3/RR/3", "row 'RR' has 2 cells, expected 3"),
    ("3/RQ1/3", "row 'RQ1' has 'Q', the sign of no piece"),
    ("3/1000/3", "row '1000' has '1', the sign of no piece"),
])
def test_drawing_that_does_not_fit(drawing: str, message: str) -> None:
    """Wrong rows, cells and signs."""
    with pytest.raises(GameFileError, match="G294") as problem:
        loaded(f'start as "{drawing}"', PLACE)
    assert message in str(problem.value)


@pytest.mark.parametrize("board", ["unbounded square(5)", "square(3, 3) without corners"])
def test_board_that_has_no_such_rows(board: str) -> None:
    """Every row of the board must have all of its cells."""
    with pytest.raises(GameFileError, match="G294"):
        loaded('start as "3/3/3"', PLACE, board=board)


def test_moves_share_a_notation() -> None:
    """Each move of the line must have the names that the notation uses."""
    moves = "no moves loses", "move one(c in empty):\n    c := red", "move two(c in red):\n    c := blue"
    game = loaded('start as "R/1"', *moves, 'notation one, two "{c}"', board="square(2, 1)")
    assert sorted(game.start().moves()) == ["a1", "a2"]
    with pytest.raises(GameFileError, match="G219"):
        loaded(*moves, 'notation one, two "{c}"', 'notation two "{c}!"')
    with pytest.raises(GameFileError, match="G203"):
        loaded(*moves, 'notation one, three "{c}"')
