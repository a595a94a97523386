"""Games as OpenSpiel has them, in the form of the references, for tests to compare with.

One module a game, named as its file, with a class `OpenSpiel`. OpenSpiel is imported when a game is made, so that the
modules can be read where it is not installed.
"""
