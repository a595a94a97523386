"""Processor time and answers of two checkouts of the project, side by side, in alternating rounds.

    python -m bench.commits OLD [--new FOLDER] [--rounds N] [--only TEXT] [--json | --markdown]

OLD is a folder with another state of the project, for instance of `git worktree add`. Each checkout works in a process
and with a cache of its own, on the games of its own `bench.strong`, `bench.searches` and `bench.patterns`; what both
have is compared. A first round, in which kernels are compiled or loaded, does not count. Ratios are old to new: above 1
the new checkout is faster. Answers are compared, too: values of all positions, positions looked at, and the moves that
were found with how many were searched.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from math import exp, log
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any, TypeVar

FoundT = TypeVar("FoundT")
Work = Callable[[], tuple[float, object]]
"""Does a case's work once: its processor seconds, and what it answers."""
POSITIONS = 2
"""So many positions are searched in a case of `bench.patterns`."""
LEAST = 0.1
"""A case's work is repeated in a round until it took so many seconds."""


# ---- in a checkout


def _module(name: str) -> ModuleType:
    """A module of the checkout that this process works for, which may be another than this file's."""
    return importlib.import_module(name)


def _timed(work: Callable[[], FoundT]) -> tuple[float, FoundT]:
    """The processor seconds of a call, and its result."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def _strong(case: Any) -> Work:
    """The values of all positions."""
    bench = _module("bench.strong")
    space = bench.GameSpace(_module("dslgame").load(case.name, **case.params))

    def work() -> tuple[float, object]:
        solver = bench.table_solver(space, bench.Budget())
        seconds, found = _timed(solver.run)
        value = found.value(space.root)
        return seconds, (value.winner, value.remoteness, found.unmerged(), found.merged, found.tally())

    return work


def _searched(case: Any, way: str) -> Work:
    """A search in one way; the number of positions."""
    game = _module("dslgame").load(case.name, **case.params)
    return partial(_timed, partial(_module("bench.searches").WAYS[way], game))


def _patterned(case: Any, choosing: object) -> Work:
    """Searches of a few positions to equal depth; what was found in each."""
    bench = _module("bench.patterns")
    game = _module("dslgame").load(case.name, **case.params)
    search = bench.Deepening(bench.entries(game), choosing=choosing)
    openings = bench.random_openings(game, POSITIONS, case.opening, seed=1) if case.opening else [()]
    positions = [_after(game, opening) for opening in openings]

    def work() -> tuple[float, object]:
        seconds, answers = 0.0, []
        for position in positions:
            search.forget()
            took, found = _timed(partial(search.search, position.state, bench.Limit(plies=case.plies),
                                         history=position.history))
            seconds += took
            answers.append((game.notation.write(position.state, found.move), found.report.nodes))
        return seconds, answers

    return work


def _after(game: Any, moves: Any) -> Any:
    """The position after some moves."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def cases() -> dict[str, Callable[[], Work]]:
    """What the checkout can measure, by titles. Searches with two threads are left out: their counts differ by luck."""
    strong, searches, patterns = (_module(f"bench.{name}") for name in ("strong", "searches", "patterns"))
    found: dict[str, Callable[[], Work]] = {}
    for case in strong.CASES:
        if not case.large:
            found[f"strong: {case.title}"] = partial(_strong, case)
    for case in searches.CASES:
        for way in case.ways:
            if not case.large and way != "two threads":
                found[f"searches: {case.title}, {way}"] = partial(_searched, case, way)
    for case in patterns.DEPTHS:
        for choosing, text in ((patterns.ALL, "all moves"), (patterns.FIRST, "proposed first")):
            title = f"patterns: {patterns.named(case.name, case.params)}, {case.plies} plies, {text}"
            found[title] = partial(_patterned, case, choosing)
    return found


