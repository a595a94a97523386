"""Limits of rules in one position: the number of moves and the steps of one evaluation."""

from __future__ import annotations

import pytest

import dslgame
from dsl import hir
from dsl.checks.cost_bound import LONG_IN_PLAY, Effort
from dsl.syntax.source import Source
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.errors import RuleError
from interpreter.game import examine
from interpreter.kernel import kernel as kernels
from interpreter.kernel.kernel import Kernel
from interpreter.model import state
from interpreter.semantics import engine, limits
from tests.discovery import found_games

HEAD = """game "Much"
players X, O
board square(6, 6)
pieces x of X, o of O
"""
PLACE = "move place(c in empty):\n    c := own\n"
LOOPS = "some a in empty: some b in empty: some d in empty: a = b and b = d and a.row > d.row"
PAIRS = "some a in empty: some b in empty: a = b and a.row > b.row"
FIVE = "move five(a in empty, b in empty, c in empty, d in empty, e in empty):\n    {a, b, c, d, e} := own\n"


@pytest.mark.parametrize(("rules", "named"), [
    (PLACE + f"win mover when {LOOPS}\n", "'win when'"),
    (PLACE + f"illegal when {LOOPS}\n", "'illegal when'"),
    (PLACE + f"turn again when {LOOPS}\n", "'turn again when'"),
    (PLACE.replace("):", f") when not ({LOOPS}):"), "the move 'place'"),
    (PLACE.replace("):", f" where not ({LOOPS})):"), "the move 'place'"),
    (PLACE + f"    if {LOOPS}:\n        c := empty\n", "the move 'place'"),
    (PLACE + f"forced f(c in occupied where {LOOPS}):\n    c := empty\n", "the forced rule 'f'"),
    (PLACE + f"forced f(c in occupied) until {LOOPS}:\n    c := empty\n", "the forced rule 'f'"),
    (PLACE + f"    then g in empty where not ({PAIRS}):\n        g := own\n", "the move 'place'"),
    (PLACE.replace("c in empty", "{a, b, c, d, e} in empty where a.row = b.row"), "the move 'place'"),
    (PLACE + "win mover when some c in cells: some d in cells: loop(cells - c - d) and c.row > 7\n", "'win when'"),
    (PLACE + "win mover when cheapest(3 if y is mine else 1 for e to y in cells from left to {}) < 3\n", "'win when'"),
], ids=range(12))
def test_a_rule_that_takes_too_many_steps_is_named(rules: str, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule is named, whatever its kind. Further choices are tried on copies, whose steps count as well."""
    game = dslgame.loads(HEAD + rules + "draw when no empty\nno moves draws\n")
    monkeypatch.setattr(state, "MOST_WORK", 500)
    with pytest.raises(RuleError, match="G413") as caught:
        game.engine.successors(game.engine.start())
    assert caught.value.phrase.startswith(f"{named} takes more than {limits.MOST_WORK:,} steps in one position")
    assert caught.value.span.line > 4


def test_too_many_moves_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine, positions and kernels give the same diagnostic, which names the rule."""
    game = dslgame.loads(HEAD + FIVE + PLACE + "draw when no empty\n")
    start, kernel = game.start(), Kernel.of(game, native=False)
    monkeypatch.setattr(engine, "MOST_MOVES", 1000)
    monkeypatch.setattr(kernels, "MOST_MOVES", 1000)
    for ask in (lambda: game.engine.legal(start.state), start.moves, lambda: game.engine.successors(start.state),
                lambda: kernel.legal(start.state), lambda: kernel.play_out(kernel.start(), 1)):
        with pytest.raises(RuleError, match="G412") as caught:
            ask()
        assert caught.value.phrase.startswith("the move 'five' has more than 1,048,576 legal moves here")
        assert caught.value.span.line == 5


def test_what_can_take_long_is_said_at_check_time_and_not_compiled() -> None:
    """The check warns and no kernel is compiled, as nothing would stop it; the interpreter counts steps."""
    text = HEAD.replace("6, 6", "12, 12") + FIVE + "draw when no empty\n"
    game, found = examine(Source("much.game", text))
    assert [(item.code, item.severity) for item in found] == [("G324", "warning")]
    assert "the rule 'five' can take 10^1" in found[0].phrase
    assert game is not None
    with pytest.raises(NotLowered, match="the rule 'five', which can take"):
        Kernel.of(game, native=False)


@pytest.mark.parametrize(("choices", "fits"), [
    ("a in mine, d in directions, b in ray(a, d), e in reach(b, d) - mine, f in a + ray(e, d, mine)", True),
    ("a in mine, d in directions, b in (ray(a, d) if a is edges else {a.d, a.d.d}), e in line_of(b, d), f in ray(e, d)",
     True),
    ("a in mine, d in directions, b in {e in ray(a, d) where e is empty} and empty, e in ray(b, d), f in ray(e, d)",
     True),
    ("a in mine, d in directions, b in empty, e in reach(b, d), f in empty + a", False),
])
def test_sets_along_a_line_are_small(choices: str, fits: bool) -> None:
    """Rays are at most as long as the board, and so are sets built from them."""
    text = (HEAD.replace("6, 6", "20, 20") + "define line_of(c, d) = ray(c, d, empty)\n"
            f"move far({choices}):\n    f := own\n" + "draw when no empty\n")
    _, found = examine(Source("far.game", text))
    assert ("G324" not in [item.code for item in found]) == fits


@pytest.mark.parametrize(("board", "size", "terms"), [
    ("square(20, 20)", 4, "neighbours(c)"),
    ("square(20, 20) with diagonals", 8, "neighbours(c)"),
    ("hexagon(12)", 6, "neighbours(c)"),
    ("hexagon(12)", 36, "neighbours(neighbours(c))"),
    ("hexagon(12)", 6, "(let t = neighbours(c) and empty: t + mine - theirs and t)"),
    ("hexagon(12)", 24, "union(near(u) for u in neighbours(c) and {c.north, \"a1\", \"b1\", \"c1\"})"),
    ("hexagon(12)", 12, "near(c) + near(c) and mine"),
    ("square(20, 20)", 8, "leap(c, 1, 2) - mine"),
    ("square(20, 30)", 30, "row(c.row)"),
    ("square(20, 20)", 20, "lines(ray(c, north), 3)"),
    ("square(20, 20)", 400, "group(c, mine)"),
    ("graph:\n    a - b - c - d - a\n    a - e\n    f", 3, "neighbours(c)"),
], ids=str)
def test_a_loop_has_as_many_turns_as_its_set_can_have_on_the_board(board: str, size: int, terms: str) -> None:
    """Neighbours, leaps, lines and what is made of them are few, and so are names and parameters for such sets."""
    text = (HEAD.replace("square(6, 6)", board) + "define near(c) = neighbours(c)\n"
            + f"move go(c in occupied, n in {terms}):\n    n := own\nno moves draws\nrepetition draws\n")
    game = dslgame.loads(text)
    rule = game.rules.moves[0]
    assert Effort(game.rules, game.board.size).rule(rule).size(rule.choices[1].domain) == size


@pytest.mark.parametrize(("call", "body", "most"), [
    ("add(count(occupied))", "let over = max(n - 2, 0)\n    r += count(k in 1..over where k != 2)", 7),
    ("add(count(occupied) - 3)", "r += count(k in 1..abs(n))", 6),
    ("add(0)", "r += count(k in 1..n)", 2),
    ("add(5)", "r += count(k in 1..(n if some mine else 3))", 5),
    ("add(-3)", "r += sum(k for k in (n)..(1 if some mine else n))", 5),
])
def test_the_parameters_of_an_effect_have_the_bounds_of_its_calls(call: str, body: str, most: int) -> None:
    """No range is empty or too large in the effect by itself, nor where one call gives it no numbers."""
    text = (HEAD.replace("6, 6", "3, 3") + f"var r in 0..99\neffect add(n):\n    {body}\n"
            + PLACE.replace("    c", f"    {call}\n    c") + "win mover when r = 99\ndraw when no empty\n")
    game, found = examine(Source("add.game", text))
    assert found == []
    assert game is not None
    rule = Effort(game.rules, game.board.size).rule(game.rules.moves[0])
    assert max(rule.size(part) for part in hir.walk(game.rules.moves) if isinstance(part, hir.Numbers)) == most


@pytest.mark.slow
def test_no_game_comes_near_the_limits() -> None:
    """The estimates of all bundled games are below a tenth of the warning's limit."""
    for path in found_games():
        game = dslgame.load(path)
        assert max(cost.steps for cost in Effort(game.rules, game.board.size).in_play()) < LONG_IN_PLAY // 10
