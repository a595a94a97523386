"""Declares definitions and resolves them once, so that a mistake is reported even where nothing uses them.

Each use of a definition inlines its body anew (`dsl.resolve.uses`). Here each body is resolved once with parameters of
open sorts, which finds unknown names and mistakes that hold for any call. For each parameter of an unused definition it
is then tried whether any sort fits. `dsl.resolve.declarations` calls this.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import attrs

from dsl.boards.borders import BORDER, VERTEX
from dsl.diagnostics import Diagnostic, Label, error, warning
from dsl.resolve.effects import ABOUT_SORTS
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.functions import means_something
from dsl.resolve.scope import DefinitionName, Scope, World
from dsl.resolve.sorts import (
    ANY_INTEGER,
    BOOLEAN,
    CELL,
    CELLS,
    COURSE,
    DIRECTION,
    LAYER,
    NETWORK,
    OPEN,
    PIECE,
    PLAYER,
    UNKNOWN,
    SetOf,
    Sort,
)
from dsl.resolve.uses import MAX_EXPANDED_WORDS
from dsl.syntax import rules
from dsl.syntax.builder import MAX_NAMES
from dsl.syntax.foreign_syntax import CASES
from dsl.words import CALLED

MAX_MISSING = 8
"""The maximum number of missing cases named in a message."""


def declare_definitions(world: World, items: Sequence[rules.Definition]) -> None:
    """Fill the world's table of definitions, resolve each body, and report its mistakes that hold for any call."""
    for item in items:
        known = world.definitions.get(item.name.text)
        if known is not None and item.case is not None and known.bodies[0].case is not None:
            if len(known.bodies) >= MAX_NAMES:
                world.report(error("G008", f"'{item.name.text}' has more than {MAX_NAMES} cases", item.span))
            elif len(item.parameters) != len(known.bodies[0].parameters):
                phrase = f"the cases of '{item.name.text}' take different numbers of parameters"
                world.report(error("G216", phrase, item.span, labels=[Label(known.span, "the first case")]))
                known.unsound = True
            else:
                known.bodies.append(item)
        elif world.declare(item.name, "definition"):
            _check_name(world, item.name)
            world.definitions[item.name.text] = DefinitionName(item.name.text, item.name.span, [item])
    for definition in world.definitions.values():
        before = len(world.reported)
        _check_cases(world, definition)
        for body in definition.bodies:
            _read(world, definition, body, {})
        if len(world.reported) > before:
            definition.unsound = True


def _check_name(world: World, name: rules.Name) -> None:
    """Warn of a definition with the name of a function, which can then not be called any more."""
    function = CALLED.get(name.text)
    if function is None or not means_something(function, world):
        return
    between = BORDER, VERTEX
    of_places = bool(function.gives or function.of_vertex)
    if of_places and not any(kind.index in between for kind in world.variable_kinds):
        return  # nothing is kept on the borders or vertices of this game, so that the function is not needed
    phrase = f"'{name.text}' hides the function {function.example}, expected another name"
    world.report(warning("G244", phrase, name.span,
                         help=f"in this file '{name.text}' now means the definition everywhere"))


def _check_cases(world: World, definition: DefinitionName) -> None:
    """Report cases that are no constants or of different sorts, duplicate ones, and constants without a case."""
    cases = [body for body in definition.bodies if body.case is not None]
    if not cases:
        return
    seen: set[str] = set()
    sorts: set[Sort] = set()
    for body in cases:
        covered = set(_covered(world, body))
        if covered & seen:
            world.report(error("G201", f"the case {definition.name}[{body.case_text}] is already defined",
                               body.case.span if body.case is not None else body.span))
        seen |= covered
        sorts.add(_sort_of_case(world, body, next(iter(sorts - {UNKNOWN}), None)))
    if definition.unsound or UNKNOWN in sorts or world.doubtful("define"):
        return
    missing = []
    for name in _constants(world)[sorts.pop()]:
        lacking = [case for case in _cases_of(world, name) if case not in seen]
        missing += [name] if len(lacking) == len(list(_cases_of(world, name))) else lacking
    if missing:
        phrase = f"'{definition.name}' has no case for {', '.join(missing[:MAX_MISSING])}"
        more = len(missing) - MAX_MISSING
        world.report(error("G228", f"{phrase} and {more} more" if more > 0 else phrase, definition.span,
                           help=f"add: define {definition.name}[{missing[0]}] = ..."))


