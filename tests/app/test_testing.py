"""dslgame.testing: one mistake in a game or reference is found with the shortest game, and correct ones pass."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import dslgame
from dsl.syntax.source import Source
from dslgame import RuleError, bundled, testing
from dslgame.testing import Disagreement, Reference, Report, check_against, check_game, engines, play, verify
from dslgame.testing import disagreement as showing
from dslgame.testing.disagreement import beside
from interpreter.game import Game
from interpreter.model.state import State
from interpreter.semantics.engine import Engine
from tests.reference import connect_four, hex, shift_tac_toe, tic_tac_toe
from tests.reference.rules import Rules

DROP = """\
game "Drop"

param n = 3 in 2..9

players X, O
board square(n, n)
pieces x of X, o of O

move drop(k in columns where cell(0, k) is empty):
    cell(0, k) := own

forced fall(c in occupied where c.south is empty):
    carry c to c.south

win mover when line(mine, 3)
draw when no empty

notation drop "{k:1}"
symmetry left right mirror
"""


def changed(*changes: tuple[str, str], base: str = DROP, **params: int) -> Game:
    """The game with parts of its text replaced."""
    for old, new in changes:
        assert base.count(old) == 1, old
        base = base.replace(old, new)
    return dslgame.loads(base, name="drop.game", **params)


def caught(game: Game, **options: Any) -> Disagreement:
    """The disagreement that `check_game` raises for a game."""
    with pytest.raises(Disagreement) as found:
        check_game(game, **{"seed": 1, "games": 10, **options})
    return found.value


def failed(report: Report) -> list[str]:
    """The claims that failed."""
    return [result.claim for result in report.failed]


# ---- games


@pytest.mark.parametrize("n", [2, 3, 4])
def test_good_game_passes(n: int) -> None:
    """All claims hold, and each checked something."""
    report = verify(changed(n=n), games=10, seed=1)
    assert not report.failed
    assert all(result.checked > 0 for result in report.results)
    assert (report.complete, report.games) == ((True, 0) if n == 2 else (False, 10))


def test_claims_without_anything_to_check_say_so() -> None:
    """Claims about forced rules and symmetries report that there are none."""
    report = verify(dslgame.loads('game "A"\nplayers X, O\nboard square(1, 3)\npieces x of X, o of O\n\n'
                                  "move put(c in empty):\n    c := own\n\nwin mover when no empty\n"))
    reasons = {result.claim: result.reason for result in report.results if result.status == "none"}
    assert reasons == {
        "forced rules come to an end": "no forced rules",
        "forced rules give the same result in any order": "no forced rules",
        "symmetries commute with moves and outcomes": "no symmetry declared",
        "symmetric positions alone are the same canonically": "no symmetry declared",
    }


def test_range_that_is_left_is_caught_with_the_shortest_game() -> None:
    """The shortest game has three discs on the board, and the fourth leaves the range."""
    found = caught(changed(("o of O\n", "o of O\nvar total in 0..3 = 0\n"), (":= own\n", ":= own\n    total += 1\n")))
    assert found.claim == "no rule fails, and values stay in their ranges"
    assert found.phrase == ("drop.game:12:5: error[G402]: total would become 4, outside its range 0..3, "
                            "after the move 2")
    assert len(found.moves) == 3


def test_range_that_is_left_late_is_found_by_random_games() -> None:
    """On a large board only random games leave the range, and the game found is shortened as far as possible."""
    game = changed(("o of O\n", "o of O\nvar total in 0..9 = 0\n"), (":= own\n", ":= own\n    total += 1\n"),
                   ("line(mine, 3)", "line(mine, 5)"), n=6)
    found = caught(game)
    assert "G402" in found.phrase
    assert len(found.moves) == 9
    assert set(found.moves) <= {"1", "2"}


def test_player_without_a_move_and_without_a_rule_is_caught() -> None:
    """A full board without an end or a rule for it is reported."""
    found = caught(changed(("draw when no empty\n", ""), n=2))
    assert found.claim == "the legal moves are the offered ones that apply"
    assert "error[G407]: there is no move for X" in found.phrase
    assert len(found.moves) == 4


def test_forced_rule_without_an_end_is_caught() -> None:
    """A piece that changes back and forth for ever after the second disc is reported."""
    found = caught(changed(("carry c to c.south", "carry c to c.south\n\n"
                            "forced there(c in x where count(occupied) > 1):\n    c := o\n\n"
                            "forced back(c in o where count(x) = 0):\n    c := x")))
    assert found.claim == "forced rules come to an end"
    assert len(found.moves) == 1


def test_symmetry_that_the_rules_do_not_have_is_caught() -> None:
    """A wrong symmetry fails at the start, and the position and its image are shown side by side."""
    found = caught(changed(("left right mirror", "half turn")))
    assert found.claim == "symmetries commute with moves and outcomes"
    assert found.moves == ()
    assert found.phrase == "symmetry half turn: the moves of the image are not the images of the moves"
    assert "the position" in str(found)
    assert "its image" in str(found)


def test_end_that_breaks_a_symmetry_is_caught() -> None:
    """A win by the left column alone breaks the mirror symmetry."""
    found = caught(changed(("win mover when line(mine, 3)", "win mover when no (column(0) - mine)")))
    assert found.claim == "symmetries commute with moves and outcomes"
    assert len(found.moves) == 4


def test_move_that_ends_the_game_at_one_side_breaks_a_symmetry() -> None:
    """Ends with the same outcome are compared as a whole: the count of symmetric positions rests on it."""
    game = dslgame.loads('game "Askew"\nplayers A, B\nboard square(1, 4)\npieces x of A, o of B\n'
                         'move place(c in empty where c = "c1"):\n    c := own\nno moves loses\n'
                         "symmetry left right mirror\n")
    assert caught(game).phrase == "symmetry left right mirror: the moves of the image are not the images of the moves"


def test_ends_may_differ_where_a_cascade_broke_off() -> None:
    """Where forced rules stop when the game is won, it does not matter which of them were carried out before."""
    game = dslgame.loads('game "Burst"\nplayers A, B\nboard square(1, 3)\npieces x of A, o of B\n'
                         'start:\n    "a1" := o\n    "c1" := o\nmove place(c in empty):\n    c := own\n'
                         "forced take(c in o) until count(o) < 2:\n    c := empty\n"
                         "win A when count(o) < 2\nsymmetry left right mirror\n")
    assert not verify(game, seed=1, games=2).failed


def test_ambiguous_notation_is_caught() -> None:
    """Two columns that are written with the same number are reported."""
    found = caught(changed(('"{k:1}"', '"{k div 2}"')))
    assert (found.claim, found.moves) == ("moves read back as they are written", ())
    assert found.phrase == "two different moves are written '0'"


def test_forced_rules_that_depend_on_their_order_are_noted() -> None:
    """Order dependence is only noted, unless `order=True` makes it a failure."""
    game = changed(("carry c to c.south", "carry c to c.south\n\n"
                    "forced clash(c in x where some (neighbours(c) and o)):\n    c := empty\n\n"
                    "forced crash(c in o where some (neighbours(c) and x)):\n    c := empty"),
                   ("symmetry left right mirror\n", "repetition draws\n"))
    report = verify(game, seed=1, games=10)
    assert not report.failed
    (noted,) = [result for result in report.results if result.status == "noted"]
    assert noted.disagreement is not None
    assert noted.disagreement.phrase == "the move 1 leads to different positions"
    assert noted.disagreement.moves == ("1",)
    check_game(game, seed=1, games=10)
    assert caught(game, games=10, order=True).claim == "forced rules give the same result in any order"


def test_falling_does_not_depend_on_the_order() -> None:
    """Falling discs end up the same in any order of falling; a game that ends in between counts by its outcome."""
    check_game(dslgame.load("shift_tac_toe"), games=10, seed=1, order=True)


GROWING = """game "Growing"
players X, O
board square(1, 5)
pieces x of X, o of O

