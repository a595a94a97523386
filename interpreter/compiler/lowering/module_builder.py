"""The state of a kernel under construction that all its functions share.

Tables, sets, the places of variables, the numbers of failures, and the questions that rules ask about networks, links
and tiles, each a function that is made when first used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.sorts import NETWORK
from dsl.words import WORDS
from interpreter.analysis.board_values import BoardValues
from interpreter.analysis.dependence import Free, Shapes
from interpreter.analysis.sliding_attacks import sight_of
from interpreter.boards import Board, members
from interpreter.compiler import ir
from interpreter.compiler.build import Given as GivenValue
from interpreter.compiler.build import (
    any_of,
    as_number,
    call,
    element,
    expr,
    negated,
)
from interpreter.compiler.library import Given
from interpreter.compiler.lowering import names
from interpreter.compiler.lowering.layout import Layout
from interpreter.compiler.lowering.names import ENTRIES, TO_MOVE, WORK
from interpreter.compiler.lowering.networks import Networks
from interpreter.compiler.lowering.piles import Piles
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.lowering.writer import Tables
from interpreter.compiler.primitives import CONSTANTS, PRIMITIVES
from interpreter.compiler.runtime_sources import own_numbers
from interpreter.model.state import PASS, SWAP
from interpreter.semantics.evaluate import Evaluator

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


@attrs.frozen
class Passes:
    """Which optimisations the compiler runs, in this order; each can be turned off, to measure or debug it."""

    vectors: bool = True
    """Sets of three words and more are vectors where steps are shifts, unless rays are found line by line. Measured:
    1.9 times as fast on 225 cells in lines, 3 times where groups of 361 cells are flooded; with two words no gain."""
    splitting: bool = True
    """Random moves whose last choices depend on the effects of the first are drawn choice by choice."""
    tables: bool = True
    """Terms that depend only on the board and bound names are looked up."""
    whole_sets: bool = True
    """Sets given by a condition are computed for all cells at once."""
    sharing: bool = True
    """Values are computed once, before the loops that do not change them."""
    one_group: bool = True
    """Whether a set is connected is tested from one of its cells only."""
    beforehand: bool = True
    """Whether a move goes on is tested before its effects, as far as they cannot change it."""
    known_contents: bool = True
    """Pieces that are known to stand on a cell are not looked up."""
    last_move: bool = True
    """Ends test only what the last move can have changed."""
    shifts: bool = True
    """Steps, lines and floods of whole sets are shifts, where the board allows it."""
    exclusion: bool = True
    """The moves of a rule are not sought where another rule has moves that exclude them."""
    late_stuck: bool = True
    """Whether there is a move is found out when moves are generated next, not tested after each move."""
    gravity: bool = True
    """Pieces that a forced rule lets fall step by step are carried all the way at once."""
    sliding_attacks: bool = True
    """Rays in several directions, and lines through cells, are found line by line, by instructions that gather a line's
    cells into a word; native kernels do without it where the processor has none."""
    images: bool = True
    """Symmetric images are made by table, and given up as soon as another one is known to be less."""
    unused: bool = True
    """Removes what is not needed: copies of values, values that are never read, functions without callers."""

    @classmethod
    def none(cls) -> Passes:
        """No improvements at all."""
        return cls(**dict.fromkeys((field.name for field in attrs.fields(cls)), False))


@attrs.frozen
class Network:
    """A network, as the arguments of the functions that answer questions about it."""

    program: ModuleBuilder
    kind: str
    arguments: tuple[ir.Expr, ...]

    def asked(self, name: str, others: Sequence[ir.Expr]) -> ir.Expr:
        """A call of a function of `Networks` about this network."""
        return self.program.sets.called(name, *self.arguments, *others)


class ModuleBuilder:
    """The state that the functions of one kernel share."""

    def __init__(self, rules: hir.Rules, board: Board, passes: Passes,
                 defined: Mapping[str, str] | None = None) -> None:
        self.defined = defined or {}
        """The definitions that hooks replace, with the hooks' functions."""
        self.rules, self.board, self.passes = rules, board, passes
        self.evaluator = Evaluator(rules, board)
        self.layout = Layout.of(rules, board, self.evaluator.sizes)
        self.tables = Tables()
        self.tables.used |= {*PRIMITIVES, *CONSTANTS, *own_numbers(), *names.used()}
        along = any(sight_of(part) for part in hir.walk_rules(rules) if isinstance(part, hir.Aggregate))
        known = {"players": len(rules.players), "PASS": PASS, "SWAP": SWAP}
        self.sets = Sets(board, self.tables, known, vectors=passes.vectors and not along)
        self.library = self.sets.library
        """The runtime functions that the kernel uses."""
        self.values = BoardValues(self.evaluator)
        """The values that the board decides."""
        self.free: Free = {}
        self.shapes: Shapes = {}
        self.failures: list[str] = ["", "the moves are more than there is room for"]
        """What each failure number means."""
        self.kept = 0
        """The number of words that rows have besides the position."""
        self.networks = Networks(self)
        self._links: dict[int, dict[str, str]] = {}
        self._crossings: dict[int, dict[str, str]] = {}

    def use(self, function: str, name: str, **known: Given) -> None:
        """Add a runtime function to the kernel under a name, with numbers, and tables by name, put in."""
        self.library.define(function, name, **known)

    def failure(self, code: str) -> int:
        """The number of a kind of failure, which is added where it is new."""
        if code not in self.failures:
            self.failures.append(code)
        return self.failures.index(code)

    def variable(self, number: int) -> tuple[int, int]:
        """Where a variable's values begin in a row, and how many there are."""
        return self.layout.values + self.evaluator.offsets[number], self.evaluator.sizes[number]

    # ---- pieces and tiles

    def piece_function(self) -> str:
        """The function that gives the piece on a cell."""
        self.sets.asked_piece = self.library.put("piece_at", pieces=len(self.rules.pieces))
        return self.sets.asked_piece

    @cached_property
    def piles(self) -> Piles:
        """Where rows store what lies in piles; only for games with piles."""
        return Piles.of(self)

    def steps_one_way(self, way: int) -> ir.Name:
        """The table of the next cells in one direction: first for no cell, then for each cell."""
        values = [-1, *(steps[way] for steps in self.board.steps)]
        return self.tables.numbers(self.board.directions[way], values)

    def sides(self) -> tuple[str, int]:
        """The table of whose track is at each side of each piece, and how many sides there are."""
        count = len(self.board.directions)
        values = [side for piece in self.rules.pieces for side in (piece.sides or (-1,) * count)]
        return self.tables.table("sides", values), count

    # ---- links

    def link_tables(self, layer: int) -> dict[str, str]:
        """The tables of links by cell: where each cell's links begin, their numbers, and the cells they lead to."""
        if layer not in self._links:
            links = [self.board.layers[layer].of_cell.get(cell, ()) for cell in range(self.board.size)]
            name = self.board.layers[layer].name
            self._links[layer] = {
                "starts": self.tables.table(f"{name}s_from", [0, *accumulate(map(len, links))]),
                "numbers": self.tables.table(f"{name}_number", [number for row in links for number, _ in row] or [0]),
                "ends": self.tables.table(f"{name}_end", [end for row in links for _, end in row] or [0])}
        return self._links[layer]

    def link_number(self, layer: int) -> str:
        """The function that gives the number of the link between two cells, -1 for none."""
        return self.library.put("link_between", f"{self.board.layers[layer].name}_between", **self.link_tables(layer))

    def link_there(self, layer: int) -> str:
        """The function that tells whether a link is there."""
        return self.library.put("has_link", f"has_{self.board.layers[layer].name}", begin=self.layout.links[layer])

    def crossed(self, layer: int) -> str:
        """The function that tells whether a link that is there crosses a given one."""
        crossing, name = self.board.layers[layer].crossing, self.board.layers[layer].name
        if not any(crossing):
            return self.library.put("never_crossed", f"{name}_crossed")
        if layer not in self._crossings:
            others = [members(links) for links in crossing]
            self._crossings[layer] = {
                "starts": self.tables.table(f"{name}_crossings_from", [0, *accumulate(map(len, others))]),
                "crossings": self.tables.table(f"{name}_crossing", [other for row in others for other in row])}
        return self.library.put("crossed", f"{name}_crossed", there=self.link_there(layer), **self._crossings[layer])

    # ---- networks

    def network(self, terms: ExprLowering, term: hir.Apply) -> tuple[Network, list[ir.Expr]]:
        """The network that a question is about, and the other arguments."""
        rest = list(term.arguments)
        asked = rest.pop(WORDS[term.function].network or 0)
        while isinstance(asked, hir.Local) and asked.slot in terms.networks:
            asked = terms.networks[asked.slot]
        others = [terms.cells(part) if getattr(part.sort, "element", None) is not None else terms.known(part)
                  for part in rest]
        match asked:
            case hir.Linked(cells=cells, layer=layer):
                return Network(self, self.board.layers[layer].name + f"#{layer}",
                                   (terms.row, terms.cells(cells), expr(0))), others
            case hir.Cut(cells=cells, variable=variable):
                return Network(self, f"cut#{variable}", (terms.row, terms.cells(cells), expr(0))), others
            case hir.Track(player=player):
                who = terms.name(terms.known(player), "player")
                cells_of = self.networks.function("track", "cells")
                return Network(self, "track", (terms.row, self.sets.called(cells_of, terms.row, who), who)), others
        assert asked.sort != NETWORK
        return Network(self, "cell", (terms.row, terms.cells(asked), expr(0))), others

    # ---- questions that other parts of the compiler answer

    def no_moves(self, terms: ExprLowering, anyone: bool) -> ir.Expr:
        """Whether the player to move has no move, or (anyone) nobody has one."""
        def moves(player: GivenValue) -> ir.Expr:
            return call("has_move", terms.row, player, ENTRIES, WORK, gives=ir.BOOL)

        if not anyone:
            return negated(moves(as_number(element(terms.row, TO_MOVE))))
        return negated(any_of([moves(player) for player in range(len(self.rules.players))]))

