"""Search on kernels against enumeration: the values of all first moves, and the plies of wins."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import dslgame
from dsl.syntax.source import Source
from dslgame import bundled
from interpreter.analysis.connections import connection_of
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.patterns.matching import Book
from solver.budget import Budget
from solver.drivers import scheduler, weak
from solver.drivers.weak import search_on_kernel
from solver.game_space import GameSpace, solve_game
from solver.native import alphabeta
from solver.solve import Solution
from solver.space import DRAW

ROOT = Path(__file__).parents[2]
SMALL: list[tuple[str, dict[str, int]]] = [
    ("tic_tac_toe", {}),
    ("connect_four", {"rows": 3, "columns": 3, "length": 3}),
    ("hex", {"size": 3}),
    ("nex", {"rows": 2, "columns": 2}),
]


def searched(game: Game, *, native: bool = False, **options: Any) -> Solution[Any, Any]:
    """The solution of a game by search on its kernel."""
    return search_on_kernel(GameSpace(game), Budget(), "asked for", native=native, **options)


def agree(found: Solution[Any, Any], exact: Solution[Any, Any], *, remoteness: bool = True) -> None:
    """Check that two solutions have the same values, and wins the same plies."""
    assert found.complete
    assert found.winner == exact.winner
    for one, other in zip(found.moves, exact.moves, strict=True):
        assert (one.move, one.winner) == (other.move, other.winner)
        if other.winner != DRAW and remoteness:
            assert one.remoteness == other.remoteness


@pytest.mark.parametrize(("name", "params"), SMALL, ids=str)
def test_search_agrees_with_enumeration(name: str, params: dict[str, int]) -> None:
    """Values and remoteness agree, with the kernel as plain Python."""
    game = dslgame.load(name, **params)
    agree(searched(game, remoteness=True), solve_game(game, method="strong"))


@pytest.mark.parametrize(("name", "params"), [SMALL[-1], ("pong_hau_ki", {})], ids=str)
def test_proof_numbers_agree_with_enumeration(name: str, params: dict[str, int]) -> None:
    """Values agree, with the kernel as plain Python, also where positions repeat."""
    game = dslgame.load(name, **params)
    exact = solve_game(game, method="strong")
    agree(searched(game, method="proof", remoteness=False), exact, remoteness=False)
    agree(searched(game, method="proof", remoteness=True), exact)


@pytest.mark.parametrize(("name", "params"), [("hex", {"size": 3}), ("y", {"size": 3}), ("y", {"size": 4})], ids=str)
def test_carriers_agree_with_search_without_them(name: str, params: dict[str, int]) -> None:
    """Connection games have the same winner after every first move, and in some later positions, as plain Python."""
    game = dslgame.load(name, **params)
    assert connection_of(game) is not None
    exact = solve_game(game, method="strong")
    found = searched(game, remoteness=False)
    assert [move.winner for move in found.moves] == [move.winner for move in exact.moves]
    state = game.engine.start()
    for _ in range(3):
        state = game.engine.successors(state)[0][1]
        space = GameSpace(game, state)
        later = search_on_kernel(space, Budget(), "asked for", native=False, remoteness=False)
        assert later.winner == solve_game(game, state, method="strong").winner


@pytest.mark.parametrize("name", ["tic_tac_toe", "nex", "havannah", "twixt", "pie_hex", "unlur"])
def test_other_games_are_not_shown_to_be_of_connection(name: str) -> None:
    """Games with other moves, other ends or a swap are not recognised as connection games."""
    assert connection_of(dslgame.load(name)) is None


def test_connection_needs_that_only_one_can_be_joined() -> None:
    """A game in which both players can join the same two sides is not recognised."""
    assert connection_of(dslgame.loads(changed("left, right", "top, bottom"), size=3)) is None


def changed(old: str, new: str) -> str:
    """The rules of Hex with a text replaced, and without symmetries."""
    text = (bundled.FOLDER / "hex.game").read_text()
    assert old in text
    return "\n".join(line for line in text.replace(old, new).splitlines() if "symmetry" not in line)


def test_full_board_on_which_nobody_is_joined_fails_as_in_play() -> None:
    """On squares a full board may join neither player, and as no rule covers that, the search raises RuleError."""
    game = dslgame.loads(changed("rhombus(size, size)", "square(size, size)"), size=3)
    assert connection_of(game) is not None
    for method in ("carriers", "connections"):
        with pytest.raises(RuleError):
            searched(game, method=method)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "wins"), [(2, 2), (3, 5), (4, 4), (5, 13)])
def test_openings_that_win_by_carriers(size: int, wins: int) -> None:
    """Every opening of Hex is proven; the numbers of wins are those of independent programs."""
    game = dslgame.load("hex", size=size)
    found = searched(game, native=True, remoteness=False)
    assert found.complete
    assert sum(move.winner == 0 for move in found.moves) == wins


@pytest.mark.parametrize(("size", "wins"), [(2, 2), (3, 5), (4, 4), pytest.param(5, 13, marks=pytest.mark.slow),
                                            pytest.param(6, 24, marks=pytest.mark.slow)])
def test_openings_that_win_by_virtual_connections(size: int, wins: int) -> None:
    """The numbers are the same, also on two threads, and each losing opening has a winning reply."""
    game = dslgame.load("hex", size=size)
    found = searched(game, native=True, remoteness=False, method="connections", threads=1 + size % 2)
    assert found.complete
    assert found.report is not None
    assert found.report.method == "connections"
    assert sum(move.winner == 0 for move in found.moves) == wins
    state = game.engine.start()
    assert {move.group for move in found.moves if move.reply is not None} == {
        move.group for move in found.moves if move.winner == 1}
    for move in found.moves if size < 5 else ():
        after = game.engine.apply(state, move.move)
        assert after is not None
        if move.reply is not None:
            then = game.engine.apply(after, move.reply)
            assert then is not None
            assert then.outcome == 1 or solve_game(game, then, method="alphabeta").winner == 1


@pytest.mark.parametrize("native", [True, False])
def test_virtual_connections_agree_with_search_without_them(native: bool) -> None:
    """The winner is the same after every first move and in later positions, with or without `value_only`."""
    game = dslgame.load("hex", size=3)
    exact = solve_game(game, method="strong")
    found = searched(game, native=native, method="connections", remoteness=False)
    assert [move.winner for move in found.moves] == [move.winner for move in exact.moves]
    state = game.engine.start()
    for _ in range(4):
        state = game.engine.successors(state)[-1][1]
        for value_only in (False, True):
            later = search_on_kernel(GameSpace(game, state), Budget(), "asked for", native=native, remoteness=False,
                                     method="connections", value_only=value_only)
            assert later.winner == solve_game(game, state, method="strong").winner
            if later.winner == state.to_move:
                assert later.best is not None


@pytest.mark.slow
def test_a_position_on_a_large_board_is_proven() -> None:
    """11x11 after 26 moves of a game between two programs that Red won: Red is proven to win, also after his move."""
    position = dslgame.load("hex").start()
    moves = "i4 d3 c3 i5 h5 g7 f7 g6 f6 g5 f5 g3 g4 j2 h3 e9 d9 e8 d8 e7 d7 e6 d6 e4 e5 i1"
    for move in moves.split():
        position = position.play(move)
    found = solve_game(position.game, position.state, value_only=True, remoteness=False)
    assert (found.method, found.complete, found.winner) == ("connections", True, 0)
    assert found.best is not None
    after = position.play(found.best)
    assert solve_game(position.game, after.state, value_only=True, remoteness=False).winner == 0


def test_a_tree_of_proofs_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof tree grows from a few nodes; copying it leaves out the subtrees of proven nodes."""
    monkeypatch.setattr("solver.drivers.connecting._FIRST_NODES", 40)
    game = dslgame.load("hex", size=5)
    state = game.start().play("a3").state
    found = search_on_kernel(GameSpace(game, state), Budget(), "asked for", remoteness=False, method="connections",
                             value_only=True)
    assert found.complete
    assert found.winner == solve_game(game, state, method="carriers", value_only=True).winner


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_drawn_games_are_proven_drawn(threads: int) -> None:
    """Connect Four on 5x4 and 5x5 (GamesmanClassic: a draw), TwixT on 5x5 without swap (two independent programs)."""
    for name, params in (("connect_four", {"columns": 5, "rows": 4}), ("connect_four", {"columns": 5, "rows": 5}),
                         ("twixt", {"rows": 5, "columns": 5, "swap": 0})):
        found = searched(dslgame.load(name, **params), native=True, threads=threads)
        assert (found.complete, found.winner) == (True, DRAW)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "winner"), [(6, 4, 1), (7, 4, DRAW), (6, 5, DRAW)], ids=str)
