"""The functions that are the same for every game: runtime functions, with what is known of the game put in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from interpreter.boards import Board
from interpreter.compiler import ir
from interpreter.compiler.library import Given
from interpreter.compiler.lowering import dispatch, history
from interpreter.compiler.lowering.module_builder import ModuleBuilder
from interpreter.compiler.lowering.move_forms import VALUES, Form
from interpreter.compiler.lowering.moves import Moves
from interpreter.model.state import PASS, SWAP
from interpreter.semantics.forced import CASCADE_BOUND

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

_NO_MOVES: Final = {"draws": 1, "wins": 2, "loses": 3}
"""The codes in `interpreter.compiler.runtime.outcomes` for how the `no moves` rule ends a game."""
_TRIED, _LISTED = 64, 16
"""The most moves drawn choice by choice that may be rejected before all are listed: where ways to go on are tried, and
where they are listed."""


def form_tables(moves: Moves) -> dict[str, str]:
    """The tables of `interpreter.compiler.runtime.moves.FormTables`, for the forms that are known so far."""
    forms, table = moves.forms, moves.program.tables.table
    lists = [choices for form in forms for choices in form.lists]
    return {
        "rule": table("form_rule", [form.rule for form in forms]),
        "many": table("form_listed", [form.listed for form in forms]),
        "mask": table("form_set", [int(form.has_set) for form in forms]),
        "low": table("form_low", [form.low for form in forms]),
        "start": table("form_lists", list(accumulate((len(form.lists) for form in forms), initial=0))),
        "size_of": table("list_size", [len(choices) for choices in lists] or [0]),
        "place": table("list_from", list(accumulate(map(len, lists), initial=0))[:len(lists)] or [0]),
        "value_of": table("list_value", [value for choices in lists for value in choices] or [0])}


class General:
    """Adds the functions that are the same for every game to a kernel's library."""

    def __init__(self, compiler: KernelCompiler) -> None:
        self.compiler = compiler
        self.program: ModuleBuilder = compiler.program
        self.rules, self.moves = compiler.rules, compiler.moves
        board: Board = compiler.board
        self.unbounded, self.size = board.unbounded, board.size
        self.taken_back = compiler.lists_illegal
        self.legal_by_hand = bool(self.rules.illegal) and not compiler.lists_illegal
        self.passes = self.rules.no_moves == "passes"
        self.swap_form = self.moves.form(Form(SWAP)) if self.rules.pies else 0
        self.pass_form = self.moves.form(Form(PASS))

    def functions(self, listing: Sequence[str], asking: Sequence[str], acting: Sequence[str]) -> list[ir.Function]:
        """Add the library's functions; return those that call the functions of rules: to list, to ask and to act."""
        self._carrying_out()
        self._listing()
        self._outcomes()
        drawing = self._drawing()
        self._playing(draws=bool(drawing))
        self._entries()
        doc = "Add the entries of all rules' moves; how many there are."
        happening = [name for rule, name in zip(self.compiler.moves.listed, listing, strict=True) if rule.is_chance]
        others = [name for name in listing if name not in happening]
        otherwise = {name for rule, name in zip(self.compiler.moves.listed, listing, strict=True) if rule.otherwise}
        return [dispatch.carry_out(acting), dispatch.can_move(asking), *drawing,
                dispatch.chance_first("list_by_rules", doc, happening, others, otherwise) if happening
                else dispatch.listing("list_by_rules", doc, listing, otherwise)]

    def _use(self, function: str, name: str, **known: Given) -> None:
        """Add a runtime function under a name, with its tables and numbers put in."""
        self.program.use(function, name, **known)

    def _carrying_out(self) -> None:
        rules, compiler = self.rules, self.compiler
        by_seats = self.program.tables.table("pie_by_seats", [int(pie.by_seats) for pie in rules.pies] or [0])
        self._use("acted", "act", swapping=bool(rules.pies), follows=bool(rules.after), forced=bool(rules.forced),
                  unbounded=self.unbounded,
                  taken_back=bool(self.rules.illegal), turns=compiler.turns, chance=rules.has_chance,
                  of_chance=self._of_chance)
        if rules.pies:
            self._use("swapped", "swap_sides", by_seats=by_seats, swap=compiler.swap_map,
                      turns=compiler.turns)
        if rules.forced:
            self._use("closed", "close", limit=CASCADE_BOUND * self.size + 1, failure=self.program.failure("G408"))
        else:
            self._use("nothing_to_close", "close")

    def _listing(self) -> None:
        rules = self.rules
        alone = {"passing": rules.passing is not None, "pass_form": self.pass_form,
                 "swapping": bool(rules.pies), "swap_form": self.swap_form}
        wholes = [self.moves.form(Form(number)) for number in range(len(rules.moves))] if rules.ranking else []
        ranked = "moves" if rules.ranking is None else "moves_ranked"
        self._use("listed", ranked, **alone, chance=rules.has_chance, by_chance=self._by_chance)
        self._use("offered_or_pass", "offered", taken_back=self.taken_back, passes=self.passes,
                  pass_form=self.pass_form)
        self._use("total", "total")
        tables = form_tables(self.moves)
        self._use("taken", "take", values=VALUES, lists=any(form.lists for form in self.moves.forms),
                  **tables)
        if rules.ranking is not None:
            self._use("best_listed", "moves", values=VALUES, rule=tables["rule"], chance=rules.has_chance,
                      whole=self.program.tables.table("form_whole", wholes), by_chance=self._by_chance)
        alone_forms = self.program.tables.table("form_alone", [int(form.has_set and not form.lists)
                                                               for form in self.moves.forms])
        self._use("all_taken", "take_all", values=VALUES, rule=tables["rule"], low=tables["low"], alone=alone_forms)
        self._use("legal_moves", "legal", taken_back=self.taken_back, passes=self.passes)
        self._use("has_some_move", "has_move", taken_back=self.taken_back, by_list=self.legal_by_hand,
                  passing=rules.passing is not None, swapping=bool(rules.pies))

    @property
    def _by_chance(self) -> str:
        """The table that tells which forms of entries are for moves of chance; '' where none are."""
        rules = self.rules
        return "" if not rules.has_chance else self.program.tables.table("form_chance", [
            int(form.rule >= 0 and rules.moves[form.rule].is_chance) for form in self.moves.forms])

    @property
    def _of_chance(self) -> str:
        """The table that tells which rules are of chance; '' where none are."""
        rules = self.rules
        return "" if not rules.has_chance else self.program.tables.table(
            "of_chance", [int(rule.is_chance) for rule in rules.moves])

    def _outcomes(self) -> None:
        compiler = self.compiler
        result, stuck = _NO_MOVES.get(self.rules.no_moves, 0), bool(compiler.endings.stuck)
        self._use("found_outcome", "outcome", stuck=stuck, result=result,
                  seated=any(pie.by_seats for pie in self.rules.pies))
        self._use("outcome_soon", "quick_outcome")
        self._use("outcome_without_move", "stuck_outcome", stuck=stuck, result=result, endless=compiler.endless,
                  failure=self.program.failure("G407"))
        self._use("applied", "apply")
        self._use("advanced", "advance")

    def _drawing(self) -> list[ir.Function]:
        """The functions that draw a move without listing all moves, and those that they call."""
        compiler, heads = self.compiler, self.compiler.heads
        if compiler.draws_directly or heads is not None or compiler.draws_by_hook:
            self._use("drawn_by_list", "draw")
        if compiler.draws_directly or heads is None:
            return []
        calls, _ = heads
        moves, rules = self.moves, self.rules
        tried = bool(moves.tried)
        forms = {number for number, form in enumerate(moves.forms) if form.is_head}
        alone = rules.passing is not None or bool(rules.pies)
        one_form = len(forms) == 1 and not alone and all(name.startswith("heads_") for name in calls)
        form = moves.forms[min(forms)]
        one_form = one_form and form.has_set and not form.lists and not compiler.sets.wide
        self._use("first_choices", "heads", passing=rules.passing is not None, pass_form=self.pass_form,
                  swapping=bool(rules.pies), swap_form=self.swap_form)
        if one_form:
            size = sum(len(choice.slots) for choice in rules.moves[form.rule].choices) - 1
            self._use("head_taken", "take_head", rule=form.rule, size=size, low=form.low, values=VALUES)
        is_head = self.program.tables.table("form_head", [int(form.is_head) for form in moves.forms])
        self._use("drawn_by_choices", "draw_in_parts", draws=_TRIED if tried else _LISTED, tried=tried,
                  one_form=one_form, is_head=is_head)
        onward = dispatch.tries([(trial.rule, trial.name) for trial in moves.tried]) if tried else (
            dispatch.tails(moves.tails))
        return [onward, dispatch.listing("heads_by_rules", "Add the entries of all rules' first choices.", calls)]

    def _playing(self, *, draws: bool) -> None:
        compiler, repetition = self.compiler, self.compiler.repetition
        self._use("played", "play", taken_back=self.taken_back, kept=history.MOST,
                  draws=draws or compiler.draws_directly or compiler.draws_by_hook, repetition=bool(repetition),
                  forbidden=repetition == "forbidden",
                  loses=repetition == "loses" and len(self.rules.players) == 2, earlier=self.rules.repetition_at - 1,
                  weighted=self.rules.is_weighted)

    def _entries(self) -> None:
        compiler = self.compiler
        self._use("moves_counted", "count_moves", taken_back=self.taken_back)
        self._use("positions_after", "children", taken_back=self.taken_back, passes=self.passes)
        self._use("least_packed", "least")
        self._use("list_moves", "list_moves", endless=compiler.endless, failure=self.program.failure("G407"))
        for name in ("apply_move", "value_of", "play_out", "play_outs", "perft", "expand", "offer", "pack_row",
                     "unpack_row", "pack_least", "step", "random_game", "expand_tiers", "tier_of"):
            self._use(name, name)
        if self.rules.has_chance:
            self._use("weigh_moves", "weigh_moves", weighted=self.rules.is_weighted, by_chance=self._by_chance)
            self._use("weigh", "weigh", weighted=self.rules.is_weighted, of_chance=self._of_chance)
        for name in ("payoff_of", "payoffs_of") if self.rules.payoffs else ():
            self._use(name, name)
