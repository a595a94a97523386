"""Options of Monte-Carlo tree search: proofs stay sound, and each option does what it says."""

from __future__ import annotations

import random

import pytest

import dslgame
from interpreter.game import Position
from interpreter.model.state import DRAW
from solver.entries import Entries
from solver.native import mcts_state
from solver.native.shared_tree import OPEN, indices
from solver.players.iterative_deepening import Deepening
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.matches import play_match, random_openings
from solver.players.mcts import MctsOptions, MonteCarloSearch

TRYING = {
    "plain": MctsOptions(), "rave": MctsOptions(rave=300), "minimax": MctsOptions(minimax=0.4),
    "widening": MctsOptions(rave=300, widening=2), "playout": MctsOptions(minimax=0.4, playout=2, widening=3),
    "all": MctsOptions(rave=100, minimax=0.3, widening=2, playout=3)}
SMALL: dict[str, dict[str, int]] = {
    "connect_four": {"rows": 4, "columns": 4}, "nex": {"rows": 2, "columns": 3}, "hexplode": {"side": 2},
    "hex": {"size": 3}}
"""Games with a value, with draws, with other kinds of extra moves, with long games, and with none of these."""


LEAST = {"connect_four": 7, "nex": 1, "hexplode": 4, "hex": 2}
"""The least number of plies of the random games."""


def positions(name: str, count: int, least: int) -> list[Position]:
    """Positions of random games after at least a number of plies."""
    game, seed = dslgame.load(name, **SMALL[name]), 0
    found: list[Position] = []
    while len(found) < count:
        chance, position = random.Random(seed), game.start()
        seed += 1
        for _ in range(least + seed % 3):
            position = position.play(chance.choice(position.legal()))
            if position.over:
                break
        else:
            found.append(position)
    return found


@pytest.mark.parametrize(("name", "which"), [
    pytest.param(name, which, marks=pytest.mark.slow if (row + column) % 2 else ())
    for row, name in enumerate(SMALL) for column, which in enumerate(TRYING)])
def test_proofs_are_those_of_alpha_beta(name: str, which: str) -> None:
    """With every option wins are found, only true values are proven, and the chosen move keeps the value."""
    found = positions(name, 3, LEAST[name])
    entries = Entries.of(found[0].game)
    search, exact = MonteCarloSearch(entries, options=TRYING[which], nodes=1 << 17), Deepening(entries, table_mib=4)
    for position in found:
        true = exact.search(position.state, Limit(plies=60, nodes=200_000))
        assert true.winner is not None
        said = search.search(position.state, Limit(nodes=20_000), seed=7)
        assert said.winner == true.winner or (said.winner is None and true.winner == DRAW), (name, which, position)
        if said.winner is None:
            continue
        after = position.play(said.move)
        winner = after.state.outcome
        if winner is None:
            winner = exact.search(after.state, Limit(plies=60, nodes=200_000)).winner
        assert winner == true.winner


@pytest.mark.parametrize("which", [name for name in TRYING if name != "plain"])
def test_a_move_that_wins_is_never_missed(which: str) -> None:
    """A row of four that can be completed is found and proven within a hundred games."""
    game = dslgame.load("connect_four")
    search = MonteCarloSearch(Entries.of(game), options=TRYING[which], nodes=1 << 16)
    for line in ("1 7 1 7 1 6", "4 1 5 1 6 7", "4 4 3 3 2 2"):
        position = game.start()
        for move in line.split():
            position = position.play(move)
        found = search.search(position.state, Limit(nodes=100), seed=3)
        assert found.winner == position.state.to_move, line
        assert position.play(found.move).over


def test_rave_counts_moves_of_the_games_below() -> None:
    """Each move of the root has at least as many RAVE visits as visits, and no more points than they allow."""
    game = dslgame.load("hex", size=5)
    search = MonteCarloSearch(Entries.of(game), options=MctsOptions(rave=100), nodes=1 << 16)
    search.search(game.start().state, Limit(nodes=400), seed=2)
    root = search._tree[0]
    children = [search._tree[k] for k in indices(int(root.children))]
    assert len(children) == 25
    assert all(child.later_visits >= child.visits for child in children)
    assert all(0 <= child.later_points <= mcts_state.WHOLE * child.later_visits for child in children)
    assert sum(int(child.later_visits) for child in children) > 4 * 400
    assert len({int(child.code) for child in children}) == 25


def test_widening_tries_few_moves_at_first() -> None:
    """As many children are tried as given, and one more for each further root of the visits, the best first."""
    game = dslgame.load("connect_four")
    search = MonteCarloSearch(Entries.of(game), options=MctsOptions(minimax=0.2, widening=1), nodes=1 << 16)
    search.search(game.start().state, Limit(nodes=4), seed=2)
    root = search._tree[0]
    children = [search._tree[k] for k in indices(int(root.children))]
    assert 1 <= sum(child.visits > 0 for child in children) <= 3
    middle = search.entries.move(search._moves[indices(int(root.children)).start])
    assert game.notation.write(game.start().state, middle) == "4"


def test_minimax_goes_up_the_tree() -> None:
    """A node's worth is the minimax of its children's."""
    game = dslgame.load("connect_four")
    search = MonteCarloSearch(Entries.of(game), options=MctsOptions(minimax=0.5), nodes=1 << 16)
    search.search(game.start().state, Limit(nodes=300), seed=2)
    tree = search._tree
    for node in range(40):
        children = indices(int(tree[node].children))
        if children and tree[node].proven == OPEN and tree[node].visits:
            best = max(int(tree[k].worth) for k in children if tree[k].proven != mcts_state.ILLEGAL)
            assert int(tree[node].worth) == (best if tree[children.start].mover == tree[node].mover else -best)


def test_rave_gains_in_hex() -> None:
    """With equally many games, of few nodes, RAVE wins more, playing both sides."""
    game = dslgame.load("hex", size=5)
    rave, plain = (Level.of(text).player(game) for text in ("mcts nodes=150 rave=300", "mcts nodes=150"))
    assert play_match(game, rave, plain, 16, openings=random_openings(game, 8, 2)).score > 0.6


def test_the_processor_can_be_the_clock() -> None:
    """`cpu=` limits the processor time of the searching thread, independent of other load."""
    game = dslgame.load("hex", size=5)
    for text in ("mcts cpu=0.01", "alphabeta cpu=0.01"):
        level = Level.of(text)
        assert level.limit.processor
        assert str(level) == text
        choice = level.player(game).choose(game.start())
        assert choice.report is not None
        assert choice.report.nodes > 50
    for text, why in (("mcts cpu=1 seconds=1", "both"), ("mcts minimax=2", "at most 1"), ("random cpu=1", "no limits")):
        with pytest.raises(ValueError, match=why):
            Level.of(text)
    with pytest.raises(ValueError, match="has none"):
        Level.of("mcts minimax=0.5").player(dslgame.load("breakthrough"))
