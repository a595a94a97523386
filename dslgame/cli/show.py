"""`dslgame show`: a position of a game, with its moves and its outcome."""

from __future__ import annotations

from collections.abc import Mapping

import click

from dslgame.cli.common import (
    colour_option,
    examples,
    file_argument,
    json_option,
    load,
    moves_option,
    param_option,
    play_moves,
    title,
)
from dslgame.cli.output import columns, counted, outcome_text, picture, print_json, wants_colour, wrapped

_JSON = """\
JSON: {"game", "params", "position", "to_move", "moves", "outcome", "board", "played"}.
"position" is the position in one line, "to_move" null when the game is over,
"outcome" null while it goes on, "draw", or the winner's name."""


@click.command(short_help="Show a position and its moves.", epilog=examples(
    "dslgame show tic_tac_toe",
    'dslgame show hex -p size=5 --moves "c3 b2 d1"',
    "dslgame show my.game --json | jq .moves",
    further=_JSON, codes=True,
))
@file_argument
@param_option
@moves_option
@colour_option
@json_option
def show(file: str, params: Mapping[str, int], moves: str, colour: bool | None, as_json: bool) -> None:
    """Show the board, who is to move, the legal moves and the outcome."""
    game = load(file, params)
    position = play_moves(game, moves)
    legal = position.moves()
    if as_json:
        print_json({
            "game": game.title,
            "params": game.params,
            "position": game.position_text(position.state),
            "to_move": None if position.over else position.to_move,
            "moves": legal,
            "outcome": position.outcome,
            "board": position.drawing(),
            "played": position.played,
        })
        return
    coloured = wants_colour(colour)
    click.echo(title(game))
    click.echo(picture(position, colour=coloured), color=coloured)
    if position.played:
        click.echo(wrapped("played: ", " ".join(position.played)))
    if position.outcome is not None:
        click.echo(f"the game is over: {outcome_text(position.outcome)}")
        return
    click.echo(f"{position.to_move} to move, {counted(len(legal), 'move')}:")
    click.echo(columns(legal))
