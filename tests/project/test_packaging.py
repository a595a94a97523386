"""The wheel: its contents, and that it works in a fresh environment without the sources.

Slow, and needs a package index: the wheel is built and installed as `pip` does it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("dsl", "interpreter", "solver", "dslgame", "games", "patterns")
TYPED = ("dsl", "interpreter", "solver", "dslgame")

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, fails: bool = False, **environment: str) -> str:
    """The output of a command without the surrounding Python's environment; of one that must fail also its errors."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env={**kept, "NO_COLOR": "1", **environment},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode != 0) == fails, f"{command}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr if fails else done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    """The paths of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment with only the wheel and its dependencies installed."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=True)
    found = place / ("Scripts" if os.name == "nt" else "bin")
    run(found / "python", "-m", "pip", "install", "--quiet", wheel, cwd=place)
    return found


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """An empty user folder."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    return folder


# ---- what is in it


@pytest.mark.parametrize("package", PACKAGES)
def test_wheel_holds_every_file_of_the_package(package: str, contents: set[str]) -> None:
    """The wheel has exactly the files of the sources, under the same paths."""
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*")
             if path.is_file() and "__pycache__" not in path.parts}
    assert files - contents == set()
    assert {name for name in contents if name.startswith(package + "/")} - files == set()


def test_wheel_holds_games_grammars_and_type_markers(contents: set[str]) -> None:
    """The wheel has the games, grammars and type markers."""
    assert {path.suffix for path in map(Path, contents) if path.parts[0] == "games"} >= {".game", ".perft"}
    assert [name for name in contents if name.startswith("dsl/") and name.endswith(".lark")]
    assert {f"{package}/py.typed" for package in TYPED} <= contents


def test_wheel_holds_nothing_else(contents: set[str]) -> None:
    """The wheel has no tests, benchmarks or caches."""
    tops = {name.split("/")[0] for name in contents}
    assert {top for top in tops if not top.endswith(".dist-info")} <= {*PACKAGES}
    assert not [name for name in contents if "test" in Path(name).name.replace("contest", "") or name.endswith(".pyc")]


def test_wheel_names_its_licence(wheel: Path) -> None:
    """The wheel has the licence's text, and its name in the metadata."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(archive.read(name).decode())
        licences = [name for name in archive.namelist() if name.endswith("LICENSE")]
    assert metadata["License-Expression"] == "MIT"
    assert len(licences) == 1


# ---- that it works


def test_version(programs: Path, elsewhere: Path, wheel: Path) -> None:
    """`dslgame --version` tells the version of the wheel."""
    assert run(programs / "dslgame", "--version", cwd=elsewhere).split() == ["dslgame", wheel.name.split("-")[1]]


def test_no_package_comes_from_the_sources(programs: Path, elsewhere: Path) -> None:
    """All packages are imported from the environment."""
    script = "import dsl, interpreter, solver, dslgame\nfor m in (dsl, interpreter, solver, dslgame): print(m.__file__)"
    assert str(ROOT) not in run(programs / "python", "-c", script, cwd=elsewhere)


def test_bundled_games_are_known_by_name(programs: Path, elsewhere: Path) -> None:
    """`dslgame check nex` needs no file in the working directory."""
    assert "problem" in run(programs / "dslgame", "check", "nex", cwd=elsewhere)


def test_bundled_game_is_solved(programs: Path, elsewhere: Path) -> None:
    """`dslgame solve tic_tac_toe --json`: a draw, and 765 positions up to symmetry (the well-known count)."""
    result = json.loads(run(programs / "dslgame", "solve", "tic_tac_toe", "--json", cwd=elsewhere))
    assert (result["winner"], result["positions"], result["positions_merged"]) == ("draw", 5478, 765)


def test_api_is_typed_for_users(programs: Path, elsewhere: Path) -> None:
    """mypy --strict uses the types of the installed package, and the script runs."""
    pytest.importorskip("mypy")
    script = elsewhere / "script.py"
    script.write_text(
        "import dslgame\n"
        "from dslgame import Game, IllegalMove, Position\n"
        "game: Game = dslgame.load('nex', rows=2, columns=2)\n"
        "position: Position = game.start()\n"
        "moves: tuple[str, ...] = position.moves()\n"
        "try:\n"
        "    position.play('nonsense')\n"
        "except IllegalMove as problem:\n"
        "    print(problem.text)\n"
        "print(len(moves), position.play(moves[0]).to_move)\n",
        encoding="utf-8",
    )
    assert run(programs / "python", script, cwd=elsewhere).splitlines() == ["nonsense", "12 White"]
    python = ("--python-executable", programs / "python", "--cache-dir", elsewhere / "cache")
    assert "no issues" in run(sys.executable, "-m", "mypy", "--strict", *python, script, cwd=elsewhere)
    script.write_text("import dslgame\ndslgame.load('nex').start().play(3)\n", encoding="utf-8")
    assert "arg-type" in run(sys.executable, "-m", "mypy", "--strict", *python, script, cwd=elsewhere, fails=True)


