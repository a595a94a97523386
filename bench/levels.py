"""Strength of the levels: matches of Hexplode against the published minimax and against random play.

The minimax is reimplemented here as it was published for the coder prize: three plies, no pruning, the value is its own
counters less the opponent's, infinite where one side is wiped out. It stops a cascade as soon as either colour is gone.

    python -m bench.levels [--games 20] [--side 3] [--level "alphabeta seconds=1"] [--plies 3] [--compiled]
                           [--no-random]

With `--compiled` the same minimax runs on compiled rules; a test checks that it gives every move the same value as the
one in Python. Both choose randomly among the best moves. On side 4 it takes milliseconds per move.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time

import dslgame
from dslgame import bundled
from interpreter.boards import members
from interpreter.game import Game, Position
from interpreter.model.state import Move
from solver.entries import Entries
from solver.native.scores import MOST
from solver.players.choice import Choice, Player
from solver.players.iterative_deepening import Deepening
from solver.players.limits import Limit
from solver.players.matches import Match, play_match, random_openings

Board = list[tuple[int, int]]
"""For each tile its counters and their owner: 0 or 1, -1 for nobody."""


class PublishedMinimax:
    """The published minimax of the coder prize."""

    def __init__(self, game: Game, plies: int = 3, seed: int = 0) -> None:
        self.near = [members(near) for near in game.board.neighbours]
        self.plies = plies
        self.chance = random.Random(seed)

    def choose(self, position: Position) -> Choice:
        """Choose the best move of a minimax of `plies` plies, randomly among equals."""
        state = position.state
        values = self.values(self.board_of(position), state.to_move)
        best = max(values.values())
        tile = self.chance.choice([tile for tile, value in values.items() if value == best])
        move = next(move for move in position.legal() if move.values[0] == tile)
        return Choice(move, position.game.notation.write(state, move))

    def values(self, board: Board, player: int) -> dict[int, float]:
        """The minimax value of each of a player's moves."""
        return {tile: self.worth(self.after(board, tile, player), 1 - player, player, self.plies - 1)
                for tile in self.moves(board, player)}

    def board_of(self, position: Position) -> Board:
        """Convert a position."""
        state = position.state
        owner = {cell: player for player in (0, 1) for cell in members(state.pieces[1 + player])}
        return [(state.values[cell] or 0, owner.get(cell, -1)) for cell in range(len(self.near))]

    def moves(self, board: Board, player: int) -> list[int]:
        """The tiles that are empty or the player's."""
        return [tile for tile, (_, owner) in enumerate(board) if owner in (-1, player)]

    def after(self, board: Board, tile: int, player: int) -> Board:
        """The board after a move."""
        board = list(board)
        board[tile] = board[tile][0] + 1, player
        while all(any(owner == colour for _, owner in board) for colour in (0, 1)):
            full = next((tile for tile, (count, _) in enumerate(board) if count >= len(self.near[tile])), None)
            if full is None:
                break
            count = board[full][0] - len(self.near[full])
            board[full] = count, player if count else -1
            for near in self.near[full]:
                board[near] = board[near][0] + 1, player
        return board

    def worth(self, board: Board, mover: int, own: int, plies: int) -> float:
        """The value of a board by minimax."""
        mine = sum(count for count, owner in board if owner == own)
        theirs = sum(count for count, owner in board if owner == 1 - own)
        if mine + theirs > 2 and not (mine and theirs):
            return math.inf if mine else -math.inf
        if plies == 0:
            return mine - theirs
        values = [self.worth(self.after(board, tile, mover), 1 - mover, own, plies - 1)
                  for tile in self.moves(board, mover)]
        return max(values) if mover == own else min(values)


class CompiledMinimax:
    """The same minimax on compiled rules: the game's `value` is the mover's counters less the opponent's."""

    def __init__(self, game: Game, plies: int = 3, seed: int = 0) -> None:
        self.search = Deepening(Entries.of(game, bundled.hooks_of(game)), table_mib=4)
        self.plies = plies
        self.chance = random.Random(seed)

    def values(self, position: Position) -> list[tuple[Move, float]]:
        """Each move with its value: a difference of counters, or infinite where a side is wiped out by force."""
        found = []
        for move in position.legal():
            after = position.play(move)
            if after.over:
                found.append((move, math.inf if after.state.outcome == position.state.to_move else -math.inf))
                continue
            self.search.forget()
            score = -self.search.search(after.state, Limit(plies=self.plies - 1), first=self.plies - 1).score
            found.append((move, math.copysign(math.inf, score) if abs(score) > MOST else score))
        return found

    def choose(self, position: Position) -> Choice:
        """Choose the best move, randomly among equals."""
        found = self.values(position)
        best = max(value for _, value in found)
        move = self.chance.choice([move for move, value in found if value == best])
        return Choice(move, position.game.notation.write(position.state, move))


class Timed:
    """Measures the processor time of a player."""

    def __init__(self, player: Player) -> None:
        self.player, self.spent, self.moves = player, 0.0, 0

    def choose(self, position: Position) -> Choice:
        """Choose the player's move, and add up its time."""
        started = time.process_time()
        choice = self.player.choose(position)
        self.spent += time.process_time() - started
        self.moves += 1
        return choice

    @property
    def pace(self) -> str:
        """The average time per move, as text."""
        return f"{1000 * self.spent / max(1, self.moves):.1f} ms"


def main() -> None:
    """Play the matches and print their results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--side", type=int, default=3)
    parser.add_argument("--plies", type=int, default=3, help="plies of the minimax")
    parser.add_argument("--compiled", action="store_true", help="the minimax by compiled rules, many times as fast")
    parser.add_argument("--no-random", action="store_true", help="leave out the match against random play")
    parser.add_argument("--level", default="alphabeta seconds=1")
    options = parser.parse_args()
    game = dslgame.load("hexplode", side=options.side)
    openings = random_openings(game, max(options.games // 2, 1), 2, seed=1)

    def tell(match: Match) -> None:
        last = match.games[-1]
        print(f"  game {len(match.games)}: {len(last.moves)} moves, {last.points:g}, {last.seconds[0]:.1f} s and "
              f"{last.seconds[1]:.1f} s", file=sys.stderr, flush=True)

    minimax = (CompiledMinimax if options.compiled else PublishedMinimax)(game, options.plies)
    others: list[tuple[str, Player]] = [(f"published minimax, {options.plies} plies", minimax)]
    if not options.no_random:
        others.insert(0, ("random", dslgame.player(game, "random", seed=1)))
    for name, other in others:
        player, opponent = Timed(dslgame.player(game, options.level, seed=1)), Timed(other)
        match = play_match(game, player, opponent, options.games, openings=openings, progress=tell)
        print(f"Hexplode side {options.side}: {options.level} against {name}: {match.text}; a move {player.pace} and "
              f"{opponent.pace} of the processor", flush=True)


if __name__ == "__main__":
    main()