move place(c in empty):
    c := own

forced grow(c in empty) until count(occupied) mod 2 = 0:
    c := own

win mover when count(occupied) >= 2
draw when no empty
no moves draws
"""


def test_finished_boards_that_depend_on_the_order_fail() -> None:
    """The outcome is the same in any order of the forced rules; the finished board is not."""
    found = caught(dslgame.loads(GROWING), order=True)
    assert found.claim == "forced rules give the same result in any order"
    assert found.moves == ()
    assert found.phrase == "the move a1 leads to different positions"


LATE = changed(("o of O\n", "o of O\nvar total in 0..33 = 0\n"), (":= own\n", ":= own\n    total += 1\n"),
               ("line(mine, 3)", "line(mine, 4)"), n=6)


def test_failure_that_the_interpreter_does_not_meet_is_found_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games of the kernel find a rule that fails at the 34th move; the failure is that of the rule alone."""
    monkeypatch.setattr(play.Play, "random_games", lambda *given: None)
    monkeypatch.setattr(play, "FIRST_POSITIONS", 1)
    report = verify(LATE, games=30, seed=1)
    (result,) = report.failed
    assert result.claim == "no rule fails, and values stay in their ranges"
    assert result.disagreement is not None
    assert "error[G402]: total would become 34, outside its range 0..33, after the move " in result.disagreement.phrase
    assert len(result.disagreement.moves) == 33
    assert (report.games, report.kernel_games) == (0, 150)


