"""How `solve` chooses an engine: forecasts of the number of positions, their messages, and shallow proofs."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import dslgame
from dslgame.cli.app import app
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel, NotLowered
from solver import pace, packed_space
from solver.budget import Budget, OutOfBudget
from solver.forecast import RandomGames, bytes_in_words, forecast, in_words, seconds_in_words
from solver.game_space import GameSpace, solve_game
from solver.layer_sampling import Arrivals, LayerSampling, _number, _row
from solver.pace import Pace, Slow
from solver.packed_space import PackedSpace, PackedValues
from solver.solve import VALUED
from solver.strong import Strong
from tests.discovery import found_games, one_in

SMALL = [("tic_tac_toe", {}), ("nex", {"rows": 2, "columns": 3}), ("hex", {"size": 3}), ("nim", {}),
         ("connect_four", {"rows": 3, "columns": 3, "length": 3})]


def packed(name: str, **params: int) -> PackedSpace:
    """The packed space of a bundled game."""
    return PackedSpace.of(GameSpace(dslgame.load(name, **params)))


# ---- packed positions


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", [True, False], ids=["merged", "apart"])
@pytest.mark.parametrize(("name", "params"), SMALL, ids=str)
def test_packed_positions_are_those_of_the_interpreter(name: str, params: dict[str, int], symmetry: bool) -> None:
    """The packed space has as many positions, with the same values and successors."""
    space = GameSpace(dslgame.load(name, **params), symmetry=symmetry)
    plain = PackedSpace.of(space)
    by_rules, by_kernel = Strong(space, Budget()), Strong(plain, Budget())
    for strong in (by_rules, by_kernel):
        strong.enumerate_until()
        strong.value_all()
    values = PackedValues(plain, by_kernel)
    assert len(by_kernel.states) == len(by_rules.states)
    assert (values.unmerged(), values.tally(), values.longest(), values.cyclic()) == (
        by_rules.unmerged(), by_rules.tally(), by_rules.longest(), by_rules.cyclic())
    for state in by_rules.states[:: 1 + len(by_rules.states) // 300]:
        key = plain.key(state)
        assert space.canonical(plain.state(key)) == state
        assert (plain.outcome(key), plain.to_move(key)) == (space.outcome(state), space.to_move(state))
        assert values.value(state) == by_rules.value(state)
        assert sorted(after for _, after in plain.successors(key)) == sorted(
            plain.key(after) for _, after in space.successors(state))
    line = list(values.line(space.root))
    assert len(line) == (by_rules.value(space.root) or pytest.fail("no value")).remoteness


@pytest.mark.parametrize("path", one_in(18, found_games(), 24, rest=3))
def test_successors_in_random_games_are_those_of_the_interpreter(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game that the compiler can translate has the same successors, also repeated and with a small cache."""
    monkeypatch.setattr(packed_space, "_MOST_KNOWN", 40)
    game = dslgame.load(path)
    space, chance = GameSpace(game), random.Random(7)
    try:
        plain = PackedSpace.of(space)
    except NotLowered:
        pytest.skip("the compiler has no words for this game")
    for _ in range(2):
        state = space.root
        for _ in range(12):
            after = space.successors(state) if state.outcome is None else []
            found = plain.successors(plain.key(state))
            assert found == plain.successors(plain.key(state))
            assert sorted(key for _, key in found) == sorted(plain.key(then) for _, then in after)
            if not after or len(after) > 300:
                break
            state = chance.choice(after)[1]


def test_forecast_is_no_larger_than_what_cells_can_hold() -> None:
    """The forecast is capped by three contents of each of 16 cells times two players, over eight symmetries."""
    space = packed("quixo", size=4)
    strong = Strong(space, Budget())
    strong.enumerate_until(200)
    games = RandomGames(space)
    for _ in range(10):
        games.play(0.0)
    assert space.most == pytest.approx(3**16 * 2 / 8)
    assert forecast(strong, games) <= space.most
    assert packed("hex", size=26).most == math.inf


