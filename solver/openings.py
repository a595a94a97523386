"""The first moves of a position up to symmetry, each with its value under best play and a best reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from interpreter.boards import members
from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from solver.budget import Progress
from solver.errors import Refused
from solver.expected.value import Expected
from solver.forecast import Said
from solver.game_space import GameSpace, solve_game
from solver.methods import AUTO
from solver.players.judge import standing
from solver.solve import MoveValue, Solution
from solver.space import DRAW

_LONG = 300_000
"""The number of positions above which a search counts as long."""


@attrs.frozen
class Opening:
    """A first move, or a class of first moves that are equivalent by symmetry."""

    move: Move
    text: str
    winner: int | None
    """A player's number, -1 for a draw, None where it is unknown."""
    remoteness: int | None
    """Plies to the end under best play, this move included; None where it is unknown or the game never ends."""
    reply: str
    """A best reply; '' where the game is over, or where it is unknown."""
    images: tuple[Move, ...]
    """The other moves of the class."""
    image_texts: tuple[str, ...]
    expected: Expected | None = None
    """The expected value for the first player, in games with chance."""

    @property
    def known(self) -> bool:
        """Whether its value is known."""
        return self.winner is not None or (self.expected is not None and self.expected.known)


def openings(position: Position, *, merge: bool = True, method: str = AUTO, nodes: int | None = None,
             memory: int | None = None, progress: Progress | None = None, threads: int = 1, said: Said | None = None
             ) -> tuple[list[Opening], Solution[State, Move]]:
    """Solve a position; return its first moves with their values, the best first, and the solution.

    `merge` makes one opening of moves that are equivalent by symmetry. `nodes` and `memory` (MiB) limit the work;
    unknown values are then None. `threads` is the number of threads of searches, and `said` is called before long work.
    Ctrl-C ends it with what was found (see `Solution.interrupted`).

    Raises what `solve_game` raises, and Refused where players do not see everything: a move alone has no value then.
    """
    game, state = position.game, position.state
    if not game.observer.sees_all:
        raise Refused(f"{game.unseen}, so that a first move alone has no value: `dslgame solve` finds how often each "
                      "is played")
    solution = solve_game(game, state, method=method, nodes=nodes, memory=memory, progress=progress, threads=threads,
                          said=said)
    write = game.notation.write
    classes: dict[int, list[int]] = {}
    for index, value in enumerate(solution.moves):
        classes.setdefault(value.group if merge else index, []).append(index)
    result, interrupted = [], solution.interrupted
    for places in classes.values():
        first, *others = (solution.moves[place] for place in places)
        after = game.engine.apply(state, first.move)
        assert after is not None  # the move is legal
        images, reply = tuple(other.move for other in others), ""
        if not interrupted:
            try:
                reply = _reply(game, after, first, solution, method, nodes, memory, threads)
            except KeyboardInterrupt:
                interrupted = True
        result.append(Opening(first.move, write(state, first.move), first.winner, first.remoteness, reply, images,
                              tuple(write(state, move) for move in images), first.expected))
    if game.rules.has_chance:
        best = 1 if state.to_move == 0 else -1
        result.sort(key=lambda opening: 0.0 if opening.expected is None else -best * opening.expected.value)
    else:
        result.sort(key=lambda opening: standing(opening.winner, opening.remoteness, game.sides[state.to_move]))
    return result, attrs.evolve(solution, interrupted=interrupted)


def _reply(game: Game, after: State, first: MoveValue[Move], solution: Solution[State, Move], method: str,
           nodes: int | None, memory: int | None, threads: int) -> str:
    """A best reply to a move, as found by the search, looked up in the values of all positions, or newly solved.

    '' where there is none. After a long search of the first moves only a reply that keeps the value is searched for,
    which takes much less than valuing all replies, and none where all replies lose.
    """
    if after.outcome is not None:
        return ""
    mover = game.sides[after.to_move]
    if first.reply is not None:
        return game.notation.write(after, first.reply)
    best: Move | None = None
    known = solution.strong
    if known is not None:
        ranks: list[tuple[tuple[int, int], int, Move]] = []
        for move, then in GameSpace(game, after).successors(after):
            value = known.value(then)
            ranks.append((standing(None, None, mover) if value is None
                          else standing(value.winner, value.remoteness, mover), len(ranks), move))
        best = min(ranks)[2] if ranks else None
    elif solution.positions <= _LONG or first.winner in (None, DRAW, mover):
        result = solve_game(game, after, method=method, nodes=nodes, memory=memory, threads=threads,
                            value_only=solution.positions > _LONG)
        if result.interrupted:
            raise KeyboardInterrupt
        if result.winner == mover and result.best is None:  # a win is proven, but the winning move is unknown
            result = solve_game(game, after, method=method, nodes=nodes, memory=memory, threads=threads)
        valued = result.winner is not None or (result.expected is not None and result.expected.known)
        best = result.best if valued else None
    return "" if best is None else game.notation.write(after, best)


def cell_of(position: Position, move: Move) -> int | None:
    """The cell that represents a move on the board: the first that it names, else the first that it fills."""
    from interpreter.pictures.marks import chosen_cells

    chosen = chosen_cells(position.game, move)
    if chosen:
        return chosen[0]
    before, after = position.state, position.game.engine.apply(position.state, move)
    filled = 0 if after is None else before.pieces[0] & ~after.pieces[0]
    return next(iter(members(filled)), None)


def by_cell(position: Position, result: Sequence[Opening],
            cell: Callable[[Position, Move], int | None] = cell_of) -> dict[int, Opening]:
    """Map each cell to the best opening that it represents, images included."""
    best: dict[int, Opening] = {}
    for opening in result:  # the best come first
        for move in (opening.move, *opening.images):
            place = cell(position, move)
            if place is not None:
                best.setdefault(place, opening)
    return best
