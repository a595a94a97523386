"""Kernels on a GPU: the same text as on a CPU, compiled by numba-cuda, with a thread for each game.

`interpreter.device.batch` has the interface for callers. Needs the extra `cuda`; nothing here is imported unless it is
used.
"""
