"""Recorded games: what the interpreter and the kernel report in a few random games of every bundled game.

`python -m tests.playthroughs` rewrites `tests/playthroughs/NAME.txt` for all games, or for the named ones. A test
replays the games and compares, so that any change of positions, of legal moves and their order, of notation, of
winners and of the `value` shows as a difference of text. If the change is intended, the files are rewritten and the
difference is part of the commit.

A line of a recording has one fact: the position `after` a move, its `legal` moves (or, if there are many, their number
and a digest of them all), its `value` if the file declares one, and at the end the outcome. The last lines are the
kernel's: a digest of the keys of all positions, with and without merging symmetric ones, and random games.
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
"""The number of moves after which each game stops, by the game's number, which is also its seed."""
LISTED = 160
"""The most characters of legal moves that are listed in full."""
COSTLY = 150
"""The number of legal moves at the start from which games are shorter: each is made to check whether it is legal."""
SHORT = 8
RANDOM_GAMES, RANDOM_PLIES = 5, 30
"""The kernel's random games and their plies."""


def digest(text: str) -> str:
    """A short hash of a text."""
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def _choices(game: Game, seed: int, plies: int) -> Iterator[tuple[str, Position]]:
    """The positions of a random game, each with the move that led to it; the start has none."""
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
    """The lines of the interpreter, and the states that they describe."""

    game: Game
    lines: list[str]
    states: list[State]


def record(game: Game) -> Recording:
    """Play the games with the interpreter."""
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
    """The kernel's lines on the same positions; if the rules cannot be lowered, the reason."""
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
    """The complete recording of a game."""
    found = record(dslgame.load(discovery.FOLDER / f"{name}.game"))
    return "\n".join([*head(name), *found.lines, *of_kernel(found)]) + "\n"


def main(names: list[str]) -> None:
    """Write the recordings of some or all games, and remove those of games that no longer exist."""
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
