"""What `dslgame check` finds by playing: unused rules, what it blames for a failure, and its time limit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dslgame
from dsl.diagnostics import Diagnostic
from dsl.syntax.source import Source
from interpreter.analysis import dynamic_checks, trial
from interpreter.analysis.dynamic_checks import try_out
from interpreter.errors import RuleError
from interpreter.game import examine
from tests.app.test_cli import run

HOPS = """\
game "Hops"
players Red, Blue
board square(4, 4)
pieces red of Red, blue of Blue

start:
    {c in bottom} := red
    {c in top} := blue

move step(a in mine, b in neighbours(a) and empty):
    carry a to b
    then hop(b) or stop

move hop(a in mine, b in leap(a, 0, 2) and empty) when no cells:
    carry a to b

no moves loses
repetition draws
symmetry left right mirror
symmetry top bottom mirror swapping players
"""
"""No move begins with a hop, but moves may continue by one."""

LUCKY = """\
game "Lucky"
players Red, Blue
board square(6, 6)
pieces red of Red, blue of Blue

move place(c in empty):
    c := own

move blessed(c in empty) when no (top - mine) and no (bottom - theirs) and count(mine) = 6:
    c := own

draw when no empty
"""
"""A rule that can apply, but does not in any random game."""

TRIED = """\
game "Tried"
players Red, Blue
board square(2, 2)
pieces red of Red, blue of Blue
var stock in 0..2 = 2

move place(c in empty):
    c := own
    stock -= 1

illegal when count(mine) > 2
win mover when count(mine) = 2
no moves loses
"""
"""After a move of each player, `no moves` tries a third, for which the variable has no value left."""


def found(text: str, **options: float) -> list[Diagnostic]:
    """All findings of reading and playing a text."""
    game, said = examine(Source("t.game", text))
    assert game is not None, said
    return [*said, *try_out(game, **options)]  # type: ignore[arg-type]  # seconds


@pytest.fixture(autouse=True)
def less_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the work of the checks to a fifth of the command's."""
    for name in ("MOST_STATES", "MOST_WORK", "SYMMETRY_WORK", "ENOUGH", "ENOUGH_GAMES"):
        for module in (dynamic_checks, trial):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(module, name) // 5)


def codes(text: str) -> list[tuple[str, str]]:
    """The codes and severities of the findings."""
    return [(item.code, item.severity) for item in found(text)]


def test_move_that_others_go_on_by_is_used() -> None:
    """A move used as a continuation counts as used; its own `when` is not evaluated there and may never hold."""
    assert codes(HOPS) == []
    assert [item.code for item in found(HOPS.replace("    then hop(b) or stop\n", ""))] == ["G303"]


def test_rule_that_few_games_never_used_is_a_note() -> None:
    """Unused in few games is a note, in many games a warning; a `rare` rule is not reported, and the help says so."""
    for text, severity in ((LUCKY, "note"), (LUCKY.replace("(6, 6)", "(4, 4)"), "warning")):
        (item,) = [item for item in found(text) if item.code == "G303"]
        assert item.severity == severity
        assert "rare move blessed" in item.help
        assert "random games" in item.phrase
        assert "G303" not in dict(codes(text.replace("move blessed", "rare move blessed")))


def test_a_step_may_be_rare() -> None:
    """A `step` may be declared rare; the help shows how."""
    condition = "no (top - mine) and no (bottom - theirs) and count(mine) = 6"
    text = LUCKY.replace(f"move blessed(c in empty) when {condition}:\n    c := own",
                         f"step blessed(c in mine, d in empty where {condition}):\n    d := own").replace(
        "    c := own\n", "    c := own\n    then blessed(c) or stop\n")
    (item,) = [item for item in found(text) if item.code == "G303"]
    assert "rare step blessed" in item.help
    assert "G303" not in dict(codes(text.replace("step blessed", "rare step blessed")))


def test_rare_rule_is_reported_where_all_positions_were_visited() -> None:
    """If all positions were visited, it is certain that the rule never applies."""
    text = LUCKY.replace("square(6, 6)", "square(2, 3)").replace("move blessed", "rare move blessed")
    assert ("G303", "error") in codes(text)


def test_proposed_symmetry_names_the_params_that_were_tried() -> None:
    """A 3 x 3 board has more symmetries than a 3 x 4 one, so the message names the params."""
    text = ('game "T"\nparam rows = 3 in 1..9\nparam columns = 3 in 1..9\nplayers X, O\nboard square(rows, columns)\n'
            "pieces x of X, o of O\nmove place(c in empty):\n    c := own\nwin mover when line(mine, 3)\n"
            "draw when no empty\n")
    (item,) = found(text)
    assert item.phrase.endswith("all turns and mirrors (tried with rows=3, columns=3 only)")
    assert "with all values of its params" in item.help
    (item,) = found(text.replace("param rows = 3 in 1..9\nparam columns = 3 in 1..9\n", "").replace(
        "rows, columns", "3, 3"))
    assert item.phrase.endswith("all turns and mirrors")


