"""Checks that the packages which dslgame imports are its own, not others of the same name.

`dsl`, `interpreter` and `solver` are common names: a folder or a file of the user's can hide them. The check reports
that in one sentence, instead of some later import failing. `dslgame` calls it before it imports them, and so does the
command. `python_command` starts another Python that finds them.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
"""The folder that holds all packages: `site-packages`, or a checkout."""
NAMES = ("dsl", "interpreter", "solver")


def check() -> None:
    """Raise ImportError where another module hides one of dslgame's packages."""
    for name in NAMES:
        result = _place(name)
        if result is not None and result != HOME / name / "__init__.py":
            message = f"{result} hides dslgame's package '{name}': rename it, or take its folder off Python's path"
            raise ImportError(message, name=name, path=str(result))


def _place(name: str) -> Path | None:
    """The file that `import name` loads; None where there is none, as for a folder without code."""
    module = sys.modules.get(name)
    if module is not None:
        file = getattr(module, "__file__", None)
    else:
        spec = PathFinder.find_spec(name)
        file = None if spec is None else spec.origin
    return None if file is None else Path(file).resolve()


def python_command(code: str, *arguments: str) -> list[str]:
    """The command that runs code in another Python with these packages first on its path, in any working directory."""
    start = f"import sys; sys.path.insert(0, sys.argv.pop(1)); {code}"
    return [sys.executable, "-P", "-c", start, str(HOME), *arguments]


def leave_working_directory() -> None:
    """Take the working directory off Python's path: `python -m` puts it first, the command `dslgame` does not."""
    first = Path(sys.path[0]).resolve()
    if not sys.flags.safe_path and first == Path.cwd().resolve() and first != HOME:
        del sys.path[0]
