"""Several threads in one search: sound proofs, consistent shared data, limits that hold, and threads that end."""

from __future__ import annotations

import random
import signal
import threading
import time
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import dslgame
from dslgame import bundled
from dslgame.programs.builtin import Builtin
from dslgame.programs.referee import Clock, play
from interpreter.game import Game, Position
from interpreter.kernel.plain import STEP
from solver.entries import Entries
from solver.interruptions import deferred
from solver.native import functions, mcts, runtime, shared_tree
from solver.native import mcts_state as native
from solver.players.connecting import ConnectingSearch
from solver.players.found import Found
from solver.players.iterative_deepening import Deepening
from solver.players.kinds import KINDS
from solver.players.level_players import SearchingPlayer
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.mcts import MctsOptions, MonteCarloSearch
from solver.players.pondering import Pondering
from solver.players.side_threads import NAME, SideThread, wait_for
from solver.players.tree_threads import TreeThreads
from solver.report import Report
from solver.seeds import seed_of
from tests.interruption import ctrl_c, interruption

THREADS = 4
GAMES = [("connect_four", {"columns": 5, "rows": 4}), ("tic_tac_toe", {}), ("hex", {"size": 4}), ("kalah", {}),
         ("nine_mens_morris", {}), ("breakthrough", {"rows": 5, "columns": 5})]
MONTE_CARLO = [("connect_four", {}, {}), ("hex", {"size": 5}, {"rave": 100}), ("kalah", {}, {"widening": 2}),
               ("amazons", {}, {"minimax": 0.4, "widening": 8, "playout": 10}), ("pig", {}, {}),
               ("nine_mens_morris", {}, {})]


def threads_alive() -> int:
    """The number of search threads that are alive."""
    return sum(thread.name == NAME for thread in threading.enumerate())


def some_position(name: str, params: dict[str, int], plies: int, seed: int) -> Position:
    """A position after a number of random moves that did not end the game."""
    chance, game = random.Random(seed), dslgame.load(name, **params)
    while True:
        position = game.start()
        for _ in range(plies):
            position = position.play(chance.choice(position.legal()))
            if position.over:
                break
        else:
            return position


@pytest.mark.parametrize(("name", "params"), GAMES, ids=str)
def test_alphabeta_finds_what_one_thread_finds(name: str, params: dict[str, int]) -> None:
    """Several threads find the same winner and remoteness as one thread, and the same score of a decided position."""
    entries = Entries.of(dslgame.load(name, **params))
    one, several = Deepening(entries, table_mib=1), Deepening(entries, table_mib=1, threads=THREADS)
    for seed in range(6):
        position = some_position(name, params, 5, seed)
        limit = Limit(plies=6)
        one.forget()
        several.forget()
        expected = one.search(position.state, limit, history=position.history)
        found = several.search(position.state, limit, history=position.history)
        assert (found.winner, found.remoteness) == (expected.winner, expected.remoteness)
        assert found.move in position.legal()
        assert found.report.whole
        if expected.winner is not None:
            assert found.score == expected.score


def test_the_deepest_search_of_all_is_taken() -> None:
    """The report tells the deepest completed iteration and the nodes of all threads."""
    position = some_position("connect_four", {}, 4, 1)
    entries = Entries.of(position.game)
    one, several = Deepening(entries), Deepening(entries, threads=THREADS)
    depths = [search.search(position.state, Limit(nodes=nodes)).report for search, nodes in (
        (one, 200_000), (several, THREADS * 200_000))]
    assert depths[1].depth >= depths[0].depth
    assert [depth.depth for depth in depths[1].depths] == sorted({depth.depth for depth in depths[1].depths})
    assert 200_000 < depths[1].nodes <= THREADS * 200_000 + THREADS


@pytest.mark.parametrize("level", ["alphabeta", "mcts", "mcts rave=50", "connecting", "patterns"])
def test_nodes_are_those_of_all_threads(level: str) -> None:
    """The limit of nodes holds for all threads together, and no thread runs on afterwards."""
    game = dslgame.load("hex", size=9)
    before = threads_alive()
    choice = Level.of(f"{level} nodes=400 threads={THREADS}").player(
        game, patterns=bundled.patterns_of).choose(game.start())
    assert choice.report is not None
    looked = choice.report.nodes if level in ("alphabeta", "patterns") else choice.report.leaves
    assert 400 // THREADS <= (looked or 0) <= 400 + THREADS
    assert threads_alive() == before
    assert choice.text in game.start().moves()


