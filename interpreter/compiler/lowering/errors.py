"""What the kernel compiler says when it has no words for something."""

from __future__ import annotations


class NotLowered(Exception):
    """Something that the compiler has no words for; the message says what."""
