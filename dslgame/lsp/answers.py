"""Conversion of diagnostics, completions, symbols and tokens into the types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec

from dsl.diagnostics import Diagnostic, Label
from dsl.syntax.source import Span
from dsl.words import CALLED
from dslgame.editing import highlight
from dslgame.editing.completion import Completion, Completions
from dslgame.editing.hover import about_function, about_keyword
from dslgame.editing.names import NameKind
from dslgame.editing.outline import Symbol
from dslgame.lsp.texts import Part, Text, position_of, range_of

SOURCE = "dslgame"
_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning,
               "note": types.DiagnosticSeverity.Information}
_COMPLETIONS = {
    NameKind.PARAM: types.CompletionItemKind.Constant, NameKind.PLAYER: types.CompletionItemKind.Class,
    NameKind.PIECE: types.CompletionItemKind.EnumMember, NameKind.VARIABLE: types.CompletionItemKind.Property,
    NameKind.DEFINITION: types.CompletionItemKind.Method, NameKind.EFFECT: types.CompletionItemKind.Method,
    NameKind.MOVE: types.CompletionItemKind.Event, NameKind.RULE: types.CompletionItemKind.Event,
    NameKind.VALUES: types.CompletionItemKind.Enum, NameKind.VALUE: types.CompletionItemKind.EnumMember,
    NameKind.LAYER: types.CompletionItemKind.Struct, NameKind.TRACK: types.CompletionItemKind.Struct,
    NameKind.LOCAL: types.CompletionItemKind.Variable, NameKind.FUNCTION: types.CompletionItemKind.Function,
}
_SYMBOLS = {
    NameKind.PARAM: types.SymbolKind.Constant, NameKind.PLAYER: types.SymbolKind.Class,
    NameKind.PIECE: types.SymbolKind.EnumMember, NameKind.VARIABLE: types.SymbolKind.Property,
    NameKind.DEFINITION: types.SymbolKind.Function, NameKind.EFFECT: types.SymbolKind.Method,
    NameKind.MOVE: types.SymbolKind.Event, NameKind.RULE: types.SymbolKind.Event,
    NameKind.VALUES: types.SymbolKind.Enum, NameKind.VALUE: types.SymbolKind.EnumMember,
    NameKind.LAYER: types.SymbolKind.Struct, NameKind.TRACK: types.SymbolKind.Struct,
}


def diagnostic(item: Diagnostic, text: Text, codec: PositionCodec, shift: int) -> types.Diagnostic:
    """A diagnostic of a part that begins `shift` lines below the document's first."""
    message = item.phrase + (f"\nhelp: {item.help}" if item.help else "")
    related = [types.DiagnosticRelatedInformation(
        types.Location(text.uri, range_of(label.span, text, codec, shift)), label.text) for label in item.labels]
    return types.Diagnostic(
        range_of(item.span, text, codec, shift), message, severity=_SEVERITIES[item.severity], code=item.code,
        source=SOURCE, related_information=related or None, data={"suggestion": item.suggestion or None})


def diagnostic_of(plain: dict[str, object]) -> Diagnostic:
    """A diagnostic read back from the JSON of `dslgame check --json`."""
    labels = plain["labels"]
    assert isinstance(labels, list)
    severity = plain["severity"]
    assert severity in ("error", "warning", "note")
    return Diagnostic(str(plain["code"]), severity, str(plain["phrase"]),
                      _span(plain["span"]), str(plain["help"] or ""), str(plain["suggestion"] or ""),
                      tuple(Label(_span(label["span"]), str(label["text"])) for label in labels))


def _span(plain: object) -> Span:
    assert isinstance(plain, dict)
    return Span(**{name: int(value) for name, value in plain.items()})


def completion_list(result: Completions, part: Part, text: Text, codec: PositionCodec,
                    line: int) -> types.CompletionList:
    """Completions in the protocol's form, sorted by rank: names that fit first, then keywords, then names of other
    sorts."""
    start = position_of(line, result.start, text, codec, part.shift)
    end = position_of(line, result.end, text, codec, part.shift)
    return types.CompletionList(is_incomplete=False, items=[
        types.CompletionItem(
            label=item.text, kind=_kind_of(item), detail=item.detail or None,
            sort_text=f"{item.rank}{item.text}", documentation=_documentation(item),
            text_edit=types.TextEdit(types.Range(start, end), item.text))
        for item in result.items])


def _kind_of(item: Completion) -> types.CompletionItemKind:
    if item.kind is None:
        return types.CompletionItemKind.Keyword
    return _COMPLETIONS.get(item.kind, types.CompletionItemKind.Value)


def _documentation(item: Completion) -> types.MarkupContent | None:
    if item.kind is NameKind.FUNCTION:
        return markdown(about_function(CALLED[item.text]))
    if item.kind is None:
        return markdown(about_keyword(item.text.split()[0]))
    return None


def markdown(text: str) -> types.MarkupContent:
    """A Markdown text as `MarkupContent`."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)


def symbol(item: Symbol, text: Text, codec: PositionCodec, shift: int) -> types.DocumentSymbol:
    """A declaration as a symbol, with the names in it as its children."""
    kind = types.SymbolKind.Namespace if item.kind is None else _SYMBOLS.get(item.kind, types.SymbolKind.Variable)
    return types.DocumentSymbol(
        name=item.name or "?", detail=item.detail or None, kind=kind, range=range_of(item.span, text, codec, shift),
        selection_range=range_of(item.name_span, text, codec, shift),
        children=[symbol(child, text, codec, shift) for child in item.children])


def token_data(parts: Iterable[tuple[Sequence[highlight.Highlight], int]], text: Text,
               codec: PositionCodec) -> list[int]:
    """The highlights of parts, each with the number of lines above it, in the protocol's relative encoding."""
    data: list[int] = []
    line, start = 0, 0
    for result, shift in parts:
        for item in result:
            begin = position_of(item.span.line, item.span.column, text, codec, shift)
            end = position_of(item.span.end_line, item.span.end_column, text, codec, shift)
            column = begin.character - (start if begin.line == line else 0)
            bits = sum(1 << highlight.MODIFIERS.index(name) for name in item.modifiers)
            data += [begin.line - line, column, end.character - begin.character, highlight.TYPES.index(item.type), bits]
            line, start = begin.line, begin.character
    return data
