"""Saved solutions: writes a finished table to a file, and opens such files for queries.

A saved solution includes the game's text, so that queries do not need the game's file. They use the interpreted rules
and a kernel in plain Python, which need not be compiled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel, NotLowered
from interpreter.model.state import Move, State
from solver.errors import Refused
from solver.game_space import GameSpace
from solver.strong import Value, best_line
from solver.tables.checkpoint import WorkFolder
from solver.tables.solution_file import SolutionFile, write

if TYPE_CHECKING:
    from solver.tables.table import SolvedTable


def identity_of(space: GameSpace, kernel: Kernel) -> dict[str, Any]:
    """The identity of a solution: the rules, the root, and how positions are represented."""
    game = space.game
    elements = [int(number) for number in kernel.elements(space.table_maps)]
    maps = [(element.cells.cells, element.cells.directions, element.pieces, element.sources, sorted(element.reversing))
            for element in space.table_maps]
    how = [repr(kernel.assembled.packing), repr(kernel.assembled.tiers), repr(maps), kernel.representing]
    how_kept: dict[str, Any] = {"every_symmetry": True, "relative": space.relative} if space.every_symmetry else {}
    if space.take_wins:
        how_kept["take_wins"] = True
    return {
        **how_kept, "game": game.title, "params": dict(game.params), "root": game.position_text(space.root),
        "rules": hashlib.sha256(game.rules.source.text.encode()).hexdigest(), "symmetries": elements,
        "representation": hashlib.sha256("\0".join(how).encode()).hexdigest(),
    }


def save(table: SolvedTable, path: Path, identity: Mapping[str, Any], tell: Callable[[int], None]) -> int:
    """Write a table to a file, and return its size in bytes. Raises OSError, and leaves no partial file then."""
    folder = None if table.folder is None else table.folder.path
    game, enumeration = table.space.game, table.enumeration

    def getter(number: int) -> Callable[[], tuple[Any, Any]]:
        tier = enumeration.tiers[number]
        return lambda: (tier.all_keys(folder), tier.column("values", folder))

    about = {
        "identity": dict(identity), "source": game.rules.source.text, "name": Path(game.rules.source.name).name,
        "flat": enumeration.flat, "positions": table.unmerged(), "positions_merged": table.merged,
        "tally": table.tally(), "longest": table.longest(), "cyclic": table.cyclic(),
        "quantities": [] if enumeration.flat else list(enumeration.kernel.assembled.tiers.names),
    }
    words = enumeration.kernel.assembled.packing.width
    return write(path, [(number, getter(number)) for number in enumeration.tiers], words, table.longest(), about, tell)


def work_folder(path: Path, identity: Mapping[str, Any]) -> WorkFolder:
    """The work folder of a solution that will be saved to `path`. Raises Refused and OSError."""
    if path.exists():
        raise Refused(f"{path} exists: remove it, or save to another file")
    return WorkFolder.beside(path, identity)


@attrs.define(eq=False)
class SavedSolution:
    """A saved solution, opened for queries."""

    file: SolutionFile
    space: GameSpace
    """The game's positions from the solved root on."""
    _kernel: Kernel
    _elements: Any

    @classmethod
    def open(cls, path: str | Path) -> SavedSolution:
        """Open a file that `save` wrote.

        Raises Refused, which names the file and says what is wrong with it and where, and OSError.
        """
        file = SolutionFile.open(Path(path))
        try:
            identity = file.about["identity"]
            game = Game.of(Source(Path(file.about["name"]).name, file.about["source"]), identity["params"])
            root = game.read_position(identity["root"]).state
            kernel = Kernel.of(game, native=False)
            space = GameSpace(game, root, symmetry="every" if identity.get("every_symmetry") else True,
                              take_wins=bool(identity.get("take_wins")))
            space.keep(kernel, identity["symmetries"])
            same = identity == identity_of(space, kernel)
        except (KeyError, TypeError, ValueError, GameFileError, NotLowered):
            same = False
        if not same:
            raise Refused(f"{path} was saved by another version of dslgame, for which the rules or the way positions "
                          "are packed were not the same: solve the game again")
        return cls(file, space, kernel, kernel.elements(space.table_maps))

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self.space.game

    @property
    def merged(self) -> int:
        """How many positions there are up to symmetry."""
        return int(self.file.about["positions_merged"])

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self.file.path.stat().st_size

    def check(self) -> int:
        """Verify all blocks, and return the number of positions. Raises Refused at the first damaged block."""
        return self.file.check()

    def value(self, state: State) -> Value | None:
        """The value of any reachable state; None for one that is not. Raises Refused where the file is damaged."""
        return self.space.of_table(state, self._look_up)

    def _look_up(self, state: State) -> Value | None:
        from interpreter.kernel import plain

        parts, functions = self._kernel.assembled, self._kernel.functions
        key, images = plain.rows(1, parts.packing.width)[0], plain.rows(3, parts.layout.width)
        functions["pack_least"](self._kernel.row(state), key, self._elements, images)
        words = tuple(int(word) & (1 << 64) - 1 for word in key)
        return self.file.value(0 if self.file.about["flat"] else functions["tier_of"](key), words)

    def unmerged(self) -> int:
        """How many positions there are without merging by symmetry."""
        return int(self.file.about["positions"])

    def tally(self) -> dict[str, int]:
        """How many positions, unmerged, the player to move wins, loses and draws; finished ones included."""
        return {name: int(self.file.about["tally"][name]) for name in ("win", "lose", "draw")}

    def longest(self) -> int:
        """The largest remoteness."""
        return int(self.file.about["longest"])

    def cyclic(self) -> bool:
        """Whether a position can come back."""
        return bool(self.file.about["cyclic"])

    def line(self, state: State, limit: int = 200) -> Iterator[Move]:
        """Best play from a state: the winner hurries, the loser delays, a draw heads for its end."""
        return best_line(self.space, self.value, state, limit)
