"""The language server: answers the requests of the protocol by `dslgame.editing`.

`serve()` runs it on the standard input and output. Static diagnostics are published a moment after an edit; those found
by playing the game follow after a pause, from another process, which the next edit ends.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

import dslgame
from dsl.diagnostics import Diagnostic, GameFileError
from dsl.words import CALLED
from dslgame.editing import changes, highlight, outline, patterns
from dslgame.editing.completion import completions, open_call, word_around
from dslgame.editing.document import GameDocument
from dslgame.editing.hover import about_function, about_keyword, hover, signature
from dslgame.editing.names import Occurrence
from dslgame.editing.patterns import PatternDocument
from dslgame.editing.vocabulary import pattern_keywords
from dslgame.lsp import answers
from dslgame.lsp.background import Background
from dslgame.lsp.runs import COMMANDS, Runs
from dslgame.lsp.texts import Part, Text, place_of, position_of, range_of, text_of

READ_AFTER = 0.1
"""Seconds without an edit after which a text is checked for diagnostics."""
PLAY_AFTER = 0.8
"""Further seconds after which its games are played."""
SMALLEST = 'game "Any"\nplayers A\nboard square(1, 1)\n'
MOST_REMEMBERED = 64
"""The most texts for which the results of playing are kept."""


class GameServer(LanguageServer):
    """The language server, with its analyses of the open documents."""

    def __init__(self, *, read_after: float = READ_AFTER, play_after: float = PLAY_AFTER) -> None:
        super().__init__("dslgame", dslgame.__version__)
        self.read_after, self.play_after = read_after, play_after
        self.background = Background()
        self.runs = Runs()
        self.played: dict[str, list[Diagnostic]] = {}
        """The diagnostics found by playing, by the text that was played."""
        self.counted: dict[str, dict[str, object]] = {}
        """The answers with the numbers of matches, by the text of the pattern file."""
        self._texts: dict[str, Text] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    @property
    def codec(self) -> PositionCodec:
        """The codec for the client's position encoding."""
        return self.workspace.position_codec

    def text(self, uri: str) -> Text:
        """The current version of a document, analysed once per version."""
        document = self.workspace.get_text_document(uri)
        known = self._texts.get(uri)
        if known is None or known.version != document.version or document.version is None:
            known = text_of(uri, document.version, document.source, document.language_id or "", known)
            self._texts[uri] = known
        return known

    def at(self, uri: str, position: types.Position) -> tuple[Text, Part, int, int] | None:
        """The text and the part at a position, with line and column in the part; None where there is no part."""
        text = self.text(uri)
        line, column = place_of(position, text, self.codec)
        part = text.part_at(line)
        return None if part is None else (text, part, line - part.shift, column)

    # ---- diagnostics

    def changed(self, uri: str) -> None:
        """Schedule the checks of a document that is new or was edited, and cancel those of its old text."""
        self.background.cancel(uri)
        before = self._waiting.pop(uri, None)
        if before is not None:
            before.cancel()
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._look(uri))

    def closed(self, uri: str) -> None:
        """Forget a document that was closed, and clear its diagnostics."""
        self.background.cancel(uri)
        before = self._waiting.pop(uri, None)
        if before is not None:
            before.cancel()
        self._texts.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def _look(self, uri: str) -> None:
        """Check a document after a moment, play its games after a pause, and publish the diagnostics."""
        await asyncio.sleep(self.read_after)
        text = self.text(uri)
        self._publish(text)
        for part in text.parts:
            self.runs.follow(f"{uri}#{part.shift}", part.document.text)
        await asyncio.sleep(self.play_after)
        news = False
        for part in text.parts:
            news = await self._ask(uri, part) or news
        if news:
            self._publish(text)

    async def _ask(self, uri: str, part: Part) -> bool:
        """Play a part, or count the matches of its patterns; whether there are new diagnostics."""
        document = part.document
        wrong = any(item.severity == "error" for item in document.diagnostics)
        if wrong or (part.block is not None and not part.block.whole):
            return False
        if isinstance(document, GameDocument):
            if document.text in self.played:
                return False
            answer = await self.background.ask(uri, {"what": "check", "text": document.text,
                                                     "name": document.source.name})
            result = [] if answer is None else answer["diagnostics"]
            assert isinstance(result, list)
            _remember(self.played, document.text, [answers.diagnostic_of(item) for item in result])
            return bool(result)
        if document.game is None or document.text in self.counted:
            return False
        answer = await self.background.ask(uri, {
            "what": "patterns", "text": document.text, "name": document.name, "game": document.game.text,
            "game_name": document.game.name})
        if answer is not None:
            _remember(self.counted, document.text, answer)
            capabilities = self.client_capabilities.workspace
            if capabilities is not None and capabilities.code_lens is not None:
                self.workspace_code_lens_refresh(None)
        return False

    def _publish(self, text: Text) -> None:
        result = [answers.diagnostic(item, text, self.codec, part.shift)
                  for part in text.parts for item in self.findings(part)]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(text.uri, result, version=text.version))

    def findings(self, part: Part) -> Iterator[Diagnostic]:
        """The static diagnostics of a part, and those found by playing the same text."""
        yield from part.diagnostics
        expected = frozenset() if part.block is None else part.block.expected
        if isinstance(part.document, GameDocument):
            yield from (item for item in self.played.get(part.document.text, ()) if item.code not in expected)


