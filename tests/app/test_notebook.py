"""Notebook views of games, positions, solutions, trees and matches; the cell magic and the widget.

Skipped without IPython.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dslgame
from solver.players.matches import play_match
from solver.trees.tree import Tree
from tests.discovery import FOLDER

ROOT = Path(__file__).parents[2]
interactive = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")


@pytest.fixture
def shell() -> Iterator[Any]:
    """An IPython shell with the extension loaded."""
    found = interactive.InteractiveShell.instance()
    found.run_line_magic("load_ext", "dslgame.notebook")
    yield found
    interactive.InteractiveShell.clear_instance()


def test_game_shows_its_board_and_rules() -> None:
    shown = dslgame.load("nex", rows=2, columns=3)._repr_html_()
    assert shown.count("<svg") == 1
    assert "Black, White" in shown
    assert "<td style" in shown
    assert "move generate" in shown


def test_texts_cannot_bring_markup_in() -> None:
    """Markup in titles and names is escaped."""
    text = (FOLDER / "tic_tac_toe.game").read_text(encoding="utf-8")
    game = dslgame.loads(text.replace('"Tic-Tac-Toe"', '"<script>alert(1)</script>"'))
    assert "<script>" not in game._repr_html_()
    assert "<script>" not in dslgame.solve(game)._repr_html_()


def test_solution_lists_moves_the_best_first() -> None:
    shown = dslgame.solve(dslgame.load("nex", rows=2, columns=2))._repr_html_()
    assert "Black to move" in shown
    assert shown.index("wins in 3") < shown.index("Ba1?a2") < shown.index("draw in 3")
    assert "37 positions" in shown


def test_unsolved_moves_are_unknown() -> None:
    game = dslgame.load("connect_four")
    shown = dslgame.solve(game, nodes=100, method="strong")._repr_html_()
    assert shown.count("unknown") == 8


def test_match_and_tree_are_tables() -> None:
    game = dslgame.load("tic_tac_toe")
    match = play_match(game, dslgame.player(game, "random", seed=1), dslgame.player(game, "random", seed=2), 4)
    assert "with 95% confidence" in match._repr_html_()
    tree = Tree.of(game, merge="all")
    tree.grow(2)
    assert "<td" in tree._repr_html_()


def test_cell_magic_makes_a_game(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The game is stored under the given name; errors are printed as by the command."""
    text = (FOLDER / "nex.game").read_text(encoding="utf-8")
    shell.run_cell(f"%%game mine -p rows=2 -p columns=2\n{text}")
    assert shell.user_ns["mine"].params == {"rows": 2, "columns": 2}
    shell.run_cell(f"%%game\n{text}")
    assert shell.user_ns["game"].title == "Nex"
    capsys.readouterr()
    shell.run_cell("%%game\n" + text.replace("empty - a", "emty - a"))
    out = capsys.readouterr().out
    assert "unknown name 'emty'" in out
    assert "did you mean 'empty'" in out
    for line, wrong in (("2x", "cannot be the name"), ("a -p rows", "no param with a whole number"),
                        ("a b", "unrecognized arguments: b")):
        shell.run_cell(f"%%game {line}\n{text}")
        assert wrong in capsys.readouterr().out


def test_small_trees_are_pictures(shell: Any) -> None:
    pytest.importorskip("igraph")
    tree = Tree.of(dslgame.load("tic_tac_toe"), merge="all")
    tree.grow(2)
    found, _ = shell.display_formatter.format(tree)
    assert found["image/svg+xml"].startswith("<svg")
    tree.grow(3)
    found, _ = shell.display_formatter.format(tree)
    assert "image/svg+xml" not in found
    assert "<table" in found["text/html"]


@pytest.mark.slow
def test_tutorial_runs(shell: Any) -> None:
    """All cells of docs/notebook.ipynb run in order, and the file holds no outputs."""
    pytest.importorskip("ipywidgets")
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8
    for cell in cells:
        assert cell["outputs"] == []
        done = shell.run_cell("".join(cell["source"]))
        assert done.success, done
    assert shell.user_ns["answer"].winner == 0
    assert shell.user_ns["corners"].params == {"size": 3}


def test_the_widget_shows_one_side_at_a_time() -> None:
    """Where something is hidden each player looks in turn; nothing tells the deal, and nothing is taken back."""
    pytest.importorskip("ipywidgets")
    from dslgame.notebook import board

    widget = board(dslgame.load("kuhn_poker"), "random")
    back, view, said, line = widget.children
    moves, play, think, _ = line.children
    look = back.children[4]

    def cards() -> str:
        return " ".join(re.findall(r"card: (.)", view.value))

    assert look.description == "Show what Ann sees"
    assert cards() == "? ?"
    assert moves.options == ()
    look.click()
    assert re.fullmatch(r"[123] \?", cards())
    assert list(moves.options) == ["pass", "bet"]
    moves.value = "bet"
    play.click()
    assert "Bob to move" in said.value
    assert "1 of" not in said.value
    assert re.fullmatch(r"[123] \?", cards())
    assert think.disabled
    assert moves.options == ()
    assert all(button.disabled for button in back.children[:4])
    look.click()
    assert cards() == "? ?"
    look.click()
    assert re.fullmatch(r"\? [123]", cards())
    think.click()
    assert "won" in said.value


def test_widget_plays_a_game() -> None:
    """The widget makes moves, takes them back, and lets a player move."""
    pytest.importorskip("ipywidgets")
    from dslgame.notebook import board

    widget = board(dslgame.load("tic_tac_toe"), "random")
    back, view, said, line = widget.children
    moves, play, think, chance = line.children
    assert "X to move" in said.value
    moves.value = "b2"
    play.click()
    assert "O to move" in said.value
    assert "1 of 1" in said.value
    back.children[0].click()
    assert "0 of 1" in said.value
    back.children[3].click()
    assert "1 of 1" in said.value
    think.click()
    chance.click()
    assert "3 of 3" in said.value
    while not chance.disabled:
        chance.click()
    assert "won" in said.value or "draw" in said.value
    assert moves.options == ()
    assert view.value.count("<svg") == 1