def test_connect_four_has_its_published_values(columns: int, rows: int, winner: int) -> None:
    """The values are those of John Tromp's table, solved for the value alone with the game's patterns."""
    game = dslgame.load("connect_four", columns=columns, rows=rows)
    source = bundled.patterns_of(game)
    assert source is not None
    found = searched(game, native=True, value_only=True, threads=2, remoteness=False, patterns=Book.of(source, game))
    assert (found.complete, found.winner) == (True, winner)
    assert found.positions < 40_000_000


@pytest.mark.slow
def test_nex_on_4x4_is_a_win_for_black() -> None:
    """The search visits fewer positions than the 29 million of a hand-written solver."""
    found = searched(dslgame.load("nex", rows=4, columns=4), native=True, value_only=True, remoteness=False)
    assert (found.complete, found.winner) == (True, 0)
    assert found.positions < 29_000_000


@pytest.mark.slow
def test_second_player_forces_a_win_three_plies_after_a_cross() -> None:
    """Trax with lines of three, after `@0+`."""
    game = dslgame.load("trax", line=3)
    state = game.start().play("@0+").state
    space = GameSpace(game, state)
    found = search_on_kernel(space, Budget(), "asked for", native=True, remoteness=True)
    assert (found.winner, found.remoteness) == (1, 3)


