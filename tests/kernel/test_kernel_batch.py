"""Batches of positions: results equal those one by one, on any number of threads; keys; numbers of moves."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import dslgame
from dsl import hir
from dslgame import bundled
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.many import Batch
from interpreter.kernel.numbering import MOST_ACTIONS, Numbering
from interpreter.model.state import PASS, SWAP, Move, State
from interpreter.model.state_maps import canonical
from tests.discovery import one_in

ROOT = Path(__file__).parents[2]
COUNT = 40
QUICK = ["connect_four", "pie_hex"]
GAMES = [*QUICK, "tic_tac_toe", "reversi", "english_draughts", "twixt"]
"""Games with compiled kernels: one word and many, swaps, passes, moves of any length, links. Some run in the quick
tests."""
PARAMS: dict[str, dict[str, int]] = {"twixt": {"rows": 8, "columns": 8}, "pie_hex": {"size": 4}}


@cache
def game_of(name: str) -> Game:
    return dslgame.load(name, **PARAMS.get(name, {}))


@cache
def batch_of(name: str) -> Batch:
    return Batch.of(game_of(name))


@cache
def walk(name: str, games: int = 4, plies: int = 60) -> list[State]:
    """The states of random games played by the interpreter."""
    game, chance, found = game_of(name), random.Random(name), []
    for _ in range(games):
        state = game.engine.start()
        for _ in range(plies):
            found.append(state)
            moves = game.engine.legal(state)
            if not moves:
                break
            after = game.engine.apply(state, chance.choice(moves))
            assert after is not None
            state = after
    return found


def compiled(*names: str) -> list[object]:
    """Games as parameters; all but the quick ones are marked slow, as their kernels are compiled first."""
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in names]


def move_of(row: np.ndarray) -> Move:
    return Move(int(row[0]), tuple(int(value) for value in row[2 : 2 + row[1]]))


# ---- as the interpreter


@pytest.mark.parametrize("name", compiled(*GAMES))
def test_moves_and_what_they_do_are_the_interpreters(name: str) -> None:
    """Move lists, counts, moves chosen by number and the positions after them agree with the interpreter."""
    batch, states, chance = batch_of(name), walk(name), random.Random(1)
    engine = batch.game.engine
    rows = batch.rows(states)
    assert batch.states(rows) == states
    legal = batch.legal(rows)
    assert [[move_of(row) for row in found] for found in map(legal.__getitem__, range(len(legal)))] == [
        engine.legal(state) for state in states]
    assert batch.counts(rows).tolist() == legal.counts.tolist() == [len(engine.legal(state)) for state in states]
    going = np.flatnonzero(~batch.over(rows))
    rows = rows[going].copy()
    numbers = np.array([chance.randrange(count) for count in legal.counts[going]])
    moves = batch.chosen(rows, numbers)
    assert batch.apply(rows, moves).all()
    played = [engine.apply(states[place], engine.legal(states[place])[number])
              for place, number in zip(going, numbers, strict=True)]
    assert batch.states(rows) == played
    after = [state for state in played if state is not None]
    assert batch.outcomes(rows).tolist() == [-2 if state.outcome is None else state.outcome for state in after]
    assert batch.to_move(rows).tolist() == [state.to_move for state in after]


def test_move_that_is_taken_back_changes_nothing() -> None:
    """An illegal move in one position of a batch leaves that position unchanged."""
    game = dslgame.loads("""
game "Guarded"
players X, O
board square(1, 4)
pieces x of X, o of O

move place(c in empty):
    c := own

illegal when cell(0, 0) is x
no moves loses
""")
    batch = Batch.of(game)
    rows = batch.starts(2)
    assert batch.counts(rows).tolist() == [3, 3]
    moves = np.zeros((2, rows.shape[1]), np.int64)[:, : batch.legal(rows).moves.shape[1]]
    moves[:, 1] = 1
    moves[1, 2] = 3
    assert batch.apply(rows, moves).tolist() == [False, True]
    assert batch.states(rows)[0] == game.engine.start()


def test_what_one_branch_does_is_not_known_in_the_other() -> None:
    """Neither the content of a cell nor the piece placed in one branch is assumed in the other."""
    game = dslgame.loads("""
