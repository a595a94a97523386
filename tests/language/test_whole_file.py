"""Files written in one step: all of it or what was there, whatever happens meanwhile."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from dsl.whole_file import HALF, whole_file, write_whole


def test_a_file_is_there_once_all_is_written(tmp_path: Path) -> None:
    """Until then what was there is read; nothing else is left in the folder."""
    path = tmp_path / "file"
    path.write_bytes(b"before")
    with whole_file(path, lasting=True) as stream:
        stream.write(b"af")
        assert path.read_bytes() == b"before"
        stream.write(b"ter")
    assert path.read_bytes() == b"after"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


def _interrupted(path: Path, problem: type[BaseException], *, alone: bool) -> None:
    with whole_file(path, alone=alone) as stream:
        stream.write(b"after")
        raise problem


@pytest.mark.parametrize("problem", [OSError, KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("alone", [False, True])
def test_what_fails_leaves_the_file_as_it_was(problem: type[BaseException], alone: bool, tmp_path: Path) -> None:
    """Also where there was none."""
    path = tmp_path / "file"
    for before in ([], ["file"]):
        with pytest.raises(problem):
            _interrupted(path, problem, alone=alone)
        assert [item.name for item in tmp_path.iterdir()] == before
        path.write_bytes(b"before")
    assert path.read_bytes() == b"before"


def test_two_may_write_at_once(tmp_path: Path) -> None:
    """Each writes a half of its own; who ends last is read."""
    path = tmp_path / "file"
    with whole_file(path) as one:
        one.write(b"one")
        with whole_file(path) as other:
            other.write(b"other")
        assert path.read_bytes() == b"other"
    assert path.read_bytes() == b"one"


def test_what_a_killed_process_left_is_written_over(tmp_path: Path) -> None:
    """Where nobody else writes."""
    path = tmp_path / "file"
    (tmp_path / f"file{HALF}").write_bytes(b"much that was not finished")
    with whole_file(path, alone=True) as stream:
        stream.write(b"after")
    assert path.read_bytes() == b"after"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX's")
def test_permissions(tmp_path: Path) -> None:
    """Those of new files, or those that are asked for."""
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "folder" / "new", b"")
        with whole_file(tmp_path / "own", mode=0o600):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "folder" / "new").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o600


def test_a_folder_that_is_not_there_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    """`write_whole` makes it, `whole_file` does not."""
    with pytest.raises(OSError, match="No such file"), whole_file(tmp_path / "none" / "file"):
        pass
    write_whole(tmp_path / "some" / "file", b"content")
    assert (tmp_path / "some" / "file").read_bytes() == b"content"
