"""Wrappers for calling machine code: from Python with NumPy arrays, and from solvers compiled by Numba.

An entry exists three times: as the function that the kernel itself calls, as `python MARK NAME`, a function of Python's
C API (METH_FASTCALL) that releases the GIL while it runs, and as `solver MARK NAME`, which takes arrays as Numba passes
them to first-class functions. The mark distinguishes the kernels of a process.

`python MARK NAME` requires arrays that are contiguous, writeable, and of exactly the expected element type; otherwise
it raises TypeError before it begins.
"""

from __future__ import annotations

from typing import Final

from interpreter.compiler import ir
from interpreter.compiler.emit.llvm_values import Unsupported, types_of
from interpreter.compiler.sorts import sort_text

PYTHON: Final = ("PyErr_Occurred", "PyErr_SetString", "PyEval_RestoreThread", "PyEval_SaveThread", "PyLong_AsLongLong",
                 "PyLong_AsUnsignedLongLongMask", "PyLong_FromLongLong", "PyObject_IsTrue", "PyMem_RawCalloc",
                 "PyMem_RawFree")
"""The functions of Python that are called, all of its public C API."""
ERROR: Final = "dslgame_type_error"
"""The symbol for the address of TypeError; PyExc_TypeError is taken, Numba binds it to something else."""
KIND, DATA, DIMENSIONS, SIZES, TYPE, FLAGS = 8, 16, 24, 32, 56, 64
"""Byte offsets of an object's type, and of the fields of a NumPy array (`PyArrayObject_fields`)."""
NUMBER: Final = 28
"""Byte offset of the type number in an element type (`PyArray_Descr`)."""
WANTED: Final = 0x1 | 0x100 | 0x400
"""The flags of an array that is C-contiguous, aligned and writeable."""
_DECLARED: Final = """\
declare ptr @PyErr_Occurred()
declare void @PyErr_SetString(ptr, ptr)
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyEval_SaveThread()
declare i64 @PyLong_AsLongLong(ptr)
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare i32 @PyObject_IsTrue(ptr)
@dslgame_type_error = external global ptr
"""


def entry_text(function: ir.Function, mark: str, numbers: dict[ir.Scalar, int]) -> str:
    """Write the wrappers of an entry; `numbers` are NumPy's type numbers of the element types.

    Raises Unsupported where it does not return a number, or has a parameter that neither Python nor Numba can pass.
    """
    if function.result != ir.INT:
        raise Unsupported(f"an entry that gives {sort_text(function.result)}")
    for parameter in function.parameters:
        if not (isinstance(parameter.sort, ir.Array) or parameter.sort in (ir.INT, ir.WORD, ir.BOOL)):
            raise Unsupported(f"an entry that takes {sort_text(parameter.sort)}")
    return f"{_DECLARED}{_for_python(function, mark, numbers)}{_for_solvers(function, mark)}"


def _call(function: ir.Function, arguments: list[str]) -> str:
    return f'call i64 @"{function.name}"({", ".join(arguments)})'


def _for_solvers(function: ir.Function, mark: str) -> str:
    """Write the wrapper that takes arrays as Numba's structures, of which it uses the data pointer and the shape."""
    parameters, lines, arguments = [], [], []
    for index, parameter in enumerate(function.parameters):
        sort, name = parameter.sort, f"%p{index}"
        if not isinstance(sort, ir.Array):
            kind = types_of(sort)[0]
            parameters.append(f"{kind} {name}")
            arguments.append(f"{kind} {name}")
            continue
        whole = f"{{ptr, ptr, i64, i64, ptr, [{sort.dimensions} x i64], [{sort.dimensions} x i64]}}"
        parameters.append(f"{whole} {name}")
        lines.append(f"  {name}.data = extractvalue {whole} {name}, 4")
        arguments.append(f"ptr {name}.data")
        for axis in range(sort.dimensions):
            lines.append(f"  {name}.{axis} = extractvalue {whole} {name}, 5, {axis}")
            arguments.append(f"i64 {name}.{axis}")
    return "\n".join([f'define i64 @"solver {mark} {function.name}"({", ".join(parameters)}) nounwind {{', *lines,
                      f"  %found = {_call(function, arguments)}", "  ret i64 %found", "}", ""])


