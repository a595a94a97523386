"""Solving on a cluster: correct values, the same bytes with any workers, and clear refusals."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

import attrs
import numpy as np
import pytest
from click.testing import CliRunner

import dslgame
from dslgame.cli.app import app
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from solver.cluster import driver, files
from solver.cluster.containers import Container, Damaged, packed
from solver.cluster.driver import Cluster, solve_on_cluster
from solver.cluster.executors import Alone
from solver.cluster.pool import Pool
from solver.cluster.runs import Run, joined, merged, order_of
from solver.cluster.solution import ClusterSolution
from solver.cluster.store import Store
from solver.errors import Refused
from solver.game_space import GameSpace, solve_game
from solver.strong import Strong

SMALL = Cluster("none", "", part=16, batch=8192)
"""Settings that make many parts."""


@pytest.fixture(scope="module")
def game() -> Game:
    """A game that is solved at once."""
    return dslgame.load("tic_tac_toe")


@pytest.fixture(scope="module")
def whole(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its solution, in many parts."""
    path = tmp_path_factory.mktemp("solutions") / "whole"
    solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, url=str(path)))
    return path


def content(path: Path) -> dict[str, str]:
    """The checksums of all files of a folder."""
    return {file.relative_to(path).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(path.rglob("*")) if file.is_file()}


def content_of(store: Store) -> dict[str, str]:
    """The checksums of all files of a store, on any file system."""
    return {name: hashlib.sha256(store.read(name)).hexdigest() for name in store.all_names()}


# ---- columns


@pytest.mark.parametrize("words", [1, 2, 3])
def test_runs_hold_what_they_were_made_of(words: int) -> None:
    """Runs return the keys that they were made of, in one block or several; merging removes duplicates."""
    chance = np.random.default_rng(7)
    for count in (1, 5, 3_000, 20_000):
        keys = chance.integers(0, 1 << 63, (count, words), np.uint64)
        keys[:, : words - 1] %= np.uint64(50)
        order = order_of(keys)
        assert sorted(map(tuple, keys.tolist())) == list(map(tuple, keys[order].tolist()))
        keys = joined([keys[order], keys[order][: count // 2], keys[order][::3]], words)
        assert len(set(map(tuple, keys.tolist()))) == len(keys)
        sames = chance.integers(1, 4, len(keys)).astype(np.uint8)
        run = Run.of(keys, sames)
        assert (run.keys() == keys).all()
        assert (run.sames() == sames).all()
        half = len(keys) // 2
        again = merged([Run.of(keys[half:], sames[half:]), Run.of(keys[: half + 1], sames[: half + 1])], words)
        assert (again.keys() == keys).all()
        assert (again.sames() == sames).all()
        in_ranges = merged([Run.of(keys[half:], sames[half:]), Run.of(keys[: half + 1], sames[: half + 1]),
                            Run.of(keys[::3], sames[::3])], words, most=9_000)
        assert (in_ranges.keys() == keys).all()
        assert (in_ranges.sames() == sames).all()
        assert (in_ranges.payload == run.payload).all()
        assert (in_ranges.directory == run.directory).all()


def test_a_container_notices_what_was_changed() -> None:
    """Changing any byte of a container after its magic number, or cutting it short, raises Damaged."""
    whole = bytearray(b"".join(packed({"one": np.arange(5), "none": np.zeros(0, np.uint8)}, {"count": 5})))
    found = Container.of(bytes(whole))
    assert found.array("one").tolist() == [0, 1, 2, 3, 4]
    assert found.array("none").tolist() == []
    for place in range(8, len(whole)):
        changed = bytes(whole[:place]) + bytes([whole[place] ^ 1]) + bytes(whole[place + 1 :])
        with pytest.raises(Damaged):
            Container.of(changed).array("one")
    with pytest.raises(Damaged):
        Container.of(bytes(whole[:-1]))


# ---- values


def test_values_are_those_of_the_definition(game: Game, whole: Path) -> None:
    """All positions, also unstored images, have their values, others None; totals and best play are right."""
    strong = solve_game(game, method="strong", engine="interpreter").strong
    assert isinstance(strong, Strong)
    solved = ClusterSolution.open(str(whole))
    for state in strong.states:
        assert solved.value(state) == strong.value(state)
    assert (solved.unmerged(), solved.merged, solved.longest(), solved.cyclic()) == (5_478, 765, 9, False)
    assert solved.tally() == strong.tally()
    assert solved.check() == 765
    assert len(list(solved.line(game.engine.start()))) == 9
    assert solved.value(game.read_position("XXX/X../... O").state) is None



def test_many_parts_change_no_value(tmp_path: Path) -> None:
    """A game whose tiers have several parts each and moves to several tiers, with small blocks and batches."""
    game = dslgame.load("connect_four", rows=3, columns=3, length=3)
    strong = solve_game(game, method="strong").strong
    assert strong is not None
    solved = solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, url=str(tmp_path / "out")))
    assert max(tier["parts"] for tier in solved.about["tiers"]) >= 8
    assert solved.tally() == strong.tally()
    state = game.engine.start()
    for _ in range(9):
        for move, after in GameSpace(game, state).successors(state):
            assert solved.value(after) == strong.value(after), move
        moves = game.engine.successors(state)
        if not moves:
            break
        state = moves[len(moves) // 2][1]


# ---- whoever works


@pytest.mark.slow
def test_a_file_system_in_memory_has_the_same_bytes(game: Game, whole: Path) -> None:
    """A store in memory, which no other process sees, is written by this process."""
    url = "memory://cluster/threads"
    solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, address="local", url=url, workers=2))
    assert content_of(Store.at(url)) == content(whole)
    solved = ClusterSolution.open(url)
    assert solved.value(game.engine.start()) == ClusterSolution.open(str(whole)).value(game.engine.start())


