"""Games shared by a link: seats, refusals, event streams, and a server that is killed and restarted."""

from __future__ import annotations

import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from dslgame.web import shared_games
from dslgame.web.request_schema import SPECTATOR, Refused
from dslgame.web.server import application
from dslgame.web.shared_games import SharedGames
from dslgame.web.views import UNSEEN
from tests.app.test_web import DROP
from tests.language.test_hidden import PHANTOM
from tests.web import QUICK, Client, serving

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as found:
        yield found


def share(client: Client, **fields: object) -> tuple[str, list[str]]:
    """Share a game and return the path of its routes and the keys of its seats."""
    found = client.ask("share", **fields)
    return f"shared/{found['id']}", found["keys"]


def test_each_player_moves_in_turn_by_a_key(client: Client) -> None:
    game, (x, o) = share(client, game="tic_tac_toe")
    assert client.ask(game, key=x)["seat"] == 0
    assert client.ask(game, key=o)["seat"] == 1
    assert client.ask(game)["seat"] == SPECTATOR
    assert client.ask(game, key="another")["seat"] == SPECTATOR
    assert client.ask(f"{game}/position", key=x)["count"] == 9
    assert client.ask(f"{game}/position", key=o)["count"] == 0
    assert client.refused(f"{game}/move", key=o, ply=0, move="b2") == (403, "turn", "X is to move")
    assert client.refused(f"{game}/move", ply=0, move="b2")[:2] == (403, "seat")
    made = client.ask(f"{game}/move", key=x, ply=0, move=[0, "c4"])
    assert (made["move"], made["after"]["count"]) == ("b2", 0)
    assert client.refused(f"{game}/move", key=o, ply=0, move="a1")[:2] == (409, "ply")
    assert client.refused(f"{game}/move", key=o, ply=1, move="b2")[:2] == (400, "move")
    assert client.ask(game)["moves"] == 1
    client.ask(f"{game}/move", key=o, ply=1, move="a1")
    for viewer in (x, o, None):
        assert client.ask(f"{game}/position", key=viewer)["played"] == ["b2", "a1"]
    assert client.ask(f"{game}/position", ply=1)["played"] == ["b2"]


def test_a_shared_game_begins_where_the_page_is(client: Client) -> None:
    """A shared game keeps the moves, params, position or text of rules it began with; unplayable ones are refused."""
    game, keys = share(client, game="hex", params={"size": 3}, moves=["b2", "a1"])
    assert client.ask(game)["params"] == {"size": 3}
    client.ask(f"{game}/move", key=keys[0], ply=2, move="c3")
    text, keys = share(client, text=DROP, moves=["2"])
    joined = client.ask(text, key=keys[1])
    assert (joined["game"], joined["text"], joined["moves"]) == (None, DROP, 1)
    last = client.ask(f"{text}/position", key=keys[1], last=True)
    assert [frame["rule"] for frame in last["frames"]] == ["drop", "fall", "fall"]
    assert last["after"]["played"] == ["2"]
    assert client.ask(f"{text}/choices", key=keys[1], chosen=[0])["count"] == 3
    assert client.refused("share", game="hex", moves=["z9"])[:2] == (400, "move")
    assert client.refused("share", text="game")[:2] == (400, "game")
    assert client.refused("shared/nothing")[:2] == (404, "shared")


@pytest.mark.slow
def test_a_shared_game_keeps_the_rules_by_which_it_began(tmp_path: Path) -> None:
    """A shared game keeps its rules when the file changes or is removed."""
    mine = tmp_path / "drop.game"
    mine.write_text(DROP, encoding="utf-8")
    with serving([mine]) as client:
        game, keys = share(client, game="drop")
        assert client.ask(game)["game"] == "drop"
        mine.write_text(DROP.replace("(3, 3)", "(3, 9)"), encoding="utf-8")
        assert (client.ask(game)["game"], client.ask(game)["text"]) == (None, DROP)
        assert client.ask(f"{game}/position", key=keys[0])["count"] == 3
        mine.unlink()
        assert client.ask(f"{game}/move", key=keys[0], ply=0, move="2")["move"] == "2"


def test_only_the_hashes_of_keys_are_kept(tmp_path: Path) -> None:
    kept = SharedGames(tmp_path / "games.sqlite")
    identity, keys = kept.create(name="hex", text="", params={}, start=None, moves=[], people=[True, True])
    kept.close()
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert identity.encode() in written
    assert not any(str(key).encode() in written for key in keys)
    assert SharedGames(tmp_path / "games.sqlite").get(identity).seat(keys[1]) == 1


