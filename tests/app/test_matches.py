"""Matches: pairings, forfeits, logs that are resumed, and the statistics of results."""

from __future__ import annotations

import errno
import json
import math
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dslgame
from dslgame import bundled
from dslgame.programs.builtin import Builtin
from dslgame.programs.channels import Deadline
from dslgame.programs.protocols.lines import LinesEngine
from dslgame.programs.records import BadLog, Log, read
from dslgame.programs.referee import Clock, Contestant, Played, play
from dslgame.programs.specifications import BadSpecification, read_all
from dslgame.programs.specifications import read as specified
from dslgame.programs.standings import difference, ratings, table
from dslgame.programs.tournament import Plan, left
from interpreter.game import Position
from solver.players.level_players import SearchingPlayer
from solver.players.levels import Level
from tests.app.test_cli import run
from tests.peers import BAD, GOOD, bad, nought, script, typed

PLAYER = """
from dslgame.programs import player

@player
def first(position):
    print("this is no answer")
    return position.moves()[0]

@player(name="Last One")
class Last:
    def __init__(self, game):
        self.game = game

    def choose(self, position, seconds):
        return position.legal()[-1]

@player
def broken(position):
    return 1 // 0
"""


class Scripted(Contestant):
    """A player that makes the given moves."""

    def __init__(self, *moves: str) -> None:
        super().__init__("scripted")
        self.moves = list(moves)

    def choose(self, position: Position, deadline: object) -> str:
        """The next move."""
        return self.moves.pop(0)


def game_of(one: Contestant, other: Contestant, clock: Clock | None = None, opening: tuple[str, ...] = ()) -> Played:
    return play(nought(), (one, other), opening, clock or Clock(5), seeds=(0, 1), longest=100)


# ---- one game


def test_game_is_played_by_the_rules() -> None:
    played = game_of(Scripted("a1", "a2", "A3"), Scripted("b1", "b2"))
    assert (played.moves, played.winner, played.end, played.reason) == (("a1", "b1", "a2", "b2", "a3"), 0, "rules", "")
    opened = game_of(Scripted("a3", "b2", "c1"), Scripted("a1", "c3", "b1"), opening=("b3",))
    assert (opened.moves[:3], opened.winner, opened.end) == (("b3", "a1", "a3"), 0, "rules")


def test_illegal_move_forfeits_the_game() -> None:
    played = game_of(Scripted("a1", "b1"), Scripted("a1"))
    assert (played.winner, played.end, played.forfeits, played.moves) == (0, "illegal", (1,), ("a1",))
    assert "(O) made an illegal move: 'a1' in ply 2: not among the 8 legal moves" in played.reason


