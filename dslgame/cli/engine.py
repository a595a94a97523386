"""`dslgame engine`: run a local player for games that another program referees."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from dslgame.cli.common import (
    Words,
    allow_host_option,
    doing,
    examples,
    file_argument,
    load,
    param_option,
    refuse_given,
    title,
)

if TYPE_CHECKING:
    from dslgame.programs.protocols.lines import Seat
    from interpreter.game import Game

PROTOCOLS = ("lines", "gtp", "contest", "tcp", "http")


@click.command(short_help="Serve a player to other programs over a protocol.", epilog=examples(
    'dslgame engine hex "mcts seconds=1" --protocol gtp',
    'dslgame engine nex "alphabeta plies=2" --protocol tcp --connect 127.0.0.1:21299',
    'dslgame engine hexplode "alphabeta plies=3" corner.py --protocol http --listen 5000',
    'dslgame engine trax "alphabeta plies=1" --protocol contest --name D1',
    codes=True,
))
@file_argument
@click.argument("players", metavar="[PLAYER]...", nargs=-1)
@param_option
@click.option("--protocol", type=Words(PROTOCOLS), default="lines", show_default=True,
              help="lines, gtp and contest use standard input and output, tcp connects to --connect, http serves at "
                   "--listen.")
@click.option("--connect", metavar="HOST:PORT", default=None, help="For tcp: the referee's address.")
@click.option("--listen", metavar="[HOST:]PORT", default="127.0.0.1:5000", show_default=True,
              help="For http: the address to listen on; port 0 takes a free one.")
@click.option("--games", type=click.IntRange(1), default=None, metavar="N",
              help="For tcp: stop after N games; default: when the referee disconnects.")
@click.option("--name", default=None, metavar="NAME", help="The name that the player reports.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of random choices.")
@allow_host_option
def engine(file: str, players: tuple[str, ...], params: Mapping[str, int], protocol: str, connect: str | None,
           listen: str, games: int | None, name: str | None, seed: int, allowed: tuple[str, ...]) -> None:
    """Let a PLAYER play a game that another program referees.

    A PLAYER is a level such as "alphabeta plies=4", or a player in a Python file; default: solver. http can serve
    several.
    """
    players = players or ("solver",)
    if len(players) > 1 and protocol != "http":
        raise click.UsageError(f"one player can speak {protocol}, and {len(players)} are given")
    if (connect is None) != (protocol != "tcp"):
        raise click.UsageError("--protocol tcp needs --connect with the referee's address" if connect is None
                               else "--connect is for --protocol tcp")
    for option, those in (("games", ("tcp",)), ("listen", ("http",)), ("allowed", ("http",)),
                          ("name", ("lines", "gtp", "contest"))):
        if protocol not in those:
            refuse_given((option,), f"does not go with --protocol {protocol}")
    from dslgame.programs.kernel_engine import quick_enough
    from dslgame.programs.seats import is_level

    game = load(file, params)
    if len(game.players) != 2 and protocol != "lines":
        raise click.ClickException(f"engines that speak {protocol} play games for two players; {game.title} has "
                                   f"{len(game.players)}")
    if not game.observer.sees_all and (protocol != "lines" or is_level(players[0])):
        raise click.ClickException(f"{game.unseen}, and "
                                   + (f"{protocol} says all moves" if protocol != "lines" else "levels go by more than "
                                      "they are told here")
                                   + "; the line protocol hides it from players in Python files, `dslgame match` and "
                                   "`dslgame play --as PLAYER=LEVEL` from levels")
    game = quick_enough(game)
    with _saying() as say:
        if protocol == "http":
            _serve(game, players, listen, seed, allowed, say)
            return
        seat, called = _seat(game, players[0], seed)
        with doing(f"playing {title(game)}"):
            if protocol == "tcp":
                _join(game, seat, connect or "", games, say)
            else:
                _speak(game, seat, name or called, protocol, say)


@contextmanager
def _saying() -> Iterator[Callable[[str], None]]:
    """Yield a function that prints a line on the standard output; what players print goes to the standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    sys.stdout.flush()
    os.dup2(2, 1)

    def say(text: str) -> None:
        answers.write(text + "\n")
        answers.flush()

    try:
        yield say
    finally:
        answers.close()


