"""Kernels on a GPU: the same text as on a processor, compiled by numba-cuda, a thread for each game.

`interpreter.device.batch` has what callers use. Needs the extra `cuda`; nothing
here is imported unless it is asked for.
"""
