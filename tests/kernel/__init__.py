"""Kernels: the compiler and its runtime, compared with the interpreter."""