def _for_python(function: ir.Function, mark: str, numbers: dict[ir.Scalar, int]) -> str:
    """Write the wrapper that Python calls with its arguments as an array of objects; `self` is the type of arrays."""
    count = len(function.parameters)
    message = (f"{function.name}() takes {count} arguments: "
               f"{', '.join(f'{item.name}: {sort_text(item.sort)}' for item in function.parameters)}").encode()
    escaped = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02x}" for byte in message)
    lines = [f'@"message {function.name}" = private constant [{len(message) + 1} x i8] c"{escaped}\\00"',
             f'define ptr @"python {mark} {function.name}"(ptr %kind, ptr %arguments, i64 %given) nounwind {{',
             f"  %enough = icmp eq i64 %given, {count}", "  br i1 %enough, label %p0, label %wrong"]
    arguments = []
    for index, parameter in enumerate(function.parameters):
        name, sort = f"%o{index}", parameter.sort
        lines += [f"p{index}:", f"  {name}.at = getelementptr ptr, ptr %arguments, i64 {index}",
                  f"  {name} = load ptr, ptr {name}.at"]
        onward = f"p{index + 1}" if index + 1 < count else "run"
        if isinstance(sort, ir.Array):
            lines += _array_checked(name, sort, numbers[sort.element], onward)
            arguments.append(f"ptr {name}.data")
            arguments += [f"i64 {name}.size.{axis}" for axis in range(sort.dimensions)]
        else:
            lines += _number_taken(name, sort, onward)
            arguments.append(f"{types_of(sort)[0]} {name}.value")
    lines += ["run:", "  %thread = call ptr @PyEval_SaveThread()", f"  %found = {_call(function, arguments)}",
              "  call void @PyEval_RestoreThread(ptr %thread)", "  %number = call ptr @PyLong_FromLongLong(i64 %found)",
              "  ret ptr %number",
              "wrong:", f"  %error = load ptr, ptr @{ERROR}",
              f'  call void @PyErr_SetString(ptr %error, ptr @"message {function.name}")', "  ret ptr null",
              "raised:", "  ret ptr null", "}", ""]
    return "\n".join(lines if count else [line.replace("label %p0", "label %run") for line in lines])


def _loaded(name: str, of: str, at: int, kind: str) -> list[str]:
    return [f"  {name}.there = getelementptr i8, ptr {of}, i64 {at}", f"  {name} = load {kind}, ptr {name}.there"]


def _array_checked(name: str, sort: ir.Array, number: int, onward: str) -> list[str]:
    """Check that an object is an array of a sort, and load its data pointer and shape."""
    lines = [*_loaded(f"{name}.kind", name, KIND, "ptr"), f"  {name}.array = icmp eq ptr {name}.kind, %kind",
             f"  br i1 {name}.array, label %{name[1:]}.a, label %wrong", f"{name[1:]}.a:",
             *_loaded(f"{name}.type", name, TYPE, "ptr"), *_loaded(f"{name}.number", f"{name}.type", NUMBER, "i32"),
             *_loaded(f"{name}.axes", name, DIMENSIONS, "i32"), *_loaded(f"{name}.flags", name, FLAGS, "i32"),
             f"  {name}.good.1 = icmp eq i32 {name}.number, {number}",
             f"  {name}.good.2 = icmp eq i32 {name}.axes, {sort.dimensions}",
             f"  {name}.set = and i32 {name}.flags, {WANTED}",
             f"  {name}.good.3 = icmp eq i32 {name}.set, {WANTED}",
             f"  {name}.good.4 = and i1 {name}.good.1, {name}.good.2",
             f"  {name}.good = and i1 {name}.good.3, {name}.good.4",
             f"  br i1 {name}.good, label %{name[1:]}.b, label %wrong", f"{name[1:]}.b:",
             *_loaded(f"{name}.data", name, DATA, "ptr"), *_loaded(f"{name}.sizes", name, SIZES, "ptr")]
    for axis in range(sort.dimensions):
        lines += _loaded(f"{name}.size.{axis}", f"{name}.sizes", 8 * axis, "i64")
    return [*lines, f"  br label %{onward}"]


def _number_taken(name: str, sort: ir.Sort, onward: str) -> list[str]:
    """Convert an object to a number, or to its truth value; exceptions propagate."""
    if sort == ir.BOOL:
        return [f"  {name}.true = call i32 @PyObject_IsTrue(ptr {name})",
                f"  {name}.wrong = icmp slt i32 {name}.true, 0", f"  {name}.value = icmp ne i32 {name}.true, 0",
                f"  br i1 {name}.wrong, label %raised, label %{onward}"]
    take = "PyLong_AsLongLong" if sort == ir.INT else "PyLong_AsUnsignedLongLongMask"
    return [f"  {name}.value = call i64 @{take}(ptr {name})", f"  {name}.minus = icmp eq i64 {name}.value, -1",
            f"  br i1 {name}.minus, label %{name[1:]}.a, label %{onward}", f"{name[1:]}.a:",
            f"  {name}.error = call ptr @PyErr_Occurred()", f"  {name}.raised = icmp ne ptr {name}.error, null",
            f"  br i1 {name}.raised, label %raised, label %{onward}"]
