"""Options and functions that the commands share: loading a game, setting its params, and playing given moves.

Depends on click, but on no command, nor on how results are printed (`output`). Functions that fail raise exceptions
that `app` turns into a message and an exit code.
"""

from __future__ import annotations

import math
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from dslgame import bundled, exit_codes

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic
    from dsl.syntax.source import Source
    from interpreter.game import Game, Position
    from interpreter.hooks import Hooks

_Command = TypeVar("_Command", bound=Callable[..., object])
_ASSIGNMENT = re.compile(r"\s*([A-Za-z_][A-Za-z_0-9]*)\s*=\s*(-?[0-9]{1,9})\s*")
_PARAM_CODES = ("G501", "G502")
"""Codes of diagnostics about the value of a param on the command line, not about the file."""
STDIN = "-"
COMMANDLINE = ParameterSource.COMMANDLINE

CODES = "\n".join(["Exit codes:", *(f"  {code:<5}{meaning}" for code, meaning in exit_codes.MEANINGS.items())])


class Words(click.Choice[str]):
    """A choice among words, which suggests the closest word for a wrong one."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """The message for a wrong word."""
        from dsl.diagnostics import closest

        said = super().get_invalid_choice_message(value, ctx)
        text = str(value).lower()
        begun = [word for word in self.choices if text and word.startswith(text)]
        meant = begun[0] if len(begun) == 1 else closest(text, self.choices)
        return f"{said} Did you mean '{meant}'?" if meant else said


class Reals(click.FloatRange):
    """A number within a range; NaN is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. Fails for texts that are none, numbers outside of the range, and NaN."""
        result = float(super().convert(value, param, ctx))
        if math.isnan(result):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return result


class Session:
    """The state of the running command, for the message when it fails or is interrupted."""

    def __init__(self) -> None:
        self.doing = ""
        """What the command is doing, as in "interrupted while solving Hex"."""
        self.source: Source | None = None
        """The current source, to name the place where a rule fails."""
        self.force = False
        """Whether existing files may be overwritten."""


def session() -> Session:
    """The session of the running command; a new one outside of a command."""
    context = click.get_current_context(silent=True)
    return Session() if context is None else context.ensure_object(Session)


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Set what the session is doing within the block, as in "solving Hex"; it stays set when the block fails."""
    here = session()
    before, here.doing = here.doing, what
    yield
    here.doing = before


# ---- help texts


def examples(*lines: str, further: str = "", codes: bool = False) -> str:
    """Make the epilog of a help text: example commands, further text unwrapped, and optionally the exit codes."""
    parts = ["Examples:\n" + "\n".join("  " + line for line in lines), further, CODES if codes else ""]
    return "\n\n".join("\b\n" + part for part in parts if part)


# ---- options that several commands have


