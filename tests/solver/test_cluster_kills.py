"""Workers, coordinators and schedulers as processes: killed at random moments, limited in memory, on a real cluster.

In every case the same command resumes, and the bytes are the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from solver.cluster.solution import ClusterSolution
from tests.solver.test_cluster import content

_SCRIPT = """
import sys
import dslgame
from solver.cluster.driver import Cluster, solve_on_cluster
if __name__ == "__main__":
    address, path, rows, part, workers, memory = sys.argv[1:3] + [int(word) for word in sys.argv[3:]]
    game = dslgame.load("connect_four", rows=rows, columns=4)
    solve_on_cluster(game, game.engine.start(), Cluster(address, path, workers, memory, part=part))
"""
_PATIENCE = 300.0
"""Seconds after which a process counts as hanging."""


class Work:
    """A game that is solved by a separate script."""

    def __init__(self, folder: Path, rows: int, part: int, workers: int = 2, memory: int = 1024) -> None:
        self.script = folder / "script.py"
        self.script.write_text(_SCRIPT)
        self.numbers = [str(number) for number in (rows, part, workers, memory)]
        self.whole = folder / "whole"
        self.said = folder / "said"
        assert self.ended(self.begun("none", self.whole))

    def begun(self, address: str, path: Path) -> subprocess.Popen[bytes]:
        """Start a coordinator."""
        with open(self.said, "ab") as said:
            return subprocess.Popen([sys.executable, str(self.script), address, str(path), *self.numbers], stderr=said)

    def ended(self, coordinator: subprocess.Popen[bytes]) -> bool:
        """Wait until it ends and check that it succeeded."""
        code = coordinator.wait(_PATIENCE)
        assert code == 0, self.said.read_text(errors="replace")
        return True


def processes_of(coordinator: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """All child processes of a coordinator: the workers and the process that forks them."""
    try:
        return psutil.Process(coordinator.pid).children(recursive=True)
    except psutil.Error:
        return []


def files_in(path: Path) -> int:
    """The number of files written so far; folders may vanish meanwhile."""
    return sum(name.endswith((".keys", ".values")) for _, _, names in os.walk(path) for name in names)


def wait_for(coordinator: subprocess.Popen[bytes], path: Path, files: int,
             meanwhile: Callable[[], None] = lambda: None) -> bool:
    """Wait until a number of files is written; return whether the coordinator is still running."""
    end = time.monotonic() + _PATIENCE
    while coordinator.poll() is None and files_in(path) < files:
        assert time.monotonic() < end, "no files for minutes"
        meanwhile()
        time.sleep(0.01)
    return coordinator.poll() is None


@pytest.mark.parametrize(("seed", "rows", "part", "kills"), [
    pytest.param(1, 4, 1 << 11, 7, marks=pytest.mark.slow),
    pytest.param(2, 5, 1 << 14, 20, marks=pytest.mark.thorough)])
def test_kills_change_no_byte(tmp_path: Path, seed: int, rows: int, part: int, kills: int) -> None:
    """Workers and the coordinator are killed at seeded moments, measured by the number of files."""
    work = Work(tmp_path, rows, part)
    whole = content(work.whole)
    chance, path, killed = random.Random(seed), tmp_path / "out", {"worker": 0, "coordinator": 0}
    coordinator = work.begun("local", path)
    try:
        moments = sorted(chance.sample(range(2, len(whole) - 4), kills))
        for number, moment in enumerate(moments):
            if not wait_for(coordinator, path, moment):
                break
            workers = processes_of(coordinator)
            if number % 3 == 2:
                coordinator.send_signal(signal.SIGKILL)
                coordinator.wait(_PATIENCE)
                killed["coordinator"] += 1
                assert all(gone(process) for process in workers)
                coordinator = work.begun("local", path)
            elif workers:
                chance.choice(workers).kill()
                killed["worker"] += 1
        assert work.ended(coordinator)
    finally:
        coordinator.kill()
    assert killed["coordinator"] >= kills // 3 - 1
    assert killed["worker"] >= kills // 3
    assert content(path) == whole
    assert ClusterSolution.open(str(path)).check() == ClusterSolution.open(str(work.whole)).check()


def gone(process: psutil.Process) -> bool:
    """Wait until a process ends by itself, which raises an exception after the time limit."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process.wait(_PATIENCE)
    return not process.is_running()


@pytest.mark.slow
def test_four_workers_keep_to_their_memory(tmp_path: Path) -> None:
    """Each worker stays below half a GiB at all times, by its resident memory."""
    work = Work(tmp_path, 5, 1 << 18, workers=4, memory=512)
    coordinator, most = work.begun("local", tmp_path / "out"), dict[int, int]()

    def look() -> None:
        for process in processes_of(coordinator):
            with contextlib.suppress(psutil.Error):
                most[process.pid] = max(most.get(process.pid, 0), process.memory_info().rss)

    try:
        assert not wait_for(coordinator, tmp_path / "out", 1 << 30, look)
        assert work.ended(coordinator)
    finally:
        coordinator.kill()
    assert len(most) >= 5
    assert max(most.values()) < 512 << 20
    assert content(tmp_path / "out") == content(work.whole)


@contextlib.contextmanager
def dask_cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and three workers by hand and yield the address and the workers."""
    file = folder / "scheduler.json"
    program = [sys.executable, "-m", "dask"]
    place = ["--scheduler-file", str(file), "--no-dashboard", "--host", "127.0.0.1"]
    started = [subprocess.Popen([*program, "scheduler", "--port", "0", *place], stderr=subprocess.DEVNULL)]
    try:
        for number in range(3):
            started.append(subprocess.Popen(
                [*program, "worker", *place, "--nthreads", "1", "--no-nanny", "--memory-limit", "1GiB",
                 "--local-directory", str(folder / f"worker-{number}")], stderr=subprocess.DEVNULL))
        end = time.monotonic() + _PATIENCE
        while not file.exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        address = str(json.loads(file.read_text())["address"])
        import distributed

        with distributed.Client(address) as client:  # type: ignore[no-untyped-call]  # as Dask has it
            client.wait_for_workers(3, timeout=_PATIENCE)
        yield address, started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_cluster_on_the_network_writes_the_same_bytes(tmp_path: Path) -> None:
    """A Dask cluster of which one worker is killed writes the same bytes."""
    work = Work(tmp_path, 4, 1 << 13)
    with dask_cluster(tmp_path) as (address, workers):
        assert address.startswith("tcp://127.0.0.1:")
        coordinator = work.begun(address, tmp_path / "out")
        try:
            assert wait_for(coordinator, tmp_path / "out", 20)
            workers[0].kill()
            assert work.ended(coordinator)
        finally:
            coordinator.kill()
    assert content(tmp_path / "out") == content(work.whole)
