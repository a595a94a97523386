"""Weak solving on kernels: the value of one position and of its moves, by alpha-beta, proof numbers, carriers or
virtual connections."""
