"""GTP version 2, the protocol of programs for Go and for connection games: a controller sends commands to an engine.

`GtpEngine` runs an external engine as a contestant, `serve` answers a controller with a local player. Vertices are
moves in the game's own notation, unless the game's `Dialect` says otherwise, which also knows komi, score and handicap.
`boardsize` sets the params that determine the size of the game's board. The first player is black, unless the players
are named black and white; swapping sides is `swap-sides` or `swap-pieces`, by the kind of the game's pie rule.
`final_score` answers `B+`, `W+` or `0`, with the points where the rules count some.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite

import attrs

from dsl.syntax import rules
from dsl.syntax.parser import parse
from dslgame.programs.channels import Deadline
from dslgame.programs.failures import Failed, quoted
from dslgame.programs.plugins import Crashed
from dslgame.programs.protocols.dialects import Dialect, dialect_of, no_handicap
from dslgame.programs.protocols.lines import Seat
from dslgame.programs.referee import SLACK, STARTING, TELLING, Clock
from dslgame.programs.spawned import Spawned
from interpreter.errors import IllegalMove, ImpossiblePosition
from interpreter.game import Game, Position
from interpreter.model.state import SWAP

VERSION = "2"
SWAPS = ("swap-sides", "swap-pieces", "swap")
COLOURS = ("black", "white")
MOST_LINES = 1_000
MOVES_LEFT = 25
"""The number of moves that the time left for a game is divided by."""
SKIP = "pass"
"""The move of a player who lets the other one move again."""
_NUMBERED = re.compile(r"\s*(?:(?P<id>[0-9]+)\s+)?(?P<words>.*)", re.DOTALL)


def colours(game: Game) -> tuple[str, str]:
    """The colours of the two players: their names where these are black and white, otherwise black for the first."""
    first, second = (name.casefold() for name in game.players)
    return (first, second) if {first, second} == {*COLOURS} else COLOURS


def colour_to_move(position: Position) -> str:
    """The colour of the pieces of the player to move."""
    return colours(position.game)[position.state.to_move ^ position.state.seats]


def side_of(text: str, position: Position) -> int | None:
    """The player that has a colour in a position; None for an unknown colour."""
    result = text.casefold()
    names = {name: number for number, name in enumerate(colours(position.game))}
    names |= {name[0]: number for name, number in names.items()}
    names |= {name.casefold(): number for number, name in enumerate(position.game.players)}
    return None if result not in names else names[result] ^ position.state.seats


def size_params(game: Game) -> tuple[str, ...]:
    """The params that set the board's size, in the order of its dimensions: rows before columns."""
    board = parse(game.rules.source).file.all(rules.Board)
    result: dict[str, None] = {}
    for item in board:
        for argument in item.arguments:
            for node in _nodes(argument):
                if isinstance(node, rules.Name) and node.text in game.params:
                    result[node.text] = None
    return tuple(result)


def _nodes(node: object) -> Iterator[object]:
    kind = type(node)
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from _nodes(item)
    elif attrs.has(kind):
        for field in attrs.fields(kind):
            if field.name != "span":
                yield from _nodes(getattr(node, field.name))


def boardsize(game: Game) -> str:
    """The arguments of `boardsize`: one number, or columns and rows."""
    values = [game.params[name] for name in size_params(game)] or list(game.board.shape[:2])
    if not values:
        return str(game.board.size)
    if len(values) == 1 or len({*values}) == 1:
        return str(values[0])
    return f"{values[1]} {values[0]}"


def sized(game: Game, numbers: Sequence[int]) -> dict[str, int] | None:
    """The params for the numbers of `boardsize`; {} for a fixed board of this size, None for an impossible size."""
    names = size_params(game)
    wanted = list(reversed(numbers)) if len(numbers) == 2 else list(numbers) * max(1, len(names))
    if not names:
        shape = list(game.board.shape[:2])
        return {} if wanted in (shape, shape[:1], [game.board.size]) or wanted * 2 == shape else None
    if len(numbers) == 2 and len(names) == 1:
        wanted = wanted[:1] if wanted[0] == wanted[1] else []
    if len(wanted) < len(names):
        return None
    return dict(zip(names, wanted, strict=False))


