"""The parts of solvers that Numba compiles, once for all games: they get a game's kernel entries as arguments.

Modules here import Numba at their top, so they are imported inside of functions only.
"""
