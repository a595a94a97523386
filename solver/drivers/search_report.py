"""Results of a search on a kernel: values of positions, the principal variation, and the report of the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from interpreter.analysis.hopes import OTHER, OWN
from interpreter.model.state import DRAW, Move, State
from solver.drivers.null_window import WIN
from solver.drivers.search_context import Child, SearchContext, TranspositionTable
from solver.report import Deepened, Report
from solver.strong import Value

_LONGEST_LINE = 200
_PRUNED = {"by end": "a finished child", "by table": "the table", "first cuts": "the first child searched",
           "cuts": "any child", "repeated": "a repetition", "won at once": "a win at once",
           "lost at once": "a threat twice", "by carrier": "a carrier", "by musts": "the lack of a must",
           "filled in": "cells that no longer matter",
           "twins": "the same way to a repetition"}


class SearchStats(Protocol):
    """The statistics that a question keeps of its search."""

    @property
    def nodes(self) -> int:
        """The number of positions searched."""

    @property
    def filled(self) -> int:
        """The number of empty table entries that the search filled."""

    @property
    def counts(self) -> Mapping[str, int]:
        """The counters of the search, by their names in reports."""

    @property
    def plies(self) -> Sequence[int]:
        """The number of positions searched at each distance from the root."""


@attrs.frozen
class FinishedStats:
    """The statistics of a finished question."""

    nodes: int
    counts: Mapping[str, int]
    plies: Sequence[int]
    filled: int = 0
    """0, as the table that it wrote into no longer exists."""

    @classmethod
    def of(cls, question: SearchStats) -> FinishedStats:
        """Return a question's statistics so far, without the entries that it wrote into a table that is dropped."""
        counts = {name: number for name, number in question.counts.items() if name not in ("filled", "replaced")}
        return cls(question.nodes, counts, list(question.plies))


def value_of(child: Child, lower: int, upper: int, players: int) -> Value | None:
    """Return the value of a position whose score has these bounds; None where they leave it open."""
    if child.outcome is not None:
        return Value(child.outcome, 0)
    other = 1 - child.to_move if players == 2 else DRAW
    exact = lower == upper
    if lower > 0:
        return Value(child.to_move, WIN - lower if exact else None)
    if upper < 0:
        return Value(other, WIN + upper if exact and players == 2 else None)
    return Value(DRAW, None) if lower == upper == 0 else None


def known_value(child: Child, table: TranspositionTable, players: int) -> Value | None:
    """Return the value of a position if the bounds in a table determine it, else None."""
    bounds = (0, 0) if child.outcome is not None else table.known(child.key)
    return None if bounds is None else value_of(child, *bounds, players)


def report_of(method: str, nodes: int, seconds: float, questions: Iterable[SearchStats],
              tables: Sequence[TranspositionTable], depths: Mapping[int, Sequence[float]],
              line: tuple[str, ...]) -> Report:
    """Return the report of a search; `depths` maps each number of plies asked about to positions and seconds."""
    counts: dict[str, int] = {}
    plies: list[int] = []
    for question in questions:
        for name, number in question.counts.items():
            counts[name] = counts.get(name, 0) + number
        for ply, number in enumerate(question.plies):
            plies += [0] * (ply + 1 - len(plies))
            plies[ply] += number
    table = {"places": sum(table.entries for table in tables), "used": counts.get("filled", 0),
             "bytes": sum(table.bytes for table in tables)}
    table |= {name: counts.get(key, 0) for name, key in (
        ("asked", "probes"), ("hits", "hits"), ("stored", "stored"), ("replaced", "replaced"))}
    pruned = {name: counts[key] for key, name in _PRUNED.items() if key in counts}
    deepened = tuple(Deepened(depth, int(nodes), seconds, "", ()) for depth, (nodes, seconds) in
                     sorted(depths.items()) if depth)
    return Report(method, nodes, seconds, leaves=counts.get("leaves", 0), ends=counts.get("leaves", 0),
                  moves=counts.get("children", 0), pruned=pruned, spared=counts.get("spared"), table=table,
                  depths=deepened, plies=tuple(plies), line=line)


def principal_variation(context: SearchContext, root: State, table: TranspositionTable,
                        searched: Callable[[State], None] = lambda state: None) -> tuple[str, ...]:
    """Return the best moves of both sides, as far as a table of bounds has them.

    Where the table has nothing about a position's moves, `searched` may fill it: searches do not store what is near the
    end.
    """
    game = context.kernel.game
    state = root
    result: list[str] = []
    while len(result) < _LONGEST_LINE and state.outcome is None:
        move = _best(context, state, table)
        if move is None:
            searched(state)
            move = _best(context, state, table)
            if move is None:
                break
        result.append(game.notation.write(state, move))
        after = game.engine.apply(state, move)
        assert after is not None
        state = after
    return tuple(result)


def _best(context: SearchContext, state: State, table: TranspositionTable) -> Move | None:
    """Return a move with the best proven score; None where nothing is proven about the moves."""
    best: tuple[int, int] | None = None
    chosen: Any = None
    for child in context.children(state):
        if child.outcome is not None:
            score = 0 if child.outcome == DRAW else WIN if child.outcome == child.to_move else -WIN
            low = high = score
        else:
            low, high = table.known(child.key) or (-WIN, WIN)
            hopes = context.hopes(child.row)
            low = low if hopes & OTHER else max(low, 0)
            high = high if hopes & OWN else min(high, 0)
            if (low, high) == (-WIN, WIN):
                continue
        if child.to_move != state.to_move:
            low, high = -high, -low
        rank = (1, low) if low > 0 else (0, low) if low == high == 0 else (-1, high)
        if best is None or rank > best:
            best, chosen = rank, child.move
    return None if chosen is None else chosen
