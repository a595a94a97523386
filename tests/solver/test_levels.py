"""Levels of play: searches find what plain minimax finds, players keep to their limits, and a seed fixes the game."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path
from typing import cast

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from dslgame import bundled
from dslgame.programs.builtin import Builtin
from dslgame.programs.referee import Clock, play
from interpreter.errors import RuleError
from interpreter.game import Game, Position
from interpreter.model.state import DRAW, Move, State
from interpreter.patterns.matching import Book
from solver.entries import Entries
from solver.players import iterative_deepening, limits, matches
from solver.players.allowance import CEILING
from solver.players.choice import Choice
from solver.players.iterative_deepening import PLIES_BEFORE_SWAP, Choosing, Deepening
from solver.players.kinds import KINDS, SECONDS
from solver.players.levels import OPTIONS, Level
from solver.players.limits import Limit
from solver.players.matches import balanced_openings, play_match, random_openings
from solver.players.mcts import MctsOptions, MonteCarloSearch

WIN = 1 << 40

RACE = """
game "Race"
players X, O
board square(3, 3)
pieces x of X, o of O

move place(c in empty):
    c := own

turn again when count(mine) = 1
win mover when line(mine, 3)
draw when no empty
value count(neighbours(mine) and empty) - count(theirs)
"""
"""The first player moves twice in a row; the heuristic value is not symmetric between the players."""

ROUND = """
game "Round"
players X, O
board square(2, 3)
pieces x of X, o of O
start:
    "a1" := x
    "c2" := o

move go(c in mine, d in neighbours(c) and empty):
    c := empty
    d := own

win mover when line(mine, 2) or count(mine) = 0
repetition draws
no moves loses
value count(neighbours(mine) and empty) - 2 * count(neighbours(theirs) and top)
"""
"""Positions repeat."""


def minimax(game: Game, state: State, depth: int, ply: int = 0, seen: tuple[State, ...] = ()) -> int:
    """The score for the player to move by plain minimax to a depth."""
    best = -2 * WIN
    for _, after in game.engine.successors(state):
        if after.outcome is not None:
            score = 0 if after.outcome == DRAW else WIN - ply - 1 if after.outcome == state.to_move else ply + 1 - WIN
        elif after == state or after in seen:
            score = 0
        else:
            score = game.heuristic(after) if depth == 1 else minimax(game, after, depth - 1, ply + 1, (*seen, state))
            score = score if after.to_move == state.to_move else -score
        best = max(best, score)
    return best


def walk(game: Game, seed: int, plies: int) -> list[Position]:
    """The positions of a random game, without a terminal one."""
    chance, position, found = random.Random(seed), game.start(), []
    for _ in range(plies):
        if position.over:
            break
        found.append(position)
        position = position.play(chance.choice(position.legal()))
    return found


def check(game: Game, depths: tuple[int, ...], seeds: tuple[int, ...], plies: int) -> None:
    """Compare alpha-beta with minimax on positions of random games, at several depths."""
    search = Deepening(Entries.of(game), table_mib=1)
    for seed in seeds:
        for position in walk(game, seed, plies):
            for depth in depths:
                search.forget()
                found = search.search(position.state, Limit(plies=depth), seed=seed)
                expected = minimax(game, position.state, depth)
                assert found.score == expected, (position.played, depth)
                after = game.engine.apply(position.state, found.move)
                assert after is not None
                assert found.report.line[0] == game.notation.write(position.state, found.move)


def test_alpha_beta_finds_what_minimax_finds() -> None:
    """Alpha-beta equals minimax with extra turns, an asymmetric value, and wins and draws within the horizon."""
    check(dslgame.loads(RACE), (1, 2, 3), (1,), 6)


@pytest.mark.parametrize("name", ["connect_four", "breakthrough"])
def test_a_table_of_fingerprints_is_as_good_as_one_of_positions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While there is room for all entries, both tables give the same nodes, scores and lines."""
    game = dslgame.load(name)

    def searched() -> list[tuple[int, int, tuple[str, ...]]]:
        search = Deepening(Entries.of(game))
        found = [search.search(position.state, Limit(plies=5)) for position in walk(game, 5, 6)]
        return [(result.report.nodes, result.score, result.report.line) for result in found]

    whole = searched()
    monkeypatch.setattr(iterative_deepening, "LONG", 0)
    assert searched() == whole