def test_more_moves_than_there_was_room_for() -> None:
    """The buffer grows, and no move is left out."""
    space = GameSpace(dslgame.load("amazons"))
    plain = PackedSpace.of(space)
    assert len(plain.successors(plain.start())) == len(space.successors(space.root)) > 64


FAILING = """\
game "Failing"
players A, B
board square(2, 3)
pieces x of A, o of B

move place(c in empty):
    c := own

win mover when line(mine, 3)
"""


def test_failing_rule_is_told_as_by_the_interpreter() -> None:
    """Both engines report a failing rule with the same place and position."""
    game = dslgame.loads(FAILING, name="failing.game")
    told = []
    for engine in ("interpreter", "auto"):
        with pytest.raises(Exception, match="G407") as caught:
            solve_game(game, method="strong", engine=engine)
        told.append(str(caught.value))
    assert told[0] == told[1]


NEVER_SEEN = """\
game "Never seen before"
players A, B
board square(2, 2)
pieces x of A, o of B

move place(c in empty):
    c := own

win mover when line(mine, 2)
draw when no empty
"""


# ---- forecasts


@pytest.mark.parametrize(("name", "params", "known", "least", "most"), [
    ("connect_four", {"rows": 4, "columns": 4}, 4_000, 0.5, 2.0),  # 80,541 up to symmetry
    pytest.param("nex", {}, 4_000, 0.5, 20.0, marks=pytest.mark.slow),
    ("hex", {"size": 3}, 500, 0.5, 5.0),
    ("tic_tac_toe", {}, 300, 0.5, 2.0),
], ids=str)
def test_forecast_is_near_where_a_few_layers_are_known(name: str, params: dict[str, int], known: int, least: float,
                                                       most: float) -> None:
    """The forecast lies within a factor that suffices for the choice of an engine."""
    space = packed(name, **params)
    strong = Strong(space, Budget())
    strong.enumerate_until(known)
    games = RandomGames(space)
    for _ in range(20):
        games.play(0.0)
        foretold = forecast(strong, games)
    strong.enumerate_until()
    assert least * len(strong.states) < foretold < most * len(strong.states)


@pytest.mark.parametrize(("name", "params", "positions", "known"), [
    ("tic_tac_toe", {}, 5_478, 300), ("hex", {"size": 3}, 5_514, 300), ("nex", {}, 36_397, 1_500),
    pytest.param("shift_tac_toe", {}, 108_786, 6_000, marks=pytest.mark.slow),
    ("connect_four", {"rows": 4, "columns": 4}, 161_029, 1_500),
    pytest.param("connect_four", {"rows": 5, "columns": 4}, 1_706_255, 1_500, marks=pytest.mark.slow),
    ("connect_four", {"rows": 4, "columns": 5}, 3_945_711, 1_500),
    pytest.param("connect_four", {"rows": 5, "columns": 5}, 69_763_700, 1_500, marks=pytest.mark.slow),
    pytest.param("connect_four", {}, 4_531_985_219_092, 1_500, marks=pytest.mark.slow),
    ("hare_and_hounds", {}, 23_246, 1_500),
    ("domineering", {"rows": 4, "columns": 5}, 33_650, 1_500),
], ids=str)
def test_forecast_is_within_a_factor_of_ten(name: str, params: dict[str, int], positions: int, known: int) -> None:
    """Forecasts from far fewer positions lie within ten times the published or counted numbers, merged and unmerged."""
    for symmetry in (True, False):
        space = PackedSpace.of(GameSpace(dslgame.load(name, **params), symmetry=symmetry))
        strong = Strong(space, Budget())
        strong.enumerate_until(known)
        games = RandomGames(space)
        for _ in range(12):
            games.play(0.0)
            foretold = forecast(strong, games)
        assert positions / 10 < foretold * space.symmetries < 10 * positions


