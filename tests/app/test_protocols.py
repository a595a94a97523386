"""Protocols: recorded sessions replayed on both sides, misbehaving peers, and garbage."""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import dslgame
from dslgame.programs.boards import Unplain, plain_board, position_of
from dslgame.programs.channels import Connection, Deadline
from dslgame.programs.failures import KINDS, Failed
from dslgame.programs.plugins import BadPlayer, Crashed, PluginPlayer, load
from dslgame.programs.protocols import contest, gtp, lines, tcp
from dslgame.programs.protocols.http import WebPlayer
from dslgame.programs.records import Log
from dslgame.programs.referee import Clock, Contestant, Played, play
from dslgame.programs.seats import seat_of
from dslgame.programs.specifications import Specification, read_all
from dslgame.programs.tournament import Plan
from dslgame.programs.tournament import run as run_match
from dslgame.programs.webserver import MOST_GAMES, Hosted, application
from interpreter.game import Game, Position
from tests.app.test_cli import run
from tests.peers import First, expect, nought, script, talking, web_server

DATA = Path(__file__).parents[1] / "data"
ROOT = Path(__file__).parents[2]


class FirstMove(Contestant):
    """Plays the first legal move."""

    def choose(self, position: Position, deadline: Deadline) -> str:
        """The first legal move."""
        return position.moves()[0]


def played(game: Game, one: Contestant, other: Contestant, *, opening: tuple[str, ...] = (),
           clock: Clock | None = None) -> Played:
    return play(game, (one, other), opening, clock or Clock(5), seeds=(0, 1), longest=200)


def answers(serve: Callable[..., None], game: Game, text: str, *further: object) -> list[str]:
    """What our program answers to the given lines."""
    said: list[str] = []
    serve(game, First(), "Ours", iter(text.splitlines(keepends=True)), said.append, *further)
    return said


# ---- lines


def test_line_session() -> None:
    text = "game Tic-Tac-Toe\nside O\nmoves b2\nstart\ngo 1.5\nplayed a1\ngo -\nend lost\nquit\ngarbage\n"
    assert answers(lines.serve, nought(), text) == ["ready Ours", "move a3", "move b3"]


def test_params_below_zero_are_read_from_a_header() -> None:
    game = dslgame.loads('game "Offset"\nparam shift = -2 in -5..5\nplayers A, B\nboard square(2, 2)\n'
                         'pieces a of A, b of B\nmove place(c in empty):\n    c := own\n'
                         'win mover when count(mine) = 2 + shift * 0\n')
    assert tcp.header(game, 1) == "s-2-B#"
    assert tcp.read_header("s-4-A#", game) == ({"shift": -4}, 0)


@pytest.mark.parametrize("text", ["xyzzy\n", "side Green\n", "param n=3\n", "moves zz\n", "played a1\nplayed a1\n",
                                  "go soon\n"])
def test_line_that_makes_no_sense_is_told(text: str) -> None:
    with pytest.raises(lines.Unsayable):
        answers(lines.serve, nought(), text)


SIDED = """
from dslgame.programs import player

@player
class Sided:
    def __init__(self, game):
        self.game = game

    def begin(self, side):
        self.side = self.game.players[side]

    def choose(self, position):
        assert position.to_move == self.side, f"begun as {self.side}, and {position.to_move} is to move"
        return position.moves()[0]

@player
def many_lines(position):
    raise ValueError("first\\n\\n= second\\n" + "x" * 1000)

@player
def surrogate(position):
    return "a1\\ud800"

@player
def long(position):
    return "x" * 1000
"""
"""Players in a file: one that has to be begun as the right side, and some that say what no protocol can carry."""


def seat_in(folder: Path, name: str, game: Game) -> lines.Seat:
    """The seat of a player of `SIDED`."""
    (folder / "sided.py").write_text(SIDED)
    return seat_of(game, f"{folder / 'sided.py'}:{name}", 0)[0]


def said_by(serve: Callable[..., None], game: Game, seat: lines.Seat, text: str, *further: object) -> list[str]:
    """What our program answers to the given lines, by this seat."""
    said: list[str] = []
    serve(game, seat, "Ours", iter(text.splitlines(keepends=True)), said.append, *further)
    return said


@pytest.mark.parametrize("serve", [lines.serve, gtp.serve])
def test_exception_of_a_player_is_told_in_one_line(serve: Callable[..., None], tmp_path: Path) -> None:
    """The text of an exception is shortened, and its line ends do not end the answer."""
    game = nought()
    rest: tuple[object, ...] = (adapt(game),) if serve is gtp.serve else ()
    text = "genmove X\n" if serve is gtp.serve else "start\ngo -\n"
    answer = said_by(serve, game, seat_in(tmp_path, "many_lines", game), text, *rest)[-1]
    assert "ValueError: first = second xxx" in answer
    assert "\n" not in answer.removesuffix("\n")
    assert len(answer) < 250 + len(str(tmp_path))


@pytest.mark.parametrize(("serve", "asks"), [(lines.serve, "start\ngo -\n"), (contest.serve, "-T\n-X\n")])
def test_lone_surrogates_of_a_player_are_an_illegal_move(serve: Callable[..., None], asks: str,
                                                         tmp_path: Path) -> None:
    game = nought()
    with pytest.raises(lines.Unsayable, match=r"illegal move 'a1\?'"):
        said_by(serve, game, seat_in(tmp_path, "surrogate", game), asks)


# ---- GTP


@pytest.mark.parametrize("commands", [
    "genmove white", "clear_board\ngenmove white", "boardsize 4\ngenmove white", "boardsize 4\nclear_board\n"
    "genmove white", "boardsize 4\nboardsize 5\ngenmove white", "boardsize 4\ngenmove white\nboardsize 5\n"
    "play black a1\ngenmove white",
])
def test_gtp_begins_a_player_as_the_side_that_it_plays(commands: str, tmp_path: Path) -> None:
    """A player is begun before its first move of a game, whatever was sent before, and on any board."""
    game = nought("hex", size=5)
    text = commands.replace("genmove", "play black b2\ngenmove", 1) + "\n"
    said = said_by(gtp.serve, game, seat_in(tmp_path, "Sided", game), text, adapt(game))
    assert [answer for answer in said if answer.startswith("?")] == []


def test_gtp_move_that_is_only_asked_for_does_not_fix_the_side(tmp_path: Path) -> None:
    """`reg_genmove` plays no move, so the game begins with a later one, as its side."""
    game = nought("hex", size=5)
    text = "reg_genmove black\nplay black a1\nreg_genmove white\nplay white b1\ngenmove black\n"
    said = said_by(gtp.serve, game, seat_in(tmp_path, "Sided", game), text, adapt(game))
    assert [answer for answer in said if answer.startswith("?")] == []


