"""Measures compared with hand calculations; repeatability; the command and its report."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dslgame
from dslgame.cli.app import app
from dslgame.laboratory import measures
from dslgame.laboratory.playouts import playouts
from dslgame.laboratory.profile import Profile, measure
from dslgame.laboratory.report import report
from interpreter.model.state import DRAW
from tests.laboratory.families import MNK, SUBTRACTION, mnk

ONE_WAY = """\
game "One Way"
players A, B
board square(1, 4)
pieces a of A, b of B, wall

move fill(c in empty where every d in cells: d.column >= c.column or d is not empty):
    c := own

move never(c in wall):
    c := own

win A when no empty
draw when some wall
"""
"""Cells are filled from left to right with one move at each ply, and after four plies A wins."""
FALLING = """\
game "Falling"
players A, B
board square(3, 1)
pieces a of A, b of B

move drop(c in top and empty):
    c := own

forced fall(c in occupied where c.south is empty):
    carry c to c.south

draw when no empty
"""
"""Three drops, of which the first falls two cells, the second one, and the third none."""


def profile(text: str, games: int = 20) -> Profile:
    return measure(dslgame.loads(text), games=games, levels=())


def test_game_with_one_move_at_each_ply() -> None:
    """A wins after four plies with one move each, every cell changes once, and the rules that never apply are dead."""
    found = profile(ONE_WAY)
    wanted = {"first_share": 1, "balance": 0, "draws": 0, "unfinished": 0, "length": 4, "branching": 1,
              "cells_used": 1, "evenness": 1, "first_moves": 1, "opening_classes": 1, "advantage": 0.5,
              "advantage_with_pie": -0.5}
    assert {item.name: item.value for item in found.measures} == pytest.approx(wanted)
    assert found.course == (1, 1, 1, 1)
    assert found.cells == (1, 1, 1, 1)
    assert [(use.what, use.name, use.count, use.of) for use in found.uses] == [
        ("move", "fill", 80, 80), ("move", "never", 0, 80), ("end", "win A when no empty", 20, 20),
        ("end", "draw when some wall", 0, 20), ("piece", "a", 80, 100), ("piece", "b", 60, 100),
        ("piece", "wall", 0, 100)]
    assert [use.name for use in found.dead] == ["never", "draw when some wall", "wall"]
    assert found.dead[0].most == pytest.approx(3 / 80)
    assert found.examples[0] == ("fill:a1", "fill:b1", "fill:c1", "fill:d1")


def test_cascades() -> None:
    """Falls of two, one and no cells: three applications in three moves, at most two in one. All games are drawn."""
    found = profile(FALLING)
    assert (found.value("cascade"), found.value("longest_cascade"), found.value("draws")) == (1, 2, 1)
    assert found.cells == pytest.approx((1, 1, 1))
    assert (found.value("balance"), found.value("first_share")) == (1, 0.5)


def test_random_games_agree_with_the_probabilities_of_a_tiny_heap() -> None:
    """Three chips: the mover wins at once with 1/3; after 1 (1/3) the other takes 2 or 1 more; after 2 the other wins.

    First wins 1/3 + 1/3 * 1/2 = 1/2; the length is 1/3 * 1 + 1/3 * 2 + 1/3 * (1/2 * 2 + 1/2 * 3) = 11/6.
    """
    found = profile(SUBTRACTION.replace("= 10 in", "= 3 in"), 600)
    by_name = {item.name: item for item in found.measures}
    assert by_name["first_share"].low < 1 / 2 < by_name["first_share"].high
    assert by_name["length"].low < 11 / 6 < by_name["length"].high
    assert (found.value("first_moves"), found.value("opening_classes")) == (3, 3)


def test_first_moves_up_to_symmetry() -> None:
    """The three classes of first moves are corner, edge and centre."""
    found = measure(dslgame.load("tic_tac_toe"), games=10, levels=())
    assert (found.value("first_moves"), found.value("opening_classes")) == (9, 3)
    assert [move for move, _ in found.openings] == ["a3", "b3", "b2"]


def test_estimates_worked_by_hand() -> None:
    """A game of four plies with the winner's estimates 0.5, 0.4, 0.8, 0.7, 1."""
    estimates = (0.5, 0.4, 0.8, 0.7, 1.0)
    assert measures.decided_at(estimates) == 1.0  # it falls to 0.7 before the end
    assert measures.decided_at((0.5, 0.4, 0.8, 0.75, 1.0)) == 0.5
    assert measures.lead_changes(estimates) == 1 / 4
    assert measures.drama(estimates) == pytest.approx(math.sqrt(0.2))
    assert measures.drama((0.6, 0.8, 1.0)) == 0
    assert measures.killer_move(estimates, (True, False, True, False)) == pytest.approx(-0.1)
    assert measures.killer_move(estimates, (False, True, False, True)) == pytest.approx(0.4)
    assert measures.pie((0.9, 0.6, 0.2)) == pytest.approx((0.4, -0.1))
    assert measures.evenness((1, 1, 2)) == pytest.approx(
        -(2 * 0.25 * math.log(0.25) + 0.5 * math.log(0.5)) / math.log(3))
    assert (measures.evenness((0, 4)), measures.evenness((2, 2))) == (0, 1)


