"""Parses text into rule objects.

The text is cut into declarations (a line that starts in the first column, and the indented lines under it), and each is
parsed separately: a mistake in one does not hide mistakes in another. A mistake in one line of a block costs only that
line. Every mistake becomes a diagnostic; no text of a user raises an exception. `dsl.checker` is the next step.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

import attrs
from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from dsl.diagnostics import Diagnostic, error
from dsl.syntax import rules, syntax_errors
from dsl.syntax.builder import Builder
from dsl.syntax.chunks import MAX_DECLARATIONS, MAX_NESTING, Chunk, cut
from dsl.syntax.grammar import DECLARATIONS, Glued, grammar
from dsl.syntax.source import MAX_BYTES, MAX_LINES, Source, Span
from dsl.visitor import with_parts

MAX_ERRORS = 100
"""The maximum number of errors shown; after more, the rest of the file is not read."""
MAX_REPEATED = 100_000
"""The maximum number of characters of a declaration that are parsed again after mistakes in it."""

MOST_REMEMBERED = 2048
"""The size of the cache of parsed declarations: when a text is changed and checked again, or a game is loaded again,
only new declarations are parsed."""
MAX_REMEMBERED = 1000
"""The maximum number of characters of a declaration in the cache."""

_Node = TypeVar("_Node", bound=rules.Node)
_Outcome = tuple[tuple[rules.Declaration, ...], frozenset[str], tuple[Diagnostic, ...]]
"""A declaration's items, as far as any could be parsed, the words of its dropped lines, and its mistakes."""


@attrs.frozen
class Parsed:
    """The result of parsing: the rule objects that could be made, and every mistake."""

    file: rules.GameFile
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source) -> Parsed:
    """Parse a whole file. Never raises for any text."""
    diagnostics: list[Diagnostic] = []
    declarations: list[rules.Declaration] = []
    guesses: set[str] = set()
    if len(source.lines) > MAX_LINES:
        result = error(
            "G008", f"the file has {len(source.lines)} lines, expected at most {MAX_LINES}", Span.at(MAX_LINES, 1)
        )
        return Parsed(rules.GameFile(source, ()), (result,))
    if len(source.text) > MAX_BYTES:
        result = error(
            "G005", f"the text has {len(source.text)} characters, expected at most {MAX_BYTES}", Span.at(1, 1)
        )
        return Parsed(rules.GameFile(source, ()), (result,))
    before = 0
    for chunk in cut(source, diagnostics):
        items, dropped = ((), chunk.words()) if chunk.hopeless else _parse_chunk(chunk, diagnostics)
        declarations += items
        if len(diagnostics) > before:
            guesses |= dropped
            guesses |= {item.suggestion for item in diagnostics[before:] if item.code == "G102"}
        before = len(diagnostics)
        if len(diagnostics) > MAX_ERRORS or len(declarations) > MAX_DECLARATIONS:
            guesses |= set(DECLARATIONS)
            diagnostics = [*diagnostics[:MAX_ERRORS], _too_much(chunk, len(diagnostics))]
            break
    if not declarations and not diagnostics:
        diagnostics.append(
            error(
                "G006",
                "the file is empty, expected the rules of a game",
                Span.at(1, 1),
                help='a file begins with its title: game "Name"',
            )
        )
    return Parsed(rules.GameFile(source, tuple(declarations), frozenset(guesses)), tuple(diagnostics))


def _too_much(chunk: Chunk, mistakes_found: int) -> Diagnostic:
    if mistakes_found > MAX_ERRORS:
        return error(
            "G009",
            f"more than {MAX_ERRORS} mistakes; the rest of the file was not read",
            chunk.span(0, 1),
            help="is this a .game file?",
        )
    return error("G008", f"the file has more than {MAX_DECLARATIONS} declarations", chunk.span(0, 1))


def parse_expression(text: str, span: Span) -> rules.Expression | Diagnostic:
    """Parse one expression inside a text, such as a notation's field; all its spans are `span`."""
    diagnostics: list[Diagnostic] = []
    items, _ = _parse_chunk(Chunk(1, (f"value {text}",), (0,)), diagnostics)
    declaration = items[0] if items else None
    if diagnostics or not isinstance(declaration, rules.Value):
        phrase = diagnostics[0].phrase if diagnostics else f"found '{text}', expected an expression"
        return error("G114", f"in '{{{text}}}': {phrase}", span)
    return _relocated(declaration.expression, span)