def test_seed_of_an_engine_holds_on_another_board() -> None:
    """Another size of the board makes the level again, with the seed that it was given."""
    game = nought("hex", size=6)
    found = {said_by(gtp.serve, game, seat_of(game, "random", seed)[0], "boardsize 5\ngenmove black\n",
                     adapt(game))[-1] for seed in range(8)}
    assert len(found) > 2


@pytest.mark.parametrize(("name", "expected"), [("surrogate", "'a1?'"), ("long", f"'{'x' * 80}...'")])
def test_illegal_move_of_a_player_is_quoted_to_a_controller(name: str, expected: str, tmp_path: Path) -> None:
    game = nought()
    said = said_by(gtp.serve, game, seat_in(tmp_path, name, game), "genmove X\n", adapt(game))
    assert said == [f"? the player chose an illegal move: {expected}\n"]


def adapt(game: Game) -> Callable[[Mapping[str, int]], Game]:
    return lambda params: Game.of(game.rules.source, {**game.params, **params})


GTP_SESSION = [
    ("1 protocol_version", "=1 2\n"), ("name", "= Ours\n"), ("known_command genmove", "= true\n"),
    ("known_command xyzzy", "= false\n"), ("boardsize 3", "=\n"), ("clear_board", "=\n"), ("play black b2", "=\n"),
    ("2 play white b2", "?2 illegal move\n"), ("play b a1", "? white is to move\n"), ("genmove w", "= a1\n"),
    ("PLAY x", "? unknown command\n"), ("play purple a2", "? there is no colour 'purple'\n"),
    ("final_score", "? cannot score: the game is not over\n"), ("undo", "=\n"), ("undo", "=\n"),
    ("undo", "? cannot undo\n"),
    ("boardsize 99", "? unacceptable size\n"), ("boardsize x", "? boardsize not an integer\n"),
    ("play Red a1 # comment", "=\n"), ("play blue a2", "=\n"), ("play red b1", "=\n"), ("play blue b2", "=\n"),
    ("play red c1", "=\n"), ("\x07showboard", None), ("play blue c2", "=\n"), ("genmove red", None), ("quit", "=\n"),
]


def test_gtp_session() -> None:
    """The session has numbered and plain commands, errors, comments, control characters and another board size."""
    game = nought("hex", size=5)
    text = "\n".join(command for command, _ in GTP_SESSION) + "\nname\n"
    said = answers(gtp.serve, game, text, adapt(game))
    assert len(said) == len(GTP_SESSION)
    assert [(command, answer) for (command, expected), answer in zip(GTP_SESSION, said, strict=True)
            if expected is not None and answer != expected] == []
    board = said[[command for command, _ in GTP_SESSION].index("\x07showboard")]
    assert board.startswith("= \n")
    assert "\n\n" not in board


class Resting(lines.Seat):
    """A seat that counts how often it is told to stop pondering."""

    rests = 0

    def move(self, position: Position, seconds: float | None) -> str:
        return position.moves()[0]

    def rest(self) -> None:
        self.rests += 1


@pytest.mark.parametrize(("commands", "rests"), [
    ("genmove black", 0), ("genmove black\nplay white a2", 1), ("play black a1\nundo", 2),
    ("play black a1\nplay white a1", 1), ("undo", 0),
])
def test_moves_of_others_end_thinking_ahead(commands: str, rests: int) -> None:
    game, seat = nought("hex", size=3), Resting()
    said: list[str] = []
    gtp.serve(game, seat, "Ours", iter(commands.splitlines()), said.append, adapt(game))
    assert len(said) == len(commands.splitlines())
    assert seat.rests == rests


@pytest.mark.parametrize(("name", "params", "text", "size", "other"), [
    ("hex", {"size": 5}, "5", [7], {"size": 7}),
    ("nex", {"rows": 3, "columns": 4}, "4 3", [5, 6], {"rows": 6, "columns": 5}),
    ("havannah", {}, None, [4], None), ("tic_tac_toe", {}, "3", [3], {}), ("tic_tac_toe", {}, "3", [4], None),
    ("go", {}, None, [5], None),
])
def test_board_size_sets_the_params_of_the_board(name: str, params: dict[str, int], text: str | None, size: list[int],
                                                other: dict[str, int] | None) -> None:
    game = nought(name, **params)
    if text is not None:
        assert gtp.boardsize(game) == text
        assert gtp.sized(game, size) == other
    else:
        found = gtp.sized(game, size)
        assert found
        assert Game.of(game.rules.source, found).board.shape[0] == size[0]


def test_colours_are_those_of_the_players_where_they_have_them() -> None:
    assert gtp.colours(nought("nex")) == ("black", "white")
    assert gtp.colours(nought("trax")) == ("white", "black")
    assert gtp.colours(nought("hex")) == ("black", "white")


def test_swap_is_written_as_controllers_do() -> None:
    game = nought("twixt", rows=6, columns=6, swap=2)
    position = game.start().play("b3")
    assert gtp.vertex("swap", position) == "swap-sides"
    assert gtp.read_vertex("swap-pieces", position) == "swap"
    swapped = position.play("swap")
    assert gtp.colour_to_move(swapped) == "white"
    assert gtp.side_of("white", swapped) == swapped.state.to_move == 0
    assert gtp.vertex("swap", nought("twixt", rows=6, columns=6, swap=1).start().play("c3")) == "swap-pieces"


GTP_ENGINE = """
moves = []
for line in sys.stdin:
    words = line.split()
    if not words: continue
    if words[0] == "genmove":
        move = [c + r for r in "123" for c in "abc" if c + r not in moves][0]
        moves.append(move); print("= " + move.upper() + "\\n")
    elif words[0] == "play": moves.append(words[2]); print("=\\n")
    elif words[0] == "clear_board": moves = []; print("= \\n\\n")
    elif words[0] == "list_commands": print("= genmove\\nplay\\ntime_left\\ntime_settings\\n")
    elif words[0] in ("boardsize", "time_left", "time_settings"): print("=\\n")
    else: print("? unknown command\\n"); log.write("unknown: " + line)
"""
"""An engine for 3x3 that writes capital letters and empty lines."""


