"""`dslgame play`: a game in the terminal, between people and levels of play."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

import attrs
import click

from dsl.diagnostics.wording import either, every
from dslgame.cli.common import (
    colour_option,
    doing,
    examples,
    load,
    moves_option,
    optional_file_argument,
    param_option,
    play_moves,
    position_option,
    title,
)
from dslgame.cli.information import strategy_hint
from dslgame.cli.output import columns, counted, outcome_text, picture, table, wants_colour, wrapped
from dslgame.cli.players import PERSON, analysed, analyst_of, chosen, remark, seat
from solver.players.kinds import KINDS, with_chance, with_hidden

if TYPE_CHECKING:
    from interpreter.game import Game, Position
    from interpreter.model.state import State
    from solver.players.choice import Player
    from solver.players.endgame_tables import EndgameTables
    from solver.players.levels import Level
    from solver.trees.book import Book

_HELP = """\
Type a move as it is written in the list of moves, or one of these:
  moves        the legal moves
  board        the board again
  hint         what each move leads to, and which is best
  undo         take back your last move and the answers to it
  help         this text
  quit         stop (the end of the input does, too)
A command that is also the name of a move can be written with a slash: /undo."""


@click.command(short_help="Play in the terminal.", epilog=examples(
    "dslgame play tic_tac_toe",
    "dslgame play nex -p rows=4 -p columns=4 --as Black=solver --as White=person",
    "dslgame play connect_four --as Yellow=random --as Red=random --seed 1",
    'dslgame play hexplode -p side=4 --as "Blue=alphabeta plies=4"',
    "printf 'b2\\nhint\\n' | dslgame play tic_tac_toe --seed 1",
    further=_HELP, codes=True,
))
@optional_file_argument
@param_option
@moves_option
@position_option
@click.option("--as", "sides", metavar="NAME=LEVEL", multiple=True,
              help=f"Who plays a side: person, or a level: {either(KINDS)}. With hidden information only "
                   f"{every(with_hidden())} can play; otherwise, with chance, only {every(with_chance())}. Searches "
                   "take limits such as plies=4, nodes=10000 or seconds=1; strategy takes file=FILE, written by "
                   "`dslgame solve --save`. Repeatable. If no person is named, the first side that is not given is "
                   "one; the solver, or a strategy, plays the rest.")
@click.option("--report", is_flag=True, help="Show search statistics after each move of a search.")
@click.option("--seed", type=int, metavar="N", help="Seed of random choices; without it they differ each time.")
@click.option("--nodes", type=click.IntRange(1), metavar="N",
              help="Maximum number of positions per move for each of the solver's methods; with --seed it then always "
                   "plays the same moves. Without it the solver takes about two seconds.")
@click.option("--tree", "tree_folder", metavar="FOLDER",
              help="Let the solver play from a tree that `dslgame tree --save` wrote, as far as it goes.")
@click.option("--endgames", "endgame_files", multiple=True, metavar="FILE",
              help="Let the solver and searches play by a file that `dslgame endgames --save` wrote, in the positions "
                   "that it contains. Repeatable.")
@click.option("--plain", is_flag=True, help="Play line by line, as in a pipe, even on a terminal.")
@colour_option
def play(file: str | None, params: Mapping[str, int], moves: str, position: str | None, sides: tuple[str, ...],
         report: bool, seed: int | None, nodes: int | None, tree_folder: str | None,
         endgame_files: tuple[str, ...], plain: bool, colour: bool | None) -> None:
    """Play a game in the terminal.

    Without FILE you choose from the bundled games, which are shown by genre with pictures.

    On a terminal the game uses the full window, with mouse and keyboard (pip install 'dslgame[terminal]'); in a pipe,
    and with --plain, moves are read line by line.

    The solver plays perfectly if it can solve the position within its limit. Otherwise it plays no move that is proven
    to lose, and of the others the best by a search; it says whether its move is proven, searched to a depth or sampled
    from games. alphabeta looks some plies ahead and uses the game's own value; mcts plays random games. Both take a
    second per move if no limit is given.
    """
    file = file or _chosen_game(plain)
    if file is None:
        return
    game = load(file, params)
    match = _Match(game, _levels(game, sides), random.Random(seed), nodes, colour=wants_colour(colour), report=report)
    if tree_folder is not None:
        match.analyst.book = _book(game, tree_folder)
    if endgame_files:
        match.know(_endgames(game, endgame_files))
    at = play_moves(game, moves, position)
    with doing(f"playing {title(game)}"):
        if None in match.levels and not plain and not match.hides and _has_board_view():
            match.show(at)
        else:
            match.run(at)


def _chosen_game(plain: bool) -> str | None:
    """Let the user choose a bundled game on the terminal; None where they leave. Raises UsageError without a terminal.
    """
    if plain or not _has_board_view():
        raise click.UsageError("there is no FILE, expected a game: `dslgame list` names those that are bundled. On a "
                               "terminal, with pip install 'dslgame[terminal]', they can be chosen from")
    from dslgame.terminal.shelves import choose

    return choose()


def _has_board_view() -> bool:
    """Whether the full-screen board view can run in this terminal."""
    return (sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty()
            and os.environ.get("TERM") not in (None, "dumb") and find_spec("textual") is not None)


def _book(game: Game, folder: str) -> Book:
    """The labels of a saved tree. Raises ClickException where it is not a tree of this game."""
    from solver.trees.book import Book
    from solver.trees.files import BadTree, load

    try:
        with doing("reading the tree"):
            return Book(load(game, folder))
    except BadTree as problem:
        raise click.ClickException(str(problem)) from None


def _endgames(game: Game, paths: tuple[str, ...]) -> EndgameTables:
    """Open endgame tables of this game. Raises an error with a message where a file has none of it."""
    from solver.players.endgame_tables import EndgameTables

    with doing("reading endgames"):
        return EndgameTables.open(game, paths)


def _levels(game: Game, given: tuple[str, ...]) -> list[Level | None]:
    """The level of each side, None for a person. Raises BadParameter for unknown names and levels."""
    from dsl.diagnostics import did_you_mean
    from solver.players.levels import Level

    result: dict[str, Level | None] = {}
    names = {name.casefold(): name for name in game.players}
    for text in given:
        name, equals, level = (part.strip() for part in text.partition("="))
        if not equals:
            raise click.BadParameter(f"found '{text}', expected NAME=LEVEL such as {game.players[0]}=solver",
                                     param_hint="'--as'")
        if name.casefold() not in names:
            help_text, _ = did_you_mean(name, game.players)
            help_text = help_text or f"its players are {', '.join(game.players)}"
            raise click.BadParameter(f"{game.title} has no player '{name}'; {help_text}", param_hint="'--as'")
        if names[name.casefold()] in result:
            raise click.BadParameter(f"'{name}' is given twice", param_hint="'--as'")
        kind = level.split()[0] if level else ""
        try:
            if kind.casefold() not in (PERSON, *KINDS):
                help_text, _ = did_you_mean(kind, (PERSON, *KINDS))
                raise ValueError(f"found '{kind}'; {help_text or f'expected {PERSON}, ' + ', '.join(KINDS)}")
            result[names[name.casefold()]] = None if level.casefold() == PERSON else Level.of(level)
        except ValueError as problem:
            raise click.BadParameter(f"{name}: {problem}", param_hint="'--as'") from None
    free = (name for name in game.players if name not in result)
    person = None if None in result.values() else next(free, None)
    other = "solver" if game.observer.sees_all else "strategy"
    return [result.get(name, None if name == person else Level(other)) for name in game.players]


class _Match:
    """A game in progress: its players, and all positions so far."""

    def __init__(self, game: Game, levels: list[Level | None], chance: random.Random, nodes: int | None, *,
                 colour: bool, report: bool) -> None:
        from solver.players.nature import Nature

        self.game = game
        self.levels = levels
        self.analyst, self.nodes = analyst_of(game), nodes
        self.colour, self.report = colour, report
        self.nature = Nature(chance)
        self.players: list[Player | None] = []
        try:
            for level in levels:
                self.players.append(None if level is None else seat(game, level, chance, nodes, self.analyst))
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
        self.positions: list[Position] = []
        self.viewer = self._people[0] if len(self._people) == 1 else None
        """The side whose view is shown, where something is hidden; None for what all may see, which several people see
        until one of them is to move."""
        self.commands: dict[str, Callable[[], None]] = {
            "moves": self._moves, "board": self._board, "hint": self._hint, "undo": self._undo, "help": self._help,
        }

    def know(self, tables: EndgameTables) -> None:
        """Let the solver, hints and searches probe endgame tables."""
        from solver.players.level_players import SearchingPlayer

        self.analyst.endgames = tables
        for player in self.players:
            if isinstance(player, SearchingPlayer):
                player.endgames = tables

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def hides(self) -> bool:
        """Whether the game hides something from a person who plays, so that only their view may be shown."""
        return None in self.levels and not self.game.observer.sees_all

    @property
    def _people(self) -> list[int]:
        """The sides that people play."""
        return [side for side, level in enumerate(self.levels) if level is None]

    def show(self, first: Position) -> None:
        """Play in the board view until the person leaves, and print the moves so far."""
        from dslgame.terminal.app import run
        from dslgame.terminal.table import Table

        table = Table(first, self.players, self.analyst, self.nodes, self.nature)
        names = ", ".join(f"{name}: {level or PERSON}"
                          for name, level in zip(self.game.players, self.levels, strict=True))
        run(table, title(self.game), names, report=self.report)
        self.positions = table.positions
        if self.position.over:
            click.echo(f"The game is over: {outcome_text(self.position.outcome or 'draw')}.")
        self._leave()

    def run(self, first: Position) -> None:
        """Play line by line until the game is over or the person stops."""
        self.positions = [first]
        click.echo(title(self.game))
        click.echo(", ".join(f"{name}: {level or PERSON}"
                             for name, level in zip(self.game.players, self.levels, strict=True)))
        if None in self.levels:
            click.echo("Type a move, or help.")
        elif not self.game.observer.sees_all:
            click.echo("No person plays: everything is shown, even what players do not see.")
        self._board()
        while not self.position.over:
            player = self.nature if self.position.by_chance else self.players[self.position.state.to_move]
            if player is not None:
                self._move(player)
            elif not self._ask():
                self._leave()
                return
        click.echo(f"The game is over: {outcome_text(self.position.outcome or 'draw')}.")

    # ---- moves

    def _play(self, move: str) -> None:
        self.positions.append(self.position.play(move))

    def _move(self, player: Player) -> None:
        """Let a player move, and print the move; where something is hidden, only what people can see of it."""
        name, before = self.position.to_move, self.position.state
        choice = chosen(player, self.position)
        if not self._people:  # nobody is there to go on with the game
            choice.check_interrupted()
        self._play(choice.text)
        if self.hides:
            if self.position.over or self._seen(before) != self._seen(self.position.state):
                click.echo(f"{name} moved")
                self._board()
            return
        click.echo(f"{name} played {choice.text}{remark(choice)}")
        if self.report and choice.report is not None:
            click.echo(choice.report.text())
        self._board()

    def _seat(self) -> bool:
        """Show the view of the person to move, after a screen without any where it was another's. False when the person
        stops."""
        side = self.position.state.to_move
        if not self.hides or side == self.viewer:
            return True
        if sys.stdin is not None and sys.stdin.isatty():
            if self.viewer is not None:
                if self._read("Enter hides the board. ") is None:
                    return False
                _wipe()
            if self._read(f"{self.game.players[side]} looks next, and nobody else: Enter shows the board. ") is None:
                return False
        self.viewer = side
        self._board()
        return True

    def _ask(self) -> bool:
        """Read a line from the person to move and carry it out. False when the person stops."""
        if not self._seat():
            return False
        line = self._read(f"{self.position.to_move}> ")
        if line is None:
            return False
        line = line.strip()
        if not line:
            return True
        word = line.casefold().removeprefix("/")
        is_move = not line.startswith("/") and line in self.position.moves()
        if not is_move and word in ("quit", "exit", "q"):
            return False
        if not is_move and word in self.commands:
            self.commands[word]()
            return True
        self._try(line)
        return True

    def _try(self, text: str) -> None:
        """Play a person's move; print what is wrong with an illegal one."""
        from interpreter.errors import IllegalMove

        try:
            self._play(text)
        except IllegalMove as problem:
            click.echo(f"{problem}")
            if len(problem.legal) > 8 or not problem.legal:
                click.echo("`moves` lists the legal moves, `help` the commands.")
            return
        if not sys.stdin.isatty():
            click.echo(f"{self.positions[-2].to_move} played {self.position.played[-1]}")
        self._board()

    @staticmethod
    def _read(prompt: str) -> str | None:
        """Read a line without its line break; None at the end of the input. The prompt is for terminals only."""
        if sys.stdin is None:
            return None
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  # gives input() line editing
            try:
                return input(prompt)
            except EOFError:
                click.echo()
                return None
            except UnicodeDecodeError:
                return "?"
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            return "?"
        return line.rstrip("\n").encode(errors="surrogateescape").decode(errors="replace") if line else None

    # ---- commands

    def _board(self) -> None:
        from interpreter.unknown import seen_by

        position = self.position
        if self.hides:
            seen = seen_by(self.game, position.state, self.viewer)
            position = attrs.evolve(position, state=seen, history=(), played=())
            click.echo("as all see it:" if self.viewer is None else f"as {self.game.players[self.viewer]} sees it:")
        click.echo(picture(position, colour=self.colour), color=self.colour)

    def _seen(self, state: State) -> State:
        """What is shown of a state."""
        observer = self.game.observer
        return observer.common(state) if self.viewer is None else observer.view(state, self.viewer)

    def _moves(self) -> None:
        moves = self.position.moves()
        click.echo(f"{self.position.to_move} to move, {counted(len(moves), 'move')}:")
        click.echo(columns(moves))

    def _help(self) -> None:
        click.echo(_HELP)

    def _hint(self) -> None:
        """Print the value of every move."""
        if not self.game.observer.sees_all:
            click.echo(strategy_hint(self.position, self.players))
            return
        result = analysed(self.analyst, self.position, self.nodes)
        guesses = [result.estimate(item) for item in result.ranked]
        rows = [("move", "winner", "plies", "estimate")]
        rows += [(item.text, self.game.outcome_name(item.winner) or "unknown",
                  "" if item.remoteness is None else str(item.remoteness), guess)
                 for item, guess in zip(result.ranked, guesses, strict=True)]
        shown = 4 if any(guesses) else 3
        click.echo(table([row[:shown] for row in rows], right=(False, False, True, True)[:shown]))
        click.echo(f"  best: {result.best.text} ({result.basis})")
        if not result.exact:
            click.echo(f"  not all known: {result.reason}")

    def _undo(self) -> None:
        """Go back to the last position in which a person was to move."""
        places = [number for number, position in enumerate(self.positions[:-1])
                  if self.levels[position.state.to_move] is None and not position.by_chance]
        if not places:
            click.echo("there is nothing to take back")
            return
        del self.positions[places[-1] + 1 :]
        self._board()

    def _leave(self) -> None:
        """Print the moves so far, by which the game can go on later."""
        if self.position.played and not (self.hides and not self.position.over):
            click.echo(wrapped("so far: ", " ".join(self.position.played)))


def _wipe() -> None:
    """Clear the terminal, and what could be scrolled back to."""
    click.clear()
    click.echo("\033[3J", nl=False)
