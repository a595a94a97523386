"""Saved solutions: they hold what was solved, interrupted work resumes, and other files are refused."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dslgame
from dsl.syntax.source import Source
from dslgame.cli.app import app
from interpreter.game import Game
from solver.budget import Budget
from solver.cluster.driver import Cluster, solve_on_cluster
from solver.cluster.solution import ClusterSolution
from solver.engines import table_solver
from solver.errors import Refused
from solver.game_space import GameSpace, solve_game
from solver.strong import Strong, Value
from solver.tables import columns, enumeration, saved, solution_file, table
from solver.tables.saved import SavedSolution
from solver.tables.solution_file import SolutionFile
from solver.tables.table import TableSolver
from tests.app.test_cli import CIRCLING
from tests.language.test_positions import OVER_AT_START


@pytest.fixture(scope="module")
def game() -> Game:
    """A game that is solved at once."""
    return dslgame.load("tic_tac_toe")


@pytest.fixture(scope="module")
def whole(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of its solution."""
    path = tmp_path_factory.mktemp("solutions") / "whole.solution"
    assert solve_game(game, save=path).complete
    return path


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make blocks small and write a checkpoint after each."""
    monkeypatch.setattr(enumeration, "BLOCK", 16)
    monkeypatch.setattr(table, "_CHECKPOINT", 0.0)


def solver_of(game: Game, path: Path) -> TableSolver:
    solver = table_solver(GameSpace(game), Budget(), path)
    assert solver is not None
    solver.enumeration.threads = 1
    return solver


def work_of(path: Path) -> Path:
    return path.with_name(path.name + ".work")


# ---- queries


def test_saved_values_are_those_of_the_definition(game: Game, whole: Path) -> None:
    """All positions, also unstored images, have their values, others None; totals and best play are right."""
    strong = solve_game(game, method="strong", engine="interpreter").strong
    assert isinstance(strong, Strong)
    saved = SavedSolution.open(whole)
    for state in strong.states:
        assert saved.value(state) == strong.value(state)
    assert (saved.unmerged(), saved.merged, saved.longest(), saved.cyclic()) == (5_478, 765, 9, False)
    assert saved.tally() == strong.tally()
    assert saved.file.check() == 765
    assert len(list(saved.line(game.engine.start()))) == 9
    assert saved.value(game.read_position("XXX/X../... O").state) is None
    assert not work_of(whole).exists()


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["forced kill(c in theirs):\n    c := empty", "illegal when some theirs"])
def test_a_game_that_is_over_at_its_start_is_saved(rule: str, tmp_path: Path) -> None:
    """A file and a folder of workers open again, though no move could lead to the position that was solved."""
    game = Game.of(Source("over.game", OVER_AT_START.replace("RULE", rule)))
    start = game.engine.start()
    assert solve_game(game, save=tmp_path / "over.solution").winner == 1
    solve_on_cluster(game, start, Cluster(address="none", url=str(tmp_path / "over")))
    for opened in (SavedSolution.open(tmp_path / "over.solution"), ClusterSolution.open(str(tmp_path / "over"))):
        assert opened.value(start) == Value(1, 0)


def test_few_blocks_stay_in_memory(whole: Path, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_file, "KEPT", 2)
    saved = SavedSolution.open(whole)
    states = [game.start().state]
    for _ in range(5):
        states.append(game.engine.successors(states[-1])[0][1])
    expected = [SavedSolution.open(whole).value(state) for state in states]
    assert [saved.value(state) for state in (*states, *reversed(states))] == [*expected, *reversed(expected)]
    assert len(saved.file._blocks) <= 2


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, arguments)


def test_command_tells_value_moves_and_line(whole: Path) -> None:
    """`query` needs the solution's file only, not the game's."""
    shown = run("query", str(whole), "--moves", "a1 b1", "--check")
    assert shown.exit_code == 0
    assert "all 765 stored positions are as they were written" in shown.output
    assert "X to move: win for X in 5 plies, best move a3" in shown.output
    assert "best play: a3 a2 c3 b3 b2" in shown.output
    told = json.loads(run("query", str(whole), "--moves", "a1 b1", "--json").output)
    assert (told["winner"], told["remoteness"], told["line"][0]) == ("X", 5, "a3")
    assert told["tally"] == {"win": 2_836, "lose": 1_574, "draw": 1_068}
    nowhere = run("query", str(whole), "--position", "XXX/X../... O")
    assert nowhere.exit_code == 1
    assert "has no value of this position" in nowhere.output


ROUND = """\
game "Round"
players Ann
board graph:
    t
