"""Loads players written in Python: functions or classes in a file that are marked by a decorator.

`@player` marks a function from a position to a move, or a class with a method `choose`. `@algo_player` marks a function
`f(board, game_id, player_id)` from a board as a plain dict to a cell's name, as players for web interfaces are written.
Files that import `algo_player` from a module that is not installed get the one of this module.
"""

from __future__ import annotations

import ast
import inspect
import sys
import traceback
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from dslgame.programs.failures import sayable, told

if TYPE_CHECKING:
    from interpreter.game import Game, Position

_Target = TypeVar("_Target", bound=Callable[..., Any])


class Crashed(Exception):
    """A player's own code failed; the message says how, and on which line."""


class BadPlayer(Exception):
    """A file has no usable player; the message says why."""


@attrs.define
class Plugin:
    """A player in a file."""

    name: str
    description: str
    target: Callable[..., Any]
    """The function, or the class."""
    on_boards: bool = False
    """Whether it is called with a board as a plain dict."""
    on_start_game: Callable[..., Any] | None = None
    on_game_over: Callable[..., Any] | None = None
    file: str = ""


_found: list[Plugin] = []


def player(target: Any = None, *, name: str = "", description: str = "") -> Any:
    """Mark a function `f(position)` that returns a legal move, or a class: `Class(game)` with `choose(position)`.

    The move is a text or one of `position.legal()`. A second parameter gets the seconds that the move may take, None
    without a limit. Use as `@player` or `@player(name="...")`.
    """
    def mark(result: _Target) -> _Target:
        _found.append(Plugin(name or result.__name__, description or _first_line(result.__doc__), result))
        return result

    return mark if target is None else mark(target)


def algo_player(name: str, description: str = "") -> Callable[[_Target], _Target]:
    """Mark a function `f(board, game_id, player_id)` that returns the name of a cell.

    The board is `{cell: {"counters": number or None, "player": 0, 1 or None, "neighbours": [cells]}}`. The function
    gets two decorators, `on_start_game` for `f(game_id, player_id, boardsize, opponent_id)` and `on_game_over` for
    `f(board, game_id, player_id, winner_id)`.
    """
    def mark(target: _Target) -> _Target:
        plugin = Plugin(name, description or _first_line(target.__doc__), target, on_boards=True)
        _found.append(plugin)

        def on_start_game(handler: _Target) -> _Target:
            plugin.on_start_game = handler
            return handler

        def on_game_over(handler: _Target) -> _Target:
            plugin.on_game_over = handler
            return handler

        target.on_start_game = on_start_game  # type: ignore[attr-defined]  # functions take attributes
        target.on_game_over = on_game_over  # type: ignore[attr-defined]
        return target

    return mark


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]