@pytest.mark.slow
def test_alpha_beta_sees_repetitions_as_minimax_does() -> None:
    """The score of a position that depends on the path to it is not reused on another path."""
    check(dslgame.loads(ROUND), (1, 2, 3, 4, 5, 6), (1, 2, 3), 6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params", "depths"), [
    ("hexplode", {"side": 2}, (1, 2, 3, 4)), ("nex", {"rows": 2, "columns": 3}, (1, 2, 3)),
    ("dots_and_boxes", {"rows": 2, "columns": 2}, (1, 2, 3, 4)), ("trax", {"line": 3}, (1,)),
    ("chain_reaction", {"rows": 2, "columns": 3}, (1, 2, 3, 4, 5)), ("reversi", {}, (1, 2)),
    ("twixt", {"rows": 5, "columns": 5, "swap": 1}, (1, 2)),
])
def test_alpha_beta_finds_what_minimax_finds_in_bundled_games(name: str, params: dict[str, int],
                                                              depths: tuple[int, ...]) -> None:
    """The games have forced moves, illegal moves that are taken back, passes and swapped sides."""
    check(dslgame.load(name, **params), depths, (1, 2), 12)


def test_searches_solve_a_small_game() -> None:
    """Both searches prove the values of small positions, and report it."""
    game = dslgame.load("tic_tac_toe")
    entries = Entries.of(game)
    state = game.start().play("b2").play("b1").state
    for search in (Deepening(entries), MonteCarloSearch(entries)):
        found = search.search(state, Limit(nodes=200_000))
        assert found.winner == 0
        assert game.notation.write(state, found.move) in ("a1", "a2", "a3", "c1", "c2", "c3")
    full = Deepening(entries).search(game.start().state, Limit(plies=9))
    assert (full.winner, full.score, len(full.report.depths)) == (-1, 0, 9)
    assert full.report.branching is not None
    rows = dict(full.report.rows())
    assert rows["method"] == "alphabeta"
    assert int(rows["nodes"].split()[0].replace(",", "")) == sum(deepened.nodes for deepened in full.report.depths)
    assert cast("dict[str, int]", full.report.as_object()["table"])["used"] > 0


def test_limits_are_kept_and_seeds_fix_the_game() -> None:
    """Searches keep to their limit of nodes, and the same seed plays the same game."""
    game = dslgame.load("tic_tac_toe")
    for text in ("alphabeta nodes=50", "mcts nodes=50", "random", "solver nodes=20"):
        games = []
        for seed in (1, 1, 2):
            player, position, played = Level.of(text).player(game, seed=seed), game.start(), []
            while not position.over:
                choice = player.choose(position)
                if choice.report is not None:
                    assert (choice.report.leaves or 0) <= 50
                position = position.play(choice.move)
                played.append(choice.text)
            games.append(played)
        assert games[0] == games[1]