def dialect(game: Game) -> Dialect:
    """What GTP says of a game."""
    return dialect_of("gtp", game)


def vertex(move: str, position: Position) -> str:
    """Convert a legal move from the game's notation to a GTP vertex."""
    if position.game.rules.pies and position.find(move).rule == SWAP:
        return "swap-sides" if any(pie.by_seats for pie in position.game.rules.pies) else "swap-pieces"
    return dialect(position.game).written(move)


def read_vertex(text: str, position: Position) -> str:
    """Convert a GTP vertex to the game's notation."""
    if text.casefold() in SWAPS:
        return next((position.game.notation.write(position.state, move) for move in position.legal()
                     if move.rule == SWAP), text)
    return dialect(position.game).read(text)


def score(position: Position) -> str:
    """The result of a finished game: `B+3.5`, `W+0.5` or `0`, without the number where the rules count no points."""
    outcome = position.state.outcome
    if outcome is None or outcome < 0:
        return "0"
    lead = dialect(position.game).lead(position)
    return colours(position.game)[outcome ^ position.state.seats][0].upper() + "+" + (
        "" if lead is None else f"{float(abs(lead)):g}")


# ---- an external engine


class GtpEngine(Spawned):
    """A GTP engine."""

    quit_word = "quit"

    def __init__(self, name: str, command: Sequence[str]) -> None:
        super().__init__(name, command)
        self._known: set[str] = set()
        self._refused: set[str] = set()
        """Optional commands that the engine has refused, and that are not sent again."""
        self._clock, self._spent = Clock(), 0.0

    def _ask(self, command: str, deadline: Deadline) -> str:
        """Send a command and return the answer. Raises Failed, also where the engine refuses the command."""
        self.program.send(command)
        lines: list[str] = []
        while len(lines) < MOST_LINES:
            line = self.program.receive(deadline)
            if not line and lines:
                break
            if lines or line.startswith(("=", "?")):
                lines.append(line)
            elif line and not line.startswith("#"):
                raise Failed("garbage", f"expected an answer to '{command}', found {quoted(line)}")
        text = "\n".join(lines)
        result = re.sub(r"^[=?][0-9]*\s*", "", text).strip()
        if text.startswith("?"):
            raise Failed("refusal", f"it does not take '{command}': {quoted(result)}")
        return result

    def _offer(self, command: str, deadline: Deadline) -> str:
        """Send an optional command and return the answer, or '' where the engine refuses it, which is noted once.
        Raises Failed as `_ask` does.
        """
        word = command.split()[0]
        if word in self._refused:
            return ""
        try:
            return self._ask(command, deadline)
        except Failed as failure:
            if failure.kind != "refusal":
                raise
            self._refused.add(word)
            said = failure.message.replace(f"'{command}'", f"'{word}'", 1)  # the same text in every process
            self.note(f"{said}; the match goes on without it")
            return ""

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """Set up the board and the time, and replay the moves so far."""
        deadline = Deadline(STARTING)
        self._clock, self._spent = clock, 0.0
        if self._program is None:
            self.start()
            self._known = {*self._offer("list_commands", deadline).split()}
        size = f"boardsize {boardsize(position.game)}"
        if size_params(position.game):
            self._ask(size, deadline)
        else:  # the board has only one size
            self._offer(size, deadline)
        self._ask("clear_board", deadline)
        says = dialect(position.game)
        for command in says.rules:
            if command.split()[0] in self._known:
                self._offer(command, deadline)
        if komi := says.komi_of(position.game):
            self._ask(f"komi {komi}", deadline)
        if "time_settings" in self._known and (clock.game is not None or clock.move is not None):
            main = 0 if clock.game is None else max(1, round(clock.game))
            each = 0 if clock.game is not None or clock.move is None else max(1, int(clock.move))
            self._offer(f"time_settings {main} {each} {1 if each else 0}", deadline)
        now = position.game.start()
        for move in position.played:
            after = now.play(move)
            self._play(now, move, deadline)
            now = after
        self._before = position

    def _play(self, before: Position, move: str, deadline: Deadline) -> None:
        self._ask(f"play {colour_to_move(before)} {vertex(move, before)}", deadline)

    def choose(self, position: Position, deadline: Deadline) -> str:
        """Ask the engine for a move."""
        if deadline.seconds is not None and "time_left" in self._known:
            left = deadline.seconds - SLACK if self._clock.game is None else self._clock.game - self._spent
            stones = 1 if self._clock.game is None else 0
            self._offer(f"time_left {colour_to_move(position)} {max(1, int(left))} {stones}", deadline)
        start = time.monotonic()
        try:
            result = self._ask(f"genmove {colour_to_move(position)}", deadline)
            cleanup = dialect(position.game).cleanup
            if result.casefold() == SKIP and {cleanup, "undo"} <= self._known:
                self._ask("undo", deadline)
                result = self._ask(f"{cleanup} {colour_to_move(position)}", deadline)
        finally:
            self._spent += time.monotonic() - start
        if result.casefold() == "resign":
            raise Failed("resignation", "by its own word")
        return read_vertex(result, position)

    def notify(self, position: Position, *, own: bool) -> None:
        """Send the other player's move."""
        before, self._before = self._before, position
        if not own:
            self._play(before, position.played[-1], Deadline(TELLING))

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """Ask for the score of a game that was played to its end, and note another winner than that of the rules."""
        if position.over and dialect(position.game).score and "final_score" in self._known:
            found, here = self._offer("final_score", Deadline(STARTING)), score(position)
            if found and found[0].casefold() != here[0].casefold():
                self.note(f"counts {quoted(found)} at the end, where the rules say {here}")


