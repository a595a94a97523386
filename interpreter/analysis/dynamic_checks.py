"""Dynamic checks of a game, which play it.

`try_out(game)` visits positions (first breadth first, then in random games with a fixed seed) and reports what the text
of the rules does not show: values outside their ranges, cascades that do not end, players without a move and without a
rule for that, different moves with the same notation, rules that never apply, positions that repeat, declared
symmetries that the rules do not have. A finding names the rule and shows the moves that lead to it. `dslgame check`
runs all checks; the solver runs those of symmetries, because it relies on them.

Work is bounded by counts, so that the findings are the same on every machine; where a time limit is given as well and
is reached first, a note (G320) says what was not checked.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from math import inf

import attrs

from dsl import hir
from dsl.diagnostics import Diagnostic, Label, error, has_errors, in_source_order, note, warning
from dsl.resolve.sorts import Integer
from dsl.syntax.source import NOWHERE, Span
from interpreter.analysis.leaks import leaks
from interpreter.analysis.symmetric_payoffs import broken_by_payoff, unlike_payoff
from interpreter.analysis.symmetry_proof import suspects
from interpreter.analysis.unreachable import unreachable
from interpreter.boards import BoardError
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import PASS, SWAP, Move, State, WorkingState
from interpreter.model.state_maps import StateMap, group, state_map

MOST_STATES = 1500
"""The most positions visited breadth first; a game with fewer is explored completely."""
MOST_WORK = 15_000
"""The most moves tried in all; half of them breadth first."""
MOST_TRIED = 60
"""The most moves tried in one position of a random game; where there are more, a random sample of them."""
SYMMETRY_WORK = 8_000
"""The most moves tried to test one symmetry."""
SAMPLES = 40
"""The number of positions on which a symmetry is tested, within `SYMMETRY_WORK`."""
EARLY_PLIES = 4
"""In each random game one of this many first positions is a sample, besides a random later one."""
EARLY = 12
"""All of this many first positions are among the samples, within `SYMMETRY_WORK`."""
RANDOM_BOARDS = 300
"""The number of randomly filled boards on which the ends are compared."""
ENOUGH = 200
"""The least number of positions tried before a rule that never applied is reported."""
ENOUGH_GAMES = 30
"""The least number of random games before a rule that never applied is a warning: castling needs more than a few."""
LONGEST_GAME = 400
"""The number of moves after which random games are broken off."""
GRACE = 1.0
"""The processor time beyond the limit in which checks still look at a first position, in seconds."""
UNTIL_EXPLORED, UNTIL_PLAYED = 0.3, 0.6
"""The shares of the time limit, if any, after which the breadth-first search ends, and after which random games end.

