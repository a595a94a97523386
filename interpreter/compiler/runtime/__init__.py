"""The algorithms of kernels as ordinary Python functions, which the compiler reads and specialises for one game.

They use the subset of Python that `interpreter.compiler.reader` reads, and are written once for every board: a set of
cells is a tuple of 64-bit words here, the operations on sets are functions (`sets`), and a game's tables and numbers
are parameters, annotated `Table`, `WordTable` or `Static`. `interpreter.compiler.library` substitutes those, and
replaces the operations by ones that are fast on the target. The functions also run as they are, with tuples and lists:
that is how tests call them.
"""
