"""Storage of shared games in an SQLite file: their rules, seats and moves.

A game has an id, with which everybody can watch, and a key for each seat, with which its player moves; the file has
only the hashes of the keys. Rules are stored as they were when the game began. `dslgame.web.sharing` serves these
games.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs
import platformdirs

from dslgame.web.request_schema import MOST_MOVES, SPECTATOR, Refused

MOST_GAMES = 10_000
KEPT_DAYS = 60
"""Days without a move after which a game may be deleted to make room for new ones."""
VERSION = 1
"""The version of the tables, stored as `PRAGMA user_version`."""
APPLICATION = 0x64736C67
"""Stored as `PRAGMA application_id`, so that databases of other programs are recognised."""
_TABLES = """
CREATE TABLE game (
    id TEXT PRIMARY KEY, changed REAL NOT NULL, name TEXT, text TEXT NOT NULL, params TEXT NOT NULL, start TEXT,
    keys TEXT NOT NULL
);
CREATE TABLE move (
    game TEXT NOT NULL REFERENCES game ON DELETE CASCADE, ply INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""


def usual_file() -> Path:
    """The default file of shared games."""
    return platformdirs.user_data_path("dslgame") / "shared-games.sqlite"


@attrs.frozen
class SharedGame:
    """A shared game as it is stored."""

    id: str
    name: str | None
    """The name of its game file when it began; None where its rules were a text from the page."""
    text: str
    """Its rules."""
    params: Mapping[str, int]
    start: str | None
    """Its starting position in one line; None for the game's own start."""
    keys: Sequence[str]
    """The hash of each seat's key."""
    moves: Sequence[str]

    def seat(self, key: str | None) -> int:
        """The seat that a key opens; SPECTATOR where it opens none."""
        given = _hash(key or "")
        for number, kept in enumerate(self.keys):
            if secrets.compare_digest(given, kept):
                return number
        return SPECTATOR


class SharedGames:
    """The games in a file, which is created on first use; without a path they are kept in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._open: sqlite3.Connection | None = None

    def create(self, *, name: str | None, text: str, params: Mapping[str, int], start: str | None,
               moves: Sequence[str], seats: int) -> tuple[str, list[str]]:
        """Store a new game, and return its id and the key of each seat. Raises Refused where there are too many
        games."""
        identity, keys = secrets.token_urlsafe(9), [secrets.token_urlsafe(18) for _ in range(seats)]
        now = time.time()
        with self._writing() as database:
            if self._count(database) >= MOST_GAMES:
                database.execute("DELETE FROM game WHERE changed < ?", (now - KEPT_DAYS * 86_400,))
                if self._count(database) >= MOST_GAMES:
                    raise Refused(503, "busy", f"the server keeps {MOST_GAMES:,} shared games and takes no more")
            database.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", (
                identity, now, name, text, json.dumps(dict(params)), start, json.dumps([_hash(key) for key in keys])))
            database.executemany("INSERT INTO move VALUES (?, ?, ?)",
                                 [(identity, ply, move) for ply, move in enumerate(moves)])
        return identity, keys

    def get(self, identity: str) -> SharedGame:
        """Load the game with an id. Raises Refused where there is none."""
        with self._reading() as database:
            row = None if database is None else database.execute(
                "SELECT name, text, params, start, keys FROM game WHERE id = ?", (identity,)).fetchone()
            if database is None or row is None:
                raise Refused(404, "shared", "there is no such shared game, or it was removed after "
                                             f"{KEPT_DAYS} days without a move")
            moves = [move for (move,) in database.execute(
                "SELECT text FROM move WHERE game = ? ORDER BY ply", (identity,))]
        name, text, params, start, keys = row
        return SharedGame(identity, name, text, json.loads(params), start, json.loads(keys), moves)

    def add(self, identity: str, ply: int, move: str) -> None:
        """Store a move, which follows `ply` others. Raises Refused where there are too many moves."""
        if ply >= MOST_MOVES:
            raise Refused(400, "request", f"a shared game has at most {MOST_MOVES:,} moves")
        with self._writing() as database:
            database.execute("INSERT INTO move VALUES (?, ?, ?)", (identity, ply, move))
            database.execute("UPDATE game SET changed = ? WHERE id = ?", (time.time(), identity))

    def close(self) -> None:
        """Close the file."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def check(self) -> None:
        """Raise Refused where the file is not one of shared games, or cannot be created."""
        self._database()

    @staticmethod
    def _count(database: sqlite3.Connection) -> int:
        return int(database.execute("SELECT count(*) FROM game").fetchone()[0])

    def _database(self) -> sqlite3.Connection:
        """The connection to the file, which is opened or created on first use."""
        if self._open is None:
            with _told(self.path):
                if self.path is not None:
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                self._open = _opened(self.path)
        return self._open

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """The connection for reading; None where there is no file yet."""
        if self._open is None and (self.path is None or not self.path.exists()):
            yield None
            return
        database = self._database()
        with _told(self.path):
            yield database

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The connection for writing, in one transaction."""
        database = self._database()
        with _told(self.path), database:
            yield database


def _opened(path: Path | None) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:" if path is None else path, timeout=5, check_same_thread=False)
    try:
        database.execute("PRAGMA foreign_keys = ON")
        (application,), (version,) = (database.execute(f"PRAGMA {name}").fetchone()
                                      for name in ("application_id", "user_version"))
        empty = database.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
        if empty:
            database.execute("PRAGMA journal_mode = WAL")  # a move is kept even if the server is killed right after
            database.executescript(f"BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION}; "
                                   f"PRAGMA user_version = {VERSION}; COMMIT;")
        elif application != APPLICATION:
            raise Refused(503, "storage", f"{path} is a database of another program")
        elif version != VERSION:
            raise Refused(503, "storage", f"{path} is of another version of dslgame: its tables have version "
                                          f"{version}, expected {VERSION}")
        database.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def _told(path: Path | None) -> Iterator[None]:
    """Turn errors of SQLite and the system into a Refused that names the file."""
    try:
        yield
    except (sqlite3.Error, OSError) as problem:
        raise Refused(503, "storage", f"shared games cannot be kept in {path}: {problem}") from None


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()
