"""How strong the levels are: matches of Hexplode against the published minimax and against random play.

The minimax is written again here as it was published for the coder prize: three plies, no pruning, its own counters
less the opponent's, infinite where one side is wiped out. It breaks off a cascade as soon as either colour is absent.

    python -m bench.levels [--games 20] [--side 3] [--level "alphabeta seconds=1"] [--plies 3]
"""

from __future__ import annotations

import argparse
import math
import random
import sys

import dslgame
from interpreter.boards import members
from interpreter.game import Game, Position
from solver.players.levels import Choice
from solver.players.matches import Match, play_match, random_openings

Board = list[tuple[int, int]]
"""For each tile its counters, and whose they are: 0 or 1, -1 for nobody's."""


class PublishedMinimax:
    """The minimax of the prize."""

    def __init__(self, game: Game, plies: int = 3, seed: int = 0) -> None:
        self.near = [members(near) for near in game.board.neighbours]
        self.plies = plies
        self.chance = random.Random(seed)

    def choose(self, position: Position) -> Choice:
        """The move that three plies of minimax find best; by chance among equals."""
        state = position.state
        owner = {cell: player for player in (0, 1) for cell in members(state.pieces[1 + player])}
        board = [(state.values[cell] or 0, owner.get(cell, -1)) for cell in range(len(self.near))]
        found: list[int] = []
        best = -math.inf
        for tile in self.moves(board, state.to_move):
            value = self.worth(self.after(board, tile, state.to_move), 1 - state.to_move, state.to_move, self.plies - 1)
            if value > best or not found:
                found, best = [], value
            if value == best:
                found.append(tile)
        tile = self.chance.choice(found)
        move = next(move for move in position.legal() if move.values[0] == tile)
        return Choice(move, position.game.notation.write(state, move))

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


def main() -> None:
    """Play the matches and print their results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--side", type=int, default=3)
    parser.add_argument("--plies", type=int, default=3, help="plies of the minimax")
    parser.add_argument("--level", default="alphabeta seconds=1")
    options = parser.parse_args()
    game = dslgame.load("hexplode", side=options.side)
    openings = random_openings(game, max(options.games // 2, 1), 2, seed=1)

    def tell(match: Match) -> None:
        last = match.games[-1]
        print(f"  game {len(match.games)}: {len(last.moves)} moves, {last.points:g}, {last.seconds[0]:.1f} s and "
              f"{last.seconds[1]:.1f} s", file=sys.stderr, flush=True)

    for name, other in (("random", dslgame.player(game, "random", seed=1)),
                        (f"published minimax, {options.plies} plies", PublishedMinimax(game, options.plies))):
        player = dslgame.player(game, options.level, seed=1)
        match = play_match(game, player, other, options.games, openings=openings, progress=tell)
        print(f"Hexplode side {options.side}: {options.level} against {name}: {match.text}", flush=True)


if __name__ == "__main__":
    main()
