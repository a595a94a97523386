"""Strong solving by kernels: the same values as the reference `solver.strong`, for every position."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from interpreter.game import Game
from solver.budget import Budget
from solver.engines import table_solver
from solver.game_space import GameSpace, solve_game
from solver.solve import VALUED, Solution
from solver.space import DRAW
from solver.strong import Strong
from solver.tables import columns, passes, solution_file
from solver.tables.codes import NEVER, value_of
from solver.tables.columns import Column, Tier
from solver.tables.passes import Passes
from solver.tables.valuation import Valuation, fields_at
from tests.discovery import few_of
from tests.random_games import rule_files
from tests.solver.test_solver import Graph, graphs

SMALL: list[tuple[str, dict[str, int]]] = [("tic_tac_toe", {})]
LARGER: list[tuple[str, dict[str, int]]] = [
    ("hexapawn", {}), ("three_mens_morris", {}), ("mu_torere", {}), ("nex", {}), ("shift_tac_toe", {}),
    ("pong_hau_ki", {}), ("dodgem", {}), ("hare_and_hounds", {}), ("nim", {}), ("wythoff", {}), ("toads_and_frogs", {}),
    ("kayles", {}), ("cram", {"rows": 4, "columns": 4}), ("pie_hex", {"size": 3}), ("reversi", {"half": 2}),
    ("hexplode", {"side": 2}), ("chain_reaction", {"rows": 2, "columns": 3}), ("sliding_puzzle", {"rows": 2}),
    ("tower_of_hanoi", {}), ("lights_out", {"rows": 3, "columns": 3}), ("subtract_a_square", {}), ("snort", {}),
    ("connect_four", {"rows": 4, "columns": 4}), ("wild_tic_tac_toe", {}), ("notakto", {"boards": 1}),
    ("dots_and_boxes", {"rows": 2, "columns": 2}), ("oware", {"houses": 2, "seeds": 2}),
]
"""Acyclic and cyclic games, with passes, swaps of sides, extra turns and puzzles."""


def compare(game: Game) -> Solution[Any, Any]:
    """Solve a game with both engines and compare every value and total."""
    fast = solve_game(game, method="strong", engine="kernel")
    slow = solve_game(game, method="strong", engine="interpreter")
    assert fast.engine == "kernel"
    assert slow.engine == "interpreter"
    assert fast.strong is not None
    assert isinstance(slow.strong, Strong)
    assert fast.strong.tally() == slow.strong.tally()
    assert fast.strong.longest() == slow.strong.longest()
    for state in slow.strong.states:
        assert fast.strong.value(state) == slow.strong.value(state), game.position_text(state)
    plain = [attrs.evolve(answer, seconds=0.0, engine="", strong=None) for answer in (fast, slow)]
    assert plain[0] == plain[1]
    return fast


@pytest.mark.parametrize(("name", "params"), SMALL, ids=str)
def test_every_value_is_that_of_the_definition(name: str, params: dict[str, int]) -> None:
    """Both engines agree on winner and remoteness of every position, on the tally, and on the answer."""
    compare(dslgame.load(name, **params))


@pytest.mark.parametrize(("name", "params"), few_of(LARGER), ids=str)
def test_every_value_of_more_games_is_that_of_the_definition(name: str, params: dict[str, int]) -> None:
    """The same for more kinds of games; half of them run only if the valuation changes."""
    compare(dslgame.load(name, **params))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params", "merged", "positions", "winner", "remoteness", "tally"), [
    ("tic_tac_toe", {}, 765, 5_478, DRAW, 9, None),
    ("hex", {"size": 3}, 2_781, 5_514, 0, 5, None),
    ("nex", {}, 18_217, 36_397, 0, None, None),
    ("nex", {"rows": 3, "columns": 4}, 1_079_827, 2_159_137, 0, 7, None),
    ("shift_tac_toe", {}, 54_486, 108_786, 0, 13, {"win": 56_440, "lose": 47_176, "draw": 5_170}),
    ("connect_four", {"rows": 4, "columns": 4}, 80_541, 161_029, DRAW, 16, None),
    ("connect_four", {"rows": 5, "columns": 4}, 853_185, 1_706_255, DRAW, 20, None),
    ("connect_four", {"rows": 4, "columns": 5}, 1_974_174, 3_945_711, DRAW, 20, None),
], ids=str)
def test_published_totals(name: str, params: dict[str, int], merged: int, positions: int, winner: int,
                          remoteness: int | None, tally: dict[str, int] | None) -> None:
    """Positions, value and tally: Connect Four, Hex and tic-tac-toe from GamesmanClassic, Nex 3 x 3 from a separate
    exhaustive solver."""
    found = solve_game(dslgame.load(name, **params), method="strong", engine="kernel")
    assert (found.positions_merged, found.positions, found.winner) == (merged, positions, winner)
    assert remoteness in (None, found.remoteness)
    assert found.strong is not None
    assert tally in (None, found.strong.tally())


@pytest.mark.thorough
def test_english_board_of_pegs() -> None:
    """The 33 holes have 187,636,299 positions, and 23,475,688 up to symmetry, as counted by George Bell."""
    found = solve_game(dslgame.load("peg_solitaire"), method="strong", engine="kernel")
    assert (found.winner, found.remoteness) == (0, 31)
    assert (found.positions, found.positions_merged) == (187_636_299, 23_475_688)


@pytest.mark.slow
def test_line_of_the_mover_first() -> None:
    """Shift-Tac-Toe with the mover's line checked first has the totals of GamesmanClassic."""
    text = (Path(__file__).parents[2] / "games" / "shift_tac_toe.game").read_text(encoding="utf-8")
    ends = text[text.index("draw when line(one, length)") : text.index("repetition draws")]
    game = dslgame.loads(text.replace(ends, "win mover when line(mine, 3)\nlose mover when line(theirs, 3)\n"))
    found = solve_game(game, method="strong", engine="kernel")
    assert (found.winner, found.remoteness, found.positions) == (0, 13, 108_786)
    assert found.strong is not None
    assert found.strong.tally() == {"win": 57_548, "lose": 48_894, "draw": 2_344}


