"""Compiles kernels to machine code with LLVM, from the text of `interpreter.compiler.emit.llvm`, and caches it on disk.

Each entry is compiled when it is first called, together with all functions that it reaches, and its object code is
stored in a file of the kernel's folder. Numba is not needed: LLVM comes with llvmlite, of which only documented
functions are used. `usable` checks once whether Python, NumPy and llvmlite are as expected; where they are not,
`interpreter.kernel.loading` has Numba compile the kernel's Python text.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar

import attrs

from dsl.whole_file import write_whole
from interpreter.compiler import ir
from interpreter.compiler.emit import llvm_entries
from interpreter.compiler.emit.llvm import ModuleWriter
from interpreter.compiler.emit.llvm_values import Unsupported
from interpreter.kernel.sealed import sealed, unsealed

_FASTCALL = 0x80
"""METH_FASTCALL: how Python calls a function with its arguments as an array."""
_OLDEST = 15
"""The first LLVM version with opaque pointers."""
_HEAD = 16
"""The bytes of a Python object's header: its reference count and its type."""
ENDING = ".machine"
_WIDE = 8
"""The least words of a set for which LLVM vectorizes across words. Random games with links, on nine words, are played
1.7 times as fast so; with four or six nothing is gained, and some with one lose a tenth."""
_ONE_AT_A_TIME = RLock()
"""The lock held while compiling: LLVM is not used by two threads at once, and nothing is compiled twice."""


# ---- the processor, and checks of Python and NumPy


@cache
def _binding() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@cache
def features() -> tuple[str, str]:
    """LLVM's names of the host processor and of its features; the second is empty where the features are not known."""
    binding = _binding()
    try:
        known = binding.get_host_cpu_features()
    except RuntimeError:  # not known for this processor
        return binding.get_host_cpu_name(), ""
    return binding.get_host_cpu_name(), known.flatten()


def deposits() -> bool:
    """Whether the processor has instructions that extract and deposit bits by a mask (BMI2)."""
    return "+bmi2" in features()[1].split(",")


class _Method(ctypes.Structure):
    """PyMethodDef: CPython's description of an extension function."""

    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int),
                ("doc", ctypes.c_char_p))


_METHODS: list[_Method] = []
"""The method definitions given to Python, kept alive until the process ends, like machine code: a function object reads
its own when it is deallocated, which may be after everything else of the kernel is gone."""


@cache
def usable() -> bool:
    """Whether this Python, NumPy and llvmlite are as this module assumes."""
    if sys.implementation.name != "cpython" or sys.maxsize < 1 << 32 or object.__basicsize__ != _HEAD:
        return False
    try:
        binding = _binding()
        if binding.llvm_version_info[0] < _OLDEST:
            return False
        _target()
        return _numpy_fits()
    except (ImportError, AttributeError, RuntimeError, TypeError, ValueError):
        return False


def _numpy_fits() -> bool:
    """Whether NumPy arrays have the memory layout that the machine code assumes."""
    import numpy as np

    def number(at: int, kind: Any) -> int:
        return int(kind.from_address(at).value or 0)

    array = np.zeros((3, 5), np.uint64)
    at, long = id(array), ctypes.c_void_p
    sizes = number(at + llvm_entries.SIZES, long)
    return (number(at + llvm_entries.KIND, long) == id(np.ndarray)
            and number(at + llvm_entries.DATA, long) == array.ctypes.data
            and number(at + llvm_entries.DIMENSIONS, ctypes.c_int) == 2
            and [number(sizes, ctypes.c_int64), number(sizes + 8, ctypes.c_int64)] == [3, 5]
            and number(at + llvm_entries.TYPE, long) == id(array.dtype)
            and number(id(array.dtype) + llvm_entries.NUMBER, ctypes.c_int) == array.dtype.num
            and number(at + llvm_entries.FLAGS, ctypes.c_int) & 0xFFFF == array.flags.num & 0xFFFF)


