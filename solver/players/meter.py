"""Counts the nodes of a search by the interpreter and ends it at its limit; searches on kernels work in batches."""

from __future__ import annotations

import attrs

from solver.players.limits import Limit


class Stopped(Exception):
    """Raised when a search reaches its limit."""


@attrs.define
class Meter:
    """The nodes and seconds of a search that begins now."""

    limit: Limit
    nodes: int = 0
    began: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.began = self.limit.now()

    @property
    def seconds(self) -> float:
        """The seconds since the search began, by the clock of its limit."""
        return self.limit.now() - self.began

    def count(self) -> None:
        """Count a node. Raises Stopped past the limit."""
        if (self.limit.nodes is not None and self.nodes >= self.limit.nodes) or (
                self.limit.time is not None and self.seconds >= self.limit.time):
            raise Stopped
        self.nodes += 1

    def cut(self, done: str) -> str:
        """The report's text on a search that was stopped just now, if the ceiling on its time did it; otherwise ''."""
        return self.limit.cut(self.seconds, done)
