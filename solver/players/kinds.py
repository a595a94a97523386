"""The kinds of players behind the levels: for each its options, and the games that it plays.

This is the single list of kinds: levels are parsed by it, and help texts and messages name its entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from dsl.diagnostics.wording import either

if TYPE_CHECKING:
    from interpreter.game import Game
    from solver.learning.trained import Trained

SECONDS = 1.0
"""Seconds that a search takes for a move, where its level sets no limit."""
LIMITS = ("plies", "nodes", "seconds", "cpu")
"""The options that limit the search for a move."""
CLASHES = (("seconds", "cpu"), ("seconds", "clock"), ("cpu", "clock"), ("clock", "nodes"), ("ponder=yes", "nodes"))
"""Options of any kind that exclude each other, as NAME or NAME=VALUE; what pondering finds is not counted as nodes."""
_SEARCH, _VALUED, _PRUNED = ("plies", "nodes", "seconds"), ("cpu", "trained", "endgames"), ("late", "probcut")
_BESIDES = ("clock", "threads", "ponder")


@attrs.frozen
class Kind:
    """A kind of player."""

    name: str
    limits: tuple[str, ...] = ()
    """The options of its levels, each given as NAME=VALUE."""
    chance: bool = False
    """Whether it plays games with chance."""
    crowds: bool = False
    """Whether it plays games with chance for three players or more."""
    hidden: bool = False
    """Whether it plays games with hidden information, by what the player to move knows."""
    seen: bool = True
    """Whether it plays games without hidden information."""
    searches: bool = True
    """Whether its moves come from a search, not from chance, a solution or a strategy."""
    seconds: float = SECONDS
    """Seconds that it takes for a move, where its level sets no limit."""
    clashes: tuple[tuple[str, str], ...] = ()
    """Further options that exclude each other, as in `CLASHES`."""
    needs: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict, hash=False)
    """Options that have no effect without one of others."""

    def check(self, given: Mapping[str, str], text: str) -> None:
        """Raise ValueError for options, by name, that exclude each other or lack another one, in the level `text`."""
        for pair in (*CLASHES, *self.clashes):
            both = [word for name, word in given.items() if name in pair or word in pair]
            if len(both) > 1:
                raise ValueError(f"found both '{both[0]}' and '{both[1]}' in '{text}', expected one of them")
        for name, others in self.needs.items():
            if name in given and not set(others) & set(given):
                raise ValueError(f"found '{given[name]}' in '{text}', which has no effect without {either(others)}: "
                                 "give one of them as well")


KINDS = {kind.name: kind for kind in (
    Kind("random", chance=True, crowds=True, hidden=True, searches=False),
    Kind("solver", ("nodes", "seconds", *_VALUED), chance=True, searches=False, seconds=2.0),
    Kind("alphabeta", (*_SEARCH, *_VALUED, *_PRUNED, *_BESIDES)),
    Kind("patterns", (*_SEARCH, *_VALUED, *_PRUNED, *_BESIDES, "width", "moves", "file"),
         clashes=(("width", "moves=all"),)),
    Kind("maxn", _SEARCH),
    Kind("paranoid", _SEARCH),
    Kind("mcts", ("nodes", "seconds", *_VALUED, "exploring", "rave", "minimax", "widening", "playout", *_BESIDES),
         chance=True, crowds=True, needs={"widening": ("rave", "minimax"), "trained": ("minimax", "playout")}),
    Kind("puct", ("nodes", "seconds", *_VALUED, "exploring", "minimax", "temperature", *_BESIDES, "moves", "file"),
         clashes=(("file", "moves=all"),)),
    Kind("connecting", ("nodes", "seconds", "cpu", "exploring", *_BESIDES)),
    Kind("expectimax", (*_SEARCH, "star"), chance=True),
    Kind("ismcts", ("nodes", "seconds", "cpu"), chance=True, crowds=True, hidden=True, seen=False),
    Kind("strategy", ("file",), chance=True, crowds=True, hidden=True, seen=False, searches=False),
)}
"""The kinds by name, in the order in which they are listed."""


def with_chance(players: int = 2) -> tuple[str, ...]:
    """The names of the kinds that play games with chance and without hidden information for some number of players.
    """
    return tuple(kind.name for kind in KINDS.values() if kind.chance and kind.seen and (players <= 2 or kind.crowds))


def with_hidden() -> tuple[str, ...]:
    """The names of the kinds that play games with hidden information."""
    return tuple(kind.name for kind in KINDS.values() if kind.hidden)


def check_level(kind: str, game: Game) -> None:
    """Raise ValueError where a kind does not play a game: as something is hidden, or nothing is, or for its chance."""
    record, players = KINDS[kind], len(game.players)
    if game.observer.sees_all and not record.seen:
        raise ValueError(f"level {kind} is for games in which something is hidden; {game.title} shows everything")
    if not game.observer.sees_all and not record.hidden:
        raise ValueError(f"level {kind} looks at the whole position, and {game.unseen}: expected "
                         f"{either(with_hidden())}")
    if game.rules.has_chance and not record.chance:
        raise ValueError(f"level {kind} knows no chance, expected {either(with_chance(players))}")
    if game.rules.has_chance and players > 2 and not record.crowds:
        raise ValueError(f"level {kind} plays games with chance of one or two players, expected "
                         f"{either(with_chance(players))}")


def valued(game: Game, trained: Trained | None) -> bool:
    """Whether positions have a value, the game's or a learned one."""
    return game.rules.value is not None or trained is not None


def check_valued(what: str, game: Game, trained: Trained | None) -> None:
    """Raise ValueError where positions have no value, which says `what` goes by it."""
    if not valued(game, trained):
        raise ValueError(f"{what} by the game's 'value'; {game.title} has none, and none was trained")