def test_arrivals_are_the_positions_that_lead_to_a_position() -> None:
    """The estimated number of predecessors is that of the enumerated graph, where stones are placed or fall."""
    for name, params in (("hex", {"size": 3}), ("connect_four", {"rows": 4, "columns": 4}), ("tic_tac_toe", {})):
        space = PackedSpace.of(GameSpace(dslgame.load(name, **params), symmetry=False))
        strong, games = Strong(space, Budget()), RandomGames(space)
        strong.enumerate_until(3_000)
        for _ in range(60):
            games.play(0.0)
        leading: dict[int, set[int]] = {}
        for number, kids in enumerate(strong.children):
            for kid in kids:
                leading.setdefault(kid, set()).add(number)
        wrong = seen = 0
        for number in range(0, len(strong.children), 7):
            row = space.row(strong.states[number])
            mover = space.mover(row)
            games.layers.arrivals.learn(row, mover, space.moves_from(row))
            for _, left in space.moves_from(row):
                key = space.canonical_after(left, mover)
                if space.outcome(key) is None and strong.number[key] in leading:
                    seen += 1
                    wrong += games.layers.arrivals.of(left, mover) != len(leading[strong.number[key]])
        assert seen > 100
        assert wrong <= 0.06 * seen


def test_recapture_corrects_a_forecast_where_positions_come_back() -> None:
    """Random games that meet only known positions show that hardly any are unknown."""
    space = packed("mu_torere")
    strong = Strong(space, Budget())
    strong.enumerate_until(500)
    games = RandomGames(space)
    for _ in range(30):
        games.play(0.0)
    assert games.visited
    assert len(strong.states) <= forecast(strong, games) < 3 * len(strong.states)


@pytest.mark.parametrize(("name", "least", "most"), [("dobutsu_shogi", 10**8, 10**10), ("bagh_chal", 10**8, 10**11)])
def test_forecast_counts_arrangements_of_the_pieces_that_games_have(name: str, least: int, most: int) -> None:
    """Where positions repeat and a thousand are known, the forecast counts the arrangements of the pieces in games."""
    space = packed(name)
    strong = Strong(space, Budget())
    strong.enumerate_until(1_000)
    games = RandomGames(space)
    for _ in range(60):
        games.play(0.0)
    assert least < forecast(strong, games) < most
    assert space.most > 100 * most


def test_more_moves_than_there_was_room_for_in_samples() -> None:
    """The buffer grows, and no move is left out."""
    space = packed("amazons", size=6)
    assert len(space.moves_from(space.row(space.start()))) == len(space.game_space.game.start().legal()) > 64


def test_forecast_of_a_large_game_is_large() -> None:
    """From two layers of 11x11 Hex the forecast is a number that nobody can enumerate."""
    space = packed("hex")
    strong = Strong(space, Budget())
    strong.enumerate_until(100)
    games = RandomGames(space)
    games.play(0.0)
    assert 30 < math.log10(forecast(strong, games, 0.01)) < 120


def test_random_games_count_the_legal_moves() -> None:
    """The mean number of moves is nine at ply 0, eight at ply 1, and none past the end."""
    games = RandomGames(packed("tic_tac_toe"))
    games.play(0.0)
    assert (games.branching(0), games.branching(1), games.branching(10)) == (9.0, 8.0, 0.0)
    assert games.games >= 2


@pytest.mark.parametrize(("number", "words"), [
    (7, "about 7"), (41_000, "about 40,000"), (3.4e6, "about 3 million"), (4e12, "about 10^13"),
    (1e300, "more than 10^300")])
def test_numbers_in_words(number: float, words: str) -> None:
    """Numbers are rounded to one digit, as no more is known."""
    assert in_words(number) == words


def test_amounts_in_words() -> None:
    """Times and memory are written in a suitable unit."""
    assert [seconds_in_words(number) for number in (0.2, 40, 600, 9_000, 4e5, 1e12, 1e40)] == [
        "about 1 s", "about 40 s", "about 10 minutes", "about 2 hours", "about 5 days", "about 30,000 years",
        "about 10^33 years"]
    assert [bytes_in_words(number) for number in (3e5, 4e7, 3e10, 5e12, 1e40)] == [
        "about 1 MB", "about 40 MB", "about 30 GB", "about 5 TB", "about 10^28 TB"]


