"""The occurrences of all names in a game file, each with its meaning.

The resolver gives the meanings of bound names (`dsl.resolve.notes`); declared names are those of the file's world.
`occurrences` walks through the rule objects whatever their classes: a new kind of declaration needs no change here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import Enum
from functools import cache, lru_cache

import attrs

from dsl.boards import KINDS
from dsl.resolve.notes import Notes
from dsl.resolve.scope import BUILTIN_VALUES, TILE_VALUES, World
from dsl.syntax import rules
from dsl.syntax.source import Span
from dsl.words import CALLED


class NameKind(Enum):
    """The kind of a name."""

    PARAM = "param"
    PLAYER = "player"
    PIECE = "piece"
    VARIABLE = "variable"
    DEFINITION = "definition"
    EFFECT = "effect"
    MOVE = "move"
    VALUES = "values"
    VALUE = "value"
    LAYER = "kind of link"
    TRACK = "track"
    CELL = "cell"
    RULE = "rule"
    """A rule whose name is never referred to, such as a forced rule."""
    LOCAL = "chosen name"
    FUNCTION = "function"
    BUILTIN = "name of every game"
    WORD = "word"
    UNKNOWN = "unknown name"


@attrs.frozen
class Meaning:
    """The meaning of a name, equal for all its occurrences."""

    kind: NameKind
    text: str
    place: Span | None = None
    """Where a bound name is bound; None for all other names."""

    @property
    def own(self) -> bool:
        """Whether the file declares or binds it, so that it can be renamed."""
        return self.kind not in (NameKind.FUNCTION, NameKind.BUILTIN, NameKind.WORD, NameKind.UNKNOWN)


@attrs.frozen
class Occurrence:
    """An occurrence of a name."""

    meaning: Meaning
    span: Span
    declares: bool
    """Whether the name is declared or bound here."""
    sort: str = ""
    """The sort of a bound name or a definition as a text; '' where it is not known."""


_PLAIN_WORDS = frozenset({"words", "phrase", "result", "time", "drawn", "way"})
"""Fields of rule objects in which names that the file does not declare are words of the language."""
_FIELD = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def occurrences(declarations: tuple[rules.Declaration, ...], notes: Notes,
                reported: Collection[Span] = ()) -> list[Occurrence]:
    """The occurrences of all names in a file, in source order; `reported` are the places of errors."""
    world = notes.world or World()
    moves = {item.name.text for item in declarations if isinstance(item, rules.MoveRule)}
    result: dict[Span, Occurrence] = {}
    for declaration in declarations:
        for owner, field, name in _names(declaration):
            meaning, declares = _meaning(owner, field, name, world, notes, moves)
            if meaning.kind is NameKind.WORD and name.span in reported:
                meaning = Meaning(NameKind.UNKNOWN, name.text)
            sort = notes.sorts.get(meaning.place or world.declared.get(name.text, name.span))
            result.setdefault(name.span, Occurrence(meaning, name.span, declares, "" if sort is None else str(sort)))
    for item in declarations:
        if isinstance(item, rules.Notation):
            for occurrence in _in_templates(item, declarations, world, notes):
                result.setdefault(occurrence.span, occurrence)
    return sorted(result.values(), key=lambda item: (item.span.line, item.span.column))


def _names(node: rules.Node) -> Iterator[tuple[rules.Node, str, rules.Name]]:
    """Yield every name inside a node, with the node and the field that hold it."""
    for field in _fields(type(node)):  # type: ignore[arg-type]  # mypy takes a class for one of its objects
        waiting = [getattr(node, field)]
        while waiting:
            value = waiting.pop()
            if isinstance(value, tuple):
                waiting += reversed(value)
            elif isinstance(value, rules.Name):
                yield node, field, value
            elif isinstance(value, rules.Node):
                yield from _names(value)


@cache
def _fields(kind: type[rules.Node]) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind) if field.name not in ("span", "source"))


def _meaning(owner: rules.Node, field: str, name: rules.Name, world: World, notes: Notes,
             moves: set[str]) -> tuple[Meaning, bool]:
    """The meaning of a name in a field of a node, and whether it is declared there."""
    text, span = name.text, name.span
    if span in notes.uses:
        return Meaning(NameKind.LOCAL, text, notes.uses[span]), False
    if span in notes.words:
        return Meaning(NameKind.BUILTIN, text), False
    kind = declared_kind(text, world)
    if isinstance(owner, rules.MoveRule) and field == "name":
        return Meaning(NameKind.MOVE, text), True
    if field in ("move", "moves") and text in moves:
        return Meaning(NameKind.MOVE, text), False
    if isinstance(owner, (rules.EffectRule, rules.Perform)) and field == "name" and text in world.effects:
        return Meaning(NameKind.EFFECT, text), world.effects[text].name.span == span
    if isinstance(owner, rules.Call) and field == "name" and text in CALLED and text not in world.definitions:
        return Meaning(NameKind.FUNCTION, text), False
    directional = isinstance(owner, rules.Member) and field == "name" and (
        text in world.board.directions or text in ("row", "column"))
    if kind is not None and not directional and not (field in _PLAIN_WORDS and kind is not NameKind.PIECE):
        return Meaning(kind, text), span == world.declared.get(text)
    if span in notes.sorts:
        return Meaning(NameKind.LOCAL, text, span), True
    if text in world.graph_cells:
        return Meaning(NameKind.CELL, text), False
    if field in _PLAIN_WORDS:
        return Meaning(NameKind.WORD, text), False
    if text in builtin_names() or directional:
        return Meaning(NameKind.BUILTIN, text), False
    if isinstance(owner, rules.Declaration) and field == "name":
        return Meaning(NameKind.RULE, text), True
    return Meaning(NameKind.FUNCTION if text in CALLED else NameKind.WORD, text), False


def declared_kind(text: str, world: World) -> NameKind | None:
    """The kind of a name that the file declares; None for any other name."""
    tables = (
        (NameKind.PARAM, world.params), (NameKind.PLAYER, world.players), (NameKind.PIECE, world.piece_names),
        (NameKind.VARIABLE, world.variables), (NameKind.DEFINITION, world.definitions), (NameKind.VALUE, world.words),
        (NameKind.LAYER, world.layers), (NameKind.TRACK, world.courses),
    )
    for kind, table in tables:
        if text in table:
            return kind
    if text in world.declared:
        return NameKind.VALUES if text in world.enumerations else NameKind.UNKNOWN
    return None


@lru_cache(maxsize=1)
def builtin_names() -> frozenset[str]:
    """The names that games have on some board without declaring them."""
    boards = (word for kind in KINDS.values() for word in kind.words)
    return frozenset((*BUILTIN_VALUES, *TILE_VALUES, "rows", "columns", "row", "column", *boards))


def _in_templates(notation: rules.Notation, declarations: tuple[rules.Declaration, ...], world: World,
                  notes: Notes) -> Iterator[Occurrence]:
    """The names in the fields of a notation's texts, such as `{a}`."""
    moves = {name.text for name in notation.moves}
    move = next((item for item in declarations if isinstance(item, rules.MoveRule) and item.name.text in moves), None)
    bound: dict[str, Span] = {}
    if move is not None:
        for _, _, name in _names(move):
            if name.span in notes.sorts and name.text not in bound:
                bound[name.text] = name.span
    for template in notation.templates:
        for field in _FIELD.finditer(template.value):
            for match in _NAME.finditer(field[1]):
                text = match.group()
                span = Span.at(template.span.line, template.span.column + 1 + field.start(1) + match.start(), len(text))
                kind = declared_kind(text, world)
                if text in bound:
                    sort = notes.sorts[bound[text]]
                    yield Occurrence(Meaning(NameKind.LOCAL, text, bound[text]), span, False, str(sort))
                elif kind is not None:
                    yield Occurrence(Meaning(kind, text), span, False)
