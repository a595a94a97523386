"""Contestants that are external programs, which are started by a command and exchange lines."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from dslgame.programs.channels import Program
from dslgame.programs.failures import Failed
from dslgame.programs.referee import Contestant


class Spawned(Contestant):
    """A program that is started by a command; subclasses implement the protocol."""

    quit_word = ""
    """The message that tells it to end; "" where the protocol has none."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        super().__init__(name)
        self.command = list(command)
        self._program: Program | None = None

    @property
    def program(self) -> Program:
        """The running program. Raises Failed where it was not started."""
        if self._program is None:
            raise Failed("crash", "it does not run")
        return self._program

    @property
    def running(self) -> bool:
        """Whether it was started for a game before."""
        return self._program is not None

    def start(self) -> None:
        """Start the program unless it was started already. Raises Failed."""
        if self._program is None:
            self._program = Program(self.command)

    def processor(self) -> float | None:
        """The processor time of the program and its descendants; None where it does not run."""
        return None if self._program is None else self._program.processor()

    def stop(self) -> None:
        """Kill the program."""
        if self._program is not None:
            self._program.close(patience=0)
            self._program = None

    def close(self) -> None:
        """Tell the program to end, and give it time to do so; kill it if the protocol has no message for that."""
        if self._program is not None and self.quit_word:
            with suppress(Failed):
                self._program.send(self.quit_word)
            self._program.close()
            self._program = None
        self.stop()
