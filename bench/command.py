"""Shared by the programs of this folder: command-line options, finding installed peers, and printing results."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from bench.measure import Side, machine, markdown, table


def title_of(name: str, params: Mapping[str, int]) -> str:
    """A game's name with its params: `hex size=11`."""
    return " ".join([name, *(f"{param}={value}" for param, value in params.items())])


def options_of(name: str, doc: str | None, *, rounds: int, seconds: float | None = None,
               pages: bool = False) -> argparse.ArgumentParser:
    """Make the parser with the options that all programs have; with `pages` also `--markdown`."""
    parser = argparse.ArgumentParser(prog=f"python -m bench.{name}", description=(doc or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=rounds, help="counted rounds of each side (%(default)s)")
    if seconds is not None:
        parser.add_argument("--seconds", type=float, default=seconds, help="processor time of a round (%(default)s)")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object")
    if pages:
        output.add_argument("--markdown", action="store_true", help="print the tables as README.md has them")
    return parser


def found_peers(sides: dict[str, Side], peers: Mapping[str, Callable[[], Side]], game: str) -> list[dict[str, Any]]:
    """Add the sides of the installed peers to `sides`, and return a row for each peer that is missing."""
    missing = []
    for name, make in peers.items():
        try:
            sides[name] = make()
        except ImportError as problem:
            missing.append({"game": game, "side": name, "missing": str(problem)})
    return missing


def report(name: str, options: argparse.Namespace, rows: Sequence[Mapping[str, Any]],
           shown: Callable[[Callable[[Sequence[Sequence[str]]], str]], str], **more: Any) -> None:
    """Print the results as one JSON object, or as the tables that `shown` makes with a given table formatter."""
    if options.json:
        seconds = {"seconds": options.seconds} if "seconds" in options else {}
        print(json.dumps({"benchmark": name, "date": date.today().isoformat(), "machine": machine(),
                          "rounds": options.rounds, **seconds, **more, "rows": rows}))
        return
    print(shown(markdown if getattr(options, "markdown", False) else table))
    print(", ".join(f"{part} {value}" for part, value in machine().items()))