def test_tiers_make_no_difference() -> None:
    """One tier for all positions and two threads give the same values as tiers and one thread."""
    space = GameSpace(dslgame.load("tic_tac_toe"))
    found = []
    for flat, threads in ((False, 1), (True, 2)):
        solver = table_solver(space, Budget())
        assert solver is not None
        solver.enumeration.flat, solver.enumeration.threads = flat, threads
        table = solver.run()
        state = space.game.start().play("a1").play("b2").state
        found.append((table.tally(), table.merged, table.longest(), table.value(state), list(table.line(state))))
    assert found[0] == found[1]


# ---- retrograde analysis on random spaces


def tiers_of(graph: Graph, ranks: list[int]) -> dict[int, Tier]:
    """A random space as tiers without moves to earlier tiers; keys pack the number, the mover and the outcome."""
    tiers: dict[int, Tier] = {}
    places = []
    for number, rank in enumerate(ranks):
        tier = tiers.setdefault(rank, Tier(rank, 1, keys=np.zeros((len(ranks), 1), np.uint64)))
        outcome = graph.outcomes[number]
        places.append(tier.count)
        tier.keys[tier.count, 0] = (0 if outcome is None else outcome + 2) | graph.movers[number] << 2 | number << 3
        tier.count += 1
    for number, rank in enumerate(ranks):
        tier = tiers[rank]
        targets = [target for target, _ in graph.edges[number]]
        tier.counts.append(np.array([len(targets)], np.uint16))
        tier.kids.append(np.array([places[target] for target in targets], np.uint32))
        tier.which.append(np.array([tier.place_of(ranks[target]) for target in targets], np.uint8))
        tier.expanded += 1
    return tiers


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_random_spaces_are_valued_as_by_the_definition(data: st.DataObject) -> None:
    """Valuation by lists or passes, in one tier or several, is right with cycles, extra turns and dead draws."""
    graph = data.draw(graphs())
    graph.twin = False
    count = len(graph.movers)
    ranks = sorted(data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count)))
    if any(ranks[target] < ranks[number] for number in range(count) for target, _ in graph.edges[number]):
        ranks = [0] * count
    strong = Strong[Any, Any](graph, Budget())
    strong.enumerate_until()
    strong.value_all()

    class Parts:
        tiers, threads, cyclic = tiers_of(graph, ranks), 1, False

    valuation = Valuation.__new__(Valuation)
    valuation.enumeration = Parts  # type: ignore[assignment]  # what valuing needs of it
    valuation.fields = fields_at(0, 0, 0, 2, 1)
    valuation.free = data.draw(st.sampled_from([None, -1]), "memory that is free")
    with tempfile.TemporaryDirectory() as folder:
        valuation.on_disk, valuation.tell = lambda: Path(folder), lambda _: None
        valuation.run(lambda tier: None, lambda: None)
    seen = dict.fromkeys(ranks, 0)
    for number, rank in enumerate(ranks):
        code = int(Parts.tiers[rank].column("values", None)[seen[rank]])
        seen[rank] += 1
        expected = strong.value((number, 0))
        if expected is not None:  # reachable
            assert value_of(code) == expected
            assert (code >> 2 == NEVER) == (expected.remoteness is None)


