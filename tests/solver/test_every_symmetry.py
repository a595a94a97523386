"""Tables merged by every symmetry: also by those that the root lacks or that swap the players."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner, Result

import dslgame
from dslgame.cli.app import app
from interpreter.model.state import State
from interpreter.model.state_maps import canonical
from solver.certificates.checker import check, read
from solver.certificates.prove import certify
from solver.errors import Refused
from solver.game_space import GameSpace, solve_game
from solver.tables.saved import SavedSolution
from solver.tables.valuation import Valuation

GAMES = [
    ("tic_tac_toe", {}, "a1", False),
    ("connect_four", {"rows": 3, "columns": 4, "length": 3}, "1", False),
    pytest.param("breakthrough", {"rows": 4, "columns": 3, "filled": 1}, "", True, marks=pytest.mark.slow),
    pytest.param("quixo", {"size": 3}, "", True, marks=pytest.mark.slow),
    ("dodgem", {}, "", True),
    ("mu_torere", {}, "", True),
    ("pong_hau_ki", {}, "", True),
]
"""Games with their params, the moves to their roots, and whether players are swapped. In the last four, positions
repeat, and some play never ends."""


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, arguments, prog_name="dslgame")


def reachable(space: GameSpace, *, taking_wins: bool = False) -> set[State]:
    """All positions reachable from the root; with `taking_wins` an immediate win is the only move that is followed."""
    seen, waiting = {space.root}, [space.root]
    while waiting:
        state = waiting.pop()
        if state.outcome is None:
            afters = [after for _, after in space.successors(state)]
            won = [after for after in afters if after.outcome == state.to_move]
            for after in won[:1] if won and taking_wins else afters:
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return seen


@pytest.mark.parametrize(("name", "params", "moves", "swapping"), GAMES)
def test_values_are_those_without_merging(name: str, params: dict[str, int], moves: str, swapping: bool,
                                          tmp_path: Path) -> None:
    """Every reachable position has its value in the table and in a file; positions equal by symmetry count once."""
    game = dslgame.load(name, **params)
    root = game.start().play(*moves.split()).state if moves else game.start().state
    space = GameSpace(game, root, symmetry="every")
    assert (space.relative, len(space.table_maps) > 1) == (swapping, True)
    plain = solve_game(game, root, symmetry=False, method="strong", engine="interpreter")
    found = solve_game(game, root, symmetry="every", save=tmp_path / "saved")
    assert (found.winner, found.remoteness, found.method, found.engine) == (
        plain.winner, plain.remoteness, "strong", "kernel")
    assert [(move.winner, move.remoteness) for move in found.moves] == [
        (move.winner, move.remoteness) for move in plain.moves]
    states = reachable(space)
    assert found.positions == found.positions_merged == len({canonical(state, space.table_maps) for state in states})
    assert found.positions < len(states) == plain.positions
    assert "of positions that are alike by the game's symmetries one is counted" in found.reason
    saved = SavedSolution.open(tmp_path / "saved")
    in_memory = solve_game(game, root, symmetry="every").strong
    assert plain.strong is not None
    assert in_memory is not None
    for state in states:
        assert saved.value(state) == in_memory.value(state) == plain.strong.value(state)
    assert sum(saved.tally().values()) == sum(in_memory.tally().values()) == found.positions
    assert in_memory.cyclic() == saved.cyclic() == plain.strong.cyclic()


@pytest.mark.parametrize("symmetry", [True, False, "every"])
@pytest.mark.parametrize(("name", "params", "moves", "swapping"), GAMES)
def test_no_other_move_is_followed_where_one_wins(name: str, params: dict[str, int], moves: str, swapping: bool,
                                                  symmetry: bool | Literal["every"], tmp_path: Path) -> None:
    """With `take_wins` an immediate win is the only move that is followed, and the remaining values are the same."""
    game = dslgame.load(name, **params)
    root = game.start().play(*moves.split()).state if moves else game.start().state
    plain = solve_game(game, root, symmetry=False, method="strong", engine="interpreter").strong
    found = solve_game(game, root, symmetry=symmetry, take_wins=True, save=tmp_path / "saved")
    in_memory, saved = solve_game(game, root, symmetry=symmetry, take_wins=True).strong, SavedSolution.open(
        tmp_path / "saved")
    assert plain is not None
    assert in_memory is not None
    value = plain.value(root)
    assert value is not None
    assert found.winner == value.winner
    space = GameSpace(game, root)
    states = [state for state in reachable(space, taking_wins=True) if state.outcome is None]
    merged = {canonical(state, GameSpace(game, root, symmetry=symmetry).table_maps) for state in states}
    assert len(merged) < found.positions_merged <= len(merged) + 6 * 30
    for state in states:
        assert saved.value(state) == in_memory.value(state) == plain.value(state)
    over = [after for state in states[-50:] for _, after in space.successors(state) if after.outcome is not None]
    for state in over:
        assert saved.value(state) == in_memory.value(state) == plain.value(state)
    assert "where a move wins at once no other was followed" in found.reason


@pytest.mark.parametrize("name", ["dodgem", "mu_torere"])
def test_passes_value_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Valuation by passes, for memory too short to invert moves, gives the same values."""
    game = dslgame.load(name)
    wanted = solve_game(game, symmetry="every").strong
    monkeypatch.setattr(Valuation, "_bytes_within", lambda self, tier: 1 << 60)
    found = solve_game(game, symmetry="every", memory=1 << 14).strong
    assert wanted is not None
    assert found is not None
    for state in reachable(GameSpace(game)):
        assert found.value(state) == wanted.value(state)


