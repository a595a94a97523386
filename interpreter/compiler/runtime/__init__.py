"""Algorithms that kernels run, as ordinary Python functions: the compiler reads them and makes them for one game.

They use the part of Python that `interpreter.compiler.reader` reads, and are written once for every board: a set of
cells is a tuple of words of 64 bits here, the operations on sets are functions (`sets`), and a game's tables and
numbers are parameters, annotated `Table`, `WordTable` or `Static`. `interpreter.compiler.library` puts those in, and
makes the operations what a target is fast at. Called as they are, with tuples and lists, they do the same: that is how
tests call them.
"""
