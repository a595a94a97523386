"""`dslgame perft --verify`: check the counts of the perft file beside a game.

On a mismatch it shows the root position and the counts below each move, which lead to the wrong rule.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from dslgame import bundled
from dslgame.cli.common import doing, load
from dslgame.cli.output import counted, elapsed, print_json, progress

if TYPE_CHECKING:
    from dslgame.cli.perft_count import Method
    from dslgame.perft_files import Expected
    from interpreter.game import Game, Position
    from solver.game_space import GameSpace


KERNEL_FROM = 50_000
"""The count above which the kernel is used from the start."""


class Counted(NamedTuple):
    """An expected count of a perft file, and the count found."""

    path: Path
    expected: Expected
    found: int
    explanation: str
    """On a mismatch, the position and the counts below its moves; otherwise empty."""

    @property
    def wrong(self) -> bool:
        """Whether the counts differ."""
        return self.found != self.expected.count

    def text(self) -> str:
        """The result as a line, with the explanation of a mismatch below it."""
        expected = self.expected
        if not self.wrong:
            return f"ok     {expected} {expected.count}"
        line = f"WRONG  {expected}: {self.path}:{expected.line} expects {expected.count}, counted {self.found}"
        return "\n".join(filter(None, [line, self.explanation]))

    def as_json(self) -> dict[str, object]:
        """The result as a JSON object."""
        expected = self.expected
        return {"kind": expected.kind, "depth": expected.depth, "params": dict(expected.params),
                "position": expected.position, "moves": expected.moves, "ignore_ends": expected.ignore_ends,
                "line": expected.line,
                "expected": expected.count, "found": self.found}


def verify(file: str, params: Mapping[str, int], depth: int | None, *, as_json: bool) -> bool:
    """Check all counts of a game's perft file (up to a depth), print them, and return whether all are right."""
    from dslgame import perft_files

    if params:
        raise click.UsageError("the perft file sets the params itself; --verify goes without -p")
    name = load(file, {}).rules.source.name  # reports errors of the game first
    path = bundled.beside(name, ".perft")
    if path is None:
        raise click.UsageError(f"there is no perft file beside the game: expected {Path(name).with_suffix('.perft')}")
    try:
        wanted = [item for item in perft_files.read(path) if depth is None or item.depth <= depth]
    except perft_files.PerftFileError as problem:
        raise click.ClickException(str(problem)) from None
    games: dict[tuple[tuple[str, int], ...], Game] = {}
    results = []
    started = time.perf_counter()
    for item in wanted:
        game = games.get(item.params) or games.setdefault(item.params, load(file, dict(item.params)))
        with doing(f"counting {item}"), progress(f"counting {item}", quiet=as_json):
            results.append(count(path, game, item))
        if not as_json:
            click.echo(results[-1].text())
    failed = sum(result.wrong for result in results)
    if as_json:
        print_json({"file": str(path), "counts": [result.as_json() for result in results], "failed": failed})
    else:
        verdict = f"{failed} wrong" if failed else "all right"
        click.echo(f"{path}: {counted(len(results), 'count')}, {verdict}, {elapsed(time.perf_counter() - started)}")
    return not failed


def count(path: Path, game: Game, expected: Expected) -> Counted:
    """Count what an entry of a perft file expects."""
    from dslgame.cli import perft_count as counting
    from solver.budget import Budget
    from solver.game_space import GameSpace
    from solver.strong import Strong

    position = expected.start(game)
    space = GameSpace(game, position.state, symmetry=expected.kind == "positions merged",
                      ignore_ends=expected.ignore_ends)
    if expected.kind in ("perft", "nodes"):
        method: Method = "auto" if expected.count > KERNEL_FROM else "interpreter"
        counts = counting.count(position, space, expected.depth, method=method, divide=False, memo=True, tell=None,
                                patience=0).counts
        result = counts.nodes if expected.kind == "nodes" else counts.counts[-1] if counts.counts else 1
    else:
        strong = Strong(space, Budget())
        strong.enumerate_until()
        result = len(strong.states)
    wrong = result != expected.count and expected.depth > 0
    return Counted(path, expected, result, _divided(position, space, expected.depth) if wrong else "")


def _divided(position: Position, space: GameSpace, depth: int) -> str:
    """The position, and the number of sequences of full depth below each of its moves."""
    from solver.perft import divide

    write = position.game.notation.write
    rows = [position.drawing(), *(f"{write(position.state, move)}: {count:,}" for move, count in divide(space, depth))]
    return "\n".join("  " + row for text in rows for row in text.splitlines())