@pytest.mark.parametrize(("name", "params", "options"), MONTE_CARLO, ids=str)
def test_a_tree_of_several_threads_is_whole(name: str, params: dict[str, int], options: dict[str, Any]) -> None:
    """No node is a child of two others or of itself, and visits and points are consistent."""
    game = dslgame.load(name, **params)
    search = MonteCarloSearch(Entries.of(game), options=MctsOptions(**options), nodes=1 << 18, threads=THREADS)
    position = game.start()
    for _ in range(3):
        result = search.search(position.state, Limit(nodes=20_000), history=position.history, seed=3)
        assert result.move in position.legal()
        check_tree(search)
        position = position.play(result.move)
        if position.over or position.by_chance:
            break


def check_tree(search: MonteCarloSearch) -> None:
    """Check the tree as above, allowing each thread to miss a few visits of the others."""
    tree = np.asarray(search._tree)[: search._used]
    owner = np.zeros(search._used, np.int64)
    reached, looked = [0], 0
    while reached:
        node = reached.pop()
        children = shared_tree.indices(int(tree["children"][node]))
        if not children:
            continue
        first, count = children.start, len(children)
        looked += 1
        assert node < first <= search._used - count
        assert not owner[first:first + count].any()
        owner[first:first + count] = 1
        assert (tree["mover"][first:first + count] == tree["mover"][first]).all()
        below = int(tree["visits"][first:first + count].sum())
        assert below <= int(tree["visits"][node]) * 1.05 + 10 * THREADS
        reached += children
    assert looked > 10
    visited = tree[(owner == 1) & (tree["visits"] > 0)]
    assert (visited["points"] >= 0).all()
    assert (visited["points"] <= native.WHOLE * (visited["visits"] + THREADS) * 1.05).all()


@pytest.mark.parametrize(("name", "params", "plies"), [
    ("tic_tac_toe", {}, 3), ("hex", {"size": 3}, 2), ("connect_four", {"columns": 4, "rows": 4}, 9),
    ("nim", {}, 2)], ids=str)
def test_monte_carlo_proves_what_is_so(name: str, params: dict[str, int], plies: int) -> None:
    """What several threads of Monte-Carlo tree search prove, alpha-beta by one thread proves too."""
    entries = Entries.of(dslgame.load(name, **params))
    several, one = MonteCarloSearch(entries, nodes=1 << 18, threads=THREADS), Deepening(entries)
    proven = 0
    for seed in range(6):
        position = some_position(name, params, plies, seed)
        found = several.search(position.state, Limit(nodes=200_000), history=position.history, seed=seed)
        if found.winner is not None:
            proven += 1
            assert found.winner == one.search(position.state, Limit(plies=40)).winner
    assert proven > 2


def test_connections_are_proven_by_several_threads() -> None:
    """Several threads prove the same winner after each first move on a small board as one thread."""
    game = dslgame.load("hex", size=5)
    entries = Entries.of(game)
    one, several = ConnectingSearch(entries), ConnectingSearch(entries, threads=THREADS)
    for move in game.start().legal()[:13]:
        position = game.start().play(move)
        results = []
        for search in (one, several):
            search.forget()
            results.append(search.search(position.state, Limit(nodes=100_000), history=position.history).winner)
        assert results[0] == results[1] is not None


def test_threads_end_with_the_search() -> None:
    """All threads end with the search, be it by a limit, by Ctrl-C or when the caller stops iterating."""
    game = dslgame.load("hex", size=9)
    entries = Entries.of(game)

    def stop(_: Report) -> None:
        raise KeyboardInterrupt

    before = threads_alive()
    result = Deepening(entries, threads=THREADS).search(game.start().state, Limit(seconds=600), progress=stop)
    assert result.report.interrupted
    for _ in MonteCarloSearch(entries, threads=THREADS).improve(game.start().state, Limit(seconds=600), pause=0.0):
        break
    assert threads_alive() == before


