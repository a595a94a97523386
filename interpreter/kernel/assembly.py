"""Putting a kernel's text together: the rules' functions, and what is the same for every game around them.

The text is a module. Its outside functions (`@entry`) take and give rows; `interpreter.kernel.kernel.Kernel` calls
them. `interpreter.engine` is the model: `act`, `next_player`, `ends`, `has_move` and `apply` do what its methods do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import attrs

from dsl import meaning
from dsl.effort import LONG_IN_PLAY, Effort
from dsl.source import Span
from dsl.vocabulary import WINDOW_MARGIN
from interpreter.boards import Board
from interpreter.compiler import ir
from interpreter.compiler.emit import python
from interpreter.compiler.reader import read_functions
from interpreter.engine import CASCADE_BOUND
from interpreter.errors import RuleError
from interpreter.hooks import Hooks
from interpreter.kernel import batch, history, images, packing, playing, searching, splicing
from interpreter.kernel.dependence import MOVER, free_slots
from interpreter.kernel.effects import Effects
from interpreter.kernel.errors import NotLowered
from interpreter.kernel.falling import carried, direction_of_fall
from interpreter.kernel.layout import GOING, NO_NUMBER, Layout, split
from interpreter.kernel.moves import VALUES, Form, Moves
from interpreter.kernel.packing import Packing
from interpreter.kernel.program import Passes, Program
from interpreter.kernel.terms import Terms
from interpreter.kernel.tiers import Tiers
from interpreter.kernel.writer import Writer, text_of
from interpreter.progress import descent
from interpreter.state import DRAW, PASS, SWAP
from interpreter.symmetries import StateMap

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.patterns import Book

VERIFYING = "DSLGAME_VERIFY_IR"
"""The variable of the environment that has every kernel's IR checked, which takes 10 to 40 ms a kernel."""
_CODE = re.compile(r"G\d+")
"""How diagnostics are numbered."""
_MOST_CONDITIONS = 8
"""Of declared symmetries: those for which some of the conditions hold are a group of their own."""
_INLINED_WORDS = 4
"""In kernels whose sets have more words functions are called, which makes them faster to compile."""


@attrs.frozen
class Assembled:
    """A kernel as IR, with the sizes that its callers need."""

    module: ir.Module
    layout: Layout
    entry_width: int
    """Numbers of an entry."""
    move_width: int
    """Numbers of a move: its rule, how many values it has, the values."""
    scratch: int
    """Rows that the functions work on."""
    packing: Packing
    """How positions are packed."""
    tiers: Tiers
    """Which number the function `tier` gives a position."""
    inlined: bool
    """Whether functions are put into those that call them; not in large kernels, which that makes slow to compile."""

    @property
    def failures(self) -> tuple[str, ...]:
        """The code of each failure, or what the kernel has no room for."""
        return self.module.failures

    @cached_property
    def text(self) -> str:
        """The kernel as a Python module."""
        return python.text_of(self.module, inlined=self.inlined)

    def problem(self, code: int, phrase: str, span: Span) -> Exception:
        """What to raise where a row has the number of a failure: NotLowered where it is the kernel's own limit."""
        failure = self.failures[code]
        return RuleError(failure, phrase, span) if _CODE.fullmatch(failure) else NotLowered(failure)


class FormTables(NamedTuple):
    """The names of tables with a number for each form of entries, and of the lists of choices that forms have."""

    rule: str
    listed: str
    mask: str
    """Whether the form ends in a set."""
    low: str
    start: str
    """Where a form's lists begin; one more than there are forms."""
    size: str
    place: str
    value: str


