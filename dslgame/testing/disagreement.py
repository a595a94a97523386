"""The report of a failed check: the claim, the shortest game found against it, its boards, and both answers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.game import Position

WIDTH = 100
MOST_BOARDS = 4
"""The most boards drawn of a game: its last position and those before it."""


class Disagreement(AssertionError):
    """A game in which a claim does not hold; `str` formats it for users."""

    def __init__(self, claim: str, phrase: str, position: Position, sides: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(claim, phrase)
        self.claim, self.phrase, self.position = claim, phrase, position
        self.sides = tuple(sides)
        """Pairs of a side's name and its answer, shown side by side."""
        self.is_slow = False
        """Whether it takes so long to find that its game is not shortened."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves to the position, from the start."""
        return self.position.played

    def boards(self) -> tuple[str, ...]:
        """The last positions of the game as text, each under its move."""
        position = self.position
        states = [*position.history, position.state]
        captions = ["start", *(f"{number}. {text}" for number, text in enumerate(position.played, start=1))]
        if len(captions) != len(states):  # a position that was given without its history
            captions = [""] * len(states)
        shown = list(zip(captions, states, strict=True))[-MOST_BOARDS:]
        return tuple(f"{caption}\n{position.game.drawing(state)}".lstrip("\n") for caption, state in shown)

    def details(self) -> str:
        """The report without the claim: the phrase, the moves, the boards, the player to move, and both answers."""
        position = self.position
        moves = " ".join(self.moves)
        game = f"the shortest game found, {_counted(len(self.moves), 'move')}: {moves}" if moves else "at the start"
        turn = "the game is over" if position.over else f"{position.to_move} to move"
        parts = [
            self.phrase,
            textwrap.fill(game, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False),
            beside(self.boards()), turn,
        ]
        if self.sides:
            parts.append(beside([f"{title}\n{answer}" for title, answer in self.sides]))
        return "\n".join(part for part in parts if part)

    def __str__(self) -> str:
        title = self.position.game.title
        params = " ".join(f"{name}={value}" for name, value in self.position.game.params.items())
        return f"{title}{f' ({params})' if params else ''}: not so: {self.claim}\n" + textwrap.indent(
            self.details(), "  ", lambda row: bool(row.strip()))


def beside(blocks: Sequence[str], *, width: int = WIDTH, gap: int = 4) -> str:
    """Blocks of text side by side, wrapped into as many rows as they need."""
    rows: list[list[list[str]]] = [[]]
    used = 0
    for block in blocks:
        lines = block.splitlines()
        wide = max(map(len, lines), default=0) + gap
        if rows[-1] and used + wide - gap > width:
            rows.append([])
            used = 0
        rows[-1].append([line.ljust(wide) for line in lines] or [" " * wide])
        used += wide
    texts = []
    for row in rows:
        widths = [len(lines[0]) for lines in row]
        texts += ["".join(part if part is not None else " " * wide for part, wide in zip(parts, widths, strict=True))
                  .rstrip() for parts in zip_longest(*row)]
    return "\n".join(texts)


def listed(texts: Iterable[str], *, most: int = 12) -> str:
    """Texts, one a line; where there are more than `most`, the first ones and the number of the rest."""
    result = list(texts)
    shown = result if len(result) <= most else [*result[: most - 1], f"... and {len(result) - most + 1} more"]
    return "\n".join(shown) or "none"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")
