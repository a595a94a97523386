"""What the programs of this folder share: their options, the peers that are installed, and how they print results."""

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
    """The options that all programs have, with what they are by default; `pages` if they also print tables of pages."""
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
    """Add the sides of those peers that are installed; a row for each that is not."""
    missing = []
    for name, make in peers.items():
        try:
            sides[name] = make()
        except ImportError as problem:
            missing.append({"game": game, "side": name, "missing": str(problem)})
    return missing


def report(name: str, options: argparse.Namespace, rows: Sequence[Mapping[str, Any]],
           shown: Callable[[Callable[[Sequence[Sequence[str]]], str]], str], **more: Any) -> None:
    """Print what was measured: an object, or tables as `shown` makes them of texts by the function it is given."""
    if options.json:
        seconds = {"seconds": options.seconds} if "seconds" in options else {}
        print(json.dumps({"benchmark": name, "date": date.today().isoformat(), "machine": machine(),
                          "rounds": options.rounds, **seconds, **more, "rows": rows}))
        return
    print(shown(markdown if getattr(options, "markdown", False) else table))
    print(", ".join(f"{part} {value}" for part, value in machine().items()))
