"""What a worker must know about a solution in progress (game, root, store), and what it builds from that.

A `Job` is small and is sent with each task. A process builds its `Machine` from it once: it reads the game, and loads
its kernel from the disk; where there is none, one process compiles it while the others on that machine wait.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import attrs
import numpy as np

from dsl.syntax.grammar import cache_folder
from dsl.syntax.source import Source
from interpreter.arrays import Numbers
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from solver.cluster.containers import Object
from solver.cluster.store import Store
from solver.errors import Refused
from solver.game_space import GameSpace
from solver.native.functions import Records
from solver.native.retrograde import Fields
from solver.tables.enumeration import Worker
from solver.tables.saved import identity_of
from solver.tables.valuation import fields_of

FORMAT = 1
"""The version of the format of the folder's files."""
BATCH = 1 << 20
"""The number of positions per batch: parts are expanded and valued by batches, and memory holds the moves of one."""


@attrs.frozen
class Job:
    """Which game is solved, and where its solution is stored."""

    source: str
    """The text of the game's file, and its name."""
    name: str
    identity: str
    """JSON: see `solver.tables.saved.identity_of`."""
    flat: bool
    """Whether all positions are in one tier."""
    strict: bool
    """Whether every move leads to a later tier."""
    bits: int
    """The number of bits of a packed position, which bounds the number of positions."""
    url: str
    """The folder of the solution."""
    scratch: str
    """The name of the folder on each machine for data that can be recomputed; '' before the work begins."""
    batch: int = BATCH

    @classmethod
    def of(cls, space: GameSpace, kernel: Kernel, store: Store, *, flat: bool, batch: int = BATCH) -> Job:
        """The job of solving a space."""
        source = space.game.rules.source
        identity = json.dumps(identity_of(space, kernel), sort_keys=True)
        strict = kernel.assembled.tiers.strict and not flat
        bits = kernel.assembled.packing.bits
        return cls(source.text, Path(source.name).name, identity, flat, strict, bits, store.url, "", batch)


@attrs.define(eq=False)
class Machine:
    """What a process needs to run the steps of a job."""

    job: Job
    space: GameSpace
    kernel: Kernel
    elements: Numbers
    fields: Records[Fields]
    store: Store
    worker: Worker

    @property
    def words(self) -> int:
        """The number of words of a packed position."""
        return int(self.kernel.assembled.packing.width)

    @property
    def scratch(self) -> Path:
        """The folder for data that can be recomputed."""
        return scratch_folder(self.job)


def scratch_folder(job: Job) -> Path:
    """The folder on this machine for data that can be recomputed; the workers of a machine share it."""
    return Path(os.environ.get("DASK_TEMPORARY_DIRECTORY") or tempfile.gettempdir()) / job.scratch


def space_of(source: str, name: str, identity: Object, *, native: bool) -> tuple[GameSpace, Kernel]:
    """Build the space of a solution's identity, and its kernel. Raises ValueError, and what reading rules raises."""
    game = Game.of(Source(name, source), identity["params"])
    space = GameSpace(game, game.read_position(identity["root"]).state)
    kernel = Kernel.of(game, native=native)
    space.keep(kernel, identity["symmetries"])
    return space, kernel


@lru_cache(2)
def machine_of(job: Job) -> Machine:
    """The machine for a job. Raises Refused where this process has another version of dslgame."""
    identity = json.loads(job.identity)
    try:
        with _one_at_a_time(job):
            space, kernel = space_of(job.source, job.name, identity, native=True)
            kernel.functions["expand_tiers"]
        same = identity == json.loads(json.dumps(identity_of(space, kernel)))
    except (KeyError, TypeError, ValueError):
        same = False
    if not same:
        raise Refused("a worker has another version of dslgame, in which the rules or the way positions are packed are "
                      "not the same: install the same version on all machines")
    elements = np.asarray(kernel.elements(space.maps))
    return Machine(job, space, kernel, elements, fields_of(kernel.assembled.packing), Store.at(job.url),
                   Worker(kernel, elements, job.flat))


@contextlib.contextmanager
def _one_at_a_time(job: Job) -> Iterator[None]:
    """Let one process of a machine compile at a time; the others find the result on disk. Needs `fcntl`."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{job.scratch or 'dslgame'}.lock", "w", encoding="ascii") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