Symmetries are checked next, and then, if time is left, further random games are played.
"""


_Successors = dict[State, tuple[Move, State]]
"""For each position the move that led to it and the position before."""


@attrs.define
class _Visit:
    """A position that was reached, with the move and the visit that led to it."""

    state: State
    before: _Visit | None
    move: Move | None

    def moves(self, game: Game) -> tuple[str, ...]:
        """The moves from the start, as text."""
        texts: list[str] = []
        visit: _Visit = self
        while visit.before is not None and visit.move is not None:
            texts.append(game.notation.write(visit.before.state, visit.move))
            visit = visit.before
        return tuple(reversed(texts))


@attrs.define
class _Trial:
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
    samples: list[_Visit] = attrs.field(factory=list)
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
        self.found.setdefault((diagnostic.code, diagnostic.span), diagnostic)

    def witness(self, visit: _Visit, move: Move | None = None) -> str:
        """The moves that lead to a position, as text for a finding."""
        texts = list(visit.moves(self.game))
        if move is not None:
            texts.append(self.game.notation.write(visit.state, move))
        if not texts:
            return "at the start"
        shown = " ".join(texts if len(texts) <= 12 else [*texts[:5], "...", *texts[-5:]])
        return f"after {shown}"

    def successors(self, visit: _Visit, chance: random.Random | None = None) -> list[tuple[Move, State]]:
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

    def _lasting(self, visit: _Visit, successors: list[tuple[Move, State]]) -> None:
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

    def _distinct(self, visit: _Visit, legal: list[Move]) -> None:
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


def _may_go_on(rules: hir.Rules) -> bool:
    """Whether play that comes back needs no further rule: a repetition rule ends it, or somebody who plays alone only
    takes longer."""
    return bool(rules.repetition) or len(rules.players) == 1


def deciding_rule(game: Game, state: State, move: Move) -> int | None:
    """The number of the end that decides after a move; None when it is the `no moves` rule or nothing."""
    after = game.endless.apply(state, move)
    if after is None:
        return None
    table = WorkingState(after)
    table.mover = WorkingState(state).mover
    result = game.engine.ends.deciding(table)
    return None if result is None else result[0]


def try_out(game: Game, *, seed: int = 1, seconds: float | None = None,
            progress: Callable[[str], None] | None = None) -> list[Diagnostic]:
    """Play a game and return every problem found, in source order.

    Deterministic for a seed, unless it would take more than `seconds` of processor time: then it stops there, and one
    of the findings is a note that says what was not reached. `progress` is called now and then with a message.
    """
    trial = _Trial(game, tell=progress, seconds=inf if seconds is None else seconds)
    chance = random.Random(seed)
    trial.allow(UNTIL_EXPLORED)
    cyclic = _explore(trial)
    trial.allow(UNTIL_PLAYED)
    cyclic = cyclic or _play(trial, chance)
    cut = trial.out_of_time()
    trial.allow(1)
    findings = _of_symmetries(trial)
    if cut:
        cyclic = _play(trial, chance) or cyclic
        if trial.out_of_time():
            trial.unreached.insert(0, "more positions")
    _never(trial)
    if cyclic is not None and not _may_go_on(game.rules) and not game.rules.has_chance:
        trial.report(warning("G314", "a position can come back, and no 'repetition' rule says what happens then",
                             game.rules.moves[-1].span,
                             help=f"it happens {cyclic}; add for instance: repetition draws"))
    result = [*unreachable(game), *trial.found.values()]
    if not has_errors(result):
        result += leaks(game, seed=seed)
    if not any(item.severity == "error" for item in result):
        result += findings
    if trial.unreached:
        result.append(_cut_short(trial))
    return in_source_order(result)


def _of_symmetries(trial: _Trial) -> list[Diagnostic]:
    """Findings about declared symmetries, else proposals of undeclared ones; none where there are errors already."""
    if any(item.severity == "error" for item in trial.found.values()):
        return []
    return _broken_symmetries(trial) or _proposals(trial)


def _cut_short(trial: _Trial) -> Diagnostic:
    """The note that says what was tried within the time limit, and what was not reached."""
    games = trial.games_ended + trial.games_broken_off + trial.games_cut
    played = f", some of {games:,} random game{'s' if games > 1 else ''}," if games else ""
    tried = "1 position was" if trial.positions == 1 else f"{trial.positions:,} positions{played} were"
    return note("G320", f"the check stopped after {trial.seconds:g} s: {tried} tried; not reached: "
                f"{', '.join(trial.unreached)}", NOWHERE,
                help="give it more time, as in: dslgame check --seconds 60")


def check_symmetries(game: Game, *, seed: int = 1, games: int = 6, plies: int | None = None) -> list[Diagnostic]:
    """Errors for declared symmetries that the rules break, found in `games` random games of at most `plies` plies."""
    if not game.declared:
        return []
    trial = _Trial(game)
    _explore(trial, EARLY)
    trial.complete = False
    _play(trial, random.Random(seed), games=games, plies=plies)
    return [item for item in trial.found.values() if item.code == "G307"] or _broken_symmetries(trial)


# ---- visiting positions


def _explore(trial: _Trial, most: int = MOST_STATES) -> str | None:
    """Visit positions breadth first; the witness of a repetition, if all were visited and one can repeat, else None."""
    first = _Visit(trial.game.engine.start(), None, None)
    visits = {first.state: first}
    after: dict[State, list[State]] = {}
    queue = deque([first])
    while queue and len(visits) < most and trial.work < MOST_WORK // 2 and not trial.out_of_time():
        visit = queue.popleft()
        successors = trial.successors(visit)
        trial.owing = False
        after[visit.state] = [state for _, state in successors]
        for move, state in successors:
            if state not in visits:
                visits[state] = _Visit(state, visit, move)
                queue.append(visits[state])
    trial.complete = not queue and not trial.out_of_time()
    step = max(1, len(visits) // SAMPLES)
    trial.samples += _spread(list(visits.values()), step)
    if trial.complete:
        circle = _circle(after, first.state)
        return None if circle is None else trial.witness(visits[circle])
    return None


def _spread(visits: list[_Visit], step: int) -> list[_Visit]:
    """Every `step`-th visit of a list, then the other ones of the first `EARLY`, where rules for first moves apply."""
    return visits[::step] + [visit for number, visit in enumerate(visits[:EARLY]) if number % step]


def _circle(after: dict[State, list[State]], start: State) -> State | None:
    """A position on a cycle of the position graph, or None, by depth-first search without recursion."""
    done: set[State] = set()
    path: set[State] = {start}
    stack: list[tuple[State, Iterator[State]]] = [(start, iter(after.get(start, [])))]
    while stack:
        state, rest = stack[-1]
        following = next(rest, None)
        if following is None:
            stack.pop()
            path.discard(state)
            done.add(state)
        elif following in path:
            return following
        elif following not in done:
            path.add(following)
            stack.append((following, iter(after.get(following, []))))
    return None


def _play(trial: _Trial, chance: random.Random, games: int = 10_000, plies: int | None = None) -> str | None:
    """Play random games; the witness of a repetition where one occurred, else None."""
    circle = None
    longest = max(LONGEST_GAME, 2 * trial.game.board.size) if plies is None else plies
    for number in range(games):
        if (trial.complete or trial.work >= MOST_WORK or trial.out_of_time()
                or any(d.severity == "error" for d in trial.found.values())):
            break
        visit = _Visit(trial.game.engine.start(), None, None)
        path = {visit.state}
        keep = chance.randrange(1, 30)
        for ply in range(longest):
            successors = trial.successors(visit, chance)
            if not successors:
                break
            if len(trial.samples) < 4 * SAMPLES and (ply in (keep, number % EARLY_PLIES) or any(
                    s.outcome is not None for _, s in successors)):
                trial.samples.append(visit)
            move, state = chance.choice(successors)
            visit = _Visit(state, visit, move)
            if state in path and circle is None:
                circle = trial.witness(visit)
            path.add(state)
            if trial.work >= 2 * MOST_WORK or trial.out_of_time():
                break
        if visit.state.outcome is not None:
            trial.games_ended += 1
        elif trial.out_of_time():
            trial.games_cut += 1
        else:
            trial.games_broken_off += 1
    return circle


# ---- what was never seen


def _never(trial: _Trial) -> None:
    """Report rules that applied in no visited position."""
    rules = trial.game.rules
    seen = f"in none of the {trial.positions} positions" + ("" if trial.complete else " that were tried")
    if any(item.severity == "error" for item in trial.found.values()):
        return
    games = trial.games_ended + trial.games_broken_off
    for number, rule in enumerate(rules.moves):
        if number in trial.offered:
            continue
        what = "the chance" if rule.is_chance else "the move"
        if trial.complete:
            trial.report(error("G303", f"{what} '{rule.name}' is legal {seen}", rule.span,
                               help="its choices or conditions may exclude each other"))
        elif trial.positions >= ENOUGH and not rule.rare:
            say = warning if games >= ENOUGH_GAMES else note
            played = f", {games:,} random games among them" if games else ""
            trial.report(say("G303", f"{what} '{rule.name}' is legal {seen}{played}", rule.span,
                             help=f"its choices or conditions may exclude each other; where it is only rare, say so: "
                                  f"rare {'step' if rule.is_step else 'move'} {rule.name}"))
    if trial.complete:
        for number, end in enumerate(rules.ends):
            if number not in trial.decided and not end.names_param:
                trial.report(warning("G311", f"this end decides {seen}", end.span))
        if not trial.decided and rules.ends and not rules.no_moves and not rules.repetition:
            trial.report(error("G304", f"the game ends {seen}", rules.ends[-1].span))
    elif trial.games_ended == 0 and trial.games_broken_off >= 3 and not _may_go_on(rules):
        trial.report(warning("G304", f"none of {trial.games_broken_off} random games ended within {LONGEST_GAME} moves",
                             rules.ends[-1].span if rules.ends else rules.moves[-1].span))


# ---- symmetries


def _broken_symmetries(trial: _Trial) -> list[Diagnostic]:
    findings = []
    for symmetry, maps in trial.game.declared:
        line = f"the symmetry of line {symmetry.span.line}"
        trial.owing = late = trial.out_of_time()
        if late:
            trial.unreached.append(line + (" at all" if trial.out_of_time() else " beyond one position"))
        if trial.tell is not None:
            trial.tell(f"symmetry of line {symmetry.span.line}")
        for element in maps[:1] if late else maps:
            finding = (_breach(trial, symmetry, element) or _odd_payoff(trial, symmetry, element)
                       or _odd_end(trial, symmetry, element))
            if finding is not None:
                findings.append(finding)
                break
    return findings


def _running(trial: _Trial, symmetry: hir.Symmetry | None = None) -> Iterator[_Visit]:
    """Unfinished sample positions spread over the list, within `SYMMETRY_WORK`, at least one where there is any.

    With a symmetry, only those for which it is claimed.
    """
    running = [visit for visit in trial.samples if visit.state.outcome is None
               and (symmetry is None or trial.game.claims(symmetry, visit.state))]
    work = 0
    for visit in _spread(running, max(1, len(running) // SAMPLES)):
        yield visit
        trial.owing = False
        work += 2 * trial.weight * sum(1 for _ in trial.game.engine.candidates(visit.state))
        if work > SYMMETRY_WORK or trial.out_of_time():
            return


def _breach(trial: _Trial, symmetry: hir.Symmetry, element: StateMap) -> Diagnostic | None:
    """The first position in which a symmetry does not hold, as a diagnostic that names the rule."""
    game = trial.game
    for visit in _running(trial, symmetry):
        if symmetry.condition is not None and not game.claims(symmetry, element.of_state(visit.state)):
            return error("G307", "the condition of this symmetry holds for a position and not for its image",
                         symmetry.span, help=f"it shows {trial.witness(visit)}; the condition must be symmetric itself")
        culprit = _culprit(trial, visit.state, element)
        if culprit is not None:
            name, span = culprit
            return error("G307", f"the rules do not have this symmetry: {name} breaks it", symmetry.span,
                         help=f"it shows {trial.witness(visit)}; mend the rule or remove the symmetry",
                         labels=[Label(span, "this rule is not symmetric")])
    return None


def _odd_payoff(trial: _Trial, symmetry: hir.Symmetry, element: StateMap) -> Diagnostic | None:
    """The first finished position whose payoff differs from that of its image, as a diagnostic."""
    for visit in _running(trial, symmetry) if trial.game.payoffs.declared else ():
        for move, after in _successors(trial, visit.state):
            if after.outcome is not None and (player := unlike_payoff(trial.game, after, element)) is not None:
                return broken_by_payoff(trial.game, symmetry, player, trial.witness(visit, move))
    return None


def _odd_end(trial: _Trial, symmetry: hir.Symmetry, element: StateMap) -> Diagnostic | None:
    """An end whose text is not symmetric and that decides some board and its image differently, as a diagnostic.

    The boards are filled at random and need not be reachable: random games on a large board rarely reach positions in
    which ends differ.
    """
    game = trial.game
    doubtful = [item for item in suspects(game.rules, game.board, element) if isinstance(item, hir.End)]
    chance = random.Random(2)
    for _ in range(RANDOM_BOARDS // (1 + game.board.size // 400) if doubtful else 0):
        if trial.out_of_time():
            break
        state = _random_state(game, chance)
        if not game.claims(symmetry, state):
            continue
        outcome, end = _decision(game, state)
        image_outcome, image_end = _decision(game, element.of_state(state))
        if outcome is not None and outcome >= 0:
            outcome = element.of_player(outcome)
        blamed = end if end in doubtful else image_end
        if outcome != image_outcome and blamed in doubtful and blamed is not None:
            name, _ = _end_name(blamed, game)
            return error("G307", f"the rules do not have this symmetry: {name} breaks it", symmetry.span,
                         help="it decides one board and not its image; mend the rule or remove the symmetry",
                         labels=[Label(blamed.span, "this rule is not symmetric")])
    return None


def _random_state(game: Game, chance: random.Random) -> State:
    """The start with random pieces on the board, at a random density, and a random player to move."""
    start = game.engine.start()
    table = WorkingState(start)
    kinds = range(len(game.rules.pieces))
    emptiness = chance.random() ** 2
    for cell in range(game.board.size):
        table.put(1 << cell, 0 if chance.random() < emptiness else chance.choice(kinds))
    table.mover = table.to_move = chance.randrange(len(game.players))
    return table.state(None)


def _decision(game: Game, state: State) -> tuple[int | None, hir.End | None]:
    """The outcome that the ends give to a position, as if its player to move had just moved, and the end that decides.
    """
    result = game.engine.ends.deciding(WorkingState(state))
    return (None, None) if result is None else (result[1], game.rules.ends[result[0]])


def _culprit(trial: _Trial, state: State, element: StateMap) -> tuple[str, Span] | None:
    """The name and place of a rule that acts differently on a position and on its image; None if there is none, or if
    time runs out.
    """
    game, image = trial.game, element.of_state(state)
    expected = {game.representative(move, element.of_state(after)): (move, state)
                for move, after in _successors(trial, state)}
    actual = {game.representative(move, after): (move, image) for move, after in _successors(trial, image)}
    if trial.out_of_time():
        return None
    odd = [*_without_twin(expected, actual), *_without_twin(actual, expected)]
    if odd:
        ends = [number for move, origin in odd if (number := deciding_rule(game, origin, move)) is not None]
        return _end_name(game.rules.ends[ends[0]], game) if ends else _move_name(game, odd[0][0])
    if not game.rules.breaks_off:
        ending = [move for state, (move, _) in {**expected, **actual}.items()
                  if (state in expected) != (state in actual)]
        if ending:  # with the same outcome as another
            return _move_name(game, ending[0])
    value = game.rules.value
    if value is not None and game.heuristic(state) != game.heuristic(image):
        return "'value'", value.span
    return None


def _without_twin(these: _Successors, those: _Successors) -> list[tuple[Move, State]]:
    """The moves in `these` to positions that `those` lacks, and those in `those` that end the game in one of these.

    Finished positions are compared by outcome only: it may not matter where a cascade was broken off.
    """
    outcomes = {state.outcome for state in those}
    unfinished = {state._replace(outcome=None): result for state, result in those.items() if state.outcome is not None}
    odd = []
    for state, result in these.items():
        if state in those or (state.outcome is not None and state.outcome in outcomes):
            continue
        odd.append(result)
        if state in unfinished:
            odd.append(unfinished[state])
    return odd


def _successors(trial: _Trial, state: State) -> list[tuple[Move, State]]:
    """The legal moves with the states that they lead to; none where a rule fails, some of them where time runs out."""
    engine = trial.game.engine
    result: list[tuple[Move, State]] = []
    try:
        for move in engine.candidates(state):
            if trial.out_of_time():
                return result
            after = engine.apply(state, move)
            if after is not None:
                result.append((move, after))
        return result or engine.successors(state)
    except RuleError:
        return []


def _end_name(end: hir.End, game: Game) -> tuple[str, Span]:
    """The name of an end for findings, and its place."""
    player = "" if end.player is None else " " + _player_name(game, end.player)
    return f"'{end.kind}{player}' (line {end.span.line})", end.span


def _move_name(game: Game, move: Move) -> tuple[str, Span]:
    """The name of a move's rule for findings, and its place."""
    span = rule_span(game, move)
    return f"'{rule_name(game, move)}' (line {span.line})", span


