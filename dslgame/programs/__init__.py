"""Matches and tournaments between programs: players of all kinds, and the protocols that they speak.

The decorators `player` and `algo_player` mark the players in a Python file; see docs/matches.md.
"""

from dslgame.programs.plugins import algo_player, player

__all__ = ["algo_player", "player"]
