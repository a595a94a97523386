"""Which search a solver uses: what a match between two searches shows, and how the result is cached."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import dslgame
from dsl.syntax.source import Source
from dslgame import bundled
from interpreter.game import Game
from interpreter.model.state import State
from solver.entries import Entries
from solver.game_space import solve_game
from solver.players import comparison
from solver.players.allowance import Allowance
from solver.players.analysis import Analyst
from solver.players.candidates import RAVE, Candidates
from solver.players.comparison import LONGER, MOVING, Comparison, Contest, compare, compared
from solver.players.found import Found
from solver.players.iterative_deepening import Deepening
from solver.players.level_players import SolvingPlayer
from solver.players.limits import Limit

CONTEST = Contest("alphabeta", "mcts", (1.5, 7.5))


def candidates(name: str, **params: int) -> Candidates:
    game = dslgame.load(name, **params)
    return Candidates(Entries.of(game), patterns=bundled.patterns_of(game))


@pytest.mark.parametrize(("one", "other", "otherwise", "better"), [
    (7.0, 1.0, "mcts", "alphabeta"), (1.5, 6.5, "alphabeta", "mcts"),
    (5.0, 5.0, "mcts", "mcts"), (5.0, 5.0, "alphabeta", "alphabeta"), (3.0, 1.0, "mcts", "mcts")])
def test_a_clear_lead_decides(one: float, other: float, otherwise: str, better: str) -> None:
    """A clear lead decides; otherwise the default stays."""
    assert Contest("alphabeta", "mcts", (one, other)).better(otherwise) == better


@pytest.mark.parametrize(("helped", "plain", "taken"), [
    (6.0, 0.0, True), (8.0, 2.0, True), (3.0, 0.0, True), (2.0, 0.0, False), (4.0, 1.0, False), (0.5, 7.5, False)])
def test_what_is_unusual_must_win_clearly(helped: float, plain: float, taken: bool) -> None:
    """An unusual option must win clearly: four of five games come by chance too often where it loses two of three."""
    assert Contest("mcts rave=500", "mcts", (helped, plain)).clear == taken


class Matches:
    """Replaces matches by given points and records the names of the players."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *points: tuple[float, float]) -> None:
        self.points, self.played, self.moving = list(points), list[tuple[str, str]](), list[float]()
        monkeypatch.setattr(comparison, "_match", self.match)

    def match(self, given: Candidates, one: comparison._Side, other: comparison._Side, *rest: float) -> tuple[
            float, float]:
        """The points of the next match."""
        self.played.append((one.name, other.name))
        self.moving.append(one.moving)
        return self.points[len(self.played) - 1]


