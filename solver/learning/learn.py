"""Learns pattern files: finds rules in situations, and keeps those that help to predict a player's moves.

`learn` runs all steps. Rules are found in one part of the games. Each in turn is kept if it moves the chosen moves of a
second part up in the move order. The result is measured on a third part, and by the nodes that alpha-beta searches with
the proposed moves first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from dsl.syntax.source import Source
from interpreter.game import Game
from interpreter.patterns.matching import Book
from solver.learning.rules import Grower, Rule, holding
from solver.learning.situations import CHOOSING, FINDING, MEASURING, Situation
from solver.learning.views import Window

if TYPE_CHECKING:
    from interpreter.hooks import Hooks

_LEAST_BETTER = 2
"""A rule is kept only if it moves the chosen move up in at least this many situations, and up in total."""
_NODE_POSITIONS = 10
_NODE_LIMIT = 100_000
"""Positions in which nodes are counted, and the node limit of the search without patterns in each."""

_Proposals = dict[int, dict[int, float]]
"""Maps each situation to the numbers of its proposed moves, and these to the share of their best rule."""


@attrs.frozen
class Ordering:
    """How high patterns rank the chosen moves of some situations."""

    situations: int
    first: float
    """The share of situations in which the chosen move is first; where n moves tie for first, 1 / n of one."""
    among_three: float
    proposed: float
    """The share in which it is proposed at all."""
    moves: float
    """The mean number of proposed moves."""
    rank: float
    """The mean reciprocal rank of the chosen move: 1 / its place."""


@attrs.frozen
class LearnedPatterns:
    """The result of learning."""

    text: str
    """The pattern file; '' where no rule helps."""
    rules: tuple[Rule, ...]
    tried: int
    """The number of rules found, of which those that help are kept."""
    before: Ordering
    """The ordering without patterns, where all moves tie."""
    after: Ordering
    nodes: tuple[int, int] | None
    """Nodes of alpha-beta to equal depth, without patterns and with them; None where they were not counted."""


def learn(game: Game, situations: Sequence[Situation], *, anchors: Sequence[str], reach: int, symmetries: str = "",
          most: int = 60, teacher: str = "", hooks: Hooks | None = None, counting: bool = True,
          tell: Callable[[str], None] | None = None) -> LearnedPatterns:
    """Learn a pattern file from situations. Raises GameFileError where an anchor is not one of the game's.

    After an interruption (KeyboardInterrupt) it continues with the rules found or kept so far.
    """
    say = tell or (lambda text: None)
    window = Window(game, reach, symmetries, anchors)
    parts = [[situation for situation in situations if situation.part == part]
             for part in (FINDING, CHOOSING, MEASURING)]
    result: list[Rule] = []
    try:
        for views in window.views(parts[0]):
            result += Grower(window, views, window.one_to_one).rules(say)
    except KeyboardInterrupt:
        pass
    result.sort(key=lambda rule: (-rule.share, -rule.hits, rule.play))
    kept = _kept(window, parts[1], result, most, say)
    before, after = measure(window, parts[2], ()), measure(window, parts[2], kept)
    text = pattern_file(game, symmetries, kept, teacher, len(parts[0]) + len(parts[1]), before, after) if kept else ""
    nodes = None
    if text and counting:
        say("counting nodes")
        try:
            nodes = count_nodes(game, Book.of(Source("learned.pattern", text), game), parts[2], hooks)
        except KeyboardInterrupt:
            nodes = None
    return LearnedPatterns(text, tuple(kept), len(result), before, after, nodes)


# ---- choosing rules


def _kept(window: Window, situations: Sequence[Situation], rules: Sequence[Rule], limit: int,
          say: Callable[[str], None]) -> list[Rule]:
    """Return the rules that help, trying each in turn, the likeliest first, on top of those kept before it."""
    views = {result.anchor: result for result in window.views(situations)}
    chosen = [situation.legal.index(situation.chosen) for situation in situations]
    proposals: _Proposals = defaultdict(dict)
    ranks = [_rank(situation, chosen[number], {}) for number, situation in enumerate(situations)]
    kept: list[Rule] = []
    try:
        for number, rule in enumerate(rules):
            if len(kept) >= limit:
                break
            say(f"{len(kept)} of {number} rules help")
            changed: _Proposals = {}
            for situation, move in holding(rule, window, views[rule.anchor]):
                own = changed.setdefault(situation, dict(proposals[situation]))
                own[move] = max(rule.share, own.get(move, 0.0))
            gain, better = 0.0, 0
            new = {}
            for situation, own in changed.items():
                new[situation] = _rank(situations[situation], chosen[situation], own)
                gain += new[situation] - ranks[situation]
                better += new[situation] > ranks[situation]
            if gain <= 0 or better < _LEAST_BETTER:
                continue
            kept.append(rule)
            for situation, own in changed.items():
                proposals[situation], ranks[situation] = own, new[situation]
    except KeyboardInterrupt:
        pass
    return kept


def _places(situation: Situation, chosen: int, proposed: dict[int, float]) -> tuple[int, int]:
    """Return how many moves come before the chosen one, and how many tie with it, itself included."""
    own = proposed.get(chosen, 0.0)
    if own == 0.0:
        return len(proposed), max(1, len(situation.legal) - len(proposed))
    return (sum(share > own for share in proposed.values()), sum(share == own for share in proposed.values()))


def _rank(situation: Situation, chosen: int, proposed: dict[int, float]) -> float:
    """Return the expected reciprocal rank of the chosen move, with ties in random order."""
    before, equal = _places(situation, chosen, proposed)
    return sum(1 / (before + index) for index in range(1, equal + 1)) / equal


def measure(window: Window, situations: Sequence[Situation], rules: Sequence[Rule]) -> Ordering:
    """Measure how high rules rank the chosen moves of situations."""
    views = {result.anchor: result for result in window.views(situations)}
    chosen = [situation.legal.index(situation.chosen) for situation in situations]
    proposals: _Proposals = defaultdict(dict)
    for rule in rules:
        for number, move in holding(rule, window, views[rule.anchor]):
            proposals[number][move] = max(rule.share, proposals[number].get(move, 0.0))
    totals = [0.0] * 5
    for number, situation in enumerate(situations):
        own = proposals[number]
        before, equal = _places(situation, chosen[number], own)
        totals[0] += 1 / equal if before == 0 else 0.0
        totals[1] += min(1.0, max(0, 3 - before) / equal)
        totals[2] += chosen[number] in own
        totals[3] += len(own)
        totals[4] += _rank(situation, chosen[number], own)
    count = max(1, len(situations))
    return Ordering(len(situations), *(total / count for total in totals))


# ---- effect on a search


def count_nodes(game: Game, book: Book, situations: Sequence[Situation], hooks: Hooks | None) -> tuple[int, int]:
    """Count alpha-beta's nodes to equal depth in some situations, without patterns and with proposed moves first."""
    from solver.entries import Entries
    from solver.players.iterative_deepening import Choosing, Deepening
    from solver.players.limits import Limit

    entries = Entries.of(game, hooks, book)
    plain, first = Deepening(entries), Deepening(entries, choosing=Choosing("proposed first"))
    totals = [0, 0]
    step = max(1, len(situations) // _NODE_POSITIONS)
    for situation in situations[::step][:_NODE_POSITIONS]:
        history = [] if situation.before is None else [situation.before]
        plain.forget()
        result = plain.search(situation.state, Limit(nodes=_NODE_LIMIT), history=history).report
        result.check_interrupted()
        if result.depth == 0:
            continue
        first.forget()
        other = first.search(situation.state, Limit(plies=result.depth), history=history).report
        other.check_interrupted()
        totals[0] += sum(depth.nodes for depth in result.depths if depth.whole)
        totals[1] += other.nodes
    return totals[0], totals[1]


# ---- writing


def pattern_file(game: Game, symmetries: str, rules: Sequence[Rule], teacher: str, count: int, before: Ordering,
                 after: Ordering) -> str:
    """Return the text of a pattern file with these rules."""
    params = " ".join(f"{name}={value}" for name, value in game.params.items())
    lines = [f"# Learned by dslgame from {count} positions of {game.title}{f' ({params})' if params else ''}"
             f"{f', played by {teacher}' if teacher else ''}.",
             f"# Of {after.situations} other positions it puts the move that was played first in {after.first:.0%}, "
             f"among the first three in {after.among_three:.0%};",
             f"# without patterns that would be {before.first:.0%} and {before.among_three:.0%}.",
             f'patterns for "{game.title}"', *([f"symmetries {symmetries}"] if symmetries else [])]
    anchors = list(dict.fromkeys(rule.anchor for rule in rules))
    names: set[str] = set()
    for anchor in anchors:
        lines += ["", f'group "from the {anchor.partition(" in ")[0]}"']
        for rule in rules:
            if rule.anchor == anchor:
                lines += ["", *_pattern_lines(rule, names)]
    return "\n".join(lines) + "\n"


def _pattern_lines(rule: Rule, names: set[str]) -> list[str]:
    kind = "defensive" if rule.anchor.startswith(("enemy", "last")) else "offensive"
    across, ahead = rule.play
    name = base = _in_words(across, ahead)
    number = 2
    while name in names:
        name, number = f"{base}, {number}", number + 1
    names.add(name)
    lines = [f"# played in {rule.hits} of {rule.seen} places",
             f'{kind} "{name}" priority {max(1, round(100 * rule.share))} at {rule.anchor}:']
    words: dict[str, list[str]] = defaultdict(list)
    for word, places in rule.conditions:
        if len(places) == 1:
            words[word].append(f"({places[0][0]}, {places[0][1]})")
        else:
            lines.append(f"    {word} {' '.join(f'({x}, {y})' for x, y in places)}")
    lines += [f"    {word} {', '.join(places)}" for word, places in words.items()]
    return [*lines, f"    play ({across}, {ahead})"]


def _in_words(across: int, ahead: int) -> str:
    """Return a place in words, as the name of a pattern."""
    if not across and not ahead:
        return "here"
    parts = [f"{abs(ahead)} {'ahead' if ahead > 0 else 'back'}"] if ahead else []
    parts += [f"{abs(across)} {'right' if across > 0 else 'left'}"] if across else []
    return " and ".join(parts)
