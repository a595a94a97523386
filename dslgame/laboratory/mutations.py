"""Makes small changes of a game file by its grammar, and selects those that improve the game.

`mutants(source, chance)` yields texts that differ from a file in one place of its parsed declarations: a number, a
comparison, a word replaced by another of its kind, a part of a condition left out, a rule left out or added.
`suggest(...)` checks each text, measures the sound games, and keeps those that end and improve chosen measures.
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable, Iterator, Sequence

import attrs

from dsl.diagnostics import has_errors
from dsl.syntax import rules
from dsl.syntax.parser import parse
from dsl.syntax.source import Source, Span
from dslgame.laboratory.changes import Change, ChangeError, apply
from dslgame.laboratory.identity import digest
from dslgame.laboratory.measures import DEFINITIONS, changes
from dslgame.laboratory.profile import Profile, measure
from interpreter.errors import RuleError
from interpreter.game import Game, examine

_COMPARED = ("=", "!=", "<", "<=", ">", ">=")
_WORDS = (
    ("top", "bottom", "left", "right", "corners", "edges"), ("mine", "theirs", "occupied"),
    ("orthogonals", "diagonals", "directions"), ("north", "east", "south", "west"), ("mover", "opponent"),
)
"""Rows of words that can be replaced by each other."""
_QUANTIFIERS = ("some", "every", "no")
_REMOVABLE = (rules.Illegal, rules.TurnAgain, rules.PieRule, rules.PassRule, rules.ForcedRule, rules.End,
              rules.NoMovesRule, rules.Repetition)
_ADDED = ("pie rule after turn 1", "no moves loses", "no moves draws", "no moves wins", "no moves passes", "pass",
          "repetition draws", "repetition loses")
"""Rules that can be added to any game."""
_UNCHANGED = (rules.GameTitle, rules.Players, rules.Show, rules.Notation, rules.Coordinates, rules.Value,
              rules.SymmetryRule)
"""Declarations that are never changed: they do not affect play, or a change could only make them wrong."""
_GAMES = 60
_MOST_UNFINISHED = 0.02
_LEAST = 1.0
"""The least gain, summed over all goals, in standard errors; a smaller gain may be chance."""
Edit = tuple[Span, str, str]
"""A place in the text, its replacement, and a description of the change for people."""


class GoalError(ValueError):
    """A goal cannot be parsed; the message says what was expected."""


@attrs.frozen
class Goal:
    """A measure that should become larger, smaller, or nearer to a value."""

    name: str
    target: float | None
    """The wanted value; None to make the measure larger, or smaller if `less`."""
    less: bool

    @classmethod
    def of(cls, text: str) -> Goal:
        """Read `balance`, `-draws` or `length=30`. Raises GoalError."""
        name, equals, value = text.strip().partition("=")
        less = name.startswith("-")
        name = name.removeprefix("-")
        if name.partition(":")[0] not in DEFINITIONS:
            from dsl.diagnostics import did_you_mean

            hint = did_you_mean(name, DEFINITIONS)[0] or f"the measures are {', '.join(DEFINITIONS)}"
            raise GoalError(f"there is no measure '{name}'; {hint}")
        try:
            target = float(value) if equals else None
        except ValueError:
            raise GoalError(f"found '{value}' for {name}, expected a number") from None
        return cls(name, target, less)

    def gain(self, before: Profile, after: Profile) -> float:
        """How much nearer to the goal `after` is than `before`, in standard errors; negative where it is farther.

        Between exact values the gain is 10, -10 or 0. Raises KeyError where a profile lacks the measure.
        """
        result = next((item for item in changes(before.measures, after.measures)
                       if item.before.name == self.name), None)
        if result is None:
            raise KeyError(self.name)
        if self.target is None:
            gain = -result.difference if self.less else result.difference
        else:
            gain = abs(result.before.value - self.target) - abs(result.after.value - self.target)
        error = (result.before.error**2 + result.after.error**2) ** 0.5
        return gain / error if error else 10.0 * ((gain > 0) - (gain < 0))


@attrs.frozen
class Suggestion:
    """A changed file that improves the goals."""

    source: Source
    changes: tuple[str, ...]
    """Descriptions of the changes, in the order in which they were made."""
    profile: Profile
    score: float
    """The sum of the gains of all goals, in standard errors."""

    def diff(self, original: Source) -> str:
        """The change as a unified diff."""
        return "".join(difflib.unified_diff(original.text.splitlines(keepends=True),
                                            self.source.text.splitlines(keepends=True), original.name, "changed"))


# ---- changes


def mutants(source: Source, chance: random.Random) -> Iterator[tuple[Source, str]]:
    """Yield each text that differs from the file by one change once, in random order, with a description."""
    edits = [*_edits(source)]
    texts: list[tuple[Source, str]] = [(_edited(source, span, text), about) for span, text, about in edits]
    for rule in _ADDED:
        try:
            texts.append((apply(source, Change.of(rule)), f"with '{rule}'"))
        except ChangeError:  # a file that has no such declarations to exchange
            continue
    chance.shuffle(texts)
    seen = {source.text}
    for result, about in texts:
        if result.text not in seen:
            seen.add(result.text)
            yield result, about


def _edits(source: Source) -> Iterator[Edit]:
    """Yield the edits of one place in the declarations of a file."""
    for declaration in parse(source).file.declarations:
        if isinstance(declaration, _UNCHANGED):
            continue
        if isinstance(declaration, _REMOVABLE):
            yield declaration.span, "", f"without '{_line(source, declaration.span)}'"
        if isinstance(declaration, rules.End) and declaration.player is not None:
            yield from _word(source, declaration.span, declaration.kind,
                             "lose" if declaration.kind == "win" else "win")
        for node in rules.walk(declaration):
            if isinstance(node, rules.Node):
                yield from _edits_of(source, node)


def _edits_of(source: Source, node: rules.Node) -> Iterator[Edit]:
    line = node.span.line
    match node:
        case rules.Number():
            for value in (node.value - 1, node.value + 1):
                if value >= 0:
                    yield node.span, str(value), f"{node.value} to {value} on line {line}"
        case rules.Name():
            for row in _WORDS:
                if node.text in row:
                    for word in row:
                        if word != node.text:
                            yield node.span, word, f"{node.text} to {word} on line {line}"
        case rules.Compare():
            between = _between(node.left.span, node.right.span)
            for sign in _COMPARED:
                if sign != node.operator:
                    yield between, f" {sign} ", f"{node.operator} to {sign} on line {line}"
        case rules.AllOf() | rules.AnyOf():
            one, other = ("and", "or") if isinstance(node, rules.AllOf) else ("or", "and")
            first, second = node.operands[0].span, node.operands[1].span
            if len(node.operands) == 2:
                yield _between(first, second), f" {other} ", f"{one} to {other} on line {line}"
            yield first.to(second), _text(source, second), f"without a part of a condition on line {line}"
        case rules.Quantifier():
            if node.kind in _QUANTIFIERS:
                for kind in _QUANTIFIERS:
                    if kind != node.kind:
                        yield from _word(source, node.span, node.kind, kind)


def _word(source: Source, span: Span, word: str, other: str) -> Iterator[Edit]:
    """Yield the replacement of the word that a span begins with, if it begins with that word."""
    if _text(source, span).startswith(word):
        begin = Span.at(span.line, span.column, len(word))
        yield begin, other, f"{word} to {other} on line {span.line}"


def _between(first: Span, second: Span) -> Span:
    return Span(first.end_line, first.end_column, second.line, second.column)


def _line(source: Source, span: Span) -> str:
    return " ".join(source.line(span.line).partition("#")[0].split())


def _offset(source: Source, line: int, column: int) -> int:
    return sum(len(row) + 1 for row in source.lines[:line - 1]) + column - 1


def _text(source: Source, span: Span) -> str:
    return source.text[_offset(source, span.line, span.column):_offset(source, span.end_line, span.end_column)]


def _edited(source: Source, span: Span, text: str) -> Source:
    begin, end = (_offset(source, *place) for place in ((span.line, span.column), (span.end_line, span.end_column)))
    return Source(source.name, source.text[:begin] + text + source.text[end:])


# ---- choosing


def sound(source: Source, params: dict[str, int]) -> Game | None:
    """The game of a text if static checks find no error and it is for two players; else None."""
    parsed = parse(source)
    if has_errors(parsed.diagnostics):
        return None
    game, result = examine(source, params)
    return None if game is None or has_errors(result) or len(game.players) != 2 else game


def suggest(source: Source, params: dict[str, int], goals: Sequence[Goal], *, count: int = 100, generations: int = 2,
            best: int = 3, games: int = _GAMES, seed: int = 0, told: Callable[[str], None] | None = None
            ) -> tuple[Profile, list[Suggestion]]:
    """Return the profile of a file, and the `best` suggestions of `count` changed games that are measured.

    The games are divided among `generations`; each generation changes the best files of the one before. A game is kept
    if its rules differ from those seen before, no rule fails, it ends, no move, forced rule or piece is dead that was
    not dead before, and the goals improve in sum, none of them significantly worse. The same seed gives the same
    suggestions. Raises KeyError for a goal that random games do not measure, ValueError where the file is not a game
    for two.
    """
    original = sound(source, params)
    if original is None:
        raise ValueError(f"{source.name} is no game of two players that can be changed: check it first")
    chance = random.Random(seed)
    before = measure(original, games=games, levels=(), seed=seed)
    for goal in goals:
        goal.gain(before, before)
    seen = {digest(original)}
    kept: list[Suggestion] = []
    parents: list[tuple[Source, tuple[str, ...]]] = [(source, ())]
    for generation in range(generations):
        left = count // generations
        turns = [mutants(parent, chance) for parent, _ in parents]
        while left > 0 and turns:
            number = left % len(turns)
            result = next(turns[number], None)
            if result is None:
                del turns[number], parents[number]
                continue
            game = _new(result[0], params, seen)
            if game is None:
                continue
            left -= 1
            if told is not None:
                told(f"generation {generation + 1}, {left} left, {len(kept)} kept")
            suggestion = _measured(game, result[0], (*parents[number][1], result[1]), before, goals, games, seed)
            if suggestion is not None:
                kept.append(suggestion)
        kept.sort(key=lambda item: -item.score)
        parents = [(item.source, item.changes) for item in kept[:best]] or [(source, ())]
    return before, [item for item in kept if _holds_in_play(item)][:best]


def _new(source: Source, params: dict[str, int], seen: set[str]) -> Game | None:
    """The game of a changed file, or None if it is not sound, was seen before, or is over at its start."""
    game = sound(source, params)
    if game is None or (key := digest(game)) in seen:
        return None
    seen.add(key)
    return None if game.start().over else game


def _measured(game: Game, source: Source, made: tuple[str, ...], before: Profile, goals: Sequence[Goal], games: int,
              seed: int) -> Suggestion | None:
    """Measure a changed game; None unless it is kept (see `suggest`)."""
    try:
        if len(game.start().legal()) < 2:
            return None
        after = measure(game, games=games, levels=(), seed=seed)
    except RuleError:
        return None
    dead = {use.name for use in before.dead}
    newly = [use for use in after.dead if use.what != "end" and use.name not in dead]
    if after.value("unfinished") > _MOST_UNFINISHED or newly:
        return None
    try:
        gains = [goal.gain(before, after) for goal in goals]
    except KeyError:  # the changed game lacks the measure, such as one of forced rules
        return None
    score = sum(max(-10.0, min(10.0, gain)) for gain in gains)
    if score < _LEAST or min(gains) < -2:
        return None
    return Suggestion(source, made, after, score)


def _holds_in_play(item: Suggestion) -> bool:
    """Whether the dynamic checks, which play the game, find no error in it."""
    from interpreter.analysis.dynamic_checks import try_out

    return not has_errors(try_out(item.profile.game))
