"""Files that begin with a digest of their content, so that damage is detected."""

from __future__ import annotations

import hashlib
from pathlib import Path

_DIGEST = 32


def sealed(content: bytes) -> bytes:
    """The content of a file with its SHA-256 digest before it."""
    return hashlib.sha256(content).digest() + content


def unsealed(path: Path) -> bytes:
    """Read a file's content. Raises OSError where it cannot be read or does not match its digest."""
    whole = path.read_bytes()
    digest, content = whole[:_DIGEST], whole[_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise OSError(f"{path} is damaged")
    return content
