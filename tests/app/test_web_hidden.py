"""Hidden information never leaves the server: histories that look the same to a player get the same answers."""

from __future__ import annotations

import json

import pytest

from dsl.syntax.source import Source
from dslgame.planes import Planes
from dslgame.web import views
from dslgame.web.choosing import Chooser
from dslgame.web.positions import Reached
from dslgame.web.request_schema import EVERYTHING, SPECTATOR, Refused
from interpreter.game import Game, Position
from interpreter.kernel.many import Batch
from interpreter.model.state import Move
from interpreter.semantics.hidden import Knowledge
from tests.language.test_hidden import CARDS, CLASH, PHANTOM
from tests.solver.test_information import KUHN, PENNIES

MOST = 700
"""The number of a game's histories that are compared."""


def made(text: str) -> Game:
    return Game.of(Source("test.game", text))


def histories(game: Game) -> list[tuple[Position, Move | None, tuple[Knowledge, ...]]]:
    """The first histories, breadth first, with their last moves and what each player knows."""
    start = game.start()
    known = tuple(Knowledge.begun(game.observer, player, start.state) for player in range(len(game.players)))
    found: list[tuple[Position, Move | None, tuple[Knowledge, ...]]] = [(start, None, known)]
    for position, _, before in found:
        if position.over or len(found) > MOST:
            continue
        for move in position.legal():
            after = position.play(move)
            knows = tuple(item.after(game.observer, position.state, move, after.state) for item in before)
            found.append((after, move, knows))
    return found


@pytest.mark.parametrize("text", [PHANTOM, CARDS, CLASH, KUHN, PENNIES])
def test_a_player_is_sent_the_same_where_the_player_knows_the_same(text: str) -> None:
    """Equal knowledge gets an equal answer as JSON with its number of noticed moves, and some knowledge is equal."""
    game = made(text)
    chooser = Chooser(game)
    sent: dict[Knowledge, str] = {}
    compared = 0
    for position, move, known in histories(game):
        for player, knows in enumerate(known):
            answer = views.view(chooser, Reached(position, move), player)
            plain = json.dumps([answer, views.steps(position, move, player), len(views.noticed(position, player))],
                               sort_keys=True)
            compared += knows in sent
            assert sent.setdefault(knows, plain) == plain, position.played
    assert compared or text == CARDS


@pytest.mark.parametrize("text", [PHANTOM, CARDS, CLASH, KUHN, PENNIES])
def test_who_watches_is_sent_nothing_that_a_player_does_not_know(text: str) -> None:
    """A spectator, who could be a player too, gets the same answer wherever any player's knowledge is the same."""
    game = made(text)
    chooser = Chooser(game)
    sent: dict[Knowledge, str] = {}
    compared = 0
    for position, move, known in histories(game):
        answer = views.view(chooser, Reached(position, move), SPECTATOR)
        plain = json.dumps([answer, views.steps(position, move, SPECTATOR), len(views.noticed(position, SPECTATOR))],
                           sort_keys=True)
        for knows in known:
            compared += knows in sent
            assert sent.setdefault(knows, plain) == plain, position.played
    assert compared or text == CARDS


def test_somebody_who_plays_none_sees_what_all_see() -> None:
    """A spectator sees no cards, and a user who plays all sides sees everything."""
    game = made(KUHN)
    chooser = Chooser(game)
    answers = {json.dumps(views.view(chooser, Reached(game.start().play(deal).play("bet")), SPECTATOR))
               for deal in ("deal:1-2", "deal:2-3", "deal:3-1")}
    assert len(answers) == 1
    shown = views.view(chooser, Reached(game.start().play("deal:1-2")), EVERYTHING)
    assert "card=1,2" in shown["position"]


def test_trees_and_values_are_not_for_those_who_do_not_see_all() -> None:
    """Trees and values would reveal hidden information and are refused."""
    game = made(KUHN)
    with pytest.raises(Refused):
        views.check_open(game, 0)
    views.check_open(game, EVERYTHING)


@pytest.mark.parametrize("text", [PHANTOM, CLASH, KUHN])
def test_planes_are_the_same_where_the_player_knows_the_same(text: str) -> None:
    """Observation planes for learning programs are the same where the player's knowledge is."""
    game = made(text)
    batch = Batch.of(game)
    planes = Planes.of(batch)
    shown: dict[Knowledge, bytes] = {}
    compared = 0
    for position, _, known in histories(game)[:150]:
        row = batch.rows([position.state])
        for player, knows in enumerate(known):
            seen = planes.of_states(row, [player]).tobytes()
            compared += knows in shown
            assert shown.setdefault(knows, seen) == seen, position.played
    assert compared
