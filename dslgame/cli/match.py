"""`dslgame match`, `dslgame tournament` and `dslgame replay`: games between programs, and their relative strength."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dslgame.cli.common import (
    Reals,
    doing,
    examples,
    file_argument,
    json_option,
    lines_of_file,
    load,
    param_option,
    split_moves,
    title,
)
from dslgame.cli.output import counted, elapsed, outcome_text, print_json, progress, remark, table
from dslgame.exit_codes import INTERRUPTED, UNKNOWN, WRONG
from dslgame.programs.specifications import GENERAL, KINDS
from solver.players.kinds import KINDS as LEVELS

if TYPE_CHECKING:
    from dslgame.programs.records import Log
    from dslgame.programs.standings import Row
    from dslgame.programs.tournament import Plan
    from interpreter.game import Game
    from interpreter.patterns.matching import Book

_Command = TypeVar("_Command", bound=Callable[..., object])
EVERY = 0.3
"""Seconds between two updates of the progress line."""
MOST_GAMES = 2_000
"""The most games of a sequential test without --games."""
MOST_ELO = 1_000
"""The largest difference in Elo points that a sequential test accepts as a bound."""

_KINDS = "\n".join(
    textwrap.fill(kind.meaning + (f": {', '.join(LEVELS)}" if kind.name == "level" else ""), 78,
                  initial_indent=f"  {kind.example:29}", subsequent_indent=" " * 31)
    for kind in KINDS.values())
PLAYERS = f"""\
A PLAYER is one of
{_KINDS}
each optionally with a name before it, as in old=lines ./engine."""

_JSON = """\
JSON: {"game", "params", "players" (each "name", "player", "games", "wins",
"draws", "losses", "points", "score", "low", "high", "elo", "elo_error",
"forfeits", "seconds_per_move", "processor_per_move", which is null if it cannot
be measured), "pairs" (each "players", "wins", "draws", "losses"), "forfeits"
(each "number", "player", "end", "reason"), "played", "planned", "log",
"seconds", "sprt" (null, or "low", "high", "verdict", "ratio", "bound",
"pairs")}"""


def match_options(command: _Command) -> _Command:
    """Add the options that matches and tournaments share."""
    for option in reversed([
        click.option("--games", type=click.IntRange(1), default=None, metavar="N",
                     help="Number of games of each pair; default: 20, or each opening twice."),
        click.option("--openings", "openings_file", metavar="FILE", type=click.Path(),
                     help="Begin with the moves of this file, one opening per line; each is played twice with sides "
                          "changed."),
        click.option("--random-plies", type=click.IntRange(1, 1_000), default=None, metavar="N",
                     help="Begin with N random moves, the same for both games with sides changed."),
        click.option("--balanced", is_flag=True,
                     help="With --random-plies: skip openings in which a search sees a winner, and take those in "
                          "which it sees neither player ahead."),
        click.option("--move-time", type=Reals(0, min_open=True), default=60.0, show_default=True,
                     metavar="SECONDS", help="Time for each move; a player who exceeds it forfeits the game."),
        click.option("--game-time", type=Reals(0, min_open=True), default=None, metavar="SECONDS",
                     help="Time for all moves of a player in a game."),
        click.option("--plies", "longest", type=click.IntRange(1), default=1_000, show_default=True, metavar="N",
                     help="A game is drawn after N moves."),
        click.option("--seed", type=int, default=0, show_default=True, metavar="N",
                     help="Seed of random moves and openings."),
        click.option("--threads", type=click.IntRange(1, 256), default=None, metavar="N",
                     help="Number of games played at once; default: the number of processors, fewer if levels search "
                          "with several threads."),
        click.option("--log", "log_file", metavar="FILE.jsonl", type=click.Path(),
                     help="Save every game in this file; if it exists, continue from it."),
        json_option,
    ]):
        command = option(command)
    return command


@click.command(short_help="Play two programs against each other.", epilog=examples(
    'dslgame match tic_tac_toe "alphabeta plies=3" random --games 10',
    'dslgame match hex -p size=7 "mcts nodes=500" "alphabeta plies=2" --random-plies 2 --log hex.jsonl',
    'dslgame match nex "alphabeta plies=2" "tcp 21299" --games 100',
    "dslgame match connect_four mine.py 'gtp ./engine --quiet' --move-time 2",
    'dslgame match reversi "new=mine.py" "old=alphabeta plies=3" --random-plies 4 --sprt 0 20',
    further=PLAYERS + "\n\n" + _JSON, codes=True,
))
@file_argument
@click.argument("players", metavar="PLAYER PLAYER", nargs=-1, required=True)
@param_option
@match_options
@click.option("--sprt", type=(float, float), default=None, metavar="LOW HIGH",
              help="Play until it is shown whether the first player is HIGH Elo points better than the second, or "
                   "only LOW, with an error of 5% each; --games is then the maximum.")
def match(file: str, players: tuple[str, ...], params: Mapping[str, int], sprt: tuple[float, float] | None,
          **options: Any) -> None:
    """Let two players play each other, and report who is better.

    They take turns at moving first. In a game for more than two players, one has a side, or a team, and the other has
    all other sides, in turn for every side. Illegal moves, exceeded time limits, crashes and silence lose a game; the
    match goes on, and the reason is reported. With --log you can interrupt it at any time: the same command continues
    from there.
    """
    if len(players) != 2:
        raise click.UsageError(f"a match is between two players, and {counted(len(players), 'player')} "
                               f"{'is' if len(players) == 1 else 'are'} given: `dslgame tournament` is for more; in a "
                               "game for more than two, two programs share the sides")
    if sprt is not None and not -MOST_ELO <= sprt[0] < sprt[1] <= MOST_ELO:
        raise click.BadParameter(f"expected two different numbers of Elo points, from -{MOST_ELO} to {MOST_ELO}, the "
                                 f"lower first, found {sprt[0]:g} {sprt[1]:g}", param_hint="'--sprt'")
    _play(file, players, params, gauntlet=False, sprt=sprt, **options)


@click.command(short_help="Play several programs against each other.", epilog=examples(
    'dslgame tournament connect_four random "mcts nodes=100" "alphabeta plies=2" "alphabeta plies=4" --games 10',
    "dslgame tournament my.game new.py old.py random --gauntlet --log my.jsonl",
    further=PLAYERS + "\n\n" + _JSON, codes=True,
))
@file_argument
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@param_option
@match_options
@click.option("--gauntlet", is_flag=True, help="The first player plays each of the others; these do not play each "
                                               "other.")
def tournament(file: str, players: tuple[str, ...], params: Mapping[str, int], gauntlet: bool, **options: Any) -> None:
    """Let every player play every other, and print the cross table.

    Scores and Elo ratings come with their 95% confidence intervals. Everything else is as in `dslgame match`.
    """
    if len(players) < 2:
        raise click.UsageError("a tournament needs two players or more")
    _play(file, players, params, gauntlet=gauntlet, **options)


def _play(file: str, players: Sequence[str], params: Mapping[str, int], *, gauntlet: bool, games: int | None,
          openings_file: str | None, random_plies: int | None, balanced: bool, move_time: float,
          game_time: float | None, longest: int, seed: int, threads: int | None, log_file: str | None, as_json: bool,
          sprt: tuple[float, float] | None = None) -> None:
    from dslgame.cli.memory import cores
    from dslgame.programs.records import BadLog, Log
    from dslgame.programs.sequential import SequentialTest
    from dslgame.programs.specifications import BadSpecification, read_all
    from dslgame.programs.tournament import Plan, run
    from dslgame.programs.workers import WorkerEnded
    from interpreter.compiler.lowering.errors import NotLowered

    if openings_file is not None and random_plies is not None:
        raise click.UsageError("--openings and --random-plies exclude each other: give one of them")
    if balanced and random_plies is None:
        raise click.UsageError("--balanced chooses among random openings: give --random-plies as well")
    game = load(file, params)
    if len(game.players) < 2:
        raise click.ClickException(f"a match needs a game for two players or more; {game.title} has "
                                   f"{len(game.players)}")
    try:
        specs = read_all(tuple(players))
    except BadSpecification as problem:
        raise click.BadParameter(str(problem), param_hint="'PLAYER'") from None
    if len(game.players) > 2:
        for spec in specs:
            if not spec.kind.general:
                raise click.UsageError(f"'{spec.text}' speaks a protocol for two players, and {game.title} has "
                                       f"{len(game.players)}: give {GENERAL}")
    if not game.observer.sees_all:
        for spec in specs:
            if not spec.kind.general:
                raise click.ClickException(f"{game.unseen}, and '{spec.text}' would be told every move: give {GENERAL}")
    openings, rounds = _openings(game, openings_file, random_plies, games or (MOST_GAMES if sprt else None), seed,
                                  balanced=balanced)
    _check_starts([spec.text for spec in specs if not spec.kind.openings], openings)
    plan = Plan(game, tuple(specs), rounds, openings, move_time, game_time, seed, longest, gauntlet,
                SequentialTest(*sprt) if sprt else None)
    start = time.monotonic()
    try:
        log = Log(None if log_file is None else Path(log_file), plan.head())
    except BadLog as problem:
        raise click.ClickException(str(problem)) from None
    if log.note:
        remark(log.note)
    planned, before = len(plan.pairings()), len(log.games)
    what = f"playing {title(game)}"
    try:
        with doing(what), progress(what, quiet=as_json) as tell:
            if tell is not None:
                tell("making the players ready")
            show = _Told(plan, log, tell, planned, before, start)
            searching = max(one.threads + other.threads_ahead for one, other in permutations(specs, 2))
            whole = run(plan, log, workers=threads or max(1, cores() // searching), told=show.game,
                        waiting=lambda spec, port: remark(f"{spec.name}: to be connected to {spec.host}:{port}"))
    except (BadLog, WorkerEnded) as problem:
        raise click.ClickException(str(problem)) from None
    except NotLowered:
        raise
    except ValueError as problem:
        raise click.ClickException(str(problem)) from None
    finally:
        log.close()
    seconds = time.monotonic() - start
    if as_json:
        print_json(_object(plan, log, planned, log_file, seconds))
    else:
        _print(plan, log, planned, len(log.games) - before, log_file, seconds)
    if not whole:
        raise SystemExit(INTERRUPTED)
    if plan.test is not None and not plan.decided(log):
        raise SystemExit(UNKNOWN)


def _openings(game: Game, file: str | None, plies: int | None, games: int | None,
              seed: int, *, balanced: bool = False) -> tuple[list[tuple[str, ...]], int]:
    """The openings, and the number of games that each pair plays."""
    from dslgame.programs.tournament import seatings

    if file is not None:
        result = read_openings(game, file)
        return result, games or seatings(game) * len(result)
    if plies is not None:
        from dslgame import bundled
        from solver.players.matches import balanced_openings, random_openings

        if balanced and (game.rules.has_chance or len(game.players) != 2):
            raise click.UsageError("--balanced needs a game for two players without chance, where a search tells who "
                                   "is ahead: leave it out")
        rounds, each = games or 20, seatings(game)
        count = (rounds + each - 1) // each
        result = (balanced_openings(game, count, plies, seed, hooks=bundled.hooks_of(game), patterns=_patterns(game))
                  if balanced else random_openings(game, count, plies, seed))
        if balanced and not result:
            raise click.ClickException(f"a search sees a winner after each opening of {counted(plies, 'random move')}: "
                                       "give fewer with --random-plies, or leave out --balanced")
        if not result:
            raise click.ClickException(f"no game goes on after {counted(plies, 'random move')}: give fewer with "
                                       "--random-plies")
        return result, rounds
    return [()], games or 20


def _patterns(game: Game) -> Book | None:
    """The patterns that come with a game; None where there are none, or they have errors for these rules."""
    from dsl.diagnostics import GameFileError
    from dslgame import bundled
    from interpreter.patterns.matching import Book

    source = bundled.patterns_of(game)
    try:
        return None if source is None else Book.of(source, game)
    except GameFileError:
        return None


def read_openings(game: Game, file: str) -> list[tuple[str, ...]]:
    """Read the openings of a file, a line of moves each; empty lines and lines that begin with # are skipped."""
    from interpreter.errors import IllegalMove

    result: list[tuple[str, ...]] = []
    for number, line in enumerate(lines_of_file(file), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        position = game.start()
        for move in split_moves(line):
            try:
                position = position.play(move)
            except IllegalMove as problem:
                raise click.ClickException(f"{file}, line {number}: illegal move '{move}': {problem.reason}") from None
        if position.over:
            raise click.ClickException(f"{file}, line {number}: the game is over after these moves")
        result.append(position.played)
    if not result:
        raise click.ClickException(f"{file} has no opening: expected a line of moves for each")
    return result


def _check_starts(players: Sequence[str], openings: Sequence[tuple[str, ...]]) -> None:
    if players and any(openings):
        raise click.UsageError(f"'{players[0]}' speaks a protocol without openings: games begin at their start")


class _Told:
    """Reports the progress of a match: forfeits and notes on lines of their own, the standing on a progress line."""

    def __init__(self, plan: Plan, log: Log, tell: Callable[[str], None] | None, planned: int, before: int,
                 start: float) -> None:
        self.plan, self.log, self.tell, self.planned, self.before, self.start = plan, log, tell, planned, before, start
        self.said = 0.0
        self.noted: set[str] = set()

    def game(self, record: Mapping[str, Any]) -> None:
        """Report a game that ended."""
        if record["end"] not in ("rules", "length", "resignation"):
            remark(f"game {record['number'] + 1}: {record['reason']}")
        for note in record["notes"]:
            if note not in self.noted:  # each worker process reports a note once
                self.noted.add(note)
                remark(f"game {record['number'] + 1}: {note}")
        now = time.monotonic()
        if self.tell is not None and (now - self.said > EVERY or len(self.log.games) == self.planned):
            self.said = now
            done = len(self.log.games)
            rate = (done - self.before) / max(0.001, now - self.start)
            left = f", {elapsed((self.planned - done) / rate)} left" if rate and done < self.planned else ""
            self.tell(f"{done} of {counted(self.planned, 'game')}, {rate:.2f} a second{left}; {self._leader()}")

    def _leader(self) -> str:
        from dslgame.programs.standings import table as ranked

        rows, _ = ranked([player.name for player in self.plan.players], self.log.games)
        leader = f"{rows[0].name} leads with {rows[0].score:.0%}"
        if self.plan.test is None:
            return leader
        state = self.plan.test.state(self.plan.players[0].name, self.log.games)
        return f"{leader}, log-likelihood ratio {state.ratio:+.2f} of ±{self.plan.test.bound:.2f}"


def _print(plan: Plan, log: Log, planned: int, new: int, log_file: str | None, seconds: float) -> None:
    from dslgame.programs.standings import difference
    from dslgame.programs.standings import table as ranked

    names = [player.name for player in plan.players]
    rows, pairs = ranked(names, log.games)
    click.echo(title(plan.game))
    if not log.games:
        click.echo("no game was played")
        return
    click.echo(_cross_table(rows, pairs))
    forfeits = sum(bool(record["forfeits"]) for record in log.games)
    unfinished = "" if len(log.games) >= planned else f" of {planned:,}"
    click.echo(f"{len(log.games):,}{unfinished} game{'s' * (len(log.games) != 1 or bool(unfinished))}"
               + (f", {counted(forfeits, 'forfeit')}" if forfeits else "")
               + f" in {elapsed(seconds)}" + (f", {new:,} of them now" if new != len(log.games) else ""))
    by_side = {str(side): sum(record["outcome"] == side for record in log.games)
               for side in map(plan.game.outcome_name, plan.game.sides)}
    draws = len(log.games) - sum(by_side.values())
    click.echo(", ".join([f"{side} won {won:,}" for side, won in by_side.items()] + [f"{draws:,} drawn"] * bool(draws)))
    if len(names) == 2:
        elo, error = difference(rows)
        click.echo(f"{rows[0].name} is {elo:.0f} ± {error:.0f} Elo points better" if rows[0].score > 0.5 else
                   f"no difference was found: {elo:.0f} ± {error:.0f} Elo points")
    if plan.test is not None:
        click.echo(_verdict(plan, log))
    if log_file is not None:
        click.echo(f"kept in {log_file}")
        if len(log.games) < planned and not plan.decided(log):
            click.echo("the same command goes on from there")


def _verdict(plan: Plan, log: Log) -> str:
    """The verdict of the sequential test as a sentence."""
    test = plan.test
    assert test is not None
    name = plan.players[0].name
    state = test.state(name, log.games)
    ratio = f"log-likelihood ratio {state.ratio:+.2f} of ±{test.bound:.2f}"
    if state.verdict == "open":
        return f"not decided whether {name} is {test.high:g} Elo points better, or {test.low:g}: {ratio}"
    likely, other = (test.high, test.low) if state.verdict == "accepted" else (test.low, test.high)
    return f"{state.verdict}: that {name} is {likely:g} Elo points better is likelier than {other:g}: {ratio}"


def _test_object(plan: Plan, log: Log) -> dict[str, object] | None:
    test = plan.test
    if test is None:
        return None
    state = test.state(plan.players[0].name, log.games)
    return {"low": test.low, "high": test.high, "verdict": state.verdict, "ratio": state.ratio, "bound": test.bound,
            "pairs": list(state.counts)}


def _cross_table(rows: Sequence[Row], pairs: Mapping[tuple[str, str], Row]) -> str:
    """The cross table: each player's results against each other player, score, rating and time for a move."""
    count = len(rows) > 2
    forfeits = any(row.forfeits for row in rows)
    measured = any(row.processor_pace is not None for row in rows)
    head = ["", "player", *([str(number) for number in range(1, len(rows) + 1)] if count else []),
            "won-drawn-lost", "score", "95%", *(["Elo"] if count else []), *(["forfeits"] if forfeits else []),
            "a move (processor)" if measured else "a move"]
    lines = [head]
    for number, row in enumerate(rows, start=1):
        low, high = row.interval
        against = [_result(pairs.get((row.name, other.name))) for other in rows] if count else []
        lines.append([str(number), row.name, *against, f"{row.wins}-{row.draws}-{row.losses}", f"{row.score:.1%}",
                      f"{low:.0%}..{high:.0%}", *([f"{row.elo:+.0f} ± {row.error:.0f}"] if count else []),
                      *([str(row.forfeits)] if forfeits else []),
                      _pace(row.pace) + (f" ({_pace(row.processor_pace)})" if measured else "")])
    return table(lines, right=[True, False, *[True] * (len(head) - 3), False])


def _pace(seconds: float | None) -> str:
    """A time in seconds or milliseconds; `?` where it is not known."""
    if seconds is None:
        return "?"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def _result(row: Row | None) -> str:
    """The points and the games against one opponent, as `points/games`."""
    return "·" if row is None or not row.games else f"{row.points:g}/{row.games}"


def _object(plan: Plan, log: Log, planned: int, log_file: str | None, seconds: float) -> dict[str, object]:
    from dslgame.programs.standings import table as ranked

    names = [player.name for player in plan.players]
    rows, pairs = ranked(names, log.games)
    texts = {player.name: player.text for player in plan.players}
    return {
        "game": plan.game.title, "params": plan.game.params,
        "players": [{
            "name": row.name, "player": texts[row.name], "games": row.games, "wins": row.wins, "draws": row.draws,
            "losses": row.losses, "points": row.points, "score": row.score, "low": row.interval[0],
            "high": row.interval[1], "elo": row.elo, "elo_error": row.error, "forfeits": row.forfeits,
            "seconds_per_move": row.pace, "processor_per_move": row.processor_pace,
        } for row in rows],
        "pairs": [{"players": [one, other], "wins": row.wins, "draws": row.draws, "losses": row.losses}
                  for (one, other), row in pairs.items() if names.index(one) < names.index(other) and row.games],
        "forfeits": [{"number": record["number"], "player": name, "end": record["end"], "reason": record["reason"]}
                     for record in log.games for name in record["forfeits"]],
        "played": len(log.games), "planned": planned, "log": log_file, "seconds": seconds,
        "sprt": _test_object(plan, log),
    }


# ---- replaying


@click.command(short_help="Replay the games of a match.", epilog=examples(
    "dslgame replay hex.jsonl",
    "dslgame replay hex.jsonl --game 3",
    further='JSON: {"game", "params", "games" (as the log has them), "failed"}; with --game also "positions".',
    codes=True,
))
@click.argument("log_file", metavar="LOG", type=click.Path())
@click.option("--game", "number", type=click.IntRange(1), default=None, metavar="N",
              help="Show this game, position by position; the first is 1.")
@json_option
def replay(log_file: str, number: int | None, as_json: bool) -> None:
    """Replay the games of a match from its log, and check them: every move must be legal, and every end as recorded.

    The log contains the rules that were used; the game's file is not needed.
    """
    from dsl.syntax.source import Source
    from dslgame.programs.records import BadLog, read
    from interpreter.game import Game as Loaded

    try:
        log = read(Path(log_file))
    except BadLog as problem:
        raise click.ClickException(str(problem)) from None
    game = Loaded.of(Source(str(log.head.get("file", log_file)), log.head["rules"]), log.head["params"])
    games = sorted(log.games, key=lambda record: int(record["number"]))
    if number is not None:
        games = [record for record in games if record["number"] == number - 1]
        if not games:
            raise click.ClickException(f"{log_file} has no game {number}")
    failed = 0
    positions: list[str] = []
    if not as_json:
        click.echo(title(game))
    for record in games:
        problem_text, boards = _replayed(game, record)
        failed += bool(problem_text)
        positions = [text for text, _, _ in boards]
        if as_json:
            continue
        click.echo(_game_line(record) + (f"\n  WRONG: {problem_text}" if problem_text else ""))
        if number is not None:
            for _, move, board in boards:
                click.echo(f"\n{move}\n{board}")
            click.echo(f"\nmoves: {' '.join(record['moves'])}")
    if as_json:
        print_json({"game": game.title, "params": game.params, "games": games, "failed": failed,
                    **({"positions": positions} if number is not None else {})})
    elif number is None:
        click.echo(f"{counted(len(games), 'game')} played again, " +
                   (f"{failed} not as told" if failed else "all as told"))
    if failed:
        raise SystemExit(WRONG)


def _replayed(game: Game, record: Mapping[str, Any]) -> tuple[str, list[tuple[str, str, str]]]:
    """Replay a game of a log: what is wrong with it, or '', and its positions as (text, move that led to it, board)."""
    from interpreter.errors import IllegalMove

    if tuple(record["players"]) != tuple(game.players):
        return f"it is between {', '.join(record['players'])}, the game between {', '.join(game.players)}", []
    position = game.start()
    result = [(position.text, "start", position.drawing())]
    for move in record["moves"]:
        mover = position.to_move
        try:
            position = position.play(move)
        except IllegalMove as problem:
            return f"illegal move {move!r} in ply {len(position.played) + 1}: {problem.reason}", result
        result.append((position.text, f"{len(position.played)}. {mover} played {move}", position.drawing()))
    winner = record["winner"]
    won = {record["players"][player] for player, side in zip(game.players, game.sides, strict=True)
           if game.outcome_name(side) == record["outcome"]}
    if (winner not in won) if won else winner is not None:
        return f"the log says that {winner or 'nobody'} won, and that the result is {record['outcome']}", result
    if record["end"] == "rules" and position.outcome != record["outcome"]:
        return f"the rules say {position.outcome or 'that the game goes on'}, the log {record['outcome']}", result
    return "", result


def _game_line(record: Mapping[str, Any]) -> str:
    players = ", ".join(f"{side}: {name}" for side, name in record["players"].items())
    return (f"game {record['number'] + 1}  {players}  {outcome_text(record['outcome'])} after "
            f"{counted(len(record['moves']), 'ply').replace('plys', 'plies')}"
            + (f"  ({record['reason']})" if record["reason"] else ""))