def _player_name(game: Game, player: hir.Expr) -> str:
    if isinstance(player, hir.Literal) and player.value is not None:
        return game.players[player.value]
    return player.name if isinstance(player, hir.Role) else ""


def _proposals(trial: _Trial) -> list[Diagnostic]:
    """A note that proposes the symmetries of the board that the rules seem to have and the file does not declare."""
    game = trial.game
    known = {_same(element) for element in game.symmetries}
    last = game.rules.symmetries[-1].span if game.rules.symmetries else game.rules.board.span
    reversible = tuple(number for number, kind in enumerate(game.rules.variables)
                       if kind.index != "cell" and isinstance(kind.sort, Integer))
    words = game.board.kind.symmetries
    few = trial.positions < ENOUGH and not trial.complete
    if few or not any(visit.before for visit in trial.samples):
        return []
    for reversing in ((), reversible) if reversible else ((),):
        holding: dict[str, StateMap] = {}
        for phrase, parts in words.items():
            if trial.tell is not None:
                trial.tell(f"whether there is a symmetry: {phrase}")
            element = _plausible(trial, phrase, reversing) if parts == (phrase,) else None
            if element is not None:
                holding[phrase] = element
            if trial.out_of_time():
                trial.unreached.append("symmetries that could be declared")
                return []
        new = [phrase for phrase, element in holding.items() if _same(element) not in known]
        if new:
            whole = [phrase for phrase, parts in words.items() if set(parts) <= set(holding) and set(parts) & set(new)]
            best = max(reversed(whole),
                       key=lambda phrase: len(group(game.rules, game.board, [holding[part] for part in words[phrase]])))
            names = ", ".join(game.rules.variables[number].name for number in reversing)
            tried = ", ".join(f"{name}={value}" for name, value in game.params.items())
            return [note("G316", "the rules seem to have a symmetry that is not declared: "
                         f"{best}{f' (tried with {tried} only)' if tried else ''}", last,
                         help=f"add: symmetry {best}" + (f" reversing {names}" if names else "")
                              + (", if the game has it with all values of its params" if tried else ""))]
    return []


def _same(element: StateMap) -> tuple[object, ...]:
    """The key by which proposals compare symmetries: on a board of one row a mirror equals a half turn."""
    return element.cells.cells, element.swapping, element.reversing


def _plausible(trial: _Trial, phrase: str, reversing: tuple[int, ...]) -> StateMap | None:
    """The map of an elementary symmetry, if it preserves the start and no end and no sample position contradicts it.

    None for the identity, too.
    """
    game = trial.game
    try:
        element = state_map(game.rules, game.board, game.board.symmetry(phrase)[0], swapping=False, reversing=reversing)
    except BoardError:
        return None
    trivial = element.cells.cells == tuple(range(game.board.size)) and not reversing
    start = game.engine.start()
    if trivial or element.of_state(start) != start:
        return None
    if any(isinstance(item, hir.End) for item in suspects(game.rules, game.board, element)):
        return None
    fits = all(_culprit(trial, visit.state, element) is None for visit in _running(trial))
    return element if fits and not trial.out_of_time() else None
