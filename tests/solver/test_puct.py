"""PUCT: Monte-Carlo tree search that prior probabilities by the game's value guide, over all or the proposed moves."""

from __future__ import annotations

from functools import cache

import pytest

import dslgame
from dsl.syntax.source import Source
from dslgame import bundled
from interpreter.game import Game, Position
from interpreter.model.state import DRAW
from interpreter.patterns.matching import Book
from solver.entries import Entries
from solver.game_space import solve_game
from solver.players.found import Found
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.matches import play_match
from solver.players.mcts import MctsOptions, MonteCarloSearch

NARROW = """
patterns
offensive "the left column" at cell in column(0):
    empty (0, 0)
    play (0, 0)
"""
"""Proposes cells of the left column alone, which mostly lose."""


@cache
def tic_tac_toe() -> Game:
    text = bundled.path_of("tic_tac_toe").read_text(encoding="utf-8")
    text = text.replace("symmetry all turns and mirrors\n", "")
    return Game.of(Source("valued.game", text + "value count(mine and column(0)) - count(theirs and column(0))\n"))


def puct(game: Game, *, narrow: bool = False, threads: int = 1) -> MonteCarloSearch:
    book = Book.of(Source("narrow.pattern", NARROW), game) if narrow else None
    return MonteCarloSearch(Entries.of(game, patterns=book, kept=False), options=MctsOptions.puct(proposed=narrow),
                            nodes=1 << 16, threads=threads)


def found(search: MonteCarloSearch, position: Position, nodes: int = 3_000) -> Found:
    return search.search(position.state, Limit(nodes=nodes), history=position.history)


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("moves", ["", "a1 b2", "b2 a1", "a1 b2 c3", "b1 b2 b3", "a3 a1 c3"])
def test_proofs_are_true(moves: str, narrow: bool) -> None:
    """What the search proves is true, also where patterns propose losing moves alone; with all moves it proves
    wins, and its move keeps the value."""
    game = tic_tac_toe()
    position = game.start()
    for move in moves.split():
        position = position.play(move)
    expected = solve_game(game, position.state)
    result = found(puct(game, narrow=narrow), position, 60_000)
    assert expected.winner is not None
    assert result.winner in (None, expected.winner)
    if narrow:
        return
    assert result.winner is not None or expected.winner == DRAW
    after = position.play(result.move)
    assert after.state.outcome == expected.winner or solve_game(game, after.state).winner == expected.winner


def test_all_moves_are_tried_where_the_proposed_ones_lose() -> None:
    """X threatens a1, a3 and c2: the left column alone is proposed, and then c2 is tried and loses as well."""
    game = tic_tac_toe()
    position = game.start()
    for move in ("b2", "b3", "c1", "b1", "c3"):
        position = position.play(move)
    search = puct(game, narrow=True)
    result = found(search, position)
    assert result.winner == 0
    assert len(list(search._children(0))) == 4


def test_only_proposed_moves_are_tried_where_they_do_not_lose() -> None:
    game = tic_tac_toe()
    search = puct(game, narrow=True)
    found(search, game.start(), 50)
    tried = {game.notation.write(game.start().state, move) for move in search.shares()}
    assert tried <= {"a1", "a2", "a3"}
    whole = puct(game)
    found(whole, game.start(), 30_000)
    assert len(whole.shares()) == 9


def test_losing_moves_are_left_out_though_proposed() -> None:
    """Where moves are known to lose, the root has all moves, and so it has after a search by proposed moves."""
    game = tic_tac_toe()
    position = game.start()
    losing = [position.find(text) for text in ("a1", "a2", "a3")]
    for before in (0, 50):
        search = puct(game, narrow=True)
        if before:
            found(search, position, before)
        result = search.search(position.state, Limit(nodes=300), losing=losing)
        assert result.move not in losing
        assert not set(search.shares()) & set(losing)


def test_the_same_seed_gives_the_same_move() -> None:
    game = dslgame.load("connect_four", rows=5, columns=5)
    moves = []
    for _ in range(2):
        search = puct(game)
        moves.append((found(search, game.start()).move, found(search, game.start().play("3")).report.line))
    assert moves[0] == moves[1]


def test_several_threads_search_one_tree() -> None:
    game = dslgame.load("connect_four", rows=5, columns=5)
    result = found(puct(game, threads=2), game.start(), 5_000)
    assert result.move in game.start().legal()
    assert result.report.method == "puct"


def test_levels() -> None:
    """`moves=proposed` or a file restricts the moves; a game without value is refused."""
    assert not Level.of("puct nodes=9").proposes
    assert Level.of("puct nodes=9 moves=proposed").proposes
    assert Level.of("puct nodes=9 file=x.pattern").proposes
    assert str(Level.of("puct nodes=9 temperature=0.05")) == "puct nodes=9 temperature=0.05"
    with pytest.raises(ValueError, match="puct goes by the game's 'value'; Tic-Tac-Toe has none"):
        dslgame.player(dslgame.load("tic_tac_toe"), "puct nodes=9 trained=none")
    with pytest.raises(ValueError, match="no patterns come with Reversi"):
        dslgame.player(dslgame.load("reversi"), "puct nodes=9 moves=proposed trained=none")
    game = dslgame.load("twixt", rows=10, columns=10, swap=0)
    choice = dslgame.player(game, "puct nodes=50 moves=proposed").choose(game.start())
    assert choice.text in game.start().moves()


@pytest.mark.slow
def test_it_wins_against_chance() -> None:
    game = dslgame.load("connect_four")
    result = play_match(game, dslgame.player(game, "puct nodes=200"), dslgame.player(game, "random", seed=1), 10)
    assert result.score >= 0.9


def test_no_level_chooses_where_the_game_is_over() -> None:
    game = tic_tac_toe()
    position = game.start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        position = position.play(move)
    for level in ("random", "puct nodes=9", "alphabeta plies=2", "solver"):
        with pytest.raises(ValueError, match="the game is over"):
            dslgame.player(game, level).choose(position)
