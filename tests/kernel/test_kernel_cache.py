"""The kernel cache: another process runs what one process compiled, with the same results."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from types import MappingProxyType

import pytest

import dslgame
from interpreter.kernel import loading
from interpreter.kernel.kernel import Kernel

BY_NUMBA = {loading.COMPILER: "numba"}
"""The environment variable that makes a process compile with Numba."""
SMALL = """\
import dslgame
from interpreter.kernel.kernel import Kernel

kernel = Kernel.of(dslgame.loads('''
game "Five"
players A
board square(1, 5)
pieces a of A
move put(c in empty):
    c := own
win A when no empty
'''))
print(len(kernel.moves(kernel.start())))
"""
RECURSIVE = SMALL + "print(kernel.perft(5), kernel.play_outs(20, 3))\n"
SAID = "5\n"
"""The output of that program."""
FULL = """\
import builtins, io
plain = builtins.open

def full(path, mode="r", *others, **more):
    file = plain(path, mode, *others, **more)
    if mode == "w":
        def write(text):
            raise OSError(28, "No space left on device")
        file.write = write
    return file

builtins.open = io.open = full
"""
"""Makes every file that the program opens for writing unwritable."""


@pytest.mark.slow
def test_another_process_finds_what_one_has_compiled(tmp_path: Path) -> None:
    """Functions that walk a tree are cached too; recursive ones must not crash when loaded from disk."""
    said = [said_by(begun(tmp_path, RECURSIVE)) for _ in range(2)]
    assert said == [SAID + "([5, 20, 60, 120, 120], 120) (100, [0, 20, 0])\n"] * 2
    assert {path.name.partition("-")[0] for path in tmp_path.rglob("*.machine")} == {"perft", "play_outs", "list_moves"}
    assert not list(tmp_path.rglob("*.nbc"))
    assert said_by(begun(tmp_path, RECURSIVE, BY_NUMBA)) == said[0]
    assert len(list(tmp_path.rglob("*.nbc"))) == 3


def environment(cache: Path, more: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process with a cache folder of its own."""
    return {**os.environ, **more, "DSLGAME_CACHE": str(cache), "PYTHONPATH": str(Path(__file__).parents[2])}


def begun(cache: Path, program: str = SMALL, more: Mapping[str, str] = MappingProxyType({})) -> subprocess.Popen[str]:
    """Start a process that plays; `more` are further environment variables."""
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=environment(cache, more))


def said_by(process: subprocess.Popen[str]) -> str:
    """The output of a process, which must succeed and write nothing to stderr."""
    said, complaints = process.communicate(timeout=100)
    assert (process.returncode, complaints) == (0, "")
    return said


def kept(cache: Path) -> dict[str, bytes]:
    """The files of a cache folder, except those of grammars and Python's bytecode."""
    return {str(path.relative_to(cache)): path.read_bytes() for path in cache.rglob("*")
            if path.is_file() and path.parent.name != "grammars" and path.suffix != ".pyc"}


@pytest.mark.slow
def test_processes_that_compile_the_same_kernel_at_once_do_not_meet(tmp_path: Path) -> None:
    """All processes succeed, and one complete folder is left."""
    processes = [begun(tmp_path) for _ in range(2)]
    assert {said_by(process) for process in processes} == {SAID}
    (folder,) = (path for path in tmp_path.iterdir() if path.name != "grammars")
    assert not folder.name.startswith(".")
    before = kept(tmp_path)
    assert said_by(begun(tmp_path)) == SAID
    assert kept(tmp_path) == before


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """Cache folders with a kernel, by whether Numba compiled it; tests copy and never change them."""
    found = {}
    for numba in (False, True):
        found[numba] = tmp_path_factory.mktemp("cache")
        assert said_by(begun(found[numba], more=BY_NUMBA if numba else {})) == SAID
    return found


DAMAGES = ("cut", "emptied", "changed", "removed")


@pytest.mark.parametrize(("ending", "damage"), [
    pytest.param(ending, damage, marks=pytest.mark.slow if ending == ".machine" or damage == "cut" or (
        ending, damage) == (".nbc", "changed") else pytest.mark.thorough)  # Numba compiles where there is no other way
    for ending in (".machine", "kernel.py", "tables.json", ".nbi", ".nbc") for damage in DAMAGES])
