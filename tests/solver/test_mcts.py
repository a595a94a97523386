"""Tree searches reuse the subtree of a position that follows, and end when their move cannot change."""

from __future__ import annotations

from typing import Any

import pytest

import dslgame
from interpreter.game import Position
from interpreter.model.state import Move
from solver.entries import Entries
from solver.native.shared_tree import indices
from solver.players.connecting import ConnectingSearch
from solver.players.limits import BEGUN, Limit
from solver.players.mcts import MctsOptions, MonteCarloSearch
from solver.random_play import length_of_games

GAMES = [("connect_four", {}), ("hex", {"size": 4}), ("nine_mens_morris", {}), ("kalah", {}), ("clobber", {})]


def said(search: MonteCarloSearch, name: str, node: int = 0) -> int:
    """A field of a node of the tree."""
    return int(getattr(search._tree[node], name))


def places(search: MonteCarloSearch, node: int = 0) -> range:
    """The indices of a node's children."""
    return indices(said(search, "children", node))


def kids(search: MonteCarloSearch, node: int = 0) -> dict[Move, tuple[int, ...]]:
    """The moves from a node, with the fields of their children that do not depend on indices."""
    return {search.entries.move(search._moves[kid]): tuple(
        said(search, name, kid) for name in ("visits", "points", "proven", "mover")) for kid in places(search, node)}


def below(search: MonteCarloSearch, node: int = 0, depth: int = 3) -> dict[Move, Any]:
    """The same, to a depth."""
    return {move: (numbers, below(search, kid, depth - 1)) if depth else numbers
            for kid, (move, numbers) in zip(places(search, node), kids(search, node).items(), strict=True)}


def after(search: MonteCarloSearch, position: Position, plies: int) -> tuple[Position, int]:
    """The position after the most visited moves, and its node in the tree."""
    node = 0
    for _ in range(plies):
        node = max(places(search, node), key=lambda kid: said(search, "visits", kid))
        move = search.entries.move(search._moves[node])
        position = position.play(position.game.notation.write(position.state, move))
    return position, node


def ticking(search: MonteCarloSearch | ConnectingSearch, seconds: float, begun: float) -> Limit:
    """A limit whose clock advances a millisecond with each visit of the root."""
    class Ticking(Limit):
        def now(self) -> float:
            return int(search._tree[0].visits) / 1000

    return Ticking(seconds=seconds, begun=begun)


@pytest.mark.parametrize("name", ["mcts", "connecting"])
def test_search_ends_when_its_move_cannot_change(name: str) -> None:
    """It plays the move that a search of the whole time plays, whose lead is larger than the games left out; a search
    that is told to use its time does so."""
    game = dslgame.load("hex", size=6)
    position, entries = game.start().play("a1"), Entries.of(game)
    found = {}
    for begun in (BEGUN, 1.0):
        search: MonteCarloSearch | ConnectingSearch = (
            ConnectingSearch(entries, exploring=0.1, nodes=1 << 18) if name == "connecting" else
            MonteCarloSearch(entries, options=MctsOptions(exploring=0.05), nodes=1 << 18))
        found[begun] = search.search(position.state, ticking(search, 2.0, begun), history=position.history)
        visits = sorted(int(search._tree[child].visits) for child in search._children(0))
        assert found[begun].winner is None
        if begun < 1:
            lead = visits[-1] - visits[-2]
            assert 400 < sum(visits) < 1990
            assert lead > 2000 - sum(visits) - 20
    assert found[BEGUN].move == found[1.0].move
    assert (found[1.0].report.leaves or 0) >= 2000