def test_report_says_what_was_done() -> None:
    """The report has nodes, cuts, the table, plies and the principal variation, as text and as an object."""
    found = searched(dslgame.load("tic_tac_toe"), remoteness=False)
    assert found.report is not None
    text = found.report.text()
    for words in ("nodes", "leaves", "cut off by", "table hits", "table fill", "effective branching", "best moves"):
        assert words in text
    report = found.report.as_object()
    assert sum(found.report.plies) == report["nodes"] == found.report.nodes
    assert len(found.report.line) == 9


def test_the_table_is_left_out_near_the_end_of_large_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the table near the leaves fewer positions are stored; the value and the line's length are the same."""
    game = dslgame.load("connect_four", rows=4, columns=3)
    before = searched(game, value_only=True)
    monkeypatch.setattr(alphabeta, "MANY", 100)
    monkeypatch.setattr(weak, "MANY", 100)
    monkeypatch.setattr(scheduler, "_LONGEST_SLICE", 100)
    after = searched(game, value_only=True)
    assert (after.winner, before.winner) == (DRAW, DRAW)
    assert before.report is not None
    assert after.report is not None
    assert after.report.table["stored"] < before.report.table["stored"]
    assert len(after.report.line) == len(before.report.line) == 12


def test_limit_leaves_what_is_proven() -> None:
    """A search that reaches its limit says so and claims nothing unproven."""
    game = dslgame.load("connect_four", rows=4, columns=4)
    found = search_on_kernel(GameSpace(game), Budget(nodes=50), "asked for", native=False)
    assert not found.complete
    assert found.winner is None
    assert "limit of 50 positions" in found.reason


@pytest.mark.parametrize("proof", [False, True], ids=["alphabeta", "proof"])
@pytest.mark.parametrize(("name", "params"), SMALL, ids=str)
def test_the_value_alone(name: str, params: dict[str, int], proof: bool) -> None:
    """With `value_only` the winner is the same, and moves have either their right values or none."""
    game = dslgame.load(name, **params)
    exact = solve_game(game, method="strong")
    found = searched(game, method="proof" if proof else "alphabeta", value_only=True)
    assert (found.complete, found.winner) == (True, exact.winner)
    for one, other in zip(found.moves, exact.moves, strict=True):
        assert one.winner in (None, other.winner)
        assert one.remoteness in (None, other.remoteness)
    if found.best is not None:
        assert next(move.winner for move in exact.moves if move.move == found.best) == exact.winner


