"""Playing in the terminal through a pipe, as scripts do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.app.test_cli import NEX, run

PEOPLE = ["--as", "X=person", "--as", "O=person"]


def test_play_a_whole_game_between_people() -> None:
    """The board is printed after each move, and the winner at the end."""
    result = run("play", "tic_tac_toe", *PEOPLE, stdin="a1\nb1\na2\nb2\na3\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("Tic-Tac-Toe\nX: person, O: person\nType a move, or help.\n3 . . .\n")
    assert "O played b1\n3 . . .\n2 . . .\n1 X O .\n  a b c\n" in result.stdout
    assert result.stdout.endswith("The game is over: X won.\n")


def test_end_of_input_ends_politely() -> None:
    """The end of the input prints the moves so far."""
    result = run("play", "tic_tac_toe", *PEOPLE, stdin="a1\nb1")
    assert result.exit_code == 0
    assert result.stdout.endswith("so far: a1 b1\n")
    assert run("play", "tic_tac_toe", stdin="").exit_code == 0


def test_illegal_move_is_refused_and_play_goes_on() -> None:
    """An illegal move is refused with the legal ones, and play continues."""
    result = run("play", "tic_tac_toe", *PEOPLE, stdin="a1\na1\nxyzzy\n\nb2\nquit\nb3\n")
    assert "illegal move 'a1': not among the 8 legal moves (" in result.stdout
    assert "illegal move 'xyzzy'" in result.stdout
    assert result.stdout.endswith("so far: a1 b2\n")


def test_commands() -> None:
    """The commands moves, hint, board and help print their texts."""
    result = run("play", "tic_tac_toe", *PEOPLE, stdin="moves\nhint\nboard\nhelp\n/quit\n")
    assert "X to move, 9 moves:\n  a3  b3  c3  a2  b2  c2  a1  b1  c1\n" in result.stdout
    assert "  b2    draw        9\n" in result.stdout
    assert "take back your last move" in result.stdout


def test_undo_goes_back_to_a_persons_turn() -> None:
    """`undo` also takes back the solver's answer, and does nothing before the first move."""
    alone = run("play", "tic_tac_toe", "--seed", "1", stdin="undo\nb2\nundo\nb2\n")
    assert "there is nothing to take back" in alone.stdout
    assert alone.stdout.count("X played b2") == 2
    people = run("play", "tic_tac_toe", *PEOPLE, stdin="b2\na1\nundo\na2\n")
    assert people.stdout.endswith("so far: b2 a2\n")


@pytest.mark.parametrize("seed", range(4))
def test_solver_never_loses_a_drawn_game(seed: int) -> None:
    """The solver never loses a drawn game against random play, on either side."""
    for sides in (["--as", "X=solver", "--as", "O=random"], ["--as", "X=random", "--as", "O=solver"]):
        loser = "O" if sides[1] == "X=solver" else "X"
        result = run("play", "tic_tac_toe", *sides, "--seed", str(seed))
        assert "The game is over: " in result.stdout
        assert f"{loser} won" not in result.stdout


def test_solver_wins_a_won_game_at_once() -> None:
    """2x2 Nex is won in 3 plies."""
    result = run("play", "nex", *NEX, "--as", "Black=solver", "--as", "White=solver")
    assert result.stdout.endswith("The game is over: Black won.\n")
    assert result.stdout.count(" played ") == 3


def test_solver_finds_a_win_within_a_search() -> None:
    """In a game too large to solve the solver takes a proven win."""
    moves = "1 2 1 2 1 2"
    result = run("play", "connect_four", "--as", "Yellow=solver", "--as", "Red=random", "-m", moves, "--nodes", "2000")
    assert "Yellow played 1 (proven win in 1 ply)\n" in result.stdout
    assert result.stdout.endswith("The game is over: Yellow won.\n")


def test_solver_says_what_its_moves_are() -> None:
    """Moves that are not proven within the limit are marked with what they rest on."""
    result = run("play", "tic_tac_toe", "--nodes", "20", "--seed", "1", stdin="hint\nb2\n")
    assert re.search(r"\n  best: .. \(sampled from 20 games: more began with it than with any other; .. won \d+% of "
                     r"fewer\)\n", result.stdout)
    assert "  not all known: the limit of 20 positions is reached\n" in result.stdout
    assert re.search(r"unknown +\d+%\n", result.stdout)
    assert re.search(r"\nO played .. \(sampled from 20 games\)\n", result.stdout)


def test_search_plays_a_side_and_reports() -> None:
    """Alpha-beta takes the win in sight, and --report prints its depths."""
    result = run("play", "tic_tac_toe", "-m", "a1 a2 b1 b2", "--as", "X=alphabeta plies=3", "--as", "O=random",
                 "--report")
    assert "X: alphabeta plies=3, O: random\n" in result.stdout
    assert "value                                  win for X in 1\n" in result.stdout
    assert "\ndepth  nodes  seconds  value" in result.stdout
    assert result.stdout.endswith("The game is over: X won.\n")


def test_same_seed_same_game() -> None:
    """The same seed gives the same game, another seed another one."""
    sides = ["--as", "Yellow=random", "--as", "Red=random"]
    games = [run("play", "connect_four", *sides, "--seed", seed).stdout for seed in ("1", "1", "2")]
    assert games[0] == games[1] != games[2]


def test_default_sides() -> None:
    """Without --as a person moves first; unnamed sides are persons unless a person is named."""
    assert "\nX: person, O: solver\n" in run("play", "tic_tac_toe", stdin="").stdout
    assert "\nX: solver, O: person\n" in run("play", "tic_tac_toe", "--as", "x=Solver", stdin="").stdout
    assert "\nX: solver, O: person\n" in run("play", "tic_tac_toe", "--as", "O=person", stdin="").stdout


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["Bleck=solver"], "did you mean 'Black'?"),
        (["Green=solver"], "its players are Black, White"),
        (["Black=slover"], "did you mean 'solver'?"),
        (["Black=robot"], "expected person, random, solver, alphabeta, patterns"),
        (["Black=alphabeta plies=0"], "Black: found 'plies=0', expected more than 0"),
        (["Black=mcts plies=2"], "found 'plies=2' after 'mcts'; expected nodes=N, seconds=N, cpu=N, trained=FILE"),
        (["Black"], "expected NAME=LEVEL such as Black=solver"),
        (["Black=person", "black=solver"], "'black' is given twice"),
    ],
)
def test_wrong_side_is_wrong_use(given: list[str], expected: str) -> None:
    """A wrong side ends with exit code 2."""
    result = run("play", "nex", *(part for text in given for part in ("--as", text)))
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())


def test_finished_position_is_over_at_once() -> None:
    """If --moves end the game, the result is printed at once."""
    result = run("play", "tic_tac_toe", "-m", "a1 b1 a2 b2 a3", stdin="")
    assert result.stdout.endswith("The game is over: X won.\n")


PASSWORDS = """\
game "Passwords"
players A, B
board square(1, 2)
pieces x of A, o of B
move undo when "a1" is empty:
    "a1" := own
move hint when "b1" is empty:
    "b1" := own
notation undo "undo"
notation hint "hint"
draw when no empty
"""


def test_moves_come_before_commands_of_the_same_name(tmp_path: Path) -> None:
    """A move takes precedence over a command of the same name; a leading slash selects the command."""
    (tmp_path / "p.game").write_text(PASSWORDS)
    people = ["--as", "A=person", "--as", "B=person"]
    result = run("play", str(tmp_path / "p.game"), *people, stdin="undo\n/undo\nhint\n")
    assert "A played undo\n" in result.stdout
    assert result.stdout.endswith("so far: hint\n")
