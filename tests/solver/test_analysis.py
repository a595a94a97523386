"""The policy of `solver`, hints and values: wins in one are taken, immediate losses avoided, answers have a basis."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import dslgame
from interpreter.game import Game, Position
from interpreter.model.state import DRAW, Move
from solver.drivers.shallow import Shallow
from solver.players import comparison
from solver.players.allowance import CEILING, Allowance
from solver.players.analysis import Analyst
from solver.players.best_lines import Seen
from solver.players.findings import Findings
from solver.players.judge import Analysis, Basis, Judged
from solver.players.level_players import SolvingPlayer
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.random_play import length_of_games
from solver.strong import Value
from tests.discovery import found_games, one_in, one_in_slow
from tests.solver.test_levels import walk
from tests.solver.test_shallow import ROUNDS, THREE


def at(name: str, moves: str, **params: int) -> Position:
    """A position of a bundled game after the given moves."""
    position = dslgame.load(name, **params).start()
    for move in moves.split():
        position = position.play(move)
    return position


def ends_at_once(position: Position) -> tuple[set[str], set[str]]:
    """The moves that win at once, and those that lose at once or let another player win with the next ply."""
    wins, losses = set(), set()
    for move in position.legal():
        after = position.play(move)
        text = after.played[-1]
        if after.over:
            wins |= {text} if after.state.outcome == position.state.to_move else set()
            losses |= {text} if after.state.outcome not in (position.state.to_move, DRAW) else set()
        elif after.state.to_move != position.state.to_move:
            replies = (after.play(reply).state.outcome for reply in after.legal())
            losses |= {text} if any(outcome == after.state.to_move for outcome in replies) else set()
    return wins, losses


def holds(position: Position, choice: str) -> None:
    """Check that a choice wins in one if it can, and otherwise does not lose at once if it can."""
    wins, losses = ends_at_once(position)
    if wins:
        assert choice in wins, (position.played, choice, wins)
    elif len(losses) < len(position.legal()):
        assert choice not in losses, (position.played, choice)


def near_the_end(game: Game, seed: int) -> list[Position]:
    """The last two positions of a random game and one other, with at most 24 moves, so that they can be played out."""
    found = [position for position in walk(game, seed, 120) if len(position.legal()) <= 24]
    return [*found[-2:], *random.Random(seed).sample(found, min(1, len(found)))]


@pytest.mark.parametrize("path", one_in(9, found_games(), 1, rest=4))
def test_a_glance_blunders_in_no_game(path: Path) -> None:
    """The interpreter alone finds every win in one and every immediate loss, before anything is compiled."""
    game = dslgame.load(path)
    for position in near_the_end(game, 3):
        proof = Shallow(game).prove(position.state, history=position.history, plies=2, nodes=20_000)
        if proof.best is not None:
            holds(position, game.notation.write(position.state, proof.best))
        wins, losses = ends_at_once(position)
        texts = {game.notation.write(position.state, move): value for move, value in proof.moves.items()}
        assert {text for text, value in texts.items() if value == Value(position.state.to_move, 1)} == wins
        if not wins:
            assert losses <= {game.notation.write(position.state, move) for move in proof.losing}


@pytest.mark.parametrize(("name", "seeds"), [("connect_four", [0]), *(
    pytest.param(name, seeds, marks=pytest.mark.slow)
    for name, seeds in (("connect_four", [1, 2]), ("tic_tac_toe", [0, 1, 2]), ("nim", [0, 1, 2])))])
def test_the_default_opponent_never_blunders(name: str, seeds: list[int]) -> None:
    """The player takes a win in one, and no move that loses at once where another does not."""
    game = dslgame.load(name)
    player = dslgame.player(game, "solver nodes=400", seed=1)
    for seed in seeds:
        for position in near_the_end(game, seed):
            holds(position, player.choose(position).text)


@pytest.mark.parametrize("path", one_in_slow(12, found_games(), 0))
def test_the_default_opponent_never_blunders_in_any_game(path: Path) -> None:
    """The same holds with the kernel of every bundled game without hidden information."""
    game = dslgame.load(path)
    if not game.observer.sees_all:
        pytest.skip("something is hidden, and the level would see it")
    if game.rules.has_chance and len(game.players) > 2:
        pytest.skip("the level plays no games with chance for more than two")
    player = dslgame.player(game, "solver nodes=2000", seed=1)
    for position in near_the_end(game, 7):
        holds(position, player.choose(position).text)


def test_connect_four_after_4_4_3() -> None:
    """Yellow threatens an open three: all of Red's moves but 2 and 5 lose in four plies."""
    position = at("connect_four", "4 4 3")
    for level in ("solver nodes=400", "solver nodes=100000"):
        choice = dslgame.player(position.game, level, seed=1).choose(position)
        assert choice.text in ("2", "5")
    assert choice.text == "2"
    assert re.fullmatch(r"searched to depth \d+", choice.basis)
    assert choice.report is not None


