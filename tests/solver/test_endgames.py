"""Endgame tables, compared with the reference solver and with published numbers."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner

import dslgame
from dsl.syntax.source import Source
from dslgame import bundled
from dslgame.cli.app import app
from interpreter.errors import ImpossiblePosition
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import DRAW, Move, State
from solver.budget import Budget
from solver.counters import counters_of
from solver.endgames import Endgames, endgames, pieces_of, without_counters
from solver.errors import Refused
from solver.game_space import GameSpace
from solver.players.analysis import Analyst
from solver.players.endgame_tables import EndgameTables
from solver.players.level_players import SearchingPlayer
from solver.players.levels import Level
from solver.strong import Strong, Value
from solver.tables.table import SolvedTable, TableSolver

_SMALL = """
game "Small Endgame"

players White, Black
board square(3, 4) with diagonals
pieces king of each, rook of each

var quiet in 0..9 aside     # moves

define home[White] = bottom
define home[Black] = top
define rival[White] = Black
define rival[Black] = White

start:
    each p in players:
        (home[p] and left) := king[p]
        (home[p] and right) := rook[p]

define attacked(c, p) = some (neighbours(c) and king[rival[p]])
    or some (union(reach(c, d) for d in orthogonals) and rook[rival[p]])
define checked(p) = some k in king[p]: attacked(k, p)

move go(a in mine, b in (neighbours(a) if a is king else union(reach(a, d) for d in orthogonals)) - mine):
    quiet := 0 if b is theirs else
        min(quiet + 1, 9)
    carry a to b

