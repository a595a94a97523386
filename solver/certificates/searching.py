"""Strategies by search: positions are searched while the proof is built.

The search of the first position leaves its results in the transposition table, which answers most of the others at
once. Only games in which play must end are searched: then a win that the search proves does not depend on moves before.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import attrs

from interpreter.arrays import Words
from interpreter.model.state import DRAW
from solver.budget import Budget, memory_used
from solver.certificates.checker import WINS, Child
from solver.certificates.compiled import CompiledRules
from solver.drivers import carriers
from solver.drivers.null_window import WIN, NullWindowSearch, Shared
from solver.drivers.search_context import SearchContext, TranspositionTable
from solver.errors import Refused
from solver.native import runtime
from solver.native.functions import Row

_SLICE = 200_000
_SOON, _FEW = 40, 2_000
"""The limits of plies, and of positions per search, in looking for a fast win from each position."""
_SHARE, _LARGEST, _USUAL = 0.5, 8192, 1024
"""The table's share of free memory, its largest size in MiB, and its size in MiB where memory has no limit."""


class Search:
    """A null-window alpha-beta search of many positions, one after another, with one transposition table."""

    def __init__(self, rules: CompiledRules, budget: Budget) -> None:
        kernel = rules.batch.kernel
        usable = all(symmetry.condition is None for symmetry, _ in rules.game.declared)
        numbers = [number for number, element in enumerate(rules.game.symmetries) if usable and not element.swapping]
        self.rules, self.budget = rules, budget
        self.context = SearchContext.of(kernel, numbers or [0])
        free = _USUAL if budget.memory is None else max(1, min(_LARGEST, int(
            _SHARE * (budget.memory - memory_used()))))
        self.table = TranspositionTable.of(self.context.arrays, self.context.width, free)
        shared = Shared(self.context, self.table)
        self.question = NullWindowSearch(shared, kernel.start(), 0, shared.history)
        self._images = self.context.workspace(1, 2, 1).images
        self._key, self._bounds = self.context.arrays.row(self.context.width), self.context.arrays.line((0, 0))
        self._ask = runtime.module("transposition", native=True).ask

    def at_least(self, row: Row, score: int, limit: int | None = None) -> bool:
        """Whether a search proves that the player to move in an unfinished position reaches a score.

        With `limit`, only about that many positions are searched. Raises OutOfBudget past a limit of the budget,
        RuleError where a rule fails.
        """
        question = self.question
        question.row, question.lower, question.upper = row, -WIN, WIN
        question.ask(score)
        last = None if limit is None else question.nodes + limit
        while not question.answered and (last is None or question.nodes < last):
            question.go_on(_SLICE if limit is None else limit)
            self.budget.spend(question.nodes, question.nodes, "searching for answers")
            if self.table.wants_to_grow(question.filled):
                self.table.grow()
        return question.lower >= score

    def known(self, row: Row) -> tuple[int, int]:
        """The bounds of a position's score in the transposition table; -WIN and WIN where it has none."""
        self.context.functions[1](row, self._key, self.context.elements, self._images)
        if not self._ask(self.table.rows, self._key, self._bounds):
            return -WIN, WIN
        return int(self._bounds[0]), int(self._bounds[1])