def test_lines_of_proven_draws_go_on_to_the_end() -> None:
    """With the kernel loaded, searches prove all moves, and the lines of draws lead to the end of the game."""
    analyst, position = Analyst(dslgame.load("tic_tac_toe")), at("tic_tac_toe", "b1 c1")
    assert analyst.entries() is not None
    last = [*analyst.improve(position, seconds=2, every=True)][-1]
    assert last.exact
    assert len(last.lines) == 3
    for line in last.lines:
        here = position
        for move in line.line:
            here = here.play(move)
        assert here.over
        assert len(line.line) == line.judged.remoteness


def test_answers_say_what_they_are() -> None:
    """Answers are proven, searched or sampled, get better, and the last one is marked final."""
    position = at("tic_tac_toe", "a1 b1")
    found = list(Analyst(position.game).improve(position, nodes=5_000))
    assert [answer.final for answer in found] == [False] * (len(found) - 1) + [True]
    last = found[-1]
    assert (last.basis, last.proven, last.exact, last.reason) == ("proven win in 5 plies", True, True, "")
    winners = [item.winner for item in last.ranked]
    assert winners == sorted(winners, key=lambda winner: (winner != 0, winner == 1))
    few = Analyst(position.game).analyse(position, nodes=20)
    assert few.basis.startswith("sampled from 20 games: more began with it")
    assert not few.exact
    assert few.reason
    assert few.estimate(few.best).endswith("%")
    only = at("tic_tac_toe", "b2 a1 a2 c2 c1 a3 b1 b3")
    assert Analyst(only.game).analyse(only, nodes=5).basis == "proven draw in 1 ply"
    lost = at("tic_tac_toe", "a1 b1 a3")
    assert Analyst(lost.game).analyse(lost, nodes=5_000).basis == "proven loss in 4 plies"


def test_values_of_moves_by_a_search_name_the_best() -> None:
    """Every open move has a score, and none is better than that of the best move."""
    position = at("connect_four", "4 4 3 2 1")
    found = Analyst(position.game).analyse(position, nodes=3_000)
    assert not found.exact
    open_moves = [item for item in found.moves if item.winner is None]
    assert {item.move for item in open_moves} <= set(found.scores)
    assert max(found.scores.values()) == found.scores[found.best.move]
    assert found.ranked[0] == found.best
    assert re.fullmatch(r"[+-]?[\d,]+|wins, it seems|loses, it seems", found.estimate(open_moves[0]))


@pytest.mark.parametrize("text", [THREE, ROUNDS["loses"]], ids=["three players", "repetition loses"])
def test_games_of_every_kind_are_played(text: str) -> None:
    """Games for more than two players and values that depend on history are analysed without blunders."""
    game = dslgame.loads(text)
    analyst = Analyst(game)
    for position in walk(game, 4, 7):
        found = analyst.analyse(position, nodes=200, every=False)
        holds(position, found.best.text)


