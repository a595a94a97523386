"""`dslgame web`: a page on which games are played in a browser."""

from __future__ import annotations

import errno
import os
import webbrowser
from importlib.util import find_spec
from pathlib import Path

import click

from dslgame import bundled
from dslgame.cli.common import allow_host_option, doing, examples

_NEEDED = ("msgspec", "starlette", "uvicorn")


@click.command(short_help="Play in the browser.", epilog=examples(
    "dslgame web",
    "dslgame web my.game --open",
    "dslgame web my.game other.game",
    "dslgame web --port 8080",
    "dslgame web --host 0.0.0.0 --shared games.sqlite",
    codes=True,
))
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST",
              help="The address to listen on; by default only this machine can reach the page.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, metavar="PORT",
              help="The port to listen on; 0 takes a free one.")
@click.option("--workers", type=click.IntRange(1, 64), default=None, metavar="N",
              help="Number of processes that find and make moves; default: the number of processors. Three more play "
                   "rules from the page, and search.")
@click.option("--shared", type=click.Path(dir_okay=False, path_type=Path), default=None, metavar="FILE",
              help="Store the games that people share by a link in this SQLite file; default: in your data folder.")
@click.option("--games-per-address", type=click.IntRange(1), default=100, show_default=True, metavar="N",
              help="The most shared games that are kept for one address; behind a proxy all come from its address.")
@click.option("--open", "opening", is_flag=True, help="Open the page in a browser on this machine.")
@allow_host_option
def web(files: tuple[str, ...], host: str, port: int, workers: int | None, shared: Path | None, games_per_address: int,
        opening: bool, allowed: tuple[str, ...]) -> None:
    """Serve a page to play the bundled games and FILEs in the browser.

    The page shows boards, legal moves and their values, can play any side, and lets you edit the rules. When a FILE is
    saved, the page continues with its new rules. Needs pip install 'dslgame[web]'. Ctrl-C stops it.
    """
    if any(find_spec(name) is None for name in _NEEDED):
        raise click.ClickException("the page needs msgspec, Starlette and Uvicorn: pip install 'dslgame[web]'")
    from dslgame import serving
    from dslgame.web import server
    from dslgame.web.request_schema import Refused
    from dslgame.web.shared_games import SharedGames, usual_file

    paths = [_path(file) for file in files]
    kept = SharedGames(shared or usual_file(), games_per_address)
    if shared is not None:
        try:
            kept.check()
        except Refused as refused:
            raise click.ClickException(refused.message) from None
    try:
        listening = serving.listen(host, port)
    except OSError as problem:
        raise click.ClickException(_reason(problem, host, port)) from None
    address = f"http://{serving.written(host)}:{listening.getsockname()[1]}/"
    click.echo(address)
    # The socket is already listening, so that a browser that connects before the server has started waits.
    opened = opening and webbrowser.open(address)
    if opening and not opened:
        click.echo("No browser could be opened.", err=True)
    click.echo("Ctrl-C ends it." if opened else "Open this address in a browser; Ctrl-C ends it.", err=True)
    with doing("serving the page"):
        server.serve(listening, paths, serving.Hosts.of(host, listening, allowed), workers or os.cpu_count() or 2, kept)
    click.echo("ended", err=True)


def _path(file: str) -> Path:
    """The path of a readable game file. Raises ClickException with a hint where there is none, and OSError."""
    path = bundled.find(file)
    if not path.is_file():
        hint = bundled.unknown(file)
        raise click.ClickException(f"there is no file {file}" + (f"; {hint}" if hint else ""))
    with path.open("rb"):
        return path


def _reason(problem: OSError, host: str, port: int) -> str:
    if problem.errno == errno.EADDRINUSE:
        return f"port {port} is in use: give another one with --port, or 0 for any that is free"
    if problem.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} may not be used: give one above 1023 with --port"
    return f"cannot answer at {host}: {problem.strerror or problem}"
