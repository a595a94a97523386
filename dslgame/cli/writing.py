"""Writing files in one step, so that nobody ever sees half of one."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import click


def write_file(file: str, data: bytes) -> None:
    """Write a file, or replace it. A link stays a link, and the mode of a file that is there stays.

    Raises OSError, which names the file.
    """
    path = Path(os.path.realpath(file))
    there = path.exists()
    if there and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", file)
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", file)
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, path.stat().st_mode & 0o7777 if there else 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as problem:
        with suppress(OSError):
            os.unlink(temporary)
        raise OSError(problem.errno, problem.strerror, file) from None
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def write_picture(svg: str, svg_file: str | None, png_file: str | None) -> None:
    """Write an SVG document to a file, and as pixels to another. PNG files are made before any is written."""
    from interpreter.pictures.png import NoRenderer, png

    pixels = b""
    if png_file is not None:
        try:
            pixels = png(svg, zoom=2)
        except NoRenderer as problem:
            raise click.ClickException(str(problem)) from None
    if svg_file is not None:
        write_file(svg_file, svg.encode())
    if png_file is not None:
        write_file(png_file, pixels)


def _umask() -> int:
    """What new files are not allowed."""
    found = os.umask(0o022)
    os.umask(found)
    return found
