"""Recorded games: for every bundled game what the interpreter and the kernel say in a few games of random moves.

`python -m tests.playthroughs` writes `tests/playthroughs/NAME.txt` anew for all games, or for those that are named. A
test plays the games again and compares, so that any change of what a position is, which moves are legal and in which
order, how they are written, who wins, and what the `value` is shows as a difference of text. If the change is meant,
the files are written anew and the difference is part of the commit.

A line of a recording says one thing: `after` a move the position, its `legal` moves (or, where these are many, how many
and a digest of them all), its `value` where the file gives one, and in the end the outcome. The last lines are the
kernel's: a digest of the keys of all positions, with and without their images merged, and random games.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs

import dslgame
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.game import Game, Position
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from tests import discovery
from tests.discovery import found_games

FOLDER = Path(__file__).parent / "playthroughs"
COMMAND = "python -m tests.playthroughs"
PLIES = (40, 14, 14)
"""After how many moves each of the games is left, by its number, which is its seed as well."""
LISTED = 160
"""Characters of legal moves up to which they are listed."""
COSTLY = 150
"""Legal moves of the start from which on games are shorter: each is made to see whether it is legal."""
SHORT = 8
RANDOM_GAMES, RANDOM_PLIES = 5, 30
"""Of the kernel."""


def digest(text: str) -> str:
    """A few characters that tell texts apart."""
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def _choices(game: Game, seed: int, plies: int) -> Iterator[tuple[str, Position]]:
    """Positions of a game of random moves, each with the move that led to it, the start with none."""
    chance, position = random.Random(seed), game.start()
    yield "", position
    for _ in range(plies):
        legal = position.legal()
        if position.over or not legal:
            return
        move = legal[int(chance.random() * len(legal))]
        position = position.play(move)
        yield position.played[-1], position


def _lines(position: Position, text: str, *, valued: bool) -> Iterator[str]:
    yield f"{f'after {text}' if text else 'start'}: {position.game.position_text(position.state)}"
    if position.over:
        return
    moves = position.moves()
    listed = " ".join(moves)
    told = f": {listed}" if len(listed) <= LISTED else f", digest {digest(listed)}"
    yield f"  {len(moves)} legal{told}"
    if valued:
        yield f"  value {position.value()}"


@attrs.frozen
class Recording:
    """What the interpreter said, and the states that it was said of."""

    game: Game
    lines: list[str]
    states: list[State]


def record(game: Game) -> Recording:
    """Play the games by the interpreter."""
    lines, states = [], []
    plies = PLIES if len(game.start().legal()) < COSTLY else (SHORT,) * len(PLIES)
    for seed, most in enumerate(plies):
        lines += ["", f"game {seed}"]
        position = game.start()
        for text, position in _choices(game, seed, most):
            lines += _lines(position, text, valued=game.rules.value is not None)
            states.append(position.state)
        ended = position.outcome or ("no legal move" if not position.legal() else "left")
        lines.append(f"{ended} after {len(position.played)} moves")
    return Recording(game, lines, states)


def of_kernel(recording: Recording, *, native: bool = False) -> list[str]:
    """What the kernel says of the same positions; nothing where the rules are beyond it."""
    game = recording.game
    try:
        kernel = Kernel.of(game, native=native)
    except NotLowered as problem:
        return ["", f"no kernel: {problem}"]
    keys = digest(" ".join(f"{kernel.key(state):x}" for state in recording.states))
    merged = digest(" ".join(f"{kernel.canonical_key(state):x}" for state in recording.states))
    plies, results = kernel.play_outs(RANDOM_GAMES, 1, limit=RANDOM_PLIES)
    drawn, *won, unfinished = results
    wins = ", ".join(f"{name} {number}" for name, number in zip(game.players, won, strict=True))
    return ["", f"kernel: keys {keys}, of least images {merged}",
            f"{RANDOM_GAMES} random games from seed 1 of at most {RANDOM_PLIES} moves: {plies} moves, {wins}, "
            f"drawn {drawn}, unfinished {unfinished}"]


def head(name: str) -> list[str]:
    """The first lines of a file."""
    return [f"# Recorded games of {name}; written by: {COMMAND} {name}", "# See tests/playthroughs.py."]


def text_of(name: str) -> str:
    """The whole file of a game."""
    found = record(dslgame.load(discovery.FOLDER / f"{name}.game"))
    return "\n".join([*head(name), *found.lines, *of_kernel(found)]) + "\n"


def main(names: list[str]) -> None:
    """Write the files of some games, or of all; files of games that are no more are removed."""
    every = [path.stem for path in found_games()]
    FOLDER.mkdir(exist_ok=True)
    for name in names or every:
        path, text = FOLDER / f"{name}.txt", text_of(name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.name}: written")
    for path in FOLDER.glob("*.txt"):
        if path.stem not in every:
            path.unlink()
            print(f"{path.name}: removed")


if __name__ == "__main__":
    main(sys.argv[1:])
