"""Moves per second of random play: the interpreter against OpenSpiel and easyAI on the same games.

    python -m bench.random_play [--rounds N] [--seconds S] [--json]

A move includes listing the legal moves, choosing one at random, playing it, and asking whether the game is over. Where
a peer lists moves in the same order, both play the same games. A peer that is not installed is named and left out.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import attrs

import dslgame
from bench.command import found_peers, options_of, report, title_of
from bench.measure import Side, Spread, rates, ratios, short, table

FEW_ROUNDS, FEW_SECONDS = 9, 0.4
MOST_MOVES = 1000
"""The number of moves after which a random game is abandoned."""


# ---- our side


def bare(game: dslgame.Game) -> Side:
    """The interpreter on bare states, as solvers use it, without history and texts."""
    engine = game.engine

    def play(random: Random) -> int:
        choose = random.random
        state, count = engine.start(), 0
        while state.outcome is None and count < MOST_MOVES:
            moves = engine.legal(state)
            after = engine.apply(state, moves[int(choose() * len(moves))])
            assert after is not None  # a legal move is not taken back
            state = after
            count += 1
        return count

    return play


def positions(game: dslgame.Game) -> Side:
    """Positions of the Python interface, with their history."""

    def play(random: Random) -> int:
        choose = random.random
        position, count = game.start(), 0
        while not position.over and count < MOST_MOVES:
            moves = position.legal()
            position = position.play(moves[int(choose() * len(moves))])
            count += 1
        return count

    return play


# ---- the peers' sides


def open_spiel(name: str) -> Side:
    """A game of OpenSpiel through its Python interface. Raises ImportError where it is not installed."""
    pyspiel: Any = importlib.import_module("pyspiel")
    if name.startswith("python_"):
        importlib.import_module("open_spiel.python.games." + name.removeprefix("python_"))
    game = pyspiel.load_game(name)

    def play(random: Random) -> int:
        choose = random.random
        state, count = game.new_initial_state(), 0
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(choose() * len(moves))])
            count += 1
        return count

    return play


def easy_ai(name: str) -> Side:
    """A game that comes with easyAI. Raises ImportError where it is not installed."""
    make: Any = getattr(importlib.import_module(f"easyAI.games.{name}"), name)

    def play(random: Random) -> int:
        choose = random.random
        game, count = make([None, None]), 0
        while not game.is_over():
            moves = game.possible_moves()
            game.play_move(moves[int(choose() * len(moves))])
            count += 1
        return count

    return play


@attrs.frozen
class Comparison:
    """A game of ours and the peers that have it."""

    name: str
    params: Mapping[str, int]
    peers: Mapping[str, Callable[[], Side]]
    """By label, functions that make the peer's side; they raise ImportError where the peer is not installed."""

    @property
    def title(self) -> str:
        """The name with the params."""
        return title_of(self.name, self.params)


COMPARISONS = (
    Comparison("tic_tac_toe", {}, {
        "OpenSpiel, game in Python": lambda: open_spiel("python_tic_tac_toe"),
        "easyAI": lambda: easy_ai("TicTacToe"),
        "OpenSpiel, game in C++": lambda: open_spiel("tic_tac_toe"),
    }),
    Comparison("connect_four", {}, {
        "easyAI": lambda: easy_ai("ConnectFour"),
        "OpenSpiel, game in C++": lambda: open_spiel("connect_four"),
    }),
    Comparison("hex", {"size": 11}, {"OpenSpiel, game in C++": lambda: open_spiel("hex")}),
    Comparison("nex", {}, {}),
    Comparison("shift_tac_toe", {}, {}),
)
BARE, POSITIONS = "dslgame, states", "dslgame, positions"


def measured(comparison: Comparison, *, rounds: int, seconds: float) -> list[dict[str, object]]:
    """Measure the moves per second of every side, and how many times as fast our bare states are: a row per side."""
    game = dslgame.load(comparison.name, **comparison.params)
    sides: dict[str, Side] = {BARE: bare(game), POSITIONS: positions(game)}
    missing = found_peers(sides, comparison.peers, comparison.title)
    found = rates(sides, rounds=rounds, seconds=seconds, batch=8)
    counted: list[dict[str, object]] = [
        {"game": comparison.title, "side": name, "moves_per_second": attrs.asdict(Spread.of(values)),
         "same_games": all(sides[BARE](Random(seed)) == sides[name](Random(seed)) for seed in range(20)),
         "ours_over_this": None if name == BARE else attrs.asdict(ratios(found[BARE], values))}
        for name, values in found.items()
    ]
    return counted + missing


def shown(rows: list[dict[str, Any]]) -> str:
    """Format the rows as a table."""
    texts = [("game", "side", "moves/s", "our states / this", "same games")]
    for row in rows:
        if "missing" in row:
            texts.append((row["game"], row["side"], "not installed", "", ""))
            continue
        ratio = row["ours_over_this"]
        texts.append((row["game"], row["side"], short(row["moves_per_second"]["median"]),
                      str(Spread(**ratio)) if ratio else "1", "yes" if row["same_games"] else "no"))
    return table(texts)


def main() -> None:
    """Measure every comparison and print it."""
    options = options_of("random_play", __doc__, rounds=FEW_ROUNDS, seconds=FEW_SECONDS).parse_args()
    rows: list[dict[str, Any]] = []
    for comparison in COMPARISONS:
        rows += measured(comparison, rounds=options.rounds, seconds=options.seconds)
    report("random_play", options, rows, lambda drawn: shown(rows))


if __name__ == "__main__":
    main()
