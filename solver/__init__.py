"""Solving games: values of positions, best play and reports, on the states of `interpreter.engine`."""
