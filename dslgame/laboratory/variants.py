"""The results of a solved family as a table, CSV, JSON or a pandas frame, with its claims and period.

`variants(game, rows=(2, 3), ...)` solves a family; the command `variants` and the page call `solve_family`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from dslgame.laboratory.changes import Change
from dslgame.laboratory.claims import EXPECTS, Claim, ClaimError, Formula, Verdict
from dslgame.laboratory.columns import RANDOM
from dslgame.laboratory.columns import plain as plain_value
from dslgame.laboratory.family import Family, FamilyError, Instance, read_range
from dslgame.laboratory.periods import Period, period
from dslgame.laboratory.runs import Result, Run, Told
from dslgame.laboratory.solving import NODES, Limits, Plain, line_of
from dslgame.laboratory.store import Store
from solver.methods import AUTO

if TYPE_CHECKING:
    import pandas

COLUMNS = ("winner", "expected", "exact", "error", "plies", "wins", "draws", "losses", "unknown", "positions",
           "branching", "length", "method", "seconds", "same_as", "reason")
"""The columns of a table after those of the params and the changes."""


@attrs.frozen
class Judged:
    """A conjecture with its verdicts."""

    claim: Claim
    verdicts: tuple[Verdict, ...]
    """The verdict for each instance."""
    counterexample: Result | None
    """The smallest instance that refutes it: the one with the smallest board, then with the smallest params."""
    line: tuple[str, ...]
    """The principal variation of the counterexample; () where its value is an expectation."""

    def count(self, verdict: Verdict) -> int:
        """The number of instances with a verdict."""
        return self.verdicts.count(verdict)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the conjecture as a whole."""
        if self.counterexample is not None:
            return "refuted"
        if not self.count("confirmed"):
            return "open" if self.count("open") else "not concerned"
        return "open" if self.count("open") else "confirmed"

    def as_object(self) -> Plain:
        """The verdicts as plain values for JSON."""
        result = self.counterexample
        return {"text": self.claim.text, "verdict": self.verdict, "confirmed": self.count("confirmed"),
                "refuted": self.count("refuted"), "open": self.count("open"),
                "not_concerned": self.count("not concerned"),
                "counterexample": None if result is None else {
                    "instance": result.instance.number, "params": dict(result.instance.params),
                    "with": list(result.instance.changes), "line": list(self.line)}}


