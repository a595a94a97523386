"""Storage of shared games in an SQLite file: their rules, seats and moves.

A game has an id, with which everybody can watch, and a key for each seat, with which its player moves; the file has
only the hashes of the keys. Rules are stored as they were when the game began. `dslgame.web.sharing` serves these
games.

How many games are kept is limited, in all and for each sender, the address that they come from. Where there are too
many, the one that has waited longest for a move is removed, if it has waited for longer than such games are kept.
"""

from __future__ import annotations

import hashlib
import ipaddress
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
MOST_OF_SENDER = 100
"""The most games of one sender."""
HOUR = 3_600
UNPLAYED, ONE_SCREEN, KEPT = HOUR, 24 * HOUR, 60 * 24 * HOUR
"""Seconds without a move after which a game may be removed to make room for new ones: one in which no person has moved
since it was shared, one that is played on one screen, and any other."""
VERSION = 2
"""The version of the tables, stored as `PRAGMA user_version`."""
APPLICATION = 0x64736C67
"""Stored as `PRAGMA application_id`, so that databases of other programs are recognised."""
_TABLES = """
CREATE TABLE game (
    id TEXT PRIMARY KEY, changed REAL NOT NULL, name TEXT, text TEXT NOT NULL, params TEXT NOT NULL, start TEXT,
    keys TEXT NOT NULL, sender TEXT NOT NULL DEFAULT '', kept REAL NOT NULL DEFAULT 5184000, seats TEXT
);
CREATE TABLE move (
    game TEXT NOT NULL REFERENCES game ON DELETE CASCADE, ply INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""
_INDICES = "CREATE INDEX game_of_sender ON game (sender, changed);"
_FROM_VERSION_1 = """
ALTER TABLE game ADD COLUMN sender TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN kept REAL NOT NULL DEFAULT 5184000;
ALTER TABLE game ADD COLUMN seats TEXT;
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
    """The hash of each seat's key; '' for a seat that has none, as a computer plays it."""
    moves: Sequence[str]
    seats: Sequence[str] | None = None
    """The kind of player on each seat of a game that is played on one screen; None where a person has each seat."""

    def seat(self, key: str | None) -> int:
        """The seat that a key opens; SPECTATOR where it opens none."""
        given = _hash(key or "")
        for number, kept in enumerate(self.keys):
            if secrets.compare_digest(given, kept):
                return number
        return SPECTATOR


class SharedGames:
    """The games in a file, which is created on first use; without a path they are kept in memory.

    Of one sender there are at most `most_of_sender`.
    """

    def __init__(self, path: Path | None = None, most_of_sender: int = MOST_OF_SENDER) -> None:
        self.path, self.most_of_sender = path, most_of_sender
        self._open: sqlite3.Connection | None = None

    def create(self, *, name: str | None, text: str, params: Mapping[str, int], start: str | None,
               moves: Sequence[str], people: Sequence[bool], sender: str = "",
               seats: Sequence[str] | None = None) -> tuple[str, list[str | None]]:
        """Store a new game, and return its id and the key of each seat that a person has.

        Raises Refused where the sender, or everybody together, has too many games.
        """
        identity, keys = secrets.token_urlsafe(9), [secrets.token_urlsafe(18) if person else None for person in people]
        now, sent = time.time(), _hash(sender)[:16] if sender else ""
        with self._writing() as database:
            if sender and not _room(database, self.most_of_sender, now, sender=sent):
                raise Refused(429, "full", f"the server keeps {self.most_of_sender:,} games of your address already, "
                                           "and takes another when nobody has moved in one of them for an hour")
            if not _room(database, MOST_GAMES, now):
                raise Refused(503, "busy", f"the server keeps {MOST_GAMES:,} shared games and takes no more")
            database.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
                identity, now, name, text, json.dumps(dict(params)), start,
                json.dumps(["" if key is None else _hash(key) for key in keys]), sent, UNPLAYED,
                None if seats is None else json.dumps(list(seats))))
            database.executemany("INSERT INTO move VALUES (?, ?, ?)",
                                 [(identity, ply, move) for ply, move in enumerate(moves)])
        return identity, keys

    def get(self, identity: str) -> SharedGame:
        """Load the game with an id. Raises Refused where there is none."""
        with self._reading() as database:
            row = None if database is None else database.execute(
                "SELECT name, text, params, start, keys, seats FROM game WHERE id = ?", (identity,)).fetchone()
            if database is None or row is None:
                raise Refused(404, "shared", "there is no such shared game, or it was removed after it had no move for "
                                             "long")
            moves = [move for (move,) in database.execute(
                "SELECT text FROM move WHERE game = ? ORDER BY ply", (identity,))]
        name, text, params, start, keys, seats = row
        return SharedGame(identity, name, text, json.loads(params), start, json.loads(keys), moves,
                          None if seats is None else json.loads(seats))

    def add(self, identity: str, ply: int, move: str, *, person: bool = True) -> None:
        """Store a move, made by a person or not, which follows `ply` others. Raises Refused where there are too many
        moves."""
        if ply >= MOST_MOVES:
            raise Refused(400, "request", f"a shared game has at most {MOST_MOVES:,} moves")
        with self._writing() as database:
            database.execute("INSERT INTO move VALUES (?, ?, ?)", (identity, ply, move))
            if person:
                database.execute("UPDATE game SET changed = ?, kept = iif(seats IS NULL, ?, ?) WHERE id = ?",
                                 (time.time(), KEPT, ONE_SCREEN, identity))

    def close(self) -> None:
        """Close the file."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def check(self) -> None:
        """Raise Refused where the file is not one of shared games, or cannot be created."""
        self._database()

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


def sender_of(host: str | None) -> str:
    """The sender that an address belongs to: IPv6 addresses of one network, of 64 bits, are one sender; '' for none."""
    try:
        address = ipaddress.ip_address((host or "").partition("%")[0])
    except ValueError:
        return host or ""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _room(database: sqlite3.Connection, most: int, now: float, *, sender: str | None = None) -> bool:
    """Whether there is room for another game, of a sender or of anybody; removes the one that has waited longest where
    that makes the room."""
    of, values = ("1", ()) if sender is None else ("sender = ?", (sender,))
    if database.execute(f"SELECT count(*) FROM game WHERE {of}", values).fetchone()[0] < most:
        return True
    gone = database.execute(f"DELETE FROM game WHERE id = (SELECT id FROM game WHERE {of} AND changed + kept < ? "
                            "ORDER BY changed LIMIT 1)", (*values, now))
    return gone.rowcount > 0


def _opened(path: Path | None) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:" if path is None else path, timeout=5, check_same_thread=False)
    try:
        database.execute("PRAGMA foreign_keys = ON")
        (application,), (version,) = (database.execute(f"PRAGMA {name}").fetchone()
                                      for name in ("application_id", "user_version"))
        empty = database.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
        if empty:
            database.execute("PRAGMA journal_mode = WAL")  # a move is kept even if the server is killed right after
            database.executescript(f"BEGIN; {_TABLES} {_INDICES} PRAGMA application_id = {APPLICATION}; "
                                   f"PRAGMA user_version = {VERSION}; COMMIT;")
        elif application != APPLICATION:
            raise Refused(503, "storage", f"{path} is a database of another program")
        elif version == 1:
            database.executescript(f"BEGIN; {_FROM_VERSION_1} {_INDICES} PRAGMA user_version = {VERSION}; COMMIT;")
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