def _seat(game: Game, text: str, seed: int) -> tuple[Seat, str]:
    """Make the seat of a player, and its name. Raises BadParameter or ClickException."""
    from dslgame.programs.plugins import BadPlayer, Crashed
    from dslgame.programs.seats import seat_of
    from dslgame.programs.specifications import BadSpecification

    try:
        return seat_of(game, text, seed)
    except BadSpecification as problem:
        raise click.BadParameter(str(problem), param_hint="'PLAYER'") from None
    except (BadPlayer, Crashed, ValueError) as problem:
        raise click.ClickException(str(problem)) from None


def _speak(game: Game, seat: Seat, name: str, protocol: str, say: Callable[[str], None]) -> None:
    """Speak a protocol on the standard input and output."""
    from dslgame.programs.plugins import Crashed
    from dslgame.programs.protocols import contest, gtp, lines

    try:
        if protocol == "gtp":
            gtp.serve(game, seat, name, _lines(), say, _adapting(game))
        else:
            (contest if protocol == "contest" else lines).serve(game, seat, name, _lines(), say)
    except (lines.Unsayable, Crashed) as problem:
        raise click.ClickException(str(problem)) from None


def _lines() -> Iterator[str]:
    if sys.stdin is None:
        return
    for line in sys.stdin.buffer:
        yield line.decode(errors="replace")


def _adapting(game: Game) -> Callable[[Mapping[str, int]], Game]:
    """A function that loads the game with other params, cached by params. It raises GameFileError for wrong params."""
    from dslgame.programs.kernel_engine import quick_enough
    from interpreter.game import Game as Loaded

    known: dict[tuple[tuple[str, int], ...], Game] = {}

    def adapt(params: Mapping[str, int]) -> Game:
        whole = {**game.params, **params}
        key = tuple(sorted(whole.items()))
        if key not in known:
            known[key] = quick_enough(Loaded.of(game.rules.source, whole))
        return known[key]

    return adapt


def _join(game: Game, seat: Seat, where: str, games: int | None, say: Callable[[str], None]) -> None:
    from dslgame.programs.plugins import Crashed
    from dslgame.programs.protocols import lines, tcp
    from dslgame.programs.specifications import BadSpecification, address

    try:
        host, port = address(where)
    except BadSpecification as problem:
        raise click.BadParameter(str(problem), param_hint="'--connect'") from None
    try:
        tcp.join(game, seat, host, port, games=games, adapt=_adapting(game), tell=say)
    except (lines.Unsayable, Crashed, ConnectionRefusedError) as problem:
        raise click.ClickException(getattr(problem, "strerror", None) or str(problem)) from None


def _serve(game: Game, players: tuple[str, ...], where: str, seed: int, allowed: tuple[str, ...],
           say: Callable[[str], None]) -> None:
    """Serve the web interface until interrupted."""
    if any(find_spec(name) is None for name in ("starlette", "uvicorn")):
        raise click.ClickException("--protocol http needs Starlette and Uvicorn: pip install 'dslgame[web]'")
    from dslgame.programs import specifications, webserver
    from dslgame.programs.plugins import BadPlayer, Crashed
    from dslgame.serving import Hosts, listen, written

    try:
        host, port = specifications.address(where)
    except specifications.BadSpecification as problem:
        raise click.BadParameter(str(problem), param_hint="'--listen'") from None
    try:
        hosted = [webserver.Hosted(game, text, seed) for text in players]
    except specifications.BadSpecification as problem:
        raise click.BadParameter(str(problem), param_hint="'PLAYER'") from None
    except (BadPlayer, Crashed, ValueError) as problem:
        raise click.ClickException(str(problem)) from None
    try:
        listening = listen(host, port)
    except OSError as problem:
        raise click.ClickException(f"cannot answer at {host}:{port}: {problem.strerror or problem}") from None
    say(f"http://{written(host)}:{listening.getsockname()[1]}")
    with doing("answering by HTTP"):
        webserver.serve(listening, hosted, Hosts.of(host, listening, allowed))