@attrs.frozen(eq=False)
class Variants:
    """A family with the result of each instance."""

    title: str
    results: tuple[Result, ...]
    varied: tuple[str, ...]
    """The params that take several values."""
    claims: tuple[Judged, ...] = ()

    def as_object(self, *, openings: bool = False, columns: Sequence[str] = ()) -> Plain:
        """Return plain values for JSON: `{"game", "instances": [...]}`; unsolved instances have what is `known`."""
        result: Plain = {"game": self.title, "instances": [
            self._instance(number, openings, columns) for number in range(len(self.results))]}
        if self.claims:
            result["claims"] = [judged.as_object() for judged in self.claims]
        return result

    def _instance(self, number: int, openings: bool, columns: Sequence[str]) -> Plain:
        result = self.results[number]
        found, game = result.found, result.instance.game
        known, worth = found.solved, found.worth
        plain: Plain = {
            "params": dict(result.instance.params), "with": list(result.instance.changes),
            "value": {"winner": result.winner, "remoteness": found.remoteness} if known else None,
            "positions": found.positions, "method": found.method, "seconds": found.seconds}
        if worth is not None:
            plain["value"] |= {"expected": worth.value, "exact": worth.exact, "error": worth.error}
        if not known:
            plain["known"] = {"possible": [] if game is None else [game.outcome_name(item) for item in found.possible],
                              "reason": found.reason}
        if openings:
            plain["openings"] = dict(result.openings)
            wins = result.first_moves()
            plain["winning"] = None if wins is None else list(wins)
            plain |= {"branching": found.branching, "length": found.length, "same_as": result.same_as,
                      "why_same": result.why_same}
        if columns:
            plain["columns"] = {name: plain_value(result, name) for name in columns}
        if self.claims:
            plain["claims"] = [judged.verdicts[number] for judged in self.claims]
        return plain

    def rows(self) -> list[Plain]:
        """A row for each instance: its params, changes (`with`), `COLUMNS`, and measures of random games."""
        names = list(dict.fromkeys(name for result in self.results for name in result.instance.params))
        measured = list(dict.fromkeys(name for result in self.results for name in result.found.measures))
        rows = []
        for number, result in enumerate(self.results):
            found, openings = result.found, result.openings
            row: Plain = {name: result.instance.params.get(name) for name in names}
            row["with"] = "; ".join(result.instance.changes)
            worth = result.expected
            row |= {"winner": result.winner, "expected": None if worth is None else worth.value,
                    "exact": None if worth is None else worth.exact, "error": None if worth is None else worth.error,
                    "plies": found.remoteness, "wins": openings["win"],
                    "draws": openings["draw"], "losses": openings["lose"], "unknown": openings["unknown"],
                    "positions": found.positions, "branching": found.branching, "length": found.length,
                    "method": found.method, "seconds": found.seconds, "same_as": result.same_as,
                    "reason": found.reason}
            row |= {name + RANDOM: found.measures.get(name) for name in measured}
            for judged in self.claims:
                row[judged.claim.text] = judged.verdicts[number]
            rows.append(row)
        return rows

    def csv(self) -> str:
        """The rows as comma-separated values with a header line; unknown values are empty."""
        rows = self.rows()
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def frame(self) -> pandas.DataFrame:
        """The rows as a pandas frame. Raises ImportError, with how to install it, where pandas is missing."""
        try:
            import pandas
        except ImportError:
            raise ImportError("a frame needs pandas: pip install 'dslgame[frames]'") from None
        return pandas.DataFrame(self.rows())

    def period(self) -> Period | None:
        """The period of the winners, where a single param varies, over consecutive values; None where there is none."""
        if len(self.varied) != 1 or len({result.instance.changes for result in self.results}) != 1:
            return None
        (name,) = self.varied
        values = [result.instance.params.get(name) for result in self.results]
        first = values[0] if values else None
        if first is None or values != list(range(first, first + len(values))):
            return None
        return period(name, first, [result.found.winner for result in self.results])

    def _repr_html_(self) -> str:
        """The table of the rows as HTML, for notebooks."""
        from interpreter.pictures.html import table

        shown = [name for name in self.rows()[0] if name not in ("reason", "same_as")] if self.results else []
        return table(shown, [["" if row[name] is None else row[name] for name in shown] for row in self.rows()],
                     self.title)

    def __repr__(self) -> str:
        solved = sum(result.found.solved for result in self.results)
        return f"<Variants of {self.title!r}: {len(self.results)} instances, {solved} solved>"


def variants(game: str | Path, *, alternatives: Sequence[Sequence[str]] = (), where: str = "",
             claims: Sequence[str] = (), nodes: int | None = NODES, memory: int | None = None,
             seconds: float | None = None, method: str = AUTO, value_only: bool = False, jobs: int = 1,
             cluster: str = "", store: Store | bool = True, told: Told | None = None,
             **params: int | Sequence[int] | str) -> Variants:
    """Solve a family: a game file, or a bundled game by name, at several values of its params.

    A param is a number, several numbers, or a text such as "2..4". Each of `alternatives` is a choice between changes
    of the rules (see `dslgame.laboratory.changes`); every instance has one change of each choice. `where` is a
    condition on params, `claims` are conjectures. Each instance is given up after `nodes` positions, `memory` MiB or
    `seconds`; `value_only` finds only who wins. `jobs` is the number of processes that solve in parallel; with
    `cluster`, the address of a Dask scheduler, its workers solve instead. Results are stored on disk unless `store` is
    false. `told` is called with each result as it comes.

    Raises OSError where the file cannot be read; FamilyError, ChangeError or ClaimError, all ValueErrors, for invalid
    arguments; Refused where there is no such cluster.
    """
    from dsl.syntax.source import Unreadable, read
    from dslgame import bundled

    source = read(bundled.find(game))
    if isinstance(source, Unreadable):
        raise OSError(source.phrase)
    return solve_family(
        Family(source, {name: _values(value) for name, value in params.items()},
               [[Change.of(text) for text in choice] for choice in alternatives], Formula.of(where) if where else None),
        [Claim.of(text) for text in claims], Limits(nodes, memory, seconds, method, value_only), jobs=jobs,
        cluster=cluster, store=Store.usual() if store is True else store or None, told=told)


