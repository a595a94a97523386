"""`dslgame variants`: solve a family of games, varied by params and changes of rules, and test claims about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dslgame import exit_codes
from dslgame.cli.common import (
    Loader,
    Reals,
    doing,
    examples,
    file_argument,
    force_option,
    json_option,
    method_option,
    refuse_given,
)
from dslgame.cli.output import counted, elapsed, print_json, progress, table, wrapped
from dslgame.cli.writing import OutputFile, write_file

if TYPE_CHECKING:
    from dsl.syntax.source import Source
    from dslgame.laboratory.changes import Change
    from dslgame.laboratory.runs import Result
    from dslgame.laboratory.variants import Judged, Variants

_RANGE = re.compile(r"\s*([A-Za-z_][A-Za-z_0-9]*)\s*=\s*(.+)", re.DOTALL)
_OR = "\0or "
"""The prefix of --or values, which are stored among the values of --with to keep their order."""
MOST_CHANGE = 40
"""The most characters of a change in a table."""
_NOTES = """\
A change is one or more declarations, which replace those of their kind and name
or are added; 'without pie rule', which removes the declarations that begin with
these words; 'win to lose', which replaces the words that declarations begin
with; or 'as it is'. Each --with is a separate choice, --or adds an alternative
to it, and every combination with the params is an instance. Instances that are
shown to be the same game (equal but for names, or mirrored onto another board)
are solved once. Results are cached: the same command continues where it was
interrupted.

A claim is WHO wins, loses, draws, does not win (lose, draw) when CONDITION,
where WHO is first, second or a player's name; 'exactly when' also claims that
it holds only then. Or it is WHO expects more than (less than, at least, at
most) NUMBER, such as 1/2."""
_JSON = """\
JSON: {"game", "instances": [{"params", "with", "value": {"winner" (a player's
name or "draw"), "remoteness"}, "positions", "method", "seconds"}]}. "value" is
null if a limit was reached; then "known" has the results that are still
possible and the reason. In games with chance or hidden information "value" also
has "expected" (for the first player), "exact" and "error". With --openings also
"openings", "winning", "branching", "length", "same_as", "why_same"; with
--columns also "columns", an object of them; with --claim also "claims"."""


class _InOrder(click.Command):
    """A command that preserves the order of --with, --or and --without."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with --or and --without turned into values of --with."""
        result: list[str] = []
        rest = iter(args)
        for word in rest:
            name, equals, value = word.partition("=")
            if name not in ("--or", "--without"):
                result.append(word)
                continue
            text = value if equals else next(rest, None)
            if text is None:
                raise click.UsageError(f"Option '{name}' requires an argument.", ctx)
            if name == "--or" and not any(word == "--with" or word.startswith("--with=") for word in result):
                raise click.UsageError("--or gives an alternative to the --with before it, and there is none", ctx)
            result += ["--with", _OR + text if name == "--or" else f"without {text}"]
        return super().parse_args(ctx, result)


