"""Naive reference implementations of games, written from the rule texts, for tests to compare with.

The games use the standard library only and import nothing of the project, so that a bug of the project cannot hide in
its own oracle. There is one module per game with a class `Reference`; `counting` and `solving` work on any of them.
"""
