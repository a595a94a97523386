"""Resolves patterns: from rule objects to their meaning for a game.

`resolve_patterns` takes a parsed file, the game's rules and the world of its names. Words such as `own` stand for sets
of the game's language, places for bound cells. All mistakes are reported; no text of a user raises an exception.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from dsl import hir
from dsl.diagnostics import DECLARED, Diagnostic, did_you_mean, error
from dsl.patterns import rules as pattern_rules
from dsl.patterns.meaning import (
    OF_THE_GAME,
    TURNS,
    Chain,
    Offset,
    Predicate,
    Proposal,
    Resolved,
    ResolvedPattern,
    Start,
    Test,
)
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope, World
from dsl.resolve.sorts import CELL, CELLS, Integer, Sort
from dsl.syntax import rules
from dsl.syntax.source import NOWHERE, Span
from dsl.words import WORDS

_SETS = {"own": "mine", "enemy": "theirs"}
"""Words of patterns that have other names in the game's language."""
GOAL = "goal"


def resolve_patterns(file: pattern_rules.PatternFile, result: hir.Rules,
                     world: World) -> tuple[Resolved, list[Diagnostic]]:
    """Resolve a file for a game: its patterns, and the mistakes found."""
    before = len(world.diagnostics)
    resolver = _Resolver(file, result, world)
    resolved = resolver.run()
    return resolved, [*resolver.diagnostics, *map(_in_this_file, world.diagnostics[before:])]


def _in_this_file(item: Diagnostic) -> Diagnostic:
    """A diagnostic without the labels that point to declarations, which are in the game's file."""
    return attrs.evolve(item, labels=tuple(label for label in item.labels if label.text != DECLARED))


def chains_of(result: hir.Rules) -> tuple[Chain, ...]:
    """The networks that each player wins by joining, with the cells through which the game's distances let them grow.
    """
    distances = [part for part in hir.walk_rules(result)
                 if isinstance(part, hir.Apply) and part.function == "distance"]
    chains: dict[Chain, None] = {}
    for end in result.ends:
        if end.kind != "win":
            continue
        for part in hir.walk(end.condition.term):
            if not (isinstance(part, hir.Apply) and WORDS[part.function].joins):
                continue
            network, *sides = part.arguments
            extra: hir.Expr = hir.CellsOf((0,), sort=CELLS, span=NOWHERE)
            for other in distances:
                if other.arguments[0] == network and all(side in sides for side in other.arguments[1:3]):
                    extra = other.arguments[3]
            if isinstance(end.player, hir.Literal) and end.player.value is not None:
                players: Sequence[int] = (end.player.value,)
            else:
                players = range(len(result.players))
            chains.update({Chain(player, network, tuple(sides), extra): None for player in players})
    return tuple(chains)


