"""`dslgame patterns learn`: learn move patterns from games that a player plays against itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs
import click

from dslgame import bundled
from dslgame.cli.common import (
    Words,
    doing,
    examples,
    file_argument,
    force_option,
    json_option,
    load,
    param_option,
    title,
)
from dslgame.cli.output import counted, elapsed, print_json, progress, table
from dslgame.cli.writing import OutputFile, write_file

if TYPE_CHECKING:
    from interpreter.game import Game
    from solver.learning.learn import LearnedPatterns, Ordering

_JSON = """\
JSON: {"game", "params", "teacher", "positions", "games", "rules_found",
"patterns", "before" and "after" ({"situations", "first", "among_three",
"proposed", "moves", "rank"}), "nodes": {"without", "with"} or null, "seconds",
"file"}."""


@click.command("learn", short_help="Learn patterns from play.", epilog=examples(
    "dslgame patterns learn hex -p size=7 --to learned.pattern",
    'dslgame patterns learn connect_four --teacher "mcts nodes=2000" --positions 1000',
    'dslgame patterns learn twixt -p rows=12 -p columns=12 --teacher "patterns plies=3" --anchor "own piece"',
    further=_JSON, codes=True,
))
@file_argument
@param_option
@click.option("--to", "target", metavar="PATTERN", type=OutputFile(),
              help="Write the patterns to this file; without it they are printed.")
@force_option
@click.option("--teacher", metavar="LEVEL", default=None,
              help="The player to learn from, such as 'alphabeta plies=4'; default: alphabeta nodes=20000 for a game "
                   "with a value, otherwise mcts nodes=2000.")
@click.option("--positions", type=click.IntRange(10), default=600, show_default=True, metavar="N",
              help="Number of positions to play.")
@click.option("--anchor", "anchors", multiple=True, metavar="ANCHOR",
              help="Where patterns may begin, as in a pattern file; repeatable. Default: the ends of chains, the last "
                   "move, pieces, and the sets of cells at which the game's bundled patterns begin.")
@click.option("--reach", type=click.IntRange(1, 5), default=None, metavar="N",
              help="How far from its anchor a pattern looks and plays; default: 3, or 4 if there are links.")
@click.option("--symmetries", type=Words(["none", "left right mirror", "all turns", "all turns and mirrors"]),
              default=None, help="How patterns without a goal are rotated and reflected; default: by the game's "
                                 "symmetries.")
@click.option("--most", type=click.IntRange(1), default=60, show_default=True, metavar="N",
              help="Maximum number of patterns.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of random choices.")
@json_option
def learn(file: str, params: Mapping[str, int], target: str | None, teacher: str | None, positions: int,
          anchors: tuple[str, ...], reach: int | None, symmetries: str | None, most: int, seed: int,
          as_json: bool) -> None:
    """Learn move patterns from games that a player plays against itself, and write a readable pattern file.

    The surroundings of the moves that the player chose become conditions. A pattern is kept if it moves the chosen
    moves of other games further to the front; how far is measured on games that were used for neither. After Ctrl-C the
    command continues with what it has so far.
    """
    import time

    started = time.perf_counter()
    game = load(file, params)
    level = teacher or ("alphabeta nodes=20000" if game.rules.value is not None else "mcts nodes=2000")
    result, count, games = _learned(game, level, positions, anchors, reach, symmetries or "", most, seed, as_json)
    if target is not None and result.text:
        write_file(target, result.text.encode())
    seconds = time.perf_counter() - started
    if as_json:
        print_json({
            "game": game.title, "params": dict(game.params), "teacher": level, "positions": count, "games": games,
            "rules_found": result.tried, "patterns": len(result.rules), "before": attrs.asdict(result.before),
            "after": attrs.asdict(result.after),
            "nodes": None if result.nodes is None else {"without": result.nodes[0], "with": result.nodes[1]},
            "seconds": seconds, "file": target if result.text else None})
    else:
        if target is None and result.text:
            click.echo(result.text)
        click.echo(f"{title(game)}: {counted(count, 'position')} of {counted(games, 'game')}, played by {level}")
        click.echo(f"{counted(len(result.rules), 'pattern')} of {counted(result.tried, 'rule')} that were found help, "
                   f"measured on {counted(result.after.situations, 'position')} of other games:")
        click.echo(_table(result))
        click.echo(f"{elapsed(seconds)}{f', written to {target}' if target and result.text else ''}")
    if not result.text:
        raise click.ClickException("no pattern helps: give more --positions, another --teacher or other --anchor")


def _learned(game: Game, level: str, positions: int, anchors: tuple[str, ...], reach: int | None, symmetries: str,
             most: int, seed: int, quiet: bool) -> tuple[LearnedPatterns, int, int]:
    """Play and learn: the learned patterns, and the numbers of positions and of games that they are learned from."""
    import dslgame
    from dsl.diagnostics import GameFileError
    from solver.learning.learn import learn as learn_from
    from solver.learning.situations import collect
    from solver.learning.views import default_anchors

    try:
        player = dslgame.player(game, level, seed=seed)
    except GameFileError:
        raise
    except ValueError as problem:
        raise click.BadParameter(str(problem), param_hint="'--teacher'") from None
    with doing("playing"), progress(f"playing {title(game)}", quiet=quiet) as tell:
        def told(count: int, games: int) -> None:
            if tell is not None:
                tell(f"{count} of {counted(positions, 'position')}, {counted(games, 'game')}")

        situations, games = collect(game, player, positions, seed=seed, tell=told)
    parts = {situation.part for situation in situations}
    if len(parts) < 3:
        raise click.ClickException(f"{counted(len(situations), 'position')} of {counted(games, 'game')} are too few to "
                                   "learn from: give more --positions, at least those of five games")
    with doing("learning"), progress("learning", quiet=quiet) as tell:
        result = learn_from(game, situations, anchors=anchors or (*default_anchors(game), *_known_anchors(game)),
                            reach=reach or (4 if game.board.layers else 3), symmetries=symmetries, most=most,
                            teacher=level, hooks=bundled.hooks_of(game), tell=tell)
    return result, len(situations), games


def _known_anchors(game: Game) -> list[str]:
    """The anchors on sets of cells (`cell in ...`) of the pattern file that comes with a game."""
    from dsl.patterns.parser import parse_patterns
    from dsl.patterns.rules import AnchorLine
    from dsl.patterns.writer import anchor_text

    source = bundled.patterns_of(game)
    lines = parse_patterns(source).file.lines if source is not None else ()
    result = [anchor_text(line.anchor) for line in lines if isinstance(line, AnchorLine)]
    return list(dict.fromkeys(text for text in result if text.startswith("cell in")))


def _table(result: LearnedPatterns) -> str:
    """The table of how well the move ordering predicts the played moves, without the patterns and with them."""
    rows: list[tuple[str, ...]] = [("", "without", "with")]
    texts: list[tuple[str, Ordering]] = [("without", result.before), ("with", result.after)]
    rows += [("the move that was played comes first", *(f"{found.first:.1%}" for _, found in texts)),
             ("among the first three", *(f"{found.among_three:.1%}" for _, found in texts)),
             ("is proposed", *(f"{found.proposed:.1%}" for _, found in texts)),
             ("moves proposed", *(f"{found.moves:.1f}" for _, found in texts))]
    if result.nodes is not None:
        rows.append(("nodes of alpha-beta at equal depth", *(f"{nodes:,}" for nodes in result.nodes)))
    return table(rows, right=[False, True, True])
