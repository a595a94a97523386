"""Hexplode: the reference and the game file against recorded games, known counts and long chain reactions.

`data/hexplode_games.jsonl` holds games recorded from the original web application: the side, the damaged tiles, and
after each move the board, a map from tile (`1_2` for `tile_1_2`) to colour and counters.
`data/hexplode_cascades.jsonl` holds positions in which one move causes very many explosions; they were found by search
and are reachable in play.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import dslgame
from interpreter.game import Game, Position
from tests.discovery import FOLDER
from tests.reference.counting import levels, successors
from tests.reference.hexplode import OTHER, PIECE, Reference, State
from tests.reference.solving import Value, solve

FILE = FOLDER / "hexplode.game"
DATA = Path(__file__).parents[1] / "data"

Record = dict[str, Any]  # a line of a data file
Board = dict[str, str]  # tile to colour and counters, `R2`; just the counters on a tile without a colour


def records(name: str) -> list[Record]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


GAMES = records("hexplode_games.jsonl")
CASCADES = records("hexplode_cascades.jsonl")

every_recorded_game = pytest.mark.parametrize(
    "record",
    GAMES,
    ids=lambda record: f"{'damaged ' * bool(record['damage'])}side {record['side']}, {len(record['plies'])} moves",
)
every_cascade = pytest.mark.parametrize(
    "record", CASCADES, ids=lambda record: f"side {record['side']}, {record['explosions']} explosions"
)


def shown(names: list[str], colours: list[str], counts: list[int]) -> Board:
    """Convert a board to the format of the data files."""
    return {
        name.removeprefix("tile_"): f"{colour[:1].upper()}{count}"
        for name, colour, count in zip(names, colours, counts, strict=True)
        if colour or count
    }


def damage_of(record: Record) -> dict[str, int]:
    return {f"tile_{tile}": count for tile, count in record["damage"].items()}


# ---- the reference


def board_of(rules: Reference, state: State) -> Board:
    return shown(rules.names, list(state.colours), list(state.counts))


@every_recorded_game
def test_reference_plays_as_recorded(record: Record) -> None:
    """Every board but the final one, which depends on the order of explosions, and the winner are as recorded."""
    rules = Reference(side=record["side"], damage=damage_of(record))
    state = rules.start()
    for tile, board in record["plies"]:
        assert rules.outcome(state) is None
        state = rules.play(state, f"tile_{tile}")
        assert rules.outcome(state) is not None or board_of(rules, state) == board
    assert rules.outcome(state) == record["winner"]


def test_reference_has_as_many_positions_by_ply_as_an_independent_program() -> None:
    """The numbers of distinct positions on side 2 that are not final."""
    rules = Reference(side=2)
    found = []
    for level in levels(rules):
        found.append(sum(rules.outcome(state) is None for state in level))
        if len(found) == 7:
            break
    assert found == [1, 7, 42, 147, 462, 1055, 2286]


@pytest.mark.slow
def test_side_2_is_won_by_the_first_player_with_every_opening() -> None:
    """An independent program counts 80,561 positions that are not final; all seven openings win, in 15 plies."""
    rules = Reference(side=2)
    values = solve(rules)
    assert sum(rules.outcome(state) is None for state in values) == 80_561
    assert values[rules.start()] == Value("Red", 15)
    assert {values[after] for _, after in successors(rules)[rules.start()]} == {Value("Red", 14)}


class AnyOrder(Reference):
    """Explodes full tiles in random order."""

    chance: random.Random

    def first_of(self, full: list[int]) -> int:
        return self.chance.choice(full)


@pytest.mark.parametrize(("side", "damage"), [(2, {}), (3, {}), (3, {"tile_1_2": -2, "tile_4_0": -1}), (4, {})])
def test_order_of_explosions_matters_for_final_boards_only(side: int, damage: dict[str, int]) -> None:
    """Any order gives the same winner; until somebody wins, also the same board and explosions of each tile."""
    rules, other = Reference(side=side, damage=damage), AnyOrder(side=side, damage=damage)
    for seed in range(15):
        chance = other.chance = random.Random(seed)
        state = rules.start()
        while moves := rules.moves(state):
            move = chance.choice(moves)
            (after, exploded), (shuffled, exploded_so) = rules.cascade(state, move), other.cascade(state, move)
            assert rules.outcome(shuffled) == rules.outcome(after)
            if rules.outcome(after) is None:
                assert shuffled == after
                assert Counter(exploded_so) == Counter(exploded)
            state = after


@pytest.mark.parametrize("side", [2, 3, 4])
def test_games_end(side: int) -> None:
    """Games are bounded: each move that does not end the game adds a counter, and stable tiles hold few."""
    rules = Reference(side=side)
    longest = sum(len(near) - 1 for near in rules.next_to) + 1
    for seed in range(10):
        chance = random.Random(seed)
        state, plies = rules.start(), 0
        while moves := rules.moves(state):
            assert sum(state.counts) == plies
            assert all(count < len(near) for count, near in zip(state.counts, rules.next_to, strict=True))
            state, plies = rules.play(state, chance.choice(moves)), plies + 1
        assert plies <= longest


def state_of(rules: Reference, record: Record) -> State:
    """The position of a record of the cascade data."""
    board = {f"tile_{tile}": what for tile, what in record["board"].items()}
    counts = tuple(int(board[name][1:]) if name in board else 0 for name in rules.names)
    colours = tuple({"R": "red", "B": "blue"}[board[name][0]] if name in board else "" for name in rules.names)
    return State(counts, colours, record["mover"])


@every_cascade
def test_reference_makes_the_explosions_of_the_data(record: Record) -> None:
    """Compare the number of explosions, the most counters that wait on a tile, the winner and the final board."""

    class Watching(Reference):
        highest = 0

        def add(self, tile: int, mover: str, counts: list[int], colours: list[str]) -> None:
            super().add(tile, mover, counts, colours)
            self.highest = max(self.highest, counts[tile])

    rules = Watching(side=record["side"])
    after, exploded = rules.cascade(state_of(rules, record), f"tile_{record['move']}")
    assert (len(exploded), rules.highest) == (record["explosions"], record["highest"])
    assert rules.outcome(after) == record["winner"]
    assert record["after"] is None or board_of(rules, after) == record["after"]


def moves_to(rules: Reference, state: State) -> list[str]:
    """Return moves from the start to a stable position: the players in turn put down their counters, tile by tile.

    Red must have as many counters as Blue, or one more if Blue is to move.
    """
    put = {
        player: [
            name
            for name, colour, count in zip(rules.names, state.colours, state.counts, strict=True)
            if colour == PIECE[player]
            for _ in range(count)
        ]
        for player in OTHER
    }
    assert len(put["Red"]) == len(put["Blue"]) + (state.mover == "Blue")
    return [put["Blue" if ply % 2 else "Red"][ply // 2] for ply in range(len(put["Red"]) + len(put["Blue"]))]


@every_cascade
def test_play_can_reach_the_positions_of_the_data(record: Record) -> None:
    """The moves to each position cause no explosion."""
    rules = Reference(side=record["side"])
    wanted = state_of(rules, record)
    state = rules.start()
    for move in moves_to(rules, wanted):
        assert rules.outcome(state) is None
        state, exploded = rules.cascade(state, move)
        assert exploded == []
    assert state == wanted


# ---- the game file


def game_of(side: int) -> Game:
    return dslgame.load(FILE, side=side)


def counts_of(position: Position) -> list[int]:
    counts = position.variables["count"]
    assert isinstance(counts, tuple)
    return [count or 0 for count in counts]


def shown_by(position: Position) -> Board:
    names = list(position.game.board.names)
    pieces = position.pieces
    return shown(names, [pieces.get(name, "") for name in names], counts_of(position))


def damaged(side: int, damage: Mapping[str, int]) -> Game:
    """Load the game with some tiles damaged at the start."""
    text = FILE.read_text(encoding="utf-8")
    if damage:
        text += "\nstart:\n" + "".join(f'    count["{tile}"] := {count}\n' for tile, count in damage.items())
    return dslgame.loads(text, name=FILE.name, side=side)


@every_recorded_game
def test_file_plays_as_recorded(record: Record) -> None:
    """Every board but the final one, and the winner are as recorded."""
    position = damaged(record["side"], damage_of(record)).start()
    for tile, board in record["plies"]:
        assert position.outcome is None
        position = position.play(f"tile_{tile}")
        assert position.over or shown_by(position) == board
    assert position.outcome == record["winner"]


@every_cascade
def test_file_makes_long_chain_reactions(record: Record) -> None:
    """Neither the length of a cascade nor the height of a tile hits a limit."""
    rules = Reference(side=record["side"])
    position = game_of(record["side"]).start()
    for move in moves_to(rules, state_of(rules, record)):
        position = position.play(move)
    assert shown_by(position) == record["board"]
    assert position.to_move == record["mover"]
    position = position.play(f"tile_{record['move']}")
    assert position.outcome == record["winner"]
    assert record["after"] is None or shown_by(position) == record["after"]


@pytest.mark.slow
def test_solver_finds_that_the_first_player_wins_with_every_opening() -> None:
    """On side 2, in as many plies as the reference finds."""
    game = game_of(2)
    answer = dslgame.solve(game)
    assert (game.outcome_name(answer.winner), answer.remoteness) == ("Red", 15)
    assert [game.outcome_name(item.winner) for item in answer.moves] == ["Red"] * 7