@pytest.mark.slow
def test_workers_of_dask_write_the_same_bytes(game: Game, whole: Path, tmp_path: Path) -> None:
    """Workers of a running scheduler, here threads, exchange results among each other and write the same bytes."""
    import distributed

    made = distributed.LocalCluster(  # type: ignore[no-untyped-call]  # as Dask has it
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
    with made as dask:
        solve_on_cluster(game, game.engine.start(), attrs.evolve(
            SMALL, address=dask.scheduler_address, url=str(tmp_path / "out")))
    assert content(tmp_path / "out") == content(whole)


@pytest.mark.slow
@pytest.mark.parametrize("forked", [True, False])
def test_workers_of_this_machine_write_the_same_bytes(game: Game, whole: Path, tmp_path: Path, forked: bool,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """Forked processes, and fresh ones where forking is unsafe, write the same bytes and leave nothing behind."""
    made: list[Pool] = []
    of = Pool.of

    def noted(workers: int, memory: int) -> Pool:
        made.append(of(workers, memory, forked=forked))
        return made[0]

    monkeypatch.setattr(Pool, "of", noted)
    solve_on_cluster(game, game.engine.start(), attrs.evolve(
        SMALL, address="local", url=str(tmp_path / "out"), workers=2))
    assert content(tmp_path / "out") == content(whole)
    assert not made[0].folder.exists()


def test_a_step_is_not_run_without_what_failed() -> None:
    """A step that depends on a failed one is not run, and the first failure is raised."""
    with contextlib.closing(Pool.of(1, 512)) as pool:
        first = pool.submit(_fails, "a rule fails")
        other = pool.submit(len, "abc")
        last = pool.submit(divmod, first, other)
        assert [found for _, found in pool.results([other])] == [3]
        assert [found for _, found in pool.results([pool.submit(len, "abcd")])] == [4]
        with pytest.raises(ValueError, match="a rule fails"):
            next(iter(pool.results([last])))


def test_what_a_worker_raises_is_raised_here() -> None:
    """A worker's exception, picklable or not, is raised here, also by dependent steps; too much memory is refused."""
    with contextlib.closing(Pool.of(1, 512)) as pool:
        first = pool.submit(_fails, "a rule fails")
        last = pool.submit(len, pool.submit(list, [first]))
        with pytest.raises(ValueError, match="a rule fails"):
            next(iter(pool.results([last])))
        with pytest.raises(RuntimeError, match="_Unsendable: "):
            next(iter(pool.results([pool.submit(_fails_unsendably)])))
        with pytest.raises(Refused, match="a worker needs more than its 512 MiB of memory"):
            next(iter(pool.results([pool.submit(np.ones, 1 << 30)])))
        numbers = np.arange(1 << 16)
        handle = pool.submit(np.copy, numbers)
        total, part = pool.submit(np.sum, pool.derive(_first, handle, 10)), pool.derive(_first, handle, 3)
        assert {int(np.sum(found)) for _, found in pool.results([total, part])} == {45, 3}
        assert len(list(pool.folder.iterdir())) == 1
        del handle, total, part
        assert list(pool.folder.iterdir()) == []


def _fails(said: str) -> None:
    raise ValueError(said)


def _first(numbers: np.ndarray[tuple[int], np.dtype[np.int64]], many: int) -> object:
    return numbers[:many]


def _fails_unsendably() -> None:
    class _Unsendable(Exception):
        """An exception whose class other processes cannot import."""

    raise _Unsendable


@pytest.mark.slow
def test_any_number_of_workers_writes_the_same_bytes(tmp_path: Path) -> None:
    """None, one, two or four processes write the same bytes; a file:// URL is a folder."""
    game = dslgame.load("connect_four", rows=4, columns=4)
    start = game.engine.start()
    spec = Cluster("none", str(tmp_path / "none"), part=1 << 13)
    assert solve_on_cluster(game, start, spec).unmerged() == 161_029
    expected = content(tmp_path / "none")
    for workers in (1, 2, 4):
        path = tmp_path / str(workers)
        solve_on_cluster(game, start, attrs.evolve(
            spec, address="local", url=path.as_uri(), workers=workers, memory=1024))
        assert content(path) == expected


def test_work_goes_on_wherever_it_was_stopped(game: Game, whole: Path, tmp_path: Path,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """Solving is interrupted at ever later steps and resumed; the bytes are the same in the end."""
    left = [0]

    class Stops(Alone):
        """An executor that raises KeyboardInterrupt after a number of steps."""

        def submit(self, step, *arguments):  # type: ignore[no-untyped-def]  # as `Alone` has it
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
            return super().submit(step, *arguments)

    monkeypatch.setattr(driver, "Alone", Stops)
    path = tmp_path / "out"
    spec = attrs.evolve(SMALL, url=str(path))
    stops = 0
    while True:
        left[0] = 20 + 30 * stops
        try:
            solve_on_cluster(game, game.engine.start(), spec)
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops > 3
    assert content(path) == content(whole)


# ---- refusals


def run(*arguments: str) -> tuple[int, str]:
    """The exit code and the output of a command."""
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.output


@pytest.mark.parametrize(("arguments", "says"), [
    (("--cluster", "local"), "--cluster needs --save FOLDER_OR_URL"),
    (("--workers", "2"), "--workers is for --cluster local"),
    (("--cluster", "here", "--save", "x"), "neither local nor none nor the address of a scheduler"),
    (("--cluster", "none", "--save", "x", "--method", "proof"), "--save is for --method"),
    (("--cluster", "none", "--save", "x", "--method", "linear"), "--cluster values all positions"),
    (("--cluster", "none", "--save", "x", "--nodes", "5"), "--nodes is not for --cluster"),
    (("--cluster", "local", "--save", "x", "--memory", "5"), "--memory 5 is what each worker has"),
    (("--save", "s3://bucket/x"), "is a URL, and only what --cluster makes is saved there"),
    (("--cluster", "none", "--save", "nowhere://x"), "nowhere://x: Protocol not known: nowhere"),
])
def test_options_that_do_not_go_together_are_refused(arguments: tuple[str, ...], says: str) -> None:
    """The refusal says what to do instead."""
    code, output = run("solve", "tic_tac_toe", *arguments)
    assert code in (1, 2)
    assert says in output


def test_a_folder_of_something_else_is_refused(tmp_path: Path, whole: Path) -> None:
    """Folders with another game's work, a solution or a user's files are refused, and so is opening an unsolved one."""
    game = dslgame.load("tic_tac_toe")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(Refused, match="is not empty, and holds no unfinished solution"):
        solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, url=str(tmp_path / "mine")))
    with pytest.raises(Refused, match="holds a solution already"):
        solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, url=str(whole)))
    other = Store.at(str(tmp_path / "other"))
    other.write_object("work/job.json", {"identity": "another"})
    with pytest.raises(Refused, match="the unfinished solution of another game"):
        solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, url=other.url))
    with pytest.raises(Refused, match="holds an unfinished solution"):
        ClusterSolution.open(other.url)
    with pytest.raises(Refused, match=r"there is no solution\.json in it"):
        ClusterSolution.open(str(tmp_path / "mine"))


