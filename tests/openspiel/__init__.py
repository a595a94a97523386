"""Adapters that give OpenSpiel's games the interface of the references, for tests to compare with.

There is one module per game, with the name of its file and a class `OpenSpiel`. OpenSpiel is imported when a game is
made, so that the modules can be imported where it is not installed.
"""
