"""The graph of a game's distinct positions in arrays, grown level by level and merged by chosen symmetries.

Positions are numbered in the order in which they are found, so those of a level are consecutive and are expanded in
order. `solver.trees.tree` makes trees of the graph, merged or not. The interpreter, which is the reference, grows small
graphs; the game's kernel (`native`) grows large ones, with the same positions and edges.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache

import attrs
import numpy as np

from dsl.diagnostics import Diagnostic, GameFileError
from interpreter.analysis.tried import broken_symmetries
from interpreter.arrays import Integers, Numbers, Truths, Words
from interpreter.game import Game
from interpreter.model.state import Move, State
from interpreter.model.state_maps import StateMap, canonical
from solver.trees.rule import GOING, CutHere, Progress, Rule, layout_of


@attrs.define(eq=False)
class Positions:
    """Distinct positions and the moves between them."""

    game: Game
    rule: Rule
    rows: Words
    """A row of words for each position, as `interpreter.compiler.lowering.layout` says."""
    outcomes: Integers
    """GOING, DRAWN, or the number of the winner."""
    movers: Integers
    """The player to move."""
    ends: Numbers
    """Where the edges of each expanded position end; those of position i are `ends[i - 1]` to `ends[i]`."""
    targets: Integers
    moves: Integers
    """For each edge the number of its rule, how many values it has, and its values."""
    same: Truths
    """For each edge whether the same player is to move after it."""
    left_out: Integers
    """For each expanded position whether a move was left out to a position of which no kept move reaches an image: 0
    no, 1 yes, 2 not determined yet (see `complete`). On levels that the kernel grew every left-out move counts."""
    levels: list[int]
    """The first position of each level, then the number of positions."""
    removed: list[int] = attrs.field(factory=list)
    """For each level how many won positions were removed."""
    grower: object = attrs.field(default=None, repr=False)
    """The state that `solver.trees.native` keeps between levels."""
    _numbers: dict[State, int] = attrs.field(factory=dict, repr=False)
    """The interpreter's cache: the number of each representative."""
    _pace: float = attrs.field(default=0.0, repr=False)
    """Seconds of processor time per position that the interpreter took on its last level."""

    @classmethod
    def begin(cls, game: Game, rule: Rule, root: State | None = None) -> Positions:
        """Return the graph of the root alone. Raises GameFileError where a declared symmetry does not hold."""
        if rule.merge in ("rotation", "all") and len(game.symmetries) > 1:
            broken = _broken(game)
            if broken:
                raise GameFileError(game.rules.source, broken)
        state = game.engine.start() if root is None else root
        layout = layout_of(game)
        row = np.array([[value & ((1 << 64) - 1) for value in layout.row(state)[: layout.position]]], np.uint64)
        none = np.zeros(0, np.int64)
        width = max(2, *(2 + len(choices) for choices in _all_choices(game)))
        outcome, mover = np.array([_coded(state.outcome)], np.int8), np.array([state.to_move], np.int8)
        return cls(game, rule, row, outcome, mover, none, np.zeros(0, np.int32), np.zeros((0, width), np.int32),
                   np.zeros(0, np.bool_), np.zeros(0, np.int8), [0, 1], [0])

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def expanded(self) -> int:
        """The number of positions that are expanded."""
        return len(self.ends)

    @property
    def depth(self) -> int:
        """The number of levels grown below the root."""
        return len(self.levels) - 2

    def state(self, number: int) -> State:
        """The interpreter's state of a position."""
        return layout_of(self.game).state([int(value) for value in self.rows[number]] + [0])

    def move(self, edge: int) -> Move:
        """The move of an edge."""
        result = self.moves[edge]
        return Move(int(result[0]), tuple(int(value) for value in result[2 : 2 + int(result[1])]))

    def first_edge(self, number: int) -> int:
        """The number of a position's first edge."""
        return int(self.ends[number - 1]) if number else 0

    def edges(self, number: int) -> range:
        """The numbers of a position's edges; none where it is not expanded."""
        return range(self.first_edge(number), int(self.ends[number])) if number < self.expanded else range(0)

    def complete(self) -> Truths:
        """For each expanded position whether it has all its moves, up to symmetry."""
        if (self.left_out == 2).any():
            from solver.trees.native import look_at_left_out

            look_at_left_out(self)
        result: Truths = self.left_out == 0
        return result

    @property
    def can_label(self) -> bool:
        """Whether positions can have labels: where merged ones have one value, and nothing is random or hidden."""
        rule = self.rule
        if self.game.rules.has_chance or not self.game.observer.sees_all:
            return False
        if rule.merge != "all" or rule.colours == "with players":
            return True
        return not any(element.swapping for element in self.game.symmetries)

    # ---- growing

    def grow(self, *, nodes: int | None = None, native: bool | None = None, ahead: int = 1, threads: int = 1,
             progress: Progress | None = None) -> bool:
        """Add a level; return False where there is nothing to add.

        `native` says whether to use the game's kernel where it can express the filters (`is_native`). By default it is
        used if that pays: if the interpreter is predicted to take more than `WORTH_COMPILING` for this level and the
        `ahead - 1` after it, and the rules can be lowered. The kernel uses `threads` threads.

        Raises CutHere where there would be more than `nodes` positions, and leaves the graph as it was; with `native`
        NotLowered where the rules cannot be lowered.
        """
        first, last = self.levels[-2], self.levels[-1]
        if first == last:
            return False
        wanted = self._predicted(ahead, nodes) > WORTH_COMPILING if native is None else native
        if not wanted or (first == 0 and self.rule.first) or not is_native(self):
            _grow(self, first, last, nodes, progress)
            return self.levels[-1] > self.levels[-2]
        from interpreter.compiler.lowering.errors import NotLowered
        from solver.trees.native import grow

        try:
            grow(self, first, last, nodes, threads, progress)
        except NotLowered:
            if native:
                raise
            _grow(self, first, last, nodes, progress)
        return self.levels[-1] > self.levels[-2]

    def _predicted(self, ahead: int, nodes: int | None) -> float:
        """Predict how many seconds the interpreter takes for the next `ahead` levels.

        Each level is assumed to grow by the factor of the last one; if that was below the factor before, it is assumed
        to fall by the same ratio with each level.
        """
        sizes = np.diff(self.levels[-4:])
        waiting = float((self.outcomes[self.levels[-2] :] == GOING).sum())
        growth = sizes[-1] / sizes[-2] if len(sizes) > 1 else 1.0
        slowing = min(1.0, growth * sizes[-3] / sizes[-2]) if len(sizes) > 2 else 1.0
        most = float("inf") if nodes is None else float(nodes)
        total = 0.0
        for _ in range(ahead):
            total += min(waiting, most)
            growth *= slowing
            waiting *= growth
        return total * self._pace

    def add_level(self, rows: Words, outcomes: Integers, movers: Integers, counts: Integers, targets: Integers,
                  moves: Integers, same: Truths, left_out: Integers, removed: int) -> None:
        """Append the expansion of a level; `counts` has the number of edges of each expanded position."""
        before = int(self.ends[-1]) if len(self.ends) else 0
        self.ends = np.concatenate([self.ends, before + np.cumsum(counts, dtype=np.int64)])
        self.targets = np.concatenate([self.targets, targets.astype(np.int32)])
        self.moves = np.concatenate([self.moves, moves.astype(np.int32)])
        self.same = np.concatenate([self.same, same])
        self.left_out = np.concatenate([self.left_out, left_out])
        self.rows = np.concatenate([self.rows, rows])
        self.outcomes = np.concatenate([self.outcomes, outcomes.astype(np.int8)])
        self.movers = np.concatenate([self.movers, movers.astype(np.int8)])
        self.levels.append(len(self.rows))
        self.removed.append(removed)


