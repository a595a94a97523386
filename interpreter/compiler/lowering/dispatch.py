"""Functions of a kernel that call those of its rules one after another, or that of a move's rule, as IR."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from interpreter.compiler import ir

S, X, E, M = ir.Name("S", ir.ROW), ir.Name("X", ir.ROWS), ir.Name("E", ir.LINES), ir.Name("m", ir.LINE)
MOVER, N, K, RULE = (ir.Name(name, ir.INT) for name in ("mover", "n", "k", "rule"))


def carry_out(functions: Sequence[str]) -> ir.Function:
    """The function that carries out a move by the function of its rule."""
    body: tuple[ir.Statement, ...] = ()
    for number, name in reversed(list(enumerate(functions))):
        done = ir.Evaluate(ir.Call(name, (S, MOVER, M), ir.NOTHING))
        body = (ir.If(_is(RULE, number), (done,), body),)
    return ir.Function("carry_out", (S, MOVER, M, RULE), ir.NOTHING, "Carry out what a move's rule says.", body)


def listing(name: str, doc: str, functions: Sequence[str], otherwise: Collection[str] = ()) -> ir.Function:
    """A function that lets the functions of rules add their entries; some only where those before have none."""
    body: list[ir.Statement] = []
    for function in functions:
        added = ir.Assign(N, ir.Call(function, (S, MOVER, E, N, X), ir.INT))
        none = ir.Comparison(("==",), (N, ir.Literal(0, ir.INT)))
        body.append(ir.If(none, (added,)) if function in otherwise else added)
    return ir.Function(name, (S, MOVER, E, N, X), ir.INT, doc, (*body, ir.Return(N)))


def chance_first(name: str, doc: str, chance: Sequence[str], others: Sequence[str],
                 otherwise: Collection[str] = ()) -> ir.Function:
    """A function that lets rules of chance add their entries, and the other rules where these have none."""
    first, rest = listing(name, doc, chance), listing(name, doc, others, otherwise)
    some = ir.If(ir.Comparison((">",), (N, ir.Literal(0, ir.INT))), (ir.Return(N),))
    return ir.Function(name, first.parameters, ir.INT, doc, (*first.body[:-1], some, *rest.body))


def can_move(functions: Sequence[str]) -> ir.Function:
    """The function that tells whether some rule has a move."""
    body = [ir.If(ir.Call(name, (S, MOVER, X), ir.BOOL), (ir.Return(ir.TRUE),)) for name in functions]
    return ir.Function("can_move", (S, MOVER, X), ir.BOOL, "Whether some rule has a move.",
                       (*body, ir.Return(ir.FALSE)))


def tries(functions: Sequence[tuple[int, str]]) -> ir.Function:
    """The function that goes on with a move in a way that has a number, by the function of the move's rule."""
    return _by_rule("tries", (S, X, M, K), ir.BOOL, "Go on with the move in m in way k; whether there is that way.",
                    functions, (S, MOVER, X, M, K), ir.FALSE)


def tails(functions: Sequence[tuple[int, str]]) -> ir.Function:
    """The function that lists how a move goes on, by the function of the move's rule."""
    return _by_rule("tails", (S, E, N, X, M), ir.INT, "List how moves with the first choices in m go on.", functions,
                    (S, MOVER, E, N, X, M), N)


def _by_rule(name: str, parameters: tuple[ir.Name, ...], result: ir.Sort, doc: str,
             functions: Sequence[tuple[int, str]], given: tuple[ir.Expr, ...], otherwise: ir.Expr) -> ir.Function:
    rule = ir.Element(M, (ir.Literal(0, ir.INT),), ir.INT)
    body = [ir.If(_is(rule, number), (ir.Return(ir.Call(function, given, result)),)) for number, function in functions]
    return ir.Function(name, parameters, result, doc, (ir.Assign(MOVER, _mover()), *body, ir.Return(otherwise)))


def _is(rule: ir.Expr, number: int) -> ir.Expr:
    return ir.Comparison(("==",), (rule, ir.Literal(number, ir.INT)))


def _mover() -> ir.Expr:
    """The player to move, by colour."""
    by_seat, seats = (ir.Call("number", (ir.Element(S, (ir.Name(place, ir.INT),), ir.WORD),), ir.INT)
                      for place in ("TO_MOVE", "SEATS"))
    return ir.Binary("^", by_seat, seats, ir.INT)