# ---- which engine


def enumerated(monkeypatch: pytest.MonkeyPatch, compiling: float, **limits: float) -> Slow | None:
    """The Slow exception that leaves the plain kernel, or None, on a simulated clock of 1/60 s per look."""
    clock = iter(range(1 << 30))
    monkeypatch.setattr("solver.pace.time.thread_time", lambda: next(clock) / 60)
    space = packed("connect_four", rows=4, columns=4)
    strong = Strong(space, Budget(), until=Pace(space, compiling, **limits).look)  # type: ignore[arg-type]
    try:
        strong.enumerate_until()
    except Slow as slow:
        return slow
    return None


@pytest.mark.slow
def test_engine_by_predicted_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 5,000 looks of 1/60 s, compiling for 1 s pays off, compiling for 1,000 s does not."""
    slow = enumerated(monkeypatch, 1.0)
    assert slow is not None
    assert 20_000 < slow.positions < 2_000_000
    assert enumerated(monkeypatch, 1_000.0) is None


def test_limit_of_positions_is_no_reason_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling does not pay off where the limit of positions is low, however many positions there are."""
    assert enumerated(monkeypatch, 1_000.0, most=10_000.0) is not None
    space = packed("connect_four")
    strong = Strong(space, Budget(nodes=2_000), until=Pace(space, 100.0, limit=2_000).look)
    with pytest.raises(OutOfBudget):
        strong.enumerate_until()


@pytest.mark.slow
def test_kept_kernel_is_expected_to_begin_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling is expected to take seconds before a kernel is cached and a moment afterwards."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pace, "speed", lambda: 1.0)
    game = dslgame.loads(NEVER_SEEN, name="never.game")
    plain = Kernel.of(game, native=False)
    before = pace.seconds_of_compiling(plain)
    native = Kernel.of(game)
    assert native.perft(2)[0] == [4, 12]
    assert pace.seconds_of_compiling(plain) == before
    assert solve_game(game, engine="kernel").engine == "kernel"
    assert pace.seconds_of_compiling(plain) == pace._IMPORTING < 1.0 < before


def test_first_commands_are_not_compiled() -> None:
    """The games of README and of the tutorial's first pages are solved by the plain kernel."""
    solution = solve_game(dslgame.load("tic_tac_toe"))
    assert (solution.engine, solution.method, solution.reason) == ("plain kernel", "strong", VALUED)


# ---- shallow proofs


def solved(game: Game, moves: str) -> tuple[str, int | None, int | None, str | None]:
    """Solve for the value alone after some moves: the method, the winner, the plies and the best move."""
    position = game.start()
    for move in moves.split():
        position = position.play(move)
    found = solve_game(game, position.state, value_only=True)
    return (found.method, found.winner, found.remoteness,
            None if found.best is None else game.notation.write(position.state, found.best))


@pytest.mark.parametrize(("moves", "plies", "best"), [("4 1 4 1 4 1", 1, "4"), ("4 4 3 1", 3, "5")])
def test_value_by_a_shallow_proof(moves: str, plies: int, best: str) -> None:
    """A mate in a few plies is found before enumeration begins, in a game with 10^12 positions."""
    assert solved(dslgame.load("connect_four"), moves) == ("shallow", 0, plies, best)


@pytest.mark.slow
def test_shallow_proofs_agree_with_all_values() -> None:
    """Shallow proofs on Tic-Tac-Toe have the winner and the remoteness of strong solving, after several openings."""
    game = dslgame.load("tic_tac_toe")
    shallow = 0
    for first in ("a1", "b2"):
        for second in game.start().play(first).moves()[:2]:
            for third in game.start().play(first).play(second).moves():
                state = game.start().play(first).play(second).play(third).state
                alone, whole = solve_game(game, state, value_only=True), solve_game(game, state, method="strong")
                assert (alone.winner, alone.remoteness or whole.remoteness) == (whole.winner, whole.remoteness)
                if alone.method == "shallow":
                    shallow += 1
                    assert alone.best in [move.move for move in whole.moves if move.winner == whole.winner]
    assert shallow > 10


