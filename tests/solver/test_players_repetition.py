"""Players and repetition rules: their moves are legal after the positions before, and what they claim is true.

Games are random automata: a number from 0 to 5, and for each player the numbers that may follow it. The true value of a
position with its history is found by playing out everything through `Position`, which applies the rule.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

import dslgame
from interpreter.errors import RuleError
from interpreter.game import Game, Position
from solver import game_space
from solver.budget import Budget
from solver.game_space import GameSpace, solve_game
from solver.space import DRAW
from solver.strong import Strong

STATES = 6
LEVELS = ["alphabeta plies=20", "alphabeta nodes=1", "mcts nodes=300", "mcts nodes=1", "maxn plies=3",
          "paranoid plies=8", "solver nodes=40", "solver nodes=1"]
LOOP = """
game "Loop"
players A, B
board square(1, 1)
var at in 0..5

move go(k in 0..5 where (at = 0 and mover = A and (k = 0 or k = 2 or k = 4))
    or (at = 0 and mover = B and (k = 1 or k = 2))
    or (at = 1 and mover = A and k = 1) or (at = 1 and mover = B and k = 5)
    or (at = 2 and mover = A and (k = 2 or k = 3 or k = 5)) or (at = 2 and mover = B and k = 3)
    or (at = 3 and mover = A and (k = 1 or k = 2)) or (at = 3 and mover = B and (k = 2 or k = 3))
    or (at = 5 and mover = A and (k = 1 or k = 5)) or (at = 5 and mover = B and (k = 1 or k = 3))):
    at := k

turn again when at = 4
win B when at = 4
no moves loses
repetition loses
notation go "{k}"
"""
"""A wins, by 0 alone; a table of scores that depend on the path once gave other results."""


@cache
def automaton(rule: str, seed: int) -> Game:
    """A random game of numbers with a repetition rule."""
    dice = random.Random(seed)
    ways = [f"(at = {state} and mover = {player} and ({' or '.join(f'k = {after}' for after in sorted(afters))}))"
            for state in range(STATES - 1) for player in "AB"
            if (afters := dice.sample(range(STATES), dice.randrange(1, 4)))]
    return dslgame.loads(f"""
game "Automaton"
players A, B
board square(1, 1)
var at in 0..{STATES - 1}

move go(k in 0..{STATES - 1} where {' or '.join(ways)}):
    at := k

win {dice.choice(["mover", "A", "B"])} when at = {STATES - 1}
no moves {dice.choice(["loses", "draws"])}
repetition {rule}
notation go "{{k}}"
""")


def value(position: Position) -> str:
    """The result of best play after the moves that led here."""
    if position.outcome is not None:
        return position.outcome
    results = {value(position.play(move)) for move in position.legal()}
    other = "B" if position.to_move == "A" else "A"
    return next(result for result in (position.to_move, "draw", other) if result in results)


def check(game: Game, level: str, seed: int, plies: int = 4) -> None:
    """In a random game, each move of a level is legal, and each result that it claims is the true one."""
    dice, position = random.Random(seed), game.start()
    player = dslgame.player(game, level, seed=seed)
    for _ in range(plies):
        if position.over:
            return
        choice = player.choose(position)
        assert choice.move in position.legal(), (level, position.played)
        if choice.winner is not None:
            assert game.outcome_name(choice.winner) == value(position.play(choice.move)), (level, position.played)
            if not choice.basis.startswith(("sampled", "searched")):  # else only this move's result is known
                assert game.outcome_name(choice.winner) == value(position), (level, position.played)
        position = position.play(dice.choice(position.legal()))


@pytest.mark.parametrize("seed", [2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 30))])
@pytest.mark.parametrize("rule", ["loses", "forbidden", "draws"])
def test_moves_are_legal_and_claims_true(rule: str, seed: int) -> None:
    game = automaton(rule, seed)
    for level in LEVELS:
        check(game, level, seed)


@pytest.mark.parametrize("seed", range(3))
def test_alphabeta_proves_nothing_by_scores_of_another_path(seed: int) -> None:
    game = dslgame.loads(LOOP)
    assert value(game.start()) == "A"
    choice = dslgame.player(game, "alphabeta plies=20", seed=seed).choose(game.start())
    assert choice.winner in (None, 0)
    if choice.winner == 0:
        assert choice.text == "0"


def test_no_level_plays_what_repeats_in_go() -> None:
    """Neither repeated positions nor moves that take the own last liberty, also where a search ends at once; and random
    games that run into a position without any move count as drawn."""
    game = dslgame.load("go", size=3)
    position = game.start()
    for move in ["b2", "c3", "a2", "c1", "b3", "c2", "pass"]:
        position = position.play(move)
    assert position.moves() == ("a1", "b1", "pass")
    for level in ("mcts nodes=1", "mcts nodes=500", "solver nodes=1", "alphabeta nodes=1", "maxn plies=1",
                  "paranoid plies=2"):
        for seed in range(6 if level != "solver nodes=1" else 2):
            assert dslgame.player(game, level, seed=seed).choose(position).text in position.moves(), level
    position = game.start()
    for move in ["a3", "c3", "a2", "c2", "b2", "b1", "a1", "pass", "c1", "b1"]:
        position = position.play(move)
    for level in ("alphabeta nodes=1", "mcts nodes=2"):
        assert dslgame.player(game, level).choose(position).text in position.moves(), level


SLOW = """
game "Slow"
players A, B
board square(1, 1)
var at in 0..4