def test_gtp_engine_plays(tmp_path: Path) -> None:
    engine = gtp.GtpEngine("engine", script(tmp_path, "engine", GTP_ENGINE))
    try:
        for opening in ((), ("b2",), ("b2", "c3")):
            found = played(nought("hex", size=3), FirstMove("first"), engine, opening=opening, clock=Clock(2, 30))
            assert found.end == "rules", found.reason
    finally:
        engine.close()


@pytest.mark.parametrize("refused", ["list_commands", "time_settings", "time_left", "boardsize"])
def test_gtp_engine_may_refuse_what_a_game_can_do_without(refused: str, tmp_path: Path) -> None:
    """A refused optional command is noted once and not sent again, and no game is forfeited."""
    log = tmp_path / "log"
    text = GTP_ENGINE.replace("    if words[0] ==", f"""    if words[0] == "{refused}":
        open({str(log)!r}, "a").write(line)
        print("? expected other arguments\\n")
    elif words[0] ==""", 1)
    engine = gtp.GtpEngine("engine", script(tmp_path, "engine", text))
    notes: list[str] = []
    try:
        for opening in ((), ("b2",), ("b2", "c3")):
            found = played(nought(), FirstMove("first"), engine, opening=opening, clock=Clock(20, 300))
            assert found.end == "rules", found.reason
            notes += found.notes
    finally:
        engine.close()
    given = log.read_text().strip()
    assert given.split()[0] == refused
    assert "\n" not in given
    assert notes == [f"engine: it does not take '{refused}': 'expected other arguments'; the match goes on without it"]


def test_gtp_engine_with_another_board_forfeits(tmp_path: Path) -> None:
    """An engine that does not take the board size forfeits, as it would play another game."""
    engine = gtp.GtpEngine("engine", script(tmp_path, "engine", GTP_ENGINE.replace('("boardsize", ', "(")))
    try:
        found = played(nought("hex", size=3), FirstMove("first"), engine)
        assert (found.end, found.forfeits) == ("refusal", (1,))
        assert "boardsize 3" in found.reason
    finally:
        engine.close()


@pytest.mark.parametrize(("answer", "kind"), [
    ("print('? cannot do it\\n')", "refusal"), ("print('= a9\\n')", "illegal"), ("print('= resign\\n')", "resignation"),
    ("print('b2')", "garbage"), ("print('= ' + '\\n'.join(map(str, range(3000))))", "illegal"), ("pass", "time"),
    ("sys.exit(1)", "crash"), ("print('= \\n')", "illegal"),
])
def test_gtp_engine_that_misbehaves_forfeits(answer: str, kind: str, tmp_path: Path) -> None:
    engine = gtp.GtpEngine("engine", script(tmp_path, "engine", f"""
for line in sys.stdin:
    if line.startswith("genmove"):
        {answer}
    else: print("=\\n")
"""))
    try:
        clock = Clock(0.4 if kind == "time" else 10)
        found = played(nought("hex", size=3), engine, FirstMove("first"), clock=clock)
        assert (found.end, found.winner) == (kind, 1), found.reason
    finally:
        engine.close()


# ---- the contest protocol


def test_contest_session_as_white_and_as_black() -> None:
    """The engine answers `-T` by its id; as white it makes the first move, as black the reply."""
    game = nought("trax")
    white = answers(contest.serve, game, "-T\n-W\nA2+\n")
    assert white[0] == "Ours"
    assert white[1] == "@0/"
    assert len(white) == 3
    assert len(answers(contest.serve, game, "-T\r\n-B\r\n\r\n@0+\r\n")) == 2
    two_games = answers(contest.serve, game, "-T\n-B\n@0/\n-T\n-W\n")
    assert two_games[0] == two_games[2] == "Ours"
    assert two_games[3] == "@0/"
    for text in ("-W\n-B\n", "-T\nxyzzy\n", "-B\nA1/\n"):
        with pytest.raises(lines.Unsayable):
            answers(contest.serve, game, text)


def test_contest_side_is_not_the_question_who_a_program_is() -> None:
    """Tigers are told by two letters, as `-T` asks for the identity."""
    game = nought("bagh_chal")
    assert contest.sides(game) == ["-G", "-TI"]
    assert answers(contest.serve, game, "-T\n-TI\na4\n") == ["Ours", game.start().play("a4").moves()[0]]


def test_contest_side_that_cannot_be_told_is_refused() -> None:
    """No letters are left to tell a player called T from the question."""
    game = dslgame.loads('game "Ts"\nplayers T, Goats\nboard square(1, 2)\npieces x of T, o of Goats\n\n'
                         "move place(c in empty):\n    c := own\n\nno moves loses\n")
    with pytest.raises(lines.Unsayable, match="a player called T cannot be told its side"):
        answers(contest.serve, game, "-T\n-T\n")


def test_contest_engine_leaves_chance_to_the_referee() -> None:
    """The engine waits for the result of its throw, and goes on after it."""
    assert answers(contest.serve, nought("pig"), "-T\n-O\n") == ["Ours", "roll"]
    assert answers(contest.serve, nought("pig"), "-T\n-O\n2\n") == ["Ours", "roll", "roll"]


CONTESTANT = """
moves = {"-B": ["B1/", "B1+"], "-W": ["@0+", "B1+"]}
for line in sys.stdin:
    line = line.strip()
    if line == "-T": print("D1")
    elif line in moves:
        left = moves[line]
        if line == "-W": print(left.pop(0))
    else: print(left.pop(0) if left else "@0/")
"""


def test_contest_program_is_asked_and_told(tmp_path: Path) -> None:
    """The engine receives and sends moves in the game's own notation, and forfeits where it has no answer."""
    game = nought("trax", line=3)
    engine = contest.ContestEngine("engine", script(tmp_path, "engine", CONTESTANT))
    try:
        black = played(game, FirstMove("first"), engine)
        assert black.moves[:2] == ("@0/", "B1/")
        assert engine.identity == "D1"
        white = played(game, engine, FirstMove("first"))
        assert white.moves[0] == "@0+"
        assert {black.end, white.end} <= {"rules", "illegal"}
    finally:
        engine.close()


# ---- TCP


@contextmanager
def listening() -> Iterator[tuple[socket.socket, int]]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found, found.getsockname()[1]


@contextmanager
def connecting(port: int, talk: Callable[[socket.socket], None]) -> Iterator[None]:
    """Run a player that connects and talks in a thread; re-raise what it raises."""
    problems: list[BaseException] = []

    def work() -> None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connected:
                talk(connected)
        except BaseException as problem:
            problems.append(problem)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    yield
    thread.join(10)
    if problems:
        raise problems[0]


SMALL = {"rows": 2, "columns": 2}


