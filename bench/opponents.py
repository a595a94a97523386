"""Playing strength of our levels: trained against untrained, and against OpenSpiel's MCTS with more time.

    python -m bench.opponents trained [NAME ...] [--games N] [--level LEVEL] [--folder FOLDER]
    python -m bench.opponents openspiel [NAME ...] [--games N] [--level LEVEL] [--times N] [--folder FOLDER]
    python -m bench.opponents won [NAME] [--games N] [--level LEVEL] [--times N] [--random-plies N]

`trained` plays a level with a trained value, as `dslgame train` makes them, against the same level without. `openspiel`
plays it against OpenSpiel's Monte-Carlo tree search (random playouts, solving of proven positions, its default
exploration), which has `--times` as much time per move. Times are processor time; the number of playouts of OpenSpiel's
search is chosen to fit its time, by the rate of its previous moves. Each opening of random moves is played from both
sides; openings after which a search of a few plies sees a winner are left out. `--folder` keeps the trained values.

`won` draws random positions that the exact solver says the player to move wins (of Connect Four by default). The level
plays that side against the same level with `--times` as much time.

With `--untrained` the level uses the game's own value against OpenSpiel, for games where that is the better one.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

import dslgame
from bench.command import title_of
from bench.measure import markdown, table
from dslgame import bundled
from interpreter.game import Game, Position
from solver.entries import Entries
from solver.game_space import solve_game
from solver.learning.train import Training
from solver.players.choice import Player
from solver.players.levels import Level
from solver.players.matches import LONGEST, Match, Played, balanced_openings, random_openings

EXPLORING = 2.0
"""The UCT constant that OpenSpiel's examples use."""
FIRST_GAMES = 100
"""Playouts of the first search, which measures the rate."""
LEAST_SHARE, MOST_GAMES = 0.5, 1 << 22
Chooser = Callable[[Position], str]


@attrs.frozen
class Case:
    """A game with its params, and how its value is trained."""

    name: str
    params: Mapping[str, int] = attrs.field(factory=dict)
    games: int = 20_000
    """Games of self-play to train on."""
    tuples: int = 0
    """The number of cell patterns along random paths that are learned in addition to lines and blocks."""

    @property
    def title(self) -> str:
        """The name with the params."""
        return title_of(self.name, self.params)


CASES = (
    Case("breakthrough", games=30_000), Case("reversi", games=40_000), Case("english_draughts", games=60_000),
    Case("amazons", games=3_000), Case("nex", {"rows": 5, "columns": 5}, games=30_000),
    Case("connect_four", games=600_000, tuples=70), Case("clobber", games=150_000), Case("ataxx", games=15_000),
    Case("knightthrough", games=300_000), Case("lines_of_action", games=4_000), Case("kalah", games=30_000),
    Case("dots_and_boxes", games=30_000), Case("nine_mens_morris", games=30_000), Case("gomoku", games=10_000),
    Case("pentago", games=20_000), Case("hex", {"size": 7}, games=30_000),
    Case("hexplode", {"side": 4}, games=30_000),
)


def learned(case: Case, game: Game, folder: Path) -> tuple[Path, float]:
    """Train a game's value unless its file exists; return the file, and the processor seconds that training took."""
    path = folder / f"{case.title.replace(' ', '-').replace('=', '')}.trained"
    if path.exists():
        return path, 0.0
    started = time.process_time()
    training = Training(Entries.of(game, bundled.hooks_of(game)), tuples=case.tuples)
    training.play(case.games)
    path.write_bytes(training.result().to_bytes())
    return path, time.process_time() - started


# ---- who plays


@attrs.define
class Ours:
    """Plays one of our levels."""

    player: Player
    spent: float = 0.0
    """Processor seconds spent on moves so far."""

    @classmethod
    def of(cls, game: Game, level: str) -> Ours:
        """Make the player and let it choose a move, so that everything is compiled."""
        player = bundled.player(game, Level.of(level), seed=1)
        player.choose(game.start())
        return cls(player)

    def begin(self) -> None:
        """Begin a new game; there is nothing to reset."""

    def choose(self, position: Position) -> str:
        """Choose a move, and add the time to `spent`."""
        started = time.process_time()
        choice = self.player.choose(position)
        self.spent += time.process_time() - started
        return choice.text

    def over(self) -> float | None:
        """None: our player has no end of game besides the position's."""
        return None