def test_kernel_that_plays_otherwise_is_found_in_a_sample_of_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some games of the kernel alone are repeated by the interpreter."""
    game = changed(n=4)
    played = engines.KernelEngine.played
    other = engines.KernelEngine(changed(("c.south is empty", "c.west is empty"), ("carry c to c.south",
                                                                                   "carry c to c.west"), n=4))
    monkeypatch.setattr(engines.KernelEngine, "played", lambda engine, seed, plies: played(other, seed, plies))
    monkeypatch.setattr(play.Play, "random_games", lambda *given: None)
    (result,) = verify(game, games=1, seed=1).failed
    assert result.claim == "the kernel plays as the interpreter does"


class Wrong(Engine):
    """An engine with one mistake."""

    mistake = ""

    def legal(self, state: State) -> list[Any]:
        """The legal moves, without the first if that is the mistake."""
        return super().legal(state)[1 if self.mistake == "legal" else 0 :]

    def successors(self, state: State) -> list[Any]:
        """The successors, in reverse order if that is the mistake."""
        return super().successors(state)[:: -1 if self.mistake == "successors" else 1]


@pytest.mark.parametrize("mistake", ["legal", "successors"])
def test_engine_that_contradicts_itself_is_caught(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contradictions of the engine are found at the start."""
    game = changed()
    monkeypatch.setattr(Wrong, "mistake", mistake)
    monkeypatch.setattr(game.engine, "__class__", Wrong)
    found = caught(game)
    assert (found.claim, found.moves) == ("the legal moves are the offered ones that apply", ())


def test_position_texts_that_hide_something_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts that show both players' discs alike do not read back."""
    plain = Game.position_text
    monkeypatch.setattr(Game, "position_text", lambda game, state: plain(game, state).replace("O", "X"))
    found = caught(changed())
    assert found.claim == "position texts read back, each to its position"
    assert found.moves == ("1",)
    assert found.phrase.endswith("reads back as another position")


@pytest.mark.slow
def test_another_engine_is_compared_with_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any engine in the list of engines is compared with the interpreter."""
    game, other = changed(), changed(("line(mine, 3)", "line(mine, 2)"))
    assert not verify(game, games=5, seed=1).failed
    monkeypatch.setattr(engines, "engines_of", lambda game, hooks: {"other": lambda game: engines.KernelEngine(other)})
    found = caught(game, games=5, kernel=True)
    assert found.claim == "the other plays as the interpreter does"
    assert len(found.moves) == 2
    assert found.phrase == "the move 2 leads to different positions"
    assert [side for side, _ in found.sides] == ["interpreter", "other"]
    check_game(game, games=5, seed=1)  # without `kernel=True` there is no comparison


@pytest.mark.parametrize(("hook", "phrase"), [
    ("@hook('value')\ndef v(state):\n    return 7\n", "the values differ"),
    ("@hook('draw')\ndef d(state, seed, entries, scratch, move):\n"
     "    found = compiled_draw(state, seed, entries, scratch, move)\n    move[2] = 0\n    return found\n",
     "a random move is none of the legal moves")])
def test_wrong_values_and_random_moves_of_hooks_are_caught(hook: str, phrase: str, tmp_path: Path) -> None:
    from interpreter import hooks

    path = tmp_path / "own.py"
    path.write_text(f"from interpreter.hooks import hook\n\n\n{hook}", encoding="utf-8")
    text = bundled.path_of("tic_tac_toe").read_text(encoding="utf-8")
    game = Game.of(Source("own.game", text + "value count(mine) - count(theirs)\n"))
    report = verify(game, games=5, seed=1, kernel=True, hooks=hooks.load(path))
    found = [result.disagreement.phrase for result in report.failed if result.disagreement is not None]
    assert found == [phrase]


def test_engine_that_cannot_play_a_game_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """The claim on an engine that cannot play the game checks nothing and states the reason."""
    def refuse(game: Game) -> engines.KernelEngine:
        raise engines.Unavailable("the compiler cannot translate this and that")

    monkeypatch.setattr(engines, "engines_of", lambda game, hooks: {"other": refuse})
    last = verify(changed(), games=1).results[-1]
    assert (last.status, last.checked, last.reason) == ("none", 0, "the compiler cannot translate this and that")


FAILING = """
game "Failing"
players X, O
board square(1, 4)
pieces x of X, o of O
var n in 0..2
move place(c in empty):
    c := own
    n += 1 if c != "d1"
