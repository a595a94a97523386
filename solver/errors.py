"""What goes wrong with solutions on disk."""

from __future__ import annotations


class Refused(ValueError):
    """A file or folder cannot be used; the text names it and says why."""
