"""Compares the interpreter, which defines what a game's rules mean, with every other engine that plays the game.

`engines_of` names these engines; each has its own claim that compares it with the interpreter. A kernel runs as plain
Python at first, which starts at once, and is compiled by Numba when there turns out to be much to compare.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import ParamSpec, Protocol, TypeVar

from dslgame.testing.disagreement import listed
from dslgame.testing.properties import Ply, Property, Unchecked
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.hooks import Hooks
from interpreter.model.state import Move, State
from interpreter.model.state_maps import canonical
from interpreter.wording import finished

P = ParamSpec("P")
Found = TypeVar("Found")

NATIVE_AFTER = 30_000
"""Moves compared in plain Python before a kernel is compiled by Numba, which takes some seconds."""


_MOST_ROWS = 1000
"""The most rows kept to continue from; then all are dropped."""


class Engine(Protocol):
    """An engine besides the interpreter; each method raises RuleError exactly where the interpreter does."""

    def legal(self, state: State) -> list[Move]:
        """The legal moves, in the interpreter's order."""
        ...

    def after(self, state: State, move: Move) -> State | None:
        """The state after a move, with its outcome; None where a rule takes the move back."""
        ...

    def canonical(self, state: State) -> State:
        """The least image under the symmetries that the game claims for the state."""
        ...

    def payoffs(self, state: State) -> tuple[int, ...]:
        """The payoff of a finished game to each player, by the file's declarations."""
        ...

    def value(self, state: State) -> int:
        """The game's `value` for the player to move."""
        ...

    def drawn(self, state: State, seed: int) -> State:
        """The state after a random move."""
        ...


class Unavailable(Exception):
    """Raised where an engine cannot play a game; the message says why."""


Make = Callable[[Game], Engine]
"""A factory of engines for a game. Raises Unavailable."""


def engines_of(game: Game, hooks: Hooks | None = None) -> Mapping[str, Make]:
    """The factories of all engines besides the interpreter, by the names that reports use for them."""
    if hooks is None:
        return {"kernel": KernelEngine}
    return {"kernel": KernelEngine, "kernel with hooks": lambda game: HookedEngine(game, hooks)}


class KernelEngine:
    """A game's kernel: in plain Python for the first moves, then compiled, where Numba is installed."""

    def __init__(self, game: Game, hooks: Hooks | None = None) -> None:
        from interpreter.kernel.kernel import Kernel

        self._hooks = hooks
        try:
            self._kernel = Kernel.of(game, native=False, hooks=hooks)
        except NotLowered as problem:
            raise Unavailable(f"the compiler cannot translate {problem}") from None
        self._game = game
        self._asked = 0
        self._compiles = find_spec("numba") is not None

    def legal(self, state: State) -> list[Move]:
        """The legal moves. Raises NotLowered where one is too long for a kernel."""
        return self._kernel.legal(state)

    def after(self, state: State, move: Move) -> State | None:
        """The state after a move."""
        self._asked += 1
        if self._asked > NATIVE_AFTER:
            self.compile()
        return self._kernel.after(state, move)

    def compile(self) -> bool:
        """Compile the kernel, if it is not compiled; whether that is possible."""
        if self._compiles and not self._kernel.native:
            from interpreter.kernel.kernel import Kernel

            self._kernel = Kernel.of(self._game, hooks=self._hooks)
        return self._compiles

    def played(self, seed: int, plies: int) -> tuple[State, int]:
        """The state after a random game of at most `plies` moves, and their number. Fewer plies play its first moves.
        """
        row = self._kernel.start()
        number = self._kernel.play_out(row, seed, plies)
        return self._kernel.state(row), number

    def canonical(self, state: State) -> State:
        """The least image under the symmetries that the game claims for the state."""
        return self._kernel.canonical(state)

    def payoffs(self, state: State) -> tuple[int, ...]:
        """The payoff of a finished game to each player."""
        return self._kernel.payoffs(state)

    def value(self, state: State) -> int:
        """The game's `value` for the player to move."""
        return self._kernel.value(state)

    def drawn(self, state: State, seed: int) -> State:
        """The state after a random move."""
        return self._kernel.drawn(state, seed)