def test_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search uses the time that it is given, and ends at the first look at the clock after that."""
    readings: list[float] = []

    def ticking(_: Limit) -> float:
        readings.append(len(readings) / 1000)
        return readings[-1]

    monkeypatch.setattr(Limit, "now", ticking)
    game = dslgame.load("tic_tac_toe")
    found = MonteCarloSearch(Entries.of(game)).search(game.start().state, Limit(seconds=0.05, begun=1.0))
    assert found.report.nodes > 1
    assert 0.05 <= readings[-1] - readings[0] < 0.06


def test_a_depth_that_ended_midway_makes_no_move_that_loses() -> None:
    """Where only the moves that lose were searched before the limit, another is made."""
    game, met = dslgame.load("connect_four"), 0
    search = Deepening(Entries.of(game), table_mib=1)
    for seed in range(30):
        position, chance = game.start(), random.Random(seed)
        while len(position.played) < 14 and not position.over:
            position = position.play(chance.choice(position.legal()))
        for nodes in range(20, 200, 7) if not position.over else ():
            search.forget()
            found = search.search(position.state, Limit(nodes=nodes))
            last = found.report.depths[-1]
            if found.report.whole or not last.score.startswith("loses") or last.depth == 1:
                continue
            before = found.report.depths[-2]
            if before.score.startswith("loses"):
                continue
            met += 1
            assert game.notation.write(position.state, found.move) != last.line[0]
            assert found.move in position.legal()
            assert found.winner is None
    assert met > 10


@pytest.mark.slow
def test_forbidden_repetition_is_not_played() -> None:
    """A player whose rules forbid repetition chooses legal moves only."""
    game = dslgame.loads(ROUND.replace("repetition draws", "repetition forbidden"))
    for text in ("alphabeta plies=3", "mcts nodes=100"):
        player, position = Level.of(text).player(game, seed=1), game.start()
        for _ in range(20):
            if position.over:
                break
            position = position.play(player.choose(position).move)


@pytest.mark.parametrize(("text", "expected"), [
    ("", "expected a level such as"), ("alphabet", "did you mean 'alphabeta'"), ("random plies=1", "it has no limits"),
    ("alphabeta plies=x", "expected a number"), ("alphabeta plies=1 plies=2", "given twice"),
    ("mcts seconds=-1", "expected more than 0"), ("mcts seconds=inf", "expected a number, as in seconds=4"),
    ("mcts minimax=nan", "expected a number"), ("alphabeta nodes=99999999999999999999", "expected at most 1e.15"),
    ("patterns moves=some", "expected moves=proposed or moves=all"), ("patterns file=", "expected a name"),
    ("mcts seconds=none", "leaves no limit"), ("patterns width=0", "expected more than 0"),
    ("alphabeta width=3",
     "cpu=N, trained=FILE, endgames=FILE, late=N, probcut=measured, clock=N, threads=N or ponder=yes"),
    ("alphabeta probcut=yes", "found 'probcut=yes', expected probcut=measured, probcut=none or a share below 0.5"),
    ("alphabeta probcut=0.5", "found 'probcut=0.5', expected probcut=measured"),
    ("expectimax star=3", "found 'star=3', expected at most 2"),
    ("mcts widening=5", "found 'widening=5' in 'mcts widening=5', which has no effect without rave or minimax"),
    ("mcts trained=my.trained rave=5", "which has no effect without minimax or playout"),
    ("patterns moves=all width=9", "found both 'moves=all' and 'width=9'"),
    ("puct moves=all file=my.pattern", "found both 'moves=all' and 'file=my.pattern'"),
])
def test_level_that_means_nothing_is_refused(text: str, expected: str) -> None:
    """A malformed level is refused with what is wrong."""
    with pytest.raises(ValueError, match=expected):
        Level.of(text)


def test_searches_by_plies_have_a_ceiling_on_their_time() -> None:
    """Levels by plies or nodes have a ceiling on their time unless `seconds` is given; others have a time."""
    assert Level.of("alphabeta plies=8").limit == Limit(plies=8, ceiling=CEILING)
    assert Level.of("mcts nodes=9").limit == Limit(nodes=9, ceiling=CEILING)
    assert str(Level.of("mcts rave=9 exploring=0.05 nodes=9")) == "mcts nodes=9 exploring=0.05 rave=9"
    assert Level.of("alphabeta plies=8 seconds=120").limit == Limit(plies=8, seconds=120)
    assert Level.of("patterns plies=8 seconds=none").limit == Limit(plies=8)
    assert Level.of("alphabeta").limit == Limit(seconds=SECONDS)


class _Hours:
    """A clock that advances by an hour at every look."""

    now = 0.0

    def perf_counter(self) -> float:
        """The time, in seconds."""
        self.now += 3600
        return self.now


@pytest.mark.parametrize("text", ["alphabeta plies=9", "mcts nodes=1000000000"])
def test_ceiling_ends_a_search_which_says_where(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A search cut off at its ceiling returns a legal move and says where; one that ends by itself says nothing."""
    game = dslgame.load("connect_four")
    player, position = Level.of(text).player(game), game.start()
    monkeypatch.setattr(limits, "time", _Hours())
    choice = player.choose(position)
    assert choice.text in position.moves()
    assert choice.report is not None
    assert re.fullmatch(r"after 30 s, (in depth [1-9] of 9|at [\d,]+ of 1,000,000,000 games)", choice.report.cut)
    assert choice.reason.startswith(f"the search was cut off {choice.report.cut}")
    assert ("cut off", choice.report.cut) in choice.report.rows()
    monkeypatch.undo()
    whole = Level.of("alphabeta plies=2").player(game).choose(position)
    assert (whole.reason, whole.report and whole.report.cut) == ("", "")


