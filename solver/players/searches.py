"""A game's kernel, proofs and searches, each compiled once it is needed, and which of the searches is best."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from interpreter.game import Game
from solver.drivers.shallow import Shallow

if TYPE_CHECKING:
    from dsl.syntax.source import Source
    from interpreter.hooks import Hooks
    from solver.entries import Entries
    from solver.learning.trained import Trained
    from solver.players.candidates import Candidates
    from solver.players.comparison import Comparison
    from solver.players.connecting import ConnectingSearch
    from solver.players.iterative_deepening import Deepening
    from solver.players.mcts import MonteCarloSearch

TABLE_MIB = 64
Searched = TypeVar("Searched", "Deepening", "MonteCarloSearch", "ConnectingSearch")


class Searches:
    """The searches of one game; what they find is kept for the positions that follow.

    Kernels are kept on disk, unless `kept` is false. `patterns` are those that come with the game.
    """

    def __init__(self, game: Game, hooks: Hooks | None = None, *, kept: bool = True, table_mib: int = TABLE_MIB,
                 trained: Trained | None = None, patterns: Source | None = None) -> None:
        self.game, self.hooks, self.kept, self.table_mib = game, hooks, kept, table_mib
        self.patterns = patterns
        self.trained = trained
        """A learned value, which alpha-beta goes by instead of the game's."""
        self._entries: Entries | None = None
        self._lowered = True
        self._proofs: Shallow | None = None
        self._candidates: Candidates | None = None
        self._deepening: tuple[str, Deepening] | None = None
        self._mcts: MonteCarloSearch | None = None
        self._joining: ConnectingSearch | None = None
        self.chosen: str | None = None
        """The search that plays the game best at equal time, once that was found out."""
        self.comparison: Comparison | None = None
        """The matches that showed it."""

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

    def candidates(self, entries: Entries) -> Candidates:
        """The searches that may play the game."""
        if self._candidates is None:
            from solver.players.candidates import Candidates

            self._candidates = Candidates(entries, self.hooks, self.trained, self.patterns, kept=self.kept)
        return self._candidates

    def deepening(self, entries: Entries) -> Deepening:
        """Alpha-beta by the game's value, among the moves that patterns propose where that plays better."""
        from solver.players.candidates import ALPHABETA

        name = ALPHABETA if self.comparison is None else self.comparison.estimating
        if self._deepening is None or self._deepening[0] != name:
            self._deepening = name, self._begun(self.candidates(entries).deepening(name, self.table_mib))
        return self._deepening[1]

    def mcts(self, entries: Entries) -> MonteCarloSearch:
        """Monte-Carlo tree search."""
        from solver.players.candidates import MCTS

        if self._mcts is None:
            name = MCTS if self.comparison is None else self.comparison.sampling
            self._mcts = self._begun(self.candidates(entries).tree(name))
        return self._mcts

    def joining(self, entries: Entries) -> ConnectingSearch:
        """The search of games of connection."""
        if self._joining is None:
            self._joining = self._begun(self.candidates(entries).joining())
        return self._joining

    def choose(self, entries: Entries, *, comparing: bool = True) -> str:
        """The search that plays the game best at equal time, by matches between them.

        Without a match it is alpha-beta where the game has a `value`: where there is nothing to compare, for rules that
        are not kept, as they change too soon for it, and without `comparing` until there was one.
        """
        if self.chosen is None:
            candidates = self.candidates(entries)
            if entries.players == 2 and self.kept:
                from solver.players.comparison import compared, compared_before

                self.comparison = (compared if comparing else compared_before)(candidates)
                if self.comparison is None:
                    return candidates.usual
            self.chosen = candidates.usual if self.comparison is None else self.comparison.chosen
        return self.chosen

    @property
    def undecided(self) -> bool:
        """Whether an analysis went by one of several searches that were not compared yet."""
        return self.chosen is None and self._deepening is not None and self.kept

    @property
    def valued(self) -> bool:
        """Whether positions have a value, the game's or a learned one."""
        return self.game.rules.value is not None or self.trained is not None

    def _begun(self, search: Searched) -> Searched:
        """A search that has called all entries of the kernel that it needs, so that no limit on time waits for them."""
        from solver.players.iterative_deepening import Limit

        search.search(self.game.engine.start(), Limit(nodes=1))
        search.forget()
        return search