class OpenSpielSearch:
    """Plays by OpenSpiel's search, on OpenSpiel's own state of the game."""

    def __init__(self, case: Case, seconds: float) -> None:
        """Give the search a number of processor seconds per move.

        Raises ImportError where OpenSpiel is not installed, LookupError where it does not have the game.
        """
        importlib.import_module("pyspiel")
        try:
            adapter: Any = importlib.import_module(f"tests.openspiel.{case.name}")
            self.rules: Any = adapter.OpenSpiel(**case.params)
        except (ImportError, ValueError, AttributeError):
            raise LookupError(f"OpenSpiel has no {case.title}") from None
        self.seconds, self.rate, self.seed = seconds, 0.0, 0
        self.spent = 0.0
        """Processor seconds of searches so far, without the translation of moves."""

    def begin(self) -> None:
        """Begin a new game."""
        self.state, self.known = self.rules.start(), 0

    def _follow(self, position: Position) -> None:
        for move in position.played[self.known:]:
            self.state = self.rules.after(self.state, move)
        self.known = len(position.played)

    def choose(self, position: Position) -> str:
        """Choose a move; the searches of all its actions share the time of one move."""
        self._follow(position)
        spiel = self.state.spiel.clone()
        mover, left = spiel.current_player(), self.seconds
        while not spiel.is_terminal() and spiel.current_player() == mover and left > 0.05 * self.seconds:
            action, used = self._searched(spiel, left * (1.0 if self._single else LEAST_SHARE))
            left -= used
            spiel.apply_action(action)
            if self._single and (text := self._text(spiel, whole=True)) is not None:
                return text  # a player who moves again makes a separate move of ours each time
        text = self._text(spiel, whole=False)
        if text is None:
            raise AssertionError(f"no move of ours leads where OpenSpiel goes: {spiel}")
        return text

    @property
    def _single(self) -> bool:
        return not hasattr(self.rules, "action_of")

    def _searched(self, spiel: Any, seconds: float) -> tuple[int, float]:
        """Search for an action; return it, and the seconds that the search took."""
        import pyspiel

        self.seed += 1
        actions = spiel.legal_actions()
        if len(actions) == 1:
            return actions[0], 0.0
        games = int(min(MOST_GAMES, max(2, self.rate * seconds))) if self.rate else FIRST_GAMES
        bot = pyspiel.MCTSBot(self.rules.game, pyspiel.RandomRolloutEvaluator(1, self.seed), EXPLORING, games, 1000,
                              True, self.seed, False, pyspiel.ChildSelectionPolicy.UCT)
        started = time.process_time()
        action = bot.step(spiel)
        used = time.process_time() - started
        self.spent += used
        rate = games / max(used, 1e-6)  # too high when a proof ends the search early, so its growth is limited below
        rate = min(rate, 1.5 * self.rate) if self.rate else rate
        self.rate = (self.rate + rate) / 2 if self.rate else rate
        return action, used

    def _text(self, spiel: Any, *, whole: bool) -> str | None:
        """Find our move to a state of OpenSpiel's, or, unless `whole`, also one past it; None if there is none."""
        actions = spiel.history()
        options = self.rules.options(self.state)
        if not self._single:  # first try moves that name all the actions: making the states of 2,000 takes seconds
            names = [self.rules.text_of(action, self.state) for action in actions[len(self.state.spiel.history()):]]
            options = sorted(options, key=lambda move: not all(name in str(move) for name in names))
        for move in options:
            after = self.rules.after(self.state, move).spiel.history()
            if after[:len(actions)] == actions and (not whole or len(after) == len(actions)):
                return str(move)
        return None

    def over(self) -> float | None:
        """Half a point where OpenSpiel has ended the game, as it may by a draw rule of its own; else None."""
        return 0.5 if self.state.spiel.is_terminal() else None


def played(game: Game, players: Sequence[Any], opening: Sequence[str], *, first: bool) -> tuple[Played, int]:
    """Play a game after an opening, and count the moves of `players[0]`, who has the first side if `first`."""
    position = game.start()
    for move in opening:
        position = position.play(move)
    moves = 0
    for player in players:
        player.begin()
    before = [player.spent for player in players]
    half = False
    while not position.over and len(position.played) < LONGEST:
        number = position.state.to_move if first else 1 - position.state.to_move
        moves += number == 0
        position = position.play(players[number].choose(position))
        if not position.over and any(player.over() is not None for player in players if number == 1):
            half = True
            break
    outcome = position.state.outcome
    points = 0.5 if half or outcome is None or outcome < 0 else float((outcome == 0) == first)
    seconds = players[0].spent - before[0], players[1].spent - before[1]
    return Played(tuple(opening), position.played, first, points, seconds), moves


