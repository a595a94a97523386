"""The TCP protocol of a referee that players connect to: unframed texts, each answered before the next is sent.

| the referee says | the player answers |
|---|---|
| `r3-c3-B#`: the params, each by its first letter, and the player's side by its first letter | `ok` |
| the moves so far, joined by `;`; `;` alone where there are none | `ok` |
| `Move?` | a move |
| `>` and the move, to both players | `ok` |
| `+` won, `-` lost, `#` drawn, `!` an error: the player leaves | nothing |

A text is complete when nothing can follow it, or nothing follows for a moment. `TcpContestant` is the referee's side, a
contestant whose program connects to us; `join` is the player's side.
"""

from __future__ import annotations

import re
import selectors
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import sleep

from dslgame.programs.channels import Connection, Deadline
from dslgame.programs.failures import Failed, quoted
from dslgame.programs.plugins import BadPlayer
from dslgame.programs.processes import Started
from dslgame.programs.protocols.lines import Seat, Unsayable
from dslgame.programs.referee import STARTING, TELLING, Clock, Contestant
from interpreter.errors import IllegalMove
from interpreter.game import Game, Position

ASK, OTHER_ASK, TOLD, OK = "Move?", "?", ">", "ok"
RESULTS = {"+": "won", "-": "lost", "#": "drawn", "!": "error"}
PAUSE = 0.02
"""Seconds without data after which a legal move that could be continued counts as complete."""
INCOMPLETE = 0.5
"""Seconds without data after which a text that is not valid counts as complete."""
FEW = 3_000
"""The most legal moves for which it is looked up whether a text could be continued."""
PATIENCE = 600.0
"""Seconds that a player waits for the referee."""
WAITING, AGAIN = 10.0, 2.0
"""Seconds that a player tries to connect: at first, and after a game."""
MOST_ASKED = 64
"""The most connections that may wait for their first answer at the same time."""
_IDLE = " \t\r\n\0"
_HEADER = re.compile(r"((?:[A-Za-z]+-?[0-9]{1,9}-)*)([A-Za-z]+)#")


def initials(words: Sequence[str], besides: str = "") -> list[str]:
    """The shortest prefix of each word that no other word begins with, and that is not `besides`."""
    result = []
    for number, word in enumerate(words):
        others = [other.casefold() for at, other in enumerate(words) if at != number]
        length = next((size for size in range(1, len(word) + 1)
                       if word[:size].casefold() != besides.casefold()
                       and not any(other.startswith(word[:size].casefold()) for other in others)), len(word))
        result.append(word[:length])
    return result


def header(game: Game, side: int) -> str:
    """The first text that a player is sent, with the params and its side, such as `r3-c3-B#`."""
    params = zip(initials(list(game.params)), game.params.values(), strict=True)
    return "".join(f"{name}{value}-" for name, value in params) + initials(game.players)[side] + "#"


def read_header(text: str, game: Game) -> tuple[dict[str, int], int]:
    """Parse the params and the side of a header. Raises Unsayable."""
    match = _HEADER.fullmatch(text)
    if match is None:
        raise Unsayable(f"expected a text such as {header(game, 0)}, found {quoted(text)}")
    names = {name.casefold(): param for name, param in zip(initials(list(game.params)), game.params, strict=True)}
    params: dict[str, int] = {}
    for name, value in re.findall(r"([A-Za-z]+)(-?[0-9]+)-", match[1]):
        if name.casefold() not in names:
            raise Unsayable(f"{game.title} has no param that begins with '{name}'")
        params[names[name.casefold()]] = int(value)
    sides = [name.casefold() for name in initials(game.players)]
    if match[2].casefold() not in sides:
        raise Unsayable(f"{game.title} has no player {quoted(match[2])}; its players are {', '.join(game.players)}")
    return params, sides.index(match[2].casefold())


def legal_readings(position: Position) -> list[str]:
    """All texts that are accepted for a legal move, in lower case."""
    notation = position.game.notation
    return [reading.casefold() for move in position.legal() for reading in notation.readings(position.state, move)]


