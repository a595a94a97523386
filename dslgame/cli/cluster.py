"""`dslgame solve --cluster`: its options, the checks of their combinations, and the call of the solver."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import click

from dslgame.cli.output import remark
from solver import methods

if TYPE_CHECKING:
    from interpreter.game import Game, Position
    from interpreter.model.state import Move, State
    from solver.solve import Solution

_Command = TypeVar("_Command", bound=Callable[..., Any])
_HELP = ("Let workers value all positions: local starts workers on this machine, tcp://HOST:8786 is the scheduler of a "
         "Dask cluster, none does the same in this process. Needs --save with a folder or URL.")


class Target(click.ParamType[str]):
    """Where a solution is saved: a file, or with --cluster a folder or URL."""

    name = "solution"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text as it is; `file_of` and `check_options` check it once all options are known."""
        return str(value)


def cluster_options(command: _Command) -> _Command:
    """--cluster and --workers."""
    command = click.option(
        "--workers", type=click.IntRange(1, 256), metavar="N",
        help="With --cluster local: the number of workers; default: the number of cores.")(command)
    return click.option("--cluster", metavar="WHERE", help=_HELP)(command)


def file_of(target: str | None) -> Path | None:
    """The file to save a solution in without a cluster. Raises UsageError for a URL or a folder."""
    if target is None:
        return None
    from solver.cluster.store import is_url

    if is_url(target):
        raise click.UsageError(f"--save {target} is a URL, and only what --cluster makes is saved there: name a file, "
                               "or add --cluster local")
    if Path(target).is_dir():
        raise click.UsageError(f"--save {target} is a folder, and only what --cluster makes is saved in one: name a "
                               "file, or add --cluster local")
    return Path(target)


def check_options(cluster: str | None, workers: int | None, target: str | None, method: str, **others: bool) -> None:
    """Raise UsageError for options that exclude each other, or that need another."""
    if cluster is None:
        if workers is not None:
            raise click.UsageError("--workers is for --cluster local: leave it out, or add --cluster")
        return
    from solver.cluster.driver import ALONE, LOCAL  # with its dependencies it takes a fifth of a second to import

    if cluster not in (LOCAL, ALONE) and "://" not in cluster:
        raise click.UsageError(f"--cluster {cluster} is neither {LOCAL} nor {ALONE} nor the address of a scheduler, "
                               "as in tcp://HOST:8786")
    if workers is not None and cluster != LOCAL:
        raise click.UsageError(f"--workers is for --cluster {LOCAL}: leave it out")
    if target is None:
        raise click.UsageError("--cluster needs --save FOLDER_OR_URL: the values of all positions are kept there")
    if method not in (methods.AUTO, methods.ALL):
        raise click.UsageError(f"--cluster values all positions, and --method {method} was asked for: leave out one of "
                               "them")
    for option, given in others.items():
        if given:
            raise click.UsageError(f"--{option.replace('_', '-')} is not for --cluster: leave out one of them")


def solve_there(game: Game, at: Position, cluster: str, target: str, *, workers: int | None, memory: int | None,
                symmetry: bool, tell: Callable[[int, int, str], None] | None,
                anyway: bool) -> tuple[Solution[State, Move], int]:
    """Solve on a cluster: the solution, and the bytes of its folder. Raises Refused and others, as
    `solver.cluster.driver` says."""
    from dslgame.cli.memory import cores, most_memory
    from solver.cluster.driver import LEAST_MEMORY, Cluster, solve_on_cluster
    from solver.game_space import solution_from
    from solver.solve import VALUED

    started = time.perf_counter()
    count = workers or cores()
    if memory is not None and memory < LEAST_MEMORY:
        raise click.UsageError(f"--memory {memory} is what each worker has, in MiB, and it needs {LEAST_MEMORY} "
                               "at least")
    each = memory or max(LEAST_MEMORY, most_memory() // count)
    solved = solve_on_cluster(game, at.state, Cluster(cluster, target, count, each), symmetry=symmetry, tell=tell,
                              said=remark, anyway=anyway)
    answer = solution_from(solved, game, at.state, VALUED, symmetry=symmetry)
    return attrs.evolve(answer, seconds=time.perf_counter() - started, engine="cluster"), solved.size