def test_those_who_wait_see_where_a_search_is() -> None:
    """Progress shows the path to the current node: each move's number and its place among the searched moves."""
    game = dslgame.load("connect_four", rows=4, columns=4)
    phases: list[str] = []
    budget = Budget(progress=lambda done, known, phase: phases.append(phase))
    found = search_on_kernel(GameSpace(game), budget, "asked for", native=False, value_only=True)
    assert found.winner == DRAW
    shown = [re.fullmatch(r"0 of 1 positions answered, at ((\d) \((\d) of (\d)\) ?)+, .*", phase) for phase in phases]
    assert sum(match is not None for match in shown) > 0
    assert all(1 <= int(match[3]) <= int(match[4]) <= 4 for match in shown if match is not None)
    assert phases[-1].startswith("1 of 1 positions")


@pytest.mark.parametrize(("cheap", "plies"), [(0, None), (1_000_000, 5)])
def test_the_value_alone_with_plies_where_they_are_cheap(monkeypatch: pytest.MonkeyPatch, cheap: int,
                                                         plies: int | None) -> None:
    """The remoteness is left open where it would take many more positions than the value."""
    monkeypatch.setattr(weak, "_QUICK", 0)
    monkeypatch.setattr(weak, "_CHEAP", cheap)
    found = searched(dslgame.load("hex", size=3), value_only=True, method="alphabeta")
    assert (found.complete, found.winner, found.remoteness) == (True, 0, plies)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params"), [
    ("connect_four", {"rows": 3, "columns": 4, "length": 3}), ("hex", {"size": 3}),
])
def test_threads_help_with_one_question(name: str, params: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads give the same answer as one."""
    monkeypatch.setattr(scheduler, "_HELPED", 1)
    monkeypatch.setattr(scheduler, "_FIRST_SLICE", 100)
    game = dslgame.load(name, **params)
    alone = searched(game, native=True, value_only=True)
    helped = searched(game, native=True, value_only=True, threads=4)
    assert (helped.complete, helped.winner, helped.remoteness) == (True, alone.winner, alone.remoteness)
    every = searched(game, native=True, threads=4)
    assert [move.winner for move in every.moves] == [move.winner for move in searched(game, native=True).moves]


@pytest.mark.parametrize(("name", "params"), [SMALL[1], SMALL[2]], ids=str)
def test_patterns_change_the_order_alone(name: str, params: dict[str, int]) -> None:
    """Patterns, in a game without a `value`, keep all values but change the number of searched positions."""
    source = bundled.patterns_of(dslgame.load(name, **params))
    assert source is not None
    text = (ROOT / "games" / f"{name}.game").read_text(encoding="utf-8")
    game = Game.of(Source(name, re.sub(r"^value .*\n", "", text, flags=re.MULTILINE)), params)
    assert game.rules.value is None
    with_patterns = searched(game, method="alphabeta", patterns=Book.of(source, game))
    without = searched(game, method="alphabeta")
    agree(with_patterns, without)
    assert with_patterns.positions != without.positions


@pytest.mark.slow
def test_carriers_name_a_move_that_wins() -> None:
    """With `value_only` the best move, where there is one, wins: on 4x4 after some first moves."""
    game = dslgame.load("hex", size=4)
    named = 0
    for _, state in game.engine.successors(game.engine.start())[:6]:
        found = search_on_kernel(GameSpace(game, state), Budget(), "asked for", native=False, value_only=True,
                                 remoteness=False)
        if found.best is not None:
            named += 1
            after = game.engine.apply(state, found.best)
            assert after is not None
            later = search_on_kernel(GameSpace(game, after), Budget(), "asked for", native=False, remoteness=False)
            assert later.winner == state.to_move == found.winner
    assert named


def test_games_with_other_pieces_are_no_games_of_connection() -> None:
    """A cell with a piece of nobody is not empty, which the searches for connections would take it for."""
    text = bundled.path_of("hex").read_text(encoding="utf-8")
    changed_text = text.replace("pieces red of Red, blue of Blue", "pieces red of Red, blue of Blue, rock")
    assert changed_text != text
    assert connection_of(dslgame.loads(changed_text, size=3)) is None
