"""The kinds of players that levels are of: what each plays by, what it may be told, and in which games it plays.

The one list of them: levels are read by it, and helps and messages name what stands here.
"""

from __future__ import annotations

import attrs

_SEARCH, _VALUED, _PRUNED = ("plies", "nodes", "seconds"), ("cpu", "trained", "endgames"), ("late", "probcut")
_BESIDES = ("clock", "threads", "ponder")


@attrs.frozen
class Kind:
    """A kind of players."""

    name: str
    limits: tuple[str, ...] = ()
    """What a level of it can be told, each as NAME=VALUE."""
    chance: bool = False
    """Whether it plays games with chance."""
    hidden: bool = False
    """Whether it plays games in which something is hidden from the player to move, by what that player knows."""
    seen: bool = True
    """Whether it plays games in which nothing is."""
    searches: bool = True
    """Whether a search chooses its moves, not chance, a solution or a strategy."""


KINDS = {kind.name: kind for kind in (
    Kind("random", chance=True, hidden=True, searches=False),
    Kind("solver", ("nodes", "seconds", *_VALUED), chance=True, searches=False),
    Kind("alphabeta", (*_SEARCH, *_VALUED, *_PRUNED, *_BESIDES)),
    Kind("patterns", (*_SEARCH, *_VALUED, *_PRUNED, *_BESIDES, "width", "moves", "file")),
    Kind("maxn", _SEARCH),
    Kind("paranoid", _SEARCH),
    Kind("mcts", ("nodes", "seconds", *_VALUED, "exploring", "rave", "minimax", "widening", "playout", *_BESIDES),
         chance=True),
    Kind("connecting", ("nodes", "seconds", "cpu", "exploring", *_BESIDES)),
    Kind("expectimax", (*_SEARCH, "star"), chance=True),
    Kind("ismcts", ("nodes", "seconds", "cpu"), chance=True, hidden=True, seen=False),
    Kind("strategy", ("file",), chance=True, hidden=True, seen=False, searches=False),
)}
"""The kinds by their names, in the order in which they are told."""


def with_chance() -> tuple[str, ...]:
    """The kinds that play games with chance in which nothing is hidden."""
    return tuple(kind.name for kind in KINDS.values() if kind.chance and kind.seen)


def with_hidden() -> tuple[str, ...]:
    """The kinds that play games in which something is hidden."""
    return tuple(kind.name for kind in KINDS.values() if kind.hidden)
