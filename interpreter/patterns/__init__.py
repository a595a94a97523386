"""Patterns matched: the ways they lie on a board, which one proposes which move, and their checks."""