def test_tcp_session_of_a_referee() -> None:
    """The referee sends the protocol's messages word for word."""
    game = nought("nex", **SMALL)

    def black(connected: socket.socket) -> None:
        expect(connected, "r2-c2-B#")
        connected.sendall(b"ok")
        expect(connected, ";")
        connected.sendall(b"ok")
        expect(connected, "Move?")
        connected.sendall(b"Ba1?a2")
        expect(connected, ">Ba1?a2")
        connected.sendall(b"o")
        connected.sendall(b"k\0")
        told = connected.recv(100).decode()
        assert told.startswith(">W")
        connected.sendall(b"ok")
        expect(connected, "Move?")
        position = game.start().play("Ba1?a2").play(told[1:])
        win = next(move for move in position.moves() if position.play(move).outcome == "Black")
        connected.sendall(win.encode()[:3])
        connected.sendall(win.encode()[3:])
        expect(connected, f">{win}")
        connected.sendall(b"ok")
        expect(connected, "+")
        assert connected.recv(10) == b""

    with listening() as (socket_, port), connecting(port, black):
        referee = tcp.TcpContestant("black", socket_)
        found = played(game, referee, FirstMove("first"))
        referee.close()
    assert (found.winner, found.end) == (0, "rules"), found.reason


def test_tcp_referee_tells_the_moves_so_far_and_takes_either_order_of_stones() -> None:
    def white(connected: socket.socket) -> None:
        expect(connected, "r3-c3-W#")
        connected.sendall(b"ok\n")
        expect(connected, "Ba1?a2")
        connected.sendall(b"ok\n")
        expect(connected, "Move?")
        connected.sendall(b"?c3Wc2\n")
        expect(connected, ">Wc2?c3")
        connected.sendall(b"ok\n")

    with listening() as (socket_, port), connecting(port, white):
        referee = tcp.TcpContestant("white", socket_)
        found = played(nought("nex", rows=3, columns=3), FirstMove("first"), referee, opening=("Ba1?a2",),
                       clock=Clock(2))
        referee.close()
    assert found.end == "disconnect"
    assert found.moves[:2] == ("Ba1?a2", "Wc2?c3")


@pytest.mark.parametrize(("says", "kind"), [
    ([b"ok", b"ok", b"Ba1?a1"], "illegal"), ([b"ok", b"ok", b"xyzzy" * 20000], "garbage"), ([b"no"], "garbage"),
    ([b"ok", b"okBa1?a2Ba1?a2"], "garbage"), ([b"ok", b"ok", None], "time"), ([b"ok", b""], "disconnect"),
    ([b"\xff\xfe\x00"], "garbage"), ([b"ok", b"ok", b"Ba1?a2", b"huh"], "garbage"),
])
def test_tcp_player_that_misbehaves_forfeits(says: list[bytes | None], kind: str,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    """The player forfeits and is told of the error as long as it listens."""
    monkeypatch.setattr(tcp, "INCOMPLETE", 0.05)
    done = threading.Event()

    def player(connected: socket.socket) -> None:
        with suppress(OSError):
            for text in says:
                assert connected.recv(100)
                if text is None:
                    done.wait(5)
                elif not text:
                    return
                else:
                    connected.sendall(text)
            done.wait(5)

    with listening() as (socket_, port), connecting(port, player):
        referee = tcp.TcpContestant("player", socket_)
        clock = Clock(0.3 if kind == "time" else 10)
        found = played(nought("nex", **SMALL), referee, FirstMove("first"), clock=clock)
        done.set()
        referee.close()
    assert (found.end, found.winner) == (kind, 1), found.reason


def test_who_connects_and_leaves_is_no_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "STARTING", 0.3)
    with listening() as (socket_, port):
        socket.create_connection(("127.0.0.1", port)).close()
        referee = tcp.TcpContestant("player", socket_)
        found = played(nought("nex", **SMALL), referee, FirstMove("first"))
        referee.close()
    assert (found.end, found.winner) == ("time", 1)
    assert "nobody connected within" in found.reason