def test_damage_is_noticed_and_named(game: Game, whole: Path, tmp_path: Path) -> None:
    """Reading a changed byte of positions or values raises an error that names the file."""
    store = Store.at(str(tmp_path))
    for file in whole.rglob("*"):
        if file.is_file():
            store.write(file.relative_to(whole).as_posix(), [file.read_bytes()])
    solved = ClusterSolution.open(str(tmp_path))
    assert solved.check() == 765
    tier = solved.about["tiers"][-1]
    for name in (files.keys_name(tier["number"], tier["counts"][0][0]),
                 files.values_name(tier["number"], tier["counts"][0][0], 0)):
        before = store.read(name)
        store.write(name, [before[:40] + bytes([before[40] ^ 1]) + before[41:]])
        with pytest.raises(Refused, match=f"{name} is damaged"):
            ClusterSolution.open(str(tmp_path)).check()
        store.remove(name)
        with pytest.raises(Refused, match=f"{name} is missing; remove the whole folder, and solve the game again"):
            ClusterSolution.open(str(tmp_path)).check()
        store.write(name, [before])
    before = store.read("solution.json")
    for old, new in ((b'"longest"', b'"lungest"'), (b'"parts": ', b'"parts": 5'), (b"{", b"[{")):
        assert old in before
        store.write("solution.json", [before.replace(old, new, 1)])
        with pytest.raises(Refused, match=r"solution\.json is damaged"):
            ClusterSolution.open(str(tmp_path))


