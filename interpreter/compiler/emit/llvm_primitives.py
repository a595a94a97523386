"""The primitives of kernels in LLVM IR: processor instructions, and operations on sets that are vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from interpreter.compiler import ir
from interpreter.compiler.emit.llvm_code import Code
from interpreter.compiler.emit.llvm_values import ArrayValue, Unsupported, Value

Make: TypeAlias = Callable[[Code, Sequence[Value], Sequence[ir.Sort]], Value]
ARRAYS: Final = frozenset({"row", "rows", "line", "numbers"})
"""The primitives that allocate arrays of zeros, with their sizes as arguments."""
NTH_AT_ONCE, NTH_BY_HALVES = "nth_at_once", "nth_by_halves"
DECLARED: Final = """\
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
"""
HELPERS: Final = {
    NTH_AT_ONCE: f"""\
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @{NTH_AT_ONCE}(i64 %cells, i64 %place) alwaysinline {{
  %bit = shl i64 1, %place
  %there = call i64 @llvm.x86.bmi.pdep.64(i64 %bit, i64 %cells)
  %cell = call i64 @llvm.cttz.i64(i64 %there, i1 true)
  ret i64 %cell
}}
""",
    NTH_BY_HALVES: f"""\
define internal i64 @{NTH_BY_HALVES}(i64 %cells, i64 %place) {{
start:
  %low.32 = and i64 %cells, 4294967295
  %many.32 = call i64 @llvm.ctpop.i64(i64 %low.32)
  %over.32 = icmp sge i64 %place, %many.32
  %by.32 = select i1 %over.32, i64 32, i64 0
  %less.32 = select i1 %over.32, i64 %many.32, i64 0
  %cells.32 = lshr i64 %cells, %by.32
  %place.32 = sub i64 %place, %less.32
  %low.16 = and i64 %cells.32, 65535
  %many.16 = call i64 @llvm.ctpop.i64(i64 %low.16)
  %over.16 = icmp sge i64 %place.32, %many.16
  %by.16 = select i1 %over.16, i64 16, i64 0
  %less.16 = select i1 %over.16, i64 %many.16, i64 0
  %cells.16 = lshr i64 %cells.32, %by.16
  %place.16 = sub i64 %place.32, %less.16
  %low.8 = and i64 %cells.16, 255
  %many.8 = call i64 @llvm.ctpop.i64(i64 %low.8)
  %over.8 = icmp sge i64 %place.16, %many.8
  %by.8 = select i1 %over.8, i64 8, i64 0
  %less.8 = select i1 %over.8, i64 %many.8, i64 0
  %cells.8 = lshr i64 %cells.16, %by.8
  %place.8 = sub i64 %place.16, %less.8
  %base.16 = add i64 %by.32, %by.16
  %base = add i64 %base.16, %by.8
  br label %round
round:
  %rest = phi i64 [ %cells.8, %start ], [ %fewer, %next ]
  %left = phi i64 [ %place.8, %start ], [ %left.less, %next ]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %next, label %done
next:
  %below = sub i64 %rest, 1
  %fewer = and i64 %rest, %below
  %left.less = sub i64 %left, 1
  br label %round
done:
  %first = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %cell = add i64 %base, %first
  ret i64 %cell
}}
"""}
"""Helper functions, which join a module that calls them."""
BITS: Final = """\
declare i64 @llvm.x86.bmi.pext.64(i64, i64)
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
"""


def vectors(words: int) -> str:
    """Declarations of the intrinsics that are used on vectors of `words` words."""
    kind, name = f"<{words} x i64>", f"v{words}i64"
    return (f"declare i64 @llvm.vector.reduce.or.{name}({kind})\ndeclare i64 @llvm.vector.reduce.add.{name}({kind})\n"
            f"declare {kind} @llvm.ctpop.{name}({kind})\n")


def _scalar(value: Value) -> str:
    assert isinstance(value, str)
    return value


def _of(text: str) -> Make:
    """A primitive that is one instruction or call, with its arguments in place of {0} and {1}."""
    return lambda code, values, sorts: code.new(text.format(*map(_scalar, values)))


def _same(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    return values[0]


def _length(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    assert isinstance(values[0], ArrayValue)
    return values[0].sizes[0]


def _highest(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    return code.new(f"sub i64 63, {code.new(f'call i64 @llvm.ctlz.i64(i64 {_scalar(values[0])}, i1 true)')}")


def _scramble(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    """The same as `interpreter.kernel.plain.scramble`."""
    from interpreter.kernel.plain import FIRST_FACTOR, SECOND_FACTOR

    seed, new = _scalar(values[0]), code.new
    for shift, factor in ((30, FIRST_FACTOR), (27, SECOND_FACTOR)):
        seed = new(f"mul i64 {new(f'xor i64 {seed}, ' + new(f'lshr i64 {seed}, {shift}'))}, {_signed(factor)}")
    return new(f"xor i64 {seed}, {new(f'lshr i64 {seed}, 31')}")


def _stir(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    """The same as `interpreter.kernel.plain.stir`."""
    from interpreter.kernel.plain import STEP

    return code.new(f"add i64 {_scalar(values[0])}, {_signed(STEP)}")


def _below(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    """The same as `interpreter.kernel.plain.below`."""
    high = code.new(f"lshr i64 {_scalar(values[0])}, 32")
    return code.new(f"lshr i64 {code.new(f'mul i64 {high}, {_scalar(values[1])}')}, 32")


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


# ---- sets that are vectors


def _kind(sort: ir.Sort) -> str:
    assert isinstance(sort, ir.Vector)
    return f"<{sort.words} x i64>"


def _words(sort: ir.Sort) -> int:
    assert isinstance(sort, ir.Vector)
    return sort.words


def _splat(word: int | str, sort: ir.Sort) -> str:
    """A constant vector with a word in every lane."""
    return f"<{', '.join([f'i64 {word}'] * _words(sort))}>"


def _pairwise(name: str) -> Make:
    return lambda code, values, sorts: code.new(f"{name} {_kind(sorts[0])} {_scalar(values[0])}, {_scalar(values[1])}")


def _minus(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    kind = _kind(sorts[0])
    others = code.new(f"xor {kind} {_scalar(values[1])}, {_splat(-1, sorts[0])}")
    return code.new(f"and {kind} {_scalar(values[0])}, {others}")


def _reduced(code: Code, name: str, value: str, sort: ir.Sort) -> str:
    """Reduce the words of a vector by an operation."""
    return code.new(f"call i64 @llvm.vector.reduce.{name}.v{_words(sort)}i64({_kind(sort)} {value})")


def _some(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    return code.new(f"icmp ne i64 {_reduced(code, 'or', _scalar(values[0]), sorts[0])}, 0")


def _equal(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    other = code.new(f"xor {_kind(sorts[0])} {_scalar(values[0])}, {_scalar(values[1])}")
    return code.new(f"icmp eq i64 {_reduced(code, 'or', other, sorts[0])}, 0")


def _count(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    kind = _kind(sorts[0])
    ones = code.new(f"call {kind} @llvm.ctpop.v{_words(sorts[0])}i64({kind} {_scalar(values[0])})")
    return _reduced(code, "add", ones, sorts[0])


def _of_words(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    assert isinstance(values[0], tuple)
    kind = f"<{len(values[0])} x i64>"
    result = "zeroinitializer"
    for index, part in enumerate(values[0]):
        result = code.new(f"insertelement {kind} {result}, i64 {_scalar(part)}, i64 {index}")
    return result


def _everywhere(code: Code, word: str, sort: ir.Sort) -> str:
    """Broadcast a word to every lane of a vector."""
    one = code.new(f"insertelement {_kind(sort)} poison, i64 {word}, i64 0")
    return code.new(f"shufflevector {_kind(sort)} {one}, {_kind(sort)} poison, <{_words(sort)} x i32> zeroinitializer")


def _single(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    """The set of one cell, by a comparison of lanes: LLVM inserts at a variable index through memory."""
    cell, like = _scalar(values[0]), sorts[1]
    kind, count = _kind(like), _words(like)
    bit = code.new(f"shl i64 1, {code.new(f'and i64 {cell}, 63')}")
    part = _everywhere(code, code.new(f"lshr i64 {cell}, 6"), like)
    places = f"<{', '.join(f'i64 {index}' for index in range(count))}>"
    here = code.new(f"icmp eq {kind} {part}, {places}")
    return code.new(f"select <{count} x i1> {here}, {kind} {_everywhere(code, bit, like)}, {kind} zeroinitializer")


def _shift(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    """Shift a set in board order by a number of cells, which must be a literal."""
    try:
        by = int(_scalar(values[1]))
    except ValueError:
        raise Unsupported("shift by a number that is not known") from None
    words, distance = divmod(abs(by), 64)
    count, kind, up = _words(sorts[0]), _kind(sorts[0]), by > 0

    def moved(far: int) -> str:
        """Shift the set by `far` whole words."""
        places = [index - far if up else index + far for index in range(count)]
        mask = ", ".join(f"i32 {place if 0 <= place < count else count}" for place in places)
        return code.new(f"shufflevector {kind} {_scalar(values[0])}, {kind} zeroinitializer, <{count} x i32> <{mask}>")

    near = moved(words)
    if not distance:
        return near
    one, other = ("shl", "lshr") if up else ("lshr", "shl")
    first = code.new(f"{one} {kind} {near}, {_splat(distance, sorts[0])}")
    second = code.new(f"{other} {kind} {moved(words + 1)}, {_splat(64 - distance, sorts[0])}")
    return code.new(f"or {kind} {first}, {second}")


def _address(code: Code, row: Value, at: Value) -> str:
    assert isinstance(row, ArrayValue)
    return code.new(f"getelementptr inbounds i64, ptr {row.pointer}, i64 {_scalar(at)}")


def _read(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    return code.new(f"load {_kind(sorts[2])}, ptr {_address(code, values[0], values[1])}, align 8")


def _write(code: Code, values: Sequence[Value], sorts: Sequence[ir.Sort]) -> Value:
    address = _address(code, values[0], values[1])
    code.line(f"store {_kind(sorts[2])} {_scalar(values[2])}, ptr {address}, align 8")
    return ""


PRIMITIVES: Final[dict[str, Make]] = {
    "number": _same, "word": _same, "len": _length,
    "abs": _of("call i64 @llvm.abs.i64(i64 {0}, i1 false)"),
    "min": _of("call i64 @llvm.smin.i64(i64 {0}, i64 {1})"),
    "max": _of("call i64 @llvm.smax.i64(i64 {0}, i64 {1})"),
    "popcount": _of("call i64 @llvm.ctpop.i64(i64 {0})"),
    "lowest": _of("call i64 @llvm.cttz.i64(i64 {0}, i1 true)"), "highest": _highest,
    "extract": _of("call i64 @llvm.x86.bmi.pext.64(i64 {0}, i64 {1})"),
    "deposit": _of("call i64 @llvm.x86.bmi.pdep.64(i64 {0}, i64 {1})"),
    "scramble": _scramble, "stir": _stir, "below": _below,
    "both": _pairwise("and"), "either": _pairwise("or"), "minus": _minus, "some": _some, "equal": _equal,
    "count": _count, "of_words": _of_words, "single": _single, "shift": _shift, "read": _read, "write": _write}
"""How each primitive is written, except for those that make arrays, and `nth`, which depends on the processor."""
