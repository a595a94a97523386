"""Programs for GPUs: a kernel's text and the device functions, compiled together by numba-cuda.

`Program.of(kernel)` compiles nothing yet; each function is compiled when it is first launched, for the GPU present.
With NUMBA_ENABLE_CUDASIM=1 in the environment no GPU is needed: threads run one after another as plain Python, and the
kernel's functions are those of `interpreter.kernel.plain_functions`. `Program.ptx` compiles without a GPU, which shows
whether a game's rules can be compiled at all.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.compiler import ir
from interpreter.kernel.kernel import Kernel

if TYPE_CHECKING:
    from interpreter.arrays import Numbers, Words

BLOCK, SIMULATED_BLOCK = 128, 2
"""Threads per block; simulated threads are Python threads, which are started even where there is no game for them."""
ROOM = 64
"""The initial room of each thread for entries of moves."""
MOST_ROOM = 1 << 13
"""The most room for entries: a thread has 512 KiB of local memory."""
CALLS = 32
"""The depth of recursive calls that stacks have room for, as of captures that go on, and the bytes of each call: 500 to
700 where measured."""
CALL = 1 << 10
LEVELS = 8
"""The most plies of the move sequences that a thread counts."""
SMALL = 16
"""The most numbers of a table that is a constant of the functions that read it: a GPU has 64 KiB for all constants of a
launched function. Larger tables are arrays in device memory."""
CALLED = ("thread_load", "thread_store", "closed", "repeated", "pay", "begun", "happened", "nothing_happens",
          "chosen_by_table", "chosen_by_list")
"""The device functions of `interpreter.device.threads` that others call; all others are launched."""
_THREADS = Path(__file__).with_name("threads.py")
_WORDS = 1 << 64
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""The terminal colour codes in compiler messages."""
_MODULE = "<dynamic>"
"""Numba's name for the module of functions that were not imported; Numba finds recursive functions only under it."""


Names = dict[str, Any]
"""Functions, tables and constants by name: the globals of an executed text."""
DeviceArray = Any
"""An array in device memory, of numba-cuda or another library; these have no types."""
Launched = Any
"""A function to launch, `function[blocks, threads, stream](...)`; numba-cuda has no types."""


class NoDevice(RuntimeError):
    """No GPU was found, or numba-cuda is not installed; the message says what to do."""


class NotOnDevice(ValueError):
    """A game's rules cannot be compiled for a GPU; the message says why."""


@cache
def numba_cuda() -> ModuleType:
    """The module `numba.cuda`. Raises NoDevice where it cannot be imported."""
    os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")  # batches may be small
    try:
        return import_module("numba.cuda")
    except ImportError as problem:
        raise NoDevice("GPUs need numba-cuda, which is not installed: pip install 'dslgame[cuda]'") from problem


def simulated() -> bool:
    """Whether the GPU is simulated (NUMBA_ENABLE_CUDASIM=1)."""
    return bool(import_module("numba").config.ENABLE_CUDASIM)


def check_device() -> None:
    """Raise NoDevice, with the reason, where there is no GPU to compile for."""
    cuda = numba_cuda()
    if simulated():
        return
    if not cuda.is_available():
        try:
            reason = str(cuda.cuda_error() or "")
        except Exception as problem:
            reason = str(problem)
        first = next((line.strip().rstrip(":.") for line in reason.splitlines() if line.strip()), "no GPU was found")
        raise NoDevice(f"there is no GPU that CUDA can use: {first}; NUMBA_ENABLE_CUDASIM=1 simulates one, slowly")


def shared(array: DeviceArray) -> DeviceArray:
    """A view of a device array for libraries that accept only DLPack, as JAX does; nothing is copied.

    array: a device array of numba-cuda, which itself has `__cuda_array_interface__` only.

    Waits until the work queued on the array's stream is done, since the consumer's stream is not known. The result has
    `__dlpack__` and `__dlpack_device__`, by cuda-core, which comes with numba-cuda. Raises NoDevice where cuda-core is
    too old for that.
    """
    if array.stream:
        array.stream.synchronize()
    if simulated():  # simulated arrays wrap NumPy arrays
        return array
    if not array.stream:
        numba_cuda().default_stream().synchronize()
    view: Any = getattr(import_module("cuda.core.utils"), "StridedMemoryView", None)
    if not (hasattr(view, "__dlpack__") and hasattr(view, "from_any_interface")):
        raise NoDevice("DLPack needs a newer cuda-core: pip install -U cuda-core")
    return view.from_any_interface(array, stream_ptr=-1)


