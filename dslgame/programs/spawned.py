"""Contestants that are programs of their own, which are started and spoken to by lines."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from dslgame.programs.channels import Program
from dslgame.programs.failures import Failed
from dslgame.programs.referee import Contestant


class Spawned(Contestant):
    """A program that a command starts; how it is spoken to is a protocol's."""

    quit_word = ""
    """What tells it to end; "" where the protocol has no word for that."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        super().__init__(name)
        self.command = list(command)
        self._program: Program | None = None

    @property
    def program(self) -> Program:
        """The program. Raises Failed where it does not run."""
        if self._program is None:
            raise Failed("crash", "it does not run")
        return self._program

    @property
    def running(self) -> bool:
        """Whether it was started for a game before."""
        return self._program is not None

    def start(self) -> None:
        """Start it where it does not run. Raises Failed."""
        if self._program is None:
            self._program = Program(self.command)

    def processor(self) -> float | None:
        """Of the program, and of all that it started."""
        return None if self._program is None else self._program.processor()

    def stop(self) -> None:
        """End it at once."""
        if self._program is not None:
            self._program.close(patience=0)
            self._program = None

    def close(self) -> None:
        """Tell it to end, and let it do so by itself; end it at once where it cannot be told."""
        if self._program is not None and self.quit_word:
            with suppress(Failed):
                self._program.send(self.quit_word)
            self._program.close()
            self._program = None
        self.stop()