def _is_legal(position: Position, text: str) -> bool:
    try:
        position.find(text)
    except IllegalMove:
        return False
    return True


def _may_go_on(position: Position, text: str) -> bool:
    """Whether the text of a legal move may be the beginning of another; assumed where there are many legal moves."""
    if len(position.legal()) > FEW:
        return True
    folded = text.casefold()
    return any(reading.startswith(folded) and reading != folded for reading in legal_readings(position))


def _is_ok(connection: Connection, text: str) -> bool:
    """Whether the received data begins with `ok`, which is then consumed. Raises Failed where it is something else."""
    came = connection.text.lstrip(_IDLE)
    if came.casefold().startswith(OK):
        connection.text = came[len(OK):]
        return True
    if came and not OK.startswith(came.casefold()):
        raise Failed("garbage", f"expected '{OK}' to {quoted(text)}, found {quoted(came)}")
    return False


def _ready(streams: Sequence[socket.socket | Connection], seconds: float) -> set[int]:
    """Wait at most `seconds` until data has come on some streams; the file numbers of these."""
    with selectors.DefaultSelector() as selector:
        for stream in streams:
            selector.register(stream, selectors.EVENT_READ)
        return {key.fd for key, _ in selector.select(seconds)}


class TcpContestant(Contestant):
    """A contestant whose program connects to our port and is asked for moves."""

    def __init__(self, name: str, listening: socket.socket, command: Sequence[str] = ()) -> None:
        super().__init__(name)
        self._listening, self.command = listening, list(command)
        self._connection: Connection | None = None
        self._program: Started | None = None

    def processor(self) -> float | None:
        """The processor time of the program that was started; None for one that connects by itself."""
        return None if self._program is None else self._program.processor()

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """Wait for the player to connect, and send it the header and the moves; connections that close are ignored."""
        deadline = Deadline(STARTING)
        if self.command and (self._program is None or self._program.process.poll() is not None):
            self._start()
        self._connection = self._player(header(position.game, side), deadline)
        self._say(";".join(position.played) or ";", deadline)

    def _start(self) -> None:
        try:
            self._program = Started(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
        except (OSError, ValueError) as problem:
            raise Failed("crash", f"cannot be started: {getattr(problem, 'strerror', None) or problem}") from None

    def _player(self, text: str, deadline: Deadline) -> Connection:
        """Send a text on each new connection; the first one that answers `ok`. Silent connections do not block others.

        Raises Failed where there is none in time, where the program ends, or where another answer comes.
        """
        asked: list[Connection] = []
        try:
            while not deadline.over:
                self._listening.settimeout(0.2)
                ready = _ready([self._listening, *asked], min(0.2, deadline.left or 0.2))
                for connection in [other for other in asked if other.fileno() in ready]:
                    if self._agrees(connection, text):
                        asked.remove(connection)
                        return connection
                    if connection.closed:
                        asked.remove(connection)
                if self._listening.fileno() in ready:
                    self._accept(asked, text)
                elif self._program is not None and self._program.process.poll() not in (None, 0) and not asked:
                    code = self._program.process.returncode
                    raise Failed("crash", f"ended with exit code {code} before it connected")
        finally:
            for connection in asked:
                if connection is not self._connection:
                    connection.close()
        raise deadline.missed() if asked else Failed("time", f"nobody connected within {STARTING:g} s")

    def _accept(self, asked: list[Connection], text: str) -> None:
        """Accept a connection and send it the text; close the oldest where more than `MOST_ASKED` are silent."""
        try:
            connected, _ = self._listening.accept()
        except TimeoutError:
            return
        except OSError as problem:
            raise Failed("disconnect", f"{problem.strerror or problem}") from None
        connection = Connection(connected)
        try:
            connection.send(text)
        except Failed:  # already closed by the other side
            connection.close()
            return
        asked.append(connection)
        if len(asked) > MOST_ASKED:
            asked.pop(0).close()

    def _agrees(self, connection: Connection, text: str) -> bool:
        """Whether a connection has answered `ok`; closes it if the other side did.

        Raises Failed for another answer, and keeps the connection, so that `stop` tells the other side of the error.
        """
        try:
            connection.more(Deadline(0))
            return _is_ok(connection, text)
        except Failed as failure:
            if failure.kind == "disconnect":
                connection.close()
                return False
            self._connection = connection
            raise

    @property
    def connection(self) -> Connection:
        """The connection of the game. Raises Failed where there is none."""
        if self._connection is None:
            raise Failed("disconnect", "there is no connection")
        return self._connection

    def _say(self, text: str, deadline: Deadline) -> None:
        """Send a text and wait for `ok`."""
        connection = self.connection
        connection.send(text)
        while not _is_ok(connection, text):
            if not connection.more(deadline):
                raise deadline.missed()

    def choose(self, position: Position, deadline: Deadline) -> str:
        """Ask for a move."""
        connection = self.connection
        connection.text = connection.text.strip(_IDLE)
        if connection.text:
            raise Failed("garbage", f"spoke out of turn: {quoted(connection.text)}")
        connection.send(ASK)
        while not connection.more(deadline) or not connection.text.strip(_IDLE):
            if deadline.over:
                raise deadline.missed()
        while True:
            text = connection.text.strip(_IDLE)
            legal = _is_legal(position, text)
            if legal and not _may_go_on(position, text):
                break
            if not connection.more(Deadline(PAUSE if legal else INCOMPLETE)):
                break
        connection.text = ""
        return text

    def notify(self, position: Position, *, own: bool) -> None:
        """Send the last move, to the player that made it too."""
        self._say(TOLD + position.played[-1], Deadline(TELLING))

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """Send the result and close the connection."""
        sign = next(sign for sign, word in RESULTS.items()
                    if word == ("drawn" if winner is None else "won" if winner == side else "lost"))
        with suppress(Failed):
            self.connection.send(sign)
        self._leave()

    def _leave(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def stop(self) -> None:
        """Tell the player of an error, close the connection, and kill a program that was started."""
        if self._connection is not None:
            with suppress(Failed):
                self._connection.send("!")
        self._leave()
        if self._program is not None:
            self._program.end()
            self._program = None

    def close(self) -> None:
        """Close the connection, and kill a program that was started if it does not end within half a second."""
        self._leave()
        if self._program is not None:
            with suppress(subprocess.TimeoutExpired):
                self._program.process.wait(0.5)
        self.stop()


# ---- the player's side


def join(game: Game, seat: Seat, host: str, port: int, *, games: int | None = None, patience: float = PATIENCE,
         adapt: Callable[[Mapping[str, int]], Game] | None = None,
         tell: Callable[[str], None] = lambda text: None) -> int:
    """Play games at a referee, with a new connection for each, until it leaves or `games` are played; their number.

    `adapt` returns the game at other params. Raises Unsayable for an invalid message, OSError where nobody listens at
    the beginning. It is no error if the referee leaves after a game.
    """
    played = 0
    while games is None or played < games:
        connected = _connected(host, port, WAITING if played == 0 else AGAIN)
        if connected is None:
            if played == 0:
                raise ConnectionRefusedError(111, f"nobody listens at {host}:{port}")
            break
        connection = Connection(connected)
        try:
            result = _Guest(game, seat, connection, patience, adapt).play()
        except Failed as failure:
            if failure.kind == "disconnect" and played and not connection.text:
                break
            raise Unsayable(f"the referee: {failure.message}") from None
        finally:
            connection.close()
        played += 1
        tell(f"game {played}: {result}")
    return played


def _connected(host: str, port: int, seconds: float) -> socket.socket | None:
    """Try to connect for some seconds; None where nobody listens."""
    deadline = Deadline(seconds)
    while True:
        try:
            return socket.create_connection((host, port), timeout=deadline.left)
        except OSError:
            if deadline.over:
                return None
            sleep(0.05)


class _Guest:
    """The player's side of one game."""

    def __init__(self, game: Game, seat: Seat, connection: Connection, patience: float,
                 adapt: Callable[[Mapping[str, int]], Game] | None) -> None:
        self.game, self.seat, self.connection, self.patience = game, seat, connection, patience
        self.adapt = adapt
        self.answers = True
        """Whether to answer moves that are told by `ok`; False where the referee asks for moves by `?`."""

    def play(self) -> str:
        """Play one game; its result, a value of `RESULTS`."""
        params, side = read_header(self._whole(lambda text: bool(_HEADER.fullmatch(text)), "a header"), self.game)
        game = self.game
        if any(game.params[name] != value for name, value in params.items()):
            if self.adapt is None:
                raise Unsayable(f"the referee plays with other params: {params}")
            game = self.adapt(params)
        try:
            self.seat.prepare(game)
        except (BadPlayer, ValueError) as problem:
            raise Unsayable(f"the player cannot play with the referee's params: {problem}") from None
        self.connection.send(OK)
        position = self._moves(game)
        self.connection.send(OK)
        self.seat.begin(side)
        while True:
            text = self._some()
            if text.startswith((ASK, OTHER_ASK)):
                self.answers = text.startswith(ASK)
                self._take(len(ASK if self.answers else OTHER_ASK))
                if position.over:
                    raise Unsayable("the game is over, and there is no move to make")
                self.connection.send(self.seat.move(position, None))
            elif text.startswith(TOLD):
                position = position.play(self._told(position))
                if self.answers:
                    self.connection.send(OK)
            elif text[0] in RESULTS:
                result = RESULTS[text[0]]
                winner = {"won": side, "lost": 1 - side, "drawn": None}.get(result, -1)
                self.seat.end(position, side, winner)
                return result
            elif not ASK.startswith(text) or not self.connection.more(Deadline(INCOMPLETE)):
                raise Unsayable(f"expected '{ASK}', '{TOLD}' with a move or a result, found {quoted(text)}")

    def _take(self, count: int) -> None:
        self.connection.text = self.connection.text.lstrip(_IDLE)[count:]

    def _some(self) -> str:
        """Wait for data; all that was received and not yet consumed. Raises Unsayable where nothing comes in time."""
        while not (text := self.connection.text.lstrip(_IDLE)):
            if not self.connection.more(Deadline(self.patience)):
                raise Unsayable(f"the referee said nothing for {self.patience:g} s")
        return text

    def _whole(self, is_whole: Callable[[str], bool], what: str) -> str:
        """Receive a text until `is_whole` holds. Raises Unsayable where it does not, and no more data comes."""
        while not is_whole(text := self._some().rstrip(_IDLE)):
            if not self.connection.more(Deadline(INCOMPLETE)):
                raise Unsayable(f"expected {what}, found {quoted(text)}")
        self.connection.text = ""
        return text

    def _moves(self, game: Game) -> Position:
        """Receive the moves so far; the position after them."""
        position = game.start()

        def is_whole(text: str) -> bool:
            nonlocal position
            try:
                position = game.start()
                for move in filter(None, text.split(";")):
                    position = position.play(move.strip())
            except IllegalMove:
                return False
            return True

        text = self._whole(is_whole, "the moves so far")
        while text != ";" and self.connection.more(Deadline(PAUSE)):
            self.connection.text = text + self.connection.text
            text = self._whole(is_whole, "the moves so far")
        return position

    def _told(self, position: Position) -> str:
        """Receive and consume a move that is told: the longest legal one that the received data begins with."""
        while True:
            text = self.connection.text.lstrip(_IDLE)[len(TOLD):]
            readings = legal_readings(position)
            fitting = [reading for reading in readings if text.casefold().startswith(reading)]
            best = max(fitting, key=len, default="")
            if best and not (len(best) == len(text) and any(other.startswith(best) and other != best
                                                            for other in readings)):
                break
            if not self.connection.more(Deadline(PAUSE if best else INCOMPLETE)):
                if best:
                    break
                raise Unsayable(f"the referee told the illegal move {quoted(text)}")
        self._take(len(TOLD) + len(best))
        return text[: len(best)]
