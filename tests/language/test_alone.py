"""Games of one player: what is not won is lost, in every place that names an outcome, and coming back is no end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dslgame
from dslgame.web.playing_alone import facts
from interpreter.analysis.dynamic_checks import try_out
from interpreter.game import Game
from solver.game_space import solve_game
from solver.trees.export import kind_of, letter_of
from solver.trees.labels import label
from solver.trees.statistics import statistics
from solver.trees.tree import Tree
from tests.app.test_cli import run
from tests.probe import played

WALK = """\
game "Walk"

players Solver
board square(1, 4)
pieces red of Solver

start as "R..."

move go(a in mine, b in neighbours(a)):
    carry a to b

RULES

notation go "{a}{b}"
"""
STUCK = WALK.replace("RULES", 'win Solver when "d1" is red and "a1" is red\nno moves loses\nrepetition forbidden')


def walk(*rules: str) -> Game:
    return dslgame.loads(WALK.replace("RULES", "\n".join(rules)))


@pytest.mark.parametrize("rules", [
    ('lose Solver when "d1" is red',), ('win Solver when red = empty', 'draw when "d1" is red'),
    ('lose Solver when "d1" is red', "repetition draws"), ("win Solver when red = empty", "repetition loses"),
], ids=", ".join)
def test_an_end_without_a_win_is_lost(rules: tuple[str, ...]) -> None:
    """By `lose`, by `draw`, by a repetition, whatever that does."""
    repeats = rules[-1].startswith("repetition")
    game = walk(*rules)
    end = played(game.start(), "a1b1 b1a1" if repeats else "a1b1 b1c1 c1d1")
    assert end.outcome == "lost"
    with pytest.raises(dslgame.IllegalMove, match=r"the game is over \(lost\)"):
        end.play("a1b1")


def test_an_end_with_payoffs_is_only_an_end() -> None:
    """Points say what it is worth: it is neither lost nor drawn."""
    game = walk('draw when "d1" is red', "payoff Solver = 7")
    end = played(game.start(), "a1b1 b1c1 c1d1")
    assert (end.outcome, game.payoffs.of(end.state)) == ("ended", (7,))
    assert facts(game)["nobody"] == "The game is over."


def test_a_puzzle_that_cannot_be_won_is_called_lost_everywhere(tmp_path: Path) -> None:
    """Text, JSON, page, solver, trees, tables of the laboratory."""
    path = str(tmp_path / "stuck.game")
    (tmp_path / "stuck.game").write_text(STUCK, encoding="utf-8")
    line = "a1b1 b1c1 c1d1"
    assert "the game is over: lost" in run("show", path, "--moves", line).output
    assert json.loads(run("show", path, "--moves", line, "--json").output)["outcome"] == "lost"
    assert "Solver to move: cannot be won" in run("solve", path).output
    told = json.loads(run("solve", path, "--json").output)
    assert (told["winner"], told["moves"]) == ("lost", [{"move": "a1b1", "winner": "lost", "remoteness": None}])
    game = dslgame.loads(STUCK)
    assert facts(game)["nobody"] == "The game is lost."
    claimed = run("variants", path, "--claim", "first loses", "--anew", "-j", "1").output
    assert "claim 'first loses': confirmed" in claimed
    free = walk('win Solver when "a1" is empty and "d1" is red', 'lose Solver when "c1" is red')
    solution = solve_game(free, engine="interpreter", method="strong")
    assert solution.strong is not None
    assert solution.strong.tally() == {"win": 0, "lose": 3, "draw": 0}
    tree = Tree.of(free, merge="all")
    tree.grow(3, native=False)
    labels = label(tree)
    assert {labels.name(node) for node in range(len(labels.value))} == {"lose"}
    ends = [node for node in range(len(labels.value)) if kind_of(tree, node) == "lose"]
    assert len(ends) == 1
    assert letter_of(tree, labels, ends[0]) == "D"
    assert "lost" in str(statistics(tree))


@pytest.mark.parametrize("rule", ["", "repetition draws", "repetition loses", "repetition forbidden",
                                  "repetition loses at third"])
def test_the_shortest_way_does_not_depend_on_the_repetition_rule(rule: str) -> None:
    """Three steps to the other end; with a rule, no step leads back first."""
    solution = solve_game(walk('win Solver when "d1" is red', "no moves loses", rule), engine="interpreter")
    assert (solution.winner, solution.remoteness, solution.method) == (0, 3, "strong")


def test_a_puzzle_needs_no_repetition_rule() -> None:
    """Stepping back goes on, and the checker asks for no rule."""
    game = walk('win Solver when "d1" is red')
    assert [item.code for item in try_out(game, seconds=5)] == []
    assert played(game.start(), "a1b1 b1a1").outcome is None
    sokoban = played(dslgame.load("sokoban").start(), "f4 f3")
    assert sokoban.state == dslgame.load("sokoban").start().state
    assert sokoban.outcome is None
