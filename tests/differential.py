"""Random rules by every engine beside the interpreter: the same moves, positions, ends, payoffs and values.

    python -m tests.differential --games 1000
    python -m tests.differential --seed 7 --games 1000 --compiled 20

Run it when the language, the interpreter, the compiler or an emitter changes. The games (`tests.varied_games`) follow
from their seeds alone; a difference is printed with the seed, and `--seed NUMBER --games 1 --show` repeats it. Each is
played by

- the interpreter without remembered values (`remember=False`), ply by ply;
- the kernel in plain Python, ply by ply, also with no pass of the compiler;
- the kernel's random games without listing, which the interpreter repeats;
- JavaScript under Node, ply by ply, and its random games;
- the solver, if there are few positions and everything is seen, beside the definition of the value;
- one in some games (`--compiled`): the compiled kernel, the environment for learning, and OpenSpiel.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from random import Random

import attrs

import dslgame
from dsl.diagnostics import GameFileError
from dslgame.testing.engines import KernelEngine, Lockstep
from dslgame.testing.play import Play
from dslgame.testing.properties import Ply, PositionTexts, Ranges
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.errors import RuleError
from interpreter.game import Game, Position
from interpreter.kernel.kernel import Kernel
from interpreter.model.outcomes import outcomes_in
from interpreter.model.state import DRAW, State
from interpreter.semantics.engine import Engine
from solver import game_space
from solver.errors import Refused
from tests.kernel.test_javascript import NODE, PLAYER, Player, hold
from tests.reference.maxn import result
from tests.varied_games import varied
from tests.walking import Walk

PLIES = 30
"""The most plies of a game that is compared ply by ply."""
FEW = 300
"""The most positions of a game whose value is compared."""


class Differs(AssertionError):
    """An engine does not play or value a game as the interpreter does."""


@attrs.define
class Run:
    """Games compared so far, by what they were compared with, and the differences."""

    player: Player | None
    """JavaScript; None where there is no Node."""
    folder: Path
    done: Counter[str] = attrs.field(factory=Counter)
    differences: list[str] = attrs.field(factory=list)

    def one(self, seed: int, *, compiled: bool = False) -> None:
        """Compare a game with all engines; what the checker refuses is counted only."""
        text = varied(seed)
        try:
            game = dslgame.loads(text)
        except GameFileError:
            self.done["refused"] += 1
            return
        self.done["games"] += 1
        self.done.update(kinds(text))
        checks: dict[str, Callable[[Game, int], bool | None]] = {
            "without remembered values": naively, "kernel": by_kernel, "kernel without passes": by_plain_passes,
            "random games of the kernel": by_random_games, "solver": by_solver}
        if self.player is not None:
            checks["JavaScript"] = self.by_javascript
        if compiled:
            checks |= {"compiled kernel": by_compiled, "environment": by_environment, "OpenSpiel": self.by_openspiel}
        for name, check in checks.items():
            try:
                self.done[name] += check(game, seed) is not False
            except NotLowered:
                self.done[f"{name}: not compiled"] += 1
            except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RuleError
                    ) as problem:
                said = str(problem) or repr(problem)
                self.differences.append(f"seed {seed}: {name}: {type(problem).__name__}: {said}")

    def by_javascript(self, game: Game, seed: int) -> None:
        """Moves, rows, outcomes, boards, values and texts, and random games."""
        assert self.player is not None
        # Node remembers a module by its path.
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            hold(game, self.player, Path(folder))

    def by_openspiel(self, game: Game, seed: int) -> bool:
        """Actions, ends and returns, where OpenSpiel is installed."""
        try:
            from dslgame.adapters import openspiel
            from dslgame.env import rewards_of
        except ImportError:
            return False
        import pyspiel

        path = self.folder / f"varied{seed}.game"
        path.write_text(varied(seed), encoding="utf-8")
        state = pyspiel.load_game(openspiel.register(path)).new_initial_state()
        position, dice = game.start(), Random(seed)
        for _ in range(PLIES):
            _same("over", state.is_terminal(), position.over)
            if position.over:
                worth = game.payoffs.of(position.state) if game.payoffs.declared else rewards_of(
                    [position.state.outcome or 0], len(game.players), game.sides)[0]
                _same("returns", state.returns(), [float(value) for value in worth])
                return True
            _same("chance", state.is_chance_node(), position.by_chance)
            legal = position.legal()
            actions = state.legal_actions()
            texts = Counter(game.notation.write(position.state, move) for move in legal)
            _same("moves", Counter(state.action_to_string(state.current_player(), action) for action in actions), texts)
            action = dice.choice(actions)
            text = state.action_to_string(state.current_player(), action)
            if texts[text] > 1:
                return True
            position = position.play(next(move for move in legal if game.notation.write(position.state, move) == text))
            state.apply_action(action)
        return True


def kinds(text: str) -> Iterator[str]:
    """The kinds of a game, to say how many there were of each."""
    words = {"team ": "with teams", "chance ": "with chance", "card[": "with hidden cards", "piles ": "with piles",
             "players move together": "moved together", "payoff ": "with payoffs", "repetition ": "with repetition",
             "forced ": "with forced rules", "turn order": "with a turn order", "turn again": "with turns again",
             "illegal ": "with illegal moves", "999999999": "with large numbers", "then ": "with further choices"}
    yield from (name for word, name in words.items() if word in text)
    count = text.partition("\nplayers ")[2].partition("\n")[0].count(",") + 1
    yield f"{count} player{'s' * (count > 1)}"


def _same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Differs(f"{what}: {found}, expected {expected}")


# ---- ply by ply


def plies(game: Game, seed: int) -> Iterator[Ply]:
    """The positions of a random game, until a rule fails, which is for others to compare."""
    position, dice = game.start(), Random(seed)
    for _ in range(PLIES):
        ply = Ply(position)
        try:
            legal = ply.legal
        except RuleError:
            yield ply
            return
        yield ply
        if not legal:
            return
        try:
            position = position.play(dice.choice(legal))
        except RuleError:
            return


def naively(game: Game, seed: int) -> None:
    """The interpreter without remembered values; ranges; texts of positions."""
    naive = Engine(game.rules, game.board, remember=False)
    naive.swap = game.engine.swap
    claims = [Ranges(game), PositionTexts(game)]
    for ply in plies(game, seed):
        state = ply.position.state
        try:
            followers = ply.followers
        except RuleError as problem:
            _same("failure", _failure(naive, state), problem.code)
            return
        _same("successors", naive.successors(state), followers)
        for claim in claims:
            claim.check(ply)


def _failure(engine: Engine, state: State) -> str:
    try:
        engine.successors(state)
    except RuleError as problem:
        return problem.code
    return ""


def by_kernel(game: Game, seed: int) -> None:
    """The kernel in plain Python."""
    Walk(game, Kernel.of(game, native=False), may_fail=True).play(seed, float("inf"), PLIES)


def by_plain_passes(game: Game, seed: int) -> bool:
    """The kernel as it is lowered, with no pass; every second game."""
    if seed % 2 == 0:
        Walk(game, Kernel.of(game, native=False, passes=Passes.none()), may_fail=True).play(seed, float("inf"), PLIES)
    return seed % 2 == 0


def by_compiled(game: Game, seed: int) -> None:
    """The kernel in machine code."""
    Walk(game, Kernel.of(game, kept=False), may_fail=True).walk(5, float("inf"), PLIES)


def by_random_games(game: Game, seed: int) -> bool:
    """Random games of the kernel without listing moves."""
    play = Play(game, [Lockstep(game, "kernel", KernelEngine)], plies=PLIES, seed=seed)
    play.random_games_of_kernel(1)
    for failure in play.failures.values():
        raise failure
    return play.kernel_games > 0


def by_environment(game: Game, seed: int) -> None:
    """Legal actions, positions, ends and rewards of an environment."""
    from dslgame.env import Environment, rewards_of

    environment = Environment(game, 4, seed=seed, auto_reset=False)
    positions = [Position(game, environment.state(number)) for number in range(4)]
    for _ in range(PLIES):
        for number, position in enumerate(positions):
            legal = [] if position.over else position.legal()
            actions = environment.legal[number].nonzero()[0].tolist()
            _same("moves", sorted(environment.move(number, action) for action in actions), sorted(legal))
        chosen = environment.sample()
        moves = [environment.move(number, int(chosen[number])) if not position.over else None
                 for number, position in enumerate(positions)]
        step = environment.step(chosen)
        for number, (position, move) in enumerate(zip(positions, moves, strict=True)):
            if move is None:
                continue
            after = position.play(move)
            state = environment.state(number)
            if after.by_chance:  # chance has moved in the environment
                after = Position(game, state, (*after.history, after.state), (*after.played, "chance"))
            _same("position", state, after.state)
            _same("over", bool(step.terminated[number]), after.over)
            ended = [-2 if after.state.outcome is None else after.state.outcome]
            _same("rewards", step.rewards[number].tolist(),
                  rewards_of(ended, len(game.players), game.sides)[0].tolist())
            positions[number] = after


# ---- values


def by_solver(game: Game, seed: int) -> bool:
    """The value of a game with few positions that everyone sees; of more players, only without teams and chance."""
    more = len(game.players) > 2
    if not game.observer.sees_all or game.rules.repetition or (more and (game.rules.teams or game.rules.has_chance)):
        return False
    try:
        value = Values(game).of(game.engine.start())
        outcomes = equilibria(game, game.engine.start(), {}) if more else frozenset()
    except (RuleError, TooMany):
        return False
    try:
        solution = game_space.solve_game(game)
    except Refused:
        return False
    if not solution.complete:
        return False
    if more:
        assert solution.winner is not None
        _same("outcomes", frozenset(outcomes_in(solution.winner)), outcomes)
        return True
    if game.rules.has_chance:
        if solution.expected is None:
            return False
        if solution.expected.exact is not None:
            _same("expected", solution.expected.exact, value)
        elif abs(solution.expected.value - float(value)) > 1e-9:
            raise Differs(f"expected: {solution.expected.value}, expected {value}")
        return True
    winner = {1: 0, -1: 1, 0: DRAW}[int(value)] if len(game.players) == 2 else (0 if value > 0 else DRAW)
    _same("winner", solution.winner, winner)
    return True


def equilibria(game: Game, state: State, known: dict[State, frozenset[int]]) -> frozenset[int]:
    """The outcomes of all subgame-perfect equilibria: those that are best for the mover whatever the others lead to."""
    if state.outcome is not None:
        return frozenset({state.outcome})
    if state not in known:
        below = [equilibria(game, after, known) for _, after in game.engine.successors(state)]
        least = max(min(result(outcome, state.to_move) for outcome in outcomes) for outcomes in below)
        known[state] = frozenset(outcome for outcomes in below for outcome in outcomes
                                 if result(outcome, state.to_move) >= least)
    return known[state]


class TooMany(Exception):
    """There are more positions than `FEW`, or positions can come back."""


class Values:
    """The values of positions for the first player, by their definition: with chance payoffs or points, else who wins.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[State, Fraction | None] = {}
        """The values; None for a position that leads to the current one."""

    def of(self, state: State) -> Fraction:
        """The value of a position. Raises TooMany, and RuleError where a rule fails."""
        if state not in self.known:
            if len(self.known) > FEW:
                raise TooMany
            self.known[state] = None
            self.known[state] = self._found(state)
        value = self.known[state]
        if value is None:
            raise TooMany
        return value

    def _found(self, state: State) -> Fraction:
        game = self.game
        if state.outcome is not None:
            if game.rules.has_chance and game.payoffs.declared:
                return Fraction(game.payoffs.of(state)[0])
            worth = Fraction({game.rules.sides[0]: 1, DRAW: 0}.get(state.outcome, -1))
            if not game.rules.has_chance:
                return worth
            return (worth + 1) / 2 if len(game.players) > 1 else max(worth, Fraction(0))
        shares = dict(game.engine.chance.probabilities(state)) if game.engine.chance.decides(state) else {}
        values = {move: self.of(after) for move, after in game.engine.successors(state)
                  if not shares or shares.get(move)}
        if shares:
            return sum((share * values[move] for move, share in shares.items() if share), Fraction(0))
        is_first = game.rules.sides[state.to_move] == game.rules.sides[0]
        results: list[Fraction] = list(values.values())
        return max(results) if is_first else min(results)


