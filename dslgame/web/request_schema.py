"""The schema of the page's requests: JSON bodies that msgspec validates and that become jobs for the workers.

Each kind of request is a `Struct`; its annotations are the checks, and their descriptions tell in error messages what
is expected. A `Job` is a request together with the path of the game file that it names; `dslgame.web.answers` answers
it. An invalid body raises `Refused`, whose message is for people; nothing here looks at a game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar, get_type_hints

import attrs
import msgspec
from msgspec import Meta, Struct

MOST_BYTES = 1 << 18
"""The most bytes of a request's body."""
MOST_TEXT = 1 << 16
"""The most characters of a game's text: some fifty times a long rule file."""
MOST_MOVES = 5_000
"""The most moves of a game."""
MOST_MOVE = 400
"""The most characters of a move."""
MOST_POSITION = 40_000
"""The most characters of a position, written in one line."""
MOST_PARAMS = 50
MOST_PARAM = 10**9
MOST_PATH = 400
"""The most choices of a move."""
MOST_PLAYERS = 63
MOST_DEPTH = 9
"""The most levels of a tree that is drawn."""
EVERYTHING, SPECTATOR = -1, -2
"""Viewers that are not player numbers: one who plays all sides on one screen, and one who plays none."""

MOST_VALUES, MOST_CHANGES, MOST_CHANGE = 64, 12, 2_000
"""The most values of a param of a family, changes of its rules, and characters of one change."""

_Move = Annotated[str, Meta(max_length=MOST_MOVE)]
_Choice = Annotated[str, Meta(pattern=r"(?s)\A[crkpv]-?[0-9]{1,9}(:.{0,200})?\Z", max_length=MOST_MOVE)]
_Param = Annotated[int, Meta(ge=-MOST_PARAM, le=MOST_PARAM)]
_Values = Annotated[list[_Param], Meta(min_length=1, max_length=MOST_VALUES)]
_Change = Annotated[str, Meta(max_length=MOST_CHANGE)]
_Name = Annotated[str, Meta(pattern=r"\A[A-Za-z_][A-Za-z_0-9]{0,59}\Z")]
_Kind = Annotated[str, Meta(pattern=r"\A[a-z0-9 -]{1,60}\Z")]
_Path = Annotated[list[int | _Choice], Meta(min_length=1, max_length=MOST_PATH)]
"""The choices of a move: its rule's number, then the choices, such as `c12` for a cell."""
_PATH = f"a list of at most {MOST_PATH}: a rule's number, then choices such as 'c12'"
Merge = Literal["none", "translation", "rotation", "all"]
"""Which positions of a tree are merged into one node."""


