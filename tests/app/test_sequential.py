"""Sequential tests of matches: the likelihood ratio by hand, error rates by simulation, and the command."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

from dslgame.programs.sequential import (
    SCORES,
    SequentialTest,
    State,
    expected_score,
    likeliest,
    log_likelihood_ratio,
    pair_counts,
)
from tests.app.test_cli import run


def test_ratio_of_decisive_pairs_is_that_of_a_coin() -> None:
    """With pairs only won or lost the mean determines the distribution, and the ratio is that of Wald's formula."""
    low, high = 0.5, 0.6
    expected = 30 * math.log(high / low) + 20 * math.log((1 - high) / (1 - low))
    assert log_likelihood_ratio((20, 0, 0, 0, 30), low, high) == pytest.approx(expected, abs=0.01)
    assert log_likelihood_ratio((0, 0, 0, 0, 0), low, high) == 0


def test_likeliest_distribution_has_the_mean_and_is_likelier_than_its_neighbours() -> None:
    """The distribution sums to 1 and has the given mean; nearby ones with the same mean are less likely."""
    counts = [3.0, 11.0, 40.0, 17.0, 5.0]
    found = likeliest(counts, 0.6)
    assert sum(found) == pytest.approx(1)
    assert sum(share * score for share, score in zip(found, SCORES, strict=True)) == pytest.approx(0.6)
    worth = sum(count * math.log(share) for count, share in zip(counts, found, strict=True))
    for step in ([1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1], [1, 0, -2, 0, 1]):  # neither sum nor mean change
        for size in (1e-3, -1e-3):
            other = [share + size * part for share, part in zip(found, step, strict=True)]
            assert sum(count * math.log(share) for count, share in zip(counts, other, strict=True)) < worth


def test_expected_score_is_that_of_elo() -> None:
    """The expected score is ten to one at 400 points."""
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(-400) == pytest.approx(1 / 11)


def test_single_games_wait_for_their_other_half() -> None:
    """Games are paired by their numbers, in any order of ending, and single ones do not count."""
    games = [{"number": number, "winner": winner}
             for number, winner in [(0, "a"), (3, "b"), (4, "a"), (1, None), (2, "a"), (6, "b"), (7, "b")]]
    assert pair_counts("a", games) == (1, 0, 1, 1, 0)
    assert pair_counts("b", games) == (0, 1, 1, 0, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("better", "verdict"), [(0, "refused"), (40, "accepted")])
def test_each_hypothesis_is_refused_wrongly_about_as_often_as_said(better: int, verdict: str) -> None:
    """At most one in ten of 200 simulated matches, a quarter of their games drawn, is decided wrongly."""
    dice = random.Random(1)
    test = SequentialTest(0, 40)
    score = expected_score(better)
    wrong = 0
    for _ in range(200):
        counts = [0] * len(SCORES)
        state = State((), 0.0, "open")
        while state.verdict == "open":
            pair = 0.0
            for _ in range(2):
                pair += 0.5 if dice.random() < 0.25 else float(dice.random() < (score - 0.125) / 0.75)
            counts[SCORES.index(pair / 2)] += 1
            if sum(counts) % 10 == 0:
                ratio = log_likelihood_ratio(counts, expected_score(test.low), expected_score(test.high))
                state = State(tuple(counts), ratio,
                              "accepted" if ratio >= test.bound else "refused" if ratio <= -test.bound else "open")
        wrong += state.verdict != verdict
    assert wrong <= 20


@pytest.mark.slow
def test_match_ends_when_it_is_decided(tmp_path: Path) -> None:
    """A decided match ends long before all games are played, and the same command plays no more."""
    log = str(tmp_path / "kept.jsonl")
    arguments = ("match", "tic_tac_toe", "alphabeta plies=2", "random", "--random-plies", "1", "--threads", "1",
                 "--sprt", "0", "50", "--log", log)
    first = json.loads(run(*arguments, "--json").stdout)
    assert first["sprt"]["verdict"] == "accepted"
    assert first["sprt"]["ratio"] >= first["sprt"]["bound"] == pytest.approx(math.log(19))
    assert sum(first["sprt"]["pairs"]) * 2 <= first["played"] < 200 < first["planned"]
    again = run(*arguments)
    assert again.exit_code == 0
    assert "accepted: that alphabeta plies=2 is 50 Elo points better is likelier than 0: log-likelihood" in again.stdout
    assert "goes on from there" not in again.stdout
    assert json.loads(run(*arguments, "--json").stdout)["played"] == first["played"]


@pytest.mark.slow
def test_match_that_is_not_decided_says_so() -> None:
    """An undecided match ends with the exit code for a reached limit."""
    result = run("match", "tic_tac_toe", "random", "other=random", "--random-plies", "1", "--threads", "1",
                 "--sprt", "0", "10", "--games", "4")
    assert result.exit_code == 3, result.output
    assert "not decided whether random is 10 Elo points better, or 0: log-likelihood ratio " in result.stdout


@pytest.mark.parametrize("numbers", [("10", "10"), ("10", "0"), ("0", "2000"), ("nan", "3")])
def test_hypotheses_that_make_no_test_are_refused(numbers: tuple[str, str]) -> None:
    """Equal or invalid hypotheses are refused before any game."""
    result = run("match", "tic_tac_toe", "random", "random", "--sprt", *numbers)
    assert result.exit_code == 2
    assert "expected two different numbers of Elo points" in result.stderr