def test_match_records_searches_that_were_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The match notes searches that were cut off, as a faster machine may play such a game otherwise."""
    game = dslgame.load("connect_four")
    players = (Builtin("deep", game, Level.of("alphabeta plies=9")), Builtin("r", game, Level.of("random")))
    monkeypatch.setattr(limits, "time", _Hours())
    played = play(game, players, (), Clock(None, None), seeds=(1, 2), longest=4)
    (note,) = played.notes
    assert re.fullmatch(r"deep \((Red|Yellow)\): 2 searches were cut off, the first after 30 s, in depth \d of 9; .*",
                        note)


def test_level_is_written_as_it_is_read() -> None:
    for text in ("random", "solver nodes=5", "alphabeta plies=4 nodes=7 seconds=0.5", "mcts nodes=9",
                 "patterns plies=5 width=12", "alphabeta plies=4 seconds=none",
                 "patterns nodes=7 moves=all file=my.pattern", "alphabeta plies=1234567",
                 "alphabeta seconds=1.23456789", "alphabeta nodes=9 probcut=0.25", "mcts seconds=2 minimax=1"):
        assert str(Level.of(text)) == text


@pytest.mark.parametrize("text", ["mcts widening=5 rave=9", "mcts widening=5 minimax=0.5", "mcts trained=none",
                                  "mcts trained=my.trained playout=4", "patterns moves=all file=my.pattern",
                                  "patterns moves=proposed width=9", "puct moves=proposed file=my.pattern"])
def test_options_that_have_an_effect_together_are_accepted(text: str) -> None:
    """An option is accepted beside one that it needs, or where it only turns something off."""
    assert Level.of(text).given.keys() >= {word.partition("=")[0] for word in text.split()[1:]}


def test_every_option_is_one_of_a_level() -> None:
    """The kinds of players name the options that there are, and no others."""
    assert {option for kind in KINDS.values() for option in kind.limits} == set(OPTIONS)


def test_margins_are_refused_where_positions_have_no_value() -> None:
    """`probcut` needs a value, the game's or a learned one."""
    game = dslgame.load("domineering")
    with pytest.raises(ValueError, match="probcut goes by the game's 'value'; Domineering has none"):
        Level.of("alphabeta nodes=9 probcut=measured").player(game)


def test_searches_say_what_they_cannot_play() -> None:
    """Searches refuse a position that is over."""
    game = dslgame.load("tic_tac_toe")
    over = game.start().play("a1").play("b1").play("a2").play("b2").play("a3")
    with pytest.raises(ValueError, match="over"):
        Deepening(Entries.of(game), table_mib=1).search(over.state, Limit(plies=1))
    with pytest.raises(ValueError, match="over"):
        MonteCarloSearch(Entries.of(game), nodes=100).search(over.state, Limit(nodes=1))




def test_match_counts_what_was_played() -> None:
    """Openings are played from both sides, and the interval contains the score."""
    game = dslgame.load("tic_tac_toe")
    openings = random_openings(game, 2, 1, seed=1)
    assert len({*openings}) == 2
    good, bad = Level.of("alphabeta plies=9").player(game), Level.of("random").player(game, seed=1)
    match = play_match(game, good, bad, 8, openings=openings)
    assert match.losses == 0
    assert match.wins + match.draws == len(match.games) == 8
    low, high = match.interval
    assert low < match.score <= high <= 1
    assert match.text.startswith(f"{match.wins}-{match.draws}-0 of 8 (won-drawn-lost), score ")
    assert [played.first for played in match.games] == [True, False] * 4
    assert all(played.moves[:1] == played.opening for played in match.games)