@pytest.mark.parametrize(("name", "params"), [("mu_torere", {}), ("shift_tac_toe", {}), ("dodgem", {}), ("nim", {})],
                         ids=str)
def test_files_are_the_same_where_memory_is_short(name: str, params: dict[str, int], tmp_path: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """Valuation by passes with sorting by ranges, resumed after each stop, writes the same bytes."""
    space = GameSpace(dslgame.load(name, **params))
    whole, short = tmp_path / "whole.solution", tmp_path / "short.solution"
    plain = table_solver(space, Budget(), whole)
    assert plain is not None
    plain.run()
    asked = 0

    def stop(self: Passes) -> tuple[int, int]:
        nonlocal asked
        asked += 1
        if asked % 5 == 3:
            self.tier.values[:] = 9  # as another process has it
            raise KeyboardInterrupt
        return found(self)

    found = Passes._pass
    monkeypatch.setattr(Passes, "_pass", stop)
    monkeypatch.setattr(passes, "_CHECKPOINT", 0.0)
    monkeypatch.setattr(Valuation, "_bytes_within", lambda *_: 1 << 60)
    monkeypatch.setattr(solution_file, "SORTED", 700)
    monkeypatch.setattr(columns, "_LARGE", 0)
    for _ in range(100):
        solver = table_solver(space, Budget(memory=1 << 20), short)
        assert solver is not None
        try:
            solver.run()
            break
        except KeyboardInterrupt:
            assert (tmp_path / "short.solution.work").is_dir()
    assert short.read_bytes() == whole.read_bytes()
    assert (asked > 3) == (name != "nim")


def test_columns_are_the_same_on_disk(tmp_path: Path) -> None:
    """Parts of a column in memory and on disk are joined into one array."""
    column = Column(np.uint32)
    for start in (0, 3):
        column.append(np.arange(start, start + 3, dtype=np.uint32))
        column.save(tmp_path / "c")
    column.append(np.array([6], np.uint32))
    assert column.whole(tmp_path / "c").tolist() == list(range(7))
    assert column.entries == 7


@pytest.mark.slow
@settings(deadline=None, max_examples=8)
@given(rule_files(repetitions=("",)))
def test_random_rule_files_are_solved_as_by_the_definition(text: str) -> None:
    """Random games from Hypothesis, each compiled."""
    compare(dslgame.loads(text))


@pytest.mark.slow
def test_auto_does_not_enumerate_what_has_far_too_many_tiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` does not enumerate a game whose moves stay within tiers if many tiers follow; it does if there are few."""
    monkeypatch.setattr("solver.engines.COMPILED_TRIAL", 30_000)
    foretold = solve_game(dslgame.load("english_draughts"), nodes=400_000)
    assert foretold.method != "strong"
    assert "there are too many positions to value" in foretold.reason
    solution = solve_game(dslgame.load("english_draughts"), nodes=60_000, engine="kernel")
    assert solution.method != "strong"
    assert "not yet all with the first number for 'empty'" in solution.reason
    whole = solve_game(dslgame.load("fox_and_hounds", size=6))
    assert (whole.method, whole.reason) == ("strong", VALUED)