def test_what_is_not_compiled_is_played_by_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that the compiler cannot translate are played by the interpreter without blunders."""
    position = at("connect_four", "4 4 3")
    analyst = Analyst(position.game)
    monkeypatch.setattr(analyst, "entries", lambda: None)
    found = analyst.analyse(position, nodes=400, every=False)
    assert found.best.text in ("2", "5")
    assert found.basis.startswith("searched to depth") or found.basis.startswith("proven")


def test_a_kernel_that_was_compiled_before_is_not_waited_for() -> None:
    """A kernel from the cache is loaded at once and gives games and depth in the first round."""
    position = at("connect_four", "4 4 3")
    entries = Analyst(position.game).entries()
    assert entries is not None
    length_of_games(entries, position.state, 1)
    analyst = Analyst(position.game)
    assert not analyst.compiled
    *_, last = analyst.improve(position, seconds=0.5, compiling=False, comparing=False)
    assert last.games + last.depth > 0
    assert analyst.compiled


def test_an_answer_need_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `compiling=False`, forced wins and losses are found without waiting for the kernel."""
    position = at("connect_four", "4 4 3")
    monkeypatch.setattr(Analyst, "at_hand", False)
    analyst = Analyst(position.game)
    found = analyst.analyse(position, compiling=False)
    assert not analyst.compiled
    assert {item.text for item in found.moves if item.winner == 0} == {"1", "3", "4", "6", "7"}
    assert found.best.text in ("2", "5")


def test_a_compiled_game_has_values_of_all_moves_from_the_first_answer_on() -> None:
    """All moves have shares by random games from the first answer on, and later a search's scores instead."""
    position = at("connect_four", "")
    analyst = Analyst(position.game)
    assert analyst.entries() is not None
    first, *_, last = analyst.improve(position, seconds=0.5)
    assert set(first.shares) == set(position.legal())
    assert all(0 <= share <= 1 for share in first.shares.values())
    assert first.games > 0
    assert first.line[:1] == (first.best.text,)
    assert not (last.shares and last.scores)


@pytest.mark.slow
def test_the_best_moves_have_lines_by_every_means() -> None:
    """Lines come from random games, from searches to a depth, and from proofs, whose lines lead to the end."""
    position = at("connect_four", "4 4 3")
    analyst = Analyst(position.game)
    analyst.entries()
    analyst.chosen = "alphabeta"
    found = list(analyst.improve(position, seconds=1.0))
    assert found[0].lines[0].games > 0
    last = analyst.analyse(position, seconds=2.0)
    assert [line.judged.text for line in last.lines[:2]] in (["2", "5"], ["5", "2"])
    assert all(line.depth > 5 for line in last.lines[:2])
    assert [line.score is None for line in last.lines][:2] == [False, False]
    lost = last.lines[2]
    assert lost.judged.winner == 1 - position.state.to_move
    here = position
    for text in lost.line:
        here = here.play(text)
    assert (here.over, len(lost.line)) == (True, lost.judged.remoteness)
    assert analyst.analyse(position, seconds=0.3).depth >= last.depth  # it continues and does not begin again


def test_best_lines_have_scores_of_one_search() -> None:
    """The common search replaces a deeper score of a single move, as the two do not compare; a proven line stays."""
    position = at("connect_four", "")
    found = Findings(position, Allowance(1.0, None, strict=False), {}, 0, every=True)
    first, second, third, *_ = position.legal()
    found.see(first, Seen(("1", "4"), 9, 0, 5))
    found.see(second, Seen(("2", "4", "3"), 7))
    for move, text, score in ((first, "1", 2), (second, "2", 4), (third, "3", 1)):
        found.see_together(move, Seen((text, "5"), 6, 0, score))
    assert found.seen[first] == Seen(("1", "5"), 6, 0, 2)
    assert found.seen[second] == Seen(("2", "4", "3"), 7)
    assert found.seen[third].score == 1


