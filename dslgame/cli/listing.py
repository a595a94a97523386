"""`dslgame list`: the games that come with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dslgame import bundled
from dslgame.cli.common import examples, json_option, load
from dslgame.cli.output import print_json, table

if TYPE_CHECKING:
    from dsl.syntax.heading import Heading


@click.command("list", short_help="List the bundled games.", epilog=examples(
    "dslgame list", "dslgame list --json",
    further='JSON: {"games": [{"name", "title", "players", "params", "file"}]}.',
))
@json_option
def list_games(as_json: bool) -> None:
    """List the bundled games by the names that stand for their files, with their params at their defaults."""
    games = [(name, _heading(str(bundled.path_of(name)))) for name in bundled.names()]
    if as_json:
        print_json({"games": [
            {"name": name, "title": game.title, "players": game.players, "params": game.params,
             "file": str(bundled.path_of(name))}
            for name, game in games
        ]})
        return
    rows = [("name", "game", "params")]
    for name, game in games:
        rows.append((name, game.title, " ".join(f"{key}={value}" for key, value in game.params.items())))
    click.echo(table(rows, right=(False, False, False), indent=""))


def _heading(file: str) -> Heading:
    """What a file says before its rules, by the lines that say it; by reading it whole where these are not plain."""
    from dsl.syntax.heading import Heading, heading
    from dsl.syntax.source import Source, read

    source = read(file)
    found = heading(source.text) if isinstance(source, Source) else None
    if found is None:
        game = load(file, {})
        found = Heading(game.title, game.params, tuple(game.players))
    return found