class HookedEngine(KernelEngine):
    """A kernel with hooks: continues rows, with what hooks keep in them, from move to move and checks the results."""

    def __init__(self, game: Game, hooks: Hooks) -> None:
        super().__init__(game, hooks)
        self._rows: dict[State, list[int]] = {}

    def after(self, state: State, move: Move) -> State | None:
        """The state after a move; where the continued row and a fresh one differ, that of the continued row."""
        fresh = super().after(state, move)
        if not self._kernel.native:
            row = list(self._rows[state] if state in self._rows else self._kernel.row(state))
            legal = self._kernel.apply(row, self._kernel.coded(move))
            going_on = self._kernel.state(row) if legal else None
            if going_on != fresh:
                return going_on
            if fresh is not None:
                if len(self._rows) > _MOST_ROWS:
                    self._rows.clear()
                self._rows[fresh] = row
        return fresh


class Lockstep(Property):
    """An engine plays the game as the interpreter does."""

    def __init__(self, game: Game, name: str, make: Make) -> None:
        super().__init__(game)
        self.name, self.claim = name, f"the {name} plays as the interpreter does"
        self._missing = ""
        try:
            self.engine = make(game)
        except Unavailable as problem:
            self._missing = str(problem)

    def nothing_to_check(self) -> str:
        """The reason why the engine cannot play the game; empty where it can."""
        return self._missing

    def cost(self, ply: Ply) -> int:
        """The moves of the interpreter and of the engine."""
        return 2 * len(ply.legal)

    def check(self, ply: Ply) -> None:
        """Compare moves and their order, successors, payoffs, values, canonical positions and rule failures; a random
        move must be one of the moves."""
        try:
            self._check(ply)
        except NotLowered as problem:  # a move is too long for a kernel
            raise Unchecked from problem

    def _check(self, ply: Ply) -> None:
        state = ply.position.state
        try:
            followers = ply.followers
        except RuleError:
            self._failing(ply)
            raise
        try:
            result = self.engine.legal(state)
        except RuleError as problem:
            raise self.fail(ply, f"a rule fails in the {self.name} alone ({problem.code})") from None
        self._same_moves(ply, [move for move, _ in followers], result)
        for move, after in followers:
            try:
                other = self.engine.after(state, move)
            except RuleError as problem:
                phrase = f"after the move {ply.text(move)} a rule fails in the {self.name} alone ({problem.code})"
                raise self.fail(ply, phrase) from None
            self._same_state(ply, f"the move {ply.text(move)} leads to different positions", after, other)
            if after is not None and after.outcome is not None and self.game.payoffs.declared:
                self._same_payoffs(ply, move, after)
        if followers and self.game.rules.value is not None:
            self._same_value(ply)
        if followers and not self.game.rules.repetition:  # random games end by it
            self._is_drawn_from(ply, [after for _, after in followers if after is not None])
        if self.game.declared:
            self._same_state(ply, "the canonical positions differ", canonical(state, self.game.symmetries_of(state)),
                             self.engine.canonical(state))

    def _failing(self, ply: Ply) -> None:
        """Check that a rule that fails in the interpreter fails in the engine, at the same move with the same code."""
        rules, state = self.game.engine, ply.position.state
        mine, legal = _failure(rules.legal, state)
        other, result = _failure(self.engine.legal, state)
        self._same_failure(ply, "", mine, other)
        if legal is None or result is None:
            return
        self._same_moves(ply, legal, result)
        for move in legal:
            self._same_failure(ply, f"after the move {ply.text(move)} ", _failure(rules.apply, state, move)[0],
                               _failure(self.engine.after, state, move)[0])

    def _same_failure(self, ply: Ply, when: str, mine: RuleError | None, other: RuleError | None) -> None:
        if mine is not None and other is not None:
            if mine.code != other.code:
                raise self.fail(ply, f"{when}a rule fails with {mine.code} in the interpreter, "
                                     f"with {other.code} in the {self.name}", ("interpreter", mine.phrase))
        elif mine is not None:
            raise self.fail(ply, f"{when}a rule fails in the interpreter alone ({mine.code}: {mine.phrase})")
        elif other is not None:
            raise self.fail(ply, f"{when}a rule fails in the {self.name} alone ({other.code})")

    def _same_payoffs(self, ply: Ply, move: Move, state: State) -> None:
        """Compare the payoffs of an ended game."""
        mine, worth = _failure(self.game.payoffs.of, state)
        other, result = _failure(self.engine.payoffs, state)
        self._same_failure(ply, f"after the move {ply.text(move)} ", mine, other)
        if worth != result:
            raise self.fail(ply, f"the payoffs after the move {ply.text(move)} differ",
                            ("interpreter", listed(map(str, worth or ()))), (self.name, listed(map(str, result or ()))))

    def _same_value(self, ply: Ply) -> None:
        """Compare the values of a position."""
        mine, value = _failure(ply.position.value)
        other, result = _failure(self.engine.value, ply.position.state)
        self._same_failure(ply, "in the value ", mine, other)
        if value != result:
            raise self.fail(ply, "the values differ", ("interpreter", str(value)), (self.name, str(result)))

    def _is_drawn_from(self, ply: Ply, followers: list[State]) -> None:
        """Check that a random move leads to one of the positions that moves lead to.

        It may fail where one of them has no move, which random games notice at once, or another failure.
        """
        other, drawn = _failure(self.engine.drawn, ply.position.state, self.checked)
        if other is not None:
            if other.is_limit or any(_failure(self.game.engine.legal, after)[0] for after in followers):
                return
            raise self.fail(ply, f"in a random move a rule fails in the {self.name} alone ({other.code})")
        if drawn not in followers:
            assert drawn is not None
            raise self.fail(ply, "a random move is none of the legal moves", (self.name, self._shown(drawn)))

    def _same_moves(self, ply: Ply, legal: list[Move], result: list[Move]) -> None:
        if result != legal:
            order = "the same legal moves come in another order" if sorted(result) == sorted(legal) else (
                "the legal moves differ")
            raise self.fail(ply, order, ("interpreter", listed(map(ply.text, legal))),
                            (self.name, listed(self._written(ply, move) for move in result)))

    def _same_state(self, ply: Ply, phrase: str, state: State, other: State | None) -> None:
        if other != state:
            raise self.fail(ply, phrase, ("interpreter", self._shown(state)),
                            (self.name, "the move is illegal" if other is None else self._shown(other)))

    def _written(self, ply: Ply, move: Move) -> str:
        """The text of a move, or its rule and choices where the game cannot write it."""
        try:
            return ply.text(move)
        except (IndexError, KeyError, TypeError, ValueError, RuleError):
            return f"rule {move.rule}, choices {', '.join(map(str, move.values))}"

    def _shown(self, state: State) -> str:
        outcome = self.game.outcome_name(state.outcome)
        end = f"{self.game.players[state.to_move]} to move" if outcome is None else finished(outcome)
        return f"{self.game.drawing(state)}\n{end}\n{self.game.position_text(state)}"


def _failure(play: Callable[P, Found], *given: P.args, **named: P.kwargs) -> tuple[RuleError | None, Found | None]:
    """Call a method of an engine; return the RuleError that it raises and None, or None and its result."""
    try:
        return None, play(*given, **named)
    except RuleError as problem:
        return problem, None


def lockstep_of(game: Game, hooks: Hooks | None = None) -> list[Property]:
    """The claims that every engine plays as the interpreter does."""
    return [Lockstep(game, name, make) for name, make in engines_of(game, hooks).items()]
