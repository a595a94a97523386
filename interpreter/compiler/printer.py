"""IR as text that people read and tests read back: annotated Python, of the part that the reader reads.

    Cells = tuple[Word, Word]

    WIDTH: Int = 8
    TOP: Cells = (0x7ff, 0x0)

    @entry
    def first(state: Row, c: Int) -> Word:
        # rule place
        return state[c] & ONE

    STEP: Line = [12, 13, -1]

Tables stand after the functions. For people they are abbreviated, which the reader refuses (`read_module`).
"""

from __future__ import annotations

import ast

from dsl.syntax.source import Span
from interpreter.compiler import ir
from interpreter.compiler.analysis.names import cells_of
from interpreter.compiler.emit.python import Emitter, table_text
from interpreter.compiler.sorts import sort_text


def printed(module: ir.Module, *, complete: bool = True, spans: bool = False) -> str:
    """Print a module. Unless it is `complete`, long tables are abbreviated; with `spans`, functions and comments have
    the line and column in the rules that they come from, where known."""
    cells = cells_of(module)
    printer = _Printer(cells, spans)
    head = [ast.unparse(ast.Module([ast.Expr(ast.Constant(module.doc))], []))] if module.doc else []
    if cells != ir.WORD:
        head.append(f"Cells = {sort_text(cells)}")
    if module.failures:
        head.append(f"FAILURES = {list(module.failures)!r}")
    if module.constants:
        head.append("\n".join(f"{constant.name}: {sort_text(constant.sort, cells)} = {_values(constant)}"
                              for constant in module.constants))
    parts = ["\n\n".join(head)] if head else []
    parts += [printer.text(function) for function in module.functions]
    if module.tables:
        parts.append("\n".join(
            table_text(table, f": {sort_text(table.sort)}", complete=complete) for table in module.tables))
    return "\n\n\n".join(parts) + "\n"


def printed_function(function: ir.Function | ir.Foreign, cells: ir.Sort = ir.WORD, *, spans: bool = False) -> str:
    """Print a function; `cells` is the sort of its module's sets of cells."""
    return _Printer(cells, spans).text(function) + "\n"


def _values(constant: ir.Constant) -> str:
    if constant.sort == ir.INT:
        return str(constant.values[0])
    words = ", ".join(f"{value:#x}" for value in constant.values)
    return words if constant.sort == ir.WORD else f"({words})"


class _Printer(Emitter):
    """Writes functions annotated with the sorts of their parameters and results."""

    def __init__(self, cells: ir.Sort, spans: bool) -> None:
        super().__init__()
        self.cells, self.spans = cells, spans
        self._statements |= {ir.ForEach: self.for_each}

    def text(self, function: ir.Function | ir.Foreign) -> str:
        """Print a function."""
        if isinstance(function, ir.Foreign):
            return self._foreign(function)
        made = self.function(function)
        made.returns = ast.Name(sort_text(function.result, self.cells), ast.Load())
        if not function.entry:
            made.decorator_list = []
        found = ast.unparse(made)
        if self.spans and function.span is not None:
            head, _, body = found.partition("\n    ")
            found = f"{head}  # {_place(function.span)}\n    {body}"
        return found

    def _foreign(self, function: ir.Foreign) -> str:
        given = [f"{parameter.name}={sort_text(parameter.sort, self.cells)}" for parameter in function.parameters]
        whole = f"@foreign({', '.join([sort_text(function.result, self.cells), *given])})\n{function.text.strip()}"
        return f"@entry\n{whole}" if function.entry else whole

    def parameter(self, node: ir.Name) -> ast.arg:
        """Convert a parameter, annotated with its sort."""
        return ast.arg(node.name, ast.Name(sort_text(node.sort, self.cells), ast.Load()))

    def comment(self, node: ir.Comment) -> list[ast.stmt]:
        """Convert a comment, with its line and column."""
        if not (self.spans and node.span is not None):
            return super().comment(node)
        return super().comment(ir.Comment(f"{node.text}  [{_place(node.span)}]"))

    def for_(self, node: ir.For) -> ast.stmt:
        """Convert a counted loop, marked where it is `unrolled` or `abreast`."""
        result = super().for_(node)
        assert isinstance(result, ast.For)
        if node.abreast:
            bounds = [self.expression(node.start), self.expression(node.stop)]
            return ast.For(result.target, ast.Call(ast.Name("abreast", ast.Load()), bounds, []), result.body, [],
                           lineno=1)
        if node.unrolled:
            result.iter = ast.Call(ast.Name("unrolled", ast.Load()), [result.iter], [])
        return result

    def for_each(self, node: ir.ForEach) -> ast.stmt:
        """Convert a loop over the cells of a set."""
        cells = ast.Call(ast.Name("members", ast.Load()), [self.expression(node.cells)], [])
        return ast.For(ast.Name(node.name.name, ast.Store()), cells, self.block(node.body), [], lineno=1)

    def let(self, node: ir.Let) -> list[ast.stmt]:
        """Convert a `Let` to a `with` statement."""
        term = [] if node.term < 0 else [ast.Constant(node.term), *map(self.expression, node.given)]
        name = ast.Call(ast.Name("let", ast.Load()), [ast.Name(node.name.name, ast.Load()), *term], [])
        return [ast.With([ast.withitem(name)], self.block(node.body), lineno=1)]


def _place(span: Span) -> str:
    return f"{span.line}:{span.column}"
