"""`dslgame openings`: the values of all first moves as a table, or as a picture of the board with coloured cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from dslgame.cli.common import (
    doing,
    examples,
    file_argument,
    force_option,
    json_option,
    load,
    method_option,
    moves_option,
    param_option,
    play_moves,
    position_option,
    title,
)
from dslgame.cli.output import counted, elapsed, print_json, progress, remark, table, wrapped
from dslgame.cli.writing import OutputFile, write_picture
from dslgame.exit_codes import INTERRUPTED, UNKNOWN
from interpreter.model.outcomes import result_of
from interpreter.wording import among

if TYPE_CHECKING:
    from interpreter.game import Position
    from solver.openings import Opening

WON, DRAWN, LOST, OPEN = "#4da66b", "#e8d27a", "#d98c7f", "#dddddd"
"""The colours of cells by the value of a move there, for the player to move: win, draw, loss, unknown."""
_SHADES = {"win": WON, "draw": DRAWN, "lose": LOST}

_JSON = """\
JSON: {"game", "params", "played", "to_move", "winner", "remoteness",
"complete", "reason", "openings": [{"move", "winner", "remoteness", "expected",
"reply", "images"}]}; winners are names, "draw", or null if they are unknown. In
games with chance "expected" is the expected value for the first player,
otherwise null."""
_NOTES = """\
Moves that are symmetric to each other share a row, unless --all is given. A
picture shows for each cell the best move that begins there, and how many plies
the game then lasts."""


@click.command(short_help="Show the value of each first move.", epilog=examples(
    "dslgame openings tic_tac_toe",
    "dslgame openings hex -p size=4 --svg openings.svg",
    'dslgame openings tic_tac_toe --moves "b2 a1" --all --csv',
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@file_argument
@param_option
@moves_option
@position_option
@click.option("--all", "every", is_flag=True, help="Give each move its own row, including symmetric ones.")
@method_option
@click.option("--threads", type=click.IntRange(1, 256), metavar="N",
              help="Number of search threads; default: the number of cores.")
@click.option("--nodes", type=click.IntRange(1), metavar="N", help="Give up after N positions.")
@click.option("--memory", type=click.IntRange(1), metavar="MB",
              help="Give up when this much memory is used; default: most of the free memory.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values, with a header line.")
@click.option("--svg", "svg_file", metavar="FILE", type=OutputFile(),
              help="Write a picture of the board with coloured cells, as SVG.")
@click.option("--png", "png_file", metavar="FILE", type=OutputFile(),
              help="The same as PNG; needs the extra 'pictures'.")
@force_option
@json_option
def openings(file: str, params: Mapping[str, int], moves: str, position: str | None, every: bool, method: str,
             threads: int | None, nodes: int | None, memory: int | None, as_csv: bool, svg_file: str | None,
             png_file: str | None, as_json: bool) -> None:
    """Show the result of each first move under best play, and the best reply to it.

    Exits with 3 if a limit was reached before all results were known.
    """
    from dslgame.cli.memory import cores, most_memory
    from solver.openings import openings as find

    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other: give one of them")
    game = load(file, params)
    at = play_moves(game, moves, position)
    with doing(f"solving {title(game)}"), progress(f"solving {game.title}", quiet=as_json or as_csv) as show:
        result, solution = find(
            at, merge=not every, method=method, nodes=nodes,
            memory=most_memory() if memory is None else memory, threads=threads or cores(),
            progress=None if show is None else lambda done, known, phase: show(f"{phase}, {known:,} positions"),
            said=remark)
    if svg_file or png_file:
        with doing("drawing the openings"):
            write_picture(picture(at, result), svg_file, png_file)
    if as_json:
        print_json({
            "game": game.title, "params": game.params, "played": at.played,
            "to_move": None if at.over else at.to_move, "winner": game.outcome_name(solution.winner),
            "remoteness": solution.remoteness, "complete": solution.complete, "reason": solution.reason,
            "openings": [{"move": item.text, "winner": game.outcome_name(item.winner), "remoteness": item.remoteness,
                          "expected": None if item.expected is None else item.expected.value,
                          "reply": item.reply or None, "images": item.image_texts} for item in result]})
    elif as_csv:
        click.echo(_csv(at, result), nl=False)
    else:
        click.echo(title(game))
        if at.played:
            click.echo(wrapped("after: ", " ".join(at.played)))
        if not result:
            click.echo("the game is over: there are no moves")
            return
        click.echo(_table(at, result))
        click.echo(f"{_tally(at, result)}; {elapsed(solution.seconds)}, method {solution.method}: {solution.reason}")
    if solution.interrupted:
        raise SystemExit(INTERRUPTED)
    if not all(item.known for item in result):
        raise SystemExit(UNKNOWN)


def _table(position: Position, result: list[Opening]) -> str:
    """The table of first moves: who wins and in how many plies, or with chance the expected value."""
    game = position.game
    chance = game.rules.has_chance
    rows = [("move", f"expected for {game.players[0]}" if chance else "winner", "" if chance else "plies", "reply", "")]
    for item in result:
        value = item.expected
        told = "unknown" if value is None or not value.known else f"{value.value:.6f}"
        rows.append((item.text, told if chance else game.outcome_name(item.winner) or "unknown",
                     "" if chance or item.remoteness is None else str(item.remoteness), item.reply,
                     f"and its {counted(len(item.images), 'image')}" if item.images else ""))
    return table(rows, right=(False, False, True, False, False))


def _tally(position: Position, result: list[Opening]) -> str:
    """The number of moves, images included, that lead to each result."""
    if position.game.rules.has_chance:
        return counted(sum(1 + len(item.images) for item in result), "first move")
    counts: dict[str, int] = {}
    for item in result:
        name = position.game.outcome_name(item.winner)
        words = "not known" if name is None else among(name)
        counts[words] = counts.get(words, 0) + 1 + len(item.images)
    return f"{counted(sum(counts.values()), 'first move')}: " + ", ".join(
        f"{number} {words}" for words, number in counts.items())


def _csv(position: Position, result: list[Opening]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["move", "winner", "remoteness", "expected", "reply", "images"])
    for item in result:
        writer.writerow([item.text, position.game.outcome_name(item.winner) or "",
                         "" if item.remoteness is None else item.remoteness,
                         "" if item.expected is None else item.expected.value, item.reply, " ".join(item.image_texts)])
    return text.getvalue()


def picture(position: Position, result: list[Opening]) -> str:
    """Draw the board as SVG, each cell coloured by the value of the best move there, with the plies to the end."""
    from interpreter.model.outcomes import is_open
    from interpreter.pictures import svg
    from solver.openings import by_cell

    mover = position.state.to_move
    shades: dict[int, str] = {}
    captions: dict[int, str] = {}
    for cell, item in by_cell(position, result).items():
        shades[cell] = OPEN if item.winner is None or is_open(item.winner) else _SHADES[
            result_of(item.winner, mover, len(position.game.players))]
        if item.expected is not None:
            del shades[cell]
            captions[cell] = f"{item.expected.value:.3g}"
        elif item.remoteness is not None:
            captions[cell] = str(item.remoteness)
    name = position.game.players[mover]
    words = {WON: f"win for {name}", DRAWN: "draw", LOST: f"loss for {name}", OPEN: "not known"}
    legend = [(colour, text) for colour, text in words.items() if colour in shades.values()]
    return svg(position.game, position.state, shades=shades, captions=captions, legend=legend,
               caption=f"{name} to move")