def test_what_goes_wrong_on_a_thread_is_raised() -> None:
    """An exception on a thread is raised after all others were ended, and so is a failure code."""
    halted, ended = Entries.of(dslgame.load("tic_tac_toe")).numbers(1), []

    def games(worked: str, until: int) -> int:
        if worked == "own":
            time.sleep(0.05)
            return 1
        if worked == "wrong":
            raise ZeroDivisionError
        if worked == "failing":
            return 2
        while not halted[0]:
            time.sleep(0.001)
        ended.append(worked)
        return 1

    with pytest.raises(ZeroDivisionError):
        TreeThreads(games, ["wrong", "other"], halted, waiting=1).play("own", 5, 5)
    assert ended == ["other"]
    helpers = TreeThreads(games, ["other", "failing"], halted, waiting=1, failing=2)
    assert helpers.play("own", 5, 5) == 2
    assert helpers.failed == "failing"
    assert TreeThreads(games, ["failing"], halted, waiting=3, failing=2).play("own", 5, 5) == 1  # it is done
    assert TreeThreads(games, ["other"], halted, waiting=1, failing=2).play("own", 5, 5) == 1


def test_an_interruption_while_threads_are_waited_for() -> None:
    """An interruption while threads are joined is raised after all ended; a thread that never began is skipped."""
    halted = np.zeros(1, np.int64)

    def work() -> bool:
        signal.raise_signal(signal.SIGINT)
        time.sleep(0.1)
        return True

    thread, never = SideThread(work), SideThread(work)

    def wait() -> None:
        with deferred(halted):
            thread.begin()
            wait_for([thread, never])
            assert (thread.running, thread.result, halted[0]) == (False, True, 1)

    with ctrl_c(), pytest.raises(KeyboardInterrupt):
        wait()
    assert not never.running


def test_a_second_interruption_is_raised_at_once() -> None:
    """Where threads do not end although they were told to, a second Ctrl-C ends the wait for them."""
    reached = []

    def wait() -> None:
        with deferred():
            for number in (1, 2):
                signal.raise_signal(signal.SIGINT)
                reached.append(number)

    with ctrl_c():
        with pytest.raises(KeyboardInterrupt):
            wait()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert reached == [1]


def test_too_little_room_begins_again() -> None:
    """The search restarts with more room, whichever thread meets a position with too many moves."""
    game = dslgame.load("reversi")
    entries = Entries.of(game)
    for search in (Deepening(entries, threads=THREADS), MonteCarloSearch(entries, threads=THREADS)):
        for _ in range(5):
            entries.room = 5
            search.forget()
            found = search.search(game.start().state, Limit(nodes=8_000))
            assert entries.room >= 20
            assert found.move in game.start().legal()


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no alarms")
def test_a_tree_is_whole_after_an_interruption() -> None:
    """The next search continues with the nodes that the threads had added before the interruption."""
    game = dslgame.load("hex", size=7)
    search = MonteCarloSearch(Entries.of(game), threads=THREADS)
    search.search(game.start().state, Limit(nodes=100))

    for _ in range(3):
        with interruption(0.5):
            assert search.search(game.start().state, Limit(seconds=60)).report.interrupted
        check_tree(search)
    search.search(game.start().state, Limit(nodes=8_000))
    check_tree(search)


def test_threads_have_random_sequences_of_their_own() -> None:
    """No thread's random sequence is another's shifted by some draws, and the first is that of a single thread."""
    states = [seed_of(12345, number) for number in range(8)]
    assert states[0] == 12345
    later = {(state + draws * STEP) & (1 << 62) - 1 for state in states for draws in range(1, 1000)}
    assert len(set(states)) == 8
    assert not later & set(states)


def test_the_same_trees_without_threads() -> None:
    """A search by one thread is repeatable, whatever other searches did meanwhile."""
    game = dslgame.load("connect_four")
    search, others = MonteCarloSearch(Entries.of(game)), MonteCarloSearch(Entries.of(game), threads=THREADS)
    found: list[Found] = []
    for _ in range(2):
        search.forget()
        found.append(search.search(game.start().state, Limit(nodes=2_000), seed=5))
        others.search(game.start().state, Limit(nodes=20_000), seed=5)
    assert found[0].report.line == found[1].report.line
    assert found[0].report.nodes == found[1].report.nodes


