"""Files that begin with a digest of what follows, so that a damaged one is noticed and never used."""

from __future__ import annotations

import hashlib
from pathlib import Path

_DIGEST = 32


def sealed(content: bytes) -> bytes:
    """What a file is to hold, with its digest before it."""
    return hashlib.sha256(content).digest() + content


def unsealed(path: Path) -> bytes:
    """What a file holds. Raises OSError where it cannot be read or does not fit its digest."""
    whole = path.read_bytes()
    digest, content = whole[:_DIGEST], whole[_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise OSError(f"{path} is damaged")
    return content
