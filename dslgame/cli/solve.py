"""`dslgame solve`: who wins a game under best play, in how many plies, and the value of each first move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from dslgame import exit_codes
from dslgame.cli import expectation
from dslgame.cli.cluster import Target, check_options, cluster_options, file_of, solve_there
from dslgame.cli.common import (
    Reals,
    doing,
    examples,
    file_argument,
    force_option,
    json_option,
    load,
    method_option,
    param_option,
    play_moves,
    position_option,
    title,
)
from dslgame.cli.information import print_solution
from dslgame.cli.output import counted, elapsed, outcome_text, print_json, progress, remark, table, wrapped
from dslgame.cli.writing import OutputFile, write_file
from interpreter.wording import among, expected, won
from solver import methods
from solver.budget import MOST_HISTORIES

if TYPE_CHECKING:
    from interpreter.game import Game, Position
    from interpreter.model.state import Move, State
    from interpreter.patterns.matching import Book
    from solver.certificates.prove import Made
    from solver.expected.value import Expected
    from solver.solve import Solution

_JSON = """\
JSON: {"game", "params", "to_move", "winner" (a player's name, "draw", or null
if unknown), "remoteness" (plies to the end), "best", "positions",
"positions_merged", "method", "engine", "seconds", "moves": [{"move", "winner",
"remoteness"}], "reason", "played", with --report "report", and with
--certificate "certificate": {"file", "bytes", "positions"}}. With --merge only
one move of each class of equivalent moves, with the others as its "images"."""

_NOTES = """\
The value is that of the position as if no position had occurred before it. A
win or draw in N plies is N moves away, counting the moves of both players. If
positions can recur, a player who cannot win but can avoid losing for ever
draws; if the rules make a repetition a loss or forbid it, lines of play are
searched, and there can be many of them."""


@click.command(short_help="Find who wins under best play.", epilog=examples(
    "dslgame solve tic_tac_toe",
    "dslgame solve nex --merge",
    'dslgame solve hex -p size=4 --moves "b2" --method carriers',
    "dslgame solve pig -p goal=20",
    "dslgame solve connect_four --nodes 1000000 --json",
    "dslgame solve connect_four -p rows=5 -p columns=5 --save five.solution",
    "dslgame solve connect_four -p rows=5 -p columns=5 --cluster local --save five",
    "dslgame solve tic_tac_toe --certificate tic.proof",
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@file_argument
@param_option
@click.option("-m", "--moves", "--from", metavar="MOVES", default="", help="Solve the position after these moves.")
@position_option
@click.option("--merge", is_flag=True, help="Show one move of each class of equivalent moves.")
@method_option
@click.option("--value", "value_only", is_flag=True,
              help="Find only who wins, not the value of each first move.")
@click.option("--patterns", "by_patterns", is_flag=True,
              help="Let the search try the moves first that the game's pattern file proposes (method "
                   f"{' or '.join(methods.taking('patterns'))}).")
@click.option("--no-symmetry", is_flag=True, help="Do not merge positions by the game's symmetries.")
@click.option("--every-symmetry", is_flag=True,
              help=f"With --method {methods.ALL}: also merge positions by symmetries that the first position lacks, "
                   "and by those that swap the players. Fewer positions are stored, and equivalent ones are counted "
                   "once.")
@click.option("--take-wins", is_flag=True,
              help=f"With --method {methods.ALL}: ignore all other moves where one wins at once, and store no finished "
                   "positions. Fewer positions are stored.")
@click.option("--anyway", is_flag=True,
              help=f"Start --method {methods.ALL} even if it is expected to need more time or memory than there is.")
@click.option("--nodes", type=click.IntRange(1), metavar="N",
              help=f"Give up after N positions; default: no limit, but {MOST_HISTORIES:,} histories where something is "
                   "hidden.")
@click.option("--memory", type=click.IntRange(1), metavar="MB",
              help="Give up when this much memory is used; default: most of the free memory.")
@click.option("--save", "target", metavar="SOLUTION", type=Target(),
              help="Save the values of all positions in this file, for `dslgame query`; with --cluster in this folder "
                   "or URL. Continues interrupted work.")
@cluster_options
@click.option("--certificate", metavar="PROOF", type=OutputFile(),
              help="Write a proof of the value to this file, which `dslgame certify` or any other program can check.")
@click.option("--certify-moves", is_flag=True, help="With --certificate: also prove the value of each first move.")
@force_option
@click.option("--threads", type=click.IntRange(1, 256), metavar="N",
              help="Number of search threads; default: the number of cores.")
@click.option("--remoteness/--no-remoteness", default=None,
              help="Also find the number of plies of a win, however long that takes; or never search for it.")
@click.option("--exploitability", type=Reals(0, min_open=True), metavar="X",
              help="In games with hidden information that are too large for a linear program: learn until a best "
                   "response to the strategies gains less than X; default: 0.001.")
@click.option("--report", is_flag=True,
              help="Also report why the method was chosen, and what it did: nodes, cutoffs, the transposition table, "
                   "depths.")
@json_option
def solve(file: str, params: Mapping[str, int], moves: str, position: str | None, merge: bool, method: str,
          value_only: bool, by_patterns: bool, no_symmetry: bool, every_symmetry: bool, take_wins: bool,
          anyway: bool, nodes: int | None, memory: int | None, target: str | None, cluster: str | None,
          workers: int | None, certificate: str | None, certify_moves: bool, threads: int | None,
          remoteness: bool | None, exploitability: float | None, report: bool, as_json: bool) -> None:
    """Find the value of a game and of each first move, exactly or not at all.

    Exits with 3 if a limit was reached before the value was known.
    """
    from dslgame.cli.memory import cores, most_memory
    from solver.game_space import solve_game

    check_method(method, save=target is not None, patterns=by_patterns)
    check_options(cluster, workers, target, method, value=value_only, patterns=by_patterns, nodes=nodes is not None,
                  threads=threads is not None, remoteness=remoteness is not None, report=report)
    kept = file_of(target) if cluster is None else None
    if certify_moves and certificate is None:
        raise click.UsageError("--certify-moves is for --certificate PROOF: give both")
    if certificate is not None and kept is not None and Path(certificate).resolve() == kept.resolve():
        raise click.UsageError(f"--save and --certificate name the same file, {certificate}: give each its own")
    if certificate is not None and cluster is not None:
        raise click.UsageError("--certificate is for one machine, without --cluster")
    if (every_symmetry or take_wins) and ((no_symmetry and every_symmetry) or cluster or certificate):
        other = "--cluster" if cluster else "--certificate" if certificate else "--no-symmetry"
        raise click.UsageError(f"{'--every-symmetry' if every_symmetry else '--take-wins'} does not go with {other}")
    game = load(file, params)
    at = play_moves(game, moves, position)
    if certificate is not None:
        _check_certifiable(game)
    if at.played and not game.observer.public(at.state):
        raise click.ClickException(
            f"{game.unseen}, and after these moves not all have chosen: give the moves of whole rounds"
            if game.observer.choices_only else
            f"after a move in {game.title} what players know differs, so that the position has no value of its own: "
            "solve the game, and ask `dslgame query` about moves")
    book = patterns_for(game) if by_patterns else None
    with doing(f"solving {title(game)}"), progress(f"solving {game.title}", quiet=as_json) as show:

        def tell(done: int, known: int, phase: str) -> None:
            if show is not None:
                show(f"{phase}, {known:,} positions")

        said = None if show is None else tell
        try:
            if cluster is not None and target is not None:
                solution, size = solve_there(game, at, cluster, target, workers=workers, memory=memory,
                                             symmetry=not no_symmetry, tell=said, anyway=anyway)
            else:
                solution = solve_game(game, at.state, method=method,
                                      symmetry="every" if every_symmetry else not no_symmetry, take_wins=take_wins,
                                      nodes=nodes, memory=most_memory() if memory is None else memory, progress=said,
                                      save=kept, threads=threads or cores(), remoteness=remoteness, report=report,
                                      value_only=value_only, patterns=book, exploitability=exploitability,
                                      said=remark,
                                      anyway=anyway or nodes is not None or memory is not None)
                size = kept.stat().st_size if solution.complete and kept is not None and kept.exists() else 0
        except KeyboardInterrupt:
            _say_kept(kept)
            raise
    if solution.strategies is not None:
        print_solution(at, solution, kept, report=report, as_json=as_json)
        return
    rows = move_rows(game, at, solution, merge=merge)
    proven = None
    if certificate is not None and solution.winner is not None:
        proven = _certify(at, solution, certificate, memory or most_memory(), every_move=certify_moves, quiet=as_json)
    if as_json:
        result = object_of(at, solution, rows, merge=merge)
        if proven is not None:
            result["certificate"] = {"file": certificate, "bytes": len(proven.data), "positions": proven.positions}
        if report:
            assert solution.report is not None  # only solutions read from a file have none
            result["report"] = solution.report.as_object()
        print_json(result)
    else:
        _print(at, solution, [] if value_only else rows)
        if report:
            assert solution.report is not None  # only solutions read from a file have none
            click.echo(f"\n{solution.report.text()}")
        if proven is not None:
            click.echo(f"proven in {certificate}: {len(proven.data):,} bytes, "
                       f"{counted(proven.positions, 'position')}; dslgame certify {certificate} checks it")
    if solution.interrupted:
        raise SystemExit(exit_codes.INTERRUPTED)
    if not solution.complete:
        _say_kept(kept)
    elif size and not as_json:
        click.echo(f"saved in {target}: {size:,} bytes, {size / max(1, solution.positions):.2f} a position")
    if solution.winner is None and (solution.expected is None or not solution.expected.known):
        raise SystemExit(exit_codes.UNKNOWN)


def _check_certifiable(game: Game) -> None:
    """Raise ClickException for a game that can have no certificate, before it is solved."""
    from solver.certificates.prove import why_not

    reason = why_not(game)
    if reason:
        raise click.ClickException(f"there is no certificate of {game.title}: {reason}")


def _certify(at: Position, solution: Solution[State, Move], file: str, memory: int, *, every_move: bool,
             quiet: bool) -> Made:
    """Prove a solution, and write the certificate. Raises Refused where there is no proof, and OSError."""
    from solver.budget import Budget
    from solver.certificates.prove import certify

    game = at.game
    with doing(f"proving the value of {title(game)}"), progress(f"proving {game.title}", quiet=quiet) as show:
        def tell(done: int, known: int, phase: str) -> None:
            if show is not None:
                show(f"{phase}, {done:,} of {known:,} positions")

        made = certify(at, solution, every_move=every_move, budget=Budget(None, memory, tell))
    write_file(file, made.data)
    return made


def check_method(method: str, **options: bool) -> None:
    """Raise UsageError where an option that is given does not go with the method."""
    for option, given in options.items():
        able = methods.taking(option)
        if given and method not in (methods.AUTO, *able):
            raise click.UsageError(f"--{option} is for --method {' or '.join(able)}, and --method {method} was asked "
                                   f"for: leave out one of them")


def patterns_for(game: Game) -> Book:
    """The patterns of the file that comes with a game. Raises UsageError where there is no such file."""
    from dslgame import bundled
    from interpreter.patterns.matching import Book

    source = bundled.patterns_of(game)
    if source is None:
        raise click.UsageError(f"no patterns come with {game.title}; dslgame patterns names those there are")
    with doing(f"reading {source.name}"):
        return Book.of(source, game)


def _say_kept(target: Path | None) -> None:
    """Print the folder that has the unfinished work, if there is one."""
    folder = None if target is None else target.with_name(target.name + ".work")
    if target is not None and target.exists():
        click.echo(f"all positions are saved in {target}", err=True)
    elif folder is not None and folder.exists():
        click.echo(f"what is done is kept in {folder}; the same command goes on with it", err=True)


MANY = 12
"""The number of first moves above which a line under the table summarises it."""


class _Row(NamedTuple):
    """A first move as a row of the table."""

    move: str
    standing: tuple[int, int]
    winner: str | None
    remoteness: int | None
    images: tuple[str, ...]
    """The equivalent moves that are merged into this row."""
    expected: Expected | None = None
    """Its expected value for the first player, in games with chance."""


def move_rows(game: Game, position: Position, solution: Solution[State, Move], *, merge: bool) -> list[_Row]:
    """The first moves in the engine's order; with `merge` the first of each class."""
    from solver.players.judge import standing

    rows: dict[int, _Row] = {}
    for number, value in enumerate(solution.moves):
        text = game.notation.write(position.state, value.move)
        key = value.group if merge else number
        if key in rows:
            rows[key] = rows[key]._replace(images=(*rows[key].images, text))
        else:
            good = standing(value.winner, value.remoteness, solution.to_move)
            rows[key] = _Row(text, good, game.outcome_name(value.winner), value.remoteness, (), value.expected)
    return list(rows.values())


