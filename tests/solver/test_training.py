"""Learned values: sums of patterns are right, training is repeatable, and trained players play better."""

from __future__ import annotations

import io
import json
import math
import random
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import attrs
import numpy as np
import pytest

import dslgame
from interpreter.arrays import Reals
from interpreter.boards import members
from interpreter.game import Game, Position
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from solver.entries import Entries
from solver.learning import train
from solver.learning.features import (
    MOST_INDICES,
    MOST_PATTERNS,
    MOST_TUPLE_INDICES,
    MOST_VALUES,
    TUPLE,
    Features,
)
from solver.learning.train import PORTION, Training
from solver.learning.trained import SCALE, Trained, digest_of
from solver.native import learned
from solver.native.self_play import Rates
from solver.players.iterative_deepening import Deepening
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.matches import play_match, random_openings

SMALL: dict[str, dict[str, int]] = {
    "breakthrough": {"rows": 5, "columns": 4, "filled": 1}, "nex": {"rows": 3, "columns": 3},
    "english_draughts": {"size": 6, "filled": 2}, "pie_hex": {"size": 3}, "connect_four": {"rows": 4, "columns": 4},
    "kalah": {"houses": 3, "seeds": 2}, "hexplode": {"side": 2}, "nine_mens_morris": {"men": 4}}
"""Games with player-swapping symmetries, several kinds of pieces, swapped sides, a value or one mirror only, and with
numbers on cells with and without pieces or of players."""


def by_hand(features: Features, weights: np.ndarray[tuple[int, ...], np.dtype[np.float64]], game: Game,
            state: State) -> float:
    """The sum of a position's pattern weights, cell by cell, and of its number weights, for its player to move."""
    stands = {cell: piece for piece, cells in enumerate(state.pieces) for cell in members(cells)}
    total, colour = 0.0, state.to_move ^ state.seats
    planes = weights[colour * features.second:], weights[(1 - colour) * features.second:]
    for table in features.tables:
        index = 0
        for cell, power in zip(features.patterns[table.pattern].cells, table.powers, strict=True):
            index += power * (stands[cell] if table.sign > 0 else features.labels[stands[cell]])
        total += table.sign * planes[table.sign < 0][table.base + index]
    for item in features.numbers:
        value = state.values[item.place]
        assert value is not None
        index = min(value - item.low, item.size - 1)
        if item.cell >= 0:
            piece = stands[item.cell]
            index += item.size * (piece if item.sign > 0 else features.labels[piece])
        total += item.sign * planes[item.sign < 0][item.base + index]
    return total


def made_up(game: Game, seed: int = 0, tuples: int = 0) -> tuple[Features, Trained]:
    """Features of a game, and random weights for them."""
    features = Features.of(game, tuples, by_mover=tuples > 0)
    weights = np.random.default_rng(seed).normal(size=features.count)
    nothing = np.zeros(features.count)
    return features, Trained(game.title, dict(game.params), digest_of(game), 0, 1, 1, 0, 0, (0.1, 0.7, 0.3), (),
                             (0.0, 0.0), weights, nothing, nothing, np.zeros(9), tuples, tuples > 0)


def written(file: Path, trained: Trained, header: Mapping[str, object], arrays: Mapping[str, Reals] | None = None
            ) -> Path:
    """Write a file with changes to its header, without the fields that are None, and with other arrays; return it."""
    with np.load(io.BytesIO(trained.to_bytes())) as archive:
        found = {**archive, **(arrays or {})}
    fields = {**json.loads(bytes(found.pop("header")).decode()), **header}
    text = json.dumps({name: value for name, value in fields.items() if value is not None})
    with file.open("wb") as stream:
        np.savez_compressed(stream, header=np.frombuffer(text.encode(), np.uint8), **found)
    return file


def walk(game: Game, seed: int, plies: int) -> list[Position]:
    """The positions of a random game, without a terminal one."""
    chance, position = random.Random(seed), game.start()
    found: list[Position] = []
    while not position.over and len(found) < plies:
        found.append(position)
        position = position.play(chance.choice(position.legal()))
    return found


