"""Games that hide something, on the page: it is sent the view of the person before it, whoever has the other seats.

Two games that a person cannot tell apart are played against computers through the server's own routes. Everything that
the page is sent must be the same in both, including how many moves there were.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import dslgame
from dslgame.web.answers import Answers
from dslgame.web.pool import Part
from dslgame.web.request_schema import Asked, Job, Refused
from dslgame.web.server import catalogue
from dslgame.web.shared_games import SharedGames
from dslgame.web.sharing import Sharing
from dslgame.web.worker import answered
from interpreter.game import Position
from tests.app.test_hidden_channels import GAMES, alike
from tests.web import Client, serving

EARLIER = 3
"""The number of earlier plies that are asked about."""
SOLVED = ("kuhn_poker", "rock_paper_scissors")
"""Games for which a strategy is found at once, so that the values of moves can be asked for."""


class Scripted:
    """A pool whose worker answers in this process, and whose players other than persons make recorded moves."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.played: Sequence[str] = ()
        self.asked: list[int] = []
        """The viewers by whose knowledge players chose."""

    async def ask(self, job: Job[Asked], part: Part | None = None) -> tuple[int, bytes]:
        """Answer a job."""
        if job.do != "choose":
            return answered(self.answers, Job.decoded(job.encoded()), None if part is None else lambda plain: True)
        ply = len(job.asked.moves)  # type: ignore[attr-defined]
        if ply >= len(self.played):
            return 503, Refused(503, "limit", "the recorded game is over").encoded()
        self.asked.append(job.asked.viewer)  # type: ignore[attr-defined]
        return 200, json.dumps({"move": self.played[ply], "remark": ""}).encode()


class Screen:
    """A page on which one person plays against computers."""

    def __init__(self, sharing: Sharing, client: Client, name: str, player: int) -> None:
        self.sharing, self.client = sharing, client
        kinds = ["person" if side == player else "random" for side in range(len(dslgame.load(name).players))]
        made = client.ask("share", game=name, seats=kinds)
        assert [key is not None for key in made["keys"]] == [kind == "person" for kind in kinds]
        self.path, self.key = f"shared/{made['id']}", made["keys"][player]
        self.thinking: list[tuple[str, dict[str, object]]] = [("analyse", {})] if name in SOLVED else []
        self.wait()

    def wait(self) -> None:
        """Wait until no computer moves any more."""
        while self.sharing._computing:
            self.client.ask(self.path)

    def seen(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """All that the page can ask, with the answers and their statuses."""
        joined = self.client.ask(self.path, key=self.key)
        yield 200, joined
        questions: list[tuple[str, dict[str, object]]] = [
            ("position", {"last": True}), ("choices", {"chosen": [0]}), ("choices", {"chosen": [1]}),
            ("move", {"ply": joined["moves"], "move": "no move"}), ("move", {"ply": 99, "move": "x"})]
        plies: list[dict[str, object]] = [{"ply": ply, "last": last} for ply in range(joined["moves"])[-EARLIER:]
                                          for last in (False, True)]
        for what, fields in [*questions, *(("position", place) for place in plies), *self.thinking]:
            yield self.client.send(f"{self.path}/{what}", json.dumps({"key": self.key, **fields}))
        for what, fields in questions:
            yield self.client.send(f"{self.path}/{what}", json.dumps(fields))


@contextmanager
def sharing(answers: Answers) -> Iterator[tuple[Sharing, Scripted, Client]]:
    """The routes of shared games, with a scripted pool."""
    pool = Scripted(answers)
    found = Sharing(SharedGames(most_of_sender=1_000), pool, catalogue(()))  # type: ignore[arg-type]
    with TestClient(Starlette(routes=found.routes())) as client:
        yield found, pool, Client(client)


def told(found: Sharing, pool: Scripted, client: Client, name: str, player: int, position: Position) -> list[Any]:
    """Everything that the page of a player is sent in a game with computers, at its end and after each own move."""
    pool.played, pool.asked = position.played, []
    screen = Screen(found, client, name, player)
    result: list[Any] = []
    for text, state in zip(position.played, position.history, strict=True):
        if state.to_move == player and not position.game.engine.chance.decides(state):
            ply = client.ask(screen.path, key=screen.key)["moves"]
            result.append(client.ask(f"{screen.path}/move", key=screen.key, ply=ply, move=text))
            screen.wait()
    assert list(found.kept.get(screen.path.removeprefix("shared/")).moves) == list(position.played)
    assert player not in pool.asked
    return [*result, *screen.seen()]


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_a_person_against_computers_is_sent_the_same(name: str) -> None:
    """Both games give the same answers, whichever seat the person has."""
    game, answers, compared = dslgame.load(name), Answers(), 0
    with sharing(answers) as (found, pool, client):
        for player in range(len(game.players)):
            for seed in range(2):
                last = None
                for pair in alike(game, player, random.Random(seed)):
                    if pair.games[0].state != pair.games[1].state and not pair.by_chance:
                        last = pair
                if last is None:
                    continue
                compared += 1
                real, other = (told(found, pool, client, name, player, position) for position in last.games)
                assert json.dumps(real) == json.dumps(other), [position.played for position in last.games]
    assert compared


def test_seats_are_for_players_that_can_play_the_game() -> None:
    """Every player has a seat, a person at least one, and no computer that looks at the whole position any."""
    with serving() as client:
        for seats in (["person"], ["random", "random"], ["person", "strong"], ["person", "nobody"]):
            status, kind, message = client.refused("share", game="kuhn_poker", seats=seats)
            assert (status, kind) == (400, "request")
            assert "expected for each of the 2 players one of person, solver, informed, random" in message


def test_only_the_people_at_one_screen_are_helped() -> None:
    """On one screen the player to move gets values and a move, by what the player knows; on several nobody does."""
    with serving() as client:
        made = client.ask("share", game="kuhn_poker", seats=["person", "random"])
        game, key = f"shared/{made['id']}", made["keys"][0]
        assert made["keys"][1] is None
        assert client.ask(game, key=key)["kinds"] == ["person", "random"]
        assert client.ask(f"{game}/choose", key=key, player="random")["move"] in ("pass", "bet")
        assert {item["move"] for item in client.ask(f"{game}/analyse", key=key)["values"]} == {"pass", "bet"}
        assert client.refused(f"{game}/choose", player="random")[:2] == (403, "turn")
        assert client.refused(f"{game}/choose", key=key, player="strong")[:2] == (400, "player")
        made = client.ask("share", game="kuhn_poker")
        for what, fields in (("choose", {"player": "random"}), ("analyse", {})):
            assert client.refused(f"shared/{made['id']}/{what}", key=made["keys"][0], **fields)[:2] == (403, "seat")
