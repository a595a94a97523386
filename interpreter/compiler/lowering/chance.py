"""Lowers rules of chance: which of their moves can happen, how likely each is, and who has the turn after one.

`interpreter.semantics.chance.Chance` defines their meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, Integer
from interpreter.compiler import ir
from interpreter.compiler.build import binary, compared, element, expr, plus
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.compiler.lowering.names import MOVE, MOVER_NAME, POSITION
from interpreter.compiler.lowering.turns import go_on_in_order
from interpreter.compiler.lowering.writer import Writer

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler


def with_weights_asked(rules: hir.Rules) -> hir.Rules:
    """The same rules with moves of weight 0 excluded: the weight becomes part of the last choice's condition.

    Raises NotLowered for a weight that may be negative: such a rule would fail while moves are listed.
    """
    if not any(rule.weight is not None for rule in rules.moves):
        return rules
    return attrs.evolve(rules, moves=tuple(_asked(rule) for rule in rules.moves))


def _asked(rule: hir.Move) -> hir.Move:
    weight = rule.weight
    if weight is None:
        return rule
    if not isinstance(weight.sort, Integer) or weight.sort.low < 0:
        raise NotLowered(f"the weight of '{rule.name}', which may be negative")
    nothing = hir.Literal(0, sort=Integer(0, 0), span=weight.span)
    test = hir.Comparison(">", weight, nothing, sort=BOOLEAN, span=weight.span)
    if not rule.choices:
        return attrs.evolve(rule, when=_both(rule.when, test))
    last = rule.choices[-1]
    return attrs.evolve(rule, choices=(*rule.choices[:-1], attrs.evolve(last, guard=_both(last.guard, test))))


def _both(first: hir.Expr | None, second: hir.Expr) -> hir.Expr:
    return second if first is None else hir.All((first, second), sort=BOOLEAN, span=second.span)


def functions(compiler: KernelCompiler) -> list[ir.Function]:
    """The functions that only games with chance have."""
    rules = compiler.rules
    if not rules.has_chance:
        return []
    terms = ExprLowering(compiler.program, Writer([POSITION.name, MOVER_NAME.name]))
    after = binary("%", plus(MOVER_NAME, 1), compiler.players)
    for item in rules.passes:
        with terms.writer.when(terms.test(item.term)):
            if rules.order:
                go_on_in_order(terms)
            else:
                terms.writer.give(after)
    terms.writer.give(MOVER_NAME)
    result = [ir.Function("next_after_chance", (POSITION, MOVER_NAME), ir.INT, "Who has the turn after chance.",
                          terms.writer.body)]
    return [*result, *_weights(compiler)] if rules.is_weighted else result


def _weights(compiler: KernelCompiler) -> list[ir.Function]:
    """The functions that give the weight of a move among the others."""
    parameters = (POSITION, MOVER_NAME, MOVE)
    made, calls = [], []
    for number, rule in enumerate(compiler.rules.moves):
        if rule.weight is None:
            continue
        terms = ExprLowering(compiler.program, Writer([parameter.name for parameter in parameters]))
        compiler.moves.first_choices(terms, rule)
        terms.writer.give(terms.value(rule.weight))
        name = f"weight_{compiler.moves.names[number]}"
        made.append(ir.Function(name, parameters, ir.INT, f"How likely a move of {rule.name} is beside the others.",
                                terms.writer.body, span=rule.span))
        calls.append(ir.If(compared(element(MOVE, 0), "==", number), (ir.Return(ir.Call(name, parameters, ir.INT)),)))
    doc = "How likely a move is to be drawn beside the others."
    return [*made, ir.Function("weight_of", parameters, ir.INT, doc, (*calls, ir.Return(expr(1))))]
