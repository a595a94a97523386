"""Proofs of values that others can check: `checker` checks them by the interpreter alone, `writer` makes them."""