def _serve() -> None:
    """Answer a line with a title by the seconds and the answer of one round, until the lines end."""
    known, ready = cases(), dict[str, Work]()
    print(json.dumps(list(known)), flush=True)
    for line in sys.stdin:
        title = json.loads(line)
        if title not in ready:
            ready = {title: known[title]()}
            ready[title]()
        seconds: list[float] = []
        while sum(seconds) < LEAST:
            took, answer = ready[title]()
            seconds.append(took)
        print(json.dumps([sum(seconds) / len(seconds), repr(answer)]), flush=True)


# ---- between checkouts


class Checkout:
    """A process that measures one checkout."""

    def __init__(self, folder: Path, cache: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(cache)}
        self.process = subprocess.Popen([sys.executable, str(Path(__file__).resolve()), "--serve"], cwd=folder,
                                        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.titles: list[str] = self._line()

    def _line(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, title: str) -> tuple[float, str]:
        """Seconds and answer of one round of a case."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(title) + "\n")
        self.process.stdin.flush()
        seconds, answer = self._line()
        return seconds, answer

    def end(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def measured(old: Checkout, new: Checkout, title: str, *, rounds: int) -> dict[str, Any]:
    """A row: seconds of both checkouts, the ratio of their medians, and whether their answers are the same."""
    times: dict[Checkout, list[float]] = {old: [], new: []}
    answers: dict[Checkout, str] = {}
    for number in range(rounds):
        for side in (old, new) if number % 2 == 0 else (new, old):
            seconds, answers[side] = side.ask(title)
            times[side].append(seconds)
    before, after = median(times[old]), median(times[new])
    return {"case": title, "old_seconds": before, "new_seconds": after, "ratio": before / after,
            "least_ratio": min(times[old]) / min(times[new]), "same": answers[old] == answers[new],
            **({} if answers[old] == answers[new] else {"old_answer": answers[old], "new_answer": answers[new]})}


def shown(rows: list[dict[str, Any]]) -> list[list[str]]:
    """The rows as texts, and the geometric mean of each benchmark and of all."""
    from bench.measure import short

    texts = [["case", "old", "new", "old / new", "of the least", "same answers"]]
    texts += [[row["case"], short(row["old_seconds"]), short(row["new_seconds"]), f"{row['ratio']:.3f}",
               f"{row['least_ratio']:.3f}", "yes" if row["same"] else "no"] for row in rows]
    for name, ratios in _means(rows).items():
        mean, least = (exp(sum(map(log, column)) / len(column)) for column in zip(*ratios, strict=True))
        texts.append([f"geometric mean, {name}", "", "", f"{mean:.3f}", f"{least:.3f}", ""])
    return texts


def _means(rows: list[dict[str, Any]]) -> Mapping[str, list[tuple[float, float]]]:
    """The ratios of each benchmark, then those of all."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        found.setdefault(row["case"].partition(":")[0], []).append((row["ratio"], row["least_ratio"]))
    return {**found, "all": [pair for pairs in found.values() for pair in pairs]} if rows else {}


def main() -> None:
    """Measure what both checkouts have, and print it."""
    from bench.command import options_of, report

    parser = options_of("commits", __doc__, rounds=3, pages=True)
    parser.add_argument("old", type=Path, help="a folder with another state of the project")
    parser.add_argument("--new", type=Path, default=Path(__file__).parents[1], help="the other (this one)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only cases with this text in their title")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "dslgame-commits",
                        help="a folder for the caches (%(default)s)")
    options = parser.parse_args()
    cache = options.cache.resolve()
    old, new = Checkout(options.old.resolve(), cache / "old"), Checkout(options.new.resolve(), cache / "new")
    rows = []
    for title in new.titles:
        if title in old.titles and options.only in title:
            rows.append(measured(old, new, title, rounds=options.rounds))
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    old.end()
    new.end()
    report("commits", options, rows, lambda form: form(shown(rows)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        del sys.path[0]  # this file's folder, which no checkout imports from
        _serve()
    else:
        main()