class _Resolver:
    def __init__(self, file: pattern_rules.PatternFile, result: hir.Rules, world: World) -> None:
        self.file, self.rules, self.world = file, result, world
        self.diagnostics: list[Diagnostic] = []
        self.predicates: dict[Predicate, int] = {}
        self.starts: dict[Start, int] = {}
        self.chains = chains_of(result)
        self.turns = OF_THE_GAME

    def run(self) -> Resolved:
        anchors: dict[str, pattern_rules.Anchor] = {}
        group = ""
        patterns: list[ResolvedPattern] = []
        if self.file.form == pattern_rules.CLASSIC:
            toward = pattern_rules.Toward("", span=NOWHERE)
            anchors = {kind: pattern_rules.ChainEnd(toward, side, span=NOWHERE)
                       for kind, side in (("offensive", "own"), ("defensive", "enemy"))}
            self._classic(next(self.file.patterns()).span)
        for line in self.file.lines:
            match line:
                case pattern_rules.PatternsFor(title=str(title)) if title != self.rules.title:
                    self._error("G608", f"the patterns are for \"{title}\", and the game is \"{self.rules.title}\"",
                                line.span, *did_you_mean(title, [self.rules.title]))
                case pattern_rules.Symmetries():
                    self._symmetries(line)
                case pattern_rules.AnchorLine(kind=kind, anchor=anchor):
                    anchors.update(dict.fromkeys([kind] if kind else ("offensive", "defensive"), anchor))
                case pattern_rules.Group(name=name):
                    group = name
                case pattern_rules.Pattern():
                    pattern = self._pattern(line, line.anchor or anchors.get(line.kind), group, len(patterns))
                    if pattern is not None:
                        patterns.append(pattern)
        return Resolved(self.file.source, tuple(self.starts), tuple(self.predicates), tuple(patterns), self.chains,
                        self.turns)

    def _error(self, code: str, phrase: str, span: Span, help: str = "", suggestion: str = "") -> None:
        self.diagnostics.append(error(code, phrase, span, help=help, suggestion=suggestion))

    def _classic(self, span: Span) -> None:
        """Report a classic file with link tests for a game that has not exactly one kind of link."""
        asks = any(isinstance(line, pattern_rules.LinkTest) for pattern in self.file.patterns()
                   for line in pattern.statements)
        if asks and len(self.rules.layers) != 1:
            self._error("G607", f"classic patterns need a game with one kind of link, found {len(self.rules.layers)}",
                        span)

    def _symmetries(self, line: pattern_rules.Symmetries) -> None:
        phrase = " ".join(word.text for word in line.phrase)
        if phrase not in TURNS:
            self._error("G614", f"unknown symmetries '{phrase}', expected {', '.join(TURNS)}",
                        line.phrase[0].span.to(line.phrase[-1].span), *did_you_mean(phrase, TURNS))
        self.turns = phrase

    # ---- where patterns begin

    def _start(self, anchor: pattern_rules.Anchor) -> int | None:
        side = getattr(anchor, "side", "")
        toward = "" if anchor.toward is None else anchor.toward.side or side
        if anchor.toward is not None and not toward:
            self._error("G607", "it is not said whose goal, expected 'toward own goal' or 'toward enemy goal'",
                        anchor.toward.span)
            return None
        if toward and not self.chains:
            span = anchor.span if anchor.toward is None or anchor.toward.span == NOWHERE else anchor.toward.span
            self._error("G607", "the game has no goals to head for: nobody wins by joining sides", span,
                        "leave out 'toward goal', and begin for instance at: own piece")
            return None
        cells: hir.Expr | None = None
        match anchor:
            case pattern_rules.PieceAnchor():
                cells = hir.Owned(side == "own", sort=CELLS, span=anchor.span)
            case pattern_rules.AnyCell():
                cells = ExprResolver(self.world, Scope()).cells(rules.Name("cells", span=anchor.span))
            case pattern_rules.CellIn(cells=node):
                cells = ExprResolver(self.world, Scope()).cells(node)
        chain_of = side if isinstance(anchor, pattern_rules.ChainEnd) else ""
        return self.starts.setdefault(Start(cells, chain_of, toward), len(self.starts))

    # ---- patterns

    def _pattern(self, line: pattern_rules.Pattern, anchor: pattern_rules.Anchor | None, group: str,
                 number: int) -> ResolvedPattern | None:
        plays = [part for part in line.statements if isinstance(part, pattern_rules.Play)]
        for extra in plays[1:]:
            self._error("G602", f"a second move in the pattern '{line.name}', expected exactly one", extra.span,
                        "a pattern proposes one move: write another pattern for this one")
        if not plays and not line.spoilt:
            example = "Set 2 1" if self.file.form == pattern_rules.CLASSIC else "play (2, 1)"
            self._error("G603", f"the pattern '{line.name}' proposes no move, expected one", line.span,
                        f"for instance: {example}")
        if anchor is None:
            self._error("G607", f"it is not said where the pattern '{line.name}' begins, expected an anchor above it",
                        line.span, "for instance: anchor own piece")
        start = None if anchor is None else self._start(anchor)
        tests = [test for part in line.statements for test in self._tests(part)]
        outside = tuple(_offset(place) for part in line.statements if isinstance(part, pattern_rules.Outside)
                        for place in part.places)
        play = self._play(plays[0]) if len(plays) == 1 else None
        if start is None or play is None or None in tests:
            return None
        return ResolvedPattern(line, number, group, start, line.priority or 0,
                               tuple(test for test in tests if test is not None), outside, play)

    def _tests(self, line: pattern_rules.Statement) -> Iterator[Test | None]:
        match line:
            case pattern_rules.Holds():
                for place in line.places:
                    sets = [rules.Name(_SETS.get(word.text, word.text), span=word.span) for word in line.words]
                    parts = [rules.IsIn(_name(place), each, line.negated, span=line.span) for each in sets]
                    whole = parts[0] if len(parts) == 1 else (
                        rules.AllOf(tuple(parts), span=line.span) if line.negated
                        else rules.AnyOf(tuple(parts), span=line.span))
                    yield self._test(whole)
            case pattern_rules.LinkTest():
                yield self._link(line)
            case pattern_rules.Condition(expression=expression):
                yield self._test(expression)

    def _link(self, line: pattern_rules.LinkTest) -> Test | None:
        layer = line.layer
        if self.file.form == pattern_rules.CLASSIC:
            if len(self.rules.layers) != 1:
                return None
            layer = rules.Name(self.rules.layers[0].name, span=layer.span)
        if layer.text not in self.world.layers:
            self.world.unknown(layer, iter(self.world.layers), "kind of link")
            return None
        if len(line.places) == 1 and not line.exists:
            self._error("G101", "found one place, expected the two ends of the link", line.span,
                        f"write: {layer.text} possible (0, 0) (1, 2)")
            return None
        if len(line.places) == 2:
            one, other = sorted(line.places, key=_offset)
            node: rules.Expression = _call("linked" if line.exists else "free", (_name(one), _name(other), layer), line)
        else:
            node = rules.SetTest("some", _call("linked_to", (_name(line.places[0]), layer), line), span=line.span)
        return self._test(rules.Negation(node, span=line.span) if line.negated else node)

    # ---- predicates

    def _term(self, node: rules.Expression, wanted: Sort | None) -> tuple[Predicate, tuple[Offset, ...]]:
        """Resolve an expression to a predicate (or a value) and the places that it refers to."""
        texts = dict.fromkeys(part.text for part in rules.walk(node)
                              if isinstance(part, rules.Name) and part.text.startswith("("))
        asks_goal = any(isinstance(part, rules.Name) and part.text == GOAL for part in rules.walk(node))
        scope = Scope()
        for slot, text in enumerate(texts):
            scope.names[text] = hir.Local(slot, f"place {slot + 1}", sort=CELL, span=node.span)
        if asks_goal:
            scope.names[GOAL] = hir.Local(len(texts), GOAL, sort=CELLS, span=node.span)
        scope.counter[0] = len(texts) + asks_goal
        terms = ExprResolver(self.world, scope)
        before = len(self.world.diagnostics)
        term = terms.condition(node) if wanted is None else terms.value(node, wanted)
        for item in self.world.diagnostics[before:]:  # an unknown word may be a misspelt word of patterns
            if item.code == "G203" and not item.suggestion:
                word = item.phrase.rpartition("'")[0].rpartition("'")[2]
                help_text, suggestion = did_you_mean(word, ("own", "enemy", GOAL))
                if suggestion:
                    place = self.world.diagnostics.index(item)
                    self.world.diagnostics[place] = attrs.evolve(item, help=help_text, suggestion=suggestion)
        return (Predicate(term, len(texts), asks_goal, scope.slots), tuple(_parsed(text) for text in texts))

    def _number(self, predicate: Predicate) -> int:
        return self.predicates.setdefault(predicate, len(self.predicates))

    def _test(self, node: rules.Expression) -> Test | None:
        before = len(self.world.diagnostics)
        predicate, places = self._term(node, None)
        if len(self.world.diagnostics) > before:
            return None
        return Test(self._number(predicate), places)

    # ---- moves

    def _play(self, line: pattern_rules.Play) -> Proposal | None:
        result = self.rules.moves
        names = [move.name for move in result]
        if line.move is not None and line.move.text not in names:
            self._error("G611", f"the game has no move '{line.move.text}', expected {' or '.join(names)}",
                        line.move.span, *did_you_mean(line.move.text, names))
            return None
        candidates = [number for number, move in enumerate(result) if line.move is None or move.name == line.move.text]
        sorts = {number: list(_chosen(result[number])) for number in candidates}
        fitting = [number for number in candidates if len(sorts[number]) == len(line.arguments)
                   and (line.move is not None or all(_takes_place(sort) for sort in sorts[number]))]
        given = len(line.arguments)
        if not fitting:
            shapes = [f"{result[number].name}({', '.join(name for name, _ in _names(result[number]))})"
                      for number in candidates]
            self._error("G611", f"no move takes {given} value{'s' * (given != 1)} like these, expected "
                        f"{' or '.join(shapes)}", line.span)
            return None
        if len(fitting) > 1 and line.move is None:
            self._error("G611", f"{given} place{'s' * (given != 1)} can be given to the moves "
                        f"{', '.join(names[number] for number in fitting)}, expected the name of one", line.span,
                        f"for instance: play {names[fitting[0]]}({', '.join(_shown(a) for a in line.arguments)})")
            return None
        rule = fitting[0]
        values: list[Test] = []
        before = len(self.world.diagnostics)
        for node, sort in zip(line.arguments, sorts[rule], strict=True):
            if isinstance(node, rules.Name) and node.text.startswith("(") and isinstance(sort, Integer):
                node = rules.Member(node, rules.Name(sort.role, span=node.span), span=node.span)
            predicate, places = self._term(node, sort)
            values.append(Test(self._number(predicate), places))
        if len(self.world.diagnostics) > before:
            return None
        named = [place for value in values for place in value.places]
        if not named:
            self._error("G611", "the move names no place, expected one such as (0, 1)", line.span)
            return None
        return Proposal(rule, tuple(values), tuple(_together(result[rule])), named[0])


