"""The command `dslgame`, also as `python -m dslgame`."""

from __future__ import annotations

from dslgame.cli.app import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
