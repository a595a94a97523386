"""Measures a game by random games, and by games between equal levels of play with an estimate of each position.

`measure(game, ...)` returns a `Profile`. Every game has its own seed, and levels are limited by nodes, so that the same
call gives the same measures on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import attrs

from dslgame.laboratory import GAMES, HIDING_LEVELS, LEVEL_GAMES, LEVELS, measures
from dslgame.laboratory.measures import Measure
from dslgame.laboratory.playouts import LONGEST, Playout, Trace, playouts
from interpreter.game import Game, Position
from interpreter.model.state import DRAW, PASS, SWAP, Move, State
from interpreter.model.state_maps import canonical
from interpreter.semantics.forced import Applied
from solver.players.matches import CONFIDENCE

PLIES = 20_000
"""The number of plies, over all random games, after which no further game is started."""
ESTIMATING = 400
"""The number of random games by which first moves are estimated, divided among the classes of first moves."""
EXAMPLES = 3
Told = Callable[[str], None]


@attrs.frozen
class Use:
    """How often a rule, a piece or an end came into play in random games."""

    what: str
    """`move`, `forced`, `end` or `piece`."""
    name: str
    count: int
    """The moves made by the rule, the times that it applied, the games that it ended, or the positions with the piece.
    """
    of: int
    """The total that `count` is out of: moves, moves, games or positions."""

    @property
    def unused(self) -> bool:
        """Whether it never came into play."""
        return not self.count

    @property
    def share(self) -> float:
        """`count` divided by `of`."""
        return self.count / self.of if self.of else 0.0

    @property
    def most(self) -> float:
        """Where it never came into play, the upper bound of its true share with 95% confidence (the rule of three)."""
        return min(1.0, 3 / self.of) if self.of else 1.0


@attrs.frozen(eq=False)
class Profile:
    """A game with its measures."""

    game: Game
    measures: tuple[Measure, ...]
    lengths: tuple[int, ...]
    """The lengths of the random games in plies."""
    course: tuple[float, ...]
    """The mean branching at each ply that at least a tenth of the random games reach; 1 where chance always moves."""
    cells: tuple[float, ...]
    """For each cell, the mean number of changes in a random game."""
    uses: tuple[Use, ...]
    openings: tuple[tuple[str, float], ...]
    """A first move of each class, and its mover's share of the points in random games after it."""
    traces: tuple[tuple[str, tuple[Trace, ...]], ...]
    """Each level with its games against itself."""
    examples: tuple[tuple[str, ...], ...]
    """Example games as lists of moves: of the last level, or random games where no level plays."""
    seed: int

    @property
    def dead(self) -> tuple[Use, ...]:
        """Rules, ends and pieces that never came into play."""
        return tuple(use for use in self.uses if use.unused)

    def value(self, name: str) -> float:
        """A measure's value. Raises KeyError where the game has no such measure."""
        return {item.name: item.value for item in self.measures}[name]

    def as_object(self) -> dict[str, object]:
        """The profile as plain values for JSON."""
        return {"game": self.game.title, "params": self.game.params, "seed": self.seed,
                "measures": [item.as_object() for item in self.measures],
                "uses": [{"what": use.what, "name": use.name, "count": use.count, "of": use.of} for use in self.uses],
                "course": [round(value, 4) for value in self.course],
                "cells": {name: round(value, 4) for name, value in zip(self.game.board.names, self.cells,
                                                                       strict=False)},
                "openings": [{"move": move, "share": round(value, 4)} for move, value in self.openings],
                "examples": [list(moves) for moves in self.examples]}


def usual_levels(game: Game) -> Sequence[str]:
    """The default levels that play a game."""
    return LEVELS if game.observer.sees_all else HIDING_LEVELS


def measure(game: Game, *, games: int = GAMES, plies: int = PLIES, levels: Sequence[str] | None = None,
            level_games: int = LEVEL_GAMES, seed: int = 0, complexity: bool = True, told: Told | None = None
            ) -> Profile:
    """Measure a game by `games` random games and, for each level, `level_games` games of the level against itself.

    A level is a text such as "mcts nodes=100" or "alphabeta plies=2"; each level also plays a match against the one
    before it. None means `usual_levels`. Raises ValueError for games that are not for two players, RuleError where a
    rule fails, NotLowered where levels play and the compiler cannot lower a rule.
    """
    if len(game.players) != 2:
        raise ValueError(f"measures are for games of two players, and {game.title} has {len(game.players)}")
    say = told or (lambda text: None)
    levels = usual_levels(game) if levels is None else levels
    say("random games")
    random_games = list(playouts(game, games, seed=seed, plies=plies))
    result = of_random_games(game, random_games)
    openings = _openings(game, seed)
    result += _of_openings(game, openings)
    traces: list[tuple[str, tuple[Trace, ...]]] = []
    if levels:
        from dslgame.laboratory.level_games import Laboratory

        laboratory = Laboratory(game, seed)
        for number, level in enumerate(levels):
            say(f"games of {level}")
            own = laboratory.by_itself(level, level_games)
            traces.append((level, own))
            result += _of_traces(level, own)
            if number:
                say(f"{level} against {levels[number - 1]}")
                match = laboratory.match(level, levels[number - 1], level_games)
                result.append(measures.share(f"skill:{level} against {levels[number - 1]}",
                                             sum(game.points for game in match.games), len(match.games)))
        if complexity:
            say("complexity")
            result += laboratory.complexity()
    examples = traces[-1][1][:EXAMPLES] if traces else ()
    shown = [trace.moves for trace in examples] or [_texts(game, item) for item in random_games[:EXAMPLES]]
    return Profile(game, tuple(result), tuple(item.length for item in random_games), _course(random_games),
                   tuple(total / len(random_games) for total in _changes(game, random_games)),
                   tuple(_uses(game, random_games)), openings, tuple(traces), tuple(shown), seed)


