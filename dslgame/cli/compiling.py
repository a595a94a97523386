"""`dslgame compile`: the kernel that is compiled from a game's rules, its text, its size and its compile times."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from dslgame.cli.common import (
    Words,
    doing,
    examples,
    file_argument,
    force_option,
    hooks_options,
    json_option,
    load,
    load_hooks,
    param_option,
    title,
)
from dslgame.cli.output import counted, elapsed, print_json, progress, table
from dslgame.cli.writing import OutputFile, file_name, refuse_existing, write_file

if TYPE_CHECKING:
    from interpreter.compiler.lowering.module_builder import Passes
    from interpreter.game import Game
    from interpreter.hooks import Hooks
    from interpreter.kernel.kernel import Kernel

_JSON = """\
JSON: {"game", "params", "without" (the disabled passes), "lines", "characters",
"tables", "numbers" (in all tables), "row_words" (of a position), "hooks" (their
rule points), "compiler" ("LLVM" or "Numba"), "because" (the reason for Numba,
else ""), "write_seconds", "functions": [{"name", "seconds" (of its first call),
"cached"}]}; with --show and with --ir "text", with complete tables, instead of
the last four; with --points {"game", "params", "points": [{"point", "function",
"parameters"}]}; with --target {"game", "params", "without", "target", and
"file" and "bytes", or "text" with --show}."""


def _pass_names() -> list[str]:
    import attrs

    from interpreter.compiler.lowering.module_builder import Passes

    return [field.name for field in attrs.fields(Passes)]


def _complete_step(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from interpreter.compiler.pipeline import STEPS

    return [CompletionItem(name) for name in STEPS if name.startswith(incomplete)]


def _complete_pass(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in _pass_names() if name.startswith(incomplete)]


@click.command("compile", short_help="Compile a game, or show the code that is compiled.", epilog=examples(
    "dslgame compile my.game",
    "dslgame compile tic_tac_toe --show",
    "dslgame compile hex -p size=5 --without shifts --show",
    "dslgame compile hex -p size=5 --ir --after shifts",
    "dslgame compile connect_four --json",
    "dslgame compile reversi --target javascript -o reversi.mjs",
    further=_JSON, codes=True,
))
@file_argument
@param_option
@click.option("--show", is_flag=True, help="Print the kernel as a Python module; compile nothing.")
@click.option("--ir", "as_ir", is_flag=True, help="Print the intermediate representation that the module is written "
                                                  "from: functions with sorts.")
@click.option("--points", is_flag=True, help="List the rule points that hooks can replace.")
@click.option("--many", is_flag=True, help="Also compile the functions for many positions at once and for searches.")
@click.option("--without", multiple=True, metavar="PASS", shell_complete=_complete_pass,
              help="Disable a compiler pass, to see or measure its effect. Repeatable.")
@click.option("--after", metavar="STEP", shell_complete=_complete_step,
              help="Omit all compiler steps after this one: a PASS, lowering, symbols, loops or hooks; a wrong name "
                   "lists them in order.")
@click.option("--target", type=Words(["python", "javascript"]), metavar="LANGUAGE",
              help="Write the kernel as a module in python or javascript, for your own programs.")
@click.option("-o", "--output", metavar="FILE", type=OutputFile(),
              help="The file for --target; default: named after the game, such as connect-four.mjs, in the current "
                   "folder.")
@force_option
@hooks_options
@json_option
def compile_game(file: str, params: Mapping[str, int], show: bool, as_ir: bool, points: bool, many: bool,
                 without: tuple[str, ...], after: str | None, target: str | None, output: str | None,
                 hooks_file: str | None, no_hooks: bool, as_json: bool) -> None:
    """Compile the kernel of a game: its rules as functions on machine words.

    Reports the size of the kernel, and how long each of its functions takes until its first result. Compiled code is
    cached on disk. --show prints the kernel as a Python module, with abbreviated tables at the end; with --target
    python the tables are complete, and the module runs on its own as plain Python.

    --target javascript writes the game as one ES module that browsers and Node run without Python.
    """
    from interpreter.compiler.pipeline import done_after
    from interpreter.kernel.kernel import Kernel
    from interpreter.kernel.loading import why_numba

    if show + as_ir + points + many > 1:
        raise click.UsageError("--show, --ir, --points and --many exclude each other: give one of them")
    _check_target(target, output, show=show, other=as_ir or points or many, hooks_file=hooks_file)
    game = load(file, params)
    without = _turned_off(without, after)
    passes = _passes(without)
    doing_it = f"compiling {title(game)}"
    about: dict[str, object] = {"game": game.title, "params": game.params}
    if target is not None and not (show and target == "python"):
        hooks = load_hooks(file, hooks_file, no_hooks or target == "javascript")
        with doing(doing_it):
            text = _target_text(game, target, passes, hooks)
        _write_target(game, text, target, output, {**about, "without": list(without)}, show=show, as_json=as_json)
        return
    hooks = load_hooks(file, hooks_file, no_hooks)
    if points:
        with doing(doing_it):
            result = _points(game)
        if as_json:
            print_json({**about, "points": [{"point": point, "function": name, "parameters": names}
                                            for point, name, names in result]})
        else:
            click.echo(table([(point, f"{name}({', '.join(names)})") for point, name, names in result],
                             right=(False, False), indent=""))
        return
    with doing(doing_it), progress(doing_it, quiet=as_json) as tell:
        started = time.process_time()
        kernel = Kernel.of(game, native=not (show or as_ir), passes=passes, hooks=hooks,
                           until=after or "" if show or as_ir else "")
        written = time.process_time() - started
        functions = [] if show or as_ir else _called(kernel, many, tell)
    hooked = [] if hooks is None or not done_after("hooks", after or "") else [hook.point for hook in hooks.hooks]
    about |= {"without": list(without), "hooks": hooked, **_sizes(kernel)}
    if show or as_ir:
        text = _text(kernel, as_ir=as_ir, complete=as_json or target is not None)
        if as_json:
            print_json({**about, "text": text})
        else:
            click.echo(text, nl=False)
        return
    because = why_numba(kernel.assembled)
    compiler = "Numba" if because else "LLVM"
    if as_json:
        about |= {"compiler": compiler, "because": because, "write_seconds": round(written, 6)}
        print_json({**about, "functions": [{"name": name, "seconds": round(seconds, 6), "cached": cached}
                                           for name, seconds, cached in functions]})
    else:
        sizes = _sizes(kernel)
        changes = [f"without {name}" for name in without] + [f"with a hook for {point}" for point in hooked]
        click.echo(", ".join([title(game), *changes]))
        click.echo(f"{counted(sizes['lines'], 'line')} of text, {counted(sizes['numbers'], 'number')} in "
                   f"{counted(sizes['tables'], 'table')}, {counted(sizes['row_words'], 'word')} for a position; "
                   f"written in {elapsed(written)}")
        click.echo(f"compiled by {compiler}{because and f', as {because}'}")
        rows = [(name, f"{elapsed(seconds)}{', from disk' if cached else ''}") for name, seconds, cached in functions]
        click.echo(table([("function", "first call"), *rows], right=(False, False)))


def _text(kernel: Kernel, *, as_ir: bool, complete: bool) -> str:
    """A kernel as a Python module, or as IR; unless `complete`, with its tables abbreviated."""
    from interpreter.compiler.emit.python import standalone
    from interpreter.compiler.printer import printed

    module = kernel.assembled.module
    return printed(module, complete=complete, spans=not complete) if as_ir else standalone(module, complete=complete)


_ENDINGS = {"python": ".py", "javascript": ".mjs"}
"""The file name suffix of each target."""


def _check_target(target: str | None, output: str | None, *, show: bool, other: bool, hooks_file: str | None) -> None:
    """Raise UsageError for options that exclude each other."""
    if target is None and output is not None:
        raise click.UsageError("--output is for what --target writes: give --target python or --target javascript")
    if target is not None and other:
        raise click.UsageError("--target writes the whole kernel: leave --ir, --points and --many out")
    if show and output is not None:
        raise click.UsageError("--show prints what --output would write: give one of them")
    if target == "javascript" and hooks_file is not None:
        raise click.UsageError("hooks are Python, which JavaScript cannot call: leave --hooks out, the rules are "
                               "compiled without them and play the same game")


def _target_text(game: Game, target: str, passes: Passes, hooks: Hooks | None) -> str:
    """A kernel as a module in the target language."""
    from interpreter.compiler.emit.javascript_game import game_module
    from interpreter.compiler.emit.python import standalone
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler
    from interpreter.kernel.kernel import Kernel

    if target == "python":
        return standalone(Kernel.of(game, native=False, passes=passes, hooks=hooks).assembled.module)
    return game_module(game, KernelCompiler(game.rules, game.board, game.engine.swap, passes, game.symmetries,
                                      endless=game.engine.ignore_ends, game=game).assembled())


def _write_target(game: Game, text: str, target: str, output: str | None, about: Mapping[str, object], *, show: bool,
                  as_json: bool) -> None:
    """Print a module, or write it to a file and report that."""
    about = {**about, "target": target}
    if show:
        if as_json:
            print_json({**about, "text": text})
        else:
            click.echo(text, nl=not text.endswith("\n"))
        return
    name = output or f"{file_name(game.title)}{_ENDINGS[target]}"
    refuse_existing(name)
    data = text.encode()
    write_file(name, data)
    if as_json:
        print_json({**about, "file": name, "bytes": len(data)})
    else:
        click.echo(f"{name}: {title(game)} as a module, {len(data) / 1024:,.0f} KiB")


def _turned_off(without: Sequence[str], after: str | None) -> tuple[str, ...]:
    """The passes to leave out, each once: those that are named, and those after a step. Raises BadParameter for unknown
    names."""
    import attrs

    from interpreter.compiler.pipeline import STEPS, passes_until

    for name in without:
        _check_name("--without", "pass", "passes", name, _pass_names())
    if after is None:
        return tuple(dict.fromkeys(without))
    _check_name("--after", "step", "steps", after, STEPS)
    later = [name for name, done in attrs.asdict(passes_until(after)).items() if not done]
    return tuple(dict.fromkeys((*without, *later)))


def _check_name(option: str, what: str, several: str, name: str, names: Sequence[str]) -> None:
    """Raise BadParameter for a name that is not among `names`."""
    from dsl.diagnostics import closest

    if name not in names:
        meant = closest(name, names)
        hint = f". Did you mean '{meant}'?" if meant else ""
        raise click.BadParameter(f"there is no {what} '{name}'; the {several} are {', '.join(names)}{hint}",
                                 ctx=click.get_current_context(silent=True), param_hint=f"'{option}'")


def _passes(without: Sequence[str]) -> Passes:
    """All passes, without those in `without`."""
    import attrs

    from interpreter.compiler.lowering.module_builder import Passes

    return attrs.evolve(Passes(), **dict.fromkeys(without, False))


def _sizes(kernel: Kernel) -> dict[str, int]:
    tables = kernel.assembled.module.tables
    return {"lines": len(kernel.text.splitlines()), "characters": len(kernel.text), "tables": len(tables),
            "numbers": sum(len(table.values) for table in tables), "row_words": kernel.assembled.layout.width}


def _called(kernel: Kernel, count: bool, tell: Callable[[str], None] | None) -> list[tuple[str, float, bool]]:
    """Call each function once: its name, the seconds of the call, and whether its machine code came from disk."""
    from dslgame.measuring import from_disk

    result = []
    for name, call in (_calls_of_many if count else _calls)(kernel).items():
        if tell is not None:
            tell(name)
        started = time.process_time()
        call()
        result.append((name, time.process_time() - started, bool(from_disk(kernel, name))))
    return result


def _calls(kernel: Kernel) -> dict[str, Callable[[], object]]:
    """A first call of each kernel function that works on one position, by name."""
    state = kernel.game.engine.start()
    moves = kernel.game.engine.legal(state)[:1]
    calls: dict[str, Callable[[], object]] = {
        "list_moves": lambda: kernel.moves(kernel.start()),
        "apply_move": lambda: kernel.after(state, moves[0]),
        "play_out": lambda: kernel.play_out(kernel.start(), 1, 1),
        "play_outs": lambda: kernel.play_outs(1, 1, limit=1),
        "perft": lambda: kernel.perft(1),
        "canonical_row": lambda: kernel.canonical(state),
        "canonical_among": lambda: kernel.canonical(state, kernel.game.symmetries),
        "value_of": lambda: kernel.value(state),
    }
    if not moves:
        del calls["apply_move"]
    return calls


def _calls_of_many(kernel: Kernel) -> dict[str, Callable[[], object]]:
    """The calls of `_calls`, and of the functions for batches of positions and for searches."""
    from interpreter.kernel.many import Batch
    from interpreter.kernel.numbering import Numbering

    game, batch = kernel.game, Batch(kernel)
    one = batch.starts(1)
    calls: dict[str, Callable[[], object]] = {
        **_calls(kernel),
        "legal_many": lambda: batch.legal(one),
        "count_many": lambda: batch.counts(one),
        "choose_many": lambda: batch.chosen(one, [0]),
        "apply_many": lambda: batch.apply(batch.starts(1), batch.chosen(one, [0])),
        "play_many": lambda: batch.play_out(batch.starts(1), limit=1),
        "key_many": lambda: batch.keys(one),
        "key_change_many": lambda: batch.changed_keys(batch.keys(one), one, one),
        "canonical_many": lambda: batch.canonical(one),
        "canonical_among_many": lambda: batch.canonical(one, among=game.symmetries),
    }
    numbering = Numbering.of(game)
    if numbering is not None:
        calls["mark_many"] = lambda: batch.marks(one, numbering)
    calls |= _calls_of_searches(kernel)
    if "apply_move" not in calls:
        del calls["choose_many"], calls["apply_many"], calls["step"]
    return calls


def _calls_of_searches(kernel: Kernel) -> dict[str, Callable[[], object]]:
    """A first call of each function that solvers use, with arrays for it to work on."""
    from solver.entries import Entries

    entries = Entries(kernel.game, kernel, 512)
    start, element = kernel.start, entries.numbers(1)
    packed, working = entries.packed([kernel.game.engine.start()]), (entries.entry_rows(), entries.scratch())
    rows, moves = entries.words(512, entries.width), entries.numbers(512, entries.move_width)
    numbers, one, other = entries.numbers(512), entries.numbers(1), entries.numbers(1)
    images, children = entries.words(3, entries.width), entries.words(512, entries.packed_width)
    arrays = start(), rows, moves, *working, images

    def step() -> object:
        return entries.step(start(), kernel.moves(start())[0], *working)

    return {
        "expand": lambda: entries.expand(start(), rows, moves, *working),
        "offer": lambda: entries.offer(start(), moves, *working),
        "pack_row": lambda: entries.pack_row(start(), packed[0]),
        "unpack_row": lambda: entries.unpack_row(packed[0], start()),
        "pack_least": lambda: entries.pack_least(start(), packed[0], element, images),
        "step": step,
        "random_game": lambda: entries.random_game(start(), entries.words(1)[0], 1, *working,
                                                   entries.numbers(entries.move_width)),
        "expand_tiers": lambda: entries.expand_tiers(packed, 0, 1, element, children, numbers, numbers.copy(), one,
                                                     other, *arrays),
        "tier_of": lambda: entries.tier_of(packed[0]),
    }


def _points(game: Game) -> list[tuple[str, str, list[str]]]:
    """The rule points of a game: the name of each, and its function with the parameters."""
    from dsl import hir
    from interpreter.compiler.lowering import hook_substitution
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler
    from interpreter.compiler.lowering.module_builder import Passes

    uses = [part.used for part in hir.walk_rules(game.rules) if isinstance(part, hir.Expr)]
    compiler = KernelCompiler(game.rules, game.board, game.engine.swap, Passes(unused=False), game.symmetries[:1])
    functions = {function.name: function for function in compiler.assembled().module.functions}
    result = []
    for point, function in hook_substitution.points(compiler).items():
        if point.startswith("define "):
            name = point.removeprefix("define ")
            count = max(len(use.arguments) for use in uses if use is not None and use.name == name)
            result.append((point, name, ["S", "mover", *(f"argument_{number}" for number in range(1, count + 1))]))
            continue
        if function in functions:
            result.append((point, function, [parameter.name for parameter in functions[function].parameters]))
    return result
