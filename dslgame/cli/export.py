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
    "dslgame export reversi --html",
    "dslgame export my.game --html --rules",
    codes=True,
))
@file_argument
@param_option
@moves_option
@position_option
@click.option("--html", is_flag=True, help="Write a self-contained HTML file.")
@click.option("-o", "--output", metavar="FILE", type=OutputFile(),
              help="The file to write; default: named after the game, such as connect-four.html, in the current "
                   "folder.")
@force_option
@click.option("--positions", type=click.IntRange(1), default=20_000, show_default=True, metavar="N",
              help="Maximum number of positions to write one by one; each takes about 20 to 100 bytes.")
@click.option("--rules", "by_rules", is_flag=True,
              help="Write the rules instead of the positions, even for a game with few positions.")
def export(file: str, params: Mapping[str, int], moves: str, position: str | None, html: bool, output: str | None,
           positions: int, by_rules: bool) -> None:
    """Write a game as one HTML file, to be played from disk in any browser.

    If a game has few positions and can be solved, the file holds every position with its moves, its picture and its
    value, and the solution plays. For any other game the file holds the rules as JavaScript, and a search plays that
    thinks for a second in the browser.
    """
    from dslgame.web import exporting

    if not html:
        raise click.UsageError("say what to write: --html is what there is")
    game = load(file, params)
    name = output or f"{file_name(game.title)}.html"
    refuse_existing(name)
    if not game.observer.sees_all:
        raise click.ClickException(f"{game.unseen}, and a file has all of the game; `dslgame web` shows each "
                                   "player what this player sees")
    if game.rules.has_chance:
        raise click.ClickException(f"chance moves in {game.title}, and a file cannot draw for it; `dslgame web` does")
    at = play_moves(game, moves, position)
    with doing(f"exporting {title(game)}"), progress(f"exporting {title(game)}") as tell:
        try:
            result = exporting.exported(game, at.state, positions, tell, by_rules=by_rules)
        except exporting.CannotExport as problem:
            click.echo(f"error: {problem}: give smaller params, a position nearer to the end, or more --positions; "
                       "`dslgame web` plays any game", err=True)
            raise SystemExit(UNKNOWN) from None
        text = result.page().encode()
    write_file(name, text)
    if result.kernel is not None:
        what = "its rules, with a search"
    else:
        worth = "with their values" if result.data["valued"] else "without values: they depend on the moves before"
        what = f"{counted(len(result.data['nodes']), 'position')} {worth}"
    click.echo(f"{name}: {what}, {len(text) / 1024:,.0f} KiB")
