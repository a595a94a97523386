"""The candidate searches of level `solver` for a game, by the names of their levels, created on request."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import attrs

from interpreter.patterns.matching import Book
from solver.entries import Entries
from solver.players.iterative_deepening import TABLE_MIB, Choosing, Deepening
from solver.players.kinds import valued
from solver.players.mcts import NODES, MctsOptions, MonteCarloSearch

if TYPE_CHECKING:
    from dsl.syntax.source import Source
    from interpreter.hooks import Hooks
    from solver.learning.trained import Trained
    from solver.players.connecting import ConnectingSearch

ALPHABETA, PATTERNS, MCTS, PUCT, CONNECTING = "alphabeta", "patterns", "mcts", "puct", "connecting"
PUCT_PROPOSED = f"{PUCT} moves=proposed"
RAVE = MctsOptions(rave=500)
"""The RAVE variant of the tree search. At equal time it won 38 of 38 games of placing stones in rows and 36 of 40 of
joining sides, and a third or less of those of moving pieces, of turning over or of dropping stones (`bench/README.md`,
Players)."""
MCTS_RAVE = f"{MCTS} rave={RAVE.rave}"
WIDTH = 60
"""The default of the most proposed moves that are searched in a position."""
PROPOSED = Choosing("proposed", WIDTH)

Search: TypeAlias = "Deepening | MonteCarloSearch | ConnectingSearch"


@attrs.define(eq=False, slots=False)
class Candidates:
    """The candidate searches of one game."""

    entries: Entries
    hooks: Hooks | None = None
    trained: Trained | None = None
    """A learned value, which alpha-beta and PUCT use instead of the game's."""
    patterns: Source | None = None
    """The patterns that come with the game; None for none."""
    kept: bool = True
    """Whether kernels are cached on disk."""

    @cached_property
    def patterned(self) -> Entries:
        """The kernel with the moves that patterns propose. Raises GameFileError for a mistake in the patterns."""
        assert self.patterns is not None
        game = self.entries.game
        return Entries.of(game, self.hooks, Book.of(self.patterns, game), kept=self.kept)

    @property
    def valued(self) -> bool:
        """Whether positions have a value, the game's or a learned one."""
        return valued(self.entries.game, self.trained)

    @property
    def usual(self) -> str:
        """The name of the search that plays where no match was played."""
        return ALPHABETA if self.valued else MCTS

    @property
    def helped(self) -> bool:
        """Whether RAVE may help: in games without cycles or without a repetition rule."""
        return not self.entries.cyclic or self.entries.game.rules.repetition is None

    @property
    def guided(self) -> bool:
        """Whether PUCT plays the game: positions have a value, and nothing is left to chance."""
        return self.valued and not self.entries.game.rules.has_chance

    @property
    def connecting(self) -> bool:
        """Whether the rules are shown to be about joining regions."""
        from solver.connection_board import usable

        return usable(self.entries.game) is not None

    def deepening(self, name: str, table_mib: int | None = None) -> Deepening:
        """Alpha-beta, over all moves or, with the name PATTERNS, those that patterns propose."""
        mib = table_mib or TABLE_MIB
        if name == PATTERNS:
            return Deepening(self.patterned, table_mib=mib, choosing=PROPOSED, trained=self.trained)
        return Deepening(self.entries, table_mib=mib, trained=self.trained)

    def tree(self, name: str, nodes: int = NODES) -> MonteCarloSearch:
        """Monte-Carlo tree search: with RAVE by the name MCTS_RAVE, PUCT by the names PUCT and PUCT_PROPOSED."""
        if name in (PUCT, PUCT_PROPOSED):
            proposed = name == PUCT_PROPOSED
            return MonteCarloSearch(self.patterned if proposed else self.entries, nodes=nodes, trained=self.trained,
                                    options=MctsOptions.puct(proposed=proposed))
        return MonteCarloSearch(self.entries, options=RAVE if name == MCTS_RAVE else None, nodes=nodes)

    def joining(self, nodes: int | None = None) -> ConnectingSearch:
        """The search for games of connection. Raises ValueError for other games."""
        from solver.players import connecting

        return connecting.ConnectingSearch(self.entries, nodes=nodes or connecting.NODES)
