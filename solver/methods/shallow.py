"""Method shallow: a win, loss or draw that can be forced within a few plies."""

from __future__ import annotations

import time
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import attrs

from solver.methods import SHALLOW, Fit, GivesWay, Method

if TYPE_CHECKING:
    from interpreter.model.state import Move
    from solver.drivers.shallow import Shallow
    from solver.solve import Solution
    from solver.strong import Value
    from solver.task import Task

GLANCE, SECONDS = 400, 0.5
"""The nodes and seconds of the interpreter's search for a forced end before `auto` goes on to another method."""
_MOST_TABLE = 1024
"""The most MiB of a kernel's transposition table where memory has no limit."""
PROVEN = "the end can be forced so soon that looking a few plies ahead proves it"


def _fit(task: Task) -> Fit:
    never = float("inf")
    if task.game is None:
        return Fit(never, "it plays by the rules of a game, and this is not a game")
    if task.asked:
        return Fit(GLANCE, "")
    if not task.value_only:
        return Fit(never, "it finds the value alone, and the values of the first moves are wanted")
    if task.report or task.engine == "kernel":
        return Fit(never, "it uses the interpreter, and a search on compiled rules, or its report, was asked for")
    if task.history_rule:
        return Fit(never, f"'repetition {task.history_rule}' makes values depend on the moves before")
    return Fit(GLANCE, "a forced end within a few plies is found before anything is enumerated")


def _solve(task: Task, why: str) -> Solution[Any, Any]:
    from solver.drivers.shallow import NODES, PLAIN_NODES, Shallow
    from solver.solve import answer_of
    from solver.strong import Value

    space = task.game_space
    assert space is not None  # `_fit` refuses any other task
    root = space.root
    if root.outcome is not None and not task.asked:
        raise GivesWay
    started = time.perf_counter()
    value: Value | None = None if root.outcome is None else Value(root.outcome, 0)
    moves: dict[Move, Value] = {}
    looked_at, depth, engine = 1, 0, "interpreter"
    if value is None:
        most = task.budget.nodes or NODES
        value_only = task.value_only or not task.asked
        proof = Shallow(space.game).prove(root, nodes=min(most, PLAIN_NODES) if task.asked else GLANCE,
                                          seconds=None if task.asked else SECONDS, value_only=value_only)
        if task.asked and not proof.settles(value_only=value_only) and most > PLAIN_NODES:
            prover = _by_kernel(task, most)
            engine = "interpreter" if prover.entries is None else "kernel"
            if prover.entries is not None or task.budget.nodes is not None:
                proof = prover.prove(root, nodes=most, value_only=value_only)
        value, looked_at, depth = proof.value, max(1, proof.nodes), proof.depth
        moves = dict(proof.moves)
    if not task.asked and (value is None or value.remoteness is None):
        raise GivesWay
    values: list[tuple[Move, Hashable, Value | None]] = []
    for move, after in [] if root.outcome is not None else space.successors(root):
        result = moves.get(move)
        left = None if result is None or result.remoteness is None else result.remoteness - 1
        values.append((move, space.canonical(after), None if result is None else Value(result.winner, left)))
    end, plies = "end" if engine == "interpreter" else "win", "ply" if depth == 1 else "plies"
    further = "" if task.budget.nodes else " (--nodes N sets how far)"
    reason = PROVEN if value is not None else (
        f"no {end} can be forced within {depth} {plies}, and deeper this method did not look{further}")
    answer = answer_of(space, values, value, looked_at, looked_at, SHALLOW, reason, None, None)
    return attrs.evolve(answer, seconds=time.perf_counter() - started, complete=value is not None, engine=engine)


def _by_kernel(task: Task, nodes: int) -> Shallow:
    """Return a prover on the game's kernel, or on the interpreter if it was asked for, there is no kernel, or there are
    more than two players."""
    from interpreter.compiler.lowering.errors import NotLowered
    from solver.budget import memory_used
    from solver.drivers.shallow import NODES, TABLE_MIB, Shallow
    from solver.entries import Entries

    game, told = task.game, task.budget.progress
    assert game is not None
    if task.engine == "interpreter" or len(game.players) > 2:
        return Shallow(game)
    try:
        entries = Entries.of(game)
    except NotLowered:
        return Shallow(game)
    free = _MOST_TABLE if task.budget.memory is None else (task.budget.memory - memory_used()) // 2
    return Shallow(game, entries, max(TABLE_MIB, min(free, TABLE_MIB * nodes // NODES)),
                   None if told is None else lambda depth, done: told(done, done, f"looking {depth} plies ahead"))


METHOD = Method(SHALLOW, "looks a few plies ahead for an end that can be forced, and gives up where there is none",
                "that are nearly over; with the value alone asked for", _fit, _solve,
                "whole positions: no hash decides", decides=False, many=True)