@cache
def _numbers() -> dict[ir.Scalar, int]:
    """NumPy's type numbers of the element types of arrays."""
    import numpy as np

    return {ir.WORD: np.dtype(np.uint64).num, ir.INT: np.dtype(np.int64).num, ir.BOOL: np.dtype(np.bool_).num}


# ---- LLVM


@attrs.frozen
class _Target:
    """The target of compilation: LLVM's machine and JIT engine, optimisation passes, triple and data layout."""

    machine: Any
    engine: Any
    passes: Callable[[Any, bool], None]
    triple: str
    layout: str


@cache
def _target() -> _Target:
    binding = _binding()
    triple = binding.get_process_triple()
    name, known = features()
    machine = binding.Target.from_triple(triple).create_target_machine(
        cpu=name, features=known, opt=3, reloc="default", codemodel="jitdefault", jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(f'target triple = "{triple}"'), machine)
    for function in llvm_entries.PYTHON:
        address = ctypes.cast(getattr(ctypes.pythonapi, function), ctypes.c_void_p).value
        binding.add_symbol(function, address)
    error = ctypes.c_void_p.in_dll(ctypes.pythonapi, "PyExc_TypeError")
    binding.add_symbol(llvm_entries.ERROR, ctypes.addressof(error))

    def passes(module: Any, wide: bool) -> None:
        options = binding.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization, options.slp_vectorization = not wide, wide
        builder = binding.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)

    return _Target(machine, engine, passes, triple, str(engine.target_data))


def object_code(text: str, *, wide: bool = False) -> bytes:
    """Compile LLVM assembly to object code; `wide` where its sets of cells have many words."""
    target = _target()
    head = f'target datalayout = "{target.layout}"\ntarget triple = "{target.triple}"\n'  # before what depends on it
    module = _binding().parse_assembly(head + text)
    target.passes(module, wide)
    return bytes(target.machine.emit_object(module))


def _loaded(code: bytes, names: list[str]) -> list[int]:
    """Load object code into memory, for the life of the process; the addresses of the named functions."""
    engine = _target().engine
    engine.add_object_file(_binding().ObjectFileRef.from_data(code))
    engine.finalize_object()
    return [int(engine.get_function_address(name)) for name in names]


# ---- entries


class Entry:
    """A kernel function callable from Python, compiled or loaded from disk on the first call.

    It can also be passed to solvers that Numba compiles (`interpreter.kernel.signatures` registers it with Numba).
    """

    typed: ClassVar[Callable[[Sequence[ir.Sort]], Any]]
    """Returns the Numba type of an entry from the sorts of its parameters; set by `interpreter.kernel.signatures`."""

    def __init__(self, kernel: MachineCode, function: ir.Function) -> None:
        self._kernel, self._function = kernel, function
        self.cached: bool | None = None
        """Whether it was loaded from disk; None until it is first called."""
        self._call: Any = self._first
        self._address = 0
        self._method: _Method | None = None

    def __repr__(self) -> str:
        return f"<entry {self._function.name}>"

    def __call__(self, *arguments: Any) -> int:
        """Call the function; arrays in another memory layout are copied before the call, and copied back after it.

        Raises TypeError where the number or types of the arguments are wrong.
        """
        result: int
        try:
            result = self._call(*arguments)
        except TypeError:
            result = self._with_copies(arguments)
        return result

    def __wrapper_address__(self) -> int:
        """The address of the function that takes arrays as Numba passes them."""
        self._make()
        return self._address

    def signature(self) -> Any:
        """The entry's type for Numba."""
        return Entry.typed([parameter.sort for parameter in self._function.parameters])

    def _first(self, *arguments: Any) -> Any:
        self._make()
        return self._call(*arguments)

    def _make(self) -> None:
        with _ONE_AT_A_TIME:
            if self._method is not None:
                return
            import numpy as np

            name = self._function.name
            code, self.cached = self._kernel.code(self._function)
            python, self._address = _loaded(code, [f"python {self._kernel.mark} {name}",
                                                   f"solver {self._kernel.mark} {name}"])
            self._method = _Method(name.encode(), python, _FASTCALL, None)
            _METHODS.append(self._method)
            make = ctypes.pythonapi.PyCFunction_NewEx
            make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
            self._call = make(ctypes.addressof(self._method), np.ndarray, None)

    def _with_copies(self, arguments: tuple[Any, ...]) -> int:
        import numpy as np

        if len(arguments) != len(self._function.parameters):
            raise TypeError(f"{self._function.name}() takes {len(self._function.parameters)} arguments, "
                            f"{len(arguments)} are given")
        kinds: dict[ir.Scalar, Any] = {ir.WORD: np.uint64, ir.INT: np.int64, ir.BOOL: np.bool_}
        fit, back = list(arguments), []
        for index, parameter in enumerate(self._function.parameters):
            if isinstance(parameter.sort, ir.Array):
                given, kind = arguments[index], kinds[parameter.sort.element]
                if not isinstance(given, np.ndarray) or given.dtype != kind:
                    raise TypeError(f"{self._function.name}(): {parameter.name} is {_described(given)}, expected an "
                                    f"array of {np.dtype(kind)}")
                copy = fit[index] = np.require(given, kind, ["C", "A", "W"])
                if copy is not given and given.flags.writeable:
                    back.append((given, copy))
        result: int = self._call(*fit)
        for given, copy in back:
            given[...] = copy
        return result