# ---- beside other people's modules


def foreign(folder: Path, names: tuple[str, ...], *, packages: bool) -> None:
    """Make packages or modules with the given names that end the program when imported."""
    for name in names:
        if packages:
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text("raise SystemExit('foreign')\n", encoding="utf-8")
        else:
            (folder / f"{name}.py").write_text("raise SystemExit('foreign')\n", encoding="utf-8")


@pytest.mark.parametrize("packages", [True, False], ids=["packages", "modules"])
def test_command_works_beside_packages_of_the_same_names(packages: bool, programs: Path, elsewhere: Path) -> None:
    """The command does not import from the working directory."""
    foreign(elsewhere, PACKAGES, packages=packages)
    assert "problem" in run(programs / "dslgame", "check", "nex", cwd=elsewhere)


@pytest.mark.parametrize("packages", [True, False], ids=["packages", "modules"])
def test_python_m_works_beside_packages_of_the_same_names(packages: bool, programs: Path, elsewhere: Path) -> None:
    """`python -m` searches the working directory first; once `dslgame` is found, the rest comes from beside it."""
    foreign(elsewhere, tuple(name for name in PACKAGES if name != "dslgame"), packages=packages)
    assert "problem" in run(programs / "python", "-m", "dslgame", "check", "nex", cwd=elsewhere)


def test_user_games_beside_folders_of_the_same_names(programs: Path, elsewhere: Path) -> None:
    """A path into a user's own folder `games` leads there."""
    (elsewhere / "games").mkdir()
    text = 'game "Mine"\nplayers A, B\nboard square(1, 2)\npieces a of A, b of B\n'
    text += "move place(c in empty):\n    c := own\ndraw when no empty\n"
    (elsewhere / "games" / "nex.game").write_text(text, encoding="utf-8")
    assert "Mine" in run(programs / "dslgame", "show", "games/nex.game", cwd=elsewhere)
    assert "Nex" in run(programs / "dslgame", "show", "nex", cwd=elsewhere)


def test_a_module_that_hides_a_package_is_named(programs: Path, elsewhere: Path) -> None:
    """The error names the user's `dsl.py` that hides the package."""
    (elsewhere / "dsl.py").write_text("", encoding="utf-8")
    (elsewhere / "script.py").write_text("import dslgame\ndslgame.load('nex')\n", encoding="utf-8")
    said = run(programs / "python", "script.py", cwd=elsewhere, fails=True)
    assert str(elsewhere / "dsl.py") in said
    assert "hides dslgame's package 'dsl'" in said
    said = run(programs / "dslgame", "check", "nex", cwd=elsewhere, fails=True, PYTHONPATH=str(elsewhere))
    assert said.strip() == f"error: {elsewhere / 'dsl.py'} hides dslgame's package 'dsl': " \
                           "rename it, or take its folder off Python's path"


def test_dependencies_bring_none_of_our_top_level_names(programs: Path, elsewhere: Path) -> None:
    """No dependency has a top-level package with the name of one of ours."""
    script = ("import importlib.metadata, json\n"
              "print(json.dumps(importlib.metadata.packages_distributions()))")
    owners: dict[str, list[str]] = json.loads(run(programs / "python", "-c", script, cwd=elsewhere))
    assert {name: set(owners.get(name, ["dslgame"])) for name in PACKAGES} == {name: {"dslgame"} for name in PACKAGES}


# ---- programs that run it without an installation


@pytest.mark.parametrize("program", ["uvx --from", "pipx run --spec"])
def test_it_runs_without_an_installation(program: str, wheel: Path, elsewhere: Path) -> None:
    """The wheel runs by `uvx` and `pipx run`."""
    name, *words = program.split()
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"there is no {name}")
    assert run(found, *words, wheel, "dslgame", "--version", cwd=elsewhere).startswith("dslgame ")