@pytest.mark.parametrize("tuples", [0, 5])
@pytest.mark.parametrize("name", SMALL)
def test_a_sum_is_that_of_its_patterns(name: str, tuples: int) -> None:
    """The sum equals a computation by hand, and updating it for a move and back changes nothing."""
    game = dslgame.load(name, **SMALL[name])
    entries = Entries(game, Kernel.of(game, native=False))
    features, trained = made_up(game, tuples=tuples)
    network = trained.network(entries, 1)
    most = {True: MOST_TUPLE_INDICES, False: MOST_INDICES}
    assert all(features.contents ** len(pattern.cells) <= most[pattern.form == TUPLE] for pattern in features.patterns)
    for position in walk(game, 3, 12):
        row = entries.kernel.row(position.state)
        learned.sum_up(network, row, 0)
        indices, sums = network.indices.copy(), network.sums.copy()
        rounding = 2 * len(features.patterns) + len(features.numbers)
        whole = learned.value_here(network, row, 0, 0) * (1 - 2 * (position.state.to_move ^ position.state.seats))
        assert abs(whole - SCALE * by_hand(features, trained.weights, game, position.state)) < rounding
        for move in position.legal()[:6]:
            after = entries.kernel.after(position.state, move)
            assert after is not None
            found = learned.value_after(network, row, entries.kernel.row(after), 0, 0)
            colour = after.to_move ^ after.seats
            there = learned.value_here(trained.network(entries, 1), entries.kernel.row(after), 0, 0)
            expected = SCALE * by_hand(features, trained.weights, game, after) * (1 - 2 * colour)
            assert found == there
            assert abs(found - expected) < rounding
        assert (network.indices == indices).all()
        assert (network.sums == sums).all()


@pytest.mark.parametrize("name", [name for name in SMALL if name not in ("kalah", "hexplode")])
def test_images_of_a_pattern_have_its_place_weights(name: str) -> None:
    """Images of a pattern share its weights under all symmetries, negated where players are swapped."""
    game = dslgame.load(name, **SMALL[name])
    features = Features.of(game, 6)
    rows = {frozenset(pattern.cells): row for row, pattern in enumerate(features.patterns)}
    images = 0
    for cells, row in rows.items():
        for element in game.symmetries:
            image = rows.get(frozenset(element.cells.cells[cell] for cell in cells))
            assert image is not None or len(cells) > 1
            assert image is not None or features.patterns[row].form != TUPLE
            if image is None or image == row:  # its own image: its weights are in one of several orders
                continue
            assert features.tables[image].base == features.tables[row].base
            images += 1
    assert images > 10
    swaps = [element for element in game.symmetries if element.swapping]
    assert (-1 in {table.sign for table in features.tables}) == bool(swaps)


def test_numbers_of_cells_and_players_are_found() -> None:
    """Numbers that symmetries map to each other share their weights, negated where players are swapped."""
    kalah = Features.of(dslgame.load("kalah", houses=3, seeds=2))
    assert not kalah.patterns
    assert len(kalah.numbers) == 8
    assert len({item.base for item in kalah.numbers}) == 4
    assert sorted(item.sign for item in kalah.numbers) == [-1] * 4 + [1] * 4
    morris = dslgame.load("nine_mens_morris")
    assert [(item.cell, item.low, item.size) for item in Features.of(morris).numbers] == [(-1, 0, 10), (-1, 0, 10)]
    assert {item.size for item in Features.of(dslgame.load("hexplode")).numbers} == {MOST_VALUES}
    assert not Features.of(dslgame.load("dots_and_boxes")).numbers  # its variable is a condition, not a number


def test_numbers_teach_a_game_without_pieces() -> None:
    """Kalah's board has only numbers; with equal nodes the trained player wins nearly always."""
    game = dslgame.load("kalah")
    training = Training(Entries.of(game), seed=1)
    training.play(2_000)
    openings = random_openings(game, 6, 4, seed=2)
    level = Level.of("alphabeta nodes=300")
    taught, plain = level.player(game, trained=lambda game: training.result()), level.player(game)
    assert play_match(game, taught, plain, 12, openings=openings).score >= 0.75