def _many(game: Game, solution: Solution[State, Move]) -> dict[str, object]:
    """The further JSON keys of games for more than two players."""
    from interpreter.model.outcomes import outcomes_in

    if len(game.players) <= 2:
        return {}
    words = {2: "win", 1: "draw", 0: "loss"}
    return {
        "possible": [] if solution.winner is None else [game.outcome_name(one) for one in outcomes_in(solution.winner)],
        "decided_by": [game.outcome_name(side) for side in solution.deciders],
        "forces": {str(game.outcome_name(side)): words[result] for side, result in solution.forces.items()},
    }


def object_of(position: Position, solution: Solution[State, Move], rows: list[_Row], *,
              merge: bool) -> dict[str, object]:
    """The solution as a JSON object."""
    game = position.game
    moves: list[dict[str, object]] = []
    for row in rows:
        moves.append({"move": row.move, "winner": row.winner, "remoteness": row.remoteness})
        if row.expected is not None:
            moves[-1] |= {"expected": row.expected.value, "exact": row.expected.fraction}
        if merge:
            moves[-1]["images"] = row.images
    return {
        "game": game.title,
        "params": game.params,
        "to_move": None if position.over else position.to_move,
        "winner": game.outcome_name(solution.winner),
        "remoteness": solution.remoteness,
        **expectation.as_object(solution, len(game.players)),
        **_many(game, solution),
        "best": None if solution.best is None else game.notation.write(position.state, solution.best),
        "positions": solution.positions,
        "positions_merged": solution.positions_merged,
        "method": solution.method,
        "engine": solution.engine,
        "seconds": round(solution.seconds, 6),
        "moves": moves,
        "reason": solution.reason,
        "played": position.played,
    }


