"""Upper bounds on the number of steps that a rule takes, from the sizes of the sets that it iterates over.

Every rule terminates, but four nested loops over ten thousand cells would not finish in a lifetime. The bound
multiplies the largest sizes, so that it is far above the cost in play; it serves to reject hopeless rules, not to
measure. Called by `dsl.checks.impossible`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import prod

import attrs

from dsl import hir
from dsl.boards import KINDS
from dsl.checks.reads import reads_itself
from dsl.resolve.sorts import CELL, CELLS, COURSE, Enumerated, Integer, SetOf
from dsl.syntax.source import Span
from dsl.words import WORDS, Reads, Sizes

MOST_AT_START = 10**7
"""The maximum number of steps to set up the board and the first position."""
MOST_IN_PLAY = 10**14
"""The maximum number of steps of a rule; more are hopeless, even if the sets are usually small."""
LONG_IN_PLAY = 10**10
"""The number of steps of a rule from which on there is a warning: only the interpreter plays it, which counts steps."""


@attrs.frozen
class Cost:
    """The maximum number of steps of one rule in play."""

    what: str
    """The rule in words."""
    steps: int
    span: Span


@attrs.frozen
class Effort:
    """Upper bounds for one game; `cells` is the maximum number of cells of its board."""

    rules: hir.Rules
    cells: int

    def in_play(self) -> Iterator[Cost]:
        """The cost of each rule that is evaluated in play."""
        named: list[hir.Move | hir.Forced] = [*self.rules.moves, *self.rules.after, *self.rules.forced]
        for rule in named:
            yield Cost(f"the rule '{rule.name}'", self.of(rule), rule.span)
        ranking = [] if self.rules.ranking is None else [self.rules.ranking]
        for condition in (*self.rules.illegal, *ranking, *self.rules.again, *self.rules.passes,
                          *(end.condition for end in self.rules.ends)):
            yield Cost("this condition", self.of(condition.term), condition.span)

    def widest(self) -> hir.Move:
        """The move rule with the most possible choices."""
        return max((rule for rule in self.rules.moves if not rule.is_step),
                   key=lambda rule: self.rule(rule).ways(rule.choices, rule.body))

    def of(self, node: object) -> int:
        """The maximum number of steps of a whole rule, condition or part of either."""
        return self.rule(node).of(node)

    def rule(self, node: object) -> RuleEffort:
        """The bounds for parts of one rule or condition."""
        result = RuleEffort(self._sizes)
        for part in hir.walk(node):
            match part:
                case hir.Let(slot=slot, value=value) | hir.Keep(slot=slot, value=value):
                    result.bind(slot, value)
                case hir.Perform(slots=slots, values=values):
                    for slot, value in zip(slots, values, strict=True):
                        result.bind(slot, value)
        return result

    @property
    def _sizes(self) -> Sizes:
        """The sizes of sets on the board."""
        board, cells = self.rules.board, self.cells
        kind = KINDS[board.kind]
        if kind.of_paths:
            around = Counter(cell for link in {frozenset(link) for path in board.paths for link in pairwise(path)}
                             for cell in link)
            neighbours, line = max(around.values(), default=0), cells
        else:
            neighbours = len(kind.directions if board.diagonals else kind.direction_sets[kind.neighbouring])
            line = max(kind.row_count(board.shape), kind.column_count(board.shape))
        tracks = (sum(1 + line * (len(stretch) - 1) for stretch in course.stretches) for course in self.rules.courses)
        plain = Sizes(cells, neighbours, line, min(cells, max(tracks, default=0)), cells)
        links = (RuleEffort(plain).size(layer.others) for layer in self.rules.layers)
        return attrs.evolve(plain, links=max(links, default=0))


@attrs.frozen
class RuleEffort:
    """Upper bounds for one rule, whose slots are its own."""

    board: Sizes
    _sets: dict[int, hir.Expr] = attrs.field(factory=dict)
    """The sets that slots stand for: names of `let` and parameters of definitions and effects."""
    _cells: dict[int, int] = attrs.field(factory=dict)
    """The maximum number of cells of each, where it has been asked for."""

    def bind(self, slot: int, value: hir.Expr) -> None:
        """Learn what a slot stands for; nothing is known of one with several terms."""
        if value.sort == CELLS and self._sets.setdefault(slot, value) is not value:
            self._cells[slot] = self.board.cells

    def ways(self, choices: Iterable[hir.Choice], body: tuple[hir.Effect, ...]) -> int:
        """The number of possible choices, including those after them."""
        ways = prod(self.size(choice.domain) for choice in choices for _ in choice.slots)
        last = body[-1] if body else None
        return ways * (self.ways(last.choices, last.body) if isinstance(last, hir.Then) else 1)

    def of(self, node: object) -> int:
        """The maximum number of steps of a term, choice, effect or rule."""
        cells = self.board.cells
        match node:
            case hir.Binding(domain=domain, guard=guard):
                return self.of(domain) + self.size(domain) * (1 + self.of(guard))
            case hir.Comprehension(binding=binding):
                result = self.of(binding)
                return 1 if result <= MOST_AT_START and _is_constant(node) else result
            case (
                hir.Quantified(binding=binding, body=body)
                | hir.Only(binding=binding, body=body)
                | hir.Aggregate(binding=binding, body=body)
                | hir.Each(binding=binding, body=body)
            ):
                return self.of(binding) + self.size(binding.domain) * (1 + self.of(body))
            case (
                hir.Move(choices=choices, when=when, body=body)
                | hir.Forced(choices=choices, when=when, body=body)
            ):
                return self.of(when) + self._chosen(choices, body)
            case hir.Then(choices=choices, body=body, condition=condition):
                return self.of(condition) + self._chosen(choices, body)
            case hir.Closure(start=start, binding=binding, body=body):
                return self.of(start) + cells * (1 + self.of(binding.guard) + self.of(body))
            case hir.Cheapest(start=start, goal=goal, step=step, cost=cost):
                steps = self.of(step) + self.size(step.domain) * (1 + self.of(cost))
                return self.of(start) + self.of(goal) + cells * (cells + steps)
            case hir.Apply(function=function, arguments=arguments) if WORDS[function].floods:
                return cells + self.of(arguments)
            case tuple():
                return sum(map(self.of, node))
            case None:
                return 0
        return 1 + sum(map(self.of, hir.parts(node)))

    def _chosen(self, choices: Iterable[hir.Choice], body: tuple[hir.Effect, ...]) -> int:
        """The steps of all possible choices, with the effects after each."""
        total, ways = 0, 1
        for choice in choices:
            total += ways * self.of(choice.domain)
            ways *= prod([self.size(choice.domain)] * len(choice.slots))
            total += ways * (1 + self.of(choice.guard))
        return total + ways * self.of(body)

    def size(self, domain: hir.Expr) -> int:
        """The maximum number of elements of a set."""
        if isinstance(domain, hir.Listing):
            return len(domain.values)
        if isinstance(domain.sort, SetOf) and isinstance(domain.sort.element, Integer):
            return domain.sort.element.high - domain.sort.element.low + 1
        return self._cells_in(domain)

    def _cells_in(self, term: hir.Expr) -> int:
        """The maximum number of cells of a set, by its structure: at most those of the board."""
        return min(self.board.cells, self._cells_by_structure(term))

    def _cells_by_structure(self, term: hir.Expr) -> int:
        match term:
            case hir.Local(slot=slot) if slot in self._sets:
                if slot not in self._cells:
                    self._cells[slot] = self._cells_in(self._sets[slot])
                return self._cells[slot]
            case _ if term.sort in (CELL, COURSE):
                return 1
            case hir.Apply(arguments=(hir.Expr(sort=Enumerated(shapes=(_, *_) as shapes)), *_)):
                return max(map(len, shapes))
            case hir.Apply(function=function, arguments=arguments) if (most := WORDS[function].most) is not None:
                return most(self.board, [self._cells_in(argument) for argument in arguments])
            case hir.SetArithmetic(operator="+", left=left, right=right):
                return self._cells_in(left) + self._cells_in(right)
            case hir.SetArithmetic(operator="and", left=left, right=right):
                return min(self._cells_in(left), self._cells_in(right))
            case hir.SetArithmetic(left=left):
                return self._cells_in(left)
            case hir.Comprehension(binding=binding):
                return self._cells_in(binding.domain)
            case hir.Aggregate(binding=binding, body=hir.Expr() as body) if term.sort == CELLS:
                return self.size(binding.domain) * self._cells_in(body)
            case hir.CellSet(items=items):
                return sum(map(self._cells_in, items))
            case hir.Let(body=body) | hir.Cut(cells=body):
                return self._cells_in(body)
            case hir.IfElse(yes=yes, no=no):
                return max(self._cells_in(yes), self._cells_in(no))
        return self.board.cells


def _is_constant(node: hir.Comprehension) -> bool:
    """Whether a set is the same in every position, so that it is computed once and not in play."""
    parts = list(hir.walk(node))
    bound = {slot for part in parts for slot in hir.bound_in(part)}
    return not any(reads_itself(part) & (Reads.POSITION | Reads.MOVER) for part in parts) and all(
        part.slot in bound for part in parts if isinstance(part, hir.Local))