def _relocated(node: _Node, span: Span) -> _Node:
    """A copy of the node with every span replaced."""
    return attrs.evolve(with_parts(node, lambda part: _relocated(part, span)), span=span)


def _parse_chunk(chunk: Chunk, diagnostics: list[Diagnostic]) -> tuple[tuple[rules.Declaration, ...], set[str]]:
    """Parse one declaration; each line with a mistake is reported and dropped, and the rest is parsed again.

    Returns its items (one, unless the declaration is a list), if any are left, and the words that occur in dropped
    lines only.
    """
    parse_it = _remembered if sum(map(len, chunk.rows)) <= MAX_REMEMBERED else _parse_anew
    items, dropped, result = parse_it(chunk)
    diagnostics.extend(result)
    return items, set(dropped)


def _parse_anew(chunk: Chunk) -> _Outcome:
    """Parse a declaration, with a result that can be cached."""
    diagnostics: list[Diagnostic] = []
    items, dropped = _parse_lines(chunk, diagnostics)
    return items, frozenset(dropped), tuple(diagnostics)


_remembered = lru_cache(MOST_REMEMBERED)(_parse_anew)


def _parse_lines(chunk: Chunk, diagnostics: list[Diagnostic]) -> tuple[tuple[rules.Declaration, ...], set[str]]:
    if 0 in chunk.spoilt:
        return (), chunk.words()
    if syntax_errors.first_word(chunk) not in DECLARATIONS:
        diagnostics.append(syntax_errors.unknown_declaration(chunk))
        return (), chunk.words()
    complete = not chunk.spoilt
    remaining: Chunk | None = chunk
    for row in chunk.spoilt:
        remaining = None if remaining is None else remaining.without(row)
    repeated = 0
    while True:
        if remaining is None:
            return (), chunk.words()
        tree = _try(remaining)
        if isinstance(tree, Tree):
            break
        if complete or tree.code != "G107":  # a block left empty by dropped lines is not reported
            diagnostics.append(tree)
        complete = False
        repeated += len(chunk.text)
        if repeated > MAX_REPEATED or len(diagnostics) > MAX_ERRORS:
            return (), chunk.words()
        remaining = remaining.without(tree.span.line - chunk.line)
    builder = Builder(chunk.line)
    result: rules.Declaration | tuple[rules.Declaration, ...] = builder.transform(tree).children[0]
    items = result if isinstance(result, tuple) else (result,)
    diagnostics.extend(builder.diagnostics)
    deepest, place = max(map(rules.depth, items), key=lambda measured: measured[0])
    if deepest > MAX_NESTING:
        diagnostics.append(
            error(
                "G007",
                f"this nests {deepest} deep, expected at most {MAX_NESTING}",
                place.span,
                help="give parts of it names with 'define'",
            )
        )
        return (), chunk.words()
    if complete and builder.diagnostics:
        return items, chunk.words()
    if complete or isinstance(items[0], (rules.MoveRule, rules.ForcedRule)):
        return items, chunk.words() - remaining.words()
    return (), chunk.words()


def _try(chunk: Chunk) -> Tree[Token] | Diagnostic:
    """The parse tree, or the first mistake."""
    try:
        return grammar().parse(chunk.text)
    except Glued as bad:
        return syntax_errors.glued(chunk, bad)
    except DedentError:
        return syntax_errors.bad_dedent(chunk)
    except UnexpectedCharacters as bad:
        return syntax_errors.character_mistake(chunk, bad)
    except UnexpectedToken as bad:
        return syntax_errors.token_mistake(chunk, bad)
    except (UnexpectedInput, AssertionError):
        return error("G101", "the declaration ends too early", chunk.span(len(chunk.rows) - 1, 1))


__all__ = ["DECLARATIONS", "MAX_ERRORS", "Parsed", "parse", "parse_expression"]
