"""Workers and coordinators that are killed at random moments: the same command goes on, and the bytes are the same."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
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
    game = dslgame.load("connect_four", rows=4, columns=4)
    solve_on_cluster(game, game.engine.start(), Cluster(sys.argv[1], sys.argv[2], 2, 1024, part=1 << 11))
"""
_PATIENCE = 300.0
"""Seconds after which something hangs."""


def begun(script: Path, address: str, path: Path) -> subprocess.Popen[bytes]:
    """A coordinator at work."""
    return subprocess.Popen([sys.executable, str(script), address, str(path)], stderr=subprocess.DEVNULL)


def workers_of(coordinator: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Its workers, which are processes of their own."""
    try:
        return [child for child in psutil.Process(coordinator.pid).children(recursive=True)
                if "spawn_main" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def files_in(path: Path) -> int:
    """How far the work is: the files that are written."""
    return sum(1 for file in path.rglob("*") if file.suffix in (".keys", ".values"))


def wait_for(coordinator: subprocess.Popen[bytes], path: Path, files: int) -> bool:
    """Wait until so many files are written; whether the work still goes on then."""
    end = time.monotonic() + _PATIENCE
    while coordinator.poll() is None and files_in(path) < files:
        assert time.monotonic() < end, "no files for minutes"
        time.sleep(0.01)
    return coordinator.poll() is None


@pytest.mark.parametrize("seed", [pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.thorough)])
def test_kills_change_no_byte(tmp_path: Path, seed: int) -> None:
    """Workers and the coordinator are killed at moments that a seed chooses, by the files that are there."""
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    assert begun(script, "none", tmp_path / "whole").wait(_PATIENCE) == 0
    whole = content(tmp_path / "whole")
    chance, path, killed = random.Random(seed), tmp_path / "out", {"worker": 0, "coordinator": 0}
    coordinator = begun(script, "local", path)
    try:
        moments = sorted(chance.sample(range(2, len(whole) - 4), 7))
        for number, moment in enumerate(moments):
            if not wait_for(coordinator, path, moment):
                break
            workers = workers_of(coordinator)
            if number % 3 == 2:
                coordinator.send_signal(signal.SIGKILL)
                coordinator.wait(_PATIENCE)
                killed["coordinator"] += 1
                coordinator = begun(script, "local", path)
            elif workers:
                chance.choice(workers).kill()
                killed["worker"] += 1
        assert coordinator.wait(_PATIENCE) == 0
    finally:
        for worker in workers_of(coordinator):
            worker.kill()
        coordinator.kill()
    assert killed["coordinator"]
    assert killed["worker"] > 1
    assert content(path) == whole
    assert ClusterSolution.open(str(path)).check() == ClusterSolution.open(str(tmp_path / "whole")).check()
    shutil.rmtree(path)
