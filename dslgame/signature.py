"""A signature of the engines' behaviour: the counts of fixed searches over games, and one hash of them all.

Every search is bounded by positions or games, never by time, runs in one thread and begins at a game's start, so that
its counts are the same on every machine, however fast or busy. A commit that should change no behaviour leaves the
signature unchanged; one that changes an order of moves, a bound or a rule shows by how much, game by game. The command
`bench --signature` prints the results.

Only Monte-Carlo tree search uses floating-point numbers: 64-bit logarithms and square roots, whose last digit decides
between two moves so rarely that no machine is known to differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from interpreter.compiler.lowering.errors import NotLowered
from interpreter.errors import RuleError
from interpreter.game import Game
from solver.entries import Entries

COUNTED = 100_000
"""The most move sequences of one length that are counted."""
DEEPEST = 12
"""The greatest length of counted sequences."""
SEARCHED = 5_000
"""The node limit of alpha-beta."""
PROVED = 4_000
"""The node limit of proof-number search."""
PLAYED = 300
"""The random games of Monte-Carlo tree search."""
ENUMERATED = 20_000
"""The position limit of the enumeration of all positions."""
MOST_OFFERED = 64
"""Games whose start has more moves are not enumerated: the first step alone would give too many positions."""
SEED = 1

Counts = dict[str, object]
"""The counts of one search; `stopped` says why it was cut short or left out."""


def signature_of(games: Iterable[tuple[str, Game]], *, progress: Callable[[str], None] | None = None) -> dict[
        str, dict[str, Counts]]:
    """The counts of each search, for each game by its name."""
    result = {}
    for name, game in games:
        if progress is not None:
            progress(name)
        result[name] = dict(_counts(game))
    return result


def hash_of(counts: Mapping[str, Mapping[str, Counts]]) -> str:
    """The hash of all counts, 16 hexadecimal digits; it does not depend on the order of games."""
    text = json.dumps(counts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _counts(game: Game) -> Iterator[tuple[str, Counts]]:
    """Yield the counts of each search on a game. Each search starts afresh: none depends on those before it."""
    try:
        entries = Entries.of(game)
    except NotLowered as problem:
        yield "kernel", {"stopped": str(problem)}
        return
    for name, search in SEARCHES.items():
        try:
            yield name, search(entries)
        except RuleError as problem:
            yield name, {"stopped": problem.code}


def _perft(entries: Entries) -> Counts:
    """The numbers of move sequences of each length, as long as they are not too many."""
    counts: list[int] = []
    for depth in range(1, DEEPEST + 1):
        counts, _ = entries.kernel.perft(depth)
        growth = counts[-1] / counts[-2] if depth > 1 and counts[-2] else counts[-1]
        if not counts[-1] or counts[-1] * max(growth, 1) > COUNTED:
            break
    return {"sequences": counts}


def _alphabeta(entries: Entries) -> Counts:
    """Alpha-beta with iterative deepening, as players search."""
    from solver.players.iterative_deepening import Deepening
    from solver.players.limits import Limit

    if entries.players > 2:
        return {"stopped": "more than two players"}
    result = Deepening(entries, table_mib=1).search(entries.game.engine.start(), Limit(nodes=SEARCHED), seed=SEED)
    report = result.report
    report.check_interrupted()
    depth = max((item.depth for item in report.depths), default=0)
    return {"nodes": report.nodes, "leaves": report.leaves, "depth": depth,
            "score": result.score, "line": list(report.line)}


def _proof(entries: Entries) -> Counts:
    """Proof-number search for the values of all first moves."""
    from solver.budget import Budget
    from solver.drivers.weak import search_on_kernel
    from solver.game_space import GameSpace
    from solver.methods import PROOF

    if entries.players > 2:
        return {"stopped": "more than two players"}
    result = search_on_kernel(GameSpace(entries.game), Budget(PROVED), "", remoteness=False, method=PROOF)
    return {"nodes": result.positions, "winner": result.winner, "known": sum(
        move.winner is not None for move in result.moves)}


def _mcts(entries: Entries) -> Counts:
    """Monte-Carlo tree search."""
    from solver.players.limits import Limit
    from solver.players.mcts import MonteCarloSearch

    game = entries.game
    search = MonteCarloSearch(entries, nodes=1 << 18)
    result = search.search(game.engine.start(), Limit(nodes=PLAYED), seed=SEED)
    result.report.check_interrupted()
    return {"nodes": result.report.nodes, "moves": result.report.simulated, "line": list(result.report.line)}


def _strong(entries: Entries) -> Counts:
    """Enumerate and solve all positions, up to symmetry, where they are few."""
    from solver.budget import Budget, OutOfBudget
    from solver.game_space import GameSpace
    from solver.tables.enumeration import TooLarge
    from solver.tables.table import SolvedTable, TableSolver

    if entries.players > 2:
        return {"stopped": "more than two players"}
    if len(entries.game.start().legal()) > MOST_OFFERED:
        return {"stopped": f"more than {MOST_OFFERED} moves"}
    solver = TableSolver(GameSpace(entries.game), entries.kernel, Budget(ENUMERATED), threads=1)
    try:
        table = solver.run()
    except (OutOfBudget, TooLarge):
        return {"positions": solver.enumeration.positions, "stopped": "too many positions"}
    assert isinstance(table, SolvedTable), "nothing was to be saved"
    return {"positions": table.merged, **table.tally(), "longest": table.longest()}


SEARCHES: dict[str, Callable[[Entries], Counts]] = {
    "perft": _perft, "alphabeta": _alphabeta, "proof": _proof, "mcts": _mcts, "strong": _strong}
"""The searches, by name, in the order in which they run."""


def number_of(counts: Counts) -> int | None:
    """The number of positions or sequences of a search, for tables; None where it was left out."""
    for name in ("nodes", "positions"):
        if isinstance(counts.get(name), int):
            result: Any = counts[name]
            return int(result)
    sequences: Any = counts.get("sequences")
    return sum(sequences) if sequences else None
