"""The release command refuses an incomplete release; the container file and the extras name what exists."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script() -> ModuleType:
    """`.ci/release.py`."""
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project that can be released as version 1.2.0."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    (tmp_path / "dslgame").mkdir()
    (tmp_path / "dslgame" / "__init__.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    changes = "# Changelog\n\n## 1.2.0 (2026-01-02)\n\n- Something.\n\n## 1.1.0 (2025-01-01)\n"
    (tmp_path / "CHANGELOG.md").write_text(changes)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "All")
    return tmp_path


def test_a_release_is_a_tag_with_the_changes(script: ModuleType, checkout: Path,
                                            capsys: pytest.CaptureFixture[str]) -> None:
    """A release makes a tag with the changelog's section, and prints the files and the next commands."""
    made = [checkout / "dist" / "x.whl"]
    assert script.release("1.2.0", checkout, works=lambda root: True, made=lambda root: made) == 0
    assert git(checkout, "tag", "-l", "--format=%(contents)", "v1.2.0").strip() == "dslgame 1.2.0\n\n- Something."
    assert f"git push origin v1.2.0 && twine upload {made[0]}" in capsys.readouterr().out
    assert script.missing("1.2.0", checkout) == ["there is a tag v1.2.0 already: choose another version"]


def test_a_release_is_refused_when_something_is_missing(script: ModuleType, checkout: Path,
                                                       capsys: pytest.CaptureFixture[str]) -> None:
    """Everything that is missing is reported with what to do, and nothing is built or tagged."""
    assert script.missing("1.2.0", checkout) == []
    found = "\n".join(script.missing("1.3.0", checkout))
    for part in ('pyproject.toml says version = "1.2.0"', '__version__ = "1.2.0"', "CHANGELOG.md has no '## 1.3.0"):
        assert part in found
    assert "is no version" in script.missing("new", checkout)[0]
    (checkout / "CHANGELOG.md").write_text("## 1.2.0 (unreleased)\n\n- Something.\n")
    git(checkout, "switch", "-qc", "side")
    found = "\n".join(script.missing("1.2.0", checkout))
    for part in ("the checkout has changes", "the branch is 'side'", "CHANGELOG.md has no"):
        assert part in found
    git(checkout, "checkout", "-q", "-f", "main")

    def never(root: Path) -> list[Path]:
        raise AssertionError("it is built")

    assert script.release("1.2.0", checkout, works=lambda root: False, made=never) == 1
    assert "the tests of the wheel fail" in capsys.readouterr().err
    assert git(checkout, "tag") == ""


def test_container_file_names_extras_that_there_are() -> None:
    """The extras in the Containerfile exist, and its entry point is `dslgame`."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    named = {name for found in re.findall(r"\[([a-z,]+)\]'", text) for name in found.split(",")}
    assert named
    assert named <= set(extras)
    assert 'ENTRYPOINT ["dslgame"]' in text
