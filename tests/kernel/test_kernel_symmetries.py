"""Least images in kernels: those of the interpreter, under what a game claims for a position and under any group."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dsl.syntax.source import Source
from interpreter.boards import mask_of
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import By, Kernel
from interpreter.kernel.many import Batch
from interpreter.model.state import State
from interpreter.model.state_maps import StateMap, canonical, group
from solver.game_space import GameSpace
from solver.trees.positions import merging
from solver.trees.rule import Rule
from tests.discovery import found_games, one_in

CLAIMING = """\
game "Claims"
players Black, White
board square(4, 4)
pieces black of Black, white of White
var pressed[cell] in 0..2
var last in cells or none
move place(c in empty):
    c := own
    pressed[c] += 1
    last := c
draw when no empty
symmetry left right mirror reversing pressed when count(black) > count(white)
symmetry top bottom mirror
symmetry swapping players when no (corners and black)
symmetry diagonal mirror when count(black) > count(white)
"""
"""Symmetries that hold in some positions only, two of them at once: the rules need not have them here."""
OTHERS = {"claims": CLAIMING}
PARAMS: dict[str, dict[str, int]] = {
    "twixt": {"rows": 8, "columns": 8}, "trax": {"line": 4}, "hex": {"size": 11}, "dots_and_boxes": {"rows": 2},
    "toads_and_frogs": {"toads": 2, "frogs": 2}, "hexagonal_tic_tac_toe": {"room": 9},
}
GAMES = ("connect_four", "claims", "dots_and_boxes", "hex", "hexagonal_tic_tac_toe", "hexplode", "kalah", "nim",
         "oware", "pie_hex", "quarto", "shift_tac_toe", "teeko", "tic_tac_toe", "toads_and_frogs", "trax",
         "triangular_peg_solitaire", "twixt")
WIDE = {"go": {"size": 17}, "gomoku": {"size": 15}, "havannah": {"size": 6}}
"""Boards on which four cells are looked up at once, or none."""
PASSES = (Passes(), Passes(images=False))


@cache
def game_of(name: str) -> Game:
    if name in OTHERS:
        return Game.of(Source("own.game", OTHERS[name]))
    return dslgame.load(name, **{**PARAMS, **WIDE}.get(name, {}))


@cache
def kernel_of(name: str, passes: Passes = PASSES[0]) -> Kernel:
    return Kernel.of(game_of(name), native=False, passes=passes)


def reached(game: Game, seed: int, plies: int) -> State:
    """A state after so many random moves, or where the game ends before."""
    chance, state = random.Random(seed), game.engine.start()
    for _ in range(plies):
        try:
            moves = game.engine.legal(state)
            after = game.engine.apply(state, chance.choice(moves)) if moves else None
        except RuleError:
            break
        if after is None:
            break
        state = after
    return state


def group_of(game: Game, generators: list[int]) -> tuple[StateMap, ...]:
    """The group that some of a game's symmetries make."""
    return group(game.rules, game.board, [game.symmetries[number % len(game.symmetries)] for number in generators])


def check(kernel: Kernel, state: State, among: tuple[StateMap, ...]) -> None:
    game = kernel.game
    least = canonical(state, game.symmetries_of(state))
    assert kernel.canonical(state) == least
    assert kernel.canonical_key(state) == kernel.key(least)
    assert kernel.canonical(state, among) == canonical(state, among)
    assert kernel.orbit_size(state, among) == len({element.of_state(state) for element in among})


@pytest.mark.slow
@settings(max_examples=settings().max_examples)
@given(st.sampled_from(GAMES), st.sampled_from(PASSES), st.integers(0, 2**32), st.integers(0, 25),
       st.lists(st.integers(0, 50), max_size=2))
def test_least_images_are_the_interpreters(name: str, passes: Passes, seed: int, plies: int,
                                           generators: list[int]) -> None:
    """Of games with variables, links, swapping, conditions, and a board without borders."""
    game = game_of(name)
    check(kernel_of(name, passes), reached(game, seed, plies), group_of(game, generators))


MERGES: tuple[tuple[By, Rule], ...] = (
    ("all", Rule("all", "with players")), ("rotation", Rule("rotation")),
    ("without players", Rule("all", "without players")))


@pytest.mark.parametrize("name", [*OTHERS, *one_in(6, [path.stem for path in found_games()], 2, rest=2)])
def test_merged_positions_of_every_game_are_the_interpreters(name: str) -> None:
    """By all ways to merge, of a few positions of every game that has symmetries, on boards without borders as well."""
    game = dslgame.load(name) if name in WIDE else game_of(name)
    if len(game.symmetries) == 1:
        pytest.skip("it has no symmetries")
    kernel = Kernel.of(game, native=False)
    for seed, plies in enumerate((0, 1, 3, 7, 14)):
        state = reached(game, seed, plies)
        for by, rule in MERGES:
            assert kernel.canonical(state, by=by) == merging(game, rule)(state), (by, plies)


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 2)
@given(st.sampled_from(["claims", "hex", "hexplode", "trax", "twixt"]), st.sampled_from(PASSES),
       st.sampled_from(MERGES), st.integers(0, 2**32), st.integers(0, 25))
