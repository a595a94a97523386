"""Rules found in views: conditions on a window under which a place was often played.

Rules are grown one condition at a time, each time the one with the greatest gain (FOIL's: how much likelier the played
places become, times how many of them remain). The cases that a rule explains are set aside, and the next rule is grown
from the rest, separately for each place of the window.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np

from dsl.patterns.meaning import Offset
from interpreter.arrays import Integers, Truths
from interpreter.patterns.frames import Frame
from solver.learning.views import POSSIBLE, THERE, WORDS, Views, Window

_MOST_CONDITIONS = 6
_MOST_RULES = 6
"""The most rules for a place of the window."""
_CERTAIN = 0.9
"""A rule that is right in this share of cases gets no further conditions."""
_PRIOR = 4.0
"""Cases of average success that are added to those of a rule when the share in which it is right is estimated."""
_LEAST_GAIN = 1.0

Condition = tuple[str, tuple[Offset, ...]]
"""A word, or for a link its name and a word, and the places that it is about."""


@attrs.frozen
class Rule:
    """A rule: its anchor, the place it plays, its conditions, and its success in the views it was found in."""

    anchor: str
    play: Offset
    conditions: tuple[Condition, ...]
    seen: int
    """The number of views in which its conditions held."""
    hits: int
    """The number of these in which its move was the chosen one."""
    share: float
    """The estimated share of cases in which it is right, drawn towards the average by `_PRIOR`."""


@attrs.define(eq=False)
class Grower:
    """Grows rules from the views at one anchor."""

    window: Window
    views: Views
    one_to_one: bool = True
    """Whether different cells stand for different moves. Where they do not, as where pieces fall, patterns at an anchor
    `cell in ...` play at that cell only."""
    _base: float = 0.0

    def rules(self, tell: Callable[[str], None] | None = None) -> list[Rule]:
        """Return the rules found, without turned or mirrored copies, in no particular order."""
        views = self.views
        if not len(views.situation):
            return []
        self._base = float(views.played.sum()) / max(1.0, float((views.moves >= 0).sum()))
        least = max(3, len(set(views.situation.tolist())) // 150)
        result: dict[object, Rule] = {}
        taken: set[object] = set()
        for number, place in enumerate(self.window.places):
            turned: object = min(frame.offset(*place) for frame in views.frames)
            if views.anchor.startswith("cell in") and not self.one_to_one and place != (0, 0):
                continue
            if turned in taken or int(views.played[:, number].sum()) < least:
                continue
            taken.add(turned)
            if tell is not None:
                tell(f"{views.anchor}, {len(result)} rules")
            for rule in self._at(number, least):
                result.setdefault(alike(rule, views.frames), rule)
        return list(result.values())

    def _at(self, number: int, least: int) -> list[Rule]:
        """Return the rules that play at a place."""
        views = self.views
        rows = np.flatnonzero(views.moves[:, number] >= 0)
        played = views.played[rows, number]
        left = np.ones(len(rows), bool)
        """Which rows no rule explains yet."""
        features, conditions = self._features(rows, number)
        result = []
        for _ in range(_MOST_RULES):
            rule, holds = self._grow(number, features, conditions, played, left, least)
            if rule is None:
                break
            result.append(rule)
            left &= ~(holds & played)
            if int((played & left).sum()) < least:
                break
        return result

    def _features(self, rows: Integers, number: int) -> tuple[Truths, list[Condition]]:
        """Return the rows where each condition that a rule for a place could have holds, and the conditions."""
        views, window = self.views, self.window
        columns: list[Truths] = []
        conditions: list[Condition] = []
        for other, place in enumerate(window.places):
            if other == number or (place == (0, 0) and views.anchor != "any cell"):
                continue
            for kind, word in enumerate(WORDS):
                columns.append(views.stands[rows, other] == kind)
                conditions.append((word, (place,)))
        if views.goal is not None:
            columns.append(views.goal[rows, number])
            conditions.append(("goal", (window.places[number],)))
        middle = window.number[0, 0]
        for index, link in enumerate(window.links):
            if not {link.one, link.other} & {middle, number}:
                continue
            name = window.game.board.layers[link.layer].name
            ends: tuple[Offset, ...] = tuple(sorted((window.places[link.one], window.places[link.other])))
            for kind, word in ((POSSIBLE, "possible"), (THERE, "exists")):
                columns.append(views.links[rows, index] == kind)
                conditions.append((f"{name} {word}", ends))
        keep = [k for k, column in enumerate(columns) if 0 < int(column.sum()) < len(rows)]
        chosen = np.array([columns[k] for k in keep]) if keep else np.zeros((0, len(rows)), bool)
        return chosen, [conditions[k] for k in keep]

    def _grow(self, number: int, features: Truths, conditions: list[Condition], played: Truths, left: Truths,
              least: int) -> tuple[Rule | None, Truths]:
        """Grow one rule; return it, or None where it explains too little, with the rows at which it holds."""
        holds = np.ones(len(played), bool)
        chosen: list[int] = []
        while len(chosen) < _MOST_CONDITIONS:
            good = holds & played & left
            all_good, all_bad = int(good.sum()), int((holds & ~played).sum())
            if all_good < least or all_good / (all_good + all_bad) >= _CERTAIN or not len(features):
                break
            goods = features[:, good].sum(axis=1).astype(float)
            bads = features[:, holds & ~played].sum(axis=1).astype(float)
            with np.errstate(divide="ignore", invalid="ignore"):
                gains = goods * (np.log2(goods / (goods + bads)) - np.log2(all_good / (all_good + all_bad)))
            gains[(goods < least) | ~np.isfinite(gains)] = -1
            best = int(np.argmax(gains))
            if gains[best] < _LEAST_GAIN:
                break
            chosen.append(best)
            holds &= features[best]
        seen, hits = int(holds.sum()), int((holds & played).sum())
        new = int((holds & played & left).sum())
        share = (hits + _PRIOR * self._base) / (seen + _PRIOR)
        if new < least or share < 1.5 * self._base:
            return None, holds
        named = tuple(sorted((conditions[k] for k in chosen), key=_order))
        return Rule(self.views.anchor, self.window.places[number], named, seen, hits, share), holds


def _order(condition: Condition) -> tuple[int, str, tuple[Offset, ...]]:
    word, places = condition
    return (WORDS.index(word) if word in WORDS else len(WORDS) + (word != "goal"), word, places)


def alike(rule: Rule, frames: tuple[Frame, ...]) -> object:
    """Return a key that a rule and its turned or mirrored images share."""
    images = []
    for frame in frames:
        conditions = tuple(sorted((word, tuple(sorted(frame.offset(*place) for place in places)))
                                  for word, places in rule.conditions))
        images.append((frame.offset(*rule.play), conditions))
    return rule.anchor, min(images)


def holding(rule: Rule, window: Window, views: Views) -> list[tuple[int, int]]:
    """Return the situations in which a rule proposes a move, with the number of the move; each pair once."""
    number = window.number[rule.play]
    holds = views.moves[:, number] >= 0
    for word, places in rule.conditions:
        if word == "goal":
            holds &= views.goal[:, number] if views.goal is not None else False
        elif len(places) == 1:
            holds &= views.stands[:, window.number[places[0]]] == WORDS.index(word)
        else:
            holds &= _link_holds(word, places, window, views)
    rows = np.flatnonzero(holds)
    return sorted({(int(views.situation[row]), int(views.moves[row, number])) for row in rows})


def _link_holds(word: str, places: tuple[Offset, ...], window: Window, views: Views) -> Truths:
    name, _, kind = word.rpartition(" ")
    wanted = {window.number[place] for place in places}
    for index, link in enumerate(window.links):
        if {link.one, link.other} == wanted and window.game.board.layers[link.layer].name == name:
            result: Truths = views.links[:, index] == (POSSIBLE if kind == "possible" else THERE)
            return result
    raise ValueError(f"the window has no link {word} {places}")