draw when no empty
"""


def test_rules_that_fail_must_fail_in_every_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule must fail at the same moves in every engine; that it fails at all is the failure of another claim."""
    game = dslgame.loads(FAILING)
    assert failed(verify(game, games=3)) == ["no rule fails, and values stay in their ranges"]
    careless = dslgame.loads(FAILING.replace("0..2", "0..4"))
    other = {"other": lambda game: engines.KernelEngine(careless)}
    monkeypatch.setattr(engines, "engines_of", lambda game, hooks: other)
    report = verify(game, games=3)
    assert failed(report)[-1] == "the other plays as the interpreter does"
    found = report.failed[-1].disagreement
    assert found is not None
    assert found.phrase == ("after the move c1 a rule fails in the interpreter alone "
                            "(G402: n would become 3, outside its range 0..2)")
    assert len(found.moves) == 2
    monkeypatch.setattr(engines, "engines_of", lambda game_, hooks: {"other": lambda _: engines.KernelEngine(game)})
    found = caught(careless, kernel=True)
    assert found.phrase == "after the move c1 a rule fails in the other alone (G402)"


def test_one_failure_hides_no_other() -> None:
    """Each failed claim is reported with its own game."""
    game = changed(('"{k:1}"', '"{k div 2}"'), ("left right mirror", "half turn"))
    assert failed(verify(game, games=10, seed=1)) == [
        "moves read back as they are written", "symmetries commute with moves and outcomes",
    ]


# ---- running


def test_same_seed_plays_the_same_games() -> None:
    """The same seed gives the same report with all its counts."""
    game = changed(n=4)
    first = verify(game, games=2, seed=3)
    assert first == verify(game, games=2, seed=3)
    assert first != verify(game, games=2, seed=4)


def test_numbers_of_games_and_plies_are_kept() -> None:
    """The number of games and of plies in each is limited."""
    report = verify(changed(n=5), games=7, plies=5, seed=1)
    assert report.games == 7
    first = verify(changed(n=5), games=0, plies=5, seed=1)
    assert first.games == 0
    assert report.positions - first.positions <= 7 * 6


def test_time_is_kept() -> None:
    """A time limit ends the check of a large board with many games."""
    report = verify(changed(n=9), games=100_000, seconds=0.3)
    assert not report.failed
    assert report.games < 1000


