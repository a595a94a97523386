"""Source text and positions in it.

A `Source` is the text of one file (or of one string) with its name; a `Span` is a range of it. Lines and columns count
from 1, as editors do. Reading a file never raises: a problem with the file becomes a diagnostic like any other.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import attrs

MAX_BYTES = 1 << 20
"""The maximum size of a file. Rules take a few kilobytes; a larger file is rejected before it costs time."""
MAX_LINES = 20_000


@attrs.frozen(order=True)
class Span:
    """A range of a source: its first line and column, and its end (exclusive column)."""

    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of the other."""
        return Span(self.line, self.column, other.end_line, other.end_column)

    @classmethod
    def at(cls, line: int, column: int, length: int = 1) -> Span:
        """A span on one line."""
        return cls(line, column, line, column + length)


NOWHERE = Span(1, 1, 1, 1)
"""The span of what has no position in the text, such as a parameter given on the command line."""


def normalise(text: str) -> str:
    """The text with Unix line ends and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


@attrs.frozen(eq=False, slots=False)
class Source:
    """A text and its name."""

    name: str
    text: str = attrs.field(converter=normalise)
    """Unix line ends, no byte order mark."""

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends; at least one."""
        return self.text.split("\n") or [""]

    def line(self, number: int) -> str:
        """The text of a line, counted from 1; empty past the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@attrs.frozen
class Unreadable:
    """Why a file could not be read: a catalogue code, a phrase, and the line where known."""

    code: str
    phrase: str
    line: int = 1


def read(path: Path | str) -> Source | Unreadable:
    """The file's text, or why it cannot be read: missing, a directory, not UTF-8, too large."""
    path = Path(path)
    try:
        if path.is_dir():
            return Unreadable("G002", f"{path} is a directory, expected a .game file")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return Unreadable("G001", f"there is no file {path}")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Unreadable("G003", f"cannot read {path}: {reason}")
    if len(data) > MAX_BYTES:
        return Unreadable("G005", f"the file is larger than {MAX_BYTES // 1024} KiB, the most a rule file may have")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return Unreadable("G004", f"the file is not UTF-8 text: byte 0x{data[error.start]:02x} on line {line}", line)
    return Source(str(path), normalise(text))
