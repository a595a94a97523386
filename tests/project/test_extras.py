"""Each extra works alone, in an environment of its own with the wheel.

Run by hand with `pytest -m thorough tests/project/test_extras.py`: a dozen environments take many minutes.
"""

from __future__ import annotations

import tomllib
import venv
from pathlib import Path

import pytest

from tests.project.test_packaging import elsewhere, programs, run, wheel

__all__ = ["elsewhere", "programs", "wheel"]

ROOT = Path(__file__).parents[2]
EXTRAS = {
    "cluster": "import solver.cluster.executors, fsspec",
    "editors": "import dslgame.lsp.server, dslgame.editing.pygments_lexer",
    "frames": "import pandas",
    "hidden": "import dslgame; print(dslgame.solve(dslgame.load('matching_pennies')))",
    "notebook": "import dslgame.notebook",
    "openspiel": "import dslgame.adapters.openspiel",
    "pettingzoo": "import dslgame.adapters.pettingzoo",
    "pictures": "import igraph, matplotlib, resvg_py",
    "site": "import mkdocs, material, mkdocstrings, mkdocstrings_handlers.python",
    "terminal": "import dslgame.terminal.app",
    "verify": "import dslgame.testing.properties",
    "web": "import dslgame.web.server, dslgame.web.pool",
}
"""Code that must work with an extra alone. `cuda` needs a GPU; `dev` and `bench` are for work on dslgame itself."""


def test_every_extra_is_tried_alone() -> None:
    """Every extra has an entry above, except `bench`, `cuda` and `dev`."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {*EXTRAS, "bench", "cuda", "dev"} == set(extras)


@pytest.mark.thorough
@pytest.mark.parametrize("extra", EXTRAS)
def test_extra_works_alone(extra: str, programs: Path, wheel: Path, elsewhere: Path, tmp_path: Path) -> None:
    """An extra works in an environment with only its own packages and those of dslgame."""
    place = tmp_path / "environment"
    venv.create(place, with_pip=True)
    script = "import sysconfig; print(sysconfig.get_path('purelib'))"
    python = place / programs.name / "python"
    base, own = (run(one, "-c", script, cwd=elsewhere).strip() for one in (programs / "python", python))
    (Path(own) / "base.pth").write_text(base + "\n", encoding="utf-8")
    run(python, "-m", "pip", "install", "--quiet", f"{wheel}[{extra}]", cwd=elsewhere)
    run(python, "-c", EXTRAS[extra], cwd=elsewhere)
