"""The command `dslgame`, also as `python -m dslgame`."""

from __future__ import annotations

from typing import NoReturn

from dslgame import packages

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command and exit; what a foreign module hides is said first."""
    try:
        packages.check()
    except ImportError as problem:
        raise SystemExit(f"error: {problem}") from None
    from dslgame.cli.app import main as run

    run()


if __name__ == "__main__":
    packages.leave_working_directory()
    main()
