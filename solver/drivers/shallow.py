"""Shallow proofs: who can force the end of a game within a few plies, from a position and after each of its moves.

No heuristic value is used: a value is either proven, or no end can be forced within the depth searched. The depth
grows one ply at a time, so that mates in one are found at once and the shortest ones first.

`Shallow` searches on a game's kernel if it is given its `Entries` (alpha-beta in which every unfinished position counts
0), else with the interpreter. Both keep the history of each line of play, so that repetition rules hold. With more than
two players a value says that one player wins whatever the others do, and the interpreter finds it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.game import Game
from interpreter.model.state import DRAW, Move, State
from solver.strong import Value

if TYPE_CHECKING:
    from solver.entries import Entries
    from solver.players.iterative_deepening import Deepening

DEEPEST = 60
"""The default limit of a proof's depth, in plies."""
PLAIN_NODES, NODES = 2_000, 100_000
"""The default limits of positions searched by the interpreter and by a kernel: less than a second."""
TABLE_MIB = 8
"""The size of a kernel's transposition table, for that many positions."""

Progress = Callable[[int, int], None]
"""Called repeatedly with the depth being searched, in plies, and the number of positions so far."""


@attrs.frozen
class Proof:
    """What is proven about a position and its moves."""

    to_move: int
    depth: int
    """The number of plies searched completely: where a value is unknown, no end can be forced within them."""
    moves: Mapping[Move, Value]
    """The moves whose value is known. The remoteness counts the plies from the position; it is None where a shorter
    end may have been missed, and for draws."""
    legal: int
    """How many legal moves there are."""
    nodes: int
    """The number of positions searched."""
    players: int = 2
    """How many sides there are."""
    lines: Mapping[Move, tuple[str, ...]] = {}
    """For moves whose end a kernel found, the play after them that leads there, in the game's notation."""

    @property
    def complete(self) -> bool:
        """Whether the value of every move is known."""
        return len(self.moves) == self.legal

    @property
    def value(self) -> Value | None:
        """The value of the position, from those of its moves; None where it is not known."""
        return _of_moves(self.to_move, self.players, [*self.moves.values()], self.complete)

    def settles(self, *, value_only: bool) -> bool:
        """Whether nothing is left to prove: each move has its value, or with `value_only` the position, with plies."""
        value = self.value if value_only else None
        return self.complete or (value is not None and value.remoteness is not None)

    @property
    def best(self) -> Move | None:
        """The move that is proven best: the fastest win or the slowest loss; None where the value is not known."""
        value = self.value
        if value is None:
            return None
        return next((move for move, result in self.moves.items() if result == value),
                    next((move for move, result in self.moves.items() if result.winner == value.winner), None))

    @property
    def losing(self) -> tuple[Move, ...]:
        """The moves after which another player forces a win; in a puzzle, those that cannot solve it."""
        fine = (self.to_move,) if self.players == 1 else (self.to_move, DRAW)
        return tuple(move for move, result in self.moves.items() if result.winner not in fine)


def _of_moves(mover: int, players: int, values: Sequence[Value], complete: bool) -> Value | None:
    """Return a position's value from the known ones of its moves; None for a value or remoteness that stays open."""
    won = [value.remoteness for value in values if value.winner == mover]
    if won:
        known = [plies for plies in won if plies is not None]
        return Value(mover, min(known) if len(known) == len(won) else None)
    if not complete or not values:
        return None
    winners = {value.winner for value in values}
    if players == 2 and DRAW in winners:
        return Value(DRAW, None)
    if len(winners) > 1:
        return None  # one of several other players wins, but which one is not proven
    (winner,) = winners
    lasting = [value.remoteness for value in values]
    known = [plies for plies in lasting if plies is not None]
    return Value(winner, max(known) if len(known) == len(lasting) and winner != DRAW else None)