var at in 0..3
move stay when at = 0:
    at := 0
move on(n in 1..3 where at = 0 or n = 3):
    at := n
win Ann when at = 2
draw when at = 3
repetition draws
"""
"""A move of the start repeats it, which draws at once."""
FOLDER_OR_FILE = pytest.mark.parametrize("target", ["file", "folder"])


def save_at(target: str, game: Game, folder: Path) -> str:
    """Save the solution of a game to a file, or to a folder as on a cluster, and return its path."""
    path = folder / target
    if target == "file":
        solve_game(game, save=path)
    else:
        solve_on_cluster(game, game.engine.start(), Cluster("none", str(path)))
    return str(path)


@FOLDER_OR_FILE
def test_move_that_repeats_the_position_ends_as_solve_says(tmp_path: Path, target: str) -> None:
    """`query` applies the repetition rule to the moves of the position, as `solve` does."""
    path, game = save_at(target, dslgame.loads(ROUND), tmp_path), dslgame.loads(ROUND)
    found = json.loads(run("query", path, "--json").stdout)
    assert [(item["winner"], item["remoteness"]) for item in found["moves"]] == [
        (game.outcome_name(item.winner), item.remoteness) for item in solve_game(game).moves]
    assert found["moves"][0] == {"move": "stay", "winner": "lost", "remoteness": 1}


@FOLDER_OR_FILE
def test_position_that_a_repetition_finished_has_its_outcome(tmp_path: Path, target: str) -> None:
    """A line of play that a repetition ends can be queried, and is not said to be out of reach."""
    path = save_at(target, dslgame.loads(ROUND), tmp_path)
    shown = run("query", path, "--moves", "stay")
    assert (shown.exit_code, shown.stdout.splitlines()[1:3]) == (0, ["after: stay", "the game is over: lost"])


def test_command_does_not_write_over_a_solution(whole: Path) -> None:
    """Saving over an existing solution is refused before solving."""
    with pytest.raises(Refused, match="exists: remove it, or save to another file"):
        solve_game(dslgame.load("tic_tac_toe"), save=whole)


def test_solution_from_a_position(tmp_path: Path, game: Game) -> None:
    """A solution from a later position keeps that root."""
    path = tmp_path / "late.solution"
    position = game.start().play("a1").play("b1")
    assert solve_game(game, position.state, save=path).winner == 0
    told = json.loads(run("query", str(path), "--json").output)
    assert (told["winner"], told["remoteness"], told["to_move"]) == ("X", 5, "X")


# ---- resuming


def snapshots(game: Game, target: Path, monkeypatch: pytest.MonkeyPatch, moments: set[int]) -> list[Path]:
    """Copies of the working folder at some moments, as if the process had been killed then."""
    found: list[Path] = []
    count = 0

    def look(*ignored: object) -> None:
        nonlocal count
        count += 1
        if count in moments:
            found.append(target.with_name(f"moment-{count}"))
            shutil.copytree(work_of(target), found[-1])

    solver = solver_of(game, target)
    after = solver._after_tier

    def after_tier(solver: TableSolver, tier: columns.Tier) -> None:
        after(tier)
        look()

    monkeypatch.setattr(TableSolver, "_after_tier", after_tier)
    solver.until = look
    solver.run()
    return found


@pytest.mark.usefixtures("small_steps")
def test_work_goes_on_from_any_moment(game: Game, whole: Path, tmp_path: Path,
                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """Resuming from any moment makes the same file byte for byte; data written after the checkpoint is ignored."""
    target = tmp_path / "t.solution"
    moments = snapshots(game, target, monkeypatch, {2, 9, 30, 50, 58})
    assert len(moments) == 5
    assert target.read_bytes() == whole.read_bytes()
    monkeypatch.undo()
    for moment in moments:
        target.unlink()
        moment.rename(work_of(target))
        for file in work_of(target).glob("*.keys"):
            with open(file, "ab") as stream:
                stream.write(b"written before the end came")
        solver = solver_of(game, target)
        solver.run()
        assert solver.resumed > 0
        assert target.read_bytes() == whole.read_bytes()
        assert not work_of(target).exists()


@pytest.mark.usefixtures("small_steps")
def test_interrupt_stops_between_two_steps(game: Game, whole: Path, tmp_path: Path) -> None:
    """Ctrl-C stops at a checkpoint, the same call resumes, and the signal handler is restored."""
    target = tmp_path / "t.solution"
    before = signal.getsignal(signal.SIGINT)
    solver = solver_of(game, target)
    solver.until = lambda found: signal.raise_signal(signal.SIGINT) if 100 < found.positions < 200 else None
    with pytest.raises(KeyboardInterrupt):
        solver.run()
    assert signal.getsignal(signal.SIGINT) is before
    again = solver_of(game, target)
    again.run()
    assert again.resumed > 100
    assert target.read_bytes() == whole.read_bytes()


@pytest.mark.usefixtures("small_steps")
def test_damaged_work_is_refused(game: Game, tmp_path: Path) -> None:
    """A changed or truncated column, a bad state file and another game's work are refused."""
    target = tmp_path / "t.solution"

    def stop(found: enumeration.Enumeration) -> None:
        if found.positions > 300:
            raise KeyboardInterrupt

    solver = solver_of(game, target)
    solver.until = stop
    with pytest.raises(KeyboardInterrupt):
        solver.run()
    other = table_solver(GameSpace(game, game.start().play("b2").state), Budget(), target)
    assert other is not None
    with pytest.raises(Refused, match=r"holds the unfinished solution of .* another position"):
        other.run()
    file = next(work_of(target).glob("*.kids"))
    content = file.read_bytes()
    for wrong, text in ((content[:-1], "has fewer than"), (bytes([content[0] ^ 1]) + content[1:], "another checksum")):
        file.write_bytes(wrong)
        with pytest.raises(Refused, match=rf"{file.name}.*{text}.*remove the folder .* to begin anew"):
            solver_of(game, target).run()
    file.write_bytes(content)
    state = work_of(target) / "state.json"
    newer = state.read_bytes().replace(b'"version": 1', b'"version": 9')
    for wrong, text in ((b"{", "is damaged"), (newer, "by another version of dslgame")):
        before = state.read_bytes()
        state.write_bytes(wrong)
        with pytest.raises(Refused, match=text):
            solver_of(game, target).run()
        state.write_bytes(before)
    assert solve_game(game, save=target).complete


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("place", [3, 25, 60, 1000])
def test_full_disk_loses_nothing(game: Game, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                 place: int) -> None:
    """A full disk is reported, and the same command resumes when there is room."""
    target = tmp_path / "t.solution"
    calls = 0
    write = columns.write_on

    def full(*arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > place:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(*arguments)

    monkeypatch.setattr(columns, "write_on", full)
    if place == 1000:  # while the solution itself is written
        monkeypatch.setattr("solver.tables.solution_file.os.fsync", lambda number: full() if calls > place else None)
        calls = 1001
        monkeypatch.setattr(columns, "write_on", write)
    answer = solve_game(game, save=target)
    assert not answer.complete
    assert "No space left on device" in answer.reason
    assert "run the same again when there is room" in answer.reason
    assert [path.name for path in tmp_path.iterdir()] == ["t.solution.work"]
    monkeypatch.undo()
    assert solve_game(game, save=target).complete
    assert target.read_bytes() == whole.read_bytes()


def test_memory_that_is_short_sends_work_to_disk(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """If memory is short, columns go to a temporary folder; if that does not suffice, the limit is reported."""
    monkeypatch.setattr("solver.budget._PAUSE", 0.0)
    monkeypatch.setattr(enumeration, "BLOCK", 16)
    monkeypatch.setattr("solver.budget.memory_used", lambda: 90)
    solver = table_solver(GameSpace(game), Budget(memory=100))
    assert solver is not None
    found = solver.run()
    assert solver.folder is not None
    assert list(solver.folder.path.glob("tier-*.kids"))
    assert found.tally() == {"win": 2_836, "lose": 1_574, "draw": 1_068}
    assert found.value(game.start().play("a1").state) is not None
    monkeypatch.setattr("solver.budget.memory_used", lambda: 110)
    answer = solve_game(game, method="strong", engine="kernel", memory=100)
    assert not answer.complete
    assert "the limit of 100 MiB of memory is reached: 110 MiB are needed" in answer.reason


@pytest.mark.slow
@pytest.mark.parametrize("after", [5_000, 15_000])
def test_killed_process_goes_on(tmp_path: Path, after: int) -> None:
    """The process of the command is ended by SIGKILL and resumed."""
    script = f"""
import os, signal, sys
from solver.tables import enumeration, table
table._CHECKPOINT = 0.0
enumeration.BLOCK = 256
run = table.TableSolver.run
def killed(solver):
    solver.until = lambda found: found.positions > {after} and os.kill(os.getpid(), signal.SIGKILL)
    return run(solver)
table.TableSolver.run = killed
from dslgame.cli.app import main
main(["solve", "nex", "--save", "nex.solution"])
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, timeout=300,
                           env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}, check=False)
    assert ended.returncode == -signal.SIGKILL
    target = tmp_path / "nex.solution"
    assert not target.exists()
    game = dslgame.load("nex")
    solver = solver_of(game, target)
    solver.run()
    assert after / 4 < solver.resumed
    solve_game(game, save=tmp_path / "again.solution")
    assert target.read_bytes() == (tmp_path / "again.solution").read_bytes()
    assert SavedSolution.open(target).unmerged() == 36_397


# ---- files that are no solutions


def damaged(content: bytes) -> list[tuple[bytes, str]]:
    """Damaged versions of a file, each with the message that it causes."""
    footer_at = content.rindex(b'{"block"')
    return [
        (b"", "is not a solution that dslgame saved"),
        (b"PK\x03\x04 something else altogether", "is not a solution that dslgame saved"),
        (content[:8], "is truncated: it has 8 bytes"),
        (content[:30], "is truncated: it has 30 bytes"),
        (content[: len(content) // 2], "is truncated or damaged: it does not end as a solution does, at offset"),
        (content[:-1], "is truncated or damaged"),
        (content + b"x", "is truncated or damaged"),
        (content[:8] + b"\x09" + content[9:], "has version 9 of the format at offset 8"),
        (content[:footer_at] + b"[" + content[footer_at + 1 :], rf"the footer at offset {footer_at:,} has another"),
        (content[: footer_at - 9] + b"?" + content[footer_at - 8 :], "the index at offset .* has another checksum"),
    ]


@pytest.mark.parametrize("number", range(10))
def test_other_files_are_refused_by_name(whole: Path, tmp_path: Path, number: int) -> None:
    """Truncated, damaged, foreign and newer files are refused with the file, the reason and the offset."""
    path = tmp_path / "wrong.solution"
    content, text = damaged(whole.read_bytes())[number]
    path.write_bytes(content)
    with pytest.raises(Refused, match=f"wrong.solution {text}|wrong.solution is damaged: {text}"):
        SavedSolution.open(path)
    shown = run("query", str(path))
    assert shown.exit_code == 1


def test_damaged_block_is_refused_when_it_is_read(whole: Path, tmp_path: Path) -> None:
    """A damaged block is refused when it is read, and by --check in any case."""
    path = tmp_path / "wrong.solution"
    content = bytearray(whole.read_bytes())
    content[17] ^= 1
    path.write_bytes(bytes(content))
    saved = SavedSolution.open(path)
    with pytest.raises(Refused, match=r"damaged: the block of 9 bytes at offset 16 has another checksum"):
        saved.value(saved.space.root)
    with pytest.raises(Refused, match="offset 16"):
        saved.file.check()




@pytest.mark.parametrize("change", [
    lambda about: about["identity"].update(representation="0"), lambda about: about.update(source="game"),
    lambda about: about["identity"].update(params={"size": 3}), lambda about: about.pop("source"),
])
def test_other_representation_is_refused(whole: Path, monkeypatch: pytest.MonkeyPatch,
                                         change: Callable[[dict[str, Any]], None]) -> None:
    """A file whose packing of positions or whose rules differ from those of this version is refused."""
    open_file = SolutionFile.open

    def opened(path: Path) -> SolutionFile:
        file = open_file(path)
        change(file.about)  # type: ignore[arg-type]  # it is a dictionary
        return file

    monkeypatch.setattr(SolutionFile, "open", opened)
    with pytest.raises(Refused, match="was saved by another version of dslgame"):
        SavedSolution.open(whole)


def test_nowhere_to_save_is_said(tmp_path: Path) -> None:
    """A missing folder, and a file in the place of the working folder, are reported."""
    shown = run("solve", "tic_tac_toe", "--save", str(tmp_path / "no" / "t.solution"))
    assert shown.exit_code == 1
    (tmp_path / "t.solution.work").write_text("")
    with pytest.raises(Refused, match="is in the way"):
        solve_game(dslgame.load("tic_tac_toe"), save=tmp_path / "t.solution")


def test_values_that_depend_on_history_are_not_saved(tmp_path: Path) -> None:
    """Values that depend on history are refused, as a position alone has none."""
    game = dslgame.loads(CIRCLING.format(rule="forbidden"))
    with pytest.raises(Refused, match="'repetition forbidden' makes values depend on the moves before"):
        solve_game(game, save=tmp_path / "t.solution")
    assert not list(tmp_path.iterdir())


def test_an_interruption_after_the_file_is_complete_changes_nothing(game: Game, tmp_path: Path,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ctrl-C between the complete file and the end leaves the solution, and no work folder."""
    def save(given: Any, path: Path, identity: Any, tell: Callable[[int], None]) -> int:
        size = saving(given, path, identity, tell)
        signal.raise_signal(signal.SIGINT)
        return size

    saving = saved.save
    monkeypatch.setattr(saved, "save", save)
    solved = solver_of(game, tmp_path / "x.solution").run()
    assert isinstance(solved, SavedSolution)
    assert [path.name for path in tmp_path.iterdir()] == ["x.solution"]


def test_an_interruption_while_the_file_is_written_keeps_the_work(game: Game, tmp_path: Path,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    def save(given: Any, path: Path, identity: Any, tell: Callable[[int], None]) -> int:
        signal.raise_signal(signal.SIGINT)
        return saving(given, path, identity, tell)

    saving = saved.save
    monkeypatch.setattr(saved, "save", save)
    with pytest.raises(KeyboardInterrupt):
        solver_of(game, tmp_path / "x.solution").run()
    assert [path.name for path in tmp_path.iterdir()] == ["x.solution.work"]
    monkeypatch.setattr(saved, "save", saving)
    solver_of(game, tmp_path / "x.solution").run()
    assert [path.name for path in tmp_path.iterdir()] == ["x.solution"]


def test_a_solution_and_its_certificate_are_different_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["solve", "tic_tac_toe", "--save", "x", "--certificate", "./x"])
    assert done.exit_code == 2
    assert "--save and --certificate name the same file, ./x: give each its own" in done.output
    assert not list(tmp_path.iterdir())
