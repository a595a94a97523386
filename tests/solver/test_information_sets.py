"""Level ismcts: it uses the knowledge of the player to move only, and finds good moves by that."""

from __future__ import annotations

from random import Random

import pytest

import dslgame
from interpreter.game import Game, Position
from interpreter.happening import happened
from interpreter.semantics.hidden import Knowledge
from solver.information.knowing import known_by
from solver.information.positions import Fitting, Steps
from solver.players.information_sets import InformationSetPlayer
from solver.players.levels import Level
from tests.language.test_hidden import CLASH, PHANTOM
from tests.solver.test_information import KUHN, PENNIES

GAMES = {"phantom": PHANTOM, "clash": CLASH, "kuhn": KUHN, "pennies": PENNIES}


def decisions(game: Game, games: int, plies: int = 12) -> list[Position]:
    """Positions of random games in which a player moves."""
    found = []
    for seed in range(games):
        dice = Random(seed)
        position = happened(game.start(), dice)
        for _ in range(plies):
            if position.over:
                break
            found.append(position)
            position = happened(position.play(dice.choice(position.legal())), dice)
    return found


def alike(game: Game, games: int) -> dict[Knowledge, list[Position]]:
    """Groups of different positions that the player to move cannot tell apart, by this player's knowledge."""
    groups: dict[Knowledge, list[Position]] = {}
    for position in decisions(game, games):
        group = groups.setdefault(known_by(position, position.state.to_move), [])
        if position.state not in [other.state for other in group]:
            group.append(position)
    return {known: group for known, group in groups.items() if len(group) > 1}


@pytest.mark.parametrize("name", ["phantom", "kuhn", pytest.param("clash", marks=pytest.mark.slow),
                                  pytest.param("pennies", marks=pytest.mark.slow)])
def test_what_is_hidden_changes_no_choice(name: str) -> None:
    """In positions that look the same to the player the same seed gives the same move after the same search."""
    game = dslgame.loads(GAMES[name])
    groups = alike(game, 40)
    assert groups
    for group in list(groups.values())[:3]:
        chosen = set()
        for position in group[:3]:
            choice = Level.of("ismcts nodes=40").player(game, seed=3).choose(position)
            chosen.add((choice.text, choice.basis, None if choice.report is None else choice.report.score))
        assert len(chosen) == 1, group


@pytest.mark.parametrize("name", ["phantom", *(pytest.param(name, marks=pytest.mark.slow)
                                               for name in GAMES if name != "phantom")])
def test_positions_that_are_tried_can_be(name: str) -> None:
    """In every sampled position the player has the same view and moves, and the true position is among them."""
    game = dslgame.loads(GAMES[name])
    steps = Steps(game)
    for position in decisions(game, 4):
        player = position.state.to_move
        found = Fitting(steps, player, 1, 60).positions(known_by(position, player).events, position.legal())
        seen = game.observer.view(position.state, player)
        assert all(game.observer.view(state, player) == seen and game.engine.legal(state) == position.legal()
                   for state in found)
        assert position.state in found


def test_a_dominated_move_is_not_played() -> None:
    """In Kuhn Poker the highest card calls a bet, the lowest never does."""
    game = dslgame.loads(KUHN)
    start = game.start()
    for deal in start.moves():
        position = start.play(deal).play("bet")
        mine = position.variables["card"]
        assert isinstance(mine, tuple)
        card = mine[position.state.to_move]
        if card == 2:
            continue
        choice = InformationSetPlayer(game, Level.of("ismcts nodes=200").limit, 1).choose(position)
        assert (choice.text == "call") == (card == 3), (deal, position.moves())


def test_games_that_hide_nothing_have_other_levels() -> None:
    """Level ismcts refuses games without hidden information, and other levels name it for games with it."""
    with pytest.raises(ValueError, match="level ismcts is for games in which something is hidden"):
        Level.of("ismcts").player(dslgame.load("tic_tac_toe"))
    with pytest.raises(ValueError, match="expected random, ismcts or strategy"):
        Level.of("mcts").player(dslgame.loads(PENNIES))
