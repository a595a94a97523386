"""Solving a game on a cluster: the entry point of the command and the Python API."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

import attrs

from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from solver.cluster.coordinator import MANIFEST, PART, WORK, Coordinator, Tell
from solver.cluster.cost import Cost
from solver.cluster.executors import Alone, Executor, OnDask
from solver.cluster.job import BATCH, Job
from solver.cluster.pool import Pool
from solver.cluster.solution import ClusterSolution
from solver.cluster.store import Store
from solver.errors import Refused
from solver.forecast import Said
from solver.game_space import space_to_value
from solver.tables.enumeration import OutOfOrder

LOCAL = "local"
"""The address that stands for workers on this machine."""
ALONE = "none"
"""The address that stands for no workers: this process runs one step after the other."""
LEAST_MEMORY = 512
"""The smallest memory of a worker, in MiB."""


@attrs.frozen
class Cluster:
    """Which workers solve a game, and where the solution is stored."""

    address: str
    """`local`, `none`, or the address of a scheduler, as in `tcp://HOST:8786`."""
    url: str
    """The folder of the solution, as a path or URL."""
    workers: int = 2
    memory: int = 2048
    """MiB of memory for each worker that is started on this machine."""
    part: int = PART
    batch: int = BATCH

    def executor(self, store: Store) -> Executor:
        """Create the executor for these workers. Raises Refused where they cannot be used."""
        if self.address == ALONE:
            return Alone()
        if self.address == LOCAL:
            return Alone() if store.of_process else Pool.of(self.workers, self.memory)
        if store.of_process:
            raise Refused(f"{store.url} is in the memory of this process, where no other worker sees it: save to a "
                          "folder or a URL that all workers reach")
        return OnDask.at(self.address)


def solve_on_cluster(game: Game, root: State, cluster: Cluster, *, symmetry: bool = True,
                     tell: Tell | None = None, said: Said | None = None, anyway: bool = True) -> ClusterSolution:
    """Solve a game from a root on, store the solution in the folder of `cluster`, and open it.

    `tell` is called with the progress; `said` with the URL of the dashboard and, before new work begins, with the
    expected cost: work that is hopeless by it is begun only with `anyway`. Unfinished work in the folder is resumed.

    Raises Refused, RuleError, TooLarge, NotLowered, OSError.
    """
    store = Store.at(cluster.url)
    space = space_to_value(game, root, symmetry=symmetry, save=cluster.url)
    kernel = Kernel.of(game)
    flat = store.exists(WORK) and bool(store.read_object(WORK).get("flat"))
    job = Job.of(space, kernel, store, flat=flat, batch=cluster.batch)
    if store.exists(MANIFEST):
        if store.names("work"):  # an earlier run was stopped after it wrote the manifest
            store.remove("work")
            return ClusterSolution.open(cluster.url)
        raise Refused(f"{cluster.url} holds a solution already: ask it with `dslgame query`, or save to another folder")
    with _disk_full(cluster.url), contextlib.closing(cluster.executor(store)) as executor:
        if said is not None and executor.dashboard:
            said(f"dashboard: {executor.dashboard}")
        if not store.exists(WORK):
            _foretell(Cost.of(space, executor.workers, kernel), said, anyway=anyway)
        about = tell or (lambda done, known, phase: None)
        try:
            Coordinator(job, store, executor, about, cluster.part, space.acyclic).run()
        except OutOfOrder:  # tiers cannot be used with these symmetries: all positions are in one tier
            for name in store.names():
                store.remove(name)
            job = Job.of(space, kernel, store, flat=True, batch=cluster.batch)
            Coordinator(job, store, executor, about, cluster.part, space.acyclic).run()
    return ClusterSolution.made(store, space, kernel)


def _foretell(cost: Cost | None, said: Said | None, *, anyway: bool) -> None:
    """Report the expected cost, unless it is small. Raises Refused where it is hopeless, unless `anyway`."""
    if cost is None or cost.small:
        return
    if cost.hopeless and not anyway:
        raise Refused(f"{cost.text()}. It is not begun; with --anyway it is")
    if said is not None:
        said(cost.text())


@contextlib.contextmanager
def _disk_full(url: str) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise Refused(f"{url}: {os.strerror(problem.errno)}; what is done is kept: run the same again when there "
                          "is room") from None
        raise
