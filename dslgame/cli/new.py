"""`dslgame new`: create a game from a template, with its perft counts and a test."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from dslgame.cli.common import Words, doing, examples, force_option, json_option, param_option
from dslgame.cli.output import print_json
from dslgame.cli.writing import file_name, refuse_existing, write_file

_JSON = """\
JSON: {"kind", "title", "files": [paths], "diagnostics"}, as `check` gives them."""


class _Kind(Words):
    """A choice among the templates, which are loaded when the command runs."""

    def __init__(self) -> None:
        super().__init__([])

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the templates, which click reads only when it needs them."""
        from dslgame.creating import kinds

        return tuple(kinds())

    @choices.setter
    def choices(self, value: object) -> None:
        """Ignore the choices that click's constructor sets."""


def _asks() -> bool:
    """Whether the user can be prompted."""
    return sys.stdin is not None and sys.stdin.isatty()


@click.command("new", short_help="Start a game: rules, counts and a test.", epilog=examples(
    "dslgame new",
    "dslgame new --kind connection --title Bridges",
    "dslgame new --kind placement --title Five -p size=9 -p length=5 --to games",
    further=_JSON, codes=True,
))
@click.option("-k", "--kind", type=_Kind(), default=None, help="The kind of game; asked for if missing.")
@click.option("-t", "--title", default=None, help="The title of the game; asked for if missing.")
@param_option
@click.option("--to", "folder", default=".", show_default=True, type=click.Path(file_okay=False),
              help="The folder for the files; created if missing.")
@force_option
@json_option
def new(kind: str | None, title: str | None, params: Mapping[str, int], folder: str, as_json: bool) -> None:
    """Start a game from a template.

    Writes NAME.game, which is checked by playing it, NAME.perft with its first counts, and test_NAME.py, which verifies
    the counts. NAME is made from the title. On a terminal the command asks for anything that no option sets.
    """
    from dsl.diagnostics import as_json as plain
    from dsl.diagnostics import render
    from dsl.syntax.source import Source
    from dslgame import creating

    asking = _asks() and not as_json
    if (kind is None or title is None) and not asking:
        missing = "--kind" if kind is None else "--title"
        raise click.UsageError(f"say {missing}; the kinds are {', '.join(creating.kinds())}")
    known = creating.kinds()
    if kind is None:
        for name, meaning in known.items():
            click.echo(f"{name}: {meaning}")
        kind = click.prompt("What is the game like", type=_Kind(), default=next(iter(known)))
        asked = {name: click.prompt(name, type=int, default=default)
                 for name, default in creating.params_of(kind).items() if name not in params}
        params = {**asked, **params}
    if title is None:
        title = click.prompt("What is it called", default="My game")
    name = file_name(title).replace("-", "_")
    files = [Path(folder) / file for file in (f"{name}.game", f"{name}.perft", f"test_{name}.py")]
    for path in files:
        refuse_existing(str(path))
    try:
        with doing(f"making {title}"):
            made = creating.created(kind, name, title, params)
    except ValueError as problem:
        if type(problem) is not ValueError:
            raise
        raise click.ClickException(str(problem)) from None
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise click.ClickException(f"the folder {folder} cannot be made: {problem.strerror}") from None
    for path, text in zip(files, (made.game, made.perft, made.test), strict=True):
        write_file(str(path), text.encode())
    source = Source(str(files[0]), made.game)
    if as_json:
        print_json({"kind": kind, "title": title, "files": [str(path) for path in files],
                    "diagnostics": [plain(item, source) for item in made.findings]})
        return
    for item in made.findings:
        click.echo(render(item, source))
    for path in files:
        click.echo(str(path))
    click.echo(f"go on:  dslgame play {files[0]}")