# ---- patterns

LINE_UP = """
patterns for "Tic-Tac-Toe"

offensive "third" priority 9 at any cell:
    own (1, 0), (2, 0)
    play (0, 0)

defensive "stop the third" priority 5 at any cell:
    enemy (1, 0), (2, 0)
    play (0, 0)
"""


def with_patterns(game: Game, text: str, which: str, width: int | None = None) -> Deepening:
    """A search whose moves are chosen with the help of patterns."""
    book = Book.of(Source("own.pattern", text), game)
    return Deepening(Entries.of(game, patterns=book), table_mib=1, choosing=Choosing(which, width))


def test_all_moves_with_the_proposed_ones_first_are_all_moves() -> None:
    """With all moves searched, the proposed ones first, the score is that of plain minimax at every depth."""
    game = dslgame.load("tic_tac_toe")
    search = with_patterns(game, LINE_UP, "proposed first")
    for position in walk(game, 3, 7):
        for depth in (1, 2, 4):
            search.forget()
            found = search.search(position.state, Limit(plies=depth), history=position.history)
            assert found.score == minimax(game, position.state, depth)


def test_only_proposed_moves_are_looked_at() -> None:
    """Only proposed moves are searched, but all where none is proposed and where every proposed move loses."""
    game = dslgame.load("tic_tac_toe")
    search = with_patterns(game, LINE_UP, "proposed")
    must = game.start().play("a1").play("c3").play("b1")
    found = search.search(must.state, Limit(plies=1), history=must.history)
    assert (game.notation.write(must.state, found.move), found.report.nodes) == ("c1", 1)
    start = game.start()
    assert search.search(start.state, Limit(plies=1)).report.nodes == 9
    right, _, rest = LINE_UP.rpartition("play (0, 0)")
    wrong = with_patterns(game, f"{right}play (0, 1){rest}", "proposed")
    found = wrong.search(must.state, Limit(plies=2), history=must.history)
    assert game.notation.write(must.state, found.move) == "c1"
    assert found.winner is None
    some = with_patterns(game, LINE_UP, "by chance", 3)
    assert some.search(start.state, Limit(plies=1), seed=4).report.nodes == 3


def test_swapping_sides_is_a_candidate() -> None:
    """A first move in the centre is answered by swapping, so the first player does not play there."""
    game = dslgame.load("pie_hex", size=5)
    book = Book.of(Source("own.pattern", 'patterns\nanchor any cell\noffensive "x":\n    play (0, 0)\n'), game)
    search = Deepening(Entries.of(game, patterns=book), table_mib=1, choosing=Choosing("proposed", 30))
    middle = game.start().play("c3")
    found = search.search(middle.state, Limit(plies=3), history=middle.history)
    assert game.notation.write(middle.state, found.move) == "swap"
    first = search.search(game.start().state, Limit(plies=5))
    assert game.notation.write(game.start().state, first.move) != "c3"
    assert len(first.report.depths) <= PLIES_BEFORE_SWAP


def test_patterns_play_by_their_level(tmp_path: Path) -> None:
    """Bundled patterns are found by the game's title, others are named; missing ones raise an error."""
    game = dslgame.load("connect_four", rows=4, columns=4)
    choice = dslgame.player(game, "patterns plies=2").choose(game.start())
    assert choice.text in ("2", "3")
    with pytest.raises(ValueError, match="no patterns come with Nim"):
        dslgame.player(dslgame.load("nim"), "patterns plies=2")
    with pytest.raises(ValueError, match=r"none\.pattern: "):
        dslgame.player(game, f"patterns file={tmp_path / 'none.pattern'}")
    path = tmp_path / "own.pattern"
    path.write_text("Off 1\nSet 1\n", encoding="utf-8")
    with pytest.raises(GameFileError):
        dslgame.player(game, f"patterns file={path}")


class _Last:
    """Makes the last move in the list of legal moves."""

    def choose(self, position: Position) -> Choice:
        """The last move."""
        move = position.legal()[-1]
        return Choice(move, position.game.notation.write(position.state, move))


