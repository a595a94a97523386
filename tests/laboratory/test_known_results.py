"""Known results found again by families, and reports of ten bundled games."""

from __future__ import annotations

import pytest

import dslgame
from dsl.syntax.source import Source
from dslgame.laboratory.changes import Change
from dslgame.laboratory.claims import Claim, Formula
from dslgame.laboratory.family import Family
from dslgame.laboratory.profile import measure
from dslgame.laboratory.report import report
from dslgame.laboratory.solving import Limits
from dslgame.laboratory.variants import Variants, solve_family, variants
from tests.laboratory.families import MNK


def winners(found: Variants) -> list[tuple[str | None, int | None]]:
    return [(result.winner, result.found.remoteness) for result in found.results]


@pytest.mark.slow
def test_sizes_of_nex() -> None:
    """Values and counts are an independent solver's; the winning openings on 2x2 are a pair under the half turn."""
    found = variants("nex", rows="2..3", columns="2..3", store=False)
    assert winners(found) == [("Black", 3), ("Black", 5), ("White", 4), ("Black", 7)]
    assert [result.found.positions for result in found.results][::3] == [37, 36_397]
    assert [dict(result.openings) for result in found.results][::3] == [
        {"win": 2, "draw": 10, "lose": 0, "unknown": 0}, {"win": 42, "draw": 30, "lose": 0, "unknown": 0}]
    assert found.results[0].first_moves() == ("Ba1?a2", "Bb2?b1")


@pytest.mark.slow
def test_hex_is_won_by_the_first_player_and_with_the_pie_rule_by_the_second() -> None:
    """Strategy stealing gives the first player the win, and the second player with the pie rule."""
    assert variants("hex", size="1..3", claims=["first wins"], store=False).claims[0].verdict == "confirmed"
    assert variants("pie_hex", size="2..3", claims=["second wins"], store=False).claims[0].verdict == "confirmed"


@pytest.mark.slow
def test_misere_tic_tac_toe_is_a_draw() -> None:
    """The misere game is drawn in 9 plies, like ordinary play."""
    found = variants("tic_tac_toe", alternatives=[["as it is", "win to lose"]], store=False)
    assert winners(found) == [("draw", 9)] * 2


@pytest.mark.slow
def test_first_moves_of_chomp() -> None:
    """By strategy stealing the first player wins on every bar but the smallest; the winning first move on squares is
    b2, and on two rows the corner opposite the poison."""
    found = variants("chomp", rows="1..6", columns="1..6", claims=["first wins exactly when rows * columns > 1"],
                     store=False)
    assert found.claims[0].verdict == "confirmed"
    for result in found.results:
        params = result.instance.params
        if params["rows"] == params["columns"] > 1:
            assert result.first_moves() == ("b2",)
        if params["rows"] == 2 < params["columns"]:
            assert result.first_moves() == ("abcdef"[params["columns"] - 1] + "2",)


@pytest.mark.slow
def test_lines_have_their_published_values() -> None:
    """m,n,k to 4 x 5 cells and five in a line (Uiterwijk and van den Herik, "The advantage of the initiative", 2000).

    The first player wins with one in a line, with two from three cells on, with three from 3 x 4 on; else it is a draw.
    The same on 5 x 5 cells takes two minutes of processor time, and four and five in a line are draws.
    """
    symmetric = MNK + """
symmetry left right mirror
symmetry top bottom mirror
symmetry all turns and mirrors when rows = columns
"""
    found = solve_family(
        Family(Source("mnk.game", symmetric), {"rows": range(1, 6), "columns": range(1, 6), "k": range(1, 6)},
               where=Formula.of("rows * columns <= 20 and (rows <= columns or k = 3 and rows * columns <= 12)")),
        [Claim.of("first wins exactly when k = 1 or k = 2 and rows * columns > 2 or "
                  "k = 3 and min(rows, columns) > 2 and max(rows, columns) > 3"), Claim.of("second does not win")],
        Limits(value_only=True, nodes=20_000_000), jobs=2, store=None)
    assert [judged.verdict for judged in found.claims] == ["confirmed", "confirmed"]
    assert len(found.results) == 78


@pytest.mark.slow
def test_sizes_of_connect_four_and_shift_tac_toe() -> None:
    """Small boards of the one are drawn; the other is won by the first player in 13 plies, by the middle alone."""
    found = variants("connect_four", rows="2..4", columns="2..4", claims=["first draws"], store=False)
    assert found.claims[0].verdict == "confirmed"
    (result,) = variants("shift_tac_toe", store=False).results
    assert (result.winner, result.found.remoteness, result.found.positions) == ("One", 13, 108_786)
    assert result.first_moves() == ("1",)


@pytest.mark.slow
def test_nim_and_hex_on_rectangles() -> None:
    """Two heaps are lost exactly if equal; on rectangles the player with the shorter way wins, else the first."""
    found = variants("nim", a=0, b=0, c="0..4", d="1..4", claims=["first loses exactly when c = d"], store=False)
    assert found.claims[0].verdict == "confirmed"
    made = [["param rows = 3 in 1..6"], ["param columns = 3 in 1..6"], ["board rhombus(rows, columns)"],
            ["without symmetry diagonal"]]
    found = variants("hex", alternatives=made, rows="1..3", columns="1..3",
                     claims=["first wins exactly when columns >= rows"], store=False)
    assert found.claims[0].verdict == "confirmed"
    assert Change.of(made[3][0]).kind == "without"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic_tac_toe", "nex", "connect_four", "reversi", "breakthrough", "domineering",
                                  "dots_and_boxes", "kalah", "hexapawn", "shift_tac_toe"])
def test_reports_of_bundled_games(name: str) -> None:
    """The reports have boards and example games."""
    text = report(measure(dslgame.load(name), games=20, plies=600, levels=()))
    assert text.count("<svg") >= 4
    assert "Example games" in text