def test_levels_of_several_threads() -> None:
    """Levels with threads are written as they are read; kinds without threads refuse the option."""
    for kind, record in KINDS.items():
        text = f"{kind} threads=2"
        if "threads" in record.limits:
            assert str(Level.of(text)) == text
            with pytest.raises(ValueError, match="expected more than 0"):
                Level.of(f"{kind} threads=0")
            with pytest.raises(ValueError, match="expected at most 256"):
                Level.of(f"{kind} threads=257")
        else:
            with pytest.raises(ValueError, match="found 'threads=2'"):
                Level.of(text)


def test_processor_time_is_divided() -> None:
    """A limit of processor time is shared among the threads, so that two threads have half as long each."""
    assert Limit(seconds=1.0, processor=True).shared(2) == Limit(seconds=0.5, processor=True)
    assert Limit(seconds=1.0, nodes=9).shared(2) == Limit(seconds=1.0, nodes=5)


@pytest.mark.parametrize("native_words", [False, True])
def test_numbers_that_threads_share(native_words: bool) -> None:
    """`add_to` returns the old number; `exchange` writes only if the number is the expected one."""
    numbers = np.array([5, 7], np.int64)
    add_to, exchange = functions.add_to, functions.exchange
    if native_words:
        module = runtime.module("shared_tree", native=True)
        assert module.add_to is not functions.add_to
        import numba

        add, change = module.add_to, module.exchange
        add_to = numba.njit(lambda array, index, amount: add(array, index, amount))
        exchange = numba.njit(lambda array, index, expected, wanted: change(array, index, expected, wanted))
    assert add_to(numbers, 1, 3) == 7
    assert list(numbers) == [5, 10]
    assert not exchange(numbers, 0, 4, 1)
    assert exchange(numbers, 0, 5, 1)
    assert list(numbers) == [1, 10]


def test_a_second_expansion_is_seen_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that looks at a node while another adds all moves to those that patterns proposed proves nothing and
    picks none of another node's children."""
    lost = native.WON + 1
    tree = [native.Node() for _ in range(12)]
    tree[0].children, tree[0].mover = shared_tree.packed(1, 2, True), -1
    tree[1].proven = tree[2].proven = tree[3].proven = lost  # 3 and 4 are another node's children
    settings = SimpleNamespace(failure=1, chance=0, to_move=0, rave=0, minimax=0, guided=0, widening=0, players=2)
    moves = np.zeros((12, 2), int)
    moves[1:3, 0] = 0, 1
    own: Any = SimpleNamespace(
        tree=tree, rows=[[0, 0]] * 4, settings=[settings], offered=np.array([[k, 0] for k in range(6)]), entries=None,
        scratch=None, shares=None, used=[5], move=[0, 0], moves=moves, sides=[0, 1],
        counts=[SimpleNamespace(proofs=0)], state=[SimpleNamespace(length=0)], path=[0])
    rules: Any = SimpleNamespace(offer=lambda *_: 5)
    seen = []

    def look(_: object) -> None:
        seen.append((mcts._settle(own, 0, 0), mcts._best_child(own, 0, 0.7, 1)))

    monkeypatch.setattr(mcts, "finish_writing", look)
    assert not mcts._settle(own, 0, 0)
    mcts._add_children(rules, own, 0, False)
    look(None)
    assert seen == [(False, -1), (False, seen[1][1])]
    assert 7 <= seen[1][1] <= 9


def some_moves(level: str, game: Game, plies: int) -> tuple[SearchingPlayer, Position]:
    """A player after a number of moves, each answered by the first legal move after a pause, and the position."""
    player = cast(SearchingPlayer, Level.of(level).player(game, patterns=bundled.patterns_of))
    position = game.start()
    for _ in range(plies):
        position = position.play(player.choose(position).move)
        if position.over:
            break
        time.sleep(0.1)
        position = position.play(position.legal()[0])
    return player, position


@pytest.mark.parametrize("level", ["alphabeta cpu=0.02", "patterns seconds=0.02 threads=2", "mcts seconds=0.02",
                                   "connecting seconds=0.02 threads=2"])
def test_pondering_goes_on_until_the_next_move(level: str) -> None:
    """The player searches while the opponent thinks, stops when told to, and its moves are legal."""
    game = dslgame.load("hex", size=11)
    player, position = some_moves(f"{level} ponder=yes", game, 1)
    assert not position.over
    position = position.play(player.choose(position).move)
    pondering = player.pondering
    assert pondering is not None
    assert pondering.running
    player.rest()
    assert not pondering.running
    player.rest()
    assert player.choose(position.play(position.legal()[-1])).text in position.moves()
    player.rest()


