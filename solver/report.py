"""Reports of what a search did: nodes, leaves, cutoffs, use of the transposition table, and each depth.

Every search fills in a `Report`; fields that do not apply to it stay None or empty. `--report` prints its `text`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import attrs

from solver.methods import PART


@attrs.frozen
class Deepened:
    """One iteration of iterative deepening."""

    depth: int
    nodes: int
    """The nodes of this iteration alone, in the thread that searched it."""
    seconds: float
    """The seconds that this iteration alone took."""
    score: str
    """The value that it found, in words."""
    line: tuple[str, ...]
    """The principal variation, in the game's notation."""
    whole: bool = True
    """Whether the iteration was completed."""


@attrs.frozen
class Considered:
    """What a solving method said of the task before `auto` chose, or why it gave way after it was begun."""

    method: str
    cost: float | None
    """The expected time, as the number of positions that method strong values in it; None where the method is out."""
    why: str

    @property
    def effort(self) -> str:
        """The cost in words."""
        if self.cost is None:
            return "out"
        return f"{self.cost:,.0f} positions" if self.cost < PART else "not known"


@attrs.frozen
class Report:
    """What a search did, and what it found."""

    method: str
    nodes: int
    """The positions that moves led to, counted each time they occurred."""
    seconds: float
    score: str = ""
    """The value of the root, in words."""
    line: tuple[str, ...] = ()
    """The principal variation: the best moves of both sides, in the game's notation."""
    leaves: int | None = None
    """The nodes that were evaluated without searching deeper: by the game's end, its `value`, or a random game."""
    ends: int | None = None
    """The leaves in which the game was over."""
    moves: int | None = None
    """The number of moves generated."""
    simulated: int | None = None
    """The number of moves in random games."""
    pruned: Mapping[str, int] = attrs.field(factory=dict)
    """The number of cutoffs by each kind of pruning."""
    table: Mapping[str, int] = attrs.field(factory=dict)
    """Counts of the transposition table or the tree: "places" and how many are "used", and, where they are known,
    lookups ("asked"), "hits" and entries "replaced"."""
    depths: tuple[Deepened, ...] = ()
    spared: int | None = None
    """The number of moves that cutoffs left unsearched."""
    plies: tuple[int, ...] = ()
    """The nodes at each distance from the root."""
    interrupted: bool = False
    """Whether Ctrl-C ended the search, which caught it to return what it had found; see `check_interrupted`."""
    cut: str = ""
    """When and where a ceiling on its time ended the search before it reached its limit; '' where none did."""
    considered: tuple[Considered, ...] = ()
    """What each method said of the task, where `auto` chose."""
    rests_on: str = ""
    """What the value of a solution rests on, as the method's record says; '' for searches of players."""

    def check_interrupted(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C ended the search, so that a caller does not go on with the next one."""
        if self.interrupted:
            raise KeyboardInterrupt

    @property
    def whole(self) -> bool:
        """Whether the last depth was completed."""
        return bool(self.depths) and self.depths[-1].whole

    @property
    def depth(self) -> int:
        """The deepest depth that was completed; 0 for none."""
        return max((deepened.depth for deepened in self.depths if deepened.whole), default=0)

    @property
    def branching(self) -> float | None:
        """The effective branching factor: the ratio of the nodes of successive depths; None where it is unknown.

        The geometric mean of the last two ratios, as odd and even depths differ; with fewer than two completed depths
        it is computed from `plies`.
        """
        whole = [deepened.nodes for deepened in self.depths if deepened.whole and deepened.nodes > 0]
        if len(whole) < 2:
            return _branching(self.plies)
        steps = min(2, len(whole) - 1)
        return float((whole[-1] / whole[-1 - steps]) ** (1 / steps))

    @property
    def fill(self) -> float | None:
        """The fill ratio of the table, from 0 to 1; None where there is no table."""
        places = self.table.get("places", 0)
        return self.table.get("used", 0) / places if places else None

    def as_object(self) -> dict[str, object]:
        """The report as an object to write as JSON."""
        result = attrs.asdict(self)
        result["branching"], result["fill"] = self.branching, self.fill
        return result

    def rows(self) -> list[tuple[str, str]]:
        """The rows of the report, each a label and a text, in the order in which they are shown."""
        rate = f" ({self.nodes / self.seconds:,.0f} a second)" if self.seconds > 0 else ""
        result = [("method", self.method)]
        if self.cut:
            result.append(("cut off", self.cut))
        result.append(("nodes", f"{self.nodes:,}{rate}"))
        for name, number in (("leaves", self.leaves), ("ends of the game", self.ends), ("moves listed", self.moves),
                             ("moves simulated", self.simulated)):
            if number is not None:
                result.append((name, f"{number:,}"))
        result += [(f"cut off by {name}", f"{number:,}") for name, number in self.pruned.items()]
        if self.spared is not None:
            result.append(("moves left out", f"{self.spared:,}"))
        if "asked" in self.table:
            asked, hits = self.table["asked"], self.table.get("hits", 0)
            share = f" ({hits / asked:.1%})" if asked else ""
            result.append(("table hits", f"{hits:,} of {asked:,}{share}"))
        if self.fill is not None:
            replaced = f", {self.table['replaced']:,} replaced" if "replaced" in self.table else ""
            result.append(("table fill" if "asked" in self.table else "tree fill",
                           f"{self.table.get('used', 0):,} of {self.table['places']:,} places ({self.fill:.1%})"
                           f"{replaced}"))
        if self.branching is not None:
            result.append(("effective branching", f"{self.branching:.2f}"))
        result.append(("seconds", f"{self.seconds:.3f}"))
        if self.score:
            result.append(("value", self.score))
        if self.line:
            result.append(("best moves", " ".join(self.line)))
        return result

    def text(self) -> str:
        """The report as text: the rows, then tables of the depths, the plies, and the methods considered."""
        lines = _aligned(self.rows(), right=())
        if self.depths:
            rows = [("depth", "nodes", "seconds", "value", "best moves")]
            rows += [(f"{item.depth}{'' if item.whole else ' (part)'}", f"{item.nodes:,}", f"{item.seconds:.3f}",
                      item.score, " ".join(item.line)) for item in self.depths]
            lines += ["", *_aligned(rows, right=(0, 1, 2))]
        if self.plies:
            plies = [("ply", "nodes")] + [(str(ply), f"{nodes:,}") for ply, nodes in enumerate(self.plies)]
            lines += ["", *_aligned(plies, right=(0, 1))]
        if self.considered:
            methods = [("considered", "as long as valuing", "why, or why not")]
            methods += [(f"{item.method}{' (taken)' if item.method == self.method else ''}", item.effort, item.why)
                        for item in sorted(self.considered, key=_by_cost)]
            lines += ["", *_aligned(methods, right=(1,))]
        if self.rests_on:
            lines += ["", f"rests on {self.rests_on}"]
        return "\n".join(lines)


def _by_cost(item: Considered) -> float:
    return math.inf if item.cost is None else item.cost


def _branching(plies: Sequence[int]) -> float | None:
    """The branching factor of a uniform tree with as many nodes per root and as many plies; None without any ply below
    the root."""
    depth = len(plies) - 1
    if depth < 1:
        return None
    nodes = sum(plies) / plies[0]
    low, high = 0.0, float(nodes)
    for _ in range(60):
        middle = (low + high) / 2
        if sum(middle**ply for ply in range(depth + 1)) < nodes:
            low = middle
        else:
            high = middle
    return low


def _aligned(rows: Sequence[tuple[str, ...]], right: Sequence[int]) -> list[str]:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return ["  ".join(text.rjust(width) if index in right else text.ljust(width)
                      for index, (text, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]
