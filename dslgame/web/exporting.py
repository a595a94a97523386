"""A game as one HTML file that is played from disk: all its positions, and what they are worth.

A browser does not know the rules; it gets every position that can be reached instead, each with its moves and its
picture. So only games with few positions can be exported, and for others that is said. Pictures of a game are much
alike: each of their elements is written once, and a position is a list of them. Symmetries are not merged, so that
every move leads to the position that people see.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Hashable, Sequence
from importlib import resources
from typing import Any

from dsl.diagnostics import GameFileError
from dslgame.web import pictures
from dslgame.web.choosing import Chooser
from interpreter.game import Game
from interpreter.model.state import State
from solver.budget import OutOfBudget
from solver.game_space import solve_game
from solver.solve import Solved

MODULES = ("dom", "choosing", "worth", "board")
"""Modules of the page that the file has, too, in an order in which they need only those before."""


class TooLarge(Exception):
    """A game has more positions than a file is to hold."""


class _Index:
    """Things with their numbers, each once."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self.things: list[Any] = []

    def number(self, thing: Any, key: Hashable = None) -> int:
        """The number of a thing; a new one for a new thing."""
        key = thing if key is None else key
        if key not in self._numbers:
            self._numbers[key] = len(self.things)
            self.things.append(thing)
        return self._numbers[key]


def reachable(game: Game, root: State, most: int,
              progress: Callable[[str], None] | None = None) -> tuple[list[State], list[list[tuple[Any, int]]]]:
    """Every position from a root on, in the order of discovery, with its moves and the numbers they lead to.

    Raises TooLarge where there are more than `most`, and RuleError where a rule fails.
    """
    numbers = {root: 0}
    states, moves = [root], list[list[tuple[Any, int]]]()
    while len(moves) < len(states):
        found = []
        for move, after in game.engine.successors(states[len(moves)]):
            if after not in numbers:
                if len(states) >= most:
                    raise TooLarge(f"{game.title} has more than {most:,} positions from here on")
                numbers[after] = len(states)
                states.append(after)
            found.append((move, numbers[after]))
        moves.append(found)
        if progress is not None and len(moves) % 256 == 0:
            progress(f"{len(moves):,} of {len(states):,} positions")
    return states, moves


def solved(game: Game, root: State) -> Solved[Any, Any] | None:
    """The values of all positions from a root on; None where repetitions make them depend on the moves before."""
    for symmetry in (True, False):
        try:
            return solve_game(game, root, symmetry=symmetry, method="strong", engine="interpreter").strong
        except (GameFileError, OutOfBudget, ValueError):
            continue
    return None


def packed(game: Game, root: State, most: int, progress: Callable[[str], None] | None = None) -> dict[str, Any]:
    """All that the file's page needs of a game. Raises TooLarge and RuleError."""
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
        "title": game.title, "params": game.params, "rules": game.rules.source.text, "board": game.board.title,
        "players": [{"name": name, "colour": pictures.player_colour(game, number)}
                    for number, name in enumerate(game.players)],
        "shape": pictures.cell_shape(game),
        "pieces": [{"name": game.piece_names[index], "picture": pictures.piece_picture(game, index)}
                   for index in range(1, len(game.rules.pieces))],
        "moves": [{"name": rule.name} for rule in game.rules.moves],
        "repetition": game.rules.repetition, "repetition_at": game.repetition.at,
        "same": _same(game, states), "no_moves": game.rules.no_moves,
        "cells": pictures.cells(game, root), "elements": elements.things, "contents": contents.things,
        "boxes": boxes.things, "choices": choices.things, "nodes": nodes, "valued": values is not None,
    }


def _same(game: Game, states: Sequence[State]) -> list[int] | None:
    """For each position the first that is the same for the repetition rule; None where each is for itself."""
    if not game.repetition.aside:
        return None
    first: dict[State, int] = {}
    return [first.setdefault(game.repetition.seen_as(state), number) for number, state in enumerate(states)]


def _choice(choices: _Index, chooser: Chooser, text: str, move: Any) -> int:
    return choices.number([text, chooser.paths(move)], (text, move))


def page(data: dict[str, Any]) -> str:
    """The HTML file of a game's data."""
    files = resources.files("dslgame.web")
    script = "\n".join([*(_inlined(files.joinpath("page", f"{name}.js").read_text(encoding="utf-8"))
                          for name in MODULES),
                        _inlined(files.joinpath("alone", "alone.js").read_text(encoding="utf-8"))])
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
    """A module's text as part of another: without what it imports and exports."""
    module = re.sub(r"^import [^;]*;\n", "", module, flags=re.MULTILINE)
    return re.sub(r"^export ", "", module, flags=re.MULTILINE)
