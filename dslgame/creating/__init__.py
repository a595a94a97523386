"""Creates new games from templates, one for each kind of game.

A template is a file `templates/KIND.game`, a complete game, whose title and defaults of params are replaced. `created`
returns the game file, a perft file with counts, and a test.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING

import attrs

from dsl.diagnostics import GameFileError, has_errors, in_source_order
from dsl.syntax import rules
from dsl.syntax.formatter import format_text
from dsl.syntax.parser import parse
from dsl.syntax.source import Source
from interpreter.analysis.dynamic_checks import try_out
from interpreter.game import Game, examine
from solver.game_space import GameSpace
from solver.perft import perft

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic

SUFFIX = ".game"
DEEPEST, MOST_COUNTED = 5, 4_000
"""The most plies of the counts in a perft file, and about the most move sequences of a count beyond the first."""
SECONDS = 10.0
"""The most processor time in seconds for playing the new game to check it."""
_TEST = '''\
"""Tests of {name}.game: it has no mistakes, and reproduces the counts beside it."""

from pathlib import Path

import dslgame
from dslgame.perft_files import read
from solver.game_space import GameSpace
from solver.perft import perft

GAME = Path(__file__).with_name("{name}.game")


def test_counts() -> None:
    """Every count of move sequences in {name}.perft, counted again."""
    for expected in read(GAME.with_suffix(".perft")):
        game = dslgame.load(GAME, **dict(expected.params))
        space = GameSpace(game, expected.start(game).state, ignore_ends=expected.ignore_ends)
        assert expected.kind == "perft"
        assert perft(space, expected.depth).counts[-1] == expected.count, str(expected)


def test_first_moves() -> None:
    """Some move is legal at the start, and is undone by forgetting it."""
    position = dslgame.load(GAME).start()
    move, *_ = position.moves()
    assert position.play(move).played == (move,)
'''


@attrs.frozen
class Created:
    """The files of a new game as texts, and the findings of the checks."""

    game: str
    perft: str
    test: str
    findings: tuple[Diagnostic, ...]


def kinds() -> dict[str, str]:
    """The kinds of templates by name, each with the comment at the beginning of its file."""
    result = {}
    for file in sorted(resources.files(__name__).joinpath("templates").iterdir(), key=lambda item: item.name):
        if file.name.endswith(SUFFIX):
            head = []
            for row in file.read_text(encoding="utf-8").split("\n"):
                if not row.startswith("#"):
                    break
                head.append(row.removeprefix("#").strip())
            result[file.name.removesuffix(SUFFIX)] = " ".join(head)
    return result


def params_of(kind: str) -> dict[str, int]:
    """The params of a template with their defaults."""
    game, _ = examine(Source(kind, _template(kind)))
    assert game is not None
    return dict(game.params)


def created(kind: str, name: str, title: str, params: Mapping[str, int]) -> Created:
    """Create and check a new game of a kind, and count its move sequences; `name` is the name of its files.

    Raises GameFileError where the params are invalid, ValueError for a title that is not one line without quotes.
    """
    if '"' in title or "\n" in title or not title.strip():
        raise ValueError(f"found the title '{title}', expected one line without quotes")
    text = format_text(_with_params(_with_title(_template(kind), title), params))
    source = Source(f"{name}{SUFFIX}", text)
    game, result = examine(source)
    if game is None or has_errors(result):
        raise GameFileError(source, result)
    result = in_source_order([*result, *try_out(game, seconds=SECONDS)])
    return Created(text, _perft(game, title), _TEST.format(name=name), tuple(result))


def _template(kind: str) -> str:
    return resources.files(__name__).joinpath("templates", kind + SUFFIX).read_text(encoding="utf-8")


def _with_title(text: str, title: str) -> str:
    return re.sub(r'^game ".*?"', lambda result: f'game "{title}"', text, count=1, flags=re.MULTILINE)


def _with_params(text: str, params: Mapping[str, int]) -> str:
    """Replace defaults of params in a text. Raises GameFileError for unknown or invalid params."""
    source = Source("the template", text)
    game, result = examine(source, params)
    if game is None:
        raise GameFileError(source, result)
    lines = text.split("\n")
    for declaration in parse(source).file.all(rules.Param):
        span, value = declaration.default.span, params.get(declaration.name.text)
        if value is not None:
            row = lines[span.line - 1]
            lines[span.line - 1] = row[: span.column - 1] + str(value) + row[span.end_column - 1 :]
    return "\n".join(lines)


def _perft(game: Game, title: str) -> str:
    """The text of a perft file with the first counts."""
    rows = [f"# Counted by dslgame itself when {title} was new. Replace these by counts of your own: by hand, or of",
            "# another program that plays by the same rules."]
    space = GameSpace(game)
    for depth in range(1, DEEPEST + 1):
        count = perft(space, depth).counts[-1]
        rows.append(f"perft {depth} {count}")
        if not count or count * len(game.start().moves()) > MOST_COUNTED:
            break
    return "\n".join([*rows, ""])
