"""Environments: batches of games equal to the interpreter's, and their interface for learning programs."""

from __future__ import annotations

import random

import numpy as np
import pytest

import dslgame
from dslgame import bundled
from dslgame.env import Environment, rewards_of
from dslgame.planes import Planes
from interpreter.compiler.lowering.layout import GOING
from interpreter.game import Game, Position

QUICK = ["connect_four", "shift_tac_toe"]
SLOW = ["tic_tac_toe", "go", "english_draughts", "nine_mens_morris", "pie_hex", "reversi", "peg_solitaire", "unlur",
        "dodgem", "kalah"]
"""Games with repetition rules, passes, swaps, moves of several steps, and for one player."""
PARAMS: dict[str, dict[str, int]] = {"pie_hex": {"size": 4}, "unlur": {"size": 3}}
FORBIDDEN = """
game "Circles"
players X, O
board square(1, 3)
pieces x of X, o of O

move turn(c in cells):
    if c is empty:
        c := own
    else:
        c := empty

repetition forbidden
no moves loses
"""
LUCK = """
game "Luck"
players One, Two
board graph:
    table
var luck in 0..4
var score[player] in 0..3

move add(k in 1..2) when luck > 0:
    score[mover] := min(3, score[mover] + k)

chance deal(d in 1..4) when luck = 0:
    luck := d

win One when luck = 1
draw when luck = 2
win mover when score[mover] = 3
turn passes when luck > 0
notation add "+{k}"
"""
"""Half of the games end before a player moves."""


def game_of(name: str) -> Game:
    return dslgame.load(name, **PARAMS.get(name, {}))


def play_beside(game: Game, games: int, steps: int, **options: int | bool) -> Environment:
    """Play an environment and the interpreter's positions side by side and compare them."""
    env, chance = Environment(game, games, seed=5, **options), random.Random(5)  # type: ignore[arg-type]
    positions: list[Position] = [game.start() for _ in range(games)]
    ended = 0
    for _ in range(steps):
        texts = [env.texts(number) for number in range(games)]
        assert [sorted(found.values()) for found in texts] == [sorted(position.moves()) for position in positions]
        assert env.to_move.tolist() == [position.state.to_move for position in positions]
        actions = [chance.choice(sorted(found)) for found in texts]
        moves = [env.move(number, action) for number, action in enumerate(actions)]
        plies = env.plies.copy()
        step = env.step(np.array(actions))
        assert step.mover.tolist() == [position.state.to_move for position in positions]
        positions = [position.play(move) for position, move in zip(positions, moves, strict=True)]
        assert env.batch.states(step.states) == [position.state for position in positions]
        assert step.terminated.tolist() == [position.over for position in positions]
        outcomes = [-2 if position.state.outcome is None else position.state.outcome for position in positions]
        assert (step.rewards == rewards_of(outcomes, len(game.players))).all()
        over = step.terminated | step.truncated
        assert (step.truncated == (~step.terminated & (plies + 1 >= options.get("limit", 1 << 30)))).all()
        ended += int(step.terminated.sum())
        positions = [game.start() if over[number] else position for number, position in enumerate(positions)]
    assert ended
    return env


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_games_are_the_interpreters(name: str) -> None:
    """Actions, players, rewards, ends (also by repetition) and new games agree for 150 steps."""
    play_beside(game_of(name), 4, 150)


def test_listed_actions_are_places_in_the_list() -> None:
    """With `listed=True` an action is an index into the list of legal moves, and the games are the same."""
    env = play_beside(game_of("connect_four"), 3, 40, listed=True, most_actions=8)
    assert env.actions == 8
    assert env.legal[0].tolist() == [number < 7 for number in range(8)]


