"""Encodes positions as planes on a GPU, which evaluates the table of `dslgame.planes` there."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np

from dslgame.planes import Planes
from interpreter.arrays import Numbers
from interpreter.device.batch import Device, DeviceBatch


@attrs.frozen(eq=False)
class DevicePlanes:
    """The planes of one game on a GPU."""

    planes: Planes
    batch: DeviceBatch
    _entries: Device
    _shown: Device

    @classmethod
    def of(cls, planes: Planes, batch: DeviceBatch) -> DevicePlanes:
        """Make it with the table copied to the GPU. Raises MemoryError."""
        return cls(planes, batch, batch.moved(planes.entries), batch.moved(planes.shown))

    def of_states(self, states: Device, viewers: Numbers | Sequence[int] | None = None) -> Device:
        """The same as `Planes.of_states`, as a new device array: float32 by game, plane, row and column (or cell).

        states: uint64 (words, n) on the GPU. Nothing is copied to the CPU, except where the game hides something: the
        planes are then computed there.
        """
        if not self.planes.batch.game.observer.sees_all:
            return self.batch.moved(self.planes.of_states(self.batch.rows(states), viewers))
        count = states.shape[1]
        looking = np.full(count, -1) if viewers is None else np.ascontiguousarray(viewers, np.int64)
        result = self.batch.show(states, self.batch.moved(looking), self._entries, self._shown)
        return result.reshape(count, *self.planes.shape)


__all__ = ["DevicePlanes"]