def test_pondering_grows_the_tree() -> None:
    """The next search starts from the tree that was grown meanwhile."""
    game, kept = dslgame.load("hex", size=7), []
    for level in ("mcts seconds=0.05", "mcts seconds=0.05 ponder=yes"):
        until = time.monotonic() + 20
        player = cast(SearchingPlayer, Level.of(level).player(game))
        player.choose(game.start())  # compiles
        player.rest()
        position = game.start()
        position = position.play(player.choose(position).move)
        search = cast(MonteCarloSearch, player._search)
        grown = 50 * said_visits(search) if "ponder" in level else 0
        while said_visits(search) < grown and time.monotonic() < until:
            time.sleep(0.05)
        player.rest()
        position = position.play(position.legal()[0])
        search._plant(position.state, position.history, [], ())
        kept.append(said_visits(search))
    assert kept[1] > 3 * kept[0] + 10


def said_visits(search: MonteCarloSearch) -> int:
    """The number of visits of the root of a tree."""
    return int(np.asarray(search._tree)["visits"][0])


def test_pondering_ends_with_the_game_and_needs_time_as_its_limit() -> None:
    """Pondering does not run in a finished game, and is refused for levels that are limited by plies or nodes."""
    game = dslgame.load("tic_tac_toe")
    player = cast(SearchingPlayer, Level.of("alphabeta seconds=0.05 ponder=yes").player(game))
    position = game.start().play("a1").play("b1").play("a2").play("b2")
    assert position.play(player.choose(position).move).over
    assert player.pondering is not None
    assert not player.pondering.running
    for text, why in (("alphabeta plies=3 ponder=yes", "nothing is kept"), ("mcts nodes=10 ponder=yes", "found both"),
                      ("mcts nodes=10 seconds=1 ponder=yes", "found both")):
        with pytest.raises(ValueError, match=why):
            Level.of(text)
    assert str(Level.of("alphabeta plies=3 seconds=2 ponder=yes")) == "alphabeta plies=3 seconds=2 ponder=yes"
    assert Level.of("mcts ponder=no nodes=10").ponder == "no"
    with pytest.raises(ValueError, match="expected ponder=yes or ponder=no"):
        Level.of("mcts ponder=maybe")


def test_a_match_ends_with_nobody_thinking() -> None:
    """No thread ponders after a game that was broken off at its limit of plies."""
    game, before = dslgame.load("hex", size=11), threads_alive()
    players = [Builtin(name, game, Level.of("mcts seconds=0.02 ponder=yes")) for name in ("one", "other")]
    assert threads_alive() == before
    for seed in range(2):
        played = play(game, players, (), Clock(None, None), seeds=(seed, seed + 1), longest=6)
        assert played.end == "length"
        assert threads_alive() == before


def test_pondering_ends_with_the_player() -> None:
    """A player ponders in one thread at a time, also when it begins another game, and in none once it is dropped."""
    game, before = dslgame.load("hex", size=11), threads_alive()
    player, _ = some_moves("mcts seconds=0.02 ponder=yes", game, 1)
    player.choose(game.start())
    assert threads_alive() == before + 1
    del player
    until = time.monotonic() + 20
    while threads_alive() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert threads_alive() == before


def test_what_goes_wrong_ahead_is_passed_over() -> None:
    """An exception while pondering ends it and is not raised."""
    asked: list[bool] = []

    class Wrong:
        def search(self, *_: object, **__: object) -> object:
            asked.append(True)
            raise MemoryError

    pondering = Pondering(Wrong(), None)
    pondering.begin(dslgame.load("tic_tac_toe").start(), 1)
    until = time.monotonic() + 20
    while not asked and time.monotonic() < until:
        time.sleep(0.01)
    pondering.end()
    assert asked
    assert not pondering.running


def test_no_pondering_where_nothing_is_kept() -> None:
    """Alpha-beta does not ponder where repetitions matter, as it clears its table then."""
    for name, kind, ponders in (("nine_mens_morris", "alphabeta", False), ("nine_mens_morris", "mcts", True),
                                ("connect_four", "alphabeta", True)):
        player = cast(SearchingPlayer, Level.of(f"{kind} seconds=0.02 ponder=yes").player(dslgame.load(name)))
        assert (player.pondering is not None) == ponders