_TRIED_PLIES = 6
"""Plies of the games that test the declared symmetries; `dslgame check` plays much longer ones."""
WORTH_COMPILING = 2.0
"""Seconds of the interpreter above which the kernel pays: it loads in less than one, and compiles in a few."""


@lru_cache(maxsize=8)
def _broken(game: Game) -> list[Diagnostic]:
    """Diagnostics of the declared symmetries that do not hold, cached."""
    return broken_symmetries(game, games=2, plies=_TRIED_PLIES)


def is_native(positions: Positions) -> bool:
    """Whether the game's kernel can grow a graph: whether its rules can express the filters."""
    from solver.trees.filters import without_moves

    return without_moves(positions.game, positions.rule.filters) is not None


def merging(game: Game, rule: Rule) -> Callable[[State], State]:
    """Return the function that maps a state to its representative among those that are merged with it."""
    if rule.merge in ("none", "translation"):
        return lambda state: state

    def of(state: State) -> State:
        maps: Sequence[StateMap] = game.symmetries_of(state)
        if rule.merge == "rotation":
            return canonical(state, [element for element in maps if not element.swapping])
        if rule.colours == "with players" or not any(element.swapping for element in maps):
            return canonical(state, maps)
        turned = canonical(state, [element for element in maps if not element.swapping])
        swap = next(element for element in maps if element.swapping)
        other = swap.of_state(state)._replace(to_move=state.to_move)
        plain = [element for element in maps if not element.swapping]
        return min(turned, canonical(other, plain), key=_order)

    return of


