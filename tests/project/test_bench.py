"""The benchmarks run with tiny settings and print what they should."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dslgame
from bench import certificates, commits, kernels, levels, opponents
from bench.measure import Side, Spread, markdown, rates, ratios, short, table
from bench.passes import passes_of
from interpreter.kernel.kernel import Kernel

ROOT = Path(__file__).parents[2]


def test_claims_of_solutions_have_certificates_or_a_reason(capsys: pytest.CaptureFixture[str],
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row of the table in docs/solutions.md is a benchmark case; a certificate is made, too large, or left out."""
    page = (ROOT / "docs" / "solutions.md").read_text(encoding="utf-8")
    lines = page.split("## What has been solved")[1].split("\n## ")[0].splitlines()
    claims = [line.split("|")[1].strip() for line in lines if line.startswith("| ")][1:]
    titles = [dslgame.load(case.name, **case.params).title for case in certificates.CASES]
    assert len(claims) >= 20
    assert [claim for claim in claims if not any(claim.startswith(title) for title in titles)] == []

    def rows(*options: str) -> list[dict[str, Any]]:
        monkeypatch.setattr(sys, "argv", ["certificates", "--json", *options])
        certificates.main()
        return list(json.loads(capsys.readouterr().out)["rows"])

    (row,) = rows("--only", "tic_tac_toe")
    assert (row["value"], row["positions"], row["size"], row["note"]) == ("draw", 693, 1183, "")
    assert row["plain"] > 0
    assert row["kernel"] > 0
    (row,) = rows("--only", "tic_tac_toe", "--most", "0.001")
    assert (row["note"], row["size"], row["plain"]) == ("larger than 0.001 MB", 1183, None)
    (row,) = rows("--only", "tic_tac_toe", "--seconds", "0")
    assert (row["size"], row["note"][:20]) == (None, "not made: solving ta")
    made = [certificates.Row("a", "", size=size, known=known) for size, known in ((10, 100), (100, 10_000))]
    sized = certificates.estimates([*made, certificates.Row("c", "", known=10**12, note="left out")],
                                   [certificates.CASES[1]] * 3)
    assert sized[2].note == "left out; about 1 MB, as those of 2 smaller boards grow"


@pytest.mark.slow
def test_searches_are_measured() -> None:
    """Each way to search Nex has a row with its positions and times, compared with nexC."""
    command = [sys.executable, "-m", "bench.searches", "--rounds", "1", "--only", "nex", "--json"]
    found = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    assert [row["way"] for row in found["rows"]] == ["alpha-beta", "proof numbers", "without value"]
    assert all(row["positions"] > 0 and row["seconds"] > 0 and row["times_as_fast"] > 50 for row in found["rows"])


