"""Completion at a place in a game file: keywords by the grammar, names by sort and scope.

A `PLACEHOLDER` is put at the place, and the ordinary parser and resolver are run: the grammar says which keywords it
would accept there, and the resolver which sort it expects, which names are bound there, and which words a fixed list
has. So a new word is offered as soon as the language has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import attrs
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError

from dsl.diagnostics import PLACEHOLDER, listening
from dsl.resolve.declarations import resolve
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.functions import means_something
from dsl.resolve.notes import Notes
from dsl.resolve.scope import Scope, World
from dsl.resolve.sorts import ANY_INTEGER, CELLS, DIRECTION, SETLIKE, UNKNOWN, Integer, SetOf, Sort, Unknown, fits
from dsl.syntax import rules
from dsl.syntax.builder import Builder
from dsl.syntax.chunks import cut, indent_of
from dsl.syntax.grammar import DECLARATIONS, Glued, grammar
from dsl.syntax.parser import parse
from dsl.syntax.source import NOWHERE, Source
from dsl.visitor import parts
from dsl.words import CALLED, WORDS, Form, Word
from dslgame.editing import vocabulary
from dslgame.editing.document import GameDocument
from dslgame.editing.lexer import TokenKind, line_lexemes
from dslgame.editing.names import NameKind, declared_kind
from dslgame.editing.vocabulary import WordClass

_MOST_ASKED = 1
"""The most completed texts that are resolved, as an answer must be quick."""
_WORD_BEFORE = re.compile(r"[A-Za-z_][A-Za-z_0-9]*$")
_WORD_BEHIND = re.compile(r"^[A-Za-z_0-9]*")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_ENDINGS = ("", ":", " := none", " in cells", "()", " = none", ": true", " else none", " when true", " when true:",
            ' "a"', ".south := empty")
"""Texts that may complete the declaration after the place, so that it can be parsed."""


@attrs.frozen
class Completion:
    """A text that could stand at the place."""

    text: str
    kind: NameKind | None
    """None for keywords."""
    detail: str = ""
    """Its sort, or an example of how it is written."""
    fits: bool = True
    """Whether its sort is what the place expects; others come last."""

    @property
    def rank(self) -> int:
        """The sorting key: names bound there, then other names that fit, then keywords, then the rest."""
        if not self.fits:
            return 3
        return 2 if self.kind is None else 0 if self.kind is NameKind.LOCAL else 1


@attrs.frozen
class Completions:
    """The completions at a place, and the columns of the word that they replace."""

    items: tuple[Completion, ...]
    start: int
    end: int


def completions(document: GameDocument, line: int, column: int) -> Completions:
    """The completions at a line and column, both from 1."""
    row = document.source.line(line)
    start, end = word_around(row, column)
    kept: dict[str, Completion] = {}
    if not _in_text(row[: column - 1]):
        for item in _found(document, line, row[:start], row[end:]):
            if item.text not in kept or (item.fits and not kept[item.text].fits):
                kept[item.text] = item
    return Completions(tuple(kept.values()), start + 1, end + 1)


def word_around(row: str, column: int) -> tuple[int, int]:
    """The offsets, from 0, at which the word around a column begins and ends in a line."""
    head, tail = row[: column - 1], row[column - 1 :]
    begun, rest = _WORD_BEFORE.search(head), _WORD_BEHIND.match(tail)
    return begun.start() if begun else len(head), column - 1 + (rest.end() if rest else 0)


def _in_text(head: str) -> bool:
    """Whether the beginning of a line ends inside a comment or a quoted text."""
    tokens = list(line_lexemes(head))
    if not tokens:
        return False
    last = tokens[-1]
    return last.kind is TokenKind.COMMENT or (
        last.kind is TokenKind.STRING and not (len(last.text) > 1 and last.text.endswith('"')))


def _found(document: GameDocument, line: int, head: str, tail: str) -> Iterator[Completion]:
    if not head:
        yield from (Completion(word, None) for word in DECLARATIONS)
        return
    member = head.rstrip().endswith(".") and not head.rstrip().endswith("..")
    keywords, names = _accepted(document, line, head)
    if not member:
        yield from (Completion(word, None) for word in keywords)
    asked = _asked(document, line, head, tail) if names or member else None
    if asked is None:
        fixed = list(_by_vocabulary(head))
        yield from fixed or (every_name(document.world, None) if names else ())
        return
    world = asked.notes.world or document.world
    if member:
        yield from _members(asked.heard, world)
    elif asked.notes.expected:
        expected = asked.notes.expected[-1]
        wanted = _wanted(asked.holder) or expected.sort
        for name, sort in expected.names.items():
            yield Completion(name, NameKind.LOCAL, str(sort), _suits(sort, wanted))
        yield from every_name(world, wanted)
    elif asked.heard:
        for words in asked.heard:
            yield from (Completion(word, declared_kind(word, world) or NameKind.WORD) for word in words)
    else:
        yield from _by_vocabulary(head)


# ---- running the parser and the resolver


@attrs.frozen
class _Asked:
    """The resolver's results for the placeholder."""

    holder: rules.Node
    notes: Notes
    heard: list[tuple[str, ...]]


