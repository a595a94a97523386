"""The rules engine: legal moves, the effects of a move, and how the game ends, on plain states.

A move is played in these steps: its effects happen in order; forced rules apply repeatedly, each time the first
applicable one at its first place in board order; `illegal when` may take the move back; the turn passes; the first end
that holds decides. Used by `interpreter.game` (the public interface) and by the solvers, which keep states and not
positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import hir
from dsl.syntax.source import Span
from interpreter.boards import Board
from interpreter.errors import RuleError
from interpreter.model.state import PASS, SWAP, Move, State, WorkingState
from interpreter.model.state_maps import StateMap
from interpreter.semantics.chance import Chance
from interpreter.semantics.effects import Effects
from interpreter.semantics.ends import Ends
from interpreter.semantics.evaluate import Evaluator
from interpreter.semantics.forced import Applied, Forced, ForcedRules
from interpreter.semantics.limits import MOST_MOVES, TooMuchWork, too_many_moves
from interpreter.semantics.ranking import best
from interpreter.semantics.stages import Condition, Stages, name_of
from interpreter.semantics.turns import Turns
from interpreter.semantics.windows import settle


class Engine:
    """Plays by the rules of one game on one board; `ignore_ends` plays on after wins and draws.

    Without `remember` the values of fixed terms are not cached; see `interpreter.analysis.fixed`.
    """

    def __init__(self, rules: hir.Rules, board: Board, *, ignore_ends: bool = False,
                 remember: bool = True) -> None:
        self.rules = rules
        self.board = board
        self.ignore_ends = ignore_ends
        self.players = len(rules.players)
        self.evaluator = Evaluator(rules, board, remember=remember)
        self._effects = Effects(self.evaluator)
        self._stages = stages = Stages(rules, self.evaluator, self._effects)
        self._moves = [(self._condition_of(rule.when, rule), stages.stage(rule.choices, rule.body), rule.slots)
                       for rule in rules.moves]
        self._after = [(rule, self._effects.block(rule.body)) for rule in rules.after]
        self.forced = ForcedRules([
            Forced(rule, self._condition_of(rule.when, rule), self._condition_of(rule.until, rule),
                   stages.stage(rule.choices, rule.body)) for rule in rules.forced], board.size)
        self._illegal = [(item, self._condition(item, "'illegal when'")) for item in rules.illegal]
        self._ranking = None if rules.ranking is None else self._condition(rules.ranking, "'only moves with'")
        self.turns = Turns(rules)
        self.chance = Chance(self, [self._condition(item, "'turn passes when'") for item in rules.passes])
        self._again = [self._condition(item, "'turn again when'") for item in rules.again]
        self._passing = None if rules.passing is None else self._condition(rules.passing, "'pass when'")
        self._pies = [(pie, None if pie.condition is None else self._condition(pie.condition, "'swap'"))
                      for pie in rules.pies]
        self.ends = Ends(self, [self._condition(end.condition, f"'{end.kind} when'") for end in rules.ends])
        self.swap: StateMap | None = None
        """The map by which the pie rule swaps sides; the game sets it from the declared symmetries."""
        self._turns = max((pie.turn + 1 for pie in rules.pies), default=0)

    # ---- compilation

    def _condition(self, item: hir.Condition, what: str) -> Condition:
        return Condition(self.evaluator.compile(item.term), item.slots, what)

    def _condition_of(self, term: hir.Expr | None, rule: hir.Move | hir.Forced) -> Condition | None:
        return None if term is None else Condition(self.evaluator.compile(term), rule.slots, name_of(rule))

    # ---- states

    def start(self) -> State:
        """The position in which the game begins."""
        rules, table = self.rules, self._empty()
        self._effects.block(rules.start)(table, [None] * rules.start_slots)
        settle(self.board, table, self.rules.board.span)
        state = table.state(None)
        return state if self.ignore_ends else state._replace(outcome=self.ends.by_no_moves(table))

    def first_values(self) -> tuple[int | None, ...]:
        """The values of all variables by their declarations, before the effects of `start:`."""
        return tuple(self._empty().values)

    def _empty(self) -> WorkingState:
        """The empty board, with the first values of all variables."""
        rules = self.rules
        empty = (self.board.everything, *([0] * (len(rules.pieces) - 1)))
        table = WorkingState(State(empty, (), self.turns.first, 0, None, (0,) * len(rules.layers)))
        table.values = []
        for kind, size in zip(rules.variables, self.evaluator.sizes, strict=True):
            first = self._first_value(kind, table)
            table.values.extend([first] * size)
        return table

    def _first_value(self, kind: hir.VariableKind, table: WorkingState) -> int | None:
        if kind.initial is not None:
            value = self.evaluator.compile(kind.initial)(table, [None] * hir.slots_of(kind.initial))
            return None if value is None else int(value)
        if kind.or_none:
            return None
        return int(getattr(kind.sort, "low", 0))

    # ---- moves

    def candidates(self, state: State, *, asking: bool = False) -> Iterator[Move]:
        """Yield the moves that the move rules offer, in file and board order, before `illegal when` is checked.

        With `only moves with`, only the moves that it selects, for which `illegal when` was checked. With `asking`,
        where only the existence of a move matters, `only moves with` is not applied, and a move that continues by
        another rule is cut off there, as it exists however it continues.
        """
        if state.outcome is not None:
            return
        table = WorkingState(state)
        happening = self.chance.happening(state) if self.chance.rules else ()
        result = happening or self.offered(table, self.chance.others, asking=asking)
        yield from result if happening or asking else best(self, self._ranking, state, result)
        if happening:
            return
        if self._passing is not None and self._passing.holds(table):
            yield Move(PASS)
        if self._pies and self._may_swap(state, table):
            yield Move(SWAP)

    def offered(self, table: WorkingState, numbers: Sequence[int], *, asking: bool = False) -> Iterator[Move]:
        """Yield the moves that the rules of some numbers offer, in order. Raises RuleError where there are too many."""
        room = MOST_MOVES
        for number in numbers:
            (when, stage, slots), rule = self._moves[number], self.rules.moves[number]
            if rule.otherwise and room < MOST_MOVES:
                continue
            try:
                if when is None or when.holds(table):
                    for values in self._stages.ways(stage, table, [None] * slots, asking=asking):
                        room -= 1
                        if room < 0:
                            raise too_many_moves(name_of(rule), rule.span)
                        yield Move(number, values)
            except TooMuchWork as problem:
                problem.within(name_of(rule))
                raise

    @property
    def takes_back(self) -> bool:
        """Whether a move that is offered has to be played to know whether it is legal."""
        return bool(self._illegal) and self._ranking is None

    def offered_moves(self, state: State) -> list[Move]:
        """The moves offered, among which the legal ones are; `apply` says whether one of them is legal."""
        return list(self.candidates(state))

    def _may_swap(self, state: State, table: WorkingState) -> hir.Pie | None:
        """The first pie rule by which the player to move may swap sides."""
        return next((pie for pie, condition in self._pies
                     if state.turn == pie.turn and (condition is None or condition.holds(table))), None)

    def swap_rule(self, state: State) -> hir.Pie | None:
        """The pie rule by which the player to move in a state may swap sides; None where there is none."""
        return self._may_swap(state, WorkingState(state))

    def legal(self, state: State) -> list[Move]:
        """The legal moves; empty exactly when the game is over.

        Raises RuleError where there is none and no rule says what happens then.
        """
        moves = list(self.candidates(state))  # all of them first, as in `successors`
        if self._illegal:
            moves = [move for move in moves if self.apply(state, move, ends=False) is not None]
        return moves or self._without_moves(state)

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """The legal moves with the states they lead to."""
        result = []
        for move in list(self.candidates(state)):  # all of them first, so that too many fail before any is played
            after = self.apply(state, move)
            if after is not None:
                result.append((move, after))
        if result or state.outcome is not None:
            return result
        return [(move, after) for move in self._without_moves(state) if (after := self.apply(state, move)) is not None]

    def _without_moves(self, state: State) -> list[Move]:
        """The moves of a player whom the rules offer none: a pass, or none where the game is over. Raises RuleError."""
        if state.outcome is not None:
            return []
        if self.rules.no_moves == "passes":
            if self.ends.no_moves(WorkingState(state), anyone=True):
                if self.ignore_ends:
                    return []
                raise RuleError("G407", "no player has a move, and no rule ends the game then", self._no_moves_span())
            return [Move(PASS)]
        if self.ignore_ends:
            return []
        raise RuleError("G407", f"there is no move for {self.rules.players[state.to_move]}, and no rule says what "
                        "happens then", self._no_moves_span())

    def _no_moves_span(self) -> Span:
        return self.rules.ends[-1].span if self.rules.ends else self.rules.moves[-1].span

    def has_move(self, state: State) -> bool:
        """Whether the player to move has a legal move in a state without outcome. Raises RuleError."""
        if not self._illegal:
            return next(self.candidates(state, asking=True), None) is not None
        return any(self.apply(state, move, ends=False) is not None for move in list(self.candidates(state)))

    # ---- playing

    def apply(self, state: State, move: Move, *, ends: bool = True) -> State | None:
        """The state after a move that the rules offer; None when `illegal when` takes it back.

        With `ends` false, the ends are not evaluated. Raises RuleError where a rule fails.
        """
        if move.rule == SWAP:
            return self._swapped(state, ends and not self.ignore_ends)
        table, taken_back = self.after_move(state, move)
        if taken_back is not None:
            return None
        if not self.turns.order:
            table.turn = min(state.turn + 1, self._turns)
        table.to_move = self._next(table, move)
        return table.state(self.ends.outcome(table) if ends and not self.ignore_ends else None)

    def after_move(self, state: State, move: Move,
                   applied: list[Applied] | None = None) -> tuple[WorkingState, Span | None]:
        """The table after a move's effects and forced rules, and the span of the `illegal when` that takes it back."""
        table = WorkingState(state)
        if move.rule == PASS:
            return table, None
        self.carry_out(move, table)
        self.follow(table)
        if self.forced.rules:
            self.forced.close(table, applied)
        settle(self.board, table, self.rules.board.span)
        return table, next((item.span for item, condition in self._illegal if condition.holds(table)), None)

    def watch(self, state: State, move: Move,
              applied: list[Applied]) -> tuple[State, Span | None]:
        """Play a move, and append each application of a forced rule to `applied`.

        Returns the state after it, without its outcome, and the span of the `illegal when` that takes it back, or None.
        """
        if move.rule == SWAP:
            return self._swapped(state, ends=False), None
        table, span = self.after_move(state, move, applied)
        return table.state(None), span

    def just_moved(self, after: State, before: State) -> WorkingState:
        """The table on which the ends are evaluated after a move from `before` to `after`."""
        table = WorkingState(after)
        table.mover = WorkingState(before).mover
        return table

    def carry_out(self, move: Move, table: WorkingState) -> None:
        """Carry out the effects of a move."""
        _, stage, slots = self._moves[move.rule]
        try:
            self._stages.carry_out(stage, move.values, table, [None] * slots)
        except TooMuchWork as problem:
            problem.within(name_of(self.rules.moves[move.rule]))
            raise

    def follow(self, table: WorkingState) -> None:
        """Carry out the effects that follow every move."""
        for rule, action in self._after:
            try:
                with table.played_by(rule.mover):
                    action(table, [None] * rule.slots)
            except TooMuchWork as problem:
                problem.within("'after every move'")
                raise

    # ---- states that were not reached by playing

    def pending(self, state: State, mover: int) -> hir.Forced | None:
        """The forced rule that would apply to a state if `mover` had just moved; None where none would."""
        return self.forced.apply_first(WorkingState(state, mover))

    def taken_back(self, state: State, mover: int) -> Span | None:
        """The span of the `illegal when` that holds in a state if `mover` has just moved; None where none does."""
        table = WorkingState(state, mover)
        return next((item.span for item, condition in self._illegal if condition.holds(table)), None)

    def last_movers(self, state: State) -> list[int]:
        """The players who can have moved last, by who is to move; the preceding player where nobody can."""
        table = WorkingState(state)
        to_move, result = table.mover, []
        before = self.turns.before(state.turn, to_move)
        for mover, place in before:
            table.mover, table.turn = mover, place
            if self._next(table) == to_move and table.turn == state.turn and mover not in result:
                result.append(mover)
        return result or [before[0][0]]

    def _next(self, table: WorkingState, move: Move | None = None) -> int:
        """The player who moves after the mover."""
        if move is not None and move.rule in self.chance.rules:
            return self.chance.next_player(table)
        again = any(condition.holds(table) for condition in self._again)
        return table.mover if again else self.turns.next(table)

    def finished(self, state: State) -> State:
        """A state with its outcome, as if the player before had just moved; the start has the outcome of `start`."""
        start = self.start()
        if state == start._replace(outcome=None):
            return start
        table = WorkingState(state)
        table.mover = self.last_movers(state)[0]
        if self.chance.rules and not self.ignore_ends and self.ends.outcome(table) is None:
            table.mover = table.to_move  # it may have been a move of chance
        return table.state(None if self.ignore_ends else self.ends.outcome(table))._replace(to_move=state.to_move)

    def _swapped(self, state: State, ends: bool) -> State:
        """The state after the second player has swapped sides."""
        pie = self.swap_rule(state)
        assert pie is not None  # the move was offered
        turn = min(state.turn + 1, self._turns)
        if pie.by_seats:
            after = state._replace(seats=1 - state.seats, to_move=1 - state.to_move, turn=turn)
        else:
            assert self.swap is not None  # the checker asks for a symmetry that swaps the players
            after = self.swap.of_state(state)._replace(turn=turn)
        table = WorkingState(after)
        table.mover = WorkingState(state).mover
        return table.state(self.ends.outcome(table) if ends else None)._replace(to_move=after.to_move)
