"""Writing files: what they are called, none written over by mistake, and each in one step.

Nobody ever sees half of a file. A file that is there is written over where the user said so with --force, and by the
commands whose work that is: `fmt`, and `match --log`, which goes on with its log.
"""

from __future__ import annotations

import os
import re
import unicodedata
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
"""Characters of a file name that is made of a title."""
_RESERVED = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")
"""Names that Windows has for devices."""


def file_name(title: str) -> str:
    """What a file is called that is named for a title: letters a to z, digits, '-' and '_', and no path ever.

    Accents are dropped; other characters become '-'. A title of which nothing is left gives "game".
    """
    plain = unicodedata.normalize("NFKD", title).casefold().encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9_]+", "-", plain)[:MOST_NAME].strip("-")
    return f"game-{name}" if _RESERVED.fullmatch(name) else name or "game"


def refuse_existing(file: str) -> None:
    """Raise ClickException where something is there under a name to be written to, unless --force was given.

    Devices and pipes, such as /dev/null, are written to as they are.
    """
    if not session().force and os.path.lexists(file) and not _is_special(file):
        raise click.ClickException(f"{file} exists and stays as it is: give --force to write over it, or another name")


def _is_special(file: str) -> bool:
    """Whether a name is neither a file's nor a folder's."""
    return os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file)


class OutputFile(_ParamType):
    """The type of an option that names a file to write: one that is there is refused before any work is done.

    The command needs `force_option`. `folders` are let through where the command writes files into them.
    """

    name = "file"

    def __init__(self, *, folders: bool = False) -> None:
        self.folders = folders

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is. Raises ClickException where it is taken."""
        if not (self.folders and os.path.isdir(value)):
            refuse_existing(value)
        return value


def write_file(file: str, data: bytes) -> None:
    """Write a file, or replace it. A link stays a link, and the mode of a file that is there stays.

    Raises OSError, which names the file.
    """
    if _is_special(file):
        with open(file, "wb") as stream:
            stream.write(data)
        return
    path = Path(os.path.realpath(file))
    there = path.exists()
    if there and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", file)
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", file)
    try:
        with whole_file(path, lasting=True, mode=path.stat().st_mode & 0o7777 if there else None) as stream:
            stream.write(data)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, file) from None


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