@attrs.define(eq=False)
class BySearch:
    """Chooses moves of a player that a search proves to win, or not to lose."""

    kind: str
    player: int
    search: Search

    def _needed(self, mover: int) -> tuple[int, bool]:
        """The score to ask for where `mover` is to move, and the answer with which the proof's claim is true."""
        if mover == self.player:
            return (1, True) if self.kind == WINS else (0, True)
        return (0, False) if self.kind == WINS else (1, False)

    def _good(self, child: Child, row: Row | None) -> bool | None:
        """Whether the proof's claim is true of a child; None where the table does not decide it."""
        _, outcome, mover = child
        if outcome is not None:
            return outcome == self.player or (self.kind != WINS and outcome == DRAW)
        score, wanted = self._needed(mover)
        lower, upper = (-WIN, WIN) if row is None else self.search.known(row)
        return wanted if lower >= score else not wanted if upper < score else None

    def holds_at(self, child: Child, row: Row) -> bool:
        """Whether the proof's claim is true of a child; searches it where the table does not decide it."""
        known = self._good(child, row)
        if known is not None:
            return known
        score, wanted = self._needed(child[2])
        return self.search.at_least(row, score) == wanted

    def answers(self, positions: Sequence[Hashable], children: Sequence[Sequence[Child]],
                known: Mapping[Hashable, int]) -> list[int]:
        """For each position the index of a child for which the claim stays true. Raises Refused where none is found."""
        result = []
        for position, listed in zip(positions, children, strict=True):
            rows = self.search.rules.rows([child[0] for child in listed])
            place = self._at_once(listed)
            if place is None and self.kind == WINS:
                place = self._soon(self.search.rules.rows([position])[0], listed, rows, known)
            if place is None:
                place = self._best(listed, rows, known)
            if place is None:
                self.search.at_least(self.search.rules.rows([position])[0], self._needed(self.player)[0])
                place = self._best(listed, rows, known)
            if place is None:
                place = next((index for index, child in enumerate(listed) if self.holds_at(child, rows[index])), None)
            if place is None:
                raise Refused("the search does not find again what is to be shown")
            result.append(place)
        return result

    def _at_once(self, listed: Sequence[Child]) -> int | None:
        """The index of a child that ends the game as claimed."""
        return next((index for index, child in enumerate(listed) if child[1] is not None and self._good(child, None)),
                    None)

    def _soon(self, row: Row, listed: Sequence[Child], rows: Words, known: Mapping[Hashable, int]) -> int | None:
        """The index of a child with a win in the fewest plies, if a search of few positions finds one.

        A proof has all replies to each answer, so that fast wins keep it small.
        """
        for plies in range(2, _SOON + 1):
            if not self.search.at_least(row, WIN - plies, _FEW):
                if not self.search.question.answered:
                    return None
                continue
            other = None
            for index, child in enumerate(listed):
                if child[1] is None and (other is None or child[0] in known):
                    lower, upper = self.search.known(rows[index])
                    score = lower if child[2] == self.player else -upper
                    if score >= WIN - plies + 1:
                        if child[0] in known:
                            return index
                        other = index
            return other
        return None

    def _best(self, listed: Sequence[Child], rows: Words, known: Mapping[Hashable, int]) -> int | None:
        """The index of a child of which the claim is known to be true: the first that is finished or in the proof
        already, else the first of all."""
        other = None
        for index, child in enumerate(listed):
            if child[1] is not None or child[0] in known:
                if self._good(child, rows[index]):
                    return index
            elif other is None and self._good(child, rows[index]):
                other = index
        return other


class ByCarriers:
    """Chooses winning moves of a player in a connection game by the search with carriers."""

    def __init__(self, rules: CompiledRules, player: int, budget: Budget) -> None:
        connection = carriers.usable(rules.game)
        assert connection is not None  # the caller has checked this
        self.rules, self.player, self.budget = rules, player, budget
        self._shared = carriers.SharedCarriers(SearchContext.of(rules.batch.kernel, [0]), connection)
        self._question: carriers.CarrierSearch | None = None

    def answers(self, positions: Sequence[Hashable], children: Sequence[Sequence[Child]],
                known: Mapping[Hashable, int]) -> list[int]:
        """For each position the index of a winning child. Raises Refused where none is found."""
        rows = self.rules.rows(positions)
        listed = self.rules.batch.legal(rows)
        result = []
        for number, (row, below) in enumerate(zip(rows, children, strict=True)):
            done = [place for place, child in enumerate(below) if child[1] == self.player or child[0] in known]
            if done:
                result.append(done[0])
                continue
            cell = self._cell(row)
            cells = listed[number][:, 2].tolist()
            if cell is None or cell not in cells:
                raise Refused("the search does not find again what is to be shown")
            result.append(cells.index(cell))
        return result

    def _cell(self, row: Row) -> int | None:
        """A winning cell for the player to move; None where the search finds none."""
        state = self.rules.batch.kernel.state(row)
        if self._question is None:
            self._question = carriers.CarrierSearch(self._shared, state)
        question = self._question
        question.state, question.lower, question.upper = state, -WIN, WIN
        question.ask(0)
        while not question.answered:
            question.go_on(_SLICE)
            self.budget.spend(question.nodes, question.nodes, "searching for answers")
        return question.answer


__all__ = ["ByCarriers", "BySearch", "Search"]