def _constants(world: World) -> dict[Sort, Collection[str]]:
    """The names of all constants of each sort that cases can be for."""
    words: dict[Sort, Collection[str]] = {kind: kind.values for kind in world.enumerations.values()}
    return {PLAYER: world.players, PIECE: world.piece_names, DIRECTION: world.board.directions,
            CELL: world.graph_cells, **words}


def _sort_of_case(world: World, body: rules.Definition, expected: Sort | None) -> Sort:
    """The sort of the constant that a case is for; unknown, with an error, where it is none or of another sort."""
    assert body.case is not None
    term = ExprResolver(world, Scope(in_end=True)).case(body.case)
    if term.sort == UNKNOWN:
        return UNKNOWN
    sort: Sort = PIECE if term.sort == SetOf(PIECE) else term.sort
    name = body.case.name.text if isinstance(body.case, rules.Index) else body.case.text
    constant = name in _constants(world).get(sort, ()) and body.case_text in (name, *_cases_of(world, name))
    if constant and expected in (None, sort):
        return sort
    phrase = f"found a {sort}, expected a {expected} as in the first case" if expected not in (None, sort) else \
             f"'{body.case_text}' is no constant, expected the name of one"
    world.report(error("G206", phrase, body.case.span, help=CASES))
    return UNKNOWN


def _cases_of(world: World, name: str) -> Iterator[str]:
    """The cases of a name; for a piece of each player, one for every player."""
    piece = world.piece_names.get(name)
    if piece is None or piece.by_player is None:
        yield name
    else:
        yield from (f"{name}[{player}]" for player in world.players)


def _covered(world: World, body: rules.Definition) -> Iterator[str]:
    if isinstance(body.case, rules.Index):
        yield body.case_text
    else:
        yield from _cases_of(world, body.case_text)


# ---- bodies by themselves


def _read(world: World, definition: DefinitionName, body: rules.Definition, sorts: dict[str, Sort]) -> None:
    """Resolve a body with parameters of open sorts except those in `sorts`."""
    scope = Scope(expanding=(definition.name,), in_end=True)
    terms = ExprResolver(world, scope)
    for parameter in body.parameters:
        scope.bind(parameter, sorts.get(parameter.text, OPEN), world)
    term = terms.value(body.body)
    if world.notes is not None:
        world.notes.bind(definition.span, term.sort)


def check_unused(world: World) -> None:
    """Report parameters of unused definitions that no sort fits: no call could be correct."""
    for definition in world.definitions.values():
        if definition.unsound or definition.name in world.used:
            continue
        for body in definition.bodies:
            for parameter in body.parameters:
                result = _misfits(world, definition, body, parameter)
                for item in result:
                    label = Label(parameter.span, f"nothing that '{parameter.text}' could be fits everywhere")
                    world.report(attrs.evolve(item, labels=(label,)))


def _misfits(world: World, definition: DefinitionName, body: rules.Definition,
             parameter: rules.Name) -> Sequence[Diagnostic]:
    """The errors of a body for the sort of a parameter that fits best; () where one fits."""
    best: Sequence[Diagnostic] = ()
    for sort in _sorts(world):
        trial = attrs.evolve(world, diagnostics=[], reported=set(), used=set(), notes=None)
        _read(trial, definition, body, {parameter.text: sort})
        world.expanded = trial.expanded  # the total length of all trials is bounded like that of all uses
        result = [item for item in trial.diagnostics if item.code in ABOUT_SORTS]
        if not result or world.expanded > MAX_EXPANDED_WORDS:
            return ()
        if not best or len(result) < len(best):
            best = result
    return best


def _sorts(world: World) -> Iterator[Sort]:
    """The possible sorts of an argument, the likely ones first."""
    yield from (CELL, CELLS, ANY_INTEGER, PLAYER, PIECE, DIRECTION, BOOLEAN)
    yield from world.enumerations.values()
    yield from map(SetOf, (PLAYER, PIECE, DIRECTION, ANY_INTEGER, BOOLEAN, *world.enumerations.values()))
    if world.layers or world.tiles or BORDER in world.enumerations:
        yield from (LAYER, NETWORK)
    if world.courses:
        yield COURSE