def _complete_game(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete bundled games and `.game` files in the working directory; any file where none of them fits."""
    result = [name for name in bundled.names() if name.startswith(incomplete)]
    result += [str(path) for path in sorted(Path().glob("*.game")) if str(path).startswith(incomplete)]
    return [CompletionItem(name) for name in result] or [CompletionItem(incomplete, type="file")]


def _complete_param(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the params of the FILE on the command line, each with its default."""
    given = [context.params.get("file"), *context.args]  # click stops parsing at the incomplete -p
    file = next((word for word in given if isinstance(word, str) and not word.startswith("-")), None)
    if file is None:
        return []
    game = Loader(file).examine({})[0]
    defaults = {} if game is None else game.params
    return [CompletionItem(text) for text in (f"{name}={value}" for name, value in defaults.items())
            if text.startswith(incomplete)]


def _parse_params(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, int]:
    params: dict[str, int] = {}
    for text in given:
        match = _ASSIGNMENT.fullmatch(text)
        if match is None:
            name, equals, value = text.partition("=")
            if not equals:
                raise click.BadParameter(f"found '{text}', expected NAME=VALUE such as size=4")
            if not re.fullmatch(r"\s*[A-Za-z_][A-Za-z_0-9]*\s*", name):
                raise click.BadParameter(f"found '{text}', expected the name of a param before '='")
            if re.fullmatch(r"\s*-?[0-9]+\s*", value):
                raise click.BadParameter(f"the value of '{name.strip()}' is too large: {value.strip()[:20]}...")
            raise click.BadParameter(f"found '{value}' for '{name.strip()}', expected an integer")
        if match[1] in params:
            raise click.BadParameter(f"'{match[1]}' is given twice")
        params[match[1]] = int(match[2])
    return params


def method_option(command: _Command) -> _Command:
    """--method: one of the methods of `solver.methods`."""
    from solver import methods

    words = "; ".join(f"{name} {method.summary}" for name, method in methods.methods().items())
    return click.option(
        "--method", type=Words(methods.names()), default=methods.AUTO,
        help=f"The solving method. {methods.AUTO} picks the one with the least expected cost; {words}.")(command)


def file_argument(command: _Command) -> _Command:
    """FILE: a path, a bundled game, or - for the standard input."""
    return click.argument("file", metavar="FILE", shell_complete=_complete_game)(command)


def optional_file_argument(command: _Command) -> _Command:
    """FILE, optional."""
    return click.argument("file", metavar="[FILE]", required=False, shell_complete=_complete_game)(command)


def files_argument(command: _Command) -> _Command:
    """One FILE or more."""
    return click.argument("files", metavar="FILE...", nargs=-1, required=True, shell_complete=_complete_game)(command)


def param_option(command: _Command) -> _Command:
    """-p NAME=VALUE, repeatable."""
    return click.option(
        "-p", "--param", "params", metavar="NAME=VALUE", multiple=True, callback=_parse_params,
        shell_complete=_complete_param, help="Set a param of the game, as in -p size=4. Repeatable.",
    )(command)


def moves_option(command: _Command) -> _Command:
    """--moves "m1 m2"."""
    return click.option(
        "-m", "--moves", metavar="MOVES", default="",
        help="Play these moves first, separated by spaces or ';'.",
    )(command)


def position_option(command: _Command) -> _Command:
    """--position TEXT."""
    return click.option(
        "--position", metavar="TEXT", default=None,
        help="Start from this position instead of the game's own, in the form that `show --json` prints.",
    )(command)


def hooks_options(command: _Command) -> _Command:
    """--hooks FILE.py and --no-hooks."""
    command = click.option("--no-hooks", is_flag=True, help="Do not use the hooks that come with the game.")(command)
    return click.option("--hooks", "hooks_file", metavar="FILE.py", type=click.Path(),
                        help="Run this Python file and use its functions in place of rules.")(command)


def force_option(command: _Command) -> _Command:
    """--force, for the commands that write files; `writing.refuse_existing` checks it."""
    def keep(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        session().force = value

    return click.option("--force", is_flag=True, is_eager=True, expose_value=False, callback=keep,
                        help="Overwrite existing files.")(command)


def allow_host_option(command: _Command) -> _Command:
    """--allow-host NAME, repeatable, for the commands that serve HTTP."""
    return click.option("--allow-host", "allowed", metavar="NAME[:PORT]", multiple=True,
                        help="Also answer requests for this host, for example behind a proxy with its own name. "
                             "Repeatable.")(command)


def json_option(command: _Command) -> _Command:
    """--json."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")(command)


def colour_option(command: _Command) -> _Command:
    """--color/--no-color."""
    return click.option(
        "--color/--no-color", "colour", default=None,
        help="Colour the pieces. By default only on a terminal, and never if NO_COLOR is set.",
    )(command)


def refuse_given(names: Collection[str], why: str) -> None:
    """Raise UsageError where one of some parameters was given on the command line; `why` follows the option's name."""
    context = click.get_current_context()
    for parameter in context.command.params:
        given = parameter.name is not None and context.get_parameter_source(parameter.name) is COMMANDLINE
        if given and parameter.name in names:
            raise click.UsageError(f"{parameter.opts[-1]} {why}: leave it out")


# ---- loading


class Loader:
    """Reads the game of a FILE argument."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.source, self.unreadable = _read(file)
        session().source = self.source

    def examine(self, params: Mapping[str, int]) -> tuple[Game | None, list[Diagnostic]]:
        """Return the game, or None where it has errors, and all diagnostics. Raises BadParameter for wrong params.

        Errors of the file itself take precedence: they may be the reason why a param is unknown.
        """
        from interpreter.game import examine

        if self.unreadable:
            return None, list(self.unreadable)
        with doing(f"reading {self.source.name}"):
            game, result = examine(self.source, params)
        errors = [item for item in result if item.severity == "error"]
        wrong = [item for item in errors if item.code in _PARAM_CODES]
        if wrong and len(wrong) == len(errors):
            _refuse(wrong[0])
        return game, result

    def game(self, params: Mapping[str, int]) -> Game:
        """Return the game. Raises GameFileError where the file has errors."""
        from dsl.diagnostics import GameFileError

        game, result = self.examine(params)
        if game is None:
            raise GameFileError(self.source, [item for item in result if item.severity == "error"])
        return game


def _refuse(problem: Diagnostic) -> NoReturn:
    """Raise BadParameter for -p."""
    text = problem.phrase + (f"; {problem.help}" if problem.help and problem.code == "G501" else "")
    context = click.get_current_context(silent=True)
    raise click.BadParameter(text, ctx=context, param_hint="'-p' / '--param'")


def _read(file: str) -> tuple[Source, list[Diagnostic]]:
    """Read the source of a FILE argument; for one that cannot be read, an empty source and the error."""
    from dsl.diagnostics import error
    from dsl.syntax.source import MAX_BYTES, Source, Span, Unreadable, read

    if file == STDIN:
        return _decoded(read_stdin(MAX_BYTES + 1))
    result = read(bundled.find(file))
    if isinstance(result, Source):
        return result, []
    hint = bundled.unknown(file) if result.code == "G001" else ""
    assert isinstance(result, Unreadable)
    return Source(file, ""), [error(result.code, result.phrase, Span.at(result.line, 1), help=hint)]


def lines_of_file(file: str) -> list[str]:
    """The lines of a text file. Raises OSError, and ClickException where it is not UTF-8."""
    try:
        return Path(file).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise click.ClickException(f"{file} is no text in UTF-8") from None


def read_stdin(most: int = -1) -> bytes:
    """Read the standard input, up to a number of bytes."""
    if sys.stdin is None:
        raise click.UsageError("the standard input is closed, expected the text of a game")
    return sys.stdin.buffer.read(most)


def _decoded(data: bytes) -> tuple[Source, list[Diagnostic]]:
    from dsl.diagnostics import error
    from dsl.syntax.source import MAX_BYTES, Source, Span, normalise

    name = "<stdin>"
    if len(data) > MAX_BYTES:
        phrase = f"the text is larger than {MAX_BYTES // 1024} KiB, the most a rule file may have"
        return Source(name, ""), [error("G005", phrase, Span.at(1, 1))]
    try:
        return Source(name, normalise(data.decode("utf-8-sig"))), []
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        phrase = f"the text is not UTF-8: byte 0x{data[problem.start]:02x} on line {line}"
        return Source(name, ""), [error("G004", phrase, Span.at(line, 1))]


def load(file: str, params: Mapping[str, int]) -> Game:
    """Load the game of a FILE argument. Raises GameFileError, also where there is no such file."""
    return Loader(file).game(params)


def load_hooks(file: str, hooks_file: str | None, no_hooks: bool) -> Hooks | None:
    """Load the hooks of a command: those of --hooks, or those that come with a bundled game.

    Raises HookError where a hook file is wrong.
    """
    from interpreter import hooks

    if hooks_file is not None and no_hooks:
        raise click.UsageError("--hooks and --no-hooks exclude each other: give one of them")
    if hooks_file is not None:
        return hooks.load(hooks_file)
    result = None if no_hooks or file == STDIN else bundled.hooks_file(bundled.find(file))
    return None if result is None else hooks.load(result)


def title(game: Game) -> str:
    """A game's title with its params: `Nex (rows=3, columns=3)`."""
    params = ", ".join(f"{name}={value}" for name, value in game.params.items())
    return f"{game.title} ({params})" if params else game.title


# ---- moves


def split_moves(text: str) -> list[str]:
    """Split the value of --moves at white space and ';', which no notation may contain."""
    return text.replace(";", " ").split()


def play_moves(game: Game, text: str, start: str | None = None) -> Position:
    """Play moves from the start, or from a position given as text.

    Raises IllegalMove, with the number of the move and the board before it, and ClickException for an impossible
    position.
    """
    from interpreter.errors import IllegalMove, ImpossiblePosition

    try:
        position = game.start() if start is None else game.read_position(start)
    except ImpossiblePosition as problem:
        raise click.ClickException(str(problem)) from None
    moves = split_moves(text)
    for number, move in enumerate(moves, start=1):
        try:
            position = position.play(move)
        except IllegalMove as problem:
            board = problem.position or position.drawing()
            place = f"move {number} of {len(moves)}" if len(moves) > 1 else "the position"
            turn = "" if position.over else f"{position.to_move} to move, "
            reason = f"{problem.reason}\n{turn}before {place}:\n{textwrap.indent(board, '  ')}"
            raise IllegalMove(problem.text or move, reason, board, problem.legal) from None
    return position
