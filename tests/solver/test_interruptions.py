"""Ctrl-C: a single search returns what it found; work made of many searches ends and stores nothing."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import pytest

import dslgame
from dslgame.laboratory.level_games import Laboratory
from solver.entries import Entries
from solver.native import runtime
from solver.players import analysis, kept
from solver.players.analysis import Analyst
from solver.players.candidates import Candidates
from solver.players.comparison import compared
from solver.players.connecting import ConnectingSearch
from solver.players.found import Found, interrupted
from solver.players.iterative_deepening import Deepening
from solver.players.levels import Level
from solver.players.margins import measured
from solver.players.matches import balanced_openings, play_match
from solver.players.mcts import MonteCarloSearch
from tests.interruption import ctrl_c, interruption


@pytest.mark.parametrize("level", ["alphabeta", "patterns", "mcts", "puct", "connecting", "solver"])
def test_a_search_gives_what_it_found(level: str) -> None:
    """An interrupted search returns a legal move, and its report says so."""
    game = dslgame.load("hex", size=7)
    player = dslgame.player(game, f"{level} seconds=600")
    dslgame.player(game, f"{level} nodes=100").choose(game.start())  # compiles
    with interruption():
        choice = player.choose(game.start())
    assert choice.text in game.start().moves()
    assert choice.report is not None
    assert choice.report.interrupted
    with pytest.raises(KeyboardInterrupt):
        choice.check_interrupted()
    dslgame.player(game, f"{level} nodes=100").choose(game.start()).check_interrupted()


@pytest.mark.parametrize(("name", "level"), [
    ("einstein", "expectimax seconds=600"), ("einstein", "solver seconds=600"),
    ("chinese_checkers", "maxn seconds=600"), ("chinese_checkers", "paranoid seconds=600"),
    ("liars_dice", "ismcts seconds=600")])
def test_a_search_by_the_interpreter_gives_what_it_found(name: str, level: str) -> None:
    """So do the searches for chance, for more than two players and for hidden information."""
    position = dslgame.load(name).start()
    while position.by_chance:
        position = position.play(position.legal()[0])
    player = dslgame.player(position.game, level)
    dslgame.player(position.game, level.replace("seconds=600", "nodes=2")).choose(position)  # compiles
    with interruption():
        choice = player.choose(position)
    assert choice.move in position.legal()
    assert choice.report is not None
    assert choice.report.interrupted
    assert not choice.report.cut


@pytest.mark.parametrize("step", ["glance", "enumerate", "prove", "solve", "search"])
def test_an_analysis_gives_what_it_found_before_any_step_was_interrupted(
        step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof or a solution that Ctrl-C ends is not followed by another step, and a move is made."""
    position = dslgame.load("hex", size=5).start()

    def interrupt(self: analysis._RunningAnalysis) -> Iterator[None]:
        yield
        raise KeyboardInterrupt

    def forbidden(self: analysis._RunningAnalysis) -> Iterator[None]:
        raise AssertionError("a step was begun after the interruption")

    steps = ("glance", "enumerate", "sketch", "prove", "solve", "search")
    monkeypatch.setattr(analysis._RunningAnalysis, step, interrupt)
    for later in steps[steps.index(step) + 1 :]:
        monkeypatch.setattr(analysis._RunningAnalysis, later, forbidden)
    found = Analyst(position.game).analyse(position, seconds=2.0, every=False)
    assert found.best.move in position.legal()
    assert found.report is not None
    assert found.report.interrupted
    assert found.reason == "it was interrupted"


