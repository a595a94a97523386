"""The signature of the engines: constant for the same behaviour, changed by rules or move order."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

import dslgame
from dslgame import signature
from dslgame.cli.app import app
from interpreter.game import Game
from solver.entries import Entries

DROP = """\
game "Drop"
players X, O
board square(3, 3)
pieces x of X, o of O
move {first}
move {second}
win mover when line(mine, 3)
draw when no empty
"""
FIRST, SECOND = "low(c in empty and bottom):\n    c := own", "high(c in empty - bottom):\n    c := own"


def counts(game: Game) -> dict[str, dict[str, signature.Counts]]:
    return signature.signature_of([("drop", game)])


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["bench", *arguments])


@pytest.mark.slow
def test_command_prints_counts_and_their_hash() -> None:
    """Two runs agree, as a table and as JSON, and the counts of tic-tac-toe are the known ones."""
    told = run("tic_tac_toe", "--signature")
    assert told.exit_code == 0, told.output
    found = json.loads(run("tic_tac_toe", "--signature", "--json").output)
    assert told.output.splitlines()[-1] == f"signature {found['signature']}, of 1 game"
    assert found["signature"] == signature.hash_of(found["games"])
    searches = found["games"]["tic_tac_toe"]
    assert list(searches) == list(signature.SEARCHES)
    assert searches["perft"]["sequences"] == [9, 72, 504, 3024, 15120, 54720]
    assert (searches["strong"]["positions"], searches["strong"]["longest"]) == (765, 9)


def test_hash_does_not_depend_on_the_order_of_games() -> None:
    one: dict[str, signature.Counts] = {"perft": {"sequences": [1, 2]}}
    other: dict[str, signature.Counts] = {"perft": {"sequences": [3]}}
    assert signature.hash_of({"a": one, "b": other}) == signature.hash_of({"b": other, "a": one})
    assert signature.hash_of({"a": one, "b": other}) != signature.hash_of({"a": other, "b": one})


@pytest.mark.parametrize(("arguments", "words"), [
    (("--signature", "-p", "size=3"), "-p sets the params of one game"), ((), "Missing argument 'FILE'"),
])
def test_command_refuses_what_it_cannot_do(arguments: tuple[str, ...], words: str) -> None:
    told = run(*arguments)
    assert told.exit_code == 2
    assert words in told.output


@pytest.mark.slow
def test_signature_changes_with_a_rule_and_with_an_order_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound of the search changes the signature too, a second run does not."""
    monkeypatch.setattr(signature, "SEARCHES", {name: signature.SEARCHES[name] for name in ("perft", "alphabeta")})
    text = DROP.format(first=FIRST, second=SECOND)
    games = [dslgame.loads(text), dslgame.loads(text), dslgame.loads(text.replace("win mover", "lose mover")),
             dslgame.loads(DROP.format(first=SECOND, second=FIRST))]
    found = [counts(game) for game in games]
    hashes = list(map(signature.hash_of, found))
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3
    assert found[0]["drop"]["perft"] == found[3]["drop"]["perft"], "only the order is another"
    assert found[0]["drop"]["alphabeta"] != found[3]["drop"]["alphabeta"]
    monkeypatch.setattr(signature, "SEARCHED", 50)
    assert counts(games[0])["drop"]["alphabeta"] != found[0]["drop"]["alphabeta"]


@pytest.mark.slow
def test_no_search_depends_on_those_before() -> None:
    """No search depends on earlier searches or on whether the kernel's buffers had to grow."""
    entries = Entries.of(dslgame.load("tic_tac_toe"))
    forwards = {name: search(entries) for name, search in signature.SEARCHES.items()}
    backwards = {name: search(entries) for name, search in reversed(signature.SEARCHES.items())}
    assert forwards == backwards


@pytest.mark.slow
def test_signature_does_not_depend_on_how_fast_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches read the clock between portions, and their counts do not depend on it."""
    from solver.players import limits

    game = dslgame.load("tic_tac_toe")
    before = counts(game)
    ticks = iter(range(10**9))

    @attrs.frozen
    class Clock:
        def perf_counter(self) -> float:
            return float(next(ticks))

    monkeypatch.setattr(limits, "time", Clock())
    assert counts(game) == before
    assert next(ticks) > 10, "no search has looked at the clock"