@attrs.define(eq=False)
class Program:
    """A game's kernel for GPUs, with the functions of `interpreter.device.threads`."""

    kernel: Kernel
    room: int = ROOM
    listed: bool = False
    """Whether actions are numbers in the list of legal moves; else `step_thread` is given a table of their moves."""
    _made: dict[tuple[str, int], Any] = attrs.field(factory=dict, repr=False)
    _named: dict[tuple[int, bool], Names] = attrs.field(factory=dict, repr=False)
    _tables: Names = attrs.field(factory=dict, repr=False)
    """The kernel's tables as its functions read them, by name."""

    @classmethod
    def of(cls, kernel: Kernel) -> Program:
        """The program of a kernel. Raises NoDevice."""
        numba_cuda()
        return cls(kernel)

    def launch(self, name: str, count: int, *arguments: object, stream: object = 0) -> None:
        """Launch a function of `interpreter.device.threads` with at least `count` threads."""
        if count:
            block = SIMULATED_BLOCK if simulated() else BLOCK
            self.function(name)[-(-count // block), block, stream](*arguments)

    def function(self, name: str) -> Launched:
        """A function to launch, compiled when it is first launched."""
        key = (name, self.room)
        if key not in self._made:
            if not simulated() and calls_itself(self.kernel):
                _make_stacks(self.thread_bytes(name) + CALLS * CALL)
            self._made[key] = numba_cuda().jit(self._names()[name])
        return self._made[key]

    def thread_bytes(self, name: str) -> int:
        """The approximate local memory of a thread in bytes; the GPU reserves it for all threads that can run at once.

        Recursive functions need a stack besides, as the driver does not know the depth of calls.
        """
        assembled = self.kernel.assembled
        playing = next(constant.values[0] for constant in assembled.module.constants if constant.name == "PLAYING")
        lists = LEVELS + 2 if name == "perft_thread" else 1
        words = (self.room * (lists * assembled.entry_width + 2 * assembled.move_width) +
                 assembled.layout.width * (int(playing) + LEVELS + 4))
        return 8 * words

    def grow(self) -> bool:
        """Enlarge the room for moves in functions compiled from now on; False where that exceeds the most room."""
        self.room *= 4
        return self.room <= MOST_ROOM

    def ptx(self, name: str, capability: tuple[int, int] = (9, 0)) -> str:
        """The PTX assembly of a function for a compute capability; needs no GPU.

        Raises NotOnDevice where it cannot be compiled.
        """
        cuda = numba_cuda()
        with _compiling_for(capability):
            try:
                result = cuda.compile(self._names()[name], _signature(name), device=False, cc=capability, output="ptx",
                                      abi="numba")
            except Exception as problem:  # numba-cuda's exceptions have no common class
                lines = [line.strip() for line in _COLOURS.sub("", str(problem)).splitlines()
                         if line.strip() and "nopython" not in line]
                reason = lines[0] if lines else type(problem).__name__
                raise NotOnDevice(f"{self.kernel.game.title} cannot be compiled for GPUs: {reason}") from problem
        return str(result[0])

    def _names(self) -> Names:
        """The kernel's names and the device functions for the current room, shared by all launched functions."""
        key = (self.room, self.listed)
        if key not in self._named:
            self._named[key] = self._all_names()
        return self._named[key]

    def _all_names(self) -> Names:
        assembled = self.kernel.assembled
        more = {"ROOM": self.room, "LEVELS": LEVELS + 1, "ENTRIES": (LEVELS + 1) * self.room, "cuda": numba_cuda(),
                "TAKEN_BACK": int(bool(self.kernel.game.rules.illegal))}
        tree = ast.parse(_THREADS.read_text(encoding="utf-8"))
        result = (_simulated(self.kernel, tree, more) if simulated() else
                  _compiled(assembled.text, self._placed(), assembled.layout.words, tree, more))
        result["chosen"] = result["chosen_by_list" if self.listed else "chosen_by_table"]
        chance = self.kernel.game.rules.has_chance
        result["happened"] = result["happened" if chance else "nothing_happens"]
        result["STEPPING"] = result["PLAYING" if chance else "SCRATCH"]
        return result

    def _placed(self) -> Names:
        """The kernel's tables, the large ones in device memory, or as absent arrays where there is no GPU.

        Raises MemoryError.
        """
        if not self._tables:
            cuda = numba_cuda()
            put = cuda.to_device if cuda.is_available() else _AbsentArray.like
            for name, values in tables_of(self.kernel.assembled.module).items():
                self._tables[name] = put(values) if values.size > SMALL else values
        return self._tables


@attrs.frozen
class _AbsentArray:
    """A stand-in for an array in device memory, to compile for an absent GPU."""

    size: int
    typestr: str

    @classmethod
    def like(cls, values: Words | Numbers) -> _AbsentArray:
        """An absent array of the same size and type as a NumPy array."""
        return cls(values.size, values.dtype.str)

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        """The description of the array that numba-cuda reads."""
        return {"shape": (self.size,), "typestr": self.typestr, "data": (1 << 12, False), "strides": None, "version": 3}


def calls_itself(kernel: Kernel) -> str:
    """The name of a function of a kernel that calls itself, directly or through others; "" where none does."""
    functions = [item for item in kernel.assembled.module.functions if isinstance(item, ir.Function)]
    calls = {function.name: {node.function for node in ir.expressions(function.body) if isinstance(node, ir.Call)}
             for function in functions}
    for name in calls:
        reached, left = set[str](), [name]
        while left:
            for other in calls.get(left.pop(), ()):
                if other == name:
                    return name
                if other not in reached:
                    reached.add(other)
                    left.append(other)
    return ""


def tables_of(module: ir.Module) -> dict[str, Words | Numbers]:
    """A kernel's constant tables as arrays."""
    import numpy as np

    return {table.name: np.array(table.values, np.uint64) if table.sort == ir.ROW else np.array(table.values, np.int64)
            for table in module.tables}


def _compiled(text: str, tables: Mapping[str, object], words: int, threads: ast.Module,
              more: Mapping[str, object]) -> Names:
    """The globals of a kernel and the device functions, for numba-cuda to compile."""
    from interpreter.device.support import OnDevice, names, part

    result: dict[str, Any] = {**names(words), "TABLES": tables, **more, "__name__": _MODULE}
    for tree in (ast.parse(text), threads):
        exec(compile(ast.fix_missing_locations(OnDevice().visit(tree)), "<kernel>", "exec"), result)
    for name in CALLED:
        result[name] = part(result[name])
    return result


def _simulated(kernel: Kernel, threads: ast.Module, more: Mapping[str, object]) -> Names:
    """The globals of a kernel and the device functions as plain Python, for a simulated GPU."""
    from interpreter.kernel import plain
    from interpreter.kernel.plain_functions import PlainFunctions

    functions = PlainFunctions(kernel.assembled.module)
    result: dict[str, Any] = {
        **more, "word": int, "number": int, "signed": _signed, "stored": lambda value: value % _WORDS,
        "rows": plain.rows, "numbers": plain.numbers, "row": plain.row, "line": plain.line, "__name__": "kernel"}
    asked = {node.id for node in ast.walk(threads) if isinstance(node, ast.Name)}
    result |= {name: functions[name] for name in asked if name in functions}
    result |= {name: getattr(plain, name) for name in ("EMPTY", "stir", "scramble", "below")}
    exec(compile(threads, "<threads>", "exec"), result)
    return result


def _signed(value: int) -> int:
    number = int(value)
    return number - _WORDS if number >= _WORDS >> 1 else number


def _signature(name: str) -> tuple[object, ...]:
    """The types of the arguments of a launched function, as `interpreter.device.batch` passes them."""
    types = import_module("numba").types
    words, line, lines, table = types.uint64[::1], types.int64[::1], types.int64[:, ::1], types.uint64[:, ::1]
    flags, marks, floats = types.boolean[::1], types.boolean[:, ::1], types.float32[:, ::1]
    return {
        "play_thread": (table, words, line, line, line),
        "mark_thread": (table, line, lines, lines, marks, line, line),
        "count_thread": (table, line, line),
        "list_thread": (table, marks, line, line),
        "apply_thread": (table, lines, line),
        "begin_thread": (table, words, line, table, line, types.int64, line),
        "step_thread": (table, table, lines, line, marks, line, types.int64, types.boolean, table, line, types.int64,
                        types.boolean, words, line, line, floats, flags, flags, line, line),
        "close_thread": (line, types.int64, marks, line),
        "sample_thread": (marks, line, words, line),
        "show_thread": (table, line, lines, lines, types.int64, types.int64, floats),
        "perft_thread": (table, types.int64, line, line),
    }[name]


def _make_stacks(size: int) -> None:
    """Set the stack of each thread to at least `size` bytes. Raises NotOnDevice, or MemoryError where it does not fit.
    """
    cuda, driver = numba_cuda(), getattr(import_module("numba.cuda.cudadrv.driver"), "binding", None)
    if driver is None:
        raise NotOnDevice("functions that call themselves need numba-cuda with NVIDIA's bindings: "
                          "pip install 'dslgame[cuda]'")
    cuda.current_context()
    limit = driver.CUlimit.CU_LIMIT_STACK_SIZE
    if driver.cuCtxGetLimit(limit)[1] < size and int(driver.cuCtxSetLimit(limit, size)[0]) != 0:
        raise MemoryError(f"the GPU has no memory for stacks of {size >> 10} KiB for each of its threads")


@contextmanager
def _compiling_for(capability: tuple[int, int]) -> Iterator[None]:
    """Make numba-cuda compile device functions for a given compute capability instead of that of the current GPU."""
    from unittest import mock

    @attrs.frozen
    class Absent:
        compute_capability: tuple[int, int]

    with mock.patch("numba.cuda.dispatcher.get_current_device", return_value=Absent(capability)):
        yield

