"""Lowers resolved rules to IR functions, term by term, as the interpreter evaluates them."""