def test_means_and_ratios_worked_by_hand() -> None:
    """Means and ratios have the right standard errors."""
    found = measures.mean("length", [1, 2, 3])
    assert found is not None
    assert (found.value, found.error) == pytest.approx((2, math.sqrt(1 / 3)))
    rate = measures.ratio("branching", [4, 6], [1, 2])
    assert rate is not None
    assert rate.value == pytest.approx(10 / 3)
    assert rate.error == pytest.approx(math.sqrt(((4 - 10 / 3) ** 2 + (6 - 20 / 3) ** 2) * 2) / 3)
    assert measures.mean("length", []) is None


def test_differences_are_significant_or_not() -> None:
    """Sampled values differ significantly by their standard errors, exact ones if they are unequal."""
    one = [measures.share("draws", 50, 100), measures.exact("first_moves", 9), measures.share("first_share", 50, 100)]
    other = [measures.share("draws", 80, 100), measures.exact("first_moves", 4), measures.share("first_share", 55, 100)]
    assert [item.significant for item in measures.changes(one, other)] == [True, True, False]
    assert measures.changes(one, one)[0].difference == 0


def test_same_seed_gives_the_same_numbers() -> None:
    """The same seed gives the same measures, another seed others."""
    one, again, other = (measure(mnk(3, 3, 3), games=30, levels=(), seed=seed) for seed in (1, 1, 2))
    assert one.as_object() == again.as_object()
    assert one.as_object()["measures"] != other.as_object()["measures"]


def test_random_games_end_as_rules_say() -> None:
    """Each state follows from the one before by a legal move, and the outcome is that of a finished game."""
    game = mnk(2, 3, 2)
    for item in playouts(game, 10, seed=3):
        for before, move, after, offered in zip(item.states, item.moves, item.states[1:], item.offered, strict=False):
            assert len(game.engine.legal(before)) == offered
            assert game.engine.apply(before, move) == after
        assert item.outcome in (0, 1, DRAW)


