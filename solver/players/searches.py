"""A game's kernel, proofs and searches, each compiled once it is needed, and which of two searches is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.game import Game
from solver.drivers.shallow import Shallow

if TYPE_CHECKING:
    from interpreter.hooks import Hooks
    from solver.entries import Entries
    from solver.learning.trained import Trained
    from solver.players.comparison import Comparison, Search
    from solver.players.iterative_deepening import Deepening
    from solver.players.mcts import MonteCarloSearch

TABLE_MIB = 64


class Searches:
    """The searches of one game; what they find is kept for the positions that follow.

    Kernels are kept on disk, unless `kept` is false.
    """

    def __init__(self, game: Game, hooks: Hooks | None = None, *, kept: bool = True, table_mib: int = TABLE_MIB,
                 trained: Trained | None = None) -> None:
        self.game, self.hooks, self.kept, self.table_mib = game, hooks, kept, table_mib
        self.trained = trained
        """A learned value, which alpha-beta goes by instead of the game's."""
        self._entries: Entries | None = None
        self._lowered = True
        self._proofs: Shallow | None = None
        self._deepening: Deepening | None = None
        self._mcts: MonteCarloSearch | None = None
        self.chosen: Search | None = None
        """The search that plays the game better at equal time, once that was found out."""
        self.comparison: Comparison | None = None
        """The match that showed it."""

    @property
    def compiled(self) -> bool:
        """Whether the game's kernel is there already."""
        return self._entries is not None

    @property
    def at_hand(self) -> bool:
        """Whether the game's kernel was compiled before and is on disk, so that nothing waits for the compiler."""
        from interpreter.kernel.loading import is_kept

        entries = self.entries() if self.kept else None
        return entries is not None and is_kept(entries.kernel.assembled, "random_game")

    def entries(self) -> Entries | None:
        """The game's kernel; None where the compiler has no words for a rule."""
        if self._entries is None and self._lowered:
            from interpreter.compiler.lowering.errors import NotLowered
            from solver.entries import Entries

            try:
                self._entries = Entries.of(self.game, self.hooks, kept=self.kept)
            except NotLowered:
                self._lowered = False
        return self._entries

    def proofs(self, entries: Entries) -> Shallow:
        """Shallow proofs by the kernel."""
        if self._proofs is None:
            self._proofs = Shallow(self.game, entries)
            self._proofs.deepening()
        return self._proofs

    def deepening(self, entries: Entries) -> Deepening:
        """Alpha-beta by the game's value."""
        if self._deepening is None:
            from solver.players.iterative_deepening import Deepening

            self._deepening = Deepening(entries, table_mib=self.table_mib, trained=self.trained)
            self._begin(self._deepening)
        return self._deepening

    def choose(self, entries: Entries, *, comparing: bool = True) -> Search:
        """The search that plays the game better at equal time, by a match between the two.

        Without a match it is alpha-beta where the game has a `value`: where there is nothing to compare, for rules that
        are not kept, as they change too soon for it, and without `comparing` until there was one.
        """
        if self.chosen is None:
            usual: Search = "alphabeta" if self.valued else "mcts"
            if entries.players == 2 and self.kept:
                from solver.players.comparison import compared, compared_before

                self.comparison = (compared if comparing else compared_before)(entries, self.trained)
                if self.comparison is None:
                    return usual
                usual = self.comparison.better(usual)
            self.chosen = usual
        return self.chosen

    @property
    def undecided(self) -> bool:
        """Whether an analysis went by one of two searches that were not compared yet."""
        return self.chosen is None and self._deepening is not None and self.kept

    @property
    def valued(self) -> bool:
        """Whether positions have a value, the game's or a learned one."""
        return self.game.rules.value is not None or self.trained is not None

    def mcts(self, entries: Entries) -> MonteCarloSearch:
        """Monte-Carlo tree search."""
        if self._mcts is None:
            from solver.players.comparison import RAVE
            from solver.players.mcts import MonteCarloSearch

            helped = self.comparison is not None and self.comparison.rave
            self._mcts = MonteCarloSearch(entries, options=RAVE if helped else None)
            self._begin(self._mcts)
        return self._mcts

    def _begin(self, search: Deepening | MonteCarloSearch) -> None:
        """Have a search call all entries of the kernel that it needs, so that no limit on time has to wait for them."""
        from solver.players.iterative_deepening import Limit

        search.search(self.game.engine.start(), Limit(nodes=1))
        search.forget()
