"""Discovery of the games in `games/` and of their second implementations, for the tests of every game.

There is no list of them anywhere: a new file is tested because it exists. A game's second implementations have its
file's name: `tests/reference/NAME.py` with a class `Reference`, written from the rule text, and where OpenSpiel has the
game `tests/openspiel/NAME.py` with a class `OpenSpiel`. Both have a list `CASES` of param sets for random games. The
latter may have `PARAMS`, the params at which the two play by the same rules, and `OWN_PROCESS = True` where OpenSpiel
keeps state between games that differ in params.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from _pytest.mark import ParameterSet

import dslgame
from dsl.syntax.source import Source
from dslgame import perft_files
from interpreter.game import Game
from tests.reference.rules import Rules

FOLDER = Path(__file__).parent.parent / "games"
ORACLES = {"reference": "Reference", "openspiel": "OpenSpiel"}
"""The folders of tests/ with second implementations, and the name of the class in each of their modules."""


_FEW = 50
"""The number of games up to which `step` is used as given; for twice as many games it is doubled, and so on."""


@attrs.frozen
class GameCase:
    """A game file with values of its params."""

    path: Path
    params: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return " ".join([self.path.stem, *(f"{name}={value}" for name, value in self.params)])

    @property
    def source(self) -> Source:
        """The file's text under its name."""
        return Source(self.path.name, self.path.read_text(encoding="utf-8"))

    def load(self) -> Game:
        """Load the game anew."""
        return dslgame.load(self.path, **dict(self.params))

    @property
    def perft_path(self) -> Path:
        """The path of the game's perft file, which may not exist."""
        return self.path.with_suffix(".perft")


def found_games() -> list[Path]:
    """Every game file of the project."""
    return sorted(FOLDER.glob("*.game"))


def found_cases() -> list[GameCase]:
    """Every game file with its default params, and with those of its perft file."""
    cases: dict[GameCase, None] = {}
    for path in found_games():
        case = GameCase(path)
        cases[case] = None
        cases.update({GameCase(path, item.params): None for item in counts_of(path)})
    return list(cases)


def every_case(step: int = 1, which: int = 0, *, rest: int = 1) -> list[ParameterSet]:
    """`found_cases` as a test's parameters: cases with other params than the defaults are slow tests.

    With a `step`, so are all cases but those of one file in `step`, from number `which` on. With a `rest`, only one in
    `rest` of the slow tests stays slow, and the others are thorough ones.
    """
    step = _step(step, len(found_games())) if step > 1 else 1
    quick = {path.stem for number, path in enumerate(found_games()) if number % step == which}
    found = []
    others = count()
    for case in found_cases():
        slow = bool(case.params) or case.path.stem not in quick
        mark = pytest.mark.slow if slow and next(others) % rest == 0 else pytest.mark.thorough
        found.append(pytest.param(case, id=str(case), marks=mark if slow else ()))
    return found


def few_of(items: Sequence[tuple[object, ...]], step: int = 2) -> list[ParameterSet]:
    """Parameters of an expensive test: one in `step` is a slow test, the others are thorough."""
    return [pytest.param(*item, marks=pytest.mark.thorough if number % step else pytest.mark.slow)
            for number, item in enumerate(items)]


def one_in(step: int, items: Iterable[Path | str], which: int, *, rest: int = 1) -> list[ParameterSet]:
    """Files or names as a test's parameters: one in `step`, from number `which` on, runs always, the others are slow.

    For properties that several tests check in different ways: with different values of `which` each game is in some of
    them. With a `rest`, only one in `rest` of the others is a slow test, and the remaining ones are thorough.
    """
    return _parts(step, items, which, (), rest, pytest.mark.slow)


def one_in_slow(step: int, items: Iterable[Path | str], which: int) -> list[ParameterSet]:
    """The same for tests that compile a kernel for each: one in `step` is a slow test, the others are thorough ones."""
    return _parts(step, items, which, (pytest.mark.slow,), 1, pytest.mark.thorough)