class Interrupted:
    """Makes the report of every search say that it was interrupted, and allows a limited number of searches."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
        self.made, self.most = 0, most
        for kind in (Deepening, MonteCarloSearch, ConnectingSearch):
            monkeypatch.setattr(kind, "search", self.ended(kind.search))

    def ended(self, search: Callable[..., Found]) -> Callable[..., Found]:
        """The search with its report marked as interrupted."""
        def found(*given: Any, **named: Any) -> Found:
            self.made += 1
            assert self.made <= self.most, "the search that was interrupted was not the last one"
            return interrupted(search(*given, **named))
        return found


def matches_between_searches() -> None:
    compared(Candidates(Entries.of(dslgame.load("hex", size=4))))


def margins_of_a_value() -> None:
    measured(Entries.of(dslgame.load("hex", size=4)))


def games_of_a_level() -> None:
    Laboratory(dslgame.load("hex", size=4), 1).by_itself("alphabeta plies=1", 3)


def openings() -> None:
    balanced_openings(dslgame.load("hex", size=4), 20, 2)


@pytest.mark.parametrize(("work", "most"), [
    (matches_between_searches, 1), (margins_of_a_value, 2), (games_of_a_level, 1), (openings, 1)])
def test_what_makes_many_searches_ends(work: Callable[[], None], most: int, monkeypatch: pytest.MonkeyPatch,
                                       tmp_path: Path) -> None:
    """The work ends with the interrupted search, or the second where the first only compiles; no result is cached."""
    monkeypatch.setattr(kept, "cache_folder", lambda: tmp_path)
    searches = Interrupted(monkeypatch, most)
    with pytest.raises(KeyboardInterrupt):
        work()
    assert searches.made > 0
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize(("every", "which"), [
    pytest.param(False, lambda found, named: "losing" in named, id="the best move"),
    pytest.param(True, lambda found, named: "losing" in named, id="the best moves"),
    pytest.param(True, lambda found, named: "losing" in named and named["first"] == 2, id="deeper"),
    pytest.param(True, lambda found, named: "history" in named and len(named["history"]) == 1, id="each move")])
def test_an_analysis_ends_with_the_search_that_was_interrupted(
        every: bool, which: Callable[[Found, dict[str, Any]], bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """No search follows the interrupted one, which is reported even if an earlier search had the last result."""
    position, ended = dslgame.load("hex", size=8).start(), False

    def searched(self: Deepening, *given: Any, **named: Any) -> Found:
        nonlocal ended
        assert not ended, "a search was made after the interruption"
        result = search(self, *given, **named)
        ended = which(result, named)
        return interrupted(result) if ended else result

    search = Deepening.search
    monkeypatch.setattr(Deepening, "search", searched)
    found = Analyst(position.game).analyse(position, nodes=300_000, every=every)
    assert ended
    assert found.best.text in position.moves()
    assert found.report is not None
    assert found.report.interrupted


def test_the_next_analysis_of_a_position_was_not_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next analysis of the same position continues from the earlier results and is not marked as interrupted."""
    position, ended = dslgame.load("connect_four", columns=4, rows=4).start(), False

    def improved(self: MonteCarloSearch, *given: Any, **named: Any) -> Iterator[Found]:
        nonlocal ended
        for result in improve(self, *given, **named):
            if not ended and named["pause"] < 10:  # else it only compiles
                ended = True
                yield interrupted(result)
                return
            yield result

    improve = MonteCarloSearch.improve
    monkeypatch.setattr(MonteCarloSearch, "improve", improved)
    analyst = Analyst(position.game)
    reports = [analyst.analyse(position, seconds=4.0).report for _ in range(2)]
    assert ended
    assert [report is not None and report.interrupted for report in reports] == [True, False]


def test_a_match_has_the_games_that_were_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupted game does not count."""
    game = dslgame.load("hex", size=4)
    quick, searching = (Level.of(text).player(game) for text in ("random", "alphabeta plies=1"))
    Interrupted(monkeypatch, 1)
    assert play_match(game, quick, searching, 2).games == ()


def test_a_call_of_a_compiled_function_is_not_broken_off() -> None:
    """Ctrl-C while Numba converts the arguments is raised after the call; it ended in a TypeError."""
    done = []

    def called(*_: object) -> int:
        signal.raise_signal(signal.SIGINT)
        done.append(1)
        return 1

    def function() -> int:
        return 0

    call = runtime._when_called(cast(FunctionType, function), lambda: called)
    with ctrl_c(), pytest.raises(KeyboardInterrupt):
        call()
    assert done == [1]