def _present(*result: Measure | None) -> list[Measure]:
    return [item for item in result if item is not None]


def _balance(name: str, first: Measure) -> Measure:
    """The balance between the sides, from the first player's share."""
    ends = [1 - 2 * abs(value - 0.5) for value in (first.low, first.high)]
    high = 1.0 if first.low <= 0.5 <= first.high else max(ends)
    return Measure(name, 1 - 2 * abs(first.value - 0.5), min(ends), high, 2 * first.error, first.count)


def of_random_games(game: Game, found: Sequence[Playout]) -> list[Measure]:
    """The measures of random games: balance, draws, length, branching, use of the board, cascades."""
    count = len(found)
    first = measures.share("first_share", sum(item.points[0] for item in found), count)
    board = 1 << game.board.size
    used = [(_touched(item) & (board - 1)).bit_count() / game.board.size for item in found]
    result = _present(
        first, _balance("balance", first),
        measures.share("draws", sum(item.outcome == DRAW for item in found), count),
        measures.share("unfinished", sum(item.outcome is None for item in found), count),
        measures.mean("length", [item.length for item in found]),
        measures.ratio("branching", [sum(item.offered) for item in found], [item.choices for item in found]))
    if not game.board.unbounded:
        result += _present(measures.mean("cells_used", used), _evenness(game, found) if any(used) else None)
    if game.rules.forced:
        cascades = [_cascades(game, item) for item in found]
        result += _present(
            measures.ratio("cascade", [sum(lengths) for lengths in cascades], [len(lengths) for lengths in cascades]),
            measures.exact("longest_cascade", max((max(lengths, default=0) for lengths in cascades), default=0)))
    return result


def _evenness(game: Game, result: Sequence[Playout]) -> Measure:
    """How evenly the board is used, with an error by the jackknife that leaves out a tenth of the games at a time."""
    value = measures.evenness(_changes(game, result))
    parts = min(10, len(result))
    without = [measures.evenness(_changes(game, [item for number, item in enumerate(result) if number % parts != part]))
               for part in range(parts)]
    middle = sum(without) / parts
    error = (sum((item - middle) ** 2 for item in without) * (parts - 1) / parts) ** 0.5
    reach = CONFIDENCE * error
    return Measure("evenness", value, value - reach, value + reach, error, len(result))


def _of_openings(game: Game, openings: Sequence[tuple[str, float]]) -> list[Measure]:
    start = game.start()
    if start.by_chance:
        return []
    first = len(start.legal())
    result = [measures.exact("first_moves", first), measures.exact("opening_classes", len(openings))]
    if openings:
        without, with_pie = measures.pie([value for _, value in openings])
        games = _each(len(openings))
        error = 0.5 / games**0.5
        result += [Measure(name, value, value - CONFIDENCE * error, value + CONFIDENCE * error, error,
                           games) for name, value in (("advantage", without), ("advantage_with_pie", with_pie))]
    return result


def _of_traces(level: str, traces: Sequence[Trace]) -> list[Measure]:
    count = len(traces)
    points = [0.5 if trace.winner is None or trace.winner == DRAW else float(trace.winner == 0) for trace in traces]
    first = measures.share(f"first_share:{level}", sum(points), count)
    return _present(
        first, _balance(f"balance:{level}", first),
        measures.share(f"draws:{level}", sum(trace.winner == DRAW for trace in traces), count),
        measures.mean(f"length:{level}", [len(trace.moves) for trace in traces]),
        *_of_estimates(level, [trace for trace in traces if trace.estimates]))


def _of_estimates(level: str, traces: Sequence[Trace]) -> list[Measure | None]:
    """The measures from estimates in games: when a game is decided, lead changes, drama, killer moves."""
    won = [trace for trace in traces if trace.winner is not None and trace.winner != DRAW]
    return [
        measures.mean(f"decided:{level}", [measures.decided_at(trace.of_winner()) for trace in won]),
        measures.mean(f"lead_changes:{level}", [measures.lead_changes(trace.estimates) for trace in traces]),
        measures.mean(f"drama:{level}", [measures.drama(trace.of_winner()) for trace in won]),
        measures.mean(f"killer_moves:{level}", [measures.killer_move(
            trace.of_winner(), [mover == trace.winner for mover in trace.movers]) for trace in won])]


