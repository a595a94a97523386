"""The names and paths of the games that come with the package, and of the files that belong to a game.

A bundled game is a `.game` file in the `games` folder beside the packages, both in a checkout and when installed. A
file of the same name takes precedence over it. Used by `dslgame.load` and by the command.
"""

from __future__ import annotations

import importlib.util
import os
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from interpreter.remembered import remembered

if TYPE_CHECKING:
    from dsl.syntax.heading import Heading
    from dsl.syntax.source import Source
    from interpreter.game import Game
    from interpreter.hooks import Hooks
    from solver.information.strategies import Strategies
    from solver.learning.trained import Trained
    from solver.players.choice import Player
    from solver.players.levels import Level

FOLDER = Path(__file__).resolve().parent.parent / "games"
SUFFIX = ".game"
PATTERNS = FOLDER.parent / "patterns"
PATTERN_SUFFIX = ".pattern"
TRAINED_SUFFIX = ".trained"
STRATEGY_SUFFIX = ".strategy"


def names() -> list[str]:
    """The bundled games' names, sorted: `hex`, `nex`, ..."""
    return sorted(path.stem for path in FOLDER.glob("*" + SUFFIX))


OTHER = "Other games"
"""The heading in lists for games whose files name no genre."""


def headings() -> dict[str, Heading]:
    """The heading of each bundled game's file, by name; it is read without parsing the file where its lines are plain.
    """
    return {name: heading_of(path_of(name)) for name in names()}


def heading_of(path: Path) -> Heading:
    """The heading of a game file, read from its lines alone; by loading the game where these are not plain.

    Raises OSError where the file cannot be read, GameFileError where it has errors.
    """
    from dsl.syntax.heading import Heading, credits, heading
    from dsl.syntax.source import Source, read

    source = read(path)
    if not isinstance(source, Source):
        raise OSError(source.phrase)
    result = heading(source.text)
    if result is None:
        from interpreter.game import Game

        game = Game.of(source)
        result = Heading(game.title, dict(game.params), tuple(game.players), game.genre, credits(source.text))
    return result


def by_genre() -> dict[str, list[str]]:
    """The bundled games' names by genre, both in alphabetical order, those without one at the end."""
    result: dict[str, list[str]] = {}
    for name, game in headings().items():
        result.setdefault(game.genre or OTHER, []).append(name)
    return dict(sorted(result.items(), key=lambda item: (item[0] == OTHER, item[0])))


def path_of(name: str) -> Path:
    """The file of a bundled game by its name, one of `names()`."""
    return FOLDER / (name + SUFFIX)


def named(text: str) -> Path | None:
    """The file of a bundled game, or None. `nex`, `Nex`, `nex.game` and `games/nex.game` are the same, as are - and _.
    """
    wanted = text.lower().removesuffix(SUFFIX).removeprefix("games/").removeprefix("games\\")
    wanted = wanted.replace("-", "_").replace(" ", "_").replace("'", "")
    return path_of(wanted) if wanted in names() else None


def find(text: str | Path) -> Path:
    """Resolve a FILE argument: an existing file, otherwise a bundled game, otherwise the path, which may not exist."""
    path = Path(text)
    try:
        if path.exists() and not path.is_dir():
            return path
    except (OSError, ValueError):  # such as a name that is too long: reading it will report that
        return path
    result = named(str(text))
    return path if result is None else shortest(result)


def shortest(path: Path) -> Path:
    """The path relative to the working directory, if it is below it; otherwise the path as it is."""
    try:
        return path.relative_to(Path.cwd())
    except (OSError, ValueError):
        return path


def hooks_file(path: Path) -> Path | None:
    """The hook file that comes with a bundled game, if it has one; None for any other game file."""
    return beside(str(path.resolve()), ".py") if is_bundled(path) else None


def is_bundled(path: Path) -> bool:
    """Whether a path is the file of a bundled game."""
    try:
        resolved = path.resolve()
    except (OSError, ValueError):  # not a valid path on this system
        return False
    return resolved.parent == FOLDER and resolved.suffix == SUFFIX


def beside(name: str, suffix: str) -> Path | None:
    """The file beside a game's file with another suffix, if both exist. `name` may be any text."""
    if not os.path.isfile(name):
        return None
    path = Path(name).with_suffix(suffix)
    return path if os.path.isfile(path) else None


