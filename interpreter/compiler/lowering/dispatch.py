"""IR functions of a kernel that call those of its rules one after another, or that of a move's rule."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from interpreter.compiler import ir
from interpreter.compiler.build import as_number, binary, call, compared, element, named_number
from interpreter.compiler.lowering.names import COUNT, ENTRIES, MOVE, MOVER_NAME, POSITION, SEATS, TO_MOVE, WAY, WORK

_RULE = named_number("rule")


def player_to_move() -> ir.Expr:
    """The player whose pieces are moved: the player to move, or the other where seats are exchanged."""
    return binary("^", as_number(element(POSITION, TO_MOVE)), as_number(element(POSITION, SEATS)))


def carry_out(functions: Sequence[str]) -> ir.Function:
    """The function that carries out a move by the function of its rule."""
    body: tuple[ir.Statement, ...] = ()
    for number, name in reversed(list(enumerate(functions))):
        done = ir.Evaluate(call(name, POSITION, MOVER_NAME, MOVE, gives=ir.NOTHING))
        body = (ir.If(compared(_RULE, "==", number), (done,), body),)
    return ir.Function("carry_out", (POSITION, MOVER_NAME, MOVE, _RULE), ir.NOTHING,
                       "Carry out what a move's rule says.", body)


def listing(name: str, doc: str, functions: Sequence[str], otherwise: Collection[str] = ()) -> ir.Function:
    """A function that calls the rules' functions to add their entries; some only where those before added none."""
    parameters = (POSITION, MOVER_NAME, ENTRIES, COUNT, WORK)
    body: list[ir.Statement] = []
    for function in functions:
        added = ir.Assign(COUNT, call(function, *parameters, gives=ir.INT))
        body.append(ir.If(compared(COUNT, "==", 0), (added,)) if function in otherwise else added)
    return ir.Function(name, parameters, ir.INT, doc, (*body, ir.Return(COUNT)))


def chance_first(name: str, doc: str, chance: Sequence[str], others: Sequence[str],
                 otherwise: Collection[str] = ()) -> ir.Function:
    """A function that adds the entries of rules of chance, and those of the other rules where there are none."""
    first, rest = listing(name, doc, chance), listing(name, doc, others, otherwise)
    some = ir.If(compared(COUNT, ">", 0), (ir.Return(COUNT),))
    return ir.Function(name, first.parameters, ir.INT, doc, (*first.body[:-1], some, *rest.body))


def can_move(functions: Sequence[str]) -> ir.Function:
    """The function that tells whether some rule has a move."""
    parameters = (POSITION, MOVER_NAME, WORK)
    body = [ir.If(call(name, *parameters, gives=ir.BOOL), (ir.Return(ir.TRUE),)) for name in functions]
    return ir.Function("can_move", parameters, ir.BOOL, "Whether some rule has a move.", (*body, ir.Return(ir.FALSE)))


def tries(functions: Sequence[tuple[int, str]]) -> ir.Function:
    """The function that continues a move in the way that has a given number, by the function of the move's rule."""
    return _by_rule("tries", (POSITION, WORK, MOVE, WAY), ir.BOOL,
                    "Go on with a move in way k; whether there is that way.", functions, ir.FALSE)


def tails(functions: Sequence[tuple[int, str]]) -> ir.Function:
    """The function that lists how a move goes on, by the function of the move's rule."""
    return _by_rule("tails", (POSITION, ENTRIES, COUNT, WORK, MOVE), ir.INT,
                    "List how moves with the first choices of a move go on.", functions, COUNT)


def _by_rule(name: str, parameters: tuple[ir.Name, ...], result: ir.Sort, doc: str,
             functions: Sequence[tuple[int, str]], otherwise: ir.Expr) -> ir.Function:
    given = (POSITION, MOVER_NAME, *parameters[1:])
    body = [ir.If(compared(element(MOVE, 0), "==", number), (ir.Return(call(function, *given, gives=result)),))
            for number, function in functions]
    return ir.Function(name, parameters, result, doc,
                       (ir.Assign(MOVER_NAME, player_to_move()), *body, ir.Return(otherwise)))