def test_merged_positions_are_the_interpreters(name: str, passes: Passes, merge: tuple[By, Rule], seed: int,
                                               plies: int) -> None:
    """Where symmetries swap the players: and all that are merged with a position have its representative."""
    game, (by, rule) = game_of(name), merge
    kernel, representative = kernel_of(name, passes), merging(game, rule)
    state = reached(game, seed, plies)
    found = kernel.canonical(state, by=by)
    assert found == representative(state)
    for element in random.Random(seed).sample(game.symmetries_of(state), k=1):
        image = element.of_state(state)
        if element.swapping and by == "without players":
            image = image._replace(to_move=state.to_move)
        if not (element.swapping and by == "rotation") and set(game.symmetries_of(image)) == set(
                game.symmetries_of(state)):
            assert kernel.canonical(image, by=by) == found


@given(st.sampled_from(["hex", "tic_tac_toe", "trax"]), st.integers(0, 30), st.integers(0, 2**32), st.integers(0, 100))
def test_images_of_sets_are_those_of_their_cells(name: str, number: int, seed: int, percent: int) -> None:
    """Of small sets, of large ones, and of those between, which are moved in different ways."""
    game, chance = game_of(name), random.Random(seed)
    cells = game.symmetries[number % len(game.symmetries)].cells
    there = [cell for cell in range(game.board.size) if chance.randrange(100) < percent]
    assert cells.of_set(mask_of(there)) == mask_of(cells.cells[cell] for cell in there)


@pytest.mark.parametrize("name", WIDE)
def test_least_images_on_wide_boards(name: str) -> None:
    """The same where sets have several words."""
    game = game_of(name)
    for plies in (0, 1, 2, 40):
        check(kernel_of(name), reached(game, plies, plies), group_of(game, [1, 2, 3]))


def test_a_condition_that_fails() -> None:
    """It fails in the kernel as well, and says the same."""
    game = Game.of(Source("own.game", CLAIMING + "symmetry half turn when last.row > 1\n"))
    state = game.engine.start()
    with pytest.raises(RuleError) as expected:
        game.symmetries_of(state)
    with pytest.raises(RuleError) as found:
        Kernel.of(game, native=False).canonical(state)
    assert found.value.code == expected.value.code


def test_many_conditions() -> None:
    """Each set of conditions makes a group, so there cannot be many."""
    lines = "".join(f"symmetry half turn when count(black) > {number}\n" for number in range(9))
    game = Game.of(Source("own.game", CLAIMING + lines))
    with pytest.raises(NotLowered, match="conditions of symmetries"):
        Kernel.of(game, native=False)


def test_what_a_solver_merges_by() -> None:
    """The symmetries that fix a root, whichever it is, are handed in when the kernel is there."""
    game = game_of("tic_tac_toe")
    kernel = kernel_of("tic_tac_toe")
    for root in (game.start(), game.start().play("a1"), game.start().play("a1").play("c3")):
        space = GameSpace(game, root.state)
        for _, after in space.successors(root.state):
            assert kernel.canonical(after, space.maps) == space.canonical(after)
            assert kernel.orbit_size(after, space.maps) == space.orbit_size(after)


@pytest.mark.parametrize("name", ["tic_tac_toe", *(pytest.param(name, marks=pytest.mark.slow) for name in (
    "claims", "dots_and_boxes", "hex", "hexplode", "shift_tac_toe", "trax", "twixt"))])
def test_least_images_of_many(name: str) -> None:
    """Compiled."""
    game = game_of(name)
    batch = Batch.of(game)
    states = [reached(game, seed, seed % 20) for seed in range(60)]
    rows = batch.rows(states)
    for by, rule in MERGES:
        assert batch.states(batch.canonical(rows, by=by)) == [merging(game, rule)(state) for state in states]
    assert batch.states(batch.canonical(rows)) == [canonical(state, game.symmetries_of(state)) for state in states]
    for generators in ([], [1], [2, 3]):
        among = group_of(game, generators)
        images, counts = batch.canonical_counted(rows, among)
        assert batch.states(images) == [canonical(state, among) for state in states]
        assert (len(among) // counts).tolist() == [
            len({element.of_state(state) for element in among}) for state in states]
        keys = batch.canonical_keys(rows, among=among)
        assert (keys == batch.keys(images)).all()
        turned = batch.rows([among[-1].of_state(state) for state in states])
        assert np.array_equal(batch.canonical_keys(turned, among=among), keys)
