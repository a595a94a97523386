"""Naive reference implementations of games, written from the rule text, for tests to compare with.

Nothing here imports the project: standard library only, so that an error of ours cannot hide in its own oracle.
One module a game, each with a class `Reference`; `counting` and `solving` work on any of them.
"""
