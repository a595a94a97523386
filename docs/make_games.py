"""Writes docs/games.md from the game files: run `python docs/make_games.py` after a change in games/.

Everything on the page is read from the files, but for the words that name a construct or a source.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import fill

import attrs

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from dsl.boards import KINDS  # noqa: E402
from dsl.boards.kind import Kind  # noqa: E402
from dsl.syntax import rules  # noqa: E402
from dsl.syntax.parser import parse  # noqa: E402
from dsl.syntax.source import Source  # noqa: E402
from dsl.words import CALLED  # noqa: E402

PAGE = ROOT / "docs" / "games.md"
ORACLES = {"reference": "reference", "openspiel": "OpenSpiel"}
"""Folders of tests/ with second implementations, and what a link to one says."""

HEAD = """\
# The games

{number} games, of which each is a file in [games/](../games/) to read, change and play. A game can be named without its
folder and ending: `dslgame show hex -p size=5`. `dslgame list` prints the names, too.

- [By kind](#by-kind): who plays on what, and how long the file is
- [By construct](#by-construct): which games to look at for a word of the language
- [Each game](#each-game): its rules in short, its params, what it is an example of, and where its counts come from

<!-- Written by docs/make_games.py from the game files; changes here are lost. -->

## By kind
"""
INDEX = """
## By construct

For each word of the language the shortest files that use it.
"""
EACH = """
## Each game

*Shows* names what the file is an example of, the rarest first. *Counts* leads to the numbers of move sequences and
positions that the tests hold the file to, and says where they come from; *second* to programs that were written from
the rules alone, and that the tests play against the file.
"""
SHOWN = 6
"""How many games a row of the index has, and how many constructs the entry of a game."""


# ---- constructs

Nodes = tuple[rules.Node, ...]
Test = Callable[[Nodes], bool]


@attrs.frozen
class Construct:
    """Something that games can use: how it is called, its heading in the language book, and who has it."""

    name: str
    heading: str
    used: Test


def has(kind: type[rules.Node] | tuple[type[rules.Node], ...], test: Callable[..., object] = lambda node: True) -> Test:
    """Whether a node of a class occurs, and one for which the test holds."""
    return lambda nodes: any(isinstance(node, kind) and test(node) for node in nodes)


def several_of_a_player(nodes: Nodes) -> bool:
    """Whether a player has pieces of two kinds."""
    owners = [node.owner.text for node in nodes if isinstance(node, rules.Piece) and node.owner]
    return len(owners) > len(set(owners))


def number_of(kind: type[rules.Node], nodes: Nodes) -> int:
    """How many nodes of a class occur."""
    return sum(isinstance(node, kind) for node in nodes)


def board(kind: Kind) -> Construct:
    """A kind of board."""
    given = f"({', '.join(kind.arguments)})" if kind.arguments and kind.default is None else ""
    heading = re.sub(r"[^a-z -]", "", f"board {kind.word}{given}").replace(" ", "-")
    return Construct(f"`board {kind.word}`", heading,
                     has((rules.Board, rules.PathBoard), lambda node: words(node.words) == kind.word))


def index(kind: str) -> Construct:
    """Variables with an index."""
    return Construct(f"`var x[{kind}]`", "var", has(rules.Variable, lambda node: named(node.index, kind)))


def named(name: rules.Name | None, text: str) -> bool:
    """Whether a name stands there, and this one."""
    return name is not None and name.text == text


def words(names: tuple[rules.Name, ...]) -> str:
    """Names in a row, as text."""
    return " ".join(name.text for name in names)


def result(word: str, kind: type[rules.NoMovesRule] | type[rules.Repetition], text: str) -> Construct:
    """`no moves` or `repetition` with what follows."""
    return Construct(f"`{word} {text}`", word.replace(" ", "-"), has(kind, lambda node: node.result.text == text))


def function(name: str) -> Construct:
    """The call of a function, and not of a definition that has its name."""
    called = has(rules.Call, lambda node: node.name.text == name)
    defined = has(rules.Definition, lambda node: node.name.text == name)
    return Construct(f"`{name}`", "functions", lambda nodes: called(nodes) and not defined(nodes))


CONSTRUCTS: dict[str, list[Construct]] = {
    "Board and pieces": [
        *map(board, KINDS.values()),
        Construct("`without` (cells left out)", "without", has(rules.Board, lambda node: node.without is not None)),
        Construct("`with diagonals`", "board-squarerows-columns",
                  has(rules.Board, lambda node: node.diagonals == "all")),
        Construct("`with alternate diagonals`", "board-squarerows-columns",
                  has(rules.Board, lambda node: node.diagonals == "alternate")),
        Construct("pieces of nobody", "pieces", has(rules.Piece, lambda node: node.owner is None)),
        Construct("several kinds of a player", "pieces", several_of_a_player),
        Construct("`of each`", "pieces", has(rules.Piece, lambda node: named(node.owner, "each"))),
        Construct("no pieces", "variables-and-values", lambda nodes: not has((rules.Piece, rules.Tiles))(nodes)),
        Construct("`tiles`", "tiles", has(rules.Tiles)),
        Construct("`links`", "links", has(rules.LinksLayer)),
        Construct("`linked by`", "networks", has(rules.Linked)),
        Construct("`track`", "tracks", has(rules.Course)),
        Construct("borders and vertices", "borders-and-vertices",
                  has(rules.Variable, lambda node: node.index is not None and node.index.text in ("border", "vertex"))),
        Construct("`start`", "the-start", has(rules.StartPosition)),
    ],
    "Variables and definitions": [
        Construct("`var x`", "var", has(rules.Variable, lambda node: node.index is None)),
        *map(index, ("cell", "row", "column", "player", "direction", "piece")),
        Construct("`values`", "values", has(rules.Enumeration)),
        Construct("`define` with parameters", "definitions", has(rules.Definition, lambda node: node.parameters)),
        Construct("`define` with cases", "definitions", has(rules.Definition, lambda node: node.case)),
        Construct("`at least 2` and the like", "quantifiers", has(rules.Quantifier, lambda node: node.number > 0)),
        Construct("`that`", "quantifiers", has(rules.That)),
    ],
    "Moves": [
        Construct("several kinds of move", "moves", lambda nodes: number_of(rules.MoveRule, nodes) > 1),
        Construct("`move ... when`", "moves", has(rules.MoveRule, lambda node: node.when is not None)),
        Construct("`{a, b} in` (unordered)", "choices", has(rules.Choice, lambda node: node.unordered)),
        Construct("`then` (a further choice)", "then", has(rules.Then)),
        Construct("`then` with a move's name", "then-with-a-moves-name", has(rules.Proceed)),
        Construct("`carry`", "effects", has(rules.Carry)),
        Construct("`slide`", "effects", has(rules.Slide)),
        Construct("`turn` (a block)", "effects", has(rules.Rotate)),
        Construct("`each`", "effects", has(rules.Each)),
        Construct("`if` with a block", "effects", has(rules.If)),
    ],
    "After the move, and whose turn": [
        Construct("`forced`", "forced-rules", has(rules.ForcedRule)),
        Construct("`until`", "forced-rules", has(rules.ForcedRule, lambda node: node.until is not None)),
        Construct("`illegal when`", "illegal-when", has(rules.Illegal)),
        Construct("`pass`", "pass", has(rules.PassRule)),
        Construct("`turn again`", "turn-again", has(rules.TurnAgain)),
        Construct("`pie rule`", "pie-rule", has(rules.PieRule)),
        Construct("one player", "players", has(rules.Players, lambda node: len(node.names) == 1)),
        Construct("three players or more", "players", has(rules.Players, lambda node: len(node.names) > 2)),
    ],
    "Ends": [
        Construct("`lose`", "win-lose-draw", has(rules.End, lambda node: node.kind == "lose")),
        *[result("no moves", rules.NoMovesRule, text) for text in ("loses", "wins", "draws", "passes")],
        Construct("`no moves` as a condition", "win-lose-draw", has(rules.NoMoves)),
        *[result("repetition", rules.Repetition, text) for text in ("draws", "loses", "forbidden")],
    ],
    "Functions": [function(name) for name in CALLED],
    "Symmetry, notation, value": [
        Construct("`swapping players`", "symmetry", has(rules.SymmetryRule, lambda node: node.swapping)),
        Construct("`reversing`", "symmetry", has(rules.SymmetryRule, lambda node: node.reversing)),
        Construct("`symmetry ... when`", "symmetry", has(rules.SymmetryRule, lambda node: node.condition is not None)),
        Construct("`notation ... or`", "notation", has(rules.Notation, lambda node: len(node.templates) > 1)),
        Construct("`coordinates`", "coordinates", has(rules.Coordinates)),
        Construct("`value`", "value", has(rules.Value)),
    ],
}
"""By chapter of the index, in the order of the page."""


# ---- games

SOURCES = {
    r"published|well-known|OEIS|\bA\d{6}\b": "published numbers",
    r"OpenSpiel": "OpenSpiel",
    r"Gamesman\w*": "GamesmanClassic",
    r"(independent|second|exhaustive|other|another|two) (\w+ )?(solver|program)|\b(STTGameTree|libataxx)\b":
        "other programs",
    r"reference\b": "the reference",
    r"by hand|\d \* \d": "by hand",
}
"""How the comments of perft files name where a number comes from."""


@attrs.frozen
class GamePage:
    """A game file and what it shows."""

    path: Path
    text: str
    file: rules.GameFile
    nodes: Nodes

    @classmethod
    def read(cls, path: Path) -> GamePage:
        """A game file, parsed."""
        text = path.read_text(encoding="utf-8")
        file = parse(Source(path.name, text)).file
        return cls(path, text, file, tuple(node for item in file.declarations for node in rules.walk(item)))

    @property
    def name(self) -> str:
        """What the command calls it."""
        return self.path.stem

    @property
    def title(self) -> str:
        """What people call it."""
        return self.file.all(rules.GameTitle)[0].title

    @property
    def genre(self) -> str:
        """Among which games it is."""
        genre = self.file.all(rules.GameTitle)[0].genre
        assert genre, f'{self.path.name}: expected game "{self.title}" in "GENRE"'
        return genre

    @property
    def link(self) -> str:
        """To its entry."""
        anchor = re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")
        return f"[{self.title}](#{anchor})"

    @property
    def lines(self) -> int:
        """Of the file."""
        return self.text.count("\n")

    @property
    def header(self) -> str:
        """The comment at the top: what the file says about its rules."""
        rows = self.text.split("\n")
        last = next(number for number, row in enumerate(rows) if not row.startswith("#"))
        return " ".join(row.lstrip("# ") for row in rows[:last])

    @property
    def players(self) -> str:
        """Their names."""
        return words(self.file.all(rules.Players)[0].names).replace(" ", ", ")

    @property
    def board(self) -> str:
        """The words of the board."""
        found = self.file.all(rules.Board)
        return words(found[0].words) + " with gaps" * (found[0].without is not None) if found else "graph"

    def params(self) -> str:
        """Names, defaults and ranges, and what comments say about them."""
        found = re.findall(r"^param (\w+) = (.+?)(?: in (.+?))?(?: *# *(.*))?$", self.text, flags=re.MULTILINE)
        return ", ".join(
            f"`{name}={default}`" + f" ({'; '.join(filter(None, (limits, marked(comment))))})" * bool(limits or comment)
            for name, default, limits, comment in found
        )

    @property
    def perft(self) -> Path:
        """Where its counts are, if it has any."""
        return self.path.with_suffix(".perft")

    def sources(self) -> list[str]:
        """Where its counts come from, as far as the comments beside them say so in the usual words."""
        comments = " ".join(re.findall(r"(?:^|\s)#\s*(.*)", self.perft.read_text(encoding="utf-8")))
        return [source for pattern, source in SOURCES.items() if re.search(pattern, comments, flags=re.IGNORECASE)]

    def seconds(self) -> list[str]:
        """Links to its second implementations."""
        paths = {text: Path("tests") / folder / f"{self.name}.py" for folder, text in ORACLES.items()}
        return [f"[{text}](../{path.as_posix()})" for text, path in paths.items() if (ROOT / path).exists()]


def marked(text: str) -> str:
    """A comment as Markdown: what is no code stands for itself."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_<>|\[\]])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


@cache
def games() -> dict[str, GamePage]:
    """All games, by name."""
    return {path.stem: GamePage.read(path) for path in sorted((ROOT / "games").glob("*.game"))}


@cache
def users(construct: Construct) -> tuple[GamePage, ...]:
    """The games that use a construct, the shortest file first."""
    return tuple(sorted((game for game in games().values() if construct.used(game.nodes)),
                        key=lambda game: (game.lines, game.name)))


def shown_by(game: GamePage) -> list[str]:
    """The constructs that a game is one of the fewest to use."""
    used = [construct for chapter in CONSTRUCTS.values() for construct in chapter if game in users(construct)]
    return [construct.name for construct in sorted(used, key=lambda construct: len(users(construct)))[:SHOWN]]


# ---- the page


def page_text() -> str:
    """The whole page."""
    return "".join([
        HEAD.format(number=len(games())),
        *(group_text(title, found) for title, found in groups().items()),
        INDEX,
        *(index_text(title, constructs) for title, constructs in CONSTRUCTS.items()),
        EACH,
        *(entry_text(game) for game in sorted(games().values(), key=lambda game: game.title)),
    ])


def groups() -> dict[str, list[GamePage]]:
    """The games by their genres, as their files say."""
    found: dict[str, list[GamePage]] = {}
    for game in games().values():
        found.setdefault(game.genre, []).append(game)
    return dict(sorted(found.items()))


def group_text(title: str, there: list[GamePage]) -> str:
    """A table of the games of a genre."""
    rows = [f"| `{game.name}` | {game.link} | {game.players} | {game.board} | {game.lines} |\n" for game in there]
    return f"\n### {title}\n\n| name | game | players | board | lines |\n|---|---|---|---|--:|\n{''.join(rows)}"


def index_text(title: str, constructs: list[Construct]) -> str:
    """A table of constructs with the games that use them."""
    rows = []
    for construct in constructs:
        found = users(construct)
        if found:
            more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
            links = ", ".join(game.link for game in found[:SHOWN])
            rows.append(f"| [{construct.name}](language.md#{construct.heading}) | {links}{more} |\n")
    return f"\n### {title}\n\n| | |\n|---|---|\n{''.join(rows)}"


def entry_text(game: GamePage) -> str:
    """What a game's file says and shows."""
    file = f"[{game.path.name}](../games/{game.path.name})"
    head = f"{file}: {marked(game.header)}" if game.header else file
    items = [f"params: {game.params()}"] if game.params() else []
    items += [f"shows: {', '.join(shown_by(game))}"]
    items += [f"[counts](../games/{game.perft.name}): {', '.join(game.sources())}"] if game.perft.exists() else []
    items += [f"second: {', '.join(game.seconds())}"] if game.seconds() else []
    return "\n".join([f"\n### {game.title}\n", wrapped(head), "", *(wrapped(f"- {item}", "  ") for item in items), ""])


def wrapped(text: str, indent: str = "") -> str:
    """A paragraph in lines as they are usual here."""
    return fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