@pytest.mark.slow
def test_threads_are_measured() -> None:
    """Levels with one and two threads are compared by wall clock and by processor time."""
    command = [sys.executable, "-m", "bench.threads", "--rounds", "1", "--positions", "2", "--only", "breakthrough"]
    made = subprocess.run([*command, "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    (row,) = json.loads(made.stdout)["rows"]
    assert (row["game"], row["threads"], row["positions"]) == ("breakthrough", 2, 2)
    assert row["times_as_fast"]["median"] > 0 < row["processor"]["median"]
    table = subprocess.run([*command, "--markdown"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "| breakthrough | `mcts nodes=30000 seconds=none` |" in table


@pytest.mark.slow
@pytest.mark.parametrize(("module", "options"), [
    ("bench.random_play", ("--rounds", "1", "--seconds", "0.01")),
    ("bench.solve", ("--rounds", "1", "--only", "tic_tac_toe")),
    ("bench.strong", ("--rounds", "1", "--only", "tic_tac_toe")),
    ("bench.environments", ("--rounds", "1", "--seconds", "0.01", "--games", "8", "--only", "tic_tac_toe")),
], ids=["random_play", "solve", "strong", "environments"])
def test_benchmark_runs(module: str, options: tuple[str, ...]) -> None:
    """The benchmark prints a table and JSON, with the installed peers."""

    def output(*more: str) -> str:
        command = [sys.executable, "-m", module, *options, *more]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert "tic_tac_toe" in output()
    result = json.loads(output("--json"))
    ours = [row for row in result["rows"] if row["side"].startswith("dslgame")]
    assert ours
    assert result["machine"]["python"]
    for row in result["rows"]:
        spread = row.get("moves_per_second") or row.get("seconds")
        assert "missing" in row or 0 < spread["low"] <= spread["median"] <= spread["high"]


@pytest.mark.slow
@pytest.mark.parametrize("tables", ["--markdown", "--json"])
def test_kernels_are_measured_beside_all_others(tables: str) -> None:
    """Installed peers are measured, and the others are listed as missing."""
    command = [sys.executable, "-m", "bench.kernels", "--rounds", "1", "--seconds", "0.01", "--only", "connect_four"]
    output = subprocess.run([*command, tables], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    if tables == "--markdown":
        assert "\n| connect_four | " in output
        assert "630,000 (923,000)" in output
        return
    result = json.loads(output)
    (row,), (count,) = result["rows"], result["perft"]
    assert row["sides"].keys() | result["missing"].keys() == {"kernel", "interpreter", "yardstick", "OpenSpiel"}
    assert row["kernel_over"].keys() == row["sides"].keys() - {"kernel"}
    assert row["kernel_over"]["interpreter"]["median"] > 1
    assert row.get("same_lengths", True)
    assert count["counted"]["median"] > 0


@pytest.mark.slow
def test_passes_are_measured() -> None:
    """A pass that acts in a game has a gain, and an unknown one is refused."""
    command = [sys.executable, "-m", "bench.passes", "connect_four", "--rounds", "1", "--seconds", "0.01", "--pass",
               "shifts", "--json"]
    result = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    (row,) = result["rows"]
    assert row["problems"] == {}
    assert row["gains"]["shifts"]["median"] > 0
    with pytest.raises(SystemExit, match=r"there is no pass shift; the passes are .*shifts"):
        passes_of(["shift"])


@pytest.mark.slow
def test_first_answers_are_measured() -> None:
    """A cached kernel answers faster than one that is compiled."""
    command = [sys.executable, "-m", "bench.first_answer", "tic_tac_toe", "--rounds", "1", "--json"]
    result = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    (row,) = result["rows"]
    assert row["seconds"]["from disk"] < row["seconds"]["first"]


def test_yardstick_plays_the_same_games(tmp_path: Path) -> None:
    """The statistics of both agree for the same game, and differ for another one."""
    try:
        yardstick = kernels.Yardstick.compiled(tmp_path)
    except kernels.NoYardstick as problem:
        pytest.skip(str(problem))
    kernel = Kernel.of(dslgame.load("tic_tac_toe"))
    assert kernels.apart(kernel, yardstick, "tic_tac_toe") < kernels.SURE < kernels.apart(kernel, yardstick, "hex")
    for name, most in (("connect_four", 42), ("hex", 121), ("breakthrough", 300)):
        moves, results, variance = yardstick.play(name, 1000, 3)
        assert sum(results) == 1000
        assert 0 < moves / 1000 < most
        assert 0 < variance < most**2


def test_yardstick_is_left_out_without_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a C compiler the yardstick is left out with the reason."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(kernels.NoYardstick, match="there is no C compiler"):
        kernels.Yardstick.compiled(tmp_path)


def test_every_game_of_openspiel_is_measured() -> None:
    """Every game with an OpenSpiel counterpart is measured, with params that both have."""
    found = kernels.cases()
    assert {path.stem for path in kernels.OPENSPIEL_FOLDER.glob("*.py")} - {"__init__", "adapter"} <= {
        case.name for case in found}
    assert len({case.title for case in found}) == len(found)


def test_sides_take_turns_and_get_the_same_random_numbers() -> None:
    """Every side works in each round with the same random numbers, in alternating order."""
    drawn: dict[str, list[float]] = {"a": [], "b": []}
    order: list[str] = []

    def side(name: str) -> Side:
        def work(random: Random) -> int:
            drawn[name].append(random.random())
            order.append(name)
            return 1

        return work

    found = rates({"a": side("a"), "b": side("b")}, rounds=4, seconds=0)
    assert [len(values) for values in found.values()] == [4, 4]
    assert drawn["a"] == drawn["b"]
    assert "".join(order[2:]) == "abbaabba"


def test_ratios_are_taken_round_by_round() -> None:
    """Ratios are taken within each round, so that a machine that slows down does not change them."""
    assert ratios([10, 5, 20], [5, 2.5, 5]) == Spread(2, 2, 4)


def test_numbers_are_short() -> None:
    assert [short(value) for value in (0.01234, 1.234, 12.34, 12345.6)] == ["0.0123", "1.23", "12.3", "12,346"]
    assert table([("a", "b"), ("long", "12")]) == "a      b\nlong  12"
    assert markdown([("a", "b"), ("long", "12")]) == "| a | b |\n|---|---|\n| long | 12 |"


def test_compiled_minimax_is_the_published_one() -> None:
    """All moves of random positions have the published values."""
    game = dslgame.load("hexplode", side=2)
    published, compiled = levels.PublishedMinimax(game), levels.CompiledMinimax(game)
    chance = Random(3)
    for _ in range(12):
        position = game.start()
        for _ in range(chance.randrange(2, 12)):
            position = position.play(chance.choice(position.legal()))
            if position.over:
                break
        else:
            wanted = published.values(published.board_of(position), position.state.to_move)
            assert {move.values[0]: value for move, value in compiled.values(position)} == wanted


@pytest.mark.slow
def test_opponents_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                              capsys: pytest.CaptureFixture[str]) -> None:
    """A trained level plays an untrained one, OpenSpiel's search, and from won positions."""
    tiny = opponents.Case("hex", {"size": 4}, games=200)
    monkeypatch.setattr(opponents, "CASES", (tiny,))
    for what in ("trained", "won"):
        monkeypatch.setattr(sys, "argv", ["opponents", what, "hex", "--games", "2", "--random-plies", "2", "--markdown",
                                          "--folder", str(tmp_path), "--level", "alphabeta cpu=0.002", "--times", "3"])
        opponents.main()
        head, _, row = capsys.readouterr().out.strip().splitlines()
        assert "won-drawn-lost" in head
        assert row.startswith("| hex size=4 |")
    assert (tmp_path / "hex-size4.trained").exists()
    pytest.importorskip("pyspiel")
    case = opponents.Case("connect_four")
    game = dslgame.load("connect_four")
    ours, theirs = opponents.Ours.of(game, "alphabeta cpu=0.002"), opponents.OpenSpielSearch(case, 0.01)
    found, paces = opponents.match(game, (ours, theirs), 2, 4, 1)
    assert len(found.games) == 2
    assert 0 < paces[1] < 1


@pytest.mark.slow
def test_two_checkouts_are_compared_in_turn() -> None:
    """A checkout compared with itself has ratios and equal answers; searches with two threads are left out."""
    found = subprocess.run([sys.executable, "-m", "bench.commits", str(ROOT), "--rounds", "1", "--only", "tic_tac_toe",
                            "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    (row,) = json.loads(found.stdout)["rows"]
    assert row["case"] == "strong: tic_tac_toe"
    assert row["same"]
    assert row["ratio"] > 0
    assert json.loads(found.stderr) == row
    assert not [title for title in commits.cases() if "two threads" in title]
    rows = [{**row, "ratio": 0.5, "least_ratio": 1.0}, {**row, "ratio": 2.0, "least_ratio": 1.0, "same": False}]
    assert [line[3:] for line in commits.shown(rows)][1:] == [
        ["0.500", "1.000", "yes"], ["2.000", "1.000", "no"], ["1.000", "1.000", ""], ["1.000", "1.000", ""]]
