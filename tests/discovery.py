"""The games that are found in `games/`, for the tests that hold for every game.

There is no list of them anywhere: a new file is tested by being there.
"""

from __future__ import annotations

from pathlib import Path

import attrs

import dslgame
from dsl.source import Source
from dslgame import perft_files
from interpreter.game import Game

FOLDER = Path(__file__).parent.parent / "games"


@attrs.frozen
class GameCase:
    """A game file at some values of its params."""

    path: Path
    params: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return " ".join([self.path.stem, *(f"{name}={value}" for name, value in self.params)])

    @property
    def source(self) -> Source:
        """The file's text under its name."""
        return Source(self.path.name, self.path.read_text(encoding="utf-8"))

    def load(self) -> Game:
        """The game, checked and built anew."""
        return dslgame.load(self.path, **dict(self.params))

    @property
    def perft_path(self) -> Path:
        """Where the game's perft file is, if it has one."""
        return self.path.with_suffix(".perft")


def found_games() -> list[Path]:
    """Every game file of the project."""
    return sorted(FOLDER.glob("*.game"))


def found_cases() -> list[GameCase]:
    """Every game file at its own params, and at those its perft file counts with."""
    cases: dict[GameCase, None] = {}
    for path in found_games():
        case = GameCase(path)
        cases[case] = None
        if case.perft_path.exists():
            cases.update({GameCase(path, item.params): None for item in perft_files.read(case.perft_path)})
    return list(cases)


def found_counts() -> list[tuple[GameCase, perft_files.Expected]]:
    """Every count that a perft file beside a game asks for."""
    return [
        (GameCase(path, item.params), item)
        for path in found_games()
        if GameCase(path).perft_path.exists()
        for item in perft_files.read(GameCase(path).perft_path)
    ]
