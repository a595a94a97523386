"""The program `dslgame`: the list of its commands, and the handling of their failures.

The exit codes are those of `dslgame.exit_codes`.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import NoReturn

import click

import dslgame
from dslgame.cli.common import Session, examples
from dslgame.exit_codes import INTERNAL, INTERRUPTED, NO_READER, UNKNOWN, WRONG

_COLLECTING = 50_000, 20, 20
"""The thresholds of the cyclic garbage collector, raised because there are few reference cycles here: with Python's
default of 700, collecting takes a twentieth of the time of `solve games/nex.game`."""
GROUPS = {
    "Write": {"check": "check", "show": "show", "fmt": "fmt", "explain": "explain", "verify": "verify",
              "list": "listing", "new": "new", "lsp": "lsp"},
    "Play": {"web": "web", "play": "play", "match": "match", "tournament": "match", "replay": "match",
             "train": "train", "patterns": "patterns"},
    "Solve": {"solve": "solve", "certify": "certify", "openings": "openings", "query": "query",
              "endgames": "endgames", "tree": "tree"},
    "Measure": {"complexity": "complexity", "perft": "perft", "bench": "bench"},
    "Compare": {"variants": "variants", "measure": "measure", "diff": "diff"},
    "Exchange": {"export": "export", "convert": "convert", "engine": "engine", "compile": "compiling",
                 "completion": "completion", "man": "man"},
}
"""The commands by purpose, each with its module in `dslgame.cli`. Help and README.md show them in these groups."""


class _Commands(MutableMapping[str, click.Command]):
    """The commands by name, each imported when it is first used, so that a command starts without the others."""

    def __init__(self) -> None:
        self._found: dict[str, click.Command] = {}
        self._modules = {name: module for group in GROUPS.values() for name, module in group.items()}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._found:
            module = import_module(f"dslgame.cli.{self._modules[name]}")
            self._found[name] = next(value for value in vars(module).values()
                                     if isinstance(value, click.Command) and value.name == name)
        return self._found[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._modules.setdefault(name, "")
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._modules[name]
        self._found.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class _Program(click.Group):
    """A group of commands that turns failures into a message and an exit code, never a traceback."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands to the help text, by purpose."""
        room = formatter.width - 6 - max(map(len, self.commands))
        grouped = {name for group in GROUPS.values() for name in group}
        others = {"Other commands": [name for name in self.commands if name not in grouped]}
        for title, names in {**{title: list(group) for title, group in GROUPS.items()}, **others}.items():
            rows = [(name, self.commands[name].get_short_help_str(room)) for name in names if name in self.commands]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, max(map(len, self.commands)))

    def invoke(self, ctx: click.Context) -> object:
        session = ctx.ensure_object(Session)
        with _failures(session):
            result = super().invoke(ctx)
            _flush()
            return result


@click.group(
    cls=_Program,
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "dslgame show tic_tac_toe",
        "dslgame check my.game",
        "dslgame solve nex -p rows=2 -p columns=2",
        codes=True,
    ),
)
@click.version_option(dslgame.__version__, "-V", "--version", prog_name="dslgame", message="%(prog)s %(version)s")
def app() -> None:
    """Check, show, play and solve board games that are written as text.

    FILE is the path of a .game file, the name of a bundled game such as nex, or - for standard input.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit. Characters that the terminal's encoding lacks are printed as escapes."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # a stream may be closed, or not a file at all
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # None where closed
    gc.set_threshold(*_COLLECTING)
    with _failures(Session()):
        app.main(arguments, prog_name="dslgame")
    raise SystemExit(0)  # click has exited; this is for the type checker


@contextmanager
def _failures(session: Session) -> Iterator[None]:
    """Turn an exception into a message on the standard error and an exit code."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        _flush_or_exit()
        raise  # click reports these: wrong use, --help
    except KeyboardInterrupt:
        _stop(INTERRUPTED, f"interrupted while {session.doing}" if session.doing else "interrupted", clean=False)
    except BrokenPipeError:
        _hush(sys.stdout)
        raise SystemExit(NO_READER) from None
    except OSError as problem:
        _stop(WRONG, f"error: {_reason(problem)}")
    except MemoryError:
        _stop(UNKNOWN, f"error: out of memory{_while(session)}")
    except RecursionError as problem:
        _internal(problem, f"went too deep{_while(session)}; this is a mistake in dslgame or a game too large for it")
    except Exception as problem:
        text = _expected(problem, session)
        if text is None:
            _internal(problem, f"internal error{_while(session)}: {type(problem).__name__}: {problem}")
        from solver.errors import TooLarge

        _stop(UNKNOWN if isinstance(problem, TooLarge) else WRONG, text)


def _expected(problem: Exception, session: Session) -> str | None:
    """The message for an exception that is due to the input, such as a mistake in a file; None for any other."""
    from dsl.diagnostics import GameFileError
    from interpreter.compiler.lowering.errors import NotLowered
    from interpreter.errors import IllegalMove, RuleError
    from interpreter.hooks import HookError
    from solver.errors import Refused

    if isinstance(problem, RuleError):
        problem.source = problem.source or session.source
        return str(problem)
    if isinstance(problem, GameFileError):
        return str(problem)
    if isinstance(problem, IllegalMove | HookError | Refused):
        return f"error: {problem}"
    if isinstance(problem, NotLowered):
        return (f"error: the rules cannot be compiled: the compiler does not know {problem} yet; the game can be "
                "played, solved and counted without it")
    from interpreter.kernel.loading import refused_by_numba

    refused = refused_by_numba(problem)
    return f"error: {refused}; mend it, or do without hooks" if refused else None


def _while(session: Session) -> str:
    return f" while {session.doing}" if session.doing else ""


def _reason(problem: OSError) -> str:
    """The message for an operating system's error: the file, if there is one, and the reason."""
    reason = problem.strerror or str(problem)
    return f"{problem.filename}: {reason}" if problem.filename else f"cannot write the output: {reason}"


def _internal(problem: BaseException, text: str) -> NoReturn:
    if os.environ.get("DSLGAME_DEBUG"):
        import traceback

        traceback.print_exception(problem)
    else:
        text += "\nThis should not happen. Set DSLGAME_DEBUG=1 and run the command again to see where it comes from."
    _stop(INTERNAL, text)


def _stop(code: int, text: str, *, clean: bool = True) -> NoReturn:
    """Flush the standard output if possible, print a message on the standard error, and exit."""
    try:
        _flush()
    except OSError:
        _hush(sys.stdout)
    try:
        if not clean and sys.stderr is not None and sys.stderr.isatty():
            click.echo(err=True)  # the terminal shows ^C on the line
        click.echo(text, err=True)
    except OSError:
        _hush(sys.stderr)
    raise SystemExit(code) from None


def _flush() -> None:
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def _flush_or_exit() -> None:
    try:
        _flush()
    except BrokenPipeError:
        _hush(sys.stdout)
        raise SystemExit(NO_READER) from None
    except OSError as problem:
        _stop(WRONG, f"error: {_reason(problem)}")


def _hush(stream: object) -> None:
    """Redirect a stream to the null device, so that Python does not report a failed flush when it exits."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[attr-defined]  # a stream that lacks it needs no hushing
        os.close(nowhere)
