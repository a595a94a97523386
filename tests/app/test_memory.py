"""Memory limits for solvers: from Linux's files, and from psutil elsewhere."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from dslgame.cli import memory
from solver import budget


@pytest.fixture(params=[True, False], ids=["proc", "no proc"])
def proc(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether Linux's files are there; else they are made to be missing."""
    if not request.param:

        def missing(*arguments: object, **named: object) -> Any:
            raise FileNotFoundError

        monkeypatch.setattr(budget, "open", missing, raising=False)
        monkeypatch.setattr(memory, "Path", lambda *parts: SimpleNamespace(read_text=missing))
    return bool(request.param)


def test_memory_of_this_process(proc: bool) -> None:
    """The memory in use is the current one, not the peak."""
    held = psutil.Process().memory_info().rss >> 20
    assert abs(budget.memory_used() - held) <= 8


def test_limit_by_default_is_most_of_what_is_free(proc: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default limit is a share of the free memory, of the machine or of the container if that has less."""
    monkeypatch.setattr(memory, "_free_of_group", lambda: None)
    free = psutil.virtual_memory().available >> 20
    assert memory.most_memory() == pytest.approx(budget.memory_used() + memory.SHARE * free, rel=0.2)
    monkeypatch.setattr(memory, "_free_of_group", lambda: 500)
    assert memory.most_memory() <= budget.memory_used() + 8 + memory.SHARE * 500