@pytest.mark.parametrize("plies", [2, *(pytest.param(plies, marks=pytest.mark.slow) for plies in (0, 1, 3))])
@pytest.mark.parametrize(("name", "params"), GAMES, ids=str)
def test_tree_of_a_position_that_follows_is_kept(name: str, params: dict[str, int], plies: int) -> None:
    """Exactly the subtree below the position is kept, and a further search adds its games to it."""
    game = dslgame.load(name, **params)
    search, position = MonteCarloSearch(Entries.of(game), nodes=1 << 18), game.start()
    search.search(position.state, Limit(nodes=3_000 if plies < 3 else 20_000), seed=3)
    then, node = after(search, position, plies)
    held = below(search, node)
    assert held
    search._plant(then.state, then.history, list(then.history) if search.entries.cyclic else [], ())
    assert below(search) == held
    assert said(search, "mover") == -1
    before = said(search, "visits")
    found = search.search(then.state, Limit(nodes=500), history=then.history, seed=4)
    assert said(search, "visits") == before + (found.report.leaves or 0)
    assert set(kids(search)) >= set(then.legal())
    assert found.report.leaves == 500 or found.winner is not None


def test_tree_of_another_position_is_not_kept() -> None:
    """No tree is kept without history or after `forget`; the same seed then finds the same."""
    game = dslgame.load("connect_four")
    search, position = MonteCarloSearch(Entries.of(game), nodes=1 << 16), game.start()
    then = position.play("4").play("4")
    alone = search.search(then.state, Limit(nodes=400), history=then.history, seed=9)
    known = kids(search)
    search.search(position.state, Limit(nodes=1000), seed=1)
    search.search(then.state, Limit(nodes=400), history=(), seed=9)
    assert kids(search) == known
    search.search(position.state, Limit(nodes=1000), seed=1)
    search.forget()
    again = search.search(then.state, Limit(nodes=400), history=then.history, seed=9)
    assert (kids(search), again.move, again.score) == (known, alone.move, alone.score)


def test_moves_that_lose_are_left_out_of_a_tree_that_was_kept() -> None:
    """A losing move is excluded however often it was visited; without the exclusion the tree begins anew."""
    game = dslgame.load("connect_four")
    search, position = MonteCarloSearch(Entries.of(game), nodes=1 << 16), game.start()
    search.search(position.state, Limit(nodes=2000), seed=1)
    best = max(kids(search), key=lambda move: kids(search)[move][0])
    found = search.search(position.state, Limit(nodes=100), seed=1, losing=(best,))
    assert found.move != best
    assert best not in search.shares()
    search.search(position.state, Limit(nodes=2000), seed=1)
    assert best in search.shares()


def test_length_of_random_games() -> None:
    """The length of a game that always takes one ply is 1."""
    nim = dslgame.load("nim", a=0, b=0, c=0, d=1)
    assert length_of_games(Entries.of(nim), nim.start().state, 3) == 1


TEAMS = """
game "Teams"
players North, East, South, West
team Vertical = North, South
team Horizontal = East, West
board square({size}, {size})
pieces n of North, e of East, s of South, w of West

move place(c in empty):
    c := own

win mover when line(mine + allies, {length})
draw when no empty
value count(mine + allies)
"""


@pytest.mark.parametrize(("size", "length", "moves", "wins"), [
    (6, 4, "a1 a6 b1 c6 d1 d6", {"c1", "e1"}), (6, 4, "a6 a1 c6 b1 d6 d1 f6", {"c1"}),
    (3, 3, "a1 a2 b1 b2 a3 b3", {"c1"})])
@pytest.mark.parametrize("options", ["", "rave=300", "playout=2", "minimax=0.5"])
def test_every_member_of_a_team_plays_a_win_of_the_team(size: int, length: int, moves: str, wins: set[str],
                                                        options: str) -> None:
    """Proofs and results of games are those of the side, also where its second player is to move."""
    position = dslgame.loads(TEAMS.format(size=size, length=length)).start()
    for move in moves.split():
        position = position.play(move)
    for seed in range(2):
        choice = dslgame.player(position.game, f"mcts nodes=400 {options}", seed=seed).choose(position)
        assert choice.text in wins
        assert choice.winner == position.game.sides[position.state.to_move]