class Assembly:
    """Writes the whole text of one game's kernel."""

    def __init__(self, rules: meaning.Rules, board: Board, swap: StateMap | None, passes: Passes,
                 maps: Sequence[StateMap] = (), *, endless: bool = False, hooks: Hooks | None = None,
                 game: Game | None = None, patterns: Book | None = None) -> None:
        if endless:
            rules = attrs.evolve(rules, ends=(), no_moves=rules.no_moves if rules.no_moves == "passes" else "")
        heaviest = max(Effort(rules, board.size).in_play(), key=lambda cost: cost.steps)
        if heaviest.steps > LONG_IN_PLAY:  # nothing would stop it
            raise NotLowered(f"{heaviest.what}, which can take {heaviest.steps:.0e} steps")
        self.endless = endless
        """Whether wins and draws end nothing."""
        self.rules, self.board, self.swap, self.passes, self.maps = rules, board, swap, passes, maps
        self.hooks, self.game, self.patterns = hooks, game, patterns
        defined = {} if hooks is None else {
            hook.point[7:].strip(): hook.name for hook in hooks.hooks if hook.point.startswith("define ")}
        self.program = Program(rules, board, passes, defined)
        if hooks is not None:
            self.program.tables.used |= hooks.names
        self.moves = Moves(self.program)
        self.sets = self.program.sets
        self.players = len(rules.players)
        self.descent = descent(rules, board) if game is None else game.descent
        self.repetition = "" if endless or self.descent.complete else rules.repetition
        """What a repetition does in random games; '' where there is none."""
        self.turns = max((pie.turn + 1 for pie in rules.pies), default=0)
        self.packing = Packing.of(self)
        self.symmetry_conditions: list[meaning.Condition] = []
        """Those of the declared symmetries, each once."""
        if game is not None and len(self.maps) > 1:
            self.symmetry_conditions = list(dict.fromkeys(
                symmetry.condition for symmetry, _ in game.declared if symmetry.condition is not None))
        if len(self.symmetry_conditions) > _MOST_CONDITIONS:
            raise NotLowered(f"more than {_MOST_CONDITIONS} conditions of symmetries")
        self.tiers = Tiers.of(self)

    def assembled(self) -> Assembled:
        """The kernel."""
        listing = self.moves.write(asking=False)
        asking = self.moves.write(asking=True)
        acting = self.moves.write_acts()
        self.heads = None if self.lists_by_hand else self.moves.split()
        rules_text = list(self.moves.functions.values())
        ends = [self._condition_function("illegal", "Whether a rule takes a move back.",
                                         [item.term for item in self.rules.illegal]),
                self._next_player(), self._force(), self._ends()]
        general = self._general(listing, asking, acting)
        if self.patterns is not None:
            from interpreter.kernel import proposing  # not at the top: few kernels have patterns

            general += proposing.texts(self, self.patterns)
        hook_names = splicing.names(self)
        layout = attrs.evolve(self.program.layout, kept=self.program.kept)
        move_width = 2 + max(self.moves.length, 1)
        entry_width = max(VALUES + self.moves.prefix + self.sets.words, move_width)
        names = {"TO_MOVE": layout.to_move, "TURN": layout.turn, "OUTCOME": layout.outcome, "SEATS": layout.seats,
                 "FAILED": layout.failed, "VALUES_FROM": layout.values, "POSITION": layout.position,
                 "WIDTH": layout.width,
                 "CHOICE": VALUES + self.moves.prefix, "GOING": GOING, "DRAW": DRAW, "NO_NUMBER": NO_NUMBER,
                 "MOVE_WIDTH": move_width, "ENTRY_WIDTH": entry_width, "SCRATCH": self._scratch, **hook_names}
        rows = self._scratch + (history.rows_of(layout.width) if self.repetition else 0)
        if self.repetition:
            names["PLAYING"] = rows
        module = self._module(names, [*self.sets.functions.values(), *rules_text, *ends, *general])
        return Assembled(module, layout, entry_width, move_width, rows, self.packing, self.tiers,
                         self.sets.words <= _INLINED_WORDS)

    def _module(self, names: Mapping[str, int], texts: Sequence[str]) -> ir.Module:
        """The kernel as IR: some named numbers, and functions."""
        rules, tables, sets = self.rules, self.program.tables, self.sets
        cells = ir.cells_sort(sets.words, vector=sets.wide)
        constants = [ir.Constant(name, (value,), ir.INT) for name, value in names.items()]
        constants += [ir.Constant(name, tuple(split(found, sets.words)), cells)
                      for name, found in sets.constants.items()]
        params = ", ".join(f"{name}={value}" for name, value in rules.params.items())
        doc = f"{rules.title}{f' ({params})' if params else ''}: the kernel that dslgame made of its rules."
        found = tuple(ir.Table(name, tuple(tables.values[name]), ir.ROW if tables.words[name] else ir.LINE)
                      for name in sorted(tables.values))
        named: dict[str, ir.Sort] = {constant.name: constant.sort for constant in constants}
        named |= {table.name: table.sort for table in found}
        functions = read_functions(texts, cells, named, splicing.signatures(self, cells))
        module = ir.Module(doc, tuple(constants), found, functions, tuple(self.program.failures))
        if self.hooks is not None:
            module = splicing.hooked(self, self.hooks, module)
        if os.environ.get(VERIFYING):
            from interpreter.compiler.verify import verify_ir  # not at the top: few ask for it

            verify_ir(module)
        return module

    @property
    def _scratch(self) -> int:
        return self.moves.scratch + 3

    # ---- the rules' conditions

    def _terms(self, *parameters: str, steady: bool = True) -> Terms:
        writer = Writer(parameters, self.program.tables.used)
        writer.steady = steady
        return Terms(self.program, writer)

    def _condition_function(self, name: str, doc: str, conditions: Sequence[meaning.Term]) -> str:
        """A function that tells whether one of some conditions holds."""
        terms = self._terms("S", "mover")
        for condition in conditions:
            with terms.writer.block(f"if {terms.test(condition)}:"):
                terms.writer.line("return True")
        terms.writer.line("return False")
        return text_of(name, "S, mover", doc, terms.writer.lines)

    def _next_player(self) -> str:
        """The function that tells who moves after the mover."""
        terms = self._terms("S", "mover")
        for item in self.rules.again:
            with terms.writer.block(f"if {terms.test(item.term)}:"):
                terms.writer.line("return mover")
        after = {1: "mover", 2: "1 - mover"}.get(self.players, f"(mover + 1) % {self.players}")
        terms.writer.line(f"return {after}")
        return text_of("next_player", "S, mover", "Who moves after the mover.", terms.writer.lines)

    def _force(self) -> str:
        """The functions that apply forced rules."""
        texts, calls = [], []
        falling = direction_of_fall(self.rules, self.board) if self.passes.falls else None
        for number, rule in enumerate(self.rules.forced, start=1):
            terms = self._terms("S", "mover", steady=False)
            writer = terms.writer
            opened = writer.depth
            if rule.until is not None:
                writer.open(f"if not {terms.test(rule.until)}:")
            if rule.when is not None:
                writer.open(f"if {terms.test(rule.when)}:")
            loops = []
            for choice in rule.choices:
                loop = terms.choosing(choice)
                loop.__enter__()
                loops.append(loop)
                terms.note([terms.bound[slot].name for slot in choice.slots], choice)
            writer.forget()
            Effects(terms).block(rule.body if falling is None else (carried(terms, rule, falling),))
            writer.line("return True")
            for loop in reversed(loops):
                loop.__exit__()
            writer.close(writer.depth - opened)
            writer.line("return False")
            name = f"force_{rule.name}"
            doc = f"Apply the forced rule {rule.name} at its first place, if it can be."
            texts.append(text_of(name, "S, mover", doc, writer.lines))
            calls += [f"if {name}(S, mover):", f"    return {number}"]
        texts.append(text_of("force", "S, mover", "Apply the first forced rule that can be; its number, 0 for none.",
                             [*calls, "return 0"]))
        force = "\n\n".join(texts)
        limit = CASCADE_BOUND * self.board.size
        close = text_of("close", "S, mover", "Apply forced rules until none applies.", [
            f"for _ in range({limit + 1}):", "    if force(S, mover) == 0:", "        return",
            f"S[FAILED] = word({self.program.failure('G408')})"] if self.rules.forced else [])
        return f"{force}\n\n{close}"

    @property
    def late(self) -> bool:
        """Whether it can be left to the next listing of moves to see that there is none."""
        return self.passes.late_stuck and self.rules.no_moves != "passes" and not any(
            isinstance(part, meaning.NoMoves) for end in self._first_ends for part in meaning.walk(end.condition.term))

    @cached_property
    def _stuck_ends(self) -> tuple[meaning.End, ...]:
        """The last ends of all, as far as they ask that there is no move; each without that condition.

        They can be told from the position alone, without who moved last.
        """
        found: list[meaning.End] = []
        for end in reversed(self.rules.ends):
            term = end.condition.term
            terms = term.operands if isinstance(term, meaning.All) else (term,)
            rest = tuple(part for part in terms if not (isinstance(part, meaning.NoMoves) and not part.anyone))
            whole = meaning.All(rest, sort=term.sort, span=term.span) if rest else meaning.Literal(
                True, sort=term.sort, span=term.span)
            if len(rest) == len(terms) or MOVER in free_slots(whole, self.program.free) or (
                    isinstance(end.player, meaning.Role)) or any(
                    isinstance(part, meaning.NoMoves) for part in meaning.walk(whole)):
                break
            found.insert(0, attrs.evolve(end, condition=attrs.evolve(end.condition, term=whole)))
        return tuple(found)

    @property
    def _first_ends(self) -> tuple[meaning.End, ...]:
        return self.rules.ends[:len(self.rules.ends) - len(self._stuck_ends)]

    def _ends(self) -> str:
        """The functions that tell the outcome after a move."""
        terms = self._terms("S", "mover", "E", "X")
        terms.after_moves = True
        self._end_lines(terms, self._first_ends)
        return text_of("ends", "S, mover, E, X", "The outcome by the ends in their order, GOING where none holds.",
                       terms.writer.lines)

    def _end_lines(self, terms: Terms, ends: Sequence[meaning.End]) -> None:
        for end in ends:
            condition = terms.test(end.condition.term)
            if condition == "False":
                continue
            terms.writer.open(f"if {condition}:")
            if end.player is None:
                terms.writer.line("return DRAW")
            else:
                who = terms.value(end.player)
                loser = f"1 - {who}" if self.players == 2 else "DRAW"
                terms.writer.line(f"return {who if end.kind == 'win' else loser}")
            terms.writer.close()
            if condition == "True":
                return
        terms.writer.line("return GOING")

    # ---- what is the same for every game

    def _general(self, listing: list[str], asking: list[str], acting: list[str]) -> list[str]:
        return [
            *self._swap_text(), self._settle_text(), self._act_text(acting), self._moves_text(listing),
            self._take_text(), self._has_move_text(asking), self._outcome_text(), self._value_text(),
            *self._playing_text(),
        ]

    def _extra_conditions(self) -> tuple[str, str]:
        """Functions that tell whether the mover may pass, and whether sides may be swapped."""
        passing = [] if self.rules.passing is None else [self.rules.passing.term]
        texts = [self._condition_function("may_pass", "Whether the mover may pass.", passing)]
        terms = self._terms("S", "mover")
        for number, pie in enumerate(self.rules.pies):
            with terms.writer.block(f"if number(S[TURN]) == {pie.turn}:"):
                if pie.condition is None:
                    terms.writer.line(f"return {number}")
                else:
                    with terms.writer.block(f"if {terms.test(pie.condition.term)}:"):
                        terms.writer.line(f"return {number}")
        terms.writer.line("return -1")
        texts.append(text_of("may_swap", "S, mover", "The pie rule by which sides may be swapped, -1 for none.",
                             terms.writer.lines))
        return texts[0], texts[1]

    def _swap_text(self) -> list[str]:
        """Passing, swapping, and the images of positions under the game's symmetries."""
        passing, swapping = self._extra_conditions()
        maps = [*self.maps]
        swap = -1
        if self.swap is not None and any(not pie.by_seats for pie in self.rules.pies):
            if all(element.key != self.swap.key for element in maps):
                maps.append(self.swap)
            swap = next(number for number, element in enumerate(maps) if element.key == self.swap.key)
        texts = [passing, swapping, self._claimed(), *images.Images(self, maps).texts()]
        lines = ["pie = may_swap(S, number(S[TO_MOVE]) ^ number(S[SEATS]))",
                 f"S[TURN] = word(min(number(S[TURN]) + 1, {self.turns}))"]
        for number, pie in enumerate(self.rules.pies):
            lines.append(f"if pie == {number}:")
            if pie.by_seats:
                lines += ["    S[SEATS] = word(1 - number(S[SEATS]))", "    S[TO_MOVE] = word(1 - number(S[TO_MOVE]))"]
            else:
                lines += ["    T = X[0]", "    for k in range(WIDTH):", "        T[k] = S[k]",
                          f"    image(T, {swap}, S)", "    S[TURN] = T[TURN]"]
        texts.append(text_of("swap_sides", "S, X", "Swap sides by the pie rule that holds.", lines))
        return texts

    def _claimed(self) -> str:
        """The function that tells which symmetries are claimed for a position."""
        terms = self._terms("S", "mover")
        terms.writer.line("mover = number(S[TO_MOVE]) ^ number(S[SEATS])")
        terms.writer.line("group = 0")
        for bit, condition in enumerate(self.symmetry_conditions):
            with terms.writer.block(f"if {terms.test(condition.term)}:"):
                terms.writer.line(f"group |= {1 << bit}")
        terms.writer.line("return group")
        return text_of("claimed", "S", "Which conditions of symmetries hold, as bits.", terms.writer.lines)

    def _settle_text(self) -> str:
        """The function that shifts everything on an unbounded board to where the window begins."""
        if not self.board.unbounded:
            return text_of("settle", "S", "The board has borders: nothing to do.", ["pass"])
        sets, size, words = self.sets, self.board.column_count, self.sets.words
        rows, columns = sets.table("rows", self.board.rows), sets.table("columns", self.board.columns)
        occupied = sets.minus(sets.constant(self.board.everything), sets.at("S", "0"))
        pieces = len(self.rules.pieces)
        lines = [f"occupied = {occupied}", f"if not {sets.some('occupied')}:", "    return"]
        for stripes, low, high in ((rows, "first_row", "last_row"), (columns, "first_column", "last_column")):
            lines += [f"{low} = 0", f"while not {sets.some(sets.both('occupied', sets.of_table(stripes, low)))}:",
                      f"    {low} += 1", f"{high} = {size - 1}",
                      f"while not {sets.some(sets.both('occupied', sets.of_table(stripes, high)))}:",
                      f"    {high} -= 1"]
        place = f"p * {words} + (c >> 6)"
        lines += [f"if min(first_row, first_column) < 1 or max(last_row, last_column) > {size - 2} or "
                  f"max(last_row - first_row, last_column - first_column) + 1 > {size - WINDOW_MARGIN}:",
                  f"    S[FAILED] = word({self.program.failure('G411')})", "    return",
                  f"by = (2 - first_row) * {size} + 2 - first_column", "if by == 0:", "    return",
                  f"for p in range(1, {pieces}):",
                  f"    held = {sets.at('S', f'p * {words}' if words > 1 else 'p')}",
                  f"    for part in range({words}):",
                  f"        S[p * {words} + part] = EMPTY",
                  *("    " + line for line in sets.loop("held", "old", [
                      "c = old + by", f"S[{place}] |= ONE << (c & 63)"]))]
        others = " | ".join(f"S[{piece * words} + part]" for piece in range(1, pieces))
        lines += [f"for part in range({words}):", f"    S[part] = EVERY[part] & ~({others})"]
        self.program.tables.values["EVERY"] = [(self.board.everything >> 64 * part) & ((1 << 64) - 1)
                                              for part in range(words)]
        self.program.tables.words["EVERY"] = True
        return text_of("settle", "S", "Shift everything to where the window of an unbounded board begins.", lines)

    def _act_text(self, acting: list[str]) -> str:
        lines = ["rule = m[0]"]
        if self.rules.pies:
            lines += [f"if rule == {SWAP}:", "    swap_sides(S, X)", "    return 0"]
        lines += ["mover = number(S[TO_MOVE]) ^ number(S[SEATS])"]
        for number, name in enumerate(acting):
            lines += [f"{'if' if number == 0 else 'elif'} rule == {number}:", f"    {name}(S, mover, m)"]
        after = []
        if self.rules.forced:
            after.append("close(S, mover)")
        if self.board.unbounded:
            after.append("settle(S)")
        if self.rules.illegal:
            after += ["if illegal(S, mover):", "    return 1"]
        if after:
            lines += ["if rule >= 0:", *("    " + line for line in after)]
        if self.turns:
            lines.append(f"S[TURN] = word(min(number(S[TURN]) + 1, {self.turns}))")
        lines += ["S[TO_MOVE] = word(next_player(S, mover) ^ number(S[SEATS]))", "return 0"]
        return text_of("act", "S, m, X", "Carry out a move but for its outcome; 1 where a rule takes it back, else 0.",
                       lines)

    def _moves_text(self, listing: list[str]) -> str:
        lines = ["n = 0", "if number(S[OUTCOME]) != GOING:", "    return n",
                 "mover = number(S[TO_MOVE]) ^ number(S[SEATS])"]
        lines += [f"n = {name}(S, mover, E, n, X)" for name in listing]

        lines += self.alone_lines()
        self._pass_form = self.moves.form(Form(PASS))
        return text_of("moves", "S, E, X", "List the moves that the rules offer, as entries; how many entries.",
                       [*lines, "return n"])

    def alone_lines(self) -> list[str]:
        """The lines that add the moves which no rule makes."""
        lines = []
        for rule, condition in ((PASS, "may_pass(S, mover)" if self.rules.passing is not None else ""),
                                (SWAP, "may_swap(S, mover) >= 0" if self.rules.pies else "")):
            if condition:
                form = self.moves.form(Form(rule))
                lines += [f"if {condition} and n < len(E):", f"    E[n, 0] = {form}", "    E[n, 1] = 1",
                          "    E[n, 2] = 0", "    n += 1"]
        return lines

    def form_tables(self) -> FormTables:
        """The tables of what the entries of moves mean, as far as forms are known."""
        forms, tables = self.moves.forms, self.program.tables
        starts = [0]
        sizes: list[int] = []
        places: list[int] = []
        values: list[int] = []
        for form in forms:
            for choices in form.lists:
                sizes.append(len(choices))
                places.append(len(values))
                values += choices
            starts.append(len(sizes))
        return FormTables(
            tables.table("form_rule", [form.rule for form in forms]),
            tables.table("form_listed", [form.listed for form in forms]),
            tables.table("form_set", [int(form.has_set) for form in forms]),
            tables.table("form_low", [form.low for form in forms]),
            tables.table("form_lists", starts), tables.table("list_size", sizes or [0]),
            tables.table("list_from", places or [0]), tables.table("list_value", values or [0]))

    def _take_text(self) -> str:
        forms, names = self.moves.forms, self.form_tables()
        rule, many, mask, low = names.rule, names.listed, names.mask, names.low
        start, size, place, value = names.start, names.size, names.place, names.value
        sets, words = self.sets, self.sets.words
        if words == 1:
            chosen = sets.pick("word(E[e, CHOICE])", "k")
        elif sets.wide:
            chosen = sets.pick(sets.at("E[e]", "CHOICE"), "k")
        else:
            whole = ", ".join(f"word(E[e, CHOICE + {part}])" for part in range(words))
            chosen = sets.pick(f"({whole})", "k")
        lines = ["form = E[e, 0]", f"m[0] = {rule}[form]", "size = E[e, 2]", "for i in range(size):",
                 f"    m[2 + i] = E[e, {VALUES} + i]"]
        if any(form.lists for form in forms):
            lines += [f"listed = {many}[form]", "rest = k % listed", "k = k // listed"]
        lines += [f"if {mask}[form] != 0:", f"    m[2 + size] = {chosen} + {low}[form]", "    size += 1"]
        if any(form.lists for form in forms):
            lines += [f"first = {start}[form]", f"last = {start}[form + 1]", "for i in range(last - first):",
                      "    at = last - 1 - i",
                      f"    m[2 + size + at - first] = {value}[{place}[at] + rest % {size}[at]]",
                      f"    rest = rest // {size}[at]", "size += last - first"]
        lines.append("m[1] = size")
        take = text_of("take", "E, e, k, m", "Write the move with number k of an entry into m.", lines)
        return f"{take}\n\n{self._take_all_text(names)}"

    def _take_all_text(self, names: FormTables) -> str:
        """The function that writes all moves of an entry: where the last choice is from a set, cell by cell."""
        alone = self.program.tables.table("form_alone", [int(form.has_set and not form.lists)
                                                         for form in self.moves.forms])
        further = [] if self.sets.words == 1 else [
            "    while rest == EMPTY:", "        part += 1", "        rest = word(E[e, CHOICE + part])"]
        return text_of("take_all", "E, e, M, at", "Write the moves of an entry into rows of M from `at` on; the place "
                       "after them.", [
                           "form = E[e, 0]", "many = E[e, 1]", f"if {alone}[form] == 0:", "    for k in range(many):",
                           "        take(E, e, k, M[at + k])", "    return at + many", f"rule = {names.rule}[form]",
                           f"low = {names.low}[form]", "size = E[e, 2]", "rest = word(E[e, CHOICE])",
                           *(["part = 0"] if further else []), "for k in range(many):", *further, "    m = M[at + k]",
                           "    m[0] = rule", "    m[1] = size + 1", "    for i in range(size):",
                           f"        m[2 + i] = E[e, {VALUES} + i]", "    m[2 + size] = "
                           f"{'(part << 6) + ' if further else ''}lowest(rest) + low", "    rest &= rest - ONE",
                           "return at + many"])

    def _has_move_text(self, asking: list[str]) -> str:
        lines = ["T = X[1]", "for k in range(WIDTH):", "    T[k] = S[k]", "T[TO_MOVE] = word(who)",
                 "T[OUTCOME] = word(GOING)", "mover = who ^ number(S[SEATS])"]
        if not self.rules.illegal:
            for name in asking:
                lines += [f"if {name}(T, mover, X):", "    return True"]
            if self.rules.passing is not None:
                lines += ["if may_pass(T, mover):", "    return True"]
            if self.rules.pies:
                lines += ["if may_swap(T, mover) >= 0:", "    return True"]
            lines += ["if T[FAILED] != EMPTY:", "    S[FAILED] = T[FAILED]", "return False"]
        else:
            lines += ["m = E[len(E) - 1]", "n = moves(T, E, X)", "for e in range(n):",
                      "    for k in range(E[e, 1]):", "        take(E, e, k, m)", "        U = X[0]",
                      "        for i in range(WIDTH):", "            U[i] = T[i]", "        if act(U, m, X) == 0:",
                      "            return True", "if T[FAILED] != EMPTY:", "    S[FAILED] = T[FAILED]", "return False"]
        return text_of("has_move", "S, who, E, X", "Whether a player would have a move, were it to move.", lines)

    def _outcome_text(self) -> str:
        """The functions that tell the outcome after a move, those that leave open whether there is a next one too."""
        lines = ["found = ends(S, mover, E, X)"]
        result = self._stuck_result()
        late = ["found = stuck_ends(S)"] if self._stuck_ends else []
        if late and result:
            late += ["if found == GOING:", f"    found = {result}"]
        elif result:
            late = [f"found = {result}"]
        if late:
            lines += ["if found == GOING and not has_move(S, number(S[TO_MOVE]), E, X):",
                      *("    " + line for line in late)]
        seated = any(pie.by_seats for pie in self.rules.pies)
        lines += ["if found >= 0:", "    found = found ^ number(S[SEATS])" if seated else "    return found",
                  "return found"]
        outcome = text_of("outcome", "S, mover, E, X", "The outcome after a move of the mover, GOING while it goes on.",
                          lines)
        quick = ["found = ends(S, mover, E, X)", "if found >= 0:", "    found = found ^ number(S[SEATS])",
                 "return found"] if self.late else ["return outcome(S, mover, E, X)"]
        said = self._stuck_result(seated=True)
        stuck = [f"return {said}"] if said else ["return DRAW"] if self.endless else [
            f"S[FAILED] = word({self.program.failure('G407')})", "return GOING"]
        texts = []
        if self._stuck_ends:
            terms = self._terms("S")
            self._end_lines(terms, self._stuck_ends)
            texts = [text_of("stuck_ends", "S", "The outcome where there is no move, GOING where no end says it.",
                             terms.writer.lines)]
            stuck = ["found = stuck_ends(S)", "if found >= 0:", "    return found ^ number(S[SEATS])",
                     "if found != GOING:", "    return found", *stuck]
        return "\n\n".join([
            *texts, outcome,
            text_of("quick_outcome", "S, mover, E, X",
                    "The outcome after a move, which may be left open where it is that there is no move.", quick),
            text_of("stuck_outcome", "S", "The outcome where there is no move; where no rule says it, a rule fails.",
                    stuck)])

    def _value_text(self) -> str:
        """The function that gives a position's `value`."""
        terms = self._terms("S", "mover")
        terms.writer.line("mover = number(S[TO_MOVE]) ^ number(S[SEATS])")
        terms.writer.line(f"return {'0' if self.rules.value is None else terms.value(self.rules.value.term)}")
        return text_of("value", "S", "The game's value of a position for the player to move.", terms.writer.lines)

    def _stuck_result(self, *, seated: bool = False) -> str:
        """The text of the outcome by a `no moves` rule that ends the game; '' where there is none."""
        who = "number(S[TO_MOVE])" if seated else "(number(S[TO_MOVE]) ^ number(S[SEATS]))"
        match self.rules.no_moves:
            case "draws":
                return "DRAW"
            case "wins":
                return who
            case "loses":
                return f"1 - {who}" if self.players == 2 else "DRAW"
        return ""

    def _playing_text(self) -> list[str]:
        form = self._pass_form
        passes = self.rules.no_moves == "passes"
        nobody = " or ".join(f"has_move(S, {player}, E, X)" for player in range(self.players))
        stuck = [f"if n == 0 and number(S[OUTCOME]) == GOING and ({nobody}):", f"    E[0, 0] = {form}",
                 "    E[0, 1] = 1", "    E[0, 2] = 0", "    n = 1"] if passes else []
        if self.rules.illegal:  # what is offered may all be illegal
            stuck = ["if number(S[OUTCOME]) == GOING and not has_move(S, number(S[TO_MOVE]), E, X):", "    n = 0",
                     *stuck] if passes else []
        offered = text_of("offered", "S, E, X", "The entries of moves, a pass where one must.",
                          ["n = moves(S, E, X)", *stuck, "return n"])
        illegal = bool(self.rules.illegal)
        total = text_of("total", "E, n", "How many moves some entries have.",
                        ["many = 0", "for e in range(n):", "    many += E[e, 1]", "return many"])
        listed = ["n = moves(S, E, X)", "many = 0", "for e in range(n):"]
        if illegal:
            listed += ["    for k in range(E[e, 1]):", "        if many >= len(M):", "            S[FAILED] = word(1)",
                       "            return many", "        take(E, e, k, M[many])",
                       "        T = X[0]", "        for i in range(WIDTH):", "            T[i] = S[i]",
                       "        if act(T, M[many], X) == 0:", "            many += 1",
                       "        if T[FAILED] != EMPTY:", "            S[FAILED] = T[FAILED]"]
        else:
            listed += ["    if many + E[e, 1] > len(M):", "        S[FAILED] = word(1)", "        return many",
                       "    many = take_all(E, e, M, many)"]
        if passes:
            listed += [f"if many == 0 and number(S[OUTCOME]) == GOING and ({nobody}):", f"    M[0, 0] = {PASS}",
                       "    M[0, 1] = 0", "    many = 1"]
        listed.append("return many")
        legal = text_of("legal", "S, E, M, X", "List the legal moves, one a row; how many.", listed)
        apply = text_of("apply", "S, m, E, X", "Carry out a move and see how the game stands; 1 where it is illegal.", [
            "mover = number(S[TO_MOVE]) ^ number(S[SEATS])", "code = act(S, m, X)", "if code != 0:", "    return code",
            "S[OUTCOME] = word(outcome(S, mover, E, X))", "return 0"])
        advance = text_of("advance", "S, m, E, X", "The same, but that no move is left may be seen later.", [
            "mover = number(S[TO_MOVE]) ^ number(S[SEATS])", "code = act(S, m, X)", "if code != 0:", "    return code",
            "S[OUTCOME] = word(quick_outcome(S, mover, E, X))", "return 0"])
        texts = [offered, total, legal, apply, advance, *playing.texts(self), self._perft_text(illegal)]
        return [*texts, *self._entries()]

    @property
    def lists_by_hand(self) -> bool:
        """Whether a hook lists the moves of some rule, so that they must be drawn from its list."""
        return self.hooks is not None and any(hook.point.startswith("move ") for hook in self.hooks.hooks)

    def _perft_text(self, illegal: bool) -> str:
        """The walk through the tree, as a loop: what Numba keeps on disk of functions that call themselves crashes."""
        failed = ["R[0, FAILED] = S[FAILED]", "return 0"]
        lines = ["level = 0", "P[0, 0] = -1", "while level >= 0:", "    S = R[level]", "    E = EE[level]",
                 "    if P[level, 0] < 0:", "        n = offered(S, E, X)", "        if S[FAILED] != EMPTY:",
                 *(12 * " " + line for line in failed), "        if n == 0:",
                 "            if number(S[OUTCOME]) == GOING and stuck_outcome(S) == GOING:",
                 *(16 * " " + line for line in failed), "            ended[0] += 1", "            level -= 1",
                 "            continue"]
        if not illegal:
            lines += ["        if bulk and level + 1 == depth:", "            counts[level] += total(E, n)",
                      "            level -= 1", "            continue"]
        lines += ["        P[level, 0] = n", *(f"        P[level, {place}] = 0" for place in (1, 2, 3)),
                  "    e = P[level, 1]", "    k = P[level, 2]", "    if e >= P[level, 0]:"]
        if illegal:
            lines += ["        if P[level, 3] == 0:", "            if stuck_outcome(S) == GOING:",
                      *(16 * " " + line for line in failed), "            ended[0] += 1"]
        lines += ["        level -= 1",
                  "        continue", "    if k >= E[e, 1]:", "        P[level, 1] = e + 1", "        P[level, 2] = 0",
                  "        continue", "    P[level, 2] = k + 1", "    T = R[level + 1]", "    take(E, e, k, m)",
                  "    for i in range(WIDTH):", "        T[i] = S[i]",
                  "    if level + 1 == depth:", "        code = apply(T, m, EE[depth], X)", "    else:",
                  "        code = advance(T, m, EE[depth], X)",
                  *(["    if code != 0:", "        continue"] if illegal else []),
                  "    if T[FAILED] != EMPTY:", "        R[0, FAILED] = T[FAILED]", "        return 0",
                  "    P[level, 3] += 1", "    counts[level] += 1", "    if number(T[OUTCOME]) != GOING:",
                  "        ended[0] += 1", "    elif level + 1 < depth:", "        level += 1",
                  "        P[level, 0] = -1"]
        return text_of("count_moves", "R: Rows, EE, P: Lines, X, m, counts, ended: Line, depth, bulk: Bool",
                       "Count the move sequences of a tree; P has each level's entries and the place of its next move.",
                       [*lines, "return 0"])

    @property
    def playing_work(self) -> str:
        """The line that makes the scratch rows of random games."""
        return f"X = rows({'PLAYING' if self.repetition else 'SCRATCH'}, WIDTH)"

    def _entries(self) -> list[str]:
        """The functions that are called from outside."""
        def outside(name: str, parameters: str, doc: str, lines: list[str]) -> str:
            return text_of(name, parameters, doc, lines, "@entry")

        work = self.playing_work
        unsaid = [] if self.endless else [
            "if many == 0 and number(S[OUTCOME]) == GOING and S[FAILED] == EMPTY:",
            f"    S[FAILED] = word({self.program.failure('G407')})"]
        return [
            outside("list_moves", "S, E, M", "List the legal moves of a position; how many.", [
                "X = rows(SCRATCH, WIDTH)", "many = legal(S, E, M, X)", *unsaid, "return many"]),
            outside("apply_move", "S, m, E", "Carry out a move; 1 where a rule takes it back.", [
                "X = rows(SCRATCH, WIDTH)", "return apply(S, m, E, X)"]),
            outside("value_of", "S", "The game's value of a position for the player to move.", ["return value(S)"]),
            outside("play_out", "S, seed, limit, E", "Play random moves to the end; how many.", [
                work, "m = line(MOVE_WIDTH)",
                "return play(S, seed, limit, E, X, m)"]),
            outside("play_outs", "start: Row, seed, limit, games, E, results: Line",
                    "Play games from a position; results counts draws, each player's wins, and unfinished games.", [
                        work, "m = line(MOVE_WIDTH)",
                        "S = row(WIDTH)", "plies = 0", "for game in range(games):", "    for i in range(WIDTH):",
                        "        S[i] = start[i]", "    seed = stir(seed)",
                        "    plies += play(S, scramble(seed), limit, E, X, m)",
                        "    if S[FAILED] != EMPTY:", "        start[FAILED] = S[FAILED]", "        return -1 - game",
                        "    found = number(S[OUTCOME])",
                        "    results[found + 1 if found >= DRAW else len(results) - 1] += 1", "return plies"]),
            outside("perft", "start: Row, depth, bulk: Bool, EE, counts, ended: Line",
                    "Count move sequences by length.", [
                "R = rows(depth + 1, WIDTH)", "X = rows(SCRATCH, WIDTH)", "m = line(MOVE_WIDTH)",
                "P = numbers(depth + 1, 4)", "for i in range(WIDTH):", "    R[0, i] = start[i]",
                "count_moves(R, EE, P, X, m, counts, ended, depth, bulk)", "start[FAILED] = R[0, FAILED]",
                "return 0"]),
            *batch.texts(self), *packing.texts(self, self.packing), *searching.texts(self),
        ]