def test_in_a_match_chance_makes_its_own_moves() -> None:
    """Chance moves by its probabilities, the same in both games of an opening, and in openings too."""
    game = dslgame.load("pig", goal=20)
    match, again = (play_match(game, _Last(), _Last(), 8) for _ in range(2))
    throws = [[text for text in played.moves if text.isdigit()] for played in match.games]
    assert len({text for thrown in throws for text in thrown}) > 2
    assert [played.moves for played in match.games] == [played.moves for played in again.games]
    assert throws[0] == throws[1] != throws[2]
    openings = random_openings(game, 6, 2)
    assert {opening[0] for opening in openings} == {"roll"}
    assert all(opening[1].isdigit() for opening in openings)


@pytest.mark.parametrize(("name", "params"), [("hex", {"size": 3}), ("tic_tac_toe", {})])
def test_late_moves_reduced_still_prove_what_they_tell(name: str, params: dict[str, int]) -> None:
    """A winner reported with late move reductions is confirmed by the search without them."""
    game = dslgame.load(name, **params)
    late, whole = (Level.of(text).player(game) for text in ("alphabeta plies=8 late=1", "alphabeta plies=16"))
    told = 0
    for opening in random_openings(game, 30, 3, seed=5):
        position = game.start()
        for move in opening:
            position = position.play(move)
        one, other = late.choose(position), whole.choose(position)
        if one.winner is not None and one.winner >= 0:
            assert one.winner == other.winner, opening
            told += 1
    assert told > 5


def test_late_moves_reduced_search_less() -> None:
    game = dslgame.load("breakthrough", rows=6, columns=6)
    nodes = []
    for text in ("alphabeta plies=6 late=4", "alphabeta plies=6"):
        found = Level.of(text).player(game).choose(game.start())
        assert found.report is not None
        nodes.append(found.report.nodes)
    assert 2 * nodes[0] < nodes[1]


@pytest.mark.slow
def test_balanced_openings_are_found_where_there_are_thousands_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Amazons has thousands of moves, so that four plies would take hours without a limit of nodes."""
    monkeypatch.setattr(matches, "BALANCED_NODES", 500)
    assert len(balanced_openings(dslgame.load("amazons"), 2, 2)) == 2


def test_balanced_openings_are_won_by_nobody_soon() -> None:
    game = dslgame.load("trax")
    search = Level.of("alphabeta plies=4").player(game)
    seen = {}
    for kind in (random_openings, balanced_openings):
        openings = kind(game, 8, 3, 5)
        assert len(openings) == 8
        winners = []
        for opening in openings:
            position = game.start()
            for move in opening:
                position = position.play(move)
            winners.append(search.choose(position).winner)
        seen[kind] = sum(winner is not None for winner in winners)
    assert seen[balanced_openings] == 0 < seen[random_openings]


def test_balanced_openings_are_those_whose_scores_are_nearest_to_nothing() -> None:
    """The scores are means of minimax to two plies and to one, as whoever moved last looks better; the best of three
    random openings is taken."""
    game = dslgame.load("nex", rows=4, columns=4)
    scores = {}
    openings = random_openings(game, 18, 3, 7)
    for opening in openings:
        position = game.start()
        for move in opening:
            position = position.play(move)
        deep, shallow = (minimax(game, position.state, depth) for depth in (2, 1))
        scores[opening] = math.inf if max(abs(deep), abs(shallow)) >= WIN // 2 else abs(deep + shallow)
    best = [min(openings[at : at + 3], key=lambda opening: scores[opening]) for at in range(0, 18, 3)]
    assert balanced_openings(game, 6, 3, 7, depth=2) == best
    assert max(scores[opening] for opening in best) < max(scores.values())


@pytest.mark.parametrize(("name", "params", "plies"), [
    ("hex", {"size": 3}, 1), ("tic_tac_toe", {}, 2), ("connect_four", {"rows": 4, "columns": 4}, 3),
])
def test_openings_of_a_longer_match_begin_with_those_of_a_shorter(name: str, params: dict[str, int],
                                                                  plies: int) -> None:
    """So that a match that is logged can be extended, also where there are fewer openings than wanted."""
    game = dslgame.load(name, **params)
    for openings in (random_openings, balanced_openings):
        longest = openings(game, 12, plies, 3)
        assert [openings(game, count, plies, 3) for count in range(1, 12)] == \
            [longest[:count] for count in range(1, 12)]


def test_a_depth_that_was_ended_midway_proves_no_loss() -> None:
    """An unfinished iteration proves no loss, as moves were left unsearched; a winning move in it is proof enough."""
    game = dslgame.load("breakthrough", rows=5, columns=5)
    cut = 0
    for position in walk(game, 3, 30):
        whole = Deepening(Entries.of(game), table_mib=1).search(position.state, Limit(plies=4))
        for nodes in range(50, 1_500, 50):
            found = Deepening(Entries.of(game), table_mib=1).search(position.state, Limit(plies=4, nodes=nodes))
            if found.winner is not None:
                assert found.winner == whole.winner, (position.played, nodes)
            last = found.report.depths[-1]
            cut += last.score.startswith("loses") and not last.whole
    assert cut > 0


def test_others_are_looked_at_where_what_patterns_propose_is_left_out() -> None:
    """With the proposed moves excluded as losing, the search still finds another best move each time."""
    game = dslgame.load("hex", size=5)
    source = bundled.patterns_of(game)
    assert source is not None
    search = Deepening(Entries.of(game, patterns=Book.of(source, game)), choosing=Choosing("proposed", 16))
    found: list[Move] = []
    for _ in range(4):
        found.append(search.search(game.start().state, Limit(plies=2), losing=found).move)
    assert len(set(found)) == 4


UNBOUNDED = """
game "Far"
players X, O
board unbounded square(6)
pieces x of X, o of O