illegal when checked(mover)
lose opponent when no moves and checked(opponent)
draw when no moves
draw when quiet = 9
repetition draws at third
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with kings and rooks on 12 cells."""
    path = tmp_path_factory.mktemp("games") / "small.game"
    path.write_text(_SMALL)
    return path


@pytest.mark.slow
def test_every_position_has_the_value_of_the_definition(small: Path, tmp_path: Path) -> None:
    """A table has exactly the placements the rules allow; it is saved, opened, queried, and made by the command."""
    game = dslgame.load(str(small))
    found = endgames(game, "KRk", save=tmp_path / "krk.solution")
    plain = without_counters(game)
    positions = dict[str, set[str]]()
    strong: Strong[State, Move] | None = None
    unreached = 0
    for king, rook, other in permutations(range(12), 3):
        cells = ["."] * 12
        cells[king], cells[rook], cells[other] = "K", "R", "k"
        rows = "/".join("".join(cells[start : start + 4]) for start in range(0, 12, 4))
        for player in ("White", "Black"):
            try:
                state = plain.read_position(f"{rows} {player}").state
            except ImpossiblePosition:
                continue
            positions.setdefault(player, set()).add(rows)
            if strong is None:
                strong = Strong(GameSpace(plain, state), Budget())
                strong.enumerate_until()
                strong.value_all()
            value = strong.value(state)
            if value is None:  # unreachable from the start
                unreached += 1
                value = value_by_moves(plain, state, found)
            assert found.value(state) == value, (rows, player)
    assert unreached
    assert [tally.positions for tally in found.tallies] == [len(positions["White"]), len(positions["Black"])]
    assert found.tallies[0].wins[1] == found.tallies[1].wins[1] == 0
    example = found.tallies[0].example
    done = CliRunner().invoke(app, ["query", str(tmp_path / "krk.solution"), "--position", example, "--json"])
    assert json.loads(done.output)["remoteness"] == found.tallies[0].longest
    done = CliRunner().invoke(app, ["endgames", str(small), "--material", "KRk", "--json"])
    told = json.loads(done.output)
    assert told["positions"] == found.table.unmerged()
    assert [table["longest"] for table in told["tables"]] == [tally.longest for tally in found.tallies]
    plays_by_tables(game, plain.read_position(example).state, found, str(tmp_path / "krk.solution"), small)


def plays_by_tables(game: Game, state: State, found: Endgames, file: str, path: Path) -> None:
    """The solver, hints and searches use the table; a win that a counter may end first is left uncertain."""
    tables = EndgameTables.open(game, [file])
    assert [(counter.step, counter.limit) for counter in tables.counters or ()] == [(1, 9)]
    value = found.value(state)
    assert value is not None
    assert value.remoteness is not None
    while value is not None and (value.remoteness or 0) > 4:  # along a best line, until the counter allows the win
        state = next(after for _, after in found.game.engine.successors(state)
                     if found.value(after) == Value(value.winner, (value.remoteness or 0) - 1))
        value = found.value(state)
    assert value is not None
    assert value.remoteness is not None
    assert tables.value(state) == value
    assert tables.value(state._replace(values=(8,))) is None
    analyst = Analyst(game)
    analyst.endgames = tables
    position = game.read_position(game.position_text(state))
    analysis = analyst.analyse(position, nodes=1)
    assert analysis.best.remoteness == value.remoteness
    assert analysis.solved_by == "strong"
    player = Level.of(f"alphabeta plies=1 endgames={file}").player(game)
    assert isinstance(player, SearchingPlayer)
    choice = player.choose(position)
    assert (choice.remoteness, choice.basis) == (value.remoteness, "by endgame table")
    with pytest.raises(ValueError, match="No such file"):
        Level.of("mcts endgames=nowhere").player(game)
    done = CliRunner().invoke(app, ["play", str(path), "--position", game.position_text(state), "--endgames", file,
                                    "--as", "White=solver", "--as", "Black=solver", "--plain"])
    assert done.exit_code == 0, done.output
    assert "White won" in done.output
    done = CliRunner().invoke(app, ["play", "tic_tac_toe", "--endgames", file, "--plain"])
    assert done.exit_code == 1
    assert "with other rules or params" in done.output


@pytest.mark.parametrize(("name", "change", "counter"), [
    ("chess", ("quiet + 1", "quiet + 2"), (2, 0, 100)),
    ("gardners_chess", ("    quiet := 0 if a is pawn or b is theirs else",
                        "    each c in mine:\n        quiet :="), None),
    ("gardners_chess", ("draw when quiet = 100", "win White when quiet = 100"), None),
    ("gardners_chess", ("draw when quiet = 100",
                        "draw when quiet = 100\nlose mover when quiet = 3 and no moves"), None),
    ("minishogi", ("", ""), None),
])
def test_counters_are_known_only_where_they_end_the_game_by_a_draw(
        name: str, change: tuple[str, str], counter: tuple[int, int, int] | None) -> None:
    """Counters that end the game by a draw have their step, top and limit; other counters are refused."""
    text = bundled.path_of(name).read_text()
    assert change[0] in text
    game = Game.of(Source(name, text.replace(*change)))
    found = counters_of(game)
    if counter is not None:
        assert found is not None
        assert [(item.step, item.top, item.limit) for item in found] == [counter]
        return
    assert found is None
    with pytest.raises(Refused, match="does more than count up to a draw"):
        endgames(game, "Kk")


def value_by_moves(game: Game, state: State, found: Endgames) -> Value | None:
    """The value of a position from those of its successors."""
    if state.outcome is not None:
        return Value(state.outcome, 0)
    known = [value for _, after in game.engine.successors(state) if (value := found.value(after)) is not None]
    wins = [value.remoteness or 0 for value in known if value.winner == state.to_move]
    draws = [value.remoteness for value in known if value.winner == DRAW]
    if wins:
        return Value(state.to_move, min(wins) + 1)
    if draws:
        ends = [plies for plies in draws if plies is not None]
        return Value(DRAW, min(ends) + 1 if ends else None)
    return Value(1 - state.to_move, max(value.remoteness or 0 for value in known) + 1)


def test_counters_keep_their_values(small: Path) -> None:
    """Removing counters keeps their values, also where an effect spans two lines, and changes no other rule."""
    game = without_counters(dslgame.load(str(small)))
    text = game.rules.source.text
    assert "quiet := quiet" in text
    assert "aside" not in text.split("#")[0]
    assert "min(quiet" not in text
    other = dslgame.load("tic_tac_toe")
    assert without_counters(other) is other


def test_material_that_cannot_be_is_refused(small: Path, tmp_path: Path) -> None:
    """Unknown signs and too many positions are refused, with the known signs or the number of positions."""
    game = dslgame.load(str(small))
    assert pieces_of(game, "kKR") == pieces_of(game, "K R k")
    (tmp_path / "there").write_text("")
    for material, says in (("KX", "no piece has the sign 'X'"), (" ", "it names no piece")):
        with pytest.raises(Refused, match=says):
            endgames(game, material)
    with pytest.raises(Refused, match="ways to put KQRkq on the board"):
        endgames(dslgame.load("chess"), "KQRkq")
    with pytest.raises(Refused, match="exists: remove it"):
        endgames(game, "Kk", save=tmp_path / "there")
    with pytest.raises(Refused, match="endgames are for"):
        endgames(dslgame.load("gobblet_gobblers"), "A")


@pytest.mark.slow
def test_positions_that_no_play_reaches_are_as_many_as_they_like() -> None:
    """Thousands of unreachable positions, more than a tier's first buffer holds, are added as roots."""
    game = dslgame.load("mu_torere")
    engine, root = game.engine, game.start().state
    reached, waiting = {root}, [root]
    while waiting and len(reached) < 600:
        state = waiting.pop()
        if state.outcome is None:
            new = {after for _, after in engine.successors(state)} - reached
            reached |= new
            waiting += new
    alone = TableSolver(GameSpace(game, root), Kernel.of(game), Budget()).run()
    many = TableSolver(GameSpace(game, root), Kernel.of(game), Budget(), roots=tuple(reached)).run()
    assert isinstance(alone, SolvedTable)
    assert isinstance(many, SolvedTable)
    assert len(reached) > 512
    assert many.enumeration.positions == alone.enumeration.positions


@pytest.mark.slow
def test_men_of_draughts_are_taken_and_crowned() -> None:
    """Both players have 18 * 17 * 16 / 2 placements, with captures and crowning by the rules."""
    found = endgames(dslgame.load("english_draughts", size=6, filled=1), "KKk")
    assert [tally.positions for tally in found.tallies] == [18 * 17 * 16 // 2] * 2
    assert [(tally.wins, tally.draws, tally.longest) for tally in found.tallies] == [
        ((2430, 0), 18, 27), ((2008, 106), 334, 28)]


@pytest.mark.parametrize(("material", "plies"), [
    pytest.param("KQk", 19, marks=pytest.mark.slow), pytest.param("KRk", 31, marks=pytest.mark.slow)])
def test_endings_of_chess_take_as_long_as_published(material: str, plies: int) -> None:
    """Mate takes at most 10 moves with a queen and 16 with a rook; with White to move all positions are won."""
    found = endgames(dslgame.load("chess"), material)
    white, black = found.tallies
    assert (white.longest, white.wins[1], black.wins[1]) == (plies, 0, 0)
    assert black.longest == plies + 1 or black.longest == plies - 1