def test_a_full_disk_is_said_and_what_is_done_is_kept(game: Game, whole: Path, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk ends the work with a message, and the work resumes when there is room."""
    import errno

    writing, left = Store.write, [20]

    def write(self: Store, name: str, pieces: list[bytes | memoryview]) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return writing(self, name, pieces)

    path = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr(Store, "write", write)
        with pytest.raises(Refused, match="No space left on device; what is done is kept"):
            solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, url=str(path)))
    solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, url=str(path)))
    assert content(path) == content(whole)


def test_an_unreachable_scheduler_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the scheduler that cannot be reached."""
    from solver.cluster import executors

    monkeypatch.setattr(executors, "_CONNECT", 0.5)
    code, output = run("solve", "tic_tac_toe", "--cluster", "tcp://127.0.0.1:9", "--save", str(tmp_path / "x"))
    assert code == 1
    assert "the scheduler tcp://127.0.0.1:9 cannot be reached" in output


def test_a_missing_extra_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Dask or fsspec the message names the extra to install."""
    import sys

    for name, address in (("distributed", "tcp://127.0.0.1:9"), ("fsspec", "local")):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, name, None)
            code, output = run("solve", "tic_tac_toe", "--cluster", address, "--save", str(tmp_path / "x"))
        assert code == 1
        assert "pip install 'dslgame[cluster]'" in output


def test_query_reads_a_folder_block_by_block(whole: Path) -> None:
    """The command answers as text and as JSON."""
    code, output = run("query", str(whole), "--moves", "a1 b1", "--json")
    assert code == 0
    found = json.loads(output)
    assert (found["winner"], found["remoteness"], found["positions"]) == ("X", 5, 5_478)
    code, output = run("query", str(whole), "--check")
    assert code == 0
    assert "all 765 stored positions are as they were written" in output


@pytest.mark.parametrize("name", ["pong_hau_ki", "wolf_goat_cabbage", "euclid",
                                  pytest.param("mu_torere", marks=pytest.mark.slow),
                                  pytest.param("three_mens_morris", marks=pytest.mark.slow),
                                  pytest.param("dodgem", marks=pytest.mark.slow)])
def test_tiers_with_moves_within_them_are_valued_by_passes(name: str, tmp_path: Path) -> None:
    """Games with repeating positions, one of them for one player, and one with acyclic moves inside a tier."""
    game = dslgame.load(name)
    strong = solve_game(game, method="strong", engine="interpreter").strong
    assert isinstance(strong, Strong)
    solved = solve_on_cluster(game, game.engine.start(), Cluster("none", str(tmp_path / "out"), part=64, batch=8192))
    assert [state for state in strong.states if solved.value(state) != strong.value(state)] == []
    assert (solved.tally(), solved.longest(), solved.cyclic()) == (strong.tally(), strong.longest(), strong.cyclic())
    assert solved.check() == len(strong.states)


@pytest.mark.slow
def test_passes_that_are_done_again_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solving a game with repeating positions is interrupted and resumed again and again."""
    game, left = dslgame.load("pong_hau_ki"), [0]

    class Stops(Alone):
        """An executor that raises KeyboardInterrupt after a number of steps."""

        def submit(self, step, *arguments):  # type: ignore[no-untyped-def]  # as `Alone` has it
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
            return super().submit(step, *arguments)

    specs = [Cluster("none", str(tmp_path / name), part=8, batch=8192) for name in ("whole", "out")]
    solve_on_cluster(game, game.engine.start(), specs[0])
    monkeypatch.setattr(driver, "Alone", Stops)
    stops = 0
    while True:
        left[0] = 10 + 25 * stops
        try:
            solve_on_cluster(game, game.engine.start(), specs[1])
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops
    assert content(tmp_path / "out") == content(tmp_path / "whole")


@pytest.mark.slow
def test_tiers_out_of_order_are_taken_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a symmetry leads back to an earlier tier, the work restarts with all positions in one tier."""
    from solver.cluster import steps
    from solver.tables.enumeration import OutOfOrder

    expand = steps._expand

    def out_of_order(machine, *arguments):  # type: ignore[no-untyped-def]  # as the function has it
        if not machine.job.flat:
            raise OutOfOrder
        return expand(machine, *arguments)

    monkeypatch.setattr(steps, "_expand", out_of_order)
    game = dslgame.load("tic_tac_toe")
    solved = solve_on_cluster(game, game.engine.start(), attrs.evolve(SMALL, url=str(tmp_path / "out")))
    assert solved.about["flat"]
    assert solved.tally() == {"win": 2836, "lose": 1574, "draw": 1068}


def test_a_rule_that_fails_in_a_worker_is_told_whole() -> None:
    """A RuleError keeps its place in the file and its position when it is pickled."""
    import pickle

    from dsl.syntax.source import Source, Span
    from interpreter.errors import RuleError

    problem = RuleError("G404", "a range is left", Span(0, 1, 1, 1))
    problem.source, problem.position = Source("x.game", "game"), "a board"
    again = pickle.loads(pickle.dumps(problem))
    assert str(again) == str(problem)


@pytest.mark.slow
def test_what_it_takes_is_foretold() -> None:
    """The forecast tells positions, bytes and hours before the work begins; hopeless work is refused."""
    from solver.cluster.cost import Cost

    game = dslgame.load("connect_four", rows=5, columns=5)
    cost = Cost.of(GameSpace(game), 4, Kernel.of(game))
    assert cost is not None
    assert 34_888_367 / 4 < cost.positions < 34_888_367 * 4
    assert "positions up to symmetry are expected" in cost.text()
    assert "with 4 workers" in cost.text()
    assert not cost.hopeless
    code, output = run("solve", "domineering", "--cluster", "none", "--save", "memory://hopeless")
    assert code == 1
    assert "It is not begun; with --anyway it is" in output