def first_of_each(cases: Iterable[tuple[object, dict[str, int]]]) -> list[ParameterSet]:
    """Games and params as a test's parameters: each game's first params always, the others in the slow tests."""
    seen: list[object] = []
    found = []
    for game, params in cases:
        found.append(pytest.param(game, params, marks=pytest.mark.slow if game in seen else ()))
        seen.append(game)
    return found


def _parts(step: int, items: Iterable[Path | str], which: int, chosen: tuple[pytest.MarkDecorator, ...], rest: int,
           other: pytest.MarkDecorator) -> list[ParameterSet]:
    items = list(items)
    step = _step(step, len(items))
    return [pytest.param(item, id=item.stem if isinstance(item, Path) else item,
                         marks=chosen if number % step == which else
                         other if (number + which) % rest == 0 else pytest.mark.thorough)
            for number, item in enumerate(items)]


def _step(step: int, count: int) -> int:
    """`step` times the number of items divided by `_FEW`, rounded up, so that new games do not make tests longer."""
    return step * -(-count // _FEW)


@cache
def counts_of(path: Path) -> tuple[perft_files.Expected, ...]:
    """The counts of the perft file beside a game, or none if there is no such file."""
    perft_path = GameCase(path).perft_path
    return perft_files.read(perft_path) if perft_path.exists() else ()


def found_counts(*, far: bool = False) -> list[tuple[GameCase, perft_files.Expected]]:
    """Every count in the perft file of a game; with `far` also those beyond the interpreter's reach."""
    return [(GameCase(path, item.params), item) for path in found_games() for item in counts_of(path)
            if far or not item.far]


# ---- second implementations


@attrs.frozen
class Oracle:
    """A second implementation of a game."""

    folder: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} by {self.folder}"

    @property
    def module(self) -> ModuleType:
        """The module of the implementation."""
        return import_module(f"tests.{self.folder}.{self.name}")

    @property
    def cases(self) -> list[dict[str, int]]:
        """The params to play with."""
        common: dict[str, int] = getattr(self.module, "PARAMS", {})
        return [{**common, **case} for case in self.module.CASES]

    @property
    def own_process(self) -> bool:
        """Whether each case must be played in a process of its own."""
        return bool(getattr(self.module, "OWN_PROCESS", False))

    def rules(self, **params: int) -> Rules[Any]:
        """The implementation with some params."""
        made: Rules[Any] = getattr(self.module, ORACLES[self.folder])(**params)
        return made


@attrs.frozen
class OracleCase:
    """A second implementation with values of the game's params."""

    oracle: Oracle
    params: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return " ".join([self.oracle.name, *(f"{name}={value}" for name, value in self.params)])

    @classmethod
    def read(cls, text: str) -> OracleCase:
        """The inverse of `text`."""
        folder, name, params = json.loads(text)
        return cls(Oracle(folder, name), tuple(params.items()))

    @property
    def text(self) -> str:
        """The case as one line, to be passed to another process."""
        return json.dumps([self.oracle.folder, self.oracle.name, dict(self.params)])

    def rules(self) -> Rules[Any]:
        """The second implementation."""
        return self.oracle.rules(**dict(self.params))

    def game(self) -> Game:
        """The game, from its file."""
        return GameCase(FOLDER / f"{self.oracle.name}.game", self.params).load()


def found_oracles(folder: str) -> list[Oracle]:
    """The second implementations in a folder that have the name of a game."""
    return [Oracle(folder, path.stem) for path in found_games()
            if (Path(__file__).parent / folder / f"{path.stem}.py").exists()]


def found_oracle_cases(folder: str) -> list[OracleCase]:
    """Each of them with each of its cases."""
    return [OracleCase(oracle, tuple(case.items())) for oracle in found_oracles(folder) for case in oracle.cases]
