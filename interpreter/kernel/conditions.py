"""Lowering conditions: each becomes an expression of a kernel's text, with the lines that must stand before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELLS, NOTHING
from interpreter.kernel import fixed
from interpreter.kernel.errors import NotLowered
from interpreter.kernel.loops import Letting
from interpreter.kernel.texts import wish_of
from interpreter.kernel.whole import Whole

if TYPE_CHECKING:
    from interpreter.kernel.terms import Terms



@singledispatch
def condition_of(term: hir.Expr, terms: Terms) -> str:
    """The text of a condition, by its form. Raises NotLowered."""
    raise NotLowered(f"a condition of {type(term).__name__}")


@condition_of.register(hir.Not)
def _(term: hir.Not, terms: Terms) -> str:
    text = terms.test(term.operand)
    return {"True": "False", "False": "True"}.get(text, f"(not {text})")


@condition_of.register(hir.All)
def _(term: hir.All, terms: Terms) -> str:
    return _chain(terms, term.operands, "and")


@condition_of.register(hir.Any)
def _(term: hir.Any, terms: Terms) -> str:
    return _chain(terms, term.operands, "or")


def _chain(terms: Terms, operands: Sequence[hir.Expr], word: str) -> str:
    """Conditions joined; those that need lines of their own are asked only where those before leave it open."""
    stop = "False" if word == "and" else "True"
    go_on = "True" if word == "and" else "False"
    texts: list[str] = []
    rest: Sequence[hir.Expr] = ()
    for place, operand in enumerate(operands):
        trial = _alone(terms, operand)
        if trial is None:
            rest = operands[place:]
            break
        if trial == stop:
            return stop if not texts else f"({f' {word} '.join([*texts, stop])})"
        if trial != go_on:
            texts.append(trial)
    else:
        return go_on if not texts else texts[0] if len(texts) == 1 else f"({f' {word} '.join(texts)})"
    result = terms.writer.fresh("test")
    before = f" {word} ".join(texts) if texts else go_on
    if not texts:
        terms.writer.line(f"{result} = {terms.test(rest[0])}")
        rest = rest[1:]
    else:
        terms.writer.line(f"{result} = {before}")
    opened = 0
    for operand in rest:
        terms.writer.open(f"if {result}:" if word == "and" else f"if not {result}:")
        opened += 1
        terms.writer.line(f"{result} = {terms.test(operand)}")
    terms.writer.close(opened)
    return result


def _alone(terms: Terms, operand: hir.Expr) -> str | None:
    """The text of a condition that needs no lines before it where it stands; None where it does."""
    writer = terms.writer
    place, before = writer.depth, len(writer._blocks[-1].lines)
    saved = terms.saved()
    text = terms.test(operand)
    if writer.depth == place and len(writer._blocks[-1].lines) == before:
        return text
    terms.restore(saved)
    return None


@condition_of.register(hir.IfElse)
def _(term: hir.IfElse, terms: Terms) -> str:
    return terms.branches(term, "test", terms.test)


@condition_of.register(hir.Let)
def _(term: hir.Let, terms: Terms) -> str:
    with Letting(terms, term):
        return terms.name(terms.test(term.body), "test")


@condition_of.register(hir.Comparison)
def _(term: hir.Comparison, terms: Terms) -> str:
    left, right = term.left, term.right
    if CELLS in (left.sort, right.sort):
        equal = terms.sets.equal(terms.cells(left), terms.cells(right))
        return equal if term.operator == "=" else f"(not {equal})"
    sort = right.sort if left.sort == NOTHING else left.sort
    other = left.sort if right.sort == NOTHING else right.sort
    one, two = terms.value(left, sort), terms.value(right, other)
    if term.operator in ("=", "!="):
        return f"({one} {'==' if term.operator == '=' else '!='} {two})"
    tests = []
    if terms.may_be_none(left):
        one = terms.name(one, "x")
        tests.append(f"{one} != {terms.none_of(sort)}")
    if terms.may_be_none(right):
        two = terms.name(two, "x")
        tests.append(f"{two} != {terms.none_of(other)}")
    return f"({' and '.join([*tests, f'{one} {term.operator} {two}'])})"


@condition_of.register(hir.Contains)
def _(term: hir.Contains, terms: Terms) -> str:
    return is_in(terms, term.element, term.collection)


def is_in(terms: Terms, element: hir.Expr, collection: hir.Expr) -> str:
    """Whether an element is in a collection."""
    match collection:
        case hir.Listing(values=values):
            value = terms.name(terms.value(element), "x")
            return f"({' or '.join(f'{value} == {one}' for one in values) or 'False'})"
        case hir.Numbers(low=low, high=high):
            value = terms.name(terms.value(element, low.sort), "x")
            return f"({terms.known(low)} <= {value} <= {terms.known(high)})"
    cell = terms.value(element)
    if terms.may_be_none(element) or not cell.isidentifier():
        cell = terms.name(cell, "cell")
    test = _cell_is_in(terms, cell, collection)
    if test in ("True", "False") and not terms.may_be_none(element):
        return test
    return f"({cell} >= 0 and {test})" if terms.may_be_none(element) else test


def _cell_is_in(terms: Terms, cell: str, collection: hir.Expr) -> str:
    """Whether a cell that there is stands in a set."""
    place = fixed.fixed_place(terms, collection)
    if isinstance(place, int):
        if place == terms.board.everything:
            return "True"
        return terms.sets.has(terms.sets.constant(place, wish_of(collection)), cell) if place else "False"
    if place is not None:
        return terms.sets.in_table(*place, cell)
    if terms.sets.words > 1:  # a row can be asked without a copy of the set
        match collection:
            case hir.CellsOf(pieces=pieces):
                tests = [terms.sets.in_row(terms.row, str(piece * terms.sets.words), cell) for piece in pieces]
                return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"
            case hir.SetArithmetic(operator=operator, left=left, right=right) if not terms.program.has_loops(
                    collection):
                one, other = _cell_is_in(terms, cell, left), _cell_is_in(terms, cell, right)
                return {"+": f"({one} or {other})", "and": f"({one} and {other})",
                        "-": f"({one} and not {other})"}[operator]
    return terms.sets.has(terms.cells(collection), cell)


@condition_of.register(hir.Exists)
def _(term: hir.Exists, terms: Terms) -> str:
    if isinstance(term.collection, hir.Comprehension):
        binding = term.collection.binding
        return _quantified(terms, hir.Quantified("some", 0, binding, None, sort=BOOLEAN, span=term.span))
    return terms.sets.some(terms.cells(term.collection))


@condition_of.register(hir.Quantified)
def _(term: hir.Quantified, terms: Terms) -> str:
    return _quantified(terms, term)


def _quantified(terms: Terms, term: hir.Quantified) -> str:
    writer = terms.writer
    if terms.program.passes.whole_sets and _is_one_group(term):
        cells = terms.name(terms.cells(term.binding.domain), "cells")
        result = writer.fresh("united")
        writer.line(f"{result} = True")
        with writer.block(f"if {terms.sets.some(cells)}:"):
            reached = terms.sets.flood(terms.sets.single(terms.sets.first(cells)), cells)
            writer.line(f"{result} = {terms.sets.equal(reached, cells)}")
        return result
    if term.kind != "every":
        whole = Whole.of(terms, term.binding, term.body)
        if whole is not None and term.kind in ("some", "no"):
            found = terms.sets.some(whole)
            return found if term.kind == "some" else f"(not {found})"
        if whole is not None:
            sign = {"exactly": "==", "at least": ">=", "at most": "<="}[term.kind]
            return f"({terms.sets.count(whole)} {sign} {term.number})"
    if term.kind in ("some", "every", "no"):
        result = writer.fresh({"some": "found", "every": "all_hold", "no": "none_holds"}[term.kind])
        writer.line(f"{result} = {term.kind != 'some'}")
        with terms.each(term.binding):
            if term.kind == "every":
                body = "True" if term.body is None else terms.test(term.body)
                writer.open(f"if not {body}:")
                writer.line(f"{result} = False")
                writer.line("break")
                writer.close()
            else:
                terms.guard_all(term.body)
                writer.line(f"{result} = {term.kind == 'some'}")
                writer.line("break")
        return result
    many = writer.fresh("many")
    writer.line(f"{many} = 0")
    with terms.each(term.binding):
        terms.guard_all(term.body)
        writer.line(f"{many} += 1")
        with writer.block(f"if {many} > {term.number}:"):
            writer.line("break")
    sign = {"exactly": "==", "at least": ">=", "at most": "<="}[term.kind]
    return f"({many} {sign} {term.number})"


@condition_of.register(hir.NoMoves)
def _(term: hir.NoMoves, terms: Terms) -> str:
    return terms.program.no_moves(terms, term.anyone)


@condition_of.register(hir.Apply)
def _(term: hir.Apply, terms: Terms) -> str:
    arguments = term.arguments
    match term.function:
        case "line":
            return terms.program.line(terms, arguments[0], arguments[1])
        case "free" | "linked":
            return terms.program.link_test(terms, term)
        case "joined" if (kept := terms.program.new_joined(terms, term)) is not None:
            return kept
        case "joined" | "loop" | "spans":
            network, others = terms.program.network(terms, term)
            return network.asked(term.function, others)
    raise NotLowered(f"the condition {term.function}")

# ---- sets


def _is_one_group(term: hir.Quantified) -> bool:
    """Whether a condition is `every c in s: no (s - group(c, s))`: that a set is connected, asked of every cell of it.

    It is enough to ask its first cell. Measured: 3 times as fast in play with a dozen men a side.
    """
    domain = term.binding.domain
    match term:
        case hir.Quantified(
            kind="every", binding=hir.Binding(slot=slot, guard=None),
            body=hir.Not(operand=hir.Exists(collection=hir.SetArithmetic(
                operator="-", left=left, right=hir.Apply(function="group", arguments=(start, region))))),
        ):
            if isinstance(start, hir.CellSet) and len(start.items) == 1:
                start = start.items[0]
            return (domain.sort == CELLS and left == region == domain and isinstance(start, hir.Local)
                    and start.slot == slot)
    return False
