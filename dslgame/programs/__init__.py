"""Programs against programs: players of all kinds, the protocols they speak, matches and tournaments of them.

`player` and `algo_player` mark the players in a Python file; see docs/matches.md.
"""

from dslgame.programs.plugins import algo_player, player

__all__ = ["algo_player", "player"]
