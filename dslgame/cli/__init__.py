"""The command `dslgame`: a module for each of its commands, `app` for the program, `common` for shared functions.

Modules here import click and the standard library only; the parser, the engine and the solvers are imported where a
command needs them, so that `dslgame --help` answers at once. Nothing about the rules of a game or about the language
is defined here.
"""
