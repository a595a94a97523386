"""Steps per second of environments: thousands of games at once, against OpenSpiel's games one at a time.

    python -m bench.environments [--games N] [--rounds N] [--seconds S] [--only NAME] [--json]

A step of a game chooses one of its legal actions at random, plays it, finds the actions that are legal then, and
restarts the game when it is over. Everything runs on one processor. A peer that is not installed is named and left out.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import attrs

import dslgame
from bench.command import found_peers, options_of, report
from bench.measure import Side, Spread, rates, ratios, short, table
from bench.random_play import open_spiel
from dslgame.env import Environment

GAMES: dict[str, tuple[dict[str, int], str]] = {
    "tic_tac_toe": ({}, "tic_tac_toe"), "connect_four": ({}, "connect_four"), "hex": ({}, "hex"),
    "breakthrough": ({}, "breakthrough"), "reversi": ({}, "othello"), "twixt": ({"swap": 0}, "twixt(board_size=24)"),
}
"""Our games with their params, and the names by which OpenSpiel loads them."""
STEPS, SEEN = "dslgame, steps", "dslgame, steps with observations"


def environment(game: dslgame.Game, games: int, *, seen: bool) -> Side:
    """Steps `games` games at once; with `seen`, also makes the observations."""
    env = Environment(game, games, limit=1000)

    def play(random: Random) -> int:
        env.step(env.sample())
        if seen:
            env.observe()
        return games

    return play


def adapted(name: str, params: dict[str, int]) -> Side:
    """Plays our game through OpenSpiel's interface. Raises ImportError where OpenSpiel is not installed."""
    from dslgame.adapters.openspiel import register

    given = ",".join(f"{key}={value}" for key, value in params.items())
    return open_spiel(f"{register(name)}({given})")


def agents(game: dslgame.Game) -> Side:
    """Plays our game through PettingZoo's interface. Raises ImportError where PettingZoo is not installed."""
    from dslgame.adapters.pettingzoo import raw_env

    env = raw_env(game)

    def play(random: Random) -> int:
        env.reset()
        count = 0
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return count
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(random.random() * len(legal))])
            count += 1

    return play


def measured(name: str, games: int, *, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Measure the steps per second of every side, and how many times as fast our steps are: a row per side."""
    params, theirs = GAMES[name]
    game = dslgame.load(name, **params)
    sides = {STEPS: environment(game, games, seen=False), SEEN: environment(game, games, seen=True)}
    peers: dict[str, Callable[[], Side]] = {
        "OpenSpiel, game in C++": lambda: open_spiel(theirs), "dslgame in OpenSpiel": lambda: adapted(name, params),
        "dslgame in PettingZoo": lambda: agents(game)}
    missing = found_peers(sides, peers, name)
    found = rates(sides, rounds=rounds, seconds=seconds)
    return [{"game": name, "side": side, "games": games if side in (STEPS, SEEN) else 1,
             "moves_per_second": attrs.asdict(Spread.of(values)),
             "ours_over_this": None if side == STEPS else attrs.asdict(ratios(found[STEPS], values))}
            for side, values in found.items()] + missing


def shown(rows: list[dict[str, Any]]) -> str:
    """Format the rows as a table."""
    texts = [("game", "side", "games", "steps/s", "our steps / this")]
    for row in rows:
        if "missing" in row:
            texts.append((row["game"], row["side"], "", "not installed", ""))
            continue
        ratio = row["ours_over_this"]
        texts.append((row["game"], row["side"], str(row["games"]), short(row["moves_per_second"]["median"]),
                      str(Spread(**ratio)) if ratio else "1"))
    return table(texts)


def main() -> None:
    """Measure every game and print it."""
    parser = options_of("environments", __doc__, rounds=5, seconds=0.4)
    parser.add_argument("--games", type=int, default=1024, help="games at once (%(default)s)")
    parser.add_argument("--only", choices=GAMES, help="one game")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name in [options.only] if options.only else GAMES:
        rows += measured(name, options.games, rounds=options.rounds, seconds=options.seconds)
    report("environments", options, rows, lambda drawn: shown(rows))


if __name__ == "__main__":
    main()
