"""The command `dslgame`, also as `python -m dslgame`."""

from __future__ import annotations

import sys
from typing import NoReturn

from dslgame import packages
from dslgame.exit_codes import INTERRUPTED

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command and exit, with an error first if a foreign module hides one of the packages.

    The command itself reports what Ctrl-C interrupted. This function catches what the command cannot: a Ctrl-C while
    its modules are imported, and a second one while it reports the first.
    """
    try:
        try:
            packages.check()
        except ImportError as problem:
            raise SystemExit(f"error: {problem}") from None
        from dslgame.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    packages.leave_working_directory()
    main()
