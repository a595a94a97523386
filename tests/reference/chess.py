"""Chess, written from its rules: the rules of the small boards, with castling, double steps and captures in passing.

Fifty moves of each side without a capture or a pawn's move are a draw; the draw by threefold repetition is left to the
caller. `passed` is set only if a pawn can legally take the pawn that made a double step (FIDE Laws, 9.2.3.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules
from tests.reference.small_chess import FIFTY, NAMES, SLIDES, STEPS

CASES: list[dict[str, int]] = [{}]
START = ("rnbqkbnr", "pppppppp", "........", "........", "........", "........", "PPPPPPPP", "RNBQKBNR")
Place = tuple[int, int]


class State(NamedTuple):
    """A position: rows from the top, White in capitals; castling rights as in FEN; the cell that a pawn passed over."""

    rows: tuple[str, ...]
    white: bool
    rights: str = "KQkq"
    passed: Place | None = None
    quiet: int = 0


def at(rows: tuple[str, ...], row: int, column: int) -> str:
    """The content of a cell: a letter, '.' if it is empty, '' outside the board."""
    return rows[row][column] if 0 <= row < 8 and 0 <= column < 8 else ""


def attacks(rows: tuple[str, ...], row: int, column: int) -> Iterator[Place]:
    """Yield the cells that a piece attacks, some perhaps outside the board."""
    piece = rows[row][column]
    kind = piece.lower()
    if kind == "p":
        ahead = row + (-1 if piece.isupper() else 1)
        yield from ((ahead, column - 1), (ahead, column + 1))
    for down, right in STEPS.get(kind, ()):
        yield row + down, column + right
    for down, right in SLIDES.get(kind, ()):
        far = 1
        while found := at(rows, row + far * down, column + far * right):
            yield row + far * down, column + far * right
            if found != ".":
                break
            far += 1


def pieces(rows: tuple[str, ...], white: bool) -> Iterator[Place]:
    """Yield the places of a player's pieces."""
    for row, line in enumerate(rows):
        for column, piece in enumerate(line):
            if piece != "." and piece.isupper() == white:
                yield row, column


def attacked(rows: tuple[str, ...], place: Place, white: bool) -> bool:
    """Whether the opponent of the given player attacks a cell."""
    return any(place in attacks(rows, *other) for other in pieces(rows, not white))


def checked(rows: tuple[str, ...], white: bool) -> bool:
    """Whether a player's king is attacked."""
    king = "K" if white else "k"
    return any(attacked(rows, place, white) for place in pieces(rows, white) if at(rows, *place) == king)


def name(place: Place) -> str:
    """Return the name of a cell."""
    return f"{chr(ord('a') + place[1])}{8 - place[0]}"


def changed(rows: tuple[str, ...], changes: dict[Place, str]) -> tuple[str, ...]:
    """Return the board with some cells changed."""
    return tuple("".join(changes.get((row, column), piece) for column, piece in enumerate(line))
                 for row, line in enumerate(rows))


def moves(state: State) -> Iterator[tuple[str, State]]:
    """Yield the pseudo-legal moves, which may leave the king in check, with the states after them."""
    rows, white = state.rows, state.white
    back, forward = (7, -1) if white else (0, 1)
    for place in pieces(rows, white):
        row, column = place
        piece = rows[row][column]
        targets = [target for target in attacks(rows, row, column) if at(rows, *target)
                   and (at(rows, *target) == "." or at(rows, *target).isupper() != white)]
        taken_by_pawn: Place | None = None
        if piece in "pP":
            targets = [target for target in targets if at(rows, *target) != "." or target == state.passed]
            ahead, further = (row + forward, column), (row + 2 * forward, column)
            if at(rows, *ahead) == ".":
                targets.append(ahead)
                if row == back + forward and at(rows, *further) == ".":
                    targets.append(further)
        for target in targets:
            changes = {place: ".", target: piece}
            passed = None
            if piece in "pP":
                if target == state.passed:
                    taken_by_pawn = (row, target[1])
                    changes[taken_by_pawn] = "."
                if abs(target[0] - row) == 2 and taken_in_passing(changed(rows, changes), target, white):
                    passed = (row + forward, column)
            quiet = 0 if piece in "pP" or at(rows, *target) != "." else min(state.quiet + 1, FIFTY)
            kinds = [""] if piece not in "pP" or target[0] not in (0, 7) else list("NBRQ")
            for kind in kinds:
                if kind:
                    changes[target] = kind if white else kind.lower()
                after = changed(rows, changes)
                text = name(place) + name(target) + (f"={changes[target]}" if kind else "")
                yield text, State(after, not white, kept(state.rights, after), passed, quiet)
    for right, way in (("K", 1), ("Q", -1)) if white else (("k", 1), ("q", -1)):
        corner = 7 if way == 1 else 0
        king = (back, 4)
        between = range(min(4, corner) + 1, max(4, corner))
        if right in state.rights and all(at(rows, back, column) == "." for column in between) and not any(
                attacked(rows, (back, 4 + steps * way), white) for steps in (0, 1)):
            rook = rows[back][corner]
            after = changed(rows, {king: ".", (back, corner): ".", (back, 4 + way): rook,
                                   (back, 4 + 2 * way): rows[back][4]})
            yield name(king) + name((back, 4 + 2 * way)), State(
                after, not white, kept(state.rights, after), None, min(state.quiet + 1, FIFTY))


def taken_in_passing(rows: tuple[str, ...], pawn: Place, white: bool) -> bool:
    """Whether a pawn that has just made a double step can be taken without leaving the other king in check."""
    row, column = pawn
    foe, over = ("p", (row + 1, column)) if white else ("P", (row - 1, column))
    return any(at(rows, row, side) == foe
               and not checked(changed(rows, {pawn: ".", (row, side): ".", over: foe}), not white)
               for side in (column - 1, column + 1))


def kept(rights: str, rows: tuple[str, ...]) -> str:
    """The castling rights that remain: those whose king and rook are on their home cells."""
    homes = {"K": ("K", 7, 7), "Q": ("K", 7, 0), "k": ("k", 0, 7), "q": ("k", 0, 0)}
    return "".join(right for right in rights for king, row, corner in (homes[right],)
                   if rows[row][4] == king and rows[row][corner] == ("R" if king == "K" else "r"))


def legal(state: State) -> dict[str, State]:
    """Map the legal moves to the states after them."""
    return {text: after for text, after in moves(state) if not checked(after.rows, state.white)}


class Reference(Rules[State]):
    """Chess."""

    def start(self) -> State:
        return State(START, True)

    def to_move(self, state: State) -> str:
        return "White" if state.white else "Black"

    def options(self, state: State) -> list[str]:
        return list(legal(state))

    def after(self, state: State, move: str) -> State:
        return legal(state)[move]

    def outcome(self, state: State) -> str | None:
        if not legal(state):
            if checked(state.rows, state.white):
                return "Black" if state.white else "White"
            return DRAW
        return DRAW if state.quiet >= FIFTY else None

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{'White' if white else 'Black'} {NAMES[at(state.rows, *place).lower()]}"
                for white in (True, False) for place in pieces(state.rows, white)}

    def variables(self, state: State) -> dict[str, object]:
        return {"short": ["K" in state.rights, "k" in state.rights],
                "long": ["Q" in state.rights, "q" in state.rights],
                "passed": None if state.passed is None else name(state.passed), "quiet": state.quiet}

    def counts_for_repetition(self, state: State) -> object:
        """The state without the clock of quiet plies."""
        return state._replace(quiet=0)