def _ranges(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    from dslgame.laboratory.family import FamilyError, read_range

    ranges: dict[str, tuple[int, ...]] = {}
    for text in given:
        match = _RANGE.fullmatch(text)
        if match is None:
            raise click.BadParameter(f"found '{text}', expected NAME=VALUES such as rows=2..4")
        if match[1] in ranges:
            raise click.BadParameter(f"'{match[1]}' is given twice")
        try:
            ranges[match[1]] = read_range(match[2])
        except FamilyError as problem:
            raise click.BadParameter(f"{match[1]}: {problem}") from None
    return ranges


@click.command(cls=_InOrder, short_help="Solve a family of games.", epilog=examples(
    "dslgame variants nex -p rows=2..3 -p columns=2..3 --nodes 100000",
    "dslgame variants tic_tac_toe --with 'as it is' --or 'win to lose'",
    "dslgame variants chomp -p rows=2..4 -p columns=2..4 --claim 'first wins'",
    "dslgame variants hex -p size=2..3 --svg sizes.svg --csv",
    "dslgame variants nim -p a=0..3 -p b=0..3 --columns value,positions,balance:random",
    "dslgame variants connect_four --mutate 60 --improve balance --improve -draws --out better",
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@file_argument
@click.option("-p", "--param", "ranges", metavar="NAME=VALUES", multiple=True, callback=_ranges,
              help="Values of a param: one, a range such as 2..4, or several such as 2,3,5. Repeatable.")
@click.option("--with", "alternatives", metavar="CHANGE", multiple=True,
              help="Change the rules. Repeatable; each --with is a separate choice.")
@click.option("--or", "unused_or", metavar="CHANGE", multiple=True, help="An alternative to the preceding --with.")
@click.option("--without", "unused_without", metavar="WORDS", multiple=True,
              help="Remove the declarations that begin with these words: the same as --with 'without WORDS'.")
@click.option("--where", metavar="CONDITION", default="", help="Solve only instances whose params satisfy this "
                                                               "condition.")
@click.option("--claim", "claims", metavar="CLAIM", multiple=True,
              help="Test a conjecture, such as 'first wins when columns >= rows'. Repeatable.")
@method_option
@click.option("--value", "value_only", is_flag=True,
              help="Find only who wins, not the value of each first move.")
@click.option("--nodes", type=click.IntRange(1), metavar="N", default=2_000_000, show_default=True,
              help="Stop solving an instance after N positions.")
@click.option("--memory", type=click.IntRange(1), metavar="MB", help="Stop solving an instance when it uses this much "
                                                                     "memory; default: the free memory, shared by all "
                                                                     "processes.")
@click.option("--seconds", type=Reals(0.1), metavar="S",
              help="Stop solving an instance after S seconds; results then depend on the machine.")
@click.option("-j", "--jobs", "--workers", type=click.IntRange(1, 256), metavar="N",
              help="Number of instances to solve at once; default: the number of cores.")
@click.option("--cluster", metavar="WHERE",
              help="Let the workers of a Dask cluster solve the instances: tcp://HOST:8786 is its scheduler.")
@click.option("--mutate", "mutations", type=click.IntRange(1, 100_000), metavar="N",
              help="Instead, try N small changes of the rules, and show those that improve the measures of --improve.")
@click.option("--improve", metavar="MEASURE", multiple=True, default=("balance",), show_default=True,
              help="With --mutate: a measure of `dslgame measure` to increase, -MEASURE to decrease it, or "
                   "MEASURE=VALUE to approach a value. Repeatable.")
@click.option("--keep", type=click.IntRange(1, 100), default=3, show_default=True, metavar="N",
              help="With --mutate: number of changed files to keep.")
@click.option("--out", "folder", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path),
              help="With --mutate: write the changed files to this folder, each with a diff and its measures.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="With --mutate: seed of the changes "
                                                                                  "to try.")
@click.option("--anew", is_flag=True, help="Neither use nor cache results of earlier runs.")
@click.option("--openings", is_flag=True, help="Also list the winning first moves.")
@click.option("--columns", metavar="NAMES",
              help="Columns of the table, such as value,plies,positions,balance:random.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values, with a header line.")
@click.option("--plot", metavar="COLUMN", help="With --svg or --png: draw this column of numbers instead of who wins.")
@click.option("--svg", "svg_file", metavar="FILE", type=OutputFile(),
              help="Write a heat map as SVG; needs the extra 'pictures'.")
@click.option("--png", "png_file", metavar="FILE", type=OutputFile(), help="The same as PNG.")
@force_option
@json_option
def variants(file: str, ranges: dict[str, tuple[int, ...]], alternatives: tuple[str, ...], unused_or: tuple[str, ...],
             unused_without: tuple[str, ...], where: str, claims: tuple[str, ...], method: str, nodes: int,
             value_only: bool, memory: int | None, seconds: float | None, jobs: int | None, cluster: str | None,
             mutations: int | None, improve: tuple[str, ...], keep: int, folder: Path | None, seed: int, anew: bool,
             openings: bool, columns: str | None, as_csv: bool, plot: str | None, svg_file: str | None,
             png_file: str | None, as_json: bool) -> None:
    """Solve a game for several params and with several changes of its rules, and test claims about them.

    Exits with 3 if a limit was reached before a value was known.
    """
    from dslgame.cli.memory import cores, most_memory
    from dslgame.laboratory.claims import Claim, Formula
    from dslgame.laboratory.columns import USUAL, read_columns
    from dslgame.laboratory.family import Family
    from dslgame.laboratory.solving import Limits
    from dslgame.laboratory.store import Store
    from dslgame.laboratory.variants import solve_family
    from solver.errors import Refused

    if plot is not None:
        from dslgame.laboratory.columns import NUMBERS

        if not (svg_file or png_file):
            raise click.UsageError("--plot says what --svg or --png draws: name a file with one of them")
        if plot not in NUMBERS:
            raise click.BadParameter(f"found '{plot}', expected one of {', '.join(NUMBERS)}", param_hint="'--plot'")
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other: give one of them")
    if mutations is None:
        refuse_given(("improve", "keep", "folder", "seed"), "is for --mutate")
    else:
        refuse_given(("where", "claims", "method", "value_only", "nodes", "memory", "seconds", "jobs", "cluster",
                      "anew", "openings", "columns", "as_csv", "plot", "svg_file", "png_file"),
                     "does not go with --mutate")
    loader = Loader(file)
    if loader.unreadable or not alternatives:
        loader.game({})  # report errors of the file now, unless a change may fix them
    if mutations is not None:
        _mutate(loader.source, ranges, choices(alternatives), mutations, improve, keep, seed, folder, as_json=as_json)
        return
    jobs = jobs or cores()
    try:
        family = Family(loader.source, ranges, choices(alternatives), Formula.of(where) if where else None)
        conjectures = [Claim.of(text) for text in claims]
        shown = read_columns(columns) if columns else USUAL
        limits = Limits(nodes, memory or max(64, most_memory() // jobs), seconds, method, value_only)
        with doing(f"solving variants of {loader.source.name}"), \
                progress("solving", quiet=as_json or as_csv) as show:

            def tell(result: Result, done: int, all_: int) -> None:
                if show is not None:
                    show(f"{done} of {all_}: {result.instance.name}")

            found = solve_family(family, conjectures, limits, jobs=jobs, store=None if anew else Store.usual(),
                                 cluster=cluster or "", told=tell)
    except Refused as problem:
        raise click.ClickException(str(problem)) from None
    except ValueError as problem:  # from the family, its changes, and its claims
        raise click.UsageError(str(problem)) from None
    if svg_file or png_file:
        _draw(found, svg_file, png_file, plot)
    if as_json:
        print_json(found.as_object(openings=openings, columns=shown if columns else ()))
    elif as_csv:
        click.echo(found.csv(), nl=False)
    else:
        _print(found, shown, openings=openings)
    if any(not result.found.solved and result.instance.game is not None for result in found.results):
        raise SystemExit(exit_codes.UNKNOWN)


def _mutate(source: Source, ranges: dict[str, tuple[int, ...]], alternatives: list[list[Change]], count: int,
            improve: tuple[str, ...], keep: int, seed: int, folder: Path | None, *, as_json: bool) -> None:
    """Run --mutate: suggest changes of one game."""
    from dslgame.cli.suggesting import suggest
    from dslgame.laboratory.changes import ChangeError, apply

    if any(len(values) > 1 for values in ranges.values()) or any(len(choice) > 1 for choice in alternatives):
        raise click.UsageError("--mutate changes one game: give each param one value, and no --or")
    try:
        source = apply(source, *(choice[0] for choice in alternatives))
    except ChangeError as problem:
        raise click.UsageError(str(problem)) from None
    suggest(source, {name: values[0] for name, values in ranges.items()}, count, improve, keep, seed, folder,
            as_json=as_json)


def choices(given: Sequence[str]) -> list[list[Change]]:
    """The choices between changes, from the values of --with and --or in their order. Raises ChangeError."""
    from dslgame.laboratory.changes import Change

    result: list[list[Change]] = []
    for text in given:
        if text.startswith(_OR):
            result[-1].append(Change.of(text.removeprefix(_OR)))
        else:
            result.append([Change.of(text)])
    return result


def _draw(result: Variants, svg_file: str | None, png_file: str | None, plot: str | None) -> None:
    from dslgame.laboratory.pictures import NoPlots, heat_map

    try:
        drawn = [(file, heat_map(result, kind, plot)) for file, kind in ((svg_file, "svg"), (png_file, "png")) if file]
    except NoPlots as problem:
        raise click.ClickException(str(problem)) from None
    for file, data in drawn:
        write_file(file, data)


def _print(found: Variants, columns: Sequence[str], *, openings: bool) -> None:
    """Print the results."""
    from dslgame.laboratory.columns import cells, flushed_right, title

    click.echo(found.title)
    params = list(dict.fromkeys(name for result in found.results for name in result.instance.params))
    shown = [name for name in params if len({result.instance.params.get(name) for result in found.results}) > 1]
    several = len({result.instance.changes for result in found.results}) > 1
    marks = {judged.claim.text: judged for judged in found.claims}
    head = [*shown, *(["with"] if several else []), *map(title, columns),
            *([f"claim {number}" for number in range(1, len(marks) + 1)] if len(marks) > 1 else ["claim"] * len(marks)),
            ""]
    rows = [tuple(head)]
    for number, result in enumerate(found.results):
        rows.append((
            *(str(result.instance.params.get(name, "")) for name in shown),
            *([_shortened(result.instance.changes)] if several else []),
            *cells(result, columns), *(judged.verdicts[number] for judged in found.claims), _note(found, result)))
    flush = [*[True] * len(shown), *([False] if several else []), *map(flushed_right, columns),
             *[False] * len(marks), False]
    click.echo(table(rows, right=flush))
    if openings:
        for result in found.results:
            wins = result.first_moves()
            if wins:
                click.echo(wrapped(f"{result.instance.name}: ", " ".join(wins)))
    for judged in found.claims:
        _print_claim(judged)
    seen = found.period()
    game = next(result.instance.game for result in found.results if result.instance.game is not None)
    if seen is not None:
        pattern = " ".join(game.outcome_name(winner) or "unknown" for winner in seen.pattern)
        click.echo(f"period {seen.length} from {seen.param}={seen.start} on: {pattern} "
                   f"(seen {seen.times:.3g} times, which is no proof)")
    solved = [result for result in found.results if result.found.solved]
    spent = sum(result.found.seconds for result in found.results if result.same_as is None and not result.kept)
    kept = sum(result.kept and result.same_as is None for result in found.results)
    click.echo(f"{counted(len(found.results), 'instance')}, {len(solved)} solved in {elapsed(spent)}"
               + (f", {kept} of them earlier" if kept else ""))


def _shortened(changes: Sequence[str]) -> str:
    """Changes as the text of a table cell: the first line of each, shortened."""
    lines = [text.partition("\n")[0] for text in changes]
    return "; ".join(line if len(line) <= MOST_CHANGE else line[:MOST_CHANGE] + "…" for line in lines) or "as it is"


def _note(found: Variants, result: Result) -> str:
    """The note on a result: which instance it is the same as, or why it is not known."""
    if result.same_as is not None:
        other = found.results[result.same_as].instance
        values = " ".join(f"{name}={other.params[name]}" for name in found.varied if name in other.params)
        about = "; ".join(part for part in (values, *(other.changes if other.changes != result.instance.changes
                                                      else ())) if part) or "the first"
        return f"same as {about}, by {'names' if result.why_same == 'names' else 'a ' + result.why_same}"
    return "" if result.found.solved else result.found.reason


def _print_claim(judged: Judged) -> None:
    """Print the verdict on a claim, with its smallest counterexample."""
    from dslgame.laboratory.columns import cells

    counts = ", ".join(f"{judged.count(verdict)} {verdict}" for verdict in ("confirmed", "refuted", "open",
                                                                           "not concerned") if judged.count(verdict))
    click.echo(f"claim '{judged.claim.text}': {judged.verdict} ({counts})")
    result = judged.counterexample
    if result is not None:
        value = "a draw" if result.winner == "draw" else cells(result, ["value"])[0] if result.found.solved else \
            "not what is claimed"
        click.echo(f"  smallest counterexample: {result.instance.name}: {value}")
        if result.found.worth is None:
            click.echo(wrapped("  line of play: ", " ".join(judged.line) or "none is known within the limits"))
