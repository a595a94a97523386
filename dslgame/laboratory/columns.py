"""The columns of a family's table: their titles, and their values for people and for programs.

A column is one of `KNOWN`, or a measure of random games such as `balance:random` (`dslgame.laboratory.measures`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl.diagnostics import closest
from dslgame.laboratory.family import FamilyError
from dslgame.laboratory.measures import DEFINITIONS
from dslgame.laboratory.runs import Result
from dslgame.laboratory.solving import Plain
from interpreter.wording import won

RANDOM = ":random"
"""The suffix of the names of measures of random games."""
KNOWN: Mapping[str, str] = {
    "value": "value", "plies": "plies", "openings": "winning first moves", "wins": "wins",
    "draws": "draws", "losses": "losses", "unknown": "unknown", "expected": "expected",
    "positions": "positions", "branching": "branching", "length": "length", "method": "method", "seconds": "seconds"}
"""The titles of columns by name."""
USUAL = ("value", "plies", "openings", "positions", "branching", "length")
MEASURED = tuple(name + RANDOM for name in (
    "first_share", "balance", "draws", "unfinished", "cells_used", "evenness", "cascade", "longest_cascade"))
NUMBERS = tuple(name for name in KNOWN if name not in ("value", "openings", "method")) + MEASURED
"""The numeric columns, which a heat map can show."""
_WORDS = frozenset({"value", "method"})


def read_columns(text: str) -> tuple[str, ...]:
    """Parse names of columns separated by commas. Raises FamilyError for an unknown name, or none at all."""
    result = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    names = (*KNOWN, *MEASURED)
    for name in result:
        if name not in names:
            meant = closest(name, names)
            hint = f"did you mean '{meant}'?" if meant else "expected some of " + ", ".join(names)
            raise FamilyError(f"there is no column '{name}'; {hint}")
    if not result:
        raise FamilyError("no column is named; expected some of " + ", ".join(names))
    return result


def title(name: str) -> str:
    """The title of a column."""
    return KNOWN.get(name) or DEFINITIONS[name.removesuffix(RANDOM)].title


def flushed_right(name: str) -> bool:
    """Whether a column is aligned to the right, as numbers are."""
    return name not in _WORDS


def plain(result: Result, name: str) -> float | int | str | None:
    """The value of a column for an instance, for programs; None where it is unknown."""
    found, openings = result.found, result.openings
    if result.instance.game is None:
        return None
    if name.endswith(RANDOM):
        return found.measures.get(name.removesuffix(RANDOM))
    values: Plain = {
        "value": result.winner, "expected": None if result.expected is None else result.expected.value,
        "plies": found.remoteness, "openings": openings["win"], "wins": openings["win"],
        "draws": openings["draw"], "losses": openings["lose"], "unknown": openings["unknown"],
        "positions": found.positions, "branching": found.branching, "length": found.length, "method": found.method,
        "seconds": found.seconds}
    value: float | int | str | None = values[name]
    return value


def cells(result: Result, names: Sequence[str]) -> list[str]:
    """The values of columns for an instance, formatted for people."""
    if result.instance.game is None:
        return ["no game" if name == "value" else "" for name in names]
    return [_written(result, name) for name in names]


def _written(result: Result, name: str) -> str:
    if name == "value":
        return _value(result)
    if name == "openings":
        return _openings(result)
    found = plain(result, name)
    if found is None:
        return ""
    if isinstance(found, float):
        digits = {"branching": 2, "length": 1}.get(name, 3)
        return f"{found:.{digits}f}"
    return f"{found:,}" if isinstance(found, int) else found


def _value(result: Result) -> str:
    """Describe who wins, what the first player expects, or which outcomes are still possible."""
    game, value, worth = result.instance.game, result.winner, result.found.worth
    assert game is not None  # `cells` handles instances without a game
    if worth is not None:
        return f"{game.players[0]} expects {worth.exact or f'{worth.value:.6f}'}"
    if value is None:
        names = [game.outcome_name(item) or "" for item in result.found.possible]
        return "unknown" if len(names) == 1 + len(game.players) else " or ".join(sorted(names))
    return f"{value} wins" if won(value) else value


def _openings(result: Result) -> str:
    openings = result.openings
    total = sum(openings.values())
    wins = f"{openings['win']} of {total}" + ("" if not openings["unknown"] else f", {openings['unknown']} unknown")
    return wins if total else ""
