"""The wheel works with every installed version of Python, each in an environment of its own.

Run by hand with `pytest -m thorough tests/project/test_versions.py`: each installs what dslgame needs.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.project.test_packaging import elsewhere, run, wheel

__all__ = ["elsewhere", "wheel"]

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSIONS = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
"""The versions that pyproject.toml names."""


def python_of(version: str) -> Path | None:
    """The program of a Python version, from the path or from pyenv; None if it is not installed."""
    homes = (Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python")
    for program in (shutil.which(f"python{version}"), *map(str, homes)):
        if program is not None:
            asked = subprocess.run([program, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                                   capture_output=True, text=True)
            if asked.stdout.strip() == version:
                return Path(program)
    return None


def test_versions_are_those_that_are_allowed() -> None:
    """The first version is the one that pyproject.toml requires, and README.md names all as tried."""
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    named = f"{', '.join(VERSIONS[:-1])} and {VERSIONS[-1]} have been tried"
    assert named in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.parametrize("version", VERSIONS)
def test_wheel_works_with_version(version: str, wheel: Path, elsewhere: Path, tmp_path: Path) -> None:
    """The wheel installs, checks a game, solves one by a kernel, counts one, and makes a new one."""
    python = python_of(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed")
    place = tmp_path / "environment"
    run(python, "-m", "venv", place, cwd=elsewhere)
    own = place / "bin"
    run(own / "python", "-m", "pip", "install", "--quiet", wheel, cwd=elsewhere)
    assert "no problems" in run(own / "dslgame", "check", "nex", cwd=elsewhere)
    solved = json.loads(run(own / "dslgame", "solve", "tic_tac_toe", "--json", cwd=elsewhere))
    assert (solved["winner"], solved["positions"]) == ("draw", 5478)
    assert "WRONG" not in run(own / "dslgame", "perft", "hex", "--verify", cwd=elsewhere)
    run(own / "dslgame", "new", "--kind", "placement", "--title", "Own", cwd=elsewhere)
    assert "no problems" in run(own / "dslgame", "check", "own.game", cwd=elsewhere)