def test_damaged_file_is_noticed_and_made_anew(ending: str, damage: str, whole: dict[bool, Path],
                                               tmp_path: Path) -> None:
    """The result is the same, and afterwards the file is whole again."""
    cache, numba = tmp_path / "cache", ending != ".machine"
    more = BY_NUMBA if numba else {}
    shutil.copytree(whole[numba], cache)
    paths = [path for path in cache.rglob("*") if path.name.endswith(ending)]
    assert paths
    for path in paths:
        content = path.read_bytes()
        middle = len(content) // 2
        match damage:
            case "cut":
                path.write_bytes(content[:middle])
            case "emptied":
                path.write_bytes(b"")
            case "changed":
                path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
            case "removed":
                path.unlink()
    assert said_by(begun(cache, more=more)) == SAID
    assert kept(cache).keys() == kept(whole[numba]).keys()
    for path in paths:
        if ending in (".machine", "kernel.py", "tables.json"):
            assert path.read_bytes() == (whole[numba] / path.relative_to(cache)).read_bytes()
    before = kept(cache)
    assert said_by(begun(cache, more=more)) == SAID
    assert kept(cache) == before


@pytest.mark.slow
def test_file_where_the_folder_should_be(tmp_path: Path) -> None:
    """If nothing can be cached, the kernel is compiled for the process alone."""
    blocked = tmp_path / "cache"
    blocked.write_text("not a folder")
    assert said_by(begun(blocked)) == SAID
    assert blocked.read_text() == "not a folder"


@pytest.mark.slow
def test_disk_that_is_full(tmp_path: Path) -> None:
    """Writing fails after the folder was made; the kernel works and leaves no content."""
    assert said_by(begun(tmp_path, FULL + SMALL, BY_NUMBA)) == SAID
    assert [name for name, content in kept(tmp_path).items() if content] == []


@pytest.mark.slow
def test_disk_that_is_full_when_machine_code_is_written(tmp_path: Path) -> None:
    """The compiled code is used anyway, and no partial file is left."""
    assert said_by(begun(tmp_path, FULL.replace('"w"', '"wb"') + SMALL)) == SAID
    assert kept(tmp_path) == {}
    assert said_by(begun(tmp_path)) == SAID
    assert [name for name in kept(tmp_path) if name.endswith(".machine")]


@pytest.mark.slow
def test_disk_that_is_full_when_numba_writes(tmp_path: Path) -> None:
    """The text is cached, the compiled code is not."""
    assert said_by(begun(tmp_path, FULL.replace('"w"', '"wb"') + SMALL, BY_NUMBA)) == SAID
    assert {Path(name).name for name in kept(tmp_path)} == {"kernel.py", "tables.json"}
    assert said_by(begun(tmp_path, more=BY_NUMBA)) == SAID
    assert [name for name in kept(tmp_path) if name.endswith(".nbc")]


def test_folders_that_nobody_finished_are_removed(tmp_path: Path) -> None:
    """Unfinished folders are removed after a day; younger ones may belong to another process."""
    old, young = tmp_path / ".making-old", tmp_path / ".making-young"
    for path in (old, young):
        path.mkdir()
    os.utime(old, (0, 0))
    loading._write(tmp_path / "kernel", {"kernel.py": "pass"})
    assert sorted(path.name for path in tmp_path.iterdir()) == [".making-young", "kernel"]


def test_other_versions_have_other_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key depends on the compiler and Python versions, the text, which contains the params, and the tables."""

    def key() -> str:
        kernel = Kernel.of(game, native=False).assembled
        return loading.key_of(kernel, loading._tables_text(kernel))

    game = dslgame.load("connect_four")
    keys = [key(), key()]
    assert keys[0] == keys[1]
    game = dslgame.load("connect_four", rows=5)
    keys.append(key())
    installed = loading.installed_version
    monkeypatch.setattr(loading, "installed_version", lambda name: "0.1" if name == "numba" else installed(name))
    keys.append(key())
    monkeypatch.setattr(sys, "version", "3.0")
    keys.append(key())
    assert len(set(keys)) == 4


def test_installed_versions_are_those_of_the_installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions are read from folder names, and from METADATA if two folders match a package's name."""
    for name in ("numba", "numpy", "llvmlite"):
        assert loading.installed_version(name) == metadata.version(name)
    for folder in ("packed_thing", "packed_thing-1.5.dist-info"):
        (tmp_path / folder).mkdir()
    (tmp_path / "packed_thing" / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert loading.installed_version("packed_thing") == "1.5"
    (tmp_path / "packed_thing-1.6.dist-info").mkdir()
    (tmp_path / "packed_thing-1.6.dist-info" / "METADATA").write_text("Name: packed_thing\nVersion: 1.6\n",
                                                                      encoding="utf-8")
    shutil.rmtree(tmp_path / "packed_thing-1.5.dist-info")
    (tmp_path / "packed_thing-other-2.0.dist-info").mkdir()
    assert loading.installed_version("packed_thing") == "1.6"
