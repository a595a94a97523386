"""Searches for any number of players, by the interpreter: max^n and paranoid search.

Both search to a fixed depth and evaluate leaves by the game's `value`, once for each player.

- `maxn`: every player maximises the value of the own side (Luckhardt and Irani, 1986). Ties are broken in favour of the
  move after which the best of the others has least, then of the first in order: the game's order, at the root that of
  the previous depth.
- `paranoid`: all others play against the player who searches (Sturtevant and Korf, 2000), with alpha-beta cutoffs.

Ends of games outweigh any value, and earlier wins outweigh later ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from interpreter.game import Game
from interpreter.model.state import DRAW, Move, State
from solver.players.found import Found
from solver.players.limits import Limit
from solver.players.meter import Meter
from solver.report import Deepened, Report

Kind = Literal["maxn", "paranoid"]
END = 1 << 40
"""The score of a win, less one for each ply to it."""
DEEPEST = 60


@attrs.define(eq=False)
class VectorSearch:
    """Searches positions of one game by max^n or paranoid search with iterative deepening."""

    game: Game
    kind: Kind
    _meter: Meter = attrs.field(factory=lambda: Meter(Limit()))
    """Counts the nodes of the current search."""
    _horizon: bool = False
    """Whether the last depth reached the horizon, so that a deeper search may find more."""
    _mover: int = 0
    _path: list[State] = attrs.field(factory=list)
    """The positions before the one that is searched, for the repetition rule."""

    def forget(self) -> None:
        """Do nothing: no state is kept between searches."""

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0) -> Found:
        """Return the best move by iterative deepening within the limit. Raises RuleError where a rule fails.

        `history` holds the earlier positions, for repetition rules. `seed` is ignored: the search is deterministic.
        """
        if state.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        self._meter = meter = Meter(limit)
        self._mover = self.game.sides[state.to_move]
        self._path = list(history)
        after = self._successors(state)
        best, worth, depths = after[0][0], 0, list[Deepened]()
        write = self.game.notation.write
        with meter.stopping():
            for depth in range(1, (limit.plies or DEEPEST) + 1):
                nodes, seconds = meter.nodes, meter.seconds
                self._horizon = False
                best, worth, after = self._deepen(state, after, depth)
                depths.append(Deepened(depth, meter.nodes - nodes, meter.seconds - seconds, f"{worth:+,}",
                                       (write(state, best),)))
                if not self._horizon:
                    break
        report = Report(self.kind, meter.nodes, meter.seconds, score=f"{worth:+,}", line=(write(state, best),),
                        depths=tuple(depths), interrupted=meter.interrupted,
                        cut=meter.cut(f"at depth {len(depths) + 1}"))
        won = self.kind == "paranoid" and worth > END // 2
        return Found(best, worth, self._mover if won else None, END - worth if won else None, report)

    def _deepen(self, state: State, after: list[tuple[Move, State]],
                depth: int) -> tuple[Move, int, list[tuple[Move, State]]]:
        """Search to one depth: the best move, its value, and the moves with their successors, the best first."""
        scored = []
        floor = -END
        self._path.append(state)
        for move, there in after:
            if self.kind == "maxn":
                key = self._rank(self._maxn(there, depth - 1, 1), self._mover)
            else:
                key = (self._paranoid(there, depth - 1, 1, floor - 1, END), 0)
                floor = max(floor, key[0])
            scored.append((key, move, there))
        self._path.pop()
        scored.sort(key=lambda item: item[0], reverse=True)  # stable: ties keep their order
        return scored[0][1], scored[0][0][0], [(move, there) for _, move, there in scored]

    def _successors(self, state: State) -> list[tuple[Move, State]]:
        """The legal moves of a position with the positions after them, by the repetition rule; none where all repeat
        one."""
        successors = self.game.engine.successors(state)
        return self.game.by_repetition(state, successors, self._path) if self.game.looks_back else successors

    def _maxn(self, state: State, depth: int, ply: int) -> list[int]:
        """The value of a position for each player, by max^n."""
        self._meter.count()
        if state.outcome is not None:
            return self._ended(state.outcome, ply)
        if depth == 0:
            self._horizon = True
            return [self._estimate(state, player) for player in range(len(self.game.players))]
        own = self.game.sides[state.to_move]
        best: list[int] | None = None
        rank = (0, 0)
        successors = self._successors(state)
        self._path.append(state)
        for _, after in successors:
            values = self._maxn(after, depth - 1, ply + 1)
            result = self._rank(values, own)
            if best is None or result > rank:
                best, rank = values, result
        self._path.pop()
        return self._stuck(state, ply) if best is None else best

    def _rank(self, values: list[int], own: int) -> tuple[int, int]:
        """How a side ranks what a position is worth to each player: the higher for itself, the lower for the best of
        the others, the better."""
        others = (value for value, side in zip(values, self.game.sides, strict=True) if side != own)
        return values[own], -max(others, default=0)

    def _paranoid(self, state: State, depth: int, ply: int, low: int, high: int) -> int:
        """The value of a position for the searching player, by alpha-beta against all others."""
        self._meter.count()
        if state.outcome is not None:
            return self._ended(state.outcome, ply)[self._mover]
        if depth == 0:
            self._horizon = True
            return self._estimate(state, self._mover)
        own = self.game.sides[state.to_move] == self._mover
        best = -END - 1 if own else END + 1
        successors = self._successors(state)
        if not successors:
            return self._stuck(state, ply)[self._mover]
        self._path.append(state)
        for _, after in successors:
            result = self._paranoid(after, depth - 1, ply + 1, low, high)
            if own:
                best = max(best, result)
                low = max(low, best)
            else:
                best = min(best, result)
                high = min(high, best)
            if low >= high:
                break
        self._path.pop()
        return best

    def _stuck(self, state: State, ply: int) -> list[int]:
        """The score for each player where all moves would repeat a position, which is forbidden."""
        return self._ended(self.game.engine.ends.of_no_moves(state.to_move), ply)

    def _ended(self, outcome: int, ply: int) -> list[int]:
        """The score of an outcome for each player, `ply` plies from the root."""
        sides = self.game.sides
        return [0 if outcome == DRAW else END - ply if side == outcome else ply - END for side in sides]

    def _estimate(self, state: State, player: int) -> int:
        """The game's `value` for a player, which counts less than any end; 0 where it has none."""
        return min(max(self.game.heuristic(state._replace(to_move=player)), -END // 2), END // 2)