@cache
def module_at(path: Path) -> ModuleType:
    """The Python module in a file beside the bundled games, which no package imports by name."""
    spec = importlib.util.spec_from_file_location(f"dslgame_{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pattern_file(text: str) -> Path | None:
    """The file of bundled patterns, by its name or by the title of their game; None if there is none.

    A title is untrusted: it is looked up among the names of existing files before it becomes part of a path.
    """
    wanted = text.lower().removesuffix(PATTERN_SUFFIX).removeprefix("patterns/").removeprefix("patterns\\")
    wanted = wanted.replace("-", "_").replace(" ", "_")
    return PATTERNS / (wanted + PATTERN_SUFFIX) if wanted in pattern_names() else None


def pattern_names() -> list[str]:
    """The names of the bundled patterns, sorted."""
    return sorted(path.stem for path in PATTERNS.glob("*" + PATTERN_SUFFIX))


@remembered
def hooks_of(game: Game) -> Hooks | None:
    """Load the hooks that come with a bundled game; None for other games, or without hooks. Raises HookError."""
    return hooks_for(game.rules.source.name)


def hooks_for(path: str) -> Hooks | None:
    """Load the hooks that come with a game by the path of its file, as `hooks_of` does."""
    from interpreter import hooks

    result = hooks_file(Path(path))
    return None if result is None else hooks.load(result)


def patterns_of(game: Game) -> Source | None:
    """The pattern file that comes with a game: the one beside its file, otherwise the bundled one for its title.

    None where there is none, or it cannot be read. A bundled one is left out if it does not fit a game that is not
    bundled, as that game may happen to have the title of a bundled one.
    """
    return patterns_for(game, game.rules.source.name)


def patterns_for(game: Game, path: str | None) -> Source | None:
    """The same as `patterns_of`, for a game whose file has another path, or that has no file (None)."""
    from dsl.syntax.source import Unreadable, read

    own = None if path is None else beside(path, PATTERN_SUFFIX)
    file = own or pattern_file(game.title)
    result = None if file is None else read(shortest(file))
    if result is None or isinstance(result, Unreadable):
        return None
    from interpreter.patterns.matching import examine_patterns

    fits = own is not None or (path is not None and is_bundled(Path(path)))
    if not fits and examine_patterns(result, game)[0] is None:
        return None
    return result


def strategies_beside(game: Game, path: str | None = None) -> Strategies | None:
    """Read the strategies that `dslgame solve --save` wrote beside a game's file; None where there is no such file.

    `path` is the game's file; None for the one that the game was loaded from.

    Raises ValueError where the file has no strategies for this game.
    """
    file = beside(game.rules.source.name if path is None else path, STRATEGY_SUFFIX)
    if file is None:
        return None
    from solver.players.strategies import read_strategies

    return read_strategies(game, str(shortest(file)))


def trained_file(game: Game) -> Path | None:
    """The path of a game's learned value: beside the game's file, or in the user data folder for a bundled game.

    None where the game was not loaded from a file.
    """
    name = game.rules.source.name
    if not os.path.isfile(name):
        return None
    import platformdirs

    path = Path(name)
    own = path.stem + "".join(f"-{key}{value}" for key, value in game.params.items()) + TRAINED_SUFFIX
    if is_bundled(path):
        return platformdirs.user_data_path("dslgame") / "trained" / own
    return path.with_name(own)


def trained_of(game: Game) -> Trained | None:
    """Read the learned value of a game; None where there is none.

    Raises ValueError where it was learned for other rules.
    """
    path = trained_file(game)
    if path is None or not os.path.isfile(path):
        return None
    from solver.learning.trained import Trained

    result = Trained.read(path)
    result.check(game, str(shortest(path)))
    return result


def player(game: Game, level: Level, *, seed: int = 0) -> Player:
    """Return a player of a game at a level, with the hooks, patterns and learned value that come with the game.

    Raises ValueError where the level cannot play the game, GameFileError for mistakes in a pattern file.
    """
    hooks = None if level.kind == "random" else hooks_of(game)
    return level.player(game, seed=seed, hooks=hooks, patterns=patterns_of, trained=trained_of)


def unknown(text: str) -> str:
    """A hint about a name that is neither a file nor a bundled game; '' for none."""
    from dsl.diagnostics import did_you_mean

    if os.path.isfile(text + SUFFIX):
        return f"did you mean '{text + SUFFIX}'?"
    word = os.path.basename(text).removesuffix(SUFFIX).replace("-", "_")
    help_text, _ = did_you_mean(word, names())
    if help_text:
        return help_text
    return f"'dslgame list' tells the {len(names())} bundled games" if os.sep not in text and names() else ""
