"""Evaluates conditions on cells for all cells at once: sets instead of loops.

An IR-to-IR pass. `{c in occupied where c.south is empty}` is what is occupied and one step from empty: a mask and a
shift. The iterations of a loop over cells are evaluated together (`Rounds`): a condition becomes the set of the cells
for which it holds; a cell becomes the steps that lead to it, where steps are shifts; a loop over directions is
unrolled; a test for a line in a set with the cell added becomes the set of the cells that complete one; a condition
that the board and a number or two decide is evaluated for all of these, and looked up. As far as this succeeds for the
conditions at the beginning of an iteration, the loop is restricted to the cells that fulfil them; it disappears where
it only collects these in a set, counts them, adds small numbers of theirs, or tests whether there is one.
Loop-invariant values are computed before the loop. Everything else is left as it is.

Measured: 1.5 times as fast where pieces fall, 7 times where they turn those of a ray, 1.2 times where pieces step and
jump one way, or both if they are kings; 1.12 times in a search whose value counts cells that would complete a line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from interpreter.compiler import ir
from interpreter.compiler.analysis.changes import Calls, Statements
from interpreter.compiler.analysis.names import place_given
from interpreter.compiler.analysis.rounds import Around, Refused, Rounds, guard_of, times_given
from interpreter.compiler.build import expr, negated
from interpreter.compiler.lowering.sets import Sets

_MOST_BITS = 3
"""The most bits of numbers that are summed bit by bit, each by a count of the cells whose numbers have the bit."""


def at_once(module: ir.Module, sets: Sets) -> ir.Module:
    """A module in which loops over cells that only test conditions on them are operations on sets."""
    calls = Calls.of(module)
    return ir.with_bodies(module, lambda function: _Loops(function, calls, sets).body if any(
        isinstance(statement, ir.ForEach) for statement in ir.statements(function.body)) else function.body)


class _Loops:
    """Rewrites the loops over cells of one function."""

    def __init__(self, function: ir.Function, calls: Calls, sets: Sets) -> None:
        self._around, self.sets = Around.of(function, calls, sets), sets
        self._given = times_given(function.body)
        self.body = self._block(function.body)

    def _block(self, block: Statements) -> Statements:
        result: list[ir.Statement] = []
        for statement in block:
            done = self._loop(statement, result) if isinstance(statement, ir.ForEach) else False
            if not done:
                result.append(ir.with_blocks(statement, self._block))
        return ir.block_of(result, block)

    def _loop(self, loop: ir.ForEach, result: list[ir.Statement]) -> bool:
        """Append statements on sets that replace a loop, wholly or in part; whether there are any."""
        rounds = Rounds(self._around, loop)
        where: ir.Expr | None = None
        begun = 0, 0, frozenset[str]()
        try:
            for index, statement in enumerate(loop.body):
                if self._ended(loop, loop.body[index:], where, rounds, result):
                    return True
                guard = guard_of(statement)
                if guard is None:
                    rounds.run(statement)
                else:
                    where = rounds.joined(where, rounds.where(guard))
                    begun = index + 1, len(rounds.before), frozenset(rounds.read)
        except Refused:
            pass
        return where is not None and self._narrowed(loop, where, begun, rounds, result)

    def _narrowed(self, loop: ir.ForEach, where: ir.Expr, begun: tuple[int, int, frozenset[str]], rounds: Rounds,
                  result: list[ir.Statement]) -> bool:
        """Append the loop over only the cells that fulfil all conditions at its beginning; whether that is valid."""
        place, hoisted, read = begun
        rest = loop.body[place:]
        if not self._is_steady(rest, read):
            return False
        before = rounds.before[:hoisted]
        kept = _without(tuple(part for part in loop.body[:place] if guard_of(part) is None), before)
        result += before
        result.append(ir.ForEach(loop.name, self._among(loop.cells, where), self._block((*kept, *rest))))
        return True

    def _is_steady(self, rest: Statements, read: Collection[str]) -> bool:
        """Whether the values that conditions read stay the same while a loop goes on with some statements."""
        change = self._around.changes.carried(rest)
        return not change.names & set(read) and not self._around.changes.may_meet(read, change.rows)

    def _among(self, cells: ir.Expr, where: ir.Expr | None) -> ir.Expr:
        if where is None:
            return cells
        return where if cells == self.sets.everything else self.sets.both(cells, where)

    def _ended(self, loop: ir.ForEach, rest: Statements, where: ir.Expr | None, rounds: Rounds,
               result: list[ir.Statement]) -> bool:
        """Append the result of a loop whose iterations end with some statements; whether they do nothing else."""
        sets, begins = self.sets, loop.body[:len(loop.body) - len(rest)]
        if any(count != self._given[name] for name, count in times_given(begins).items()):
            return False  # their values from the last iteration may be used later

        def put(name: ir.Name, first: ir.Expr, whole: ir.Expr, more: Callable[[], Sequence[ir.Statement]]) -> bool:
            """Assign `whole` to a name instead of `first`, if it still has that value; else append `more`."""
            begun = place_given(result, ir.Assign(name, first))
            if begun is not None:
                del result[begun]
            result.extend([*rounds.before, *(more() if begun is None else [ir.Assign(name, whole)])])
            return True

        match rest:
            case (ir.Assign(target=ir.Name() as name, value=value),) if (
                    value == self._around.added(name.name, loop.name)):
                cells = self._among(loop.cells, where)
                return put(name, sets.nothing, cells, lambda: [ir.Assign(name, sets.either(name, cells))])
            case (ir.Assign(target=ir.Name() as name, value=ir.Literal(sort=ir.BOOL) as value) as given, ir.Break()):
                some = sets.some(self._among(loop.cells, where))
                whole = some if value.value else negated(some)
                return put(name, negated(value), whole, lambda: [ir.If(some, (given,))])
            case (ir.Return(value=ir.Literal()) as leaving,):
                result.extend([*rounds.before, ir.If(sets.some(self._among(loop.cells, where)), (leaving,))])
                return True
            case (ir.Update(target=ir.Name() as name, operator="+", value=ir.Literal(value=1)), ir.If(
                    test=ir.Comparison(relations=(">",), operands=(counted, ir.Literal())), yes=(ir.Break(),), no=())
                  ) if counted == name and place_given(result, ir.Assign(name, expr(0))) is not None:
                return put(name, expr(0), sets.count(self._among(loop.cells, where)), list)
            case (ir.Update(target=ir.Name() as name, operator="+", value=ir.Element(
                    collection=ir.Name(name=table, sort=ir.LINE), indices=(ir.Name() as cell,))),) if cell == loop.name:
                total = self._summed(self._among(loop.cells, where), table)
                return total is not None and put(name, expr(0), total, lambda: [ir.Update(name, "+", total)])
        return False

    def _summed(self, cells: ir.Expr, table: str) -> ir.Expr | None:
        """The sum of a table's numbers over the cells of a set, bit by bit; None where they have too many bits."""
        sets = self.sets
        numbers = sets.tables.values.get(table, [])[:sets.board.size]
        if len(numbers) < sets.board.size or min(numbers) < 0 or max(numbers) >> _MOST_BITS:
            return None
        parts = []
        for bit in range(max(numbers).bit_length()):
            having = sum(1 << cell for cell, number in enumerate(numbers) if number >> bit & 1)
            some = sets.count(sets.both(cells, sets.constant(having, f"{table.lower()}_bit_{bit}")))
            parts.append(some if bit == 0 else ir.Binary("<<", some, expr(bit), ir.INT))
        result = expr(0)
        for part in parts:
            result = part if result == expr(0) else ir.Binary("+", result, part, ir.INT)
        return result


def _without(block: Statements, gone: Collection[ir.Statement]) -> Statements:
    """Statements without some, which may be nested in others."""
    return tuple(ir.with_blocks(part, lambda inner: _without(inner, gone)) for part in block if part not in gone)
