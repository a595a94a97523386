"""The benchmarks run, with settings too small to mean anything, and say what they should."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bench.measure import Side, Spread, rates, ratios, short, table

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
@pytest.mark.parametrize(("module", "options"), [
    ("bench.random_play", ("--rounds", "1", "--seconds", "0.01")),
    ("bench.solve", ("--rounds", "1", "--only", "tic_tac_toe")),
], ids=["random_play", "solve"])
def test_benchmark_runs(module: str, options: tuple[str, ...]) -> None:
    """As a table and as JSON, with the peers that are installed."""

    def output(*more: str) -> str:
        command = [sys.executable, "-m", module, *options, *more]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert "tic_tac_toe" in output()
    result = json.loads(output("--json"))
    ours = [row for row in result["rows"] if row["side"].startswith("dslgame")]
    assert ours
    assert result["machine"]["python"]
    for row in result["rows"]:
        spread = row.get("moves_per_second") or row.get("seconds")
        assert "missing" in row or 0 < spread["low"] <= spread["median"] <= spread["high"]


def test_sides_take_turns_and_get_the_same_random_numbers() -> None:
    """Every side works in every round, and none has an easier one."""
    drawn: dict[str, list[float]] = {"a": [], "b": []}
    order: list[str] = []

    def side(name: str) -> Side:
        def work(random: Random) -> int:
            drawn[name].append(random.random())
            order.append(name)
            return 1

        return work

    found = rates({"a": side("a"), "b": side("b")}, rounds=4, seconds=0)
    assert [len(values) for values in found.values()] == [4, 4]
    assert drawn["a"] == drawn["b"]
    assert "".join(order[2:]) == "abbaabba"


def test_ratios_are_taken_round_by_round() -> None:
    """So that a machine that slows down changes none of them."""
    assert ratios([10, 5, 20], [5, 2.5, 5]) == Spread(2, 2, 4)


def test_numbers_are_short() -> None:
    assert [short(value) for value in (0.01234, 1.234, 12.34, 12345.6)] == ["0.0123", "1.23", "12.3", "12,346"]
    assert table([("a", "b"), ("long", "12")]) == "a      b\nlong  12"
