"""Examples in pattern files: checks that a pattern proposes the marked moves in the position of a diagram.

A diagram draws the whole board, row by row from the top: `o` a piece of the player to move, `x` one of the enemy's,
`X` one that the enemy's last move put there, `.` an empty cell, `*` one at which the pattern must propose a move, `-` a
cell that the board lacks. Without a `*` the pattern must propose nothing. The pieces are placed by moves of the game,
in the diagram's order where possible, so that the effects of the rules (links, falling) apply to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl.diagnostics import Diagnostic, error
from dsl.patterns import rules as pattern_rules
from dsl.resolve.sorts import CELLS
from dsl.syntax.source import Source, Span
from interpreter.boards import members
from interpreter.game import Game, examine
from interpreter.model.state import Move, State
from interpreter.patterns.matching import Book, examine_patterns, placed

SIGNS = "oxX.*-"
"""The signs of a diagram."""


class BadDiagram(Exception):
    """A diagram is not a position of its game; says why, and where."""

    def __init__(self, phrase: str, span: Span, help: str = "") -> None:
        super().__init__(phrase)
        self.phrase, self.span, self.help = phrase, span, help


def try_examples(source: Source, rules: Source, params: Mapping[str, int]) -> tuple[int, list[Diagnostic]]:
    """The number of examples in a pattern file, and a diagnostic for each that fails.

    Each example is tried on the board of the params that it names, and of the given ones otherwise.
    """
    result: list[Diagnostic] = []
    books: dict[tuple[tuple[str, int], ...], Book | None] = {}
    count = 0
    first = _book(source, rules, params, result)
    if first is None:
        return 0, result
    for number, pattern in enumerate(first.patterns):
        for line in pattern.rule.statements:
            if not isinstance(line, pattern_rules.Example):
                continue
            count += 1
            key = tuple(sorted({**params, **dict(line.params)}.items()))
            if key not in books:
                books[key] = _book(source, rules, dict(key), result, line.span)
            book = books[key]
            if book is not None:
                result += _tried(book, number, line)
    return count, result


def _book(source: Source, rules: Source, params: Mapping[str, int], result: list[Diagnostic],
          place: Span | None = None) -> Book | None:
    """The book for given params; errors are reported as the file's, or at `place`, the example that names the params.
    """
    game, problems = examine(rules, params)
    if game is None:
        reason = next(item for item in problems if item.severity == "error")
        result.append(error("G615", f"the game cannot be had like this: {reason.phrase}", place or Span.at(1, 1)))
        return None
    book, problems = examine_patterns(source, game)
    if book is not None or place is None:
        result += [item for item in problems if item.severity == "error"]
        return book
    reason = next(item for item in problems if item.severity == "error")
    result.append(error("G615", f"on this board: {reason.phrase}", place))
    return None


def _tried(book: Book, number: int, example: pattern_rules.Example) -> Iterator[Diagnostic]:
    game = book.game
    try:
        signs = read_diagram(game, example)
        state, before = position_of(game, example, signs)
    except BadDiagram as bad:
        yield error("G615", bad.phrase, bad.span, help=bad.help)
        return
    cells = {match.place for match in book.matches(state, before, only=number)}
    wanted = [cell for cell, sign in enumerate(signs) if sign == "*"]
    names = [game.board.names[cell] for cell in sorted(cells)]
    shown = " ".join(names) or "nothing"
    missing = [game.board.names[cell] for cell in wanted if cell not in cells]
    if missing:
        yield error("G612", f"the pattern proposes {shown} here, expected {' '.join(missing)}", example.span)
    elif not wanted and cells:
        yield error("G612", f"the pattern proposes {shown} here, expected nothing", example.span,
                    help="mark a cell with '*' where it must propose a move")


def read_diagram(game: Game, example: pattern_rules.Example) -> list[str]:
    """The sign of each cell. Raises BadDiagram."""
    board = game.board
    rows = [list(row.signs.replace(" ", "")) for row in example.rows]
    signs = [""] * board.size
    if len(rows) != board.row_count:
        raise BadDiagram(f"the diagram has {len(rows)} rows, and the board has {board.row_count}", example.span,
                         f"give the size of the board, as in: {_params_like(game)}")
    for number, (row, line) in enumerate(zip(rows, example.rows, strict=True)):
        cells = members(board.rows[number])
        bad = next((sign for sign in row if sign not in SIGNS), "")
        if bad:
            raise BadDiagram(f"found '{bad}' in a diagram, expected {' '.join(SIGNS)}", line.span,
                             "o own piece, x enemy piece, X the enemy's last move, . empty, * the move, - no cell")
        drawn = [sign for sign in row if sign != "-"] if "-" in row else row
        if len(drawn) != len(cells):
            raise BadDiagram(f"the row has {len(drawn)} cells, and that of the board {len(cells)}", line.span)
        for cell, sign in zip(cells, drawn, strict=True):
            signs[cell] = sign
    return signs


def _params_like(game: Game) -> str:
    words = [f"{name}={value}" for name, value in game.params.items()][:2]
    return " ".join(["example", *words]) + ":"


def position_of(game: Game, example: pattern_rules.Example, signs: list[str]) -> tuple[State, State | None]:
    """The state of a diagram, and the one before the last move where the diagram marks that. Raises BadDiagram."""
    player = 0
    if example.player is not None:
        if example.player.text not in game.players:
            raise BadDiagram(f"unknown player '{example.player.text}', expected {' or '.join(game.players)}",
                             example.player.span)
        player = game.players.index(example.player.text)
    enemy = (player + 1) % len(game.players)
    owners = {"o": player, "x": enemy}
    waiting = [(cell, owners[sign]) for cell, sign in enumerate(signs) if sign in owners]
    last = [(cell, enemy) for cell, sign in enumerate(signs) if sign == "X"]
    state = game.start().state
    state = _put(game, state, waiting, example.span)
    before = None
    if last:
        before = state
        state = _put(game, state, last, example.span)
    return _to_move(game, state, player), before


def _to_move(game: Game, state: State, player: int) -> State:
    """The same state with a given player to move and no outcome, at a turn after all pie rules."""
    turn = max((pie.turn + 1 for pie in game.rules.pies), default=0)
    return state._replace(to_move=player, outcome=None, seats=0, turn=turn)


def _put(game: Game, state: State, pieces: list[tuple[int, int]], span: Span) -> State:
    """Place pieces on their cells by moves of their owners, regardless of whose turn it is. Raises BadDiagram."""
    rest = list(pieces)
    while rest:
        for item in rest:
            after = _played(game, state, *item)
            if after is not None:
                state = after
                rest.remove(item)
                break
        else:
            cell, owner = rest[0]
            raise BadDiagram(f"no move of {game.players[owner]} puts a piece on {game.board.names[cell]}", span)
    return state


def _played(game: Game, state: State, cell: int, owner: int) -> State | None:
    """The state after a move of a player that puts one piece, on the given cell, and removes none; None where there is
    none."""
    engine = game.endless
    ready = _to_move(game, state, owner)
    for move in engine.legal(ready):
        if not _may_reach(game, move, cell):
            continue
        after = engine.apply(ready, move)
        only = after is not None and placed(after, ready) == 1 << cell
        if only and after is not None and after.pieces[0] == ready.pieces[0] & ~(1 << cell):
            return after
    return None


def _may_reach(game: Game, move: Move, cell: int) -> bool:
    """Whether a move may put a piece on a cell: it must choose the cell if it chooses any."""
    if move.rule < 0:
        return False
    cells = [value for choice, value in zip(game.rules.moves[move.rule].choices, move.values, strict=False)
             if choice.domain.sort == CELLS and len(choice.names) == 1]
    return not cells or cell in cells


__all__ = ["BadDiagram", "position_of", "read_diagram", "try_examples"]