def test_without_hypothesis_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ImportError names the command that installs Hypothesis."""
    monkeypatch.setattr(testing, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'dslgame\[verify\]'"):
        check_game(changed())


# ---- references


@pytest.mark.parametrize(("name", "rules"), [
    ("tic_tac_toe", tic_tac_toe.Reference()),
    ("connect_four", connect_four.Reference()),
    ("hex", hex.Reference()),
    ("shift_tac_toe", shift_tac_toe.Reference()),
], ids=lambda value: value if isinstance(value, str) else "")
def test_good_reference_passes(name: str, rules: Rules[Any]) -> None:
    """References with the methods of the protocol agree with the files; repetition rules are applied for them."""
    assert isinstance(rules, Reference)
    check_against(dslgame.load(name), rules, games=5, seed=1)


class Drop:
    """A minimal reference of the game above: a state is the columns of discs and the player to move."""

    n = 3

    def start(self) -> Any:
        return ("",) * self.n, "X"

    def to_move(self, state: Any) -> str:
        return str(state[1])

    def outcome(self, state: Any) -> str | None:
        rows = ["".join(column.ljust(self.n)[row] for column in state[0]) for row in range(self.n)]
        slants = ["".join(rows[k][k] for k in range(3)), "".join(rows[k][2 - k] for k in range(3))]
        for disc in "xo":
            if any(disc * 3 in line for line in (*state[0], *rows, *slants)):
                return disc.upper()
        return "draw" if sum(map(len, state[0])) == self.n**2 else None

    def moves(self, state: Any) -> list[str]:
        if self.outcome(state):
            return []
        return [str(k + 1) for k, column in enumerate(state[0]) if len(column) < self.n]

    def play(self, state: Any, move: str) -> Any:
        columns = list(state[0])
        columns[int(move) - 1] += state[1].lower()
        return tuple(columns), "O" if state[1] == "X" else "X"

    def board(self, state: Any) -> Mapping[str, str] | None:
        return {f"{'abc'[k]}{row + 1}": disc for k, column in enumerate(state[0]) for row, disc in enumerate(column)}


class WrongMoves(Drop):
    """A column counts as full with one disc fewer."""

    def moves(self, state: Any) -> list[str]:
        return [move for move in super().moves(state) if len(state[0][int(move) - 1]) < self.n - 1]


class WrongOutcome(Drop):
    """Diagonal lines do not win."""

    def outcome(self, state: Any) -> str | None:
        found = super().outcome(state)
        straight = [*state[0], *("".join(column.ljust(3)[row] for column in state[0]) for row in range(3))]
        won = any(disc * 3 in line for disc in "xo" for line in straight)
        return found if found in (None, "draw") or won else "draw" if sum(map(len, state[0])) == 9 else None


class WrongBoard(Drop):
    """The top cell is reported as the one below."""

    def board(self, state: Any) -> dict[str, str]:
        return {cell.replace("3", "2"): disc for cell, disc in (super().board(state) or {}).items()}


class WrongPlayer(Drop):
    """X moves twice after a move in the third column."""

    def play(self, state: Any, move: str) -> Any:
        columns, player = super().play(state, move)
        return columns, "X" if move == "3" else player


class WrongVariables(Drop):
    """It has a variable that the game lacks."""

    def variables(self, state: Any) -> dict[str, object]:
        return {"height": [len(column) for column in state[0]]}


class Stuck(Drop):
    """Nobody ever wins, and the game goes on with a full board, like the file below."""

    n = 2

    def outcome(self, state: Any) -> str | None:
        return None


@pytest.mark.parametrize("known", [False, True])
def test_file_that_gets_stuck_is_blamed_and_not_the_reference(known: bool) -> None:
    """`verify` reports the stuck file by the claim on legal moves, a comparison alone by its own claim."""
    game = changed(("draw when no empty\n", ""), n=2)
    claim = "the file plays as the reference does"
    if known:
        report = verify(game, reference=Stuck(), seed=1, games=10)
        failed = {result.claim: result.disagreement for result in report.failed}
        assert claim not in failed
        found = failed["the legal moves are the offered ones that apply"]
    else:
        with pytest.raises(Disagreement) as caught:
            check_against(game, Stuck(), seed=1)
        found = caught.value
        assert found.claim == claim
    assert found is not None
    assert found.phrase.startswith("drop.game:15:1: error[G407]: ")
    assert len(found.moves) == 4


NAMED = """\
game "Named"
players Red, Blue
board square(1, 3)
pieces red of Red, blue of Blue
values side = near, far
var boss in players or none
var last in cells or none
var where in side = near
var count in 0..9 = 0
var seen[cell] in players or none
move place(c in empty):
    c := own
    boss := mover
    last := c
    where := far
    count += 1
    seen[c] := mover