@pytest.mark.parametrize("listed", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_forbidden_repetition(listed: bool) -> None:
    """Moves that repeat a position are illegal, and a player without other moves loses."""
    play_beside(dslgame.loads(FORBIDDEN), 5, 60, listed=listed)


def test_long_games_are_cut_off() -> None:
    env = play_beside(game_of("connect_four"), 3, 100, limit=12)
    assert env.plies.max() < 12


def test_ended_games_wait_without_auto_reset() -> None:
    """Ended games ignore actions, have no legal ones and give their reward once."""
    env = Environment("tic_tac_toe", 50, auto_reset=False, seed=2)
    total = np.zeros((50, 2))
    for _ in range(12):
        step = env.step(env.sample())
        total += step.rewards
    assert step.terminated.all()
    assert not env.legal.any()
    assert (total == rewards_of(env.outcomes, 2)).all()
    assert (env.plies <= 9).all()
    env.reset()
    assert env.legal.all()


def test_games_that_chance_ends_before_a_move_begin_anew() -> None:
    """A game that chance ends before any move ends at the next step without a reward, and a new game begins."""
    env = Environment(dslgame.loads(LUCK), 60, seed=3)
    again = 0
    for _ in range(20):
        ended, states, actions = env.outcomes != GOING, env.states.copy(), env.sample()
        assert (env.legal.any(axis=1) == ~ended).all()
        assert not actions[ended].any()
        step = env.step(actions)
        assert step.terminated[ended].all()
        assert not step.rewards[ended].any()
        assert (step.states[ended] == states[ended]).all()
        assert not env.plies[step.terminated].any()
        again += int((ended & (env.outcomes != GOING)).sum())
    assert 150 < again < 450
    waiting = Environment(env.game, 60, seed=3, auto_reset=False)
    ended, states = waiting.outcomes != GOING, waiting.states.copy()
    for _ in range(5):
        step = waiting.step(waiting.sample())
        assert step.terminated[ended].all()
        assert not step.rewards[ended].any()
    assert (waiting.states[ended] == states[ended]).all()


def test_same_seed_same_games_on_any_threads() -> None:
    """The same seed gives the same openings, samples and games on any number of threads."""
    def played(threads: int, seed: int) -> np.ndarray:
        env = Environment("connect_four", 300, seed=seed, opening=3, threads=threads)
        assert {sum(cells.bit_count() for cells in env.state(number).pieces[1:]) for number in range(20)} == {3}
        for _ in range(30):
            env.step(env.sample())
        found: np.ndarray = env.states
        return found

    one = played(1, 8)
    assert (one == played(3, 8)).all()
    assert (one != played(1, 9)).any()


def test_samples_are_even() -> None:
    """`sample` draws legal actions uniformly."""
    env = Environment("tic_tac_toe", 9000, seed=1)
    env.step(np.zeros(9000, np.int64))
    counts = np.bincount(env.sample(), minlength=9)
    assert counts[0] == 0
    assert counts[1:].min() > 1000


def test_legal_lists_are_the_marks() -> None:
    env = Environment("connect_four", 40, opening=20, seed=3)
    actions, offsets = env.legal_lists()
    assert [actions[offsets[number] : offsets[number + 1]].tolist() for number in range(40)] == [
        np.flatnonzero(row).tolist() for row in env.legal]


def test_games_go_on_from_given_positions() -> None:
    game = game_of("connect_four")
    position = game.start().play("4").play("4")
    env = Environment(game, 2)
    env.reset(states=env.batch.rows([position.state, game.start().state]))
    assert env.drawing(0) == str(position)
    assert env.state(1) == game.start().state
    with pytest.raises(ValueError, match=r"states are \(1, 8\), expected \(2, 8\)"):
        env.reset(states=env.states[:1])


def test_wrong_use_is_said() -> None:
    """Errors tell what was expected, and no game advances."""
    env = Environment("tic_tac_toe", 2)
    env.step(np.array([0, 4]))
    before = env.states.copy()
    with pytest.raises(ValueError, match=r"action 4 \(b2\) is not legal in game 1, which has 8 legal actions"):
        env.step(np.array([1, 4]))
    with pytest.raises(ValueError, match="action 9 is not legal in game 0"):
        env.step(np.array([9, 0]))
    with pytest.raises(ValueError, match="action -1 is not legal in game 0"):
        env.step(np.array([-1, 0]))
    with pytest.raises(ValueError, match=r"actions are float64 \(2,\), expected 2 whole numbers"):
        env.step(np.array([0.0, 1.0]))
    with pytest.raises(ValueError, match=r"actions are int64 \(1,\), expected 2 whole numbers"):
        env.step(np.array([0]))
    assert (env.states == before).all()
    with pytest.raises(ValueError, match="count=0, expected at least 1 game"):
        Environment("tic_tac_toe", 0)
    with pytest.raises(ValueError, match="limit=0, expected at least 1 move"):
        Environment("tic_tac_toe", 1, limit=0)
    with pytest.raises(ValueError, match="more than 8 actions: use listed=True, or give most_actions"):
        Environment("tic_tac_toe", 1, listed=False, most_actions=8)
    with pytest.raises(ValueError, match="9 legal moves, and there are 4 actions: give most_actions=16"):
        Environment("tic_tac_toe", 1, listed=True, most_actions=4)


# ---- observations


def test_planes_show_the_board_as_the_mover_sees_it() -> None:
    """The planes are the mover's pieces, the opponent's pieces, and the side to move."""
    env = Environment("tic_tac_toe", 1)
    assert env.planes.names == ("the mover's x or o", "the opponent's o or x", "the mover's side is O")
    for action in (0, 4, 8):
        env.step(np.array([action]))
    assert env.observe().tolist() == [[[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0], [0, 0, 1]],
                                       [[1, 1, 1]] * 3]]


