"""What solvers do a million times a second, compiled by Numba once for all games.

A game's kernel entries are handed in as first-class functions, with the types of `interpreter.kernel.signatures`. These
modules need Numba when they are imported, so they are imported where a search begins; the rest of `solver` does not
need it.
"""
