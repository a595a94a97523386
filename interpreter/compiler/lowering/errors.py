"""The error of the kernel compiler for what it cannot compile."""

from __future__ import annotations


class NotLowered(Exception):
    """Raised for something that the compiler cannot compile; the message says what."""
