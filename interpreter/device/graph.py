"""Work on a GPU that is queued once and launched as a whole: CUDA graphs.

A launch from Python takes tens of microseconds for its arguments alone, which for some thousand games is longer than
the work. `Graph.of` captures what some work queues on a batch's stream; `launch` queues all of it again, in one call of
the driver, with the same arrays.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from importlib import import_module
from typing import Any

import attrs

from interpreter.device.batch import DeviceBatch
from interpreter.device.program import numba_cuda, simulated


@attrs.define(eq=False)
class Graph:
    """Captured work. A simulated GPU has no graphs: there the work is done again instead."""

    batch: DeviceBatch
    work: Callable[[], None]
    _graph: object = None
    """Of cuda-bindings; None where the GPU is simulated."""

    @classmethod
    def of(cls, batch: DeviceBatch, work: Callable[[], None]) -> Graph:
        """Capture what `work` queues on the batch's stream; nothing of it is done.

        It must neither wait for the GPU nor ask for memory there, and its functions must have been compiled by a call
        before. Raises RuntimeError where the driver refuses.
        """
        if simulated():
            return cls(batch, work)
        driver: Any = import_module("cuda.bindings.driver")
        stream, before = numba_cuda().stream(), batch.stream  # the default stream cannot be captured
        handle = int(stream.handle)
        _told(driver.cuStreamBeginCapture(handle, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED))
        batch.stream = stream
        try:
            work()
        finally:
            batch.stream = before
            captured = _told(driver.cuStreamEndCapture(handle))
        graph = _told(driver.cuGraphInstantiate(captured, 0))
        _told(driver.cuGraphDestroy(captured))
        result = cls(batch, work, graph)
        weakref.finalize(result, driver.cuGraphExecDestroy, graph)
        return result

    def launch(self) -> None:
        """Queue the work on the batch's stream; nothing is waited for."""
        if self._graph is None:
            self.work()
            return
        driver: Any = import_module("cuda.bindings.driver")
        stream: Any = self.batch.stream
        _told(driver.cuGraphLaunch(self._graph, int(stream.handle) if stream else 0))


def _told(answer: tuple[Any, ...]) -> Any:
    """What a function of the driver gives. Raises RuntimeError with the driver's name of what went wrong."""
    status, *found = answer
    if int(status) != 0:
        raise RuntimeError(f"CUDA cannot capture this work: {status.name}")
    return found[0] if found else None


__all__ = ["Graph"]
