"""`dslgame show`: a position of a game, with its moves and its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from dslgame.cli.common import (
    colour_option,
    doing,
    examples,
    file_argument,
    force_option,
    json_option,
    load,
    moves_option,
    param_option,
    play_moves,
    position_option,
    split_moves,
    title,
)
from dslgame.cli.output import columns, counted, outcome_text, picture, print_json, wants_colour, wrapped
from dslgame.cli.writing import OutputFile, write_picture

if TYPE_CHECKING:
    from interpreter.game import Game, Position

_JSON = """\
JSON: {"game", "params", "position", "to_move", "moves", "outcome", "board",
"played"}. "position" is the position in one line, "to_move" is null if the game
is over, "outcome" is null while it goes on, "draw", or the winner's name. With
--why {"game", "params", "move", "rule", "line", "steps": [{"rule", "line",
"choices", "changes"}], "taken_back", "taken_back_line", "end", "end_line",
"outcome", "board", "legal"}."""


@click.command(short_help="Show a position and its moves.", epilog=examples(
    "dslgame show tic_tac_toe",
    'dslgame show hex -p size=5 --moves "c3 b2 d1"',
    'dslgame show trax --moves "@0/ B1/ A2/" --why',
    'dslgame show twixt --moves "f6 h5 h7" --svg position.svg',
    'dslgame show trax --moves "@0/ B1/ A2/" --strip --png game.png',
    "dslgame show my.game --json | jq .moves",
    further=_JSON, codes=True,
))
@file_argument
@param_option
@moves_option
@position_option
@click.option("--why", is_flag=True,
              help="Explain what the last move did: forced rules, what took it back, which end decided.")
@click.option("--svg", "svg_file", metavar="FILE", type=OutputFile(),
              help="Write a picture of the position to this file, as SVG.")
@click.option("--png", "png_file", metavar="FILE", type=OutputFile(),
              help="The same as PNG; needs the extra 'pictures'.")
@force_option
@click.option("--strip", is_flag=True, help="Show the position after each of the moves in the picture.")
@colour_option
@json_option
def show(file: str, params: Mapping[str, int], moves: str, position: str | None, why: bool, svg_file: str | None,
         png_file: str | None, strip: bool, colour: bool | None, as_json: bool) -> None:
    """Show the board, the player to move, the legal moves and the outcome.

    Pictures mark the last move; its forced consequences are dashed.
    """
    if strip and not (svg_file or png_file):
        raise click.UsageError("--strip says what a picture shows: give --svg FILE or --png FILE")
    if why and (svg_file or png_file):
        raise click.UsageError("--why prints a text and draws no picture: leave out --svg and --png")
    game = load(file, params)
    if why:
        explain_last(game, moves, position, as_json=as_json)
        return
    at = play_moves(game, moves, position)
    if svg_file or png_file:
        write_pictures(at, svg_file, png_file, strip=strip)
    legal = at.moves()
    if as_json:
        print_json({
            "game": game.title,
            "params": game.params,
            "position": game.position_text(at.state),
            "to_move": None if at.over else at.to_move,
            "moves": legal,
            "outcome": at.outcome,
            "board": at.drawing(),
            "played": at.played,
        })
        return
    coloured = wants_colour(colour)
    click.echo(title(game))
    click.echo(picture(at, colour=coloured), color=coloured)
    if at.played:
        click.echo(wrapped("played: ", " ".join(at.played)))
    if at.outcome is not None:
        click.echo(f"the game is over: {outcome_text(at.outcome)}")
        return
    click.echo(f"{at.to_move} to move, {counted(len(legal), 'move')}:")
    click.echo(columns(legal))


def write_pictures(position: Position, svg_file: str | None, png_file: str | None, *, strip: bool) -> None:
    """Write a picture of a position, or a strip of the positions that led to it, to files."""
    from interpreter.pictures import strip as strip_of
    from interpreter.pictures import svg_of

    with doing("drawing the position"):
        text = strip_of(position) if strip else svg_of(position)
        write_picture(text, svg_file, png_file)


def explain_last(game: Game, moves: str, start: str | None, *, as_json: bool) -> None:
    """Print a trace of the last of some moves: its rule, what it forced, and why it was taken back or ended the game.
    """
    import attrs

    from interpreter.errors import IllegalMove
    from interpreter.semantics.move_trace import explain

    texts = split_moves(moves)
    if not texts:
        raise click.UsageError("--why explains a move: give one or more with --moves")
    before = play_moves(game, " ".join(texts[:-1]), start)
    try:
        result = explain(before, texts[-1])
    except IllegalMove:
        play_moves(game, moves, start)  # raises with the number of the move and the board
        raise
    if as_json:
        print_json({"game": game.title, "params": game.params, **attrs.asdict(result), "legal": result.legal})
        return
    click.echo(title(game))
    click.echo(before.drawing())
    click.echo(f"{before.to_move} played {result.move}: {result.rule} (line {result.line})")
    for number, step in enumerate(result.steps, start=1):
        click.echo(f"  {number}. {step}")
    if not result.steps:
        click.echo("  nothing is forced")
    click.echo(result.board)
    if not result.legal:
        click.echo(f"taken back by line {result.taken_back_line}: {result.taken_back}")
    elif result.outcome is not None:
        click.echo(f"the game is over by line {result.end_line}: {result.end}")
        click.echo(outcome_text(result.outcome))
