"""Numba's private classes are used only with known versions, and everything works without them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numba
import pytest

from interpreter.kernel import numba_guard

ROOT = Path(__file__).parents[2]
PLAYED = """
import dslgame
from interpreter.kernel.kernel import Kernel
from interpreter.kernel import numba_guard

kernel = Kernel.of(dslgame.load("tic_tac_toe"))
print(numba_guard.knows_numba(), type(kernel.functions["perft"]).__name__, kernel.perft(3)[0], kernel.play_outs(20, 1))
"""
@pytest.fixture
def fresh() -> object:
    """Clear the cached answer before and after the test."""
    numba_guard.knows_numba.cache_clear()
    yield None
    numba_guard.knows_numba.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_installed_numba_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it is not, its version has to be tested and added."""
    monkeypatch.delenv(numba_guard.PUBLIC, raising=False)
    assert numba_guard.knows_numba()


@pytest.mark.parametrize(("version", "expected"), [
    ("0.68.1", True), ("0.68.0rc1", True), ("0.59.0", False), ("0.99.3", False), ("1.0", False)])
@pytest.mark.usefixtures("fresh")
def test_other_versions_are_left_alone(version: str, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(numba_guard.PUBLIC, raising=False)
    monkeypatch.setattr(numba, "__version__", version)
    assert numba_guard.knows_numba() == expected


@pytest.mark.usefixtures("fresh")
def test_private_classes_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(numba_guard.PUBLIC, "public")
    assert not numba_guard.knows_numba()


def of(arguments: Sequence[str], cache: Path, **environment: str) -> str:
    """The output of Python in a separate process with its own cache."""
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "DSLGAME_CACHE": str(cache), **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_kernels_are_compiled_by_numba_alone(tmp_path: Path) -> None:
    """The counts and random games are the same."""
    numba_only = {"DSLGAME_COMPILER": "numba"}
    known = of(["-c", PLAYED], tmp_path / "known", **numba_only)
    public = of(["-c", PLAYED], tmp_path / "public", **numba_only, DSLGAME_NUMBA="public")
    assert known.startswith("True CPUDispatcher [9, 72, 504]")
    assert public == known.replace("True", "False", 1)


@pytest.mark.slow
def test_solvers_are_compiled_by_numba_alone(tmp_path: Path) -> None:
    """The search gives the same result."""
    command = ["-m", "dslgame", "solve", "hex", "-p", "size=3", "--value", "--method", "proof", "--json"]
    known = json.loads(of(command, tmp_path / "known"))
    public = json.loads(of(command, tmp_path / "public", DSLGAME_NUMBA="public"))
    assert known["winner"] == public["winner"] == "Red"
