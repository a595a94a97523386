"""Exports a game as one HTML file that is played without a server.

A game with few positions that can be solved is written with all of them, each with its moves, its picture and its
value. Pictures of a game share most of their elements: each element is written once, and a position's picture is a list
of them. Symmetries are not merged, so that every move leads to the position that people see. Any other game is written
with its rules as JavaScript, which `dslgame.web.playing_alone` makes.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from importlib import resources
from typing import Any

import attrs

from dsl.diagnostics import GameFileError
from dslgame.web import pictures, playing_alone
from dslgame.web.choosing import Chooser
from interpreter.game import Game
from interpreter.model.state import State
from solver.budget import OutOfBudget
from solver.game_space import solve_game
from solver.solve import Solved

MODULES = ("page/dom", "page/choosing", "page/values", "page/depth", "page/motion", "page/board", "alone/painter",
           "alone/sources", "alone/searching", "alone/alone")
"""The JavaScript modules in the file, each after those that it imports."""


class TooLarge(Exception):
    """A game has more positions than the limit for a file."""


class CannotExport(Exception):
    """A game can be written neither with all its positions nor with its rules; the message says why."""


@attrs.frozen
class Exported:
    """The contents of a file: the page's data, and the script of the game's rules, or None."""

    data: dict[str, Any]
    kernel: str | None

    def page(self) -> str:
        """The HTML file."""
        return page(self.data) if self.kernel is None else page(self.data, self.kernel)


def exported(game: Game, root: State, most: int, progress: Callable[[str], None] | None = None, *,
             by_rules: bool = False) -> Exported:
    """Export a game from a position on: with all positions and values where they are few, else, or `by_rules`, with its
    rules.

    Where the rules cannot be written, all positions are written without values, if they are few enough. Raises
    CannotExport, and RuleError where a rule fails.
    """
    from interpreter.compiler.lowering.errors import NotLowered
    from interpreter.compiler.reader import IRError

    listed = None
    if not by_rules:
        with suppress(TooLarge):
            listed = packed(game, root, most, progress)
    if listed is not None and listed["valued"]:
        return Exported(listed, None)
    try:
        data, module = playing_alone.packed(game, root)
    except (playing_alone.CannotPlayAlone, NotLowered, IRError) as problem:
        if listed is not None:
            return Exported(listed, None)
        more = "" if by_rules else f", and it has more than {most:,} positions from here on"
        why = f"the compiler does not know {problem} yet" if isinstance(problem, NotLowered) else str(problem)
        raise CannotExport(f"{game.title} cannot be written with its rules: {why}{more}") from None
    return Exported(data, playing_alone.script(module))


class _Index:
    """Numbers things in the order in which they are first met, each once."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self.things: list[Any] = []

    def number(self, thing: Any, key: Hashable = None) -> int:
        """The number of a thing, assigned on first use; `key` identifies things that cannot be hashed."""
        key = thing if key is None else key
        if key not in self._numbers:
            self._numbers[key] = len(self.things)
            self.things.append(thing)
        return self._numbers[key]


def reachable(game: Game, root: State, most: int,
              progress: Callable[[str], None] | None = None) -> tuple[list[State], list[list[tuple[Any, int]]]]:
    """Every position from a root on, in order of discovery, with its moves and the numbers of the positions they lead
    to.

    Raises TooLarge where there are more than `most`, and RuleError where a rule fails.
    """
    numbers = {root: 0}
    states, moves = [root], list[list[tuple[Any, int]]]()
    while len(moves) < len(states):
        result = []
        for move, after in game.engine.successors(states[len(moves)]):
            if after not in numbers:
                if len(states) >= most:
                    raise TooLarge(f"{game.title} has more than {most:,} positions from here on")
                numbers[after] = len(states)
                states.append(after)
            result.append((move, numbers[after]))
        moves.append(result)
        if progress is not None and len(moves) % 256 == 0:
            progress(f"{len(moves):,} of {len(states):,} positions")
    return states, moves


def solved(game: Game, root: State) -> Solved[Any, Any] | None:
    """The values of all positions from a root on; None where the game cannot be solved, as where values depend on
    earlier moves."""
    for symmetry in (True, False):
        try:
            return solve_game(game, root, symmetry=symmetry, method="strong", engine="interpreter").strong
        except (GameFileError, OutOfBudget, ValueError):
            continue
    return None


def packed(game: Game, root: State, most: int, progress: Callable[[str], None] | None = None) -> dict[str, Any]:
    """The data for the file's page, with all positions of a game. Raises TooLarge and RuleError."""
    states, moves = reachable(game, root, most, progress)
    values = solved(game, root) if len(game.players) <= 2 else None
    chooser, notation = Chooser(game), game.notation
    elements, contents, boxes, choices = _Index(), _Index(), _Index(), _Index()
    nodes = []
    for number, state in enumerate(states):
        picture = pictures.board_picture(game, state)
        value = None if values is None else values.value(state)
        nodes.append([
            state.to_move, -2 if state.outcome is None else state.outcome,
            [elements.number(line) for line in picture["body"].split("\n")],
            boxes.number(picture["box"], tuple(picture["box"])),
            [contents.number(cell[4]) for cell in pictures.cells(game, state)],
            [part for move, target in moves[number]
             for part in (_choice(choices, chooser, notation.write(state, move), move), target)],
            [] if value is None else [value.winner, value.remoteness],
        ])
        if progress is not None and number % 256 == 0:
            progress(f"{number:,} of {len(states):,} positions drawn")
    return {
        **playing_alone.facts(game),
        "repetition": game.rules.repetition, "repetition_at": game.repetition.at,
        "same": _same(game, states), "no_moves": game.rules.no_moves,
        "cells": pictures.cells(game, root), "elements": elements.things, "contents": contents.things,
        "boxes": boxes.things, "choices": choices.things, "nodes": nodes, "valued": values is not None,
    }


def _same(game: Game, states: Sequence[State]) -> list[int] | None:
    """For each position the number of the first one that the repetition rule counts as the same; None where all
    differ."""
    if not game.repetition.aside:
        return None
    first: dict[State, int] = {}
    return [first.setdefault(game.repetition.seen_as(state), number) for number, state in enumerate(states)]


def _choice(choices: _Index, chooser: Chooser, text: str, move: Any) -> int:
    return choices.number([text, chooser.paths(move)], (text, move))


def page(data: dict[str, Any], kernel: str = "const kernel = null;") -> str:
    """The HTML file of a game's data; `kernel` is a script that declares the rules, null where the data has all
    positions."""
    files = resources.files("dslgame.web")
    script = "\n".join([kernel, *(_inlined(files.joinpath(*f"{name}.js".split("/")).read_text(encoding="utf-8"))
                                  for name in MODULES)])
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    parts = {
        "title": data["title"].replace("&", "&amp;").replace("<", "&lt;"),
        "style": files.joinpath("page", "style.css").read_text(encoding="utf-8"),
        "script": script,
        "data": base64.b64encode(zlib.compress(text, 9)).decode(),
    }
    html = files.joinpath("alone", "alone.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], html)


def _inlined(module: str) -> str:
    """A module's text without its imports and exports, to be inlined into a script."""
    module = re.sub(r"^import [^;]*;\n", "", module, flags=re.MULTILINE)
    return re.sub(r"^export ", "", module, flags=re.MULTILINE)
