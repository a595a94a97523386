"""Atomic writes of files: readers never see a partial file, and the old one stays until the new one is complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import get_ident
from typing import BinaryIO

HALF = ".half"
"""The suffix of files that are being written; some remain where a process was killed."""
_numbers = count()


@contextmanager
def whole_file(path: Path, *, lasting: bool = False, alone: bool = False, mode: int | None = None,
               ) -> Iterator[BinaryIO]:
    """A binary stream that replaces the file at `path`, if there is one, once it is completely written.

    lasting: wait until it is on the disk, for what a crash of the machine must not undo.
    alone: no other process writes this file, so what one left that was killed is written over.
    mode: the permissions; by default those of new files.

    The folder must exist. After an error or an interruption, nothing remains and the file is as before. Raises OSError.
    """
    own = f".{os.getpid()}-{get_ident()}-{next(_numbers)}"
    half = path.with_name(f"{path.name}{HALF}" if alone else f".{path.name}{own}{HALF}")
    try:
        with open(half, "wb") as stream:
            yield stream
            if lasting:
                stream.flush()
                os.fsync(stream.fileno())
        if mode is not None:
            half.chmod(mode)
        half.replace(path)
    except BaseException:
        with suppress(OSError):
            half.unlink()
        raise


def write_whole(path: Path, content: bytes, *, lasting: bool = False) -> None:
    """Write a file atomically, and create its folder where there is none. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path, lasting=lasting) as stream:
        stream.write(content)


__all__ = ["HALF", "whole_file", "write_whole"]