# ---- messages


def test_hopeless_work_is_said_at_the_start() -> None:
    """Before hopeless work a message tells the number of positions, the time, the memory and what is done instead."""

    class Said(Exception):
        """Raised to end the work."""

    def said(text: str) -> None:
        raise Said(text)

    with pytest.raises(Said) as caught:
        solve_game(dslgame.load("hex"), said=said)
    text = str(caught.value)
    for part in ("Hex (size=11) has about 10^", "years", "TB", "method strong", "searched instead", "--value"):
        assert part in text


@pytest.mark.slow
def test_hopeless_work_that_was_asked_for_needs_a_word_more() -> None:
    """The command does not begin hopeless work and says how to begin it anyway; a limit of positions begins it."""
    result = CliRunner().invoke(app, ["solve", "hex", "--method", "strong"], prog_name="dslgame")
    assert result.exit_code == 3
    for part in ("Hex (size=11) has about 10^", "years", "methods alphabeta, connections and proof either",
                 "It is not begun; with --anyway it is"):
        assert part in result.stderr
    assert "not begun: there are too many positions to value" in " ".join(result.stdout.split())
    begun = CliRunner().invoke(app, ["solve", "hex", "--method", "strong", "--nodes", "20000"], prog_name="dslgame")
    assert "the limit of 20,000 positions is reached" in " ".join(begun.stdout.split())


def test_small_work_is_done_without_a_word() -> None:
    """Work that takes a second has no message."""
    told: list[str] = []
    solve_game(dslgame.load("tic_tac_toe"), said=told.append)
    assert told == []


@pytest.mark.parametrize("command", ["solve", pytest.param("openings", marks=pytest.mark.slow)])
def test_command_says_it_on_the_standard_error(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message goes to the standard error before the search begins, and nothing to the standard output."""

    def interrupted(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.drivers.weak.search_on_kernel", interrupted)
    result = CliRunner().invoke(app, [command, "hex", "--json"], prog_name="dslgame")
    assert "Hex (size=11) has about 10^" in result.stderr
    assert (result.stdout, result.exit_code) == ("", 130)


def test_command_finds_a_mate_in_one() -> None:
    """The command prints a mate in one as text."""
    result = CliRunner().invoke(app, ["solve", "connect_four", "--value", "--moves", "4 1 4 1 4 1"])
    assert "Yellow to move: win for Yellow in 1 ply, best move 4" in result.output
    assert "method shallow: the end can be forced so soon" in " ".join(result.output.split())


def test_parents_are_found_where_variables_hold_none_or_negative_numbers() -> None:
    """Undoing a move's change gives the row before it, also by the sampling's integers, whose words are unsigned."""
    game = dslgame.loads('''
game "Signs"
players X, O
board square(2, 2)
pieces x of X, o of O
var last in cells or none
var shift in -4..4

move place(c in empty, d in directions where c.d != none and (last = none or c in neighbours(last))):
    c := own
    last := c
    shift -= 1 if d = north and shift > -4
    shift += 1 if d = south and shift < 4

draw when no empty
no moves loses
''')
    space, tried = PackedSpace.of(GameSpace(game)), 0
    rows = [space.row(space.start())]
    for row in rows:
        for move, left in space.moves_from(row)[:3]:
            before = _row(_number(row), len(row))
            assert space.leads(before, move, left)
            assert before == row
            tried += 1
            if len(rows) < 40:
                rows.append(space.judged(left, space.mover(row)))
    assert tried > 40
    sampling = LayerSampling(Arrivals(space), random.Random(1))
    assert sampling.follow(0, [space.start()], 10, 50)
    assert max(mean.value for mean in sampling.growth.values()) < 10