def test_a_match_that_shows_nothing_goes_on_with_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """An undecided match is repeated with more time, and then any lead of the longer match decides."""
    matches = Matches(monkeypatch, (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (12.0, 12.0), (3.0, 4.0))
    found = compare(candidates("connect_four", rows=5))
    assert matches.played == [("patterns", "alphabeta"), ("mcts rave=500", "mcts"), ("puct", "mcts"),
                              *[("alphabeta", "mcts")] * 2]
    assert found.chosen == "mcts"


def test_matches_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options of each kind are compared first, then the winners, and last the winner with `connecting`."""
    matches = Matches(monkeypatch, (3.0, 0.0), (6.0, 0.0), (4.0, 4.0), (2.0, 2.0), (4.0, 3.0), (5.0, 0.0))
    found = compare(candidates("hex", size=5))
    assert matches.played == [("patterns", "alphabeta"), ("mcts rave=500", "mcts"),
                              ("puct moves=proposed", "mcts rave=500"), ("patterns", "mcts rave=500"),
                              ("patterns", "mcts rave=500"), ("connecting", "patterns")]
    assert matches.moving == [MOVING, MOVING, MOVING, MOVING, LONGER * MOVING, MOVING]
    assert (found.chosen, found.estimating, found.sampling) == ("connecting", "patterns", "mcts rave=500")
    assert [contest.longer for contest in found.contests] == [False, False, False, False, True, False]
    assert found.reason("connecting") == "connecting, which had 5 points to 0 in a match with patterns"
    assert found.reason("mcts rave=500") == "mcts rave=500, which had 3 points to 4 in a match with patterns"
    assert found.reason("mcts") == "mcts, which had 0 points to 6 in a match with mcts rave=500"
    Matches(monkeypatch, (2.0, 0.0), (5.0, 0.0), (2.0, 1.0), (0.0, 7.0), (5.0, 2.0))
    found = compare(candidates("hex", size=5))
    assert (found.chosen, found.estimating) == ("mcts rave=500", "alphabeta")
    Matches(monkeypatch, (5.0, 0.0), (1.0, 0.0), (5.0, 0.0), (0.0, 7.0), (0.0, 3.0))
    found = compare(candidates("hex", size=5))
    assert (found.chosen, found.sampling) == ("puct moves=proposed", "puct moves=proposed")
    Matches(monkeypatch, (0.0, 0.0), (4.0, 4.0), (4.0, 4.0))
    assert compare(candidates("nim")).chosen == "mcts"  # a game without a value


def test_every_game_of_a_match_counts() -> None:
    """Where the player who moves first always gets the same result, all games count and neither search leads."""
    found = compare(candidates("nim", a=1, b=2, c=0, d=1), seconds=60.0, games=4)
    assert [contest.points for contest in found.contests] == [(2, 2)] * 3
    assert [contest.games for contest in found.contests] == [4] * 3
    assert found.chosen == "mcts"


def test_what_was_found_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Results are cached by rules and patterns; a damaged file counts as missing, and other rules have their own
    result."""
    monkeypatch.setattr("solver.players.kept.cache_folder", lambda: tmp_path)
    matches: list[Candidates] = []
    shown = Comparison("mcts", "alphabeta", "mcts", (CONTEST,))

    def match(given: Candidates) -> Comparison:
        matches.append(given)
        return shown

    monkeypatch.setattr(comparison, "compare", match)
    game = dslgame.load("nim")
    for _ in range(2):
        assert compared(Candidates(Entries.of(game))) == shown
    assert len(matches) == 1
    (file,) = tmp_path.rglob("*.json")
    whole = file.read_text(encoding="utf-8")
    for text in ("", "[]", whole.replace('"mcts"', '"chess"'), whole.replace("7.5", '"x"'), whole.replace(", 7.5", ""),
                 "\0"):
        file.write_text(text, encoding="utf-8")
        assert compared(Candidates(Entries.of(game))) == shown
    assert len(matches) == 7
    assert Analyst(game).choose(Entries.of(game)) == "mcts"
    assert Analyst(game, kept=False).choose(Entries.of(game)) == "mcts"
    assert len(matches) == 7
    compared(Candidates(Entries.of(game), patterns=Source("x.pattern", 'patterns for "Nim"\n')))
    assert len(matches) == 8


def analyst_by(monkeypatch: pytest.MonkeyPatch, name: str, chosen: str, **params: int) -> tuple[Analyst, Game]:
    """An analyst whose cached matches show that a given search plays best."""
    contest = Contest(chosen, "alphabeta" if chosen != "alphabeta" else "mcts", (7.0, 1.0))
    found = Comparison(chosen, chosen if chosen == "patterns" else "alphabeta",
                       chosen if "mcts" in chosen or "puct" in chosen else "mcts", (contest,))
    monkeypatch.setattr(comparison, "compared", lambda candidates: found)
    game = dslgame.load(name, **params)
    return Analyst(game, patterns=bundled.patterns_of(game)), game


@pytest.mark.parametrize("chosen", ["mcts rave=500", "puct", "puct moves=proposed", "patterns", "connecting",
                                    "alphabeta"])
def test_the_best_search_plays(chosen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report's method names the search that was chosen and why."""
    analyst, game = analyst_by(monkeypatch, "hex", chosen, size=7)
    found = analyst.analyse(game.start(), seconds=0.3, every=False)
    assert found.report is not None
    other = "mcts" if chosen == "alphabeta" else "alphabeta"
    assert found.report.method == f"{chosen}, which had 7 points to 1 in a match with {other}"
    assert found.best.move in game.start().legal()
    assert found.method == ("alphabeta" if chosen in ("patterns", "alphabeta") else "mcts")
    if "rave" in chosen:
        assert analyst.mcts(Entries.of(game)).options == RAVE
    for hints in analyst.improve(game.start(), seconds=0.4, every=True):
        assert hints.scores or hints.shares or not hints.report
        assert chosen != "connecting" or not hints.report or "connecting" not in hints.report.method


def test_what_patterns_leave_out_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves that a search of proposed moves reports as proven are really won or lost."""
    analyst, game = analyst_by(monkeypatch, "hex", "patterns", size=4)
    position, compared = game.start().play("c2").play("a4"), 0
    for every in (False, True):
        found = analyst.analyse(position, seconds=0.3, every=every)
        proven = {item.text: item.winner for item in found.moves if item.winner is not None}
        for text, winner in proven.items():
            assert solve_game(game, position.play(text).state, value_only=True).winner == winner
            compared += 1
    assert compared


def test_a_limit_of_the_processor_is_the_search_s_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit `cpu=` is passed on to the search as what is left of the thread's time."""
    limits: list[Limit] = []
    search = Deepening.search

    def noted(self: Deepening, state: State, limit: Limit, **given: Any) -> Found:
        limits.append(limit)
        return search(self, state, limit, **given)

    monkeypatch.setattr(Deepening, "search", noted)
    game = dslgame.load("connect_four")
    player = dslgame.player(game, "solver cpu=0.2")
    assert isinstance(player, SolvingPlayer)
    player.analyst.chosen = "alphabeta"
    player.choose(game.start())
    assert limits[-1].processor
    assert limits[-1].seconds is not None
    assert 0 < limits[-1].seconds <= 0.2
    assert Allowance(0.2, None, strict=False, processor=True).now is time.thread_time