def run(*arguments: str) -> Result:
    result = CliRunner(env={"COLUMNS": "120"}).invoke(app, ["measure", *arguments], prog_name="dslgame")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The file of the first family."""
    path = tmp_path / "mnk.game"
    path.write_text(MNK, encoding="utf-8")
    return str(path)


def test_command_as_text_and_json(file: str) -> None:
    """The command measures one game or compares two."""
    shown = run(file, "--random-only", "--games", "20").stdout
    assert "first player's share" in shown
    found = json.loads(run(file, "--random-only", "--games", "20", "--json").stdout)
    assert list(found) == ["game", "params", "seed", "measures", "uses", "course", "cells", "openings", "examples"]
    both = json.loads(run(file, "misere_tic_tac_toe", "--random-only", "--games", "20", "--json").stdout)
    assert list(both) == ["games", "changes"]
    assert {"name", "before", "after", "difference", "z", "significant"} == set(both["changes"][0])
    assert "significantly" in run(file, "misere_tic_tac_toe", "--random-only", "--games", "20").stdout


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (["--level", "chess"], 2, "expected random"), (["--random-only", "--level", "random"], 2, "exclude each other"),
    (["-p", "size=2"], 2, "no game here has the param 'size'"),
])
def test_wrong_use_is_a_message(file: str, arguments: list[str], code: int, said: str) -> None:
    """Wrong options end with the expected exit code and message."""
    result = run(file, *arguments)
    assert (result.exit_code, said in " ".join(result.stderr.split())) == (code, True), result.stderr


def test_puzzle_is_refused() -> None:
    """Puzzles are refused, as measures compare two players."""
    result = run("n_queens", "--random-only")
    assert (result.exit_code, "for games of two players" in result.stderr) == (1, True)


@pytest.mark.slow
def test_report_is_one_file_with_everything(file: str, tmp_path: Path) -> None:
    """The report has plots, the board, measures with sources, rules and example games, and compares two games."""
    target = tmp_path / "report.html"
    run(file, "--random-only", "--games", "20", "--report", str(target))
    text = target.read_text(encoding="utf-8")
    for part in ("Allis 1994", "Length of random games", "Example games", "changes in a game", "param rows"):
        assert part in text
    assert "src=" not in text and "http-equiv" not in text  # noqa: PT018  # nothing is loaded from elsewhere
    one, other = profile(ONE_WAY), profile(FALLING)
    assert "What changed" in report(one, other)
    assert report(one, other) == report(one, other)


@pytest.mark.slow
def test_levels_are_measured_the_same_each_time() -> None:
    """Balance, skill, estimates and complexity of games between levels are repeatable; the stronger scores more."""
    game = dslgame.load("connect_four", rows=4, columns=5)
    one, again = (measure(game, games=10, levels=("mcts nodes=8", "mcts nodes=200"), level_games=10) for _ in range(2))
    assert one.as_object() == again.as_object()
    assert one.value("skill:mcts nodes=200 against mcts nodes=8") > 0.5
    assert {item.name.partition(":")[0] for item in one.measures} == set(measures.DEFINITIONS)
    for _, traces in one.traces:
        for trace in traces:
            assert len(trace.estimates) == len(trace.moves) + 1 == len(trace.movers) + 1


FATE = """\
game "Fate"
players A, B
board square(1, 1)
var rolled in 0..6
var moved in boolean
chance roll(n in 1..6) weight 5 if n = 1 else 1 when moved:
    rolled := n
    moved := false
move go:
    moved := true
turn again when moved
win A when rolled = 6
win B when rolled > 0
"""
"""Players decide nothing, and the first player wins one game in ten."""


def test_no_level_chooses_what_chance_does() -> None:
    """Levels choose no moves of chance, in self-play or matches; estimates are of positions in which a player moves."""
    found = measure(dslgame.loads(FATE), games=20, levels=("mcts nodes=8", "mcts nodes=16"), level_games=40)
    for level in ("mcts nodes=8", "mcts nodes=16"):
        assert found.value(f"first_share:{level}") < 0.35
        assert found.value(f"length:{level}") == 2
    assert all(len(trace.estimates) == 2 for _, traces in found.traces for trace in traces)
    assert found.value("branching") == 1


def test_moves_of_chance_are_no_choice() -> None:
    """Branching counts players' moves only; a game that begins with chance has no first moves."""
    kuhn = measure(dslgame.load("kuhn_poker"), games=20, levels=())
    assert kuhn.value("branching") == 2
    assert {"first_moves", "opening_classes", "evenness"}.isdisjoint(item.name for item in kuhn.measures)


def test_levels_of_hidden_games_go_by_what_they_know() -> None:
    """Levels for hidden information are chosen by default, and measures by estimates are left out."""
    found = measure(dslgame.load("kuhn_poker"), games=4, level_games=2)
    assert [level for level, _ in found.traces] == ["ismcts nodes=32", "ismcts nodes=128"]
    names = {item.name.partition(":")[0] for item in found.measures}
    assert {"first_share", "skill"} <= names
    assert {"drama", "decided", "lead_changes"}.isdisjoint(names)
    assert "<svg" in report(found)
