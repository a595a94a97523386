"""The state of a dynamic check: what was visited and found so far, and its budget of work and time.

`dynamic_checks` visits positions and random games with it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from math import inf

import attrs

from dsl.diagnostics import Diagnostic, error
from dsl.syntax.source import Span
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import PASS, SWAP, Move, State, WorkingState

MOST_WORK = 15_000
"""The most moves tried in all; half of them breadth first."""
MOST_TRIED = 60
"""The most moves tried in one position of a random game; where there are more, a random sample of them."""
GRACE = 1.0
"""The processor time beyond the limit in which checks still look at a first position, in seconds."""


@attrs.define
class Visit:
    """A position that was reached, with the move and the visit that led to it."""

    state: State
    before: Visit | None
    move: Move | None

    def moves(self, game: Game) -> tuple[str, ...]:
        """The moves from the start, as text."""
        texts: list[str] = []
        visit: Visit = self
        while visit.before is not None and visit.move is not None:
            texts.append(game.notation.write(visit.before.state, visit.move))
            visit = visit.before
        return tuple(reversed(texts))


@attrs.define
class Trial:
    """The state of a trial: what was visited and found so far, and the budget of work and time."""

    game: Game
    found: dict[tuple[str, Span], Diagnostic] = attrs.field(factory=dict)
    offered: set[int] = attrs.field(factory=set)
    """Numbers of the move rules that had a legal move in some position."""
    decided: set[int] = attrs.field(factory=set)
    """Numbers of the ends that decided a game in some position."""
    positions: int = 0
    work: int = 0
    """The number of moves tried, weighted by board size."""
    complete: bool = False
    """Whether every reachable position was visited."""
    games_ended: int = 0
    games_broken_off: int = 0
    samples: list[Visit] = attrs.field(factory=list)
    games_cut: int = 0
    """Random games broken off because time ran out."""
    seconds: float = inf
    """The processor time for the whole trial."""
    started: float = attrs.field(factory=lambda: time.process_time())
    until: float = inf
    """The processor time at which the current phase stops."""
    owing: bool = True
    """Whether the current check has not yet looked at any position, for which there is `GRACE`."""
    tell: Callable[[str], None] | None = None
    """Called now and then with a progress message."""
    unreached: list[str] = attrs.field(factory=list)
    """Texts of the checks that there was no time for."""
    trying: Move | None = None
    """The move that is being played, to name it where a rule fails."""

    def allow(self, share: float) -> None:
        """Let the next phase run until a share of the total time is spent."""
        self.until = self.started + share * self.seconds

    def out_of_time(self) -> bool:
        """Whether the time of the current phase is up."""
        return self.until < inf and time.process_time() >= self.until + GRACE * self.owing

    @property
    def weight(self) -> int:
        """The work that one move counts as."""
        return 1 + self.game.board.size // 100

    def report(self, diagnostic: Diagnostic) -> None:
        """Keep a finding, unless one with its code at its place is known."""
        self.found.setdefault((diagnostic.code, diagnostic.span), diagnostic)

    def witness(self, visit: Visit, move: Move | None = None) -> str:
        """The moves that lead to a position, as text for a finding."""
        texts = list(visit.moves(self.game))
        if move is not None:
            texts.append(self.game.notation.write(visit.state, move))
        if not texts:
            return "at the start"
        shown = " ".join(texts if len(texts) <= 12 else [*texts[:5], "...", *texts[-5:]])
        return f"after {shown}"

    def successors(self, visit: Visit, chance: random.Random | None = None) -> list[tuple[Move, State]]:
        """The successors of a position (some of them where they are many and `chance` is given, or time runs out).

        A rule that fails is reported with the moves that lead to the position.
        """
        state = visit.state
        self.positions += 1
        if self.tell is not None and self.positions % 25 == 0:
            self.tell(f"{self.positions:,} positions")
        result: list[tuple[Move, State]] = []
        self.trying = None
        try:
            for move in self._candidates(state, chance):
                if self.out_of_time() or (chance is not None and len(result) >= MOST_TRIED):
                    break
                self._try(state, move, result)
            if not result and not self.out_of_time():  # none, or the pass of a player without a move
                for move in self.game.engine.legal(state):
                    self._try(state, move, result)
            self._distinct(visit, [move for move, _ in result])
        except RuleError as problem:
            asked = f", where 'no moves' tries whether {problem.trying} can move" if problem.trying else ""
            if problem.took_long:
                self.work += MOST_WORK // 4
            self.report(error(problem.code, problem.phrase, problem.span,
                              help=f"it happens {self.witness(visit, self.trying)}{asked}"))
        self._lasting(visit, result)
        return result

    def _candidates(self, state: State, chance: random.Random | None) -> list[Move]:
        """The moves that the move rules offer; with `chance`, a random sample where there are more than `MOST_TRIED`.

        With `illegal` rules the sample is all of them in random order, as some of them may not be legal.
        """
        result = []
        for move in self.game.engine.candidates(state):
            result.append(move)
            if self.out_of_time():
                break
        self.work += self.weight * len(result) // 20
        if chance is None or len(result) <= MOST_TRIED:
            return result
        return chance.sample(result, len(result) if self.game.rules.illegal else MOST_TRIED)

    def _try(self, state: State, move: Move, result: list[tuple[Move, State]]) -> None:
        """Play a move, and add it to the result where it is legal."""
        self.trying = move
        after = self.game.engine.apply(state, move)
        if after is not None:
            self.work += self.weight
            self._used(move)
            result.append((move, after))
            if after.outcome is not None:
                self._decided(state, move)
        self.trying = None

    def _used(self, move: Move) -> None:
        """Record the move rules that a legal move used, including those of its further steps (`then`)."""
        self.offered.add(move.rule)
        if move.rule >= 0 and len(self.offered) < len(self.game.rules.moves):
            self.offered.update(step.rule for step in self.game.notation.steps(move))

    def _lasting(self, visit: Visit, successors: list[tuple[Move, State]]) -> None:
        """Report symmetries that are claimed for a position but not for one of its successors."""
        game = self.game
        for symmetry, _ in game.declared:
            if symmetry.condition is None or not game.claims(symmetry, visit.state):
                continue
            for move, after in successors:
                if after.outcome is None and not game.claims(symmetry, after):
                    told = f"it does {self.witness(visit, move)}; claim the symmetry when something holds that stays so"
                    phrase = "the condition of this symmetry stops holding after a move"
                    self.report(error("G307", phrase, symmetry.span, help=told))
                    break

    def _decided(self, state: State, move: Move) -> None:
        """Record which end decided the game after a move."""
        if move.rule == SWAP or len(self.decided) == len(self.game.rules.ends):
            return
        number = deciding_rule(self.game, state, move)
        if number is not None:
            self.decided.add(number)

    def _distinct(self, visit: Visit, legal: list[Move]) -> None:
        texts: dict[str, Move] = {}
        for move in legal:
            text = self.game.notation.write(visit.state, move)
            other = texts.setdefault(text, move)
            if other != move:
                names = {rule_name(self.game, other), rule_name(self.game, move)}
                self.report(error("G313",
                                  f"two different moves are both written '{text}' ({' and '.join(sorted(names))})",
                                  rule_span(self.game, move),
                                  help=f"it happens {self.witness(visit)}; show every choice in the notation"))


def rule_name(game: Game, move: Move) -> str:
    """The name of a move's rule, for findings."""
    if move.rule in (PASS, SWAP):
        return "pass" if move.rule == PASS else "swap"
    rule = game.rules.moves[move.rule]
    return f"{'chance' if rule.is_chance else 'move'} {rule.name}"


def rule_span(game: Game, move: Move) -> Span:
    """The place of a move's rule in the source."""
    rules = game.rules
    if move.rule >= 0:
        return rules.moves[move.rule].span
    special = rules.passing if move.rule == PASS else next(iter(rules.pies), None)
    return special.span if special is not None else rules.moves[-1].span


def deciding_rule(game: Game, state: State, move: Move) -> int | None:
    """The number of the end that decides after a move; None when it is the `no moves` rule or nothing."""
    after = game.endless.apply(state, move)
    if after is None:
        return None
    table = WorkingState(after)
    table.mover = WorkingState(state).mover
    result = game.engine.ends.deciding(table)
    return None if result is None else result[0]
