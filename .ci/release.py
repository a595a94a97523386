"""A release in one command: `python .ci/release.py 0.1.0`. It refuses when something is missing, and uploads nothing.

The checkout has no changes, and is on the branch `main`; CHANGELOG.md, pyproject.toml and the package name the version;
there is no such tag; the wheel works in a fresh environment (tests/project/test_packaging.py). Then the wheel and the
source archive lie in dist/, and the tag is there, with what the changelog says.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def said(*command: str, root: Path) -> str:
    """What a command prints. Raises CalledProcessError."""
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def changes_of(version: str, text: str) -> str:
    """What a changelog says of a version; '' where it has no such heading with a date."""
    found = re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)\n(.*?)(?=^## |\Z)", text,
                      flags=re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def missing(version: str, root: Path = ROOT) -> list[str]:
    """What a release lacks, each with what to do; what takes long is left to `wheel_works`."""
    found = []
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        found.append(f"'{version}' is no version: expected one such as 1.2.0 or 1.2.0rc1")
    changed = said("git", "status", "--porcelain", root=root)
    if changed:
        found.append(f"the checkout has changes: commit them\n{changed}")
    branch = said("git", "branch", "--show-current", root=root)
    if branch != "main":
        found.append(f"the branch is '{branch}': switch to main")
    if said("git", "tag", "--list", f"v{version}", root=root):
        found.append(f"there is a tag v{version} already: choose another version")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if project != version:
        found.append(f'pyproject.toml says version = "{project}": write "{version}"')
    package = re.search(r'^__version__ = "(.*)"', (root / "dslgame" / "__init__.py").read_text(encoding="utf-8"),
                        flags=re.MULTILINE)
    if package is None or package[1] != version:
        found.append(f'dslgame/__init__.py says __version__ = "{package[1] if package else ""}": write "{version}"')
    if not changes_of(version, (root / "CHANGELOG.md").read_text(encoding="utf-8")):
        found.append(f"CHANGELOG.md has no '## {version} (YYYY-MM-DD)' with something below it")
    return found


def wheel_works(root: Path = ROOT) -> bool:
    """Whether the tests of the wheel pass."""
    print("the wheel is built, installed and tested ...", flush=True)
    command = [sys.executable, "-m", "pytest", "-n", "0", "-m", "slow", "tests/project/test_packaging.py"]
    return subprocess.run(command, cwd=root).returncode == 0


def build(root: Path = ROOT) -> list[Path]:
    """The wheel and the source archive, in dist/."""
    folder = root / "dist"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.suffix in (".whl", ".gz"):
            path.unlink()
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(root)], check=True)
    return sorted(folder.iterdir())


def release(version: str, root: Path = ROOT, *, works: Callable[[Path], bool] = wheel_works,
            made: Callable[[Path], list[Path]] = build) -> int:
    """Do all of it; the exit code."""
    found = missing(version, root)
    if not found and not works(root):
        found = ["the tests of the wheel fail: see above"]
    if found:
        print("\n".join([f"no release of {version}:", *(f"- {item}" for item in found)]), file=sys.stderr)
        return 1
    files = made(root)
    changes = changes_of(version, (root / "CHANGELOG.md").read_text(encoding="utf-8"))
    text = f"dslgame {version}\n\n{changes}"
    said("git", "tag", "--annotate", f"v{version}", "--cleanup=verbatim", "--message", text, root=root)
    print("\n".join([*(str(path) for path in files), f"tag v{version}",
                     f"now:  git push origin v{version} && twine upload {' '.join(map(str, files))}"]))
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("version")
    raise SystemExit(release(parser.parse_args().version))
