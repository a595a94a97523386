"""Notebook support: games written in a cell, trees as pictures, and interactive boards.

`%load_ext dslgame.notebook` adds the cell magic `%%game` and shows game trees as pictures. Games, positions, solutions
and matches have rich displays without it. Needs IPython, `board` also ipywidgets:
pip install 'dslgame[notebook]'.
"""

from __future__ import annotations

import argparse
import random
import shlex
from typing import TYPE_CHECKING, Any

import attrs

from dsl.diagnostics import GameFileError, render
from interpreter.errors import IllegalMove, RuleError
from interpreter.game import Game, Position
from interpreter.happening import happened
from interpreter.pictures.html import Html, table
from interpreter.unknown import seen_by
from interpreter.wording import finished

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from solver.trees.tree import Tree

MOST_DRAWN = 60
"""The most nodes of a tree that is shown as a picture."""


class _Words(argparse.ArgumentParser):
    """An argument parser that raises ValueError instead of exiting."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise ValueError(f"{message}; it is %%game [NAME] [-p PARAM=VALUE]...")


def read(line: str, text: str) -> tuple[str, Game]:
    """The variable name and the game that a cell defines. Raises ValueError and GameFileError."""
    import dslgame

    words = _Words(prog="%%game", add_help=False)
    words.add_argument("name", nargs="?", default="game")
    words.add_argument("-p", dest="params", action="append", default=[], metavar="PARAM=VALUE")
    given = words.parse_args(shlex.split(line))
    if not given.name.isidentifier():
        raise ValueError(f"'{given.name}' cannot be the name of a variable; it is %%game [NAME] [-p PARAM=VALUE]...")
    params: dict[str, int] = {}
    for item in given.params:
        name, _, value = item.partition("=")
        if not value.lstrip("-").isdigit():
            raise ValueError(f"'{item}' is no param with a whole number; it is -p PARAM=VALUE")
        params[name] = int(value)
    return given.name, dslgame.loads(text, name="<cell>", **params)


def picture(tree: Tree) -> str | None:
    """A tree as an SVG document; None where it is too large, or the layout package is not installed."""
    from dslgame.treeview.layout import NoLayout, part_of
    from dslgame.treeview.picture import picture as drawn
    from solver.trees.labels import label

    if tree.size > MOST_DRAWN:
        return None
    try:
        return drawn(tree, part_of(tree), label(tree) if tree.positions.can_label else None)
    except NoLayout:
        return None


def board(game: Game | Position, level: str = "") -> Any:
    """A widget to play a game: moves are picked from a list, taken back, or made by a player of some level.

    That is `solver seconds=1` by default. Where the game hides something, it is `ismcts seconds=1`; the widget then
    draws the moves of chance, shows the side of one player at a time, with what all may see between them, and takes
    nothing back. Raises ImportError where ipywidgets is not installed.
    """
    from ipywidgets import HTML, Button, Dropdown, HBox, VBox

    import dslgame

    line = [game.start() if isinstance(game, Game) else game]
    at = 0
    rules = line[0].game
    hides, alone = not rules.observer.sees_all, len(rules.players) == 1
    level = level or ("ismcts seconds=1" if hides else "solver seconds=1")
    viewer = 0 if alone else None
    view, said = HTML(), HTML()
    moves = Dropdown(description="Move")
    buttons = {text: Button(description=text) for text in ("«", "‹", "›", "»", "Play", "Move for me", "Random")}
    for text in "«‹›»":
        buttons[text].layout.width = "3em"
    look = Button()
    look.layout.display = None if hides and not alone else "none"
    chance = random.Random()
    player: dslgame.Player | None = None

    def show() -> None:
        if hides:
            line[at:] = [happened(line[at], chance)]
        here = line[at]
        seen = attrs.evolve(here, state=seen_by(rules, here.state, viewer), history=(), played=()) if hides else here
        view.value = f"<div style='max-width:32em'>{seen.svg()}</div>"
        result = here.outcome
        said.value = Html(table((), [(
            "" if hides else f"{at} of {len(line) - 1}",  # others may have tried moves in vain
            finished(result) if result else f"{here.to_move} to move")]))
        waits = here.over or (hides and viewer != here.state.to_move)
        moves.options = () if waits else tuple(here.moves())
        for text in ("Play", "Move for me", "Random"):
            buttons[text].disabled = waits
        for text, off in (("«", at == 0), ("‹", at == 0), ("›", at == len(line) - 1), ("»", at == len(line) - 1)):
            buttons[text].disabled = off or hides
        look.description = f"{'Show' if viewer is None else 'Hide'} what " + (
            here.to_move if viewer is None else rules.players[viewer]) + " sees"

    def turn() -> None:
        nonlocal viewer
        viewer = line[at].state.to_move if viewer is None else None
        show()

    def go(place: int) -> None:
        nonlocal at
        at = max(0, min(place, len(line) - 1))
        show()

    def play(text: str | None) -> None:
        if text is None:
            return
        try:
            line[at + 1 :] = [line[at].play(text)]
        except (IllegalMove, RuleError) as problem:
            said.value = Html(table((), [(str(problem),)]))
            return
        go(at + 1)

    def think() -> str:
        nonlocal player
        if player is None:
            player = dslgame.player(line[0].game, level)
        return player.choose(line[at]).text

    for text, to in (("«", lambda: 0), ("‹", lambda: at - 1), ("›", lambda: at + 1), ("»", lambda: len(line))):
        buttons[text].on_click(lambda button, to=to: go(to()))
    buttons["Play"].on_click(lambda button: play(moves.value))
    buttons["Move for me"].on_click(lambda button: play(think()))
    buttons["Random"].on_click(lambda button: play(random.choice(line[at].moves())))
    look.on_click(lambda button: turn())
    show()
    return VBox([HBox([*(buttons[text] for text in "«‹›»"), look]), view, said,
                 HBox([moves, *(buttons[text] for text in ("Play", "Move for me", "Random"))])])


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the cell magic and the display of trees; called by `%load_ext dslgame.notebook`."""
    from IPython import display

    from solver.trees.tree import Tree

    def game(line: str, cell: str) -> None:
        try:
            name, result = read(line, cell)
        except GameFileError as wrong:
            print(wrong)
            return
        except ValueError as wrong:
            print(f"error: {wrong}")
            return
        shell.user_ns[name] = result
        for warning in result.warnings:
            print(render(warning, result.rules.source))
        display.display(result)  # type: ignore[no-untyped-call]

    register: Any = shell.register_magic_function
    register(game, magic_kind="cell", magic_name="game")
    if shell.display_formatter is not None:
        shell.display_formatter.formatters["image/svg+xml"].for_type(Tree, picture)


__all__ = ["board", "load_ipython_extension", "picture", "read"]
