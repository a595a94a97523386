"""Resolves how a game looks: the notation of its moves, the glyphs, shapes and colours of its pieces.

`dsl.resolve.declarations` uses `Looks(file, world, names_of_move)` once moves and pieces are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import attrs

from dsl import hir
from dsl.boards import outlines
from dsl.diagnostics import did_you_mean, error, has_errors
from dsl.diagnostics.wording import either
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope, World
from dsl.resolve.sorts import UNKNOWN, Integer, SetOf, Unknown
from dsl.syntax import rules
from dsl.syntax.parser import parse_expression
from dsl.syntax.source import NOWHERE, Span

COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "grey", "orange", "brown", "purple",
           "pink")
"""Names of the colours that a piece can be shown in; `"#rrggbb"` is possible as well."""
FIGURES = ("pawn", "knight", "bishop", "rook", "queen", "king")
"""Piece names that are their own default shapes, where all pieces of a game have such names."""
NOTHING = "nothing"
"""How a piece, a cell or a variable is drawn that is not shown."""
SHAPES = ("disc", "ring", "cross", "dot", "bar", "post", "block", "man", "crowned", *FIGURES, "glyph", NOTHING)
"""The shapes that a piece can be drawn as in pictures."""
LETTERED = "lettered"
"""The shape of a piece for which only a glyph with a letter is given, where others are discs: a disc with its glyph."""
CELLS = ("plain", "checks", "points", "wedges", NOTHING)
"""How cells can be drawn in pictures: all alike, in two alternating colours, as points where lines meet, as long wedges
with their piles along them, or not at all."""
LONG = "wedges"
"""How cells are drawn that makes all cells of a board long."""
SIZES = ("row", "column")
"""What can give the size of a piece, besides a number and a variable of cells: the number of its row or column."""
MOST_SIZE = 99
_FIELD = re.compile(r"\{([^{}]*)\}")


class Looks:
    """Resolves notations and how pieces are shown; `names_of_move` holds the chosen names of each move."""

    def __init__(self, file: rules.GameFile, world: World,
                 names_of_move: Sequence[Mapping[str, hir.Expr]]) -> None:
        self.file = file
        self.world = world
        self.names_of_move = names_of_move

    def _error(self, code: str, phrase: str, span: Span, help_text: str = "", suggestion: str = "") -> None:
        self.world.report(error(code, phrase, span, help=help_text, suggestion=suggestion))

    def notations(self) -> dict[int, tuple[hir.Template, ...]]:
        """The templates of each move, by its number; a default one where the file gives none."""
        moves = [item.name.text for item in self.file.all(rules.MoveRule)]
        result: dict[int, tuple[hir.Template, ...]] = {}
        for item in self.file.all(rules.Notation):
            special = {"pass": -1, "swap": -2}
            for name in item.moves:
                if name.text not in moves and name.text not in special:
                    self.world.unknown(name, iter(moves), "move")
                    continue
                number = moves.index(name.text) if name.text in moves else special[name.text]
                if number in result:
                    self._error("G219", f"a second notation for '{name.text}', expected one with 'or'", item.span)
                    continue
                names = self.names_of_move[number] if number >= 0 else {}
                result[number] = tuple(self._template(text, names) for text in item.templates)
                self._check_names_every_choice(item, result[number][0], names)
        for number, move in enumerate(moves):
            if number not in result and number < len(self.names_of_move):
                result[number] = (self._default_template(move, self.names_of_move[number], len(moves) > 1),)
        return result

    def _check_names_every_choice(self, item: rules.Notation, template: hir.Template,
                                  names: Mapping[str, hir.Expr]) -> None:
        """Report a notation that does not show every choice: two moves could have the same text."""
        shown = {part.slot for piece in template if isinstance(piece, hir.Field)
                 for part in hir.walk(piece.term) if isinstance(part, hir.Local)}
        missing = [name for name, slot in _chosen(names) if slot not in shown]
        if missing and not has_errors(self.world.diagnostics):
            self._error("G310", f"the notation does not show {', '.join(missing)}, expected every choice of the move",
                        item.templates[0].span, f"write for instance {{{missing[0]}}} in it; what follows from other "
                        f"choices is no choice: let {missing[0]} = ...")

    def _template(self, text: rules.Text, names: Mapping[str, hir.Expr]) -> hir.Template:
        parts: list[str | hir.Field] = []
        end = 0
        for match in _FIELD.finditer(text.value):
            if match.start() > end:
                parts.append(text.value[end : match.start()])
            parts.append(self._field(match.group(1), text.span, names))
            end = match.end()
        rest = text.value[end:]
        if "{" in rest or "}" in rest:
            self._error("G114", "a brace in the notation is not closed", text.span)
        if rest:
            parts.append(rest)
        if any(character.isspace() or character == ";" for part in parts if isinstance(part, str)
               for character in part):
            self._error("G114", "a space or ';' in a notation, expected none: they separate moves", text.span)
        return tuple(parts)

    def _field(self, text: str, span: Span, names: Mapping[str, hir.Expr]) -> hir.Field:
        source, _, style = text.rpartition(":") if re.search(r":\s*\w*\s*$", text) else (text, "", "")
        style = style.strip()
        if style not in ("", "a", "A", "0", "1"):
            self._error("G114", f"unknown style '{style}' in '{{{text}}}', expected a, A, 0 or 1", span)
            style = ""
        node = parse_expression(source.strip(), span)
        if not isinstance(node, rules.Expression):
            self.world.report(node)
            return hir.Field(hir.Literal(0, sort=UNKNOWN, span=span), style)
        slots = max(map(hir.slots_of, names.values()), default=0)
        term = ExprResolver(self.world, Scope(names=dict(names), counter=[slots])).value(node)
        if style and not isinstance(term.sort, (Integer, Unknown)):
            self._error("G114", f"the style '{style}' needs a number, found a {term.sort}", span)
        if isinstance(term.sort, SetOf):
            self._error("G114", f"found a {term.sort} in a notation, expected one value", span)
        return hir.Field(term, style)

    def _default_template(self, name: str, names: Mapping[str, hir.Expr], several: bool) -> hir.Template:
        parts: list[str | hir.Field] = []
        if several or not names:
            parts.append(name + (":" if names else ""))
        for number, (text, _) in enumerate(_chosen(names)):
            parts += ["-"] if number else []
            parts.append(hir.Field(names[text], ""))
        return tuple(parts)

    def empty_glyph(self) -> str:
        """The glyph of an empty cell."""
        shown = [item for item in self.file.all(rules.Show) if item.piece.text == "empty" and item.glyph is not None]
        return shown[-1].glyph.value if shown and shown[-1].glyph else "."

    def cells(self) -> tuple[hir.CellLook, ...]:
        """How cells are drawn in pictures."""
        result: list[hir.CellLook] = []
        for item in self.file.all(rules.Show):
            if item.piece.text == "cells" and "cells" not in self.world.piece_names:
                if item.drawn is None or any(part is not None for part in (item.glyph, item.sized, item.colour)):
                    self._error("G243", "cells have neither a glyph nor a colour, expected how they are drawn",
                                item.span, f"write for instance: show cells drawn {CELLS[1]}")
                else:
                    self._check_word(item.drawn, CELLS)
                    self._check_long(item.drawn)
                    if item.on is not None and item.drawn.text == "points":
                        self._error("G243", "points are where lines between all neighbours meet, expected no 'on'",
                                    item.on.span)
                    result.append(hir.CellLook(item.drawn.text, None if item.on is None else self._some_cells(item.on)))
            elif item.piece.text == "empty" and item.drawn is not None:
                self._error("G243", "empty cells have no shape, expected the name of a piece", item.drawn.span)
            elif item.on is not None:
                self._error("G243", f"'{item.piece.text}' is drawn alike wherever it stands, expected no 'on'",
                            item.on.span, "write for instance: show cells drawn wedges on left")
        return tuple(result)

    def _some_cells(self, node: rules.Expression) -> hir.Condition:
        terms = ExprResolver(self.world, Scope())
        term = terms.cells(node)
        return hir.Condition(term, terms.scope.slots, span=node.span)

    def _check_long(self, word: rules.Name) -> None:
        """Report wedges on a board whose cells cannot be long."""
        board = self.world.board
        square = board.rows_and_columns and board.bounded and board.outline == outlines.SQUARE
        if word.text == LONG and not square:
            self._error("G243", f"{LONG} are drawn on square boards with an end, expected 'points' or 'plain'",
                        word.span)

    def _check_word(self, word: rules.Name | None, words: Sequence[str]) -> None:
        if word is not None and word.text not in words:
            help_text, suggestion = did_you_mean(word.text, words)
            self._error("G243", f"'{word.text}' cannot be drawn, expected {either(words)}",
                        word.span, help_text, suggestion)

    def shown(self) -> tuple[hir.PieceKind, ...]:
        """The pieces, each with a glyph, a colour, a shape and a size: as `show` says, else by default."""
        world = self.world
        glyphs: dict[int, str] = {}
        colours: dict[int, str] = {}
        shapes: dict[int, str] = {}
        sizes: dict[int, tuple[int, str]] = {}
        usual = self._usual_shapes()
        for item in self.file.all(rules.Show):
            if item.piece.text in ("empty", "cells"):
                if item.whose is not None:
                    self._error("G211", f"'{item.piece.text}' is no player's, expected no [...] after it",
                                item.whose.span)
                continue
            if item.piece.text in world.variables:
                continue  # see `variables`
            if item.piece.text not in world.piece_names:
                world.unknown(item.piece, iter([*world.piece_names, *world.variables, "empty", "cells"]), "piece")
                continue
            indices = self._meant(item)
            if item.glyph is not None:
                self._check_glyph(item.glyph)
                glyphs.update(zip(indices, (item.glyph.value, item.glyph.value.swapcase()), strict=False))
            if item.glyph is not None or item.drawn is not None:
                shape = usual.get(item.piece.text, "") if item.drawn is None else item.drawn.text
                shapes.update(dict.fromkeys(indices, shape))
                self._check_word(item.drawn, SHAPES)
            if item.sized is not None:
                sizes.update(dict.fromkeys(indices, self._size(item.sized)))
            if item.colour is not None:
                if item.colour not in COLOURS and not re.fullmatch(r"#[0-9a-fA-F]{6}", item.colour):
                    help_text, suggestion = did_you_mean(item.colour, COLOURS)
                    self._error("G230", f"unknown colour '{item.colour}', expected a name or \"#rrggbb\"", item.span,
                                help_text or "names are " + ", ".join(COLOURS), suggestion)
                colours.update(dict.fromkeys(indices, item.colour))
        result = [world.pieces[0]]
        for index, piece in enumerate(world.pieces[1:], start=1):
            taken = set(glyphs.values()) | {self.empty_glyph()}
            kinds = world.piece_names[piece.name].indices if piece.name in world.piece_names else ()
            first = next((glyphs[other] for other in kinds if other in glyphs), "")
            twin = first.swapcase() if first.swapcase() != first and first.swapcase() not in taken else ""
            glyph = glyphs.get(index) or piece.glyph or twin or _free_glyph(piece.name, taken)
            glyphs[index] = glyph
            result.append(attrs.evolve(piece, glyph=glyph, shape=shapes.get(index, usual.get(piece.name, "disc")),
                                       colour=colours.get(index) or _default_colour(piece, world.players),
                                       size=sizes.get(index, (0, ""))[0], sized_by=sizes.get(index, (0, ""))[1]))
        self._check_distinct(result)
        return _with_shapes(result, piled=any(True for _ in self.file.all(rules.Piles)))

    def variables(self) -> tuple[hir.VariableKind, ...]:
        """The variables, each with whether it is shown."""
        hidden: set[str] = set()
        for item in self.file.all(rules.Show):
            if item.piece.text not in self.world.variables:
                continue
            hidden.add(item.piece.text)
            others = item.glyph, item.sized, item.colour, item.whose
            suggestion = "" if item.drawn is None else did_you_mean(item.drawn.text, (NOTHING,))[1]
            if item.drawn is None or item.drawn.text != NOTHING or any(part is not None for part in others):
                self._error("G243", f"'{item.piece.text}' is a variable, which is shown by its values or not at all",
                            item.span if item.drawn is None or not suggestion else item.drawn.span,
                            f"to hide it write: show {item.piece.text} drawn {NOTHING}", suggestion)
        return tuple(attrs.evolve(kind, drawn=False) if kind.name in hidden else kind
                     for kind in self.world.variable_kinds)

    def _meant(self, item: rules.Show) -> tuple[int, ...]:
        """The pieces that a `show` is about: those of a name, or the one of a player."""
        name = self.world.piece_names[item.piece.text]
        if item.whose is None:
            return name.indices
        if name.by_player is None:
            self._error("G211", f"'{name.name}' is one piece, expected no [...] after it", item.whose.span)
        elif item.whose.text not in self.world.players:
            self.world.unknown(item.whose, iter(self.world.players), "player")
        else:
            return (name.by_player[self.world.players.index(item.whose.text)],)
        return ()

    def _check_distinct(self, pieces: Sequence[hir.PieceKind]) -> None:
        """Report two pieces that are shown alike."""
        world = self.world
        by_glyph = {self.empty_glyph(): world.pieces[0]}
        for piece in pieces[1:]:
            other = by_glyph.setdefault(piece.glyph, piece)
            if other is piece:
                continue
            spans = [item.span for item in self.file.all(rules.Show)
                     if item.piece.text in (piece.name, other.name) and item.glyph is not None] or [NOWHERE]
            one, two = (f"{shown.name}[{world.players[shown.owner]}]" if shown.owner is not None
                        and shown.name in world.piece_names and world.piece_names[shown.name].by_player is not None
                        else shown.name for shown in (other, piece))
            help_text = ""
            if other.name == piece.name:
                help_text = f"say what each player's is shown as: show {one} as \"...\", {two} as \"...\""
            self._error("G231", f"'{one}' and '{two}' are both shown as '{piece.glyph}'", spans[-1], help_text)

    def _size(self, said: rules.Name) -> tuple[int, str]:
        """A size: a number, or the name of what gives it, a row, a column or a variable of cells with numbers."""
        text = said.text
        if text.isdigit():
            if not 1 <= int(text) <= MOST_SIZE:
                self._error("G243", f"{text} is no size, expected 1 to {MOST_SIZE}", said.span)
            return int(text), ""
        variables = [kind.name for kind in self.world.variable_kinds
                     if kind.index == "cell" and isinstance(kind.sort, Integer)]
        if text not in variables and (text not in SIZES or not self.world.board.rows_and_columns):
            help_text, suggestion = did_you_mean(text, [*SIZES, *variables])
            self._error("G243", f"'{text}' has no size, expected a number, 'row', 'column' or a variable of cells with "
                        "numbers", said.span, help_text, suggestion)
        return 0, text

    def _usual_shapes(self) -> dict[str, str]:
        """Default shapes of pieces by their names: those of FIGURES, and men with their kings."""
        names = self.world.piece_names
        if len(names) > 1 and names.keys() <= set(FIGURES):
            return {name: name for name in names}
        return {"man": "man", "king": "crowned"} if {"man", "king"} <= names.keys() else {}

    def _check_glyph(self, glyph: rules.Text) -> None:
        if not 1 <= len(glyph.value) <= 3 or any(c.isspace() or not c.isprintable() for c in glyph.value):
            self._error("G231", f"the glyph '{glyph.value}' cannot be drawn, expected 1 to 3 visible characters",
                        glyph.span)
        elif ";" in glyph.value:
            self._error("G231", f"the glyph '{glyph.value}' contains ';', expected none: it separates moves",
                        glyph.span)


def _with_shapes(pieces: Sequence[hir.PieceKind], *, piled: bool) -> tuple[hir.PieceKind, ...]:
    """Set the shape of pieces that only have a glyph: the glyph, or, among discs, a disc with its letter.

    Where there are piles they become discs, which can be stacked.
    """
    if piled:
        return tuple(piece if piece.shape else attrs.evolve(piece, shape="disc") for piece in pieces)
    among_discs = any(piece.owner is not None and piece.shape == "disc" for piece in pieces)
    return tuple(piece if piece.shape else attrs.evolve(piece, shape=LETTERED if among_discs and piece.owner is not None
                                                        and any(sign.isalpha() for sign in piece.glyph) else "glyph")
                 for piece in pieces)


def _chosen(names: Mapping[str, hir.Expr]) -> list[tuple[str, int]]:
    """The names that a move chooses, with their slots; local names are left out, as they stand for another term."""
    return [(name, term.slot) for name, term in names.items() if isinstance(term, hir.Local) and term.name == name]


def _free_glyph(name: str, taken: Iterable[str]) -> str:
    candidates = [*(letter.upper() for letter in name), *(letter.lower() for letter in name),
                  *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    return next((letter for letter in candidates if letter not in taken and letter != "_"), "?")


def _default_colour(piece: hir.PieceKind, players: Sequence[str]) -> str:
    names = [piece.name] if piece.owner is None else [piece.name, players[piece.owner]]
    return next((name.lower() for name in names if name.lower() in COLOURS), "")