def _remember(table: dict[str, object] | dict[str, list[Diagnostic]] | dict[str, dict[str, object]], key: str,
              value: object) -> None:
    """Store a value for a text, and evict the oldest ones where there are too many."""
    while len(table) >= MOST_REMEMBERED:
        del table[next(iter(table))]
    table[key] = value  # type: ignore[assignment]  # callers give each table its own values


def create_server(*, read_after: float = READ_AFTER, play_after: float = PLAY_AFTER) -> GameServer:
    """A server with all features registered; `read_after` and `play_after` are its delays after edits, in seconds."""
    server = GameServer(read_after=read_after, play_after=play_after)
    for register in (_documents, _names, _looks, _writing, _runs):
        register(server)
    return server


def serve() -> None:
    """Serve on the standard input and output until the editor ends it.

    The modules and the grammar are loaded first and frozen, so that the garbage collector skips them: its passes over
    them took 30 ms every few requests. Of completions at every column of the largest game, 33 took over 50 ms before,
    and 2 do now.
    """
    GameDocument(SMALLEST).diagnostics  # noqa: B018  # loads the grammar
    gc.collect()
    gc.freeze()
    create_server().start_io()


def _documents(server: GameServer) -> None:
    """Register the handlers of opening, changing and closing documents."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: GameServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: GameServer, params: types.DidChangeTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: GameServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: GameServer, params: None) -> None:
        ls.background.close()
        ls.runs.close()


def _names(server: GameServer) -> None:
    """Register the features for names: hover, definitions, references, renaming, symbols."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def text_hover(ls: GameServer, params: types.HoverParams) -> types.Hover | None:
        result = ls.at(params.text_document.uri, params.position)
        if result is None:
            return None
        text, part, line, column = result
        if isinstance(part.document, PatternDocument):
            word = _pattern_word(part.document, line, column)
            about = about_keyword(word) if word in pattern_keywords() else (
                about_function(CALLED[word]) if word in CALLED else "")
            return types.Hover(answers.markdown(about)) if about else None
        told = hover(part.document, line, column)
        return None if told is None else types.Hover(answers.markdown(told[0]),
                                                     range_of(told[1], text, ls.codec, part.shift))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: GameServer, params: types.DefinitionParams) -> list[types.Location]:
        named = _named(ls, params)
        return [] if named is None else _locations(ls, named[0], named[1], named[2].declaration_of(named[3]))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(ls: GameServer, params: types.ReferenceParams) -> list[types.Location]:
        named = _named(ls, params)
        if named is None:
            return []
        same = [item for item in named[2].same(named[3]) if params.context.include_declaration or not item.declares]
        return _locations(ls, named[0], named[1], same)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def document_highlight(ls: GameServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        named = _named(ls, params)
        return [] if named is None else [
            types.DocumentHighlight(range_of(item.span, named[0], ls.codec, named[1].shift))
            for item in named[2].same(named[3])]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(ls: GameServer, params: types.PrepareRenameParams) -> types.Range | None:
        result = ls.at(params.text_document.uri, params.position)
        if result is None or not isinstance(result[1].document, GameDocument):
            return None
        try:
            item = changes.renamable(result[1].document, result[2], result[3])
        except changes.NotRenamed:
            return None
        return range_of(item.span, result[0], ls.codec, result[1].shift)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(ls: GameServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
        result = ls.at(params.text_document.uri, params.position)
        if result is None or not isinstance(result[1].document, GameDocument):
            return None
        text, part, line, column = result
        try:
            edits = changes.rename(result[1].document, line, column, params.new_name)
        except changes.NotRenamed as problem:
            raise JsonRpcInvalidParams(str(problem)) from None
        return types.WorkspaceEdit(changes={text.uri: [
            types.TextEdit(range_of(edit.span, text, ls.codec, part.shift), edit.text) for edit in edits]})

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbol(ls: GameServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        text = ls.text(params.text_document.uri)
        return [answers.symbol(item, text, ls.codec, part.shift) for part in text.parts
                for item in (outline.symbols(part.document) if isinstance(part.document, GameDocument)
                             else patterns.symbols(part.document))]


def _pattern_word(document: PatternDocument, line: int, column: int) -> str:
    row = document.source.line(line)
    start, end = word_around(row, column)
    return row[start:end]


def _named(ls: GameServer, params: types.DefinitionParams | types.ReferenceParams | types.DocumentHighlightParams,
           ) -> tuple[Text, Part, GameDocument, Occurrence] | None:
    """The name at a position, with its text, part and document; None where there is none."""
    result = ls.at(params.text_document.uri, params.position)
    if result is None or not isinstance(result[1].document, GameDocument):
        return None
    text, part, line, column = result
    item = result[1].document.at(line, column)
    return None if item is None else (text, part, result[1].document, item)


def _locations(ls: GameServer, text: Text, part: Part, items: Sequence[Occurrence]) -> list[types.Location]:
    return [types.Location(text.uri, range_of(item.span, text, ls.codec, part.shift)) for item in items]


def _looks(server: GameServer) -> None:
    """Register the features for a document's look: semantic tokens, folding, inlay hints."""
    legend = types.SemanticTokensLegend(list(highlight.TYPES), list(highlight.MODIFIERS))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def semantic_tokens(ls: GameServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
        text = ls.text(params.text_document.uri)
        return types.SemanticTokens(answers.token_data(
            ((highlight.highlights(part.document) if isinstance(part.document, GameDocument)
              else highlight.pattern_highlights(part.document.text), part.shift) for part in text.parts), text,
            ls.codec))

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding_range(ls: GameServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        text = ls.text(params.text_document.uri)
        return [types.FoldingRange(first - 1 + part.shift, last - 1 + part.shift,
                                   kind=types.FoldingRangeKind.Comment if comment else types.FoldingRangeKind.Region)
                for part in text.parts
                for first, last, comment in outline.folds(part.document.text)]

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hint(ls: GameServer, params: types.InlayHintParams) -> list[types.InlayHint]:
        text = ls.text(params.text_document.uri)
        result = []
        for part in text.parts:
            if isinstance(part.document, GameDocument):
                first, last = params.range.start.line + 1 - part.shift, params.range.end.line + 1 - part.shift
                result += [types.InlayHint(position_of(item.line, item.column, text, ls.codec, part.shift), item.text,
                                           kind=types.InlayHintKind.Type)
                           for item in outline.hints(part.document, first, last)]
        return result


def _writing(server: GameServer) -> None:
    """Register the features for writing: completion, signature help, formatting, quick fixes."""

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", " ", "(", "["]))
    def completion(ls: GameServer, params: types.CompletionParams) -> types.CompletionList | None:
        result = ls.at(params.text_document.uri, params.position)
        if result is None:
            return None
        text, part, line, column = result
        offered = completions(part.document, line, column) if isinstance(part.document, GameDocument) else (
            patterns.completions(part.document, line, column))
        return answers.completion_list(offered, part, text, ls.codec, line)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    def signature_help(ls: GameServer, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        result = ls.at(params.text_document.uri, params.position)
        if result is None or not isinstance(result[1].document, GameDocument):
            return None
        document, line, column = result[1].document, result[2], result[3]
        name, commas = open_call(document.source.line(line)[: column - 1])
        if name not in CALLED:
            return None
        shown = types.SignatureInformation(signature(CALLED[name], document),
                                           answers.markdown(about_function(CALLED[name], document)))
        return types.SignatureHelp([shown], 0, commas)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: GameServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        from dsl.patterns.writer import format_patterns
        from dsl.syntax.formatter import format_text

        text = ls.text(params.text_document.uri)
        edits = []
        for part in text.parts:
            content = part.document.text
            try:
                after = format_text(content) if isinstance(part.document, GameDocument) else format_patterns(content)
            except GameFileError:  # a text with mistakes is left as it is
                continue
            if after != content:
                last = content.count("\n") + 1
                end = position_of(last, len(content.split("\n")[-1]) + 1, text, ls.codec, part.shift)
                edits.append(types.TextEdit(types.Range(types.Position(part.shift, 0), end), after))
        return edits

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION,
                    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]))
    def code_action(ls: GameServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        text = ls.text(params.text_document.uri)
        result = []
        for part in text.parts:
            first, last = params.range.start.line + 1 - part.shift, params.range.end.line + 1 - part.shift
            for fix in changes.fixes(ls.findings(part), first, last):
                edit = types.TextEdit(range_of(fix.edit.span, text, ls.codec, part.shift), fix.edit.text)
                result.append(types.CodeAction(
                    fix.title, kind=types.CodeActionKind.QuickFix, is_preferred=True,
                    diagnostics=[answers.diagnostic(fix.diagnostic, text, ls.codec, part.shift)],
                    edit=types.WorkspaceEdit(changes={text.uri: [edit]})))
        return result


def _runs(server: GameServer) -> None:
    """Register the code lenses and the commands that they run."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(ls: GameServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        text = ls.text(params.text_document.uri)
        result = []
        for part in text.parts:
            if isinstance(part.document, PatternDocument):
                result += _counts(ls, part.document, part.shift)
                continue
            place = outline.runnable(part.document)
            if place is not None:
                where = range_of(place, text, ls.codec, part.shift)
                result += [types.CodeLens(where, types.Command(title=word, command=f"dslgame.{word}",
                                                    arguments=[text.uri, part.shift]))
                           for word in outline.RUNS]
        return result

    for name in outline.RUNS:
        server.command(f"dslgame.{name}")(_command(server, name))


def _counts(ls: GameServer, document: PatternDocument, shift: int) -> list[types.CodeLens]:
    """Code lenses with the number of matches of each pattern, where these were counted."""
    answer = ls.counted.get(document.text)
    if answer is None:
        return []
    counts = answer["counts"]
    assert isinstance(counts, list)
    return [types.CodeLens(
        types.Range(types.Position(line - 1 + shift, 0), types.Position(line - 1 + shift, 0)),
        types.Command(title=f"{count} match{'es' * (count != 1)} in {answer['positions']} positions of random games",
                      command=""))
        for line, count in counts]


def _command(server: GameServer, name: str) -> Callable[..., Awaitable[str]]:
    async def run(uri: str, shift: int = 0) -> str:
        text = server.text(uri)
        part = text.part_at(shift + 1)
        if part is None or not isinstance(part.document, GameDocument):
            raise JsonRpcInvalidParams("there is no game in this document")
        said, page = await server.runs.run(COMMANDS[name], part.document.text, f"{uri}#{shift}")
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, said))
        if page:
            await server.window_show_document_async(types.ShowDocumentParams(page, external=True))
        return said

    return run


if __name__ == "__main__":
    serve()
    sys.exit(0)
