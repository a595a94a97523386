"""Chess: published perft counts by kernels, ends of games that perft does not show, and unreachable positions."""

from __future__ import annotations

from functools import cache

import pytest

import dslgame
from dslgame import perft_files
from interpreter import hooks
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from tests.discovery import FOLDER

COUNTS = perft_files.read(FOLDER / "chess.perft")
EMPTY = "........"


@cache
def chess() -> Game:
    """Load the game once."""
    return dslgame.load("chess")


@cache
def kernel(*, hooked: bool, native: bool = False) -> Kernel:
    """Compile the game's kernel, with or without its hooks."""
    found = hooks.load(FOLDER / "chess.py") if hooked else None
    return Kernel.of(chess(), native=native, hooks=found)


def text(*rows: str, to_move: str = "White", rights: str = "", passed: str = "none", quiet: int = 0) -> str:
    """The text of a position: rows from the top, `rights` as in FEN."""
    def has(*letters: str) -> str:
        return ",".join("yes" if letter in rights else "no" for letter in letters)
    return f"{'/'.join(rows)} {to_move} short={has('K', 'k')} long={has('Q', 'q')} passed={passed} quiet={quiet}"


def played(position: str, *moves: str) -> dslgame.Position:
    """Play moves from a position, or from the start if it is ''."""
    found = chess().read_position(position) if position else chess().start()
    for move in moves:
        found = found.play(move)
    return found


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_hooks_count_what_is_published(native: bool) -> None:
    """Interpreted as plain Python for counts below 3000, compiled for all published counts."""
    counting = kernel(hooked=True, native=native)
    for expected in COUNTS:
        if native or expected.count < 3000:
            counts, _ = counting.perft(expected.depth, bulk=native, start=counting.row(expected.start(chess()).state))
            assert counts[-1] == expected.count, str(expected)


@pytest.mark.slow
def test_compiled_rules_count_what_is_published() -> None:
    """Counts below 1,000,000, without hooks and without bulk counting."""
    counting = kernel(hooked=False, native=True)
    for expected in COUNTS:
        if expected.count < 1_000_000:
            counts, _ = counting.perft(expected.depth, start=counting.row(expected.start(chess()).state))
            assert counts[-1] == expected.count, str(expected)


def test_mate_and_stalemate() -> None:
    """The fastest mate; a stalemate, and a mate from the same position."""
    assert played("", "f2f3", "e7e5", "g2g4", "d8h4").outcome == "Black"
    kings = text(".......k", ".....K..", "........", "......Q.", *[EMPTY] * 4)
    assert played(kings, "g5g6").outcome == "draw"
    assert played(kings, "g5g7").outcome == "White"


def test_a_mate_goes_before_the_fiftieth_quiet_move() -> None:
    """The hundredth quiet ply draws, unless it mates; a pawn's move is not quiet."""
    kings = text(".......k", ".....K..", "........", "......Q.", *[EMPTY] * 4, quiet=99)
    assert played(kings, "g5g7").outcome == "White"
    assert played(kings, "f7f6").outcome == "draw"
    assert played(text("........", "........", ".P......", *[EMPTY] * 4, "K......k", quiet=99), "b6b7").outcome is None


def test_the_third_time_draws_although_the_clock_goes_on() -> None:
    """Repetition ignores the clock of quiet plies, but not castling rights."""
    there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
    assert played("", *there_and_back).outcome is None
    assert played("", *there_and_back, *there_and_back).outcome == "draw"
    begun = ("h2h4", "h7h5", "h1h2", "h8h7", "h2h1", "h7h8")
    assert played("", *begun, "h1h2", "h8h7", "h2h1").outcome is None
    assert played("", *begun, "h1h2", "h8h7", "h2h1", "h7h8").outcome is None


PINNED = text(*[EMPTY] * 4, "....p...", "........", "R..P...k", "K.......")
"""After d2d4+ Black's king is in check by the rook, so e4 cannot take in passing."""


def test_a_capture_in_passing_that_is_illegal_makes_no_other_position() -> None:
    """FIDE Laws 9.2.3.1: the third time comes although a pawn stood beside one that had just taken two steps."""
    moves = ("d2d4", "h2h3", "a2a3", "h3h2", "a3a2", "h2h1", "a2a3", "h1h2", "a3a2")
    assert played(PINNED, *moves[:-1]).outcome is None
    assert played(PINNED, *moves).outcome == "draw"


