"""The page's panel of variants: solves a game for several params and rule changes, within limits.

The answer has a row for each instance, with what the page needs to open it: its params, and its text where the rules
were changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dslgame.laboratory.changes import Change
from dslgame.laboratory.claims import Claim
from dslgame.laboratory.columns import cells
from dslgame.laboratory.family import Family
from dslgame.laboratory.solving import Limits, Plain
from dslgame.laboratory.variants import Judged, Variants, solve_family
from dslgame.web.request_schema import Job, Refused, Varying

if TYPE_CHECKING:
    from dsl.syntax.source import Source

MOST = 49
"""The most instances of one request."""
NODES, SECONDS = 100_000, 30.0
"""The node limit for one instance, and the time limit for all of them together."""


def solved(job: Job[Varying], source: Source) -> Plain:
    """Solve a family; its rows, and the verdict on the claim. Raises Refused for an invalid request."""
    asked = job.asked
    try:
        ranges = {name: (value,) for name, value in asked.params.items()} | {
            name: tuple(dict.fromkeys(values)) for name, values in asked.ranges.items()}
        changes = [[Change.of(text) for text in ("as it is", *asked.changes)]] if asked.changes else []
        family = Family(source, ranges, changes)
        if family.size > MOST:
            raise Refused(400, "variants", f"these are {family.size:,} games, expected at most {MOST}; "
                                           "dslgame variants solves more of them")
        claims = [Claim.of(asked.claim)] if asked.claim else []
        result = solve_family(family, claims, Limits(NODES, seconds=SECONDS / family.size), jobs=1, store=None)
    except Refused:
        raise
    except ValueError as problem:  # from the family, its changes, or the claim
        raise Refused(400, "variants", str(problem)) from None
    return {"title": result.title, "varied": [name for name, values in ranges.items() if len(values) > 1],
            "rows": [_row(result, number) for number in range(len(result.results))],
            "claim": _claim(result.claims[0]) if result.claims else None}


def _row(found: Variants, number: int) -> Plain:
    result = found.results[number]
    instance, openings = result.instance, result.openings
    return {
        "params": dict(instance.params), "changes": list(instance.changes),
        "text": instance.source.text if instance.changes else None, "playable": instance.game is not None,
        "winner": result.winner, "worth": cells(result, ["value"])[0] if result.found.worth is not None else None,
        "player": result.found.winner, "plies": result.found.remoteness,
        "wins": openings["win"], "moves": sum(openings.values()), "positions": result.found.positions,
        "reason": result.found.reason, "same": result.same_as,
        "claim": found.claims[0].verdicts[number] if found.claims else None}


def _claim(judged: Judged) -> Plain:
    result = judged.counterexample
    return {"verdict": judged.verdict, "counterexample": None if result is None else result.instance.number,
            "line": list(judged.line)}
