"""The kernel, shallow proofs and searches of a game, each compiled when first needed, and the choice of the search."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from interpreter.game import Game
from solver.drivers.shallow import Shallow
from solver.players.kinds import valued

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

Searched = TypeVar("Searched", "Deepening", "MonteCarloSearch", "ConnectingSearch")


class Searches:
    """The searches of one game, which keep what they find for the positions that follow.

    Kernels are cached on disk, unless `kept` is false. `patterns` are those that come with the game.
    """

    def __init__(self, game: Game, hooks: Hooks | None = None, *, kept: bool = True, table_mib: int | None = None,
                 trained: Trained | None = None, patterns: Source | None = None) -> None:
        self.game, self.hooks, self.kept, self.table_mib = game, hooks, kept, table_mib
        self.patterns = patterns
        self.trained = trained
        """A learned value, which alpha-beta uses instead of the game's."""
        self._entries: Entries | None = None
        self._lowered = True
        self._proofs: Shallow | None = None
        self._candidates: Candidates | None = None
        self._deepening: tuple[str, Deepening] | None = None
        self._mcts: MonteCarloSearch | None = None
        self._joining: ConnectingSearch | None = None
        self.chosen: str | None = None
        """The search that plays the game best at equal time, once it is decided."""
        self.comparison: Comparison | None = None
        """The matches that decided it."""

    @property
    def compiled(self) -> bool:
        """Whether the game's kernel is loaded already."""
        return self._entries is not None

    @property
    def at_hand(self) -> bool:
        """Whether the game's kernel was compiled before and is on disk, so that nothing waits for the compiler."""
        from interpreter.kernel.loading import is_kept

        entries = self.entries() if self.kept else None
        return entries is not None and is_kept(entries.kernel.assembled, "random_game")

    def entries(self) -> Entries | None:
        """The game's kernel; None where the compiler cannot lower a rule."""
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
        """Alpha-beta, restricted to the moves that patterns propose where that plays better."""
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
        """The search for games of connection."""
        if self._joining is None:
            self._joining = self._begun(self.candidates(entries).joining())
        return self._joining

    def choose(self, entries: Entries, *, comparing: bool = True) -> str:
        """Return the search that plays the game best at equal time, by matches between the candidates.

        No matches are played in games that are not for two players, for rules that are not `kept`, as they change too
        soon, and without `comparing`, where only earlier matches count. Then it is alpha-beta where positions have a
        value, else MCTS.
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
        """Whether an analysis used alpha-beta before the searches were compared."""
        return self.chosen is None and self._deepening is not None and self.kept

    @property
    def valued(self) -> bool:
        """Whether positions have a value, the game's or a learned one."""
        return valued(self.game, self.trained)

    def _begun(self, search: Searched) -> Searched:
        """Compile what a search needs by a search of one node, so that it takes no time of later limits; return it."""
        from solver.players.limits import Limit

        search.search(self.game.engine.start(), Limit(nodes=1))
        search.forget()
        return search