# ---- a local player as an engine


def _finite(text: str) -> float | None:
    """A finite number; None for any other text."""
    try:
        result = float(text)
    except ValueError:
        return None
    return result if isfinite(result) else None


def _after(position: Position, moves: Sequence[str]) -> Position:
    """The position after some moves. Raises IllegalMove."""
    for move in moves:
        position = position.play(move)
    return position


class _Refused(Exception):
    """Raised for a command that cannot be carried out; the message is the answer."""


class _Served:
    """The state of a served engine: the game, its positions so far, and the commands."""

    def __init__(self, game: Game, seat: Seat, name: str, adapt: Callable[[Mapping[str, int]], Game]) -> None:
        self.game, self.seat, self.name, self.adapt = game, seat, name, adapt
        self.says = dialect(game)
        self.positions = [game.start()]
        """The positions after each command that played; a position may be several moves after the one before."""
        self.begun = False
        """Whether the game began for the seat for good, which it does with its first move, when its side is known."""
        self.seconds: float | None = None
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: VERSION, "name": lambda _: name, "version": lambda _: self._version(),
            "known_command": lambda words: "true" if words and words[0] in self.commands else "false",
            "list_commands": lambda _: "\n".join(self.commands), "quit": lambda _: "",
            "boardsize": self._boardsize, "clear_board": self._clear, "komi": self._komi, "play": self._play,
            "genmove": self._genmove, "reg_genmove": self._consider, "undo": self._undo, "showboard": self._show,
            "all_legal": lambda _: " ".join(vertex(move, self.now) for move in self.now.moves()),
            "final_score": self._score, "time_settings": self._time, "time_left": self._left, "loadsgf": self._load,
        }
        if self.says.handicap is not no_handicap:
            self.commands |= {"fixed_handicap": self._fixed, "place_free_handicap": self._free,
                              "set_free_handicap": self._given}

    @property
    def now(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @staticmethod
    def _version() -> str:
        import dslgame

        return dslgame.__version__

    # ---- the board

    def _adapted(self, params: Mapping[str, int], what: str) -> Game:
        """The game with some other params, which the seat is ready for. Raises _Refused for unacceptable ones."""
        if all(self.game.params.get(name) == value for name, value in params.items()):
            return self.game
        try:
            game = self.adapt({**self.game.params, **params})
            self.seat.prepare(game)
        except Exception:
            raise _Refused(f"unacceptable {what}") from None
        return game

    def _boardsize(self, words: list[str]) -> str:
        try:
            numbers = [int(word) for word in words]
        except ValueError:
            raise _Refused("boardsize not an integer") from None
        params = sized(self.game, numbers) if len(numbers) in (1, 2) else None
        if params is None:
            raise _Refused("unacceptable size")
        self.game = self._adapted(params, "size")
        return self._clear([])

    def _clear(self, words: list[str]) -> str:
        self._begin([self.game.start()])
        return ""

    def _begin(self, positions: list[Position]) -> None:
        self.positions, self.begun = positions, False
        self.seat.rest()

    def _komi(self, words: list[str]) -> str:
        """Set the komi, of a game under way too: its moves are played again by the rules with this komi."""
        points = _finite(words[0]) if words else None
        if points is None:
            raise _Refused("komi not a float")
        params = self.says.with_komi(points)
        if params is None:
            raise _Refused(f"unacceptable komi: {self.game.title} has {self.says.komi_kinds}")
        game = self._adapted(params, "komi")
        if game is not self.game:
            start, *later = self.positions
            again = [game.start() if start.state == self.game.start().state else game.read_position(start.text)]
            for before, after in pairwise([start, *later]):
                again.append(_after(again[-1], after.played[len(before.played):]))
            self.game, self.positions = game, again
            self.seat.rest()
        return ""

    def _load(self, words: list[str]) -> str:
        """Load a record, up to the position before a move; the moves are counted from 1."""
        if not 1 <= len(words) <= 2 or (len(words) == 2 and not re.fullmatch("[0-9]{1,9}", words[1])):
            raise _Refused("expected a file, and perhaps the number of a move")
        from dslgame import records

        try:
            record = records.read_record(words[0])
            if record.title != self.game.title:
                raise _Refused(f"cannot load file: it has a game of {record.title}")
            game = self._adapted(record.params, "params")
            positions = [game.read_position(record.start) if record.start else game.start()]
            for move in record.moves[: max(0, int(words[1]) - 1) if len(words) == 2 else None]:
                positions.append(positions[-1].play(move))
        except (OSError, records.BadRecord, IllegalMove, ImpossiblePosition) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else str(problem).partition("\n")[0]
            raise _Refused(f"cannot load file: {reason}") from None
        self.game = game
        self._begin(positions)
        return ""

    # ---- handicaps

    def _fixed(self, words: list[str]) -> str:
        return self._handicap(self._number(words), exactly=True)

    def _free(self, words: list[str]) -> str:
        return self._handicap(self._number(words), exactly=False)

    @staticmethod
    def _number(words: list[str]) -> int:
        if len(words) != 1 or not re.fullmatch("[0-9]{1,4}", words[0]):
            raise _Refused("handicap not an integer")
        return int(words[0])

    def _handicap(self, number: int, *, exactly: bool) -> str:
        """Place the usual stones; where there are none for a number, and `exactly` is false, those for a smaller one.
        """
        size = self.game.board.shape[0]
        cells = self.says.handicap(size, number)
        while not cells and not exactly and number > 2:
            number = min(number - 1, 2 * size)  # no board has room for more
            cells = self.says.handicap(size, number)
        if not cells:
            raise _Refused("invalid number of stones")
        self._give(cells)
        return " ".join(map(self.says.written, cells))

    def _given(self, words: list[str]) -> str:
        cells = [self.says.read(word) for word in words]
        if len(cells) < 2 or len({*cells}) < len(cells) or any(cell not in self.game.board.names for cell in cells):
            raise _Refused("bad vertex list")
        self._give(cells)
        return ""

    def _give(self, cells: Sequence[str]) -> None:
        """Let the first player place stones, while the second one passes."""
        if self.now.state != self.game.start().state:
            raise _Refused("board not empty")
        moves = [move for cell in cells for move in (SKIP, cell)][1:]
        try:
            self.positions.append(_after(self.now, moves))
        except IllegalMove:
            raise _Refused("bad vertex list") from None
        self.seat.rest()

    # ---- moves

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise _Refused("expected a colour and a move")
        before = self._turn(words[0])
        if words[1].casefold() == "resign":
            return ""
        try:
            self.positions.append(before.play(read_vertex(words[1], before)))
        except IllegalMove:
            raise _Refused("illegal move") from None
        self.seat.rest()
        return ""

    def _turn(self, word: str) -> Position:
        """The current position with a colour to move: moves of one colour may follow each other where the rules let
        the other pass.
        """
        side = side_of(word, self.now)
        if side is None:
            raise _Refused(f"there is no colour {quoted(word)}")
        if self.now.over:
            raise _Refused("the game is over")
        if side == self.now.state.to_move:
            return self.now
        try:
            result = self.now.play(SKIP)
        except IllegalMove:
            result = self.now
        if result.over or side != result.state.to_move:
            raise _Refused(f"{colour_to_move(self.now)} is to move")
        return result

    def _genmove(self, words: list[str]) -> str:
        before, move = self._choice(words)
        self.begun = True
        self.positions.append(before.play(move))
        return vertex(move, before)

    def _consider(self, words: list[str]) -> str:
        before, move = self._choice(words)
        return vertex(move, before)

    def _choice(self, words: list[str]) -> tuple[Position, str]:
        """The position in which a colour is to move, and the move of the seat there."""
        if len(words) != 1:
            raise _Refused("expected a colour")
        before = self._turn(words[0])
        try:
            if not self.begun:
                self.seat.begin(before.state.to_move)
            move = self.seat.move(before, self.seconds)
            before.find(move)
            return before, move
        except IllegalMove as problem:
            raise _Refused(f"the player chose an illegal move: {quoted(problem.text)}") from None
        except Crashed as problem:
            raise _Refused(str(problem)) from None

    def _undo(self, words: list[str]) -> str:
        if len(self.positions) == 1:
            raise _Refused("cannot undo")
        self.positions.pop()
        self.seat.rest()
        return ""

    # ---- answers

    def _show(self, words: list[str]) -> str:
        return "\n" + "\n".join(self.says.labelled(line, self.game.board.column_count)
                                for line in self.now.drawing().splitlines() if line.strip())

    def _score(self, words: list[str]) -> str:
        if not self.now.over:
            raise _Refused("cannot score: the game is not over")
        return score(self.now)

    def _time(self, words: list[str]) -> str:
        try:
            main, byoyomi, stones = (float(word) for word in words)
        except ValueError:
            raise _Refused("expected three numbers") from None
        self.seconds = main / MOVES_LEFT if main else byoyomi / stones if stones else None
        return ""

    def _left(self, words: list[str]) -> str:
        try:
            seconds, stones = float(words[1]), float(words[2])
        except (ValueError, IndexError):
            raise _Refused("expected a colour and two numbers") from None
        self.seconds = seconds / (stones or MOVES_LEFT)
        return ""


def serve(game: Game, seat: Seat, name: str, lines: Iterator[str], say: Callable[[str], None],
          adapt: Callable[[Mapping[str, int]], Game]) -> None:
    """Answer a controller's commands until they end; those that cannot be carried out get an error answer."""
    served = _Served(game, seat, name, adapt)
    for line in lines:
        text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0].replace("\t", " ")).strip()
        if not text:
            continue
        match = _NUMBERED.fullmatch(text)
        assert match is not None
        number = match["id"] or ""
        words = match["words"].split()
        command = served.commands.get(words[0]) if words else None
        try:
            if command is None:
                raise _Refused("unknown command")
            say(f"={number} {command(words[1:])}".rstrip(" ") + "\n")
        except _Refused as refused:
            say(f"?{number} {refused}\n")
        if words and words[0] == "quit":
            return