def test_planes_of_another_viewer() -> None:
    """Planes can be made from the view of a player who is not to move."""
    env = Environment("tic_tac_toe", 1)
    env.step(np.array([0]))
    seen = env.planes.of_states(env.states, np.array([0]))[0]
    assert seen[0].sum() == 1
    assert seen[1:].sum() == 0


@pytest.mark.parametrize("name", [
    "oware", *(pytest.param(name, marks=pytest.mark.slow if name in SLOW else pytest.mark.thorough)
               for name in bundled.names() if name != "oware")])
def test_different_positions_have_different_planes(name: str) -> None:
    """Different positions have different planes in every game, with numbers from -1 to 1."""
    game, chance = game_of(name), random.Random(name)
    states = []
    for _ in range(3):
        state = game.engine.start()
        for _ in range(30):
            if state.outcome is None:
                states.append(state)
            moves = game.engine.legal(state)
            if not moves:
                break
            after = game.engine.apply(state, chance.choice(moves))
            assert after is not None
            state = after
    env = Environment(game, 1, most_actions=1 << 16)
    planes = Planes.of(env.batch)
    found = planes.of_states(env.batch.rows(states))
    assert found.shape == (len(states), *planes.shape)
    assert found.dtype == np.float32
    assert len(set(planes.names)) == len(planes.names) == planes.shape[0]
    assert found.min() >= -1
    assert found.max() <= 1
    different = len({plane.tobytes() for plane in found})
    assert different == len(set(states)) or (not game.observer.sees_all and 1 < different < len(set(states)))


def test_rewards() -> None:
    """Rewards of wins, losses, draws and unfinished games; several losers share the loss."""
    assert rewards_of([0, 1, -1, -2], 2).tolist() == [[1, -1], [-1, 1], [0, 0], [0, 0]]
    assert rewards_of([2], 3).tolist() == [[-0.5, -0.5, 1]]
    assert rewards_of([0, -1], 1).tolist() == [[1], [0]]


def test_moves_without_choices_where_repetition_is_forbidden() -> None:
    """No rule of the game has a choice; a move to a position that was there before is no legal action."""
    game = dslgame.loads("""
game "Toggle"
players A, B
board graph:
    t
var s in 0..1
var clock in 0..6 aside
move toggle:
    s := 1 - s
    clock := min(6, clock + 1)
move keep when clock > 0:
    clock := 6
win A when clock = 6
no moves loses
repetition forbidden
""")
    environment = Environment(game, 2, seed=1)
    position = game.start()
    while not position.over:
        assert environment.legal.sum(axis=1).tolist() == [len(position.moves())] * 2
        actions = environment.legal.argmax(axis=1)
        position = position.play(position.moves()[0])
        step = environment.step(actions)
        assert step.terminated.tolist() == [position.over] * 2
    assert len(position.played) > 1