def test_patterns_fit_every_board() -> None:
    """Square and hexagonal boards, boards with holes and graphs have patterns; large boards have fewer kinds."""
    for name, kinds in (("breakthrough", {"cell", "line", "block"}), ("hex", {"cell", "line", "block"}),
                        ("english_draughts", {"cell", "line", "block"}), ("chess", {"cell", "line"}),
                        ("gomoku", {"cell", "line"}),
                        ("nine_mens_morris", {"cell", "near"}), ("twixt", {"cell"})):
        game = dslgame.load(name)
        found = Features.of(game).patterns
        assert {pattern.form.split()[0] for pattern in found} == kinds, name
        assert {pattern.cells for pattern in found if len(pattern.cells) == 1} == {(c,) for c in range(game.board.size)}
        assert len(found) <= max(MOST_PATTERNS, game.board.size)


def test_patterns_on_random_paths_are_added() -> None:
    """Random tuples are added with their images, each a new connected set of cells; small boards have fewer."""
    game = dslgame.load("connect_four")
    plain, found = Features.of(game), Features.of(game, 20)
    assert found.patterns[:len(plain.patterns)] == plain.patterns
    paths = [pattern.cells for pattern in found.patterns[len(plain.patterns):]]
    assert len({table.base for table in found.tables}) == len({table.base for table in plain.tables}) + 20
    assert 20 <= len(paths) == len(set(paths)) <= 40
    for cells in paths:
        reached = {cells[0]}
        for _ in cells:
            reached |= {there for cell in reached for there in game.board.steps[cell] if there in cells}
        assert reached == set(cells)
        assert len(cells) == 8
    small = dslgame.load("tic_tac_toe")
    assert len(Features.of(small, 100).patterns) < len(Features.of(small).patterns) + 10
    assert Features.of(dslgame.load("kalah"), 5).count == Features.of(dslgame.load("kalah")).count


@pytest.mark.parametrize("tuples", [0, 4])
def test_training_is_repeatable_and_goes_on(tuples: int) -> None:
    """Training that is interrupted, written and read gives the same file; another seed gives another one."""
    game = dslgame.load("connect_four", rows=4, columns=4)
    entries = Entries.of(game)
    whole = Training(entries, seed=4, tuples=tuples)
    whole.play(2 * PORTION + 50)
    parts = Training(entries, seed=4, tuples=tuples)
    for games in (30, PORTION, PORTION + 77, 2 * PORTION + 50):
        parts.play(games)
        kept = Training(entries, before=parts.result())
        assert kept.result().to_bytes() == parts.result().to_bytes()
        parts = kept
    assert parts.result().to_bytes() == whole.result().to_bytes()
    assert [games for games, _ in whole.history] == [PORTION, 2 * PORTION]
    other = Training(entries, seed=5, tuples=tuples)
    other.play(30)
    assert other.result().chance != whole.result().chance


