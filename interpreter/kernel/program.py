"""A kernel's text in the making: what all its functions share.

Tables, sets, where variables stand, which failure has which number, and the questions that rules ask of networks,
links and tiles, each a function of the text that is written when first used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from dsl import meaning
from dsl.sorts import NETWORK
from interpreter.boards import Board
from interpreter.compiler import ir
from interpreter.compiler.library import Given, Library
from interpreter.evaluate import Evaluator
from interpreter.kernel import cell_sets, fixed
from interpreter.kernel.dependence import Depending, Free, Shapes, free_slots
from interpreter.kernel.layout import Layout
from interpreter.kernel.sets import Sets
from interpreter.kernel.sights import sight_of
from interpreter.kernel.writer import Tables
from interpreter.state import PASS, SWAP, State, Table

if TYPE_CHECKING:
    from interpreter.kernel.terms import Terms


@attrs.frozen
class Passes:
    """Which improvements the compiler makes; each can be turned off, to measure it or to look for a mistake."""

    tables: bool = True
    """Terms that depend on nothing but the board and bound names are looked up."""
    sharing: bool = True
    """Values are computed once, before the loops that they do not depend on."""
    shifts: bool = True
    """Whole sets step, line up and flood by shifts, where the board allows it."""
    masks: bool = True
    """Conditions of sets that the board and bound names decide are looked up for all cells of a set at once. Measured:
    1.2 times as fast where pieces jump one way, or both if they are kings."""
    vectors: bool = True
    """Sets of three words and more are vectors where steps are shifts, unless rays are found line by line. Measured:
    1.9 times as fast on 225 cells in lines, 3 times where groups of 361 cells are flooded; with two words no gain."""
    whole_sets: bool = True
    """Sets with a condition are computed for all cells at once."""
    last_move: bool = True
    """Ends look only at what the last move can have changed."""
    late_stuck: bool = True
    """Whether there is a move is seen when moves are generated next, not after each move."""
    splitting: bool = True
    """Random moves whose last choices depend on what the first do are drawn choice by choice."""
    sights: bool = True
    """Rays in several directions are found line by line, by instructions that put a line's cells together; native
    kernels do without it where the processor has none."""
    falls: bool = True
    """What a forced rule lets fall step by step is carried all its way at once."""
    contents: bool = True
    """What is known to stand on a cell is not looked up."""
    images: bool = True
    """Symmetric images are made by table, and given up as soon as another one is seen to be less."""

    @classmethod
    def none(cls) -> Passes:
        """No improvements at all."""
        return cls(**dict.fromkeys((field.name for field in attrs.fields(cls)), False))


@attrs.frozen
class NetworkText:
    """A network as the arguments of the functions that ask about it."""

    program: Program
    kind: str
    arguments: tuple[str, ...]

    def question(self, name: str) -> str:
        """The name of the function that answers a question."""
        return self.program.network_function(self.kind, name)

    def asked(self, name: str, others: Sequence[str]) -> str:
        """The text of a condition."""
        if name == "joined":
            name = f"joined_{len(others)}"
        return f"{self.question(name)}({', '.join([*self.arguments, *others])})"


class Program:
    """What the functions of one kernel share."""

    def __init__(self, rules: meaning.Rules, board: Board, passes: Passes,
                 defined: Mapping[str, str] | None = None) -> None:
        self.defined = defined or {}
        """The definitions that a hook takes the place of, with the hooks' functions."""
        self.rules, self.board, self.passes = rules, board, passes
        self.evaluator = Evaluator(rules, board)
        self.layout = Layout.of(rules, board, self.evaluator.sizes)
        self.tables = Tables()
        for name in ("word", "number", "popcount", "lowest", "highest", "nth", "extract", "deposit", "rows", "row",
                     "line", "numbers", "scramble", "stir", "below", "jit", "entry", "S", "E", "X", "m", "n", "mover",
                     "min", "max", "abs", "TO_MOVE", "TURN", "OUTCOME", "SEATS", "FAILED", "WIDTH", "ONE", "EMPTY",
                     "FULL", "NO_NUMBER", "GOING", "DRAW", "POSITION", "SCRATCH", "PLAYING"):
            self.tables.name(name)
        along = any(sight_of(part) for part in meaning.walk_rules(rules) if isinstance(part, meaning.Aggregate))
        self.sets = Sets(board, self.tables, shifts=passes.shifts, vectors=passes.vectors and not along,
                         extracts=passes.sights)
        words = self.sets.words
        self.library = Library(ir.cells_sort(words, vector=self.sets.wide),
                               {"words": words, "players": len(rules.players), "PASS": PASS, "SWAP": SWAP},
                               self._empty, self._reserved)
        """The functions that the kernel has of the compiler's runtime."""
        self.dependence: Depending = {}
        self.free: Free = {}
        self.shapes: Shapes = {}
        self.computed: dict[tuple[int, tuple[range, ...]], tuple[meaning.Term, list[object] | None]] = {}
        self.failures: list[str] = ["", "the moves are more than there is room for"]
        """What each failure number means."""
        self.kept = 0
        """How many words rows have besides the position."""
        self._kept_at: dict[tuple[meaning.Term, int], int] = {}
        self._loops: dict[int, bool] = {}

    def _reserved(self, wish: str) -> str:
        return self.tables.function(f"{wish}_2" if wish in self.sets.functions else wish)

    def _empty(self) -> ir.Expr:
        """The empty set."""
        return ir.Name(self.sets.nothing, self.library.cells)

    def use(self, function: str, name: str, **known: Given) -> None:
        """Add a runtime function to the kernel under a name; numbers, and tables by name, are put in."""
        self.library.define(function, name, **known)

    def bare_table(self) -> Table:
        """A table with nothing on it, for terms that do not look."""
        empty = (self.board.everything, *([0] * (len(self.rules.pieces) - 1)))
        return Table(State(empty, (0,) * sum(self.evaluator.sizes), 0, 0, None, (0,) * len(self.rules.layers)))

    def failure(self, code: str) -> int:
        """The number of a kind of failure."""
        if code not in self.failures:
            self.failures.append(code)
        return self.failures.index(code)

    def variable(self, number: int) -> tuple[int, int]:
        """Where a variable's values begin in a row, and how many there are."""
        return self.layout.values + self.evaluator.offsets[number], self.evaluator.sizes[number]

    def has_loops(self, term: meaning.Term) -> bool:
        """Whether a set takes more to compute than a few words."""
        if id(term) not in self._loops:
            self._loops[id(term)] = any(isinstance(part, (meaning.Binding, meaning.Let, meaning.IfElse, meaning.Apply))
                                        for part in meaning.walk(term))
        return self._loops[id(term)]

    # ---- pieces and tiles

    def piece_function(self) -> str:
        """The function that gives the piece on a cell."""
        words, count = self.sets.words, len(self.rules.pieces)
        body = [f"if {self.sets.in_row('row', '0', 'c')}:", "    return 0"]
        if count > 8:
            word = "row[p]" if words == 1 else f"row[p * {words} + (c >> 6)]"
            shift = "c" if words == 1 else "(c & 63)"
            body = [f"for p in range({count}):", f"    if ({word} >> {shift}) & ONE != EMPTY:", "        return p",
                    "return 0"]
        else:
            for piece in range(1, count - 1):
                body += [f"if {self.sets.in_row('row', str(piece * words), 'c')}:", f"    return {piece}"]
            body.append(f"return {count - 1}")
        return self.sets.function("piece_at", "row, c", "The piece on a cell.", lambda: body)

    def piece_at(self, terms: Terms, cell: meaning.Term) -> str:
        """The text of the piece on a cell, -1 where there is no cell."""
        text = terms.value(cell)
        call = f"{self.piece_function()}({terms.row}, {text})"
        if not terms.may_be_none(cell):
            return call
        text = terms.name(text, "cell")
        return f"({self.piece_function()}({terms.row}, {text}) if {text} >= 0 else -1)"

    def sides(self) -> tuple[str, int]:
        """The table of whose track is at each side of each piece, and how many sides there are."""
        count = len(self.board.directions)
        values = [side for piece in self.rules.pieces for side in (piece.sides or (-1,) * count)]
        return self.tables.table("sides", values), count

    def facing(self, terms: Terms, arguments: Sequence[meaning.Term]) -> str:
        """The text of whose track meets a side of a cell from the next one."""
        table, count = self.sides()
        piece, steps = self.piece_function(), self.sets.steps_table()
        name = self.sets.function("facing", "row, c, d", "Whose track leads to a side of a cell from the next one.",
                                  lambda: [f"place = {steps}[c * {count} + d + {count}]",
                                           "if place < 0:", "    return -1",
                                           f"return {table}[{piece}(row, place) * {count} + "
                                           f"(d + {count // 2}) % {count}]"])
        return f"{name}({terms.row}, {terms.value(arguments[0])}, {terms.known(arguments[1])})"

    # ---- lines

    def line(self, terms: Terms, cells: meaning.Term, length: meaning.Term) -> str:
        """The text of whether a set has a straight line."""
        number = terms.known(length)
        if not number.isdigit() or int(number) < 1:
            whole = terms.name(terms.cells(cells), "cells")
            return cell_sets.by_length(terms, length, number, "False", lambda known: self.sets.has_line(whole, known))
        new = self._new_line(terms, cells, int(number))
        return self.sets.has_line(terms.cells(cells), int(number)) if new is None else new

    def _new_line(self, terms: Terms, cells: meaning.Term, length: int) -> str | None:
        """The text of whether a set has a straight line, asked only of cells that came since it last had none.

        The row keeps the set as it was when it was last found without a line. Whatever happened since, a line now has
        a cell that was not in it. Where ends ask for lines of several lengths, the shortest is asked for first, and
        where there is none there is no longer one. Where steps are shifts, looking at the whole board is quicker.
        Measured on a hexagon of 61 cells: 1.3 times as fast, and 1.5 times as fast again with two lengths.
        """
        sets = self.sets
        if not (self.passes.last_move and terms.after_moves) or (sets.words <= 8 and sets.by_shifts):
            return None
        slots = free_slots(cells, self.free)
        if not slots <= {-1}:
            return None
        shortest = min([length, *self._lengths(cells)])
        test, whole, fresh = self._shortest_line(terms, cells, shortest, each=bool(slots))
        if length == shortest:
            return test
        found = terms.writer.fresh("test")
        through = sets.has_new_line(terms.row, cell_sets.place_of(terms, cells), whole, fresh, length)
        terms.writer.line(f"{found} = {test} and {through}")
        return found

    def _lengths(self, cells: meaning.Term) -> list[int]:
        """The lengths of the straight lines of a set that ends ask for, as far as they are written as numbers."""
        return [length for end in self.rules.ends for part in meaning.walk(end.condition.term) if isinstance(
            part, meaning.Apply) and part.function == "line" and part.arguments[0] == cells and isinstance(
            part.arguments[1], meaning.Literal) and isinstance(length := part.arguments[1].value, int) and length > 0]

    def _shortest_line(self, terms: Terms, cells: meaning.Term, length: int, *, each: bool) -> tuple[str, str, str]:
        """The texts of whether a set has a straight line, of the set, and of its cells that are new; each player has
        a set of its own, or all have one.
        """
        sets, key = self.sets, (cells, length)
        told = [terms.writer.known((*key, part)) for part in ("line", "whole", "fresh")]
        if all(told):
            return told[0] or "", told[1] or "", told[2] or ""
        if key not in self._kept_at:
            self._kept_at[key] = self.kept
            self.kept += sets.words * (len(self.rules.players) if each else 1)
        start = self.layout.own + self._kept_at[key]
        place = str(start)
        if each:
            place = f"{start} + {terms.mover}" if sets.words == 1 else f"{start} + {sets.words} * {terms.mover}"
            place = terms.name(place, "kept_at")
        whole = terms.name(terms.cells(cells), "cells")
        fresh = terms.name(sets.minus(whole, sets.at(terms.row, place)), "fresh")
        test = terms.writer.fresh("test")
        kept = cell_sets.place_of(terms, cells)
        terms.writer.line(f"{test} = {sets.has_new_line(terms.row, kept, whole, fresh, length)}")
        with terms.writer.block(f"if not {test}:"):
            for line in sets.store(terms.row, place, whole):
                terms.writer.line(line)
        for part, name in (("line", test), ("whole", whole), ("fresh", fresh)):
            terms.writer.know((*key, part), name)
        return test, whole, fresh

    # ---- links

    def link_tables(self, layer: int) -> tuple[str, str, str]:
        """For each cell where its links begin in the tables of link numbers and of the cells at their other ends."""
        of_cell = self.board.layers[layer].of_cell
        starts: list[int] = []
        numbers: list[int] = []
        ends: list[int] = []
        for cell in range(self.board.size):
            starts.append(len(numbers))
            for number, other in of_cell.get(cell, ()):
                numbers.append(number)
                ends.append(other)
        starts.append(len(numbers))
        name = self.board.layers[layer].name
        return (self.tables.table(f"{name}s_from", starts), self.tables.table(f"{name}_number", numbers or [0]),
                self.tables.table(f"{name}_end", ends or [0]))

    def link_number(self, layer: int) -> str:
        """The function that gives the number of the link between two cells, -1 for none."""
        starts, numbers, ends = self.link_tables(layer)
        return self.sets.function(f"{self.board.layers[layer].name}_between", "a: Int, b: Int",
                                  "The number of the link between two cells, -1 if there can be none.", lambda: [
                                      f"for k in range({starts}[a], {starts}[a + 1]):", f"    if {ends}[k] == b:",
                                      f"        return {numbers}[k]", "return -1"])

    def link_there(self, layer: int) -> str:
        """The function that tells whether a link is there."""
        start = self.layout.links[layer]
        return self.sets.function(f"has_{self.board.layers[layer].name}", "row, link", "Whether a link is there.",
                                  lambda: [f"return (row[{start} + (link >> 6)] >> (link & 63)) & ONE != EMPTY"])

    def crossed(self, layer: int) -> str:
        """The function that tells whether a link that is there crosses one."""
        crossing = self.board.layers[layer].crossing
        starts: list[int] = []
        items: list[int] = []
        for others in crossing:
            starts.append(len(items))
            place = 0
            while others:
                step = (others & -others).bit_length()
                place += step
                items.append(place - 1)
                others >>= step
        starts.append(len(items))
        name = self.board.layers[layer].name
        if not items:
            return self.sets.function(f"{name}_crossed", "row, link", "Whether a link that is there crosses one.",
                                      lambda: ["return False"])
        start, item = self.tables.table(f"{name}_crossings_from", starts), self.tables.table(f"{name}_crossing", items)
        there = self.link_there(layer)
        return self.sets.function(f"{name}_crossed", "row, link", "Whether a link that is there crosses one.", lambda: [
            f"for k in range({start}[link], {start}[link + 1]):", f"    if {there}(row, {item}[k]):",
            "        return True", "return False"])

    def link_test(self, terms: Terms, term: meaning.Apply) -> str:
        """The text of whether two cells are linked, or can be."""
        one, other, layer_term = term.arguments
        layer = int(terms.value(layer_term))
        here, there = terms.name(terms.value(one), "here"), terms.name(terms.value(other), "there")
        number, present = self.link_number(layer), self.link_there(layer)
        link = terms.writer.fresh("link")
        tests = [f"{text} >= 0" for text, part in ((here, one), (there, other)) if terms.may_be_none(part)]
        call = f"{number}({here}, {there})"
        terms.writer.line(f"{link} = {call if not tests else f'{call} if ' + ' and '.join(tests) + ' else -1'}")
        if term.function == "linked":
            return f"({link} >= 0 and {present}({terms.row}, {link}))"
        return (f"({link} >= 0 and not {present}({terms.row}, {link}) "
                f"and not {self.crossed(layer)}({terms.row}, {link}))")

    def linked_to(self, terms: Terms, term: meaning.Apply) -> str:
        """The text of the cells that a cell is linked to."""
        cell, layer_term = term.arguments
        layer = int(terms.value(layer_term))
        starts, numbers, ends = self.link_tables(layer)
        sets, present = self.sets, self.link_there(layer)
        lines = [f"found = {sets.nothing}", "if c < 0:", "    return found",
                 f"for k in range({starts}[c], {starts}[c + 1]):", f"    if {present}(row, {numbers}[k]):",
                 f"        found = {sets.either('found', sets.single(f'{ends}[k]'))}", "return found"]
        name = sets.function(f"{self.board.layers[layer].name}_linked_to", "row, c",
                             "The cells that a cell is linked to.", lambda: lines)
        return f"{name}({terms.row}, {terms.value(cell)})"

    # ---- networks

    def new_joined(self, terms: Terms, term: meaning.Apply) -> str | None:
        """The text of whether cells join two fixed sets, asked of cells that came since it was last asked.

        The row keeps the cells, and those of them that are joined to the first set; a cell that is not next to these
        changes nothing. Where cells have gone, everything is looked at again. Measured: 1.9 times as fast on a rhombus
        of 121 cells.
        """
        sets = self.sets
        cells, *goals = term.arguments
        if not (self.passes.last_move and terms.after_moves) or cells.sort == NETWORK or len(goals) != 2 or (
                sets.words == 1 and sets.by_shifts):  # a flood of one word is as quick
            return None
        slots = free_slots(cells, self.free)
        if not slots <= {-1} or any(fixed.fixed_place(terms, goal) is None for goal in goals):
            return None
        if any(not free_slots(goal, self.free) <= slots for goal in goals):
            return None
        key = term, -1
        if key not in self._kept_at:
            self._kept_at[key] = self.kept
            self.kept += 2 * sets.words * (len(self.rules.players) if slots else 1)
        start = self.layout.own + self._kept_at[key]
        place = f"{start} + {2 * sets.words} * {terms.mover}" if slots else str(start)
        whole, first, second = (terms.cells(part) for part in (cells, *goals))
        name = self._joining_function()
        joined = f"{name}({terms.row}, {terms.name(place, 'kept_at')}, {whole}, {first})"
        return sets.some(sets.both(joined, second))

    def _joining_function(self) -> str:
        sets, words = self.sets, self.sets.words
        near = sets.of_table(sets.table("near", self.board.neighbours), "c")

        def keep(place: int, value: str) -> list[str]:
            return sets.store("row", f"kept + {place * words}" if place else "kept", value)

        def body() -> list[str]:
            seen, joined = sets.at("row", "kept"), sets.at("row", f"kept + {words}")
            border = sets.either("border", sets.single("c"))
            return [
                f"seen = {seen}", f"joined = {joined}", f"if {sets.equal('seen', 'whole')}:", "    return joined",
                f"fresh = {sets.minus('whole', 'seen')}", f"if {sets.some(sets.minus('seen', 'whole'))}:",
                f"    joined = {sets.nothing}", "    fresh = whole", f"border = {sets.both('fresh', 'start')}",
                *sets.loop("fresh", "c", [f"if {sets.some(sets.both(near, 'joined'))}:", f"    border = {border}"]),
                *keep(0, "whole"), f"if {sets.some('border')}:",
                f"    joined = {sets.flood(sets.either('joined', 'border'), 'whole')}", *keep(1, "joined"),
                "return joined"]

        return sets.function("joining", "row, kept, whole, start",
                             "The cells joined to a set, of those that were kept and those that came since.", body)

    def network(self, terms: Terms, term: meaning.Apply) -> tuple[NetworkText, list[str]]:
        """The network that a question is asked of, and the texts of the other arguments."""
        rest = list(term.arguments)
        asked = rest.pop(1 if term.function == "group" else 0)
        while isinstance(asked, meaning.Local) and asked.slot in terms.networks:
            asked = terms.networks[asked.slot]
        others = [terms.cells(part) if getattr(part.sort, "element", None) is not None else terms.known(part)
                  for part in rest]
        match asked:
            case meaning.Linked(cells=cells, layer=layer):
                return NetworkText(self, self.board.layers[layer].name + f"#{layer}",
                                   (terms.row, terms.cells(cells), "0")), others
            case meaning.Track(player=player):
                who = terms.name(terms.known(player), "player")
                cells_of = self.network_function("track", "cells")
                return NetworkText(self, "track", (terms.row, f"{cells_of}({terms.row}, {who})", who)), others
        assert asked.sort != NETWORK
        return NetworkText(self, "cell", (terms.row, terms.cells(asked), "0")), others

    def network_function(self, kind: str, name: str) -> str:
        """The name of a function that answers a question about networks of a kind; it is written when first asked."""
        label, _, layer_text = kind.partition("#")
        layer = int(layer_text) if layer_text else -1
        return getattr(self, f"_network_{name.partition('_')[0]}")(kind, label, layer, name)  # type: ignore[no-any-return]

    def _network_cells(self, kind: str, label: str, layer: int, name: str) -> str:
        sides, count = self.sides()
        words = self.sets.words
        pieces = len(self.rules.pieces)

        def body() -> list[str]:
            place = f"piece * {words}" if words > 1 else "piece"
            return [f"found = {self.sets.nothing}", f"for piece in range(1, {pieces}):",
                    f"    for d in range({count}):",
                    f"        if {sides}[piece * {count} + d] == player:",
                    f"            found = {self.sets.either('found', self.sets.at('S', place))}", "            break",
                    "return found"]

        return self.sets.function("track_cells", "S, player", "The cells of tiles with a track of a player.", body)

    def _network_to(self, kind: str, label: str, layer: int, name: str) -> str:
        """The cells of the network that a cell of it is joined to."""
        sets = self.sets

        def body() -> list[str]:
            if kind == "cell":
                return [f"return {sets.both(sets.of_table(sets.table('near', self.board.neighbours), 'c'), 'cells')}"]
            if kind == "track":
                sides, count = self.sides()
                piece, steps = self.piece_function(), sets.steps_table()
                return [f"found = {sets.nothing}", f"own = {piece}(S, c) * {count}", f"for d in range({count}):",
                        f"    if {sides}[own + d] == player:",
                        f"        place = {steps}[c * {count} + d + {count}]",
                        f"        if place >= 0 and {sides}[{piece}(S, place) * {count} + (d + {count // 2}) % {count}]"
                        " == player:", f"            found = {sets.either('found', sets.single('place'))}",
                        "return found"]
            starts, numbers, ends = self.link_tables(layer)
            return [f"found = {sets.nothing}", f"for k in range({starts}[c], {starts}[c + 1]):",
                    f"    if {self.link_there(layer)}(S, {numbers}[k]):",
                    f"        found = {sets.either('found', sets.single(f'{ends}[k]'))}",
                    f"return {sets.both('found', 'cells')}"]

        return sets.function(f"{label}_joined_to", "S, cells, player, c",
                             "The cells of a network that a cell of it is joined to.", body)

    def _network_with(self, kind: str, label: str, layer: int, name: str) -> str:
        """Those, and the cells that could be joined to it were the extra cells part of the network."""
        sets = self.sets

        def body() -> list[str]:
            if kind == "cell":
                near = sets.of_table(sets.table("near", self.board.neighbours), "c")
                return [f"return {sets.both(near, sets.either('cells', 'extra'))}"]
            if kind == "track":
                return [f"return {self.network_function(kind, 'to')}(S, cells, player, c)"]
            starts, numbers, ends = self.link_tables(layer)
            return [f"found = {sets.nothing}", f"own = {sets.has('extra', 'c')}",
                    f"for k in range({starts}[c], {starts}[c + 1]):",
                    f"    if {self.link_there(layer)}(S, {numbers}[k]) or "
                    f"((own or {sets.has('extra', f'{ends}[k]')}) "
                    f"and not {self.crossed(layer)}(S, {numbers}[k])):",
                    f"        found = {sets.either('found', sets.single(f'{ends}[k]'))}",
                    f"return {sets.both('found', sets.either('cells', 'extra'))}"]

        return sets.function(f"{label}_joined_with", "S, cells, player, c, extra",
                             "The cells that a cell is or could be joined to, were extra cells part of the network.",
                             body)

    def _network_leaving(self, kind: str, label: str, layer: int, name: str) -> str:
        """The cells from which the network leads out in a direction."""
        sets = self.sets

        def body() -> list[str]:
            if kind != "track":
                return ["return cells"]
            sides, count = self.sides()
            place = f"piece * {sets.words}" if sets.words > 1 else "piece"
            return [f"found = {sets.nothing}", f"for piece in range(1, {len(self.rules.pieces)}):",
                    f"    if {sides}[piece * {count} + d] == player:",
                    f"        found = {sets.either('found', sets.at('S', place))}", "return found"]

        return sets.function(f"{label}_leaving", "S, cells, player, d",
                             "The cells from which a network leads out in a direction.", body)

    def _network_reached(self, kind: str, label: str, layer: int, name: str) -> str:
        """The cells of the network joined to those of a set."""
        sets = self.sets

        def body() -> list[str]:
            if kind == "cell":
                return [f"return {sets.flood('start', 'cells')}"]
            to = self.network_function(kind, "to")
            return [f"reached = {sets.both('start', 'cells')}", "frontier = reached", f"while {sets.some('frontier')}:",
                    f"    grown = {sets.nothing}",
                    *("    " + line for line in sets.loop("frontier", "c", [
                        f"grown = {sets.either('grown', f'{to}(S, cells, player, c)')}"])),
                    f"    frontier = {sets.minus('grown', 'reached')}",
                    f"    reached = {sets.either('reached', 'frontier')}", "return reached"]

        return sets.function(f"{label}_reached", "S, cells, player, start",
                             "The cells of a network joined to those of a set.", body)

    def _network_joined(self, kind: str, label: str, layer: int, name: str) -> str:
        """Whether some part of the network has a cell of each of some sets."""
        sets, many = self.sets, int(name.partition("_")[2])
        goals = [f"goal_{number}" for number in range(2, many + 1)]

        def body() -> list[str]:
            reached = self.network_function(kind, "reached")
            if many == 2:
                found = sets.both(f"{reached}(S, cells, player, start)", "goal_2")
                return [f"return {sets.some(found)}"]
            test = " and ".join(sets.some(sets.both("part", goal)) for goal in goals)
            return [f"rest = {sets.both('start', 'cells')}", f"while {sets.some('rest')}:",
                    f"    part = {reached}(S, cells, player, {sets.single(sets.first('rest'))})",
                    f"    if {test}:", "        return True", f"    rest = {sets.minus('rest', 'part')}",
                    "return False"]

        parameters = ["S", "cells", "player", "start", *(f"{goal}: Cells" for goal in goals)]
        return sets.function(f"{label}_joined_{many}", ", ".join(parameters),
                             f"Whether a part of a network has cells of each of {many} sets.", body)

    def _network_loop(self, kind: str, label: str, layer: int, name: str) -> str:
        """Whether one can go round."""
        sets = self.sets

        def body() -> list[str]:
            reached, to = self.network_function(kind, "reached"), self.network_function(kind, "to")
            return ["left = cells", f"while {sets.some('left')}:",
                    f"    whole = {reached}(S, cells, player, {sets.single(sets.first('left'))})",
                    "    joints = 0",
                    *("    " + line for line in sets.loop("whole", "c", [
                        f"joints += {sets.count(f'{to}(S, cells, player, c)')}"])),
                    f"    if joints >= 2 * {sets.count('whole')}:", "        return True",
                    f"    left = {sets.minus('left', 'whole')}", "return False"]

        return sets.function(f"{label}_loop", "S, cells, player", "Whether one can go round in a network.", body)

    def _network_spans(self, kind: str, label: str, layer: int, name: str) -> str:
        """Whether a part leads out at opposite outermost edges of what stands on the board, so many cells apart."""
        sets, board = self.sets, self.board

        def body() -> list[str]:
            reached, leaving = self.network_function(kind, "reached"), self.network_function(kind, "leaving")
            rows, columns = sets.table("rows", board.rows), sets.table("columns", board.columns)
            occupied = sets.minus(sets.constant(board.everything), sets.at("S", "0"))
            lines = [f"occupied = {occupied}", f"if not {sets.some('occupied')}:", "    return False"]
            for stripes, count, ways in ((rows, board.row_count, ("north", "south")),
                                         (columns, board.column_count, ("west", "east"))):
                one, other = (board.directions.index(way) for way in ways)
                inside = sets.some(sets.both("occupied", sets.of_table(stripes, "first")))
                outside = sets.some(sets.both("occupied", sets.of_table(stripes, "last")))
                begin = f"{leaving}(S, cells, player, {one})", sets.of_table(stripes, "first")
                finish = f"{leaving}(S, cells, player, {other})", sets.of_table(stripes, "last")
                lines += ["first = 0", f"while not {inside}:", "    first += 1", f"last = {count - 1}",
                          f"while not {outside}:", "    last -= 1", "if last - first + 1 >= least:",
                          f"    start = {sets.both(*begin)}", f"    goal = {sets.both(*finish)}",
                          f"    if {sets.some('start')} and {sets.some('goal')}:",
                          f"        if {sets.some(sets.both(f'{reached}(S, cells, player, start)', 'goal'))}:",
                          "            return True"]
            return [*lines, "return False"]

        return sets.function(f"{label}_spans", "S, cells, player, least",
                             "Whether a part leads out at opposite outermost edges, so many cells apart.", body)

    def _network_distance(self, kind: str, label: str, layer: int, name: str) -> str:
        """How many extra cells must join the network to lead from one set to the other."""
        sets = self.sets

        def body() -> list[str]:
            reached = self.network_function(kind, "reached")
            if kind == "cell":  # a whole level at once
                around = sets.either(sets.neighbours("seen"), "waiting")
                return [f"extra = {sets.minus('extra', 'cells')}", f"seen = {reached}(S, cells, player, start)",
                        f"waiting = {sets.both('start', 'extra')}", "steps = 0",
                        f"while not {sets.some(sets.both('seen', 'goal'))}:", "    steps += 1",
                        f"    level = {sets.minus(sets.both(around, 'extra'), 'seen')}",
                        f"    if not {sets.some('level')}:", f"        return {self.board.size}",
                        f"    seen = {sets.either('seen', 'level')}",
                        f"    fresh = {sets.minus(sets.both(sets.neighbours('level'), 'cells'), 'seen')}",
                        f"    if {sets.some('fresh')}:",
                        f"        seen = {sets.either('seen', f'{reached}(S, cells, player, fresh)')}",
                        "return steps"]
            joined_with = self.network_function(kind, "with")
            near = f"{joined_with}(S, cells, player, c, extra)"
            return [f"extra = {sets.minus('extra', 'cells')}", f"seen = {reached}(S, cells, player, start)",
                    "level = seen", f"waiting = {sets.both('start', 'extra')}", "steps = 0",
                    f"while not {sets.some(sets.both('seen', 'goal'))}:", "    steps += 1",
                    *("    " + line for line in sets.loop("level", "c", [
                        f"waiting = {sets.either('waiting', near)}"])),
                    f"    level = {sets.minus(sets.both('waiting', 'extra'), 'seen')}",
                    f"    if not {sets.some('level')}:", f"        return {self.board.size}",
                    f"    around = {sets.nothing}",
                    *("    " + line for line in sets.loop("level", "c", [
                        f"around = {sets.either('around', near)}"])),
                    f"    fresh = {sets.minus('around', 'seen')}",
                    f"    level = {sets.either('level', f'{reached}(S, cells, player, fresh)')}",
                    f"    seen = {sets.either('seen', 'level')}", f"    waiting = {sets.nothing}", "return steps"]

        return sets.function(f"{label}_distance", "S, cells, player, start, goal, extra",
                             "How many extra cells must join a network to lead from one set to another.", body)

    def _network_arrivals(self, kind: str, label: str, layer: int, name: str) -> str:
        """The cells of the network at which shortest ways arrive from extra cells."""
        return self.sets.function(f"{label}_arrivals", "S, cells, player, start, goal, extra",
                                  "The cells of a network at which shortest ways between two sets arrive.",
                                  lambda: self._back_the_ways(kind, arriving=True))

    def _network_ways(self, kind: str, label: str, layer: int, name: str) -> str:
        """The extra cells on shortest ways."""
        return self.sets.function(f"{label}_ways", "S, cells, player, start, goal, extra",
                                  "The extra cells on the shortest ways between two sets.",
                                  lambda: self._back_the_ways(kind, arriving=False))

    def _back_the_ways(self, kind: str, *, arriving: bool) -> list[str]:
        """The lines that find the cells at which shortest ways arrive, or the extra cells on them.

        Cells next to each other lack the same number of extra cells, or one more or less. So it is enough to remember
        the remainder of these numbers by three, to go back the shortest ways from the other set.
        """
        sets = self.sets
        reached, joined_with = self.network_function(kind, "reached"), self.network_function(kind, "with")
        near = f"{joined_with}(S, cells, player, c, extra)"
        chosen = ["plane = zero", "if steps % 3 == 1:", "    plane = one", "if steps % 3 == 2:", "    plane = two"]
        if kind == "cell":  # a whole level at once
            waiting = [f"waiting = {sets.either('waiting', sets.neighbours('level'))}"]
            around = [f"around = {sets.neighbours('level')}"]
            leading = [f"leading = {sets.both(sets.neighbours('chain'), 'allowed')}"]
            if arriving:
                leading.append(f"found = {sets.either('found', sets.both('chain', sets.neighbours('leading')))}")
        else:
            waiting = sets.loop("level", "c", [f"waiting = {sets.either('waiting', near)}"])
            around = [f"around = {sets.nothing}", *sets.loop("level", "c", [f"around = {sets.either('around', near)}"])]
            leading = [f"leading = {sets.nothing}", *sets.loop("chain", "c", [
                f"beside = {sets.both(near, 'allowed')}", f"if {sets.some('beside')}:",
                *([f"    found = {sets.either('found', sets.single('c'))}"] if arriving else []),
                f"    leading = {sets.either('leading', 'beside')}"])]
        return [f"extra = {sets.minus('extra', 'cells')}", f"seen = {reached}(S, cells, player, start)",
                "level = seen", "zero = seen", f"one = {sets.nothing}", f"two = {sets.nothing}",
                f"waiting = {sets.both('start', 'extra')}", "steps = 0",
                f"while not {sets.some(sets.both('seen', 'goal'))}:", "    steps += 1",
                *("    " + line for line in waiting),
                f"    level = {sets.minus(sets.both('waiting', 'extra'), 'seen')}",
                f"    if not {sets.some('level')}:", f"        return {sets.nothing}",
                *("    " + line for line in around),
                f"    fresh = {sets.minus('around', 'seen')}",
                f"    level = {sets.either('level', f'{reached}(S, cells, player, fresh)')}",
                f"    seen = {sets.either('seen', 'level')}", f"    waiting = {sets.nothing}",
                "    if steps % 3 == 0:", f"        zero = {sets.either('zero', 'level')}",
                "    elif steps % 3 == 1:", f"        one = {sets.either('one', 'level')}",
                "    else:", f"        two = {sets.either('two', 'level')}",
                f"found = {sets.nothing}", f"ahead = {sets.both('seen', 'goal')}",
                "while steps > 0:", *("    " + line for line in chosen),
                f"    ahead = {sets.both('ahead', 'plane')}",
                f"    chain = {reached}(S, cells, player, ahead)",
                f"    allowed = {sets.both('extra', 'plane')}", *("    " + line for line in leading),
                f"    level = {sets.either('leading', sets.both('ahead', 'extra'))}",
                *([] if arriving else [f"    found = {sets.either('found', 'level')}"]),
                *("    " + line for line in around), "    ahead = around", "    steps -= 1", "return found"]

    # ---- what other parts of the compiler provide

    def no_moves(self, terms: Terms, anyone: bool) -> str:
        """The text of whether the player to move, or nobody, has a move."""
        row = terms.row
        if not anyone:
            return f"(not has_move({row}, number({row}[TO_MOVE]), E, X))"
        players = range(len(self.rules.players))
        return f"(not ({' or '.join(f'has_move({row}, {player}, E, X)' for player in players)}))"