game "Turning"
players X, O
board square(1, 3)
pieces x of X, o of O

move turn(c in cells):
    if c is empty:
        c := own
    else:
        c := empty

win mover when every c in cells: c is own
""")
    kernel, chance = Kernel.of(game, native=False), random.Random(1)
    state = game.engine.start()
    for _ in range(40):
        legal = game.engine.legal(state)
        after = [game.engine.apply(state, move) for move in legal]
        assert [kernel.after(state, move) for move in legal] == after
        going = [found for found in after if found is not None and found.outcome is None]
        state = chance.choice(going)


def test_move_without_such_a_number_is_said() -> None:
    batch = batch_of("connect_four")
    with pytest.raises(IndexError, match="position 1 has no move with number 7"):
        batch.chosen(batch.starts(2), [6, 7])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["english_draughts", "connect_four"])
def test_kernels_from_disk_do_the_same(name: str, tmp_path: Path) -> None:
    """A second process loads the compiled kernel from disk, also with recursive functions."""
    script = ("import sys, dslgame; from interpreter.kernel.kernel import Kernel; "
              "kernel = Kernel.of(dslgame.load(sys.argv[1]));"
              "print(len(kernel.moves(kernel.start())), kernel.perft(4))")
    run = [subprocess.run([sys.executable, "-c", script, name], cwd=ROOT, capture_output=True, text=True, check=True,
                          env={**os.environ, "DSLGAME_CACHE": str(tmp_path)}).stdout for _ in range(2)]
    assert run[0] == run[1]


# ---- threads


@pytest.mark.parametrize("name", compiled("connect_four", "english_draughts"))
def test_results_do_not_depend_on_threads(name: str) -> None:
    """Playouts, positions, move lists and totals are equal with one thread and with four."""
    batch = batch_of(name)
    one, four = batch.starts(500), batch.starts(500)
    assert (batch.play_out(one, 7, threads=1) == batch.play_out(four, 7, threads=4)).all()
    assert (one == four).all()
    totals = batch.play_outs(500, 7, threads=1)
    assert totals == batch.play_outs(500, 7, threads=4) == batch.kernel.play_outs(500, 7)
    assert totals[0] == batch.play_out(batch.starts(500), 7).sum()
    assert totals[1] == [int((batch.outcomes(one) == outcome).sum()) for outcome in (-1, 0, 1, -2)]
    middle = batch.random_positions(500, 6, 3, threads=4)
    assert (middle == batch.random_positions(500, 6, 3)).all()
    legal, again = batch.legal(middle), batch.legal(middle, threads=4)
    assert (legal.offsets == again.offsets).all()
    assert list(map(move_of, legal.moves)) == list(map(move_of, again.moves))
    assert (batch.keys(middle) == batch.keys(middle, threads=4)).all()


def test_first_games_are_the_same_however_many_there_are() -> None:
    """Seeds belong to rows."""
    batch = batch_of("connect_four")
    few, many = batch.random_positions(10, 9, 5), batch.random_positions(50, 9, 5)
    assert (few == many[:10]).all()


# ---- random positions


def test_random_positions_go_on() -> None:
    """Random positions are not final unless `over` is given."""
    batch = batch_of("connect_four")
    states = batch.random_positions(200, 25, 1)
    assert not batch.over(states).any()
    assert {sum(cells.bit_count() for cells in state.pieces[1:]) for state in batch.states(states)} == {25}
    assert batch.over(batch.random_positions(200, 25, 1, over=True)).any()
    with pytest.raises(ValueError, match="goes on after 42 moves: ask for fewer"):
        batch.random_positions(5, 42)


def test_little_room_grows() -> None:
    """If the buffer for moves is too small, it grows and the work resumes where it stopped."""
    batch = Batch(Kernel.of(game_of("pie_hex")), room=70)
    states = batch.random_positions(100, 4)
    legal = batch.legal(states, threads=2)
    assert (legal.counts == batch.counts(states)).all()
    assert len(legal.moves) == legal.counts.sum()


# ---- wrong use


def test_wrong_arrays_are_refused() -> None:
    """The error gives what was found and what was expected."""
    batch = batch_of("connect_four")
    with pytest.raises(ValueError, match=rf"int64 \(3, 2\), expected an array of uint64 with {batch.width} "):
        batch.counts(np.zeros((3, 2), np.int64))
    with pytest.raises(ValueError, match="states are list, expected"):
        batch.keys([1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 numbers for 2 states"):
        batch.chosen(batch.starts(2), [0])
    with pytest.raises(ValueError, match="must be writeable and lie together"):
        batch.play_out(batch.starts(4)[::2])
    with pytest.raises(ValueError, match="threads=0"):
        batch.counts(batch.starts(2), threads=0)
    with pytest.raises(ValueError, match="must be compiled"):
        Batch(Kernel.of(game_of("tic_tac_toe"), native=False))


def test_failing_rule_names_its_position() -> None:
    game = dslgame.loads("""