@pytest.mark.parametrize("said", [b"", b"o"])
def test_silent_connections_keep_no_player_out(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first player that agrees plays; connections that say nothing, or half of it, do not block it."""
    monkeypatch.setattr(tcp, "MOST_ASKED", 5)

    def player(connected: socket.socket) -> None:
        expect(connected, "r2-c2-B#")
        connected.sendall(b"ok")
        expect(connected, ";")
        connected.sendall(b"ok")
        expect(connected, "Move?")
        connected.sendall(b"Ba1?a2")

    with listening() as (socket_, port), ExitStack() as stack:
        for _ in range(12):
            silent = stack.enter_context(closing(socket.create_connection(("127.0.0.1", port))))
            silent.sendall(said)
        stack.enter_context(connecting(port, player))
        referee = tcp.TcpContestant("player", socket_)
        found = played(nought("nex", **SMALL), referee, FirstMove("first"))
        referee.close()
    assert found.moves[0] == "Ba1?a2"


def guest(game: Game, talk: Callable[[socket.socket], None]) -> tuple[str, First]:
    """How a game ends for the first legal moves against a scripted referee, and their seat."""
    seat = First()
    return ended(game, talk, seat), seat


def ended(game: Game, talk: Callable[[socket.socket], None], seat: lines.Seat) -> str:
    """How a game ends for a seat against a scripted referee."""
    with talking(talk) as here:
        connection = Connection(here)
        found = tcp._Guest(game, seat, connection, 2.0, lambda params: Game.of(game.rules.source, params)).play()
        connection.close()
    return found


def test_tcp_session_of_a_player() -> None:
    """The player understands texts in parts and several at once, and takes the board size from the referee."""
    def referee(connected: socket.socket) -> None:
        connected.sendall(b"r2-")
        connected.sendall(b"c2-W#")
        expect(connected, "ok")
        connected.sendall(b";")
        expect(connected, "ok")
        connected.sendall(b">Ba1")
        connected.sendall(b"?a2")
        expect(connected, "ok")
        connected.sendall(b"Mo")
        connected.sendall(b"ve?")
        move = connected.recv(100).decode()
        connected.sendall(f">{move}>Ba2?b1-".encode() if "Ba2?b1" in
                          game.start().play("Ba1?a2").play(move).moves() else f">{move}-".encode())
        assert connected.recv(10).startswith(b"ok")

    game = nought("nex", **SMALL)
    found, seat = guest(nought("nex"), referee)
    assert found == "lost"
    assert seat.ends == [0]


def test_tcp_player_begins_as_its_side_with_other_params(tmp_path: Path) -> None:
    """A player that is made again for the referee's params is begun as its side."""
    def talk(there: socket.socket) -> None:
        for text, answer in (("s4-B#", "ok"), ("a1", "ok"), ("Move?", "b1")):
            there.sendall(text.encode())
            expect(there, answer)
        there.sendall(b"+")

    game = nought("hex", size=5)
    assert ended(game, talk, seat_in(tmp_path, "Sided", game)) == "won"


def test_tcp_player_follows_the_protocol_as_it_is_written_too() -> None:
    """In the protocol as it is documented, `?` asks for a move and told moves are not acknowledged."""
    def referee(connected: socket.socket) -> None:
        connected.sendall(b"r2-c2-B#")
        expect(connected, "ok")
        connected.sendall(b";")
        expect(connected, "ok")
        connected.sendall(b"?")
        move = connected.recv(100).decode()
        connected.sendall(f">{move}".encode())
        connected.settimeout(0.1)
        with pytest.raises(TimeoutError):
            connected.recv(10)
        connected.sendall(b"#")

    found, seat = guest(nought("nex", **SMALL), referee)
    assert (found, seat.ends) == ("drawn", [None])


@pytest.mark.parametrize("texts", [[b"xyzzy"], [b"r2-c2-X#"], [b"q2-B#"], [b"r2-c2-B#", b"Ba1?a1"], [b"r99-c2-B#"],
                                   [b"r" + b"1" * 5000 + b"-c2-B#"],
                                   [b"r2-c2-B#", b";", b">Ba9?a1"], [b"r2-c2-B#", b";", b"\xff\xff"]])
def test_tcp_player_says_what_makes_no_sense(texts: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "INCOMPLETE", 0.05)
    monkeypatch.setattr(tcp, "PAUSE", 0.01)

    def referee(connected: socket.socket) -> None:
        with suppress(OSError):
            for text in texts:
                connected.sendall(text)
                connected.settimeout(1)
                connected.recv(10)

    with pytest.raises((lines.Unsayable, Failed, dslgame.GameFileError)):
        guest(nought("nex", **SMALL), referee)


def test_port_that_was_free_is_told() -> None:
    """Who is waited for is told; port 0 stands for any free port, also for two players, and the real ones are told."""
    plan = Plan(nought(), tuple(read_all(["a=tcp 0", "b=tcp 0"])), 1)
    found: dict[str, int] = {}

    def waiting(player: Specification, port: int) -> None:
        found[player.name] = port
        if len(found) == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        run_match(plan, Log(None, plan.head()), workers=1, told=lambda record: None, waiting=waiting)
    assert {*found} == {"a", "b"}
    assert 0 not in found.values()


def test_port_in_use_is_told() -> None:
    with listening() as (_, port):
        result = run("match", "nex", "random", f"far=tcp {port}")
    assert result.exit_code == 1
    assert f"127.0.0.1:{port}: Address already in use" in result.stderr


def test_tcp_player_needs_a_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "WAITING", 0.2)
    with listening() as (_, port):
        pass
    result = run("engine", "nex", "random", "--protocol", "tcp", "--connect", f"127.0.0.1:{port}")
    assert result.exit_code == 1
    assert f"nobody listens at 127.0.0.1:{port}" in result.stderr