draw when no empty
"""


class Named:
    """A reference with variables, whose values are names or numbers."""

    def __init__(self, *, names: bool = True, wrong: str = "") -> None:
        self.names, self.wrong = names, wrong

    def start(self) -> Any:
        return ()

    def to_move(self, state: Any) -> str:
        return ("Red", "Blue")[len(state) % 2]

    def outcome(self, state: Any) -> str | None:
        return "draw" if len(state) == 3 else None

    def moves(self, state: Any) -> list[str]:
        return [cell for cell in ("a1", "b1", "c1") if cell not in state]

    def play(self, state: Any, move: str) -> Any:
        return (*state, move)

    def board(self, state: Any) -> None:
        return None

    def variables(self, state: Any) -> dict[str, object]:
        mover = (len(state) - 1) % 2
        cells = ("a1", "b1", "c1")
        by = [state.index(cell) % 2 if cell in state else None for cell in cells]
        last = state[-1] if state else None
        values: dict[str, object] = {
            "boss": mover if state else None, "last": None if last is None else cells.index(last),
            "where": 1 if state else 0, "count": len(state), "seen": by}
        if self.names:
            players = ("Red", "Blue")
            values |= {"boss": players[mover] if state else "none", "last": last, "where": "far" if state else "near",
                       "seen": [None if side is None else players[side] for side in by]}
        if self.wrong and len(state) == 2:
            values["boss"] = self.wrong
        return values


@pytest.mark.parametrize("names", [True, False])
def test_variables_of_a_reference_may_be_names_or_numbers(names: bool) -> None:
    check_against(dslgame.loads(NAMED), Named(names=names), seed=1)


@pytest.mark.parametrize("wrong", ["Red", "nobody", "none"])
def test_wrong_names_are_shown_beside_those_of_the_file(wrong: str) -> None:
    with pytest.raises(Disagreement) as found:
        check_against(dslgame.loads(NAMED), Named(wrong=wrong), seed=1)
    assert found.value.phrase == "the variables are not the same"
    assert dict(found.value.sides) == {"the file": "boss: Blue", "the reference": f"boss: {wrong}"}


class Raising(Drop):
    """It raises an exception at the third disc."""

    def play(self, state: Any, move: str) -> Any:
        if sum(map(len, state[0])) == 2:
            raise KeyError("third")
        return super().play(state, move)


class Twice(Drop):
    """It lists each move twice."""

    def moves(self, state: Any) -> list[str]:
        return super().moves(state) * 2


def test_short_reference_agrees() -> None:
    """The correct reference, from which the wrong ones below derive, agrees."""
    check_against(changed(), Drop(), seed=1)


@pytest.mark.parametrize(("rules", "phrase", "length"), [
    (WrongMoves(), "the moves are not the same: the file has 3, the reference 2", 2),
    (WrongOutcome(), "the outcome is not the same", 7),
    (WrongBoard(), "the cells are not the same", 3),
    (WrongPlayer(), "the player to move is not the same", 1),
    (WrongVariables(), "the variables are not the same", 0),
    (Raising(), "the reference fails in play(state, '1'): ", 2),
    (Twice(), "the reference has the move '1' twice", 0),
], ids=lambda value: type(value).__name__ if isinstance(value, Drop) else "")
def test_wrong_reference_is_caught_with_the_shortest_game(rules: Drop, phrase: str, length: int) -> None:
    """The search is breadth first, so that no game is shorter, and both answers are shown."""
    with pytest.raises(Disagreement) as found:
        check_against(changed(), rules, seed=1)
    assert found.value.phrase.startswith(phrase)
    assert len(found.value.moves) == length


def test_both_answers_stand_side_by_side() -> None:
    """The report shows the boards of the game, the player to move, and the answer of each side."""
    with pytest.raises(Disagreement) as found:
        check_against(changed(), WrongMoves(), seed=1)
    assert str(found.value) == """\
Drop (n=3): not so: the file plays as the reference does
  the moves are not the same: the file has 3, the reference 2
  the shortest game found, 2 moves: 1 1
  start      1. 1       2. 1
  3 . . .    3 . . .    3 . . .
  2 . . .    2 . . .    2 O . .
  1 . . .    1 X . .    1 X . .
    a b c      a b c      a b c
  X to move
  in the file only    in the reference only
  1                   none"""


def test_exception_of_a_reference_is_told_with_its_line() -> None:
    """The line in the reference is named, and the exception is chained as the cause."""
    with pytest.raises(Disagreement) as found:
        check_against(changed(), Raising(), seed=1)
    lines = Path(__file__).read_text("utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, start=1) if "raise Key" + "Error" in text)
    assert f"test_testing.py:{line}: KeyError: 'third'" in found.value.phrase
    assert isinstance(found.value.__cause__, KeyError)


class Letters(Drop):
    """Columns are called a, b and c."""

    def moves(self, state: Any) -> list[str]:
        return ["abc"[int(move) - 1] for move in super().moves(state)]

    def play(self, state: Any, move: str) -> Any:
        return super().play(state, str("abc".index(move) + 1))


class Translated(Letters):
    """The same, with a translation of the file's moves."""

    def canonical_text(self, text: str) -> str:
        return "abc"[int(text) - 1]


def test_reference_may_write_moves_in_its_own_way() -> None:
    """A reference may name moves differently if `canonical_text` translates the file's moves."""
    with pytest.raises(Disagreement, match=r"the moves are not the same"):
        check_against(changed(), Letters(), seed=1)
    check_against(changed(), Translated(), seed=1)


class Owned(Drop):
    """Names of pieces begin with their owners."""

    def board(self, state: Any) -> dict[str, str]:
        owners = {"x": "X man", "o": "O man"}
        return {cell: owners[disc] for cell, disc in (super().board(state) or {}).items()}