def _order(state: State) -> tuple[object, ...]:
    return (state.pieces, state.links, tuple((value is not None, value or 0) for value in state.values),
            _coded(state.outcome), state.turn, state.seats)


def _coded(outcome: int | None) -> int:
    return GOING if outcome is None else outcome


def _all_choices(game: Game) -> list[list[int]]:
    """For each rule the slots of its choices; 40 more where it proceeds step by step."""
    from dsl import hir
    from solver.trees.filters import choices_of

    result = []
    for rule in game.rules.moves:
        slots = [slot for choice in choices_of(rule) for slot in choice.slots]
        goes_on = any(isinstance(part, hir.Proceed) for part in hir.walk(rule.body))
        result.append(slots + [0] * (40 if goes_on else 0))
    return result


def _grow(positions: Positions, first: int, last: int, nodes: int | None, progress: Progress | None) -> None:
    """Add a level with the interpreter."""
    began = time.thread_time()
    game, rule = positions.game, positions.rule
    layout, representative = layout_of(game), merging(game, rule)
    known = _known(positions)
    states: list[State] = []
    counts, targets, moves, same, left_out, removed = [], [], [], [], [], set()
    width = positions.moves.shape[1]
    for number in range(first, last):
        before = positions.state(number)
        kept, dropped = _successors(game, rule, before, allowed=rule.first if number == 0 else ())
        count = 0
        for move, after in kept:
            key = representative(after)
            if rule.wins == "removed" and after.outcome is not None and after.outcome >= 0:
                removed.add(key)
                dropped.append(after)
                continue
            result = known.get(key)
            if result is None:
                result = known[key] = len(positions) + len(states)
                states.append(after)
                if nodes is not None and result >= nodes:
                    positions._numbers = {}
                    raise CutHere(f"the limit of {nodes:,} positions is reached")
            targets.append(result)
            moves.append([move.rule, len(move.values), *move.values] + [0] * (width - 2 - len(move.values)))
            same.append(after.to_move == before.to_move)
            count += 1
        counts.append(count)
        left_out.append(_lacks(game, dropped, [after for _, after in kept]))
        if progress is not None:
            progress(number - first + 1, last - first, "expanding positions")
    rows = [[value & ((1 << 64) - 1) for value in layout.row(state)[: layout.position]] for state in states]
    positions.add_level(
        np.array(rows, np.uint64).reshape(-1, layout.position), np.array([_coded(state.outcome) for state in states]),
        np.array([state.to_move for state in states]), np.array(counts, np.int64), np.array(targets, np.int32),
        np.array(moves, np.int32).reshape(-1, width), np.array(same, np.bool_), np.array(left_out, np.int8),
        len(removed))
    positions._pace = (time.thread_time() - began) / (last - first)


def _known(positions: Positions) -> dict[State, int]:
    """The number of each position's representative, cached between levels."""
    if len(positions._numbers) != len(positions):
        representative = merging(positions.game, positions.rule)
        positions._numbers = {representative(positions.state(number)): number for number in range(len(positions))}
    return positions._numbers


def _lacks(game: Game, dropped: Sequence[State], kept: Sequence[State]) -> bool:
    """Whether some dropped state is not an image of any kept one."""
    if not dropped:
        return False
    images = {canonical(state, game.symmetries_of(state)) for state in kept}
    return any(canonical(state, game.symmetries_of(state)) not in images for state in dropped)


def _successors(game: Game, rule: Rule, before: State, allowed: Sequence[str]) -> tuple[
        list[tuple[Move, State]], list[State]]:
    """The moves that the filters keep, with their successors, and the successors of the dropped moves."""
    if before.outcome is not None:
        return [], []
    kept, dropped = [], []
    for move, after in game.engine.successors(before):
        first = not allowed or game.notation.write(before, move) in allowed
        if first and not any(item.leaves_out(game, before, move, after) for item in rule.filters):
            kept.append((move, after))
        else:
            dropped.append(after)
    return kept, dropped
