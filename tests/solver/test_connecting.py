"""Level connecting: sound virtual connections and proofs, and the same results from plain and compiled functions."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence

import pytest

import dslgame
from interpreter.boards import members
from interpreter.game import Game, Position
from solver.connection_board import ConnectionBoard, usable
from solver.entries import Entries
from solver.native import circuit, connecting, fill_in, runtime, virtual_connections
from solver.native.records import Arrays, values_of
from solver.native.virtual_connections import IF_FIRST, JOINED
from solver.players.connecting import ConnectingSearch
from solver.players.iterative_deepening import Deepening
from solver.players.levels import Level
from solver.players.limits import Limit


def cells_of(position: Position) -> list[int]:
    """For each cell 0 if empty, else the number of the player whose piece is there, plus 1."""
    one, other = position.state.pieces[1:3]
    return [(one >> cell & 1) + 2 * (other >> cell & 1) for cell in range(position.game.board.size)]


def positions(game: Game, plies: int, count: int, seed: int = 1) -> list[Position]:
    """Positions of random games that are not over after a number of plies."""
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(plies):
            if not position.over:
                position = position.play(chance.choice(position.legal()))
        if not position.over:
            found.append(position)
    return found


def boards(game: Game) -> tuple[ConnectionBoard, ConnectionBoard]:
    """The board of a game for compiled functions, and for plain ones."""
    connection = usable(game)
    assert connection is not None
    return (ConnectionBoard.of(game, connection, Arrays(native=True)),
            ConnectionBoard.of(game, connection, Arrays(native=False)))


def test_virtual_connections_are_there() -> None:
    """By alpha-beta with the game's rules, a joined player wins, and every move outside the must-play region loses."""
    game = dslgame.load("hex", size=4)
    (made, _), entries = boards(game), Entries.of(game)
    exact, find = Deepening(entries, table_mib=4), runtime.compiled_entry(virtual_connections.connections)
    limit, told, left_out = Limit(plies=16), 0, 0
    for position in [*positions(game, 3, 20), *positions(game, 5, 40)]:
        mover = position.state.to_move
        for cell, colour in enumerate(cells_of(position)):
            made.net.colour[cell] = colour
        winner = exact.search(position.state, limit).winner
        if find(mover, JOINED, made.net) >= IF_FIRST:
            told += 1
            assert winner == mover
            key = int(made.net.state[0].key)
            if key >= 0:
                after = position.play(position.game.board.names[key])
                assert after.over or exact.search(after.state, limit).winner == mover
        found = find(1 - mover, JOINED + 1, made.net)
        if found == JOINED:
            told += 1
            assert winner == 1 - mover
        elif found == IF_FIRST:
            for move in position.legal():
                cell = move.values[0]
                if not int(made.net.musts[cell >> 6]) >> (cell & 63) & 1:
                    left_out += 1
                    assert exact.search(position.play(move).state, limit).winner == 1 - mover
    assert told > 20
    assert left_out > 100


@pytest.mark.parametrize("size", [4, pytest.param(9, marks=pytest.mark.slow)])
def test_plain_functions_find_the_same(size: int) -> None:
    """Plain and compiled functions find the same connections, must-play regions and current, also beyond one word."""
    game = dslgame.load("hex", size=size)
    made, plain = boards(game)
    find, flow = runtime.compiled_entry(virtual_connections.connections), runtime.compiled_entry(circuit.current)
    for position in positions(game, size, 4):
        for cell, colour in enumerate(cells_of(position)):
            made.net.colour[cell] = plain.net.colour[cell] = colour
        for player in range(2):
            found = find(player, JOINED + 1, made.net)
            assert found == virtual_connections.connections(player, JOINED + 1, plain.net)
            assert [int(word) for word in made.net.musts] == list(plain.net.musts)
            assert abs(flow(made.net, made.circuit) - circuit.current(plain.net, plain.circuit)) <= 1
    assert list(made.circuit.shares) == pytest.approx(plain.circuit.shares)


def test_current_is_symmetrical_and_grows_with_a_stone() -> None:
    """On the empty board both players' currents are about equal; a stone raises its player's and lowers the other's."""
    game = dslgame.load("hex", size=5)
    _, plain = boards(game)

    def current(player: int) -> int:
        virtual_connections.connections(player, JOINED + 1, plain.net)
        return int(circuit.current(plain.net, plain.circuit))

    before = current(0)
    assert abs(before - current(1)) < before // 20
    plain.net.colour[12] = 1
    assert current(0) > before > current(1)


