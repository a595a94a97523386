"""The grammars' tables are kept on disk: what is read there is the same, and nothing there can do harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dsl import grammar as grammars

TEXT = "move place(c in empty):\n    c := own\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what is kept."""
    monkeypatch.setenv("DSLGAME_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def parsed() -> str:
    """A declaration, parsed by a parser that is made anew or read."""
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


@pytest.mark.parametrize("content", [b"", b"not a grammar", None], ids=["empty", "foreign", "half"])
def test_broken_tables_are_made_anew(folder: Path, content: bytes | None, capfd: pytest.CaptureFixture[str]) -> None:
    first = parsed()
    (kept,) = folder.glob("grammars/*")
    whole = kept.read_bytes()
    kept.write_bytes(whole[:len(whole) // 2] if content is None else content)
    assert parsed() == first
    written = kept.stat().st_mtime_ns
    assert parsed() == first
    assert kept.stat().st_mtime_ns == written
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="/dev/null is no folder")
def test_where_nothing_can_be_kept_it_goes_on(monkeypatch: pytest.MonkeyPatch,
                                              capfd: pytest.CaptureFixture[str]) -> None:
    expected = grammars.grammar().parse(TEXT).pretty()
    monkeypatch.setenv("DSLGAME_CACHE", "/dev/null/kept")
    assert parsed() == expected
    assert capfd.readouterr() == ("", "")