def load(path: Path) -> list[Plugin]:
    """Run a Python file; the players in it. Raises BadPlayer."""
    try:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source, str(path))
    except OSError as problem:
        raise BadPlayer(f"{path}: {problem.strerror or problem}") from None
    except (SyntaxError, ValueError) as problem:
        raise BadPlayer(f"{path}: no Python: {problem}") from None
    _found.clear()
    module = ModuleType(f"player_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    if str(path.resolve().parent) not in sys.path:
        sys.path.append(str(path.resolve().parent))
    borrowed = _missing_modules(tree)
    for name in borrowed:
        stand_in = ModuleType(name)
        stand_in.algo_player = algo_player  # type: ignore[attr-defined]  # a module takes any
        sys.modules[name] = stand_in
    try:
        exec(compile(tree, str(path), "exec"), module.__dict__)
    except Exception as problem:
        raise BadPlayer(_blamed(problem, str(path))) from None
    finally:
        for name in borrowed:
            sys.modules.pop(name, None)
    if not _found:
        raise BadPlayer(f"{path}: no player in it: expected a function or a class under @player or @algo_player, which "
                        "`from dslgame.programs import player, algo_player` brings")
    for plugin in _found:
        plugin.file = str(path)
    return list(_found)


def _blamed(problem: Exception, file: str) -> str:
    """Describe an exception in a sentence, with the innermost line of a file in its traceback."""
    line = next((frame.lineno for frame in reversed(traceback.extract_tb(problem.__traceback__))
                 if frame.filename == file), None)
    return f"{file}{f', line {line}' if line else ''}: {told(problem)}"


def _missing_modules(tree: ast.Module) -> list[str]:
    """The missing modules that a file imports `algo_player` from, or whose attribute `algo_player` it uses."""
    wanted: dict[str, None] = {}
    used = {node.value.id for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr == "algo_player" and isinstance(node.value, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level \
                and [alias.name for alias in node.names] == ["algo_player"]:
            wanted[node.module] = None
        elif isinstance(node, ast.Import):
            wanted |= {alias.name: None for alias in node.names if (alias.asname or alias.name) in used}
    return [name for name in wanted if "." not in name and _is_missing(name)]


def _is_missing(module: str) -> bool:
    try:
        return find_spec(module) is None
    except (ImportError, ValueError):
        return True


def one_of(plugins: list[Plugin], name: str | None, path: Path) -> Plugin:
    """The player with a name, or the only one where `name` is None. Raises BadPlayer."""
    names = ", ".join(f"'{plugin.name}'" for plugin in plugins)
    if name is not None:
        for plugin in plugins:
            if name in (plugin.name, plugin.target.__name__):
                return plugin
        raise BadPlayer(f"{path} has no player '{name}'; it has {names}")
    if len(plugins) > 1:
        raise BadPlayer(f"{path} has several players, {names}: name one, as in {path}:{plugins[0].target.__name__}")
    return plugins[0]


class PluginPlayer:
    """Plays a game by a player in a file. Exceptions of the player's own code are raised as Crashed."""

    def __init__(self, plugin: Plugin, game: Game) -> None:
        """Raises BadPlayer or Unplain where the player cannot play the game."""
        from dslgame.programs.boards import check_plain

        self.plugin = plugin
        self._chooser = None
        self._choose: Callable[..., Any] = plugin.target
        if plugin.on_boards:
            check_plain(game)
        elif isinstance(plugin.target, type):
            self._chooser = self._ran(plugin.target, game)
            if not callable(getattr(self._chooser, "choose", None)):
                raise BadPlayer(f"the class {plugin.target.__name__} has no method choose(position)")
            self._choose = self._chooser.choose
        self._knows_time = not plugin.on_boards and _takes_two(self._choose)

    def _ran(self, what: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the player; its result. Raises Crashed."""
        try:
            return what(*arguments)
        except Exception as problem:
            raise Crashed(_blamed(problem, self.plugin.file)) from None

    def begin(self, game_id: str, side: int, size: object, opponent: object = "") -> None:
        """Tell the player that a game begins, if it has a handler for that."""
        if self.plugin.on_start_game is not None:
            self._ran(self.plugin.on_start_game, game_id, side, size, opponent)
        if self._chooser is not None and callable(getattr(self._chooser, "begin", None)):
            self._ran(self._chooser.begin, side)

    def move(self, position: Position, game_id: str = "", seconds: float | None = None) -> str:
        """Ask the player for a move as text, which may be illegal."""
        from dslgame.programs.boards import plain_board

        if self.plugin.on_boards:
            return self.move_on(plain_board(position), game_id, position.state.to_move)
        chosen = self._ran(self._choose, position, *([seconds] if self._knows_time else []))
        if isinstance(chosen, str):
            return sayable(chosen)
        if hasattr(chosen, "text"):
            return sayable(str(chosen.text))
        if chosen in position.legal():
            return position.game.notation.write(position.state, chosen)
        return repr(chosen)

    def move_on(self, board: object, game_id: object, side: object) -> str:
        """Ask a player that is called with a board for a move as text, which may be illegal."""
        return sayable(str(self._ran(self._choose, board, game_id, side)))

    def end(self, position: Position, game_id: str, side: int, winner: int | None) -> None:
        """Tell the player how a game ended, if it has a handler for that."""
        from dslgame.programs.boards import plain_board

        if self.plugin.on_game_over is not None:
            self.end_on(plain_board(position), game_id, side, winner)

    def end_on(self, board: object, game_id: object, side: object, winner: object) -> None:
        """Tell the player that is called with a board how a game ended, if it has a handler for that."""
        if self.plugin.on_game_over is not None:
            self._ran(self.plugin.on_game_over, board, game_id, side, winner)


def _takes_two(choose: Callable[..., Any]) -> bool:
    """Whether a function takes a second positional argument, the time."""
    try:
        return len([item for item in inspect.signature(choose).parameters.values()
                    if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)]) > 1
    except (TypeError, ValueError):
        return False
