"""Gathers the parts of the site's playground: Python for browsers from npm, our packages, the page's board and editor.

Called by `docs/make_site.py`. Nothing of others is kept in the repository: Pyodide is fetched by `npm pack`, and the
Python packages that it needs (lark, attrs, platformdirs) are taken from this environment.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYODIDE = "pyodide@314.0.7"
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""What a browser loads of Pyodide."""
PACKAGES = ("dsl", "interpreter", "solver", "dslgame", "games", "patterns")
LIBRARIES = ("attrs", "lark", "platformdirs")
PAGE = ("dom.js", "editor.js", "highlight.js", "style.css", "icon.svg")
"""Files of the page that the playground uses."""
OWN = ("play.html", "play.js", "worker.js", "playground.py")


class Missing(Exception):
    """A part cannot be had; the text says which, and why."""


def write(to: Path) -> None:
    """Write the playground into a folder that need not exist. Raises Missing."""
    to.mkdir(parents=True, exist_ok=True)
    for name in OWN:
        shutil.copy(ROOT / "docs" / "site" / name, to / name)
    for name in PAGE:
        shutil.copy(ROOT / "dslgame" / "web" / "page" / name, to / name)
    _write_python(to / "python.zip")
    _fetch(to / "pyodide")


def _write_python(path: Path) -> None:
    """An archive with our packages, and with the libraries that they need in browsers."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in PACKAGES:
            for file in sorted((ROOT / package).rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    archive.write(file, file.relative_to(ROOT).as_posix())
        for name in LIBRARIES:
            for part in metadata.files(name) or ():
                if part.suffix in (".py", ".lark") and ".." not in part.parts:
                    archive.write(str(part.locate()), part.as_posix())


def _fetch(to: Path) -> None:
    """Pyodide's parts. Raises Missing."""
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("npm is missing, which fetches Pyodide: install Node.js")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([npm, "pack", "--silent", PYODIDE], cwd=folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        archives = list(Path(folder).glob("*.tgz"))
        if done.returncode or not archives:
            said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise Missing(f"npm cannot fetch {PYODIDE}: {said}")
        with tarfile.open(archives[0]) as archive:
            archive.extractall(folder, filter="data")
        to.mkdir(exist_ok=True)
        for name in PARTS:
            part = Path(folder) / "package" / name
            if not part.exists():
                raise Missing(f"{PYODIDE} has no {name}")
            shutil.copy(part, to / name)
