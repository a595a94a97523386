"""The command `dslgame`: one module for each of its commands, `app` for the whole, `common` for what they share.

Modules here import click and the standard library only; the parser, the engine and the solvers are imported where a
command needs them, so that `dslgame --help` answers at once. No rule of any game, and nothing of the language, is
decided here.
"""