def _values(given: int | Sequence[int] | str) -> Sequence[int]:
    if isinstance(given, int):
        return (given,)
    return read_range(given) if isinstance(given, str) else tuple(given)


def solve_family(family: Family, claims: Sequence[Claim], limits: Limits, *, jobs: int, store: Store | None,
                 cluster: str = "", told: Told | None = None) -> Variants:
    """Solve a family, and judge claims by its results.

    Raises FamilyError, ChangeError or ClaimError before anything is solved, Refused where there is no such cluster.
    """
    instances = tuple(family.instances())
    games = [item.game for item in instances if item.game is not None]
    if not games:
        if not instances:
            raise FamilyError("there is no instance: no values of the params fulfil the condition")
        raise FamilyError(f"none of the {len(instances)} instances is a game: {instances[0].problem}")
    if len(games[0].players) > 2:
        raise FamilyError(f"variants are games for one or two players, and {games[0].title} has "
                          f"{len(games[0].players)}; `dslgame solve` solves games for more")
    for claim in claims:
        _try(claim, instances)
    results = tuple(Run.of(instances, limits, store=store, jobs=jobs, cluster=cluster).run(told))
    varied = tuple(name for name, values in family.ranges.items() if len(values) > 1)
    return Variants(games[0].title, results, varied, tuple(_judged(claim, results, limits) for claim in claims))


def _try(claim: Claim, instances: Sequence[Instance]) -> None:
    """Raise ClaimError where a claim cannot be judged for some instance."""
    for item in instances:
        if item.game is not None:
            claim.player(item.game.players, 0)
            if claim.than is None and (item.game.rules.has_chance or not item.game.observer.sees_all):
                raise ClaimError(f"'{claim.text}' is about who can force what, and in {item.game.title} chance or what "
                                 f"players do not see has a part in it; expected a claim such as {EXPECTS}")
            if claim.condition is not None:
                claim.condition.holds(item.params)


def _judged(claim: Claim, results: Sequence[Result], limits: Limits) -> Judged:
    verdicts: list[Verdict] = []
    for result in results:
        game = result.instance.game
        verdicts.append("not concerned" if game is None else claim.judge(
            result.instance.params, game.players, result.found.to_move, result.found.known, result.expected))

    refuting = [result for result, verdict in zip(results, verdicts, strict=True) if verdict == "refuted"]
    smallest = min(refuting, key=_size, default=None)
    line: tuple[str, ...] = ()
    if smallest is not None:
        assert smallest.instance.game is not None  # it was judged
        line = line_of(smallest.instance.game, limits) if smallest.found.worth is None else ()
    return Judged(claim, tuple(verdicts), smallest, line)


def _size(result: Result) -> tuple[int, int, int]:
    """The sort key of instances: the number of cells, then the sum of absolute params, then the instance's number."""
    instance = result.instance
    assert instance.game is not None  # only games are compared
    return instance.game.board.size, sum(map(abs, instance.params.values())), instance.number


__all__ = ["ClaimError", "Family", "FamilyError", "Judged", "Variants", "solve_family", "variants"]