def _asked(document: GameDocument, line: int, head: str, tail: str) -> _Asked | None:
    """The resolver's results for a placeholder, from the first completed text in which it notes something about it."""
    result = None
    for text, holder in islice(_with_placeholder(document, line, head, tail), _MOST_ASKED):
        if _is_new(holder):
            return _Asked(holder, Notes(), [])
        notes = Notes()
        with listening() as heard:
            resolve(parse(Source(document.source.name, text)).file, {}, notes)
        result = _Asked(holder, notes, heard)
        if notes.expected or heard:
            break
    return result


def _is_new(holder: rules.Node) -> bool:
    """Whether the placeholder is the name that a declaration declares."""
    name = getattr(holder, "name", None)
    return isinstance(holder, rules.Declaration) and isinstance(name, rules.Name) and name.text == PLACEHOLDER


def _with_placeholder(document: GameDocument, line: int, head: str, tail: str) -> Iterator[tuple[str, rules.Node]]:
    """Yield texts with a placeholder, completed so that they can be parsed, with the node that holds the
    placeholder."""
    chunk = document.chunk_at(line)
    begin = chunk.line if chunk is not None else line
    stop = begin + len(chunk.rows) if chunk is not None else line + 1
    lines = document.source.lines
    above, below = lines[begin - 1 : line - 1], lines[line : stop - 1]
    closers = _further_arguments(head, document) + _closers("\n".join([*above, head]))
    inside = "\n" + " " * (indent_of(head) + 4) + "cells := empty"
    tails = [(tail, "", [""])] * bool(tail.strip()) + [("", closers, list(_ENDINGS))]
    for around, under in ((above, below), (above[:1], [])):  # the lines around it may have errors of their own
        for after, lacking, endings in tails:
            for ending in endings:
                for block in ("", inside) if ending.endswith(":") else ("",):
                    part = "\n".join([*around, head + PLACEHOLDER + after + lacking + ending + block, *under])
                    holder = _holder(part)
                    if holder is not None:
                        yield "\n".join([*lines[: begin - 1], part, *lines[stop - 1 :]]), holder
        if not above[1:] and not below:
            break


def _further_arguments(head: str, document: GameDocument) -> str:
    """The arguments that are missing from an open call of a function or definition, as a text of zeros."""
    name, commas = open_call(head)
    definition = document.world.definitions.get(name)
    least = len(definition.bodies[0].parameters) if definition is not None else (
        CALLED[name].least if name in CALLED else 0)
    return ", 0" * max(0, least - commas - 1)


def open_call(head: str) -> tuple[str, int]:
    """The name before the innermost open '(' at the end of `head`, and the number of commas after it; '' for none."""
    opened: list[tuple[str, int]] = []
    before = ""
    for token in line_lexemes(head):
        if token.text in _CLOSERS:
            opened.append((before if token.text == "(" else "", 0))
        elif token.text in _CLOSERS.values() and opened:
            opened.pop()
        elif token.text == "," and opened:
            opened[-1] = opened[-1][0], opened[-1][1] + 1
        before = token.text
    return opened[-1] if opened else ("", 0)


def _closers(text: str) -> str:
    """The closing brackets for those that are open at the end of a text."""
    stack: list[str] = []
    for sign in re.findall(r'"[^"\n]*"|#[^\n]*|[()\[\]{}]', text):
        if sign in _CLOSERS:
            stack.append(_CLOSERS[sign])
        elif stack and sign == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))


def _holder(text: str) -> rules.Node | None:
    """The node that directly holds the placeholder in a declaration; None where it cannot be parsed."""
    for chunk in cut(Source("", text), []):
        if chunk.hopeless or chunk.spoilt:
            continue
        try:
            tree = grammar().parse(chunk.text)
        except (UnexpectedInput, Glued, DedentError, AssertionError):
            continue  # the reason does not matter here, and finding it is slow
        for node in rules.walk(Builder(chunk.line).transform(tree).children[0]):
            for part in parts(node):
                if isinstance(part, rules.Name) and part.text == PLACEHOLDER:
                    return node  # type: ignore[no-any-return]  # `walk` yields nodes
    return None


