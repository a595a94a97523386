"""The line protocol, a simple text protocol for engines, over their standard input and output.

| the referee says | the program answers |
|---|---|
| `game TITLE`, `param NAME=VALUE` for each, `side NAME`, `moves M1 M2 ...` | nothing |
| `start` | `ready`, and its name |
| `go SECONDS` (or `go -`, without a limit) | `move TEXT`, or `resign` |
| `played TEXT`: the other's move | nothing |
| `sees POSITION`, `legal M1 M2 ...`: in games that hide something, in the place of others' moves | nothing |
| `end won`, `end lost` or `end drawn` | nothing |
| `quit` | nothing; it ends |

Moves are written in the game's notation. Lines of the program that begin with # are comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dslgame.programs.channels import Deadline, Program
from dslgame.programs.failures import Failed, quoted
from dslgame.programs.plugins import Crashed
from dslgame.programs.referee import SLACK, STARTING, Clock
from dslgame.programs.seen import Following, SeenPosition, Telling
from dslgame.programs.spawned import Spawned
from interpreter.errors import IllegalMove, ImpossiblePosition
from interpreter.game import Game, Position

LEAST_TIME = 0.001


class LinesEngine(Spawned):
    """An engine that speaks the line protocol."""

    quit_word = "quit"
    _telling: Telling | None = None

    @property
    def program(self) -> Program:
        """The engine's process, started if it is not running."""
        self.start()
        return super().program

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """Send the game, its params, the side and the moves so far, and wait for `ready`."""
        game = position.game
        self.program.send(f"game {game.title}")
        for param, value in game.params.items():
            self.program.send(f"param {param}={value}")
        self.program.send(f"side {game.players[side]}")
        self._telling = None if game.observer.sees_all else Telling(game, side)
        if self._telling is not None:
            self._show(position)
        elif position.played:
            self.program.send("moves " + " ".join(position.played))
        self.program.send("start")
        answer = self.program.answer(Deadline(STARTING))
        if answer.split()[:1] != ["ready"]:
            raise Failed("garbage", f"expected 'ready', found {quoted(answer)}")

    def _show(self, position: Position) -> None:
        """Send what its side sees, if that has changed."""
        news = None if self._telling is None else self._telling.news(position)
        if news is not None:
            self.program.send(f"sees {news}")

    def choose(self, position: Position, deadline: Deadline) -> str:
        """Ask the engine for a move."""
        if self._telling is not None:
            self._show(position)
            self.program.send("legal " + " ".join(position.moves()))
        seconds = deadline.seconds
        self.program.send("go -" if seconds is None else f"go {max(LEAST_TIME, seconds - SLACK):.3f}")
        answer = self.program.answer(deadline)
        word, _, move = answer.partition(" ")
        if word == "resign":
            raise Failed("resignation", "by its own word")
        if word == "error":
            raise Failed("crash", quoted(move))
        if word != "move" or not move.strip():
            raise Failed("garbage", f"expected 'move' and a move, found {quoted(answer)}")
        return move.strip()

    def notify(self, position: Position, *, own: bool) -> None:
        """Send the other player's move; in games that hide something, what its side sees after any move."""
        if self._telling is not None:
            self._show(position)
        elif not own:
            self.program.send(f"played {position.played[-1]}")

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """Send the result."""
        self.program.send(f"end {'drawn' if winner is None else 'won' if winner == side else 'lost'}")


# ---- the other side


class Seat:
    """The interface of a local player in a game that another program referees."""

    def prepare(self, game: Game) -> None:
        """Make the player ready for games with other params. Raises as `seat_of` does."""

    def begin(self, side: int) -> None:
        """Begin a game as a side."""

    def move(self, position: Position, seconds: float | None) -> str:
        """Choose a move, as text."""
        raise NotImplementedError

    def end(self, position: Position, side: int, winner: int | None) -> None:
        """End a game; `winner` is a side, None for a draw, -1 where it is not known."""

    def rest(self) -> None:
        """Stop pondering: the game has left the position after the seat's last move."""


class Unsayable(Exception):
    """Raised for a line of the referee that cannot be carried out; the message says why."""


def serve(game: Game, seat: Seat, name: str, lines: Iterator[str], say: Callable[[str], None]) -> None:
    """Answer a referee's lines until they end. Raises Unsayable for a line that cannot be carried out."""
    position, side = game.start(), 0
    following = None if game.observer.sees_all else Following(game)
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        match word:
            case "":
                pass
            case "game":
                position, side = game.start(), 0
                following = None if game.observer.sees_all else Following(game)
            case "param":
                _check_param(game, rest)
            case "side":
                side = _side(game, rest)
            case "sees" if following is not None:
                try:
                    following.sees(rest)
                except ImpossiblePosition as problem:
                    raise Unsayable(str(problem)) from None
            case "legal" if following is not None:
                following.offered = tuple(rest.split())
            case "moves" | "played" if following is not None:
                raise Unsayable(f"{game.unseen}: expected 'sees' and 'legal', "
                                f"found {quoted(line)}")
            case "moves":
                for move in rest.split():
                    position = after(position, move)
            case "start":
                seat.begin(side)
                say(f"ready {name}")
            case "go":
                if following is None and position.over:
                    raise Unsayable("the game is over, and there is no move to make")
                try:
                    text = seat.move(position if following is None else _seen(following), _seconds(rest))
                except Crashed as problem:
                    say(f"error {problem}")
                    continue
                say(f"move {' '.join(text.split())}")
                if following is None:
                    position = after(position, text)
                else:
                    following.moved(text)
            case "played":
                position = after(position, rest)
            case "end":
                winner = {"won": side, "lost": _another(game, side)}.get(rest)
                seat.end(position, side, winner)
            case "quit":
                return
            case _:
                raise Unsayable(f"expected a line of the protocol, found {quoted(line)}")


def _seen(following: Following) -> SeenPosition:
    """The position as the local player sees it. Raises Unsayable where the referee has not sent it."""
    try:
        return following.position()
    except IndexError:
        raise Unsayable("expected 'sees' and a position before 'go', in a game that hides something") from None


def _another(game: Game, side: int) -> int:
    """A player of another team, as the winner: with more than two players the protocol does not say who won."""
    return next((player for player, of in enumerate(game.sides) if of != game.sides[side]), 1 - side)


def _seconds(text: str) -> float | None:
    try:
        return None if text in ("", "-") else float(text)
    except ValueError:
        raise Unsayable(f"expected seconds or '-', found {quoted(text)}") from None


def _check_param(game: Game, text: str) -> None:
    name, _, value = text.partition("=")
    if str(game.params.get(name)) != value:
        raise Unsayable(f"the referee plays with {text}, and this program with "
                        f"{', '.join(f'{key}={there}' for key, there in game.params.items()) or 'no params'}")


def _side(game: Game, text: str) -> int:
    if text not in game.players:
        raise Unsayable(f"{game.title} has no player {quoted(text)}; its players are {', '.join(game.players)}")
    return game.players.index(text)


def after(position: Position, move: str) -> Position:
    """The position after a move. Raises Unsayable for an illegal move."""
    try:
        return position.play(move)
    except IllegalMove as problem:
        raise Unsayable(f"illegal move {quoted(move)}: {problem.reason}") from None
