"""`dslgame play`: a game in the terminal, between people, the solver and random play."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from dslgame.cli.common import (
    colour_option,
    doing,
    examples,
    file_argument,
    load,
    moves_option,
    param_option,
    play_moves,
    position_option,
    title,
)
from dslgame.cli.output import columns, counted, outcome_text, picture, table, wants_colour, wrapped
from dslgame.cli.players import KINDS, Judge, Kind, best, standing

if TYPE_CHECKING:
    from interpreter.game import Game, Position

_HELP = """\
Type a move as it is written in the list of moves, or one of these:
  moves        the legal moves
  board        the board again
  hint         what each move leads to, as far as the solver knows
  undo         take back your last move and the answers to it
  help         this text
  quit         stop (the end of the input does, too)
A command that is also the name of a move can be written with a slash: /undo."""


@click.command(short_help="Play in the terminal.", epilog=examples(
    "dslgame play tic_tac_toe",
    "dslgame play nex -p rows=4 -p columns=4 --as Black=solver --as White=person",
    "dslgame play connect_four --as Yellow=random --as Red=random --seed 1",
    "printf 'b2\\nhint\\n' | dslgame play tic_tac_toe --seed 1",
    further=_HELP, codes=True,
))
@file_argument
@param_option
@moves_option
@position_option
@click.option("--as", "sides", metavar="NAME=KIND", multiple=True,
              help="Who plays a side: person, random or solver. Repeatable. Where no person is named, the first side "
                   "that is not given is one; the solver plays the rest.")
@click.option("--seed", type=int, metavar="N", help="Make random choices the same each time.")
@click.option("--nodes", type=click.IntRange(1), default=60_000, show_default=True, metavar="N",
              help="How many positions the solver may look at for a move.")
@colour_option
def play(file: str, params: Mapping[str, int], moves: str, position: str | None, sides: tuple[str, ...],
         seed: int | None, nodes: int, colour: bool | None) -> None:
    """Play a game in the terminal.

    The solver plays perfectly where it can work out the position within its limit, and otherwise as well as it knows:
    it says so then.
    """
    game = load(file, params)
    match = _Match(game, _kinds(game, sides), random.Random(seed), nodes, colour=wants_colour(colour))
    at = play_moves(game, moves, position)
    with doing(f"playing {title(game)}"):
        match.run(at)


def _kinds(game: Game, given: tuple[str, ...]) -> list[Kind]:
    """Who plays each side. Raises a usage error for unknown names and kinds."""
    from dsl.diagnostics import did_you_mean

    chosen: dict[str, Kind] = {}
    names = {name.casefold(): name for name in game.players}
    for text in given:
        name, equals, kind = (part.strip() for part in text.partition("="))
        if not equals:
            raise click.BadParameter(f"found '{text}', expected NAME=KIND such as {game.players[0]}=solver",
                                     param_hint="'--as'")
        if name.casefold() not in names:
            help_text, _ = did_you_mean(name, game.players)
            help_text = help_text or f"its players are {', '.join(game.players)}"
            raise click.BadParameter(f"{game.title} has no player '{name}'; {help_text}", param_hint="'--as'")
        found = next((known for known in KINDS if known == kind.casefold()), None)
        if found is None:
            help_text, _ = did_you_mean(kind, KINDS)
            raise click.BadParameter(f"found '{kind}' for {name}; {help_text or 'expected person, random or solver'}",
                                     param_hint="'--as'")
        if names[name.casefold()] in chosen:
            raise click.BadParameter(f"'{name}' is given twice", param_hint="'--as'")
        chosen[names[name.casefold()]] = found
    free = (name for name in game.players if name not in chosen)
    person = None if "person" in chosen.values() else next(free, None)
    return [chosen.get(name, "person" if name == person else "solver") for name in game.players]


class _Match:
    """A game that is being played: its sides, and all positions so far."""

    def __init__(self, game: Game, kinds: list[Kind], chance: random.Random, nodes: int, *, colour: bool) -> None:
        self.game = game
        self.kinds = kinds
        self.chance = chance
        self.judge = Judge(game, nodes)
        self.colour = colour
        self.positions: list[Position] = []
        self.noted = False
        self.commands: dict[str, Callable[[], None]] = {
            "moves": self._moves, "board": self._board, "hint": self._hint, "undo": self._undo, "help": self._help,
        }

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    def run(self, first: Position) -> None:
        """Play until the game is over or the person stops."""
        self.positions = [first]
        click.echo(title(self.game))
        click.echo(", ".join(f"{name}: {kind}" for name, kind in zip(self.game.players, self.kinds, strict=True)))
        if "person" in self.kinds:
            click.echo("Type a move, or help.")
        self._board()
        while not self.position.over:
            kind = self.kinds[self.position.state.to_move]
            if kind == "person":
                if not self._ask():
                    self._leave()
                    return
            else:
                self._move(kind)
        click.echo(f"The game is over: {outcome_text(self.position.outcome or 'draw')}.")

    # ---- moves

    def _play(self, move: str) -> None:
        self.positions.append(self.position.play(move))

    def _move(self, kind: Kind) -> None:
        """Let the solver or chance move."""
        name = self.position.to_move
        if kind == "random":
            move = self.chance.choice(self.position.moves())
        else:
            chosen = best(self.judge.values(self.position), self.position, self.chance)
            move = chosen.text
            if chosen.winner is None and not self.noted:
                self.noted = True
                click.echo(f"(The solver does not know what is best here: {self.judge.reason}.)")
        self._play(move)
        click.echo(f"{name} plays {move}")
        self._board()

    def _ask(self) -> bool:
        """Read a line of the person to move and do what it says. False when the person stops."""
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
        """Play a person's move; say what is wrong with it where it is not legal."""
        from interpreter.errors import IllegalMove

        try:
            self._play(text)
        except IllegalMove as problem:
            click.echo(f"{problem}")
            if len(problem.legal) > 8 or not problem.legal:
                click.echo("`moves` lists the legal moves, `help` the commands.")
            return
        if not sys.stdin.isatty():
            click.echo(f"{self.positions[-2].to_move} plays {self.position.played[-1]}")
        self._board()

    @staticmethod
    def _read(prompt: str) -> str | None:
        """A line of the input without its end; None at the end of the input. A prompt is for terminals only."""
        if sys.stdin is None:
            return None
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  # lines can be edited where it exists
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
        return line.rstrip("\n") if line else None

    # ---- commands

    def _board(self) -> None:
        click.echo(picture(self.position, colour=self.colour), color=self.colour)

    def _moves(self) -> None:
        moves = self.position.moves()
        click.echo(f"{self.position.to_move} has {counted(len(moves), 'move')}:")
        click.echo(columns(moves))

    def _help(self) -> None:
        click.echo(_HELP)

    def _hint(self) -> None:
        """Show what every move leads to."""
        judged = self.judge.values(self.position)
        if all(item.winner is None for item in judged):
            click.echo(f"unknown: {self.judge.reason}")
            return
        mover = self.position.state.to_move
        judged.sort(key=lambda item: standing(item.winner, item.remoteness, mover))
        rows = [(item.text, self.game.outcome_name(item.winner) or "unknown",
                 "" if item.remoteness is None else str(item.remoteness)) for item in judged]
        click.echo(table([("move", "winner", "plies"), *rows], right=(False, False, True)))
        if self.judge.reason and any(item.winner is None for item in judged):
            click.echo(f"  not all known: {self.judge.reason}")

    def _undo(self) -> None:
        """Go back to the last position in which a person was to move."""
        places = [number for number, position in enumerate(self.positions[:-1])
                  if self.kinds[position.state.to_move] == "person"]
        if not places:
            click.echo("there is nothing to take back")
            return
        del self.positions[places[-1] + 1 :]
        self._board()

    def _leave(self) -> None:
        """Say how to go on later."""
        if self.position.played:
            click.echo(wrapped("so far: ", " ".join(self.position.played)))

