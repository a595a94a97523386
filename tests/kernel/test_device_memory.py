"""GPU memory on machines without a GPU, with injected driver errors and arrays without content."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest

import dslgame
from interpreter.device import batch, program
from interpreter.device.batch import DeviceBatch
from interpreter.device.program import NoDevice, Program
from interpreter.kernel.kernel import Kernel

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="needs the extra 'cuda'")


def short_of_memory(code: str) -> Callable[..., object]:
    """A function that raises the driver's error."""
    def fail(*args: object, **options: object) -> object:
        error: type[Exception] = import_module("numba.cuda.cudadrv.driver").CudaAPIError
        raise error(2, f"Call to cuMemAlloc results in {code}")

    return fail


def full(code: str = "CUDA_ERROR_OUT_OF_MEMORY") -> object:
    """A GPU with 1 GiB of 2 free, on which every allocation fails."""
    context = SimpleNamespace(get_memory_info=lambda: (1 << 30, 2 << 30))
    return SimpleNamespace(to_device=short_of_memory(code), current_context=lambda: context)


def test_out_of_memory_says_what_would_fit() -> None:
    """The message covers arrays and work space; other driver errors are passed on."""
    there = DeviceBatch(Program(Kernel.of(dslgame.load("tic_tac_toe"), native=False)))
    size = there.width * 16
    with mock.patch.object(batch, "numba_cuda", full):
        with pytest.raises(MemoryError, match=rf"^the GPU has 1\.0 GiB left, and 4\.0 GiB are needed; about "
                                              rf"{(1 << 30) // size:,} more games of Tic-Tac-Toe would fit, {size} "
                                              r"bytes each$"):
            there.moved(np.broadcast_to(np.uint64(0), (1 << 29,)))
        there.game_bytes = 1000
        with (mock.patch.object(Program, "launch", short_of_memory("CUDA_ERROR_OUT_OF_MEMORY")),
              pytest.raises(MemoryError, match=r"threads need \d+ KiB each to work in; about 1,073,741 more games")):
            there.launch("count_thread", 4)
    lost = SimpleNamespace(to_device=short_of_memory("CUDA_ERROR_OUT_OF_MEMORY"),
                           current_context=short_of_memory("CUDA_ERROR_OUT_OF_MEMORY"))
    with (mock.patch.object(batch, "numba_cuda", return_value=lost),
          pytest.raises(MemoryError, match=r"^the GPU has no memory left for this process, and 4\.0 GiB are needed")):
        there.moved(np.broadcast_to(np.uint64(0), (1 << 29,)))
    with (mock.patch.object(batch, "numba_cuda", return_value=full("CUDA_ERROR_INVALID_VALUE")),
          pytest.raises(Exception, match="CUDA_ERROR_INVALID_VALUE") as other):
        there.moved(np.zeros(4, np.uint64))
    assert not isinstance(other.value, MemoryError)


def test_arrays_tell_other_libraries_what_they_are() -> None:
    """By `__cuda_array_interface__`, with their stream; by DLPack through cuda-core, after synchronising."""
    made: Any = import_module("numba.cuda.cudadrv.devicearray").DeviceNDArray
    done: list[str] = []

    class Stream:
        def __int__(self) -> int:
            return 77

        def synchronize(self) -> None:
            done.append("waited")

    class View:
        __dlpack__ = __dlpack_device__ = None

        @staticmethod
        def from_any_interface(array: object, *, stream_ptr: int) -> object:
            done.append(f"shared at {stream_ptr}")
            return array

    memory = SimpleNamespace(device_ctypes_pointer=SimpleNamespace(value=4096))
    array = made((2, 9), (9, 1), np.dtype(np.bool_), stream=Stream(), gpu_data=memory)
    told = array.__cuda_array_interface__
    assert (told["shape"], told["typestr"], told["data"], told["stream"]) == ((2, 9), "|b1", (4096, False), 77)
    modules = {"cuda.core.utils": SimpleNamespace(StridedMemoryView=View)}
    with mock.patch.object(program, "simulated", return_value=False), mock.patch.object(
            program, "import_module", modules.__getitem__):
        assert program.shared(array) is array
        assert done == ["waited", "shared at -1"]
        modules["cuda.core.utils"].StridedMemoryView = object
        with pytest.raises(NoDevice, match="pip install -U cuda-core"):
            program.shared(array)


def test_the_library_that_shares_arrays_has_dlpack() -> None:
    """The methods of its class, as far as can be checked without a GPU."""
    view = import_module("cuda.core.utils").StridedMemoryView
    assert callable(view.__dlpack__)
    assert callable(view.__dlpack_device__)
    assert callable(view.from_any_interface)


def test_missing_library_is_a_message() -> None:
    """The error says what to install."""
    program.numba_cuda.cache_clear()
    with mock.patch.object(program, "import_module", side_effect=ImportError("no numba.cuda")), pytest.raises(
            NoDevice, match=r"not installed: pip install 'dslgame\[cuda\]'"):
        program.numba_cuda()
    program.numba_cuda.cache_clear()
