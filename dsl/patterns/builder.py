"""Turns Lark's parse trees of single lines of a pattern file into rule objects.

`PatternBuilder` creates an object for each rule of `pattern.lark`, and those of `dsl.syntax.builder` for expressions. A
relative place in an expression becomes a name with the place's text, `(1, 2)`, which the resolver binds.
"""

from __future__ import annotations

import attrs
from lark import Token, v_args
from lark.tree import Meta

from dsl.diagnostics import error
from dsl.patterns import rules as pattern_rules
from dsl.syntax import rules
from dsl.syntax.builder import Builder, Items
from dsl.syntax.formatter import spaced

MOST_AWAY = 99
"""The maximum distance of a place in each coordinate, in cells."""


@attrs.frozen
class _Marked:
    """The kind and value of a small part, before it becomes part of a line."""

    kind: str
    value: object = True


def _marked(items: Items, kind: str) -> object:
    return next((item.value for item in items if isinstance(item, _Marked) and item.kind == kind), None)


@v_args(meta=True)
class PatternBuilder(Builder):
    """Creates the rule object of one line; `line` is its number, `text` the whole line, `comment` its comment."""

    def __init__(self, line: int, text: str, comment: str) -> None:
        super().__init__(line)
        self.text_of_line, self.remark = text, comment

    def _slice(self, start: int, end: int) -> str:
        """The text between two columns, formatted."""
        return spaced(self.text_of_line[start - 1 : end - 1])

    # ---- small parts

    def coordinate(self, meta: Meta, items: Items) -> int:
        value = self._integer(items[0])
        if value > MOST_AWAY:
            self.diagnostics.append(error("G606", f"found a place {value} cells away, expected at most {MOST_AWAY}",
                                          self._span(meta)))
        return min(value, MOST_AWAY)

    def minus(self, meta: Meta, items: Items) -> int:
        return -self.coordinate(meta, items)

    def integer(self, meta: Meta, items: Items) -> int:
        return self._integer(items[0])

    def minus_integer(self, meta: Meta, items: Items) -> int:
        return -self._integer(items[0])

    def spot(self, meta: Meta, items: Items) -> pattern_rules.Place:
        return pattern_rules.Place(items[0], items[1], span=self._span(meta))

    def relative(self, meta: Meta, items: Items) -> rules.Name:
        return rules.Name(f"({items[0]}, {items[1]})", span=self._span(meta))

    def symmetric(self, meta: Meta, items: Items) -> _Marked:
        return _Marked("symmetric")

    def priority(self, meta: Meta, items: Items) -> _Marked:
        return _Marked("priority", items[0])

    def at(self, meta: Meta, items: Items) -> _Marked:
        return _Marked("at", items[0])

    def negated(self, meta: Meta, items: Items) -> _Marked:
        return _Marked("negated")

    never = negated

    # ---- anchors

    def toward(self, meta: Meta, items: Items) -> pattern_rules.Toward:
        return pattern_rules.Toward(str(items[0] or ""), span=self._span(meta))

    def chain_end(self, meta: Meta, items: Items) -> pattern_rules.ChainEnd:
        return pattern_rules.ChainEnd(items[-1], str(items[0]), span=self._span(meta))

    def piece_anchor(self, meta: Meta, items: Items) -> pattern_rules.PieceAnchor:
        return pattern_rules.PieceAnchor(items[-1], str(items[0]), span=self._span(meta))

    def last_move(self, meta: Meta, items: Items) -> pattern_rules.LastMove:
        return pattern_rules.LastMove(items[-1], span=self._span(meta))

    def any_cell(self, meta: Meta, items: Items) -> pattern_rules.AnyCell:
        return pattern_rules.AnyCell(items[-1], span=self._span(meta))

    def cell_in(self, meta: Meta, items: Items) -> pattern_rules.CellIn:
        cells = items[0]
        end = items[1].span.column if items[1] is not None else meta.end_column
        return pattern_rules.CellIn(items[1], cells, self._slice(cells.span.column, end), span=self._span(meta))

    # ---- lines in the first column

    def patterns_for(self, meta: Meta, items: Items) -> pattern_rules.PatternsFor:
        title = None if items[0] is None else str(items[0])[1:-1]
        return pattern_rules.PatternsFor(title, span=self._span(meta), comment=self.remark)

    def symmetries(self, meta: Meta, items: Items) -> pattern_rules.Symmetries:
        return pattern_rules.Symmetries(self._names(items), span=self._span(meta), comment=self.remark)

    def anchor_line(self, meta: Meta, items: Items) -> pattern_rules.AnchorLine:
        return pattern_rules.AnchorLine(str(items[0] or ""), items[1], span=self._span(meta), comment=self.remark)

    def group(self, meta: Meta, items: Items) -> pattern_rules.Group:
        return pattern_rules.Group(str(items[0])[1:-1], span=self._span(meta), comment=self.remark)

    def pattern_head(self, meta: Meta, items: Items) -> pattern_rules.Pattern:
        priority, anchor = _marked(items, "priority"), _marked(items, "at")
        assert priority is None or isinstance(priority, int)
        assert anchor is None or isinstance(anchor, pattern_rules.Anchor)
        return pattern_rules.Pattern(str(items[0]), str(items[1])[1:-1], bool(_marked(items, "symmetric")), priority,
                                     anchor, (), span=self._span(meta), comment=self.remark)

    # ---- lines of a pattern

    def _spots(self, items: Items) -> tuple[pattern_rules.Place, ...]:
        return tuple(item for item in items if isinstance(item, pattern_rules.Place))

    def holds(self, meta: Meta, items: Items) -> pattern_rules.Holds:
        return pattern_rules.Holds(bool(_marked(items, "negated")), self._names(items), self._spots(items),
                                   span=self._span(meta), comment=self.remark)

    def outside(self, meta: Meta, items: Items) -> pattern_rules.Outside:
        return pattern_rules.Outside(self._spots(items), span=self._span(meta), comment=self.remark)

    def link_test(self, meta: Meta, items: Items) -> pattern_rules.LinkTest:
        word = next(item for item in items if isinstance(item, Token) and item.type in ("POSSIBLE", "EXISTS"))
        return pattern_rules.LinkTest(bool(_marked(items, "negated")), self._names(items)[0], word.type == "EXISTS",
                                      self._spots(items), span=self._span(meta), comment=self.remark)

    def condition(self, meta: Meta, items: Items) -> pattern_rules.Condition:
        text = self._slice(meta.column + len("where"), meta.end_column)
        return pattern_rules.Condition(items[0], text, span=self._span(meta), comment=self.remark)

    def play(self, meta: Meta, items: Items) -> pattern_rules.Play:
        text = self._slice(meta.column + len("play"), meta.end_column)
        return pattern_rules.Play(None, tuple(items), text, span=self._span(meta), comment=self.remark)

    def play_move(self, meta: Meta, items: Items) -> pattern_rules.Play:
        given = [item for item in items[1:] if isinstance(item, rules.Argument)]
        for item in given:
            if item.guard is not None or item.loop is not None:
                self.diagnostics.append(error("G212", "found 'for' or 'where' in a move to play, expected plain values",
                                              item.span))
        text = self._slice(meta.column + len("play"), meta.end_column)
        return pattern_rules.Play(self._name(items[0]), tuple(item.value for item in given), text,
                                  span=self._span(meta), comment=self.remark)

    def example(self, meta: Meta, items: Items) -> pattern_rules.Example:
        params: list[tuple[str, int]] = []
        tokens = [item for item in items if item is not None]
        while len(tokens) > 1 and tokens[1].type == "INT":
            params.append((str(tokens[0]), self._integer(tokens[1])))
            del tokens[:2]
        player = self._name(tokens[0]) if tokens else None
        return pattern_rules.Example(tuple(params), player, (), span=self._span(meta), comment=self.remark)