@attrs.define(eq=False)
class Shallow:
    """Proves positions of one game; a kernel's transposition table is kept from one proof to the next."""

    game: Game
    entries: Entries | None = None
    table_mib: int = TABLE_MIB
    progress: Progress | None = None
    """Called while a kernel searches."""
    _search: Deepening | None = attrs.field(default=None, init=False)

    @property
    def sides(self) -> int:
        """How many sides there are: players and teams."""
        return len(set(self.game.sides))

    def prove(self, state: State, *, history: Sequence[State] = (), plies: int = DEEPEST, nodes: int | None = None,
              seconds: float | None = None, value_only: bool = False,
              now: Callable[[], float] = time.monotonic) -> Proof:
        """Return what can be proven about an unfinished position within limits of plies, positions and seconds.

        `history` has the positions before it. With `value_only` the proof ends as soon as the position's value is
        known, else when the value of every move is. `now` is the clock that is read between positions to keep to
        `seconds`. Raises RuleError where a rule fails.
        """
        *_, last = self.deepen(state, history=history, plies=plies, nodes=nodes, seconds=seconds,
                               value_only=value_only, now=now)
        return last

    def deepen(self, state: State, *, history: Sequence[State] = (), plies: int = DEEPEST, nodes: int | None = None,
               seconds: float | None = None, value_only: bool = False,
               now: Callable[[], float] = time.monotonic) -> Iterator[Proof]:
        """Yield what is proven after each depth, at least once; the arguments are those of `prove`."""
        if state.outcome is not None:
            raise ValueError("the game is over: there is nothing to prove")
        for name, limit in (("plies", plies), ("nodes", nodes), ("seconds", seconds)):
            if limit is not None and limit <= 0:
                raise ValueError(f"the limit {name} is {limit}, expected more than 0")
        by_kernel = self.entries is not None and len(self.game.players) <= 2
        most = nodes or (NODES if by_kernel else PLAIN_NODES)
        run: _ByKernel | _Plain = (_ByKernel if by_kernel else _Plain)(self, state, history, most, seconds, now)
        depth = 0
        while True:
            whole = run.search(depth + 1)
            depth += whole
            proof = Proof(self.game.sides[state.to_move], depth, dict(run.values), len(run.after), run.nodes,
                          self.sides, run.lines)
            yield proof
            if not whole or depth >= plies or run.closed or proof.settles(value_only=value_only):
                return

    def forget(self) -> None:
        """Empty the kernel's transposition table, so that the next proof does not depend on earlier ones."""
        if self._search is not None:
            self._search.forget()

    def line(self, state: State, move: Move, plies: int, *, history: Sequence[State] = (),
             seconds: float | None = None) -> tuple[str, ...]:
        """Return the best play after a move that forces an end in `plies` plies, as far as it is found in time."""
        from solver.players.limits import Limit

        engine, past = self.game.engine, [*history, state]
        texts: list[str] = []
        until = None if seconds is None else time.monotonic() + seconds
        here = engine.apply(state, move)
        while here is not None and here.outcome is None and len(texts) < plies - 1:
            left, ahead = None if until is None else until - time.monotonic(), plies - 1 - len(texts)
            if left is not None and left <= 0:
                break
            result = self.deepening().search(here, Limit(plies=ahead, seconds=left), first=ahead,
                                             history=past if self.game.looks_back else ())
            result.report.check_interrupted()
            if result.remoteness != ahead:
                break
            texts.append(self.game.notation.write(here, result.move))
            past.append(here)
            here = engine.apply(here, result.move)
        return tuple(texts)

    def deepening(self) -> Deepening:
        """Return the kernel's search for forced ends alone; the first call makes it."""
        if self._search is None:
            from solver.players.iterative_deepening import Deepening

            assert self.entries is not None
            self._search = Deepening(self.entries, table_mib=self.table_mib, valued=False)
        return self._search


class _Spent(Exception):
    """The limit of positions or of time is reached."""


class _Run:
    """The state of a proof: what the depths searched so far show about each move."""

    def __init__(self, prover: Shallow, state: State, history: Sequence[State], nodes: int,
                 seconds: float | None, now: Callable[[], float]) -> None:
        self.now = now
        self.prover, self.game, self.state = prover, prover.game, state
        self.most = nodes
        self.until = None if seconds is None else now() + seconds
        self.rule = self.game.looks_back or None
        self.history = tuple(history) if self.rule else ()
        self.nodes = 0
        self.values: dict[Move, Value] = {}
        self.within: dict[Move, Value] = {}
        """Values whose remoteness is an upper bound so far, as a shorter end may have been missed."""
        self.lines: dict[Move, tuple[str, ...]] = {}
        """For moves whose end was found, the play after them that leads there."""
        self.closed = False
        """Whether a deeper search would find nothing more."""
        seen = self.met(*self.history, state)
        self.after = {move: self.unless_stuck(after, self.met(*self.history, state, after))
                      for move, after in self.successors(state, seen)}

    def met(self, *states: State) -> Collection[State]:
        """Return earlier positions in the form that the repetition rule takes them; none where it does not matter."""
        if not self.rule:
            return ()
        return {*states} if self.game.repetition.simple else states

    def successors(self, state: State, seen: Collection[State]) -> list[tuple[Move, State]]:
        """Return the legal moves with the states they lead to, after applying the repetition rule to `seen`."""
        result = self.game.engine.successors(state)
        if not self.rule:
            return result
        repetition = self.game.repetition
        if repetition.forbids:
            return [(move, after) for move, after in result if not repetition.holds(after, seen)]
        again = repetition.outcome(state.to_move)
        return [(move, after._replace(outcome=again) if repetition.holds(after, seen) else after)
                for move, after in result]

    def unless_stuck(self, state: State, seen: Collection[State]) -> State:
        """Return a state, ended by the `no moves` rule if all its moves are repetitions and these are forbidden."""
        rules = self.game.rules
        if (self.rule != "forbidden" or state.outcome is not None or rules.no_moves not in ("loses", "wins", "draws")
                or self.successors(state, seen)):
            return state
        return state._replace(outcome=self.game.engine.ends.of_no_moves(state.to_move))

    def check(self) -> None:
        """Raise _Spent if the limit of positions or of time is reached."""
        if self.nodes >= self.most or (self.until is not None and self.now() >= self.until):
            raise _Spent

    def search(self, depth: int) -> bool:
        """Search every open move `depth` plies deep; return whether the search was completed."""
        self.start()
        try:
            for move, after in self.after.items():
                if move not in self.values:
                    self.look(move, after, depth)
        except _Spent:
            self.values = {**{move: Value(value.winner, None) for move, value in self.within.items()}, **self.values}
            return False
        if depth > 1 and not self.horizon:
            self.closed = True
        return True

    horizon = True
    """Whether the last search was cut off at its depth somewhere, so that a deeper one may find more."""

    def start(self) -> None:
        """Prepare the search of the next depth."""

    def look(self, move: Move, after: State, depth: int) -> None:
        """Search the value of a move `depth` plies deep and note it. Raises _Spent."""
        raise NotImplementedError

    def note(self, move: Move, value: Value | None, depth: int) -> None:
        """Store the value of a move: in `values` if no shorter end can have been missed, else in `within`."""
        if value is None:
            return
        if value.winner == DRAW or value.remoteness is None or value.remoteness <= depth + 1:
            self.values[move] = value
        else:
            self.within[move] = value


