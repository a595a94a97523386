"""Strategies by information state: saves them to files, opens them and looks them up in play.

A file identifies an information state by a digest of all that the player saw and did, and of the legal moves, so that
it can be looked up during a game without the tree.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from dsl.whole_file import whole_file
from interpreter.arrays import Reals
from interpreter.game import Game, Position
from interpreter.semantics.hidden import DIGITS, Digested, digested
from solver.errors import Refused
from solver.information.knowing import move_between
from solver.information.response import behaviour_of

if TYPE_CHECKING:
    from interpreter.model.state import State
    from solver.information.tree import SequenceForm

_NAME = "dslgame strategies"
FORMAT = f"{_NAME} 3"
_FRACTION = re.compile(r"-?\d+(/\d+)?", re.ASCII)


ROUNDING = 1e-6
"""How far the sum of probabilities may be from 1."""


@attrs.frozen
class Behaviour:
    """The probabilities of a player's moves in one information state.

    Raises ValueError where there are no moves, or their probabilities are none or do not sum to 1.
    """

    moves: tuple[str, ...]
    probabilities: tuple[float, ...]

    def __attrs_post_init__(self) -> None:
        if not all(0 <= share <= 1 for share in self.probabilities) or abs(sum(self.probabilities) - 1) > ROUNDING:
            shares = ", ".join(f"{share:g}" for share in self.probabilities)
            raise ValueError(f"the probabilities of the moves {' '.join(self.moves)} are {shares}, which do not sum "
                             "to 1")


@attrs.frozen
class Strategies:
    """A strategy for each player of a game, with their value and exploitability."""

    game: Game
    expected: float
    """The expected payoff to the first player when both players follow them."""
    exact: str | None
    """The value of the game as a fraction; None where it is not known."""
    exploitability: float
    """How much a best response gains against them, on average over the players."""
    method: str
    players: tuple[Mapping[str, Behaviour], ...] = attrs.field(repr=False)
    """For each player, the behaviour by the key of the information state."""
    root: str | None = None
    """The position that they begin with, as text; None for the game's start."""

    @classmethod
    def of(cls, game: Game, form: SequenceForm, plans: tuple[Reals, Reals], *, root: State, expected: float,
           exact: str | None, exploitability: float, method: str) -> Strategies:
        """Convert plans to strategies."""
        players = []
        for side, plan, memory in zip(form.players, plans, form.memory, strict=True):
            digests = {0: ""}
            for (before, event), number in memory.after.items():  # in order of creation, so `before` has its digest
                digests[number] = digested(digests[before], event)
            behaviour = behaviour_of(side, plan)
            players.append({_key(digests[state.key], state.moves): Behaviour(state.moves, tuple(
                float(behaviour[state.first + index]) for index in range(len(state.moves)))) for state in side.states})
        return cls(game, expected, exact, exploitability, method, tuple(players),
                   None if root == game.engine.start() else game.position_text(root))

    def at(self, position: Position) -> Behaviour | None:
        """The behaviour of the player to move, by what this player knows and may do; None where the strategy has none,
        and where chance moves. Raises Refused where it has other moves than those that are legal."""
        if position.by_chance:
            return None
        player, legal = position.state.to_move, position.moves()
        result = self.players[player].get(_key(digest_of_knowledge(position, player), legal))
        if result is not None and sorted(result.moves) != sorted(legal):
            raise Refused(f"the strategies of {self.game.title} have the moves {' '.join(result.moves)} where "
                          f"{' '.join(legal)} are legal: solve the game again")
        return result

    # ---- files

    def save(self, path: Path) -> None:
        """Write the strategies to a file atomically. Raises OSError."""
        rules = self.game.rules
        content = {
            "name": Path(rules.source.name).name, "rules": rules.source.text, "params": dict(self.game.params),
            "expected": self.expected, "exact": self.exact, "exploitability": self.exploitability,
            "method": self.method, "root": self.root, "players": [
                {key: dict(zip(item.moves, item.probabilities, strict=True)) for key, item in player.items()}
                for player in self.players]}
        with whole_file(path) as stream:
            stream.write(_text({"format": FORMAT, "digest": _digest(content), **content}).encode())

    @classmethod
    def open(cls, path: Path) -> Strategies:
        """Read strategies from a file. Raises OSError, or Refused where it holds none, or is damaged."""
        try:
            content = json.loads(path.read_bytes(), parse_constant=_no_number)
            if not isinstance(content, dict) or not str(content.get("format")).startswith(_NAME):
                raise ValueError("it begins otherwise")
            if content["format"] != FORMAT:
                raise ValueError("it has the format of another version of dslgame: solve the game again")
            if content.pop("digest") != _digest({key: item for key, item in content.items() if key != "format"}):
                raise ValueError("it is damaged, as its digest is another one")
            game = Game.of(Source(Path(str(content["name"])).name, str(content["rules"])), content["params"])
            players = tuple({str(key): Behaviour(tuple(item), tuple(float(share) for share in item.values()))
                             for key, item in player.items()} for player in content["players"])
            exact, root = content["exact"], content["root"]
            expected, exploitability = float(content["expected"]), float(content["exploitability"])
            if len(players) != 2 or not math.isfinite(expected) or not 0 <= exploitability < math.inf or (
                    exact is not None and not _FRACTION.fullmatch(exact)):
                raise ValueError("its values are none that solving gives")
            if root is not None:
                game.read_position(root)
            return cls(game, expected, exact, exploitability, str(content["method"]), players, root)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, GameFileError) as problem:
            raise Refused(f"{path} holds no strategies: {str(problem).splitlines()[0]}") from None


def is_strategies(path: str | Path) -> bool:
    """Whether a file seems to hold strategies; False for a folder, a URL or a missing file."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as stream:
        return _NAME.encode() in stream.read(100)


def _text(content: Mapping[str, object]) -> str:
    """The text of a file."""
    return json.dumps(content, ensure_ascii=False)


def _digest(content: Mapping[str, object]) -> str:
    """The digest of a file's content, which damage changes."""
    return sha256(_text(content).encode()).hexdigest()


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _key(digest: str, moves: Iterable[str]) -> str:
    """The key of an information state, given the digest of what the player knows, and the legal moves.

    Positions that a player cannot tell apart may have other moves by a repetition rule, or where the rules leak.
    """
    return sha256(f"{digest}{sorted(moves)!r}".encode()).hexdigest()[:DIGITS]


def digest_of_knowledge(position: Position, player: int) -> str:
    """The digest of what a player knows in a position, computed from the moves that led to it."""
    game = position.game
    states = [*position.history, position.state]
    known = Digested.begun(game.observer, player, states[0])
    for before, text, after in zip(states, position.played, states[1:], strict=False):
        known = known.after(game.observer, before, move_between(game, before, text, after), after)
    return known.digest