def test_best_lines_by_random_games_have_no_scores_of_a_search_before() -> None:
    """Once random games are chosen over alpha-beta, moves are ranked by these, without the old scores."""
    position = at("connect_four", "")
    analyst = Analyst(position.game)
    analyst.entries()
    analyst.chosen = "alphabeta"
    before = analyst.analyse(position, seconds=0.5)
    assert None not in [line.score for line in before.lines]
    analyst.chosen = "mcts"
    found = analyst.analyse(position, seconds=0.5)
    assert found.method == "mcts"
    assert [line.score for line in found.lines] == [None] * 3
    assert all(line.games > 0 for line in found.lines)


def test_the_best_moves_by_random_games_are_those_that_were_tried_most() -> None:
    """Three lines are sorted by visits, and in a game with chance a line ends at a chance node."""
    position = dslgame.load("backgammon").start()
    position = position.play(position.legal()[0])
    while position.by_chance or len(position.legal()) < 3:
        position = position.play(position.legal()[0])
    analyst = Analyst(position.game)
    analyst.analyse(position, seconds=0.1)  # compile first, outside the time measured
    found = analyst.analyse(position, seconds=1.0)
    assert len(found.lines) == 3
    games = [line.games for line in found.lines]
    assert games == sorted(games, reverse=True)
    for line in found.lines:
        here = position
        for text in line.line:
            assert not here.by_chance
            here = here.play(text)


def test_a_match_is_not_waited_for_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `comparing=False` alpha-beta with the game's value is used at once, and the match may follow."""
    position = at("connect_four", "4 4 3")
    analyst = Analyst(position.game)
    monkeypatch.setattr(comparison, "compared", lambda candidates: pytest.fail("a match was played"))
    monkeypatch.setattr(comparison, "compared_before", lambda candidates: None)
    *_, last = analyst.improve(position, seconds=0.5, comparing=False)
    assert last.method == "alphabeta"
    assert analyst.undecided


def test_an_analysis_that_nobody_follows_keeps_no_other_waiting() -> None:
    """An unfinished analysis may be closed on another thread than its own, and the next one begins."""
    game = dslgame.load("reversi")
    analyst, begun = Analyst(game), list[Iterator[Analysis]]()

    def begin() -> None:
        begun.append(analyst.improve(game.start(), seconds=60.0))
        next(begun[0])

    with ThreadPoolExecutor() as threads:
        threads.submit(begin).result()
        begun.pop().close()  # type: ignore[attr-defined]  # it is a generator
        assert threads.submit(analyst.analyse, game.start(), nodes=10).result().final


def test_an_analysis_ends_where_another_one_begins() -> None:
    """The first one gives a last answer, by what it has found."""
    game = dslgame.load("reversi")
    analyst = Analyst(game)
    first = analyst.improve(game.start(), seconds=60.0)
    assert not next(first).final
    second = analyst.analyse(game.start().play("d3"), nodes=10)
    (last,) = first
    assert last.final
    assert {item.text for item in last.moves} == set(game.start().moves())
    assert {item.text for item in second.moves} == set(game.start().play("d3").moves())


def test_moves_have_what_random_games_say_where_chance_has_a_part() -> None:
    """In a game with chance all moves have shares by random games, and the answer says so."""
    position = dslgame.load("einstein").start()
    chance = random.Random(3)
    while position.by_chance or len(position.legal()) < 3:
        position = position.play(chance.choice(position.legal()))
    found = Analyst(position.game).analyse(position, seconds=1.0)
    assert set(found.shares) == set(position.legal())
    assert found.basis.startswith("sampled from")
    assert found.reason == "chance has a part in what a move is worth"


def test_small_games_are_solved_without_a_kernel() -> None:
    """Small games are enumerated by the interpreter, and no kernel is compiled."""
    position = at("tic_tac_toe", "")
    analyst = Analyst(position.game)
    found = analyst.analyse(position, nodes=2_000, every=False)
    assert (found.proven, found.best.winner, analyst.compiled) == (True, DRAW, False)
    assert analyst.analyse(position.play("b2"), seconds=0.01).exact  # from the enumerated positions


