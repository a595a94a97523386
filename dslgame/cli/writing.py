"""Writing files: their names, no accidental overwriting, and atomic writes.

Other programs never see a half-written file. An existing file is overwritten only with --force, and by the commands
meant to do so: `fmt`, and `match --log`, which continues its log.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.whole_file import whole_file
from dslgame.cli.common import session

if TYPE_CHECKING:
    _ParamType = click.ParamType[str]
else:  # not generic before click 8.3
    _ParamType = click.ParamType

MOST_NAME = 80
"""The most characters of a file name that is made from a title."""
_RESERVED = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")
"""Matches the device names of Windows."""


def file_name(title: str) -> str:
    """Make a file name from a title: letters a to z, digits, '-' and '_' only, so that it is never a path.

    Accents are dropped; other characters become '-'. Where nothing is left, the name is "game".
    """
    plain = unicodedata.normalize("NFKD", title).casefold().encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9_]+", "-", plain)[:MOST_NAME].strip("-")
    return f"game-{name}" if _RESERVED.fullmatch(name) else name or "game"


def refuse_existing(file: str) -> None:
    """Raise ClickException where an output file exists, unless --force was given.

    Devices and pipes, such as /dev/null, are allowed.
    """
    if not session().force and os.path.lexists(file) and not _is_special(file):
        raise click.ClickException(f"{file} exists and stays as it is: give --force to write over it, or another name")


def check_folder(file: str) -> None:
    """Raise ClickException where the folder of an output file does not exist or cannot be written to."""
    folder = os.path.dirname(file) or "."
    if not os.path.isdir(folder):
        raise click.ClickException(f"{file} cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK) and not os.path.lexists(file):
        raise click.ClickException(f"{file} cannot be written: the folder {folder} is read-only")


def _is_special(file: str) -> bool:
    """Whether a path exists and is neither a file nor a folder."""
    return os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file)


class OutputFile(_ParamType):
    """The type of an option that names a file to write; refuses an existing file before any work is done.

    The command needs `force_option`. With `folders`, an existing folder is accepted, for commands that write into it.
    """

    name = "file"

    def __init__(self, *, folders: bool = False) -> None:
        self.folders = folders

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name as it is. Raises ClickException where the file exists, or its folder does not."""
        if not (self.folders and os.path.isdir(value)):
            refuse_existing(value)
            check_folder(value)
        return value


def write_file(file: str, data: bytes | Iterable[bytes]) -> None:
    """Write or replace a file atomically. A symbolic link stays a link, and an existing file keeps its mode.

    data: the content, or its parts; if one of these raises, nothing is written.

    Raises OSError with the name of the file.
    """
    parts = [data] if isinstance(data, bytes) else data
    if _is_special(file):
        with open(file, "wb") as stream:
            stream.writelines(parts)
        return
    path = Path(os.path.realpath(file))
    there = path.exists()
    if there and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", file)
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", file)
    try:
        with whole_file(path, lasting=True, mode=path.stat().st_mode & 0o7777 if there else None) as stream:
            stream.writelines(parts)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, file) from None


def write_picture(svg: str, svg_file: str | None, png_file: str | None) -> None:
    """Write an SVG document to a file, and as PNG to another. The PNG is rendered before either is written."""
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