class OwnedAsInRules(Drop):
    """Names of pieces have their owners in brackets, as in rules."""

    def board(self, state: Any) -> dict[str, str]:
        owners = {"x": "man[X]", "o": "man[O]"}
        return {cell: owners[disc] for cell, disc in (super().board(state) or {}).items()}


class OwnedWrongly(Drop):
    """All pieces belong to X."""

    def board(self, state: Any) -> dict[str, str]:
        return dict.fromkeys(super().board(state) or {}, "X man")


def test_piece_may_be_called_with_its_owner() -> None:
    """Pieces named with their owners tell apart kinds that every player has."""
    game = changed(("x of X, o of O", "man of each"), ("line(mine, 3)", "line(man[mover], 3)"))
    check_against(game, Owned(), seed=1)
    with pytest.raises(Disagreement) as found:
        check_against(game, OwnedWrongly(), seed=1)
    assert found.value.moves == ("1", "1")
    assert found.value.sides == (("the file", "a2: O man"), ("the reference", "a2: X man"))


def test_piece_may_be_called_as_in_rules() -> None:
    """A piece of each player can be named as rules name it, with its owner in brackets."""
    check_against(changed(("x of X, o of O", "man of each"), ("line(mine, 3)", "line(man[mover], 3)")),
                  OwnedAsInRules(), seed=1)


class Piled:
    """Players put a man each on a pile of one cell, in turn."""

    def start(self) -> str:
        return ""

    def to_move(self, state: str) -> str:
        return "XO"[len(state) % 2]

    def outcome(self, state: str) -> str | None:
        return "draw" if len(state) == 3 else None

    def moves(self, state: str) -> list[str]:
        return ["a1"]

    def play(self, state: str, move: str) -> str:
        return state + self.to_move(state)

    def board(self, state: str) -> None:
        return None

    def piles(self, state: str) -> dict[str, list[str]]:
        return {"a1": [f"man[{player}]" for player in state]} if state else {}


def test_pieces_of_piles_may_be_called_as_in_rules() -> None:
    """A piece in a pile, too, can be named with its owner in brackets."""
    check_against(dslgame.loads("""\
game "Piled"
players X, O
board square(1, 1)
pieces man of each
piles up to 3

move place(c in cells):
    put man[mover] on c

draw when height("a1") = 3
"""), Piled(), seed=1)


STEPS = """\
game "Steps"
players X, O
board square(1, 4)
pieces x of X, o of O

start:
    "a1" := x
    "d1" := o

move step(c in mine, d in neighbours(c) and empty):
    carry c to d

no moves loses
repetition draws
notation step "{c}{d}"
"""


class Steps:
    """A reference without repetition rules."""

    def start(self) -> Any:
        return "x..o", "X"

    def to_move(self, state: Any) -> str:
        return str(state[1])

    def outcome(self, state: Any) -> str | None:
        return None if self._steps(state) else "O" if state[1] == "X" else "X"

    def _steps(self, state: Any) -> list[tuple[int, int]]:
        cells, player = state
        at = cells.index(player.lower())
        return [(at, to) for to in (at - 1, at + 1) if 0 <= to < 4 and cells[to] == "."]

    def moves(self, state: Any) -> list[str]:
        return [f"{'abcd'[at]}1{'abcd'[to]}1" for at, to in self._steps(state)]

    def play(self, state: Any, move: str) -> Any:
        cells = list(state[0])
        at, to = "abcd".index(move[0]), "abcd".index(move[2])
        cells[at], cells[to] = ".", cells[at]
        return "".join(cells), "O" if state[1] == "X" else "X"

    def board(self, state: Any) -> Mapping[str, str] | None:
        return {f"{'abcd'[k]}1": cell for k, cell in enumerate(state[0]) if cell != "."}


@pytest.mark.parametrize("rule", ["draws", "loses", "forbidden", ""])
def test_repetition_rules_are_applied_for_a_reference(rule: str) -> None:
    """The states do not hold the history; the rule is applied where the reference's states are equal."""
    rules = f"repetition {rule}\n" if rule else ""
    game = changed(("repetition draws\n", rules), base=STEPS)
    check_against(game, Steps(), games=20, plies=30, seed=1)