@pytest.mark.slow
def test_hundred_games_over_tcp_between_two_processes(tmp_path: Path) -> None:
    """A referee and a player in separate processes play a hundred games to their ends, and none is forfeited."""
    with listening() as (_, port):
        pass
    command = [sys.executable, "-m", "dslgame"]
    player = subprocess.Popen([*command, "engine", "nex", "random", "--protocol", "tcp", "--connect",
                               f"127.0.0.1:{port}", "--games", "100"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    match = subprocess.run([*command, "match", "nex", "ours=alphabeta plies=1", f"theirs=tcp {port}", "--games", "100",
                            "--json", "--log", str(tmp_path / "m.jsonl")], cwd=ROOT, capture_output=True, text=True,
                           timeout=500)
    output, _ = player.communicate(timeout=60)
    assert match.returncode == 0, match.stderr
    found = json.loads(match.stdout)
    print(f"{found['seconds']:.1f} s, {found['players']}")
    assert (found["played"], found["forfeits"]) == (100, [])
    assert player.returncode == 0
    assert output.count("game ") == 100
    by_name = {row["name"]: row for row in found["players"]}
    assert output.count(": won") == by_name["theirs"]["wins"]
    assert output.count(": lost") == by_name["ours"]["wins"]
    assert "100 games played again, all as told" in run("replay", str(tmp_path / "m.jsonl")).stdout


# ---- boards as dicts, and players that are asked with them


RECORDED = [json.loads(line) for line in (DATA / "hexplode_games.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("record", [record for record in RECORDED if not record["damage"]][:4],
                         ids=lambda record: f"side {record['side']}, {len(record['plies'])} moves")
def test_boards_of_recorded_games_are_told_and_read_back(record: dict[str, Any]) -> None:
    """Boards of recorded games are written and read back to the same position."""
    game = nought("hexplode", side=record["side"])
    position = game.start()
    for ply in record["plies"]:
        tile = ply["move"] if isinstance(ply, dict) else ply[0]
        position = position.play(tile if str(tile).startswith("tile") else f"tile_{tile}")
        board = plain_board(position)
        if not position.over:
            assert position_of(game, board, position.state.to_move) == position
            assert position_of(game, json.loads(json.dumps(board)), position.state.to_move) == position
    assert sorted(map(len, (tile["neighbours"] for tile in plain_board(game.start()).values())))[:6] == [3] * 6


def test_boards_of_games_with_more_to_tell_are_refused() -> None:
    for name in ("trax", "english_draughts", "twixt", "nex"):
        with pytest.raises(Unplain, match="cannot be told as a board of cells"):
            position_of(nought(name), {}, 0)


@pytest.mark.parametrize("change", [
    lambda board: board.pop("a1"), lambda board: board.update(z9={}), lambda board: board.update(a1=3),
    lambda board: board["a1"].update(player=7), lambda board: board["a1"].update(player="X"),
])
def test_board_that_is_none_of_the_game_is_refused(change: Callable[[Any], None]) -> None:
    board: Any = plain_board(nought().start())
    change(board)
    with pytest.raises(Unplain):
        position_of(nought(), board, 0)


HUGGER = '''
from missing_application import algo_player

@algo_player(name="Corner Hugger", description="Hangs out in the corners")
def corner_hugger(board, game_id, player_id):
    possible = {}
    for tile_id, tile in board.items():
        if tile["player"] is None:
            possible.setdefault(len(tile["neighbours"]), []).append(tile_id)
        elif tile["player"] == player_id:
            possible.setdefault(len(tile["neighbours"]) - tile["counters"], []).append(tile_id)
    return possible[min(possible)][0]

started, ended = [], []

@corner_hugger.on_start_game
def start_game(game_id, player_id, boardsize, opponent_id):
    started.append((player_id, boardsize))

@corner_hugger.on_game_over
def game_over(board, game_id, player_id, winner_id):
    ended.append((player_id, winner_id))
'''
"""A player written for the original application, whose module is not installed here."""


@pytest.mark.parametrize(("imports", "decorator"), [
    ("from missing_application import algo_player", "algo_player"),
    ("import missing_application", "missing_application.algo_player"),
    ("import missing_application as app", "app.algo_player"),
])
def test_player_for_another_application_is_run_as_it_is(imports: str, decorator: str, tmp_path: Path) -> None:
    path = tmp_path / "hugger.py"
    path.write_text(HUGGER.replace("from missing_application import algo_player", imports).replace(
        "@algo_player", f"@{decorator}"))
    [plugin] = load(path)
    assert (plugin.name, plugin.description) == ("Corner Hugger", "Hangs out in the corners")
    game = nought("hexplode", side=2)
    player = PluginPlayer(plugin, game)
    player.begin("g", 0, 2)
    assert player.move(game.start()) == "tile_0_0"
    player.end(game.start(), "g", 0, 1)
    assert "missing_application" not in sys.modules
    module = sys.modules["player_hugger"]
    assert (module.started, module.ended) == ([(0, 2)], [(0, 1)])


@pytest.mark.parametrize(("text", "expected"), [
    ("x = ", "no Python"), ("import xyzzy_missing", "line 1: ModuleNotFoundError"), ("x = 1", "no player in it"),
    ("from dslgame.programs import player\n@player\nclass C:\n    def __init__(self, game): pass\n",
     "has no method choose"),
    ("from dslgame.programs import player\n@player\nclass C:\n    pass\n", "TypeError: C\\(\\) takes no arguments"),
    ("from dslgame.programs import algo_player\n@algo_player('n')\ndef f(b, g, p): pass\n", ""),
])
def test_file_without_a_player_is_refused(text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(text)
    if not expected:
        assert load(tmp_path / "p.py")[0].name == "n"
        return
    with pytest.raises((BadPlayer, Crashed), match=expected):
        PluginPlayer(load(tmp_path / "p.py")[0], nought())


# ---- HTTP


JSON = {"content-type": "application/json"}


@pytest.fixture
def web(tmp_path: Path) -> TestClient:
    """A server that hosts two players."""
    (tmp_path / "hugger.py").write_text(HUGGER)
    game = nought("hexplode", side=2)
    return TestClient(application([Hosted(game, str(tmp_path / "hugger.py"), 0), Hosted(game, "random", 0)]))


def test_web_session(web: TestClient) -> None:
    """Replay the requests of a whole game of the application's page, route by route."""
    game = nought("hexplode", side=2)
    assert web.get("/algos").json() == {"ok": {"Corner Hugger": "Hangs out in the corners", "random": "random"}}
    ids = web.post("/newgame", json={"player1": "Corner Hugger", "player2": "Human", "boardsize": 2}).json()["ok"]
    assert len({*ids}) == 2
    position = game.start()
    while not position.over:
        side = position.state.to_move
        name = ("Corner Hugger", "random")[side]
        found = web.post(f"/algos/{name}", json={"board": plain_board(position), "gameId": ids[side],
                                                 "playerId": side}).json()
        position = position.play(found["ok"])
    body = {"board": plain_board(position), "gameId": ids[0], "playerId": 0, "winnerId": position.state.outcome}
    assert web.post("/gameover/Corner Hugger", json=body).json() == {"ok": "ok"}
    start = {"gameId": "g", "playerId": 1, "boardsize": 2, "opponentId": "x"}
    assert web.post("/startgame/random", json=start).json() == {"ok": "ok"}
    moves: dict[str, object] = {"board": None, "gameId": "g", "playerId": 0, "moves": [], "params": {"side": 2}}
    assert web.post("/algos/random", json=moves).json()["ok"].startswith("tile_")


@pytest.mark.parametrize(("path", "body", "status"), [
    ("/algos/none", b"{}", 200), ("/algos/random", b"{}", 200), ("/algos/random", b"xyzzy", 400),
    ("/algos/random", b"[]", 400), ("/algos/random", b"[" * 100_000, 400), ("/newgame", b'{"player1": "none"}', 200),
    ("/algos/random", b'{"board": {}, "playerId": 0}', 200), ("/algos/random", b'{"moves": ["zz"]}', 200),
    ("/algos/random", b'{"moves": [], "params": {"side": 9}}', 200), ("/algos/Corner Hugger", b"{}", 200),
    ("/startgame/random", b'{"playerId": []}', 200), ("/gameover/none", b"{}", 200),
    ("/algos/Corner Hugger", b'{"board": {"a": 1}}', 200),
])
def test_requests_that_make_no_sense_are_answered_by_an_error(path: str, body: bytes, status: int,
                                                             web: TestClient) -> None:
    found = web.post(path, content=body, headers=JSON)
    assert found.status_code == status
    assert set(found.json()) == {"error"}
    assert found.json()["error"]


def test_pages_of_other_sites_are_not_answered(web: TestClient) -> None:
    """Requests whose type is not JSON, or for another host, are refused, as browsers send them for other sites."""
    assert web.post("/algos/random", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert web.get("/algos", headers={"host": "evil.example"}).status_code == 400


def test_web_players_in_files_have_each_game_of_their_own(tmp_path: Path) -> None:
    """Two games at once, as either side, and one that was not begun: each has a player that was begun as its side."""
    (tmp_path / "sided.py").write_text(SIDED)
    game = nought()
    web = TestClient(application([Hosted(game, f"{tmp_path}/sided.py:Sided", 0)]))
    for number in range(2):
        for side in (0, 1):
            body = {"gameId": f"{number} {side}", "playerId": side, "boardsize": 3, "opponentId": "x"}
            assert web.post("/startgame/Sided", json=body).json() == {"ok": "ok"}
        for name, side in ((f"{number} 0", 0), (f"{number} 1", 1), ("not begun", 1)):
            asked = {"gameId": name, "playerId": side, "moves": ["b2"] * side, "board": None}
            assert web.post("/algos/Sided", json=asked).json() == {"ok": "a3"}
        for name in (f"{number} 0", f"{number} 1", "not begun"):
            over = {"board": {}, "gameId": name, "playerId": 0, "winnerId": 0}
            assert web.post("/gameover/Sided", json=over).json() == {"ok": "ok"}


def test_web_sides_of_a_game_and_games_without_an_id_are_begun(tmp_path: Path) -> None:
    """One player plays both sides of a game, and each move of a request that names no game, begun as the right side."""
    (tmp_path / "sided.py").write_text(SIDED)
    web = TestClient(application([Hosted(nought(), f"{tmp_path}/sided.py:Sided", 0)]))
    for game_id in ({"gameId": "g"}, {}, {"gameId": None}):
        for moves in ([], ["b2"], ["b2", "b3"]):
            asked: dict[str, object] = {**game_id, "playerId": len(moves) % 2, "moves": moves, "board": None}
            assert web.post("/algos/Sided", json=asked).json() == {"ok": "a3"}
    assert "there are 2 players" in web.post("/startgame/Sided", json={"gameId": "g", "playerId": 2}).json()["error"]


def test_web_game_that_could_not_begin_is_not_played(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "from dslgame.programs import player\n@player\nclass Bad:\n    def __init__(self, game): pass\n"
        "    def begin(self, side): raise RuntimeError('no')\n    def choose(self, position): return 'a1'\n")
    web = TestClient(application([Hosted(nought(), str(tmp_path / "bad.py"), 0)]))
    for path in ("/startgame/Bad", "/algos/Bad"):
        found = web.post(path, json={"gameId": "g", "playerId": 0, "moves": [], "board": None}).json()
        assert found["error"].endswith("RuntimeError: no")


def test_web_games_that_were_left_are_forgotten(tmp_path: Path) -> None:
    """A game that was begun again, or was not ended, takes no place for ever."""
    (tmp_path / "sided.py").write_text(SIDED)
    hosted = Hosted(nought(), f"{tmp_path}/sided.py:Sided", 0)
    for number in range(3 * MOST_GAMES):
        hosted.start({}, 0, str(number // 2))
    assert hosted.move({"gameId": "0", "moves": ["b2"]}) == "a3"
    assert len(hosted._playing) == MOST_GAMES


def test_web_player_with_a_lone_surrogate_is_answered(tmp_path: Path) -> None:
    (tmp_path / "sided.py").write_text(SIDED)
    game = nought()
    web = TestClient(application([Hosted(game, f"{tmp_path}/sided.py:surrogate", 0)]))
    assert web.post("/algos/surrogate", json={"gameId": "g", "moves": []}).json() == {"ok": "a1?"}


def test_match_over_http(tmp_path: Path) -> None:
    """A match against players that our server hosts in another thread."""
    import uvicorn

    (tmp_path / "hugger.py").write_text(HUGGER)
    game = nought("hexplode", side=2)
    app = application([Hosted(game, str(tmp_path / "hugger.py"), 0), Hosted(game, "random", 5)])
    with listening() as (socket_, port):
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [socket_]}, daemon=True)
        thread.start()
        try:
            result = run("match", "hexplode", "-p", "side=2", f"http://127.0.0.1:{port}/Corner%20Hugger",
                         f"far=http://127.0.0.1:{port}/algos/random", "--games", "4", "--threads", "1", "--json")
        finally:
            server.should_exit = True
            thread.join(10)
    found = json.loads(result.stdout)
    assert (found["played"], found["forfeits"]) == (4, [])
    module = sys.modules["player_hugger"]
    assert sorted(module.started) == [(0, 2), (0, 2), (1, 2), (1, 2)]
    assert len(module.ended) == 4


@pytest.mark.slow
def test_match_over_http_between_two_processes(tmp_path: Path) -> None:
    """`dslgame engine` serves players over HTTP to a match in another process, and Ctrl-C ends it."""
    (tmp_path / "hugger.py").write_text(HUGGER)
    command = [sys.executable, "-m", "dslgame"]
    server = subprocess.Popen([*command, "engine", "hexplode", "-p", "side=3", str(tmp_path / "hugger.py"), "random",
                               "--protocol", "http", "--listen", "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    try:
        match = subprocess.run([*command, "match", "hexplode", "-p", "side=3", f"{address}/Corner Hugger",
                                "ours=alphabeta plies=2", "--games", "20", "--move-time", "5", "--json"], cwd=ROOT,
                               capture_output=True, text=True, timeout=300)
    finally:
        server.send_signal(signal.SIGINT)
        code = server.wait(20)
        server.stdout.close()
    assert match.returncode == 0, match.stderr
    found = json.loads(match.stdout)
    print(f"{found['seconds']:.1f} s, {found['players']}")
    assert (found["played"], found["forfeits"]) == (20, [])
    assert code in (0, 130)


@pytest.mark.slow
def test_thousands_of_odd_requests_are_answered(web: TestClient) -> None:
    """Malformed requests are answered by status 200 or 400, never by 500 or a traceback."""
    chance = random.Random(5)
    good = plain_board(nought("hexplode", side=2).start())
    odd: list[Any] = [None, True, 0, -1, 10**30, 1.5, "", "tile_0_0", [], {}, [1], {"a": 1}, "x" * 2000, good]
    for _ in range(3_000):
        path = chance.choice(["/algos/random", "/algos/Corner Hugger", "/algos/x", "/newgame", "/startgame/random",
                              "/gameover/Corner Hugger", "/startgame/Corner Hugger"])
        names = ["board", "gameId", "playerId", "moves", "params", "player1", "player2", "boardsize", "opponentId",
                 "winnerId"]
        body = json.dumps({chance.choice(names): chance.choice(odd) for _ in range(chance.randrange(6))}).encode()
        if chance.random() < 0.3 and body:
            place = chance.randrange(len(body))
            body = body[:place] + bytes([chance.randrange(256)]) + body[place + 1:]
        answer = web.post(path, content=body, headers=JSON)
        assert answer.status_code in (200, 400)
        assert "Traceback" not in answer.text
        assert set(answer.json()) in ({"ok"}, {"error"})


@pytest.mark.parametrize(("answer", "kind"), [
    ((200, b'{"ok": "zz"}'), "illegal"), ((200, b'{"error": "Traceback\\n oh no"}'), "crash"),
    ((200, b"xyzzy"), "garbage"),
    ((500, b"<html>"), "garbage"), ((200, b'{"ok": 3}'), "garbage"), ((200, b"[]"), "garbage"), (None, "time"),
    ((200, b"[" * 100_000), "garbage"),
])
def test_web_player_that_misbehaves_forfeits(answer: tuple[int, bytes] | None, kind: str) -> None:
    def serve(path: str, body: bytes) -> tuple[int, bytes] | None:
        if path == "/algos":
            return 200, b'{"ok": {"p": "d"}}'
        return answer if path.startswith("/algos/") else (200, b'{"ok": "ok"}')

    with web_server(serve) as port:
        far = WebPlayer("far", "127.0.0.1", port, "p")
        clock = Clock(0.4 if kind == "time" else 10)
        found = played(nought("hexplode", side=2), FirstMove("first"), far, clock=clock)
    assert (found.end, found.winner) == (kind, 0), found.reason


def test_web_player_that_is_not_there_forfeits() -> None:
    with web_server(lambda path, body: (200, b'{"ok": {"other": ""}}')) as port:
        found = played(nought(), WebPlayer("far", "127.0.0.1", port, "p"), FirstMove("first"))
        assert found.reason == "far (X) refused: the server has no player 'p'; it has other"
    found = played(nought(), WebPlayer("far", "127.0.0.1", port, "p"), FirstMove("first"))
    assert (found.end, found.winner) == ("disconnect", 1)


# ---- garbage


SIGNS = st.sampled_from(["-T", "-W", "-B", "play", "genmove", "black", "b2", "a1", "boardsize 3", "start", "go",
                         "side X", "moves", "played", "0", "=", "\x00", "\x1b[", "é", "quit ", " "])


@settings(max_examples=30)
@given(st.lists(st.one_of(SIGNS, st.text(max_size=8)), max_size=12), st.randoms(use_true_random=False))
def test_garbage_ends_no_program_of_ours(words: list[str], chance: random.Random) -> None:
    """Every line is answered or reported as meaningless; no program of ours crashes."""
    text = "".join(word + chance.choice([" ", "\n"]) for word in words) + "\n"
    game = nought()
    for serve, further in ((lines.serve, ()), (contest.serve, ()), (gtp.serve, (adapt(game),))):
        try:
            found = answers(serve, game, text, *further)
        except lines.Unsayable:
            assert serve is not gtp.serve
        else:
            assert all(isinstance(answer, str) for answer in found)
            if serve is gtp.serve:
                assert all(answer[0] in "=?" and answer.endswith("\n") for answer in found)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(st.one_of(st.sampled_from([b"r2-c2-B#", b";", b"Move?", b">Ba1?a2", b"?", b"+", b">", b"-"]),
                          st.binary(max_size=6)), max_size=6))
def test_garbage_over_tcp_is_told(parts: list[bytes]) -> None:
    """A player of ours reports messages that make no sense, and fails in no other way."""
    def referee(connected: socket.socket) -> None:
        with suppress(OSError):
            for part in parts:
                connected.sendall(part)

    before = tcp.INCOMPLETE, tcp.PAUSE
    tcp.INCOMPLETE, tcp.PAUSE = 0.02, 0.005
    try:
        guest(nought("nex", **SMALL), referee)
    except (lines.Unsayable, Failed):
        pass
    finally:
        tcp.INCOMPLETE, tcp.PAUSE = before


ENDS = {"rules", "length", *KINDS}
BYTES = st.one_of(
    st.sampled_from([b"ok", b"= a1\n\n", b"=\n\n", b"? no\n\n", b"a1\n", b"move a1\n", b"ready x\n", b"D1\n",
                     b"HTTP/1.1 200 OK\r\n\r\n", b'{"ok": "a1"}', b"\n", b"\r\n", b"\0"]),
    st.binary(max_size=8))


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(BYTES, max_size=8))
def test_players_that_say_anything_over_tcp_end_their_game(parts: list[bytes]) -> None:
    """Whatever players send, the game ends in one of the known ways."""
    def player(connected: socket.socket) -> None:
        with suppress(OSError):
            for part in parts:
                connected.sendall(part)
                connected.settimeout(0.05)
                with suppress(TimeoutError):
                    connected.recv(100)

    with pytest.MonkeyPatch.context() as patch, listening() as (socket_, port), connecting(port, player):
        for name, seconds in (("INCOMPLETE", 0.02), ("PAUSE", 0.005), ("STARTING", 0.3)):
            patch.setattr(tcp, name, seconds)
        referee = tcp.TcpContestant("player", socket_)
        found = played(nought("nex", **SMALL), referee, FirstMove("first"), clock=Clock(0.2))
        referee.close()
    assert found.end in ENDS


@pytest.mark.slow
@settings(max_examples=40)
@given(parts=st.lists(BYTES, max_size=6), kind=st.sampled_from(["lines", "gtp", "contest"]))
def test_programs_that_say_anything_end_their_game(parts: list[bytes], kind: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = script(Path(folder), "odd", f"""
for part in {parts!r}:
    sys.stdin.readline()
    sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()
sys.stdin.readline()
""")
        engine: Contestant = {"lines": lines.LinesEngine, "gtp": gtp.GtpEngine,
                              "contest": contest.ContestEngine}[kind]("odd", command)
        try:
            with pytest.MonkeyPatch.context() as patch:
                for module in (lines, gtp, contest):
                    patch.setattr(module, "STARTING", 0.3)
                found = played(nought(), engine, FirstMove("first"), clock=Clock(0.2))
        finally:
            engine.close()
    assert found.end in ENDS


@pytest.mark.slow
@settings(max_examples=80)
@given(st.lists(BYTES, max_size=6))
def test_servers_that_say_anything_end_their_game(parts: list[bytes]) -> None:
    """Games end in a known way where the server is no HTTP server."""
    with listening() as (socket_, port):
        ending = threading.Event()

        def serve() -> None:
            socket_.settimeout(0.05)
            while not ending.is_set():
                with suppress(OSError):
                    connected, _ = socket_.accept()
                    with connected:
                        connected.settimeout(0.05)
                        with suppress(OSError):
                            connected.recv(10_000)
                        connected.sendall(b"".join(parts))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        found = played(nought(), WebPlayer("far", "127.0.0.1", port, "p"), FirstMove("first"), clock=Clock(0.2))
        ending.set()
        thread.join(5)
    assert found.end in ENDS


def test_engines_do_not_play_games_that_hide_something() -> None:
    """Engines are told all moves and so would see what is hidden."""
    for protocol in ("lines", "gtp"):
        result = run("engine", "kuhn_poker", "random", "--protocol", protocol)
        assert result.exit_code == 1
        assert "players of Kuhn Poker do not see everything" in result.output
