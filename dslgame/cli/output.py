"""The output of the commands: JSON, columns and tables, colour, and a progress line.

The plain text has all the information; colour and progress appear on a terminal only. Used by the commands, not by
`common`.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from interpreter.wording import finished

if TYPE_CHECKING:
    from rich.status import Status

    from interpreter.drawing import Style
    from interpreter.game import Game, Position

def print_json(value: Mapping[str, object]) -> None:
    """Print a JSON object on one line of the standard output."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    click.echo(json.dumps(value, ensure_ascii=encoding != "utf8"))


def columns(texts: Sequence[str], *, indent: str = "  ", width: int | None = None) -> str:
    """Lay texts out in columns, row by row, across the width of the terminal."""
    if not texts:
        return ""
    width = (width or shutil.get_terminal_size().columns) - len(indent)
    cell = max(map(len, texts)) + 2
    count = max(1, (width + 2) // cell)
    rows = [texts[start : start + count] for start in range(0, len(texts), count)]
    return "\n".join(indent + "".join(text.ljust(cell) for text in row).rstrip() for row in rows)


def printable(text: str) -> str:
    """A text, such as a file name, with control characters replaced, so that it cannot control the terminal."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def wrapped(lead: str, text: str) -> str:
    """Wrap a text after a lead, with further lines indented by the width of the lead."""
    width = max(40, shutil.get_terminal_size().columns)
    return textwrap.fill(text, width, initial_indent=lead, subsequent_indent=" " * len(lead), break_long_words=False,
                         break_on_hyphens=False)


def table(rows: Iterable[Sequence[str]], *, right: Sequence[bool], indent: str = "  ") -> str:
    """Lay rows of texts out in aligned columns; `right` says which columns are flush right."""
    lines = list(rows)
    if not lines:
        return ""
    widths = [max(len(row[number]) for row in lines) for number in range(len(right))]
    return "\n".join(
        (indent + "  ".join(text.rjust(width) if flush else text.ljust(width)
                            for text, width, flush in zip(row, widths, right, strict=True))).rstrip()
        for row in lines
    )


def counted(number: int, word: str) -> str:
    """`1 move`, `2 moves`, `1,234 moves`."""
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def elapsed(seconds: float) -> str:
    """A duration as text, in seconds or minutes."""
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


def outcome_text(outcome: str) -> str:
    """An outcome as a sentence: `draw` or `Black won`."""
    return finished(outcome)


def wants_colour(colour: bool | None) -> bool:
    """Whether to colour the output: as the option says, otherwise on a terminal where NO_COLOR is not set."""
    if colour is not None:
        return colour
    return bool(sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
                and os.environ.get("TERM") != "dumb")


_PLAIN = {"": None, "black": None, "white": None}
_TERMINAL: Mapping[str, str | tuple[int, int, int] | None] = {
    **_PLAIN, "grey": "bright_black", "orange": (255, 140, 0), "brown": (165, 105, 60), "purple": (150, 80, 200),
    "pink": (255, 130, 180),
}


def colouring(game: Game, position: Position) -> Style:
    """A style that draws each piece in its colour; black and white pieces in bold, to be readable on any background."""
    result = position.pieces
    kinds = {name: kind.colour for name, kind in zip(game.piece_names, game.rules.pieces, strict=True)}
    empty = "empty"

    def style(cell: int, text: str) -> str:
        piece = result.get(game.board.names[cell], empty)
        if piece == empty:
            return click.style(text, dim=text.strip() == game.rules.empty_glyph)  # dims empty cells, not numbers
        colour = kinds.get(piece, "")
        if colour.startswith("#"):
            return click.style(text, fg=(int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)), bold=True)
        return click.style(text, fg=_TERMINAL.get(colour, colour), bold=True)

    return style


def picture(position: Position, *, colour: bool) -> str:
    """The board as text, coloured or not."""
    return position.drawing(style=colouring(position.game, position) if colour else None)


# ---- progress


_lines: list[Status] = []
"""The progress line that the terminal shows, if any."""


@contextmanager
def above_progress() -> Iterator[None]:
    """Clear the progress line within the block, which prints; it is shown again below."""
    for line in _lines:
        line.stop()
    try:
        yield
    finally:
        for line in _lines:
            line.start()


def remark(text: str) -> None:
    """Print a remark on the standard error, above the progress line. Where nobody can read it, because it is closed or
    full, the work goes on.
    """
    with suppress(OSError), above_progress():
        click.echo(text, err=True)


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Callable[[str], None] | None]:
    """Show a progress line on the terminal; yields a function that updates it, or None without a terminal."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(what), refresh_per_second=5) as status:
        _lines.append(status)
        try:
            yield lambda text: status.update(escape(f"{what}: {text}"))
        finally:
            _lines.remove(status)
