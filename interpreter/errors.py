"""Exceptions raised while a game is played."""

from __future__ import annotations

from dsl.syntax.source import Source, Span


class RuleError(Exception):
    """A rule of the file failed in a position: a value left its range, a cascade does not end, nobody can move.

    Has the error code, the phrase, the place in the file, and, once known, the position and the moves that lead to it.
    """

    def __init__(self, code: str, phrase: str, span: Span) -> None:
        super().__init__(phrase)
        self.code, self.phrase, self.span = code, phrase, span
        self.source: Source | None = None
        self.position = ""
        """The board as text, before the move that failed."""
        self.moves: tuple[str, ...] = ()
        self.trying = ""
        """The player whose moves were only tried, to see whether there is one; '' where the move was played."""

    @property
    def is_limit(self) -> bool:
        """Whether a limit of the implementation was exceeded, as the window on an unbounded board; no rule is wrong."""
        return self.code == "G411"

    @property
    def took_long(self) -> bool:
        """Whether a rule exceeded a limit of work, found only after seconds; see `interpreter.semantics.limits`."""
        return self.code in ("G412", "G413")

    def __reduce__(self) -> tuple[type[RuleError], tuple[str, str, Span], dict[str, object]]:
        """The pickled form, with all attributes, for passing the error between processes."""
        return type(self), (self.code, self.phrase, self.span), vars(self)

    def __str__(self) -> str:
        place = f"{self.source.name}:{self.span.line}:{self.span.column}: " if self.source else ""
        text = f"{place}error[{self.code}]: {self.phrase}"
        if self.moves:
            text += f"\n  after the moves: {' '.join(self.moves)}"
        if self.trying:
            text += f"\n  where 'no moves' tries whether {self.trying} can move"
        if self.position:
            text += "\n" + "\n".join("  " + row for row in self.position.splitlines())
        return text


class ImpossiblePosition(ValueError):
    """A text does not describe a position of its game; says why."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        shown = text if len(text) <= 80 else text[:77] + "..."
        super().__init__(f"impossible position '{shown}': {reason}")


class IllegalMove(ValueError):
    """A move is not legal in its position; has the move, the position and the legal moves."""

    def __init__(self, text: str, reason: str, position: str, legal: tuple[str, ...] = ()) -> None:
        self.text, self.reason, self.position, self.legal = text, reason, position, legal
        super().__init__(f"illegal move '{text}': {reason}")
