"""The cached grammar tables: what is read equals what was written, and a damaged cache does no harm."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.syntax import grammar as grammars

TEXT = "move place(c in empty):\n    c := own\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("DSLGAME_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def parsed() -> str:
    """A declaration, parsed with tables that are built or read from the cache."""
    return grammars.grammar.__wrapped__().parse(TEXT).pretty()


def test_tables_are_kept_and_read(folder: Path) -> None:
    first = parsed()
    (kept,) = folder.glob("grammars/*")
    written = kept.stat().st_mtime_ns
    assert kept.name.startswith("game-")
    assert parsed() == first == grammars.grammar().parse(TEXT).pretty()
    assert kept.stat().st_mtime_ns == written
    assert {item.name for item in grammars.grammar.__wrapped__().terminals} == {
        item.name for item in grammars.grammar().terminals}


class Trap:
    """Runs code when unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("trapped",)


def sealed(content: bytes) -> bytes:
    """Content with a valid digest."""
    return hashlib.sha256(content).digest() + content


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: b"", "foreign": lambda whole: b"not a grammar",
    "half": lambda whole: whole[:len(whole) // 2],
    "one bit": lambda whole: whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:],
    "no digest": lambda whole: whole[32:], "nothing in it": lambda whole: sealed(b""),
    "code": lambda whole: pickle.dumps(Trap()), "sealed code": lambda whole: sealed(pickle.dumps(Trap())),
    "other values": lambda whole: sealed(pickle.dumps({"data": [], "memo": 3})),
    "no rules": lambda whole: sealed(pickle.dumps({"data": {"options": {}}, "memo": {}})),
}


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=() if name == "sealed code" else pytest.mark.slow) for name in BROKEN])
def test_broken_tables_are_made_anew(name: str, folder: Path, capfd: pytest.CaptureFixture[str],
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken tables are rebuilt, and injected code is not run."""
    first = parsed()
    (kept,) = folder.glob("grammars/*")
    kept.write_bytes(BROKEN[name](kept.read_bytes()))
    monkeypatch.chdir(folder)
    assert parsed() == first
    written = kept.stat().st_mtime_ns
    assert parsed() == first
    assert kept.stat().st_mtime_ns == written
    assert list(folder.iterdir()) == [folder / "grammars"]
    assert list(folder.glob("grammars/*")) == [kept]
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="/dev/null is no folder")
def test_where_nothing_can_be_kept_it_goes_on(monkeypatch: pytest.MonkeyPatch,
                                              capfd: pytest.CaptureFixture[str]) -> None:
    expected = grammars.grammar().parse(TEXT).pretty()
    monkeypatch.setenv("DSLGAME_CACHE", "/dev/null/kept")
    assert parsed() == expected
    assert capfd.readouterr() == ("", "")