game "Overflow"
players X, O
board square(1, 2)
pieces x of X, o of O
var rest in 0..3 = 3

move add:
    rest := rest * 2 - 3 - 1

win mover when rest = 1
""")
    batch = Batch.of(game)
    states = batch.starts(3)
    with pytest.raises(RuleError, match=r"position [0-2]"):
        batch.play_out(states)


# ---- keys


@pytest.mark.parametrize("name", [*GAMES, "hexplode", "trax", "oware", "quarto"])
def test_keys_tell_states_apart(name: str) -> None:
    """Keys of states from random games are equal exactly where the states are, in plain and in compiled kernels."""
    kernel = Kernel.of(game_of(name), native=False)
    states = walk(name)
    keys = [kernel.key(state) for state in states]
    assert len(set(keys)) == len(set(states))
    assert len(dict(zip(states, keys, strict=True))) == len(set(zip(states, keys, strict=True)))
    assert all(0 <= key < 1 << 64 for key in keys)
    if name in QUICK:
        batch = batch_of(name)
        assert batch.keys(batch.rows(states)).tolist() == keys
        assert [batch.kernel.key(state) for state in states[:5]] == keys[:5]


@pytest.mark.parametrize("name", [*GAMES, "hexplode"])
def test_keys_can_be_kept_from_move_to_move(name: str) -> None:
    """The key change between two positions turns one's key into the other's, in plain and compiled kernels."""
    kernel = Kernel.of(game_of(name), native=False)
    states = walk(name)
    change, key = kernel.functions["key_change"], kernel.functions["key"]
    rows = [kernel.row(state) for state in states]
    for one, other in pairwise(rows):
        assert key(one) ^ change(one, other) == key(other)
    if name in QUICK:
        batch = batch_of(name)
        found = batch.rows(states)
        kept = batch.changed_keys(batch.keys(found[:-1]), found[:-1], found[1:])
        assert kept.tolist() == batch.keys(found[1:]).tolist()


def test_many_positions_have_many_keys() -> None:
    """No two of more than 50,000 positions share a key, and collisions of half keys are as rare as expected."""
    batch = batch_of("connect_four")
    states = np.concatenate([batch.random_positions(8000, plies, plies, over=True) for plies in range(4, 20)])
    unique = np.unique(states, axis=0)
    assert len(unique) > 50_000
    keys = batch.keys(np.ascontiguousarray(unique))
    assert len(np.unique(keys)) == len(unique)
    expected = len(unique) ** 2 / 2 / 2**32
    for half in (keys & np.uint64(0xFFFFFFFF), keys >> np.uint64(32)):
        assert len(unique) - len(np.unique(half)) < 4 + 10 * expected


@pytest.mark.parametrize("name", [*GAMES, "shift_tac_toe", "hexplode"])
def test_keys_of_images_are_those_of_the_interpreters_images(name: str) -> None:
    """Canonical keys of all images equal the key of the least image."""
    game = game_of(name)
    kernel = Kernel.of(game, native=False)
    for state in walk(name)[::5]:
        maps = game.symmetries_of(state)
        least = canonical(state, maps)
        assert kernel.canonical_key(state) == kernel.key(least)
        for element in maps[1:6]:
            assert kernel.canonical_key(element.of_state(state)) == kernel.key(least)
    if name in QUICK:
        batch = batch_of(name)
        states = walk(name)
        images = [canonical(state, game.symmetries_of(state)) for state in states]
        assert batch.states(batch.canonical(batch.rows(states))) == images
        assert (batch.canonical_keys(batch.rows(states)) == batch.keys(batch.rows(images))).all()


def test_keys_are_the_same_in_every_process() -> None:
    """Keys do not change between processes and versions, as files of positions contain them."""
    script = ("import dslgame; from interpreter.kernel.kernel import Kernel; game = dslgame.load('tic_tac_toe');"
              "print(Kernel.of(game, native=False).key(game.start().play('b2').state))")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    game = game_of("tic_tac_toe")
    assert int(done.stdout) == Kernel.of(game, native=False).key(game.start().play("b2").state) == 10153947303881622648


# ---- numbers of moves


@pytest.mark.parametrize("name", one_in(4, bundled.names(), 3, rest=2))
def test_moves_have_numbers(name: str) -> None:
    """Each legal move has a distinct number that decodes to it, except where moves are very many or of any length."""
    game = game_of(name)
    numbering = Numbering.of(game)
    if numbering is None:
        wider = Numbering.of(game, most=1 << 62)
        steps = any(isinstance(part, hir.Proceed) or (isinstance(part, hir.Then) and part.condition is not None)
                    for rule in game.rules.moves for part in hir.walk(rule))
        assert steps if wider is None else wider.count > MOST_ACTIONS
        return
    for state in walk(name, games=1, plies=12):
        legal = game.engine.legal(state)
        numbers = [numbering.number(move) for move in legal]
        assert len(set(numbers)) == len(numbers)
        assert all(0 <= number < numbering.count for number in numbers)
        assert [numbering.move(number) for number in numbers] == legal


def test_every_number_is_a_move() -> None:
    """Every number decodes to a move and back; the numbers of pass and swap come last."""
    for name, last in (("pie_hex", SWAP), ("reversi", PASS)):
        numbering = Numbering.of(game_of(name))
        assert numbering is not None
        assert [numbering.number(numbering.move(number)) for number in range(numbering.count)] == [
            *range(numbering.count)]
        assert numbering.move(numbering.count - 1) == Move(last)
        with pytest.raises(IndexError, match=f"action {numbering.count}, expected 0 to {numbering.count - 1}"):
            numbering.move(numbering.count)
    assert Numbering.of(game_of("tic_tac_toe"), most=8) is None


@pytest.mark.parametrize("name", compiled("reversi", "twixt", "pie_hex"))
def test_legal_moves_are_marked_by_their_numbers(name: str) -> None:
    game, batch, states = game_of(name), batch_of(name), walk(name)
    numbering = Numbering.of(game)
    assert numbering is not None
    marks, counts = batch.marks(batch.rows(states), numbering, threads=2)
    assert counts.tolist() == [len(game.engine.legal(state)) for state in states]
    assert [np.flatnonzero(row).tolist() for row in marks] == [
        sorted(numbering.number(move) for move in game.engine.legal(state)) for state in states]