def test_plain_search_is_the_same() -> None:
    """Plain and compiled search give the same tree, proofs and random games."""
    game = dslgame.load("hex", size=7)
    position = positions(game, 2, 1)[0]
    counts = []
    for made, native in zip(boards(game), (True, False), strict=True):
        tree = made.arrays.records(connecting.Node, 2000)
        own = made.search(cells_of(position), tree, 1.0)
        own.state[0].chance, own.state[0].mover = 5, position.state.to_move
        own.state[0].last = -1
        search = runtime.module("connecting", native=native).search
        search(made.board, made.net, made.circuit, made.ground, own, 25)
        counts.append((values_of(own.state, connecting.State) | {"chance": 0}, [
            (int(node.visits), int(node.cell), int(node.proven), round(float(node.wins), 6)) for node in tree]))
    assert counts[0] == counts[1]


def test_who_is_joined_is_who_wins() -> None:
    """A player is joined at the end of a random game if and only if this player wins, and nobody is before."""
    game = dslgame.load("hex", size=4)
    _, plain = boards(game)
    chance = random.Random(3)
    for _ in range(30):
        position = game.start()
        while True:
            own = plain.search(cells_of(position), [], 1.0)
            for cell, colour in enumerate(own.root):
                own.colour[cell] = colour
            joined = [connecting.is_joined(player, plain.board, own) for player in range(2)]
            assert joined == [position.state.outcome == player for player in range(2)]
            if position.over:
                break
            position = position.play(chance.choice(position.legal()))


def test_random_games_save_pairs() -> None:
    """In random games an intrusion into a bridge, or into a second-row link to the edge, is answered."""
    game = dslgame.load("hex", size=5)
    _, plain = boards(game)
    place = {name: cell for cell, name in enumerate(game.board.names)}
    for stones, last, answer in (({"c2": 1, "b4": 1}, "b3", "c3"), ({"c4": 1}, "b5", "c5")):
        cells = [0] * game.board.size
        for name, colour in {**stones, last: 2}.items():
            cells[place[name]] = colour
        own = plain.search(cells, [], 1.0)
        connecting._begin(own)
        assert connecting._answer(place[last], 1, plain.board, own) == place[answer]


def winner_of(game: Game, cells: Sequence[int]) -> int:
    """The winner on a full board by a flood fill: the first player joins top and bottom."""
    connection = usable(game)
    assert connection is not None
    reached = set(members(connection.regions[0][0])) & {cell for cell, colour in enumerate(cells) if colour == 1}
    ways = list(reached)
    while ways:
        for other in members(game.board.neighbours[ways.pop()]):
            if cells[other] == 1 and other not in reached:
                reached.add(other)
                ways.append(other)
    return 0 if reached & set(members(connection.regions[0][1])) else 1


def best_for(game: Game, cells: tuple[int, ...], mover: int, known: dict[tuple[int, ...], int]) -> int:
    """The winner by best play, by trying all moves."""
    key = (*cells, mover)
    if key not in known:
        empty = [cell for cell, colour in enumerate(cells) if colour == 0]
        after = ((*cells[:cell], mover + 1, *cells[cell + 1:]) for cell in empty)
        known[key] = winner_of(game, cells) if not empty else mover if any(
            best_for(game, then, 1 - mover, known) == mover for then in after) else 1 - mover
    return known[key]


def ground_of(made: ConnectionBoard, cells: Sequence[int]) -> fill_in.Ground:
    """The fill-in data of a position, with its groups."""
    for cell, colour in enumerate(cells):
        made.ground.colour[cell] = colour
    fill_in.find_groups(made.ground)
    return made.ground


@pytest.mark.parametrize("rows", [3, 4])
def test_dead_cells_change_nothing(rows: int) -> None:
    """For sampled fillings of the other cells, a piece of either player on a dead cell gives the same winner."""
    game = dslgame.load("hex", size=rows)
    _, plain = boards(game)
    found = 0
    for position in [*positions(game, rows, 5), *positions(game, 2 * rows, 15)]:
        cells = cells_of(position)
        ground = ground_of(plain, cells)
        dead = fill_in.next_dead(0, ground)
        while dead >= 0:
            found += 1
            others = [cell for cell, colour in enumerate(cells) if colour == 0 and cell != dead]
            for choice in itertools.islice(itertools.product((1, 2), repeat=len(others)), 64):
                full = list(cells)
                for cell, colour in zip(others, choice, strict=True):
                    full[cell] = colour
                winners = set()
                for full[dead] in (1, 2):
                    winners.add(winner_of(game, full))
                assert len(winners) == 1
            dead = fill_in.next_dead(dead + 1, ground)
    assert found > 20