class Asked(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """The fields of every request: a game of the server by its name, or rules as a text, and params."""

    game: Annotated[Annotated[str, Meta(max_length=200)] | None, Meta(description="the name of a game")] = None
    text: Annotated[Annotated[str, Meta(max_length=MOST_TEXT)] | None,
                    Meta(description=f"the rules of a game, a text of at most {MOST_TEXT:,} characters")] = None
    params: Annotated[dict[_Name, _Param], Meta(max_length=MOST_PARAMS, description=(
        f"an object of at most {MOST_PARAMS} whole numbers by name, each at most {MOST_PARAM:,}"))] = {}
    saved: Annotated[Annotated[str, Meta(max_length=60)] | None, Meta(description=(
        "the stamp of the game's file that the server's answer to 'game' has"))] = None
    """Where it is given, the request is refused if the file was saved since."""


class Checked(Asked, frozen=True, kw_only=True):
    """Rules to check."""

    play: Annotated[bool, Meta(description="true or false: whether the game is played, too")] = False


class Writing(Asked, frozen=True, kw_only=True):
    """A place in a rules text, with line and column from 1."""

    line: Annotated[int, Meta(ge=1, le=MOST_TEXT, description="a line's number, from 1")]
    column: Annotated[int, Meta(ge=1, le=MOST_TEXT, description="a column's number, from 1")]


class At(Asked, frozen=True, kw_only=True):
    """A position: a starting position (by default the game's own) and the moves from there."""

    start: Annotated[Annotated[str, Meta(max_length=MOST_POSITION)] | None,
                     Meta(description=f"a position as a text of at most {MOST_POSITION:,} characters")] = None
    moves: Annotated[list[_Move], Meta(max_length=MOST_MOVES, description=(
        f"a list of at most {MOST_MOVES:,} moves, each a text of at most {MOST_MOVE} characters"))] = []
    viewer: Annotated[int, Meta(ge=SPECTATOR, le=MOST_PLAYERS, description=(
        f"a player's number, {EVERYTHING} for one who plays all sides, or {SPECTATOR} for one who plays none"))] = \
        EVERYTHING


class Opening(At, frozen=True, kw_only=True):
    """A game to open, and optionally the position to open it at."""

    position: Annotated[bool, Meta(description="true or false: whether the position is wanted, too")] = False


class Choosing(At, frozen=True, kw_only=True):
    """The choices made so far for a move."""

    chosen: Annotated[_Path, Meta(description=_PATH)]

    def __post_init__(self) -> None:
        _check_path("chosen", self.chosen)


class Moving(At, frozen=True, kw_only=True):
    """A move, as a text or as its choices."""

    move: Annotated[_Move | _Path, Meta(description=f"a text of at most {MOST_MOVE} characters, or {_PATH}")]

    def __post_init__(self) -> None:
        if not isinstance(self.move, str):
            _check_path("move", self.move)


class Drawing(At, frozen=True, kw_only=True):
    """A game tree to draw."""

    depth: Annotated[int, Meta(ge=1, le=MOST_DEPTH, description=f"a whole number from 1 to {MOST_DEPTH}")]
    merge: Annotated[Merge, Meta(description="one of " + ", ".join(Merge.__args__))]


class Varying(Asked, frozen=True, kw_only=True):
    """A family of games: ranges of params, changes of the rules, and a claim about them."""

    ranges: Annotated[dict[_Name, _Values], Meta(max_length=MOST_PARAMS, description=(
        f"an object of at most {MOST_PARAMS} lists of 1 to {MOST_VALUES} whole numbers by name"))] = {}
    changes: Annotated[list[_Change], Meta(max_length=MOST_CHANGES, description=(
        f"a list of at most {MOST_CHANGES} changes of rules, each a text of at most {MOST_CHANGE:,} characters"))] = []
    claim: Annotated[str, Meta(max_length=MOST_CHANGE, description=(
        f"a text of at most {MOST_CHANGE:,} characters"))] = ""


class Valuing(At, frozen=True, kw_only=True):
    """A request for the values of moves, in one of the rounds of analysis."""

    round: Annotated[int, Meta(ge=0, le=MOST_PARAM, description="a whole number from 0")] = 0


class Playing(At, frozen=True, kw_only=True):
    """A request for a move by a kind of computer player."""

    player: Annotated[_Kind, Meta(description="a word for a kind of player")]


class Beginning(At, frozen=True, kw_only=True):
    """A game to share, from a position on; `seats` says who plays it on one screen, by default it is on several."""

    seats: Annotated[Annotated[list[_Kind], Meta(max_length=MOST_PLAYERS + 1)] | None, Meta(description=(
        "a list of words, each for a kind of player"))] = None


REQUESTS: Mapping[str, type[Asked]] = {
    "game": Opening, "picture": Asked, "check": Checked, "complete": Writing, "word": Writing, "position": At,
    "last": At,
    "choices": Choosing, "move": Moving, "tree": At, "variants": Varying, "treepicture": Drawing, "values": Valuing,
    "analyse": Valuing, "choose": Playing,
}
"""The kinds of requests, by name."""
ASKED = tuple(REQUESTS)
_INNER: Mapping[str, type[Asked]] = {"warm": Asked, "noticed": At, "turn": At}
"""Further kinds of jobs, which only the server itself gives to workers."""
AskedT = TypeVar("AskedT", bound=Asked, covariant=True)


class Joining(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """The field of every request about a shared game: the key of a seat; None for a spectator."""

    key: Annotated[Annotated[str, Meta(max_length=100)] | None, Meta(description="the key of a seat")] = None


class SharedAt(Joining, frozen=True, kw_only=True):
    """A position of a shared game: the one after `ply` moves, or without `ply` the newest."""

    ply: Annotated[Annotated[int, Meta(ge=0, le=MOST_MOVES)] | None, Meta(description="a number of moves")] = None
    last: Annotated[bool, Meta(description="true or false: whether the last move is shown step by step")] = False


class SharedValuing(Joining, frozen=True, kw_only=True):
    """A request for the values of the moves in a shared game."""


class SharedPlaying(Joining, frozen=True, kw_only=True):
    """A request for the move that a kind of computer player would make in a shared game."""

    player: Annotated[_Kind, Meta(description="a word for a kind of player")]


class SharedChoosing(Joining, frozen=True, kw_only=True):
    """The choices made so far for a move of a shared game."""

    chosen: Annotated[_Path, Meta(description=_PATH)]

    def __post_init__(self) -> None:
        _check_path("chosen", self.chosen)


class SharedMoving(Joining, frozen=True, kw_only=True):
    """A move of a shared game; `ply` is the number of moves before it."""

    ply: Annotated[int, Meta(ge=0, le=MOST_MOVES, description="a number of moves")]
    move: Annotated[_Move | _Path, Meta(description=f"a text of at most {MOST_MOVE} characters, or {_PATH}")]

    def __post_init__(self) -> None:
        if not isinstance(self.move, str):
            _check_path("move", self.move)


AtT = TypeVar("AtT", bound=At)


def at(kind: type[AtT], **fields: object) -> AtT:
    """A request about a position, made from fields that are already validated."""
    return msgspec.convert(fields, kind)


def without_last(asked: At) -> At:
    """The same request without the last move."""
    return msgspec.structs.replace(asked, moves=asked.moves[:-1])


class _Moved(Struct, frozen=True):
    move: str


class _More(Struct, frozen=True):
    more: bool


class _Game(Struct, frozen=True):
    players: list[msgspec.Raw]
    kinds: list[str]
    hides: bool


class Noticed(Struct, frozen=True):
    """Which moves of a game were noticed, by a worker's answer to "noticed"."""

    plies: list[list[int]] | None
    """For each seat, and last for spectators, the plies that were noticed; None where nothing is hidden."""
    nature: bool
    """Whether chance makes the next move."""


class Turn(Struct, frozen=True):
    """Who moves next, by a worker's answer to "turn"."""

    side: int | None
    """The number of the player to move; None where chance moves, or the game is over."""
    nature: bool


class _Described(Struct, frozen=True):
    text: str
    game: _Game


def moved(answer: bytes) -> str:
    """The text of the move in a worker's answer to "move"."""
    return msgspec.json.decode(answer, type=_Moved).move


def turn(answer: bytes) -> Turn:
    """A worker's answer to "turn"."""
    return msgspec.json.decode(answer, type=Turn)


def next_round(asked: Valuing, answer: bytes) -> Valuing | None:
    """The same request for the next round, if a worker's answer says that more can be found; else None."""
    more = msgspec.json.decode(answer, type=_More).more
    return msgspec.structs.replace(asked, round=asked.round + 1) if more else None


def ended(answer: bytes) -> bytes:
    """An interim answer of a worker as the last one: without more to come, where it says whether there is."""
    found: dict[str, msgspec.Raw] = msgspec.json.decode(answer, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({**found, "more": False} if "more" in found else found)


def noticed(answer: bytes) -> Noticed:
    """A worker's answer to "noticed"."""
    return msgspec.json.decode(answer, type=Noticed)


@attrs.frozen
class Rules:
    """What sharing a game needs of an answer to "game" for a playable game."""

    text: str
    players: int
    """The number of players."""
    kinds: list[str]
    """The kinds of players that can play it."""
    hides: bool
    """Whether it hides something."""


def described(answer: bytes) -> Rules:
    """The rules in a worker's answer to "game" for a playable game."""
    result = msgspec.json.decode(answer, type=_Described)
    return Rules(result.text, len(result.game.players), result.game.kinds, result.game.hides)


@attrs.frozen
class Job(Generic[AskedT]):
    """A request as it is passed to a worker."""

    do: str
    """A name of `REQUESTS` or `_INNER`."""
    asked: AskedT
    path: str = ""
    """The path of the named game's file; '' where the rules are a text."""

    def encoded(self) -> bytes:
        """The job serialised as JSON, for another process."""
        return msgspec.json.encode((self.do, self.asked, self.path))

    @classmethod
    def decoded(cls, data: bytes) -> Job[Asked]:
        """Read a job that `encoded` wrote."""
        do, asked, path = msgspec.json.decode(data, type=tuple[str, msgspec.Raw, str])
        return Job(do, msgspec.json.decode(asked, type={**REQUESTS, **_INNER}[do]), path)


class Refused(Exception):
    """A request is refused: the HTTP status, an error kind for programs, and a message for people.

    `legal` is the number of legal moves before the first illegal one, where a request's moves contain one.
    """

    def __init__(self, status: int, kind: str, message: str, *, legal: int | None = None) -> None:
        super().__init__(message)
        self.status, self.kind, self.message, self.legal = status, kind, message, legal

    def plain(self) -> dict[str, Any]:
        """The error as the page receives it."""
        known = {} if self.legal is None else {"legal": self.legal}
        return {"error": {"kind": self.kind, "message": self.message, **known}}

    def encoded(self) -> bytes:
        """The same as JSON."""
        return msgspec.json.encode(self.plain())


def wrong(message: str) -> Refused:
    """The refusal of a malformed request."""
    return Refused(400, "request", message)


def job(do: str, body: bytes, files: Mapping[str, str]) -> Job[Asked]:
    """Parse a request's body into a job. `files` maps the names of the server's games to their paths.

    Raises Refused.
    """
    return job_of(do, read(REQUESTS[do], body), files)


def job_of(do: str, asked: Asked, files: Mapping[str, str]) -> Job[Asked]:
    """The job of a request. Raises Refused where it names no game, or one that is not in `files`."""
    if (asked.game is None) == (asked.text is None):
        raise wrong("the request names no game, expected either 'game', a game's name, or 'text', its rules")
    if asked.game is None:
        return Job(do, asked)
    if asked.game not in files:
        raise Refused(404, "game", f"There is no game {_shown(asked.game)} here.")
    return Job(do, asked, files[asked.game])


StructT = TypeVar("StructT", bound=Struct)


def read(kind: type[StructT], body: bytes) -> StructT:
    """Parse a body as a request of some kind. Raises Refused."""
    if len(body) > MOST_BYTES:
        raise Refused(413, "request", f"the request is larger than {MOST_BYTES // 1024} KiB")
    try:
        return msgspec.json.decode(body, type=kind)
    except _NO_JSON as problem:
        raise _refusal(kind, body, problem) from None


def _check_path(name: str, path: list[int | str]) -> None:
    """Raise Refused unless a path is a number followed by choices."""
    if not isinstance(path[0], int) or any(isinstance(choice, int) for choice in path[1:]):
        raise wrong(f"'{name}' is no move, expected {_PATH}")


# ---- error messages

_NO_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_FIELD = re.compile(r"at `(?:key` in `)?\$\.(\w+)")
_OTHER = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)


def _refusal(kind: type[Struct], body: bytes, problem: Exception) -> Refused:
    """The refusal that explains why a body is not a request of some kind."""
    try:
        if isinstance(problem, msgspec.ValidationError):
            return _explained(kind, body, str(problem))
    except _NO_JSON:
        pass  # the validation error comes before the place where the body is not JSON
    return wrong("the request's body is no JSON, expected an object")


def _explained(kind: type[Struct], body: bytes, problem: str) -> Refused:
    """A validation error of msgspec as a refusal that names the field, its value and what was expected."""
    other, field = _OTHER.match(problem), _FIELD.search(problem)
    if other is not None and field is None:
        if other[1] == "missing required":
            return wrong(f"the request has no '{other[2]}', expected {_remedies(kind)[other[2]]}")
        return wrong(f"the request has a field {_shown(other[2])}, expected {', '.join(sorted(_remedies(kind)))}")
    if field is None:
        return wrong("the request's body is no object, expected one such as {\"game\": \"NAME\"}")
    name, value = field[1], msgspec.json.decode(body, type=dict[str, msgspec.Raw])[field[1]]
    place = re.search(r"\[([0-9]+)\]", problem)
    if place is not None and bytes(value).startswith(b"["):
        number = int(place[1])
        item = msgspec.json.decode(value, type=list[msgspec.Raw])[number]
        return wrong(f"item {number + 1} of '{name}' is {_raw(item)}, expected {_remedies(kind)[name]}")
    if name == "params" and bytes(value).startswith(b"{"):
        for word, number_of in msgspec.json.decode(value, type=dict[str, msgspec.Raw]).items():
            if not _fits(word, _Name):
                return wrong(f"'params' has the name {_shown(word)}, expected a word")
            if not _fits(number_of, _Param):
                return wrong(f"{_shown(word)} of 'params' is {_raw(number_of)}, expected a whole number of at most "
                             f"{MOST_PARAM:,}")
    return wrong(f"'{name}' is {_raw(value)}, expected {_remedies(kind)[name]}")


def _fits(value: object, kind: Any) -> bool:
    try:
        if isinstance(value, msgspec.Raw):
            msgspec.json.decode(value, type=kind)
        else:
            msgspec.convert(value, type=kind)
    except msgspec.DecodeError:
        return False
    return True


@cache
def _remedies(kind: type[Struct]) -> Mapping[str, str]:
    """The description of each field's expected value, by the field's name."""
    return {name: hint.__metadata__[-1].description for name, hint in get_type_hints(kind, include_extras=True).items()}


def _raw(value: msgspec.Raw) -> str:
    """A value of the request as messages show it; of lists the length, of objects only the kind."""
    text = bytes(value).decode(errors="replace")
    if text.startswith("["):
        return f"a list of {len(msgspec.json.decode(value, type=list[msgspec.Raw])):,}"
    if text.startswith("{"):
        return "an object"
    return f"the text {_shown(text[1:-1])}" if text.startswith('"') else _shown(text)


def _shown(text: str) -> str:
    """A text of the request as messages show it: quoted, printable, and cut to 60 characters."""
    text = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return f"'{text if len(text) <= 60 else text[:60] + '…'}'"