@pytest.mark.parametrize("moves", [1, 7])
def test_the_size_of_batches_changes_nothing(moves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training that stops within games gives the same file as training that does not."""
    entries = Entries.of(dslgame.load("connect_four", rows=4, columns=4))
    whole, parts = Training(entries, seed=4), Training(entries, seed=4)
    whole.play(PORTION + 20)
    monkeypatch.setattr(train, "MOST_MOVES", moves)
    stops = sum(1 for _ in parts.batches(PORTION + 20))
    assert stops > whole.positions / moves
    assert parts.result().to_bytes() == whole.result().to_bytes()


def test_a_result_within_a_game_is_that_of_the_games_before() -> None:
    """Training that was stopped within a game goes on there; its file repeats the game, with the same result."""
    entries = Entries.of(dslgame.load("connect_four", rows=4, columns=4))
    whole, stopped = Training(entries, seed=4), Training(entries, seed=4)
    whole.play(20)
    stopped.play(10)
    before = stopped.result()
    next(stopped.batches(20))
    assert stopped.positions == before.positions + 1
    assert stopped.result().to_bytes() == before.to_bytes()
    again = Training(entries, before=stopped.result())
    for training in (stopped, again):
        training.play(20)
        assert training.result().to_bytes() == whole.result().to_bytes()


def test_lists_of_moves_grow_within_a_move() -> None:
    """Training goes on where it is the position after a move that has more moves than there is room for."""
    game = dslgame.load("minishogi")
    entries, start = Entries(game, Kernel.of(game), 1), game.start()
    assert entries.after(start.state, start.legal()[0]) is not None
    entries.room = 1
    training = Training(entries)
    training.play(3)
    assert training.games == 3
    assert entries.room > 1
    with pytest.raises(AssertionError, match="no rule failed"):
        entries.make_room(entries.row(start.state))


def test_training_that_one_side_always_wins_starts_again() -> None:
    """Where values are right of all positions, as one side always wins, random games show what the other can do."""
    game = dslgame.load("surakarta")
    entries = Entries.of(game)
    training = Training(entries, seed=1)
    training.play(2 * PORTION)
    assert training.history[-1][1] < train.STUCK
    assert training.stuck
    assert not training.learned
    again = Training(entries, before=training.result())
    for part in (training, again):
        part.play(4 * PORTION)
        assert part.history[-1][1] > 0.01
        assert part.learned
        assert not part.stuck
    assert again.result().to_bytes() == training.result().to_bytes()


def test_a_trained_value_plays_better_than_none() -> None:
    """Breakthrough has no value of its own; with equal nodes the trained player wins nearly always."""
    game = dslgame.load("breakthrough", rows=6, columns=5)
    training = Training(Entries.of(game), seed=1)
    training.play(1_000)
    openings = random_openings(game, 6, 4, seed=2)
    level = Level.of("alphabeta nodes=150")
    taught, plain = level.player(game, trained=lambda game: training.result()), level.player(game)
    assert play_match(game, taught, plain, 12, openings=openings).score >= 0.8
    tree = Level.of("mcts nodes=60 minimax=0.5 playout=2").player(game, trained=lambda game: training.result())
    plain = Level.of("mcts nodes=60").player(game)
    assert play_match(game, tree, plain, 12, openings=openings).score >= 0.6


def test_learned_values_find_forced_ends() -> None:
    """A learned value of a small game does not have the wrong sign where a move decides."""
    game = dslgame.load("tic_tac_toe")
    training = Training(Entries.of(game), seed=1, rates=Rates(learning=0.5))
    training.play(3_000)
    search = Deepening(training.entries, trained=training.result())
    for moves in ("b2 b1 a1", "b2 b1 a1 c3 a3"):
        position = game.start()
        for move in moves.split():
            position = position.play(move)
        assert search.search(position.state, Limit(plies=1)).score < -5_000, moves


def test_files_of_other_rules_are_refused(tmp_path: Path) -> None:
    """Files for other rules or params and damaged files are refused; `trained=none` uses none."""
    game = dslgame.load("connect_four", rows=4, columns=4)
    training = Training(Entries.of(game))
    training.play(10)
    file = tmp_path / "four.trained"
    file.write_bytes(training.result().to_bytes())
    level = Level.of(f"alphabeta nodes=20 trained={file}")
    assert level.player(game).choose(game.start()).text
    with pytest.raises(ValueError, match="trained for other rules or params"):
        level.player(dslgame.load("connect_four", rows=4, columns=5))
    file.write_bytes(file.read_bytes()[:400])
    with pytest.raises(ValueError, match="no file of 'dslgame train'"):
        level.player(game)
    with pytest.raises(ValueError, match="No such file"):
        Level.of("alphabeta trained=none.trained").player(game)
    assert Level.of("alphabeta nodes=20 trained=none").player(game, trained=lambda game: pytest.fail("asked"))
    with pytest.raises(ValueError, match="another version"):
        attrs.evolve(training.result(), weights=np.zeros(3), trends=np.zeros(3),
                     turmoil=np.zeros(3)).network(training.entries, 1)


def test_files_from_before_there_were_weights_for_either_player_are_read(tmp_path: Path) -> None:
    """Files whose headers lack `by_mover` are read with the same weights for both players to move."""
    game = dslgame.load("tic_tac_toe")
    training = Training(Entries.of(game), by_mover=False)
    training.play(50)
    file = written(tmp_path / "old.trained", training.result(), {"tuples": None, "by_mover": None})
    known = Trained.read(file)
    assert (known.tuples, known.by_mover) == (0, False)
    assert Training(training.entries, before=known).result().to_bytes() == training.result().to_bytes()
    assert known.network(training.entries, 1).shape[0].second == 0


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """Each flipped bit either raises ValueError, whatever zipfile and zlib raise, or leaves the weights unchanged."""
    game = dslgame.load("tic_tac_toe")
    weights, trends, turmoil, others = (np.random.default_rng(number).random(200) for number in range(4))
    others = others[:9]
    whole = Trained("Tic-Tac-Toe", {}, digest_of(game), 0, 5, 9, 3, 0, (0.1, 0.7, 0.3), ((200, 0.5),), (0.1, 2.0),
                    weights, trends, turmoil, others)
    data, chance, file, refused = whole.to_bytes(), random.Random(1), tmp_path / "x.trained", 0
    for _ in range(300):
        changed = bytearray(data)
        changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        file.write_bytes(changed)
        try:
            assert np.array_equal(Trained.read(file).weights, whole.weights)
        except ValueError:
            refused += 1
    assert refused > 200


@pytest.mark.parametrize("changed", [
    {"games": -5}, {"games": 1 << 64}, {"chance": 1 << 80}, {"scale": "x"}, {"seed": 1.5}, {"tuples": -3},
    {"tuples": 1 << 40}, {"params": [1]}, {"rates": [0.1]}, {"errors": []}, {"errors": [0.0, math.inf]},
    {"history": [[200, math.nan]]}, {"by_mover": "no"}])
def test_files_with_other_headers_are_refused(changed: dict[str, object], tmp_path: Path) -> None:
    """A header that training does not write raises ValueError, which says what to do."""
    whole = made_up(dslgame.load("tic_tac_toe"))[1]
    with pytest.raises(ValueError, match="or of another version: train again"):
        Trained.read(written(tmp_path / "x.trained", whole, changed))


@pytest.mark.parametrize("changed", [
    {"others": np.zeros(3)}, {"others": np.full(9, 1e300)}, {"trends": np.zeros(5)}, {"turmoil": np.zeros((4, 2))},
    {"weights": np.full(4776, math.nan)}, {"weights": np.full(4776, 1e9)}])
def test_files_with_other_arrays_are_refused(changed: dict[str, Reals], tmp_path: Path) -> None:
    """Arrays that do not belong together, or that are not finite, raise ValueError: compiled code relies on them."""
    whole = made_up(dslgame.load("tic_tac_toe"))[1]
    with pytest.raises(ValueError, match="or of another version: train again"):
        Trained.read(written(tmp_path / "x.trained", whole, {}, changed))


def test_weights_of_a_small_file_do_not_fill_the_memory(tmp_path: Path) -> None:
    """A file of 50 KB that holds 50 MB of zeros is refused before they are unpacked."""
    file = tmp_path / "x.trained"
    zeros = np.zeros(6 << 20)
    written(file, made_up(dslgame.load("tic_tac_toe"))[1], {}, {"weights": zeros})
    del zeros
    tracemalloc.start()
    with pytest.raises(ValueError, match="or of another version: train again"):
        Trained.read(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert file.stat().st_size < 100_000
    assert peak < 10_000_000


def test_training_goes_on_with_weights_of_its_own_patterns_alone() -> None:
    """Training and check refuse weights of another number, which would be written to beyond the end of the array."""
    game = dslgame.load("tic_tac_toe")
    nine = np.zeros(9)
    short = attrs.evolve(made_up(game)[1], weights=nine, trends=nine, turmoil=nine)
    with pytest.raises(ValueError, match="another version"):
        Training(Entries.of(game), before=short)
    with pytest.raises(ValueError, match=r"x\.trained: the trained file was made by another version: train again"):
        short.check(game, "x.trained")


@pytest.mark.parametrize(("name", "why"), [("three_player_nim", "two players"), ("trax", "without borders"),
                                           ("pig", "without chance")])
def test_games_without_patterns_are_refused(name: str, why: str) -> None:
    """Games without patterns are refused with the reason."""
    with pytest.raises(ValueError, match=why):
        Training(Entries.of(dslgame.load(name)))