def _wanted(holder: rules.Node) -> Sort | None:
    """The sort that a place expects without telling the resolver: cells, for the domain of a choice or quantifier."""
    domain = isinstance(holder, (rules.Choice, rules.Quantifier)) and isinstance(holder.domain, rules.Name) and (
        holder.domain.text == PLACEHOLDER)
    return CELLS if domain else None


def _accepted(document: GameDocument, line: int, head: str) -> tuple[list[str], bool]:
    """The keywords that the grammar accepts after `head`, and whether it accepts a name."""
    chunk = document.chunk_at(line)
    begin = chunk.line if chunk is not None and chunk.line < line else line
    text = "\n".join([*document.source.lines[begin - 1 : line - 1], head + PLACEHOLDER]) + "\n"
    chunks = list(cut(Source("", text), []))
    parser = grammar().parse_interactive(chunks[-1].text if chunks else text)
    with suppress(UnexpectedInput, Glued, AssertionError, DedentError):
        tokens = parser.lexer_thread.lex(parser.parser_state)  # type: ignore[no-untyped-call]  # Lark's
        for token in tokens:
            if PLACEHOLDER in token:
                break
            parser.feed_token(token)
    accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]  # Lark's
    terminals = vocabulary.keyword_terminals()
    return [" ".join(words) for name in sorted(accepted) for words in terminals.get(name, ())], "NAME" in accepted


# ---- names


def every_name(world: World, wanted: Sort | None) -> Iterator[Completion]:
    """The names that every rule of the game can use, each with whether its sort fits."""
    for name in dict.fromkeys(world.known_names()):
        sort = sort_of(name, world, wanted)
        if name not in vocabulary.constants() and sort is not None:
            kind = declared_kind(name, world) or (NameKind.CELL if name in world.graph_cells else NameKind.BUILTIN)
            yield Completion(name, kind, "" if isinstance(sort, Unknown) else str(sort), _suits(sort, wanted))
    for word in CALLED.values():
        if means_something(word, world) and word.name not in world.definitions:
            yield Completion(word.name, NameKind.FUNCTION, word.example, _suits(result_of(word, world), wanted))


def result_of(word: Word, world: World) -> Sort:
    """The sort of a function's result; for counts and aggregates without its arguments."""
    if word.form in (Form.COUNT, Form.AGGREGATE):
        return CELLS if word.grows else ANY_INTEGER
    result = word.sort_in(world.cell_count, world.piles)
    return ANY_INTEGER if word.of_numbers is not None else result


def sort_of(name: str, world: World, wanted: Sort | None = None) -> Sort | None:
    """The sort that the resolver gives a name where `wanted` is expected; None where it means nothing in the game."""
    if name in world.definitions:
        known = None if world.notes is None else world.notes.sorts.get(world.definitions[name].span)
        return UNKNOWN if known is None else known
    if name in world.variables:
        return world.variable_kinds[world.variables[name]].sort
    trial = attrs.evolve(world, diagnostics=[], reported=set(), used=set(), notes=None)
    sort = ExprResolver(trial, Scope(in_end=True)).resolve(rules.Name(name, span=NOWHERE), wanted).sort
    return None if trial.diagnostics else sort


def _suits(sort: Sort, wanted: Sort | None) -> bool:
    """Whether a value of a sort fits where `wanted` is expected; for cells also any set or set-like sort."""
    if wanted is None or isinstance(sort, Unknown):
        return True
    if wanted == CELLS:
        return sort in SETLIKE or isinstance(sort, SetOf)
    if isinstance(wanted, Integer) and isinstance(sort, Integer):
        return True
    return fits(sort, wanted)


def _members(heard: list[tuple[str, ...]], world: World) -> Iterator[Completion]:
    """The completions after the '.' of a cell: directions, and the words that the records of the language show
    there."""
    for words in heard:
        for word in words:
            direction = word in world.board.directions
            yield Completion(word, NameKind.BUILTIN if direction else NameKind.LOCAL, str(DIRECTION))
    if world.board.rows_and_columns:
        for record in WORDS.values():
            _, dot, word = record.example.partition(".")
            if record.form is Form.MADE and dot and DIRECTION not in record.arguments and word.isidentifier():
                yield Completion(word, NameKind.BUILTIN, record.example)


def _by_vocabulary(head: str) -> Iterator[Completion]:
    """Colours, shapes and boards: those that the lexer classifies as such after `head`, without parser or resolver."""
    for word, kind in vocabulary.names().items():
        if kind in (WordClass.LOOK, WordClass.BOARD) and list(line_lexemes(head + word))[-1].word is kind:
            yield Completion(word, NameKind.WORD, kind.value)