def _print(position: Position, solution: Solution[State, Move], rows: list[_Row]) -> None:
    """Print the solution."""
    print_value(position, solution, rows)
    merged = solution.positions_merged
    note = f" ({merged:,} up to symmetry)" if merged != solution.positions else ""
    click.echo(f"{positions_of(position.game, solution)}{note} in {elapsed(solution.seconds)}, "
               f"method {solution.method}: {solution.reason}")


def positions_of(game: Game, solution: Solution[State, Move]) -> str:
    """The number of positions in words; `at most` where positions were merged by symmetry and forced rules break off,
    as the image of a position that can be reached need not be one then."""
    merged = solution.positions_merged != solution.positions
    bound = "at most " if merged and game.rules.breaks_off else ""
    return bound + counted(solution.positions, "position")


def print_value(position: Position, solution: Solution[State, Move], rows: list[_Row]) -> None:
    """Print the value of a position and of its moves."""
    click.echo(title(position.game))
    if position.played:
        click.echo(wrapped("after: ", " ".join(position.played)))
    if solution.expected is not None and not position.over:
        click.echo(expectation.verdict(position, solution))
        if rows:
            click.echo(expectation.table_of(position, solution, [(row.move, row.expected, len(row.images))
                                                                 for row in rows]))
        return
    click.echo(_verdict(position, solution))
    if any(row.winner is not None for row in rows):
        shown = sorted(rows, key=lambda row: row.standing)
        lines = [("move", "winner", "plies", "")]
        lines += [(row.move, row.winner or "unknown", "" if row.remoteness is None else str(row.remoteness),
                   f"and its {counted(len(row.images), 'image')}" if row.images else "") for row in shown]
        click.echo(table(lines, right=(False, False, True, False)))
        if len(shown) > MANY:
            click.echo(_tally(shown))


