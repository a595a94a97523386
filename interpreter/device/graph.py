"""CUDA graphs: GPU work that is captured once and launched as a whole.

A launch from Python takes tens of microseconds for its arguments alone, which for some thousand games is longer than
the work. `Graph.of` captures the operations that a function queues on a batch's stream; `launch` queues them all again,
in one call of the driver, with the same arrays.
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
    """A captured CUDA graph. A simulated GPU has no graphs: there each launch calls the work again instead."""

    batch: DeviceBatch
    work: Callable[[], None]
    _graph: object = None
    """The executable graph of cuda-bindings; None where the GPU is simulated."""

    @classmethod
    def of(cls, batch: DeviceBatch, work: Callable[[], None]) -> Graph:
        """Capture the operations that `work` queues on the batch's stream, without running them.

        `work` must neither wait for the GPU nor allocate device memory, and its functions must have been compiled by an
        earlier call. Raises RuntimeError where the driver refuses.
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
        """Queue the work on the batch's stream, without waiting for it."""
        if self._graph is None:
            self.work()
            return
        driver: Any = import_module("cuda.bindings.driver")
        stream: Any = self.batch.stream
        _told(driver.cuGraphLaunch(self._graph, int(stream.handle) if stream else 0))


def _told(answer: tuple[Any, ...]) -> Any:
    """The result of a driver call. Raises RuntimeError with the driver's name of the error."""
    status, *found = answer
    if int(status) != 0:
        raise RuntimeError(f"CUDA cannot capture this work: {status.name}")
    return found[0] if found else None


__all__ = ["Graph"]
