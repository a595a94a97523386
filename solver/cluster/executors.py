"""Who does the steps: this process, or the workers of a Dask cluster; `solver.cluster.pool` has those of one machine.

An executor is given steps, which may take the results of other steps. Results stay where they were made, and go from
worker to worker; only what is asked for comes to the coordinator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any, Protocol, TypeAlias

import attrs

from solver.cluster.store import MISSING
from solver.errors import Refused

TRIES = 40
"""How many workers may die while they do a step before the step is blamed."""
_CONNECT = 10.0
"""Seconds that a scheduler has to answer."""


Handle: TypeAlias = object
"""What stands for the result of a step; other steps may take it, in lists and mappings, too."""
Step: TypeAlias = Callable[..., object]
Results: TypeAlias = Iterator[tuple[Handle, Any]]


class Executor(Protocol):
    """Does steps."""

    workers: int
    """How many steps are done at once."""

    @property
    def dashboard(self) -> str:
        """The link of a page that shows what workers do; '' where there is none."""

    def prepare(self, step: Step, *arguments: object) -> None:
        """Have a step done once for all workers of a machine, where that makes their start cheaper."""

    def submit(self, step: Step, *arguments: object) -> Handle:
        """Have a step done; what stands for its result, which other steps may take."""

    def derive(self, step: Step, handle: Handle, *arguments: object) -> Handle:
        """What a function that costs nothing makes of a step's result and some arguments; stands for that."""

    def results(self, handles: Sequence[Handle]) -> Results:
        """The results of some steps as they come, each with its handle. Raises what a step raised."""

    def everywhere(self, step: Step, *arguments: object) -> list[object]:
        """Have a step done once by each worker; the results."""

    def close(self) -> None:
        """Let the workers go, where they are this process's own."""


@attrs.define(eq=False)
class Done:
    """A result that is at hand."""

    value: object


@attrs.define(eq=False)
class Alone:
    """Does every step at once, in this process: needs no other package, and shows what the steps do."""

    workers: int = 1
    dashboard: str = ""

    def prepare(self, step: Step, *arguments: object) -> None:
        """It is done when it is needed."""

    def submit(self, step: Step, *arguments: object) -> Done:
        """Do a step."""
        return Done(step(*map(_plain, arguments)))

    def derive(self, step: Step, handle: Handle, *arguments: object) -> Done:
        """Do it."""
        return Done(step(_plain(handle), *arguments))

    def results(self, handles: Sequence[Handle]) -> Results:
        """The results, in order."""
        for handle in handles:
            yield handle, _plain(handle)

    def everywhere(self, step: Step, *arguments: object) -> list[object]:
        """Do it once."""
        return [step(*arguments)]

    def close(self) -> None:
        """There is nobody to let go."""


def _plain(argument: object) -> object:
    if isinstance(argument, Done):
        return argument.value
    if isinstance(argument, list):
        return [_plain(item) for item in argument]
    if isinstance(argument, dict):
        return {key: _plain(item) for key, item in argument.items()}
    return argument


@attrs.define(eq=False)
class OnDask:
    """Has steps done by the workers of a Dask cluster."""

    client: Any
    workers: int

    @classmethod
    def at(cls, address: str) -> OnDask:
        """The workers of a scheduler that runs. Raises Refused where it does not answer, or has other versions."""
        distributed = _distributed()
        try:
            client = distributed.Client(address, timeout=_CONNECT)
        except (OSError, ValueError, TimeoutError) as problem:
            raise Refused(f"the scheduler {address} cannot be reached ({type(problem).__name__}: {problem}): start "
                          "one with `dask scheduler`, and workers with `dask worker`") from None
        try:
            client.get_versions(check=True)
        except ValueError as problem:
            client.close()
            raise Refused(f"the workers of {address} have other versions than this machine: {problem}") from None
        count = sum(info["nthreads"] for info in client.scheduler_info(n_workers=-1)["workers"].values())
        if not count:
            client.close()
            raise Refused(f"the scheduler {address} has no workers: start some with `dask worker {address}`")
        return cls(client, count)

    @property
    def dashboard(self) -> str:
        """The link of the page that shows what workers do; '' where there is none."""
        return str(self.client.dashboard_link) if _has_dashboard() else ""

    def prepare(self, step: Step, *arguments: object) -> None:
        """Workers that run already prepare themselves."""

    def submit(self, step: Step, *arguments: object) -> Handle:
        """Have a step done."""
        return self.client.submit(step, *arguments, pure=False)

    def derive(self, step: Step, handle: Handle, *arguments: object) -> Handle:
        """Have it made where the result is, so that the rest of that is not transferred."""
        return self.client.submit(step, handle, *arguments, pure=False)

    def results(self, handles: Sequence[Handle]) -> Results:
        """The results as they come."""
        distributed = _distributed()
        yield from distributed.as_completed(handles, with_results=True)

    def everywhere(self, step: Step, *arguments: object) -> list[object]:
        """Have a step done by each worker."""
        return list(self.client.run(step, *arguments).values())

    def close(self) -> None:
        """Let the workers go."""
        self.client.close()


def _distributed() -> ModuleType:
    try:
        import dask
        import distributed
    except ModuleNotFoundError:
        raise Refused(MISSING) from None
    dask.config.set({
        "distributed.scheduler.allowed-failures": TRIES, "distributed.comm.retry.count": 3,
        "distributed.scheduler.work-stealing-interval": "1s",
        # What Dask does beside the work: samples of stacks, looks at the machine, each many times a second.
        "distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "500ms",
        "distributed.admin.system-monitor.interval": "2s", "distributed.worker.memory.monitor-interval": "500ms"})
    return distributed


def _has_dashboard() -> bool:
    from importlib.util import find_spec

    return find_spec("bokeh") is not None
