"""`dslgame check`: report the errors and warnings of game files, found by reading them and by playing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from dslgame import bundled
from dslgame.cli.common import STDIN, Loader, Reals, Words, doing, examples, files_argument, param_option
from dslgame.cli.output import counted, print_json, printable, progress
from dslgame.exit_codes import WRONG

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic
    from dsl.syntax.source import Source

_JSON = """\
JSON: {"file", "diagnostics": [{"code", "severity", "phrase", "file", "span",
"help", "suggestion", "labels"}], "errors", "warnings"}, and for several files
{"files": [one such object for each], "errors", "warnings"}."""


@click.command(epilog=examples(
    "dslgame check my.game",
    "dslgame check games/*.game --strict",
    "dslgame check my.game -p size=5 --format json",
    "cat my.game | dslgame check -",
    "dslgame check my.game --watch",
    further=_JSON, codes=True,
))
@files_argument
@param_option
@click.option("--format", "style", type=Words(["text", "json"]), default="text", help="The format of the findings.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--strict", is_flag=True, help="Make warnings fail the check, too.")
@click.option("--no-play", is_flag=True, help="Only read the file; do not play the game to find mistakes.")
@click.option("--watch", is_flag=True, help="Check files again whenever they are saved, until Ctrl-C.")
@click.option("--seconds", type=Reals(0, 86_400, min_open=True), default=10.0, show_default=True,
              help="Maximum processor time for playing each file.")
def check(files: tuple[str, ...], params: Mapping[str, int], style: str, as_json: bool, strict: bool,
          no_play: bool, watch: bool, seconds: float) -> None:
    """Report all mistakes in game files.

    Reads each FILE, then plays it for a moment to find mistakes that only playing reveals. If that would take longer
    than --seconds, a note says what was not covered. Exits with 1 if there is an error.
    """
    as_json = as_json or style == "json"
    if watch:
        if STDIN in files or as_json:
            raise click.UsageError("--watch looks at files again and again: give names of files, and no --json")
        _watch(files, params, play=not no_play, seconds=seconds)
        return
    results = []
    for file in files:
        source, result = findings(file, params, play=not no_play, seconds=seconds)
        results.append((source, result))
        if not as_json:
            _print_text(source, result)
    counts = _severities(item for _, result in results for item in result)
    if as_json:
        from dsl.diagnostics import as_json as plain

        objects = [
            {"file": source.name, "diagnostics": [plain(item, source) for item in result],
             **_numbers(_severities(result))}
            for source, result in results
        ]
        print_json(objects[0] if len(objects) == 1 else {"files": objects, **_numbers(counts)})
    elif len(files) > 1:
        click.echo(f"{counted(len(files), 'file')}: {_summary(counts)}")
    if counts["error"] or (strict and counts["warning"]):
        raise SystemExit(WRONG)


def _watch(files: Sequence[str], params: Mapping[str, int], *, play: bool, seconds: float) -> None:
    """Print the diagnostics of files, and again after each change, until Ctrl-C."""
    from dslgame.cli.watching import changes

    try:
        for changed in changes([str(bundled.find(file)) for file in files]):
            for file in changed:
                source, result = findings(file, params, play=play, seconds=seconds)
                _print_text(source, result)
    except KeyboardInterrupt:
        click.echo("ended", err=True)


def findings(file: str, params: Mapping[str, int], *, play: bool = True,
             seconds: float | None = None) -> tuple[Source, list[Diagnostic]]:
    """A file's source and its diagnostics, in source order.

    With `play`, where reading finds no error, also by playing for at most `seconds` of processor time.
    """
    loader = Loader(file)
    game, result = loader.examine(params)
    if game is not None and play:
        from dsl.diagnostics import in_source_order
        from interpreter.analysis.dynamic_checks import try_out

        what = f"checking {loader.source.name}"
        with doing(what), progress(what) as show:
            result = in_source_order([*result, *try_out(game, seconds=seconds, progress=show)])
    return loader.source, result


def _print_text(source: Source, result: list[Diagnostic]) -> None:
    from dsl.diagnostics import render

    for item in result:
        click.echo(render(item, source))
    click.echo(f"{printable(source.name)}: {_summary(_severities(result))}")


def _severities(result: Iterable[Diagnostic]) -> Counter[str]:
    return Counter(item.severity for item in result)


def _numbers(counts: Counter[str]) -> dict[str, int]:
    return {"errors": counts["error"], "warnings": counts["warning"]}


def _summary(counts: Counter[str]) -> str:
    """`no problems`, or `2 errors, 1 warning`."""
    parts = [counted(counts[severity], severity) for severity in ("error", "warning", "note") if counts[severity]]
    return ", ".join(parts) or "no problems"