# ---- what happened in games


def _texts(game: Game, item: Playout) -> tuple[str, ...]:
    return tuple(game.notation.write(state, move) for state, move in zip(item.states, item.moves, strict=False))


def _course(result: Sequence[Playout]) -> tuple[float, ...]:
    course = []
    for ply in range(max((item.length for item in result), default=0)):
        offered = [item.offered[ply] for item in result if item.length > ply]
        if 10 * len(offered) < len(result):
            break
        chosen = [count for count in offered if count]
        course.append(sum(chosen) / len(chosen) if chosen else 1.0)
    return tuple(course)


def _changed(before: State, after: State) -> int:
    """The bitset of the cells whose pieces differ."""
    result = 0
    for one, other in zip(before.pieces, after.pieces, strict=True):
        result |= one ^ other
    return result


def _touched(item: Playout) -> int:
    result = 0
    for before, after in zip(item.states, item.states[1:], strict=False):
        result |= _changed(before, after)
    return result


def _changes(game: Game, result: Sequence[Playout]) -> list[int]:
    """For each cell, how often its content changed."""
    if game.board.unbounded:
        return []
    counts = [0] * game.board.size
    for item in result:
        for before, after in zip(item.states, item.states[1:], strict=False):
            changed = _changed(before, after)
            while changed:
                lowest = changed & -changed
                counts[lowest.bit_length() - 1] += 1
                changed ^= lowest
    return counts


def _cascades(game: Game, item: Playout) -> list[int]:
    """For each move, the number of forced rules that applied after it."""
    return [len(applied) for applied in _applied(game, item)]


def _applied(game: Game, item: Playout) -> list[list[Applied]]:
    result = []
    for state, move in zip(item.states, item.moves, strict=False):
        applied: list[Applied] = []
        if move.rule >= 0:
            game.engine.watch(state, move, applied)
        result.append(applied)
    return result


def _uses(game: Game, result: Sequence[Playout]) -> list[Use]:
    """How often each rule, end and piece came into play."""
    rules = game.rules
    moves = sum(item.length for item in result)
    made = Counter(move.rule for item in result for move in item.moves)
    uses = [Use("move", rule.name, made[number], moves) for number, rule in enumerate(rules.moves) if not rule.is_step]
    if rules.passing is not None:
        uses.append(Use("move", "pass", made[PASS], moves))
    if rules.pies:
        uses.append(Use("move", "swap", made[SWAP], moves))
    if rules.forced:
        applied = Counter(each.rule.name for item in result for steps in _applied(game, item) for each in steps)
        uses += [Use("forced", rule.name, applied[rule.name], moves) for rule in rules.forced]
    ends = Counter(_end_of(game, item) for item in result)
    lines = game.rules.source.lines
    uses += [Use("end", " ".join(lines[end.span.line - 1].partition("#")[0].split()), ends[number], len(result))
             for number, end in enumerate(rules.ends)]
    positions = sum(len(item.states) for item in result)
    for number, name in enumerate(game.piece_names):
        if number:
            there = sum(bool(state.pieces[number]) for item in result for state in item.states)
            uses.append(Use("piece", name, there, positions))
    return uses


def _end_of(game: Game, item: Playout) -> int | None:
    """The number of the end that finished a game."""
    if item.outcome is None or len(item.states) < 2:
        return None
    table = game.engine.just_moved(item.states[-1]._replace(outcome=None), item.states[-2])
    result = game.engine.ends.deciding(table)
    return None if result is None else result[0]


# ---- first moves


def _openings(game: Game, seed: int) -> tuple[tuple[str, float], ...]:
    """A first move of each class up to symmetry, with its mover's share of the points in random games after it.

    () where chance moves first, or the game is over at its start.
    """
    start = game.start()
    if start.over or start.by_chance:
        return ()
    maps = game.fixing(start.state)
    plain = [element for element in maps if not element.swapping]
    classes: dict[State, Move] = {}
    for move in start.legal():
        after = game.engine.apply(start.state, move)
        assert after is not None  # the move is legal
        classes.setdefault(canonical(after, plain), move)
    games = _each(len(classes))
    return tuple((game.notation.write(start.state, move), _share(game, start.play(move), start.state.to_move, games,
                                                                 seed)) for move in classes.values())


def _each(classes: int) -> int:
    """The number of random games for each class of first moves."""
    return max(5, ESTIMATING // max(1, classes))


def _share(game: Game, position: Position, player: int, games: int, seed: int) -> float:
    if position.over:
        outcome = position.state.outcome
        return 0.5 if outcome is None or outcome == DRAW else float(outcome == player)
    result = list(playouts(game, games, seed=seed, start=position, longest=LONGEST, plies=PLIES // 4))
    return sum(item.points[player] for item in result) / len(result)
