"""Endgame tables: the values of all positions with given material, and of all positions that these lead to.

The pieces are placed on the board in every way, with each player to move; placements that the rules would take back or
change at once are no positions. Most positions are enumerated by the game's kernel from one of them; the interpreter
adds those that are not reachable from it. All are valued by `solver.tables`.

Counters that only end the game, such as moves without a capture, are left out: a variable that is `aside` for the
repetition rule keeps its first value. Other variables have the values that they have after a move on an empty board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from pathlib import Path

import attrs
import numpy as np

from dsl import hir
from dsl.syntax.source import Source, Span
from interpreter.arrays import Words
from interpreter.boards import members
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import DRAW, State, WorkingState
from solver.budget import Budget
from solver.counters import check_counters
from solver.errors import Refused
from solver.game_space import GameSpace
from solver.native.functions import Shorts
from solver.strong import Value
from solver.tables import saved
from solver.tables.codes import value_of
from solver.tables.table import SolvedTable, TableSolver

MOST = 1 << 22
"""The most placements of the pieces: this process checks each of them."""


@attrs.frozen
class Tally:
    """The results of the positions that have all the pieces and one given player to move."""

    mover: int
    positions: int
    wins: tuple[int, ...]
    """For each player the number of positions that the player wins."""
    draws: int
    longest: int
    """The plies of the longest win; 0 where nobody wins."""
    example: str
    """A position with the longest win; '' where there is none."""


@attrs.frozen(eq=False)
class Endgames:
    """An endgame table."""

    game: Game
    """The game without its counters."""
    material: str
    table: SolvedTable
    tallies: tuple[Tally, ...]
    size: int
    """The size of the file in bytes; 0 where none was written."""

    def value(self, state: State) -> Value | None:
        """The value of a position; None for one that is not in the table."""
        return self.table.value(state)


def pieces_of(game: Game, text: str) -> tuple[int, ...]:
    """The indices of pieces given by their signs, as in `KQk`, or separated by spaces where a sign has several letters.

    Raises Refused for a sign that no piece or several pieces have, and where no piece is named.
    """
    by_sign: dict[str, list[int]] = {}
    for number, piece in enumerate(game.rules.pieces):
        if number:
            by_sign.setdefault(piece.glyph, []).append(number)
    signs = text.split() if " " in text or text in by_sign else list(text)
    result = []
    for sign in signs:
        meant = by_sign.get(sign, [])
        if len(meant) != 1:
            raise Refused(f"material {text!r}: {'no piece has' if not meant else 'several pieces have'} the sign "
                          f"{sign!r}; the signs are "
                          f"{' '.join(by_sign)}")
        result += meant
    if not result:
        raise Refused(f"material {text!r}: it names no piece; the signs are {' '.join(by_sign)}")
    return tuple(sorted(result))


def without_counters(game: Game) -> Game:
    """Make a game in which variables that are `aside` never change."""
    kinds = game.rules.variables
    aside = {number for number, kind in enumerate(kinds) if kind.aside}
    if not aside:
        return game
    source = game.rules.source
    spans = {(part.span, kinds[part.number].name) for part in hir.walk_rules(game.rules)
             if isinstance(part, hir.SetVariable) and part.number in aside}
    lines = source.text.split("\n")
    for span, name in sorted(spans, key=lambda item: (item[0].line, item[0].column), reverse=True):
        _replace(lines, span, f"{name} := {name}")
    for number in aside:
        line = kinds[number].span.line - 1
        words, mark, comment = lines[line].partition("#")
        lines[line] = words.replace(" aside", "", 1) + mark + comment
    return Game.of(Source(source.name, "\n".join(lines)), game.params)


def _replace(lines: list[str], span: Span, text: str) -> None:
    """Replace the text of a span; its lines after the first become empty."""
    first, last = span.line - 1, span.end_line - 1
    end = lines[last][span.end_column - 1 :]
    lines[first] = lines[first][: span.column - 1] + text + end
    for line in range(first + 1, last + 1):
        lines[line] = ""


def endgames(game: Game, material: str, *, save: Path | None = None, budget: Budget | None = None,
             tell: Callable[[str], None] = lambda said: None) -> Endgames:
    """Compute the table of all positions with the given material, and write it to `save` if that is given.

    Raises Refused where the game or the material does not allow a table, or `save` exists; OutOfBudget, RuleError,
    NotLowered, OSError.
    """
    _check_fit(game)
    pieces = pieces_of(game, material)
    if save is not None and save.exists():
        raise Refused(f"{save} exists: remove it, or save to another file")
    game = without_counters(game)
    count = _ways(len(members(game.board.everything)), pieces) * len(game.players)
    if count > MOST:
        raise Refused(f"there are {count:,} ways to put {material} on the board, and {MOST:,} at most are looked at: "
                      "name fewer pieces")
    root = next((state for state in _placements(game, pieces) if _goes_on(game, state)), None)
    if root is None:
        raise Refused(f"there is no position with {material} in which a player can move: the rules take each back, or "
                      "it is over")
    claimed = all(symmetry.condition is None for symmetry, _ in game.declared)  # else some placements may lack some
    kernel, space = Kernel.of(game), GameSpace(game, root, symmetry=claimed)
    tell("playing on from one position")
    solver = TableSolver(space, kernel, budget or Budget())
    table = solver.run()
    reached = solver.enumeration
    tell(f"looking at {count:,} ways to put the pieces")
    known = {key.tobytes() for tier in reached.tiers.values() for key in tier.keys[: tier.count]}
    keys = [reached.represent(state)[0].tobytes() for state in _placements(game, pieces)]
    roots = []
    for number, state in enumerate(_placements(game, pieces)):
        if keys[number] not in known and _settled(game, state):
            finished = game.engine.finished(state)
            keys[number] = reached.represent(finished)[0].tobytes()
            if keys[number] not in known:
                roots.append(finished)
    del known, reached
    if roots:
        tell(f"adding {len(roots):,} positions that no play reaches")
        solver = TableSolver(space, kernel, budget or Budget(), roots=tuple(roots))
        table = solver.run()
    assert isinstance(table, SolvedTable)
    size = 0
    if save is not None:
        size = saved.save(table, save, saved.identity_of(space, kernel), lambda done: None)
    tallies = _tallies(game, table, keys, _placements(game, pieces))
    return Endgames(game, material, table, tallies, size)


def _check_fit(game: Game) -> None:
    if game.board.unbounded or game.rules.piles > 1 or len(game.players) > 2 or not game.observer.sees_all:
        raise Refused(f"{game.title}: endgames are for one or two players who see everything, on a board with an end "
                      "and without piles")
    check_counters(game)


def _ways(cells: int, pieces: Sequence[int]) -> int:
    result = 1
    for count in Counter(pieces).values():
        result *= comb(cells, count)
        cells -= count
    return result


def _placements(game: Game, pieces: Sequence[int]) -> Iterator[State]:
    """Yield every placement of the pieces, with each player to move; the outcome is not determined."""
    board = game.board.everything
    start = game.engine.start()
    nothing = start._replace(pieces=(board, *(0 for _ in start.pieces[1:])), outcome=None)
    after = WorkingState(nothing)
    game.engine.follow(after)
    like = after.state(None)

    def put(kinds: list[tuple[int, int]], free: int, held: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not kinds:
            yield (free, *held[1:])
            return
        piece, count = kinds[0]
        for cells in combinations(members(free), count):
            mask = sum(1 << cell for cell in cells)
            yield from put(kinds[1:], free & ~mask, (*held[:piece], mask, *held[piece + 1 :]))

    for placed in put(sorted(Counter(pieces).items()), board, like.pieces):
        for mover in range(len(game.players)):
            yield like._replace(pieces=placed, to_move=mover)


def _settled(game: Game, state: State) -> bool:
    """Whether a position can occur after a move: the rules would neither take it back nor change it by themselves."""
    return any(game.engine.pending(state, mover) is None and game.engine.taken_back(state, mover) is None
               for mover in game.engine.last_movers(state))


def _goes_on(game: Game, state: State) -> bool:
    return _settled(game, state) and game.engine.finished(state).outcome is None


def _tallies(game: Game, table: SolvedTable, keys: Sequence[bytes], states: Iterable[State]) -> tuple[Tally, ...]:
    """Tally the values of the positions with these keys, for each player to move."""
    places: dict[bytes, int] = {}
    for number in table.enumeration.tiers:
        result, values = _columns(table, number)
        places |= zip((key.tobytes() for key in result), values.tolist(), strict=True)
    players = range(len(game.players))
    wins, draws = [[0 for _ in players] for _ in players], [0 for _ in players]
    longest: list[tuple[int, str]] = [(0, "") for _ in players]
    for key, state in zip(keys, states, strict=True):
        value = value_of(places[key]) if key in places else None
        if value is None:
            continue
        mover = state.to_move
        if value.winner == DRAW:
            draws[mover] += 1
            continue
        wins[mover][value.winner] += 1
        if value.remoteness is not None and value.remoteness > longest[mover][0]:
            longest[mover] = value.remoteness, game.position_text(state)
    return tuple(Tally(mover, sum(wins[mover]) + draws[mover], tuple(wins[mover]), draws[mover], *longest[mover])
                 for mover in players)


def _columns(table: SolvedTable, number: int) -> tuple[Words, Shorts]:
    tier = table.enumeration.tiers[number]
    folder = None if table.folder is None else table.folder.path
    return np.ascontiguousarray(tier.all_keys(folder)), tier.column("values", folder)
