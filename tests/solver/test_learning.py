"""Patterns learned from play: the file says what was found, patterns help in other games, the command writes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dslgame
from dsl.syntax.source import Source
from dslgame.cli.app import app
from interpreter.game import Game, Position
from interpreter.patterns.matching import Book
from solver.learning.learn import LearnedPatterns, learn
from solver.learning.rules import holding
from solver.learning.situations import MEASURING, Situation, collect
from solver.learning.views import Window, default_anchors
from solver.players.choice import Choice

FALLING = "cell in {c in empty where c is bottom or c.south is occupied}"


class Neighbour:
    """A player with a habit: it plays to the right of the last stone, else to the left, else the first legal move."""

    def choose(self, position: Position) -> Choice:
        """The first of these moves that is legal."""
        legal = position.moves()
        wishes = [f"{chr(ord(move[0]) + by)}{move[1:]}" for move in reversed(position.played[-1:]) for by in (1, -1)]
        text = next((wish for wish in wishes if wish in legal), legal[0])
        return Choice(next(move for move in position.legal()
                           if position.game.notation.write(position.state, move) == text), text)


def habits(game: Game, many: int = 150) -> list[Situation]:
    return collect(game, Neighbour(), many, seed=3)[0]


def learned(game: Game, situations: list[Situation], anchors: tuple[str, ...], reach: int = 2) -> LearnedPatterns:
    return learn(game, situations, anchors=anchors, reach=reach, symmetries="none", counting=False)


def proposals_agree(game: Game, result: LearnedPatterns, situations: list[Situation], reach: int,
                    symmetries: str = "none") -> None:
    """Check that the written file proposes the moves that the learned rules propose."""
    anchors = list(dict.fromkeys(rule.anchor for rule in result.rules))
    window = Window(game, reach, symmetries, anchors)
    book = Book.of(Source("learned.pattern", result.text), game)
    expected: list[set[object]] = [set() for _ in situations]
    views = {found.anchor: found for found in window.views(situations)}
    for rule in result.rules:
        for number, move in holding(rule, window, views[rule.anchor]):
            expected[number].add(situations[number].legal[move])
    assert any(expected)
    for situation, own in zip(situations, expected, strict=True):
        assert {item.move for item in book.proposed(situation.state, situation.before)} == own


def test_a_habit_is_found() -> None:
    """The habit is found as the pattern that a person would write, first in the file, and again in a second run."""
    game = dslgame.load("gomoku", size=7)
    situations = habits(game)
    result = learned(game, situations, ("last move", "own piece"))
    assert "at last move:" in result.text
    assert "    play (1, 0)" in result.text
    assert result.after.first > 0.5 > 3 * result.before.first
    assert result.rules[0].play == (1, 0)
    assert result.after.situations == sum(situation.part == MEASURING for situation in situations)
    proposals_agree(game, result, situations[:60], 2)
    assert learned(game, situations, ("last move", "own piece")).text == result.text


def test_no_pattern_is_made_of_nothing() -> None:
    """A few situations give no patterns."""
    game = dslgame.load("gomoku", size=7)
    result = learned(game, habits(game, 12), ("own piece",))
    assert (result.text, result.rules) == ("", ())
    assert result.after == result.before


def test_ends_of_chains_are_anchors_where_there_are_some() -> None:
    assert default_anchors(dslgame.load("gomoku", size=5)) == ("last move", "own piece", "enemy piece")
    assert "own chain end toward goal" in default_anchors(dslgame.load("hex", size=4))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_command_writes_a_file_that_can_be_used(tmp_path: Path) -> None:
    """The file can be used and is formatted, and the JSON describes the run."""
    path = tmp_path / "learned.pattern"
    size = ("-p", "rows=4", "-p", "columns=4")
    result = run("patterns", "learn", "connect_four", *size, "--teacher", "alphabeta nodes=300", "--positions", 60,
                 "--reach", 2, "--seed", 2, "--to", path, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert found["positions"] == 60
    assert found["patterns"] > 0
    assert found["nodes"]["without"] > 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Learned by dslgame from ")
    assert text.count("offensive") + text.count("defensive") == found["patterns"]
    assert run("patterns", path, *size, "--moves", "2 2").exit_code == 0
    assert run("fmt", "--check", path).exit_code == 0


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (("hex", "--teacher", "clever"), 2, "expected random"),
    (("hex", "--teacher", "random", "--positions", 10, "-p", "size=9"), 1, "give more --positions"),
    (("hex", "-p", "size=3", "--teacher", "random", "--positions", 40, "--anchor", "own nose"), 1, "error[G"),
    (("hex", "--symmetries", "some"), 2, "all turns"),
    (("none", ), 1, "none"),
])
def test_wrong_use_is_told(arguments: tuple[object, ...], code: int, said: str) -> None:
    result = run("patterns", "learn", *arguments)
    assert result.exit_code == code, result.output
    assert said in result.output


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params", "teacher", "reach"), [
    ("hex", {"size": 5}, "alphabeta nodes=2000", 3), ("connect_four", {}, "mcts nodes=300", 3),
    ("twixt", {"rows": 8, "columns": 8, "swap": 0}, "alphabeta plies=1", 4),
])
def test_patterns_of_bundled_games_help(name: str, params: dict[str, int], teacher: str, reach: int) -> None:
    """Patterns rank moves better in situations not learned from, and files propose what was found."""
    game = dslgame.load(name, **params)
    situations, _ = collect(game, dslgame.player(game, teacher, seed=1), 250, seed=1)
    anchors = (*default_anchors(game), *([FALLING] if name == "connect_four" else []))
    result = learn(game, situations, anchors=anchors, reach=reach, counting=False)
    assert result.rules
    assert result.after.rank > result.before.rank
    proposals_agree(game, result, [item for item in situations if item.part == MEASURING][:25], reach, "")
