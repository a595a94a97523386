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
from collections import deque
from collections.abc import Callable, Iterator
from math import inf

from dsl import hir
from dsl.diagnostics import Diagnostic, Label, error, has_errors, in_source_order, note, warning
from dsl.resolve.sorts import Integer
from dsl.syntax.source import NOWHERE, Span
from interpreter.analysis.leaks import leaks
from interpreter.analysis.symmetric_payoffs import broken_by_payoff, unlike_payoff
from interpreter.analysis.symmetry_proof import suspects
from interpreter.analysis.trial import MOST_WORK, Trial, Visit, deciding_rule, rule_name, rule_span
from interpreter.analysis.unreachable import unreachable
from interpreter.boards import BoardError
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import Move, State, WorkingState
from interpreter.model.state_maps import StateMap, group, state_map

MOST_STATES = 1500
"""The most positions visited breadth first; a game with fewer is explored completely."""
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
UNTIL_EXPLORED, UNTIL_PLAYED = 0.3, 0.6
"""The shares of the time limit, if any, after which the breadth-first search ends, and after which random games end.

Symmetries are checked next, and then, if time is left, further random games are played.
"""


_Successors = dict[State, tuple[Move, State]]
"""For each position the move that led to it and the position before."""


def _may_go_on(rules: hir.Rules) -> bool:
    """Whether play that comes back needs no further rule: a repetition rule ends it, or somebody who plays alone only
    takes longer."""
    return bool(rules.repetition) or len(rules.players) == 1


def try_out(game: Game, *, seed: int = 1, seconds: float | None = None,
            progress: Callable[[str], None] | None = None) -> list[Diagnostic]:
    """Play a game and return every problem found, in source order.

    Deterministic for a seed, unless it would take more than `seconds` of processor time: then it stops there, and one
    of the findings is a note that says what was not reached. `progress` is called now and then with a message.
    """
    trial = Trial(game, tell=progress, seconds=inf if seconds is None else seconds)
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


def _of_symmetries(trial: Trial) -> list[Diagnostic]:
    """Findings about declared symmetries, else proposals of undeclared ones; none where there are errors already."""
    if any(item.severity == "error" for item in trial.found.values()):
        return []
    return _broken_symmetries(trial) or _proposals(trial)


def _cut_short(trial: Trial) -> Diagnostic:
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
    trial = Trial(game)
    _explore(trial, EARLY)
    trial.complete = False
    _play(trial, random.Random(seed), games=games, plies=plies)
    return [item for item in trial.found.values() if item.code == "G307"] or _broken_symmetries(trial)


# ---- visiting positions


def _explore(trial: Trial, most: int = MOST_STATES) -> str | None:
    """Visit positions breadth first; the witness of a repetition, if all were visited and one can repeat, else None."""
    first = Visit(trial.game.engine.start(), None, None)
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
                visits[state] = Visit(state, visit, move)
                queue.append(visits[state])
    trial.complete = not queue and not trial.out_of_time()
    step = max(1, len(visits) // SAMPLES)
    trial.samples += _spread(list(visits.values()), step)
    if trial.complete:
        circle = _circle(after, first.state)
        return None if circle is None else trial.witness(visits[circle])
    return None


def _spread(visits: list[Visit], step: int) -> list[Visit]:
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


def _play(trial: Trial, chance: random.Random, games: int = 10_000, plies: int | None = None) -> str | None:
    """Play random games; the witness of a repetition where one occurred, else None."""
    circle = None
    longest = max(LONGEST_GAME, 2 * trial.game.board.size) if plies is None else plies
    for number in range(games):
        if (trial.complete or trial.work >= MOST_WORK or trial.out_of_time()
                or any(d.severity == "error" for d in trial.found.values())):
            break
        visit = Visit(trial.game.engine.start(), None, None)
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
            visit = Visit(state, visit, move)
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


def _never(trial: Trial) -> None:
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


def _broken_symmetries(trial: Trial) -> list[Diagnostic]:
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


def _running(trial: Trial, symmetry: hir.Symmetry | None = None) -> Iterator[Visit]:
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


def _breach(trial: Trial, symmetry: hir.Symmetry, element: StateMap) -> Diagnostic | None:
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


def _odd_payoff(trial: Trial, symmetry: hir.Symmetry, element: StateMap) -> Diagnostic | None:
    """The first finished position whose payoff differs from that of its image, as a diagnostic."""
    for visit in _running(trial, symmetry) if trial.game.payoffs.declared else ():
        for move, after in _successors(trial, visit.state):
            if after.outcome is not None and (player := unlike_payoff(trial.game, after, element)) is not None:
                return broken_by_payoff(trial.game, symmetry, player, trial.witness(visit, move))
    return None


def _odd_end(trial: Trial, symmetry: hir.Symmetry, element: StateMap) -> Diagnostic | None:
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


def _culprit(trial: Trial, state: State, element: StateMap) -> tuple[str, Span] | None:
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


def _successors(trial: Trial, state: State) -> list[tuple[Move, State]]:
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


def _proposals(trial: Trial) -> list[Diagnostic]:
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


def _plausible(trial: Trial, phrase: str, reversing: tuple[int, ...]) -> StateMap | None:
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