move go(k in 0..4 where (at = 0 and k = 1) or (at = 0 and mover = A and k = 2) or (at = 1 and k = 4)
        or (at = 4 and k = 0)):
    at := k

turn again when at = 4
win A when at = 2
no moves loses
repetition draws
notation go "{k}"
"""
"""A wins by 2; after 1 all moves are forced and lead back to the start."""


@pytest.mark.parametrize("seed", range(60))
def test_first_moves_are_worth_what_they_are_after_the_start(seed: int) -> None:
    """A first move whose win leads through the start, which has occurred then, draws or loses."""
    game = dslgame.loads(SLOW) if seed == 0 else automaton("draws", seed)
    solution, start = solve_game(game), game.start()
    if start.over:
        return
    for item in solution.moves:
        assert item.winner is not None
        assert game.outcome_name(item.winner) == value(start.play(item.move)), start.play(item.move).played
    assert game.outcome_name(solution.winner) == value(start)


def test_slow_first_wins_are_answered_from_the_table() -> None:
    """Wins that lead through the start, as a draw, have the values of solving again from there, with their plies."""
    changed = 0
    for seed in range(1, 80):
        game = automaton("draws", seed)
        space = GameSpace(game)
        table, root = Strong(space, Budget()), space.start()
        table.enumerate_until()
        table.value_all()
        for _, after in ([] if root.outcome is not None else space.successors(root)):
            before, start = table.value(after), table.value(root)
            assert before is not None
            assert start is not None
            if after == root or DRAW in (before.winner, start.winner) or before.winner != start.winner or (
                    (before.remoteness or 0) <= (start.remoteness or 0)):
                continue
            again = Strong(game_space._NoReturn(game, after, root), Budget())
            again.enumerate_until()
            again.value_all()
            found, right = game_space._Returns(space, table).value(after), again.value(after)
            assert found is not None
            assert right is not None
            assert found.winner == right.winner
            assert found.winner == DRAW or found.remoteness == right.remoteness
            changed += right != before
    assert changed > 3


def test_win_of_unknown_length_keeps_its_move() -> None:
    """Where a proof does not tell how many plies a win takes, the move that was proven stands."""
    solution = solve_game(dslgame.load("gobblet_gobblers"), method="proof")
    assert (solution.winner, solution.remoteness) == (0, None)
    assert solution.best is not None
    assert next(item.winner for item in solution.moves if item.move == solution.best) == 0


DICE = """
game "Dice"
players A, B
board square(1, 1)
var at in 0..4, rolled in boolean

chance roll(d in 1..2) when not rolled:
    rolled := true

move go(k in 0..4 where (at = 0 and (k = 1 or k = 3)) or (at = 1 and (k = 0 or k = 2)) or (at = 2 and k = 0)
        or (at = 3 and (k = 0 or k = 1 or k = 4))):
    at := k

win A when at = 4
no moves loses
repetition RULE
notation go "{k}", roll "r{d}"
value at if mover = A else -at
"""


@pytest.mark.parametrize("rule", ["forbidden", "draws", "loses"])
def test_moves_in_games_with_chance_are_legal(rule: str) -> None:
    game = dslgame.loads(DICE.replace("RULE", rule))
    for level in ("expectimax plies=1", "expectimax plies=4", "expectimax plies=6 star=1", "solver seconds=0.1",
                  "mcts nodes=50"):
        player, position, dice = dslgame.player(game, level), game.start(), random.Random(1)
        for _ in range(12):
            if position.over:
                break
            move = dice.choice(position.outcomes())[0] if position.by_chance else player.choose(position).move
            assert move in position.legal()
            position = position.play(move)


def test_chance_does_not_repeat_what_is_forbidden() -> None:
    """Leaving out the outcome would change the probabilities of the others, so it is an error, but not in a search."""
    text = ('game "Coin"\nplayers A, B\nboard square(1, 1)\nvar at in 0..3\n\n'
            "chance flip(d in 0..1) when at = 1:\n    at := d * 2\n\n"
            "move go(k in 0..3 where (at = 0 and k = 1) or (at = 2 and k = 3)):\n    at := k\n\n"
            "turn again when at < 4\nwin A when at = 3\nno moves loses\nrepetition forbidden\n"
            'notation go "{k}", flip "f{d}"\n')
    game = dslgame.loads(text)
    with pytest.raises(RuleError, match=r"G407.: a move of chance repeats a position"):
        game.start().play("1")
    for level in ("expectimax plies=3", "mcts nodes=50", "solver nodes=50"):
        assert dslgame.player(game, level).choose(game.start()).text == "1"


def test_start_where_every_move_is_forbidden_is_an_end() -> None:
    """The `no moves` rule decides it, as anywhere else, also for a position that is read."""
    text = ('game "Self"\nplayers A, B\nboard square(1, 1)\nvar at in 0..2\n\n'
            "move go(k in 0..2 where (at = 0 and k = 0) or (at = 1 and k = 2)):\n    at := k\n\n"
            'turn again when at = 0\nwin A when at = 2\nno moves RESULT\nrepetition forbidden\nnotation go "{k}"\n')
    game = dslgame.loads(text.replace("RESULT", "loses"))
    assert (game.start().outcome, game.start().moves()) == ("B", ())
    assert game.read_position(game.start().text).outcome == "B"
    assert dslgame.loads(text.replace("RESULT", "draws")).start().outcome == "draw"