# ---- the program


@contextmanager
def running() -> Iterator[Run]:
    """A run with Node, where it is installed, and a folder."""
    with tempfile.TemporaryDirectory() as folder:
        if NODE is None:
            yield Run(None, Path(folder))
            return
        with subprocess.Popen([NODE, str(PLAYER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              encoding="utf-8") as process:
            yield Run(Player(process), Path(folder))
            assert process.stdin is not None
            process.stdin.close()


def table(done: Mapping[str, int]) -> str:
    """The numbers of games, by what they were compared with and by kind."""
    return "\n".join(f"{count:7,}  {name}" for name, count in done.items())


def main() -> None:
    """Compare games; exit with 1 if an engine differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="the first game's; each next game has the next one")
    parser.add_argument("--games", type=int, default=1000, help="how many games, without refused ones")
    parser.add_argument("--compiled", type=int, default=50, help="compile one in so many games; 0: none")
    parser.add_argument("--show", action="store_true", help="print the games")
    given = parser.parse_args()
    started, seed = time.process_time(), given.seed
    with running() as run:
        while run.done["games"] < given.games:
            if given.show:
                print(varied(seed))
            before = len(run.differences)
            run.one(seed, compiled=bool(given.compiled) and seed % given.compiled == 0)
            for difference in run.differences[before:]:
                print(difference, file=sys.stderr, flush=True)
            seed += 1
            if run.done["games"] % 100 == 0:
                print(f"{run.done['games']:,} games, {len(run.differences)} differences, "
                      f"{time.process_time() - started:.0f} s", flush=True)
    print(table(run.done))
    print(f"seeds {given.seed} to {seed - 1}: {len(run.differences)} differences")
    raise SystemExit(bool(run.differences))


if __name__ == "__main__":
    main()
