"""Replays recorded games and compares their texts, so that any change of behaviour shows as a difference."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

import dslgame
from tests import discovery
from tests.discovery import found_games, one_in
from tests.playthroughs import COMMAND, FOLDER, head, of_kernel, record, text_of

NAMES = [path.stem for path in found_games()]


def recorded(name: str) -> list[str]:
    path = FOLDER / f"{name}.txt"
    assert path.exists(), f"no recorded games of {name}: run {COMMAND} {name}"
    return path.read_text(encoding="utf-8").splitlines()


def assert_same(name: str, before: list[str], now: list[str]) -> None:
    changed = list(difflib.unified_diff(before, now, "recorded", "now", lineterm="", n=1))
    assert not changed, "\n".join([*changed[:40], f"If this is meant, run: {COMMAND} {name}"])


@pytest.mark.parametrize("name", one_in(3, NAMES, 1))
def test_interpreter_plays_as_recorded(name: str) -> None:
    """Compare positions, legal moves and their order, notation, values and outcomes."""
    now = [*head(name), *record(dslgame.load(name)).lines]
    assert_same(name, recorded(name)[: len(now)], now)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_kernel_plays_as_recorded(name: str) -> None:
    """Compare the keys of the same positions, under which saved solutions are found, and seeded random games."""
    found = record(dslgame.load(name))
    before = recorded(name)
    assert_same(name, before, [*head(name), *found.lines, *of_kernel(found)])


def test_every_recording_is_of_a_game() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(NAMES)


def test_recordings_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_500_000


def test_a_change_of_rules_or_of_order_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another winner, another board, and another order of the moves each change the recording."""
    text = (discovery.FOLDER / "hexapawn.game").read_text(encoding="utf-8")
    monkeypatch.setattr(discovery, "FOLDER", tmp_path)
    found = set()
    for old, new in (("", ""), ("no moves loses", "no moves wins"), ("rows = 3", "rows = 4")):
        assert old in text
        (tmp_path / "hexapawn.game").write_text(text.replace(old, new), encoding="utf-8")
        found.add(text_of("hexapawn"))
    first, *_, last = [part for part in text.split("\n\n") if part.startswith("move ")]
    (tmp_path / "hexapawn.game").write_text(text.replace(first, "@").replace(last, first).replace("@", last),
                                            encoding="utf-8")
    found.add(text_of("hexapawn"))
    assert len(found) == 4
