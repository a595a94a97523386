"""Instances that are recognised as one game: by a digest without names, and by an isomorphism of the boards."""

from __future__ import annotations

import pytest

import dslgame
from dslgame.laboratory.identity import digest
from interpreter.analysis.isomorphism import isomorphism
from interpreter.game import Game
from interpreter.model.state_maps import state_map
from tests.laboratory.families import MNK, mnk

NAMED = MNK.replace("X", "Left").replace(" O", " Right").replace("x of", "cross of").replace("o of", "nought of") \
    .replace("place(c", "put(d").replace("    c :=", "    d :=").replace("c in empty", "d in empty")
CHOMP = ("chomp", {"rows": 1, "columns": 3}, {"rows": 3, "columns": 1})
"""The rules calculate with rows and columns, so that comparing texts proves nothing."""


def test_names_do_not_matter() -> None:
    """Names of players, pieces, moves and choices, heuristic values and displays do not change the digest."""
    other = dslgame.loads(NAMED + 'value count(mine)\nshow cross as "C" in red\n', rows=3, columns=3, k=3)
    assert digest(other) == digest(mnk(3, 3, 3))


@pytest.mark.parametrize("change", [("line(mine, k)", "line(mine, k - 1)"), ("win mover", "lose mover"),
                                    ("draw when no empty", "draw when no empty or count(empty) = 1"),
                                    ("in empty", "in corners and empty"), ("square(rows, columns)", "rhombus(3, 3)")])
def test_rules_matter(change: tuple[str, str]) -> None:
    """A change of what can happen changes the digest."""
    assert digest(dslgame.loads(MNK.replace(*change))) != digest(mnk(3, 3, 3))


def test_params_that_come_to_the_same_rules_are_one_game() -> None:
    """Rules are compared with params replaced by their numbers."""
    fixed = MNK.replace("param k = 3 in 1..9\n", "").replace("mine, k", "mine, 3")
    assert digest(dslgame.loads(fixed)) == digest(mnk(3, 3, 3))


@pytest.mark.parametrize(("name", "one", "other"), [
    (None, {"rows": 2, "columns": 3}, {"rows": 3, "columns": 2}),
    ("cram", {"rows": 2, "columns": 3}, {"rows": 3, "columns": 2}),
    ("clobber", {"rows": 2, "columns": 3}, {"rows": 3, "columns": 2}),
    ("snort", {"rows": 2, "columns": 3}, {"rows": 3, "columns": 2}),
])
def test_map_onto_the_other_board_keeps_every_move(name: str | None, one: dict[str, int],
                                                   other: dict[str, int]) -> None:
    """For all positions within three plies, the images of the successors are the successors of the image."""
    first, second = (mnk(params["rows"], params["columns"], 3) if name is None else dslgame.load(name, **params)
                     for params in (one, other))
    assert digest(first) != digest(second)
    cells = isomorphism(first, second)
    assert cells is not None
    element = state_map(first.rules, first.board, cells, swapping=False, reversing=())
    layer = {first.start().state}
    for _ in range(3):
        after = set()
        for state in layer:
            mine = {succ for _, succ in first.engine.successors(state)} if state.outcome is None else set()
            image = element.of_state(state)
            theirs = {succ for _, succ in second.engine.successors(image)} if image.outcome is None else set()
            assert {element.of_state(succ) for succ in mine} == theirs
            after |= mine
        layer = after


@pytest.mark.parametrize(("name", "one", "other"), [
    ("domineering", {"rows": 2, "columns": 3}, {"rows": 3, "columns": 2}),
    ("nex", {"rows": 2, "columns": 3}, {"rows": 3, "columns": 2}),
    ("connect_four", {"rows": 2, "columns": 3}, {"rows": 3, "columns": 2}),
    CHOMP,
])
def test_nothing_is_shown_where_rules_tell_rows_from_columns(name: str, one: dict[str, int],
                                                             other: dict[str, int]) -> None:
    """No isomorphism is found where rules distinguish rows from columns, even if a row's number equals a column's."""
    games: list[Game] = [dslgame.load(name, **params) for params in (one, other)]
    assert isomorphism(*games) is None


SHAPES = """
game "Shapes"
values tile = ell as "x./xx", bar as "xxx"
players Red, Blue
board square(3, 3)
pieces red of Red, blue of Blue
move lay(k in tile, d in orthogonals, e in orthogonals where differs(k, d, e),
         c in cells where count(laid(k, c, d, e) and empty) = area(k)):
    laid(k, c, d, e) := own
no moves loses
notation lay "{k}:{c}-{d}-{e}"
"""


def test_shapes_of_values_matter() -> None:
    """Tiles of another shape are another game, with another winner here."""
    other = dslgame.loads(SHAPES.replace('"xxx"', '"xx"'))
    assert digest(dslgame.loads(SHAPES)) != digest(other)
    assert digest(dslgame.loads(SHAPES.replace("bar", "rod"))) == digest(dslgame.loads(SHAPES))
