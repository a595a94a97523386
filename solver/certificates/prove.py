"""Makes a certificate of a solution: chooses the proofs that its value needs, and a strategy for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.game import Game, Position
from interpreter.model.state import DRAW, Move, State
from solver.budget import Budget
from solver.certificates.checker import HOLDS, LASTS, NOBODY, WINS, Child, Claim, Proof, Rules
from solver.certificates.strategies import ByValues
from solver.certificates.writer import Strategy, follow, packed
from solver.errors import Refused
from solver.methods import CARRIERS, CONNECTIONS

if TYPE_CHECKING:
    from solver.certificates.searching import Search
    from solver.certificates.strategies import Valued
    from solver.solve import Solution


@attrs.frozen
class Made:
    """A finished certificate."""

    data: bytes = attrs.field(repr=False)
    """The contents of the file."""
    claims: tuple[Claim, ...]
    positions: int
    """The number of positions in all its proofs together."""


def certify(position: Position, solution: Solution[State, Move], *, every_move: bool = False, exact: bool = True,
            budget: Budget | None = None) -> Made:
    """Make a certificate of a position's value, and with `every_move` also of the value of each first move.

    Where all positions were valued, it also proves within how many plies a win comes, and if `exact` that it cannot
    come sooner. The `budget` limits the memory, and is told the progress. Raises Refused where there is no proof.
    """
    game = position.game
    if solution.winner is None:
        raise Refused("no certificate is made: who wins is not known")
    if reason := why_not(game):
        raise Refused(f"no certificate is made: {reason}")
    work = _Work(position, solution, budget or Budget())
    claims = work.claims(every_move=every_move, exact=exact)
    proofs = work.proofs(claims)
    return Made(packed(position, claims, proofs), claims, sum(proof.positions for proof in proofs))


def why_not(game: Game) -> str:
    """The reason why no certificate can be made of a game's values; '' where one can be made."""
    if len(game.players) > 2:
        return f"it has {len(game.players)} players, and what is proven is what one can do against one other"
    if game.engine.chance.rules or not game.observer.sees_all:
        return "chance or hidden information decides in it, and what is proven holds for certain"
    if game.repetition.aside or game.looks_back not in ("", "draws"):
        return (f"'repetition {game.looks_back}' makes values depend on the moves before, and a certificate is about "
                "positions alone")
    return ""


class _Work:
    """Chooses the claims of one certificate, and makes their proofs."""

    def __init__(self, position: Position, solution: Solution[State, Move], budget: Budget) -> None:
        self.position, self.solution, self.budget = position, solution, budget
        self.game = position.game
        self.rules, self._values, self._search = self._sources()

    def _sources(self) -> tuple[Rules, Valued | None, Search | None]:
        """The rules to play by, and either the values of all positions or a search that proves them."""
        from solver.packed_space import PackedValues
        from solver.strong import Strong
        from solver.tables.saved import SavedSolution
        from solver.tables.table import SolvedTable

        strong = self.solution.strong
        if isinstance(strong, Strong | PackedValues):
            return Rules(self.game), lambda states: [strong.value(state) for state in states], None
        from solver.certificates.compiled import CompiledRules
        from solver.certificates.searching import Search
        from solver.certificates.strategies import TableValues

        rules = CompiledRules(self.game)
        if isinstance(strong, SolvedTable | SavedSolution) and strong.space.take_wins:
            raise Refused("no certificate is made: positions were left out where a move wins at once")
        if isinstance(strong, SolvedTable) and not strong.space.relative:
            return rules, TableValues(rules, strong), None
        if strong is not None:
            kernel = rules.batch.kernel
            return rules, lambda keys: [strong.value(kernel.state(row)) for row in rules.rows(keys)], None
        if not self.game.acyclic:
            raise Refused("no certificate is made: play can go round in circles, so that a proof needs the values of "
                          "all positions, and they were not found: solve with --method strong")
        return rules, None, Search(rules, self.budget)

    # ---- claims

    def claims(self, *, every_move: bool, exact: bool) -> tuple[Claim, ...]:
        """The value of the root, and with `every_move` the values of its moves."""
        solution = self.solution
        assert solution.winner is not None  # `certify` refuses otherwise
        plies = solution.remoteness if solution.winner != DRAW and self._values is not None else None
        result = [Claim((), solution.winner, plies, plies if exact else None)]
        for move in solution.moves if every_move else ():
            if move.winner is None:
                raise Refused("what each first move is worth was not found out: leave out --value")
            text = self.game.notation.write(self.position.state, move.move)
            known = move.remoteness if move.winner != DRAW and self._values is not None else None
            result.append(Claim((text,), move.winner, None if known is None else known - 1))
        return tuple(result)

    # ---- proofs

    def proofs(self, claims: Sequence[Claim]) -> list[Proof]:
        """Make the proofs that the claims need, one for each kind and player."""
        roots: dict[tuple[str, int], dict[tuple[str, ...], Child]] = {}
        players = range(len(self.game.players)) if len(self.game.players) > 1 else (NOBODY,)
        least = 0
        for claim in claims:
            child = self._child(claim.after)
            needed = [(HOLDS, player) for player in players] if claim.winner == DRAW else [(WINS, claim.winner)]
            if claim.least is not None:
                needed += [(LASTS, player) for player in players if player != claim.winner]
                least = claim.least
            for key in needed:
                roots.setdefault(key, {})[claim.after] = child
        return [self._proof(kind, player, result, least) for (kind, player), result in roots.items()]

    def _child(self, after: tuple[str, ...]) -> Child:
        position = self.position
        for move in after:
            position = position.play(move)
        return self.rules.root(position.state)

    def _proof(self, kind: str, player: int, roots: Mapping[tuple[str, ...], Child], plies: int) -> Proof:
        name = self.game.players[player] if player >= 0 else "nobody"

        def tell(done: int, known: int) -> None:
            if self.budget.due(0):
                self.budget.tell(done, known, f"showing that {name} {kind}")

        return follow(self.rules, kind, player, roots, self._strategy(kind, player), plies, tell)

    def _strategy(self, kind: str, player: int) -> Strategy:
        if self._values is not None:
            return ByValues(kind, player, self._values)
        from solver.certificates.searching import ByCarriers, BySearch
        from solver.drivers import carriers

        assert self._search is not None  # there are either values or a search
        if kind == WINS and self.solution.method in (CARRIERS, CONNECTIONS) and carriers.usable(self.game) is not None:
            return ByCarriers(self._search.rules, player, self.budget)
        return BySearch(kind, player, self._search)


__all__ = ["Made", "certify"]
