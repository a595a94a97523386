"""`dslgame compile`: the kernel that is compiled from a game's rules, its text, its size and what it costs."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from dslgame.cli.common import doing, examples, file_argument, json_option, load, param_option, title
from dslgame.cli.output import counted, elapsed, print_json, progress, table

if TYPE_CHECKING:
    from interpreter.kernel.kernel import Kernel
    from interpreter.kernel.program import Passes

_JSON = """\
JSON: {"game", "params", "without" (the passes turned off), "lines",
"characters", "tables", "numbers" (in all tables), "row_words" (of a position),
"write_seconds", "functions": [{"name", "seconds" (of its first call),
"cached"}]}; with --show "text" in place of "functions"."""


def _pass_names() -> list[str]:
    import attrs

    from interpreter.kernel.program import Passes

    return [field.name for field in attrs.fields(Passes)]


def _complete_pass(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in _pass_names() if name.startswith(incomplete)]


@click.command("compile", short_help="Compile a game, or show the text that is compiled.", epilog=examples(
    "dslgame compile my.game",
    "dslgame compile tic_tac_toe --show",
    "dslgame compile hex -p size=5 --without shifts --show",
    "dslgame compile connect_four --json",
    further=_JSON, codes=True,
))
@file_argument
@param_option
@click.option("--show", is_flag=True, help="Print the kernel as a Python module, and compile nothing.")
@click.option("--without", multiple=True, metavar="PASS", shell_complete=_complete_pass,
              help="Turn an improvement off, to see or measure what it does. Repeatable.")
@json_option
def compile_game(file: str, params: Mapping[str, int], show: bool, without: tuple[str, ...], as_json: bool) -> None:
    """Compile the kernel of a game: its rules as functions on machine words.

    Tells how large the kernel is, and how long each of its functions takes until its first answer. What is compiled is
    kept on disk. With --show the kernel's text is printed: a module that also runs as it is, as plain Python.
    """
    from interpreter.kernel.kernel import Kernel

    game = load(file, params)
    passes = _passes(without)
    if show:
        with doing(f"compiling {title(game)}"):
            kernel = Kernel.of(game, native=False, passes=passes)
        text = module_text(kernel)
        if as_json:
            print_json({"game": game.title, "params": game.params, "without": list(without), **_sizes(kernel),
                        "text": text})
        else:
            click.echo(text, nl=not text.endswith("\n"))
        return
    with doing(f"compiling {title(game)}"), progress(f"compiling {title(game)}", quiet=as_json) as tell:
        started = time.process_time()
        kernel = Kernel.of(game, passes=passes)
        written = time.process_time() - started
        functions = _called(kernel, tell)
    if as_json:
        print_json({
            "game": game.title, "params": game.params, "without": list(without), **_sizes(kernel),
            "write_seconds": round(written, 6),
            "functions": [{"name": name, "seconds": round(seconds, 6), "cached": cached}
                          for name, seconds, cached in functions],
        })
        return
    sizes = _sizes(kernel)
    click.echo(title(game) + (f", without {', '.join(without)}" if without else ""))
    click.echo(f"{counted(sizes['lines'], 'line')} of text, {counted(sizes['numbers'], 'number')} in "
               f"{counted(sizes['tables'], 'table')}, {counted(sizes['row_words'], 'word')} for a position; "
               f"written in {elapsed(written)}")
    rows = [("function", "first call"), *((name, f"{elapsed(seconds)}{', from disk' if cached else ''}")
                                         for name, seconds, cached in functions)]
    click.echo(table(rows, right=(False, False)))


def _passes(without: Sequence[str]) -> Passes:
    """All passes but some. Unknown ones are wrong use."""
    import attrs

    from interpreter.kernel.program import Passes

    names = _pass_names()
    for name in without:
        if name not in names:
            raise click.BadParameter(f"there is no pass '{name}'; the passes are {', '.join(names)}",
                                     ctx=click.get_current_context(silent=True), param_hint="'--without'")
    return attrs.evolve(Passes(), **dict.fromkeys(without, False))


def _sizes(kernel: Kernel) -> dict[str, int]:
    tables = kernel.assembled.tables
    return {"lines": len(kernel.text.splitlines()), "characters": len(kernel.text), "tables": len(tables),
            "numbers": sum(map(len, tables.values())), "row_words": kernel.assembled.layout.width}


def _called(kernel: Kernel, tell: Callable[[str], None] | None) -> list[tuple[str, float, bool]]:
    """Every function called once: its name, how long that took, and whether it came from disk."""
    from dslgame.measuring import from_disk

    def apply() -> None:
        for move in kernel.moves(kernel.start())[:1]:
            kernel.apply(kernel.start(), move)

    calls: dict[str, Callable[[], object]] = {
        "list_moves": lambda: kernel.moves(kernel.start()),
        "apply_move": apply,
        "play_out": lambda: kernel.play_out(kernel.start(), 1, 1),
        "play_outs": lambda: kernel.play_outs(1, 1, limit=1),
        "perft": lambda: kernel.perft(1),
        "canonical_row": lambda: kernel.canonical(kernel.game.engine.start()),
    }
    found = []
    for name, call in calls.items():
        if tell is not None:
            tell(name)
        started = time.process_time()
        call()
        found.append((name, time.process_time() - started, bool(from_disk(kernel, name))))
    return found


def module_text(kernel: Kernel) -> str:
    """A kernel as a module that runs by itself as plain Python, its tables included."""
    rows = ["TABLES = {"]
    for name, values in sorted(kernel.assembled.tables.items()):
        whole = f"{name!r}: [{', '.join(map(str, values))}],"
        rows += textwrap.wrap(whole, 118, initial_indent="    ", subsequent_indent="        ", break_long_words=False)
    tables = "\n".join([*rows, "}", "", ""])
    return kernel.text.replace("from SUPPORT import", f"{tables}from interpreter.kernel.plain import", 1)
