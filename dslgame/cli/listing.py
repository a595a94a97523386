"""`dslgame list`: the games that come with the package."""

from __future__ import annotations

import click

from dslgame import bundled
from dslgame.cli.common import examples, json_option
from dslgame.cli.output import print_json, table


@click.command("list", short_help="List the bundled games.", epilog=examples(
    "dslgame list", "dslgame list --json",
    further='JSON: {"games": [{"name", "title", "genre", "credits", "players", "params", "file"}]}, by name; genre\n'
            'and credits are "" if a file has none.',
))
@json_option
def list_games(as_json: bool) -> None:
    """List the bundled games by genre: the names that stand for their files, and their params with defaults."""
    games = bundled.headings()
    if as_json:
        print_json({"games": [
            {"name": name, "title": game.title, "genre": game.genre, "credits": game.credits, "players": game.players,
             "params": game.params, "file": str(bundled.path_of(name))}
            for name, game in games.items()
        ]})
        return
    rows = [(name, games[name].title, " ".join(f"{key}={value}" for key, value in games[name].params.items()))
            for names in bundled.by_genre().values() for name in names]
    lines = iter(table(rows, right=(False, False, False)).splitlines())
    for number, (genre, names) in enumerate(bundled.by_genre().items()):
        click.echo(("\n" if number else "") + genre)
        for _ in names:
            click.echo(next(lines))