def test_certificates_are_made_of_values_merged_by_every_symmetry(tmp_path: Path) -> None:
    """The checker accepts certificates from merged values; with positions left out none is made."""
    position, file = dslgame.load("dodgem").start(), tmp_path / "proof"
    file.write_bytes(certify(position, solve_game(position.game, symmetry="every")).data)
    assert check(read(file)) > 0
    assert [(claim.winner, claim.most, claim.least) for claim in read(file).claims] == [(0, 19, 19)]
    with pytest.raises(Refused, match="positions were left out where a move wins at once"):
        certify(position, solve_game(position.game, take_wins=True))


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    """Other methods, incompatible options, and games whose values depend on history or chance are refused."""
    with pytest.raises(Refused, match="method alphabeta does not value all positions"):
        solve_game(dslgame.load("nex"), symmetry="every", method="alphabeta")
    with pytest.raises(Refused, match="'repetition draws' makes values depend on the moves before"):
        solve_game(dslgame.load("gardners_chess"), symmetry="every")
    with pytest.raises(Refused, match="without chance"):
        solve_game(dslgame.load("pig"), symmetry="every")
    for option in (["--no-symmetry"], ["--certificate", str(tmp_path / "proof")],
                   ["--cluster", "none", "--save", str(tmp_path / "there")]):
        result = run("solve", "dodgem", "--every-symmetry", *option)
        assert result.exit_code == 2
        assert f"--every-symmetry does not go with {option[0]}" in result.output


def test_a_position_that_was_left_out_is_said_to_be(tmp_path: Path) -> None:
    """The file has only positions after immediate wins where there are any, and `query` says so for others."""
    file = tmp_path / "race.solution"
    options = ["-p", "rows=4", "-p", "columns=3", "-p", "filled=1"]
    assert run("solve", "breakthrough", *options, "--take-wins", "--save", str(file)).exit_code == 0
    start = dslgame.load("breakthrough", rows=4, columns=3, filled=1).start()
    space = GameSpace(start.game, start.state)
    kept = {canonical(state, space.maps) for state in reachable(space, taking_wins=True)}
    chance, position = random.Random(1), start
    while position.over or canonical(position.state, space.maps) in kept:
        position = start if position.over else position.play(chance.choice(position.legal()))
    asked = run("query", str(file), "--moves", " ".join(position.played))
    assert asked.exit_code == 1
    assert "or only where a move that wins at once was not made (--take-wins)" in " ".join(asked.output.split())
    assert run("query", str(file)).exit_code == 0


def test_the_command_says_what_it_counted(tmp_path: Path) -> None:
    """The command says that one position of each class is counted, and `query` finds images of stored positions."""
    file = tmp_path / "dodgem.solution"
    result = run("solve", "dodgem", "--every-symmetry", "--save", str(file))
    assert result.exit_code == 0
    assert "one is counted" in " ".join(result.output.split())
    plain = run("solve", "dodgem")
    for moves in ("", "c1-c2"):
        asked = run("query", str(file), *(["--moves", moves] if moves else []))
        assert asked.exit_code == 0
        if not moves:
            assert asked.output.splitlines()[:3] == plain.output.splitlines()[:3]