def test_limits_must_have_a_sense() -> None:
    """Invalid limits and finished games raise ValueError."""
    position = at("tic_tac_toe", "")
    analyst = Analyst(position.game)
    with pytest.raises(ValueError, match="the limit seconds is 0"):
        analyst.analyse(position, seconds=0.0)
    with pytest.raises(ValueError, match="the limit nodes is -1"):
        analyst.analyse(position, nodes=-1)
    with pytest.raises(ValueError, match="the game is over"):
        analyst.analyse(at("tic_tac_toe", "a1 b1 a2 b2 a3"), nodes=5)


def test_a_solver_by_positions_has_a_ceiling_on_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """An analysis by nodes is cut off at its ceiling and says so; `seconds` sets another time or none."""
    game = dslgame.load("connect_four")
    position = game.start()
    assert game_limit(game, "solver nodes=9").ceiling == CEILING
    assert game_limit(game, "solver nodes=9 seconds=none").ceiling is None
    found = Analyst(game).analyse(position, nodes=1 << 40, ceiling=0.05, every=False)
    assert found.best.text in position.moves()
    assert found.basis.endswith(", cut off after 0.05 s")
    assert found.reason == "the time was over after 0.05 s; seconds=N sets another time, seconds=none lifts it"


def game_limit(game: Game, level: str) -> Limit:
    """The limit of a solver's level."""
    player = dslgame.player(game, level)
    assert isinstance(player, SolvingPlayer)
    return player.limit


@pytest.mark.parametrize(("level", "strict"), [("solver", False), ("solver seconds=2", True),
                                               ("solver seconds=1.9", True), ("solver nodes=9", True)])
def test_a_limit_is_strict_where_it_is_given(level: str, strict: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit of as many seconds as the default one is strict as well."""
    game, seen = dslgame.load("tic_tac_toe"), list[bool]()

    def analyse(self: Analyst, position: Position, **named: Any) -> Analysis:
        seen.append(named["strict"])
        return whole(self, position, nodes=1)

    whole = Analyst.analyse
    monkeypatch.setattr(Analyst, "analyse", analyse)
    dslgame.player(game, level).choose(game.start())
    assert seen == [strict]


def test_the_level_solver_has_limits() -> None:
    """The level has seconds and nodes as limits, and the same seed gives the same move."""
    game = dslgame.load("tic_tac_toe")
    assert str(Level.of("solver seconds=3 nodes=50")) == "solver nodes=50 seconds=3"
    player = dslgame.player(game, "solver seconds=3")
    assert isinstance(player, SolvingPlayer)
    assert player.limit.seconds == 3
    texts = {dslgame.player(game, "solver nodes=30", seed=5).choose(game.start()).text for _ in range(3)}
    assert len(texts) == 1


def judged(method: Basis, shares: Mapping[Move, float], winner: int | None = None) -> Analysis:
    """An answer about two moves, the first of which is the best."""
    one, other = Judged(Move(0, (0,)), "a1", winner, None), Judged(Move(0, (1,)), "b1", None, None)
    return Analysis(0, (one, other), one, method, 4, 1_200, 5_000, {}, shares, (), "")


def test_a_best_move_says_by_which_measure_it_is_best() -> None:
    """By games, the move that most of them began with is the best; one that won a higher share of fewer is named."""
    first, second = Move(0, (0,)), Move(0, (1,))
    by_games = judged("mcts", {first: 0.48, second: 0.51})
    assert by_games.measure == "games"
    assert by_games.basis == ("sampled from 1,200 games: more began with it than with any other; b1 won 51% of fewer")
    assert judged("mcts", {first: 0.51, second: 0.48}).basis == "sampled from 1,200 games"
    assert judged("mcts", {first: 0.482, second: 0.484}).basis == "sampled from 1,200 games"  # shown alike
    assert judged("alphabeta", {first: 0.48, second: 0.51}).measure == "value"
    assert judged("glance", {first: 0.51, second: 0.48}).measure == "share"
    assert judged("glance", {}).measure == "nothing"
    assert judged("mcts", {second: 0.9}, winner=0).measure == "proof"