def created(kept: SharedGames, sender: str = "", seats: list[str] | None = None) -> str:
    """Share a game of a sender, and return its id."""
    return kept.create(name="hex", text="", params={}, start=None, moves=["a1"], people=[True, True], sender=sender,
                       seats=seats)[0]


def older(kept: SharedGames, identity: str, seconds: float) -> None:
    """Let a game have had no move for some more seconds."""
    with kept._writing() as database:
        database.execute("UPDATE game SET changed = changed - ? WHERE id = ?", (seconds, identity))


def test_old_games_give_way_to_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full server drops the game whose last move is longest ago, and refuses a new one if that is not long enough."""
    monkeypatch.setattr(shared_games, "MOST_GAMES", 2)
    kept = SharedGames()
    first, second = created(kept), created(kept)
    kept.add(first, 1, "a2")
    older(kept, first, shared_games.KEPT - 60)
    with pytest.raises(Refused, match="takes no more"):
        created(kept)
    older(kept, first, 120)
    third = created(kept)
    assert kept.get(second).moves == kept.get(third).moves == ["a1"]
    with pytest.raises(Refused, match="no such shared game"):
        kept.get(first)
    assert kept._database().execute("SELECT count(*) FROM move").fetchone() == (2,)


@pytest.mark.parametrize(("seats", "moved", "seconds"), [
    (None, False, shared_games.UNPLAYED), (None, True, shared_games.KEPT),
    (["person", "person"], False, shared_games.UNPLAYED), (["person", "person"], True, shared_games.ONE_SCREEN)])
def test_how_long_a_game_of_a_sender_is_kept(seats: list[str] | None, moved: bool, seconds: float) -> None:
    """A sender with many games gets a new one in the place of one that nobody has moved in, or not for long; what
    computers and chance do in a game keeps it no longer."""
    kept = SharedGames(most_of_sender=1)
    first = created(kept, "10.0.0.1", seats)
    kept.add(first, 1, "a2", person=moved)
    older(kept, first, seconds - 60)
    with pytest.raises(Refused, match="keeps 1 games of your address already") as refused:
        created(kept, "10.0.0.1")
    assert refused.value.status == 429
    created(kept, "10.0.0.2")  # others are not affected
    older(kept, first, 120)
    created(kept, "10.0.0.1")
    with pytest.raises(Refused, match="no such shared game"):
        kept.get(first)


def test_who_sends_games() -> None:
    """Whoever has a network of IPv6 addresses is one sender; the file has no address in it."""
    sender = shared_games.sender_of
    assert sender("2001:db8::1") == sender("2001:db8::ffff:1") != sender("2001:db8:0:1::1")
    assert sender("::ffff:10.0.0.1") == sender("10.0.0.1") != sender("10.0.0.2")
    assert sender("fe80::1%eth0") == sender("fe80::2")
    assert (sender(None), sender("testclient")) == ("", "testclient")
    kept = SharedGames()
    created(kept, "10.0.0.1")
    assert "10.0.0.1" not in str(kept._database().execute("SELECT * FROM game").fetchall())


def test_the_page_is_told_that_its_address_has_too_many_games(client: Client) -> None:
    app = application(lanes=QUICK, shared=SharedGames(most_of_sender=1))
    with TestClient(app) as there:
        small = Client(there)
        small.ask("share", game="tic_tac_toe")
        status, kind, message = small.refused("share", game="tic_tac_toe")
    assert (status, kind) == (429, "full")
    assert "for an hour" in message


def test_games_of_an_older_version_go_on(tmp_path: Path) -> None:
    """A file with the tables of version 1 is read, and gets the new ones."""
    path = tmp_path / "games.sqlite"
    with sqlite3.connect(path) as database:
        database.executescript(f"""
            CREATE TABLE game (id TEXT PRIMARY KEY, changed REAL NOT NULL, name TEXT, text TEXT NOT NULL,
                               params TEXT NOT NULL, start TEXT, keys TEXT NOT NULL);
            CREATE TABLE move (game TEXT NOT NULL REFERENCES game ON DELETE CASCADE, ply INTEGER NOT NULL,
                               text TEXT NOT NULL, PRIMARY KEY (game, ply)) WITHOUT ROWID;
            INSERT INTO game VALUES ('x', 1, 'hex', '', '{{}}', NULL, '["", ""]');
            INSERT INTO move VALUES ('x', 0, 'a1');
            PRAGMA application_id = {shared_games.APPLICATION}; PRAGMA user_version = 1;
        """)
    database.close()
    kept = SharedGames(path)
    assert (kept.get("x").moves, kept.get("x").seats) == (["a1"], None)
    kept.add("x", 1, "a2")
    created(kept, "10.0.0.1")
    kept.close()
    assert SharedGames(path).get("x").moves == ["a1", "a2"]


def test_nobody_who_shares_nothing_gets_a_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "games.sqlite"
    kept = SharedGames(path)
    with pytest.raises(Refused, match="no such shared game"):
        kept.get("x")
    assert not path.parent.exists()


@contextmanager
def started(*arguments: str, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a server in its own process and yield the process and its port."""
    process = subprocess.Popen([sys.executable, "-m", "dslgame", "web", "--workers", "1", "--port", str(port),
                                *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, urlsplit(process.stdout.readline().strip()).port or 0
    finally:
        process.kill()
        process.communicate(timeout=20)


def post(port: int, path: str, **fields: object) -> dict[str, Any]:
    """Send a request that succeeds and return the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", f"/api/{path}", json.dumps(fields), {"content-type": "application/json"})
    response = connection.getresponse()
    found: dict[str, Any] = json.loads(response.read())
    connection.close()
    assert response.status == 200, found
    return found


class Stream:
    """The event stream of a shared game."""

    def __init__(self, port: int, path: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.connection.request("GET", f"/api/{path}")
        self.response = self.connection.getresponse()
        assert self.response.getheader("content-type", "").startswith("text/event-stream")

    def until(self, **wanted: object) -> None:
        """Read until an event has all the wanted values."""
        self.all_until(**wanted)

    def all_until(self, **wanted: object) -> list[dict[str, Any]]:
        """The next events, up to one that has all the wanted values."""
        read = []
        for line in self.response:
            if line.startswith(b"data: "):
                read.append(json.loads(line[6:]))
                if all(read[-1][key] == value for key, value in wanted.items()):
                    return read
        raise AssertionError("the stream has ended")

    def close(self) -> None:
        """Close the stream."""
        self.connection.close()
        self.response.close()


@pytest.fixture
def listen() -> Iterator[Callable[[int, str], Stream]]:
    """A function that opens event streams, which are closed at the end of the test."""
    with ExitStack() as begun:
        def stream(port: int, path: str) -> Stream:
            found = Stream(port, path)
            begun.callback(found.close)
            return found

        yield stream


@pytest.mark.slow
def test_moves_survive_a_server_that_is_killed(tmp_path: Path, listen: Callable[[int, str], Stream]) -> None:
    """Every listener is told of each move and of who is present; a restarted server continues from the same file."""
    file = str(tmp_path / "games.sqlite")
    with started("--shared", file) as (process, port):
        shared = post(port, "share", game="tic_tac_toe")
        game, (x, o) = f"shared/{shared['id']}", shared["keys"]
        listening = listen(port, f"{game}/events?key={x}")
        listening.until(moves=0, present=[True, False], watching=0)
        other = listen(port, f"{game}/events?key={o}")
        listening.until(present=[True, True])
        watching = listen(port, f"{game}/events")
        listening.until(watching=1)
        post(port, f"{game}/move", key=x, ply=0, move="b2")
        for stream in (listening, other, watching):
            stream.until(moves=1)
        other.close()
        listening.until(present=[True, False])
        process.kill()
        process.wait(20)
        with suppress(http.client.HTTPException, OSError, AssertionError):
            listening.until(moves=99)
    with started("--shared", file, port=port) as (_, again):
        assert again == port
        assert post(port, f"{game}/position")["played"] == ["b2"]
        listen(port, f"{game}/events?key={o}").until(moves=1, present=[False, True])
        post(port, f"{game}/move", key=o, ply=1, move="a1")
        assert post(port, game, key=x)["moves"] == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_a_server_ends_though_pages_listen(tmp_path: Path, listen: Callable[[int, str], Stream]) -> None:
    with started("--shared", str(tmp_path / "games.sqlite")) as (process, port):
        game = f"shared/{post(port, 'share', game='tic_tac_toe')['id']}"
        listening = listen(port, f"{game}/events")
        listening.until(watching=1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors.splitlines()[-1]) == (0, "ended")
        assert "Cancel" not in errors
        assert "Traceback" not in errors


@pytest.mark.parametrize("kind", ["text", "other", "newer"])
def test_a_file_that_holds_no_games_is_told_and_left(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    if kind == "text":
        path.write_text("no database at all, and long enough to be looked at\n" * 20, encoding="utf-8")
    else:
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE x (y)")
        if kind == "newer":
            database.execute(f"PRAGMA application_id = {shared_games.APPLICATION}")
            database.execute(f"PRAGMA user_version = {shared_games.VERSION + 1}")
        database.commit()
        database.close()
    before = path.read_bytes()
    run = subprocess.run([sys.executable, "-m", "dslgame", "web", "--port", "0", "--shared", str(path)], cwd=ROOT,
                         capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 1
    assert run.stderr.startswith("Error: ")
    assert str(path) in run.stderr
    assert {"text": "not a database", "other": "another program", "newer": "expected 2"}[kind] in run.stderr
    assert path.read_bytes() == before


def test_the_server_throws_the_dice_of_a_shared_game(client: Client) -> None:
    """The server makes moves of chance after a player's move and at the start; they need no player."""
    game, (one, two) = share(client, game="pig", params={"goal": 10})
    made = client.ask(f"{game}/move", key=one, ply=0, move="roll")
    assert made["move"] == "roll"
    moves = client.ask(game)["moves"]
    assert moves == 2
    found = client.ask(f"{game}/position", key=one)
    assert found["played"][0] == "roll"
    assert found["played"][1] in set("123456")
    assert not found["nature"]
    assert client.refused(f"{game}/move", key=two if found["to_move"] == 0 else one, ply=2, move="roll")[0] == 403
    dealt, (ann, bob) = share(client, game="kuhn_poker")
    assert [client.ask(dealt, key=key)["moves"] for key in (ann, bob, None)] == [1, 1, 0]
    seen = [client.ask(f"{dealt}/position", key=key) for key in (ann, bob, None)]
    assert all(not position["nature"] for position in seen)
    assert seen[0]["count"] > 0
    assert seen[1]["count"] == 0
    assert [position["played"] for position in seen] == [[UNSEEN], [UNSEEN], []]
    texts = {json.dumps(position["played"]) for position in seen}
    assert not any("-" in text and any(digit in text for digit in "123") for text in texts), texts


def test_nobody_counts_the_tries_of_another_player(client: Client) -> None:
    """Every answer about a shared game is the same whether or not the opponent tried illegal moves before."""
    told = []
    for tries in (["a1"], ["b1", "a1"]):
        game, (x, o) = share(client, text=PHANTOM)
        client.ask(f"{game}/move", key=x, ply=0, move="b1")
        for number, move in enumerate(tries):
            client.ask(f"{game}/move", key=o, ply=1 + number, move=move)
        told.append([client.ask(game, key=x), client.ask(game), client.ask(f"{game}/position", key=x),
                     client.ask(f"{game}/position"), client.ask(f"{game}/position", key=x, last=True),
                     *(client.ask(f"{game}/position", key=x, ply=ply) for ply in range(4)),
                     client.ask(f"{game}/choices", key=x, chosen=[0]),
                     client.refused(f"{game}/move", key=x, ply=3, move="a1"),
                     client.ask(f"{game}/move", key=x, ply=2, move="a1")])
    assert told[0] == told[1]
    assert [client.ask(game, key=key)["moves"] for key in (x, None)] == [3, 2]
    assert client.ask(f"{game}/position", key=x, ply=2)["played"] == ["b1", UNSEEN]


@pytest.mark.slow
def test_no_event_tells_of_a_try_that_failed(listen: Callable[[int, str], Stream], tmp_path: Path) -> None:
    """Events tell failed tries to the player who made them only."""
    with started("--shared", str(tmp_path / "games.sqlite")) as (_, port):
        shared = post(port, "share", text=PHANTOM)
        game, (x, o) = f"shared/{shared['id']}", shared["keys"]
        mine, other = (listen(port, f"{game}/events?key={key}") for key in (x, o))
        mine.until(moves=0, present=[True, True])
        other.until(moves=0, present=[True, True])
        post(port, f"{game}/move", key=x, ply=0, move="b1")
        post(port, f"{game}/move", key=o, ply=1, move="b1")
        post(port, f"{game}/move", key=o, ply=2, move="a1")
        other.until(moves=3)
        told = mine.all_until(moves=2)
        assert [event["moves"] for event in told] in ([1, 2], [2])
        post(port, f"{game}/move", key=x, ply=2, move="a1")
        assert [event["moves"] for event in mine.all_until(moves=3)] == [3]


def test_a_shared_position_with_hidden_things_is_not_told(client: Client) -> None:
    """The start of a game with hidden information is told to nobody who joins; each seat has its own view."""
    start = client.ask("position", text=PHANTOM, moves=["b1"])["position"]
    game, (x, o) = share(client, text=PHANTOM, start=start)
    assert [client.ask(game, key=key)["start"] for key in (x, o, None)] == [None] * 3
    assert client.ask(f"{game}/position", key=x)["position"] != client.ask(f"{game}/position", key=o)["position"]
    open_game, _ = share(client, game="tic_tac_toe", start=client.ask("position", game="tic_tac_toe")["position"])
    assert client.ask(open_game)["start"] is not None
