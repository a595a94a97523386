"""The line protocol of a programming contest: a program says who it is, is told its side, then exchanges moves.

| the referee says | the program answers |
|---|---|
| `-T` | its identity, a line |
| `-W`, `-B`: its side by its first letter | nothing; whoever moves first, the first move |
| a move, or a result of chance | its reply, if it is to move |

A side whose first letter is T is told by two letters, as `-TI`. There is no message for the end of a game: the referee
ends the program, or asks `-T` again for another game. Games cannot start from an opening.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dslgame.programs.channels import Deadline
from dslgame.programs.failures import Failed, quoted
from dslgame.programs.protocols.lines import Seat, Unsayable, after
from dslgame.programs.protocols.tcp import initials
from dslgame.programs.referee import STARTING, Clock
from dslgame.programs.spawned import Spawned
from interpreter.game import Game, Position

WHO = "-T"
MOST_IDENTITY = 64


class ContestEngine(Spawned):
    """A program that speaks the protocol; restarted for each game."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        super().__init__(name, command)
        self.identity = ""

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """Restart the program, ask for its identity, and tell it its side."""
        self.stop()
        self.start()
        self.program.send(WHO)
        self.identity = self.program.answer(Deadline(STARTING))
        if len(self.identity) > MOST_IDENTITY:
            raise Failed("garbage", f"expected an identity, found {quoted(self.identity)}")
        try:
            self.program.send(sides(position.game)[side])
        except Unsayable as problem:
            raise Failed("refusal", str(problem)) from None

    def choose(self, position: Position, deadline: Deadline) -> str:
        """Read its move; the program is not asked, as `notify` told it the opponent's."""
        return self.program.answer(deadline)

    def notify(self, position: Position, *, own: bool) -> None:
        """Tell it the opponent's move, unless that ends the game."""
        if not own and not position.over:
            self.program.send(position.played[-1])

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """End the program."""
        self.stop()


def sides(game: Game) -> list[str]:
    """The message that tells each player its side: none is the question who the program is. Raises Unsayable."""
    result = ["-" + name.upper() for name in initials(game.players, WHO[1:])]
    if WHO in result:
        raise Unsayable(f"a player called {game.players[result.index(WHO)]} cannot be told its side, as {WHO} asks who "
                        "the program is: speak another protocol")
    return result


def serve(game: Game, seat: Seat, name: str, lines: Iterator[str], say: Callable[[str], None]) -> None:
    """Play by the lines of a referee until they end. Raises Unsayable for an invalid line."""
    told = {text: side for side, text in enumerate(sides(game))}
    position: Position | None = None
    side = -1
    for line in lines:
        text = line.strip()
        if not text:
            continue
        if text.upper() == WHO:
            say(name)
            position = None
            continue
        if text.upper() in told and position is None:
            side, position = told[text.upper()], game.start()
            seat.begin(side)
        elif position is None:
            raise Unsayable(f"expected {', '.join([WHO, *told])}, found {quoted(text)}")
        else:
            position = after(position, text)
        while not position.over and not position.by_chance and position.state.to_move == side:
            position = after(position, seat.move(position, None))
            say(position.played[-1])
        if position.over:
            outcome = position.state.outcome
            seat.end(position, side, outcome if outcome is not None and outcome >= 0 else None)
            position = None