@pytest.mark.parametrize(("rows", "passed"), [
    ([*[EMPTY] * 4, "k...p..R", "........", "...P....", "K......."], "none"),  # both pawns would leave the king's row
    ([*[EMPTY] * 4, "k...p...", "........", "...P....", "K......."], "d3"),
    (["..k.....", *[EMPTY] * 3, "..p.....", "........", "...P....", "..R....K"], "none"),  # the pawn is pinned
    (["..k.....", *[EMPTY] * 3, "..p.p...", "........", "...P....", "..R....K"], "d3"),  # another is not
    ([*[EMPTY] * 3, "....k...", "..p.....", "........", "...P....", "K......."], "d3"),  # it meets a check
])
def test_a_capture_in_passing_counts_where_it_is_legal(rows: list[str], passed: str) -> None:
    """The cell that d2d4 passes over is noted where a pawn may take there."""
    after = played(text(*rows), "d2d4")
    assert f"passed={passed} " in after.text
    assert any(move.endswith("d3") and move[0] in "ce" for move in after.moves()) == (passed != "none")


@pytest.mark.parametrize(("moves", "may"), [
    (("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5"), "e1g1"),
    (("d2d4", "d7d5", "c1f4", "c8f5", "b1c3", "b8c6", "d1d3", "d8d6"), "e1c1"),
])
def test_castling(moves: tuple[str, ...], may: str) -> None:
    """King and rook move together, and all castling rights are lost."""
    position = played("", *moves)
    assert may in position.moves()
    after = position.play(may)
    assert after.pieces[may[2:]] == "White king"
    assert after.pieces["f1" if may == "e1g1" else "d1"] == "White rook"
    for name in ("short", "long"):
        rights = after.variables[name]
        assert isinstance(rights, tuple)
        assert rights[0] == 0


def test_castling_is_not_out_of_or_through_check() -> None:
    """Castling out of, through or into check is illegal; the rook may be attacked or pass an attacked cell."""
    white = ("R...K..R",)
    free = text("....k...", *[EMPTY] * 6, *white, rights="KQ")
    assert {"e1g1", "e1c1"} <= set(played(free).moves())
    for rook, left in (("e5", set()), ("f5", {"e1c1"}), ("g5", {"e1c1"}), ("d5", {"e1g1"}), ("c5", {"e1g1"}),
                       ("b5", {"e1g1", "e1c1"}), ("a5", {"e1g1", "e1c1"})):
        row = "".join("r" if column == rook[0] else "." for column in "abcdefgh")
        found = played(text("......k.", *[EMPTY] * 2, row, *[EMPTY] * 3, *white, rights="KQ")).moves()
        assert {"e1g1", "e1c1"} & set(found) == left


def test_capture_in_passing_and_promotion() -> None:
    """Capture in passing is possible only at once; a pawn promotes to any of four pieces, written as `e7e8=N`."""
    position = played("", "e2e4", "a7a6", "e4e5", "d7d5")
    assert "e5d6" in position.moves()
    assert "d5" not in position.play("e5d6").pieces
    assert "e5d6" not in position.play("a2a3").play("a6a5").moves()
    pawn = played(text("k.......", "....P...", *[EMPTY] * 5, "K......."))
    assert {move for move in pawn.moves() if move.startswith("e7")} == {f"e7e8={piece}" for piece in "QRBN"}
    assert pawn.play("e7e8=N").pieces["e8"] == "White knight"


ODD = [
    text("........", "...p....", *[EMPTY] * 4, "P.......", "R......R", rights="KQ"),
    text("k.......", "........", "....r...", "........", "....K..K", "........", "P.......", "........"),
    text("k.......", *[EMPTY] * 6, "R..K...R", rights="KQ", to_move="Black"),
    text("k...r...", *[EMPTY] * 3, "...Pp...", "........", "....K...", "........", to_move="Black", passed="d3"),
    text("k.......", *[EMPTY] * 3, "K..pP..r", "........", "........", "........", to_move="Black", passed="e3"),
    text("k.......", *[EMPTY] * 3, "K..Pp..r", "........", "........", "........", passed="e6"),
]
"""No king, two kings, castling rights with a king off its home, pins of captures in passing, and a `passed` cell that
no pawn has passed."""


@pytest.mark.parametrize("position", ODD)
def test_hooks_leave_odd_positions_to_the_rules(position: str) -> None:
    """Kernels with and without hooks list the same moves as the interpreter, in the same order."""
    state = chess().read_position(position).state
    expected = chess().engine.legal(state)
    for hooked in (False, True):
        found = kernel(hooked=hooked)
        assert [found.move(move) for move in found.moves(found.row(state))] == expected