ASKEW = """\
game "Askew"
players A, B
board square(1, 4)
pieces x of A, o of B
var go in 0..2

move wait when go = 0:
    go := 1

move place(c in empty where c = "c1" and go = 1):
    c := own
    go := 2

win mover when go = 2
"""
"""A move that ends the game is legal at one cell only, and leads to the same outcome as its image would."""


def test_move_that_ends_the_game_breaks_a_symmetry() -> None:
    """The move is blamed, not the end, which holds for the image too."""
    (item,) = found(f"{ASKEW}symmetry left right mirror\n")
    assert (item.code, item.phrase) == (
        "G307", "the rules do not have this symmetry: 'move place' (line 10) breaks it")


def test_symmetry_that_a_move_that_ends_the_game_breaks_is_not_proposed() -> None:
    """Nothing is proposed that would then be refused."""
    assert not found(ASKEW)


def test_failure_of_a_move_that_is_only_tried_says_so() -> None:
    """`no moves` tries moves that nobody plays; the message says so, also in play."""
    text = TRIED.replace("count(mine) = 2", "count(mine) = 3")
    (item,) = [item for item in found(text) if item.code == "G402"]
    assert item.help.startswith("it happens after ")
    assert item.help.endswith(", where 'no moves' tries whether Red can move")
    game = dslgame.loads(text)
    with pytest.raises(RuleError, match="where 'no moves' tries whether Red can move") as caught:
        game.start().play("a1").play("a2")
    assert caught.value.trying == "Red"
    (item,) = [item for item in found(text.replace("no moves loses", "draw when no empty")) if item.code == "G402"]
    assert "tries" not in item.help


# ---- time


class Clock:
    """A clock of CPU time that advances a tenth of a second at each reading."""

    now = 0.0

    def process_time(self) -> float:
        """The time, later at each call."""
        self.now += 0.1
        return self.now


@pytest.mark.parametrize("name", ["amazons", "hex", "english_draughts", "go", "trax"])
@pytest.mark.parametrize("seconds", [5, 60])
def test_check_ends_in_time_and_says_what_it_did_not_reach(monkeypatch: pytest.MonkeyPatch, name: str,
                                                           seconds: int) -> None:
    """The time is read for each move, so that positions with many moves do not prolong the check."""
    clock = Clock()
    monkeypatch.setattr(trial, "time", clock)
    (item,) = try_out(dslgame.load(name), seconds=seconds)
    assert (item.code, item.severity) == ("G320", "note")
    assert item.phrase.startswith(f"the check stopped after {seconds} s: ")
    assert "not reached: more positions" in item.phrase
    assert clock.now < 1.2 * seconds + 1


def test_every_check_sees_a_position_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine still plays from the start and tests each symmetry on one position; the note says so."""
    clock = Clock()
    monkeypatch.setattr(trial, "time", clock)
    monkeypatch.setattr(trial, "GRACE", 1000.0)
    item, *further = try_out(dslgame.load("tic_tac_toe"), seconds=0)
    assert (item.code, further) == ("G320", [])
    assert item.phrase == ("the check stopped after 0 s: 1 position was tried; not reached: more positions, "
                           "the symmetry of line 14 beyond one position")


def test_check_without_a_time_limit_is_the_same_as_with_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings do not depend on the machine's speed if the limit is not reached."""
    told: list[str] = []
    assert found(LUCKY) == [*found(LUCKY, seconds=10**6)]
    try_out(dslgame.loads(LUCKY), progress=told.append)
    assert any("positions" in text for text in told)
    assert any("symmetry" in text for text in told)


def test_check_command_takes_seconds(tmp_path: Path) -> None:
    """Work left out is a note, also in JSON, and does not make the command fail."""
    file = tmp_path / "lucky.game"
    file.write_text(LUCKY, encoding="utf-8")
    result = run("check", str(file), "--seconds", "0.01", "--strict")
    assert result.exit_code == 0, result.stdout
    assert "note[G320]: the check stopped after 0.01 s" in result.stdout
    assert [item["code"] for item in json.loads(run("check", str(file), "--seconds", "0.01", "--json").stdout)[
        "diagnostics"]] == ["G320"]
    assert run("check", str(file), "--seconds", "0").exit_code == 2
