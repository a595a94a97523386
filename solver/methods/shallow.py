"""Method shallow: a win, loss or draw that can be forced within a few plies."""

from __future__ import annotations

import time
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import attrs

from solver.methods import SHALLOW, Fit, GivesWay, Method

if TYPE_CHECKING:
    from interpreter.model.state import Move
    from solver.solve import Solution
    from solver.strong import Value
    from solver.task import Task

NODES, SECONDS = 400, 0.5
"""How far an end is looked for, by the interpreter, before `auto` goes on to another method."""
PROVEN = "the end can be forced so soon that looking a few plies ahead proves it"


def _fit(task: Task) -> Fit:
    never = float("inf")
    if task.game is None:
        return Fit(never, "it plays by the rules of a game, and this is not a game")
    if task.asked:
        return Fit(NODES, "")
    if not task.value_only:
        return Fit(never, "it finds the value alone, and the values of the first moves are wanted")
    if task.report or task.engine == "kernel":
        return Fit(never, "it uses the interpreter, and a search on compiled rules, or its report, was asked for")
    if task.history_rule:
        return Fit(never, f"'repetition {task.history_rule}' makes values depend on the moves before")
    return Fit(NODES, "a forced end within a few plies is found before anything is enumerated")


def _solve(task: Task, why: str) -> Solution[Any, Any]:
    from solver.drivers.shallow import PLAIN_NODES, Shallow
    from solver.solve import answer_of
    from solver.strong import Value

    space = task.game_space
    assert space is not None  # it does not fit anything else
    root = space.root
    if root.outcome is not None and not task.asked:
        raise GivesWay
    started = time.perf_counter()
    nodes, seconds = (task.budget.nodes or PLAIN_NODES, None) if task.asked else (NODES, SECONDS)
    value: Value | None = None if root.outcome is None else Value(root.outcome, 0)
    moves: dict[Move, Value] = {}
    looked_at, depth = 1, 0
    if value is None:
        proof = Shallow(space.game).prove(root, nodes=nodes, seconds=seconds,
                                            value_only=task.value_only or not task.asked)
        value, looked_at, depth = proof.value, max(1, proof.nodes), proof.depth
        moves = dict(proof.moves)
    if not task.asked and (value is None or value.remoteness is None):
        raise GivesWay
    values: list[tuple[Move, Hashable, Value | None]] = []
    for move, after in [] if root.outcome is not None else space.successors(root):
        found = moves.get(move)
        plies = None if found is None or found.remoteness is None else found.remoteness - 1
        values.append((move, space.canonical(after), None if found is None else Value(found.winner, plies)))
    reason = PROVEN if value is not None else (
        f"no end can be forced within {depth} {'ply' if depth == 1 else 'plies'}, and deeper this method did not look")
    answer = answer_of(space, values, value, looked_at, looked_at, SHALLOW, reason, None, None)
    return attrs.evolve(answer, seconds=time.perf_counter() - started, complete=value is not None)


METHOD = Method(SHALLOW, "looks a few plies ahead for an end that can be forced, and gives up where there is none",
                "that are nearly over; with the value alone asked for", _fit, _solve,
                "whole positions: no hash decides", decides=False, many=True)
