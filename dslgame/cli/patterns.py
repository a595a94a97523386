"""`dslgame patterns`: which patterns of a file match in a position, and whether the file's examples hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from dslgame import bundled
from dslgame.cli.common import (
    STDIN,
    Loader,
    colour_option,
    doing,
    examples,
    json_option,
    moves_option,
    param_option,
    play_moves,
    position_option,
    refuse_given,
    session,
    title,
)
from dslgame.cli.output import colouring, counted, print_json, printable, progress, table, wants_colour, wrapped
from dslgame.exit_codes import WRONG

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic
    from dsl.syntax.source import Source
    from interpreter.game import Position
    from interpreter.model.state import Move
    from interpreter.patterns.matching import Book, Match

_JSON = """\
JSON: {"file", "game", "params", "position", "to_move", "board", "proposed":
[{"move", "pattern", "priority"}], "matches": [{"pattern", "kind", "group",
"line", "priority", "at", "mirrored", "move"}]}, with the proposed moves ordered
by priority. With --test {"file", "game", "patterns", "examples",
"diagnostics"}."""


class _WithLearn(click.Command):
    """A command that delegates to `learn` if that is its first word."""

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None,
                     **extra: Any) -> click.Context:
        """Make the context of `learn` or of this command."""
        if args and args[0] == "learn":
            from dslgame.cli.learning import learn

            return learn.make_context(f"{info_name} learn", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command("patterns", cls=_WithLearn, short_help="Show which move patterns match in a position.", epilog=examples(
    'dslgame patterns twixt --moves "e5 f7 h4" -p rows=10 -p columns=10',
    'dslgame patterns my.pattern --game hex -p size=7 --moves "d4 e3"',
    "dslgame patterns patterns/gomoku.pattern --test",
    "dslgame patterns learn hex -p size=7 --to learned.pattern",
    further=_JSON, codes=True,
))
@click.argument("file", metavar="FILE")
@click.option("-g", "--game", "game_file", metavar="GAME", default=None,
              help="The game: a .game file or a bundled game; default: the game that the patterns are for.")
@param_option
@moves_option
@position_option
@click.option("--test", is_flag=True, help="Test the examples in the pattern file.")
@colour_option
@json_option
def patterns(file: str, game_file: str | None, params: Mapping[str, int], moves: str, position: str | None, test: bool,
             colour: bool | None, as_json: bool) -> None:
    """Show which patterns of a .pattern file match in a position, where, and which moves they propose.

    FILE is a .pattern file, readable or classic, the name of bundled patterns such as twixt, or - for standard input.
    Mistakes in it are reported as for a game. `dslgame patterns learn` learns a pattern file from play; it has its own
    help.
    """
    source = _read(file)
    loader = Loader(game_file or _game_of(source))
    if test:
        refuse_given(("moves", "position"), "does not go with --test, whose examples are in the file")
        _test(source, loader, params, as_json=as_json)
        return
    game = loader.game(params)
    book = _book(source, loader, params)
    at = play_moves(game, moves, position)
    before = at.history[-1] if at.history else None
    with doing(f"matching {source.name}"):
        matches = [] if at.over else list(book.matches(at.state, before))
        proposed = [] if at.over else book.proposed(at.state, before)
    written = {item.move: game.notation.write(at.state, item.move) for item in proposed}
    if as_json:
        print_json({
            "file": source.name, "game": game.title, "params": game.params,
            "position": game.position_text(at.state), "to_move": None if at.over else at.to_move,
            "board": at.drawing(),
            "proposed": [{"move": written[item.move], "pattern": book.patterns[item.pattern].name,
                          "priority": item.priority} for item in proposed],
            "matches": [_as_json(book, match, written[match.move]) for match in matches],
        })
        return
    for item in book.warnings:
        _say(item, source)
    coloured = wants_colour(colour)
    numbers = {item.move: number for number, item in enumerate(proposed, start=1)}
    click.echo(title(game))
    click.echo(_picture(book, at, matches, {move: str(number) for move, number in numbers.items()}, coloured),
               color=coloured)
    if at.played:
        click.echo(wrapped("played: ", " ".join(at.played)))
    if at.over:
        click.echo("the game is over: nothing is proposed")
        return
    used = len({match.pattern.number for match in matches})
    click.echo(f"{at.to_move} to move: {counted(len(proposed), 'move')} proposed by {counted(used, 'pattern')} of "
               f"{len(book.patterns)}")
    if proposed:
        click.echo(_table(book, matches, written, numbers))


def _read(file: str) -> Source:
    """Read a pattern file. Raises GameFileError where it cannot be read."""
    from dsl.diagnostics import GameFileError, error
    from dsl.syntax.source import Source, Span, Unreadable, normalise, read
    from dslgame.cli.common import read_stdin

    if file == STDIN:
        try:
            return Source("<stdin>", normalise(read_stdin().decode("utf-8-sig")))
        except UnicodeDecodeError:
            problem = error("G004", "the text is not UTF-8", Span.at(1, 1))
            raise GameFileError(Source("<stdin>", ""), [problem]) from None
    result = read(file)
    if isinstance(result, Unreadable) and result.code in ("G001", "G002"):
        own = bundled.pattern_file(file)
        if own is not None:
            result = read(bundled.shortest(own))
    if isinstance(result, Unreadable):
        help_text = f"the bundled patterns are {', '.join(bundled.pattern_names())}" if result.code == "G001" else ""
        problem = error(result.code, result.phrase, Span.at(result.line, 1), help=help_text)
        raise GameFileError(Source(file, ""), [problem])
    return result


def _game_of(source: Source) -> str:
    """The bundled game that a pattern file is for. Raises UsageError where the file does not name one."""
    from dsl.patterns.parser import parse_patterns

    named = parse_patterns(source).file.title
    game = bundled.named(named) if named else None
    if game is None:
        raise click.UsageError("say which game the patterns are for: --game GAME")
    return str(bundled.shortest(game))


def _book(source: Source, loader: Loader, params: Mapping[str, int]) -> Book:
    """Compile the patterns for a game. Raises GameFileError."""
    from interpreter.patterns.matching import Book

    game = loader.game(params)
    session().source = source
    with doing(f"reading {source.name}"):
        book = Book.of(source, game)
    session().source = loader.source
    return book


def _say(item: Diagnostic, source: Source) -> None:
    from dsl.diagnostics import render

    click.echo(render(item, source), err=item.severity != "error")


def _test(source: Source, loader: Loader, params: Mapping[str, int], *, as_json: bool) -> None:
    """Run the examples of a pattern file; exit with 1 if one fails."""
    from dsl.diagnostics import as_json as plain
    from dsl.diagnostics import in_source_order
    from interpreter.patterns.examples import try_examples

    game = loader.game(params)
    book = _book(source, loader, params)
    with doing(f"trying the examples of {source.name}"), progress(f"trying the examples of {source.name}",
                                                                    quiet=as_json):
        count, result = try_examples(source, loader.source, params)
    result = in_source_order([*book.warnings, *result])
    failed = sum(item.severity == "error" for item in result)
    if as_json:
        print_json({"file": source.name, "game": game.title, "patterns": len(book.patterns), "examples": count,
                    "diagnostics": [plain(item, source) for item in result]})
    else:
        for item in result:
            _say(item, source)
        bare = sum(not any(type(line).__name__ == "Example" for line in pattern.rule.statements)
                   for pattern in book.patterns)
        without = f", {counted(bare, 'pattern')} without one" if bare else ""
        verdict = "all hold" if not failed else f"{failed} fail" + ("s" if failed == 1 else "")
        click.echo(f"{printable(source.name)}: {counted(len(book.patterns), 'pattern')}, "
                   f"{counted(count, 'example')}, {verdict}{without}")
    if failed:
        raise SystemExit(WRONG)


def _as_json(book: Book, match: Match, move: str) -> dict[str, object]:
    pattern = match.pattern
    return {
        "pattern": pattern.name, "kind": pattern.rule.kind, "group": pattern.group or None,
        "line": pattern.rule.span.line, "priority": pattern.priority, "at": book.game.board.names[match.cell],
        "mirrored": match.frame.mirrored, "move": move,
    }


def _picture(book: Book, at: Position, matches: list[Match], labels: Mapping[Move, str], coloured: bool) -> str:
    """The board with the number of each proposed move at the cell where it is played."""
    from interpreter.drawing import draw

    game = book.game
    glyphs = game.glyphs(at.state)
    for match in matches:
        if match.move in labels:
            glyphs[match.place] = labels[match.move]
    style = colouring(game, at) if coloured else None
    board = draw(game.board, glyphs, style=style, shown=game.surroundings(at.state))
    return "\n".join([board, *game.below(at.state)])


def _table(book: Book, matches: list[Match], written: Mapping[Move, str], numbers: Mapping[Move, int]) -> str:
    """A row for each proposed move: its number, the move, its priority, and its patterns with their anchor cells."""
    rows = []
    for move, number in numbers.items():
        own = [match for match in matches if match.move == move]
        told: dict[str, list[str]] = {}
        for match in own:
            places = told.setdefault(match.pattern.name, [])
            name = book.game.board.names[match.cell]
            if name not in places:
                places.append(name)
        highest = max(match.pattern.priority for match in own)
        why = "; ".join(f"{name} ({', '.join(places)})" for name, places in told.items())
        rows.append((str(number), written[move], str(highest) if highest else "", why))
    return table(rows, right=[True, False, True, False])
