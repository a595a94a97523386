"""Atomic file writes: the file has either all of the new content or the old."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from dsl.whole_file import HALF, whole_file, write_whole


def test_a_file_is_there_once_all_is_written(tmp_path: Path) -> None:
    """Until the write ends the old content is read; no other file is left in the folder."""
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
    """A failed write changes nothing, also if there was no file."""
    path = tmp_path / "file"
    for before in ([], ["file"]):
        with pytest.raises(problem):
            _interrupted(path, problem, alone=alone)
        assert [item.name for item in tmp_path.iterdir()] == before
        path.write_bytes(b"before")
    assert path.read_bytes() == b"before"


def test_two_may_write_at_once(tmp_path: Path) -> None:
    """Each writer has its own temporary file; the last to finish wins."""
    path = tmp_path / "file"
    with whole_file(path) as one:
        one.write(b"one")
        with whole_file(path) as other:
            other.write(b"other")
        assert path.read_bytes() == b"other"
    assert path.read_bytes() == b"one"


def test_what_a_killed_process_left_is_written_over(tmp_path: Path) -> None:
    """With `alone`, the leftover temporary file is overwritten."""
    path = tmp_path / "file"
    (tmp_path / f"file{HALF}").write_bytes(b"much that was not finished")
    with whole_file(path, alone=True) as stream:
        stream.write(b"after")
    assert path.read_bytes() == b"after"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX's")
def test_permissions(tmp_path: Path) -> None:
    """The permissions are those of new files, or the given ones."""
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
    """`write_whole` makes the folder, `whole_file` does not."""
    with pytest.raises(OSError, match="No such file"), whole_file(tmp_path / "none" / "file"):
        pass
    write_whole(tmp_path / "some" / "file", b"content")
    assert (tmp_path / "some" / "file").read_bytes() == b"content"
