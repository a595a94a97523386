"""Counts the nodes of a search by the interpreter and ends it at its limit; searches on kernels work in batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from solver.players.limits import Limit


class Stopped(Exception):
    """Raised when a search reaches its limit."""


@attrs.define
class Meter:
    """The nodes and seconds of a search that begins now."""

    limit: Limit
    nodes: int = 0
    stopped: bool = False
    """Whether the limit ended the search."""
    interrupted: bool = False
    """Whether Ctrl-C ended it."""
    began: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.began = self.limit.now()

    @property
    def seconds(self) -> float:
        """The seconds since the search began, by the clock of its limit."""
        return self.limit.now() - self.began

    def count(self) -> None:
        """Count a node; the first one in any case. Raises Stopped past the limit, or after an interruption."""
        if self.interrupted or (self.nodes and self._reached()):
            raise Stopped
        self.nodes += 1

    def _reached(self) -> bool:
        limit = self.limit
        return (limit.nodes is not None and self.nodes >= limit.nodes) or (
            limit.time is not None and self.seconds >= limit.time)

    @contextmanager
    def stopping(self) -> Iterator[None]:
        """Leave the search where `count` or Ctrl-C stops it, so that the caller goes on with what it has found."""
        try:
            yield
        except Stopped:
            self.stopped = True
        except KeyboardInterrupt:
            self.interrupted = True

    def cut(self, done: str) -> str:
        """The report's text on a search that ended just now, if the ceiling on its time did it; otherwise ''."""
        return self.limit.cut(self.seconds, done) if self.stopped else ""
