"""Shallow proofs, by the interpreter and by a kernel, compared with playing out every line."""

from __future__ import annotations

import random

import pytest

import dslgame
from interpreter.game import Game, Position
from interpreter.model.state import DRAW
from solver.drivers.shallow import Proof, Shallow
from solver.entries import Entries
from solver.strong import Value
from tests.discovery import found_games, one_in, one_in_slow
from tests.solver.test_levels import RACE, ROUND, walk

MOST = 400
"""The number of lines that are played out from a position."""
THREE = """
game "Three"
players A, B, C
board square(2, 3)
pieces a of A, b of B, c of C
move place(x in empty):
    x := own
win mover when line(mine, 2)
draw when no empty
"""
ROUNDS = {
    "draws": ROUND, "loses": ROUND.replace("repetition draws", "repetition loses"),
    "forbidden": ROUND.replace("repetition draws", "repetition forbidden"),
    "no rule": ROUND.replace("repetition draws\n", ""),
}


def by_playing(position: Position, depth: int) -> Value | None:
    """What can be forced within a number of plies, by playing every move."""
    if position.over:
        assert position.state.outcome is not None
        return Value(position.state.outcome, 0)
    if depth == 0:
        return None
    mover, players = position.state.to_move, len(position.game.players)
    values = [by_playing(position.play(move), depth - 1) for move in position.legal()]
    won = [value.remoteness for value in values if value is not None and value.winner == mover]
    if won:
        return Value(mover, min(plies for plies in won if plies is not None) + 1)
    winners = {None if value is None else value.winner for value in values}
    if None in winners or (players > 2 and len(winners) > 1):
        return None
    if DRAW in winners:
        return Value(DRAW, None)
    (winner,) = (known for known in winners if known is not None)
    return Value(winner, max(value.remoteness for value in values
                             if value is not None and value.remoteness is not None) + 1)


def known(proof: Proof, depth: int) -> dict[object, Value]:
    """The proven values of moves within a number of plies; draws without their plies."""
    return {move: Value(value.winner, None) if value.winner == DRAW else value
            for move, value in proof.moves.items()
            if value.winner == DRAW or (value.remoteness is not None and value.remoteness <= depth)}


def compare(prover: Shallow, position: Position, depth: int) -> None:
    """Compare a proof of a position with playing out all lines."""
    proof = prover.prove(position.state, history=position.history, plies=depth, nodes=1_000_000)
    assert proof.depth == depth or proof.complete
    expected = {}
    for move in position.legal():
        value = by_playing(position.play(move), depth - 1)
        if value is not None:
            plies = None if value.winner == DRAW else value.remoteness
            expected[move] = Value(value.winner, None if plies is None else plies + 1)
    found = known(proof, depth)
    for move, value in expected.items():
        assert found.get(move) == value, (position.played, move)
    # a kernel's table may prove further draws, but no other values than expected
    assert all(move in expected or value.winner == DRAW for move, value in found.items()), position.played


def depth_for(position: Position) -> int:
    """The depth to which a position can be played out in full."""
    many, depth = max(2, len(position.legal())), 1
    while many ** (depth + 1) <= MOST and depth < 6:
        depth += 1
    return depth


@pytest.mark.parametrize("path", one_in(6, found_games(), 2, rest=2))
def test_the_interpreter_proves_what_play_shows(path: object) -> None:
    """In every bundled game, in the middle and at the end of a random game, the proof equals playing out."""
    game = dslgame.load(str(path))
    many = len(game.start().legal())
    positions = walk(game, 5, 60 if many < 150 else 6)
    for position in (positions[len(positions) // 2], positions[-1]):
        if len(position.legal()) <= MOST:
            compare(Shallow(game), position, min(depth_for(position), 3))


@pytest.mark.parametrize("text", [RACE, THREE, *ROUNDS.values()], ids=["extra turn", "three players", *ROUNDS])
def test_turns_players_and_repetitions(text: str) -> None:
    """Proofs handle extra turns, three players, and every repetition rule with the positions before."""
    game = dslgame.loads(text)
    for position in walk(game, 3, 8):
        compare(Shallow(game), position, 4 if len(position.legal()) > 4 else 5)


def by_kernel(game: Game, seeds: tuple[int, ...], plies: int) -> None:
    """Compare a kernel's proofs with playing out, along random games."""
    entries = Entries.of(game)
    for seed in seeds:
        for position in walk(game, seed, plies):
            if len(position.legal()) <= MOST:
                compare(Shallow(game, entries), position, depth_for(position))


@pytest.mark.parametrize("text", [RACE, ROUNDS["draws"]], ids=["extra turn", "draws"])
def test_a_kernel_proves_what_play_shows(text: str) -> None:
    """A kernel's alpha-beta agrees while its table is reused between depths and moves."""
    by_kernel(dslgame.loads(text), (1, 2), 8)


@pytest.mark.slow
@pytest.mark.parametrize("text", [*ROUNDS.values()], ids=[*ROUNDS])
def test_a_kernel_follows_repetition_rules(text: str) -> None:
    """A kernel takes the positions before into account."""
    by_kernel(dslgame.loads(text), (3, 4, 5), 10)


@pytest.mark.parametrize("path", one_in_slow(6, found_games(), 3))
def test_a_kernel_proves_what_play_shows_in_every_game(path: object) -> None:
    """In three positions of a random game of every bundled game, a kernel's proof equals playing out."""
    game = dslgame.load(str(path))
    entries = Entries.of(game)
    chance = random.Random(7)
    for position in chance.sample(found := walk(game, 6, 80), min(3, len(found))):
        if len(position.legal()) <= MOST:
            compare(Shallow(game, entries), position, depth_for(position))


def test_threats_are_seen_without_a_kernel() -> None:
    """Against three in a row with both ends open, the interpreter proves that all but two replies lose."""
    game = dslgame.load("connect_four")
    position = game.start().play("4").play("4").play("3")
    proof = Shallow(game).prove(position.state)
    assert proof.depth >= 4
    assert {position.game.notation.write(position.state, move) for move in proof.losing} == {"1", "3", "4", "6", "7"}
    assert (proof.value, proof.complete) == (None, False)


def test_a_mate_in_one_is_found_in_few_positions() -> None:
    """For the value alone the search ends at once, on a board that cannot be enumerated."""
    game = dslgame.load("connect_four")
    position = game.start()
    for move in ("1", "7", "1", "7", "1", "7"):
        position = position.play(move)
    proof = Shallow(game).prove(position.state, value_only=True)
    assert (proof.value, proof.depth, proof.nodes) == (Value(0, 1), 1, 0)
    assert proof.best is not None
    assert game.notation.write(position.state, proof.best) == "1"


def test_limits_are_kept() -> None:
    """Limits of plies and positions are kept, and invalid ones raise ValueError."""
    game = dslgame.load("connect_four")
    prover, start = Shallow(game), game.start().state
    assert prover.prove(start, plies=2).depth == 2
    few = prover.prove(start, nodes=30)
    assert few.nodes <= 30
    assert 1 <= few.depth < 4
    depths = [proof.depth for proof in prover.deepen(start, plies=3)]
    assert depths == [1, 2, 3]
    with pytest.raises(ValueError, match="the limit plies is 0"):
        prover.prove(start, plies=0)
