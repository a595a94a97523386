"""`dslgame list`: the games that come with the package."""

from __future__ import annotations

import click

from dslgame import bundled
from dslgame.cli.common import examples, json_option, load
from dslgame.cli.output import print_json, table


@click.command("list", short_help="List the bundled games.", epilog=examples(
    "dslgame list", "dslgame list --json",
    further='JSON: {"games": [{"name", "title", "players", "params", "file"}]}.',
))
@json_option
def list_games(as_json: bool) -> None:
    """List the bundled games by the names that stand for their files, with their params at their defaults."""
    games = [(name, load(str(bundled.FOLDER / (name + bundled.SUFFIX)), {})) for name in bundled.names()]
    if as_json:
        print_json({"games": [
            {"name": name, "title": game.title, "players": game.players, "params": game.params,
             "file": game.rules.source.name}
            for name, game in games
        ]})
        return
    rows = [("name", "game", "params")]
    for name, game in games:
        rows.append((name, game.title, " ".join(f"{key}={value}" for key, value in game.params.items())))
    click.echo(table(rows, right=(False, False, False), indent=""))
