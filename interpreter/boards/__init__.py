"""Boards as tables, built from the definition of their kind (`dsl.boards`): `build` makes a `Board`."""

from __future__ import annotations

from interpreter.boards.board import Board
from interpreter.boards.building import MOST_CELLS, build
from interpreter.boards.coordinates import Coordinates
from interpreter.boards.sets import mask_of, members
from interpreter.model.board_maps import BoardError, BoardMap, generate

__all__ = ["MOST_CELLS", "Board", "BoardError", "BoardMap", "Coordinates", "build", "generate", "mask_of", "members"]