def test_captured_cells_count_as_their_captors() -> None:
    """Filling captured cells in keeps the winner by best play, whoever moves; both players capture some."""
    game = dslgame.load("hex", size=4)
    _, plain = boards(game)
    captors: Counter[int] = Counter()
    known: dict[tuple[int, ...], int] = {}
    for position in [*positions(game, 9, 20), *positions(game, 10, 60)]:
        cells = tuple(cells_of(position))
        ground = ground_of(plain, cells)
        for one, near in enumerate(game.board.neighbours):
            for other in members(near):
                if other > one and cells[one] == cells[other] == 0:
                    player = fill_in.captor(one, other, ground)
                    assert list(ground.colour[:len(cells)]) == list(cells)
                    assert list(ground.same) == [*range(len(ground.same))]
                    if player >= 0:
                        captors[player] += 1
                        filled = tuple(player + 1 if cell in (one, other) else colour
                                       for cell, colour in enumerate(cells))
                        for mover in range(2):
                            assert best_for(game, filled, mover, known) == best_for(game, cells, mover, known)
    assert min(captors[0], captors[1]) > 5


def test_a_cell_behind_a_wall_is_dead_and_one_that_may_be_needed_is_not() -> None:
    """Four stones of one colour in a row around a cell make it dead, three do not."""
    game = dslgame.load("hex", size=7)
    _, plain = boards(game)
    place = {name: cell for cell, name in enumerate(game.board.names)}

    def dead(stones: str, cell: str, colour: int) -> bool:
        cells = [0] * game.board.size
        for name in stones.split():
            cells[place[name]] = colour
        return bool(fill_in.next_dead(place[cell], ground_of(plain, cells)) == place[cell])

    for colour in (1, 2):
        around = [game.board.names[cell] for cell in members(game.board.neighbours[place["d4"]])]
        ring = sorted(around, key=lambda name: angle(game, place[name], place["d4"]))
        for turn in range(6):
            row = [*ring[turn:], *ring[:turn]]
            assert dead(" ".join(row[:4]), "d4", colour)
            assert not dead(" ".join(row[:3]), "d4", colour)


def angle(game: Game, cell: int, centre: int) -> float:
    """The direction of a cell from another."""
    (x, y), (u, v) = game.board.places[cell], game.board.places[centre]
    return math.atan2(y - v, x - u)


def test_filling_in_changes_no_proof_and_is_used() -> None:
    """The same positions are won with and without filling in, and some cells are filled in."""
    game = dslgame.load("hex", size=5)
    entries = Entries.of(game)
    plain, filling = (ConnectingSearch(entries, nodes=1 << 16, filling=wanted) for wanted in (False, True))
    for position in positions(game, 6, 6, seed=5):
        found = [search.search(position.state, Limit(nodes=20_000), seed=2) for search in (plain, filling)]
        assert found[0].winner == found[1].winner is not None
        assert found[0].report.pruned["cells filled in"] == 0
    position = positions(dslgame.load("hex", size=9), 20, 1)[0]
    filling = ConnectingSearch(Entries.of(position.game), nodes=1 << 16)
    assert filling.search(position.state, Limit(nodes=20)).report.pruned["cells filled in"] > 20


@pytest.mark.parametrize("plies", [2, 4])
def test_proofs_are_those_of_alpha_beta(plies: int) -> None:
    """The search proves what alpha-beta proves and plays it; the tree is kept from move to move."""
    game = dslgame.load("hex", size=4)
    entries = Entries.of(game)
    search, exact = ConnectingSearch(entries, nodes=1 << 15), Deepening(entries, table_mib=4)
    for position in positions(game, plies, 6, seed=plies):
        while not position.over:
            true = exact.search(position.state, Limit(plies=16))
            said = search.search(position.state, Limit(nodes=2000), history=position.history, seed=7)
            assert said.winner == true.winner
            after = position.play(said.move)
            assert after.over or exact.search(after.state, Limit(plies=16)).winner == true.winner
            position = after


def test_the_same_seed_plays_the_same() -> None:
    """With a limit of nodes the same seed plays the same move."""
    game = dslgame.load("hex", size=8)
    position = positions(game, 3, 1)[0]
    moves = [dslgame.player(game, "connecting nodes=300", seed=3).choose(position) for _ in range(2)]
    assert moves[0].text == moves[1].text
    assert moves[0].report is not None
    assert moves[0].report.leaves == 300


def test_a_position_is_found_again_in_the_tree() -> None:
    """Two moves later the search continues with the subtree that it has."""
    game = dslgame.load("hex", size=6)
    search = ConnectingSearch(Entries.of(game))
    position = game.start()
    first = search.search(position.state, Limit(nodes=500), seed=1)
    after = position.play(first.move)
    reply = first.report.line[1]
    after = after.play(reply)
    search._plant(after.state, after.history)
    assert 1 < search._used < 500 * 36
    assert int(search._tree[0].visits) > 1


@pytest.mark.parametrize("name", ["tic_tac_toe", "y", "twixt"])
def test_other_games_are_refused(name: str) -> None:
    """Games in which players do not each join two regions are refused."""
    game = dslgame.load(name)
    with pytest.raises(ValueError, match="connecting is for games in which each player joins two regions"):
        Level.of("connecting nodes=10").player(game)
