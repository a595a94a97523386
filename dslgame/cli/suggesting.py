"""`dslgame variants --mutate`: measure small changes of a game file, and write the best few as files."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dslgame.cli.common import doing
from dslgame.cli.output import counted, print_json, progress, table
from dslgame.cli.writing import refuse_existing, write_file

if TYPE_CHECKING:
    from dsl.syntax.source import Source
    from dslgame.laboratory.mutations import Goal, Suggestion
    from dslgame.laboratory.profile import Profile


def suggest(source: Source, params: dict[str, int], count: int, improve: Sequence[str], keep: int, seed: int,
            folder: Path | None, *, as_json: bool) -> None:
    """Try changes, print those that improve the measures, and write them to a folder with diffs and measures."""
    from dslgame.laboratory import mutations

    stem = Path(source.name).stem or "game"
    files = [] if folder is None else [folder / f"{stem}-{number}{suffix}" for number in range(1, keep + 1)
                                       for suffix in (".game", ".diff", ".json")]
    for file in files:
        refuse_existing(str(file))
    try:
        goals = [mutations.Goal.of(text) for text in improve]
        with doing(f"changing {source.name}"), progress("changing", quiet=as_json) as show:
            before, result = mutations.suggest(source, params, goals, count=count, best=keep, seed=seed, told=show)
    except KeyError as problem:
        raise click.UsageError(f"random games of this file do not show the measure '{problem.args[0]}'") from None
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    if folder is not None:
        _write(source, result, folder, stem)
    if as_json:
        print_json({"game": before.game.title, "before": before.as_object(), "suggestions": [
            {"changes": list(item.changes), "score": round(item.score, 4), "diff": item.diff(source),
             **item.profile.as_object()} for item in result]})
        return
    _print(before, result, goals, source)
    if folder is not None and result:
        click.echo(f"written to {folder}: " + ", ".join(f"{stem}-{number}.game" for number in
                                                         range(1, len(result) + 1)))


def _write(source: Source, result: Sequence[Suggestion], folder: Path, stem: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for number, item in enumerate(result, start=1):
        write_file(str(folder / f"{stem}-{number}.game"), item.source.text.encode())
        write_file(str(folder / f"{stem}-{number}.diff"), item.diff(source).encode())
        write_file(str(folder / f"{stem}-{number}.json"), json.dumps(item.profile.as_object(), indent=1).encode())


def _print(before: Profile, result: Sequence[Suggestion], goals: Sequence[Goal], source: Source) -> None:
    click.echo(before.game.title)
    rows = [("", *(goal.name for goal in goals), "changes")]
    rows.append(("as it is", *(f"{before.value(goal.name):.3f}" for goal in goals), ""))
    for number, item in enumerate(result, start=1):
        rows.append((str(number), *(f"{item.profile.value(goal.name):.3f}" for goal in goals), "; ".join(item.changes)))
    click.echo(table(rows, right=(True, *[True] * len(goals), False)))
    for number, item in enumerate(result, start=1):
        click.echo(f"\n{number}:")
        for line in item.diff(source).splitlines()[2:]:
            click.echo(f"  {line}")
    click.echo(f"{counted(len(result), 'change')} kept")