def match(game: Game, players: Sequence[Any], games: int, plies: int, seed: int) -> tuple[Match, tuple[float, ...]]:
    """Play a number of games; return them, and the processor seconds that each player used per move."""
    many = (games + 1) // 2
    openings = (balanced_openings(game, many, plies, seed, hooks=bundled.hooks_of(game))
                or random_openings(game, many, plies, seed))
    found, moves = [], 0
    for number in range(games):
        one, made = played(game, players, openings[number // 2 % len(openings)], first=number % 2 == 0)
        found.append(one)
        moves += made
        if sys.stderr.isatty():
            print(Match(tuple(found)).text, end="\033[K\r", file=sys.stderr, flush=True)
    return Match(tuple(found)), tuple(sum(one.seconds[side] for one in found) / max(1, moves) for side in (0, 1))


# ---- the program


def against(case: Case, options: argparse.Namespace, folder: Path) -> tuple[str, ...] | None:
    """Play a match and return the row of its game; None where the opponent does not have the game."""
    game = dslgame.load(case.name, **case.params)
    level = Level.of(options.level)
    try:
        other: Any = (Ours.of(game, f"{options.level} trained=none") if options.what == "trained" else
                      OpenSpielSearch(case, options.times * (level.cpu or level.seconds or 1.0)))
    except (ImportError, LookupError) as problem:
        print(f"{case.title}: {problem}", file=sys.stderr)
        return None
    path, seconds = (None, 0.0) if options.untrained else learned(case, game, folder)
    ours = Ours.of(game, f"{options.level} trained={path or 'none'}")
    found, paces = match(game, (ours, other), options.games, options.random_plies, options.seed)
    low, high = found.interval
    return (case.title, f"{case.games:,} games" + (f", {seconds:.0f} s" if seconds else "") if path else "nothing",
            f"{found.wins}-{found.draws}-{found.losses}", f"{found.score:.0%} ({low:.0%}..{high:.0%})",
            f"{paces[0] * 1000:.1f} ms", f"{paces[1] * 1000:.1f} ms")


MOST_SEEDS = 50
"""The most seeds of ten openings each among which no position is won for the player to move."""


def kept(case: Case, options: argparse.Namespace) -> tuple[str, ...]:
    """Play out won positions and return the row of their game: how many were won, drawn and lost."""
    game = dslgame.load(case.name, **case.params)
    level = Level.of(options.level)
    if level.cpu is None:
        raise SystemExit(f"won compares equal processor time: expected a level with cpu=N, found '{options.level}'")
    ours = Ours.of(game, f"{options.level} trained=none")
    other = Ours.of(game, f"{attrs.evolve(level, cpu=options.times * level.cpu)} trained=none")
    found: list[Played] = []
    moves, seed = 0, options.seed
    while len(found) < options.games:
        if not found and seed - options.seed == MOST_SEEDS:
            raise SystemExit(f"{case.title}: after {options.random_plies} random moves hardly any position is won for "
                             "the player to move: give other --random-plies")
        for opening in random_openings(game, 10, options.random_plies, seed):
            position = game.start()
            for move in opening:
                position = position.play(move)
            if len(found) == options.games or solve_game(
                    game, position.state, value_only=True).winner != position.state.to_move:
                continue
            one, made = played(game, (ours, other), opening, first=position.state.to_move == 0)
            found.append(one)
            moves += made
            if one.points < 1:
                print(f"not won: {' '.join(opening)}: {' '.join(one.moves)}", file=sys.stderr, flush=True)
        seed += 1
    all_games = Match(tuple(found))
    low, high = all_games.interval
    return (case.title, f"won after {options.random_plies} random moves",
            f"{all_games.wins}-{all_games.draws}-{all_games.losses}",
            f"{all_games.score:.0%} ({low:.0%}..{high:.0%})",
            *(f"{sum(one.seconds[side] for one in found) / max(1, moves) * 1000:.1f} ms" for side in (0, 1)))


def main() -> None:
    """Play and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.opponents", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=("trained", "openspiel", "won"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these games")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--level", default="alphabeta cpu=0.01")
    parser.add_argument("--times", type=float, default=10.0, help="how many times our time OpenSpiel has (%(default)g)")
    parser.add_argument("--random-plies", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--untrained", action="store_true", help="play by the game's own value")
    parser.add_argument("--folder", type=Path, help="where what was trained is, or is to be")
    parser.add_argument("--markdown", action="store_true", help="print the table as README.md has it")
    options = parser.parse_args()
    if options.untrained and options.what == "trained":
        parser.error("--untrained does not go with trained, which compares with it")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        rows: list[tuple[str, ...]] = [("game", "learned from", "won-drawn-lost", "score", "our move", "its move")]
        for case in CASES:
            if case.name in (options.names or (["connect_four"] if options.what == "won" else [case.name])):
                row = kept(case, options) if options.what == "won" else against(case, options, folder)
                if row is not None:
                    rows.append(row)
                    print("\t".join(row), file=sys.stderr, flush=True)
    print((markdown if options.markdown else table)(rows))


if __name__ == "__main__":
    main()