def _tally(rows: list[_Row]) -> str:
    """The number of first moves that lead to each result, to summarise a long table."""
    counts = Counter(row.winner or "unknown" for row in rows)
    return f"{len(rows)} first moves: " + ", ".join(
        f"{number} {among(result) if result != 'unknown' else result}" for result, number in counts.items())


def _verdict_of_many(position: Position, solution: Solution[State, Move], winner: str) -> str:
    """The value for more than two players: who can force it, or whose choice between equal results decides."""
    from interpreter.model.outcomes import is_open

    game, result = position.game, solution.winner
    assert result is not None
    best = "" if solution.best is None else f"; best move {game.notation.write(position.state, solution.best)}"
    if is_open(result):
        names = [str(game.outcome_name(side)) for side in solution.deciders]
        whose = f"as {' and '.join(names)} may choose between equal results" if names else "as play goes"
        return f"{winner}, {whose}{best}"
    plies = "" if solution.remoteness is None else f" in {solution.remoteness} {plural(solution.remoteness)}"
    forced = solution.forces.get(result) == 2
    if not won(winner) or forced or not solution.forces:
        return f"{expected(winner)}{plies}{best}"
    return f"{expected(winner)} where each player looks to the own result, forced by nobody alone{best}"


def plural(plies: int) -> str:
    """`ply` or `plies`, by their number."""
    return "ply" if plies == 1 else "plies"


def _verdict(position: Position, solution: Solution[State, Move]) -> str:
    """The value as a sentence."""
    game = position.game
    winner = game.outcome_name(solution.winner)
    if position.outcome is not None:
        return f"the game is over: {outcome_text(position.outcome)}"
    if winner is None or solution.winner is None:
        return f"{position.to_move} to move: unknown"
    if len(game.players) > 2:
        return f"{position.to_move} to move: {_verdict_of_many(position, solution, winner)}"
    plies = "" if solution.remoteness is None else f" in {solution.remoteness} {plural(solution.remoteness)}"
    best = "" if solution.best is None else f", best move {game.notation.write(position.state, solution.best)}"
    return f"{position.to_move} to move: {expected(winner)}{plies}{best}"