define near = neighbours(occupied) - occupied if some occupied else origin

move place(c in near):
    c := own

win mover when count(occupied) = 40
value count(mine) - count(theirs)
"""
"""Stones in a row outgrow the window after six plies or more."""


@pytest.mark.parametrize("options", [MctsOptions(), MctsOptions(rave=100), MctsOptions(minimax=0.5)])
def test_random_games_that_outgrow_the_window_count_as_drawn(options: MctsOptions) -> None:
    """Nearly all random games outgrow the window here, as 40 stones are placed side by side in a window of 6."""
    game = Game.of(Source("far.game", UNBOUNDED))
    found = MonteCarloSearch(Entries.of(game), options=options).search(game.start().state, Limit(nodes=3_000))
    assert game.engine.apply(game.start().state, found.move) is not None
    assert found.winner is None
    assert found.score == 500


def test_moves_that_outgrow_the_window_are_not_made() -> None:
    """A move that outgrows the window is made only if all do, which raises G411; deeper ones count as draws."""
    game = Game.of(Source("far.game", UNBOUNDED))
    searches = (Deepening(Entries.of(game), table_mib=1), MonteCarloSearch(Entries.of(game)),
                MonteCarloSearch(Entries.of(game), options=MctsOptions(minimax=0.5)))
    met = 0
    for seed in range(12):
        position, chance = game.start(), random.Random(seed)
        while True:
            inside = [after for move in position.moves() if (after := played_inside(position, move)) is not None]
            for search in searches:
                if not inside:
                    with pytest.raises(RuleError, match="G411"):
                        search.search(position.state, Limit(nodes=500))
                else:
                    found = search.search(position.state, Limit(nodes=500), history=position.history)
                    assert found.winner is None
                    assert played_inside(position, found.report.line[0]) is not None
            if not inside or len(position.played) == 20:
                break
            if len(inside) < len(position.moves()):
                met += 1
                but_one = [position.find(after.played[-1]) for after in inside[1:]]
                for search in searches:
                    found = search.search(position.state, Limit(nodes=100), losing=but_one)
                    assert found.move == position.find(inside[0].played[-1])
            position = chance.choice(inside)
    assert met > 3


def played_inside(position: Position, move: str) -> Position | None:
    """The position after a move, or None if it outgrows the window."""
    try:
        return position.play(move)
    except RuleError as problem:
        if problem.is_limit:
            return None
        raise
