"""`dslgame query`: look the value of a position up in a solution that `dslgame solve --save` wrote."""

from __future__ import annotations

import click

from dslgame.cli.common import doing, examples, json_option, moves_option, play_moves, position_option, refuse_given
from dslgame.cli.information import asked
from dslgame.cli.output import counted, print_json, wrapped
from dslgame.cli.solve import move_rows, object_of, positions_of, print_value

_JSON = """\
JSON: what `dslgame solve --json` prints, with "line" (best play from the
position), "tally" (positions won, lost and drawn for the player to move),
"longest" (the largest number of plies), "file" and "bytes"."""
LONGEST_LINE = 200


@click.command(short_help="Look up a position in a saved solution.", epilog=examples(
    "dslgame solve connect_four -p rows=4 -p columns=4 --save four.solution",
    'dslgame query four.solution --moves "2 3 2"',
    "dslgame query four.solution --check",
    "dslgame query s3://bucket/five --json",
    further=_JSON, codes=True,
))
@click.argument("solution", metavar="SOLUTION")
@moves_option
@position_option
@click.option("--merge", is_flag=True, help="Show one move of each class of equivalent moves.")
@click.option("--check", is_flag=True, help="First read the whole file and verify its checksums.")
@json_option
def query(solution: str, moves: str, position: str | None, merge: bool, check: bool, as_json: bool) -> None:
    """Look up the value of a position and of its moves, and best play, in a file that `dslgame solve --save` wrote.

    A folder or URL that `dslgame solve --cluster --save` wrote is read block by block. The file contains the game's
    rules. Nothing is searched, so the answer is immediate.
    """
    from solver.game_space import solution_from
    from solver.information.strategies import is_strategies
    from solver.tables.opening import open_solution

    with doing(f"reading {solution}"):
        if is_strategies(solution):
            refuse_given(("position", "merge", "check"), "is for solutions, and this file has strategies")
            asked(solution, moves, as_json=as_json)
            return
        saved = open_solution(solution)
        if check:
            positions = saved.check()
            if not as_json:
                click.echo(f"{solution}: all {counted(positions, 'stored position')} are as they were written")
        game = saved.game
        root = game.position_text(saved.space.root)
        at = play_moves(game, moves, root if position is None else position)
        if saved.value(at.state) is None:
            others = ", or only where a move that wins at once was not made (--take-wins)"
            raise click.ClickException(f"{solution} has no value of this position: it cannot be reached from the "
                                       f"position that was solved, {root}{others if saved.space.take_wins else ''}")
        answer = solution_from(saved, game, at.state, f"saved in {solution}")
        rows = move_rows(game, at, answer, merge=merge)
        line, state = [], at.state
        for move in saved.line(at.state, LONGEST_LINE):
            line.append(game.notation.write(state, move))
            after = game.engine.apply(state, move)
            assert after is not None
            state = after
    size = saved.size
    if as_json:
        print_json({**object_of(at, answer, rows, merge=merge), "line": line, "tally": saved.tally(),
                    "longest": saved.longest(), "file": solution, "bytes": size})
        return
    print_value(at, answer, rows)
    if line:
        click.echo(wrapped("best play: ", " ".join(line)))
    tally = ", ".join(f"{count:,} {name}" for name, count in saved.tally().items())
    click.echo(f"{positions_of(at.game, answer)} ({answer.positions_merged:,} stored in {size:,} bytes); for "
               f"the player to move {tally}")
