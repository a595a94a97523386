"""Writes IR functions and their statements as JavaScript; `javascript_expressions` writes the expressions."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import targets
from interpreter.compiler.emit.javascript_expressions import ExpressionWriter
from interpreter.compiler.emit.javascript_text import Names, Parts, bare, suffixes
from interpreter.compiler.ir import INT, WORD


class FunctionWriter(ExpressionWriter):
    """Writes one function."""

    def __init__(self, names: Names, function: ir.Function) -> None:
        super().__init__(names, function)
        self.lines: list[str] = []
        self._depth = 1

    def text(self) -> str:
        """Write the function."""
        function = self.function
        parameters = [part for name in function.parameters for part in self.names.parts(name.name, name.sort)]
        self._block(function.body)
        given = {name.name for name in function.parameters}
        local: dict[str, None] = {}
        for statement in ir.statements(function.body):
            for name in _assigned(statement):
                if name.name not in given:
                    local.update(dict.fromkeys(self.names.parts(name.name, name.sort)))
        declared = [*local, *self._temporary]
        doc = [f"/** {function.doc.replace('*/', '* /')} */"] if function.doc else []
        head = [*doc, f"function {self.names.of(function.name)}({', '.join(parameters)}) {{"]
        if declared:
            head.append(f"  let {', '.join(declared)};")
        return "\n".join([*head, *self.lines, "}"])

    # ---- lines

    def _line(self, text: str) -> None:
        self.lines.append("  " * self._depth + text)

    def _flush(self) -> None:
        """Write the pending setups as statements."""
        for setup in self._setups:
            self._line(f"{setup};")
        self._setups.clear()

    # ---- statements

    def _block(self, block: Sequence[ir.Statement]) -> None:
        for statement in block:
            self._statement(statement)

    def _inner(self, block: Sequence[ir.Statement]) -> None:
        self._depth += 1
        self._block(block)
        self._depth -= 1

    def _statement(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Assign(target=target, value=value):
                self._assign(target, value)
            case ir.Update(target=target, operator=operator, value=value):
                self._update(target, operator, value)
            case ir.Evaluate(call=call):
                text = self._called(call)
                self._flush()
                self._line(f"{text};")
            case ir.If():
                self._if(statement, "")
            case ir.While(test=test, body=body):
                self._line(f"while ({bare(self._test(test))}) {{")
                self._inner(body)
                self._line("}")
            case ir.For():
                self._for(statement)
            case ir.Break():
                self._line("break;")
            case ir.Continue():
                self._line("continue;")
            case ir.Return(value=value):
                self._return(value)
            case ir.Comment(text=text):
                self._line(f"// {text}")

    def _if(self, statement: ir.If, before: str) -> None:
        self._line(f"{before}if ({bare(self._test(statement.test))}) {{")
        self._inner(statement.yes)
        match statement.no:
            case ():
                self._line("}")
            case (ir.If() as other,):
                self._if(other, "} else ")
            case other_block:
                self._line("} else {")
                self._inner(other_block)
                self._line("}")

    def _for(self, loop: ir.For) -> None:
        start, stop = (self._as(bound, INT)[0] for bound in (loop.start, loop.stop))
        changed = {name.name for inner in ir.statements(loop.body) for name in _assigned(inner)}
        name = self.names.of(loop.name.name)
        if self.ints.known(stop) is None and not (isinstance(loop.stop, ir.Name) and loop.stop.name not in changed):
            stop = self._kept(stop, force=True)
        step, relation = ("++", "<") if loop.step == 1 else ("--", ">")
        # Python's loop leaves its variable at the last value, and assignments in the body do not affect the iteration
        alone = loop.name.name not in changed and not _read_after(self.function.body, loop)
        if alone and name != stop:
            self._flush()
            self._line(f"for ({name} = {bare(start)}; {name} {relation} {stop}; {name}{step}) {{")
            self._inner(loop.body)
        else:
            counter = self._new()
            self._flush()
            self._line(f"for ({counter} = {bare(start)}; {counter} {relation} {stop}; {counter}{step}) {{")
            self._depth += 1
            self._line(f"{name} = {counter};")
            self._depth -= 1
            self._inner(loop.body)
        self._line("}")

    def _return(self, value: ir.Expr | None) -> None:
        if value is None:
            self._line("return;")
            return
        first, *others = self._as(value, self.function.result)
        before = self._setups
        if not others and before and before[-1].startswith(f"{first} = "):
            first = before.pop().removeprefix(f"{first} = ")
        self._flush()
        for index, other in enumerate(others, start=1):
            self._line(f"r{index} = {bare(other)};")
        self._line(f"return {bare(first)};")

    def _assign(self, target: ir.Name | ir.Element | ir.Tuple, value: ir.Expr) -> None:
        match target:
            case ir.Name(name=name, sort=sort):
                parts = self._as(value, sort)
                if len(parts) > 1 and any(isinstance(part, ir.Name) and part.name == name for part in ir.walk(value)):
                    parts = self._all_kept(parts, force=True)
                self._give(self.names.parts(name, sort), parts)
            case ir.Tuple(items=items):
                parts = self._as(value, target.sort)
                if not isinstance(value, ir.Call):
                    parts = self._all_kept(parts, force=True)
                self._flush()
                for item in items:
                    count = len(suffixes(item.sort))
                    given, parts = parts[:count], parts[count:]
                    if isinstance(item, ir.Name):
                        self._give(self.names.parts(item.name, item.sort), given)
                    else:
                        assert isinstance(item, ir.Element)
                        if item.sort == INT:
                            given = self.ints.stored(given[0])
                        self._give(self._place(item).halves, given)
            case ir.Element():
                parts = self._halves(value)
                if any(map(self._acts, target.indices)):
                    parts = self._all_kept(parts)
                self._give(self._place(target).halves, parts)

    def _give(self, targets: Parts, parts: Parts) -> None:
        """Write assignments; a value that is just the last temporary is assigned without the temporary."""
        if len(parts) == 1 and self._setups and self._setups[-1].startswith(f"{parts[0]} = "):
            parts = [self._setups.pop().removeprefix(f"{parts[0]} = ")]
        self._flush()
        for target, part in zip(targets, parts, strict=True):
            self._line(f"{target} = {bare(part)};")

    def _update(self, target: ir.Name | ir.Element, operator: ir.Operator, value: ir.Expr) -> None:
        if isinstance(target, ir.Name):
            self._assign(target, ir.Binary(operator, target, value, target.sort))
            return
        place = self._place(target, twice=True)
        if operator in ("&", "|", "^") and not self._acts(value):
            parts = self._halves(value)
            self._flush()
            for half, part in zip(place.halves, parts, strict=True):
                if part != ("-1" if operator == "&" else "0"):
                    self._line(f"{half} {operator}= {bare(part)};")
            return
        old = place.halves if target.sort == WORD else [self.ints.read(place.base, place.index)]
        if self._acts(value):
            old = self._all_kept(old)
        right = self._as(value, value.sort)
        new = self._combined(operator, target.sort, old, right, value.sort)
        if target.sort == INT:
            new = self.ints.stored(self._kept(new[0]))
        else:
            new = self._all_kept(new)
        self._give(place.halves, new)


def _assigned(statement: ir.Statement) -> list[ir.Name]:
    """The names that a statement itself assigns."""
    match statement:
        case ir.Assign(target=target) | ir.Update(target=target):
            return targets(target)
        case ir.For(name=name):
            return [name]
    return []


def _read_after(block: Sequence[ir.Statement], loop: ir.For) -> bool:
    """Whether the variable of a loop is read anywhere outside of loops over a variable of this name."""
    for statement in block:
        if isinstance(statement, ir.For) and statement.name.name == loop.name.name:
            parts: tuple[ir.Expr, ...] = (statement.start, statement.stop)
        else:
            parts = ir.expressions_of(statement)
            if any(_read_after(inner, loop) for inner in ir.blocks_of(statement)):
                return True
        if any(isinstance(part, ir.Name) and part.name == loop.name.name for node in parts for part in ir.walk(node)):
            return True
    return False