def _described(value: Any) -> str:
    return f"an array of {value.dtype}" if hasattr(value, "dtype") else f"of the type {type(value).__name__}"


class MachineCode(Mapping[str, Entry]):
    """A kernel's entries by name, each compiled or loaded from disk when it is first called."""

    def __init__(self, module: ir.Module, mark: str, folder: Path | None, *, inlined: bool) -> None:
        """Make the entries of a module; they are cached in `folder`, if any, and `mark` identifies the kernel in the
        process.

        Raises Unsupported where some of the module is not IR.
        """
        self.mark = mark
        self._module, self._folder, self._inlined = module, folder, inlined
        functions = [function for function in module.functions if function.entry]
        for function in module.functions:
            if isinstance(function, ir.Foreign):
                raise Unsupported(f"{function.name}, which is not IR")
        self._entries = {function.name: Entry(self, function) for function in functions
                         if isinstance(function, ir.Function)}

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @cached_property
    def _writer(self) -> ModuleWriter:
        return ModuleWriter(self._module, inlined=self._inlined, deposits=deposits())

    @cached_property
    def _wide(self) -> bool:
        """Whether sets have so many words that LLVM vectorizes across words.

        Loops are not vectorized then, as that slows down loops of few iterations, such as those over a cell's links.
        """
        sorts = [sort for function in self._module.functions if isinstance(function, ir.Function)
                 for sort in (function.result, *[parameter.sort for parameter in function.parameters])]
        return any(isinstance(sort, ir.Product) and len(sort.items) >= _WIDE and set(sort.items) == {ir.WORD}
                   for sort in sorts)

    def text(self, function: ir.Function) -> str:
        """The LLVM assembly of an entry and of all functions that it reaches."""
        return self._writer.text(function.name) + llvm_entries.entry_text(function, self.mark, _numbers())

    def code(self, function: ir.Function) -> tuple[bytes, bool]:
        """The object code of an entry, and whether it was loaded from disk."""
        path = None if self._folder is None else self._folder / file_name(function.name)
        if path is not None:
            with contextlib.suppress(OSError):  # missing or damaged
                return unsealed(path), True
        code = object_code(self.text(function), wide=self._wide)
        if path is not None:
            with contextlib.suppress(OSError):  # the cache is not writable
                write_whole(path, sealed(code))
        return code, False


def file_name(entry: str) -> str:
    """The name of the file with an entry's object code for this processor."""
    digest = hashlib.sha256("\0".join(features()).encode()).hexdigest()[:12]
    return f"{entry}-{digest}{ENDING}"
