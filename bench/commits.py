"""Compares processor time and answers of two checkouts of the project in alternating rounds.

    python -m bench.commits OLD [--new FOLDER] [--rounds N] [--only TEXT] [--json | --markdown]

OLD is a folder with another state of the project, such as one made by `git worktree add`. Each checkout runs in its own
process with its own cache, on the cases of its own `bench.strong`, `bench.searches` and `bench.patterns`; the cases
that both have are compared. A first round, which compiles or loads kernels, does not count. Ratios are old to new:
above 1 the new checkout is faster. Answers are compared, too: the values of all positions, the numbers of positions
searched, and the moves found with their numbers of nodes.
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
"""Does the work of a case once; returns its processor seconds and its answer."""
POSITIONS = 2
"""The number of positions searched in a case of `bench.patterns`."""
LEAST = 0.1
"""The processor seconds for which a round repeats the work of a case."""


# ---- in the process of a checkout


def _module(name: str) -> ModuleType:
    """Import a module of the checkout that this process measures, which may not be the one that this file is in."""
    return importlib.import_module(name)


def _timed(work: Callable[[], FoundT]) -> tuple[float, FoundT]:
    """Call a function; return its processor seconds and its result."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def _strong(case: Any) -> Work:
    """Solve a game strongly; the answer is the root's value, the counts of positions, and the tally of values."""
    bench = _module("bench.strong")
    space = bench.GameSpace(_module("dslgame").load(case.name, **case.params))

    def work() -> tuple[float, object]:
        solver = bench.table_solver(space, bench.Budget())
        seconds, found = _timed(solver.run)
        value = found.value(space.root)
        return seconds, (value.winner, value.remoteness, found.unmerged(), found.merged, found.tally())

    return work


def _searched(case: Any, way: str) -> Work:
    """Search a game in one way; the answer is the number of positions searched."""
    game = _module("dslgame").load(case.name, **case.params)
    return partial(_timed, partial(_module("bench.searches").WAYS[way], game))


def _patterned(case: Any, choosing: object) -> Work:
    """Search a few positions to a fixed depth; the answer is the move and the number of nodes of each."""
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
    """The cases of the checkout by title, without searches on two threads, whose counts vary from run to run."""
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
    """Print the titles of all cases, then answer each title on stdin with the seconds and the answer of one round."""
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
    """Runs the process that measures one checkout."""

    def __init__(self, folder: Path, cache: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(cache)}
        self.process = subprocess.Popen([sys.executable, str(Path(__file__).resolve()), "--serve"], cwd=folder,
                                        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.titles: list[str] = self._line()

    def _line(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, title: str) -> tuple[float, str]:
        """Run one round of a case; return its seconds and its answer."""
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
    """Measure a case in both checkouts: median seconds, ratios, and whether the answers are the same."""
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
    """Format the rows as texts, followed by the geometric means of each benchmark and of all."""
    from bench.measure import short

    texts = [["case", "old", "new", "old / new", "of the least", "same answers"]]
    texts += [[row["case"], short(row["old_seconds"]), short(row["new_seconds"]), f"{row['ratio']:.3f}",
               f"{row['least_ratio']:.3f}", "yes" if row["same"] else "no"] for row in rows]
    for name, ratios in _means(rows).items():
        mean, least = (exp(sum(map(log, column)) / len(column)) for column in zip(*ratios, strict=True))
        texts.append([f"geometric mean, {name}", "", "", f"{mean:.3f}", f"{least:.3f}", ""])
    return texts


def _means(rows: list[dict[str, Any]]) -> Mapping[str, list[tuple[float, float]]]:
    """The pairs of ratios of each benchmark, then those of all."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        found.setdefault(row["case"].partition(":")[0], []).append((row["ratio"], row["least_ratio"]))
    return {**found, "all": [pair for pairs in found.values() for pair in pairs]} if rows else {}


def main() -> None:
    """Measure the cases that both checkouts have, and print them."""
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
        del sys.path[0]  # this file's folder; modules must come from the measured checkout
        _serve()
    else:
        main()