@pytest.mark.parametrize("name", BAD)
def test_whatever_a_program_does_the_game_ends(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a program does, the game ends with the reason; one that ended is restarted for the next game."""
    if name == "silent":  # other programs may take their time on a busy machine
        monkeypatch.setattr("dslgame.programs.protocols.lines.STARTING", 0.4)
    kind = BAD[name][0]
    peer = LinesEngine("peer", bad(tmp_path, name))
    clock = Clock(move=0.3 if kind == "time" else None)
    try:
        for _ in range(2 if name in ("exits", "silent") else 1):
            played = game_of(Scripted("a1", "b1", "c1"), peer, clock)
            assert (played.winner, played.end) == (0, kind), played
            assert played.forfeits == (() if kind == "resignation" else (1,))
            assert played.reason.startswith("peer (O) ")
    finally:
        peer.close()


def test_reason_has_the_last_words_of_a_program(tmp_path: Path) -> None:
    peer = LinesEngine("peer", bad(tmp_path, "raises"))
    try:
        assert game_of(Scripted("a1"), peer).reason == \
            "peer (O) crashed: ended with exit code 1: 'ValueError: oh no'"
    finally:
        peer.close()


def test_program_plays_game_after_game(tmp_path: Path) -> None:
    """One process plays all games, and is told their openings."""
    peer = LinesEngine("peer", script(tmp_path, "good", GOOD))
    try:
        for _ in range(3):
            played = game_of(peer, Scripted("b2", "b3"), opening=("c1", "c2"))
            assert played.moves == ("c1", "c2", "a1", "b2", "b1")
            assert played.winner == 0
    finally:
        peer.close()


def test_program_that_ends_after_a_game_is_started_anew(tmp_path: Path) -> None:
    """A program that ends after a game is restarted without a forfeit, and the record notes it."""
    peer = LinesEngine("peer", script(tmp_path, "once", GOOD.replace('"quit"', '"end"')))
    try:
        for number in range(3):
            played = game_of(peer, Scripted("b2", "b3"), opening=("c1", "c2"))
            assert (played.moves, played.winner, played.forfeits) == (("c1", "c2", "a1", "b2", "b1"), 0, ())
            assert (" was started anew, as it ended with exit code 0 after the game before" in
                    "".join(played.notes)) == (number > 0)
    finally:
        peer.close()


def test_time_for_the_game_is_counted_over_all_moves(tmp_path: Path) -> None:
    text = GOOD.replace("free[0])\n", "free[0]); time.sleep(0.2)\n", 1)
    slow = LinesEngine("slow", script(tmp_path, "slowish", text))
    try:
        played = game_of(slow, Scripted("c3", "c2"), Clock(game=0.35))
        assert (played.winner, played.end) == (1, "time")
        assert "that were left for the game" in played.reason
        assert played.seconds[0] > 0.3
    finally:
        slow.close()


class Ticking:
    """Replaces the module `time` by a clock that advances one second at each look, however fast the machine is."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        """The time so far, in seconds."""
        self.now += 1.0
        return self.now

    perf_counter = process_time = monotonic


@pytest.mark.parametrize("level", ["mcts", "alphabeta"])
def test_levels_without_limits_keep_to_the_clock(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels without limits keep below the time per move and to that for the game, on a clock that ticks when read."""
    game = nought("connect_four")
    players = Builtin(level, game, Level.of(level)), Builtin("r", game, Level.of("random"))
    ticking = Ticking()
    for module in ("solver.players.limits", "dslgame.programs.builtin", "dslgame.programs.referee"):
        monkeypatch.setattr(f"{module}.time", ticking)
    taken: list[float] = []
    choose = players[0].choose

    def timed(position: Position, deadline: Deadline) -> str:
        began = ticking.now
        text = choose(position, deadline)
        taken.append(ticking.now - began)
        return text

    monkeypatch.setattr(players[0], "choose", timed)
    played = play(game, players, (), Clock(60, 400), seeds=(1, 2), longest=60)
    assert played.end == "rules", played.reason
    assert 0 < played.seconds[0] < 400
    player = players[0]._player
    assert isinstance(player, SearchingPlayer)
    assert player.pace is not None
    assert taken[0] <= 400 * player.pace.share(game.start()) + 8
    assert max(taken) <= 0.75 * 60 + 8  # the looks before and after a search, and two in its last portion


@pytest.mark.slow
def test_nothing_is_compiled_while_a_clock_runs() -> None:
    """No function is compiled during the first or a later move, in a new process where nothing was compiled before."""
    program = """
import dslgame
from dslgame.programs.builtin import Builtin
from dslgame.programs.referee import Clock, play
from solver.native import numba_types
from solver.players.levels import Level

game = dslgame.load("connect_four", rows=4, columns=4)
other = Builtin("r", game, Level.of("random"))
players = [Builtin(kind, game, Level.of(kind)) for kind in ("mcts", "alphabeta", "patterns", "solver")]

def compiled(function, *rest, **options):
    raise AssertionError(f"{function.__name__} is compiled while a clock runs")

numba_types.entry = compiled
for player in players:
    played = play(game, (player, other), (), Clock(600, 6), seeds=(1, 2), longest=60)
    assert played.end in ("rules", "time"), played.reason
    assert len(played.moves) > 4, played
print("well")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                          cwd=Path(__file__).parents[2])
    assert done.stdout == "well\n", done.stderr


# ---- players and pairings


@pytest.mark.parametrize(("text", "expected"), [
    ("alphabet", "did you mean 'alphabeta'?"), ("alphabeta plies=x", "expected a number"), ("", "expected a player"),
    ("gtp", "expected a command"), ("lines ./there-is-none", "there is no program './there-is-none'"),
    ("lines 'x", "cannot be read"), ("none.py", "there is no file none.py"), ("tcp 99999", "expected an address"),
    ("tcp", "expected a port"), ("http://x", "expected http://HOST:PORT/NAME"), ("xyzzy", "expected a level"),
])
def test_player_that_means_nothing_is_refused(text: str, expected: str) -> None:
    with pytest.raises(BadSpecification, match=expected.replace(".", r"\.").replace("?", r"\?")):
        specified(text)


def test_players_are_read_and_have_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    texts = ["random", "random", "deep=alphabeta plies=4", f"{tmp_path}/mine.py:last", "tcp [::1]:2000",
             "http://127.0.0.1:5000/algos/Corner%20Hugger", f"lines {sys.executable} -c 0"]
    specs = read_all(texts)
    assert [spec.name for spec in specs] == [
        "random", "random (2)", "deep", "last", "port 2000", "Corner Hugger", Path(sys.executable).name]
    assert (specs[2].text, specs[3].player, specs[4].host, specs[5].player) == (
        "alphabeta plies=4", "last", "::1", "Corner Hugger")
    with pytest.raises(BadSpecification, match="two players connect to port 7"):
        read_all(["tcp 7", "tcp 7"])


def test_every_pair_plays_each_opening_from_both_sides() -> None:
    specs = tuple(read_all(["a=random", "b=random", "c=random"]))
    plan = Plan(nought(), specs, 4, [("a1",), ("b2",)])
    found = [(pairing.number, pairing.players, pairing.opening) for pairing in plan.pairings()]
    assert found[:6] == [(0, (0, 1), ("a1",)), (1, (0, 2), ("a1",)), (2, (1, 2), ("a1",)),
                         (3, (1, 0), ("a1",)), (4, (2, 0), ("a1",)), (5, (2, 1), ("a1",))]
    assert {opening for _, _, opening in found[6:]} == {("b2",)}
    assert [pairing.players for pairing in Plan(nought(), specs, 1, gauntlet=True).pairings()] == [(0, 1), (0, 2)]


# ---- statistics of results


def record(number: int, players: tuple[str, str], winner: str | None, *forfeits: str) -> dict[str, Any]:
    return {"number": number, "players": {"X": players[0], "O": players[1]}, "opening": [], "moves": ["a1", "a2"],
            "outcome": "draw", "winner": winner, "end": "rules", "reason": "", "forfeits": list(forfeits),
            "seconds": {"X": 1.0, "O": 2.0}, "notes": []}


def test_balanced_openings_need_random_ones() -> None:
    found = run("match", "tic_tac_toe", "random", "random", "--balanced")
    assert found.exit_code == 2
    assert "--random-plies" in found.stderr
    found = run("match", "hex", "-p", "size=2", "a=random", "b=random", "--random-plies", "1", "--balanced")
    assert found.exit_code == 1
    assert "a search sees a winner after each opening" in found.stderr
    found = run("match", "pig", "a=random", "b=random", "--random-plies", "1", "--balanced")
    assert found.exit_code == 2
    assert "--balanced needs a game for two players without chance" in found.stderr


def test_openings_that_are_seen_to_be_drawn_are_balanced() -> None:
    found = run("match", "tic_tac_toe", "a=random", "b=random", "--random-plies", "8", "--balanced", "--games", "2")
    assert found.exit_code == 0
    assert "2 drawn" in found.stdout


def test_patterns_of_a_game_with_the_same_title_do_not_matter(tmp_path: Path) -> None:
    """Patterns that do not fit are unused: openings are searched without them, and the level `patterns` is refused."""
    own = tmp_path / "own.game"
    own.write_text('game "Hex"\nplayers X, O\nboard square(4, 4)\npieces x of X, o of O\n\n'
                   'move place(c in empty):\n    c := own\n\nwin mover when line(mine, 4)\ndraw when no empty\n')
    found = run("match", str(own), "a=random", "b=random", "--random-plies", "2", "--balanced", "--games", "2")
    assert found.exit_code == 0, found.stderr
    assert bundled.patterns_of(dslgame.load(own)) is None
    found = run("match", str(own), "patterns", "random")
    assert found.exit_code == 1
    assert "no patterns come with Hex; name a file of yours" in found.stderr


def test_a_variant_with_the_title_of_a_bundled_game_has_its_patterns(tmp_path: Path) -> None:
    own = tmp_path / "own.game"
    own.write_text((bundled.FOLDER / "twixt.game").read_text(encoding="utf-8").replace("value 8 *", "value 9 *"))
    source = bundled.patterns_of(dslgame.load(own))
    assert source is not None
    assert source.name.endswith("twixt.pattern")


def test_processor_time_is_told_where_it_was_seen() -> None:
    seen = [{**record(number, ("a", "b"), "a"), "processor": {"X": 0.5, "O": 3.0}} for number in range(2)]
    rows, _ = table(["a", "b"], seen)
    assert [(row.name, row.processor, row.processor_pace) for row in rows] == [("a", 1.0, 0.5), ("b", 6.0, 3.0)]
    rows, _ = table(["a", "b"], [*seen, record(2, ("a", "b"), "a")])  # a record of an older version has none
    assert {row.processor_pace for row in rows} == {None}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the system tells processor time otherwise")
def test_the_referee_sees_the_processor_time_of_programs(tmp_path: Path) -> None:
    """A working and a sleeping program take the same time by the clock, but different processor time."""
    working = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"
    sleeping = "import time\ntime.sleep(0.3)\n"
    players = []
    for name, wait in (("working", working), ("sleeping", sleeping)):
        path = tmp_path / f"{name}.py"
        path.write_text(PLAYER.split("@player")[0] + "@player\ndef slow(position):\n"
                        + "".join(f"    {line}\n" for line in wait.splitlines())
                        + "    return position.moves()[0]\n")
        players.append(f"{name}={path}")
    found = json.loads(run("match", "tic_tac_toe", *players, "--games", "2", "--threads", "1", "--json").stdout)
    used = {player["name"]: player["processor_per_move"] for player in found["players"]}
    assert used["working"] > 0.25
    assert used["sleeping"] < 0.2


def test_table_counts_and_ranks() -> None:
    records = [record(0, ("a", "b"), "b"), record(1, ("b", "a"), None), record(2, ("a", "c"), "a", "c"),
               record(3, ("b", "c"), "b")]
    rows, pairs = table(["a", "b", "c"], records)
    assert [(row.name, row.wins, row.draws, row.losses, row.forfeits) for row in rows] == [
        ("b", 2, 1, 0, 0), ("a", 1, 1, 1, 0), ("c", 0, 0, 2, 1)]
    assert (pairs["a", "b"].points, pairs["b", "a"].points) == (0.5, 1.5)
    assert rows[1].seconds == 4
    low, high = rows[0].interval
    assert low < rows[0].score < high


def test_elo_of_a_known_score() -> None:
    """For many games the Elo difference follows the formula, and its error the standard error of the score."""
    records = [record(number, ("a", "b"), "a" if number % 4 else "b") for number in range(4000)]
    rows, pairs = table(["a", "b"], records)
    elo, error = difference(rows)
    assert elo == pytest.approx(400 * math.log10(3), rel=0.01)
    expected = 1.96 * math.sqrt(0.75 * 0.25 / 4000) * 400 / math.log(10) / (0.75 * 0.25)
    assert error == pytest.approx(expected, rel=0.02)
    assert ratings(["a", "b"], pairs)["a"][0] == -ratings(["a", "b"], pairs)["b"][0]


def test_one_who_always_won_has_a_rating_with_a_large_error() -> None:
    rows, _ = table(["a", "b"], [record(number, ("a", "b"), "a") for number in range(3)])
    elo, error = difference(rows)
    assert 200 < elo < 2000
    assert error > elo / 2


def test_ratings_agree_along_a_chain() -> None:
    """If a beats b and b beats c, their differences add up, though a and c never met."""
    records = [record(number, ("a", "b"), "a" if number % 3 else "b") for number in range(60)]
    records += [record(number, ("b", "c"), "b" if number % 3 else "c") for number in range(60)]
    rows, _ = table(["c", "a", "b"], records)
    elo = {row.name: row.elo for row in rows}
    assert elo["a"] - elo["b"] == pytest.approx(elo["b"] - elo["c"], abs=1)
    assert elo["a"] - elo["c"] == pytest.approx(800 * math.log10(2), rel=0.1)


# ---- the log


HEAD: dict[str, Any] = {"game": "G", "file": "g", "rules": "r", "params": {}, "players": [], "clock": {"move": 1.0},
                        "seed": 0, "longest": 5, "gauntlet": False}


def test_log_is_read_back_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    for number in range(3):
        log = Log(path, HEAD)
        assert [found["number"] for found in log.games] == list(range(number))
        log.add(record(number, ("a", "b"), None))
        log.close()
    assert len(read(path).games) == 3


def test_the_log_of_a_game_for_three_is_read_and_goes_on(tmp_path: Path) -> None:
    game, log = tmp_path / "three.game", tmp_path / "m.jsonl"
    game.write_text('game "Three"\nplayers A, B, C\nboard square(2, 3)\npieces a of A, b of B, c of C\n\n'
                    'move place(cell in empty):\n    cell := own\n\nwin mover when count(mine) = 2\n')
    for games in ("2", "4"):
        found = run("match", str(game), "a=random", "b=random", "--games", games, "--log", str(log))
        assert found.exit_code == 0, found.stderr
    assert [len(item["players"]) for item in read(log).games] == [3, 3, 3, 3]


def test_log_whose_last_line_was_cut_goes_on_before_it(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    log = Log(path, HEAD)
    log.add(record(0, ("a", "b"), None))
    log.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[1][:30])
    log = Log(path, HEAD)
    assert "written in part" in log.note
    log.add(record(1, ("a", "b"), None))
    log.close()
    assert [found["number"] for found in read(path).games] == [0, 1]


@pytest.mark.parametrize(("change", "expected"), [
    ({"rules": "other"}, "other rules"), ({"params": {"n": 3}}, "other params: none, and now n=3"),
    ({"players": [{"name": "a", "player": "random"}]}, "of other players"), ({"clock": {"move": 2.0}}, "other times"),
    ({"seed": 1}, "another seed"),
])
def test_log_of_another_match_is_refused(change: dict[str, Any], expected: str, tmp_path: Path) -> None:
    Log(tmp_path / "m.jsonl", HEAD).close()
    with pytest.raises(BadLog, match=expected):
        Log(tmp_path / "m.jsonl", {**HEAD, **change})


def test_log_with_a_game_twice_is_refused(tmp_path: Path) -> None:
    """A game that was logged twice would count twice; the message names the line."""
    log = Log(tmp_path / "m.jsonl", HEAD)
    for number in (0, 1, 1):
        log.add(record(number, ("a", "b"), None))
    log.close()
    with pytest.raises(BadLog, match="line 4: game 2 is there twice; delete one of the two lines"):
        read(tmp_path / "m.jsonl")


@pytest.mark.parametrize("players", [{"X": "a", "O": "zed"}, {"P": "a", "Q": "b"}])
@pytest.mark.parametrize("number", [0, 50])
def test_games_of_others_in_a_log_are_refused(number: int, players: dict[str, str]) -> None:
    """A game by unknown players, or for other sides, is refused, also beyond the games of the plan."""
    plan = Plan(nought(), tuple(read_all(["a=random", "b=random"])), 2)
    log = Log(None, plan.head())
    log.add({**record(number, ("a", "b"), None), "players": players, "seconds": dict.fromkeys(players, 0.0)})
    with pytest.raises(BadLog, match=f"game {number + 1} of the log was played from another opening or by others"):
        left(plan, log)


@pytest.mark.parametrize("data", [b"\x00\xff\n", b"{}\n", b"[1]\n", b"xyzzy\n", b'{"dslgame_match":1}\n', b"no line"])
def test_file_that_is_no_log_is_refused_and_left_alone(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(data)
    with pytest.raises(BadLog):
        Log(path, HEAD)
    assert path.read_bytes() == data


GOOD_LOG = [{"dslgame_match": 1, **HEAD, "rules": 'game "G"\n'}, record(0, ("a", "b"), "a")]
ODD = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.lists(st.text(max_size=3), max_size=2),
                st.dictionaries(st.text(max_size=3), st.one_of(st.integers(), st.text(max_size=3)), max_size=2))


@given(st.integers(0, 1), st.data(), st.integers(0, 30))
def test_odd_logs_are_refused_or_read(line: int, data: st.DataObject, cut: int) -> None:
    """A log with odd values is read or raises BadLog; nothing else is raised by reading or by the table."""
    items = [dict(item) for item in GOOD_LOG]
    items[line][data.draw(st.sampled_from(sorted(items[line])))] = data.draw(ODD)
    text = "".join(json.dumps(item) + "\n" for item in items).encode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.jsonl"
        path.write_bytes(text[: len(text) - cut] if data.draw(st.booleans()) else text)
        try:
            found = read(path)
        except BadLog:
            return
        names = sorted({name for game in found.games for name in game["players"].values()})
        table(names or ["a"], found.games)


@given(st.one_of(st.text(max_size=30), st.builds(
    "".join, st.lists(st.sampled_from(["tcp ", "gtp ", "lines ", "http://", "a=", "'", "[", ":", "/", "99999", ".py",
                                       "mcts ", "seconds=", "1", " ", "\0", "x"]), max_size=6))))
def test_any_text_is_a_player_or_refused(text: str) -> None:
    with suppress(BadSpecification):
        assert specified(text).name


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked otherwise there")
def test_log_that_is_written_to_is_refused(tmp_path: Path) -> None:
    log = Log(tmp_path / "m.jsonl", HEAD)
    with pytest.raises(BadLog, match="another match writes to it"):
        Log(tmp_path / "m.jsonl", HEAD)
    log.close()


# ---- the command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(PLAYER)
    return tmp_path


def test_match_goes_on_by_its_log(folder: Path) -> None:
    """An interrupted match resumes with the same games as an uninterrupted one, as the seed fixes them."""
    whole = run("match", "tic_tac_toe", "random", "r2=random", "--games", "6", "--threads", "1", "--log", "a.jsonl",
                "--seed", "3", "--random-plies", "2")
    assert whole.exit_code == 0, whole.stderr
    assert "6 games in " in whole.stdout
    for games in ("2", "6"):
        part = run("match", "tic_tac_toe", "random", "r2=random", "--games", games, "--threads", "1", "--log",
                   "b.jsonl", "--seed", "3", "--random-plies", "2")
    assert "4 of them now" in part.stdout
    one, other = read(folder / "a.jsonl").games, read(folder / "b.jsonl").games
    assert [(found["moves"], found["players"]) for found in one] == \
        [(found["moves"], found["players"]) for found in other]
    assert [found["opening"] for found in one][0::2] == [found["opening"] for found in one][1::2]
    assert len(run("replay", "b.jsonl").stdout.splitlines()) == 8
    refused = run("match", "tic_tac_toe", "random", "alphabeta plies=1", "--log", "b.jsonl")
    assert refused.exit_code == 1
    assert "is the log of other players" in refused.stderr


@pytest.mark.slow
def test_python_players_play_and_their_mistakes_forfeit(folder: Path) -> None:
    result = run("tournament", "tic_tac_toe", "mine.py:first", "mine.py:Last", "mine.py:broken", "random", "--gauntlet",
                 "--games", "2", "--threads", "1", "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["played"] == found["planned"] == 6
    by_name = {row["name"]: row for row in found["players"]}
    assert set(by_name) == {"first", "Last", "broken", "random"}
    assert by_name["broken"]["forfeits"] == 2
    assert {item["player"] for item in found["forfeits"]} == {"broken"}
    assert "mine.py, line 19: ZeroDivisionError" in found["forfeits"][0]["reason"]
    assert "game 2: broken (O) crashed: 'mine.py, line 19: ZeroDivisionError" in result.stderr


@pytest.mark.slow
def test_programs_play_on_several_processes(folder: Path) -> None:
    good, slow = script(folder, "good", GOOD), bad(folder, "slow")
    result = run("tournament", "tic_tac_toe", f"good=lines {typed(good)}", f"slow=lines {typed(slow)}", "random",
                 "--games", "2", "--threads", "2", "--move-time", "1", "--log", "m.jsonl")
    assert result.exit_code == 0, result.stderr
    assert "6 games, 4 forfeits in" in result.stdout
    assert "slow (X) took too long: no answer within 1 s" in result.stderr
    assert sorted(found["number"] for found in read(folder / "m.jsonl").games) == list(range(6))
    assert "6 games played again, all as told" in run("replay", "m.jsonl").stdout


@pytest.mark.parametrize(("arguments", "code", "expected"), [
    (["match", "tic_tac_toe", "random", "rendom"], 2, "did you mean 'random'?"),
    (["match", "peg_solitaire", "random", "random"], 1, "a match needs a game for two players"),
    (["match", "tic_tac_toe", "random", "random", "--openings", "o.txt"], 1, "o.txt, line 2: illegal move 'z9'"),
    (["match", "tic_tac_toe", "random", "random", "--openings", "none.txt"], 1, "none.txt: No such file"),
    (["match", "tic_tac_toe", "random", "random", "--openings", "o.txt", "--random-plies", "2"], 2, "exclude"),
    (["match", "tic_tac_toe", "random", "random", "--random-plies", "20"], 1, "no game goes on after 20 random moves"),
    (["match", "tic_tac_toe", "random", "contest python3", "--random-plies", "2"], 2, "without openings"),
    (["match", "tic_tac_toe", "random", "random", "random"], 2, "between two players, and 3 players are given"),
    (["match", "tic_tac_toe", "random"], 2, "between two players, and 1 player is given"),
    (["tournament", "tic_tac_toe", "random"], 2, "needs two players or more"),
    (["replay", "o.txt"], 1, "no JSON"),
    (["engine", "tic_tac_toe", "random", "--protocol", "tcp"], 2, "needs --connect"),
    (["engine", "tic_tac_toe", "random", "random"], 2, "one player can speak lines"),
    (["engine", "tic_tac_toe", "mine.py"], 1, "has several players, 'first', 'Last One', 'broken'"),
    (["engine", "tic_tac_toe", "mine.py:none"], 1, "has no player 'none'"),
])
def test_wrong_use_is_told(arguments: list[str], code: int, expected: str, folder: Path) -> None:
    (folder / "o.txt").write_text("# mine\na1 z9\n")
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert expected in " ".join(result.stderr.split())


def test_match_goes_on_where_nobody_reads_its_remarks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forfeits that cannot be printed on the standard error end no match."""
    def full(text: str = "", *, err: bool = False) -> None:
        if err:
            raise OSError(errno.ENOSPC, "No space left on device")
        said.append(text)

    said: list[str] = []
    monkeypatch.setattr("click.echo", full)
    engine = typed(bad(folder, "illegal"))
    result = run("match", "tic_tac_toe", f"lines {engine}", "random", "--games", "2", "--threads", "1")
    assert result.exit_code == 0
    assert "2 games, 2 forfeits" in "\n".join(said)


def test_openings_of_a_file_are_played_from_both_sides(folder: Path) -> None:
    (folder / "o.txt").write_text("# centre and corner\nb2\n\na1 ; b2\n")
    result = run("match", "tic_tac_toe", "random", "r2=random", "--openings", "o.txt", "--threads", "1", "--log", "m")
    assert "4 games in" in result.stdout
    assert [found["moves"][:len(found["opening"])] for found in read(folder / "m").games] == \
        [["b2"], ["b2"], ["a1", "b2"], ["a1", "b2"]]


def test_replay_shows_a_game_and_finds_what_is_wrong(folder: Path) -> None:
    run("match", "tic_tac_toe", "random", "r2=random", "--games", "2", "--threads", "1", "--log", "m.jsonl")
    shown = run("replay", "m.jsonl", "--game", "2")
    assert "\n1. X played " in shown.stdout
    assert "moves: " in shown.stdout
    text = (folder / "m.jsonl").read_text()
    outcome = re.search(r'"outcome":"(\w+)"', text)
    assert outcome is not None
    wrong = "O" if outcome[1] == "X" else "X"
    (folder / "m.jsonl").write_text(text.replace(f'"outcome":"{outcome[1]}"', f'"outcome":"{wrong}"'))
    assert run("replay", "m.jsonl").exit_code == 1
    (folder / "m.jsonl").write_text(text)
    assert run("replay", "m.jsonl", "--game", "9").exit_code == 1


def test_replay_says_that_a_game_is_for_other_sides(folder: Path) -> None:
    run("match", "tic_tac_toe", "random", "r2=random", "--games", "1", "--threads", "1", "--log", "m.jsonl")
    text = (folder / "m.jsonl").read_text()
    (folder / "m.jsonl").write_text(text.replace('"X":', '"P":').replace('"O":', '"Q":'))
    found = run("replay", "m.jsonl")
    assert found.exit_code == 1
    assert "WRONG: it is between P, Q, the game between X, O" in found.stdout


def test_games_of_teams_are_logged_and_replayed_by_the_teams(folder: Path) -> None:
    """The outcome of a game is the team's name, as the rules say, and totals are by teams."""
    (folder / "teams.game").write_text("""\
game "Teams"
players P, Q, S, T
team Odd = P, S
team Even = Q, T
board square(2, 3)
pieces p of P, q of Q, s of S, t of T
move put(c in empty):
    c := own
win mover when some (own and corners) and count(empty) < 3
draw when no empty
""", encoding="utf-8")
    shown = run("match", "teams.game", "random", "r2=random", "--games", "8", "--threads", "1", "--log", "m.jsonl")
    assert re.search(r"Odd won \d, Even won \d", shown.stdout)
    outcomes = {record["outcome"] for record in read(folder / "m.jsonl").games}
    assert outcomes <= {"Odd", "Even", "draw"}
    assert outcomes & {"Odd", "Even"}
    assert run("replay", "m.jsonl").exit_code == 0


@pytest.mark.slow
def test_tournament_of_programs_that_misbehave_goes_on_and_the_log_says_why(folder: Path) -> None:
    """Each misbehaving program plays against a good one on two processes, and the log has the reason of each end."""
    players = [f"{name}=lines {typed(bad(folder, name))}" for name in BAD if name not in ("silent", "refuses")]
    result = run("tournament", "tic_tac_toe", f"good=lines {typed(script(folder, 'good', GOOD))}", *players,
                 "--gauntlet", "--games", "2", "--move-time", "5", "--threads", "2", "--log", "m.jsonl")
    assert result.exit_code == 0, result.stderr
    games = read(folder / "m.jsonl").games
    assert len(games) == 2 * len(players)
    for game in games:
        name = next(name for name in game["players"].values() if name != "good")
        assert (game["winner"], game["end"]) == ("good", BAD[name][0]), game
        assert game["reason"].startswith(f"{name} (")
        assert f"game {game['number'] + 1}: {game['reason']}" in result.stderr or game["end"] == "resignation"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupted_match_keeps_its_games_and_goes_on(threads: str, folder: Path) -> None:
    """Ctrl-C ends the players and prints the results so far, and the same command resumes the match."""
    slow = script(folder, "good", GOOD.replace("free[0])\n", "free[0]); time.sleep(0.05)\n", 1))
    command = [sys.executable, "-m", "dslgame", "match", "tic_tac_toe", "random", f"lines {typed(slow)}",
               "--games", "40", "--threads", threads, "--log", "m.jsonl"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"})
    log = folder / "m.jsonl"
    for _ in range(400):
        if log.exists() and log.read_bytes().count(b"\n") > 4:
            break
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert " of 40 games in " in output
    assert "the same command goes on from there" in output
    done = len(read(log).games)
    assert 3 < done < 40
    again = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120,
                           env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"})
    assert "40 games in " in again.stdout
    assert sorted(found["number"] for found in read(log).games) == list(range(40))
