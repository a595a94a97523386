"""Errors of solving, and of solutions on disk."""

from __future__ import annotations


class Refused(ValueError):
    """A file, a folder or a method cannot be used; the text names it and says why."""


class TooLarge(Refused):
    """A limit was reached before anything was known of a value; the text says which."""