class Numbered(str):
    """The cells of a state; two of them are equal only if they are the same object."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Counting(Steps):
    """States never equal each other."""

    def play(self, state: Any, move: str) -> Any:
        cells, mover = super().play(state, move)
        return Numbered(cells), mover


@pytest.mark.parametrize("rule", ["draws", "loses", "forbidden"])
def test_difference_by_repetition_names_the_method_that_says_what_counts(rule: str) -> None:
    """A reference whose states hold more than counts differs by the repetition rule alone."""
    with pytest.raises(Disagreement) as found:
        check_against(changed(("repetition draws\n", f"repetition {rule}\n"), base=STEPS), Counting(), games=20, seed=1)
    assert ("this is due to the repetition rule alone, as the reference counts other positions as the same; in "
            "counts_for_repetition(state) leave out what does not count") in found.value.phrase


LINKS = """\
game "Bridges"
players X, O
board square(2, 3)
pieces x of X, o of O
links bridge between c and leap(c, 1, 2)

move place(c in empty):
    c := own
    each n in leap(c, 1, 2) and mine:
        link c to n by bridge

draw when no empty
"""


class Bridges:
    """A reference with links."""

    cells = ("a1", "b1", "c1", "a2", "b2", "c2")

    def start(self) -> Any:
        return ()

    def to_move(self, state: Any) -> str:
        return "XO"[len(state) % 2]

    def outcome(self, state: Any) -> str | None:
        return "draw" if len(state) == 6 else None

    def moves(self, state: Any) -> list[str]:
        return [cell for cell in self.cells if cell not in state]

    def play(self, state: Any, move: str) -> Any:
        return (*state, move)

    def board(self, state: Any) -> Mapping[str, str] | None:
        return None

    def links(self, state: Any) -> Mapping[str, list[tuple[str, str]]]:
        apart = [("a1", "c2"), ("c1", "a2")]
        return {"bridge": [pair for pair in apart if any(set(pair) <= set(state[k::2]) for k in (0, 1))]}


class NoBridges(Bridges):
    """A reference that reports no links."""

    def links(self, state: Any) -> Mapping[str, list[tuple[str, str]]]:
        return {"bridge": []}


def test_links_are_compared() -> None:
    """Links are compared in either order of their cells, and those of one side only are shown."""
    game = dslgame.loads(LINKS)
    check_against(game, Bridges(), games=5, seed=1)
    with pytest.raises(Disagreement) as found:
        check_against(game, NoBridges(), seed=1)
    assert found.value.phrase == "the links are not the same"
    assert len(found.value.moves) == 3
    assert found.value.sides == (("the file", "bridge: a2-c1"), ("the reference", "bridge: none"))


# ---- how it is shown


def test_blocks_stand_side_by_side_as_far_as_they_fit() -> None:
    """Blocks fill rows of the given width, and short blocks are padded."""
    assert beside(["a\nb", "c"], gap=1) == "a c\nb"
    assert beside(["aaaa", "bbbb", "c"], width=9, gap=1) == "aaaa bbbb\nc"
    assert beside([]) == ""


def test_long_game_is_shown_by_its_last_boards() -> None:
    """The report has all moves and the last four positions."""
    position = dslgame.load("connect_four").start()
    chance = random.Random(1)
    for _ in range(8):
        position = position.play(chance.choice(position.moves()))
    found = Disagreement("this holds", "it does not", position)
    assert len(found.boards()) == showing.MOST_BOARDS
    assert found.boards()[-1].startswith("8. ")
    assert f"8 moves: {' '.join(position.played)}" in str(found)


def test_position_text_that_cannot_be_read_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report says why the text cannot be read."""
    plain = Game.position_text
    monkeypatch.setattr(Game, "position_text", lambda game, state: plain(game, state) + " more")
    found = caught(changed())
    assert (found.claim, found.moves) == ("position texts read back, each to its position", ())
    assert " is refused: " in found.phrase


def test_a_window_that_is_outgrown_is_no_mistake_of_the_rules() -> None:
    """Outgrowing the window of an unbounded board ends a game and is no failure of the rules."""
    text = """
        game "Row"
        players Red, Blue
        board unbounded square(3)
        pieces red of Red, blue of Blue
        define near = neighbours(occupied) - occupied if some occupied else origin
        move place(c in near):
            c := own
        win mover when count(mine) > 5
        notation place "{c}"
    """
    game = dslgame.loads(textwrap.dedent(text))
    report = verify(game, games=10, plies=30)
    assert report.failed == ()
    position = game.start()
    for text in ("@0", "A0", "A0"):
        position = position.play(text)
    with pytest.raises(RuleError, match="outgrown its window of 3 rows and columns"):
        position.play("A0")
