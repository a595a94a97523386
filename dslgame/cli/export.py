"""`dslgame export`: a game as one HTML file that is played from disk."""

from __future__ import annotations

from collections.abc import Mapping

import click

from dslgame.cli.common import (
    doing,
    examples,
    file_argument,
    force_option,
    load,
    moves_option,
    param_option,
    play_moves,
    position_option,
    title,
)
from dslgame.cli.output import counted, progress
from dslgame.cli.writing import OutputFile, file_name, refuse_existing, write_file
from dslgame.exit_codes import UNKNOWN


@click.command(short_help="Write a game as one HTML file.", epilog=examples(
    "dslgame export tic_tac_toe --html",
    "dslgame export nex -p rows=2 -p columns=2 --html -o nex.html",
    "dslgame export my.game --html --positions 50000",
    codes=True,
))
@file_argument
@param_option
@moves_option
@position_option
@click.option("--html", is_flag=True, help="Write an HTML file that needs nothing else.")
@click.option("-o", "--output", metavar="FILE", type=OutputFile(),
              help="The file to write; by default one that is called as the game is, as in connect-four.html, here.")
@force_option
@click.option("--positions", type=click.IntRange(1), default=20_000, show_default=True, metavar="N",
              help="The most positions to export; a file has some 20 to 100 bytes for each.")
def export(file: str, params: Mapping[str, int], moves: str, position: str | None, html: bool, output: str | None,
           positions: int) -> None:
    """Write a game as one HTML file, which is played from disk in any browser.

    The file holds every position of the game, with its moves, its picture and, where it can be solved, its value. Games
    with more positions than --positions cannot be written so; `dslgame web` plays them.
    """
    from dslgame.web import exporting

    if not html:
        raise click.UsageError("say what to write: --html is what there is")
    game = load(file, params)
    name = output or f"{file_name(game.title)}.html"
    refuse_existing(name)
    at = play_moves(game, moves, position)
    with doing(f"exporting {title(game)}"), progress(f"exporting {title(game)}") as tell:
        try:
            data = exporting.packed(game, at.state, positions, tell)
        except exporting.TooLarge as problem:
            click.echo(f"error: {problem}, and a browser needs every one of them: give smaller params, a position "
                       "nearer to the end, or more --positions; `dslgame web` plays any game", err=True)
            raise SystemExit(UNKNOWN) from None
        text = exporting.page(data)
    write_file(name, text.encode())
    worth = "with their values" if data["valued"] else "without values: they depend on the moves before"
    click.echo(f"{name}: {counted(len(data['nodes']), 'position')} {worth}, {len(text.encode()) / 1024:,.0f} KiB")
