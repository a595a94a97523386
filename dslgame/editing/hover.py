"""Hover texts for the words of a game file: the kind of word, its syntax, and its declaration."""

from __future__ import annotations

from dsl.boards import KINDS
from dsl.resolve.sorts import NETWORK, Unknown
from dsl.syntax.source import Span
from dsl.words import CALLED, Word
from dslgame.editing import vocabulary
from dslgame.editing.completion import result_of, sort_of
from dslgame.editing.document import GameDocument
from dslgame.editing.lexer import Lexeme, TokenKind
from dslgame.editing.names import NameKind, Occurrence

MOST_ROWS = 12
"""The most lines of a declaration that are shown."""
MOST_FORMS = 6


def hover(document: GameDocument, line: int, column: int) -> tuple[str, Span] | None:
    """The Markdown text for the word at a place, and the word's span; None where there is none."""
    occurrence = document.at(line, column)
    if occurrence is not None:
        text = _of_name(document, occurrence)
        if text:
            return text, occurrence.span
    token = document.lexeme_at(line, column)
    if token is None or token.kind is not TokenKind.WORD:
        return None
    text = _of_word(document, token)
    return (text, token.span) if text else None


def _of_name(document: GameDocument, result: Occurrence) -> str:
    kind, text = result.meaning.kind, result.meaning.text
    if kind is NameKind.FUNCTION:
        return about_function(CALLED[text], document)
    if kind is NameKind.BUILTIN:
        return _about_builtin(document, text)
    if not result.meaning.own:
        return ""
    places = document.declaration_of(result)
    sort = f": {result.sort}" if result.sort and result.sort != "unknown" else ""
    rows = [f"{kind.value} `{text}`{sort}"]
    if places:
        shown = [_declaration_text(document, place, whole=kind is not NameKind.LOCAL) for place in places[:3]]
        rows.append(code("\n".join(dict.fromkeys(shown))))
    return "\n\n".join(rows)


def _declaration_text(document: GameDocument, place: Occurrence, *, whole: bool) -> str:
    """The text of the declaration at a place, shortened to `MOST_ROWS` lines; without `whole` only its line."""
    chunk = document.chunk_at(place.span.line)
    if chunk is None or not whole:
        return document.source.line(place.span.line).strip()
    rows = list(chunk.rows)
    while rows and not rows[-1].strip():
        rows.pop()
    return "\n".join([*rows[:MOST_ROWS], *(["    ..."] if len(rows) > MOST_ROWS else [])])


def about_function(word: Word, document: GameDocument | None = None) -> str:
    """A function's signature, an example call, and its requirements."""
    rows = [code(signature(word, document)), f"for instance `{word.example.replace(' or ', '` or `')}`"]
    needs = [text for needed, text in (
        (word.needs_rows, "a board with rows and columns"), (word.needs_right_angles, "right angles"),
        (word.needs_tiles, "tiles"), (word.needs_piles, "piles"), (word.needs_tracks, "tracks"),
    ) if needed]
    if needs:
        rows.append("needs " + " and ".join(needs))
    if word.may_be_none:
        rows.append("may be none")
    return "\n\n".join(rows)


def signature(word: Word, document: GameDocument | None = None) -> str:
    """A function's signature, such as `line(set of cells, number): condition`; optional arguments are in brackets."""
    shown = ["..." if isinstance(sort, Unknown) else "network or set of cells" if sort == NETWORK else str(sort)
             for sort in word.arguments]
    needed, free = shown[: word.least], shown[word.least :]
    inside = ", ".join(needed) + "".join(f"[, {sort}]" if needed else f"[{sort}]" for sort in free)
    result = word.result(1) if document is None else result_of(word, document.world)
    return f"{word.name}({inside or '...'})" + ("" if isinstance(result, Unknown) else f": {result}")


def _about_builtin(document: GameDocument, text: str) -> str:
    """The text for a name that games have without declaring it."""
    board = document.world.board
    sort = sort_of(text, document.world)
    what = f"`{text}`" + ("" if sort is None or isinstance(sort, Unknown) else f": {sort}")
    if text in board.words:
        return f"{what}, on {board.title} board"
    return what


def _of_word(document: GameDocument, token: Lexeme) -> str:
    """The text for a keyword, a kind of board, or a function that is not called."""
    boards = [kind for kind in KINDS.values() if kind.word == token.text]
    row = document.source.line(token.line)
    if boards and row.startswith("board"):
        (board,) = boards
        given = f"({', '.join(board.arguments)})" if board.arguments else ""
        return "\n\n".join([code(f"board {board.word}{given}"),
                            f"directions: {', '.join(board.directions)}" if board.directions else "",
                            f"regions: {', '.join(board.regions)}" if board.regions else ""]).strip()
    if token.text in vocabulary.keywords():
        return about_keyword(token.text)
    if token.text in CALLED:
        return about_function(CALLED[token.text], document)
    return ""


def about_keyword(word: str) -> str:
    """The forms in which a keyword is used."""
    forms = vocabulary.forms_with(word)
    rows = [f"- {form.code}" + (f": {form.meaning}" if form.meaning else "") for form in forms[:MOST_FORMS]]
    return "\n".join([f"keyword `{word}`", "", *rows]) if rows else f"keyword `{word}`"


def code(text: str) -> str:
    """A Markdown code block of the language."""
    return f"```game\n{text}\n```"