class _ByKernel(_Run):
    """A proof by alpha-beta on the kernel."""

    def look(self, move: Move, after: State, depth: int) -> None:
        """Search the position after the move one ply less deep."""
        from solver.players.limits import Limit

        if after.outcome is not None:
            self.values[move] = Value(after.outcome, 1)
            self.lines[move] = ()
            return
        depth += self.rule == "forbidden"  # a player who has no move left is detected a ply later
        if depth == 1:
            return
        self.check()
        left = None if self.until is None else max(1e-3, self.until - self.now())
        told, before = self.prover.progress, self.nodes
        result = self.prover.deepening().search(
            after, Limit(plies=depth - 1, nodes=self.most - self.nodes, seconds=left),
            history=(*self.history, self.state) if self.rule else (), first=depth - 1,
            progress=None if told is None else lambda report: told(depth, before + report.nodes))
        result.report.check_interrupted()
        self.nodes += result.report.nodes
        if result.winner is not None:
            plies = None if result.remoteness is None else result.remoteness + 1
            self.lines[move] = result.report.line
            self.note(move, Value(result.winner, plies), depth)
        elif not result.report.whole:
            raise _Spent


class _Plain(_Run):
    """A proof by the interpreter, which defines what a kernel has to find."""

    def __init__(self, prover: Shallow, state: State, history: Sequence[State], nodes: int,
                 seconds: float | None, now: Callable[[], float]) -> None:
        super().__init__(prover, state, history, nodes, seconds, now)
        self.known: dict[State, Value] = {}
        """Values that hold on any path to a position; used only where no rule depends on earlier positions."""
        self.refuted: dict[State, int] = {}
        """The depth to which a position was searched without a result; used under the same condition."""
        self.path = [*self.history, state]

    def start(self) -> None:
        """Reset `horizon` before the search of the next depth."""
        self.horizon = False

    def look(self, move: Move, after: State, depth: int) -> None:
        """Search the tree of all play after the move."""
        value = self._value(after, depth - 1)
        if value is not None:
            self.note(move, Value(value.winner, None if value.remoteness is None else value.remoteness + 1), depth)

    def _value(self, state: State, depth: int) -> Value | None:
        """Return the value of a position if an end is forced within `depth` plies; else None."""
        if state.outcome is not None:
            return Value(state.outcome, 0)
        known = None if self.rule else self.known.get(state)
        if known is not None:
            return known
        if depth == 0 and (ended := self.unless_stuck(state, self.met(*self.path, state))).outcome is not None:
            return Value(ended.outcome, 0)
        if depth == 0 or self.refuted.get(state, -1) >= depth:
            self.horizon = True
            return None
        self.check()
        self.nodes += 1
        self.path.append(state)
        try:
            value = self._of_moves(state, self.successors(state, self.met(*self.path)), depth)
        finally:
            self.path.pop()
        if not self.rule:
            if value is None:
                self.refuted[state] = depth
            elif value.remoteness is None or value.remoteness <= depth + 1:  # else a shorter one may have been missed
                self.known[state] = value
        return value

    def _of_moves(self, state: State, result: list[tuple[Move, State]], depth: int) -> Value | None:
        """Return the same from the position's legal moves and the states they lead to."""
        if not result:
            ended = self.unless_stuck(state, self.met(*self.path)).outcome
            return None if ended is None else Value(ended, 0)
        mover, players = self.game.sides[state.to_move], self.prover.sides
        if any(after.outcome == mover for _, after in result):
            return Value(mover, 1)
        values, complete = [], True
        least = max(2, self.refuted.get(state, -1) + 1)
        for _, after in result:
            value = self._value(after, depth - 1)
            if value is None:
                complete = False
            else:
                values.append(Value(value.winner, None if value.remoteness is None else value.remoteness + 1))
                if value.winner == mover and value.remoteness is not None and value.remoteness < least:
                    break  # no win is faster
        return _of_moves(mover, players, values, complete)
