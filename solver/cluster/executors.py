"""Executors run steps in this process, or on the workers of a Dask cluster; `solver.cluster.pool` has local workers.

A step may take the results of other steps as arguments. Results stay where they were computed, and go from worker to
worker; only those that are asked for come to the coordinator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any, Protocol, TypeAlias

import attrs

from solver.cluster.store import MISSING
from solver.errors import Refused

TRIES = 40
"""How many workers may die while they run a step before the step counts as failed."""
_CONNECT = 10.0
"""Seconds to wait for the answer of a scheduler."""


Handle: TypeAlias = object
"""Stands for the result of a step, like a future; other steps take it as an argument, also in lists and mappings."""
Step: TypeAlias = Callable[..., object]
Results: TypeAlias = Iterator[tuple[Handle, Any]]


class Executor(Protocol):
    """Runs steps, in this process or on workers."""

    workers: int
    """How many steps run at the same time."""

    @property
    def dashboard(self) -> str:
        """The URL of a page that shows what the workers do; '' where there is none."""

    def prepare(self, step: Step, *arguments: object) -> None:
        """Run a step once in advance for all workers of a machine, where that makes their start cheaper."""

    def submit(self, step: Step, *arguments: object) -> Handle:
        """Submit a step; return the handle of its result, which other steps may take."""

    def derive(self, step: Step, handle: Handle, *arguments: object) -> Handle:
        """A handle of what a cheap function makes of a step's result and the arguments."""

    def results(self, handles: Sequence[Handle]) -> Results:
        """Yield the results of steps as they are completed, each with its handle. Raises what a step raised."""

    def everywhere(self, step: Step, *arguments: object) -> list[object]:
        """Run a step once on each worker, or once in all where all work is on this machine; return the results."""

    def close(self) -> None:
        """Stop the workers that this process started; disconnect from others."""


@attrs.define(eq=False)
class Done:
    """The handle of a result that is already computed."""

    value: object


@attrs.define(eq=False)
class Alone:
    """Runs each step immediately in this process: needs no other package, and makes the steps easy to follow."""

    workers: int = 1
    dashboard: str = ""

    def prepare(self, step: Step, *arguments: object) -> None:
        """Do nothing: steps load what they need when they run."""

    def submit(self, step: Step, *arguments: object) -> Done:
        """Run a step."""
        return Done(step(*map(_plain, arguments)))

    def derive(self, step: Step, handle: Handle, *arguments: object) -> Done:
        """Apply a function to a result."""
        return Done(step(_plain(handle), *arguments))

    def results(self, handles: Sequence[Handle]) -> Results:
        """Yield the results, in the order of the handles."""
        for handle in handles:
            yield handle, _plain(handle)

    def everywhere(self, step: Step, *arguments: object) -> list[object]:
        """Run a step once."""
        return [step(*arguments)]

    def close(self) -> None:
        """Do nothing: there are no workers to stop."""


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
    """Runs steps on the workers of a Dask cluster."""

    client: Any
    workers: int

    @classmethod
    def at(cls, address: str) -> OnDask:
        """Connect to a running scheduler.

        Raises Refused where it does not answer, where versions differ from this machine's, or where it has no workers.
        """
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
        """The URL of the page that shows what the workers do; '' where there is none."""
        return str(self.client.dashboard_link) if _has_dashboard() else ""

    def prepare(self, step: Step, *arguments: object) -> None:
        """Do nothing: the workers are running already, and load what they need themselves."""

    def submit(self, step: Step, *arguments: object) -> Handle:
        """Submit a step."""
        return self.client.submit(step, *arguments, pure=False)

    def derive(self, step: Step, handle: Handle, *arguments: object) -> Handle:
        """Submit a function as a task that runs where its result is, so that the rest of that is not transferred."""
        return self.client.submit(step, handle, *arguments, pure=False)

    def results(self, handles: Sequence[Handle]) -> Results:
        """Yield the results as they are completed, each with its handle."""
        distributed = _distributed()
        yield from distributed.as_completed(handles, with_results=True)

    def everywhere(self, step: Step, *arguments: object) -> list[object]:
        """Run a step on each worker."""
        return list(self.client.run(step, *arguments).values())

    def close(self) -> None:
        """Disconnect from the scheduler; its workers keep running."""
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
        # Turns off or slows down Dask's own monitoring: it samples stacks and the system many times a second.
        "distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "500ms",
        "distributed.admin.system-monitor.interval": "2s", "distributed.worker.memory.monitor-interval": "500ms"})
    return distributed


def _has_dashboard() -> bool:
    from importlib.util import find_spec

    return find_spec("bokeh") is not None
