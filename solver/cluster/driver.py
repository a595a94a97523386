"""Solving a game on a cluster: what the command and the Python API call."""

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
"""Asks for workers on this machine."""
ALONE = "none"
"""Asks for no workers: this process does each step after the other."""
LEAST_MEMORY = 512
"""MiB that a worker needs at least."""


@attrs.frozen
class Cluster:
    """Which workers are to solve a game, and where the solution lies."""

    address: str
    """`local`, `none`, or the address of a scheduler, as in `tcp://HOST:8786`."""
    url: str
    """A folder, or the URL of one."""
    workers: int = 2
    memory: int = 2048
    """MiB of each worker that is started here."""
    part: int = PART
    batch: int = BATCH

    def executor(self, store: Store) -> Executor:
        """The workers. Raises Refused where there are none to be had."""
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
    """The solution of a game from a root on, which is then in the folder of `cluster`.

    `tell` is told how far the work is, `said` the link of the dashboard, and what is expected before new work begins:
    where that is hopeless, it is not begun unless `anyway`. Work that was begun there is gone on with.

    Raises Refused, RuleError, TooLarge, NotLowered, OSError.
    """
    store = Store.at(cluster.url)
    space = space_to_value(game, root, symmetry=symmetry, save=cluster.url)
    kernel = Kernel.of(game)
    flat = store.exists(WORK) and bool(store.read_object(WORK).get("flat"))
    job = Job.of(space, kernel, store, flat=flat, batch=cluster.batch)
    if store.exists(MANIFEST):
        if store.names("work"):  # it was stopped when all was done
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
        except OutOfOrder:  # the tiers are of no use with these symmetries: all positions are one
            for name in store.names():
                store.remove(name)
            job = Job.of(space, kernel, store, flat=True, batch=cluster.batch)
            Coordinator(job, store, executor, about, cluster.part, space.acyclic).run()
    return ClusterSolution.made(store, space, kernel)


def _foretell(cost: Cost | None, said: Said | None, *, anyway: bool) -> None:
    """Say what will be taken. Raises Refused where that is hopeless and not wanted all the same."""
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