def _choices(move: hir.Move) -> Iterator[hir.Choice]:
    """The choices of a move, including those of `then`."""
    yield from move.choices
    last = move.body[-1] if move.body else None
    while isinstance(last, hir.Then):
        yield from last.choices
        last = last.body[-1] if last.body else None


def _names(move: hir.Move) -> Iterator[tuple[str, Sort]]:
    for choice in _choices(move):
        sort = CELL if choice.domain.sort == CELLS else getattr(choice.domain.sort, "element", choice.domain.sort)
        for name in choice.names:
            yield name, sort


def _chosen(move: hir.Move) -> Iterator[Sort]:
    return (sort for _, sort in _names(move))


def _together(move: hir.Move) -> Iterator[tuple[int, ...]]:
    """The positions of values that are chosen together."""
    place = 0
    for choice in _choices(move):
        if len(choice.names) > 1:
            yield tuple(range(place, place + len(choice.names)))
        place += len(choice.names)


def _takes_place(sort: Sort) -> bool:
    return sort == CELL or (isinstance(sort, Integer) and sort.role != "")


def _offset(place: pattern_rules.Place) -> Offset:
    return place.across, place.ahead


def _parsed(text: str) -> Offset:
    across, ahead = text.strip("()").split(", ")
    return int(across), int(ahead)


def _shown(node: rules.Expression) -> str:
    return node.text if isinstance(node, rules.Name) else "..."


def _name(place: pattern_rules.Place) -> rules.Name:
    return rules.Name(place.text, span=place.span)


def _call(name: str, arguments: Sequence[rules.Expression], line: pattern_rules.Line) -> rules.Call:
    given = tuple(rules.Argument(item, None, None, span=item.span) for item in arguments)
    return rules.Call(rules.Name(name, span=line.span), given, span=line.span)


__all__ = ["chains_of", "resolve_patterns"]
