"""Which search `auto` uses where there are too many positions to value all, by the game's rules."""

from __future__ import annotations

from typing import NamedTuple

from interpreter.game import Game


class Choice(NamedTuple):
    """A search, and why."""

    proof: bool
    """By proof numbers; else by alpha-beta, which in games of connection goes by carriers."""
    why: str


def search_for(game: Game) -> Choice:
    """The search that is likely to take least.

    A proof-number search asks who can force a win. Where someone always wins, one answer is all: of 16 bundled games
    without draws it looked at fewer positions than alpha-beta in 14, half as many or less in 10. Where a game can be
    drawn, two answers are needed, and it took more in games of lines. Where positions come back it can prove a draw,
    which alpha-beta cannot.
    """
    from solver.searches import carriers

    if len(game.players) == 1:
        return Choice(False, "an alpha-beta search was made instead")
    if carriers.usable(game) is not None:
        return Choice(False, "an alpha-beta search was made instead")
    if not game.acyclic:
        return Choice(True, "a proof-number search was made instead, as positions may come back")
    if never_drawn(game):
        return Choice(True, "a proof-number search was made instead: no game is drawn, so that one question is enough, "
                            "who wins")
    return Choice(False, "an alpha-beta search was made instead, as games can be drawn and no position comes back")


def never_drawn(game: Game) -> bool:
    """Whether the rules show that all play that ends is won; False means that they do not show it."""
    rules = game.rules
    return (rules.no_moves in ("loses", "wins") and rules.repetition != "draws"
            and all(end.kind != "draw" for end in rules.ends))
