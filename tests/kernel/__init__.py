"""Kernels: the compiler and its runtime, held to the interpreter."""
