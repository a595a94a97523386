"""The language server, driven by a real client over stdin and stdout."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

pytest.importorskip("pygls")
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

from dslgame import bundled
from dslgame.editing import highlight
from dslgame.packages import HOME

GAME = """\
game "T"
players X, O
board square(3, 3)
pieces x of X, o of O
move place(c in emty):
    c := own
win mover when line(mine, 3)
draw when no empty
"""
PLAYED = """\
game "T"
players X, O
board square(2, 2)
pieces x of X, o of O
move place(c in empty):
    c := own
win mover when line(mine, 3)
"""
Talk = Callable[[LanguageClient, str], Awaitable[None]]


def talk(path: Path, text: str, conversation: Talk, language: str = "dslgame") -> None:
    """Start the server, open a document with a text, and run a conversation with it."""
    async def run() -> None:
        client = make_test_lsp_client()
        await client.start_io(sys.executable, "-c", "from dslgame.__main__ import main; main()", "lsp", cwd=str(HOME))
        try:
            await client.initialize_session(types.InitializeParams(
                process_id=None, root_uri=path.parent.as_uri(), capabilities=client_capabilities("visual-studio-code")))
            client.text_document_did_open(types.DidOpenTextDocumentParams(
                types.TextDocumentItem(path.as_uri(), language, 1, text)))
            await conversation(client, path.as_uri())
        finally:
            await client.shutdown_session()

    asyncio.run(asyncio.wait_for(run(), 100))


async def found(client: LanguageClient, uri: str) -> list[types.Diagnostic]:
    """The next diagnostics of a document."""
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[uri])


def change(client: LanguageClient, uri: str, version: int, text: str) -> None:
    """Replace the text of a document."""
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(version, uri), [types.TextDocumentContentChangeWholeDocument(text)]))


def test_mistakes_fixes_and_names_while_typing(tmp_path: Path) -> None:
    """A mistake and its fix; on the fixed text completion, hover, references, renaming and the other requests."""
    async def conversation(client: LanguageClient, uri: str) -> None:
        (mistake,) = await found(client, uri)
        assert (mistake.code, mistake.range.start) == ("G203", types.Position(4, 16))
        document = types.TextDocumentIdentifier(uri)
        actions = await client.text_document_code_action_async(types.CodeActionParams(
            document, mistake.range, types.CodeActionContext([mistake])))
        assert actions
        (action,) = actions
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        assert action.edit.changes is not None
        (edit,) = action.edit.changes[uri]
        assert edit.new_text == "empty"
        change(client, uri, 2, GAME.replace("emty", "empty"))
        assert await found(client, uri) == []
        await everything(client, document)

    talk(tmp_path / "t.game", GAME, conversation)


async def everything(client: LanguageClient, document: types.TextDocumentIdentifier) -> None:
    """Each request that the server answers, on the fixed game."""
    chosen = types.Position(4, 11)
    offered = await client.text_document_completion_async(types.CompletionParams(document, types.Position(5, 9)))
    assert isinstance(offered, types.CompletionList)
    assert "own" in {item.label for item in offered.items}
    told = await client.text_document_hover_async(types.HoverParams(document, types.Position(6, 16)))
    assert told is not None
    assert isinstance(told.contents, types.MarkupContent)
    assert "line(set of cells, number)" in told.contents.value
    places = await client.text_document_definition_async(types.DefinitionParams(document, types.Position(5, 4)))
    assert isinstance(places, Sequence)
    assert [place.range.start for place in places if isinstance(place, types.Location)] == [chosen]
    references = await client.text_document_references_async(types.ReferenceParams(
        types.ReferenceContext(True), document, chosen))
    assert references
    assert [item.range.start.line for item in references] == [4, 5]
    renamed = await client.text_document_rename_async(types.RenameParams(document, chosen, "target"))
    assert renamed is not None
    assert renamed.changes is not None
    assert {edit.new_text for edit in renamed.changes[document.uri]} == {"target"}
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert symbols
    assert "place" in {item.name for item in symbols}
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert folds
    assert (folds[0].start_line, folds[0].end_line) == (4, 5)
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert tokens is not None
    assert list(tokens.data[:5]) == [0, 0, 4, highlight.TYPES.index("keyword"), 0]
    whole = types.Range(types.Position(0, 0), types.Position(8, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert hints
    assert (hints[0].position, hints[0].label) == (types.Position(4, 12), ": cell")
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert lenses
    assert [lens.command.title for lens in lenses if lens.command] == ["solve", "play", "check"]
    edits = await client.text_document_formatting_async(types.DocumentFormattingParams(
        document, types.FormattingOptions(4, True)))
    assert edits
    assert "own\n\nwin mover" in edits[0].new_text


@pytest.mark.slow
def test_playing_finds_more_after_a_pause(tmp_path: Path) -> None:
    """Findings of `dslgame check` by playing follow those of reading; an edit cancels the play."""
    async def conversation(client: LanguageClient, uri: str) -> None:
        await found(client, uri)
        change(client, uri, 2, PLAYED + "# again\n")
        first = await found(client, uri)
        more = await found(client, uri)
        assert {item.code for item in more} > {item.code for item in first}

    talk(tmp_path / "t.game", PLAYED, conversation)


@pytest.mark.slow
def test_commands_above_a_game(tmp_path: Path) -> None:
    """`check` and `solve` answer with the output of the commands, `play` with the address of a page."""
    async def conversation(client: LanguageClient, uri: str) -> None:
        async def run(word: str) -> str:
            return str(await client.workspace_execute_command_async(types.ExecuteCommandParams(
                f"dslgame.{word}", [uri, 0])))

        assert "draw" in await run("solve")
        assert "G316" in await run("check")
        pytest.importorskip("uvicorn")
        assert "http://127.0.0.1" in await run("play")

    talk(tmp_path / "t.game", GAME.replace("emty", "empty"), conversation)


@pytest.mark.slow
def test_games_in_markdown_and_characters_of_two_units(tmp_path: Path) -> None:
    """Positions count lines of the page, and characters in UTF-16 units as the editor does."""
    page = f"# \U0001f3b2\n\n```game\n{GAME.replace('T', chr(0x1f3b2))}```\n"

    async def conversation(client: LanguageClient, uri: str) -> None:
        (mistake,) = await found(client, uri)
        assert mistake.range.start == types.Position(7, 16)
        tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(
            types.TextDocumentIdentifier(uri)))
        assert tokens is not None
        assert list(tokens.data[5:8]) == [0, 5, 4]  # the title: quotes and one character of two units

    talk(tmp_path / "page.md", page, conversation, "markdown")


@pytest.mark.slow
def test_patterns_are_counted(tmp_path: Path) -> None:
    """A code lens above each pattern shows how often it matches in random games."""
    text = next(bundled.PATTERNS.glob("gomoku.pattern")).read_text(encoding="utf-8")

    async def conversation(client: LanguageClient, uri: str) -> None:
        refreshed = asyncio.Event()
        client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda params: refreshed.set())
        assert [item for item in await found(client, uri) if item.severity == types.DiagnosticSeverity.Error] == []
        await asyncio.wait_for(refreshed.wait(), 80)
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
        assert lenses
        assert all(lens.command and "positions of random games" in lens.command.title for lens in lenses)

    talk(tmp_path / "mine.pattern", text, conversation, "dslgame-pattern")
